"""WEIGHTED-MAJORITY against ML 7.5.4, Table 7.1 and Theorem 7.5: by hand, and its bound on any
sequence.
"""

from fractions import Fraction as F
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.online.weighted_majority import vote_bound
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Plot, Polyline, Role, Table
from engine.table.dataset import category_column

ROUND = Pace(Level.ROUND)
BITS = st.integers(1, 6).flatmap(
    lambda k: st.lists(
        st.lists(st.booleans(), min_size=k + 1, max_size=k + 1), min_size=1, max_size=40
    )
)
BETAS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99])


def table(rows: object) -> engine.Dataset:
    """The last value of each row is what happens, the others are forecasts."""
    rows = np.asarray(rows, bool)
    columns = [
        category_column(f"e{j + 1}", rows[:, j], (False, True)) for j in range(rows.shape[1] - 1)
    ]
    return engine.Dataset(
        (*columns, category_column("up", rows[:, -1], (True, False), engine.ColumnRole.TARGET))
    )


THREE = [[1, 0, 0, 1], [1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0]]


def test_by_hand() -> None:
    """Day 1: 1 against 2, wrong.

    Day 2: 3/2 against 1/2. Day 3: 5/4 against 1/2. Day 4: 1 against 1/4 + 1/4.
    """
    trace = engine.run("weighted_majority", table(THREE))
    votes = [s for s in trace if s.line == "vote"]
    assert [[o.score for o in s.choice.options] for s in votes] == [
        [1, 2],
        [1.5, 0.5],
        [1.25, 0.5],
        [0.5, 1],
    ]
    assert [s.note["q0"] for s in votes] == [1, F(3, 2), F(5, 4), F(1, 2)]
    assert [s.state.weights.tolist() for s in trace if s.line == "update"] == [
        [1, 0.5, 0.5],
        [1, 0.5, 0.25],
        [1, 0.25, 0.25],
        [1, 0.125, 0.125],
    ]
    assert trace[-1].state.mistakes == 1
    assert [s.state.row for s in trace if "mistake" in s.events] == [0]
    assert trace.finished


def test_every_wrong_expert_is_punished_also_when_the_vote_is_right() -> None:
    trace = engine.run("weighted_majority", table(THREE), beta=0.75)
    after = [s for s in trace if s.line == "update"]
    assert after[1].state.mistakes == after[2].state.mistakes == 1
    assert after[1].note["before"] == F(3, 4)
    assert after[1].note["after"] == F(9, 16)
    assert after[1].state.weights.tolist() == [1, 0.75, 0.5625]


def test_a_tie_is_drawn_at_random() -> None:
    """ML Table 7.1: q0 = q1 -> 0 or 1 at random. Both happen, and the step says so."""
    said = set()
    for seed in range(20):
        step = next(
            s for s in engine.run("weighted_majority", table([[1, 0, 1]]), seed) if s.line == "vote"
        )
        assert step.choice.winners == (0, 1)
        assert "random" in step.choice.rule
        assert "tie" in step.events
        said.add(step.state.said)
    assert said == {0, 1}


