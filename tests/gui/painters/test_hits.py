"""What lies under the pointer."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from engine.base.records import replace
from engine.base.tags import is_lit, joined
from engine.scene.scene import (
    Arrows,
    Boxes,
    Circles,
    Ellipses,
    Field,
    Line,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
)
from gui.painters.hits import hit, lit_apart, nearest_point
from gui.painters.view import View

VIEW = View((0.0, 4.0), (0.0, 3.0), QRectF(0, 0, 400, 300))


def under(px: float, py: float, *layers) -> str | None:
    return hit(VIEW, layers, px, py)


def test_every_kind_within_eight_pixels() -> None:
    for layer, near, far in (
        (Points(np.array([[2.0, 1.5]]), np.array([0]), tag="t"), (210, 150), (216, 150)),
        (Line(np.array([0.0, 1.0]), -1.5, tag="t"), (50, 157), (50, 160)),
        (Segments(np.array([[[1.0, 1.5], [2.0, 1.5]]]), tag="t"), (207, 150), (210, 150)),
        (Polyline(np.array([[1.0, 1.5], [2.0, 1.5], [2.0, 2.5]]), tag="t"), (205, 100), (215, 100)),
        (Arrows(np.array([[1.0, 1.5]]), np.array([[2.0, 1.5]]), tag="t"), (150, 143), (150, 140)),
        (Circles(np.array([[2.0, 1.5]]), np.array([1.0]), tag="t"), (305, 150), (200, 150)),
        (Ellipses(np.array([[2.0, 1.5]]), np.eye(2)[None], 1.0, tag="t"), (305, 150), (250, 150)),
        (Boxes(np.array([[1.0, 1.0, 3.0, 2.0]]), np.array([0]), tag="t"), (200, 150), (200, 80)),
        (
            Polygons((np.array([[1.0, 1.0], [3.0, 1.0], [2.0, 2.0]]),), np.array([0]), tag="t"),
            (200, 170),
            (110, 110),
        ),
    ):
        assert under(*near, layer) == "t", layer
        assert under(*far, layer) is None, layer


def test_the_nearest_wins_and_of_equals_the_topmost() -> None:
    data = Points(np.array([[2.0, 1.5], [1.0, 1.0]]), np.array([0, 1]), tag="data")
    current = Points(np.array([[2.0, 1.5]]), np.array([0]), tag="current")
    line = Line(np.array([0.0, 1.0]), -1.55, tag="w")
    box = Boxes(np.array([[0.0, 0.0, 4.0, 3.0]]), np.array([0]), tag="box")
    assert under(200, 150, box, data, line, current) == "current"
    assert under(100, 200, box, data, line, current) == "data"
    assert under(300, 146, box, data, line) == "w"
    assert under(300, 200, box, data, line) == "box"


def test_untagged_and_coloured_grounds_are_not_hit() -> None:
    assert (
        under(200, 150, Points(np.array([[2.0, 1.5]]), np.array([0])), Field("class", tag="f"))
        is None
    )
    assert under(200, 150) is None


def test_empty_and_undefined_layers_are_not_hit() -> None:
    none = np.zeros((0, 2))
    layers = (
        Points(none, np.zeros(0, int), tag="a"),
        Points(np.full((1, 2), np.nan), np.array([0]), tag="b"),
        Polyline(none, tag="c"),
        Arrows(none, none, tag="d"),
        Circles(none, np.zeros(0), tag="e"),
        Segments(np.zeros((0, 2, 2)), tag="f"),
        Boxes(np.zeros((0, 4)), np.zeros(0, int), tag="g"),
        Polygons((), np.zeros(0, int), tag="h"),
        Line(np.zeros(2), 1.0, tag="i"),
        Ellipses(none, np.zeros((0, 2, 2)), tag="j"),
    )
    assert under(200, 150, *layers) is None


def test_nearest_point() -> None:
    xy = np.array([[1.0, 1.0], [2.0, 1.5], [np.nan, 1.0]])
    assert nearest_point(VIEW, xy, 203, 150, 8) == 1
    assert nearest_point(VIEW, xy, 150, 150, 8) is None
    assert nearest_point(VIEW, np.zeros((0, 2)), 0, 0, 8) is None


def test_a_piece_with_a_tag_of_its_own_is_hit_alone() -> None:
    boxes = np.array([[0.0, 0.0, 2.0, 3.0], [2.0, 0.0, 4.0, 3.0]])
    leaves = Boxes(boxes, np.array([-1, -1]), tag="leaves", tags=("node1", "node2"))
    spokes = Segments(
        np.array([[[0.0, 0.0], [1.0, 3.0]], [[5.0, 0.0], [6.0, 3.0]], [[3.0, 0.0], [3.0, 3.0]]]),
        tag="of",
        tags=("row 1", "row 2", "row 3"),
    )
    assert under(100, 150, leaves) == "node1"
    assert under(390, 150, leaves) == "node2"
    assert under(303, 150, leaves, spokes) == "row 3"  # the second one is not in the view
    assert under(303, 150, Segments(spokes.ends[2:], tag="of", tags=("row 3",))) == joined(
        "of", "row 3"
    )
    assert under(200, 100, Points(np.array([[2.0, 2.0]]), np.array([0]), tags=("",))) is None


@pytest.mark.parametrize(
    ("lit", "there"),
    [
        ({"node2"}, [False, True]),
        ({"leaves"}, []),
        ({"other"}, []),
        ({"node1", "node2"}, [True, True]),
    ],
)
def test_a_lit_piece_lies_on_its_layer_without_tint_and_name(
    lit: set[str], there: list[bool]
) -> None:
    boxes = np.array([[0.0, 0.0, 2.0, 3.0], [2.0, 0.0, 4.0, 3.0]])
    leaves = Boxes(boxes, np.array([0, 1]), label=("a", "b"), tag="leaves", tags=("node1", "node2"))
    first, *more = lit_apart([leaves], frozenset(lit))
    assert first is leaves
    assert len(more) == (1 if there else 0)
    for piece in more:
        assert piece.bounds.tolist() == boxes[there].tolist()
        assert piece.group.tolist() == [-1] * sum(there)
        assert piece.label == ()
        assert is_lit(piece.tag, frozenset(lit))


def test_points_light_by_class_and_where_they_are_wrong() -> None:
    data = Points(
        np.arange(8.0).reshape(4, 2),
        np.array([0, 1, 1, -1]),
        shown=np.array([0, 0, 1, 1]),
        tag="data",
    )
    for lit, here in (("class 1", [1, 2]), ("errors", [1]), ("held-out errors", [])):
        assert np.flatnonzero(data.lit(frozenset({lit}))).tolist() == here
    held_out = replace(data, role=Role.HELD_OUT)
    assert held_out.lit(frozenset({"held-out errors"})).tolist() == [
        False,
        True,
        False,
        False,
    ]
    assert not replace(data, partial=True).lit(frozenset({"errors"})).any()
    _, piece = lit_apart(
        [replace(data, weight=np.array([1.0, 9.0, 1.0, 1.0]))], frozenset({"errors"})
    )
    assert np.isnan(piece.xy).any(axis=1).tolist() == [True, False, True, True]
    assert piece.weight.tolist() == [1, 9, 1, 1]  # as large as it is among the others
