"""Loops run compiled exactly as they run plainly, only when that pays, and plainly where there is no compiler."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dataset, Level, Pace, generate, prepare, run
from engine.algorithms.linear.hinge_descent.fast import visits_of_many, visits_of_three
from engine.algorithms.margins.svm.fast import worst_pairs
from engine.algorithms.trees.parts.whole import whole_values
from engine.core.arrays import Float
from engine.numerics import compiled, visits
from engine.numerics.compiled import COSTS, SHORT, Loop, Numbers
from engine.numerics.descent import descent_visits
from engine.numerics.mistakes import reach_of
from engine.numerics.sigmoid import after_sigmoid, sigmoid_visits
from engine.numerics.visits import Visits, round_of_rows, steady_round, varied_round

LOOPS = (
    steady_round,
    varied_round,
    round_of_rows,
    sigmoid_visits,
    worst_pairs,
    visits_of_three,
    visits_of_many,
    descent_visits,
    whole_values,
)
always = patch.object(Loop, "compiled_for", lambda body, turns: body.compiled())
never = patch.object(Loop, "compiled_for", return_value=None)


def total(values: Numbers) -> float:
    result = 0.0
    for value in values:
        result += value
    return result


@pytest.mark.slow
@pytest.mark.parametrize("body", LOOPS)
def test_every_loop_can_be_compiled_where_there_is_a_compiler(body: Loop) -> None:
    assert (body.compiled() is not None) == (find_spec("numba") is not None)


def rounds(make: Callable[[], Visits], n: int, w: Float, rates: Any) -> list[tuple[list[float], int]]:
    told, learner = [], make()
    for _ in range(4):
        w, mistakes = learner.whole_round(np.arange(n), w, rates)
        told.append((w.tolist(), mistakes))
    return told


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(1, 6), st.booleans(), st.booleans(), st.sampled_from(["tenths", "any"]))
def test_compiled_and_plain_rounds_agree_to_the_last_bit(
    seed: int, d: int, fires_at_zero: bool, steady: bool, kind: str
) -> None:
    """On tenths, where rounding decides what lies on the line, as on any numbers; with unlabelled rows; all loops."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    X = rng.integers(-9, 10, (n, d)) / 10 if kind == "tenths" else rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)
    if d == 3 and rng.random() < 0.5:
        X[:, 2] = -1.0
    sign, w = rng.choice([-1.0, 0.0, 1.0], n, p=[0.45, 0.1, 0.45]), rng.integers(-3, 4, d) / 10
    rates = 0.3 if steady else rng.integers(1, 9, n) / 10
    make = lambda: Visits(X, sign, fires_at_zero, reach=reach_of(X, 0.3))  # noqa: E731
    with never:
        plain = rounds(make, n, w, rates)
    with always:
        assert rounds(make, n, w, rates) == plain


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(1, 6), st.booleans())
def test_updates_of_logistic_regression_agree_to_the_last_bit(seed: int, d: int, squared: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    X, y, w = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 3), rng.integers(0, 2, n) * 1.0, rng.normal(size=d)
    order, rates = rng.permutation(n), rng.random(n)
    with never:
        plain = after_sigmoid(X[order], y[order], rates, w, squared)
    with always:
        assert after_sigmoid(X[order], y[order], rates, w, squared).tolist() == plain.tolist()


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_visits_of_sigmoid_units_agree_to_the_last_bit(seed: int, d: int) -> None:
    """Plain and compiled; some answers are not known."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    X, w, rate = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 3), rng.normal(size=d), float(rng.random())
    y, order = rng.choice([0.0, 1.0, np.nan], n), rng.permutation(n)
    with never:
        plain = after_sigmoid(X[order], y[order], rate, w)
    with always:
        quick = after_sigmoid(X[order], y[order], rate, w)
    assert quick.tolist() == plain.tolist()
    assert np.isfinite(plain).all()


@given(st.integers(0, 10_000), st.booleans())
def test_three_features_are_a_case_of_any_number(seed: int, squared: bool) -> None:
    """A fourth that is 0 changes nothing, to the last bit; some answers are not known."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)) * 10.0 ** rng.integers(-3, 3), rng.choice([0.0, 1.0, np.nan], 40)
    rates, w = rng.random(40), rng.normal(size=3)
    wide = after_sigmoid(np.column_stack([X, np.zeros(40)]), y, rates, np.append(w, 0.0), squared)
    assert after_sigmoid(X, y, rates, w, squared).tolist() == wide[:3].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("hinge_descent", {}),
        ("hinge_descent", {"penalise_b": False, "schedule": "1/(1+ct)"}),
        ("hinge_descent", {"rate": 10.0, "C": 100.0}),  # leads beyond all numbers
        ("gradient_descent", {"order": "random", "schedule": "1000/(1000+t)"}),
        ("gradient_descent", {"rate": 5.0}),  # so does this
    ],
)
def test_single_steps_of_a_descent_are_those_of_its_page(d: int, key: str, params: dict[str, Any]) -> None:
    """Plain and compiled rounds come to the weights that the page comes to example by example, to the last bit."""
    rng = np.random.default_rng(d)
    X = rng.normal(size=(60, d))
    y = X.sum(axis=1) + rng.normal(size=60)
    problem = prepare(Dataset.from_arrays(X, np.where(y > 0, "A", "B") if key == "hinge_descent" else y))
    with never:
        watched = run(key, problem, pace=Pace(Level.STEP), mode="stochastic", steps=250, **params)
        plain = run(key, problem, pace=Pace(Level.ROUND), mode="stochastic", steps=250, **params)
    with always:
        quick = run(key, problem, pace=Pace(Level.ROUND), mode="stochastic", steps=250, **params)
    rounds = [step.state for step in watched if step.level == Level.ROUND]
    assert len(rounds) == len(plain) == len(quick)
    for page, *leapt in zip(rounds, (s.state for s in plain), (s.state for s in quick), strict=True):
        for state in leapt:
            w, wanted = (getattr(s, "weights", getattr(s, "w", None)) for s in (state, page))
            assert w.tobytes() == wanted.tobytes()


