"""The moving query on the plane of x and value: window, weights as sizes, the curve so far.

AIMA Fig 18.28, MMDS 12.4.
"""

from functools import lru_cache

from engine.algorithms.regression.parts.smoothing import Smoother
from engine.algorithms.regression.parts.smoothing_fits import Rule, kernel_value
from engine.algorithms.regression.parts.sweep import BEYOND, AnySmoothing, AnySweep, State
from engine.authoring import Float, Iterator, Problem, frozen, np, number, replace
from engine.base.notation import counted
from engine.scene.regression import current_layer, extent, level_layers, points_layer, upright
from engine.scene.scene import (
    NO_GROUP,
    Band,
    Labels,
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
from engine.table.dataset import Feature, Kind

_SMALL_TABLE = 400  # with more examples the errors of other settings cost too much
_MOST_K = 30  # neighbours whose error is shown
_EVERY_K = 90  # with so many examples every second k is left out, with twice as many two of three
_TABLE_ROWS = 40
_OF_A_BEND = 61  # places of a local quadratic
_BELOW = 0.06  # of the values' range: how far below the points the kernel stands
_HEIGHT = 0.22  # of the values' range: how tall it is
_MOST_LEVELS = 10  # level pieces of a curve whose values are written
_LEVEL, _ABOVE = (
    1e-9,
    0.05,
)  # of the values' range: how level a piece is, how far above is its value
_NARROW = 0.05  # of the range: 1/d is cut off there, for it has no top


def picture(given: AnySweep, s: State, errors: Plot | None = None) -> Scene:
    """The scene of a step. errors: a plot of the left-out errors of other parameters, None for
    none
    """
    current = (s.looked,) if s.looked >= 0 else ()
    rivals = () if errors is None else (errors,)
    figures = (*query_figures(given, s), *rivals, data_table(given.problem, current=current))
    layers = plane_layers(given, s) if given.problem.plane else ()
    return Scene(tuple(layers), figures, plane=plane_title(given, s))


def plane_title(given: AnySweep, s: State) -> str:
    """What the plane shows: how far the memory or the query is."""
    if s.finished:
        return "The curve: every query is answered"
    if not s.stored:
        return "The examples: none is stored yet"
    if not len(s.query):
        return f"The examples: {len(given.model.y)} stored, nothing fitted"
    query = f"Query {number(float(s.query[given.model.column]))}"
    counting = counted(len(s.neighbours), "example")
    if s.answered:
        return f"{query}: {number(s.value)} from {counting}"
    if s.looked >= 0:
        return f"{query}: how far is {given.problem.names[s.looked]}?"
    return f"{query}: {counting} near" if len(s.neighbours) else f"{query}: what is the value?"


def plane_layers(given: AnySweep, s: State) -> Iterator[Layer]:
    """The curve, the query with its neighbours, the examples."""
    problem = given.problem
    moving = len(s.query) > 0 and not s.finished
    if s.stored:
        yield from curves(given, s) if upright(problem) else value_levels(given)
    if not moving:
        yield points_layer(problem)
        return
    yield from window(given, s)
    if upright(problem):  # where the query is, behind the points
        x = float(problem.to_plane(s.query[None])[0, 0])
        yield Segments(np.array([[[x, -np.inf], [x, np.inf]]]), Role.MARGIN, tag="query")
    yield weighted_points(problem, s)
    yield from neighbours(problem, s)
    if s.looked >= 0:
        yield from current_layer(problem, s.looked)
    yield from query_layers(given, s)


@lru_cache(maxsize=8)
def value_levels(given: AnySweep) -> list[Layer]:
    """The estimate over two columns as lines of equal value."""
    return level_layers(given.problem, given.model.values, "curve")


def curves(given: AnySweep, s: State) -> list[Layer]:
    """The curve up to the query, and pale the rest."""
    xy = given.curve
    if s.finished:
        return [Polyline(xy, Role.BOUNDARY, tag="curve"), *level_values(given.problem, xy)]
    if not len(s.query):
        return [Polyline(xy, Role.GHOST, tag="curve")]
    at = float(s.query[given.model.column])
    # a break belongs to what comes after it
    x = np.where(np.isnan(xy[:, 0]), np.append(xy[1:, 0], np.inf), xy[:, 0])
    cut = int(np.searchsorted(x, at, side="left"))
    # no jump lies between the two places
    smooth = 0 < cut < len(xy) and bool(np.isfinite(xy[cut - 1 : cut + 1]).all())
    joint = np.array([[at, s.value]] if s.answered and smooth else []).reshape(-1, 2)
    return [
        Polyline(np.vstack([joint, xy[cut:]]), Role.GHOST, tag="curve"),
        Polyline(np.vstack([xy[:cut], joint]), Role.BOUNDARY, tag="curve"),
    ]


def level_values(problem: Problem, xy: Float) -> list[Layer]:
    """The values of a curve of few level pieces, each above the middle of its piece unless an
    example lies on the piece and shows its value; [] for another curve. The middle is that of the
    part over which the query moves. xy: (m, 2) the curve, NaN rows where it jumps
    """
    breaks = np.flatnonzero(np.isnan(xy[:, 0]))
    pieces = [piece[np.isfinite(piece[:, 0])] for piece in np.split(xy, breaks)]
    pieces = [piece for piece in pieces if len(piece) > 1]
    tall = float(np.ptp(extent(problem, 1)))
    level = all(np.ptp(piece[:, 1]) <= _LEVEL * tall for piece in pieces)
    if not level or not 0 < len(pieces) <= _MOST_LEVELS:
        return []
    pieces = [piece for piece in pieces if not _meets(piece, problem.xy, _LEVEL * tall)]
    low, high = extent(problem, 0)
    away = BEYOND * (high - low)
    seen = [np.clip(piece[[0, -1], 0], low - away, high + away) for piece in pieces]
    middles = np.array([[np.mean(x), piece[0, 1]] for x, piece in zip(seen, pieces, strict=True)])
    if not len(middles):
        return []
    places = frozen(middles + np.array([0.0, _ABOVE * tall]))
    return [Labels(places, tuple(number(value) for value in middles[:, 1]), tag="curve")]


def _meets(piece: Float, xy: Float, near: float) -> bool:
    """Whether one of the places xy (m, 2) lies on a level piece (k, 2)."""
    beside = (xy[:, 0] >= piece[0, 0]) & (xy[:, 0] <= piece[-1, 0])
    return bool((beside & (np.abs(xy[:, 1] - piece[0, 1]) <= near)).any())


def weighted_points(problem: Problem, s: State) -> Points:
    """The examples; during a query the area of each is its weight."""
    plain = points_layer(problem)
    weight = np.zeros(problem.n)
    weight[s.neighbours] = np.maximum(s.weights, 0.0)
    top = float(weight.max())
    differ = len(np.unique(s.weights)) > 1
    if len(plain.xy) < problem.n or not differ or not 0 < top < np.inf:
        return plain
    return data_points(problem, weight=frozen(weight / top))


def neighbours(problem: Problem, s: State) -> list[Layer]:
    """Rings around the neighbours; [] where all examples are."""
    if len(s.neighbours) == problem.n:
        return []
    xy = problem.xy[s.neighbours]
    tags = problem.tags_of(s.neighbours)
    return [Points(xy, np.full(len(xy), NO_GROUP), Role.NEIGHBOUR, tag="neighbours", tags=tags)]


def query_layers(given: AnySweep, s: State) -> list[Layer]:
    """The query below the points, and above it the estimate once it is known."""
    one = np.full(1, NO_GROUP)
    at = given.problem.to_plane(s.query[None])
    if upright(given.problem):
        at[0, 1] = base(given.problem)
    mark = Points(at, one, Role.QUERY, tag="query")
    if not s.answered:
        return [mark]
    line: list[Layer] = []
    at = at.copy()
    if upright(given.problem):
        at[0, 1] = s.value
        line = local_line(given, s, float(at[0, 0]))
    value = Points(at, one, Role.NEAREST, label=(number(s.value),), tag="value")
    return [*line, mark, value]


def local_line(
    given: AnySweep, s: State, x: float, role: Role = Role.ACTIVE, tag: str = "line"
) -> list[Layer]:
    """What is fitted for this query alone, over the reach of its neighbours: a line or quadratic,
    or the level of a mean; [] where neighbours do not give the value.
    """
    if given.model.rule is None or not len(s.neighbours):
        return []
    reach = float(np.abs(given.problem.xy[s.neighbours, 0] - x).max())
    reach = min(reach, 0.5 * given.span) or 0.1 * given.span
    fitted = len(s.slope) > 0
    slope, bend = (swept_slope(given, s), swept_bend(given, s)) if fitted else (0.0, 0.0)
    if bend:
        away = np.linspace(-reach, reach, _OF_A_BEND)
        bent = s.value + slope * away + bend * away**2
        return [Polyline(np.column_stack([x + away, bent]), role, tag=tag)]
    ends = np.array([[x - reach, s.value - slope * reach], [x + reach, s.value + slope * reach]])
    return [Segments(ends[None], role, tag=tag)]


def swept_slope(given: AnySweep, s: State) -> float:
    """The slope of the local line along the column over which the query moves."""
    return float(s.slope[given.model.column if len(s.slope) > 1 else 0])


def swept_bend(given: AnySweep, s: State) -> float:
    """What a local quadratic adds for the square of the column over which the query moves; 0 for a
    line.
    """
    d = given.problem.d
    if len(s.slope) <= d:
        return 0.0
    one, other = np.triu_indices(d)
    square = (one == given.model.column) & (other == given.model.column)
    return float(s.slope[d:][square][0])


def base(problem: Problem) -> float:
    """The value at which the kernel is drawn, below the points."""
    low, high = extent(problem, 1)
    return low - _BELOW * (high - low)


def window(given: AnySweep, s: State) -> list[Layer]:
    """The kernel drawn below the points, or the reach of the neighbours; [] where there is
    neither.
    """
    rule = given.model.rule
    if not upright(given.problem) or s.finished or rule is None:
        return []
    low, high = extent(given.problem, 1)
    q = float(s.query[given.model.column])
    reach = float(np.abs(given.problem.xy[s.neighbours, 0] - q).max(initial=0.0))
    edge = np.array([reach, reach * (1 + 1e-9)])
    narrow = np.linspace(-1, 1, 41) * min(rule.width, given.span)
    even = np.linspace(*given.ends, 241) - q
    away = np.unique(np.concatenate([even, narrow, edge, -edge]))  # denser inside the width
    height = heights(rule, np.abs(away), _NARROW * given.span)
    # beyond the last neighbour there is nothing
    height[np.abs(away) > (reach if given.model.k else np.inf)] = 0.0
    seen = np.flatnonzero(height > 1e-4)
    if len(seen) < 2:
        return []
    kept = slice(max(0, int(seen[0]) - 1), int(seen[-1]) + 2)
    floor = np.full(len(away[kept]), base(given.problem))
    top = floor + _HEIGHT * (high - low) * height[kept]
    return [Band(q + away[kept], floor, top, Role.PLAIN, tag="kernel")]


def weight_tag(given: AnySweep) -> str:
    """The tag of what shows the weights: "kernel" where it is drawn, else "neighbours"."""
    return "kernel" if upright(given.problem) and given.model.rule is not None else "neighbours"


def heights(rule: Rule, away: Float, narrow: float) -> Float:
    """K(d) at the distances `away`, scaled to a maximum of 1; 1/d is cut off at distance
    `narrow`.
    """
    nearest = narrow if rule.kernel in ("1/d", "1/d²") else 0.0
    top = kernel_value(np.array([nearest]), rule)[0]
    return np.asarray(np.minimum(1.0, kernel_value(np.maximum(away, 1e-12), rule) / top))


# -- figures ---------------------------------------------------------------------------------------


def query_figures(given: AnySweep, s: State) -> list[Table]:
    """The estimate as a table: distance, weight, y and w · y of each neighbour. MMDS Fig 12.24. []
    without a query.
    """
    if not len(s.query) or not len(s.neighbours) or s.finished:
        return []
    rows = s.neighbours[:_TABLE_ROWS]
    weights = s.weights[:_TABLE_ROWS]
    y = np.asarray(given.problem.y, np.float64)[rows]
    target = given.problem.target
    values = _column("y", y) if target is None else TableColumn(target, y, Role.BOUNDARY)
    columns = (
        _column("distance", sweep_distances(given, s)[:_TABLE_ROWS]),
        _column("weight", weights, Role.ACTIVE),
        values,
        _column("w · y", weights * y),
    )
    names = tuple(given.problem.names[i] for i in rows)
    numbers = tuple(given.problem.number_of(int(i)) for i in rows)
    current = tuple(np.flatnonzero(rows == s.looked).tolist())
    more = f", the nearest {_TABLE_ROWS}" if len(s.neighbours) > _TABLE_ROWS else ""
    title = "Weights: what counts here" + more
    return [Table(title, columns, names, current=current, tag="neighbours", numbers=numbers)]


def sweep_distances(given: AnySweep, s: State) -> Float:
    """(m,) the distances of the neighbours from the query."""
    gaps = given.problem.X[s.neighbours] - s.query
    if given.model.rule is None:
        gaps = gaps[:, [given.model.column]]
    return np.asarray(np.sqrt((gaps * gaps).sum(axis=1)))


def _column(title: str, values: Float, role: Role = Role.PLAIN) -> TableColumn:
    """A column of numbers that is none of the table's own."""
    return TableColumn(Feature(title, Kind.NUMERIC), frozen(values), role, 3)


def rival_plot(
    given: AnySweep, what: str, places: Float, rules: tuple[Rule, ...], now: float
) -> Plot | None:
    """A plot of left-out errors over another parameter, the present value marked, the least ringed;
    None for large tables. AIMA 18.8.4.
    """
    if given.problem.n > _SMALL_TABLE or given.problem.n < 3:
        return None
    errors = left_out_errors(given.problem, rules)
    xy = np.column_stack([places, errors])
    here = int(np.abs(places - now).argmin())
    least = int(errors.argmin())
    one = np.full(1, NO_GROUP)
    layers = (
        Polyline(xy, Role.HELD_OUT, tag="errors"),
        Points(xy[[least]], one, Role.SUPPORT, label=("least",), tag="errors"),
        Points(xy[[here]], one, Role.ACTIVE, tag="now"),
    )
    return Plot(f"Errors: each example left out, by {what}", what, "RMSE", layers)


@lru_cache(maxsize=16)
def left_out_errors(problem: Problem, rules: tuple[Rule, ...]) -> Float:
    """(len(rules),) the root mean squared leave-one-out error of each rule."""
    found = []
    for rule in rules:
        _, errors = Smoother(problem, rule).left_out
        found.append(float(np.sqrt(np.mean(errors**2))))
    return frozen(found)


def neighbour_rivals(given: AnySmoothing) -> Plot | None:
    """A plot of left-out errors over k: every k of few examples, else some; None for large
    tables.
    """
    n = given.problem.n
    rule = given.rule
    last = min(n - 1, _MOST_K)
    every = 1 + n // _EVERY_K
    small = range(1, min(last, 5) + 1)
    some = range(every, last + 1, every)
    ks = sorted({*small, *some, min(rule.k, last)} - {0})
    rules = tuple(replace(rule, k=k) for k in ks)
    return rival_plot(given, "k", np.array(ks, np.float64), rules, float(rule.k))


def width_rivals(given: AnySmoothing) -> Plot | None:
    """A plot of left-out errors over the kernel width; None for a kernel without one."""
    rule = given.rule
    if rule.kernel not in ("gaussian", "quadratic"):
        return None
    least = 0.04 * given.span
    most = 2 * given.span
    count = int(np.clip(2400 / given.problem.n, 8, 32))  # each is one fit per example
    widths = np.geomspace(least, most, count)
    widths = np.unique(np.append(widths, np.clip(rule.width, least, most)))
    rules = tuple(replace(rule, width=float(width)) for width in widths)
    return rival_plot(given, "width", widths, rules, rule.width)
