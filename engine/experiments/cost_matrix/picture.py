"""The cost of every threshold above the rows and their leads, the plane as the threshold colours
it, ROC and precision–recall.
"""

from engine.authoring import Float, Int, Step, frozen, np
from engine.base.notation import counted, cut, fixed, short
from engine.base.tags import class_tags
from engine.experiments.cost_matrix import Setting, State
from engine.experiments.parts.pictures import unseen_points
from engine.experiments.parts.scoring import lanes, shown_range, stepped
from engine.judge.confusion import Confusion
from engine.numerics.contours import round_levels
from engine.scene.scene import (
    NO_GROUP,
    Field,
    Figure,
    Layer,
    Line,
    Matrix,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_table,
)

NAMED = 14  # letters of a class in a picture
LANES = 4  # beneath the curve
SHARES = (-0.06, 1.06)
HIGH = (-0.07, 1.1)
ROOM = 1.06  # of the height, for the line of the same cost
TITLE = "Cost by threshold"


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    learnt = ~np.isin(np.arange(problem.n), s.sweep.rows)
    table = data_table(problem, active=learnt)
    figures: tuple[Figure, ...] = (*curves(given, s, step.line), *matrices(given, s), table)
    return Scene(
        plane(given, s, step.line), figures, leads=(TITLE, "Plane" if problem.plane else "ROC")
    )


def plane(given: Setting, s: State, line: str) -> tuple[Layer, ...]:
    """The layers of the plane: the classes at this threshold, the learner's own boundary dashed,
    the judged rows with the class they are given; hollow before they are judged.
    """
    problem = given.problem
    seen = s.model.rows
    rows = s.sweep.rows
    if not problem.plane:
        return ()
    layers: list[Layer] = [Field("class", boundary=True)]
    if s.now >= 0:
        layers.append(Polyline(s.line, Role.GHOST, label="equal costs", tag="own"))
    learnt = Points(
        problem.xy[seen],
        problem.codes[seen],
        Role.POINT if line == "learn" else Role.INACTIVE,
        tag="learnt",
        tags=problem.tags_of(seen),
    )
    if line == "learn":
        return (*layers, learnt, *unseen_points(problem, rows))
    judged = Points(
        problem.xy[rows],
        problem.codes[rows],
        Role.POINT,
        s.sweep.said(s.now),
        tag="judged",
        tags=problem.tags_of(rows),
    )
    return (*layers, learnt, judged)


def curves(given: Setting, s: State, line: str) -> tuple[Plot, ...]:
    """Cost, ROC and precision–recall, each with the present threshold."""
    name = cut(given.names[given.code], NAMED)
    rates = s.sweep.rates
    others = "the others"
    if len(given.names) == 2:
        others = cut(given.names[1 - given.code], NAMED)
    recall = f"share of {name} called so"
    chance = Line(frozen([1.0, -1.0]), 0.0, Role.GHOST, label="chance")
    over = line == "best"
    counted = s.now - (line == "move")  # the last threshold whose rows are counted
    roc = (chance, *same_cost(given, s, counted), *rate_curve(rates.roc, counted, over))
    precision = rate_curve(rates.precision_recall, counted - 1, over)
    of_called = f"precision, share of {name} among those called so"
    return (
        cost_curve(given, s, name, line),
        Plot(
            "ROC",
            f"share of {others} called {name}",
            recall,
            roc,
            beside=True,
            x_range=SHARES,
            y_range=HIGH,
        ),
        Plot(
            "Precision and recall",
            f"recall, {recall}",
            of_called,
            precision,
            beside=True,
            x_range=SHARES,
            y_range=HIGH,
        ),
    )


def rate_curve(at: Float, now: int, over: bool) -> tuple[Layer, ...]:
    """A curve (m, 2) of two rates as far as it was stepped through, `over`: all of it, with a mark
    at threshold `now`, none for −1.
    """
    if now < 0 and not over:
        return ()
    line = Polyline(frozen(at if over else at[: now + 1]), Role.BOUNDARY, tag="cost")
    if now < 0:
        return (line,)
    here = Points(frozen(at[[now]]), np.full(1, NO_GROUP), Role.ACTIVE, tag="threshold")
    return line, here


def same_cost(given: Setting, s: State, now: int) -> tuple[Layer, ...]:
    """For two classes, the places of the ROC plot that cost as much as that of threshold `now`, as
    far as there is room for them; () for −1.
    """
    c = given.code
    if now < 0 or len(given.names) != 2:
        return ()
    rates = s.sweep.rates
    all_alarms = given.costs[1 - c, c] * rates.alarms[-1]
    all_missed = given.costs[c, 1 - c] * rates.hits[-1]
    here = rates.roc[now]
    along = np.array([all_missed, all_alarms])
    if not along.any():
        return ()
    along /= np.hypot(*along)
    ends = (here - 2 * along, here + 2 * along)
    line = np.linspace(*ends, 2001)
    inside = ((line >= 0) & (line <= (1, ROOM))).all(axis=1)
    return (Polyline(frozen(line[inside][[0, -1]]), Role.MARGIN, label="same cost", tag="cost"),)