@pytest.mark.slow
def test_a_whole_run_is_the_same_either_way() -> None:
    problem = prepare(generate("moons", 300, 0.3))
    for schedule in ("fixed", "1000/(1000+t)"):
        params = {"stop": "rounds", "rounds": 30, "threshold": "learned", "schedule": schedule}
        with never:
            plain = run("perceptron", problem, pace=Pace(Level.ROUND), **params)
        with always:
            quick = run("perceptron", problem, pace=Pace(Level.ROUND), **params)
        assert [step.state.w.tolist() for step in quick] == [step.state.w.tolist() for step in plain]
        assert len(plain) == 31


@pytest.mark.slow
def test_a_loop_is_compiled_once_the_process_has_spent_as_much() -> None:
    body = Loop(total)
    with patch.object(compiled, "import_module", side_effect=import_module) as asked:
        assert body.compiled_for(SHORT - 1) is None  # to hand over so little does not pay
        assert body.compiled_for(COSTS - SHORT) is None
        assert body.compiled_for(SHORT) is None
        assert not asked.called
        now = body.compiled_for(SHORT)
        assert asked.call_count == 1
        assert body.compiled_for(SHORT) is now
        assert body.compiled_for(SHORT - 1) is None
        assert asked.call_count == 1
    assert (now is not None) == (find_spec("numba") is not None)
    assert (now or body)(np.array([1.0, 2.0])) == 3.0


