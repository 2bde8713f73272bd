"""The line, the distances it makes least with their squares, weight space and its bowl, the two lines measured both
ways."""

from engine.algorithms.regression.linear_regression import Setting, State
from engine.algorithms.regression.linear_regression.words import perpendicular
from engine.algorithms.regression.parts.fits import linear_layers, weight_space
from engine.algorithms.regression.parts.least_squares import linear_values, sum_of_squares
from engine.algorithms.regression.parts.weight_space import weight_figures
from engine.authoring import Float, Problem, Step, np
from engine.core.scene import NO_GROUP, Layer, Matrix, Polygons, Role, Scene, data_table
from engine.pictures.regression import current_layer, extent, feet, points_layer, residuals, upright

MOST_SQUARES = 150
COMPARABLE = (0.4, 2.5)  # extents in this ratio may share one scale on the plane


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    current = (s.current,) if s.current >= 0 else ()
    space = weight_figures(weight_space(given, [s.w], np.zeros(len(s.w)))) if s.solved else ()
    matrix = (comparison(given, s.w),) if s.solved else ()
    figures = (*space, *matrix, data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    layers = solved_layers(given, s, step.line == "loss") if s.solved else []
    layers += [points_layer(problem), *(layer for i in current for layer in current_layer(problem, i))]
    return Scene(tuple(layers), figures, equal_scales=comparable(problem))


def solved_layers(given: Setting, s: State, with_squares: bool) -> list[Layer]:
    """The line with the distances that it makes least; with their squares also the line of the other distance. Of
    several columns the plane shows a section: what is predicted from all of them does not lie on its line."""
    problem, vertical = given.problem, given.p.distance == "vertical"
    if problem.d > 1:
        return linear_layers(problem, s.w)
    ends = feet(problem, linear_values(s.w, problem.X)) if vertical else perpendicular_feet(problem, s.w)
    layers = residuals(ends)
    if with_squares:
        name = "principal axis" if vertical else "least squares"
        layers += linear_layers(problem, given.other, Role.GHOST, "other", name) if given.other is not None else []
        layers = squares(problem, ends) + layers
    return layers + linear_layers(problem, s.w)


def perpendicular_feet(problem: Problem, w: Float) -> Float | None:
    """(n, 2, 2) from each point to the nearest place on the line of one column."""
    if not upright(problem):
        return None
    error = problem.y - linear_values(w, problem.X)
    way = error[:, None] * np.array([w[1], -1.0]) / (1 + w[1] ** 2)
    return np.stack([problem.xy, problem.xy + way], axis=1)


def squares(problem: Problem, ends: Float | None) -> list[Layer]:
    """A square on each residual. Where x and value are not comparable it is a square to the eye at first view; where
    they are, the scene must ask for equal scales."""
    if ends is None or len(ends) > MOST_SQUARES:
        return []
    unit = np.array([1.0 if comparable(problem) else ratio(problem), 1.0])
    ends = ends[np.isfinite(ends).all(axis=(1, 2))]
    side = (ends[:, 1] - ends[:, 0]) / unit
    across = np.column_stack([-side[:, 1], side[:, 0]]) * unit
    rings = np.stack([ends[:, 0], ends[:, 1], ends[:, 1] + across, ends[:, 0] + across], axis=1)
    return [Polygons(tuple(rings), np.full(len(rings), NO_GROUP), Role.INACTIVE, tag="squares")]


def comparable(problem: Problem) -> bool:
    """Whether x and value reach about equally far, so that squares and right angles can be shown in one scale."""
    return upright(problem) and COMPARABLE[0] < ratio(problem) < COMPARABLE[1]


def ratio(problem: Problem) -> float:
    (left, right), (bottom, top) = extent(problem, 0), extent(problem, 1)
    return (right - left) / (top - bottom)


def comparison(given: Setting, w: Float) -> Matrix:
    """Each line is the best of its own kind."""
    vertical = given.p.distance == "vertical"
    names = ("least squares", "principal axis") if vertical else ("principal axis", "least squares")
    lines = [line for line in (w, given.other) if line is not None]
    errors = [given.y - linear_values(line, given.X) for line in lines]
    sums = [[sum_of_squares(e), sum_of_squares(perpendicular(line, e))] for line, e in zip(lines, errors, strict=True)]
    columns = ("Σ vertical²", "Σ perpendicular²")
    return Matrix("Distances", names[: len(lines)], columns, np.array(sums), ((0, int(not vertical)),), shade=False)
