"""The moving query on the plane of x and value: window, weights as sizes, the curve so far. AIMA Fig 18.28, MMDS 12.4."""

from functools import lru_cache

import numpy as np

from engine.core.arrays import Float, frozen
from engine.core.dataset import Feature, Kind
from engine.core.notation import number
from engine.core.problem import Problem
from engine.core.scene import (
    NO_GROUP,
    Band,
    Figure,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_points,
    data_table,
)
from engine.numerics.local_fits import Rule, kernel_value
from engine.numerics.smoothing import Smoother
from engine.numerics.sweep import State, Sweep, left_out_errors
from engine.pictures.regression import current_layer, extent, level_layers, points_layer, upright

_SMALL_TABLE = 400  # with more examples the errors of other settings cost too much
_MOST_K, _EVERY_K = (
    30,
    90,
)  # neighbours whose error is shown; examples from which on not each k is, for it takes a while
_TABLE_ROWS = 40
_BELOW, _HEIGHT = 0.06, 0.22  # of the values' range: how far below the points the kernel stands, and how tall
_NARROW = 0.05  # of the range: 1/d is cut off there, for it has no top


def picture(problem: Problem, sweep: Sweep, s: State, errors: Plot | None) -> Scene:
    """The whole scene of a step; `errors`: the left-out errors of other settings."""
    figures = [
        *query_figures(problem, sweep, s),
        *([errors] if errors else []),
        data_table(problem, current=_looked(s)),
    ]
    return Scene(tuple(plane_layers(problem, sweep, s)), tuple(figures))


def _looked(s: State) -> tuple[int, ...]:
    return (s.looked,) if s.looked >= 0 else ()


def plane_layers(problem: Problem, sweep: Sweep, s: State) -> list[Layer]:
    if not problem.plane:
        return []
    layers: list[Layer] = []
    if s.stored:
        layers += curves(sweep, s) if upright(problem) else value_levels(problem, sweep)
        if len(s.query):
            layers += window(problem, sweep, s)
        layers += upright_line(problem, s)
    layers.append(weighted_points(problem, s))
    if len(s.query) and not s.finished:
        layers += neighbours(problem, s)
        layers += [layer for row in _looked(s) for layer in current_layer(problem, row)]
        layers += query_layers(problem, sweep, s)
    return layers


@lru_cache(maxsize=8)
def value_levels(problem: Problem, sweep: Sweep) -> list[Layer]:
    """Over two columns: lines of equal value."""
    return level_layers(problem, sweep.model.values, "curve")


def curves(sweep: Sweep, s: State) -> list[Layer]:
    """The curve as far as the query has come, and pale what is to come."""
    xy = sweep.curve
    if s.finished:
        return [Polyline(xy, Role.BOUNDARY, tag="curve")]
    if not len(s.query):
        return [Polyline(xy, Role.GHOST, tag="curve")]
    at = float(s.query[sweep.model.column])
    x = np.where(np.isnan(xy[:, 0]), np.append(xy[1:, 0], np.inf), xy[:, 0])  # a break belongs to what comes after it
    cut = int(np.searchsorted(x, at, side="left"))
    joint = np.array([[at, s.value]]) if s.answered else np.zeros((0, 2))
    return [
        Polyline(
            np.vstack([joint, xy[cut:]]) if len(joint) and _smooth(xy, cut) else xy[cut:], Role.GHOST, tag="curve"
        ),
        Polyline(np.vstack([xy[:cut], joint]) if _smooth(xy, cut) else xy[:cut], Role.BOUNDARY, tag="curve"),
    ]


def _smooth(xy: Float, cut: int) -> bool:
    """No jump lies between the places around the cut."""
    return 0 < cut < len(xy) and bool(np.isfinite(xy[cut - 1 : cut + 1]).all())


def weighted_points(problem: Problem, s: State) -> Points:
    """The examples; during a query the area of each says its weight."""
    plain = points_layer(problem)
    if not len(s.query) or s.finished or len(plain.xy) != problem.n or len(np.unique(s.weights)) < 2:
        return plain
    weight = np.zeros(problem.n)
    weight[s.neighbours] = np.maximum(s.weights, 0.0)
    top = float(weight.max())
    return data_points(problem, weight=frozen(weight / top)) if np.isfinite(top) and top > 0 else plain


