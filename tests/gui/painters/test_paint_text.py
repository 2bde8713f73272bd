"""Labels find room: inside the frame, not on their own point, not on one another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from engine.scene.scene import Arrows, Labels, Line, Points, Role
from gui.look.theme import LIGHT, look
from gui.painters.text import BESIDE, Placer, draw_handle
from gui.painters.view import Brushwork, View

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


def test_a_name_does_not_seem_to_belong_to_another_point() -> None:
    """Right of the point another one stands just where its name would end."""
    own = (200.0, 150.0)
    other = (262.0, 150.0)
    placer = Placer(FRAME, points=np.array([own, other]))
    box = placer.place(40, 16, (own,), 10, BESIDE, far=True)
    assert box is not None
    assert distance(box, own) + 4 < distance(box, other)


@pytest.mark.slow
@given(st.integers(0, 10_000))
def test_names_are_nearest_to_their_own_points_where_there_is_room(seed: int) -> None:
    """Twelve named points at least 70 pixels from one another."""
    rng = np.random.default_rng(seed)
    grid = np.array([(60 + 90 * i, 50 + 90 * j) for i in range(4) for j in range(3)], float)
    points = grid + rng.uniform(-10, 10, grid.shape)
    placer = Placer(FRAME, points, points=points)
    for point in points:
        box = placer.place(34, 16, (tuple(point.tolist()),), 10, BESIDE, far=True)
        assert box is not None
        assert min(range(12), key=lambda k: distance(box, points[k])) == points.tolist().index(
            point.tolist()
        )


def test_a_name_in_a_crowd_stands_away_and_a_line_leads_to_it(canvas) -> None:
    """Eight neighbours all round leave no room beside the point."""
    turn = np.arange(8) * np.pi / 4
    ring = np.array([[2.0, 1.5]]) + 0.24 * np.column_stack([np.cos(turn), np.sin(turn)])
    crowd = Points(ring, np.zeros(8, int))
    own = Points(np.array([[2.0, 1.5]]), np.array([1]))
    named = Points(np.array([[2.0, 1.5]]), np.array([1]), label=("x₁₃",))
    bare = canvas.paint(crowd, own).pixels.astype(int)
    changed = np.abs(canvas.paint(crowd, named).pixels.astype(int) - bare).max(axis=2) > 60
    rows, columns = np.nonzero(changed)
    away = np.hypot(columns - 200, rows - 150)
    assert away.max() > 40  # the name
    assert away.min() < 22  # the line begins at the point
    assert ((away > 24) & (away < 34)).any()  # and goes on between the others


def distance(box: QRectF, place: object) -> float:
    x, y = place  # type: ignore[misc]
    return float(
        np.hypot(max(box.left() - x, 0, x - box.right()), max(box.top() - y, 0, y - box.bottom()))
    )


def test_handles_of_lines_cover_neither_one_another_nor_points(qapp) -> None:
    """Two lines leave the frame at the same place, where a point lies too."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    b = Brushwork(painter, View((0, 4), (0, 3), FRAME), LIGHT)
    placer = Placer(FRAME, points=np.array([[200.0, 17.0]]))
    way = tuple((200.0, 12.0 + 25.0 * k) for k in range(6))
    for name in "AB":
        draw_handle(b, placer, name, way, False)
    painter.end()
    first, second = placer.taken
    assert not first.intersects(second)
    assert not first.contains(QPointF(200, 17))
    assert not second.contains(QPointF(200, 17))
    assert max(first.bottom(), second.bottom()) < 130  # as near to the end as possible


@pytest.mark.parametrize("spot", [(12.0, 150.0), (388.0, 150.0), (200.0, 12.0), (200.0, 288.0)])
def test_a_handle_of_some_words_stays_inside_the_frame(qapp, spot) -> None:
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    placer = Placer(FRAME)
    draw_handle(
        Brushwork(painter, View((0, 4), (0, 3), FRAME), LIGHT),
        placer,
        "petal width > 0.80",
        (spot,),
        False,
    )
    painter.end()
    box = placer.taken[0]
    assert FRAME.contains(box)
    assert box.width() > 100  # all of the words


@pytest.mark.parametrize("name", ["light", "projector"])
@pytest.mark.parametrize("step", range(6))
def test_a_letter_lies_inside_its_handle_in_any_type(qapp, name: str, step: int) -> None:
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    placer = Placer(FRAME)
    type_ = look(name, step)
    draw_handle(
        Brushwork(painter, View((0, 4), (0, 3), FRAME), type_),
        placer,
        "h₄",
        ((200.0, 150.0),),
        False,
    )
    painter.end()
    assert placer.taken[0].height() >= 1.6 * type_.type_sizes["plane"][0]


