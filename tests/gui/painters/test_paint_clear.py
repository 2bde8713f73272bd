"""What labels keep clear of: curves, points, the names of the axes; and borders with
true corners.
"""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from engine.scene.scene import Field, Line, Points, Polyline, Role
from gui.look.theme import LIGHT
from gui.painters import MOST_TESTED, keep_clear, obstacles
from gui.painters.axes import name_places
from gui.painters.contours import block_border, blocks
from gui.painters.lines import TAG_AT
from gui.painters.surfaces import margin_tags
from gui.painters.text import OVER, Placer
from gui.painters.view import Brushwork, View

VIEW = View((0.0, 4.0), (0.0, 3.0), QRectF(0, 0, 400, 300))
RECT = VIEW.rect


def test_a_value_does_not_lie_on_the_curve() -> None:
    """The curve comes from the left and ends at the point whose value is labelled: right of it is
    free, left is not.
    """
    curve = Polyline(np.array([[0.0, 1.5], [2.0, 1.5]]))
    marks = obstacles(VIEW, [curve])
    box = Placer(RECT, marks).place(40, 16, ((200.0, 150.0),), 10, ("left", "right", "above"))
    assert box is not None
    assert not any(box.contains(x, y) for x, y in marks.tolist())


def test_a_broken_curve_is_no_obstacle_where_it_is_broken() -> None:
    curve = Polyline(np.array([[0.0, 1.0], [1.0, 1.0], [np.nan, np.nan], [3.0, 1.0], [4.0, 1.0]]))
    x = obstacles(VIEW, [curve])[:, 0]
    assert np.isfinite(x).all()
    assert not ((x > 101) & (x < 299)).any()
    assert np.diff(np.sort(x[x <= 100])).max() <= 8


def test_a_closed_curve_counts_all_round_and_a_long_one_stays_cheap() -> None:
    ring = Polyline(np.array([[1.0, 1.0], [3.0, 1.0], [3.0, 2.0]]), closed=True)
    places = obstacles(VIEW, [ring])
    # the side from (3, 2) to (1, 1)
    back = np.abs((places[:, 0] - 100) * 1.0 - 2 * (200 - places[:, 1])) < 1e-6
    assert back.sum() > 10
    t = np.linspace(0, 4, 50_001)
    assert len(obstacles(VIEW, [Polyline(np.column_stack([t, 1 + 0 * t]))])) <= 2_000


def test_a_tag_slides_along_its_line_off_the_points() -> None:
    usual = (400 * TAG_AT[0], 150.0)
    point = np.array([usual])
    spots = tuple((400.0 * share, 150.0) for share in TAG_AT)
    box = Placer(RECT, point, points=point).place(34, 18, spots, 0, OVER)
    assert box is not None
    assert not box.contains(*usual)


def painted(canvas, layers, names=("x₁", "x₂")):
    """The boxes that the labels of a scene took."""
    taken = []
    place = Placer.place

    def spy(self, *args, **more):
        box = place(self, *args, **more)
        if box is not None:
            taken.append(QRectF(box))
        return box

    cache: dict[object, object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Placer, "place", spy)
        b = Brushwork(None, VIEW, LIGHT, cache=cache)  # type: ignore[arg-type]
        keep_clear(b, name_places(b, names))
        canvas.paint(*layers, cache=cache)
    return taken


def test_no_label_lies_on_the_name_of_an_axis(canvas) -> None:
    """The point is so near to the corner that its name would usually stand there."""
    names = ("a long name", "a name")
    clear = name_places(Brushwork(None, VIEW, LIGHT), names)  # type: ignore[arg-type]
    corner = clear[0].center()
    point = Points(
        np.array([[(clear[0].left() - 14) / 100, (300 - corner.y()) / 100]]),
        np.array([0]),
        label=("x₁",),
    )
    (box,) = painted(canvas, [point], names)
    assert not any(box.intersects(place) for place in clear)
    (free,) = painted(canvas, [point], ("", ""))
    assert free.intersects(clear[0])  # as it would be without names


