"""The lines, the region where all say yes, whom each line has to cut off; beside it the lines as
units under an AND.
"""

from engine.algorithms.ensembles.half_plane_and import Setting, State, predict
from engine.authoring import Bool, Float, Grid, Int, Step, frozen, np, replace
from engine.numerics.linear import ask_beside, linear_surface, plane_line
from engine.scene.figures import text_column
from engine.scene.scene import (
    Field,
    Layer,
    Line,
    Network,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.scene.views import PREDICTED
from engine.table.dataset import Feature, Kind


def line_name(k: int) -> str:
    """The name of line k: "h1" for k = 0."""
    return f"h{k + 1}"


def line_tag(k: int) -> str:
    """The tag of line k, for its unit of the network and its mark on the plane."""
    return f"unit 1 {k}"


def least(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the least of the lines' scores."""
    found = np.full(grid.shape, np.inf)
    for w in s.W:
        np.minimum(found, linear_surface(given.problem, w[:-1], float(w[-1]), grid), out=found)
    return found


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) class indices."""
    score = least(given, s, grid)
    classes = np.where(score >= 0, float(given.inner), 1.0 - given.inner)

    def said(xy: Float) -> Int:
        return predict(given, s, given.problem.from_plane(xy))

    return ask_beside(score, classes, grid, said)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the least of the lines' scores, above 0 for the first class."""
    score = least(given, s, grid)
    return -score if given.inner else score


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The scene of a step: the lines, and ringed the examples of `ringed`."""
    problem = given.problem
    s = step.state
    said = predict(given, s, problem.X)
    figures = (network(given, s, step.line), line_table(given, s))
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = [Field("score", boundary=True)]
    for k in range(len(s.W)):
        layers += line_layers(given, s, k)
    if step.line in ("assign", "until"):
        layers += ways(given, s)
    if step.line == "assign":
        layers += doubtful_way(given, s)
    rows = ringed(given, s, step.line)
    if len(rows):
        codes = problem.codes[rows]
        layers.append(Points(problem.xy[rows], codes, Role.CANDIDATE, said[rows], tag="own"))
    layers.append(data_points(problem, said))
    if step.line == "until":
        layers += moved(given, s, said)
    if s.current >= 0:
        to = f"{problem.names[s.current]} → {line_name(int(s.owner[s.current]))}"
        layers.append(replace(active_point(problem, s.current, said), label=(to,)))
    title = f"{PREDICTED}: {s.errors or 'none'} wrong" if step.line == "until" else ""
    return Scene(tuple(layers), figures, plane=title)


def heading(given: Setting, s: State, line: str) -> str:
    """What happens at a line, in a few words; "" where the marks say it all."""
    of_start = f"start {s.trial} of {given.starts}" if given.starts > 1 else "start"
    changed, outside = len(s.changed), int(given.outside.sum())
    round_over = f"round {s.round} over"
    if s.round > 1:
        round_over += f", {changed or 'none'} changed line"
    if not given.problem.plane:  # which says it otherwise
        round_over += f", {s.errors} wrong"
    idle = s.line >= 0 and not len(given.own(s, s.line))
    return {
        "start": f"{of_start}, {s.errors} wrong",
        "loop": f"round {s.round} begins",
        "assign": f"{changed} of {outside} change their line",
        "learn": f"{line_name(s.line)} has none to cut off" if idle else "",
        "until": round_over,
        "and": f"the result, {s.errors} of {int(given.problem.labelled.sum())} wrong",
    }.get(line, "")


def ringed(given: Setting, s: State, line: str) -> Int:
    """The indices of the examples that the learning line has to exclude, else of those that changed
    their line.
    """
    if s.line >= 0:
        return given.own(s, s.line)
    return s.changed if line == "assign" else s.changed[:0]


def ways(given: Setting, s: State) -> list[Layer]:
    """A dotted way from each outside example to the line that has to cut it off."""
    found = list[Layer]()
    for k in range(len(s.W)):
        found += ways_to(given, s, k, given.own(s, k), Role.SAME)
    return found


def moved(given: Setting, s: State, said: Int) -> list[Layer]:
    """In amber the examples that changed their line in this round, with their ways to the new one;
    [] in the first, where all have their first one. said: (n,) predicted classes
    """
    if s.round < 2 or not len(s.changed):
        return []
    problem, rows = given.problem, s.changed
    found = list[Layer]()
    for k in range(len(s.W)):
        found += ways_to(given, s, k, rows[s.owner[rows] == k], Role.ACTIVE)
    tags = problem.tags_of(rows)
    marks = Points(problem.xy[rows], problem.codes[rows], Role.ACTIVE, said[rows], tags=tags)
    return [*found, marks]


def doubtful_way(given: Setting, s: State) -> list[Layer]:
    """The way of the most doubtful example, in amber."""
    if s.current < 0:
        return []
    return ways_to(given, s, int(s.owner[s.current]), np.array([s.current]), Role.ACTIVE)


def ways_to(given: Setting, s: State, k: int, rows: Int, role: Role) -> list[Layer]:
    """The shortest ways of these rows to line k; [] where the plane does not show the line."""
    w = s.W[k]
    normal, b = plane_line(given.problem, w[:-1], float(w[-1]))
    size = float(normal @ normal)
    if not size or not len(rows):
        return []
    xy = given.problem.xy[rows]
    feet = xy - ((xy @ normal + b) / size)[:, None] * normal
    return [Segments(frozen(np.stack([xy, feet], axis=1)), role, tag=line_tag(k))]


def line_layers(given: Setting, s: State, k: int) -> list[Layer]:
    """The line h[k] = 0, in amber while it is learnt, with its previous place."""
    learns = s.line == k
    now = line_layer(given, s.W[k], Role.ACTIVE if learns else Role.MARGIN, line_name(k), k)
    if not learns or np.array_equal(s.before[k], s.W[k]):
        return now
    return [*line_layer(given, s.before[k], Role.GHOST, "", k), *now]


def line_layer(given: Setting, w: Float, role: Role, name: str, k: int) -> list[Layer]:
    """The line w (d + 1,) on the plane; [] where it does not depend on the columns of the plane."""
    normal, b = plane_line(given.problem, w[:-1], float(w[-1]))
    if not normal.any():
        return []
    return [Line(frozen(normal), b, role, name, line_tag(k))]


def network(given: Setting, s: State, line: str) -> Network:
    """The network: columns, a threshold unit for each line, and the AND unit, which fires where Σ h
    ≥ K − ½. In amber the line that learns or that gets the most doubtful example, or the AND.
    """
    K = len(s.W)
    problem = given.problem
    inputs = np.full(problem.d, np.nan) if s.current < 0 else problem.X[s.current]
    weights_of_and = np.append(np.ones(K), 0.5 - K)[:, None]
    active: tuple[tuple[int, int, int], ...] = ()
    if line == "and":
        active = ((1, -1, 0),)
    elif s.line >= 0:
        active = ((0, -1, s.line),)
    said = heading(given, s, line)
    return Network(
        f"Network: {said}" if said else "Network",
        (inputs, np.full(K, np.nan), np.full(1, np.nan)),
        (frozen(s.W.T), weights_of_and),
        active=active,
        current=((1, int(s.owner[s.current])),) if s.current >= 0 else (),
        names=tuple(feature.title for feature in problem.features),
        outputs=(f"AND: {problem.class_text(given.inner)}",),
        hidden=(tuple(map(line_name, range(len(s.W)))),),
    )


def line_table(given: Setting, s: State) -> Table:
    """The examples with the answer of each line, and the line that has to exclude them."""
    table = data_table(given.problem, current=looked_at(s), tag="current")
    yes = [answers(k, votes) for k, votes in enumerate(s.votes)]
    owners = [line_name(k) if k >= 0 else "" for k in s.owner.tolist()]
    columns = (*table.columns, *yes, text_column("cut off by", owners))
    return replace(table, columns=columns)


def answers(k: int, votes: Bool) -> TableColumn:
    """A column of the answers of line k to the rows. votes: (n,) whether it says inside"""
    feature = Feature(f"{line_name(k)} ≥ 0", Kind.CATEGORICAL, ("no", "yes"))
    return TableColumn(feature, votes.astype(np.float64))