def neighbours(problem: Problem, s: State) -> list[Layer]:
    """Rings around the examples that count, when they are not all."""
    if len(s.neighbours) == problem.n:
        return []
    xy = problem.xy[s.neighbours]
    return [Points(xy, np.full(len(xy), NO_GROUP), Role.NEIGHBOUR, tag="neighbours")]


def upright_line(problem: Problem, s: State) -> list[Layer]:
    """Where the query is, behind the points."""
    if not upright(problem) or not len(s.query) or s.finished:
        return []
    x = float(problem.to_plane(s.query[None])[0, 0])
    return [Segments(np.array([[[x, -np.inf], [x, np.inf]]]), Role.MARGIN, tag="query")]


def query_layers(problem: Problem, sweep: Sweep, s: State) -> list[Layer]:
    """The query below the points, and the value above it once it is known."""
    one = np.full(1, NO_GROUP)
    at = problem.to_plane(s.query[None])
    if not upright(problem):
        label = (number(s.value),) if s.answered else ()
        return [Points(at, one, Role.QUERY, tag="query"), Points(at, one, Role.NEAREST, label=label, tag="value")] if label \
            else [Points(at, one, Role.QUERY, tag="query")]  # fmt: skip
    x, floor = float(at[0, 0]), base(problem)
    mark = Points(np.array([[x, floor]]), one, Role.QUERY, tag="query")
    if not s.answered:
        return [mark]
    value = Points(np.array([[x, s.value]]), one, Role.NEAREST, label=(number(s.value),), tag="value")
    return [*local_line(problem, sweep, s, x), mark, value]


def local_line(problem: Problem, sweep: Sweep, s: State, x: float) -> list[Layer]:
    """The line fitted for this query alone."""
    if not len(s.slope) or not len(s.neighbours):
        return []
    reach = float(np.abs(problem.xy[s.neighbours, 0] - x).max())
    reach = min(reach, 0.5 * (sweep.high - sweep.low)) or 0.1 * (sweep.high - sweep.low)
    slope = float(s.slope[sweep.model.column if len(s.slope) > 1 else 0])
    ends = np.array([[x - reach, s.value - slope * reach], [x + reach, s.value + slope * reach]])
    return [Segments(ends[None], Role.ACTIVE, tag="line")]


def base(problem: Problem) -> float:
    """Where the kernel stands, below the points."""
    low, high = extent(problem, 1)
    return low - _BELOW * (high - low)


def window(problem: Problem, sweep: Sweep, s: State) -> list[Layer]:
    """The kernel under the points, or how far the neighbours reach."""
    if not upright(problem) or s.finished or not isinstance(sweep.model, Smoother):
        return []
    low, high = extent(problem, 1)
    q = float(s.query[sweep.model.column])
    reach = float(np.abs(problem.xy[s.neighbours, 0] - q).max(initial=0.0))
    away = window_places(sweep, q, reach)
    height = heights(sweep, np.abs(away), reach)
    seen = np.flatnonzero(height > 1e-4)
    if len(seen) < 2:
        return []
    kept = slice(max(0, int(seen[0]) - 1), int(seen[-1]) + 2)
    floor = np.full(len(away[kept]), base(problem))
    top = floor + _HEIGHT * (high - low) * height[kept]
    return [Band(q + away[kept], floor, top, Role.PLAIN, tag="kernel")]


def weight_tag(problem: Problem, sweep: Sweep) -> str:
    """What shows the weights: the kernel under the points, where there is one, or the examples that count."""
    return "kernel" if upright(problem) and isinstance(sweep.model, Smoother) else "neighbours"


def window_places(sweep: Sweep, q: float, reach: float) -> Float:
    """Where the kernel is drawn, seen from the query: evenly, more densely inside its width, and at the last neighbour."""
    edge = np.array([reach, reach * (1 + 1e-9)])
    narrow = np.linspace(-1, 1, 41) * _width(sweep)
    return np.unique(np.concatenate([np.linspace(sweep.low, sweep.high, 241) - q, narrow, edge, -edge]))


def _width(sweep: Sweep) -> float:
    return min(sweep.model.rule.width, sweep.high - sweep.low) if isinstance(sweep.model, Smoother) else 0.0


def heights(sweep: Sweep, away: Float, reach: float) -> Float:
    """K(d) with its top at 1; 1/d is cut off near the query; beyond the last neighbour there is nothing."""
    assert isinstance(sweep.model, Smoother)
    rule = sweep.model.rule
    narrow = _NARROW * (sweep.high - sweep.low)
    top = kernel_value(np.array([narrow if rule.kernel in ("1/d", "1/d²") else 0.0]), rule)[0]
    height = np.minimum(1.0, kernel_value(np.maximum(away, 1e-12), rule) / top)
    return np.where(away <= reach, height, 0.0) if sweep.model.k else height


