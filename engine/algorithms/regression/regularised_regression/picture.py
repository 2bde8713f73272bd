"""The diamond or circle of the penalty touching an oval of the loss in weight space, weights over
the strength. AIMA Fig 18.14.
"""

from engine.algorithms.regression.parts.fits import linear_layers
from engine.algorithms.regression.parts.weight_space import (
    ovals,
    step_arrow,
    weight_figures,
    weight_view,
)
from engine.algorithms.regression.regularised_regression import Setting, State, predict
from engine.algorithms.regression.regularised_regression.paths import paths
from engine.algorithms.regression.regularised_regression.shrinkage import complexity
from engine.algorithms.regression.regularised_regression.words import column_names
from engine.authoring import Float, Step, np
from engine.base.notation import counted, fixed, number, short, subscript
from engine.base.tags import joined
from engine.scene.regression import feet, points_layer, residuals
from engine.scene.scene import (
    Bars,
    Circles,
    Figure,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_table,
)
from engine.scene.views import PLANE, short_names

MOST_LABELS = 8
PULLS = "Pulls"


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    bars = Bars(
        "Weights w",
        column_names(given),
        s.w[1:],
        before=s.before[1:],
        ticks="before this step",
        tag="w",
        tags=slope_tags(given),
    )
    penalised: tuple[Figure, ...]
    if problem.d > 1:
        penalised = penalty_figures(given, s, step.line)
        if given.p.q == 1:
            penalised = (*penalised[:1], pull_bars(given, step), *penalised[1:])
    else:
        penalised = (cost_plot(given, s.w[1:]),)
    figures = (*penalised, path_plot(given), bars, data_table(problem))
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = []
    if problem.d == 1:
        layers += residuals(problem, feet(problem, predict(given, s, problem.X)))
    layers += linear_layers(problem, np.append(s.w[0], given.T @ s.w[1:]))
    beside = PULLS if given.p.q == 1 and problem.d > 1 else PLANE
    leads = (short_names([figures[0].title])[0], beside)
    return Scene(
        (*layers, points_layer(problem)),
        figures,
        leads=leads,
        plane=f"The fit: {said(given, step)}",
    )


def said(given: Setting, step: Step[State]) -> str:
    """What this step does, for the heading of the view beside weight space."""
    s = step.state
    if step.line == "start":
        return "all weights start at 0"
    if step.line == "round":
        return f"round {s.round} begins"
    if step.line == "until":
        if step.details["settled"]:
            zeros = int(np.count_nonzero(s.w[1:] == 0))
            return f"settled, {counted(zeros, 'weight') if zeros else 'no weight'} exactly 0"
        return f"round {s.round} is over, some weights still move"
    if s.current < 0:
        return "all weights at once"
    name = "w" + subscript(s.current)
    if step.line == "take":
        return f"{name} at hand"
    pull, half = float(step.details["pull"]), given.total / 2
    side = "within" if abs(pull) <= half else "beyond"
    return f"{number(pull)} is {side} ±{short(half)}, {name} {moved_text(s, s.current)}"


def moved_text(s: State, k: int) -> str:
    """What weight k did in this step: "0.32 → 0", or "stays 0"."""
    old, new = number(float(s.before[k])), number(float(s.w[k]))
    return f"stays {new}" if old == new else f"{old} → {new}"


def slope_tags(given: Setting) -> tuple[str, ...]:
    """The tag of each weight, with that of its column."""
    return tuple(joined(f"w{j + 1}", column) for j, column in enumerate(given.problem.column_tags))


def pull_bars(given: Setting, step: Step[State]) -> Bars:
    """Bars of the pull of the errors on each weight, the one looked at in amber, between the lines
    that it has to pass for the weight not to be 0.
    """
    s = step.state
    line = step.line
    # those that an update has used, else those of the weights now
    slopes = s.before[1:] if line == "update" else s.w[1:]
    pulls = np.array([given.pull(slopes, j) for j in range(len(slopes))])
    roles = tuple(Role.ACTIVE if j + 1 == s.current else Role.PLAIN for j in range(len(slopes)))
    half = given.total / 2
    name = "Nλ/2" if given.p.loss == "mean" else "λ/2"
    levels = ((half, f"0 within ± {name} = {short(half)}"), (-half, "")) if half > 0 else ()
    return Bars(
        f"{PULLS}: {said(given, step)}",
        column_names(given),
        pulls,
        roles,
        tag="loss",
        tags=slope_tags(given),
        beside=True,
        levels=levels,
        checked=False,
    )


