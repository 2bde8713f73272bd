"""The four intervals of the true error; the repeats, and how often each interval held p; the PAC
bound over the columns.
"""

from engine.authoring import (
    Band,
    Bars,
    Figure,
    Float,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Scene,
    Segments,
    Step,
    data_points,
    frozen,
    np,
)
from engine.base.notation import counted
from engine.experiments.error_interval import Setting, State, hits
from engine.experiments.error_interval.bounds import RULES
from engine.experiments.parts.lines import curve
from engine.scene.scene import NO_GROUP

SHOWN = 100  # repeats that have room
CAP = 0.16  # half the height of the end of an interval
MOST_COLUMNS = 40
AIR = 1.1  # of the axis of columns, so that its last tick has room
P_ROOM = 0.25  # of the repeats shown


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    layers = (data_points(given.problem),) if given.problem.plane else ()
    figures: list[Figure] = [
        intervals(given, step),
        repeats(given, s, step.line in ("draw", "hold")),
        columns(given, s),
    ]
    if s.trials:
        figures.append(kept(given, s))
    leads = ("Intervals", "Repeats") if s.wrong >= 0 else ("Intervals",)
    return Scene(layers, tuple(figures), leads=leads)


def heading(given: Setting, step: Step[State]) -> str:
    """The title of the intervals, with what this step does."""
    s = step.state
    said = f"{given.k} of {given.N} wrong, e = {given.e:.4g}"
    match step.line:
        case "hoeffding" | "chernoff" | "normal" | "binomial":
            said = span(s, list(s.intervals)[-1])
        case "pac":
            said = f"PAC bound of {counted(given.p.columns, 'column')}, ε = {s.epsilon:.4g}"
        case "draw":
            said = f"repeat {len(s.trials) + 1}, {s.wrong} of {given.N} wrong"
        case "hold":
            holds = given.holds(s.wrong).count(True)
            said = f"repeat {len(s.trials)}, {holds} of {len(RULES)} hold p"
        case "done" if s.trials:
            said = f"how many of {counted(len(s.trials), 'repeat')} held p"
    return f"Intervals: {said}"


def intervals(given: Setting, step: Step[State]) -> Plot:
    """A plot with a line from end to end for each rule, over the error, and how often it held p; e
    as a dashed line, the error that the training rows allow as a pale one. While repeats are tried
    the intervals are those of the newest one, with the true error p.
    """
    s = step.state
    if step.line == "hold":
        return of_repeat(given, step)
    role = Role.ACTIVE if step.line == "start" else Role.MARGIN
    layers: list[Layer] = [upright(given.e, role, "e")]
    for place, rule in enumerate(RULES):
        if rule in s.intervals:
            newest = rule == list(s.intervals)[-1] and np.isnan(s.epsilon)
            low, high = s.intervals[rule]
            role = Role.ACTIVE if newest else Role.BOUNDARY
            layers.append(Segments(with_caps(low, high, -place), role, tag=rule.lower()))
    if not np.isnan(s.epsilon):
        role = Role.ACTIVE if step.line == "pac" else Role.GHOST
        layers.append(upright(s.epsilon, role, "allowed"))
    right = reach(given)
    names = {f"e = {given.e:.4g}": (given.e, 0.9)}
    if not np.isnan(s.epsilon):
        names[f"ε = {s.epsilon:.4g}"] = (beside(s.epsilon, given.e, right), 0.62 - len(RULES))
    for place, rule in enumerate(s.intervals):
        names[named(s, rule)] = (right / 2, 0.34 - place)
    layers.append(Labels(frozen(list(names.values())), tuple(names)))
    return interval_plot(heading(given, step), layers, right)


def of_repeat(given: Setting, step: Step[State]) -> Plot:
    """The intervals of the newest repeat in amber, with its e and the true error p; ✗ at those that
    miss it.
    """
    s = step.state
    e, p = s.wrong / given.N, given.truth
    layers: list[Layer] = [
        upright(e, Role.MARGIN, "now", f"e = {e:.4g}"),
        upright(p, Role.BOUNDARY, "p", f"p = {p:.4g}"),
    ]
    if not np.isnan(s.epsilon):
        layers.append(upright(s.epsilon, Role.GHOST, "allowed"))
    right = reach(given)
    for place, (rule, (low, high)) in enumerate(given.rules_of.items()):
        ends = float(low[s.wrong]), float(high[s.wrong])
        layers.append(Segments(with_caps(*ends, -place), Role.ACTIVE, tag=rule.lower()))
        right = max(right, min(1.02, 1.05 * ends[1]))
    places = frozen([[right / 2, 0.34 - place] for place in range(len(RULES))])
    held = ["✓" if hit else "✗" for hit in given.holds(s.wrong)]
    names = [f"{mark} {named(s, rule)}" for mark, rule in zip(held, RULES, strict=True)]
    layers.append(Labels(places, tuple(names)))
    return interval_plot(heading(given, step), layers, right)


def interval_plot(title: str, layers: list[Layer], right: float) -> Plot:
    """The plot of the intervals, with a row for each rule. right: the end of its axis of errors"""
    return Plot(
        title,
        "error",
        "",
        tuple(layers),
        beside=True,
        x_range=(-0.02, right),
        y_range=(-len(RULES) + 0.4, 1.1),
        y_ticks=tuple((-float(place), "") for place in range(len(RULES))),
    )


def named(s: State, rule: str) -> str:
    """The name of a rule, with its interval, or how often that held p once there are repeats."""
    if not s.trials:
        return span(s, rule)
    return f"{rule}: {s.held(rule)} of {len(s.trials)} hold p"


