"""The ranges of planes: marks beyond the points widen them, a second plane holds its layers."""

import numpy as np
import pytest

from engine.scene.axes import AIR
from engine.scene.layers import Arrows, Boxes, Circles, Ellipses, Line, Points, Role
from engine.scene.plot_ranges import reach, span
from engine.scene.scene import Plot

UNIT = ((0.0, 1.0), (0.0, 1.0))
WIDE = ((-0.3, 1.3), (-0.3, 1.3))


def arrow(x: float, y: float) -> Arrows:
    return Arrows(np.array([[x, y]]), np.array([[0.5, 0.5]]))


def test_a_foot_beyond_the_points_widens_its_side_only() -> None:
    assert reach([arrow(0.4, 1.2)], UNIT, WIDE) == ((0.0, 1.0), (0.0, 1.2))
    assert reach([arrow(-0.25, 0.5)], UNIT, WIDE) == ((-0.25, 1.0), (0.0, 1.0))


def test_what_is_seen_or_too_far_away_changes_nothing() -> None:
    for layer in (
        arrow(0.2, 0.9),
        arrow(0.2, 1.0 + 0.5 * AIR),
        arrow(0.2, 1.5),
        arrow(np.inf, np.nan),
        arrow(-9, 1.2),
    ):
        assert reach([layer], UNIT, WIDE) == UNIT


def test_a_single_point_and_a_margin_count_and_a_line_of_an_earlier_step_does_not() -> None:
    point = Points(np.array([[1.2, 0.5]]), np.array([0]), Role.GHOST)
    assert reach([point], UNIT, WIDE) == ((0.0, 1.2), (0.0, 1.0))
    margin = Line(np.array([0.0, 2.0]), -2.5, Role.MARGIN)  # y = 1.25
    assert reach([margin], UNIT, WIDE)[1] == pytest.approx((0.0, 1.25))
    assert reach([Line(np.array([0.0, 2.0]), -2.5, Role.INACTIVE)], UNIT, WIDE) == UNIT
    crossing = Line(np.array([1.0, 1.0]), -1.0, Role.MARGIN)
    assert reach([crossing], UNIT, WIDE) == UNIT
    assert reach([Line(np.array([0.0, 0.0]), 1.0, Role.MARGIN)], UNIT, WIDE) == UNIT


def test_the_range_of_a_plot_holds_all_its_layers():
    layers = (
        Points(np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([0, 1])),
        Circles(np.array([[5.0, 5.0]]), np.array([2.0])),
        Ellipses(np.array([[0.0, 0.0]]), np.array([[[4.0, 0], [0, 9.0]]]), 2.0),
        Boxes(np.array([[-np.inf, 0, 1, np.inf]]), np.array([0])),
        Arrows(np.zeros((1, 2)), np.array([[0.0, -8.0]])),
        Line(np.array([1.0, 1.0]), 0.0),
    )
    x, y = span(Plot("", "x", "y", layers), 0), span(Plot("", "x", "y", layers), 1)
    assert x[0] < -4
    assert x[1] > 7
    assert y[0] < -8
    assert y[1] > 7
    assert span(Plot("", "", "", layers, x_range=(0, 1)), 0) == (0, 1)
    assert span(Plot("", "", "", ()), 0) == (0.0, 1.0)
    assert Line(np.array([1.0, 1.0]), 0.0).places().shape == (0, 2)
