"""How many edges lie below each number: what a plain search finds, also at the edges, beyond them
and where all rounds.
"""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.algorithms.trees.parts import steps
from engine.algorithms.trees.parts.steps import below, by_steps

AWKWARD = st.one_of(
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 5e-324, 1.0, 1 + 2**-52]),
)


@given(
    st.lists(AWKWARD, min_size=1, max_size=60, unique=True),
    st.lists(st.floats(allow_nan=False), max_size=40),
)
def test_as_many_as_a_search_finds(edges: list[float], others: list[float]) -> None:
    known = np.unique(edges)
    with np.errstate(over="ignore"):
        x = np.concatenate(
            [known, np.nextafter(known, np.inf), np.nextafter(known, -np.inf), others]
        )
    with patch.multiple(steps, MANY=0, SEVERAL=2, PART=7):
        assert below(known, x).tolist() == np.searchsorted(known, x).tolist()


def test_a_missing_number_has_some_place_and_disturbs_no_other() -> None:
    edges = np.arange(100.0)
    x = np.append(np.nan, np.linspace(-3, 103, steps.MANY))
    found = below(edges, x)
    assert 0 <= found[0] <= 100
    assert found[1:].tolist() == np.searchsorted(edges, x[1:]).tolist()


@pytest.mark.parametrize("rows", [10, 5000])
def test_a_table_answers_for_many_rows_and_each_row_for_itself(rows: int) -> None:
    x = np.linspace(-2, 42, rows)[:, None]
    points = np.array([*range(40), np.nan, 3.0])
    sizes: list[int] = []

    def answer(X: np.ndarray) -> np.ndarray:
        sizes.append(len(X))
        return np.ceil(np.clip(X[:, 0], 0, 39.5))

    assert by_steps(points, x, answer).tolist() == answer(x).tolist()
    assert sizes == [41 if rows > 41 else rows, rows]
