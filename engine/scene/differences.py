"""The difference of two lanes as layers of a picture: their names, and where they are drawn."""

from collections.abc import Sequence

from engine.scene.layers import Layer
from engine.scene.scene import Band, Boxes, Field, Polygons

DIFFERENCE = "difference"  # names of surfaces that no method has
GHOST = "ghost of the other lane"
SURFACES = (DIFFERENCE, GHOST)
OTHER = "lane "  # a tag: and its letter


def percent(share: float) -> str:
    """19.1 %; what is not nothing is never 0.0 %."""
    if 0 < share < 0.0005:
        return "less than 0.1 %"
    return "0 %" if share == 0 else f"{100 * share:.1f} %"


def ground_end(layers: Sequence[Layer]) -> int:
    """How many layers at the back are ground, over which the difference is drawn."""
    return next(
        (
            k
            for k, layer in enumerate(layers)
            if not isinstance(layer, (Field, Band, Boxes, Polygons))
        ),
        len(layers),
    )
