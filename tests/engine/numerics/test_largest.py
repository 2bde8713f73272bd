"""The largest numbers, as a stable sort has them."""

import numpy as np
import pytest

from engine.numerics.largest import largest


@pytest.mark.parametrize("most", [1, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 400, 1_500])
@pytest.mark.parametrize("kinds", [2, 5, 1000])
def test_they_come_in_the_order_of_a_stable_sort(n: int, most: int, kinds: int) -> None:
    for seed in range(5):
        values = np.random.default_rng(seed).integers(-kinds, kinds, n).astype(np.float64)
        values[values < -kinds / 2] = -np.inf
        assert largest(values, most).tolist() == np.argsort(-values, kind="stable")[:most].tolist()


def test_counts_have_an_order_too() -> None:
    assert largest(np.array([0, 3, 1, 3, 2]), 3).tolist() == [1, 3, 4]
