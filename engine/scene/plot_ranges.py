"""The axis ranges of a second plane: those that it gives, else the extent of its layers."""

import numpy as np

from engine.base.arrays import Float
from engine.scene.figures import Plot
from engine.scene.layers import (
    Arrows,
    Band,
    Boxes,
    Circles,
    Ellipses,
    Labels,
    Layer,
    Points,
    Polygons,
    Polyline,
    Segments,
)

AIR = 0.06  # share of the range that is left free on each side
LARGEST = 1e300  # coordinates beyond this are ignored


def span(plot: Plot, axis: int) -> tuple[float, float]:
    """(low, high) of an axis: the given range, else that of the layers with some air; low <
    high.
    """
    given = plot.y_range if axis else plot.x_range
    if given is not None and np.isfinite(given).all() and given[1] > given[0]:
        return given
    places = np.concatenate([np.zeros(0), *(places_of(layer)[:, axis] for layer in plot.layers)])
    places = places[np.abs(places) <= LARGEST]  # neither NaN nor what overflows
    if not len(places):
        return 0.0, 1.0
    low, high = float(places.min()), float(places.max())
    air = AIR * (high - low) or 0.5 * max(1.0, abs(low))
    return low - air, high + air


def places_of(layer: Layer) -> Float:
    """(m, 2) corners of the extent of a layer; none for layers without bounds."""
    match layer:
        case Points(xy=xy) | Polyline(xy=xy) | Labels(xy=xy):
            found = [xy]
        case Segments(ends=ends):
            found = [ends]
        case Arrows(start=start, end=end):
            found = [start, end]
        case Band(x=x, low=low, high=high):
            found = [np.column_stack([x, low]), np.column_stack([x, high])]
        case Polygons(rings=rings):
            found = list(rings)
        case Boxes(bounds=bounds):
            found = [bounds]
        case Circles(centre=centre, radius=radius):
            found = [centre - radius[:, None], centre + radius[:, None]]
        case Ellipses(centre=centre, shape=shape, reach=reach):
            half = reach * np.sqrt(np.diagonal(shape, axis1=1, axis2=2))
            found = [centre - half, centre + half]
        case _:
            found = []
    return np.concatenate(
        [np.zeros((0, 2)), *(np.asarray(xy, np.float64).reshape(-1, 2) for xy in found)]
    )
