"""PAC sample sizes that the texts print (mitchell D1, D5-D7, D21; aima A28, A31, D39; LS D56, D58),
the chain, and the count.
"""

from itertools import pairwise, product
from math import ceil, comb, exp, factorial, log
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.tags import joined, names_in
from engine.experiments.parts.sizes import enough, exactly, log_size
from engine.experiments.parts.sizes import tests as conjunctions
from engine.protocol.step import Level, Pace
from engine.scene.scene import Plot, Polyline, Role, Table

KEY = "pac_bounds"


def run(data: Any = None, **params: Any) -> Any:
    rng = np.random.default_rng(0)
    table = engine.Dataset.from_columns({f"f{j}": rng.random(16) < 0.5 for j in range(10)})
    return engine.run(KEY, table if data is None else data, **params)


@pytest.mark.parametrize(
    ("params", "m"),
    [
        ({"hypotheses": "all conjunctions"}, 140),  # D1: n = 10, ε = 0.1, δ = 0.05
        ({"hypotheses": "all conjunctions", "n": 3}, ceil((3 * log(3) + log(20)) / 0.1)),
        ({"hypotheses": "all functions", "n": 4}, ceil((16 * log(2) + log(20)) / 0.1)),  # Eq 7.5
        # Eq 7.6
        ({"hypotheses": "k-term DNF", "n": 10, "k": 3}, ceil((30 * log(3) + log(20)) / 0.1)),
        # D21: 134
        (
            {"hypotheses": "integer rectangles", "epsilon": 0.15},
            ceil((log(5050**2) + log(20)) / 0.15),
        ),
    ],
)
def test_sample_sizes(params: dict[str, Any], m: int) -> None:
    trace = run(**params)
    assert trace.given.m == m
    assert next(s for s in trace if s.line == "solve").note["m"] == m


def test_more_decision_lists_than_a_float_can_hold() -> None:
    """aima A31: of ten columns and tests of two literals there are 3^c c!, c = 1 + 20 + 190 = 211;
    its picture has an axis beyond 10³⁰⁸.
    """
    trace = run(hypotheses="k-decision lists", n=10, k=2)
    c = 211
    log_size = c * log(3) + log(factorial(c))
    assert trace.given.m == ceil((log_size + log(20)) / 0.1)
    plot = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    tops = [place for place, _ in plot.y_ticks]
    assert max(tops) > 308
    assert dict(plot.y_ticks)[max(tops)].startswith("10")


def test_integer_rectangles_by_hand() -> None:
    """mitchell D21: 25,502,500 rectangles, ε = 0.15, δ = 0.05."""
    assert exp(log_size("integer rectangles", 2, 1)) == pytest.approx(25_502_500)
    assert run(hypotheses="integer rectangles", epsilon=0.15).given.m == 134


def test_the_agnostic_learner_pays_the_square() -> None:
    """ML Eq 7.3: (ln|H| + ln 1/δ) / 2ε²."""
    assert run(hypotheses="all conjunctions", learner="agnostic").given.m == ceil(
        (10 * log(3) + log(20)) / 0.02
    )
    assert enough(5.0, 0.05, 0.1, True) == ceil((5 + log(10)) / 0.005)


def test_a_multiple_of_the_error_needs_examples_that_depend_on_the_error() -> None:
    """mitchell E7.3: by Chernoff p > (1 + γ) e has at most e^(−m p (γ/(1+γ))²/2), so that m grows
    like 1/ε, where an additive difference needs 1/ε².
    """
    m = {}
    for epsilon in (0.1, 0.05):
        given = run(learner="relative", epsilon=epsilon, hypotheses="all conjunctions").given
        m[epsilon] = given.m
        assert given.m == ceil((10 * log(3) + log(20)) * 2 / (epsilon * 0.25))
    assert m[0.05] / m[0.1] == pytest.approx(2, abs=0.01)
    added = {e: enough(10 * log(3), e, 0.05, True) for e in m}
    assert added[0.05] / added[0.1] == pytest.approx(4, abs=0.01)
    note = next(
        s for s in run(learner="relative", hypotheses="all conjunctions") if s.line == "solve"
    ).note
    assert note["added"] == ceil((10 * log(3) + log(20)) / (2 * 0.05**2))


def test_the_exact_form_is_no_larger_and_the_next_smaller_is_too_few() -> None:
    """AIMA 18.5: |H| (1 − ε)ᴺ ≤ δ."""
    for size, epsilon, delta in product((1.0, 10.0, 40.0), (0.05, 0.1, 0.3), (0.01, 0.05)):
        m = exactly(size, epsilon, delta)
        assert (
            size + m * log(1 - epsilon)
            <= log(delta) + 1e-9
            < size + (m - 1) * log(1 - epsilon) + 2e-9
        )
        assert m <= enough(size, epsilon, delta, False)


