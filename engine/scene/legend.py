"""The legend of a scene: the kinds of its marks in words, their numbers, and the scene without some
of them.
"""

from collections.abc import Sequence
from functools import lru_cache

from engine.base.records import replace
from engine.scene.layers import (
    MARGIN,
    SIZE,
    SIZES,
    WRONG,
    WRONG_H,
    Arrows,
    Band,
    Boxes,
    Circles,
    Ellipses,
    Layer,
    Line,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
)
from engine.scene.layers import (
    Mark as Mark,
)

NOW, BEFORE = "this step", "before this step"
QUERY, CANDIDATE, ERROR, PREVIOUS = "the query", "candidate", "error of a point", "neighbour before"
NEAR, EDGE, UNIT = "nearest so far", "edge between classes", "line of one unit"
LEARNER = "line of one learner"

# (type or None for any, role, beginning of the tag) -> words; the first that fits counts. Marks of
# an algorithm that is not named here fall to the rows of their role at the end; a role without such
# a row explains itself.
WORDS: tuple[tuple[type | None, Role, str, str], ...] = (
    (Points, Role.SUPPORT, "free", "free, 0 < α < C"),
    (Points, Role.SUPPORT, "centre", "centre of a bump"),
    (Points, Role.CANDIDATE, "group", "in the unit's tile"),
    (Points, Role.CANDIDATE, "touching", "on the margin, α = 0"),
    (Points, Role.BOUNDED, "bounded", "bounded, α = C"),
    (Line, Role.MARGIN, "margins", MARGIN),
    (Line, Role.MARGIN, "truth", "the truth now"),
    (Arrows, Role.PLAIN, "penalty", "penalty of a point"),
    (None, Role.QUERY, "query", QUERY),
    (Segments, Role.MARGIN, "query", QUERY),
    (None, Role.NEAREST, "looked", NEAR),
    (None, Role.NEAREST, "best", NEAR),
    (None, Role.NEIGHBOUR, "best", NEAR),
    (Points, Role.NEAREST, "value", "predicted value"),
    (Points, Role.NEIGHBOUR, "fold", "in the fold left out"),
    (None, Role.NEIGHBOUR, "neighbours", "neighbour"),
    (None, Role.ACTIVE, "looked", "measured now"),
    (Points, Role.CANDIDATE, "out", "outside the bag"),
    (None, Role.GHOST, "former", PREVIOUS),
    (None, Role.REJECTED, "former", PREVIOUS),
    (Polyline, Role.GHOST, "chance", "labels by chance"),
    (Polyline, Role.BALL, "ball", "as far as the nearest"),
    (None, Role.BALL, "ball", "reach of neighbours"),
    (Boxes, Role.DIFFERENCE, "pruned", "pruned: none nearer"),
    (Boxes, Role.ACCEPTED, "visited", "leaf searched"),
    (Boxes, Role.CANDIDATE, "waits", "the other side, waits"),
    (Boxes, Role.REGION, "boxes", "box of the tree"),
    (Segments, Role.SAMPLE, "boxes", "box of the tree"),
    (Boxes, Role.SAME, "leaves", "box of a leaf"),
    (Boxes, Role.SAME, "node", "part that is split"),
    (Boxes, Role.REGION, "cells", "equal after rounding"),
    (Polyline, Role.PLAIN, "table", "strips, bucket of a table"),
    (Points, Role.CANDIDATE, "new", "new in a bucket"),
    (Circles, Role.BALL, "reach", "radius, c · r"),
    (Boxes, Role.REGION, "file", "cell with examples"),
    (Boxes, Role.ACCEPTED, "held", "cell held"),
    (Boxes, Role.DIFFERENCE, "dropped", "cell left out"),
    (Segments, Role.SAMPLE, "grid", "part of a column"),
    (Circles, Role.BALL, "kth", "k-th upper bound"),
    (Arrows, Role.ACTIVE, "low", "at least so far"),
    (Arrows, Role.CANDIDATE, "high", "at most so far"),
    (None, Role.REJECTED, "missed", "missed: nearer"),
    (None, Role.DIFFERENT, "missed", "missed: nearer"),
    (Segments, Role.DIFFERENT, "boundary", EDGE),
    (Segments, Role.SAME, "cells", "edge inside a class"),
    (Segments, Role.PLAIN, "cells", "edge of a cell"),
    (Segments, Role.CANDIDATE, "cut", "cut that is looked at"),
    (Segments, Role.CANDIDATE, "means", "mean of a side"),
    (Segments, Role.PLAIN, "pair", "from site to site"),
    (Line, Role.ACCEPTED, "problem", LEARNER),
    (Polyline, Role.ACCEPTED, "problem", LEARNER),
    (Arrows, Role.PLAIN, "problem", "side that a class claims"),
    (Polygons, Role.DIFFERENCE, "lost", "cut off in this step"),
    (Polygons, Role.DIFFERENCE, "none", "claimed by no class"),
    (Polygons, Role.DIFFERENCE, "several", "claimed by several"),
    (Points, Role.SAMPLE, "rest", "the rest, one class"),
    (Points, Role.INACTIVE, "unmet", "in no bucket of “?”"),
    (Points, Role.INACTIVE, "others", "takes no part"),
    (Line, Role.CANDIDATE, "unit", UNIT),
    (Line, Role.MARGIN, "unit", UNIT),
    (Points, Role.CANDIDATE, "own", "cut off by the line"),
    (Line, Role.CANDIDATE, "draft", "line if it went there"),
    (Line, Role.INACTIVE, "earlier", "earlier round"),
    (Line, Role.ACCEPTED, "w", "a class scores 0"),
    (Arrows, Role.ACCEPTED, "w", "weights w as arrow"),
    (Arrows, Role.PLAIN, "w", "side that a class claims"),
    (Segments, Role.SAME, "current", "from 0 to the point"),
    (Points, Role.ACCEPTED, "means", "component's mean"),
    (Points, Role.ACCEPTED, "middles", "mean of a class"),
    (Points, Role.ACCEPTED, "centres", "centre of a unit"),
    (Circles, Role.BALL, "widths", "width of a unit"),
    (Polyline, Role.PLAIN, "unit", "bump of a unit"),
    (Polyline, Role.GHOST, "weights", "level w₀"),
    (Ellipses, Role.BALL, "shapes", "1σ, 2σ round a mean"),
    (Points, Role.REGION, "chunk", "chunk of a mapper"),
    (Points, Role.CANDIDATE, "pairs", "sends its pairs"),
    (Polyline, Role.PLAIN, "shapes", "bell of a component"),
    (Polyline, Role.BOUNDARY, "density", "sum of the bells"),
    (Band, Role.PLAIN, "kernel", "weight at a distance"),
    (Polyline, Role.GHOST, "curve", "curve of another step"),
    (Line, Role.GHOST, "other", "the other line"),
    (Polyline, Role.GHOST, "other", "the other line"),
    (Line, Role.INACTIVE, "central", "line through the origin"),
    (Polyline, Role.GHOST, "degree", "other degrees"),
    (Segments, Role.PLAIN, "errors", ERROR),
    (Segments, Role.SAME, "change", ERROR),
    (Polygons, Role.INACTIVE, "squares", "square of an error"),
    (Boxes, Role.CANDIDATE, "G", "G: most general"),
    (Boxes, Role.ACCEPTED, "S", "S: most specific"),
    (Segments, Role.MARGIN, "hulls", "between equal signs"),
    (Points, Role.NEIGHBOUR, "off", "missed by the curve"),
    (Points, Role.NEIGHBOUR, "wrong", "wrong now"),
    (Points, Role.NEIGHBOUR, "bad", "bad: y (w·x + b) < 1"),
    (Points, Role.NEAREST, "bad", "bad: y (w·x + b) < 1"),
    (Points, Role.NEIGHBOUR, "disputed", "most disputed"),
    (Points, Role.NEIGHBOUR, "drawn", "drawn as examples"),
    (Points, Role.POINT, "drawn", "drawn, +"),
    (Points, Role.INACTIVE, "drawn", "drawn, −"),
    (Boxes, Role.MARGIN, "concept", "hidden concept c"),
    (Boxes, Role.CANDIDATE, "smallest", "smallest round all +"),
    (Points, Role.CANDIDATE, "current", "the most doubtful"),
    (Segments, Role.ACTIVE, "changed", "to its new centre"),
    (Segments, Role.GHOST, "changed", "to the centre before"),
    (Arrows, Role.ACTIVE, "pull", "pull of a bad point"),
    (Points, Role.ACTIVE, "missed now", "wrong when it came"),
    (None, Role.ACTIVE, "", NOW),
    (None, Role.GHOST, "", BEFORE),
    (Points, Role.SUPPORT, "", "support vector"),
    (Points, Role.BOUNDED, "", "at its bound"),
    (Points, Role.HELD_OUT, "", "held out for the test"),
    (None, Role.CANDIDATE, "", CANDIDATE),
    (None, Role.REJECTED, "", "rejected"),
    (None, Role.DIFFERENCE, "", "different"),
    (Polyline, Role.MARGIN, "best", "most probable so far"),
    (None, Role.MARGIN, "", "margin"),
    (None, Role.QUERY, "", QUERY),
    (None, Role.NEAREST, "", "nearest"),
    (None, Role.NEIGHBOUR, "", "neighbour"),
)
ABOUT = {
    WRONG: "A cross: the fill is the predicted class, shape and outline are the true one.",
    WRONG_H: (
        "A cross: this round's h says the class of the fill. The regions show what the vote says so"
        " far."
    ),
    SIZE: (
        "The area of a point says how much it counts now, or how surely it belongs to its"
        " component."
    ),
    SIZES["parts"]: "The larger a point, the more the models differ about it.",
    SIZES["counted"]: "The larger a point, the more pairs of examples are so far apart.",
    SIZES["errors"]: "The area of a point says how much the model leaves of it, |r|.",
    SIZES["counts"]: "The area of a point says how often it has been got wrong.",
    SIZES[
        "recent"
    ]: "The larger a point, the later it came; the oldest one is the next to be gone.",
    NOW: "Amber is what this step is about, here and in the figures.",
    BEFORE: "Pale and dashed is what was there before this step changed it.",
    "free, 0 < α < C": (
        "A support vector on its margin: with the others of its kind it decides where the boundary"
        " lies."
    ),
    "bounded, α = C": (
        "A support vector inside the margin or on the wrong side: its α can grow no further."
    ),
    "on the margin, α = 0": (
        "As near to the boundary as a support vector; without it the boundary stays where it is."
    ),
    "the truth now": (
        "A line that moves with every arrival and tells the classes; the learner does not see it."
    ),
    "chunk of a mapper": (
        "Examples over one shape and colour lie on one mapper; the table shows whose they are."
    ),
    "claimed by no class": ("Hatched: every learner says that such a place is on its other side."),
    "claimed by several": (
        "Hatched: more than one class has a score above the threshold, or as many votes as the"
        " largest number."
    ),
    "pruned: none nearer": (
        "Hatched: no point of this box can be nearer than what was found, so none is measured."
    ),
}
COUNTED = (
    Role.SUPPORT,
    Role.BOUNDED,
    Role.NEIGHBOUR,
    Role.HELD_OUT,
    Role.DIFFERENCE,
    Role.REJECTED,
    Role.ACCEPTED,
)
ORDER = (
    *dict.fromkeys(words for *_, words in WORDS if words not in (NOW, BEFORE)),
    *dict.fromkeys(SIZES.values()),
    WRONG,
    WRONG_H,
    NOW,
    BEFORE,
)


