"""The exercises and worked numbers of Mitchell's chapter 7 and AIMA 18.5, each by the settings that
show it in the lab (mitchell D1, D7, D21, E7.1, E7.2, E7.4, E7.5, E7.7; aima A28, A31, B12).
"""

from math import ceil, comb, factorial, log, log2
from typing import Any

import pytest

import engine

RECTANGLE = engine.generate("hidden_rectangle")
TEN = engine.generate("hidden_conjunction")


def line(key: str, label: str, data: Any, **settings: Any) -> Any:
    """The note of the first step at this line."""
    trace = engine.run(key, data, **settings)
    return next(step for step in trace if step.line == label).note


def by_vc(d: float, epsilon: float, delta: float) -> int:
    return ceil((4 * log2(2 / delta) + 8 * d * log2(13 / epsilon)) / epsilon)


@pytest.mark.parametrize(
    ("settings", "m"),
    [
        ({"hypotheses": "all conjunctions", "n": 10}, 140),  # D1, ML 7.3.2, as printed
        ({"hypotheses": "integer rectangles", "epsilon": 0.15}, 134),  # D21, Ex 7.2(a)
        # D7, Eq 7.6: |H| ≤ 3^(n k)
        ({"hypotheses": "k-term DNF", "n": 10, "k": 3}, ceil((30 * log(3) + log(20)) / 0.1)),
        # aima A31, 18.5.1: tests of two of three columns, c = 1 + 6 + 15
        (
            {"hypotheses": "k-decision lists", "n": 3, "k": 2},
            ceil((22 * log(3) + log(factorial(1 + 6 + comb(6, 2))) + log(20)) / 0.1),
        ),
        # A17, 7.3.1: the agnostic learner
        (
            {"hypotheses": "all conjunctions", "n": 10, "learner": "agnostic"},
            ceil((10 * log(3) + log(20)) / (2 * 0.1**2)),
        ),
    ],
)
def test_examples_that_suffice_for_a_finite_class(settings: dict[str, Any], m: int) -> None:
    assert line("pac_bounds", "solve", TEN, repeats=0, **settings)["m"] == m


@pytest.mark.parametrize(
    ("settings", "m"),
    [
        # E7.1: a perceptron of two inputs has d = 3
        ({"hypotheses": "half-spaces", "epsilon": 0.05, "delta": 0.1}, by_vc(3, 0.05, 0.1)),
        # E7.2(b): real rectangles
        ({"hypotheses": "rectangles", "epsilon": 0.15}, by_vc(4, 0.15, 0.05)),
        # E7.4
        ({"hypotheses": "intervals", "epsilon": 0.1}, by_vc(2, 0.1, 0.05)),
    ],
)
def test_examples_that_suffice_by_the_dimension(settings: dict[str, Any], m: int) -> None:
    assert line("vc_bounds", "upper", RECTANGLE, repeats=10, **settings)["enough"] == m


def test_rectangles_by_hand_need_fewer() -> None:
    """E7.2(b): (4/ε) ln(4/δ)."""
    note = line("vc_bounds", "strips", RECTANGLE, repeats=10, epsilon=0.15)
    assert note["by_hand"] == ceil(4 / 0.15 * log(4 / 0.05)) == 117


def test_regular_trees_of_depth_two_can_be_anything() -> None:
    """E7.7, B14: over two Booleans such trees are all 16 functions, VC 4 ≤ Opt 4 ≤ log₂ 16."""
    state = engine.run("mistake_bounds", TEN, concepts="trees", columns=2)[-1].state
    assert (state.vc, state.opt, state.halving) == (4, 4, 4)


@pytest.mark.slow
def test_a_neighbourhood_in_many_dimensions() -> None:
    """aima Fig 18.27: of a million points ten fill a cube of .94 of the side in 200 dimensions, of
    one half in 17.
    """
    seen = engine.run(
        "curse_of_dimensionality", engine.generate("moons", 20), points=10**6, k=10, dimensions=200
    )[-1].state.seen
    edges = {one.n: one.edge for one in seen}
    assert edges[200] == pytest.approx(0.94, abs=0.005)
    assert edges[17] == pytest.approx(0.5, abs=0.01)