def test_counts_of_hypotheses() -> None:
    """mitchell D5, D6; LS D56: 2^64 functions of six columns; D58; aima A31: Σ C(2n, i) tests, 3^c
    c! lists.
    """
    assert exp(log_size("all functions", 6, 1)) == pytest.approx(18_446_744_073_709_551_616)
    assert exp(log_size("all conjunctions", 4, 1)) == pytest.approx(81)
    assert conjunctions(3, 2) == 1 + 6 + comb(6, 2)
    assert exp(log_size("k-decision lists", 2, 1)) == pytest.approx(3**5 * factorial(5))
    # E53: n = 1, 2, 3
    table = next(
        f for f in run().algorithm.scene(run().given, run()[0]).figures if isinstance(f, Table)
    )
    texts = [[c.feature.text(v) for v in c.values.tolist()] for c in table.columns[1::2]]
    assert [column[:3] for column in texts] == [["3", "9", "27"], ["4", "16", "256"]]
    assert texts[1][-1] == "2^64"


def test_all_functions_need_about_two_to_the_n() -> None:
    """aima D39: one more column doubles the examples."""
    sizes = [enough(log_size("all functions", n, 1), 0.1, 0.05, False) for n in range(8, 14)]
    assert [b / a for a, b in pairwise(sizes)] == pytest.approx([2] * 5, abs=0.02)


def test_the_chain_comes_curve_by_curve_and_each_is_above_the_one_before() -> None:
    trace = run(engine.generate("hidden_rectangle", 30, seed=2))
    shown = []
    for step in trace[:7]:
        plot = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot)
        )
        shown.append(
            {
                names_in(layer.tag)[0]: layer.xy
                for layer in plot.layers
                if isinstance(layer, Polyline)
            }
        )
    assert [sorted(curves) for curves in shown] == [
        [],
        [],
        ["many"],
        ["many", "union"],
        ["all", "many"],
        ["all", "exp", "many"],
        ["all", "exp", "many"],
    ]
    last = shown[-1]
    H = trace.given.H.size
    m, logs = last["exp"].T
    seen = ~np.isnan(logs)
    assert 10 ** logs[seen] == pytest.approx(H * np.exp(-0.1 * m[seen]))
    below = last["all"]
    assert (below[:, 1] <= logs[: len(below)] + 1e-12).all() and below[0, 1] == logs[0]
    assert H * exp(-0.1 * trace.given.m) <= 0.05 < H * exp(-0.1 * (trace.given.m - 1))


@pytest.mark.parametrize("learner", ["consistent", "agnostic", "relative"])
def test_runs_fail_less_often_than_the_bound_says(learner: str) -> None:
    """mitchell D3: conservative; aima F19, E22. Counted again from the rows of the last run."""
    data = engine.generate("hidden_rectangle", 40, seed=3)
    trace = run(data, learner=learner, epsilon=0.2, repeats=30)
    s = trace[-1].state
    says = trace.given.says
    assert s.runs == 30 and s.share <= 0.05
    wrong = says != says[s.c]
    seen = wrong[:, s.drawn].sum(axis=1)
    assert seen[s.h] == seen.min() == 0
    assert (np.diff(s.left) <= 0).all() or learner != "consistent"
    assert s.left[0] == 30
    # ε, by Hoeffding 2ε², by Chernoff ε (γ / (1 + γ))² / 2 with γ = 1
    rate = {"consistent": 0.2, "agnostic": 0.08, "relative": 0.025}[learner]
    assert (
        s.left / 30
        <= np.minimum(
            1,
            says.shape[0] * np.exp(-rate * np.arange(len(s.left))),
        )
        + 1e-9
    ).all()


def test_without_examples_enough_a_bad_one_is_taken() -> None:
    """mitchell F10: no training error, and wrong all the same: one example of many says little."""
    trace = run(
        engine.generate("hidden_rectangle", 60, seed=2), epsilon=0.49, delta=0.49, repeats=40
    )
    assert len(trace[-1].state.left) == trace.given.m + 1
    assert trace[-1].state.left[1] > trace[-1].state.left[-1]


def test_large_spaces_are_not_counted_and_say_so() -> None:
    trace = run(hypotheses="all functions", n=20)
    assert trace[-1].state.runs == 0 and "nothing is counted" in trace[-1].note.text()
    assert len(trace) == 8
    again = [run(seed=4, pace=Pace(level))[-1].state for level in (Level.DETAIL, Level.ROUND)]
    assert again[0].left.tolist() == again[1].left.tolist() and again[0].h == again[1].h


def test_amber_is_the_line_of_the_proof_that_has_just_come() -> None:
    trace = engine.run(KEY, engine.textbook("restaurant"))
    tags = {"start": "", "one": "chain", "solve": "chain", "run": "", "done": ""}
    for step in trace:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        lit = [x.tag for x in plot.layers if getattr(x, "role", None) is Role.ACTIVE]
        wanted = tags.get(step.line, joined(step.line, "chain"))
        assert lit == ([wanted] if wanted else [])
