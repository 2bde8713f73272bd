"""The sum so far with what it leaves, and beside it the tree that learns what is left."""

from engine.algorithms.ensembles.gradient_boosting import Setting, State
from engine.algorithms.ensembles.gradient_boosting.member import Sprout
from engine.algorithms.trees.parts.model import boxes, paint
from engine.algorithms.trees.parts.pictures import View, current_layers, node_tag
from engine.algorithms.trees.parts.value_pictures import reductions, tree_figure
from engine.authoring import Float, Grid, Int, Step, np, number, replace
from engine.core.dataset import Feature
from engine.core.notation import pretty_name, subscript
from engine.core.scene import (
    Boxes, Field, Figure, Layer, Plot, Points, Polyline, Role, Scene, Segments, Table, TableColumn, active_point, data_points,
    data_table, looked_at,
)  # fmt: skip
from engine.core.tags import joined
from engine.pictures.regression import current_layer, extent, feet, points_layer, residuals, upright

BEYOND, MOST_SIZED, MOST_BOXES = 0.3, 2000, 60


def grid_sum(given: Setting, s: State, grid: Grid) -> Float:
    """(k, ny, nx) F over the plane, the rectangles of the leaves painted one tree after the other."""
    F = np.repeat(s.start, grid.shape[0] * grid.shape[1]).reshape(-1, *grid.shape)
    for k, member in enumerate(s.learners):
        F[k % len(F)] += member.rate * paint(member.tree, given.problem, grid, member.answer)
    return F


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    return np.full(grid.shape, -1) if given.problem.regress else given.decided(grid_sum(given, s, grid))


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """Of two classes p of the first less p of the other; of values how far they lie above the constant."""
    F = grid_sum(given, s, grid)
    if given.problem.regress:
        return np.asarray(F[0] - s.start[0])
    return np.tanh(0.5 * F[0]) if len(F) == 1 else np.full(grid.shape, np.nan)


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    view = view_of(s.sprout, step.line == "split")
    figures: list[Figure] = [data(given, s)]
    if view is not None and s.residual is not None:
        plot = reductions(problem, s.residual, view, given.p.min_leaf)
        tree = tree_figure(given.words, view, title=f"Tree: number {s.round} of {given.p.members}")
        figures = [tree, *plot, *figures]
    if not problem.plane:
        return Scene((), tuple(figures))
    left = [left_plot(given, s, view)] if s.residual is not None else []
    layers = curve(given, s, step.line) if upright(problem) else surface(given, s)
    return Scene(tuple(layers), (*left, *figures), leads=("Plane", *(plot.title.partition(":")[0] for plot in left)))


def view_of(sprout: Sprout | None, chosen: bool) -> View | None:
    if sprout is None:
        return None
    tree = sprout.tree
    return View(tree, np.zeros(len(tree.label), dtype=bool), sprout.current, sprout.column, sprout.point, chosen)


# -- the sum -----------------------------------------------------------------------------------------------------------


def curve(given: Setting, s: State, line: str) -> list[Layer]:
    """F over the one column, what it leaves of the examples, and pale what it was before the tree came."""
    problem, x = given.problem, edges(given, s)
    now = [Polyline(steps_of(x, given.sum_of(s, halfway(given, x))[0]), Role.BOUNDARY, tag="F")]
    if line == "add":
        old = replace(s, learners=s.learners[:-1])
        now.insert(0, Polyline(steps_of(x, given.sum_of(old, halfway(given, x))[0]), Role.GHOST, tag="before"))
    ends = feet(problem, s.F[0])
    return [*residuals(problem, ends, tag="errors"), *now, points_layer(problem), *current_layer(problem, s.current)]


def edges(given: Setting, s: State) -> Float:
    """Where F may jump along the one column shown, from beyond the first point to beyond the last."""
    (low, high), column = extent(given.problem, 0), given.problem.plane[0]
    away, points = BEYOND * (high - low), [m.point[m.column == column] for m in s.learners]
    inner = np.unique(np.concatenate([*points, np.zeros(0)]))
    return np.concatenate([[low - away], inner[(inner > low - away) & (inner < high + away)], [high + away]])


