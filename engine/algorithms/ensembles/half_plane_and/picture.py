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
    figures = (network(given, s), line_table(given, s))
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = [Field("score", boundary=True)]
    for k in range(len(s.W)):
        layers += line_layers(given, s, k)
    if step.line in ("assign", "until"):
        layers += ways(given, s)
    rows = ringed(given, s, step.line)
    if len(rows):
        codes = problem.codes[rows]
        layers.append(Points(problem.xy[rows], codes, Role.CANDIDATE, said[rows], tag="own"))
    layers.append(data_points(problem, said))
    if s.current >= 0:
        layers.append(active_point(problem, s.current, said))
    return Scene(tuple(layers), figures)


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
    for k, w in enumerate(s.W):
        normal, b = plane_line(given.problem, w[:-1], float(w[-1]))
        size = float(normal @ normal)
        own = given.own(s, k)
        if not size or not len(own):
            continue
        xy = given.problem.xy[own]
        feet = xy - ((xy @ normal + b) / size)[:, None] * normal
        ends = frozen(np.stack([xy, feet], axis=1))
        found.append(Segments(ends, Role.SAME, tag=line_tag(k)))
    return found


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


def network(given: Setting, s: State) -> Network:
    """The network: columns, a threshold unit for each line, and the AND unit, which fires where Σ h
    ≥ K − ½.
    """
    K = len(s.W)
    problem = given.problem
    inputs = np.full(problem.d, np.nan)
    said = np.full(K, np.nan)
    if s.current >= 0:
        inputs = problem.X[s.current]
        said = s.votes[:, s.current].astype(np.float64)
    of_all = np.array([said.min()])
    weights_of_and = np.append(np.ones(K), 0.5 - K)[:, None]
    return Network(
        "Network",
        (inputs, said, of_all),
        (frozen(s.W.T), weights_of_and),
        active=((0, -1, s.line),) if s.line >= 0 else (),
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
