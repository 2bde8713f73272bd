"""The last arrivals, the older the smaller, until they vanish; the line, the arrow of w, and the
truth, dashed. MMDS 12.2.9.
"""

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import (
    lines,
    under,
    visited,
    weight_arrows,
    weight_bars,
)
from engine.algorithms.linear.streaming_perceptron import Setting, State
from engine.algorithms.linear.streaming_perceptron.words import as_it_came
from engine.authoring import Int, Problem, Step, np, replace
from engine.scene.figures import text_column
from engine.scene.scene import (
    Field,
    Figure,
    Layer,
    Line,
    Points,
    Role,
    Scene,
    Table,
    active_point,
    data_table,
    looked_at,
)


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = as_it_came(given, s)
    current = looked_at(s)
    title = heading(given, step)
    figures: tuple[Figure, ...] = (
        weight_bars(given, s, under("Weights w", title)),
        stream_table(given, s),
    )
    if not problem.plane:
        return Scene((), figures)
    shown = given.predict(s, problem.X)
    changed = step.line == "update"
    centred = given.column is None and problem.d <= 2
    added = "+ η·y·x" if changed and given.p.memory == "all" else ""
    layers: list[Layer] = [Field("class"), *truth_line(given, s), *lines(given, step, ("update",))]
    layers += recent_points(given, s, problem, shown)
    if current == ():
        layers += missed_points(given, s, problem, shown)
    layers += weight_arrows(problem, s.before, s.w, given.bias(s.w), centred, added)
    layers += [active_point(problem, i, shown, place=changed) for i in current]
    return Scene(tuple(layers), figures, plane=title)


def heading(given: Setting, step: Step[State]) -> str:
    """What has come, and how the line did; every m arrivals how often it was wrong."""
    s = step.state
    if step.line in ("tally", "end"):
        of = min(s.seen, given.p.window)
        when = "The stream is over" if step.line == "end" else f"After {s.seen}"
        return f"{when}: {given.wrong_of_last(s)} of the last {of} were wrong"
    if s.current < 0:
        return "Nothing has come yet"
    return f"Arrival {s.seen}: {visited(given.problem, s, step.line)}"


def missed_points(given: Setting, s: State, problem: Problem, shown: Int) -> list[Layer]:
    """Of the last m arrivals those that were wrong when they came, ringed."""
    rows = [row for row, _, wrong in given.last(s) if wrong]
    if not rows:
        return []
    xy, codes, tags = problem.xy[rows], problem.codes[rows], problem.tags_of(rows)
    return [Points(xy, codes, Role.ACTIVE, shown[rows], tag="missed now", tags=tags)]


def recent_points(given: Setting, s: State, problem: Problem, shown: Int) -> list[Layer]:
    """The last m arrivals; sizes fall from 1 for the newest to 1 / m."""
    rows = [row for row, _, _ in given.last(s)]
    if not rows:
        return []
    m = given.p.window
    size = (np.arange(1, len(rows) + 1) + m - len(rows)) / m
    xy = problem.xy[rows]
    codes = problem.codes[rows]
    tags = problem.tags_of(rows)
    return [Points(xy, codes, Role.POINT, shown[rows], size, tag="recent", tags=tags)]


def truth_line(given: Setting, s: State) -> list[Layer]:
    """The true line when the last example arrived; [] where the table decides the classes."""
    problem = given.problem
    truth = given.truth
    if truth is None or truth.columns != problem.plane[:2]:
        return []
    w, b = truth.line(max(0, s.seen - 1))
    return [Line(np.append(w, np.zeros(2 - len(w))), b, Role.MARGIN, "truth", tag="truth")]


def stream_table(given: Setting, s: State) -> Table:
    """The rows in the order of arrival with their classes then and whether the answer was right;
    old and future rows are pale.
    """
    problem = as_it_came(given, s)
    right = [""] * given.problem.n
    for row, _, wrong in s.log:
        right[row] = "no" if wrong else "yes"
    active = np.zeros(problem.n, bool)
    active[[row for row, _, _ in given.last(s)]] = True
    table = data_table(problem, title="Stream", active=active, current=looked_at(s), tag="recent")
    return replace(table, columns=(*table.columns, text_column("right", right)))
