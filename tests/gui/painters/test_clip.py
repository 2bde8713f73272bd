"""Curves in few points."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gui.painters.clip import sparse


@given(st.floats(2.0, 200.0), st.floats(0.1, 3.0), st.integers(3, 500))
def test_a_sparse_curve_stays_where_it_was(radius: float, bend: float, many: int) -> None:
    """Every point left out lies beside what is drawn in its place, by less than an eye or a
    smoothed edge can tell.
    """
    angle = np.linspace(0.0, bend, many)
    curve = radius * np.column_stack([np.cos(angle), np.sin(2 * angle)])
    left = sparse(curve)
    assert (left[[0, -1]] == curve[[0, -1]]).all()
    start = left[:-1]
    way = np.diff(left, axis=0)
    along = np.clip(
        ((curve[:, None] - start) * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 1e-300),
        0.0,
        1.0,
    )
    apart = np.linalg.norm(curve[:, None] - (start + along[..., None] * way), axis=2).min(axis=1)
    assert apart.max() < 0.1


def test_a_sparse_curve_has_few_points_and_all_its_corners() -> None:
    x = np.linspace(0.0, 600.0, 601)
    assert len(sparse(np.column_stack([x, 0.3 * x]))) == 2
    assert len(sparse(np.column_stack([x, 100.0 + 50.0 * np.sin(x / 60.0)]))) < 200
    spike = np.array(
        [[0.0, 0.0], [10.0, 0.0], [10.0, -40.0], [10.0, 0.0], [20.0, 0.0], [5.0, 0.0], [30.0, 0.0]]
    )
    assert sparse(spike).tolist() == spike.tolist()
