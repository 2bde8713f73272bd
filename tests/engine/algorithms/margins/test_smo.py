"""The dual solver against a general solver for quadratic programs and its own laws."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import engine
from engine.algorithms.margins.svm.dual import Rows, Solver
from engine.algorithms.margins.svm.given import feasible
from engine.algorithms.margins.svm.hulls import hulls_meet, separable_rows
from engine.numerics.kernels import Kernel


def solver_of(X, sign, C=2.0, kernel=Kernel("rbf", gamma=0.5), tolerance=1e-6, alpha=None) -> Solver:
    return Solver(Rows(lambda a, b: kernel.matrix(X[a:b], X), kernel.diagonal(X)), sign, C, tolerance, alpha)


def solve(solver: Solver, in_turn: bool = False) -> Solver:
    choose = solver.next_in_turn if in_turn else solver.worst
    while (pair := choose()) is not None:
        solver.move(pair)
        assert solver.moves < 100_000
    return solver


def data(n: int, seed: int):
    rng = np.random.default_rng(seed)
    sign = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, 2)) + 0.6 * sign[:, None], sign


@pytest.mark.parametrize("in_turn", [False, True], ids=["worst", "in turn"])
@pytest.mark.parametrize("kernel", [Kernel("linear"), Kernel("rbf"), Kernel("polynomial", 3)], ids=lambda k: k.name)
def test_the_optimum_is_that_of_a_general_solver(kernel: Kernel, in_turn: bool) -> None:
    X, sign = data(14, 3)
    Q = kernel.matrix(X, X) * np.outer(sign, sign)
    wanted = minimize(
        lambda a: a @ Q @ a / 2 - a.sum(), np.full(14, 0.1), jac=lambda a: Q @ a - 1, bounds=[(0, 2)] * 14,
        constraints={"type": "eq", "fun": lambda a: a @ sign, "jac": lambda a: sign},
        method="SLSQP", options={"ftol": 1e-12, "maxiter": 1000},
    )  # fmt: skip
    assert solve(solver_of(X, sign, 2.0, kernel), in_turn).objective == pytest.approx(-wanted.fun, rel=1e-5)


@given(st.integers(4, 30), st.integers(0, 1000), st.sampled_from([0.1, 1.0, 50.0]), st.booleans())
@settings(deadline=None, max_examples=40)
def test_every_move_keeps_the_constraints_and_raises_the_dual(n: int, seed: int, C: float, in_turn: bool) -> None:
    X, sign = data(n, seed)
    solver = solver_of(X, sign, C, tolerance=1e-3)
    choose, before = (solver.next_in_turn if in_turn else solver.worst), 0.0
    while (pair := choose()) is not None and solver.moves < 500:
        ends = solver.move(pair)
        assert (solver.alpha >= 0).all()
        assert (solver.alpha <= C).all()
        assert abs(solver.alpha @ sign) < 1e-9 * C
        assert solver.objective >= before - 1e-9 * max(1, before)
        assert all(solver.alpha[k] in (0.0, C) for k in ends)
        before = solver.objective


def test_at_the_end_every_point_keeps_its_condition() -> None:
    """α = 0: on its margin or beyond; free: on it; α = C: on it or inside."""
    X, sign = data(60, 1)
    solver = solve(solver_of(X, sign, 1.0, tolerance=1e-4))
    margin, alpha = sign * solver.scores(), solver.alpha
    assert (margin[alpha == 0] >= 1 - 1e-4).all()
    assert (margin[alpha == 1] <= 1 + 1e-4).all()
    assert np.allclose(margin[(alpha > 0) & (alpha < 1)], 1, atol=1e-4)
    assert (alpha == 1).sum() > 0


def test_wishes_do_not_drift() -> None:
    X, sign = data(80, 2)
    solver = solve(solver_of(X, sign, 100.0, Kernel("linear"), 1e-4))
    kept = solver.wish
    solver.refresh()
    assert np.allclose(kept, solver.wish, atol=1e-8)


def test_rows_are_kept_up_to_a_limit(monkeypatch) -> None:
    monkeypatch.setattr(sys.modules[Rows.__module__], "ROOM", 4 * 30)
    X, sign = data(30, 4)
    few = solve(solver_of(X, sign))
    assert len(few.rows._kept) <= 2
    monkeypatch.undo()
    assert solve(solver_of(X, sign)).objective == pytest.approx(few.objective, rel=1e-6)


def test_unlabelled_rows_never_move() -> None:
    X, sign = data(20, 5)
    sign[:4] = 0
    solver = solve(solver_of(X, sign))
    assert (solver.alpha[:4] == 0).all()
    assert np.isfinite(solver.scores()).all()


def test_a_matrix_that_is_no_kernel_is_refused() -> None:
    K = np.array([[1.0, 3.0], [3.0, 1.0]])
    solver = Solver(Rows(lambda a, b: K[a:b], np.diag(K)), np.array([1.0, -1.0]), 1.0, 1e-3)
    with pytest.raises(engine.EngineError, match="positive semidefinite"):
        solver.worst()


SQUARE = np.array([[0, 0], [1, 1], [0, 1], [1, 0]], float)


def test_hulls() -> None:
    """aima D82: four points crossed in the plane meet; with the product of both columns they do not."""
    sign = np.array([1.0, 1.0, -1.0, -1.0])
    assert hulls_meet(SQUARE, sign)
    assert not hulls_meet(np.column_stack([SQUARE, SQUARE.prod(1)]), sign)
    assert not hulls_meet(SQUARE + np.array([[0, 0], [0, 0], [1e3, 0], [1e3, 0]]), sign)
    assert not hulls_meet(np.array([[0.0], [1.0], [1.0001], [2.0]]), np.array([1.0, 1, -1, -1]))
    assert hulls_meet(np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([1.0, 1, -1, -1]))


@pytest.mark.parametrize("kernel", [Kernel("quadratic"), Kernel("polynomial", 2), Kernel("rbf")], ids=lambda k: k.name)
def test_separability_by_the_kernel_matrix(kernel: Kernel) -> None:
    sign = np.array([1.0, 1.0, -1.0, -1.0])
    assert separable_rows(None, lambda: kernel.matrix(2 * SQUARE - 1, 2 * SQUARE - 1), sign)
    assert not separable_rows(None, lambda: Kernel("linear").matrix(SQUARE, SQUARE), sign)


def test_a_former_solution_is_made_to_fit() -> None:
    sign = np.array([1.0, 1.0, -1.0, 0.0])
    kept = feasible(np.array([3.0, 1.0, 5.0, 2.0]), sign, 2.0)
    assert kept @ sign == pytest.approx(0)
    assert ((kept >= 0) & (kept <= 2)).all()
    assert kept[3] == 0
    assert (feasible(np.ones(3), sign, 2.0) == 0).all()
