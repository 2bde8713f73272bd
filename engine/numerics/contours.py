"""Level lines of a surface on a grid, as polylines for a Plot."""

from collections.abc import Iterable, Sequence

import numpy as np

from engine.base.arrays import Float
from engine.numerics.closeness import more


def level_lines(x: Float, y: Float, z: Float, levels: Iterable[float]) -> list[Float]:
    """The pieces (m, 2) of the lines where the surface equals one of `levels`, in their order.

    x: (nx,) columns, y: (ny,) rows, z: (ny, nx); places where z is not finite are left out
    """
    from contourpy import LineType, contour_generator

    generator = contour_generator(x=x, y=y, z=np.ma.masked_invalid(z), line_type=LineType.Separate)
    return [np.asarray(piece) for level in levels for piece in generator.lines(float(level))]


def one_polyline(pieces: Sequence[Float]) -> Float:
    """The pieces as one array with rows of NaN between them, for one Polyline; (0, 2) without
    pieces.
    """
    gap = np.full((1, 2), np.nan)
    parts = [part for piece in pieces for part in (piece, gap)]
    return np.concatenate(parts[:-1]) if parts else np.zeros((0, 2))


def round_factor(most: float) -> float:
    """The largest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that does not exceed `most` > 0."""
    power = float(10.0 ** np.floor(np.log10(most)))
    return max((m * power for m in (1, 2, 5) if m * power <= most), default=power)


def round_levels(low: float, high: float, about: int = 7) -> Float:
    """About `about` round numbers inside (low, high), spaced by 1, 2 or 5 times a power of ten."""
    if not (np.isfinite([low, high]).all() and high > low):
        return np.zeros(0)
    raw = (high - low) / about
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if not more(raw, m * power))
    levels: Float = np.arange(np.floor(low / step) + 1, np.ceil(high / step)) * step
    return levels
