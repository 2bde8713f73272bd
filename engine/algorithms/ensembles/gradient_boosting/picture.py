"""The sum so far with what it leaves, and beside it the tree that learns what is left."""

from engine.algorithms.ensembles.gradient_boosting import Setting, State
from engine.algorithms.trees.parts.model import boxes, descend, paint
from engine.algorithms.trees.parts.pictures import View, current_layers, node_tag
from engine.algorithms.trees.parts.value_pictures import reductions, tree_figure
from engine.authoring import Float, Grid, Int, Problem, Step, np, number, replace
from engine.base.notation import counted, fixed, pretty_name, subscript
from engine.base.tags import joined
from engine.numerics.closeness import OF_TERMS, settled
from engine.scene.regression import (
    current_layer,
    curve_layers,
    extent,
    feet,
    points_layer,
    residuals,
    upright,
)
from engine.scene.scene import (
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
from engine.scene.views import name_in
from engine.table.dataset import Feature

BEYOND = 0.3  # of the column's extent: how far steps go on beyond the examples
MOST_SIZED = 2000  # examples that are drawn in sizes
MOST_BOXES = 60  # leaves with their answers
TINY = 1e-300  # what is left at most of no example


def painted(given: Setting, s: State, grid: Grid) -> Float:
    """(k, ny, nx) F over the plane, to the last bit: the boxes of the leaves, one tree after the
    other.
    """
    F = np.repeat(s.start, grid.shape[0] * grid.shape[1]).reshape(-1, *grid.shape)
    for k, member in enumerate(s.learners):
        F[k % len(F)] += member.rate * paint(member.tree, given.problem, grid, member.answer)
    return F


def grid_sum(given: Setting, s: State, grid: Grid) -> tuple[Float, float]:
    """(F on the grid (k, ny, nx), a bound on its rounding error)."""
    trees = [member.tree for member in s.learners]
    rates = [member.rate for member in s.learners]
    terms, size = given.leaves.summed(trees, rates, grid, len(s.start))
    return s.start[:, None, None] + terms, OF_TERMS * size


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) class indices, −1 where values are learnt; exact where classes lie close."""
    if given.problem.regress:
        return np.full(grid.shape, -1)
    F, near = grid_sum(given, s, grid)
    if near and lead(F).min() <= near:
        F = painted(given, s, grid)
    return given.decided(F)


def lead(F: Float) -> Float:
    """(…) by how much the class that F (k, …) decides for is ahead of the next one."""
    if len(F) == 1:
        return np.asarray(np.abs(F[0]))
    second, first = np.partition(F, -2, axis=0)[-2:]
    return np.asarray(first - second)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) of two classes p of the first less p of the other; of values how far they lie above
    the constant; NaN for more classes.
    """
    F, _ = grid_sum(given, s, grid)
    if given.problem.regress:
        return np.asarray(F[0] - s.start[0])
    if len(F) > 1:
        return np.full(grid.shape, np.nan)
    return np.asarray(np.tanh(0.5 * F[0]))


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    if step.line not in ("residual", "add"):  # others are about no example
        s = replace(s, current=-1)
    view = view_of(s, step.line)
    figures: list[Figure] = [data(given, s)]
    if view is not None:
        plot = reductions(problem, s.residual, view, given.p.min_leaf)
        title = f"Tree: number {s.round} of {given.p.members}"
        lit = replace(view, current=own_leaf(given, s)) if step.line == "add" else view
        figures = [tree_figure(given.words, lit, title=title), *plot, *figures]
    if not problem.plane:
        if view is None:
            plain = row_plot(given, left_now(given, s))
            if step.line in ("start", "return"):
                summed = sum_title(given, s, step.line).replace(": ", ", ")
                plain = replace(plain, title=f"Residuals: {summed}")
            figures = [plain, *figures]
        return Scene((), tuple(figures))
    left = left_plot(given, shown_residual(given, s), view, step.line)
    if step.line == "add":
        of = f" of {problem.class_text(s.output)}" if given.outputs > 1 else ""
        added = f"tree {s.round} of {given.p.members} learnt from them{of}"
        left = replace(left, title=f"Residuals: {added}")
    layers = curve(given, s, step.line) if upright(problem) else surface(given, s)
    if step.line == "add":
        name = (moved_name(given, s),)
        layers = [replace(one, label=name) if one.tag == "current" else one for one in layers]
    return Scene(
        tuple(layers),
        (left, *figures),
        leads=("Plane", name_in(left.title)),
        plane=sum_title(given, s, step.line),
    )


def moved_name(given: Setting, s: State) -> str:
    """The name of the example that an added tree is about, with its F before and now."""
    before, now = (fixed(float(F[s.output, s.current])) for F in (s.before, s.F))
    return f"{given.problem.names[s.current]}: F {before} → {now}"


