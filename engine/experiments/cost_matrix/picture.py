"""The cost of every threshold above the rows and their leads, the plane as the threshold colours it, ROC and precision–recall."""

from engine.authoring import Float, Step, frozen, np
from engine.core.notation import cut
from engine.core.scene import (
    Field, Figure, Layer, Line, Matrix, Plot, Points, Polyline, Role, Scene, Segments, data_points, data_table,
)  # fmt: skip
from engine.core.tags import class_tags
from engine.experiments.cost_matrix import Setting, State, Sweep
from engine.experiments.cost_matrix.words import confusion, threshold
from engine.experiments.parts.scoring import lanes, shown_range

NAMED = 14  # letters of a class in a picture
SHARES = (-0.03, 1.03)
TITLE = "Cost by threshold"


def scene(given: Setting, step: Step[State]) -> Scene:
    s, problem = step.state, given.problem
    figures: list[Figure] = [] if s.sweep is None else [*curves(given, s, s.sweep)]
    figures += matrices(given, s)
    learnt = None if s.model is None else ~np.isin(np.arange(problem.n), s.model.rows)
    figures.append(data_table(problem, active=learnt))
    second = "Plane" if problem.plane else "ROC" if s.sweep is not None else "Examples"
    return Scene(plane(given, s), tuple(figures), leads=(*[TITLE] * (s.sweep is not None), second))


def plane(given: Setting, s: State) -> tuple[Layer, ...]:
    """What the threshold makes of the plane, h's own boundary dashed, the rows to judge as they are called."""
    problem, sweep = given.problem, s.sweep
    if not problem.plane or s.model is None:
        return (data_points(problem),) if problem.plane else ()
    layers: list[Layer] = [Field("class", boundary=True)]
    if s.now >= 0 and s.line is not None and len(s.line):
        layers.append(Polyline(s.line, Role.GHOST, label="equal costs", tag="own"))
    rows = s.model.rows
    layers.append(Points(problem.xy[rows], problem.codes[rows], Role.INACTIVE, tag="learnt", tags=problem.tags_of(rows)))
    if sweep is not None:
        shown = None if s.now < 0 else said(given, s, sweep)
        tags = problem.tags_of(sweep.rows)
        layers.append(Points(problem.xy[sweep.rows], problem.codes[sweep.rows], Role.POINT, shown, tag="judged", tags=tags))
    return tuple(layers)


def said(given: Setting, s: State, sweep: Sweep) -> Float:
    """(m,) what the judged rows are called; before there is a threshold as h does."""
    t = threshold(s) if s.now >= 0 else 0.0
    return np.where(sweep.lead >= t, given.code, sweep.other)


def curves(given: Setting, s: State, sweep: Sweep) -> tuple[Plot, ...]:
    """Cost, ROC and precision–recall, each with the present threshold."""
    name, rates, two = cut(given.names[given.code], NAMED), sweep.rates, len(given.names) == 2
    others = cut(given.names[1 - given.code], NAMED) if two else "the others"
    recall, at = f"share of {name} called so", {"beside": True, "x_range": SHARES, "y_range": SHARES}
    chance = Polyline(frozen([[0.0, 0.0], [1.0, 1.0]]), Role.GHOST, label="chance", tag="chance")
    roc = (chance, *same_cost(given, s, sweep), *rate_curve(rates.roc, s.now, "roc"))
    precision = rate_curve(rates.precision_recall, s.now - 1, "precision")
    return (
        cost_curve(given, s, sweep, name),
        Plot("ROC", f"share of {others} called {name}", recall, roc, **at),
        Plot("Precision and recall", f"recall, {recall}", f"precision, share of {name} among those called so", precision, **at),
    )


def rate_curve(at: Float, now: int, tag: str) -> tuple[Layer, ...]:
    """A curve of shares with the present threshold on it."""
    line = Polyline(frozen(at), Role.BOUNDARY, tag=tag)
    return (line,) if now < 0 else (line, Points(frozen(at[[now]]), np.full(1, -1), Role.ACTIVE, tag=tag))


def same_cost(given: Setting, s: State, sweep: Sweep) -> tuple[Layer, ...]:
    """Of two classes the line of all places on the ROC that cost what the present one does."""
    c = given.code
    if s.now < 0 or len(given.names) != 2:
        return ()
    w = np.array([given.costs[1 - c, c] * sweep.rates.alarms[-1], -given.costs[c, 1 - c] * sweep.rates.hits[-1]])
    return (Line(frozen(w), -float(w @ sweep.rates.roc[s.now]), Role.MARGIN, label="same cost", tag="cost"),)


def cost_curve(given: Setting, s: State, sweep: Sweep, name: str) -> Plot:
    """Stairs over the threshold, those passed in ink; beneath them the judged rows at their leads, a lane for each class."""
    (low, high), cost = shown_range(sweep.lead), sweep.cost
    at = np.clip(sweep.rates.threshold, low, high)
    most, lane_count = float(cost.max()) or 1.0, min(len(given.names), 4)
    layers: list[Layer] = [Polyline(stairs(at, cost, low), Role.INACTIVE, tag="cost")]
    layers.append(Line(frozen([1.0, 0.0]), 0.0, Role.GHOST, label="equal costs", tag="own"))
    layers.append(lanes(given.problem, sweep.rows, np.clip(sweep.lead, low, high), said(given, s, sweep), most))
    if s.now >= 0:
        t, e, none = float(at[s.now]), float(cost[s.now]), np.full(1, -1)
        layers.append(Polyline(stairs(at[: s.now + 1], cost[: s.now + 1], t), Role.BOUNDARY, tag="cost"))
        layers.append(Segments(frozen([[[t, -np.inf], [t, e]]]), Role.ACTIVE, tag="threshold"))
        if s.best >= 0 and s.best != s.now:
            least = frozen([[at[s.best], cost[s.best]]])
            layers.append(Points(least, none, Role.SUPPORT, label=("least",), tag="best"))
        layers.append(Points(frozen([[t, e]]), none, Role.ACTIVE, tag="threshold"))
    return Plot(
        TITLE, f"threshold: how far {name} is ahead", "cost of a row", tuple(layers), beside=True, x_range=(low, high),
        y_range=(-0.055 * most * (lane_count + 1), 1.12 * most),
    )  # fmt: skip


def stairs(at: Float, cost: Float, low: float) -> Float:
    """Right to left: from threshold i to the next lower one it costs cost[i]."""
    return frozen(np.column_stack([np.append(np.repeat(at, 2)[1:], low), np.repeat(cost, 2)]))


def matrices(given: Setting, s: State) -> list[Figure]:
    """What mistakes cost, and how often each is made."""
    names, tags = given.names, class_tags(len(given.names))
    at = {"x_label": "called", "y_label": "true class", "row_tags": tags, "column_tags": tags}
    costs = Matrix("Costs", names, names, given.costs, **at)
    if s.sweep is None or s.now < 0:
        return [costs]
    counts = confusion(given, s).counts[:, : len(names)]
    return [Matrix("Counts", names, names, frozen(counts, np.float64), **at), costs]
