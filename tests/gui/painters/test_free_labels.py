"""Labels of lines: never on one another, and not on points where another place is free."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from engine.scene.roles import MARKS
from engine.scene.scene import Arrows, Boxes, Line, Points, Polyline, Role, Segments
from gui.look.theme import LIGHT
from gui.painters import paint_scene
from gui.painters import text as text_module
from gui.painters.view import Brushwork, View

VIEW = View((0.0, 6.0), (0.0, 5.2), QRectF(0, 0, 600, 520))


def boxes(*layers) -> list[QRectF]:
    """Where the labels of a scene are."""
    found = []

    class Watched(text_module.Placer):
        def place(self, *args, **more):
            box = super().place(*args, **more)
            found.extend([] if box is None else [QRectF(box)])
            return box

    def handle(b, placer, *rest):
        drawn(b, placer, *rest)
        found.append(QRectF(placer.taken[-1]))

    drawn = text_module.draw_handle
    image = QImage(600, 520, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gui.painters.Placer", Watched)
        patch.setattr(text_module, "draw_handle", handle)
        paint_scene(Brushwork(painter, VIEW, LIGHT, radius=LIGHT.radius), layers)
    painter.end()
    return found


def on(box: QRectF, xy: np.ndarray) -> int:
    """How many marks a box covers."""
    places = VIEW.to_pixels(xy)
    return sum(box.adjusted(-3, -3, 3, 3).contains(*place) for place in places.tolist())


def cloud(rng, count, low, high):
    xy = rng.uniform(low, high, (count, 2))
    return Points(xy, np.zeros(count, np.intp), Role.POINT)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 9))
def test_many_lines_and_pieces_have_their_names_apart(seed, count):
    rng = np.random.default_rng(seed)
    layers = [cloud(rng, 40, (1, 1), (5, 4))]
    for k in range(count):
        way = rng.uniform(0, np.pi)
        w = np.array([np.cos(way), np.sin(way)])
        role = (Role.CANDIDATE, Role.MARGIN, Role.ACTIVE)[k % 3]
        layers.append(Line(w, float(-w @ rng.uniform((1, 1), (5, 4))), role, f"h{k}"))
    ends = rng.uniform((0.5, 0.5), (5.5, 4.7), (count, 2, 2))
    layers.append(Segments(ends, Role.PLAIN, tuple(str(k) for k in range(count))))
    layers.append(
        Segments(ends[::-1] * 0.9, Role.NEIGHBOUR, tuple(f"{k / 9:.2f}" for k in range(count)))
    )
    placed = [box.adjusted(0.5, 0.5, -0.5, -0.5) for box in boxes(*layers)]
    assert len(placed) >= count
    assert not any(a.intersects(b) for k, a in enumerate(placed) for b in placed[:k])


def test_a_handle_goes_to_the_end_of_its_line_that_is_free():
    rng = np.random.default_rng(0)
    crowd = cloud(rng, 120, (0.0, 2.2), (3.0, 3.0))
    (box,) = boxes(crowd, Line(np.array([0.0, 1.0]), -2.6, Role.CANDIDATE, "h"))
    assert on(box, crowd.xy) == 0
    assert box.left() > 500


def test_the_name_of_a_piece_goes_along_it_to_where_no_point_is():
    xy = np.column_stack([np.linspace(2.7, 3.3, 9), np.full(9, 2.85)])
    below = np.column_stack([np.linspace(2.7, 3.3, 9), np.full(9, 2.35)])
    points = Points(np.vstack([xy, below]), np.zeros(18, np.intp), Role.POINT)
    (box,) = boxes(points, Segments(np.array([[[0.5, 2.6], [5.5, 2.6]]]), Role.PLAIN, ("7",)))
    assert on(box, points.xy) == 0


def test_the_name_of_an_arrow_leaves_the_points_at_its_tip():
    """Where the four places beside the tip are taken, one further away is found, and a thin line
    leads to it.
    """
    around = np.array(
        [
            (3 + dx, 2.6 + dy)
            for dx in (-0.18, 0.0, 0.18)
            for dy in (-0.18, 0.0, 0.18)
            if (dx, dy) != (0, 0)
        ]
    )
    points = Points(around, np.zeros(len(around), np.intp), Role.POINT)
    arrow = Arrows(np.array([[3.0, 1.0]]), np.array([[3.0, 2.6]]), Role.PLAIN, ("E",))
    (box,) = boxes(points, arrow)
    assert on(box, around) == 0


def test_names_of_lines_that_cross_stand_where_the_lines_are_apart():
    """y = x and y = 0.6 x + 1 cross at 2.5: a name near the right end is nearer to its own line."""
    axis = Line(np.array([1.0, -1.0]), 0.0, Role.GHOST, "axis", name_at=0.9)
    fit = Line(np.array([0.6, -1.0]), 1.0, Role.GHOST, "fit", name_at=0.1)
    right, left = boxes(axis, fit)
    assert right.center().x() > 360 and left.center().x() < 240
    for box, own, other in ((right, axis, fit), (left, fit, axis)):
        x, y = box.center().x() / 100, 5.2 - box.center().y() / 100
        away = [abs(line.w @ [x, y] + line.b) / np.hypot(*line.w) for line in (own, other)]
        assert away[0] < away[1]


def test_the_length_of_an_arrow_stands_beside_its_shaft_and_not_at_the_point_that_it_reaches():
    tip = np.array([[2.0, 3.0]])
    arrow = Arrows(np.array([[4.0, 1.0]]), tip, Role.PLAIN, ("2/|w| = 1.41",), measure=True)
    (box,) = boxes(Points(tip, np.zeros(1, np.intp), Role.SUPPORT), arrow)
    shaft = VIEW.to_pixels(np.array([[2.0 + t, 3.0 - t] for t in np.linspace(0.3, 1.7, 30)]))
    assert any(box.adjusted(-20, -20, 20, 20).contains(*place) for place in shaft.tolist())
    assert on(box, tip) == 0


@pytest.mark.parametrize("role", [Role.ACTIVE, Role.NEAREST, Role.SUPPORT, Role.NEIGHBOUR])
def test_the_name_of_a_curve_does_not_cut_the_ring_at_its_end(role: Role) -> None:
    at = np.array([[3.0, 2.5]])
    curve = Polyline(np.array([[1.0, 4.0], [2.0, 3.0], *at.tolist()]), label="errV")
    (box,) = boxes(curve, Points(at, np.array([-1]), role))
    x, y = VIEW.to_pixels(at)[0].tolist()
    reach = max(beyond + stroke.width / 2 + stroke.edge for beyond, stroke in MARKS[role].rings)
    radius = LIGHT.radius + reach + 1  # and the casing of the letters
    away_x = max(box.left() - x, x - box.right(), 0.0)
    away_y = max(box.top() - y, y - box.bottom(), 0.0)
    assert np.hypot(away_x, away_y) > radius


def test_the_label_of_a_box_keeps_off_the_points_in_it() -> None:
    bounds = np.array([[0.5, 0.5, 5.5, 4.7]])
    points = cloud(np.random.default_rng(0), 30, (2.4, 2.0), (3.6, 3.2))
    (box,) = boxes(Boxes(bounds, np.array([-1]), label=("1.03",)), points)
    assert on(box, points.xy) == 0
    low, high = VIEW.to_pixels(bounds.reshape(2, 2))
    assert QRectF(low[0], high[1], high[0] - low[0], low[1] - high[1]).contains(box)
    (middle,) = boxes(Boxes(bounds, np.array([-1]), label=("1.03",)))
    assert middle.center().x() == pytest.approx((low[0] + high[0]) / 2, abs=1)
