"""The arrow of w on the plane: never outside of the data, scaled by a round number.

Shared by linear classifiers.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.algorithms.linear.parts.picture import weight_arrows
from engine.numerics.contours import round_factor


@given(st.floats(1e-8, 1e8))
def test_round_factors(most: float) -> None:
    factor = round_factor(most)
    assert factor <= most * (1 + 1e-9)
    assert most / factor < 2.5 * (1 + 1e-9)
    assert float(f"{factor:.0e}") == pytest.approx(factor)
    assert f"{factor:.0e}"[0] in "125"


@given(st.floats(-np.pi, np.pi), st.floats(-100, 100), st.floats(1e-3, 1e3))
def test_the_arrow_stands_among_the_points(angle: float, bias: float, size: float) -> None:
    X = np.array([[4.0, 2.0], [6.0, 3.0], [5.0, 6.0], [7.0, 5.0]])
    problem = engine.prepare(engine.Dataset.from_arrays(X, [1, 1, -1, -1]))
    w = size * np.array([np.cos(angle), np.sin(angle)])
    (arrow,) = weight_arrows(problem, w, w, bias * size, False)
    assert (arrow.start[0] >= X.min(0) - 0.7).all()
    assert (arrow.start[0] <= X.max(0) + 0.7).all()
    way = arrow.end[0] - arrow.start[0]
    assert np.allclose(way / np.linalg.norm(way), w / size, atol=1e-9)
    assert 0.1 * 2 <= np.linalg.norm(way) <= 3