def penalty_figures(given: Setting, s: State, line: str) -> tuple[Figure, ...]:
    """Weight space with the ovals of the loss, the one through w, which touches the diamond or
    circle of the penalty at the end, and that shape: all weights that cost as much. Shown are the
    slopes of the plane's first column and another one, at its own step the weight looked at.
    """
    slopes = s.w[1:]
    q = given.p.q
    pair = shown_pair(given.problem.plane)
    one_by_one = q == 1 and line in ("take", "update")
    if one_by_one and s.current - 1 not in pair:
        pair = pair[0], s.current - 1
    here = slopes[list(pair)]
    size = float(complexity(here, q)) ** (1 / q)
    corners = np.array([[-size, -size], [size, size]])
    view = weight_view(given.bowl, pair, s.path, np.zeros(len(slopes)), corners, first=1)
    reach = view.bowl.reach(here)
    marks: list[Layer] = []
    if view.bowl.round_bottom and reach > 0:
        marks.append(ovals(view.bowl, [reach], Role.ACCEPTED))
    if size > 0:
        marks.append(penalty_shape(size, q))
    change = step_arrow(view, s.before[1:], slopes) if line == "update" else []

    def penalty(places: Float) -> Float:
        return np.asarray(given.total * complexity(places, q))

    letter = "w"
    if one_by_one and line == "update":
        letter += f"{subscript(s.current)} {moved_text(s, s.current)}"
    if line == "until":
        across, up = view.path[-1].tolist()
        letter += f" ({fixed(across)}, {fixed(up)})"
    return weight_figures(view, marks, change, "Cost", penalty, letter)


def shown_pair(plane: tuple[int, ...]) -> tuple[int, int]:
    """The indices of the two columns whose slopes are shown."""
    if len(plane) > 1:
        return plane[0], plane[1]
    if plane:
        return plane[0], int(plane[0] == 0)
    return 0, 1


def penalty_shape(size: float, q: int) -> Layer:
    """The pairs of weights with the same penalty as a single weight of this size."""
    if q == 2:
        return Circles(np.zeros((1, 2)), np.array([size]), Role.BOUNDARY, tag="penalty")
    diamond = size * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return Polyline(diamond, Role.BOUNDARY, closed=True, tag="penalty")


def cost_plot(given: Setting, w: Float) -> Plot:
    """A plot of loss, penalty and their sum over a single weight."""
    centre = float(given.bowl.centre[0])
    reach = 1.5 * max(abs(centre), abs(float(w[0]))) or 1.0
    low = -reach / 2 if centre > 0 else -reach
    high = reach if centre > 0 else reach / 2
    at = np.sort(np.concatenate([np.linspace(low, high, 121), [0.0]]))
    loss = given.bowl(at[:, None])
    paid = given.total * complexity(at[:, None], given.p.q)
    curves = (
        ("loss", loss, Role.INACTIVE),
        ("penalty", paid, Role.MARGIN),
        ("cost", loss + paid, Role.BOUNDARY),
    )
    layers: list[Layer] = [
        Polyline(np.column_stack([at, z]), role, label=name, tag=name) for name, z, role in curves
    ]
    here = given.bowl(w[None]) + given.total * complexity(w, given.p.q)
    now = np.column_stack([w, here])
    layers.append(Points(now, np.array([-1]), Role.ACTIVE, label=("w₁",), tag="w"))
    return Plot("Cost of one weight", "w₁", "Σ (y − h)² + λ |w|^q", tuple(layers), beside=True)


def path_plot(given: Setting) -> Plot:
    """A plot of every weight over log λ, the present λ marked."""
    strengths, slopes = paths(given)
    x = np.log10(strengths / given.averaged)
    largest = np.argsort(-np.abs(slopes).max(axis=0))[:MOST_LABELS].tolist()
    layers: list[Layer] = [Segments(np.array([[[x[0], 0.0], [x[-1], 0.0]]]), Role.SAME)]
    for j in range(slopes.shape[1]):
        name = "w" + subscript(j + 1) if j in largest else ""
        line = np.column_stack([x, slopes[:, j]])[::-1]
        layers.append(Polyline(line, Role.PLAIN, label=name, tag=slope_tags(given)[j]))
    if given.total > 0:
        at = float(np.log10(given.total / given.averaged))
        upright = np.array([[[at, -np.inf], [at, np.inf]]])
        layers.append(Segments(upright, Role.ACTIVE, tag="strength"))
        x = np.append(x, at)
    air = 0.04 * float(np.ptp(x))
    low = min(float(slopes.min()), 0.0)
    high = max(float(slopes.max()), 0.0)
    room = (high - low) or 1.0  # below the zero line there is place for the name of the axis
    ranges = (float(x.min()) - air, float(x.max()) + air)
    heights = (low - 0.25 * room, high + 0.15 * room)
    return Plot("Paths", "log₁₀ λ", "", tuple(layers), x_range=ranges, y_range=heights)
