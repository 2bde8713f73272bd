"""The surface over the plane with the level that parts the classes, a cut through it, the plane,
the network.
"""

from engine.algorithms.networks.parts import grid_inputs
from engine.algorithms.networks.parts.figures import symbols, unit_tag
from engine.algorithms.networks.parts.pictures import unit_lines
from engine.algorithms.networks.ridge_and_bump import Setting, State
from engine.algorithms.networks.ridge_and_bump.recipe import REACH
from engine.authoring import Float, Grid, Step, frozen, np
from engine.core.scene import (
    NO_GROUP,
    Field,
    Figure,
    Network,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Space,
    data_points,
    data_table,
)

FINE, CURVE = 41, 241  # places along an axis
FAR = 1.1 * REACH


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """How far the output is above the level, as a share of it."""
    units = given.units(s)
    (inputs,) = grid_inputs(given.problem, units, s.weights, grid)
    return np.asarray((units.output.g(inputs) - s.level) / max(s.level, 0.5))


FIELDS = {
    "class": lambda given, s, grid: np.where(score_surface(given, s, grid) >= 0, 0.0, 1.0),
    "score": score_surface,
}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    deep = len(given.problem.plane) == 2
    figures: list[Figure] = [height_space(given, s)] if deep else []
    figures += [network_figure(given, s), cut_plot(given, s), data_table(problem)]
    if not problem.plane:
        return Scene((), tuple(figures))
    tops = Points(
        problem.to_plane(given.centres),
        np.full(len(given.centres), NO_GROUP),
        Role.SUPPORT,
        tag="centre",
    )
    layers = (
        *unit_lines(problem, s.weights, s.weights),
        data_points(problem, given.predict(s, problem.X)),
        tops,
    )
    return Scene(
        (Field("score", boundary=True), *layers),
        tuple(figures),
        leads=("Height" if deep else "Cut", "Plane"),
    )


def along(given: Setting, axis: int, places: int) -> Float:
    """Places from −4 to 4 and a little beyond."""
    middle, unit = given.frame
    return np.asarray(np.linspace(-FAR, FAR, places) * unit[axis] + middle[axis])


def height_space(given: Setting, s: State) -> Space:
    """The output over the plane, the examples on it, and the level as a plane of glass."""
    problem = given.problem
    x, y = (along(given, axis, FINE) for axis in problem.plane)
    z = given.height(s, problem.from_plane((grid := Grid(x, y)).points())).reshape(grid.shape)
    xyz = np.column_stack([problem.xy, given.height(s, problem.X)])
    level = (np.eye(3)[2], -s.level, Role.BOUNDARY)
    one, two = given.names
    roles = (Role.POINT,) * problem.n
    return Space(
        "Height",
        (one, two, s.name),
        frozen(xyz),
        problem.codes,
        roles,
        (level,),
        (x, y, z),
        beside=True,
    )


def cut_plot(given: Setting, s: State) -> Plot:
    """Along the first axis through the centre: what the output sums up, the output, and
    the level.
    """
    axis = given.axes[0]
    last = len(s.weights)
    x = along(given, axis, CURVE)
    X = np.tile(given.centre(s), (CURVE, 1))
    X[:, axis] = x
    *_, parts, out = given.answers(s, X)
    summed = symbols(s.weights)[-2][:-1] * (last > 1)
    curves = [
        (parts[:, j], Role.CANDIDATE, name, unit_tag(last - 1, j)) for j, name in enumerate(summed)
    ]
    curves += [(np.full(CURVE, s.level), Role.MARGIN, f"{s.level:g}", unit_tag(last, 0))]
    curves += [(out[:, 0], Role.BOUNDARY, s.name, unit_tag(last, 0))]
    drawn = (
        Polyline(np.column_stack([x, y]), role, label=name, tag=tag)
        for y, role, name, tag in curves
    )
    return Plot("Cut", given.names[0], s.name, tuple(drawn))


def network_figure(given: Setting, s: State) -> Network:
    """What each unit answers at the centre of the bump; no links where there are none."""
    *hidden, last = s.weights
    weights = (*(np.where(w == 0, np.nan, w) for w in hidden), last)
    names = tuple(f.title for f in given.problem.features)
    at = given.answers(s, given.centre(s))
    return Network(
        "Network", at, weights, (), ((len(hidden), -1, -1),), names, ("output",), beside=False
    )