def span(s: State, rule: str) -> str:
    """The name of a rule with the ends of its interval, "normal, 0.02 to 0.2"."""
    low, high = s.intervals[rule]
    return f"{rule}, {round(low, 4):g} to {round(high, 4):g}"


def reach(given: Setting) -> float:
    """The right end of the axis of errors: beyond all intervals."""
    return min(1.02, 1.15 * max(given.interval(rule)[1] for rule in RULES))


def beside(epsilon: float, e: float, right: float) -> float:
    """The place of the name of ε: beside its line, away from that of e where there is room."""
    side = 1.0 if epsilon > e else -1.0
    if not 0 < epsilon + 0.22 * side * right < right:
        side = -side
    return epsilon + 0.12 * side * right


def upright(x: float, role: Role, tag: str, name: str = "") -> Segments:
    """A line across the picture at x, with its name on it."""
    return Segments(frozen([[[x, -np.inf], [x, np.inf]]]), role, (name,) if name else (), tag=tag)


def with_caps(low: float, high: float, y: float) -> Float:
    """(3, 2, 2) a line from low to high at height y, with a stroke at both ends."""
    return frozen(
        [
            [[low, y], [high, y]],
            [[low, y - CAP], [low, y + CAP]],
            [[high, y - CAP], [high, y + CAP]],
        ]
    )


def columns(given: Setting, s: State) -> Plot:
    """A plot of the error that the training rows allow over the number of columns, with the
    normal interval of the fresh rows as a band.
    """
    most = max(MOST_COLUMNS, given.p.columns + 5)
    n = np.arange(1, most + 1, dtype=np.float64)
    layers: list[Layer] = []
    if "normal" in s.intervals:
        low, high = s.intervals["normal"]
        ends = np.array([0.0, AIR * most])
        layers.append(Band(ends, np.full(2, low), np.full(2, high), tag="normal"))
        level = frozen([[[-np.inf, given.e], [np.inf, given.e]]])
        layers.append(Segments(level, Role.MARGIN, (f"e = {given.e:.4g}",), tag="e"))
        place = np.array([[0.16 * most, (low + given.e) / 2]])
        layers.append(Labels(place, ("fresh rows",), Role.INACTIVE, tag="normal"))
    if not np.isnan(s.epsilon):
        layers.append(curve(n, given.allowed(n), Role.BOUNDARY, "allowed", "PAC bound"))
        xy = frozen([[given.p.columns, s.epsilon]])
        name = (f"n = {given.p.columns}",)
        layers.append(Points(xy, np.array([NO_GROUP]), Role.ACTIVE, label=name, tag="columns"))
    top = max(0.5, 1.2 * given.e, 1.2 * float(given.allowed(given.p.columns)))
    return Plot(
        "By columns n",
        "columns n",
        "error",
        tuple(layers),
        beside=True,
        x_range=(0.0, AIR * most),
        y_range=(0.0, min(1.05, top)),
    )


def repeats(given: Setting, s: State, now: bool) -> Plot:
    """A plot of the binomial intervals of the last repeats, thick those that miss p; the newest in
    amber. now: whether this step is about it
    """
    hit = hits(given, s, "binomial")[-SHOWN:]
    wrong = np.array([trial.wrong for trial in s.trials][-SHOWN:], np.intp)
    first = len(s.trials) - len(wrong) + 1
    low, high = given.rules_of["binomial"]
    x = first + np.arange(len(wrong), dtype=np.float64)
    bars = np.stack(
        [np.column_stack([x, low[wrong]]), np.column_stack([x, high[wrong]])], axis=1
    ).reshape(-1, 2, 2)
    level = frozen([[[-np.inf, given.truth], [np.inf, given.truth]]])
    layers: list[Layer] = [
        Segments(frozen(bars[hit]), Role.INACTIVE, tag="binomial"),
        Segments(frozen(bars[~hit]), Role.DIFFERENT, tag="missed"),
        Segments(level, Role.MARGIN, tag="p"),
    ]
    if now and len(bars):
        layers.append(Segments(frozen(bars[-1:]), Role.ACTIVE, tag="now"))
    if now and s.wrong >= 0:
        newest = frozen([[float(max(1, len(s.trials))), s.wrong / given.N]])
        layers.append(Points(newest, np.array([NO_GROUP]), Role.ACTIVE, tag="now"))
    shown = min(SHOWN, given.p.repeats)
    last = max(float(shown), float(len(s.trials)))
    room = P_ROOM * shown  # at the right, where no interval stands, for the name of p
    place = frozen([[last + 1.5 + room / 2, given.truth]])
    layers.append(Labels(place, (f"p = {given.truth:.4g}",), Role.MARGIN, tag="p"))
    return Plot(
        "Repeats",
        "repeat",
        "binomial interval",
        tuple(layers),
        beside=True,
        x_range=(last - shown - 1.0, last + 1.5 + room),
        y_range=(0.0, max(reach(given), 1.05 * float(high[wrong].max(initial=0.0)))),
    )


def kept(given: Setting, s: State) -> Bars:
    """Bars of the share of the repeats in which each interval held p, against the confidence."""
    shares = [s.held(rule) / max(1, len(s.trials)) for rule in RULES]
    return Bars(
        "How often p was held",
        tuple(RULES),
        frozen(shares),
        limit=1 - given.delta,
        unit="of the repeats",
        digits=3,
        tags=tuple(rule.lower() for rule in RULES),
        beside=True,
    )
