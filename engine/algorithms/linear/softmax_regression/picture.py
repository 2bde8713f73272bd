"""Which class wins where, the lines of equal score between them, level lines of its probability;
the weights as a network, as pictures or as a table.
"""

from math import isqrt

from engine.algorithms.linear.parts.picture import (
    descent_title,
    region_borders,
    separator,
    sizes,
    weight_tags,
)
from engine.algorithms.linear.softmax_regression import Setting, State, predict
from engine.algorithms.linear.softmax_regression.words import (
    class_tag,
    probability_bars,
    spoken_class,
)
from engine.authoring import Float, Grid, Int, Iterator, Step, np, replace
from engine.numerics.class_scores import softmax, winners
from engine.numerics.closeness import OF_TERMS
from engine.numerics.contours import level_lines, one_polyline
from engine.numerics.linear import linear_surface, size_surface
from engine.scene.scene import (
    Field,
    Figure,
    Layer,
    Matrix,
    Network,
    Pictures,
    Polyline,
    Role,
    Scene,
    Segments,
    data_table,
    looked_at,
    plane_scene,
)

LEVELS = (0.6, 0.75, 0.9)  # of the probability of the class that wins
LOGITS = tuple(float(np.log(P / (1 - P))) for P in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9))
FEW, FAR = 12, 1e4  # classes whose borders are computed; how far these go, in sizes of the data
FINE, SKEW = 96, 3.0  # places across the plane for level lines; axes so unlike still share a scale
LINKS = 48  # of a network that can be read
SIDE = 3  # cells of the smallest picture


def score_surfaces(given: Setting, s: State, grid: Grid) -> list[Float]:
    """For each class (ny, nx) its score w · x on the grid."""
    return [linear_surface(given.problem, w, float(w[-1]), grid) for w in s.W]


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class of the largest score on the grid, as `predict` calls the places."""
    lengths = size_surface(given.problem, np.ones(s.W.shape[1]), grid)
    near = OF_TERMS * float(np.abs(s.W).max()) * lengths
    scored = ((z, near) for z in score_surfaces(given, s, grid))
    return winners(scored, grid.shape, floor=-np.inf)


def logit_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) ln P / (1 − P) of the first class, the score of the first of two classes less that
    of the second.
    """
    first, *others = score_surfaces(given, s, grid)
    return np.asarray(first - np.logaddexp.reduce(others, axis=0))


