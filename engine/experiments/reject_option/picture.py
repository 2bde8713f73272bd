"""Error over the share refused, the plane without the places of doubt, the judged rows by how sure
h is of them.
"""

from engine.authoring import Bool, Step, frozen, np
from engine.core.scene import (
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
from engine.experiments.parts.scoring import lanes, shown_range
from engine.experiments.reject_option import Setting, State

TITLE, SURE = "Error by share refused", "Sureness"
NAMED = 12  # classes whose lanes have names


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    answered = np.zeros(problem.n, bool)
    answered[s.levels.rows[~refused(s)]] = True
    figures: tuple[Figure, ...] = (
        curve(given, s),
        sure_rows(given, s),
        data_table(problem, active=answered),
    )
    return Scene(plane(given, s), figures, leads=(TITLE, "Plane" if problem.plane else SURE))


def refused(s: State) -> Bool:
    """(m,) which of the judged rows are below the present level."""
    return np.asarray(s.levels.sure < s.levels.level[max(s.now, 0)])


def plane(given: Setting, s: State) -> tuple[Layer, ...]:
    """The classes where an answer is given; the judged rows as they are called, those refused
    without a class.
    """
    problem = given.problem
    seen = s.model.rows
    rows = s.levels.rows
    if not problem.plane:
        return ()
    layers: list[Layer] = [Field("class", boundary=True)]
    layers.append(
        Points(
            problem.xy[seen],
            problem.codes[seen],
            Role.INACTIVE,
            tag="learnt",
            tags=problem.tags_of(seen),
        )
    )
    said = np.where(refused(s), -1, s.levels.said)
    layers.append(
        Points(
            problem.xy[rows],
            problem.codes[rows],
            Role.POINT,
            said,
            tag="judged",
            tags=problem.tags_of(rows),
        )
    )
    return tuple(layers)


def curve(given: Setting, s: State) -> Plot:
    """Stairs of the error, what is passed in ink, and the error that is allowed."""
    levels = s.levels
    share = s.levels.share
    most = max(float(levels.error.max()), given.p.allowed) or 1.0
    whole = np.column_stack([np.append(np.repeat(share, 2)[1:], 1.0), np.repeat(levels.error, 2)])
    layers: list[Layer] = [Polyline(frozen(whole), Role.INACTIVE, tag="curve")]
    layers.append(
        Line(frozen([0.0, 1.0]), -given.p.allowed, Role.GHOST, label="allowed", tag="allowed")
    )
    if s.now >= 0:
        layers.append(Polyline(frozen(whole[: 2 * s.now + 1]), Role.BOUNDARY, tag="curve"))
        now = frozen([[share[s.now], levels.error[s.now]]])
        if s.found >= 0:
            found = frozen([[share[s.found], levels.error[s.found]]])
            layers.append(
                Points(found, np.full(1, -1), Role.SUPPORT, label=("enough",), tag="level")
            )
        layers.append(Points(now, np.full(1, -1), Role.ACTIVE, tag="level"))
    return Plot(
        TITLE,
        "share of the rows refused",
        "share wrong of the others",
        tuple(layers),
        beside=True,
        x_range=(-0.03, 1.03),
        y_range=(-0.08 * most, 1.15 * most),
    )


def sure_rows(given: Setting, s: State) -> Plot:
    """The judged rows by how far their best class is ahead, a lane for each true class, and the
    level that is asked for.
    """
    levels = s.levels
    low, high = shown_range(levels.sure)
    said = np.where(refused(s), -1, levels.said)
    names = given.problem.class_names
    layers: list[Layer] = [
        lanes(given.problem, levels.rows, np.clip(levels.sure, low, high), said, 1.0, len(names))
    ]
    if s.now > 0:
        x = float(np.clip(levels.level[s.now], low, high))
        layers.append(
            Segments(
                frozen([[[x, -np.inf], [x, np.inf]]]),
                Role.ACTIVE,
                label=("asked for",),
                tag="level",
            )
        )
    ticks = (
        tuple((1.0 + code, name) for code, name in enumerate(names)) if len(names) <= NAMED else ()
    )
    return Plot(
        SURE,
        "lead of the best class",
        "true class",
        tuple(layers),
        beside=True,
        x_range=(low, high),
        y_range=(0.0, 1.0 + len(names)),
        y_ticks=ticks,
    )