def legend(layers: Sequence[Layer]) -> tuple[Mark, ...]:
    """The kinds of marks in `layers` that need words, in the same order at every step."""
    found: dict[str, Mark] = {}
    for layer in layers:
        for mark in _marks(layer):
            known = found.get(mark.words)
            if known is None or known.count < 0 <= mark.count:
                found[mark.words] = mark
            elif mark.count > 0:
                found[mark.words] = replace(known, count=known.count + mark.count)
    return tuple(sorted(found.values(), key=lambda mark: ORDER.index(mark.words)))


def without(layers: Sequence[Layer], hidden: frozenset[str]) -> tuple[Layer, ...]:
    """`layers` without the marks whose words are hidden; the examples themselves stay."""
    if not hidden:
        return tuple(layers)
    return tuple(layer.without(hidden) for layer in layers if words_of(layer) not in hidden)


def words_of(layer: Layer) -> str:
    """The words for the marks of a layer; "" for those that need none."""
    return _words(type(layer), layer.role, layer.tag)


@lru_cache(maxsize=4096)
def _words(of: type, role: Role, tag: str) -> str:
    """The first fitting words of `WORDS`; cached, because every mark of every step needs them."""
    rows = (
        (kind, words)
        for kind, wanted, start, words in WORDS
        if role is wanted and tag.startswith(start)
    )
    return next((words for kind, words in rows if kind is None or issubclass(of, kind)), "")


def _marks(layer: Layer) -> list[Mark]:
    """The kinds of marks in one layer."""
    words = words_of(layer)
    size = layer.size
    if not (words and size and layer.listed):
        return layer.details()
    counted = layer.counted and layer.role in COUNTED
    return [Mark(words, layer.stands_for if counted else -1, layer), *layer.details()]