def test_coefficients_of_the_bound() -> None:
    """ML Theorem 7.5 for β = ½: 1/log2(4/3) = 2.409…, which the book rounds down to 2.4."""
    assert vote_bound(1, 1, 0.5) == pytest.approx(2.409, abs=1e-3)
    for k, n in ((0, 16), (7, 16), (3, 1024)):
        assert vote_bound(k, n, 0.5) == pytest.approx((k + log2(n)) / log2(4 / 3))
        assert vote_bound(k, n, 0.5) >= 2.4 * (k + log2(n))
    assert vote_bound(0, 16, 0.0) == 4  # HALVING: at most log2 |H|
    assert vote_bound(1, 16, 0.0) == float("inf")


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(BITS, BETAS, st.integers(0, 3))
def test_the_bound_holds_on_any_sequence(rows: list[list[bool]], beta: float, seed: int) -> None:
    trace = engine.run("weighted_majority", table(rows), seed, beta=beta)
    data = np.asarray(rows)
    wrong = data[:, :-1] != data[:, -1:]
    for step in trace:
        best = wrong[: step.state.seen].sum(0).min()
        assert step.metrics["best"] == best
        assert step.state.mistakes <= vote_bound(int(best), wrong.shape[1], beta) + 1e-9
        assert ("bound" in step.metrics) == (beta > 0 or best == 0)
    assert trace[-1].state.wrong.tolist() == wrong.sum(0).tolist()
    assert np.allclose(trace[-1].state.weights, np.power(beta, wrong.sum(0)))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=4, max_size=4), min_size=3, max_size=30),
    BETAS,
)
def test_the_bound_holds_for_several_classes(rows: list[list[str]], beta: float) -> None:
    columns = {f"e{j}": [r[j] for r in rows] for j in range(3)}
    truth = ["a", "b", "c", *(r[3] for r in rows[3:])]
    trace = engine.run(
        "weighted_majority",
        engine.Dataset.from_columns({**columns, "y": truth}, target="y"),
        beta=beta,
    )
    assert trace[-1].state.mistakes <= vote_bound(trace[-1].state.best, 3, beta) + 1e-9


@pytest.mark.slow
def test_long_runs_do_not_run_out_of_numbers() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(10_000) < 0.5
    rows = np.column_stack(
        [truth[:, None] ^ (rng.random((10_000, 6)) < [0.2, 0.45, 0.5, 0.6, 0.9, 1.0]), truth]
    )
    trace = engine.run("weighted_majority", table(rows), pace=ROUND)
    assert trace.finished
    assert len(trace) == 1001
    for step in trace:
        assert (step.state.weights > 0).all()
        assert np.isfinite(step.state.weights).all()
        assert step.state.weights.argmax() == step.state.wrong.argmin()
    assert trace[-1].state.mistakes == pytest.approx(rows[:, 0].__ne__(truth).sum(), abs=5)


def test_useless_experts_hardly_matter() -> None:
    """ML 7.5.4: 16 predictors with accuracies .9, .7, .6 and thirteen at .5 on 200 rounds; cost
    about log n.
    """
    rng = np.random.default_rng(4)
    truth = rng.random(200) < 0.5
    errors = rng.random((200, 16)) < np.array([0.1, 0.3, 0.4] + [0.5] * 13)
    last = engine.run(
        "weighted_majority", table(np.column_stack([truth[:, None] ^ errors, truth]))
    )[-1]
    assert last.state.best == errors.sum(0).min()
    assert last.state.mistakes <= last.state.best + 2 * log2(16)
    assert last.state.mistakes < last.state.plain


def test_beta_zero_throws_experts_out_for_good() -> None:
    trace = engine.run("weighted_majority", table(THREE), beta=0)
    assert trace[-1].state.weights.tolist() == [1, 0, 0]
    trace = engine.run("weighted_majority", table([[1, 0, 1], [0, 1, 1], [1, 1, 1]]), beta=0)
    assert trace[-1].state.weights.tolist() == [0, 0]
    assert [s.line for s in trace if "all out" in s.events] == ["update"]
    assert "tie" in [s for s in trace if s.line == "vote"][-1].events
    assert (trace.codes(trace.problem.X) == -1).all()


@pytest.mark.parametrize("beta", [-0.1, 1, 1.5, float("nan")])
def test_beta_outside_its_range_is_refused(beta: float) -> None:
    with pytest.raises(engine.EngineError, match="Factor β"):
        engine.run("weighted_majority", table(THREE), beta=beta)


