"""The diamond or circle of the penalty touching an oval of the loss in weight space, weights over the strength. AIMA Fig 18.14."""

from engine.algorithms.regression.parts.fits import linear_layers
from engine.algorithms.regression.parts.weight_space import (
    WeightView, bottom, bowl_space, contours, path_layers, place, step_arrow, thinned, weight_plot, weight_view,
)  # fmt: skip
from engine.algorithms.regression.regularised_regression import Setting, State, predict
from engine.algorithms.regression.regularised_regression.shrinkage import complexity, slope_bowl
from engine.algorithms.regression.regularised_regression.words import column_names
from engine.authoring import Float, Problem, Step, np
from engine.core.notation import subscript
from engine.core.scene import (
    Bars, Circles, Ellipses, Figure, Layer, Plot, Points, Polyline, Role, Scene, Segments, data_table,
)  # fmt: skip
from engine.numerics.least_squares import Bowl
from engine.pictures.regression import feet, points_layer, residuals

MOST_LABELS = 8


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    bars = Bars("Weights w", column_names(given), s.w[1:], before=s.before[1:], tag="w")
    figures = (*penalty_figures(given, s, step.line == "update"), path_plot(given), bars, data_table(problem))
    if not problem.plane:
        return Scene((), figures)
    layers = residuals(feet(problem, predict(given, s, problem.X))) if problem.d == 1 else []
    layers += linear_layers(problem, np.append(s.w[0], given.T @ s.w[1:]))
    return Scene((*layers, points_layer(problem)), figures)


def penalty_figures(given: Setting, s: State, changed: bool) -> tuple[Figure, ...]:
    """Weight space with the ovals of the loss and the diamond or circle of the penalty; of one weight the cost curve."""
    bowl, slopes, q = slope_bowl(given.turned(given.X), given.y, given.data), s.w[1:], given.p.q
    if len(slopes) == 1:
        return (cost_plot(given, bowl, float(slopes[0])),)
    track, pair = thinned(s.path)[:, 1:], shown_slopes(given.problem)
    names = tuple("w" + subscript(k) for k in range(1, len(s.w)))
    here = slopes[list(pair)]
    size = complexity(here, q) ** (1 / q)
    corners = np.array([[-size, -size], [size, size]])
    view = weight_view(bowl, pair, slopes, track, np.zeros(len(slopes)), names, corners)
    layers = [*contours(view, np.zeros(2)), *touching_oval(view, here), *price(here, q), *bottom(view)]
    layers += [*path_layers(view, track), place(view, slopes)]
    layers += step_arrow(view, s.before[1:], slopes, "") if changed else []
    space = bowl_space(view, track, slopes, "Cost", lambda places: given.total * complexities(places, q))
    return weight_plot(view, layers), space


def shown_slopes(problem: Problem) -> tuple[int, int]:
    """The two slopes shown: of the plane's first column and of the first other one."""
    first = problem.plane[0] if problem.plane else 0
    second = problem.plane[1] if len(problem.plane) > 1 else (1 if first == 0 else 0)
    return first, second


def complexities(places: Float, q: int) -> Float:
    return np.asarray(np.abs(places).sum(axis=1) if q == 1 else (places**2).sum(axis=1))


def touching_oval(view: WeightView, here: Float) -> list[Layer]:
    """The oval of equal loss through w: at the end it touches the diamond or circle."""
    reach = view.bowl.reach(here)
    if not view.bowl.round_bottom or reach <= 0:
        return []
    shape = np.asarray(np.linalg.inv(view.bowl.H)[None], np.float64)
    return [Ellipses(view.bowl.centre[None], shape, reach, Role.ACCEPTED, tag="loss")]


def price(here: Float, q: int) -> list[Layer]:
    """All weights that cost as much as these two: a diamond or a circle round the origin."""
    size = complexity(here, q)
    if size <= 0:
        return []
    if q == 2:
        return [Circles(np.zeros((1, 2)), np.array([size**0.5]), Role.BOUNDARY, tag="penalty")]
    corners = size * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return [Polyline(corners, Role.BOUNDARY, closed=True, tag="penalty")]


def cost_plot(given: Setting, bowl: Bowl, w: float) -> Plot:
    """Loss, penalty and their sum over the one weight there is."""
    centre = float(bowl.centre[0])
    reach = 1.5 * max(abs(centre), abs(w)) or 1.0
    low, high = (-reach / 2, reach) if centre > 0 else (-reach, reach / 2)
    at = np.sort(np.append(np.linspace(low, high, 121), 0.0))
    loss, paid = bowl(at[:, None]), given.total * complexities(at[:, None], given.p.q)
    curves = (("loss", loss, Role.INACTIVE), ("penalty", paid, Role.MARGIN), ("cost", loss + paid, Role.BOUNDARY))
    layers: list[Layer] = [Polyline(np.column_stack([at, z]), role, label=name, tag=name) for name, z, role in curves]
    here = bowl(np.array([[w]])) + given.total * complexity(np.array([w]), given.p.q)
    layers.append(Points(np.column_stack([[w], here]), np.array([-1]), Role.ACTIVE, label=("w₁",), tag="w"))
    return Plot("Cost of one weight", "w₁", "Σ (y − h)² + λ |w|^q", tuple(layers), beside=True)


def path_plot(given: Setting) -> Plot:
    """Every weight over the strength λ as it is set; the present one is marked."""
    strengths, slopes = given.strengths
    x = np.log10(strengths / given.averaged)
    largest = np.argsort(-np.abs(slopes).max(axis=0))[:MOST_LABELS].tolist()
    layers: list[Layer] = [Segments(np.array([[[x[0], 0.0], [x[-1], 0.0]]]), Role.SAME)]
    for j in range(slopes.shape[1]):
        name = "w" + subscript(j + 1) if j in largest else ""
        layers.append(Polyline(np.column_stack([x, slopes[:, j]])[::-1], Role.PLAIN, label=name, tag=f"w{j + 1}"))
    if given.total > 0:
        at = float(np.log10(given.total / given.averaged))
        layers.append(Segments(np.array([[[at, -np.inf], [at, np.inf]]]), Role.ACTIVE, tag="strength"))
        x = np.append(x, at)
    air = 0.04 * float(np.ptp(x))
    low, high = min(float(slopes.min()), 0.0), max(float(slopes.max()), 0.0)
    room = (high - low) or 1.0  # below the zero line there is place for the name of the axis
    return Plot("Paths", "log₁₀ λ", "", tuple(layers),
                x_range=(float(x.min()) - air, float(x.max()) + air), y_range=(low - 0.25 * room, high + 0.15 * room))  # fmt: skip
