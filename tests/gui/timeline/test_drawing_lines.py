"""Curves as separate pieces: stairs keep every value, dashes have their lengths, long runs stay
inside a pixel's range.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.timeline.drawing import corners_of, dashed, pieces, stairs, thinned
from gui.timeline.running_mean import is_jagged, running_mean, window


def test_a_value_holds_until_another_one_comes() -> None:
    corners = stairs(np.array([0.0, 1, 2, 3]), np.array([5.0, 5, 7, 7]))
    assert corners.tolist() == [[0, 5], [2, 5], [2, 7], [3, 7], [3, 7]]


def test_one_value_is_drawn_nowhere_and_breaks_nothing() -> None:
    corners = corners_of(np.array([4.0]), np.array([1.0]), 100)
    assert pieces(corners).shape[1:] == (2, 2)
    assert dashed(corners, 3, 2).shape == (0, 2, 2)


def test_pieces_join() -> None:
    corners = corners_of(np.arange(6.0), np.array([1.0, 3, 2, 2, 9, 0]), 100)
    drawn = pieces(corners)
    assert (drawn[1:, 0] == drawn[:-1, 1]).all()


def test_thinned_curves_keep_the_peaks() -> None:
    y = np.zeros(10_000)
    y[1234], y[7777] = 50, -20
    x, few = thinned(np.arange(10_000.0), y, 500)
    assert len(x) == len(few) <= 1100
    assert (few.max(), few.min()) == (50, -20)


def test_dashes_have_their_lengths_round_corners_too() -> None:
    corners = np.array([[0.0, 0], [10, 0], [10, 7], [30, 7]])
    drawn = dashed(corners, 4, 2)
    lengths = np.hypot(*(drawn[:, 1] - drawn[:, 0]).T)
    # 37 pixels: six whole dashes of 4, then 1 of the next
    assert lengths.sum() == pytest.approx(25)
    assert lengths.max() <= 4 + 1e-9


def test_only_a_curve_that_jumps_in_every_pixel_gets_a_running_mean() -> None:
    jumps = np.tile([0.0, 9.0], 500)
    assert is_jagged(jumps, 400)
    assert not is_jagged(jumps, 2000)  # each value has its own pixels
    assert not is_jagged(np.arange(1000.0), 400)  # it rises once
    assert not is_jagged(np.zeros(1000), 400)


@given(st.lists(st.floats(-9, 9), min_size=61, max_size=300), st.integers(20, 200))
def test_a_running_mean_is_the_mean_of_the_values_around(y: list[float], width: int) -> None:
    values = np.array(y)
    places, means = running_mean(np.arange(float(len(y))), values, width)
    half = window(len(y)) / 2
    assert (places[0], places[-1]) == (0, len(y) - 1)
    for place, mean in zip(places, means, strict=True):
        near = [v for k, v in enumerate(y) if -half < k - place <= half]
        assert mean == pytest.approx(np.mean(near), abs=1e-9)
