"""What pictures of networks that learn share: surfaces, lines of the first units, hidden space, the
curve learnt.
"""

from collections.abc import Iterable
from typing import Any

from engine.algorithms.networks.parts import Units, grid_classes, grid_score, output_inputs
from engine.algorithms.networks.parts.figures import (
    MOST_LINES,
    symbols,
    unit_line,
    unit_tag,
    unit_tags,
)
from engine.algorithms.networks.parts.network_setting import NetworkSetting
from engine.authoring import Float, Grid, Iterator, Problem, Sequence, frozen, np
from engine.numerics.activations import Activation
from engine.scene.regression import curve_layers, feet, residuals
from engine.scene.scene import (
    NO_GROUP,
    Bars,
    Field,
    Figure,
    Layer,
    Line,
    Plot,
    Role,
    Scene,
    Space,
    looked_at,
    plane_scene,
    points_at,
)


def class_surface(given: NetworkSetting[Any], s: Any, grid: Grid) -> Float:
    """(ny, nx) the class at each place of the grid; −1 everywhere for values."""
    if given.problem.regress:
        return np.full(grid.shape, -1.0)
    return grid_classes(given.problem, given.units, s.weights, grid)


def score_surface(given: NetworkSetting[Any], s: Any, grid: Grid) -> Float:
    """(ny, nx) how sure the network is of one of two classes, see `grid_score`."""
    return grid_score(given.problem, given.units, s.weights, grid)


FIELDS = {"class": class_surface, "score": score_surface}


def output_names(problem: Problem, units: Units) -> tuple[str, ...]:
    """The names of the outputs: the value, the positive one of two classes, or each class; then
    further columns.
    """
    target = problem.target.title if problem.target is not None else "output"
    if units.targets is None:
        return (target,)
    own = tuple(f"{target} = {problem.class_text(code)}" for code in range(units.targets.own))
    return own + units.targets.names[units.targets.own :]


def network_plane(
    given: NetworkSetting[Any], s: Any, said: Any, figures: Iterable[Figure]
) -> Scene:
    """The scene of the network's figures and the plane of its classes with the lines of its first
    units. said: (n,) answers
    """
    two = len(given.problem.classes) == 2
    ground = [Field("score", (-0.8, 0.8), True) if two else Field("class", boundary=True)]
    lines = unit_lines(given.problem, s.weights, s.before)
    return plane_scene(given.problem, s, said, figures, ground, lines, leads=("Network", "Plane"))


def unit_lines(
    problem: Problem, weights: Sequence[Float], before: Sequence[Float]
) -> Iterator[Layer]:
    """The line in = 0 of every first-layer unit with an input, and pale its previous one."""
    role = Role.CANDIDATE if len(weights) > 1 else Role.BOUNDARY
    for j, name in enumerate(symbols(weights)[1][:-1][:MOST_LINES]):
        if weights[0][:-1, j].any() or before[0][:-1, j].any():
            yield from unit_line(
                problem, weights[0][:, j], before[0][:, j], name, unit_tag(1, j), role
            )


def hidden_space(given: NetworkSetting[Any], s: Any, shown: Any) -> list[Figure]:
    """The examples in the space of the last hidden layer, where it has two or three units; else
    [].
    """
    size = len(s.weights[-1]) - 1
    if len(s.weights) < 2 or size not in (2, 3):
        return []
    seen = given.forward(s.weights, given.problem.X)[-2]
    return [hidden_plot(given, s, seen, shown) if size == 2 else hidden_box(given.problem, s, seen)]


def hidden_plot(given: NetworkSetting[Any], s: Any, hidden: Float, shown: Any) -> Plot:
    """hidden (n, 2), and where the output units divide that plane: one of several classes by a line
    of its colour.
    """
    problem = given.problem
    units = given.units
    names = symbols(s.weights)[-2]
    last = s.weights[-1]
    dots = points_at(problem, hidden, shown, looked_at(s))
    return Plot(
        "Hidden",
        names[0],
        names[1],
        (*output_lines(problem, units, last, len(s.weights)), *dots),
        x_range=_span(hidden[:, 0], units.hidden),
        y_range=_span(hidden[:, 1], units.hidden),
    )


def output_lines(problem: Problem, units: Units, last: Float, layer: int) -> Iterator[Line]:
    """The line in = 0 of each output unit with weights `last` (3, m), those of the class first;
    none for a value.
    """
    if units.targets is None:
        return
    own = units.targets.own
    tags = unit_tags(layer, last.shape[1])
    for j, w in enumerate(last.T[: min(own, MOST_LINES)]):
        role = Role.PLAIN if own > 1 else Role.BOUNDARY
        group = j if own > 1 else NO_GROUP
        yield Line(w[:2], float(w[2]), role, "", tags[j], group)
    names = output_names(problem, units)
    for j in range(own, last.shape[1]):
        w = last[:, j]
        yield Line(w[:2], float(w[2]), Role.CANDIDATE, names[j], tags[j])


def hidden_box(problem: Problem, s: Any, hidden: Float) -> Space:
    """The activations hidden (n, 3) in space, with the plane of a single output unit."""
    last = s.weights[-1]
    roles = np.full(problem.n, Role.POINT, dtype=object)
    roles[list(looked_at(s))] = Role.ACTIVE
    planes: tuple[tuple[Float, float, Role], ...] = ()
    if problem.classes and last.shape[1] == 1:
        planes = ((last[:3, 0], float(last[3, 0]), Role.BOUNDARY),)
    one, two, three, _ = symbols(s.weights)[-2]
    return Space(
        "Hidden", (one, two, three), frozen(hidden), problem.codes, tuple(roles.tolist()), planes
    )


def _span(values: Float, g: Activation) -> tuple[float, float]:
    """The whole range of the unit's answers, or what the examples use of it."""
    low = g.low if np.isfinite(g.low) else float(values.min())
    high = g.high if np.isfinite(g.high) else float(values.max())
    margin = 0.06 * (high - low or 1.0)
    return low - margin, high + margin


def value_layers(given: NetworkSetting[Any], s: Any, values: Float) -> list[Layer]:
    """The predicted curve along the axis, pale its previous one, and each example's error."""

    def curve(weights: Sequence[Float], role: Role) -> list[Layer]:
        def predicted(X: Float) -> Float:
            return output_inputs(given.units, weights, X)[:, 0]

        return curve_layers(given.problem, predicted, role)

    moved = not all(map(np.array_equal, s.weights, s.before))
    previous = curve(s.before, Role.GHOST) if moved else []
    errors = residuals(given.problem, feet(given.problem, values))
    return [*errors, *previous, *curve(s.weights, Role.BOUNDARY)]


def output_bars(
    problem: Problem, units: Units, weights: Sequence[Float], a: Sequence[Float]
) -> Bars | None:
    """Bars of the outputs, or of what each unit before a single output adds to it.

    None for a single output with few or very many units before it.
    """
    if len(a[-1]) > 1:
        names = output_names(problem, units)[: len(a[-1])]
        tags = unit_tags(len(a) - 1, len(a[-1]))
        return Bars("Outputs", names, a[-1], tags=tags)
    parts = a[-2] * weights[-1][:-1, 0]
    if not 4 < len(parts) <= 30:
        return None
    names = symbols(weights)[-2][:-1]
    tags = unit_tags(len(a) - 2, len(parts))
    return Bars("Part of each unit", names, parts, tags=tags)
