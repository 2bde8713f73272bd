"""The lines, the region where all say yes, whom each line has to cut off; beside it the lines as
units under an AND.
"""

from engine.algorithms.ensembles.half_plane_and import Setting, State, predict
from engine.authoring import Bool, Float, Grid, Int, Step, frozen, np, replace
from engine.core.dataset import Feature, Kind
from engine.core.scene import (
    Field,
    Layer,
    Line,
    Network,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.numerics.linear import ask_beside, linear_surface, plane_line
from engine.pictures.text_columns import text_column


def line_name(k: int) -> str:
    return f"h{k + 1}"


def line_tag(k: int) -> str:
    """Of line number k from 0: its unit in the network and its mark on the plane."""
    return f"unit 1 {k}"


def least(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the least of the lines' scores."""
    found = np.full(grid.shape, np.inf)
    for w in s.W:
        np.minimum(found, linear_surface(given.problem, w[:-1], float(w[-1]), grid), out=found)
    return found


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    score = least(given, s, grid)
    classes = np.where(score >= 0, float(given.inner), 1.0 - given.inner)
    return ask_beside(
        score, classes, grid, lambda xy: predict(given, s, given.problem.from_plane(xy))
    )


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    return least(given, s, grid) * (1 - 2 * given.inner)


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """While the lines learn those examples are ringed that went to another line, then those of the
    line that learns.
    """
    problem = given.problem
    s = step.state
    said = predict(given, step.state, given.problem.X)
    figures = (network(given, s), line_table(given, s))
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = [Field("score", boundary=True)]
    for k, w in enumerate(s.W):
        layers += one_line(given, s, k, w)
    rows = (
        given.own(s, s.line)
        if s.line >= 0
        else s.changed
        if step.line == "assign"
        else s.changed[:0]
    )
    if len(rows):
        layers.append(
            Points(problem.xy[rows], problem.codes[rows], Role.CANDIDATE, said[rows], tag="own")
        )
    layers.append(data_points(problem, said))
    if s.current >= 0:
        layers.append(active_point(problem, s.current, said))
    return Scene(tuple(layers), figures)


def one_line(given: Setting, s: State, k: int, w: Float) -> list[Layer]:
    """h[k] = 0, in amber while it learns, with where it lay before."""
    problem = given.problem
    lit = s.line == k
    drawn: list[Layer] = []
    for line, role, name in (
        (s.before[k], Role.GHOST, ""),
        (w, Role.ACTIVE if lit else Role.MARGIN, line_name(k)),
    ):
        normal, b = plane_line(problem, line[:-1], float(line[-1]))
        if normal.any() and (role is not Role.GHOST or (lit and not np.array_equal(line, w))):
            drawn.append(Line(frozen(normal), b, role, name, line_tag(k)))
    return drawn


def network(given: Setting, s: State) -> Network:
    """Columns, a threshold unit for each line, and the AND: it fires where all K do, at Σ h ≥ K −
    ½.
    """
    K = len(s.W)
    problem = given.problem
    inputs = problem.X[s.current] if s.current >= 0 else np.full(problem.d, np.nan)
    said = s.votes[:, s.current].astype(np.float64) if s.current >= 0 else np.full(K, np.nan)
    both = np.array([said.min()])
    gate = np.append(np.ones(K), 0.5 - K)[:, None]
    active = ((0, -1, s.line),) if s.line >= 0 else ()
    names = tuple(f.title for f in problem.features)
    inner = problem.class_text(given.inner)
    return Network(
        "Network",
        (inputs, said, both),
        (frozen(s.W.T), gate),
        active=active,
        names=names,
        outputs=(inner,),
    )


def line_table(given: Setting, s: State) -> Table:
    """The examples with what each line says of them, and which line has to cut them off."""
    table = data_table(given.problem, current=looked_at(s), tag="current")
    yes = (answers(line_name(k), votes) for k, votes in enumerate(s.votes))
    own = [line_name(k) if k >= 0 else "" for k in s.owner.tolist()]
    return replace(table, columns=(*table.columns, *yes, text_column("cut off by", own)))


def answers(name: str, votes: Bool | Int) -> TableColumn:
    return TableColumn(
        Feature(f"{name} ≥ 0", Kind.CATEGORICAL, ("no", "yes")), votes.astype(np.float64)
    )
