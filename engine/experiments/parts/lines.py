"""Lines in the plots of experiments."""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float, frozen
from engine.scene.layers import Polyline, Role


def curve(
    x: Float, y: Float | Sequence[float], role: Role, tag: str = "", label: str = ""
) -> Polyline:
    """The curve of y (k,) over x (k,)."""
    return Polyline(frozen(np.column_stack([x, y])), role, label=label, tag=tag)
