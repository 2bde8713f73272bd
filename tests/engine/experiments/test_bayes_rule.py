"""Bayes' rule: the cancer test of ML Ex 6.1 (mitchell B16, E6.1), and fractions."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.scene.scene import Labels, Polyline, Role

SHARES = st.integers(1, 99)


def chances(**params: float) -> list[float]:
    return list(engine.run("bayes_rule", engine.textbook("spam"), **params)[-1].state.chances)


def test_the_first_test_of_the_text() -> None:
    """P(+|cancer) P(cancer) = .0078, P(+|¬cancer) P(¬cancer) = .0298, P(cancer|+) = .21: the
    likelier hypothesis is no cancer.
    """
    trace = engine.run("bayes_rule", engine.textbook("spam"), tests=1)
    step = next(s for s in trace if s.line == "bayes")
    assert step.note["a"] == pytest.approx(0.0078, abs=5e-5)
    assert step.note["b"] == pytest.approx(0.0298, abs=5e-5)
    assert step.note["after"] == pytest.approx(0.21, abs=5e-3)
    assert step.note["likelier"] == "well"


def test_a_second_positive_test() -> None:
    """ML Ex 6.1 by fractions: .008 · .98² against .992 · .03²; then cancer is likelier."""
    ill = F(8, 1000) * F(98, 100) ** 2
    well = F(992, 1000) * F(3, 100) ** 2
    assert chances()[-1] == pytest.approx(float(ill / (ill + well)), rel=1e-12)
    assert chances()[-1] == pytest.approx(0.896, abs=5e-4)
    trace = engine.run("bayes_rule", engine.textbook("spam"))
    assert [trace[k].state.test for k in trace.when("turned")] == [2]


@given(SHARES, SHARES, SHARES, st.integers(1, 6))
def test_tests_one_by_one_are_all_tests_at_once(p: int, hit: int, right: int, k: int) -> None:
    """P(ill | k times +) by one division of the products, in fractions."""
    prior, sensitivity, false = F(p, 100), F(hit, 100), F(100 - right, 100)
    ill = prior * sensitivity**k
    well = (1 - prior) * false**k
    found = chances(prior=p / 100, sensitivity=hit / 100, specificity=right / 100, tests=k)
    assert found[-1] == pytest.approx(float(ill / (ill + well)), rel=1e-9)


@given(SHARES, SHARES, SHARES)
def test_a_test_that_tells_nothing_leaves_the_prior(p: int, hit: int, right: int) -> None:
    found = chances(prior=p / 100, sensitivity=hit / 100, specificity=right / 100, tests=1)
    assert (found[1] > found[0] + 1e-9) == (hit > 100 - right)


def test_no_test_is_ever_positive() -> None:
    trace = engine.run(
        "bayes_rule", engine.textbook("spam"), sensitivity=0.0, specificity=1.0, tests=3
    )
    assert trace.when("impossible")
    assert "nothing to divide by" in "\n".join(trace[-1].note.lines())


def test_the_curve_goes_as_far_as_the_chances_are_known() -> None:
    trace = engine.run("bayes_rule", engine.textbook("spam"), tests=3)
    for step in trace:
        areas, after = trace.algorithm.scene(trace.given, step).figures[:2]
        (own,) = (x for x in after.layers if isinstance(x, Polyline) and x.role is Role.BOUNDARY)
        assert own.xy[:, 1].tolist() == list(step.state.chances)
    said = [text for x in areas.layers if isinstance(x, Labels) for text in x.text]
    assert "all: 0.8 % ill" in said  # at the end before all tests and after them
    assert after.title.endswith(f"0.008 → {chances(tests=3)[-1]:.3f}")