FIELDS = {"class": class_surface, "logit": logit_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The scene of a step; where several examples make it the size of a point is its part of the
    gradient.
    """
    problem = given.problem
    s = step.state
    current = looked_at(s)
    shown = predict(given, s, problem.X)
    figures: list[Figure] = [weights_figure(given, step)]
    for i in current:
        P = softmax(given.X[[i]] @ s.before.T)[0]
        figures.append(probability_bars(given, P, int(P.argmax())))
    figures.append(data_table(problem, current=current, tag="current"))
    pictured = isinstance(figures[0], Pictures)
    made = plane_scene(
        problem,
        s,
        shown,
        figures,
        ground(given, s),
        border_lines(given, step),
        place=problem.d <= 2,
        weight=pull_sizes(given, s) if step.line in ("look", "guess", "update") else None,
        leads=(figures[0].title.split(":")[0], "Plane") if pictured else (),
    )
    start = "" if s.W.any() else f"every P is 1/{given.k}, "
    title = descent_title(step, "loss", s.loss, step.details.get("loss"), start)
    return replace(made, plane=title)


def pull_sizes(given: Setting, s: State) -> Float | None:
    """(n,) how much of probability 1 the true class of each row lacks, as relative sizes; None
    where one row makes the step.
    """
    if s.current >= 0:
        return None
    missing = (given.Y * (1.0 - softmax(given.X @ s.before.T))).sum(axis=1)
    if len(s.batch):
        others = np.ones(len(missing), bool)
        others[s.batch] = False
        missing[others] = 0.0
    return sizes(missing)


def ground(given: Setting, s: State) -> Iterator[Layer]:
    """The surface of the classes with level lines of the probability of the one that wins."""
    if given.k == 2:
        yield Field("logit", LOGITS, tag="P")
        return
    yield Field("class", boundary=given.k > FEW, tag="P")
    yield from probability_lines(given, s)


def probability_lines(given: Setting, s: State) -> Iterator[Layer]:
    """The lines on the plane where the probability of the winner is one of LEVELS, named by it."""
    low, high, _ = given.problem.bounds
    size = np.where(high > low, high - low, 1.0)
    room = np.minimum(size.max(), SKEW * size)  # as far around as the window shows at first
    (x0, y0), (x1, y1) = low - room, high + room
    grid = Grid.over((x0, x1), (y0, y1), FINE)
    Z = np.stack([z.ravel() for z in score_surfaces(given, s, grid)], axis=1)
    if not np.isfinite(Z).all():
        return
    most = softmax(Z).max(axis=1).reshape(grid.shape)
    for level in LEVELS:
        xy = one_polyline(level_lines(grid.x, grid.y, most, (level,)))
        if len(xy):
            yield Polyline(xy, Role.REGION, label=f"P {level:g}", tag="P")


def border_lines(given: Setting, step: Step[State]) -> Iterator[Layer]:
    """The lines of equal score between classes that win on both sides; at an update also the
    previous ones.
    """
    s = step.state
    if given.k > FEW:
        return
    before = borders(given, s.before)
    if step.line == "update" and len(before):
        yield Segments(before, Role.GHOST, tag="before")
    now = borders(given, s.W)
    if len(now):
        role = Role.ACTIVE if step.line == "update" else Role.BOUNDARY
        yield Segments(now, role, tag="classes")


def borders(given: Setting, W: Float) -> Float:
    """(m, 2, 2) the pieces of these lines on the plane."""
    most = float(np.abs(W).max())
    if not 0 < most < np.inf:
        return np.zeros((0, 2, 2))
    xy = given.problem.xy
    reach = FAR * (float(np.abs(xy).max(initial=0.0, where=np.isfinite(xy))) + 1.0)
    lines = [separator(given, w / most) for w in W]
    return region_borders(
        np.array([line.w for line in lines]), np.array([line.b for line in lines]), reach
    )


def weights_figure(given: Setting, step: Step[State]) -> Figure:
    """The weights: of square pictures as pictures, few as a network, else as a table."""
    s = step.state
    side = isqrt(given.problem.d)
    if side >= SIDE and side**2 == given.problem.d:
        return weight_pictures(given, s, side)
    if s.W.size <= LINKS:
        return network_figure(given, step)
    rows = given.problem.class_names
    tags = tuple(map(class_tag, range(given.k)))
    columns = weight_tags(given)
    return Matrix("Weights", rows, given.names, s.W, row_tags=tags, column_tags=columns)


def weight_pictures(given: Setting, s: State, side: int) -> Pictures:
    """A picture of the weights of each class: dark cells speak for it, light ones against it."""
    W = s.W[:, :-1]
    largest = float(np.abs(W).max())
    values = 0.5 + 0.5 * W / largest if largest > 0 else np.full(W.shape, 0.5)
    tags = tuple(map(class_tag, range(given.k)))
    return Pictures(
        "Weights: dark speaks for the class, light against it",
        values.reshape(-1, side, side),
        given.problem.class_names,
        tag="w",
        beside=True,
        tags=tags,
    )


def network_figure(given: Setting, step: Step[State]) -> Network:
    """The network: an output P for each class, with the numbers of the current example where they
    are known. In amber are the links of the class whose weights the words of an update give.
    """
    s = step.state
    inputs = np.full(given.problem.d, np.nan)
    outputs = np.full(given.k, np.nan)
    if s.current >= 0:
        inputs = given.problem.X[s.current]
        if step.line != "look":
            outputs = softmax(given.X[[s.current]] @ s.before.T)[0]
    active: tuple[tuple[int, int, int], ...] = ()
    title = "Network"
    if step.line == "guess":
        active = ((0, -1, -1),)
    elif step.line == "update":
        pulled = spoken_class(given, s, step.details["pull"])
        active = tuple((0, j, pulled) for j in range(s.W.shape[1]))
        how = "most" if s.current < 0 else "in amber"
        title = f"Network: all move, {given.problem.class_text(pulled)} {how}"
    return Network(
        title,
        (inputs, outputs),
        (s.W.T,),
        active=active,
        names=given.problem.titles,
        outputs=given.problem.class_names,
    )
