"""The moving query on the plane of x and value: window, weights as sizes, the curve so far. AIMA Fig 18.28, MMDS 12.4."""

from functools import lru_cache

from engine.algorithms.regression.parts.smoothing import Smoother
from engine.algorithms.regression.parts.smoothing_fits import Rule, kernel_value
from engine.algorithms.regression.parts.sweep import AnySweep, State
from engine.authoring import Float, Problem, frozen, np, number, replace
from engine.core.dataset import Feature, Kind
from engine.core.scene import (
    NO_GROUP, Band, Figure, Layer, Plot, Points, Polyline, Role, Scene, Segments, Table, TableColumn, data_points,
    data_table,
)  # fmt: skip
from engine.pictures.regression import current_layer, extent, level_layers, points_layer, upright

_SMALL_TABLE = 400  # with more examples the errors of other settings cost too much
_MOST_K, _EVERY_K = (
    30,
    90,
)  # neighbours whose error is shown; examples from which on not each k is, for it takes a while
_TABLE_ROWS = 40
_BELOW, _HEIGHT = 0.06, 0.22  # of the values' range: how far below the points the kernel stands, and how tall
_NARROW = 0.05  # of the range: 1/d is cut off there, for it has no top


def picture(given: AnySweep, s: State, errors: Plot | None = None) -> Scene:
    """The whole scene of a step; `errors`: the left-out errors of other settings."""
    figures = [
        *query_figures(given, s),
        *([errors] if errors else []),
        data_table(given.problem, current=_looked(s)),
    ]
    return Scene(tuple(plane_layers(given, s)), tuple(figures))


def _looked(s: State) -> tuple[int, ...]:
    return (s.looked,) if s.looked >= 0 else ()


def plane_layers(given: AnySweep, s: State) -> list[Layer]:
    if not given.problem.plane:
        return []
    layers: list[Layer] = []
    if s.stored:
        layers += curves(given, s) if upright(given.problem) else value_levels(given)
        if len(s.query):
            layers += window(given, s)
        layers += upright_line(given.problem, s)
    layers.append(weighted_points(given.problem, s))
    if len(s.query) and not s.finished:
        layers += neighbours(given.problem, s)
        layers += [layer for row in _looked(s) for layer in current_layer(given.problem, row)]
        layers += query_layers(given, s)
    return layers


@lru_cache(maxsize=8)
def value_levels(given: AnySweep) -> list[Layer]:
    """Over two columns: lines of equal value."""
    return level_layers(given.problem, given.model.values, "curve")


def curves(given: AnySweep, s: State) -> list[Layer]:
    """The curve as far as the query has come, and pale what is to come."""
    xy = given.curve
    if s.finished:
        return [Polyline(xy, Role.BOUNDARY, tag="curve")]
    if not len(s.query):
        return [Polyline(xy, Role.GHOST, tag="curve")]
    at = float(s.query[given.model.column])
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


def query_layers(given: AnySweep, s: State) -> list[Layer]:
    """The query below the points, and the value above it once it is known."""
    one = np.full(1, NO_GROUP)
    at = given.problem.to_plane(s.query[None])
    if not upright(given.problem):
        label = (number(s.value),) if s.answered else ()
        return [Points(at, one, Role.QUERY, tag="query"), Points(at, one, Role.NEAREST, label=label, tag="value")] if label \
            else [Points(at, one, Role.QUERY, tag="query")]  # fmt: skip
    x, floor = float(at[0, 0]), base(given.problem)
    mark = Points(np.array([[x, floor]]), one, Role.QUERY, tag="query")
    if not s.answered:
        return [mark]
    value = Points(np.array([[x, s.value]]), one, Role.NEAREST, label=(number(s.value),), tag="value")
    return [*local_line(given, s, x), mark, value]


def local_line(given: AnySweep, s: State, x: float) -> list[Layer]:
    """The line fitted for this query alone."""
    if not len(s.slope) or not len(s.neighbours):
        return []
    reach = float(np.abs(given.problem.xy[s.neighbours, 0] - x).max())
    reach = min(reach, 0.5 * (given.span)) or 0.1 * (given.span)
    slope = float(s.slope[given.model.column if len(s.slope) > 1 else 0])
    ends = np.array([[x - reach, s.value - slope * reach], [x + reach, s.value + slope * reach]])
    return [Segments(ends[None], Role.ACTIVE, tag="line")]


def base(problem: Problem) -> float:
    """Where the kernel stands, below the points."""
    low, high = extent(problem, 1)
    return low - _BELOW * (high - low)


def window(given: AnySweep, s: State) -> list[Layer]:
    """The kernel under the points, or how far the neighbours reach."""
    if not upright(given.problem) or s.finished or given.model.rule is None:
        return []
    low, high = extent(given.problem, 1)
    q = float(s.query[given.model.column])
    reach = float(np.abs(given.problem.xy[s.neighbours, 0] - q).max(initial=0.0))
    away = window_places(given, q, reach)
    height = heights(given, np.abs(away), reach)
    seen = np.flatnonzero(height > 1e-4)
    if len(seen) < 2:
        return []
    kept = slice(max(0, int(seen[0]) - 1), int(seen[-1]) + 2)
    floor = np.full(len(away[kept]), base(given.problem))
    top = floor + _HEIGHT * (high - low) * height[kept]
    return [Band(q + away[kept], floor, top, Role.PLAIN, tag="kernel")]


