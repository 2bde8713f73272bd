"""How far the marks of a scene reach beyond its points: ends of arrows, single points and lines."""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float
from engine.scene.axes import AIR
from engine.scene.scene import Arrows, Layer, Line, Points, Role

Span = tuple[float, float]
LINES = (Role.MARGIN, Role.BOUNDARY, Role.ACTIVE)
FEW = 50  # points of a layer up to which the view widens for them
BARELY = 0.95  # share of the air round a range: marks inside it are in view


def reach(
    layers: Sequence[Layer], shown: tuple[Span, Span], most: tuple[Span, Span]
) -> tuple[Span, Span]:
    """The ranges `shown` widened to hold the marks that lie within `most`.

    Marks further away are ignored.
    """
    low, high = np.array(shown, np.float64).T
    air = BARELY * AIR * (high - low)
    within = np.array(most, np.float64).T
    for layer in layers:
        places = _places(layer, low - air, high + air)
        if not len(places):
            continue
        inside = ((places >= within[0]) & (places <= within[1])).all(axis=1)
        beyond = (places < low - air) | (places > high + air)
        for k in (0, 1):  # along one axis as far as needed there
            wanted = places[inside & beyond[:, k], k]
            low[k], high[k] = min([low[k], *wanted]), max([high[k], *wanted])
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def _places(layer: Layer, low: Float, high: Float) -> Float:
    """(m, 2) finite places that should be in view."""
    found = np.zeros((0, 2))
    if isinstance(layer, Arrows):
        found = np.concatenate([layer.start, layer.end])
    elif (
        isinstance(layer, Points) and len(layer.xy) <= FEW
    ):  # the view fits larger layers, the examples, anyway
        found = layer.xy
    elif isinstance(layer, Line) and layer.role in LINES:
        found = _nearest(layer, low, high)
    return found[np.isfinite(found).all(axis=1)]


def _nearest(line: Line, low: Float, high: Float) -> Float:
    """(1, 2) the place on a line that is nearest to the closest corner of the box; (0, 2) when the
    line crosses the box.
    """
    w = np.asarray(line.w, np.float64)
    size = float(np.hypot(*line.w))
    if not np.isfinite(size) or size == 0 or not np.isfinite(line.b):
        return np.zeros((0, 2))
    corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
    score = (corners @ w + line.b) / size
    if score.min() <= 0 <= score.max():
        return np.zeros((0, 2))
    k = int(np.abs(score).argmin())
    return np.asarray(corners[[k]] - score[k] * w / size)
