"""S on the plane or the map, with the borders that moved; S below the example that moved it."""

from functools import partial

from engine.algorithms.rules.find_s import Setting, State, predict
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE
from engine.algorithms.rules.parts.boxfigures import (
    box_map,
    box_scene,
    conjunction,
    moved_borders,
    on_plane,
    outline,
    stream_table,
)
from engine.algorithms.rules.parts.boxwords import entries, example_row, moved, ternary_table
from engine.authoring import Grid, Int, Layer, Role, Scene, Step, Table, np, replace
from engine.base.notation import counted
from engine.scene.scene import looked_at


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class by S at every place of the grid."""
    return np.where(given.shade(s.S.low, s.S.high, grid), POSITIVE, NEGATIVE)


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    shown = predict(given, s, problem.X)
    grown = step.line == "grow"
    boxes: list[Layer] = [outline(on_plane(problem, [(s.S.low, s.S.high)]), Role.ACCEPTED, "S")]
    if grown:
        boxes += moved_borders(problem, s.before, s.S, "S")
    rules = [] if s.S.empty else [conjunction(problem, s.S)]
    now = 0 if grown else -1
    title = plane_title(given, step)
    inputs = box_map(
        problem, rules, partial(predict, given, s), now, leaving=looked_at(s), said=title
    )
    taken = s.seen + (step.line == "take")
    examples = stream_table(problem, given.stream[taken:], s.current)
    figures = (*inputs, hypothesis(given, s), examples)
    found = box_scene(problem, shown, s.current, boxes, figures)
    return replace(found, plane=title)


def plane_title(given: Setting, step: Step[State]) -> str:
    """What a step does with S."""
    s = step.state
    if step.line == "start":
        return "S: holds nowhere"
    if step.line == "done":
        return f"S: done, {counted(s.errors, 'example')} wrong"
    point = given.problem.names[s.current]
    label = given.problem.class_text(int(given.problem.codes[s.current]))
    by_line = {"skip": "S stays", "keep": "S holds there", "grow": "S grows"}
    return f"{point} is {label}: {by_line.get(step.line, 'does S hold there?')}"


def hypothesis(given: Setting, s: State) -> Table:
    """A table of the example, S before and S now: a value or “?” for each column."""
    problem = given.problem
    names, rows, tags = example_row(problem, s.current)
    if s.current >= 0:
        names.append("S before")
        rows.append(entries(problem, s.before))
        tags.append("S")
    names.append("S")
    rows.append(entries(problem, s.S))
    tags.append("S")
    amber = moved(s.before, s.S)
    current = (len(rows) - 1,) if amber else ()
    return ternary_table(problem, "Hypothesis S", names, rows, tags, current, amber)
