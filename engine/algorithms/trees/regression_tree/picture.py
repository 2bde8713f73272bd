"""Steps or slanted pieces over one column, boxes with values over two; the tree, and what each
split point takes away.
"""

from engine.algorithms.trees.parts.model import Why, boxes, paint
from engine.algorithms.trees.parts.pictures import (
    View,
    box_of,
    current_layers,
    node_tag,
    tree_table,
    view_of,
)
from engine.algorithms.trees.parts.value_pictures import reductions, rows_at, tree_figure
from engine.algorithms.trees.regression_tree import Setting, State
from engine.algorithms.trees.regression_tree.log import lines_of
from engine.authoring import Float, Grid, Int, Step, np, number
from engine.base.notation import counted
from engine.base.tags import joined
from engine.scene.regression import extent, feet, points_layer, residuals, upright
from engine.scene.scene import Boxes, Field, Figure, Layer, Role, Scene, Segments

MOST_BOXES, MOST_LABELS = 400, 40
MOST_REFUSED = 8
ROOM = (0.16, 0.06)  # of the plane: the least box that has room for its value
BEYOND = 0.3  # of the range: how far pieces go on beyond the points


def value_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the answer on the grid less the mean of all examples."""
    problem, label = given.problem, (tree := s.tree).label
    if not given.linear:
        return paint(tree, problem, grid, label - label[0])
    X = problem.from_plane(grid.points())[:, given.lines].reshape(*grid.shape, -1)
    return given.answers(
        s, paint(tree, problem, grid, np.arange(len(label))).astype(np.intp), X
    ) - float(label[0])


FIELDS = {"value": value_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    view = view_of(step)
    plot = reductions(problem, given.y, view, given.p.min_leaf)
    untested = is_untested(step)
    title = "Tree"
    if untested:
        title = f"Tree: no test leaves {given.p.min_leaf} in each branch"
    elif step.line == "end":
        title = f"Tree: complete, {counted(len(view.tree.ends), 'leaf', 'leaves')}"
    figures: tuple[Figure, ...] = (
        tree_figure(given.words, view, lines_of(s), title),
        *plot,
        tree_table(problem, view),
    )
    if not problem.plane:
        return Scene((), figures)
    layers = pieces(given, s, view) if upright(problem) else value_boxes(given, s, view)
    if untested:
        layers = [*layers, *refused(given, view)]
    layers = [*strip(given, view), *layers]
    if view.current >= 0:
        return Scene(
            (*layers, points_layer(problem), *current_layers(problem, view), *sides(given, view)),
            figures,
        )
    return Scene((*layers, points_layer(problem)), figures)


def strip(given: Setting, view: View) -> list[Layer]:
    """The part of the plane whose examples a split concerns; [] where there is none or it is all of
    the plane.
    """
    box = box_of(view.tree, view.current, given.problem) if view.column >= 0 else np.full(4, np.inf)
    if not np.isfinite(box).any():
        return []
    return [Boxes(box[None], np.array([-1]), Role.SAME, tag="node")]


def is_untested(step: Step[State]) -> bool:
    """Whether the words of a step are about a leaf for which every test was refused."""
    s = step.state
    if step.line != "leaf" and (step.line != "end" or s.tests):
        return False
    return Why(s.tree.why[max(s.current, 0)]) is Why.NO_TEST


def refused(given: Setting, view: View) -> list[Layer]:
    """The split points of the shown column between the examples of the leaf, crossed out; [] for
    too many, and over two columns.
    """
    problem = given.problem
    if not upright(problem):
        return []
    x = np.sort(problem.xy[rows_at(problem, given.y, view), 0])
    many = np.flatnonzero(np.diff(x) > 0)
    if not 0 < len(many) <= MOST_REFUSED:
        return []
    points = (x[many] + x[many + 1]) / 2
    ends = np.stack(
        [np.column_stack([points, np.full(len(many), e)]) for e in (-np.inf, np.inf)], 1
    )
    return [Segments(ends, Role.REJECTED, tag="cut")]


def pieces(given: Setting, s: State, view: View) -> list[Layer]:
    """The answer over a single column, and the residuals of the current node's examples."""
    problem = given.problem
    ends, bounds = boxes(view.tree, given.problem)
    low, high = extent(given.problem, 0)
    away = BEYOND * (high - low)
    places = np.zeros((len(ends), 2, 2))
    places[..., 0] = np.clip(bounds[:, [0, 2]], low - away, high + away)
    X = problem.from_plane(places.reshape(-1, 2))[:, given.lines].reshape(len(ends), 2, -1)
    places[..., 1] = given.answers(s, np.repeat(ends[:, None], 2, axis=1), X)
    tags = tuple(joined("leaves", node_tag(view, node)) for node in ends.tolist())
    layers: list[Layer] = [Segments(places, Role.BOUNDARY, tag="leaves", tags=tags)]
    if view.current < 0 or view.column >= 0:
        return layers
    values = given.answers(s, np.full(problem.n, view.current), problem.X[:, given.lines])
    return [
        *residuals(problem, feet(problem, values), np.flatnonzero(rows_at(problem, given.y, view))),
        *layers,
    ]


def sides(given: Setting, view: View) -> list[Layer]:
    """The means on both sides of the current split point."""
    problem = given.problem
    column = view.column
    if view.chosen or not upright(problem) or column not in problem.plane or np.isnan(view.point):
        return []
    rows = rows_at(problem, given.y, view)
    x = problem.X[rows, column]
    y = given.y[rows]
    two = (x <= view.point, x > view.point)
    ends = [[[x[side].min(), y[side].mean()], [x[side].max(), y[side].mean()]] for side in two]
    return [Segments(np.array(ends), Role.CANDIDATE, tag="means")]


def value_boxes(given: Setting, s: State, view: View) -> list[Layer]:
    """The answer as shading, with the leaves' boxes and their values."""
    ends, bounds = boxes(s.tree, given.problem)
    field = Field("value", tag="leaves")
    if len(ends) > MOST_BOXES:
        return [field]
    tags = tuple(node_tag(view, node) for node in ends.tolist())
    texts = box_texts(given, s, ends, bounds)
    return [field, Boxes(bounds, np.full(len(ends), -1), Role.SAME, texts, tag="leaves", tags=tags)]


def box_texts(given: Setting, s: State, ends: Int, bounds: Float) -> tuple[str, ...]:
    """The mean of each box where it fits, "" elsewhere and for a line."""
    (left, right), (bottom, top) = extent(given.problem, 0), extent(given.problem, 1)
    seen = np.clip(bounds, (left, bottom, left, bottom), (right, top, right, top))
    lines = lines_of(s)
    wide, tall = (seen[:, 2:] - seen[:, :2]).T
    room = (
        (wide > ROOM[0] * (right - left))
        & (tall > ROOM[1] * (top - bottom))
        & (len(ends) <= MOST_LABELS)
    )
    means = zip(ends.tolist(), s.tree.label[ends].tolist(), room.tolist(), strict=True)
    return tuple(
        number(mean, 2) if fits and node not in lines else "" for node, mean, fits in means
    )