def sum_title(given: Setting, s: State, line: str) -> str:
    """What the plane shows: what F is the sum of, where it begins and what it comes to."""
    count = len(s.learners) // len(s.F)
    trees = counted(count, "tree") if len(s.F) == 1 else f"{counted(count, 'tree')} for each class"
    summed = f"a constant and {trees}" if count else "a constant"
    if line == "start":
        constant = fixed(float(s.start[0])) if len(s.F) == 1 else "one for each class"
        return f"F begins as a constant: {constant}"
    if line == "return":
        wrong = "" if given.problem.regress else f", {s.errors} wrong"
        return f"F at the end: {summed}{wrong}"
    return f"F so far: {summed}"


def shown_residual(given: Setting, s: State) -> State:
    """The state with the residuals of its output, also between rounds."""
    if len(s.residual):
        return s
    return replace(s, residual=given.residuals(s.F)[s.output])


def left_now(given: Setting, s: State) -> State:
    """The state with the residuals of its F: once a tree is added, no longer those that it learnt
    from.
    """
    if s.growing is not None:
        return s
    return replace(s, residual=given.residuals(s.F)[s.output])


def view_of(s: State, line: str) -> View | None:
    """The view of the tree that grows or was just added; None for other lines."""
    growing = s.growing
    if growing is None:
        if line != "add":
            return None
        tree = s.learners[-1].tree
        return View(tree, np.zeros(len(tree.label), dtype=bool))
    tree = growing.tree
    none = np.zeros(len(tree.label), dtype=bool)
    place = (growing.current, growing.column, growing.point)
    return View(tree, none, *place, chosen=line == "split")


# -- the sum ---------------------------------------------------------------------------------------


def curve(given: Setting, s: State, line: str) -> list[Layer]:
    """F over a single column, the residuals of the examples, and pale F before the last tree."""
    problem = given.problem
    before: list[Layer] = []
    if line == "add":
        old = replace(s, learners=s.learners[:-1])
        before = sum_over_column(given, old, Role.GHOST, "before")
    return [
        *residuals(problem, feet(problem, s.F[0])),
        *before,
        *sum_over_column(given, s, Role.BOUNDARY, "F"),
        points_layer(problem),
        *current_layer(problem, s.current),
    ]


def sum_over_column(given: Setting, s: State, role: Role, tag: str) -> list[Layer]:
    """The curve of a state's F over a single column."""

    def F(X: Float) -> Float:
        return np.asarray(given.sum_of(s, X)[0])

    return curve_layers(given.problem, F, role, tag)


def surface(given: Setting, s: State) -> list[Layer]:
    """The classes or values as shading, and the examples with sizes by residual."""
    problem = given.problem
    if problem.regress:
        return [Field("score", tag="F"), points_layer(problem), *current_layer(problem, s.current)]
    field = Field("score" if len(s.F) == 1 else "class", boundary=True, tag="F")
    said = given.decided(s.F)
    points = data_points(problem, said)
    if problem.n <= MOST_SIZED:
        left = np.nan_to_num(np.abs(given.residuals(s.F))).max(axis=0)
        points = replace(points, weight=left / max(float(left.max()), TINY), tag="errors")
    return [field, points, *(active_point(problem, i, said) for i in looked_at(s))]


# -- what is left ----------------------------------------------------------------------------------


def left_plot(given: Setting, s: State, view: View | None, line: str) -> Plot:
    """A plot of the residuals, with the answers of the tree so far; once it is added, in amber the
    tree, else the example that the step is about with its residual.
    """
    problem = given.problem
    title = left_title(given, s)
    names = [pretty_name(problem.features[j].name) for j in problem.plane]
    rows = given.rows
    r = s.residual[rows]
    tags = problem.tags_of(rows)
    if len(names) == 1:
        places = np.column_stack([problem.xy[rows, 0], r])
        ends = np.stack([places * [1, 0], places], axis=1)
        bars = Segments(ends, Role.PLAIN, tag="errors", tags=tags)
        marks = Points(places, np.full(len(r), -1), Role.SAMPLE, tag="errors", tags=tags)
        about = most_left(given, s, places) if line != "add" else []
        layers = (bars, marks, *about, *answers(given, s, view), *added_tree(given, s, line))
        return Plot(title, names[0], "r", layers, beside=True)
    size = np.abs(r)
    size = size / max(float(size.max()), TINY)
    if problem.regress:
        title += ": ● above, ■ below"
    marks = Points(
        problem.xy[rows], signs(problem, rows, r), Role.POINT, None, size, tag="errors", tags=tags
    )
    about = most_left(given, s, problem.xy[rows]) if line != "add" else []
    layers = (*answers(given, s, view), *added_tree(given, s, line), marks, *about)
    return Plot(title, names[0], names[1], layers, beside=True)


def row_plot(given: Setting, s: State) -> Plot:
    """A plot of the residuals, one bar for each example."""
    rows = given.rows
    r = s.residual[rows]
    places = np.column_stack([rows + 1.0, r])
    tags = given.problem.tags_of(rows)
    ends = np.stack([places * [1, 0], places], axis=1)
    codes = np.full(len(r), -1) if given.problem.regress else given.problem.codes[rows]
    return Plot(
        left_title(given, s),
        "example",
        "r",
        (
            Segments(ends, Role.PLAIN, tag="errors", tags=tags),
            Points(places, codes, Role.POINT, tag="errors", tags=tags),
            *most_left(given, s, places),
        ),
        beside=True,
    )


