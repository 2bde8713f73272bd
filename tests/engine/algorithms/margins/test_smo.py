"""The dual solver against a general solver for quadratic programs and its own laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import engine
from engine.algorithms.margins.parts.kernel import Kernel, factor, hulls_meet
from engine.algorithms.margins.svm import Params, Setting, choose, kernel_rows
from engine.algorithms.margins.svm.dual import Dual
from engine.algorithms.margins.svm.given import feasible
from engine.base.work import finished


def dual_of(X, sign, C=2.0, kernel=Kernel("rbf", gamma=0.5), tolerance=1e-6, in_turn=False) -> Dual:
    classes = [{1: "a", -1: "b", 0: None}[side] for side in sign.tolist()]
    params = Params(
        kernel.name, kernel.degree, kernel.gamma, C, "in turn" if in_turn else "worst", tolerance
    )
    data = engine.Dataset.from_columns(
        {**{f"x{j}": column.tolist() for j, column in enumerate(X.T)}, "y": classes}, "y"
    )
    return Dual(Setting(engine.prepare(data), params))


def step(dual: Dual):
    """The pair that is chosen now, and who of it came to an end; None where no pair disagrees."""
    pair = choose(dual.given, dual)
    return None if pair is None else finished(dual.move(pair.i, pair.j, min(pair.best, pair.room)))


def solve(dual: Dual) -> Dual:
    while step(dual) is not None:
        assert dual.moves < 100_000
    return dual


def objective(dual: Dual) -> float:
    return dual.given.state(dual).objective


def scores(dual: Dual):
    return dual.given.score(dual.given.state(dual), dual.given.problem.X)


def data(n: int, seed: int):
    rng = np.random.default_rng(seed)
    sign = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, 2)) + 0.6 * sign[:, None], sign


@pytest.mark.parametrize("in_turn", [False, True], ids=["worst", "in turn"])
@pytest.mark.parametrize(
    "kernel", [Kernel("linear"), Kernel("rbf"), Kernel("polynomial", 3)], ids=lambda k: k.name
)
def test_the_optimum_is_that_of_a_general_solver(kernel: Kernel, in_turn: bool) -> None:
    X, sign = data(14, 3)
    Q = kernel.matrix(X, X) * np.outer(sign, sign)
    wanted = minimize(
        lambda a: a @ Q @ a / 2 - a.sum(),
        np.full(14, 0.1),
        jac=lambda a: Q @ a - 1,
        bounds=[(0, 2)] * 14,
        constraints={"type": "eq", "fun": lambda a: a @ sign, "jac": lambda a: sign},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    assert objective(solve(dual_of(X, sign, 2.0, kernel, in_turn=in_turn))) == pytest.approx(
        -wanted.fun, rel=1e-5
    )


@given(st.integers(4, 30), st.integers(0, 1000), st.sampled_from([0.1, 1.0, 50.0]), st.booleans())
@settings(deadline=None, max_examples=40)
def test_every_move_keeps_the_constraints_and_raises_the_dual(
    n: int, seed: int, C: float, in_turn: bool
) -> None:
    X, sign = data(n, seed)
    dual = dual_of(X, sign, C, tolerance=1e-3, in_turn=in_turn)
    before = 0.0
    while (ends := step(dual)) is not None and dual.moves < 500:
        alpha = np.abs(dual.beta)
        assert (alpha <= C).all()
        assert abs(dual.beta.sum()) < 1e-9 * C
        assert (dual.beta * sign >= 0).all()
        assert objective(dual) >= before - 1e-9 * max(1, before)
        assert all(alpha[k] in (0.0, C) for k in ends)
        before = objective(dual)


def test_at_the_end_every_point_keeps_its_condition() -> None:
    """α = 0: on its margin or beyond; free: on it; α = C: on it or inside."""
    X, sign = data(60, 1)
    dual = solve(dual_of(X, sign, 1.0, tolerance=1e-4))
    margin = sign * scores(dual)
    alpha = np.abs(dual.beta)
    assert (margin[alpha == 0] >= 1 - 1e-4).all()
    assert (margin[alpha == 1] <= 1 + 1e-4).all()
    assert np.allclose(margin[(alpha > 0) & (alpha < 1)], 1, atol=1e-4)
    assert (alpha == 1).sum() > 0


def test_wishes_do_not_drift() -> None:
    X, sign = data(80, 2)
    dual = solve(dual_of(X, sign, 100.0, Kernel("linear"), 1e-4))
    kept = dual.wish
    finished(dual.refresh())
    assert np.allclose(kept, dual.wish, atol=1e-8)


def test_a_refresh_can_be_stopped_after_every_row() -> None:
    """Of 20 000 examples it takes half a second."""
    X, sign = data(80, 2)
    dual = solve(dual_of(X, sign, 100.0, Kernel("linear"), 1e-4))
    assert sum(pulse is None for pulse in dual.refresh()) == np.count_nonzero(dual.beta) > 2


def test_rows_are_kept_up_to_a_limit(monkeypatch) -> None:
    X, sign = data(30, 4)
    whole = solve(dual_of(X, sign))
    assert len(whole.rows.kept) == 30
    for rows in (2, 3, 7):
        monkeypatch.setattr(kernel_rows, "ROOM", 2 * rows * 30)
        few = solve(dual_of(X, sign))
        assert len(few.rows.kept) == rows
        assert np.allclose(few.beta, whole.beta, atol=1e-6)
        assert all(np.array_equal(few.rows.of(k), whole.rows.of(k)) for k in range(30))


def test_unlabelled_rows_never_move() -> None:
    X, sign = data(20, 5)
    sign[:4] = 0
    dual = solve(dual_of(X, sign))
    assert (dual.beta[:4] == 0).all()
    assert np.isfinite(scores(dual)).all()


SQUARE = np.array([[0, 0], [1, 1], [0, 1], [1, 0]], float)


def test_hulls() -> None:
    """aima D82: four points crossed in the plane meet; with the product of both columns they do
    not.
    """
    sign = np.array([1.0, 1.0, -1.0, -1.0])
    assert hulls_meet(SQUARE, sign)
    assert not hulls_meet(np.column_stack([SQUARE, SQUARE.prod(1)]), sign)
    assert not hulls_meet(SQUARE + np.array([[0, 0], [0, 0], [1e3, 0], [1e3, 0]]), sign)
    assert not hulls_meet(np.array([[0.0], [1.0], [1.0001], [2.0]]), np.array([1.0, 1, -1, -1]))
    assert hulls_meet(np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([1.0, 1, -1, -1]))


@pytest.mark.parametrize(
    "kernel", [Kernel("quadratic"), Kernel("polynomial", 2), Kernel("rbf")], ids=lambda k: k.name
)
def test_separability_by_the_kernel_matrix(kernel: Kernel) -> None:
    sign = np.array([1.0, 1.0, -1.0, -1.0])
    assert not hulls_meet(factor(kernel.matrix(2 * SQUARE - 1, 2 * SQUARE - 1)), sign)
    assert hulls_meet(factor(Kernel("linear").matrix(SQUARE, SQUARE)), sign)


def test_a_former_solution_is_made_to_fit() -> None:
    sign = np.array([1.0, 1.0, -1.0, 0.0])
    kept = feasible(np.array([3.0, 1.0, 5.0, 2.0]), sign, 2.0)
    assert kept @ sign == pytest.approx(0)
    assert ((kept >= 0) & (kept <= 2)).all()
    assert kept[3] == 0
    assert (feasible(np.ones(3), sign, 2.0) == 0).all()
