"""The sum so far with what it leaves, and beside it the tree that learns what is left."""

from engine.algorithms.ensembles.gradient_boosting import Setting, State
from engine.algorithms.trees.parts.model import boxes, paint
from engine.algorithms.trees.parts.pictures import View, current_layers, node_tag
from engine.algorithms.trees.parts.value_pictures import reductions, tree_figure
from engine.authoring import Float, Grid, Int, Step, np, number, replace
from engine.core.dataset import Feature
from engine.core.notation import pretty_name, subscript
from engine.core.scene import (
    Boxes,
    Field,
    Figure,
    Layer,
    Plot,
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
from engine.core.tags import joined
from engine.numerics.closeness import OF_TERMS
from engine.pictures.regression import (
    current_layer,
    curve_layers,
    extent,
    feet,
    points_layer,
    residuals,
    upright,
)

BEYOND = 0.3
MOST_SIZED = 2000
MOST_BOXES = 60


def painted(given: Setting, s: State, grid: Grid) -> Float:
    """(k, ny, nx) F over the plane, to the last bit: the boxes of the leaves, one tree after the
    other.
    """
    F = np.repeat(s.start, grid.shape[0] * grid.shape[1]).reshape(-1, *grid.shape)
    for k, member in enumerate(s.learners):
        F[k % len(F)] += member.rate * paint(member.tree, given.problem, grid, member.answer)
    return F


def grid_sum(given: Setting, s: State, grid: Grid) -> tuple[Float, float]:
    """(F over the plane (k, ny, nx), how far it may be off)."""
    rates = [member.rate for member in s.learners]
    told, size = given.leaves.summed(
        [member.tree for member in s.learners], rates, grid, len(s.start)
    )
    return s.start[:, None, None] + told, OF_TERMS * size


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    if given.problem.regress:
        return np.full(grid.shape, -1)
    F, near = grid_sum(given, s, grid)
    lead = np.abs(F[0]) if len(F) == 1 else np.diff(np.partition(F, -2, axis=0)[-2:], axis=0)
    return given.decided(F if not near or lead.min() > near else painted(given, s, grid))


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """Of two classes p of the first less p of the other; of values how far they lie above the
    constant.
    """
    F, _ = grid_sum(given, s, grid)
    if given.problem.regress:
        return np.asarray(F[0] - s.start[0])
    return np.tanh(0.5 * F[0]) if len(F) == 1 else np.full(grid.shape, np.nan)


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    view = view_of(s, step.line)
    figures: list[Figure] = [data(given, s)]
    if view is not None:
        plot = reductions(problem, s.residual, view, given.p.min_leaf)
        tree = tree_figure(given.words, view, title=f"Tree: number {s.round} of {given.p.members}")
        figures = [tree, *plot, *figures]
    if not problem.plane:
        return Scene((), tuple(figures))
    known = s if len(s.residual) else replace(s, residual=given.residuals(s.F)[s.output])
    left = left_plot(given, known, view)
    layers = curve(given, s, step.line) if upright(problem) else surface(given, s)
    return Scene(tuple(layers), (left, *figures), leads=("Plane", left.title.partition(":")[0]))


def view_of(s: State, line: str) -> View | None:
    """The tree that grows, or that has just been added."""
    if s.growing is None and line != "add":
        return None
    tree = s.learners[-1].tree if s.growing is None else s.growing.tree
    at = (
        (-1, -1, np.nan)
        if s.growing is None
        else (s.growing.current, s.growing.column, s.growing.point)
    )
    return View(tree, np.zeros(len(tree.label), dtype=bool), *at, chosen=line == "split")


# -- the sum ---------------------------------------------------------------------------------------


def curve(given: Setting, s: State, line: str) -> list[Layer]:
    """F over the one column, what it leaves of the examples, and pale what it was before the tree
    came.
    """
    problem = given.problem
    now = curve_layers(given.problem, lambda X: given.sum_of(s, X)[0], tag="F")
    if line == "add":
        old = replace(s, learners=s.learners[:-1])
        now = [
            *curve_layers(problem, lambda X: given.sum_of(old, X)[0], Role.GHOST, "before"),
            *now,
        ]
    return [
        *residuals(problem, feet(problem, s.F[0])),
        *now,
        points_layer(problem),
        *current_layer(problem, s.current),
    ]


def surface(given: Setting, s: State) -> list[Layer]:
    """The classes or values as shading, each example as large as what is left of it."""
    problem = given.problem
    F = s.F
    if problem.regress:
        return [Field("score", tag="F"), points_layer(problem), *current_layer(problem, s.current)]
    field = Field("score" if len(F) == 1 else "class", boundary=True, tag="F")
    said = given.decided(F)
    left = np.nan_to_num(np.abs(given.residuals(F))).max(axis=0)
    points = data_points(
        problem, said, left / max(float(left.max()), 1e-300) if problem.n <= MOST_SIZED else None
    )
    return [field, points, *(active_point(problem, i, said) for i in looked_at(s))]


# -- what is left ----------------------------------------------------------------------------------


def left_plot(given: Setting, s: State, view: View | None) -> Plot:
    """What is left of each example, with the answers of the tree so far."""
    problem = given.problem
    residual = s.residual
    title = "Residuals: of each example" + (
        f", class {problem.class_text(s.output)}" if given.outputs > 1 else ""
    )
    names = [pretty_name(problem.features[j].name) for j in problem.plane]
    here = given.rows
    r = residual[here]
    xy = problem.xy[here]
    tags = problem.tags_of(here)
    if len(names) == 1:
        places = np.column_stack([xy[:, 0], r])
        bars = Segments(
            np.stack([places * [1, 0], places], axis=1), Role.PLAIN, tag="errors", tags=tags
        )
        marks = Points(places, np.full(len(r), -1), Role.SAMPLE, tag="errors", tags=tags)
        return Plot(title, names[0], "r", (bars, marks, *answers(given, view)), beside=True)
    size = np.abs(r) / max(float(np.abs(r).max()), 1e-300)
    marks = Points(xy, np.where(r < 0, 1, 0), Role.POINT, None, size, tag="errors", tags=tags)
    return Plot(
        f"{title}, larger where more",
        names[0],
        names[1],
        (marks, *answers(given, view)),
        beside=True,
    )


def answers(given: Setting, view: View | None) -> list[Layer]:
    """The ends of the tree, steps over one column or boxes over two, and the node or test looked
    at.
    """
    if view is None:
        return []
    problem = given.problem
    ends, bounds = boxes(view.tree, given.problem)
    tags = tuple(joined("leaves", node_tag(view, node)) for node in ends.tolist())
    answer = view.tree.label[ends]
    lit = current_layers(problem, view) if view.current >= 0 else []
    if len(problem.plane) == 1:
        low, high = extent(problem, 0)
        pieces = np.repeat(answer, 4).reshape(-1, 2, 2)
        pieces[..., 0] = np.clip(
            bounds[:, [0, 2]], low - BEYOND * (high - low), high + BEYOND * (high - low)
        )
        return [Segments(pieces, Role.BOUNDARY, tag="leaves", tags=tags), *lit]
    texts = tuple(number(v, 2) for v in answer.tolist()) if len(ends) <= MOST_BOXES else ()
    return [Boxes(bounds, np.full(len(ends), -1), Role.SAME, texts, tag="leaves", tags=tags), *lit]


def data(given: Setting, s: State) -> Table:
    """The examples with F, and with p and what is left of the output looked at."""
    table = data_table(given.problem, current=looked_at(s), tag="current")
    k = s.output
    name = subscript(k + 1) if given.outputs > 1 else ""
    told = [(f"F{name}", s.F[k])]
    if not given.problem.regress:
        told.append((f"p{name}", given.chances(s.F)[k]))
    told.append((f"r{name}", s.residual if len(s.residual) else given.residuals(s.F)[k]))
    return replace(
        table, columns=(*table.columns, *(TableColumn(Feature(n), v, digits=3) for n, v in told))
    )
