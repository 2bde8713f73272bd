"""Labels find room: inside the frame, not on their own point, not on one another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from engine.core.scene import Labels, Line, Points, Role
from gui.painters.text import BESIDE, Placer
from gui.theme import LIGHT

FRAME = QRectF(0, 0, 400, 300)


@given(st.floats(0, 400), st.floats(0, 300), st.floats(10, 120))
def test_a_label_lies_inside_and_beside_its_point(x: float, y: float, width: float) -> None:
    box = Placer(FRAME).place(width, 16, ((x, y),), 10, BESIDE)
    assert box is not None
    assert FRAME.contains(box)
    assert not box.contains(QPointF(x, y))


def test_a_label_avoids_points_and_other_labels() -> None:
    marks = np.column_stack([np.linspace(210, 260, 9), np.full(9, 150.0)])
    placer = Placer(FRAME, marks)
    first = placer.place(50, 16, ((200.0, 150.0),), 10, BESIDE)
    assert first is not None
    assert first.right() < 200  # the right is taken by points
    second = placer.place(50, 16, ((200.0, 150.0),), 10, BESIDE)
    assert second is not None
    assert not second.intersects(first)


def test_a_label_that_may_stand_in_several_places_is_left_out_when_none_is_free() -> None:
    placer = Placer(FRAME, taken=[FRAME])
    assert placer.place(50, 16, ((200.0, 150.0), (100.0, 150.0)), 10, BESIDE) is None
    assert placer.place(50, 16, ((200.0, 150.0),), 10, BESIDE) is not None


def test_words_are_ink_with_a_casing(canvas) -> None:
    ground = Points(np.random.default_rng(0).uniform(0, 4, (4000, 2)), np.zeros(4000, int))
    canvas.paint(ground, Labels(np.array([[2.0, 1.5]]), ("w after",)))
    word = canvas.pixels[140:160, 170:230]
    assert (word == QColor(LIGHT.ink).getRgb()[:3]).all(axis=2).sum() > 30
    assert (word == 255).all(axis=2).sum() > 150


@pytest.mark.parametrize("place", [(0.02, 2.98), (3.98, 0.02), (3.98, 2.98)])
def test_labels_of_points_at_the_rim_are_whole(canvas, place) -> None:
    bare = canvas.paint(Points(np.array([place]), np.array([0]))).count(LIGHT.ink)
    assert bare == 0
    middle = canvas.paint(Points(np.array([[2.0, 1.5]]), np.array([0]), label=("x₃₇ (−1.00, 2.04)",))).count(LIGHT.ink)
    rim = canvas.paint(Points(np.array([place]), np.array([0]), label=("x₃₇ (−1.00, 2.04)",))).count(LIGHT.ink)
    assert rim == pytest.approx(middle, rel=0.35)


def test_level_tags_sit_on_their_line(canvas) -> None:
    canvas.paint(Line(np.array([0.0, 1.0]), -1.5, Role.MARGIN, "+1"))
    tag = canvas.pixels[140:160, 305:335]
    assert (tag == 255).all(axis=2).mean() > 0.5  # the line is interrupted


def test_a_lit_label_has_an_amber_ground(canvas) -> None:
    labels = Labels(np.array([[2.0, 1.5]]), ("w",), tag="w")
    plain = canvas.paint(labels).pixels.copy()
    assert not np.array_equal(plain, canvas.paint(labels, lit=frozenset({"w"})).pixels)
