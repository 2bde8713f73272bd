"""UV-decomposition by hand, against a plain loop, against the singular values, and the trap of the
printed step.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.protocol.step import Level, Pace
from engine.runs.run import Run

ALGORITHM = engine.algorithms()["uv_descent"]
RATINGS = engine.textbook("uv_matrix")


def table(X):
    return engine.Dataset.from_columns(
        {f"c{j}": column.tolist() for j, column in enumerate(np.asarray(X).T)}
    )


def going_on(data, U, V, held=(), **params):
    """A run from these matrices."""
    problem = engine.prepare(data)
    p = engine.protocol.params.build(ALGORITHM.params, {"rank": len(V), **params})
    first = engine.run("uv_descent", data, max_steps=1, **params, rank=len(V))[0].state
    start = engine.base.records.replace(
        first, U=np.array(U, float), V=np.array(V, float), held=np.array(held, np.intp), round=0
    )
    run = Run(ALGORITHM, problem, p, start=start)
    run.advance(max_steps=3000)
    return run.trace


def moves(trace):
    return [step for step in trace if step.line == "move"]


def test_one_step_by_hand() -> None:
    """m = 5, u = (1, 2), v = (1, 1): e = 2; at η = 0.1 u becomes (1.2, 2.2) and v (1.2, 1.4)."""
    trace = going_on(table([[5.0]]), [[1, 2]], [[1], [1]], rate=0.1, rounds=1)
    (move,) = moves(trace)
    assert move.note["e"] == 2.0
    assert move.state.U.tolist() == pytest.approx(np.array([[1.2, 2.2]]))
    assert move.state.V.ravel() == pytest.approx([1.2, 1.4])
    assert move.note["after"] == pytest.approx(5 - (1.2 * 1.2 + 2.2 * 1.4))


def test_the_printed_step_by_hand() -> None:
    """e = 2: alone, u = (1, 2) would have to become (3, 4) and v = (1, 1) to become (3, 2); a tenth
    of the way.
    """
    trace = going_on(table([[5.0]]), [[1, 2]], [[1], [1]], rate=0.1, rounds=1, step="printed")
    (move,) = moves(trace)
    assert move.state.U.ravel() == pytest.approx([1.2, 2.2])
    assert move.state.V.ravel() == pytest.approx([1.2, 1.1])


def test_the_printed_step_runs_away_from_elements_near_0_and_the_gradient_does_not() -> None:
    """v = 1e-9 alone would have to become 2e9 times as large: the trap of MMDS Ex 12.10."""
    start = {"U": [[1.0], [1.0]], "V": [[1e-9]]}
    printed = going_on(table([[1.0], [2.0]]), **start, step="printed", rate=0.5)
    assert printed.events[-1] == ("round", "diverged")
    assert len(printed) < 12
    good = going_on(table([[1.0], [2.0]]), **start, rate=0.1, rounds=1000)
    assert good.events[-1] == ("round", "settled")
    assert good[-1].state.rmse < 1e-2


def test_an_element_that_is_0_divides_nothing() -> None:
    trace = going_on(
        table([[1.0]]), [[0.0, 1.0]], [[2.0], [0.0]], step="printed", rate=0.5, rounds=1
    )
    (move,) = moves(trace)
    assert move.state.U.ravel() == pytest.approx([0.25, 1.0])
    assert move.state.V.ravel() == pytest.approx([2.0, 0.5])


def test_a_round_is_the_plain_loop() -> None:
    first = engine.run("uv_descent", RATINGS, max_steps=1)[0].state
    trace = engine.run("uv_descent", RATINGS, rounds=1, order="in turn", rate=0.05)
    U = first.U.copy()
    V = first.V.copy()
    M = trace.problem.X
    for i in range(5):
        for j in range(5):
            if not np.isnan(M[i, j]) and 5 * i + j not in first.held:
                e = M[i, j] - U[i] @ V[:, j]
                U[i], V[:, j] = U[i] + 0.05 * e * V[:, j], V[:, j] + 0.05 * e * U[i]
    s = trace[-1].state
    np.testing.assert_allclose(s.U, U)
    np.testing.assert_allclose(s.V, V)
    left = (M - U @ V).ravel()
    assert s.test == pytest.approx(np.sqrt((left[first.held] ** 2).mean()))
    left[first.held] = np.nan
    assert s.rmse == pytest.approx(np.sqrt(np.nanmean(left**2)))


def test_a_whole_table_ends_near_the_best_product_of_its_rank() -> None:
    """Eckart and Young: what the singular values beyond the second leave."""
    X = np.random.default_rng(3).normal(3, 1, (6, 5))
    left = np.linalg.svd(X, compute_uv=False)[2:]
    trace = engine.run(
        "uv_descent",
        table(X),
        held=0,
        rate=0.01,
        rounds=3000,
        pace=Pace(Level.ROUND),
        order="random",
    )
    best = np.sqrt((left**2).sum() / X.size)
    assert best <= trace[-1].state.rmse < best * 1.3
    assert trace.events[-1] == ("round", "settled")


def test_held_out_entries_teach_nothing() -> None:
    """Other numbers in the held-out places change neither U nor V."""
    trace = engine.run("uv_descent", RATINGS, held=0.2, rounds=5)
    held = trace[-1].state.held
    assert len(held) == round(0.2 * 23)
    X = trace.problem.X.copy()
    X.ravel()[held] += 0.5
    again = going_on(table(X), trace[0].state.U, trace[0].state.V, held, rounds=5)
    np.testing.assert_array_equal(again[-1].state.U, trace[-1].state.U)
    assert again[-1].state.test != trace[-1].state.test
    visited = {step.state.current for step in moves(trace)}
    assert visited == set(np.flatnonzero(~np.isnan(trace.problem.X.ravel()))) - set(held.tolist())


@given(st.integers(0, 10**6), st.floats(0, 0.5))
@settings(max_examples=30, deadline=None)
def test_every_row_and_column_keeps_an_entry(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((4, 5)) < 0.5, rng.integers(1, 6, (4, 5)), np.nan)
    X[0, 0] = 3.0
    s = engine.run("uv_descent", table(X), held=share, seed=seed, max_steps=1)[0].state
    known, kept = ~np.isnan(X), ~np.isnan(X)
    kept.ravel()[s.held] = False
    assert known.ravel()[s.held].all()
    assert (kept.any(axis=1) == known.any(axis=1)).all()
    assert (kept.any(axis=0) == known.any(axis=0)).all()


def test_the_picture_shows_the_factors_the_known_and_the_held_out() -> None:
    trace = engine.run("uv_descent", RATINGS, max_steps=30)
    step = moves(trace)[2]
    sheet, not_learnt, _, errors = trace.algorithm.scene(trace.given, step).figures
    known, left, above, product, below, roots, error = sheet.blocks
    i, j = divmod(step.state.current, 5)
    after = known.values[i, j] - product.values[i, j]
    np.testing.assert_allclose(error.values, [[step.details["e"], after]])
    assert (known.frames, left.frames, above.frames, product.frames) == (
        ((i, j, 1, 1),), ((i, 0, 1, 2),), ((0, j, 2, 1),), ((i, j, 1, 1),),
    )  # fmt: skip
    np.testing.assert_allclose(product.values, left.values @ above.values)
    assert (product.row, product.column) == (left.row, above.column)
    assert np.flatnonzero(known.held).tolist() == step.state.held.tolist()
    assert known.missing.tolist() == np.isnan(known.values).tolist()
    assert len(not_learnt.names) == below.values.shape[1] == 2 + len(step.state.held)
    np.testing.assert_allclose(below.values[0] - below.values[1], below.values[2])
    learnt = np.isfinite(errors.values)
    np.testing.assert_allclose(
        errors.values[learnt], (known.values - product.values)[learnt], atol=1e-12
    )
    assert learnt.sum() + below.values.shape[1] == 25
    squares = [np.nanmean(of**2) for of in (errors.values, below.values[2])]
    np.testing.assert_allclose(roots.values, [np.sqrt(squares)])


def test_a_round_that_is_over_shows_the_errors_that_its_words_compare() -> None:
    trace = engine.run("uv_descent", RATINGS, rounds=2)
    step = [s for s in trace if s.line == "until"][-1]
    roots = next(
        block
        for block in trace.algorithm.scene(trace.given, step).figures[0].blocks
        if block.title.startswith("RMSE")
    )
    assert roots.column_labels[:2] == ("before", "after")
    np.testing.assert_allclose(roots.values[0, :2], [step.note["before"], step.note["rmse"]])


@pytest.mark.parametrize("X", [[[0.0, 0.0]], [[np.nan, np.nan], [np.nan, np.nan]]])
def test_nothing_to_decompose_is_said(X) -> None:
    with pytest.raises(EngineError, match="nothing to decompose"):
        engine.run("uv_descent", table(X))


@pytest.mark.parametrize(
    "X",
    [
        [[4.0]],
        [[1e140, 2e140], [3e140, np.nan]],
        [[-3.0, -2.0], [-1.0, -4.0]],
        [[1000.0, 1.0], [2.0, 900.0]],
    ],
)
def test_odd_tables_end_in_words(X) -> None:
    trace = engine.run("uv_descent", table(X), max_steps=2000, rate=0.05)
    assert trace[-1].line == "until"
    assert trace.events[-1][1] in ("settled", "diverged")
    assert "Choose a smaller η" in trace[-1].note.text() or trace.events[-1][1] == "settled"


@given(
    st.integers(0, 1000),
    st.sampled_from([1e-13, 1e-6, 1.0]),
    st.sampled_from([1e-6, 1e-5]),
    st.sampled_from(["gradient", "printed"]),
)
@settings(max_examples=25, deadline=None)
def test_short_steps_that_learn_nothing_are_not_converged(
    seed: int, scale: float, rate: float, step: str
) -> None:
    """Two columns that a rank of 1 fits: after ten rounds of steps this short nearly all of the
    error is left.
    """
    u, v = np.random.default_rng(seed).uniform(1, 5, (2, 6))
    params = {"rank": 1, "rate": rate, "step": step, "held": 0, "rounds": 10, "seed": seed}
    trace = engine.run(
        "uv_descent", table(np.outer(u, v[:2]) * scale), pace=Pace(Level.ROUND), **params
    )
    assert trace[-1].state.rmse > 0.9 * trace[0].state.rmse
    assert trace.events[-1] == ("round",)
    assert "Settled" not in trace[-1].note.text()


def test_the_ratings_at_the_least_rate_are_not_converged() -> None:
    trace = engine.run("uv_descent", RATINGS, rate=1e-6, rounds=30, pace=Pace(Level.ROUND))
    assert [s.events for s in trace if s.line == "until"] == [("round",)] * 30


@pytest.mark.parametrize("level", [Level.ROUND, Level.DETAIL])
@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e-18, 1e-13, 1e-9])
def test_small_entries_do_not_diverge_where_nothing_moved(scale: float, level: Level) -> None:
    trace = engine.run(
        "uv_descent", table(np.array([[1.0, 2.0], [3.0, 5.0]]) * scale), rounds=5, pace=Pace(level)
    )
    assert "diverged" not in trace.events[-1]
    assert "settled" not in trace.events[-1]
    assert trace[-1].state.round == 5


def test_every_pace_ends_alike() -> None:
    for params in ({}, {"step": "printed", "rate": 0.5}, {"order": "random"}):
        ends = [
            engine.run("uv_descent", RATINGS, rounds=20, pace=Pace(level), **params)[-1].state
            for level in Level
        ]
        assert all(np.array_equal(e.U, ends[0].U) and np.array_equal(e.V, ends[0].V) for e in ends)
        assert len({e.rmse for e in ends}) == 1


def test_another_table_cannot_go_on() -> None:
    end = engine.run("uv_descent", RATINGS, rounds=1)[-1].state
    with pytest.raises(EngineError, match="start again"):
        engine.Run(
            ALGORITHM, engine.prepare(table([[1.0, 2.0]])), ALGORITHM.params(), start=end
        ).advance()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 40.0, 1e5])
def test_the_automatic_rate_suits_entries_of_any_size(scale: float) -> None:
    """With .05 entries of 40 led away in the first round."""
    rng = np.random.default_rng(2)
    X = scale * rng.uniform(1, 5, (12, 5))
    trace = engine.run("uv_descent", table(X), held=0, rounds=30, pace=Pace(Level.ROUND))
    assert not trace.when("diverged")
    assert trace[-1].state.rmse < 0.7 * trace[0].state.rmse
    assert trace[0].note["eta"] == trace.given.rate
    assert 0.1 <= trace.given.rate * X.max() <= 0.3


def test_where_it_has_converged_no_word_says_that_the_error_stays() -> None:
    """A full table of two columns has rank 2, so that every round takes off a little more; a round
    changes less than 1 %.
    """
    rng = np.random.default_rng(0)
    trace = engine.run(
        "uv_descent",
        table(rng.normal(size=(40, 2)) + 3),
        held=0,
        max_steps=3000,
        pace=Pace(Level.ROUND),
    )
    assert trace.events[-1] == ("round", "settled")
    note = trace[-1].note
    assert "stays" not in note.text()
    assert "hardly changes" in note.text()
    assert abs(note["before"] - note["rmse"]) < 0.01 * trace.given.size
    more = engine.Run(
        trace.algorithm, trace.problem, trace.params, start=trace[-1].state, pace=Pace(Level.ROUND)
    )
    more.advance(max_steps=50)
    assert more.trace[-1].state.rmse < trace[-1].state.rmse
