"""Which marks of the plane light up under the pointer, together with the words and figures that
speak of them.
"""

from engine.base.tags import is_lit
from engine.scene.scene import Boxes, Layer, Polygons, Segments
from gui.session.lane_view import LaneView


def lightable(lane_view: LaneView) -> list[Layer]:
    """The marks of the shown step that stand for one thing or whose pieces do, and those that its
    words speak of; without a word, all the cells of the plane would glow wherever the pointer
    happens to rest. With the probe nothing: the pointer asks about its place, not about what is
    drawn there.
    """
    if lane_view.pointer.tool == "probe":
        return []
    layers = lane_view.scene.layers
    spoken = spoken_of(lane_view)
    return [
        layer
        for layer in layers
        if getattr(layer, "tags", ()) or _pieces(layer) <= 1 or is_lit(layer.tag, spoken)
    ]


def spoken_of(lane_view: LaneView) -> frozenset[str]:
    """The tags that the words and the decision of the shown step name."""
    step = lane_view.step
    if step is None:
        return frozenset()
    options = step.choice.options if step.choice is not None else ()
    return frozenset((*(o.about for o in step.note.operands.values()), *(o.about for o in options)))


def _pieces(layer: Layer) -> int:
    if isinstance(layer, Segments):
        return len(layer.ends)
    if isinstance(layer, Boxes):
        return len(layer.bounds)
    return len(layer.rings) if isinstance(layer, Polygons) else 1
