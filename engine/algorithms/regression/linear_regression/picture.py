"""The line, the distances it makes least with their squares, weight space and its bowl, both lines
measured.
"""

from engine.algorithms.regression.linear_regression import LINES, Setting, State
from engine.algorithms.regression.parts.fits import linear_layers, weight_space
from engine.algorithms.regression.parts.least_squares import linear_values, sum_of_squares
from engine.algorithms.regression.parts.weight_space import weight_figures
from engine.authoring import Float, Problem, Step, np, replace
from engine.base.notation import number, short
from engine.numerics.closeness import settled
from engine.scene.regression import current_layer, extent, feet, points_layer, residuals, upright
from engine.scene.scene import (
    NO_GROUP,
    Figure,
    Layer,
    Line,
    Matrix,
    Polygons,
    Role,
    Scene,
    data_table,
    looked_at,
)

MOST_SQUARES = 150
CENTRAL = "through the origin"
NEAR_END = 0.08  # of the visible piece of a line: where its name stands
COMPARABLE = (0.4, 2.5)  # extents in this ratio may share one scale on the plane


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    figures: tuple[Figure, ...] = (data_table(problem, current=looked_at(s)),)
    if s.solved:
        space = weight_figures(weight_space(given, [s.w], np.zeros(len(s.w))))
        figures = (*space, comparison(given, s.w), *figures)
    if not problem.plane:
        return Scene((), figures)
    layers = solved_layers(given, s, step.line == "loss") if s.solved else []
    layers += [points_layer(problem), *current_layer(problem, s.current)]
    equal = upright(problem) and scale(problem) == 1.0
    return Scene(tuple(layers), figures, equal, plane=plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """What the plane shows: how many examples are added up, the line, or its squares."""
    s = step.state
    if step.line == "loss":
        return f"The fit: least sum of squares, {squares_of(given, s.w)}"
    if not s.solved:
        return f"The examples: {s.count} of {given.n} added up"
    if given.problem.d > 1:
        return "The fit: the weights are solved"
    w0, w1 = s.w.tolist()
    size = float(np.abs(given.y).max())
    slope, level = (short(float(f"{w:.3g}")) for w in (w1, settled(abs(w0), size)))
    return f"The fit: y = {slope} x {'−' if w0 < 0 else '+'} {level}"


def solved_layers(given: Setting, s: State, with_squares: bool) -> list[Layer]:
    """The line with the distances that it makes least; with their squares also the line of the
    other distance and the one through the origin. Of several columns the plane shows a section:
    what is predicted from all of them does not lie on its line.
    """
    problem = given.problem
    w = s.w
    if problem.d > 1:
        return linear_layers(problem, w)
    ends = feet(problem, linear_values(w, problem.X))
    if ends is not None and given.p.distance == "perpendicular":  # to the nearest place on the line
        points = ends[:, 0]
        errors = ends[:, :1, 1] - ends[:, 1:, 1]
        ends[:, 1] = points + errors * [w[1], -1.0] / (1 + w[1] ** 2)
    layers = residuals(problem, ends, role=Role.ACTIVE if with_squares else Role.PLAIN)
    if with_squares:
        if given.other is not None:
            name = f"{LINES[given.rival]}: {squares_of(given, given.other)}"
            other = linear_layers(problem, given.other, Role.GHOST, "other", name)
            layers += named_at(other, 1 - NEAR_END)
        if given.central is not None:
            name = f"{CENTRAL}: {squares_of(given, given.central)}"
            central = linear_layers(problem, given.central, Role.INACTIVE, "central", name)
            layers += named_at(central, NEAR_END)
        layers = squares(problem, ends) + layers
    return layers + linear_layers(problem, w)


def squares_of(given: Setting, w: Float) -> str:
    """The sum of squares of the line w by the distance that is minimised, as text."""
    return number(sum_of_squares(given.distances(w, given.p.distance)))


def named_at(layers: list[Layer], share: float) -> list[Layer]:
    """The layers with the names of lines at this share of their way from left to right.

    The lines cross in the middle of the examples; near their ends it is clear which one is meant.
    """
    return [replace(each, name_at=share) if isinstance(each, Line) else each for each in layers]


def squares(problem: Problem, ends: Float | None) -> list[Layer]:
    """A square on each residual, drawn as a square on the screen or in data units; [] for too
    many.
    """
    if ends is None or len(ends) > MOST_SQUARES:
        return []
    unit = np.array([scale(problem), 1.0])
    rows = np.flatnonzero(np.isfinite(ends).all(axis=(1, 2)))
    ends = ends[rows]
    side = (ends[:, 1] - ends[:, 0]) / unit
    across = np.column_stack([-side[:, 1], side[:, 0]]) * unit
    rings = np.stack([ends[:, 0], ends[:, 1], ends[:, 1] + across, ends[:, 0] + across], axis=1)
    group = np.full(len(rings), NO_GROUP)
    tags = problem.tags_of(rows)
    return [Polygons(tuple(rings), group, Role.INACTIVE, tag="squares", tags=tags)]


def scale(problem: Problem) -> float:
    """The ratio of the ranges of x and value; 1 where they are similar, so that both can share a
    scale.
    """
    left, right = extent(problem, 0)
    bottom, top = extent(problem, 1)
    ratio = (right - left) / (top - bottom)
    return 1.0 if COMPARABLE[0] < ratio < COMPARABLE[1] else ratio


def comparison(given: Setting, w: Float) -> Matrix:
    """A matrix of both lines by both distances; each line is the best by its own distance."""
    kinds = (given.p.distance, given.rival)
    lines = [line for line in (w, given.other) if line is not None]
    names = tuple(LINES[distance] for distance in kinds[: len(lines)])
    sums = np.array(
        [[sum_of_squares(given.distances(line, distance)) for distance in LINES] for line in lines]
    )
    best = (0, int(given.p.distance == "perpendicular"))
    tags = ("w", "other")[: len(lines)]
    said = "sums of squared distances"
    return Matrix(
        "Distances", names, tuple(LINES), sums, (best,), shade=False, x_label=said, row_tags=tags
    )
