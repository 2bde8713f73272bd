"""Loops run compiled exactly as they run plainly, only in a process that allows it, and plainly
where there is no numba.
"""

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import main
from engine import Dataset, Level, Pace, generate, prepare, run
from engine.base.arrays import Float
from engine.fit.processes import Processes
from engine.numerics import jit, visits
from engine.numerics.mistakes import reach_of
from engine.numerics.sigmoid import after_sigmoid
from engine.numerics.visits import Visits

always = patch.multiple(jit, allowed=True, spent=jit.WORTH)
never = patch.multiple(jit, allowed=False)
ROOT = Path(__file__).parents[3]
needs_numba = pytest.mark.xfail(find_spec("numba") is None, reason="there is none", strict=True)


def total(values: Any) -> float:
    result = 0.0
    for value in values:
        result += value
    return result


def allowed() -> bool:
    return jit.allowed


# -- the same numbers ------------------------------------------------------------------------------


def rounds(
    make: Callable[[], Visits], n: int, w: Float, rates: Any
) -> list[tuple[list[float], int]]:
    found = []
    learner = make()
    for _ in range(4):
        w, mistakes = learner.whole_round(np.arange(n), w, rates)
        found.append((w.tolist(), mistakes))
    return found


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["tenths", "any"]),
)
def test_rounds_of_a_perceptron_agree_to_the_last_bit(
    seed: int, d: int, fires_at_zero: bool, steady: bool, kind: str
) -> None:
    """On tenths, where rounding decides what lies on the line, as on any numbers; with unlabelled
    rows; in plain Python, compiled, and block by block.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    if kind == "tenths":
        X = rng.integers(-9, 10, (n, d)) / 10
    else:
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)
    if d == 3 and rng.random() < 0.5:
        X[:, 2] = -1.0
    sign = rng.choice([-1.0, 0.0, 1.0], n, p=[0.45, 0.1, 0.45])
    w = rng.integers(-3, 4, d) / 10
    rates = 0.3 if steady else rng.integers(1, 9, n) / 10

    def make() -> Visits:
        return Visits(X, sign, fires_at_zero, reach=reach_of(X, 0.3))

    with patch.object(visits, "BLOCKS_PAY", 0):
        with never:
            plain = rounds(make, n, w, rates)
        with always:
            assert rounds(make, n, w, rates) == plain
    with patch.object(visits, "MOST", -1):
        assert rounds(make, n, w, rates) == plain


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.sampled_from([(0.0, 0.0), (0.3, 0.0), (0.0, 0.3)]),
)
def test_visits_of_sigmoid_units_agree_to_the_last_bit(
    seed: int, d: int, squared: bool, steady: bool, penalty: tuple[float, float]
) -> None:
    """Some answers are not known; with one rate, and with one for each visit; with a ridge, with a
    lasso and without a penalty.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 3)
    y = rng.choice([0.0, 1.0, np.nan], n)
    w = rng.normal(size=d)
    rates = np.asarray(rng.random()) if steady else rng.random(n)
    order = rng.permutation(n)
    with never:
        plain = after_sigmoid(X[order], y[order], rates, w, squared, *penalty)
    with always:
        quick = after_sigmoid(X[order], y[order], rates, w, squared, *penalty)
    assert quick.tolist() == plain.tolist()
    assert np.isfinite(plain).all()


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"penalise_b": False, "schedule": "1/(1+ct)"},
        {"rate": 10.0, "C": 100.0},  # leads beyond all numbers
    ],
)
def test_single_steps_of_a_descent_are_those_of_its_page(d: int, params: dict[str, Any]) -> None:
    """Plain and compiled rounds come to the weights that the page comes to example by example, to
    the last bit.
    """
    rng = np.random.default_rng(d)
    X = rng.normal(size=(60, d))
    y = X.sum(axis=1) + rng.normal(size=60)
    problem = prepare(Dataset.from_arrays(X, np.where(y > 0, "A", "B")))
    key = "hinge_descent"
    with never:
        watched = run(key, problem, pace=Pace(Level.STEP), mode="stochastic", steps=250, **params)
        plain = run(key, problem, pace=Pace(Level.ROUND), mode="stochastic", steps=250, **params)
    with always:
        quick = run(key, problem, pace=Pace(Level.ROUND), mode="stochastic", steps=250, **params)

    def weights(trace: Any) -> list[bytes]:
        states = [step.state for step in trace if step.level == Level.ROUND]
        return [s.weights.tobytes() for s in states]

    assert weights(plain) == weights(watched)
    assert weights(quick) == weights(watched)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["fixed", "1000/(1000+t)"])
