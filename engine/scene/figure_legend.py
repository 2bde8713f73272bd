"""The legend of a figure: what the marks of a second plane mean, and the ticks of bars."""

from collections.abc import Sequence
from functools import lru_cache

from engine.base.records import replace
from engine.scene.figures import Bars, Figure, Plot
from engine.scene.layers import (
    UPRIGHT,
    Band,
    Boxes,
    Ellipses,
    Layer,
    Mark,
    Points,
    Polyline,
    Role,
    Segments,
)
from engine.scene.legend import BEFORE, WORDS

# (type, role, beginning of the tag) -> words, as `WORDS` of the plane; the first that fits counts.
# Marks with names of their own need no row; "" for those that explain themselves here.
ROWS: tuple[tuple[type, Role, str, str], ...] = (
    (Segments, Role.BOUNDARY, "leaves", "what the new tree adds"),
    (Polyline, Role.BOUNDARY, "chance", "chance by the formula"),
    (Points, Role.SAMPLE, "counted", "counted"),
    (Segments, Role.BOUNDARY, "mean", "mean"),
    (Segments, Role.PLAIN, "sd", "± standard deviation"),
    (Segments, Role.HELD_OUT, "train", "mean on rows learnt from"),
    (Boxes, Role.ACTIVE, "estimate", "this split"),
    (Boxes, Role.SAMPLE, "histogram", "error of one split"),
    (Segments, Role.GHOST, "struck", "contradicted"),
    (Polyline, Role.MARGIN, "bound", "bound"),
    (Polyline, Role.BOUNDARY, "bits", "hypotheses left"),
    (Polyline, Role.BOUNDARY, "after", "P(ill) with this prior"),
    (Polyline, Role.INACTIVE, "after", "with other priors"),
    (Points, Role.SAMPLE, "table", "one trial"),
    (Polyline, Role.INACTIVE, "cost", "thresholds to come"),
    (Points, Role.POINT, "judged", "judged row, by its lead"),
    (Boxes, Role.ACTIVE, "edge", "cube that holds the share"),
    (Boxes, Role.PLAIN, "rim", "rim of the cube"),
    (Points, Role.SAMPLE, "cube", "measured"),
    (Points, Role.SAMPLE, "own", "measured"),
    (Polyline, Role.BOUNDARY, "unit", "all at distance 1"),
    (Polyline, Role.INACTIVE, "unit", "by another distance"),
    (Points, Role.INACTIVE, "path", "earlier steps"),
    (Polyline, Role.GHOST, "path", "the way so far"),
    (Polyline, Role.INACTIVE, "likelihood", "equal likelihood"),
    (Segments, Role.SAME, "saddle", "both means alike"),
    (Ellipses, Role.INACTIVE, "loss", "equal loss"),
    (Ellipses, Role.ACCEPTED, "loss", "least loss within reach"),
    (Points, Role.SAMPLE, "least", "least loss"),
    (Polyline, Role.BOUNDARY, "penalty", "equal penalty"),
    (Band, Role.REGION, "law", "± 2 sd of a count"),
    (Polyline, Role.BOUNDARY, "law", "by the sum"),
    (Polyline, Role.INACTIVE, "law", "by the sum, other values"),
    (Polyline, Role.GHOST, "law", "one member alone"),
    (Segments, Role.GHOST, "allowed", "ε allowed"),
    (Segments, Role.DIFFERENT, "missed", "misses p"),
    (Segments, Role.INACTIVE, "binomial", "interval of one repeat"),
    (Points, Role.SAMPLE, "tried", "one column more"),
    (Points, Role.INACTIVE, "tried", "hypothesis tried"),
    (Band, Role.REGION, "literals", "bits of the literals"),
    (Band, Role.REGION, "band", "± standard deviation"),
    (Points, Role.INACTIVE, "now", "a single result"),
    (Points, Role.SAMPLE, "looks", "one look"),
    (Points, Role.SAMPLE, "runs", "counted in runs"),
    (Polyline, Role.GHOST, "best", "best expert"),
    (Polyline, Role.INACTIVE, "weights", "weight of an expert"),
    (Polyline, Role.MARGIN, "all", "before 1 − ε ≤ e^−ε"),
    (Boxes, Role.REGION, "says", "the concept holds"),
    (Boxes, Role.SAMPLE, "V", "V: right on all drawn"),
    (Boxes, Role.DIFFERENCE, "bad", "bad ones in V"),
    (Points, Role.ACTIVE, "struck", "struck now"),
    (Points, Role.INACTIVE, "struck", "struck before"),
    (Boxes, Role.REGION, "cells", ""),
    (Polyline, Role.PLAIN, "table", ""),
)
# below them the rows of the plane that name a tag: a role alone means something else here
KNOWN = (*ROWS, *(row for row in WORDS if row[2]))


def figure_legend(figure: Figure) -> tuple[Mark, ...]:
    """The kinds of marks in a figure that need words, in the same order at every step."""
    if isinstance(figure, Bars) and figure.before is not None and figure.ticks:
        if figure.ticks == BEFORE and not figure.moved().any():
            return ()
        return (Mark(figure.ticks, -1, Segments(UPRIGHT, Role.SAMPLE)),)
    if not isinstance(figure, Plot):
        return ()
    found: dict[str, Mark] = {}
    for layer in _unnamed(figure.layers):
        if words := words_in_figure(layer):
            found.setdefault(words, Mark(words, -1, layer))
        for mark in layer.details():
            found.setdefault(mark.words, mark)
    order = [words for *_, words in KNOWN]
    last = len(order)
    places = {words: order.index(words) if words in order else last for words in found}
    return tuple(sorted(found.values(), key=lambda mark: places[mark.words]))


def figure_without(figure: Figure, hidden: frozenset[str]) -> Figure:
    """The figure without the marks whose words are hidden."""
    if isinstance(figure, Bars) and figure.ticks in hidden:
        return replace(figure, before=None)
    if not isinstance(figure, Plot) or not hidden:
        return figure
    own = set(map(id, _unnamed(figure.layers)))
    kept = (
        layer.without(hidden) if id(layer) in own else layer
        for layer in figure.layers
        if id(layer) not in own or words_in_figure(layer) not in hidden
    )
    return replace(figure, layers=tuple(kept))


def _unnamed(layers: Sequence[Layer]) -> list[Layer]:
    """The layers with marks and without names of their own."""
    return [layer for layer in layers if layer.size and not getattr(layer, "label", ())]


def words_in_figure(layer: Layer) -> str:
    """What the marks of a layer mean on a second plane; "" for those that need no words."""
    return _words(type(layer), layer.role, layer.tag) if layer.listed else ""


@lru_cache(maxsize=4096)
def _words(of: type, role: Role, tag: str) -> str:
    rows = (
        words
        for kind, wanted, start, words in KNOWN
        if role is wanted and tag.startswith(start) and (kind is None or issubclass(of, kind))
    )
    return next(rows, "")