# -- figures -----------------------------------------------------------------------------------------------------------


def query_figures(problem: Problem, sweep: Sweep, s: State) -> list[Figure]:
    """The sum of the estimate as a table: distance, weight, y, w · y of each example that counts. MMDS Fig 12.24."""
    if not len(s.query) or not len(s.neighbours) or s.finished:
        return []
    rows, weights = s.neighbours[:_TABLE_ROWS], s.weights[:_TABLE_ROWS]
    y = np.asarray(problem.y, np.float64)[rows]
    columns = (
        _column("distance", sweep_distances(problem, sweep, s)[:_TABLE_ROWS]),
        _column("weight", weights, Role.ACTIVE),
        TableColumn(problem.target, y, Role.BOUNDARY) if problem.target is not None else _column("y", y),
        _column("w · y", weights * y),
    )
    names = tuple(problem.names[i] for i in rows)
    numbers = tuple(problem.number_of(int(i)) for i in rows)
    current = tuple(np.flatnonzero(rows == s.looked).tolist())
    more = f", the nearest {_TABLE_ROWS}" if len(s.neighbours) > _TABLE_ROWS else ""
    title = "Weights: what counts here" + more
    return [Table(title, columns, names, current=current, tag="neighbours", numbers=numbers)]


def sweep_distances(problem: Problem, sweep: Sweep, s: State) -> Float:
    """Distances of the neighbours from the query."""
    gaps = problem.X[s.neighbours] - s.query
    if not isinstance(sweep.model, Smoother):
        gaps = gaps[:, [sweep.model.column]]
    return np.asarray(np.sqrt((gaps * gaps).sum(axis=1)))


def _column(title: str, values: Float, role: Role = Role.PLAIN) -> TableColumn:
    return TableColumn(Feature(title, Kind.NUMERIC), frozen(values), role, 3)


def rival_plot(
    problem: Problem, title: str, x_label: str, places: Float, rules: tuple[Rule, ...], now: float
) -> Plot | None:
    """Left-out errors of other settings, the one in force marked, the least ringed. AIMA 18.8.4."""
    if problem.n > _SMALL_TABLE or problem.n < 3:
        return None
    errors = rival_errors(problem, rules)
    xy = np.column_stack([places, errors])
    here, least = int(np.abs(places - now).argmin()), int(errors.argmin())
    one = np.full(1, NO_GROUP)
    layers = (
        Polyline(xy, Role.HELD_OUT, tag="errors"),
        Points(xy[[least]], one, Role.SUPPORT, label=("least",), tag="errors"),
        Points(xy[[here]], one, Role.ACTIVE, tag="now"),
    )
    return Plot(title, x_label, "RMSE", layers)


@lru_cache(maxsize=16)
def rival_errors(problem: Problem, rules: tuple[Rule, ...]) -> Float:
    return frozen(left_out_errors(problem, rules))


def neighbour_rivals(problem: Problem, rule: Rule) -> Plot | None:
    """Left-out errors by k: of every k of few examples, else of the smallest ones and of some."""
    last = min(problem.n - 1, _MOST_K)
    every = 1 + problem.n // _EVERY_K
    ks = tuple(sorted({*range(1, min(last, 5) + 1), *range(every, last + 1, every), min(rule.k, last)} - {0}))
    rules = tuple(Rule(k, rule.kernel, rule.width, rule.estimate) for k in ks)
    return rival_plot(
        problem, "Errors: each example left out, by k", "k", np.array(ks, np.float64), rules, float(rule.k)
    )


def width_rivals(problem: Problem, sweep: Sweep, rule: Rule) -> Plot | None:
    """Left-out errors by the width of the kernel."""
    if rule.kernel not in ("gaussian", "quadratic"):
        return None
    span, count = sweep.high - sweep.low, int(np.clip(2400 / problem.n, 8, 32))  # each width is one fit per example
    widths = np.geomspace(0.04 * span, 2 * span, count)
    widths = np.unique(np.append(widths, np.clip(rule.width, 0.04 * span, 2 * span)))
    rules = tuple(Rule(rule.k, rule.kernel, float(width), rule.estimate) for width in widths)
    return rival_plot(problem, "Errors: each example left out, by width", "width", widths, rules, rule.width)
