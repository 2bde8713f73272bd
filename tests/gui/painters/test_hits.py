"""What lies under the pointer."""

import numpy as np
from PySide6.QtCore import QRectF

from engine.core.scene import Arrows, Boxes, Circles, Ellipses, Field, Line, Points, Polygons, Polyline, Segments
from gui.painters.hits import hit, nearest_point
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
        (Polygons((np.array([[1.0, 1.0], [3.0, 1.0], [2.0, 2.0]]),), np.array([0]), tag="t"), (200, 170), (110, 110)),
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
    assert under(200, 150, Points(np.array([[2.0, 1.5]]), np.array([0])), Field("class", tag="f")) is None
    assert under(200, 150) is None


def test_empty_and_undefined_layers_are_not_hit() -> None:
    none = np.zeros((0, 2))
    layers = (
        Points(none, np.zeros(0, int), tag="a"), Points(np.full((1, 2), np.nan), np.array([0]), tag="b"),
        Polyline(none, tag="c"), Arrows(none, none, tag="d"), Circles(none, np.zeros(0), tag="e"),
        Segments(np.zeros((0, 2, 2)), tag="f"), Boxes(np.zeros((0, 4)), np.zeros(0, int), tag="g"),
        Polygons((), np.zeros(0, int), tag="h"), Line(np.zeros(2), 1.0, tag="i"),
        Ellipses(none, np.zeros((0, 2, 2)), tag="j"),
    )  # fmt: skip
    assert under(200, 150, *layers) is None


def test_nearest_point() -> None:
    xy = np.array([[1.0, 1.0], [2.0, 1.5], [np.nan, 1.0]])
    assert nearest_point(VIEW, xy, 203, 150, 8) == 1
    assert nearest_point(VIEW, xy, 150, 150, 8) is None
    assert nearest_point(VIEW, np.zeros((0, 2)), 0, 0, 8) is None
