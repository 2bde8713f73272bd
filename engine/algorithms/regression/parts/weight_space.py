"""Weight space as a second plane: the ovals of equal loss, the path, the step; and the loss as a
bowl. AIMA Fig 18.13.
"""

from engine.algorithms.regression.parts.least_squares import Bowl
from engine.authoring import Bool, Callable, Float, Record, Sequence, np, replace
from engine.base.notation import short, subscript
from engine.base.tags import joined as both
from engine.numerics.closeness import more
from engine.numerics.contours import level_lines, one_polyline, round_factor
from engine.scene.scene import (
    NO_GROUP,
    Arrows,
    Ellipses,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Space,
)

_NONE = np.array([NO_GROUP], dtype=np.intp)
_OVALS = np.array([0.1, 0.25, 0.5, 0.75, 1.0, 1.35, 1.8, 2.4, 3.2])
_MOST_OF_PATH = 3000  # places of a path that are drawn
_DOTS = 60  # places of a path up to which each has a dot
_GRID = 80  # places a side, for lines of equal loss
_SURFACE = 41  # places a side of the bowl
_AROUND = 1.9  # how much is shown round the lowest place, in lengths of the way to it
_SHORT = 0.03  # of the view: arrows below are enlarged
_VISIBLE = 0.25  # of the view: up to so long
_MOST_TIMES = 10**9  # an arrow is enlarged
_RIM = 1.3  # height of the bowl's rim, in heights of the highest place of the path
Range = tuple[float, float]


class WeightView(Record):
    """Two weights of a linear model as a plane.

    pair: which two
    names: of these
    whole: whether there are no others, which would be held as they are now
    bowl: their loss
    start: (2,) where the descent starts
    path: (k, 2) from there to where they are now
    x, y: the ranges shown
    """

    pair: list[int]
    names: tuple[str, str]
    whole: bool
    bowl: Bowl
    start: Float
    path: Float
    x: Range
    y: Range


def weight_view(
    bowl: Bowl,
    pair: tuple[int, int],
    path: Sequence[Float],
    start: Float,
    others: Float | None = None,
    first: int = 0,
) -> WeightView:
    """The view that holds the way from `start` to the lowest place and as much around it, the path
    of all weights, and `others` (m, 2).

    first: how many weights of the path, at its beginning, are none of the bowl's.
    """
    two = list(pair)
    shown = thinned(path)[:, first:]
    section = bowl.section(pair, shown[-1])
    start = start[two]
    shown = shown[:, two]
    away = _felt(section, section.centre - start)
    least = 0.02 * _felt(section, section.centre)
    way = np.maximum(away, away.max() if away.min() > 0.1 * away.max() else least)
    sizes = np.sqrt(section.H.diagonal())
    # a way that changes the loss as much
    instead = (way * sizes).max() / np.where(sizes > 0, sizes, np.inf)
    instead = np.where(instead > 0, instead, way.max() or 1.0)
    way = np.where(way > 0, way, instead)
    inside = [shown] if others is None else [shown, others]
    places = np.vstack([section.centre - _AROUND * way, section.centre + _AROUND * way, *inside])
    low = places.min(axis=0)
    high = places.max(axis=0)
    x = _widened(float(low[0]), float(high[0]))
    y = _widened(float(low[1]), float(high[1]))
    names = ("w" + subscript(pair[0] + first), "w" + subscript(pair[1] + first))
    return WeightView(two, names, len(bowl.centre) == 2, section, start, shown, x, y)


