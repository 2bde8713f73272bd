"""VA file: bounds that hold, a search that misses nothing, and the naive test that does (MMDS
12.4.5).
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import engine
from engine.algorithms.instances.va_file.cells import File, codes_of, edges_of, gaps, length
from engine.protocol.step import Level, Pace
from engine.scene.scene import Arrows, Boxes, Circles, Plot, Points, Role, Table

ALGORITHM = engine.algorithms()["va_file"]
ROUND = Pace(Level.ROUND)
seeds = st.integers(0, 10_000)


def run(X: Any, **params: Any) -> Any:
    columns = {f"x{j + 1}": column for j, column in enumerate(np.asarray(X, np.float64).T)}
    return engine.run("va_file", engine.Dataset.from_columns(columns), **params)


@settings(deadline=None, max_examples=25)
@given(seeds, st.integers(1, 40), st.integers(1, 6), st.integers(1, 5), st.integers(1, 7))
def test_finds_what_scipy_finds(seed: int, n: int, k: int, d: int, bits: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    query = 2 * rng.normal(size=d)
    k = min(k, n)
    s = run(X, k=k, bits=bits, query=tuple(query), pace=ROUND)[-1].state
    expected, rows = cKDTree(X).query(query, k=np.arange(1, k + 1))
    assert s.neighbours.tolist() == rows.tolist()
    assert np.allclose(s.distances, expected, rtol=1e-12)
    assert len(s.missed) == 0
    assert set(s.neighbours.tolist()) <= set(s.candidates.tolist())
    assert s.held == s.examined == len(s.candidates)


@settings(deadline=None, max_examples=35)
@given(seeds, st.integers(1, 40), st.integers(1, 6), st.integers(1, 3), st.integers(1, 4))
def test_ties_go_to_the_lower_row_number_and_none_is_left_out(
    seed: int, n: int, k: int, d: int, bits: int
) -> None:
    """Whole numbers, many at edges of cells: squares are exact, so ties are ties."""
    rng = np.random.default_rng(seed)
    X, query = rng.integers(0, 5, (n, d)).astype(float), rng.integers(-1, 6, d).astype(float)
    squares = ((X - query) ** 2).sum(1)
    expected = sorted(range(n), key=lambda i: (squares[i], i))[: min(k, n)]
    assert (
        run(X, k=k, bits=bits, query=tuple(query), pace=ROUND)[-1].state.neighbours.tolist()
        == expected
    )


@settings(deadline=None, max_examples=60)
@given(
    seeds,
    st.integers(1, 30),
    st.integers(1, 4),
    st.integers(1, 6),
    st.sampled_from([1e-150, 1.0, 1e140]),
)
def test_every_distance_lies_within_its_bounds(
    seed: int, n: int, d: int, bits: int, unit: float
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, d)) / 10 * unit
    q = rng.normal(size=d) * unit
    edges = edges_of(X, bits)
    file = File.of(edges, codes_of(X, edges))
    low, high = file.corners()
    assert (np.clip(X, low[file.cell], high[file.cell]) == X).all()
    near, far = (length(ways) for ways in gaps(low, high, q))
    exact = np.sqrt((((X - q) / unit) ** 2).sum(1)) * unit
    assert (near[file.cell] <= exact * (1 + 1e-12)).all()
    assert (far[file.cell] >= exact * (1 - 1e-12)).all()
    assert file.count.sum() == n and (np.diff(np.unique(file.cell, return_index=True)[1]) > 0).all()


LINE = [[0.0], [2.1], [4.1], [7.0], [8.0]]


def test_bounds_by_hand() -> None:
    """Parts of 0 … 8 by two bits: 0–2, 2–4, 4–6, 6–8.

    From 3.9 they are 1.9–3.9, 0–1.9, 0.1–2.1 and 2.1–4.1 away, so the least upper bound is 1.9: the
    first two parts and the third may hold the nearest, the last may not.
    """
    trace = run(LINE, bits=2, query=(3.9,))
    bound = [step for step in trace if step.line == "bound"]
    assert [step.note["low"] for step in bound] == pytest.approx([1.9, 0.0, 0.1, 2.1])
    assert [step.note["high"] for step in bound] == pytest.approx([3.9, 1.9, 2.1, 4.1])
    assert [step.state.kth for step in bound] == pytest.approx([3.9, 1.9, 1.9, 1.9])
    assert [step.line for step in trace if step.line in ("hold", "drop")] == [
        "hold",
        "hold",
        "hold",
        "drop",
    ]
    assert trace[-1].state.candidates.tolist() == [0, 1, 2]
    assert trace[-1].state.neighbours.tolist() == [2]
    assert trace.metrics["held"][-1] == 3
    # the first part is as near as the bound
    tie = next(step for step in trace if step.line == "hold").choice
    assert tie.winners == (0, 1) and tie.chosen == 0 and tie.rule


def test_the_same_cell_is_the_wrong_test() -> None:
    """From 3.9 the part 2–4 holds 2.1, which is 1.8 away; 4.1 is 0.2 away and lies in the next
    part.
    """
    trace = run(LINE, bits=2, query=(3.9,), test="same cell")
    s = trace[-1].state
    assert (s.candidates.tolist(), s.neighbours.tolist(), s.missed.tolist()) == ([1], [1], [2])
    assert trace[-1].events == ("missed",)
    assert trace[-1].note["missed"] == "x₃"
    scene = ALGORITHM.scene(trace.given, trace[-1])
    (lost,) = [
        layer for layer in scene.layers if isinstance(layer, Points) and layer.tag == "missed"
    ]
    assert lost.role is Role.REJECTED and lost.xy[:, 0].tolist() == [4.1]
    # beyond all parts
    assert run(LINE, bits=2, query=(9.0,), test="same cell")[-1].state.examined == 0


def test_the_k_th_smallest_bound_counts_every_example_of_a_cell() -> None:
    """Three examples share the part 0–2: with k = 3 its upper bound is the third smallest, with k =
    4 the next one's is.
    """
    X = [[0.0], [1.0], [1.5], [7.0], [8.0]]
    for k, kth in ((3, 2.0), (4, 8.0)):
        trace = run(X, bits=2, k=k, query=(0.0,))
        assert trace[-1].state.kth == pytest.approx(kth)


def test_few_bits_in_many_columns_leave_little_out() -> None:
    """F30, D46: what counts is the number of bits; in 20 columns one bit of four keeps most, six
    keep few.
    """
    rng = np.random.default_rng(0)
    trace = run(rng.random((500, 20)), bits=6, query=tuple(rng.random(20)), pace=ROUND)
    shares = trace.given.shares
    assert shares[0] > 0.9
    assert shares[5] == trace[-1].state.held / 500 < 0.05
    assert (np.diff(shares) <= 0.02).all()
    (plot,) = [f for f in ALGORITHM.scene(trace.given, trace[-1]).figures if isinstance(f, Plot)]
    assert plot.layers[0].xy[:, 1].tolist() == (100 * shares).tolist()
    assert plot.layers[1].xy.tolist() == [[6.0, 100 * shares[5]]]


def test_the_picture_of_a_bound() -> None:
    """From (3, 1) the part 4–6 × 4–6 begins at (4, 4) and ends farthest at (6, 6)."""
    X = [[0.0, 0.0], [8.0, 8.0], [5.0, 5.0], [1.0, 7.0]]
    trace = run(X, bits=2, query=(3.0, 1.0))
    step = next(step for step in trace if step.line == "bound" and step.state.cell == 2)
    scene = ALGORITHM.scene(trace.given, step)
    ways = {layer.tag: layer for layer in scene.layers if isinstance(layer, Arrows)}
    assert ways["low"].end.tolist() == [[4.0, 4.0]] and ways["high"].end.tolist() == [[6.0, 6.0]]
    here = next(layer for layer in scene.layers if isinstance(layer, Boxes) and layer.tag == "cell")
    assert here.bounds.tolist() == [[4.0, 4.0, 6.0, 6.0]]
    circle = next(layer for layer in scene.layers if isinstance(layer, Circles))
    assert circle.radius[0] == pytest.approx(step.state.kth) == pytest.approx(np.sqrt(10))
    cells = next(f for f in scene.figures if isinstance(f, Table) and f.title.startswith("Cells"))
    assert [c.feature.name for c in cells.columns] == ["bits", "examples", "low", "high"]
    assert cells.columns[0].feature.text(cells.columns[0].values[2]) == "10 10"
    assert np.isnan(cells.columns[2].values[3])
    assert cells.columns[3].values[:3] == pytest.approx([np.sqrt(10), np.sqrt(74), np.sqrt(34)])


def test_every_pace_ends_alike() -> None:
    X = np.random.default_rng(3).normal(size=(80, 3))
    ends = [run(X, k=4, bits=2, pace=Pace(level))[-1].state for level in Level]
    assert (
        len(
            {
                (s.kth, s.held, s.examined, s.neighbours.tobytes(), s.distances.tobytes())
                for s in ends
            }
        )
        == 1
    )


def test_many_cells_are_details() -> None:
    X = np.random.default_rng(3).normal(size=(90, 4))
    assert all(
        step.line not in ("bound", "hold", "drop") for step in run(X, bits=8, pace=Pace(Level.STEP))
    )
    assert sum(step.line == "bound" for step in run(X, bits=8)) == 90


def test_the_last_step_says_what_the_cells_did() -> None:
    """Those that no cell held were never looked up, by the bounds or, as printed, by the cell
    alone.
    """
    data = engine.generate("blobs", 30)
    for test, why in (
        ("bounds", "The bounds of cells"),
        ("same cell", "Other cells than that of “?”"),
    ):
        last = engine.run("va_file", data, test=test)[-1]
        out = 30 - last.state.examined
        assert 0 < out <= 30 and last.note["out"] == out
        assert f"{why} left out {out} of 30 examples; {last.state.examined} " in last.note.text()
