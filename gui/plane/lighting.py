"""The layers of the plane that are highlighted under the pointer, together with the words and
figures about the same things.
"""

from engine.base.tags import is_lit
from engine.scene.scene import Boxes, Layer, Polygons, Segments
from gui.session.lane_view import LaneView


def lightable(lane_view: LaneView) -> list[Layer]:
    """The layers of the shown step that can be highlighted: those with tags of their own, those of
    one piece, and those that the words of the step name. Others, such as all the cells of a
    diagram, would be lit wherever the pointer rests. Empty with the probe tool: there the pointer
    asks about its place.
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
    """The tags in the note and the options of the shown step."""
    step = lane_view.step
    if step is None:
        return frozenset()
    options = step.choice.options if step.choice is not None else ()
    return frozenset((*(o.about for o in step.note.operands.values()), *(o.about for o in options)))


def _pieces(layer: Layer) -> int:
    """The number of shapes in a layer of lines, boxes or polygons; 1 for every other kind."""
    if isinstance(layer, Segments):
        return len(layer.ends)
    if isinstance(layer, Boxes):
        return len(layer.bounds)
    return len(layer.rings) if isinstance(layer, Polygons) else 1
