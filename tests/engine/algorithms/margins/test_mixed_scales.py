"""The support vector machine on columns of very different size: the words for a distance that
floats cannot tell.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.margins.parts.kernel import Kernel


def mixed(seed: int, small: float, large: float, repeated: bool, n: int = 16) -> engine.Dataset:
    """A column of ±large, and one of about `small`; repeated: every place twice, now and then with
    both classes.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    X = np.column_stack([rng.choice([-large, large], n), small * (rng.integers(0, 9, n) + 4.0 * y)])
    if repeated:
        X[n // 2 :] = X[: n // 2]
    return engine.Dataset.from_arrays(X, np.where(y, "B", "A"))


def exact_square(x: np.ndarray, z: np.ndarray) -> Fraction:
    return sum(
        ((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x.tolist(), z.tolist(), strict=True)),
        Fraction(0),
    )


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from([1e-7, 1e-3, 1.0]),
    st.sampled_from([1.0, 1e5, 1e9]),
    st.booleans(),
    st.sampled_from([0.5, 10.0, 1e4]),
)
def test_a_step_is_infinite_only_at_one_place(
    seed: int, small: float, large: float, repeated: bool, C: float
) -> None:
    """t is the disagreement by d² or the room in the box, whichever is less; d² is 0 of equal rows
    alone.
    """
    trace = engine.run("svm", mixed(seed, small, large, repeated), C=C, max_steps=80)
    X = trace.problem.X
    for s in trace:
        if s.line not in ("move", "clip"):
            continue
        said = s.note
        square = exact_square(*X[list(s.state.pair)])
        assert np.isinf(said["best"]) == (square == 0)
        assert said["apart"] == pytest.approx(float(square), rel=1e-3, abs=0)
        if square:
            assert said["best"] == pytest.approx(said["violation"] / float(square), rel=1e-3)
        assert said["t"] == min(said["best"], said["room"])


@pytest.mark.parametrize("kernel", ["linear", "quadratic", "polynomial", "rbf"])
def test_the_square_of_a_distance_is_exact_however_close_the_places_are(kernel: str) -> None:
    """x = (1, 0), z = (1 + δ, 0): δ² and (2 δ + δ²)²; 2 (1 − exp(−γ δ²)), which is 2 γ δ² and terms
    of δ⁴.
    """
    delta = 2.0**-30
    found = Kernel(kernel, 2, 0.5).exact_square(np.array([1.0, 0.0]), np.array([1.0 + delta, 0.0]))
    # (1 + x²)² − 2 (1 + x z)² + (1 + z²)² = 2 (z − x)² + (z² − x²)², which is 6 δ² and terms of δ³
    wanted = {"linear": 1.0, "quadratic": 4.0, "polynomial": 6.0, "rbf": 1.0}[kernel] * delta**2
    assert found == pytest.approx(wanted, rel=1e-6)


def test_two_classes_that_rounding_makes_one_place_are_distinguished_or_named() -> None:
    """d is 10⁻⁷ where the columns reach 10⁵; the two have room for their move only while C is
    finite.
    """
    data = mixed(3, 1e-7, 1e5, False)
    soft = engine.run("svm", data, C=10.0)
    moves = [s for s in soft if s.line == "clip"]
    assert any("rounding hides" in line for s in moves for line in s.note.lines())
    assert not any("∞" in line for s in moves for line in s.note.lines())
    hard = engine.run("svm", data, C=float("inf"))
    assert "too coarse to tell them apart" in hard[-1].note.text()
