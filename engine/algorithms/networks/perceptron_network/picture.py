"""The plane with a line for each unit, the network, a plot for each further output."""

from engine.algorithms.networks.parts import NO_HIDDEN, grid_classes, grid_inputs, grid_score
from engine.algorithms.networks.parts.figures import MOST_LINES, unit_line, unit_tag
from engine.algorithms.networks.parts.outputs import ones
from engine.algorithms.networks.perceptron_network import Setting, State
from engine.authoring import Float, Grid, Step, np, replace
from engine.numerics.activations import ACTIVATIONS
from engine.scene.scene import (
    NO_GROUP,
    Field,
    Figure,
    Layer,
    Network,
    Plot,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)

MOST_PLOTS = 3


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class at each place of the grid."""
    return grid_classes(given.problem, NO_HIDDEN, (given.own(s),), grid)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) in of the unit for two classes on the grid; 2a − 1 for sigmoid units."""
    if not given.threshold or len(given.problem.classes) > 2:
        return grid_score(given.problem, NO_HIDDEN, (given.own(s),), grid)
    return np.asarray(grid_inputs(given.problem, NO_HIDDEN, (given.own(s),), grid)[0])


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The scene of a step: the target's classes with the line of every unit, and a plot for each
    further output.
    """
    problem = given.problem
    targets = given.targets
    s = step.state
    current = looked_at(s)
    further = []
    if len(problem.plane) == 2:
        last = min(len(targets.names), targets.own + MOST_PLOTS)
        further = [output_plot(given, s, j) for j in range(targets.own, last)]
    figures: tuple[Figure, ...] = (
        network_figure(given, s, step.line),
        *further,
        output_table(given, current),
    )
    if not problem.plane:
        return Scene((), figures)
    shown = given.predict(s, problem.X)
    layers: list[Layer] = [Field("class", boundary=targets.own > 1)]
    for j, name in enumerate(targets.names[:MOST_LINES]):
        role = Role.BOUNDARY if j == 0 and targets.own == 1 else Role.CANDIDATE
        layers += unit_line(problem, s.W[:, j], s.before[:, j], name, unit_tag(1, j), role)
    layers += [data_points(problem, shown), *(active_point(problem, row, shown) for row in current)]
    return Scene(tuple(layers), figures, leads=("Network", "Plane"))


def answers(given: Setting, s: State) -> Float:
    """(m,) the output of every unit for the current example."""
    g = ACTIVATIONS["threshold" if given.threshold else "logistic"].g
    return g(np.asarray(s.inputs, np.float64))


def heading(given: Setting, s: State, line: str) -> str:
    """What happens at a line, in a few words."""
    targets = given.targets
    count = len(targets.names)
    if line == "until":
        return f"round {s.round} over, {counted_wrong(s)}"
    if s.current < 0:
        return f"round {s.round} begins" if line == "round" else ""
    x = given.problem.names[s.current]
    if line == "take":
        return f"look at {x}"
    if line == "fire":
        wrong = [name for j, name in enumerate(targets.names) if given.errs(s, j)]
        if len(wrong) == 1:
            return f"{x}, {wrong[0]} is wrong"
        return f"{x}, {len(wrong)} of {count} units are wrong" if wrong else f"{x}, right"
    if line == "update" and s.unit >= 0:
        name = targets.names[s.unit]
        mistake = given.errs(s, s.unit)
        return f"mistake at {x}, {name} learns" if mistake else f"{name} learns from {x}"
    return ""


def counted_wrong(s: State) -> str:
    """The wrong outputs of all units."""
    return f"{s.outputs} wrong" if s.outputs else "none wrong"


def network_figure(given: Setting, s: State, line: str) -> Network:
    """The network with the outputs known so far; in amber the units that answer, then the links
    into the one just updated.
    """
    problem = given.problem
    targets = given.targets
    inputs = problem.X[s.current] if s.current >= 0 else np.full(problem.d, np.nan)
    said = answers(given, s) if len(s.inputs) else np.full(len(targets.names), np.nan)
    active = ((0, -1, s.unit),) if s.unit >= 0 else ()
    fired = len(s.inputs) > 0 and s.unit < 0
    units = tuple((1, j) for j in range(len(targets.names))) if fired else ()
    title = heading(given, s, line)
    names = tuple(f.title for f in problem.features)
    return Network(
        f"Network: {title}" if title else "Network",
        (inputs, said),
        (s.W,),
        active=active,
        names=names,
        outputs=targets.names,
        current=units,
    )


def output_plot(given: Setting, s: State, j: int) -> Plot:
    """A plot of the examples by the target of further output j, with the line of its unit."""
    problem = given.problem
    y = given.targets.Y[:, j]
    w = s.W[:, j]
    group = np.where(y > 0.5, 0, 1)
    group[np.isnan(y)] = NO_GROUP
    said = np.where(problem.X @ w[:-1] + w[-1] >= 0, 0, 1)
    line = unit_line(problem, w, s.before[:, j], "", unit_tag(1, j), Role.BOUNDARY)
    dots = Points(problem.xy, group, Role.POINT, said, tag="data", tags=problem.row_tags)
    rows = [s.current] if s.current >= 0 else []
    ring = [Points(problem.xy[rows], group[rows], Role.ACTIVE, tag="current")] if rows else []
    across, upright = (problem.features[k].title for k in problem.plane)
    low = problem.xy.min(0)
    high = problem.xy.max(0)
    room = 0.15 * np.where(high > low, high - low, 1.0)
    x0, y0 = low - room
    x1, y1 = high + room
    return Plot(
        f"Output {given.targets.names[j]}",
        across,
        upright,
        (*line, dots, *ring),
        x_range=(x0, x1),
        y_range=(y0, y1),
    )


def output_table(given: Setting, current: tuple[int, ...]) -> Table:
    """The examples with the columns of all outputs, each set apart by a rule."""
    table = data_table(given.problem, current=current)
    if len(given.targets.names) == given.targets.own:
        return table
    further = [
        TableColumn(column.feature, column.values, Role.BOUNDARY)
        for column in given.problem.aside
        if ones(column) is not None
    ]
    return replace(table, columns=(*table.columns, *further))
