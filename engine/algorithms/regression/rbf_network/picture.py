"""Over one column the bumps of all units and their sum, over two their circles and the surface; the
network, its weights.
"""

from functools import partial

from engine.algorithms.regression.rbf_network import Setting, State, predict
from engine.algorithms.regression.rbf_network.units import answers
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
from engine.core.notation import subscript
from engine.pictures.regression import (
    curve_layers,
    extent,
    feet,
    points_layer,
    residuals,
    surface,
    upright,
)

_DRAWN, _LINKED = 40, 12  # units whose bumps, whose links are drawn
_PLACES, _BEYOND = 300, 0.15  # of a bump; the points


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    model = partial(predict, given, step.state)
    figures: list[Figure] = surface(problem, model) if s.fitted else []
    figures += [network(given, s)] if len(s.widths) and len(s.centres) <= _LINKED else []
    if two := problem.d == 2 and upright(problem):
        examples = Points(problem.X, problem.codes, Role.SAMPLE, tag="data")
        layers = (*circles(s), examples, *marks(s.centres, s.before, s))
        x, y = (feature.title for feature in problem.features)
        figures.append(Plot("Circles", x, y, layers, equal=True))
    figures.append(data_table(problem))
    if not problem.plane:
        return Scene((), tuple(figures))
    now, was = problem.to_plane(s.centres), problem.to_plane(s.before)
    if upright(problem):  # below the points
        bottom, top = extent(problem, 1)
        now[:, 1] = was[:, 1] = bottom - _BEYOND * (top - bottom)
    seen = [
        *(bumps(given, s) if upright(problem) else circles(s)),
        points_layer(problem),
        *marks(now, was, s),
    ]
    if s.fitted:
        seen += [
            *residuals(problem, feet(problem, model(problem.X))),
            *curve_layers(problem, model),
        ]
    leads = ("Circles", "Surface" if s.fitted else "Plane") if two else ()
    return Scene(
        tuple(seen), tuple(figures), len(problem.plane) == 2 and problem.all_on_plane, leads
    )


def tags(s: State) -> tuple[str, ...]:
    return tuple(f"unit 1 {u}" for u in range(len(s.centres)))


def bumps(given: Setting, s: State) -> list[Layer]:
    """What each unit adds, on the level of w₀ where that is in sight; before the fit half as high
    as the points reach.
    """
    problem = given.problem
    if not len(s.widths) or len(s.centres) > _DRAWN or problem.d > 1:
        return []
    (low, high), (bottom, top) = extent(problem, 0), extent(problem, 1)
    x = np.linspace(low - _BEYOND * (high - low), high + _BEYOND * (high - low), _PLACES)
    level = bottom
    sizes = np.full(len(s.centres), (top - bottom) / 2)
    if s.fitted:
        level = float(np.clip(s.weights[0], bottom, top))
        sizes = s.weights[1:]
    made = (level + answers(x[:, None], s.centres, s.widths)[:, 1:] * sizes).T
    lines = [(Role.GHOST, -1, np.full(len(x), level), "weights")] * s.fitted
    lines += [(Role.PLAIN, u, bump, tags(s)[u]) for u, bump in enumerate(made)]
    return [Polyline(np.column_stack([x, y]), role, group=u, tag=tag) for role, u, y, tag in lines]


def circles(s: State) -> list[Layer]:
    """How wide each unit is, over two columns."""
    shown = len(s.widths) > 0 and s.centres.shape[1] == 2
    return [Circles(s.centres, s.widths, Role.BALL, tag="widths", tags=tags(s))] if shown else []


def marks(now: Float, was: Float, s: State) -> list[Layer]:
    """The centres, and how they moved."""
    moved = np.flatnonzero((now != was).any(axis=1))
    group = np.arange(len(now))
    label = tuple(f"μ{subscript(u + 1)}" for u in range(len(now))) if len(now) <= _LINKED else ()
    ways = [Arrows(was[moved], now[moved], Role.ACTIVE, tag="change")] if len(moved) else []
    return [
        *ways,
        Points(now, group, Role.ACCEPTED, group, label=label, tag="centres", tags=tags(s)),
    ]


def network(given: Setting, s: State) -> Network:
    """Inputs, one unit a centre, whose place are the weights into it, and the output; answers at
    the probe or the middle.
    """
    x = given.problem.anchor if given.problem.query is None else given.problem.query
    into = np.vstack([s.centres.T, np.full((1, len(s.centres)), np.nan)])
    out = np.append(s.weights[1:], s.weights[0])[:, None]
    told = (x, answers(x[None], s.centres, s.widths)[0, 1:], predict(given, s, x[None]))
    inputs = tuple(f.title for f in given.problem.features)
    return Network("Network", told, (into, out), names=inputs, outputs=("h",), beside=False)
