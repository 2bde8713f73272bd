"""Weight space as a second plane: the ovals of equal loss, the path, the step; and the loss as a bowl. AIMA Fig 18.13."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import Bool, Float
from engine.core.notation import subscript
from engine.core.problem import Problem
from engine.core.scene import NO_GROUP, Arrows, Ellipses, Layer, Plot, Points, Polyline, Role, Space
from engine.numerics.contours import joined, level_lines
from engine.numerics.least_squares import Bowl

_NONE = np.array([NO_GROUP], dtype=np.intp)
_OVALS = np.array([0.1, 0.25, 0.5, 0.75, 1.0, 1.35, 1.8, 2.4, 3.2])
_MOST_OF_PATH = 3000
_GRID, _SURFACE = 80, 41
_ROUNDING = 1e-9
_AROUND = 1.9  # how much is shown round the lowest place, in lengths of the way to it
_SHORT, _VISIBLE = 0.03, 0.25  # shares of the view: arrows below are enlarged, up to so long
_ROUND_NUMBERS = [m * 10**k for k in range(6) for m in (1, 2, 5)]
_RIM = 1.3  # height of the bowl's rim, in heights of the highest place of the path
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class WeightView:
    """Two weights of a linear model as a plane: which two, their loss with the others held, and the ranges shown."""

    pair: tuple[int, int]
    names: tuple[str, str]
    bowl: Bowl
    x: Range
    y: Range
    whole: bool

    @property
    def equal(self) -> bool:
        """Comparable ranges share one scale, so that angles are true."""
        ratio = (self.x[1] - self.x[0]) / (self.y[1] - self.y[0])
        return 0.2 < ratio < 5.0

    @property
    def title(self) -> str:
        return f"Space: {self.names[0]} and {self.names[1]}" + ("" if self.whole else ", others as now")


def shown_pair(problem: Problem) -> tuple[int, int]:
    """The two weights shown: w₀ and that of the plane's first column."""
    return 0, 1 + (problem.plane[0] if problem.plane else 0)


def weight_view(
    bowl: Bowl,
    pair: tuple[int, int],
    w: Float,
    path: Float,
    start: Float,
    names: tuple[str, ...] = (),
    others: Float | None = None,
) -> WeightView:
    """The view that holds the way from `start` to the lowest place and as much around it, the path
    (k, weights), and `others` (m, 2)."""
    section = bowl.section(pair, w)
    away, least = _felt(section, section.centre - start[list(pair)]), 0.02 * _felt(section, section.centre)
    way = np.maximum(away, away.max() if away.min() > 0.1 * away.max() else least)
    sizes = np.sqrt(section.H.diagonal())
    instead = (way * sizes).max() / np.where(sizes > 0, sizes, np.inf)  # a way that changes the loss as much
    way = np.where(way > 0, way, np.where(instead > 0, instead, way.max() or 1.0))
    inside = path[:, list(pair)] if others is None else np.vstack([path[:, list(pair)], others])
    places = np.vstack([section.centre - _AROUND * way, section.centre + _AROUND * way, inside])
    ranges = [_widened(float(low), float(high)) for low, high in zip(places.min(0), places.max(0), strict=True)]
    names = names or tuple("w" + subscript(k) for k in range(len(w)))
    return WeightView(pair, (names[pair[0]], names[pair[1]]), section, ranges[0], ranges[1], len(w) == 2)


def _felt(bowl: Bowl, way: Float) -> Float:
    """(2,) sizes of a way, 0 where it is nothing but rounding: where it hardly changes the loss beside the other one."""
    effect = np.abs(way) * np.sqrt(bowl.H.diagonal())
    return np.where(effect > _ROUNDING * effect.max(), np.abs(way), 0.0)


def _widened(low: float, high: float) -> Range:
    air = 0.04 * (high - low) or 0.5 * max(1.0, abs(low))
    return low - air, high + air


def contours(view: WeightView, through: Float) -> list[Layer]:
    """Ovals of equal loss; one of them passes `through` that place of the pair. Level valleys give straight lines."""
    bowl = view.bowl
    corners = np.array([[a, b] for a in view.x for b in view.y])
    far = max(bowl.reach(corner) for corner in corners)
    unit = bowl.reach(through)
    unit = unit if unit > 0.02 * far else far / 2.4
    reaches = [r for r in (_OVALS * unit).tolist() if r <= far] or [far]
    if not bowl.round_bottom:
        return _straight(view, reaches)
    shape = np.asarray(np.linalg.inv(bowl.H)[None], np.float64)
    centre = bowl.centre[None]
    return [Ellipses(centre, shape, reach, Role.INACTIVE, tag="loss") for reach in reaches]


def _straight(view: WeightView, reaches: Sequence[float]) -> list[Layer]:
    x, y = np.linspace(*view.x, _GRID), np.linspace(*view.y, _GRID)
    z = surface(view.bowl, x, y)
    lines = level_lines(x, y, z, [view.bowl.least + r * r for r in reaches])
    return [Polyline(joined(lines), Role.INACTIVE, tag="loss")] if lines else []


