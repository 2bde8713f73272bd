"""The cost of the best of each size as a line over α, with the break points; the map, the wrong
examples, the fewest errors.
"""

from functools import partial

from engine.algorithms.rules.exhaustive_rules import Setting, State, envelope, model, predict
from engine.algorithms.rules.exhaustive_rules.space import literals_of
from engine.algorithms.rules.parts import POSITIVE
from engine.authoring import (
    Bars,
    Float,
    Grid,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Step,
    Table,
    frozen,
    np,
)
from engine.base.notation import counted, number
from engine.numerics.boolean import any_covers, squares
from engine.scene import boolean
from engine.scene.boolean import examples_table, map_figures


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class by the best hypothesis so far at every place of the grid."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}
ROOM = 1.2  # of the axis of prices, with room for the names of the lines


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    growing = None
    now = -1
    if step.line == "score" and s.tried is not None and len(s.tried) == 1:
        growing = s.tried[0]
        now = len(s.rules)
    elif step.line == "better":
        now = len(s.rules) - 1
    inputs = map_figures(given.problem, s.rules, model(s), growing, now=now)
    figures = (*inputs, costs(given, s), fewest(given, s), wrong_rows(given, s))
    return boolean.scene(given.problem, model(s), figures)


def known_sizes(s: State) -> list[tuple[int, int]]:
    """(c, fewest errors) of the sizes that have hypotheses."""
    return [(c, errors) for c, errors in enumerate(s.scores) if errors is not None]


def costs(given: Setting, s: State) -> Plot:
    """A plot of E + α c over α, a line for the best of each size; the lowest in amber, with break
    points where the answer changes.
    """
    known = known_sizes(s)
    corners = [float(alpha) for _, alpha in envelope(s.scores)]
    end = max(1.25 * max([*corners, given.p.alpha]), 0.5)
    top = max([1.0, *(e for _, e in known)]) * 1.1  # above it is the name of the axis
    lines: list[Layer] = [line_of_size(c, e, end, top) for c, e in known]
    if known:
        lines += lowest_line(known, [*corners, end])
    here = frozen([[[given.p.alpha, 0.0], [given.p.alpha, top]]])
    lines.append(Segments(here, Role.MARGIN, ("α",), "alpha"))
    return Plot(
        "Cost by price α",
        "α",
        "cost E + α c",
        tuple(lines),
        beside=True,
        x_range=(0.0, ROOM * end),
        y_range=(0.0, 1.15 * top),
    )


def line_of_size(c: int, errors: int, end: float, top: float) -> Polyline:
    """The line E + α c of the best hypothesis of c literals, up to α = `end` and cost `top`."""
    to = min(end, (top - errors) / max(c, 1e-9))
    ends = frozen([[0.0, errors], [to, errors + to * c]])
    return Polyline(ends, Role.INACTIVE, label=f"c = {c}", tag=f"size {c}")


def lowest_line(known: list[tuple[int, int]], corners: list[float]) -> tuple[Layer, Layer]:
    """The least cost over α with its break points. known: (c, fewest errors); corners: α of the
    break points
    """
    lowest = [min(e + alpha * c for c, e in known) for alpha in corners]
    line = np.column_stack([corners, lowest])
    breaks = line[1:-1]
    names = tuple(f"α = {number(alpha)}" for alpha in corners[1:-1])
    group = np.full(len(breaks), -1)
    return (
        Polyline(frozen(line), Role.ACTIVE, tag="cost"),
        Points(frozen(breaks), group, Role.ACCEPTED, label=names, tag="breaks"),
    )


def fewest(given: Setting, s: State) -> Bars:
    """Bars of the fewest errors of each size; the best hypothesis's highlighted."""
    known = known_sizes(s)
    best = literals_of(s.rules) if s.cost is not None else -1
    return Bars(
        "Fewest wrong",
        tuple(counted(c, "literal") for c, _ in known),
        frozen([float(e) for _, e in known], np.float64),
        tuple(Role.ACTIVE if c == best else Role.PLAIN for c, _ in known),
        digits=0,
        unit="examples",
        tags=tuple(f"size {c}" for c, _ in known),
    )


def wrong_rows(given: Setting, s: State) -> Table:
    """The examples that the scored hypothesis, or the best, gets wrong, with its columns
    highlighted.
    """
    rules = s.rules if s.tried is None else s.tried
    wrong = (
        any_covers(rules, given.X) != (given.problem.codes == POSITIVE)
    ) & given.problem.labelled
    columns = dict.fromkeys((j for rule in rules for j, _ in rule), Role.ACTIVE)
    title = "Examples: wrong ones in amber"
    classes = (given.positives, given.negatives)
    return examples_table(given.problem, classes, np.flatnonzero(wrong), columns, title)