def test_a_tag_on_a_line_does_not_cover_a_point(canvas) -> None:
    """The usual place of the tag is taken by a support vector."""
    line = Line(np.array([0.0, 1.0]), -1.5, Role.MARGIN, "+1")
    canvas.paint(line, Points(np.array([[3.2, 1.5]]), np.array([0])))
    assert canvas.shows(LIGHT.classes[0], 3.2, 1.5)


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
    middle = canvas.paint(
        Points(np.array([[2.0, 1.5]]), np.array([0]), label=("x₃₇ (−1.00, 2.04)",))
    ).count(LIGHT.ink)
    rim = canvas.paint(
        Points(np.array([place]), np.array([0]), label=("x₃₇ (−1.00, 2.04)",))
    ).count(LIGHT.ink)
    assert rim == pytest.approx(middle, rel=0.35)


def test_level_tags_sit_on_their_line(canvas) -> None:
    canvas.paint(Line(np.array([0.0, 1.0]), -1.5, Role.MARGIN, "+1"))
    tag = canvas.pixels[140:160, 305:335]
    assert (tag == 255).all(axis=2).mean() > 0.5  # the line is interrupted


def test_a_lit_label_has_an_amber_ground(canvas) -> None:
    labels = Labels(np.array([[2.0, 1.5]]), ("w",), tag="w")
    plain = canvas.paint(labels).pixels.copy()
    assert not np.array_equal(plain, canvas.paint(labels, lit=frozenset({"w"})).pixels)


def test_a_label_that_may_evade_stays_at_its_place_while_that_is_free(qapp) -> None:
    usual = Placer(FRAME).place(60, 16, ((200.0, 150.0),), 10, BESIDE)
    crowded = Placer(FRAME, marks=np.column_stack([np.full(8, 230.0), np.linspace(143, 157, 8)]))
    assert Placer(FRAME).place(60, 16, ((200.0, 150.0),), 10, BESIDE, evade=True) == usual
    beside = crowded.place(60, 16, ((200.0, 150.0),), 10, BESIDE, evade=True)
    assert beside == Placer(FRAME, crowded.marks).place(60, 16, ((200.0, 150.0),), 10, BESIDE)


def test_a_label_evades_others_on_every_side(qapp) -> None:
    others = [
        QRectF(x - 40, y - 8, 80, 16) for x, y in ((250, 150), (150, 150), (200, 130), (200, 170))
    ]
    placer = Placer(FRAME, taken=list(others))
    box = placer.place(60, 16, ((200.0, 150.0),), 10, BESIDE, evade=True)
    assert not any(box.intersects(other) for other in others)
    assert FRAME.contains(box)


def test_the_names_of_three_arrows_of_a_small_update_can_all_be_read(canvas, monkeypatch) -> None:
    """Two long arrows to nearly the same place and the short one between their tips."""
    seen: list[Placer] = []
    monkeypatch.setattr(
        "gui.painters.Placer", lambda *given: seen.append(Placer(*given)) or seen[-1]
    )
    foot, before, after = (np.array([place]) for place in ((2.0, 1.5), (1.55, 2.05), (1.5, 2.0)))
    canvas.paint(
        Arrows(foot, before, Role.GHOST, ("w before",)),
        Arrows(before, after, Role.ACTIVE, ("+ η·y·x",)),
        Arrows(foot, after, Role.ACCEPTED, ("w after",)),
    )
    names = seen[-1].taken[-3:]
    assert len(names) == 3
    assert not any(a.intersects(b) for k, a in enumerate(names) for b in names[:k])


def test_a_handle_stands_clear_of_the_name_of_an_axis(qapp) -> None:
    """AIMA 18.7.2: “sum” on a line that leaves the frame right below “x₂”."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    name = QRectF(8, 3, 12, 16)
    placer = Placer(FRAME, taken=[name])
    way = tuple((17.0, 34.0 * k) for k in range(6))
    draw_handle(Brushwork(painter, View((0, 4), (0, 3), FRAME), LIGHT), placer, "sum", way, False)
    painter.end()
    assert not placer.taken[-1].intersects(name.adjusted(-3, -3, 3, 3))
    assert placer.taken[-1].bottom() < 100
