"""Error over the share refused, the plane without the places of doubt, the judged rows by how sure
h is of them.
"""

from engine.authoring import Int, Step, frozen, np
from engine.base.notation import counted
from engine.base.records import replace
from engine.experiments.parts.curves import upright
from engine.experiments.parts.scoring import lanes, shown_range
from engine.experiments.reject_option import Levels, Setting, State
from engine.scene.differences import percent
from engine.scene.scene import (
    Field,
    Figure,
    Layer,
    Line,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_table,
)

TITLE = "Error by share refused"
SURE = "Sureness"
NAMED = 12  # classes whose lanes have names


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    answered = np.zeros(problem.n, bool)
    answered[s.levels.rows[~s.levels.refuses(s.now)]] = True
    if step.line == "learn":
        return learnt(given, s)
    table = data_table(problem, active=answered)
    if step.line == "sure":
        title = f"Leads: {counted(len(s.levels.rows), 'row')} judged, none refused"
        figures: tuple[Figure, ...] = (replace(sure_rows(given, s), title=title), table)
        return Scene(plane(given, s), figures, leads=("Leads", "Plane" if problem.plane else ""))
    figures = (curve(given, s, step.line), sure_rows(given, s), table)
    return Scene(plane(given, s), figures, leads=(TITLE, "Plane" if problem.plane else SURE))


def learnt(given: Setting, s: State) -> Scene:
    """The rows that the learner has learnt from; those to judge are hollow, without an answer."""
    problem = given.problem
    seen = np.zeros(problem.n, bool)
    seen[s.model.rows] = True
    title = f"{counted(len(s.model.rows), 'row')} learnt from, {len(s.levels.rows)} to judge"
    table = data_table(problem, active=seen, title=f"Examples: {title}")
    if not problem.plane:
        return Scene((), (table,))
    parts = (
        (s.levels.rows, Role.HELD_OUT, "judged"),
        (s.model.rows, Role.POINT, "learnt"),
    )
    layers = [
        Points(problem.xy[rows], problem.codes[rows], role, tag=tag, tags=problem.tags_of(rows))
        for rows, role, tag in parts
    ]
    return Scene((Field("class", boundary=True), *layers), (table,), leads=("Plane",), plane=title)


def answered_codes(s: State) -> Int:
    """(m,) what the judged rows are called, −1 for those refused."""
    return np.where(s.levels.refuses(s.now), -1, s.levels.said)


def plane(given: Setting, s: State) -> tuple[Layer, ...]:
    """The layers of the plane: classes where an answer is given; judged rows with the class they
    are given, refused ones without.
    """
    problem = given.problem
    if not problem.plane:
        return ()
    seen = s.model.rows
    rows = s.levels.rows
    return (
        Field("class", boundary=True),
        Points(
            problem.xy[seen],
            problem.codes[seen],
            Role.INACTIVE,
            tag="learnt",
            tags=problem.tags_of(seen),
        ),
        Points(
            problem.xy[rows],
            problem.codes[rows],
            Role.POINT,
            answered_codes(s),
            tag="judged",
            tags=problem.tags_of(rows),
        ),
    )


def curve(given: Setting, s: State, line: str) -> Plot:
    """The error over the share refused as a step line, in ink as far as it was stepped through,
    with the allowed error.
    """
    levels = s.levels
    most = max(float(levels.error.max()), given.p.allowed) or 1.0
    x = np.append(np.repeat(levels.share, 2)[1:], 1.0)
    stairs = np.column_stack([x, np.repeat(levels.error, 2)])
    level = frozen([0.0, 1.0])
    layers: list[Layer] = [
        Polyline(frozen(stairs), Role.INACTIVE, tag="curve"),
        Line(level, -given.p.allowed, Role.GHOST, label="allowed", tag="allowed"),
    ]
    if s.now >= 0:
        passed = frozen(stairs[: 2 * s.now + 1])
        layers.append(Polyline(passed, Role.BOUNDARY, tag="curve"))
        kept, wrong = levels.left(s.now)
        said = (f"{wrong} of {kept} wrong",) if line in ("error", "end") else ()
        if s.found >= 0 and s.found != s.now:
            layers.append(mark(levels, s.found, Role.SUPPORT, ("enough",)))
        layers.append(mark(levels, s.now, Role.ACTIVE, said))
    title = f"{TITLE}: {percent(float(levels.share[s.now]))} refused" if s.now >= 0 else TITLE
    return Plot(
        title,
        "share of the rows refused",
        "share wrong of the others",
        tuple(layers),
        beside=True,
        x_range=(-0.03, 1.03),
        y_range=(-0.08 * most, 1.15 * most),
    )


def mark(levels: Levels, number: int, role: Role, label: tuple[str, ...] = ()) -> Points:
    """The mark of a level on the error curve."""
    xy = frozen([[levels.share[number], levels.error[number]]])
    return Points(xy, np.full(1, -1), role, label=label, tag="level")


def sure_rows(given: Setting, s: State) -> Plot:
    """A plot of the judged rows by lead, a lane for each true class, with the lead that the level
    requires.
    """
    problem = given.problem
    levels = s.levels
    low, high = shown_range(levels.sure)
    names = problem.class_names
    x = np.clip(levels.sure, low, high)
    layers: list[Layer] = [lanes(problem, levels.rows, x, answered_codes(s), 1.0, len(names))]
    if s.now > 0:
        needed = float(np.clip(levels.level[s.now], low, high))
        layers.append(Segments(upright(needed), Role.ACTIVE, label=("asked for",), tag="level"))
    ticks = tuple((1.0 + code, name) for code, name in enumerate(names))
    return Plot(
        SURE,
        "lead of the best class",
        "true class",
        tuple(layers),
        beside=True,
        x_range=(low, high),
        y_range=(0.0, 1.0 + len(names)),
        y_ticks=ticks if len(names) <= NAMED else (),
    )
