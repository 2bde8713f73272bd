"""Over one column the bumps of all units and their sum, over two their circles and the surface; the
network, its weights.
"""

from functools import partial

from engine.algorithms.regression.rbf_network import (
    OVERLAP,
    Setting,
    State,
    phi,
    predict,
)
from engine.algorithms.regression.rbf_network.units import gaps
from engine.authoring import (
    Arrows,
    Circles,
    Figure,
    Float,
    Layer,
    Network,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Step,
    data_table,
    np,
)
from engine.base.notation import counted, number, short, subscript
from engine.scene.regression import (
    curve_layers,
    extent,
    feet,
    points_layer,
    residuals,
    surface,
    upright,
)

_NO_CLASS = np.array([-1])
_MOST_UNITS = 40  # units whose bumps are drawn, at most
_LINKED = 12  # units whose links are drawn, at most
_PLACES = 300  # of a bump
_BEYOND = 0.15  # of the range of the points: how far a bump goes on, and how far below centres are


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    model = partial(predict, given, s)
    two = problem.d == 2 and upright(problem)
    figures: list[Figure] = []
    if s.fitted:
        figures += surface(problem, model)
    if len(s.widths) and len(s.centres) <= _LINKED:
        figures.append(network(given, s, step.line))
    if two:
        figures.append(circles_plot(given, s, step.line))
    figures.append(data_table(problem))
    if not problem.plane:
        return Scene((), tuple(figures))
    layers = bumps(given, s) if upright(problem) else circles(s)
    if s.fitted:
        layers += residuals(problem, feet(problem, model(problem.X)))
        layers += curve_layers(problem, model)
    layers += [points_layer(problem), *marks_on_plane(given, s)]
    if step.line == "hidden" and not two:
        layers += answers_at(given, s)
    if step.line == "width" and not two:
        layers += width_of_first(given, s)
    equal = len(problem.plane) == 2 and problem.all_on_plane
    leads = ("Circles", "Surface" if s.fitted else "Plane") if two else ()
    return Scene(tuple(layers), tuple(figures), equal, leads, plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """What this line does with the units, or how near the sum comes."""
    s = step.state
    k = len(s.centres)
    if step.line == "place":
        at = "random examples" if given.random_centres else "chosen places"
        return f"The centres: {k} at {at}"
    if step.line == "move":
        moved = int((s.centres != s.before).any(axis=1).sum())
        go = f"{moved} of {k} move to the mean of their nearest" if moved else "all stay"
        return f"The centres: {go}"
    if step.line == "width":
        if given.p.widths == "one for all" or np.isinf(gaps(s.centres)).all():
            return f"The widths: {number(float(s.widths[0]))} for each"
        return f"The widths: {short(given.p.width or OVERLAP)} of the way to the next centre"
    if step.line == "hidden":
        return "The answers φ of a unit"
    if step.line == "end":
        return f"h: {counted(k, 'bump')} on the level w₀ = {number(float(s.weights[0]))}"
    how = f"step {s.steps}" if given.p.fit == "descent" else "least squares"
    return f"The weights by {how}: Σ (y − h)² = {number(s.loss)}"


def circles_plot(given: Setting, s: State, line: str) -> Plot:
    """A plot of both columns with the centres, where the plane shows the values."""
    problem = given.problem
    examples = Points(problem.X, problem.codes, Role.SAMPLE, tag="data")
    answers = answers_at(given, s) if line == "hidden" else []
    width = width_of_first(given, s) if line == "width" else []
    layers = (*circles(s), examples, *marks(s.centres, s.before, s), *answers, *width)
    x, y = (feature.title for feature in problem.features)
    return Plot("Circles", x, y, layers, equal=True)


def marks_on_plane(given: Setting, s: State) -> list[Layer]:
    """The centres on the plane, below the points where the plane shows the values."""
    problem = given.problem
    now = problem.to_plane(s.centres)
    before = problem.to_plane(s.before)
    if upright(problem):
        bottom, top = extent(problem, 1)
        below = bottom - _BEYOND * (top - bottom)
        now[:, 1] = below
        before[:, 1] = below
    return marks(now, before, s)


def tags(s: State) -> tuple[str, ...]:
    """The tag of each unit."""
    return tuple(f"unit 1 {u}" for u in range(len(s.centres)))


def bumps(given: Setting, s: State) -> list[Layer]:
    """The part of each unit above the level w₀; before the fit at half the height of the points. []
    for several columns.
    """
    problem = given.problem
    if not len(s.widths) or len(s.centres) > _MOST_UNITS or problem.d > 1:
        return []
    low, high = extent(problem, 0)
    bottom, top = extent(problem, 1)
    beyond = _BEYOND * (high - low)
    x = np.linspace(low - beyond, high + beyond, _PLACES)
    level = bottom
    sizes = np.full(len(s.centres), (top - bottom) / 2)
    layers: list[Layer] = []
    if s.fitted:
        level = float(np.clip(s.weights[0], bottom, top))
        sizes = s.weights[1:]
        flat = np.full(len(x), level)
        layers.append(Polyline(np.column_stack([x, flat]), Role.GHOST, group=-1, tag="weights"))
    heights = level + phi(x[:, None], s.centres, s.widths)[:, 1:] * sizes
    for unit, tag in enumerate(tags(s)):
        bump = np.column_stack([x, heights[:, unit]])
        layers.append(Polyline(bump, Role.PLAIN, group=unit, tag=tag))
    return layers


def circles(s: State) -> list[Layer]:
    """A circle with the width of each unit, over two columns; [] for others."""
    if not len(s.widths) or s.centres.shape[1] != 2:
        return []
    return [Circles(s.centres, s.widths, Role.BALL, tag="widths", tags=tags(s))]


def answers_at(given: Setting, s: State) -> list[Layer]:
    """What a unit answers at its centre, one width and two widths away, in amber: over one column
    as places of its bump, over two as circles; [] for more columns.

    Of the units whose bumps are in view so far, the widest.
    """
    problem = given.problem
    one = upright(problem) and problem.d == 1 and len(s.centres) <= _MOST_UNITS
    if not one and s.centres.shape[1] != 2:
        return []
    _, high = extent(problem, 0)
    ends = s.centres[:, 0] + 2 * s.widths
    unit = int(np.where(one & (ends > high), s.widths - np.inf, s.widths).argmax())
    centre, width = s.centres[[unit]], s.widths[[unit]]
    away = width * np.arange(3.0)
    places = centre + away[:, None] * np.eye(1, centre.shape[1])
    values = phi(places, centre, width)[:, 1]
    texts = tuple(
        f"{number(value)} {where}"
        for value, where in zip(values.tolist(), ("at μ", "at 1 σ", "at 2 σ"), strict=True)
    )
    tag = tags(s)[unit]
    if not one:
        mark = Points(centre, _NO_CLASS, Role.NEAREST, label=texts[:1], tag=tag)
        two = np.repeat(centre, 2, axis=0)
        return [mark, Circles(two, away[1:], Role.ACTIVE, texts[1:], tag=tag)]
    bottom, top = extent(problem, 1)
    xy = np.column_stack([places[:, 0], bottom + values * (top - bottom) / 2])
    return [Points(xy, np.repeat(_NO_CLASS, 3), Role.NEAREST, label=texts, tag=tag)]


def width_of_first(given: Setting, s: State) -> list[Layer]:
    """The width of the first unit in amber, from its centre to one width away, as its words say it;
    over one column on its bump, over two to its circle; [] for more columns.
    """
    one = upright(given.problem) and given.problem.d == 1 and len(s.centres) <= _MOST_UNITS
    if not one and s.centres.shape[1] != 2:
        return []
    start = s.centres[[0]]
    end = start + s.widths[0] * np.eye(1, start.shape[1])
    if one:
        bottom, top = extent(given.problem, 1)
        height = np.full((1, 1), bottom + np.exp(-0.5) * (top - bottom) / 2)
        start, end = np.hstack([start, height]), np.hstack([end, height])
    text = (f"σ₁ = {number(float(s.widths[0]))}",)
    return [Arrows(start, end, Role.ACTIVE, text, tag=tags(s)[0], measure=True)]


def marks(now: Float, before: Float, s: State) -> list[Layer]:
    """The centres `now` (k, 2), with lines from their places `before` (k, 2)."""
    moved = np.flatnonzero((now != before).any(axis=1))
    group = np.arange(len(now))
    label: tuple[str, ...] = ()
    if len(now) <= _LINKED:
        label = tuple(f"μ{subscript(u + 1)}" for u in range(len(now)))
    layers: list[Layer] = []
    if len(moved):
        layers.append(Arrows(before[moved], now[moved], Role.ACTIVE, tag="change"))
    layers.append(
        Points(now, group, Role.ACCEPTED, group, label=label, tag="centres", tags=tags(s))
    )
    return layers


def network(given: Setting, s: State, line: str) -> Network:
    """The network with its activations at the query, without a query empty; the weights into a unit
    are its centre. Amber are the weights of the output while they are fitted, at the end the level.
    """
    x = given.problem.query
    if x is None:
        x = np.full(given.problem.d, np.nan)
    into = np.vstack([s.centres.T, np.full((1, len(s.centres)), np.nan)])
    out = np.append(s.weights[1:], s.weights[0])[:, None]
    answers = phi(x[None], s.centres, s.widths)[0, 1:]
    active = ((1, -1, -1),) if line == "fit" else ()
    values = (x, answers, predict(given, s, x[None]))
    names = tuple(feature.title for feature in given.problem.features)
    hidden = (tuple(f"φ{subscript(u + 1)}" for u in range(len(s.centres))),)
    return Network(
        "Network",
        values,
        (into, out),
        active=active,
        current=((2, 0),) if line == "end" else (),
        names=names,
        outputs=("h",),
        hidden=hidden,
        beside=False,
    )
