"""Which pieces of a layer light up: those whose own tags are lit, or all of them by the tag of the
layer.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Bool
from engine.base.records import replace
from engine.base.tags import classes_of, is_lit
from engine.scene.roles import WRONG
from engine.scene.scene import NO_GROUP, Boxes, Layer, Points, Polygons

# attributes with one entry per piece
PARTS = ("ends", "width", "rings", "bounds", "centre", "shape", "radius", "start", "end", "group")


def lit_apart(layers: Sequence[Layer], lit: frozenset[str]) -> Sequence[Layer]:
    """The layers; each with lit pieces is followed by a copy that holds only those, without their
    labels.
    """
    if not lit:
        return layers
    found: list[Layer] = []
    for layer in layers:
        found.append(layer)
        if not is_lit(layer.tag, lit) and (here := lit_pieces(layer, lit)).any():
            found.append(pieces(layer, here, min(lit)))
    return found


def lit_pieces(layer: Layer, lit: frozenset[str]) -> Bool:
    """(m,) True for the pieces that light up; points also do so by their class, or because they are
    wrong.
    """
    here = np.array([is_lit(tag, lit) for tag in getattr(layer, "tags", ())], bool)
    if not isinstance(layer, Points) or layer.role not in WRONG:
        return here
    group = np.asarray(layer.group)
    here = here if len(here) else np.zeros(len(group), bool)
    here |= np.isin(group, classes_of(lit))
    if WRONG[layer.role] in lit and layer.shown is not None and not layer.partial:
        here |= (np.asarray(layer.shown) != group) & (group >= 0)
    return here


def pieces(layer: Layer, here: Bool, tag: str) -> Layer:
    """The pieces `here` (m,) of a layer, without labels and without tint."""
    # unlit points move to NaN instead of going: the sizes of points depend on all weights
    if isinstance(layer, Points):
        return replace(
            layer, xy=np.where(here[:, None], layer.xy, np.nan), label=(), tag=tag, tags=()
        )
    taken: dict[str, Any] = {name: () for name in ("label", "tags") if hasattr(layer, name)}
    for name in PARTS:
        value = getattr(layer, name, None)
        if isinstance(value, tuple):
            taken[name] = tuple(part for part, wanted in zip(value, here, strict=True) if wanted)
        elif value is not None:
            taken[name] = np.asarray(value)[here]
    if isinstance(layer, (Boxes, Polygons)):
        taken["group"] = np.full(int(here.sum()), NO_GROUP)
    return replace(layer, **taken, tag=tag)