def test_the_name_of_a_line_stands_at_its_end_where_the_middle_is_full(canvas) -> None:
    """A stump's name: upright line at x = 2, points along its middle."""
    y = np.linspace(0.6, 2.4, 40)
    crowd = Points(
        np.concatenate([np.column_stack([2.0 + dx + 0 * y, y]) for dx in (-0.4, -0.2, 0.2, 0.4)]),
        np.zeros(160, int),
    )
    (box,) = painted(canvas, [crowd, Line(np.array([1.0, 0.0]), -2.0, Role.ACTIVE, "x₁ > 2")])
    assert box.bottom() < 60 or box.top() > 240
    assert RECT.contains(box)


def test_the_tag_of_a_margin_finds_a_free_place_between_its_ends() -> None:
    class Ring:
        def pieces(self, level: float) -> list[np.ndarray]:
            t = np.linspace(0, 2 * np.pi, 200)
            return [np.column_stack([200 + 100 * np.cos(t), 150 + 100 * np.sin(t)])]

    ((text, spots),) = margin_tags(Ring(), (1.0,), RECT)[1:]  # type: ignore[arg-type]
    assert text == "+1"
    ends = np.array(spots[:4])
    assert sorted(ends[:, 1].tolist())[::3] == pytest.approx([50, 250], abs=0.1)
    box = Placer(RECT, ends, points=ends).place(30, 18, spots, 0, OVER)
    assert box is not None
    assert not any(box.contains(x, y) for x, y in ends.tolist())


# -- corners ---------------------------------------------------------------------------------------


def steps(n: int) -> np.ndarray:
    """Class 0 where x < half and y < half, else 1."""
    grid = np.arange(n)
    return np.where((grid[None] < n // 2) & (grid[:, None] < n // 2), 0.0, 1.0)


def test_blocks_of_a_surface() -> None:
    found = blocks(steps(96))
    assert found is not None
    classes, rows, columns = found
    assert classes.tolist() == [[0, 1], [1, 1]]
    assert rows.tolist() == columns.tolist() == [0, 48, 96]
    assert block_border(found, (96, 96), RECT).tolist() == [
        [[0, 150], [200, 150]],
        [[200, 300], [200, 150]],
    ]


def test_slanted_borders_have_no_blocks() -> None:
    n = np.arange(384)
    assert blocks((n[None] > n[:, None]).astype(float)) is None


@pytest.mark.parametrize("name", ["class", "score"])
def test_corners_are_true(canvas, name: str) -> None:
    """Votes of stumps: the border turns at (2, 1.5) without a slant."""
    values = {"class": steps(384), "score": np.where(steps(384) == 0, 1.0, -1.0)}
    canvas.paint(
        Field(name, boundary=True),
        raster=lambda wanted: values.get(wanted) if wanted == name else None,
    )
    for d in (0, 3, 6):
        assert canvas.at(2, 1.5, dx=-d) == LIGHT.ink.upper()
        assert canvas.at(2, 1.5, dy=d) == LIGHT.ink.upper()
    assert canvas.at(2, 1.5, dx=-5, dy=5) != LIGHT.ink.upper()


@pytest.mark.parametrize(
    ("count", "expected"),
    [(3, 3), (MOST_TESTED, MOST_TESTED), (MOST_TESTED + 1, MOST_TESTED / 2 + 1), (10_000, MOST_TESTED)],
)
def test_of_very_many_points_labels_ask_only_some(count: int, expected: int) -> None:
    """From one end to the other, the others of the scene all the same."""
    xy = np.linspace((0.0, 0.0), (1.0, 1.0), count)
    few = Points(np.array([[0.5, 0.5]]), np.zeros(1, np.intp))
    marks = obstacles(VIEW, [Points(xy, np.zeros(count, np.intp)), few])
    assert len(marks) == expected + 1
    assert np.ptp(marks[:, 0]) == pytest.approx(
        np.ptp(obstacles(VIEW, [Points(xy[[0, -1]], np.zeros(2, np.intp))])[:, 0]), rel=0.01
    )