def heading(s: State, name: str, line: str) -> str:
    """What this step finds out, in the heading of the cost."""
    learnt, judged = len(s.model.rows), len(s.sweep.rows)
    if s.now < 0:
        dealt = f"{counted(learnt, 'row')} learnt, {judged} to judge"
        return dealt if line == "learn" else f"{counted(judged, 'row')} get a lead"
    t = s.sweep.threshold(s.now)
    place = "with no row called so" if t == np.inf else f"from {fixed(t)} on"
    if line in ("move", "count"):
        hits, alarms, _, _ = s.sweep.counts_at(s.now)
        return place + f", {counted(hits + alarms, 'row')}" * (line == "count" and t < np.inf)
    cost = fixed(float(s.sweep.cost[s.now]))
    return f"least, {cost} a row {place}" if line == "best" else f"{cost}, {mistakes(s, name)}"


def mistakes(s: State, name: str) -> str:
    """How many rows of class c, by its name, the present threshold misses and how many others it
    calls so, after the numbers of the threshold before it if they differ: "0 missed, 4 → 7 false
    Yes".
    """
    sweep = s.sweep
    tried = stepped(len(sweep.cost), sweep.own, int(sweep.cost.argmin()))
    place = tried.index(s.now)
    counts = [sweep.counts_at(k) for k in tried[max(0, place - 1) : place + 1]]
    missed, alarms = (
        " → ".join(dict.fromkeys(map(str, each)))
        for each in zip(*[(own - hits, alarms) for hits, alarms, own, _ in counts], strict=True)
    )
    return f"{missed} missed, {alarms} false {name}"


def cost_curve(given: Setting, s: State, name: str, line: str) -> Plot:
    """The cost as a step line over the threshold, in ink as far as it was stepped through; below it
    the judged rows at their leads, a lane for each class, once they have them. At the end also the
    cost of the learner's own threshold.
    """
    sweep = s.sweep
    low, high = shown_range(sweep.lead)
    cost = sweep.cost
    at = np.clip(sweep.rates.threshold, low, high)
    most = float(cost.max()) or 1.0
    count = min(len(given.names), LANES)
    apart = -(0.14 if count <= 2 else 0.09) * most
    known = line in ("cost", "best")  # whether what the present threshold costs is
    layers: list[Layer] = []
    if s.now >= 0:
        layers.append(Polyline(stairs(at, cost, low), Role.INACTIVE, tag="cost"))
    layers.append(Line(frozen([1.0, 0.0]), 0.0, Role.GHOST, label="equal costs", tag="own"))
    lead = np.clip(sweep.lead, low, high)
    if s.now >= 0:  # behind the rows, which it must not hide
        t, e = float(at[s.now]), float(cost[s.now])
        end = e if known else np.inf
        layers.append(Segments(frozen([[[t, -np.inf], [t, end]]]), Role.ACTIVE, tag="threshold"))
    if line != "learn":
        layers.append(lanes(given.problem, sweep.rows, lead, sweep.said(s.now), apart, count))
    if s.now >= 0:
        none = np.full(1, NO_GROUP)
        passed = stairs(at[: s.now + known], cost[: s.now + known], t)
        if line == "best":
            passed = stairs(at, cost, low)
            own = frozen([[min(max(0.0, low), high), cost[sweep.own]]])  # at the threshold 0
            text = (f"own {fixed(float(cost[sweep.own]))}",)
            layers.append(Points(own, none, Role.SAMPLE, label=text, tag="own"))
        layers.append(Polyline(passed, Role.BOUNDARY, tag="cost"))
        if s.best >= 0:
            least = frozen([[at[s.best], cost[s.best]]])
            text = (f"least {fixed(float(cost[s.best]))}",)
            layers.append(Points(least, none, Role.SUPPORT, label=text, tag="best"))
        if known:
            layers.append(Points(frozen([[t, e]]), none, Role.ACTIVE, tag="threshold"))
    return Plot(
        f"{TITLE}: {heading(s, name, line)}",
        f"threshold: how far {name} is ahead",
        "cost of a row",
        tuple(layers),
        beside=True,
        x_range=(low, high + 0.04 * (high - low)),  # no mark at the edge is cut
        y_range=(apart * (count + 2.2), 1.12 * most),
        y_ticks=tuple((float(v), short(v)) for v in (0, *round_levels(0, 1.1 * most, 5))),
    )


def stairs(at: Float, cost: Float, low: float) -> Float:
    """(2m, 2) the corners of a step line from right to left: cost[i] from threshold at[i] down to
    at[i + 1], the last down to `low`; m may be 0.
    """
    x = np.append(np.repeat(at, 2)[1:], [low] * bool(len(at)))
    y = np.repeat(cost, 2)
    return frozen(np.column_stack([x, y]))


def matrices(given: Setting, s: State) -> tuple[Matrix, ...]:
    """Two matrices (k, k): how often each mistake is made at this threshold, and what one of each
    costs.
    """
    counts = Confusion(s.sweep.said(s.now), s.sweep.codes, len(given.names)).counts[:, :-1]
    return matrix(given, "Counts", counts), matrix(given, "Costs", given.costs)


def matrix(given: Setting, title: str, values: Float | Int) -> Matrix:
    """A matrix figure of values (k, k), by true class and the class given."""
    return Matrix(
        title,
        given.names,
        given.names,
        frozen(values, np.float64),
        x_label="called",
        y_label="true class",
        row_tags=class_tags(len(values)),
        column_tags=class_tags(len(values)),
    )
