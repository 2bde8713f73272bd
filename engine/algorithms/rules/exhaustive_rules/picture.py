"""The cost of the best of each size as a line over α, with the break points; the map, the wrong
examples, the fewest errors.
"""

from engine.algorithms.rules.exhaustive_rules import Setting, State, model, predict
from engine.algorithms.rules.exhaustive_rules.space import envelope, sized
from engine.authoring import (
    Bars,
    Float,
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
from engine.core.notation import counted, number
from engine.numerics.boolean import any_covers, squares
from engine.pictures import boolean
from engine.pictures.boolean import examples_table, map_figures

FIELDS = {
    "class": lambda given, s, grid: squares(given.problem, grid, lambda X: predict(given, s, X))
}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    growing = (
        s.tried[0] if step.line == "score" and s.tried is not None and len(s.tried) == 1 else None
    )
    now = len(s.rules) if growing is not None else len(s.rules) - 1 if step.line == "better" else -1
    inputs = map_figures(given.problem, s.rules, model(s), growing, now=now)
    return boolean.scene(
        given.problem, model(s), (*inputs, costs(given, s), fewest(given, s), wrong_rows(given, s))
    )


def costs(given: Setting, s: State) -> Plot:
    """E + α c of the best of each size: a line for each, the lowest of them in amber; where two of
    these meet α breaks.
    """
    known = [(c, found.errors) for c, found in enumerate(s.found) if found.errors is not None]
    corners = [float(alpha) for _, alpha in envelope(s.scores)]
    end = max(1.25 * max([*corners, given.p.alpha]), 0.5)
    top = max([1.0, *(e for _, e in known)]) * 1.1  # above it is the name of the axis
    stops = [(c, e, min(end, (top - e) / max(c, 1e-9))) for c, e in known]
    lines: list[Layer] = [
        Polyline(
            frozen([[0.0, e], [to, e + to * c]]), Role.INACTIVE, label=f"c = {c}", tag=f"size {c}"
        )
        for c, e, to in stops
    ]
    if known:
        ends = np.array([*corners, end])
        lowest = np.array([min(e + a * c for c, e in known) for a in ends.tolist()])
        lines.append(Polyline(frozen(np.column_stack([ends, lowest])), Role.ACTIVE, tag="cost"))
        names = tuple(f"α = {number(a)}" for a in corners[1:])
        at = frozen(np.column_stack([ends, lowest])[1:-1])
        lines.append(Points(at, np.full(len(at), -1), Role.ACCEPTED, label=names, tag="breaks"))
    lines.append(
        Segments(
            frozen([[[given.p.alpha, 0.0], [given.p.alpha, top]]]), Role.MARGIN, ("α",), "alpha"
        )
    )
    return Plot(
        "Cost by price α",
        "α",
        "cost E + α c",
        tuple(lines),
        beside=True,
        x_range=(0.0, end),
        y_range=(0.0, 1.15 * top),
    )


def fewest(given: Setting, s: State) -> Bars:
    """The fewest wrong examples of each size; that of the best is lit."""
    known = [(c, found.errors) for c, found in enumerate(s.found) if found.errors is not None]
    roles = tuple(
        Role.ACTIVE if c == sized(s.rules) and s.cost is not None else Role.PLAIN for c, _ in known
    )
    names, tags = (
        tuple(counted(c, "literal") for c, _ in known),
        tuple(f"size {c}" for c, _ in known),
    )
    values: Float = frozen([float(e) for _, e in known], np.float64)
    return Bars("Fewest wrong", names, values, roles, digits=0, unit="examples", tags=tags)


def wrong_rows(given: Setting, s: State) -> Table:
    """The examples that the best gets wrong, or the hypothesis that is scored now; the columns that
    it asks.
    """
    rules = s.rules if s.tried is None else s.tried
    wrong = (any_covers(rules, given.X) != (given.problem.codes == 0)) & given.problem.labelled
    columns = dict.fromkeys((j for rule in rules for j, _ in rule), Role.ACTIVE)
    return examples_table(
        given.problem,
        (given.positives, given.negatives),
        np.flatnonzero(wrong),
        columns,
        "Examples: wrong ones in amber",
    )