def halfway(given: Setting, x: Float) -> Float:
    """(m, d) rows between one edge and the next."""
    places = np.zeros((len(x) - 1, 2))
    places[:, 0] = x[:-1] + (x[1:] - x[:-1]) / 2
    return given.problem.from_plane(places)


def steps_of(x: Float, values: Float) -> Float:
    """(2 m, 2) the stair of these values between the edges."""
    return np.column_stack([np.repeat(x, 2)[1:-1], np.repeat(values, 2)])


def surface(given: Setting, s: State) -> list[Layer]:
    """The classes or values as shading, each example as large as what is left of it."""
    problem, F = given.problem, s.F
    if problem.regress:
        return [Field("score", tag="F"), points_layer(problem), *current_layer(problem, s.current)]
    field = Field("score" if len(F) == 1 else "class", boundary=True, tag="F")
    said, left = given.decided(F), np.nan_to_num(np.abs(given.residuals(F))).max(axis=0)
    points = data_points(problem, said, left / max(float(left.max()), 1e-300) if problem.n <= MOST_SIZED else None)
    return [field, points, *(active_point(problem, i, said) for i in looked_at(s))]


# -- what is left ------------------------------------------------------------------------------------------------------


def left_plot(given: Setting, s: State, view: View | None) -> Plot:
    """What is left of each example, with the answers of the tree so far."""
    problem, residual = given.problem, s.residual
    assert residual is not None
    title = "Residuals: of each example" + (f", class {problem.class_text(s.output)}" if given.outputs > 1 else "")
    names = [pretty_name(problem.features[j].name) for j in problem.plane]
    here, sign = given.rows, np.where(residual < 0, 1, 0)
    tags = problem.tags_of(here)
    if len(problem.plane) == 1:
        xy = np.column_stack([problem.xy[:, 0], residual])
        zero = np.column_stack([xy[:, 0], 0 * residual])
        bars = Segments(np.stack([zero, xy], axis=1)[here], Role.PLAIN, tag="errors", tags=tags)
        marks = Points(xy[here], np.full(len(here), -1), Role.SAMPLE, tag="errors", tags=tags)
        return Plot(title, names[0], "r", (bars, *answers(given, view), marks, *lit(given, view)), beside=True)
    size = np.abs(residual[here])
    marks = Points(
        problem.xy[here], sign[here], Role.POINT, None, size / max(size.max(), 1e-300), tag="errors", tags=tags
    )
    layers = *answers(given, view), marks, *lit(given, view)
    return Plot(f"{title}, larger where more", names[0], names[1], layers, beside=True)


def answers(given: Setting, view: View | None) -> list[Layer]:
    """The ends of the tree: steps over one column, boxes over two."""
    if view is None:
        return []
    problem, (ends, bounds) = given.problem, boxes(view.tree, given.problem)
    tags = tuple(joined("leaves", node_tag(view, node)) for node in ends.tolist())
    answer = view.tree.label[ends]
    if len(problem.plane) == 1:
        low, high = extent(problem, 0)
        pieces = np.zeros((len(ends), 2, 2))
        pieces[..., 0] = np.clip(bounds[:, [0, 2]], low - BEYOND * (high - low), high + BEYOND * (high - low))
        pieces[..., 1] = answer[:, None]
        return [Segments(pieces, Role.BOUNDARY, tag="leaves", tags=tags)]
    texts = tuple(number(v, 2) for v in answer.tolist()) if len(ends) <= MOST_BOXES else ()
    return [Boxes(bounds, np.full(len(ends), -1), Role.SAME, texts, tag="leaves", tags=tags)]


def lit(given: Setting, view: View | None) -> list[Layer]:
    return current_layers(given.problem, view) if view is not None and view.current >= 0 else []


def data(given: Setting, s: State) -> Table:
    """The examples with F, and with p and what is left of the output looked at."""
    table, k = data_table(given.problem, current=looked_at(s), tag="current"), s.output
    if s.residual is None:
        k = 0
    name = subscript(k + 1) if given.outputs > 1 else ""
    told = [(f"F{name}", s.F[k])]
    if not given.problem.regress:
        told.append((f"p{name}", given.chances(s.F)[k]))
    told.append((f"r{name}", given.residuals(s.F)[k] if s.residual is None else s.residual))
    return replace(table, columns=(*table.columns, *(TableColumn(Feature(n), v, digits=3) for n, v in told)))
