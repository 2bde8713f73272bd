"""The cost of the best of each size as a line over α, in amber that of the hypothesis at hand with
its cost at the α that is set; the map, the wrong examples, the fewest errors.
"""

from functools import partial

from engine.algorithms.rules.exhaustive_rules import Setting, State, envelope, model, predict
from engine.algorithms.rules.exhaustive_rules.space import Rules, literals_of
from engine.algorithms.rules.parts import POSITIVE
from engine.authoring import (
    NO_GROUP,
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
    replace,
)
from engine.base.notation import counted, number, short
from engine.numerics.boolean import any_covers, squares
from engine.scene import boolean
from engine.scene.boolean import examples_table, map_figures


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class by the best hypothesis so far at every place of the grid."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}
TALLER = 1.35  # the lines end so far above the highest at α = 0 that their names have room
ROOM = 1.2  # of the axis of prices, with room for the names of the lines


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    hand = at_hand(step)
    rule = hand[0][0] if hand is not None and len(hand[0]) == 1 else None
    growing = rule if rule not in s.rules else None
    now = -1 if rule is None else s.rules.index(rule) if growing is None else len(s.rules)
    wrong = "" if hand is None else f"{counted(hand[1], 'example')} wrong"
    inputs = map_figures(given.problem, s.rules, model(s), growing, now=now, said=wrong)
    figures = (*inputs, costs(given, step), fewest(given, s), wrong_rows(given, s))
    return boolean.scene(given.problem, model(s), figures)


def at_hand(step: Step[State]) -> tuple[Rules, int] | None:
    """(the hypothesis that the words of a step name, the rows it gets wrong); None for none."""
    s = step.state
    if step.line == "score" and s.tried is not None:
        return s.tried, s.wrong
    if step.line == "size" and s.found[-1].errors is not None:
        return s.found[-1].rules, s.found[-1].errors
    if step.line in ("better", "done"):
        return s.rules, s.errors
    return None


def known_sizes(s: State) -> list[tuple[int, int]]:
    """(c, fewest errors) of the sizes that have hypotheses."""
    return [(c, errors) for c, errors in enumerate(s.scores) if errors is not None]


def costs(given: Setting, step: Step[State]) -> Plot:
    """A plot of E + α c over α: a line for the best of each size, the lowest of them with its break
    points, and in amber that of the hypothesis at hand, with its cost at the α that is set.
    """
    s = step.state
    known = known_sizes(s)
    corners = [float(alpha) for _, alpha in envelope(s.scores)]
    end = max(1.25 * max([*corners, given.p.alpha]), 0.5)
    hand = at_hand(step)
    highest = max([1.0, *(e for _, e in known), hand[1] if hand is not None else 0.0])
    top = TALLER * highest
    lines: list[Layer] = [line_of_size(c, e, end, top) for c, e in known]
    if known:
        lines += lowest_line(known, [*corners, end], step.line == "breaks")
    here = frozen([[[given.p.alpha, 0.0], [given.p.alpha, top]]])
    lines.append(Segments(here, Role.MARGIN, (f"α = {short(given.p.alpha)}",), "alpha"))
    if hand is not None:
        rules, wrong = hand
        c = literals_of(rules)
        name = "" if (c, wrong) in known else f"c = {c}"
        lines.append(replace(line_of_size(c, wrong, end, top), role=Role.ACTIVE, label=name))
        cost = wrong + given.p.alpha * c
        place = frozen([[given.p.alpha, cost]])
        text = (f"cost {short(cost)}",)
        none = np.array([NO_GROUP])
        old = step.details.get("old")
        if old is not None:  # the best until now
            before = frozen([[given.p.alpha, float(old)]])
            was = (f"before {short(float(old))}",)
            lines.append(Points(before, none, Role.GHOST, label=was, tag="cost"))
        lines.append(Points(place, none, Role.ACTIVE, label=text, tag="cost"))
    return Plot(
        f"Cost by price α: {said(step, len(corners) - 1)}",
        "α",
        "cost E + α c",
        tuple(lines),
        beside=True,
        x_range=(0.0, ROOM * end),
        y_range=(0.0, 1.1 * top),  # above the lines is the name of the axis
    )


def said(step: Step[State], breaks: int) -> str:
    """What a step does, for the heading of the costs. breaks: how many prices α change the best"""
    s = step.state
    by_line = {
        "start": "none yet",
        "score": f"{s.wrong} wrong",
        "better": "a new best",
        "breaks": counted(max(breaks, 0), "break"),
        "done": f"cheapest of {s.count:,}",
    }
    return by_line.get(step.line, f"best of c = {len(s.found) - 1}")


def line_of_size(c: int, errors: int, end: float, top: float) -> Polyline:
    """The line E + α c of a hypothesis of c literals, up to α = `end` and cost `top`."""
    to = min(end, (top - errors) / max(c, 1e-9))
    ends = frozen([[0.0, errors], [to, errors + to * c]])
    return Polyline(ends, Role.INACTIVE, label=f"c = {c}", tag=f"size {c}")


def lowest_line(
    known: list[tuple[int, int]], corners: list[float], now: bool
) -> tuple[Layer, Layer]:
    """The least cost over α with its break points.

    known: (c, fewest errors); corners: α of the break points; now: whether these are in amber
    """
    lowest = [min(e + alpha * c for c, e in known) for alpha in corners]
    line = np.column_stack([corners, lowest])
    breaks = line[1:-1]
    names = tuple(f"α = {number(alpha)}" for alpha in corners[1:-1])
    group = np.full(len(breaks), NO_GROUP)
    role = Role.ACTIVE if now else Role.ACCEPTED
    return (
        Polyline(frozen(line), Role.ACCEPTED, tag="cost"),
        Points(frozen(breaks), group, role, label=names, tag="breaks"),
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