def test_a_thread_in_a_hurry_leaves_the_compiling_to_others() -> None:
    body = Loop(total)
    with patch.object(compiled, "_hurried", set()):
        compiled.never_compile_here()
        assert body.compiled_for(2 * COSTS) is None
        with ThreadPoolExecutor(1) as another:
            now = another.submit(body.compiled_for, SHORT).result()
        assert (now is not None) == (find_spec("numba") is not None)
        assert body.compiled_for(SHORT) is now


def test_who_comes_while_another_compiles_goes_on_in_plain_python() -> None:
    """Nor does a process wait that was forked meanwhile: the lock it inherits is never released."""
    body = Loop(total)
    with patch.object(compiled, "_compiling", Lock()) as lock, lock:
        assert body.compiled_for(2 * COSTS) is None
    assert (body.compiled_for(SHORT) is not None) == (find_spec("numba") is not None)


def test_a_compiler_that_is_switched_off_is_none() -> None:
    idle = SimpleNamespace(njit=lambda *_, **__: lambda plain: plain)
    with patch.object(compiled, "import_module", return_value=idle):
        assert Loop(total).compiled() is None


@pytest.mark.parametrize(("d", "body"), [(2, steady_round), (5, round_of_rows)])
def test_many_short_runs_ask_for_the_compiler_as_a_long_one_does(d: int, body: Loop) -> None:
    X, sign, loop = np.ones((SHORT, d)), np.ones(SHORT), Loop(body.plain)
    turns = SHORT * (d if d > 3 else 1)
    with (
        patch.object(visits, body.plain.__name__, loop),
        patch.object(compiled, "COSTS", 3 * turns),
        patch.object(Loop, "compiled", return_value=None) as asked,
    ):
        for _ in range(3):
            assert Visits(X, sign, False).whole_round(np.arange(SHORT), np.zeros(d), 1.0)[1] == 1
        assert not asked.called
        assert Visits(X, sign, False).whole_round(np.arange(SHORT), np.zeros(d), 1.0)[1] == 1
        assert asked.called


@pytest.mark.parametrize(
    "fault", [ImportError("none"), OSError("another processor"), SystemError("another numpy"), AttributeError("old")]
)
def test_without_a_compiler_that_works_plain_python_does_it_all(fault: Exception) -> None:
    body = Loop(total)
    broken = SimpleNamespace(njit=lambda *_, **__: (_ for _ in ()).throw(fault))
    with patch.object(compiled, "import_module", side_effect=fault if isinstance(fault, ImportError) else [broken]):
        assert body.compiled() is None
        assert body.compiled_for(COSTS) is None
        assert body.compiled() is None  # and nobody asks again
    assert body([1.0, 2.0]) == 3.0


@pytest.mark.slow
def test_rows_that_are_too_many_for_lists_give_the_same_round() -> None:
    """Plain Python, arrays up to the next mistake, and the compiler: three ways, one result."""
    rng = np.random.default_rng(0)
    X, sign = rng.integers(-9, 10, (300, 6)) / 10, rng.choice([-1.0, 1.0], 300)
    make = lambda: Visits(X, sign, False, reach=reach_of(X, 0.3))  # noqa: E731
    with never:
        plain = rounds(make, 300, np.zeros(6), 0.3)
        with patch.object(visits, "LISTED", 0), patch.object(visits, "round_of_rows") as listed:
            listed.compiled_for.return_value = None
            assert rounds(make, 300, np.zeros(6), 0.3) == plain
            assert not listed.called
    with always:
        assert rounds(make, 300, np.zeros(6), 0.3) == plain
    assert plain[0][1] > 50


def test_a_single_row_is_handed_to_the_compiled_loop_as_many_are() -> None:
    """With a hundred columns and more it pays for one row already, whose rate is read-only: numpy's, spread over one."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(8, 120)), np.arange(8) % 2
    told = []
    for way in (always, never):
        with way:
            trace = run("logistic_regression", (X, y), mode="stochastic", steps=20, pace=Pace(Level.STEP))
            told.append([step.state.w.tolist() for step in trace])
    assert told[0] == told[1]
