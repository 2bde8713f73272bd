"""The window, the line or quadratic for the query alone, the way of its weights, the errors of
other widths.
"""

from engine.algorithms.regression.locally_weighted_regression import Setting, State
from engine.algorithms.regression.parts.least_squares import Bowl, sum_of_squares
from engine.algorithms.regression.parts.sweep_picture import local_line, picture, width_rivals
from engine.algorithms.regression.parts.weight_space import step_arrow, weight_figures, weight_view
from engine.authoring import Figure, Step, np, replace
from engine.base.notation import subscript
from engine.scene.regression import feet, residuals, upright
from engine.scene.scene import Layer, Role, Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    found = picture(given, s, width_rivals(given))
    if step.line != "fit" or len(s.path) < 2:
        return found
    return replace(
        found,
        layers=(*found.layers, *now_and_before(given, s)),
        figures=(*weights_way(given, s), *found.figures),
    )


def now_and_before(given: Setting, s: State) -> list[Layer]:
    """What is fitted after this update, and pale before it, with the errors that pull it."""
    if not upright(given.problem):
        return []
    x = float(given.problem.to_plane(s.query[None])[0, 0])
    b = s.path[-2]
    before = replace(s, value=float(b[0]), slope=b[1:])
    h = np.full(given.problem.n, np.nan)
    h[s.neighbours] = given.a(s) @ b
    return [
        *residuals(given.problem, feet(given.problem, h), s.neighbours, Role.ACTIVE, "change"),
        *local_line(given, before, x, Role.GHOST, "before"),
        *local_line(given, s, x),
    ]


def weights_way(given: Setting, s: State) -> tuple[Figure, ...]:
    """The way of b₀ and b₁ downhill on Σ w (y − b · a)², other weights held as they are."""
    a = given.a(s)
    y = np.asarray(given.problem.y, np.float64)[s.neighbours]
    root = np.sqrt(s.weights)
    best, *_ = np.linalg.lstsq(a * root[:, None], y * root, rcond=None)
    centre = np.asarray(best, np.float64)
    least = sum_of_squares(root * (y - a @ centre))
    bowl = Bowl(a.T @ (s.weights[:, None] * a), centre, least)
    slope = 1 + given.model.column
    view = weight_view(bowl, (0, slope), list(s.path), s.path[0])
    names = ("b₀", "b" + subscript(slope))
    arrow = step_arrow(view, s.path[-2], s.path[-1], "η Σ w (y − h) a")
    view = replace(view, names=names)
    return weight_figures(view, change=arrow, title="Weighted loss", letter="b")
