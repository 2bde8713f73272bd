"""The surface over the plane with the level that parts the classes, a cut through it, the plane,
the network.
"""

from engine.algorithms.networks.parts import grid_inputs
from engine.algorithms.networks.parts.figures import symbols, unit_tag
from engine.algorithms.networks.parts.pictures import unit_lines
from engine.algorithms.networks.ridge_and_bump import Setting, State
from engine.algorithms.networks.ridge_and_bump.recipe import REACH
from engine.authoring import Float, Grid, Step, frozen, np
from engine.base.notation import counted
from engine.scene.scene import (
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

# places along an axis
FINE = 41
CURVE = 241
FAR = 1.1 * REACH
CUTS = {"ridge": "1.5", "bump": "3.5"}  # the sum at the level, by the line that cuts it there


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) how far the output is above the level on the grid, as a share of the level."""
    units = given.units(s)
    (inputs,) = grid_inputs(given.problem, units, s.weights, grid)
    return np.asarray((units.output.g(inputs) - s.level) / max(s.level, 0.5))


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the first class where the output is at least the level."""
    return np.where(score_surface(given, s, grid) >= 0, 0.0, 1.0)


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    deep = len(given.problem.plane) == 2
    figures: list[Figure] = [height_space(given, step)] if deep else []
    figures += [network_figure(given, s), cut_plot(given, step), data_table(problem)]
    if not problem.plane:
        return Scene((), tuple(figures))
    no_group = np.full(len(given.centres), NO_GROUP)
    name = ("centre",) if len(given.centres) == 1 else ()
    layers = (
        Field("score", boundary=True),
        *unit_lines(problem, s.weights, s.weights),
        data_points(problem, given.predict(s, problem.X)),
        Points(problem.to_plane(given.centres), no_group, Role.SUPPORT, label=name, tag="centre"),
    )
    return Scene(layers, tuple(figures), leads=("Height" if deep else "Cut", "Plane"))


def along(given: Setting, axis: int, places: int) -> Float:
    """(places,) coordinates along an axis from a little below −4 to a little above 4."""
    return np.asarray(np.linspace(-FAR, FAR, places) * given.unit[axis] + given.middle[axis])


def heading(given: Setting, step: Step[State]) -> str:
    """What the output of this step is made of."""
    s = step.state
    cut = CUTS.get(step.line, "")
    if cut:
        return f"{s.name}, half way up where f = {cut}"
    if step.line == "pair":
        return f"{s.name} = h₁ + h₂, about 2 between both lines, 1 elsewhere"
    if step.line == "slope":
        return f"{s.name}, one sigmoid"
    if step.line == "sum":
        ridges = given.p.bumps == "a ridge alone"
        kind = "ridge" if ridges else "bump"
        return f"{s.name}, the sum of {counted(len(given.centres), kind)}"
    return f"{s.name}, the sum of {s.weights[0].shape[1]} sigmoids"


def height_space(given: Setting, step: Step[State]) -> Space:
    """The output over the plane in space, with the level, in amber where the sum is cut there, and
    with the examples where bumps are made on them: other shapes have nothing to do with them.
    """
    s = step.state
    cut = CUTS.get(step.line, "")
    problem = given.problem
    x, y = (along(given, axis, FINE) for axis in problem.plane)
    grid = Grid(x, y)
    z = given.height(s, problem.from_plane(grid.points())).reshape(grid.shape)
    shown = problem.n if given.p.bumps == "on the first class" else 0
    xyz = np.column_stack([problem.xy, given.height(s, problem.X)])[:shown]
    level = (np.eye(3)[2], -s.level, Role.ACTIVE if cut else Role.BOUNDARY)
    one, two = given.names
    return Space(
        f"Height: {heading(given, step)}",
        (one, two, s.name),
        frozen(xyz),
        problem.codes[:shown],
        (Role.POINT,) * shown,
        (level,),
        (x, y, z),
        beside=True,
    )


def cut_plot(given: Setting, step: Step[State]) -> Plot:
    """A plot along the first axis through the centre: the sum, the output and the level."""
    s = step.state
    axis = given.axes[0]
    last = len(s.weights)
    x = along(given, axis, CURVE)
    X = np.tile(given.centre(s), (CURVE, 1))
    X[:, axis] = x
    *_, parts, out = given.answers(s, X)
    tag = unit_tag(last, 0)
    curves = []
    if last > 1:
        for j, name in enumerate(symbols(s.weights)[-2][:-1]):
            part = np.column_stack([x, parts[:, j]])
            curves.append(Polyline(part, Role.CANDIDATE, label=name, tag=unit_tag(last - 1, j)))
    level = np.column_stack([x, np.full(CURVE, s.level)])
    curves.append(Polyline(level, Role.MARGIN, label=f"{s.level:g}", tag=tag))
    height = np.column_stack([x, out[:, 0]])
    curves.append(Polyline(height, Role.BOUNDARY, label=s.name, tag=tag))
    return Plot(f"Cut: {heading(given, step)}", given.names[0], s.name, tuple(curves))


def network_figure(given: Setting, s: State) -> Network:
    """The network with the activations at the centre of the bump; weights of 0 have no link."""
    *hidden, last = s.weights
    weights = (*(np.where(w == 0, np.nan, w) for w in hidden), last)
    names = tuple(f.title for f in given.problem.features)
    at_centre = given.answers(s, given.centre(s))
    into_output = ((len(hidden), -1, -1),)
    return Network("Network", at_centre, weights, (), into_output, names, ("output",), beside=False)
