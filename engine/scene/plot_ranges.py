"""The ranges of planes: of a second plane those that it gives, else the extent of its layers; of
the plane of the examples how far marks reach beyond them.
"""

from collections.abc import Sequence

import numpy as np

from engine.scene import axes
from engine.scene.figures import Plot
from engine.scene.layers import Layer

Span = tuple[float, float]
AIR = 0.06  # share of the range that is left free on each side
LARGEST = 1e300  # coordinates beyond this are ignored
BARELY = 0.95  # share of the air round a range: marks inside it are in view


def span(plot: Plot, axis: int) -> Span:
    """(low, high) of an axis: the given range, else that of the layers with some air; low <
    high.
    """
    given = plot.y_range if axis else plot.x_range
    if given is not None and np.isfinite(given).all() and given[1] > given[0]:
        return given
    places = np.concatenate([np.zeros(0), *(layer.places()[:, axis] for layer in plot.layers)])
    places = places[np.abs(places) <= LARGEST]  # neither NaN nor what overflows
    if not len(places):
        return 0.0, 1.0
    low, high = float(places.min()), float(places.max())
    air = AIR * (high - low) or 0.5 * max(1.0, abs(low))
    return low - air, high + air


def reach(
    layers: Sequence[Layer], shown: tuple[Span, Span], most: tuple[Span, Span]
) -> tuple[Span, Span]:
    """The ranges `shown` widened to hold the marks that lie within `most`.

    Marks further away are ignored.
    """
    low, high = np.array(shown, np.float64).T
    air = BARELY * axes.AIR * (high - low)
    within = np.array(most, np.float64).T
    for layer in layers:
        places = layer.wanted(low - air, high + air)
        places = places[np.isfinite(places).all(axis=1)]
        if not len(places):
            continue
        inside = ((places >= within[0]) & (places <= within[1])).all(axis=1)
        beyond = (places < low - air) | (places > high + air)
        for k in (0, 1):  # along one axis as far as needed there
            wanted = places[inside & beyond[:, k], k]
            low[k], high[k] = min([low[k], *wanted]), max([high[k], *wanted])
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))
