"""The rows without labels, those whose labels were bought near the boundary and by chance, both
boundaries, the price.
"""

from typing import Any

from engine.algorithms.online.active_learning import Setting, State
from engine.authoring import Float, Grid, Int, Problem, Step, np, replace
from engine.base.notation import counted, fixed
from engine.numerics.contours import level_lines, one_polyline
from engine.scene.layers import Field, Layer, Points, Polyline, Role
from engine.scene.scene import Plot, Scene, data_table

FINE = 48  # places across the plane at which a boundary is sought


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class that the model gives at every place of the grid."""
    return given.surface(*given.learnt(s), grid)


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    bought = np.zeros(problem.n, bool)
    bought[s.asked] = True
    current = (s.current,) if s.current >= 0 else ()
    table = data_table(problem, active=bought, current=current, tag="current")
    *columns, target = table.columns  # which knows no more than the learner
    known = replace(target, values=np.where(bought, target.values, np.nan))
    group = np.where(bought, problem.codes, -1)
    said = heading(given, step)
    price = price_plot(given, s, step.line in ("start", "learn", "end"))
    examples = replace(table, columns=(*columns, known), group=group)
    if not problem.plane:
        figures = (replace(price, title=f"Price: {said}"), examples)
        return Scene((), figures, leads=("Price", "Examples"))
    answers = given.classes_of(*given.learnt(s), problem.X[s.asked])
    layers: list[Layer] = [Field("class", boundary=True)]
    line = zero_line(given, *given.rival(s))
    if len(line):
        layers.append(Polyline(line, Role.GHOST, label="by chance", tag="chance"))
    if step.line == "learn" and len(line := zero_line(given, *step.details["former"])):
        layers.append(Polyline(line, Role.GHOST, label="before", tag="before"))
    layers.append(Points(problem.xy, np.full(problem.n, -1), Role.SAMPLE, tag="data"))
    layers.append(labelled(problem, s.chance, Role.GHOST, None, "chance"))
    layers.append(labelled(problem, s.asked, Role.POINT, answers, "asked"))
    if s.current >= 0 and step.line != "learn":  # its class is not shown before it is bought
        code = problem.codes[[s.current]] if bought[s.current] else np.array([-1])
        name = (current_label(given, step),)
        layers.append(Points(problem.xy[[s.current]], code, Role.ACTIVE, label=name, tag="current"))
    return Scene(tuple(layers), (price, examples), leads=("Plane", "Price"), plane=said)


def current_label(given: Setting, step: Step[State]) -> str:
    """The name of the current row, with its score where it is looked at and its class where that is
    bought.
    """
    s = step.state
    name = given.problem.names[s.current]
    code = int(given.problem.codes[s.current])
    if step.line == "ask" and code >= 0:
        return f"{name}: {given.problem.class_text(code)}"
    if step.line == "look" and not given.stream:
        return f"{name}: score {fixed(float(given.doubt(s, np.array([s.current]))[0]), 3)}"
    return name


def heading(given: Setting, step: Step[State]) -> str:
    """What the step comes to, above the plane."""
    s = step.state
    labels = counted(len(s.asked), "label")
    both = f"{s.errors} wrong, by chance {s.by_chance}"
    waiting = "waiting" in step.events
    if waiting:
        return "Waiting for a label"
    if step.line == "start":
        return f"{labels} bought by chance: {both}"
    if step.line == "ask":
        return f"Label {len(s.asked)} is bought"
    if step.line == "learn":
        return f"Learnt anew from {labels}: {both}"
    if step.line == "end":
        return f"{'Nothing left' if 'nothing left' in step.events else 'Budget spent'}: {both}"
    if given.stream:
        return "A row comes: it is in doubt" if step.details["wanted"] else "A row comes: it passes"
    left = len(np.setdiff1d(s.rest, s.asked))
    return f"Nearest to the boundary of {counted(left, 'row')}"


def labelled(problem: Problem, rows: Int, role: Role, answers: Int | None, tag: str) -> Points:
    """The rows whose labels were bought, in the colours of their classes. answers: (m,) of the
    model, None for none
    """
    tags = problem.tags_of(rows.tolist())
    return Points(problem.xy[rows], problem.codes[rows], role, answers, tag=tag, tags=tags)


def zero_line(given: Setting, rows: Int, model: Any) -> Float:
    """(k, 2) the line on the plane where the scores of a model learnt from `rows` are 0; empty
    without one.
    """
    xy = given.problem.xy
    low = xy.min(axis=0)
    high = xy.max(axis=0)
    air = 0.2 * (float((high - low).max()) or 1.0)
    grid = Grid.over((low[0] - air, high[0] + air), (low[1] - air, high[1] + air), FINE)
    places = given.problem.from_plane(grid.points())
    scores = given.scores_of(rows, model, places).reshape(grid.shape)
    return one_polyline(level_lines(grid.x, grid.y, scores, (0.0,)))


def end(way: Float, role: Role, name: str, tag: str) -> Points:
    """The last place of a curve (m, 2), with its name."""
    return Points(way[-1:], np.array([-1]), role, label=(name,), tag=tag)


def price_plot(given: Setting, s: State, now: bool) -> Plot:
    """A plot of errors over labels bought, for labels near the boundary and by chance. now: whether
    the step speaks of the last ones
    """
    history = np.array(list(s.history), float)
    role = Role.ACTIVE if now else Role.SAMPLE
    layers = (
        Polyline(history[:, 2:], Role.GHOST, tag="chance"),
        Polyline(history[:, :2], Role.BOUNDARY, tag="errors"),
        end(history[:, 2:], Role.GHOST, f"by chance: {s.by_chance}", "chance"),
        end(history[:, :2], role, f"near the boundary: {s.errors}", "errors"),
    )
    most = max(1.0, float(history[:, 1::2].max()))
    return Plot(
        "Price",
        "labels bought",
        "wrong points",
        layers,
        beside=True,
        x_range=(0.0, 1.06 * max(given.p.budget, float(history[:, ::2].max()))),
        y_range=(-0.06 * most, 1.06 * most),
    )
