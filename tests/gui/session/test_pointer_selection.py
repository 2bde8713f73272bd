"""Which rows are meant after a table changed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.table.dataset import Dataset
from gui.session.pointer import carried


def table(X: np.ndarray, name: str = "data") -> Dataset:
    return Dataset.from_arrays(X, np.arange(len(X)) % 2, names=("a", "b"), name=name)


@given(st.integers(0, 10_000), st.integers(1, 30), st.data())
def test_rows_that_stay_are_found_again_and_back(seed: int, n: int, data) -> None:
    rng = np.random.default_rng(seed)
    X = rng.permutation(np.arange(2.0 * n)).reshape(n, 2)  # no two rows alike
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    chosen = data.draw(st.sets(st.integers(0, n - 1)))
    if not keep.any():
        return
    whole = table(X)
    rest = Dataset(
        tuple(c.__class__(c.feature, c.values[keep], c.role) for c in whole.columns), whole.name
    )
    left = carried(chosen, whole, rest)
    assert {tuple(X[keep][row]) for row in left} == {tuple(X[row]) for row in chosen if keep[row]}
    back = carried(left, rest, whole)
    assert {tuple(X[row]) for row in back} == {tuple(X[row]) for row in chosen if keep[row]}


def test_long_tables_and_rows_with_gaps() -> None:
    X = np.arange(40_000.0).reshape(-1, 2)
    X[::7, 1] = np.nan
    whole, rest = table(X), table(np.delete(X, [0, 5_000, 5_001, 19_998], axis=0))
    rest = Dataset(rest.columns[:2], rest.name)
    assert carried({1, 5_000, 5_002, 19_999}, Dataset(whole.columns[:2], whole.name), rest) == {
        0,
        4_999,
        19_995,
    }


def test_another_table_of_the_same_length_or_with_other_rows_has_no_selection() -> None:
    blobs, again = engine.generate("blobs", 20, 0.5, 0), engine.generate("blobs", 20, 0.5, 1)
    assert carried({3}, blobs, blobs) == {3}
    assert carried({3}, blobs, again) == frozenset()
    assert carried({3}, table(np.eye(2)), table(np.eye(2), "other")) == frozenset()
    assert carried({1}, table(np.eye(2)), table(np.array([[5.0, 5.0]]))) == frozenset()