def thinned(path: Sequence[Float]) -> Float:
    """(k, weights) the last places of a path and, of a very long one, only every few of the earlier
    ones.
    """
    if len(path) <= _MOST_OF_PATH:
        return np.asarray(path)
    recent = _MOST_OF_PATH // 2
    every = -(-(len(path) - recent) // recent)
    return np.asarray([*path[: len(path) - recent : every], *path[-recent:]])


def _felt(bowl: Bowl, way: Float) -> Float:
    """(2,) sizes of a way, 0 where it is nothing but rounding: where it hardly changes the loss
    beside the other one.
    """
    effect = np.abs(way) * np.sqrt(bowl.H.diagonal())
    return np.where(more(effect, 0.0, effect.max()), np.abs(way), 0.0)


def _widened(low: float, high: float) -> Range:
    """The range with some air on both sides."""
    air = 0.04 * (high - low) or 0.5 * max(1.0, abs(low))
    return low - air, high + air


def weight_figures(
    view: WeightView,
    marks: Sequence[Layer] = (),
    change: Sequence[Layer] = (),
    title: str = "Loss",
    penalty: Callable[[Float], Float] | None = None,
    letter: str = "w",
    said: str = "",
) -> tuple[Plot, Space]:
    """The plane with the ovals, `marks`, the lowest place, the path and the `change` made now; the
    bowl, with a penalty of the two weights (m, 2) added if given. letter: what the weights are
    called; said: what its heading says of the step
    """
    layers = [*contours(view), *marks, *bottom(view), *path_layers(view.path)]
    layers += [Points(view.path[-1:], _NONE, Role.ACTIVE, label=(letter,), tag="w"), *change]
    name = f"Space: {view.names[0]} and {view.names[1]}" + ("" if view.whole else ", others as now")
    name += f"; {said}" if said else ""
    # one scale, so that angles are true
    equal = 0.2 < (view.x[1] - view.x[0]) / (view.y[1] - view.y[0]) < 5.0
    plot = Plot(
        name, *view.names, tuple(layers), equal=equal, beside=True, x_range=view.x, y_range=view.y
    )
    return plot, bowl_space(view, title, penalty)


def contours(view: WeightView) -> list[Layer]:
    """Ovals of equal loss, one through the start; straight lines for a level valley."""
    bowl = view.bowl
    far = max(bowl.reach(np.array([a, b])) for a in view.x for b in view.y)
    unit = bowl.reach(view.start)
    if unit <= 0.02 * far:
        unit = far / 2.4
    reaches = [r for r in (_OVALS * unit).tolist() if r <= far] or [far]
    if bowl.round_bottom:
        return [ovals(bowl, reaches, Role.INACTIVE)]
    x = np.linspace(*view.x, _GRID)
    y = np.linspace(*view.y, _GRID)
    lines = level_lines(x, y, over(bowl, x, y), [bowl.least + r * r for r in reaches])
    return [Polyline(one_polyline(lines), Role.INACTIVE, tag="loss")] if lines else []


def ovals(bowl: Bowl, reaches: Sequence[float], role: Role) -> Ellipses:
    """An oval of equal loss for each of `reaches` (m,), the square roots of the loss above its
    minimum.
    """
    squares = np.square(reaches)[:, None, None]
    shapes: Float = np.asarray(np.linalg.inv(bowl.H) * squares, np.float64)
    return Ellipses(np.tile(bowl.centre, (len(shapes), 1)), shapes, 1.0, role, tag="loss")


def over(cost: Callable[[Float], Float], x: Float, y: Float) -> Float:
    """(ny, nx) a cost of places (m, 2) over the grid."""
    places = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
    return cost(places).reshape(len(y), len(x))


def path_layers(path: Float) -> list[Layer]:
    """The path (m, 2) of weights so far as a line, with dots where there are few; [] for fewer than
    two places.
    """
    if len(path) < 2:
        return []
    role = Role.GHOST if len(path) < _DOTS else Role.INACTIVE
    line = Polyline(path, role, tag=both("path", "w"))
    if len(path) > _DOTS:
        return [line]
    group = np.full(len(path) - 1, NO_GROUP)
    return [line, Points(path[:-1], group, Role.INACTIVE, tag="path")]


def bottom(view: WeightView) -> list[Layer]:
    """A mark at the minimum of the loss; [] where it is not unique."""
    if not view.bowl.round_bottom:
        return []
    place = view.bowl.centre[None]
    return [
        Points(place, _NONE, Role.SAMPLE, tag="least"),
        Points(place, _NONE, Role.SUPPORT, label=("least loss",), tag="least"),
    ]


def step_arrow(view: WeightView, before: Float, after: Float, label: str = "") -> list[Layer]:
    """An arrow for a step between two weight vectors, −α times the gradient. One too short to see
    is enlarged and says by how much; its tip is where the step ends, so that it overshoots nothing.
    """
    start, end = before[view.pair], after[view.pair]
    way = end - start
    share = float(np.hypot(*(way / [view.x[1] - view.x[0], view.y[1] - view.y[0]])))
    enlarged = 0 < share < _SHORT
    if enlarged:
        times = int(min(round_factor(_VISIBLE / share), _MOST_TIMES))
        start = end - times * way
        share = times * share
        label = f"step × {short(times)}"
    if not share >= _SHORT:
        return []
    arrow = Arrows(start[None], end[None], Role.ACTIVE, (label,), tag="change")
    return [replace(arrow, measure=True)] if enlarged else [arrow]


def bowl_space(view: WeightView, title: str, penalty: Callable[[Float], Float] | None) -> Space:
    """The loss over the two weights as a bowl, with the path on it.

    It is cut off above the path and the origin, or its corners would flatten all that there is to
    see.
    """

    def cost(places: Float) -> Float:
        loss = view.bowl(places)
        return loss if penalty is None else loss + penalty(places)

    path = view.path
    marks = np.vstack([path[-1], view.bowl.centre])
    moved = len(path) > 1
    visited = path if moved else np.vstack([path, np.zeros(2)])
    surface, top = bowl_surface(view, cost, float(cost(visited).max()))
    return Space(
        title,
        (*view.names, title.lower()),
        np.column_stack([marks, cost(marks)]),
        np.full(2, NO_GROUP),
        (Role.ACTIVE, Role.SUPPORT),
        surface=surface,
        top=top,
        path=np.column_stack([path, cost(path)]) if moved else None,
    )


def bowl_surface(
    view: WeightView, cost: Callable[[Float], Float], high: float
) -> tuple[tuple[Float, Float, Float], float | None]:
    """((x, y, z), top) of the bowl, to be cut off somewhat above `high`; top None: as far as it
    goes.
    """
    x = np.linspace(*view.x, _SURFACE)
    y = np.linspace(*view.y, _SURFACE)
    z = over(cost, x, y)
    least = min(float(z.min()), float(cost(view.bowl.centre[None])[0]))
    rim = least + _RIM * (high - least)
    inside = z <= rim
    if high - least < 1e-6 * (float(z.max()) - least) or not inside.any():
        return (x, y, z), None  # all that was visited is the bottom itself
    x = _span(x, inside)
    y = _span(y, inside.T)
    return (x, y, over(cost, x, y)), rim


def _span(places: Float, inside: Bool) -> Float:
    """New places over those with a column (…, n) that has something inside, and one more at each
    end.
    """
    here = np.flatnonzero(np.any(inside, axis=0))
    first = max(here[0] - 1, 0)
    last = min(here[-1] + 1, len(places) - 1)
    return np.linspace(places[first], places[last], _SURFACE)