def test_a_whole_run_is_the_same_either_way(schedule: str) -> None:
    problem = prepare(generate("moons", 300, 0.3))
    params = {"stop": "rounds", "rounds": 30, "threshold": "learned", "schedule": schedule}
    with never:
        plain = run("perceptron", problem, pace=Pace(Level.ROUND), **params)
    with always:
        quick = run("perceptron", problem, pace=Pace(Level.ROUND), **params)
    assert [step.state.w.tolist() for step in quick] == [step.state.w.tolist() for step in plain]
    assert len(plain) == 31


# -- who compiles ----------------------------------------------------------------------------------


@needs_numba
def test_a_process_that_allows_it_compiles_once_it_has_spent_enough_in_plain_loops() -> None:
    body = jit.jit(total)
    quick = jit.compiled(total)
    assert quick is not None
    values = np.arange(8.0)
    with patch.object(jit, "compiled", return_value=quick) as compiled:
        with patch.multiple(jit, allowed=True, spent=0.0, WORTH=1e-9):
            assert body(values) == 28.0
            assert not compiled.called
            assert body(values) == 28.0
            assert compiled.called
        compiled.reset_mock()
        with patch.multiple(jit, allowed=False, spent=1e9):
            assert body(values) == 28.0
            assert not compiled.called


def test_the_plain_loop_gets_lists_and_the_compiled_one_whole_arrays_that_it_may_write_to() -> None:
    whole = np.arange(10.0)
    whole.flags.writeable = False
    with never:
        assert jit.jit(lambda values: type(values))(whole) is list
    seen: list[np.ndarray] = []
    with always, patch.object(jit, "compiled", return_value=seen.append):
        for part in (whole, whole[::2], np.broadcast_to(1.0, 3)):
            jit.jit(total)(part)
    assert [array.tolist() for array in seen] == [
        whole.tolist(),
        whole[::2].tolist(),
        [1.0, 1.0, 1.0],
    ]
    assert all(array.flags.writeable and array.flags.c_contiguous for array in seen)


def test_commands_allow_it() -> None:
    with never:
        assert main.main(["list"]) == 0
        assert allowed()


def test_the_window_does_not() -> None:
    with never, patch("gui.app.main", return_value=0):
        assert main.main([]) == 0
        assert not allowed()


@pytest.mark.slow
def test_the_process_that_fits_for_an_experiment_allows_it() -> None:
    expression = "__import__('sys').modules['engine.numerics.jit'].allowed"
    workers = Processes(1)
    try:
        assert workers.submit(eval, expression).result(60) is True
    finally:
        workers.shutdown(wait=False, kill_workers=True)


@pytest.mark.slow
@pytest.mark.parametrize("prologue", ["", "sys.modules['numba'] = None; jit.allow_compiling();"])
def test_where_it_is_not_allowed_or_there_is_no_numba_all_runs_in_plain_python(
    prologue: str,
) -> None:
    program = f"""
import sys
from engine import Level, Pace, generate, prepare, run
from engine.numerics import jit
jit.WORTH = 0.0
{prologue}
for key, params in (
    ("perceptron", {{}}),
    ("logistic_regression", {{"mode": "stochastic"}}),
    ("hinge_descent", {{"mode": "stochastic"}}),
    ("svm", {{}}),
):
    run(key, prepare(generate("moons", 100, 0.3)), pace=Pace(Level.ROUND), **params)
print(sys.modules.get("numba"))
"""
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "None"


@needs_numba
def test_where_nothing_can_be_kept_it_is_compiled_for_the_process() -> None:
    import numba

    usual = numba.njit

    def nowhere(loop: Any = None, *, cache: bool = False) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return usual(loop)

    with patch.object(numba, "njit", nowhere):
        quick = jit.compiled.__wrapped__(total)
    assert quick(np.array([1.0, 2.0])) == 3.0