def weight_tag(given: AnySweep) -> str:
    """What shows the weights: the kernel under the points, where there is one, or the examples that count."""
    return "kernel" if upright(given.problem) and given.model.rule is not None else "neighbours"


def window_places(given: AnySweep, q: float, reach: float) -> Float:
    """Where the kernel is drawn, seen from the query: evenly, more densely inside its width, and at the last neighbour."""
    edge = np.array([reach, reach * (1 + 1e-9)])
    narrow = np.linspace(-1, 1, 41) * _width(given)
    return np.unique(np.concatenate([np.linspace(*given.ends, 241) - q, narrow, edge, -edge]))


def _width(given: AnySweep) -> float:
    return min(given.model.rule.width, given.span) if given.model.rule is not None else 0.0


def heights(given: AnySweep, away: Float, reach: float) -> Float:
    """K(d) with its top at 1; 1/d is cut off near the query; beyond the last neighbour there is nothing."""
    assert given.model.rule is not None
    rule = given.model.rule
    narrow = _NARROW * (given.span)
    top = kernel_value(np.array([narrow if rule.kernel in ("1/d", "1/d²") else 0.0]), rule)[0]
    height = np.minimum(1.0, kernel_value(np.maximum(away, 1e-12), rule) / top)
    return np.where(away <= reach, height, 0.0) if given.model.k else height


# -- figures -----------------------------------------------------------------------------------------------------------


def query_figures(given: AnySweep, s: State) -> list[Figure]:
    """The sum of the estimate as a table: distance, weight, y, w · y of each example that counts. MMDS Fig 12.24."""
    if not len(s.query) or not len(s.neighbours) or s.finished:
        return []
    rows, weights = s.neighbours[:_TABLE_ROWS], s.weights[:_TABLE_ROWS]
    y = np.asarray(given.problem.y, np.float64)[rows]
    columns = (
        _column("distance", sweep_distances(given, s)[:_TABLE_ROWS]),
        _column("weight", weights, Role.ACTIVE),
        TableColumn(given.problem.target, y, Role.BOUNDARY) if given.problem.target is not None else _column("y", y),
        _column("w · y", weights * y),
    )
    names = tuple(given.problem.names[i] for i in rows)
    numbers = tuple(given.problem.number_of(int(i)) for i in rows)
    current = tuple(np.flatnonzero(rows == s.looked).tolist())
    more = f", the nearest {_TABLE_ROWS}" if len(s.neighbours) > _TABLE_ROWS else ""
    title = "Weights: what counts here" + more
    return [Table(title, columns, names, current=current, tag="neighbours", numbers=numbers)]


def sweep_distances(given: AnySweep, s: State) -> Float:
    """Distances of the neighbours from the query."""
    gaps = given.problem.X[s.neighbours] - s.query
    if given.model.rule is None:
        gaps = gaps[:, [given.model.column]]
    return np.asarray(np.sqrt((gaps * gaps).sum(axis=1)))


def _column(title: str, values: Float, role: Role = Role.PLAIN) -> TableColumn:
    return TableColumn(Feature(title, Kind.NUMERIC), frozen(values), role, 3)


def rival_plot(given: AnySweep, what: str, places: Float, rules: tuple[Rule, ...], now: float) -> Plot | None:
    """Left-out errors of other settings, the one in force marked, the least ringed. AIMA 18.8.4."""
    if given.problem.n > _SMALL_TABLE or given.problem.n < 3:
        return None
    errors = left_out_errors(given.problem, rules)
    xy = np.column_stack([places, errors])
    here, least = int(np.abs(places - now).argmin()), int(errors.argmin())
    one = np.full(1, NO_GROUP)
    layers = (
        Polyline(xy, Role.HELD_OUT, tag="errors"),
        Points(xy[[least]], one, Role.SUPPORT, label=("least",), tag="errors"),
        Points(xy[[here]], one, Role.ACTIVE, tag="now"),
    )
    return Plot(f"Errors: each example left out, by {what}", what, "RMSE", layers)


@lru_cache(maxsize=16)
def left_out_errors(problem: Problem, rules: tuple[Rule, ...]) -> Float:
    """(len(rules),) the root of the mean squared left-out error of each."""
    return frozen([float(np.sqrt(np.mean(Smoother(problem, rule).left_out[1] ** 2))) for rule in rules])


def neighbour_rivals(given: AnySweep) -> Plot | None:
    """Left-out errors by k: of every k of few examples, else of the smallest ones and of some."""
    n, rule = given.problem.n, given.rule
    last, every = min(n - 1, _MOST_K), 1 + n // _EVERY_K
    ks = tuple(sorted({*range(1, min(last, 5) + 1), *range(every, last + 1, every), min(rule.k, last)} - {0}))
    rules = tuple(replace(rule, k=k) for k in ks)
    return rival_plot(given, "k", np.array(ks, np.float64), rules, float(rule.k))


def width_rivals(given: AnySweep) -> Plot | None:
    """Left-out errors by the width of the kernel."""
    rule = given.rule
    if rule.kernel not in ("gaussian", "quadratic"):
        return None
    least, most = 0.04 * given.span, 2 * given.span
    widths = np.geomspace(least, most, int(np.clip(2400 / given.problem.n, 8, 32)))  # each is one fit per example
    widths = np.unique(np.append(widths, np.clip(rule.width, least, most)))
    rules = tuple(replace(rule, width=float(width)) for width in widths)
    return rival_plot(given, "width", widths, rules, rule.width)
