"""The plane with a line for each unit, the network, a plot for each further output."""

from engine.algorithms.networks.parts import NO_HIDDEN, grid_classes, grid_inputs, grid_score
from engine.algorithms.networks.parts.figures import MOST_LINES, unit_line, unit_tag
from engine.algorithms.networks.parts.outputs import ones
from engine.algorithms.networks.perceptron_network import Setting, State
from engine.authoring import Float, Grid, Step, np, replace
from engine.core.scene import (
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
from engine.numerics.activations import ACTIVATIONS

MOST_PLOTS = 3


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    return grid_classes(given.problem, NO_HIDDEN, (given.own(s),), grid)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """in of the unit of two classes; for sigmoid units 2a − 1."""
    if not given.threshold or len(given.problem.classes) > 2:
        return grid_score(given.problem, NO_HIDDEN, (given.own(s),), grid)
    return np.asarray(grid_inputs(given.problem, NO_HIDDEN, (given.own(s),), grid)[0])


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The plane shows the target's classes and the line of every unit; further outputs have a plot
    each.
    """
    problem = given.problem
    told = given.told
    s = step.state
    current = looked_at(s)
    shows = (
        range(told.own, min(len(told.names), told.own + MOST_PLOTS))
        if len(problem.plane) == 2
        else ()
    )
    further = [output_plot(given, s, j) for j in shows]
    figures: tuple[Figure, ...] = (network_figure(given, s), *further, output_table(given, current))
    if not problem.plane:
        return Scene((), figures)
    shown = given.predict(s, problem.X)
    layers: list[Layer] = [Field("class", boundary=told.own > 1)]
    for j, name in enumerate(told.names[:MOST_LINES]):
        role = Role.BOUNDARY if j == 0 and told.own == 1 else Role.CANDIDATE
        layers += unit_line(problem, s.W[:, j], s.before[:, j], name, unit_tag(1, j), role)
    layers += [data_points(problem, shown), *(active_point(problem, row, shown) for row in current)]
    return Scene(tuple(layers), figures, leads=("Network", "Plane"))


def answers(given: Setting, s: State) -> Float:
    g = ACTIVATIONS["threshold" if given.threshold else "logistic"].g
    return g(np.asarray(s.inputs, np.float64))


def network_figure(given: Setting, s: State) -> Network:
    """The inputs, the answers as far as they are known, amber links into the unit that changed."""
    problem, told = given.problem, given.told
    inputs = problem.X[s.current] if s.current >= 0 else np.full(problem.d, np.nan)
    said = answers(given, s) if len(s.inputs) else np.full(len(told.names), np.nan)
    active = ((0, -1, s.unit),) if s.unit >= 0 else (((0, -1, -1),) if len(s.inputs) else ())
    names = tuple(f.title for f in problem.features)
    return Network(
        "Network", (inputs, said), (s.W,), active=active, names=names, outputs=told.names
    )


def output_plot(given: Setting, s: State, j: int) -> Plot:
    """The examples as one of the further outputs has to divide them, and the line that its unit
    draws now.
    """
    problem, told = given.problem, given.told
    y = told.Y[:, j]
    w = s.W[:, j]
    group = np.where(np.isnan(y), -1, np.where(y > 0.5, 0, 1))
    said = np.where(problem.X @ w[:-1] + w[-1] >= 0, 0, 1)
    line = unit_line(problem, w, s.before[:, j], "", unit_tag(1, j), Role.BOUNDARY)
    at = [s.current] if s.current >= 0 else []
    ring = [Points(problem.xy[at], group[at], Role.ACTIVE, tag="current")] if at else []
    dots = Points(problem.xy, group, Role.POINT, said, tag="data", tags=problem.row_tags)
    across, upright = (problem.features[k].title for k in problem.plane)
    low = problem.xy.min(0)
    size = np.ptp(problem.xy, axis=0)
    room = 0.15 * np.where(size > 0, size, 1.0)
    x0, y0 = low - room
    x1, y1 = problem.xy.max(0) + room
    return Plot(
        f"Output {told.names[j]}",
        across,
        upright,
        (*line, dots, *ring),
        x_range=(x0, x1),
        y_range=(y0, y1),
    )


def output_table(given: Setting, current: tuple[int, ...]) -> Table:
    """The examples with the columns of all outputs, each set apart by a rule."""
    aside = given.problem.aside if len(given.told.names) > given.told.own else ()
    further = [
        TableColumn(one.feature, one.values, Role.BOUNDARY)
        for one in aside
        if ones(one) is not None
    ]
    return replace(
        table := data_table(given.problem, current=current), columns=(*table.columns, *further)
    )
