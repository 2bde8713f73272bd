"""The difference of two lanes as layers of a picture: their names and their place."""

from collections.abc import Sequence

from engine.scene.layers import Layer
from engine.scene.scene import Band, Boxes, Field, Polygons

DIFFERENCE = "difference"  # names of surfaces, used by no method
GHOST = "ghost of the other lane"
SURFACES = (DIFFERENCE, GHOST)
OTHER = "lane "  # the letter of the lane follows: a tag


def percent(share: float) -> str:
    """A share as text: 19.1 %; a share above 0 never reads as 0 %."""
    if 0 < share < 0.0005:
        return "less than 0.1 %"
    return "0 %" if share == 0 else f"{100 * share:.1f} %"


def ground_end(layers: Sequence[Layer]) -> int:
    """The number of layers at the back that are ground; the difference is drawn over them."""
    return next(
        (
            k
            for k, layer in enumerate(layers)
            if not isinstance(layer, (Field, Band, Boxes, Polygons))
        ),
        len(layers),
    )