@pytest.mark.parametrize("key", ["weighted_majority", "randomized_weighted_majority"])
def test_data_that_can_be_taken(key: str) -> None:
    for data in (
        engine.textbook("spam"),
        engine.generate("pundits", 30),
        engine.generate("boolean_rule", 40),
    ):
        assert engine.run(key, data, pace=ROUND).finished
    words = engine.Dataset.from_columns(
        {"a": ["up", "down"], "b": ["up", "up"], "y": ["down", "up"]}, target="y"
    )
    assert engine.run(key, words)[-1].state.wrong.tolist() == [2, 1]
    signs = engine.Dataset.from_arrays([[1.0, -1.0], [-1.0, -1.0]], np.array([1, -1]))
    assert engine.run(key, signs)[-1].state.wrong.tolist() == [0, 1]
    bits = engine.Dataset.from_arrays([[1.0, 0.0], [0.0, 0.0]], np.array(["yes", "no"]))
    assert engine.run(key, bits)[-1].state.wrong.tolist() == [0, 1]


@pytest.mark.parametrize("key", ["weighted_majority", "randomized_weighted_majority"])
def test_data_that_cannot_is_refused_with_a_way_out(key: str) -> None:
    with pytest.raises(engine.EngineError, match=r"“x1” holds .* none of A, B; leave it out"):
        engine.run(key, engine.generate("moons", 20))
    with pytest.raises(
        engine.EngineError, match=r"“Patrons” holds .* none of Yes, No; leave it out"
    ):
        engine.run(key, engine.textbook("restaurant"))
    with pytest.raises(engine.EngineError, match="some are missing"):
        engine.run(key, engine.Dataset.from_arrays([[1.0], [np.nan]], np.array([1, 0])))


def test_prediction_and_explanation_are_the_vote() -> None:
    trace = engine.run("weighted_majority", table(THREE))
    rows = np.array([[1.0, 0, 0], [0, 1, 1], [0, 0, 0]])
    assert trace.codes(rows).tolist() == [0, 1, 1]
    explanation = trace.algorithm.explain(trace.given, trace[-1].state, rows[0])
    assert explanation.label == 0
    assert explanation.bars.values.tolist() == [1, 0.125, 0.125]
    assert explanation.bars.group.tolist() == [0, 1, 1]
    assert explanation.note["top"] == 1
    assert explanation.note["whole"] == F(5, 4)


def test_goes_on_from_any_step_to_the_same_end() -> None:
    trace = engine.run("weighted_majority", engine.generate("pundits", 25))
    for step in trace:
        run = engine.Run(trace.algorithm, trace.problem, trace.params, start=step.state)
        run.advance()
        last = run.trace[-1].state
        assert last.wrong.tolist() == trace[-1].state.wrong.tolist()
        assert last.mistakes == trace[-1].state.mistakes


def test_the_picture_shows_the_votes() -> None:
    trace = engine.run("weighted_majority", engine.generate("pundits", 25))
    step = [s for s in trace if s.line == "update"][10]
    figures = {type(f): f for f in trace.algorithm.scene(trace.given, step).figures}
    says = trace.given.stream.says[step.state.seen - 1]
    wrong = np.flatnonzero(says != trace.problem.codes[step.state.row])
    assert figures[Table].current == tuple(wrong + 2)  # below the learner and the truth
    assert figures[Table].cells == ("weight",)
    assert figures[Bars].group.tolist() == says.tolist()
    assert figures[Bars].values[wrong].tolist() == (figures[Bars].before[wrong] / 2).tolist()
    plots = [f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot)]
    curves = [line for line in plots[0].layers if isinstance(line, Polyline)]
    assert sum(line.xy[-1, 1] for line in curves) == pytest.approx(1)


def test_the_table_says_who_was_wrong_when_the_truth_is_known() -> None:
    """Amber is the truth and the forecasts that missed it, which are crossed; nothing is before."""
    trace = engine.run("weighted_majority", table(THREE))
    for line in ("vote", "truth"):
        step = next(s for s in trace if s.line == line)
        figure = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Table)
        )
        who, forecast = figure.columns[:2]
        assert [who.feature.text(v) for v in who.values[:2]] == ["the learner", "the truth"]
        texts = [forecast.feature.text(v) for v in forecast.values]
        says = trace.given.stream.says[0]
        truth = int(trace.problem.codes[step.state.row])
        if line == "vote":
            assert figure.current == (0,)
            assert texts[1] == "–"
            assert not any("×" in text for text in texts)
        else:
            missed = np.flatnonzero(says != truth) + 2
            assert figure.current == (1, *missed)
            assert figure.cells == ("forecast",)
            assert [k for k, text in enumerate(texts) if "×" in text and k > 1] == missed.tolist()
            assert ("×" in texts[0]) == (step.state.said != truth)
            assert ("✓" in texts[0]) == (step.state.said == truth)