def left_title(given: Setting, s: State) -> str:
    """What the residuals of the output shown are."""
    problem = given.problem
    of = f" of {problem.class_text(s.output)}" if given.outputs > 1 else ""
    return f"Residuals: r = y − {'F' if problem.regress else 'p'}{of}, what F leaves"


def most_left(given: Setting, s: State, places: Float) -> list[Layer]:
    """The example that the step is about, with its residual; places (m, 2) of the rows learnt
    from.
    """
    at = [k for k, row in enumerate(given.rows.tolist()) if row in looked_at(s)]
    r = s.residual[given.rows[at]]
    text = tuple(f"most: r = {number(value, 2)}" for value in r.tolist())
    flat = len(given.problem.plane) < 2
    group = np.full(len(r), -1) if flat else signs(given.problem, given.rows[at], r)
    return [Points(places[at], group, Role.ACTIVE, label=text, tag="errors")] if at else []


def signs(problem: Problem, rows: Int, r: Float) -> Int:
    """(m,) the class whose mark each residual has: that of its example; of values the first mark
    where F is too low, the second where it is too high.
    """
    return np.where(r < 0, 1, 0) if problem.regress else problem.codes[rows]


def tints(given: Setting, output: int, gamma: Float) -> Int:
    """(m,) the class that each leaf's answer γ speaks for, −1 for none."""
    if given.problem.regress:
        return np.full(len(gamma), -1)
    return np.where(gamma > 0, output, 1 if given.outputs == 1 else -1)


def answers(given: Setting, s: State, view: View | None) -> list[Layer]:
    """The leaves of the tree as steps over one column or boxes over two, and the node or test
    shown; [] for no tree.
    """
    if view is None:
        return []
    problem = given.problem
    ends, bounds = boxes(view.tree, problem)
    tags = tuple(joined("leaves", node_tag(view, node)) for node in ends.tolist())
    gamma = settled(view.tree.label[ends], float(np.nansum(np.abs(s.residual))))
    lit = current_layers(problem, view) if view.current >= 0 else []
    if len(problem.plane) == 1:
        low, high = extent(problem, 0)
        beyond = BEYOND * (high - low)
        pieces = np.repeat(gamma, 4).reshape(-1, 2, 2)
        pieces[..., 0] = np.clip(bounds[:, [0, 2]], low - beyond, high + beyond)
        return [Segments(pieces, Role.BOUNDARY, tag="leaves", tags=tags), *lit]
    texts = tuple(number(value, 2) for value in gamma.tolist()) if len(ends) <= MOST_BOXES else ()
    return [
        Boxes(bounds, tints(given, s.output, gamma), Role.SAME, texts, tag="leaves", tags=tags),
        *lit,
    ]


def own_leaf(given: Setting, s: State) -> int:
    """The leaf of the last tree that holds the example the step is about."""
    return int(descend(s.learners[-1].tree, given.problem.X[[s.current]])[0][0])


def added_tree(given: Setting, s: State, line: str) -> list[Layer]:
    """The tree just learnt and added, in amber: its steps over one column, that of the example that
    the step is about with its γ, or its cuts over two; [] on other lines.
    """
    if line != "add":
        return []
    problem = given.problem
    tree = s.learners[-1].tree
    ends, bounds = boxes(tree, problem)
    if len(problem.plane) > 1:
        return [Segments(cuts(bounds), Role.ACTIVE, tag="leaves")]
    gamma = tree.label[ends]
    low, high = extent(problem, 0)
    beyond = BEYOND * (high - low)
    pieces = np.repeat(gamma, 4).reshape(-1, 2, 2)
    pieces[..., 0] = np.clip(bounds[:, [0, 2]], low - beyond, high + beyond)
    own = ends == own_leaf(given, s)
    texts = [f"γ = {fixed(value)}" if here else "" for value, here in zip(gamma, own, strict=True)]
    return [Segments(pieces, Role.ACTIVE, tuple(texts), tag="leaves")]


def cuts(bounds: Float) -> Float:
    """(m, 2, 2) the right and the upper sides of boxes (k, 4), where these are not open."""
    x0, y0, x1, y1 = bounds.T
    right = np.stack([np.column_stack([x1, y0]), np.column_stack([x1, y1])], axis=1)
    upper = np.stack([np.column_stack([x0, y1]), np.column_stack([x1, y1])], axis=1)
    return np.concatenate([right[np.isfinite(x1)], upper[np.isfinite(y1)]])


def data(given: Setting, s: State) -> Table:
    """The examples with F, and for classes p and the residual of the output shown."""
    table = data_table(given.problem, current=looked_at(s), tag="current")
    k = s.output
    sub = subscript(k + 1) if given.outputs > 1 else ""
    columns = [TableColumn(Feature(f"F{sub}"), s.F[k], digits=3)]
    if not given.problem.regress:
        columns.append(TableColumn(Feature(f"p{sub}"), given.chances(s.F)[k], digits=3))
    r = left_now(given, s).residual
    columns.append(TableColumn(Feature(f"r{sub}"), r, digits=3))
    return replace(table, columns=(*table.columns, *columns))
