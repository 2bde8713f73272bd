"""Which object lies under the pointer, for the link between plane and formula and for the point to
drag; and which pieces of a layer light up.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from engine.base.arrays import Float
from engine.base.tags import is_lit, joined
from engine.scene.layers import Layer
from gui.painters.view import Brushwork, View

REACH = 8.0


def hit(where: Brushwork | View, layers: Iterable[Layer], px: float, py: float) -> str | None:
    """The tag of the nearest tagged object within 8 px of a pixel, or None.

    A piece with a tag of its own gives that; of equally near objects the topmost wins.
    """
    view = where.view if isinstance(where, Brushwork) else where
    best = REACH
    tag = None
    for layer in layers:
        own = layer.tags
        if not (layer.tag or own):
            continue
        apart = layer.distances(view, np.array([px, py]))
        apart = np.where(np.isnan(apart), np.inf, apart)
        piece = len(apart) - 1 - int(apart[::-1].argmin()) if len(apart) else -1
        if (
            piece >= 0
            and apart[piece] <= best
            and (name := own[piece] if len(own) > 1 else joined(layer.tag, *own))
        ):
            best = apart[piece]
            tag = name
    return tag


def nearest_point(view: View, xy: Float, px: float, py: float, radius: float = REACH) -> int | None:
    """The row of xy (m, 2) nearest to a pixel; None when it is further than `radius` pixels."""
    if not len(xy):
        return None
    apart = np.linalg.norm(view.pixels(xy) - (px, py), axis=1)
    apart = np.where(np.isnan(apart), np.inf, apart)
    nearest = int(apart.argmin())
    return nearest if apart[nearest] <= radius else None


def lit_apart(layers: Sequence[Layer], lit: frozenset[str]) -> Sequence[Layer]:
    """The layers; each with lit pieces is followed by a copy that holds only those, without their
    labels.
    """
    if not lit:
        return layers
    found: list[Layer] = []
    for layer in layers:
        found.append(layer)
        if not is_lit(layer.tag, lit) and (here := layer.lit(lit)).any():
            found.append(layer.only(here, min(lit)))
    return found