def test_the_shares_that_fall_are_in_amber_where_they_fall() -> None:
    trace = engine.run("weighted_majority", engine.generate("pundits", 25))
    for step in trace[:40]:
        plot = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if f.title[:6] == "Shares"
        )
        assert isinstance(plot, Plot)
        amber = [layer for layer in plot.layers if layer.role is Role.ACTIVE]
        assert bool(amber) == (step.line in ("update", "tally")), step.line


@pytest.mark.parametrize("key", ["weighted_majority", "randomized_weighted_majority"])
def test_a_tally_lights_the_mistakes_that_its_words_compare(key) -> None:
    trace = engine.run(key, engine.generate("pundits", 25))
    step = next(s for s in trace if s.line == "tally")
    figures = trace.algorithm.scene(trace.given, step).figures
    experts = next(f for f in figures if isinstance(f, Table))
    mistakes = experts.columns[-1]
    amber = [mistakes.feature.text(mistakes.values[k]) for k in experts.current]
    assert amber == [str(step.state.mistakes), str(step.state.best)]
    assert experts.cells == ("mistakes",)


def test_long_weights_are_written_as_powers() -> None:
    """A weight is β to the number of mistakes: exact and short, however small."""
    rows = [[1, 0, 1]] * 40
    trace = engine.run("weighted_majority", table(rows))
    last = [s for s in trace if s.line == "update"][-1]
    assert last.note["before"] == "0.5³⁹"
    assert last.note["after"] == "0.5⁴⁰"
    figure = next(
        f for f in trace.algorithm.scene(trace.given, last).figures if isinstance(f, Table)
    )
    weight = figure.columns[2]
    assert [weight.feature.text(v) for v in weight.values] == ["–", "–", "1", "0.5³⁹ → 0.5⁴⁰"]


def test_the_race_shows_vote_best_unweighted_and_bound() -> None:
    trace = engine.run("weighted_majority", engine.generate("pundits", 60, seed=2))
    plot = trace.algorithm.scene(trace.given, trace[-1]).figures[-1]
    ends = {line.role: line.xy[-1, 1] for line in plot.layers}
    s = trace[-1].state
    assert ends[Role.ACTIVE] == s.mistakes
    assert ends[Role.PLAIN] == s.best
    assert ends[Role.GHOST] == pytest.approx(s.plain)
    assert ends[Role.MARGIN] == pytest.approx(vote_bound(s.best, 10, 0.5))


def test_another_first_example_moves_no_draw_of_the_equal_votes_after_it() -> None:
    """Its two experts agree, or their votes are equal as well, which is one more draw; both keep
    equal weights.
    """

    def said(first: list[str]) -> list[int]:
        rows = [first] + [["a", "b", "c"]] * 20 + [["a"] * 3, ["b"] * 3]
        columns = {name: [row[k] for row in rows] for k, name in enumerate(("E1", "E2", "truth"))}
        trace = engine.run(
            "weighted_majority", engine.Dataset.from_columns(columns, "truth"), beta=0.9, seed=3
        )
        votes = [s for s in trace if s.line == "vote"][1:-2]
        assert all("tie" in s.events for s in votes)
        return [s.state.said for s in votes]

    assert said(["b", "b", "b"]) == said(["a", "b", "c"])


def test_every_pace_draws_the_same_at_ties() -> None:
    columns = {"E1": ["a", "b"] * 10, "E2": ["b", "a"] * 10, "truth": ["a", "b", "b", "a"] * 5}
    data = engine.Dataset.from_columns(columns, "truth")
    ends = [
        engine.run("weighted_majority", data, seed=2, pace=Pace(level))[-1].state.mistakes
        for level in Level
    ]
    assert len(set(ends)) == 1
