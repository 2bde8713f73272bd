"""Points: colours of the tokens at the places where they belong."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from engine.scene.roles import MARKS
from engine.scene.scene import Boxes, Points, Role
from gui.look.theme import DARK, LIGHT, PROJECTOR, THEMES
from gui.painters.points import radii
from gui.painters.view import Brushwork

HERE = np.array([[2.0, 1.5]])


def one(group: int, role: Role = Role.POINT, shown: int | None = None, **more) -> Points:
    return Points(
        HERE, np.array([group]), role, None if shown is None else np.array([shown]), **more
    )


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("group", range(8))
def test_a_right_point_is_filled_with_its_class_and_cased(canvas, group: int, name: str) -> None:
    theme = THEMES[name]
    canvas.paint(one(group), theme=theme)
    assert canvas.at(2, 1.5, 0.5, 0.5) == theme.classes[group]


def test_the_casing_is_one_and_a_quarter_pixels_of_plane_colour(canvas) -> None:
    ground = Boxes(np.array([[-np.inf, -np.inf, np.inf, np.inf]]), np.array([1]))
    canvas.paint(ground, one(0))
    edge = canvas.pixels[150, 206:210].astype(int).sum(axis=1)
    # lighter than the ground that it parts from the point
    assert edge.max() > sum(LIGHT.tint(1).getRgb()[:3])
    assert canvas.at(2, 1.5, 9.5) == LIGHT.tint(1).name().upper()


def test_a_wrong_point_shows_both_classes_and_a_cross(canvas) -> None:
    canvas.paint(one(1, shown=0))
    assert canvas.at(2, 1.5, 0, 0) == LIGHT.ink  # the cross
    assert canvas.shows(LIGHT.tint(0, 0.42).name(), 2, 1.5, 0, -4)  # the predicted class, 42 %
    assert canvas.shows(LIGHT.classes[1], 2, 1.5, 0, -6)  # the outline: the true class


def test_an_unclassified_point_is_hollow(canvas) -> None:
    canvas.paint(one(0, shown=-1))
    assert canvas.at(2, 1.5) == LIGHT.plane
    assert canvas.at(2, 1.5, 5.5, 0) == LIGHT.classes[0]


def test_an_unlabelled_point_is_a_small_ghost(canvas) -> None:
    canvas.paint(one(-1))
    assert canvas.at(2, 1.5) == LIGHT.ghost
    assert canvas.at(2, 1.5, 6, 0) == LIGHT.plane


def test_an_example_without_classes_is_a_plain_disc_of_ordinary_size(canvas) -> None:
    canvas.paint(one(-1, Role.SAMPLE))
    assert canvas.at(2, 1.5) == LIGHT.ink2
    assert canvas.shows(LIGHT.ink2, 2, 1.5, 5)
    assert canvas.at(2, 1.5, 7.5) == LIGHT.plane
    canvas.paint(one(-1, Role.SAMPLE), one(-1, Role.ACTIVE))
    assert canvas.at(2, 1.5) == LIGHT.ink2
    assert canvas.at(2, 1.5, 11.5) == LIGHT.now


def test_weights_are_sizes_of_plain_discs_too(canvas) -> None:
    xy, none = np.array([[1.0, 1.5], [3.0, 1.5]]), np.array([-1, -1])
    canvas.paint(Points(xy, none, Role.SAMPLE, weight=np.array([0.1, 3.0])))
    assert canvas.at(1, 1.5, 4.5) == LIGHT.plane
    assert canvas.at(3, 1.5, 5) == LIGHT.ink2


def test_held_out_rows_without_classes_are_hollow_and_as_large_as_others(canvas) -> None:
    canvas.paint(one(-1, Role.HELD_OUT))
    assert canvas.at(2, 1.5) == LIGHT.plane
    assert canvas.shows(LIGHT.ghost, 2, 1.5, 4.1)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_the_current_point_wears_an_amber_ring_between_ink(canvas, theme) -> None:
    canvas.paint(one(0, Role.ACTIVE), theme=theme)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        assert canvas.at(2, 1.5, 11.5 * dx, 11.5 * dy) == theme.now
    assert canvas.at(2, 1.5, 13.5) == theme.ink
    assert canvas.at(2, 1.5, 17.0) == theme.plane
    assert canvas.at(2, 1.5) == theme.classes[0]


def test_support_vectors_have_one_ring_and_bounded_ones_two(canvas) -> None:
    canvas.paint(one(0), one(0, Role.SUPPORT))
    assert canvas.at(2, 1.5, 10.5) == LIGHT.ink
    assert canvas.at(2, 1.5, 15) == LIGHT.plane
    canvas.paint(one(0), one(0, Role.BOUNDED))
    assert canvas.shows(LIGHT.ink, 2, 1.5, 10.5)
    assert canvas.shows(LIGHT.ink, 2, 1.5, 15)
    assert not canvas.shows(LIGHT.ink, 2, 1.5, 12.7)


def test_rings_alone_do_not_hide_what_the_data_layer_says(canvas) -> None:
    canvas.paint(one(1, shown=0), one(1, Role.SUPPORT))
    assert canvas.at(2, 1.5) == LIGHT.ink
    assert canvas.shows(LIGHT.tint(0, 0.42).name(), 2, 1.5, 0, -4)


def test_held_out_points_are_small_and_hollow(canvas) -> None:
    canvas.paint(one(0, Role.HELD_OUT))
    assert canvas.at(2, 1.5) == LIGHT.plane
    assert canvas.shows(LIGHT.classes[0], 2, 1.5, 4.1)
    assert canvas.at(2, 1.5, 7) == LIGHT.plane


def test_inactive_points_are_pale(canvas) -> None:
    canvas.paint(one(0, Role.INACTIVE))
    expected = LIGHT.tint(0, 0.45).getRgb()[:3]
    found = QColor(canvas.at(2, 1.5)).getRgb()[:3]
    assert np.abs(np.subtract(expected, found)).max() <= 2


def test_a_query_is_a_disc_of_plane_colour_with_a_question_mark(canvas) -> None:
    canvas.paint(one(-1, Role.QUERY, label=("?",)))
    assert canvas.shows(LIGHT.ink, 2, 1.5, 15)
    assert canvas.at(2, 1.5, 11) == LIGHT.plane
    middle = canvas.pixels[140:160, 192:208]
    assert (middle == QColor(LIGHT.ink).getRgb()[:3]).all(axis=2).sum() > 10
    canvas.paint(one(-1, Role.QUERY))
    assert canvas.shows(LIGHT.ink, 2, 1.5, 8)


def test_the_probe_has_cross_hairs(canvas) -> None:
    canvas.paint(one(-1, Role.PROBE))
    assert canvas.at(2, 1.5) == LIGHT.plane
    for dx, dy in ((10, 0), (-10, 0), (0, 10), (0, -10)):
        assert canvas.at(2, 1.5, dx, dy) == LIGHT.ink


def test_a_region_of_a_point_is_a_pale_mark_that_shows_around_it(canvas) -> None:
    """The chunk of an example: its colour is seen outside of the example's own symbol, over the
    plane.
    """
    canvas.paint(one(1, Role.REGION))
    tint = QColor(canvas.at(2, 1.5, 8, 8))
    assert tint.name().upper() not in (LIGHT.classes[1], LIGHT.plane)
    assert tint.hue() == pytest.approx(QColor(LIGHT.classes[1]).hue(), abs=4)
    assert canvas.at(2, 1.5, 16, 16) == LIGHT.plane


def test_area_grows_with_weight_within_bounds(canvas) -> None:
    b = Brushwork(None, canvas.view, LIGHT)
    weight = np.array([1.0, 1.0, 4.0, 0.0, 1000.0, np.nan])
    layer = Points(np.zeros((6, 2)), np.zeros(6, int), weight=weight[:3])
    found = radii(b, layer, MARKS[Role.POINT])
    assert found[2] / found[0] == pytest.approx(2.0)
    assert radii(
        b, Points(np.zeros((3, 2)), np.zeros(3, int), weight=np.ones(3)), MARKS[Role.POINT]
    ) == pytest.approx(5.5)
    extreme = radii(b, Points(np.zeros((6, 2)), np.zeros(6, int), weight=weight), MARKS[Role.POINT])
    assert extreme.min() == pytest.approx(2.2)
    assert extreme.max() == pytest.approx(11.0)


def test_points_are_sharp_on_dense_screens(canvas) -> None:
    canvas.paint(one(0), ratio=2)
    assert canvas.at(2, 1.5) == LIGHT.classes[0]
    assert canvas.image.width() == 800
    inked = (canvas.pixels != 255).any(axis=2)
    assert inked.sum() == pytest.approx(np.pi * (2 * 6.375) ** 2, rel=0.08)


def test_later_points_lie_above_earlier_ones(canvas) -> None:
    both = Points(np.repeat(HERE, 2, axis=0), np.array([0, 1]))
    assert canvas.paint(both).at(2, 1.5) == LIGHT.classes[1]
    swapped = Points(np.repeat(HERE, 2, axis=0), np.array([1, 0]))
    assert canvas.paint(swapped).at(2, 1.5) == LIGHT.classes[0]


def test_points_that_are_pointed_at_stand_on_grey_and_not_on_amber(canvas) -> None:
    canvas.paint(one(0, tag="data"), lit=frozenset({"data"}))
    red, green, blue = (int(canvas.at(2, 1.5, 10)[k : k + 2], 16) for k in (1, 3, 5))
    assert max(red, green, blue) - min(red, green, blue) < 16
    assert canvas.at(2, 1.5, 10) not in (LIGHT.plane, LIGHT.ink)
    assert canvas.at(2, 1.5) == LIGHT.classes[0]


def test_projector_points_are_larger(canvas) -> None:
    canvas.paint(one(0), theme=PROJECTOR)
    assert canvas.at(2, 1.5, 8.5) == PROJECTOR.classes[0]


def test_a_cross_leaves_the_shape_and_the_outline_of_the_class(canvas) -> None:
    wrong = Points(HERE, np.array([0]), shown=np.array([1]))
    canvas.paint(wrong)
    assert canvas.at(2, 1.5, 0, 0) == LIGHT.ink
    outline = {
        canvas.at(2, 1.5, round(6.5 * np.cos(a), 1), round(6.5 * np.sin(a), 1))
        for a in np.arange(8) * np.pi / 4
    }
    assert outline == {LIGHT.classes[0]}


def test_more_than_fifty_rings_are_thinned(canvas) -> None:
    """The same point ringed fifty times and fifty-one times: the ring is less ink."""
    ink = []
    for many in (50, 51):
        canvas.paint(Points(np.repeat(HERE, many, axis=0), np.zeros(many, int), Role.SUPPORT))
        ink.append(int((canvas.pixels < 120).all(axis=2).sum()))
    assert 0 < ink[1] < 0.8 * ink[0]


@pytest.mark.parametrize("ratio", [1, 2])
def test_rings_are_the_same_copied_or_drawn(
    canvas, monkeypatch: pytest.MonkeyPatch, ratio: int
) -> None:
    """On whole pixels, where a copy lies as the circle does."""
    support = Points(
        np.array([[1.0, 1.0], [2.0, 1.5], [3.0, 2.0]]), np.array([0, 1, 0]), Role.SUPPORT
    )
    copied = canvas.paint(support, ratio=ratio).pixels.astype(int)
    monkeypatch.setattr(Brushwork, "vector", True)
    drawn = canvas.paint(support, ratio=ratio).pixels.astype(int)
    plain = canvas.paint(ratio=ratio).pixels.astype(int)
    assert (np.abs(drawn - plain).max(axis=2) > 60).sum() > 300
    assert (np.abs(copied - drawn).max(axis=2) > 60).mean() < 0.001
