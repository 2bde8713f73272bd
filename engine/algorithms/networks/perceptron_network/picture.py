"""The plane with a line for each unit, the network, a plot for each further output."""

from engine.algorithms.networks.parts import NO_HIDDEN, grid_classes, grid_inputs, grid_score
from engine.algorithms.networks.parts.figures import MOST_LINES, unit_line, unit_tag
from engine.algorithms.networks.parts.outputs import ones
from engine.algorithms.networks.perceptron_network import Setting, State
from engine.authoring import Float, Grid, Step, np, replace
from engine.core.scene import (
    Field, Figure, Layer, Network, Plot, Points, Role, Scene, Table, TableColumn, active_point, data_points, data_table,
)  # fmt: skip
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
    """The plane shows the target's classes and the line of every unit; further outputs have a plot each."""
    problem, told, s = given.problem, given.told, step.state
    current = (s.current,) if s.current >= 0 else ()
    shows = range(told.own, min(len(told.names), told.own + MOST_PLOTS)) if len(problem.plane) == 2 else ()
    further = [output_plot(given, s, j) for j in shows]
    figures: tuple[Figure, ...] = (network_figure(given, s), *further, output_table(given, current))
    if not problem.plane:
        return Scene((), figures)
    shown = given.predict(s, problem.X)
    lines = [line for j in range(min(len(told.names), MOST_LINES)) for line in _unit_line(given, s, j)]
    points: list[Layer] = [data_points(problem, shown)]
    points += [active_point(problem, row, shown) for row in current]
    return Scene((Field("class", boundary=told.own > 1), *lines, *points), figures)


def _unit_line(given: Setting, s: State, j: int) -> list[Layer]:
    role = Role.BOUNDARY if j == 0 and given.told.own == 1 else Role.CANDIDATE
    return unit_line(given.problem, s.W[:, j], s.before[:, j], given.told.names[j], unit_tag(1, j), role)


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
    return Network("Network", (inputs, said), (s.W,), active=active, names=names, outputs=told.names)


def output_plot(given: Setting, s: State, j: int) -> Plot:
    """The examples as one of the further outputs has to divide them, and the line that its unit draws now."""
    problem, told = given.problem, given.told
    y, w = told.Y[:, j], s.W[:, j]
    group = np.where(np.isnan(y), -1, np.where(y > 0.5, 0, 1))
    said = np.where(problem.X @ w[:-1] + w[-1] >= 0, 0, 1)
    line = unit_line(problem, w, s.before[:, j], "", unit_tag(1, j), Role.BOUNDARY)
    at = [s.current] if s.current >= 0 else []
    ring = [Points(problem.xy[at], group[at], Role.ACTIVE, tag="current")] if at else []
    dots = Points(problem.xy, group, Role.POINT, said, tag="data")
    across, upright = (problem.features[k].title for k in problem.plane)
    ranges = [_roomy(problem.xy[:, axis]) for axis in (0, 1)]
    return Plot(told.names[j], across, upright, (*line, dots, *ring), x_range=ranges[0], y_range=ranges[1])


def output_table(given: Setting, current: tuple[int, ...]) -> Table:
    """The examples with the columns of all outputs, each set apart by a rule."""
    problem, told = given.problem, given.told
    table = data_table(problem, current=current)
    aside = [column for column in problem.aside if len(told.names) > told.own and ones(column) is not None]
    further = [TableColumn(column.feature, column.values, Role.BOUNDARY) for column in aside]
    return replace(table, columns=(*table.columns, *further))


def _roomy(values: Float) -> tuple[float, float]:
    margin = 0.15 * (float(np.ptp(values)) or 1.0)
    return float(values.min()) - margin, float(values.max()) + margin