def surface(bowl: Bowl, x: Float, y: Float) -> Float:
    """(ny, nx) loss over the grid."""
    places = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
    return bowl(places).reshape(len(y), len(x))


def thinned(path: Sequence[Float]) -> Float:
    """(k, weights) of a path; of a very long one its last places and every so many of the earlier ones."""
    places = list(path)
    if len(places) > _MOST_OF_PATH:
        recent = _MOST_OF_PATH // 2
        every = -(-(len(places) - recent) // recent)
        places = places[: len(places) - recent : every] + places[-recent:]
    return np.asarray(places)


def path_layers(view: WeightView, path: Float) -> list[Layer]:
    """The way so far, its places as dots while they are few."""
    pair = path[:, list(view.pair)]
    line = Polyline(pair, Role.GHOST if len(pair) < 60 else Role.INACTIVE, tag="path")
    few = len(pair) <= 60
    dots = Points(pair[:-1], np.full(len(pair) - 1, NO_GROUP), Role.INACTIVE, tag="path")
    return [line, dots] if few and len(pair) > 1 else [line]


def place(view: WeightView, w: Float) -> Points:
    """The weights now as a point of weight space."""
    return Points(w[list(view.pair)][None], _NONE, Role.ACTIVE, label=("w",), tag="w")


def bottom(view: WeightView) -> list[Layer]:
    """The lowest place, where there is one."""
    if not view.bowl.round_bottom:
        return []
    centre = view.bowl.centre[None]
    return [
        Points(centre, _NONE, Role.SAMPLE, tag="least"),
        Points(centre, _NONE, Role.SUPPORT, label=("least loss",), tag="least"),
    ]


def step_arrow(view: WeightView, before: Float, after: Float, label: str) -> list[Layer]:
    """The step from one weight vector to the next: the gradient times −α. One too short to be seen is drawn so many times
    longer, and says so."""
    pair = list(view.pair)
    start, way = before[pair], after[pair] - before[pair]
    share = float(np.hypot(*(way / [view.x[1] - view.x[0], view.y[1] - view.y[0]])))
    if not share > 0:
        return []
    if share < _SHORT:
        times = max((m for m in _ROUND_NUMBERS if m * share <= _VISIBLE), default=1)
        if times * share < _SHORT:
            return []
        way, label = way * times, f"step × {times}"
    return [Arrows(start[None], (start + way)[None], Role.ACTIVE, (label,), tag="change")]


def weight_plot(view: WeightView, layers: Sequence[Layer]) -> Plot:
    return Plot(view.title, *view.names, tuple(layers), equal=view.equal, beside=True, x_range=view.x, y_range=view.y)


def bowl_space(
    view: WeightView, path: Float, w: Float, title: str = "Loss", penalty: Callable[[Float], Float] | None = None
) -> Space:
    """The loss over the two weights (m, 2) as a bowl, with a penalty added if given, and the path on it. It is cut off
    above the path and the origin, or its corners would flatten all that there is to see."""

    def cost(places: Float) -> Float:
        return view.bowl(places) + (penalty(places) if penalty is not None else 0.0)

    pair = list(view.pair)
    marks, track = np.vstack([w[pair], view.bowl.centre]), path[:, pair]
    shown = track if len(track) > 1 else np.vstack([track, np.zeros(2)])
    x, y, z = bowl_surface(view, cost, float(cost(shown).max()))
    return Space(
        title,
        (*view.names, title.lower()),
        np.column_stack([marks, cost(marks)]),
        np.full(2, NO_GROUP),
        (Role.ACTIVE, Role.SUPPORT),
        surface=(x, y, z),
        path=np.column_stack([track, cost(track)]) if len(track) > 1 else None,
    )


def bowl_surface(view: WeightView, cost: Callable[[Float], Float], high: float) -> tuple[Float, Float, Float]:
    """(x, y, z) of the bowl up to somewhat above `high`, with holes (NaN) beyond its level rim."""

    def over(x_range: Range, y_range: Range) -> tuple[Float, Float, Float]:
        x, y = np.linspace(*x_range, _SURFACE), np.linspace(*y_range, _SURFACE)
        return x, y, cost(np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])).reshape(len(y), len(x))

    x, y, z = over(view.x, view.y)
    least = min(float(z.min()), float(cost(view.bowl.centre[None])[0]))
    rim = least + _RIM * (high - least)
    inside = z <= rim
    if high - least < 1e-6 * (float(z.max()) - least) or not inside.any():
        return x, y, z  # all that was visited is the bottom itself
    columns, rows = _span(x, np.any(inside, axis=0)), _span(y, np.any(inside, axis=1))
    x, y, z = over(columns, rows)
    inside = np.pad(z <= rim, 1)
    near = np.lib.stride_tricks.sliding_window_view(inside, (3, 3)).any((2, 3))  # a cell more, so that the rim is level
    return x, y, np.where(near, np.minimum(z, rim), np.nan)


def _span(places: Float, inside: Bool) -> Range:
    """The places that are inside, and one more at each end."""
    here = np.flatnonzero(inside)
    return float(places[max(here[0] - 1, 0)]), float(places[min(here[-1] + 1, len(places) - 1)])
