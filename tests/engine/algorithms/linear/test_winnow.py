"""Winnow against MMDS 12.2.3-12.2.4 (Figs 12.7, 12.9) and its own laws."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.linear.winnow import scale
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Role, Table

ROUND = Pace(Level.ROUND)
HALF, QUARTER = 0.5, 0.25


def visits(trace):
    return [step for step in trace if step.line in ("test", "double", "halve")]


def mistakes(trace):
    return [step for step in trace if step.line in ("double", "halve")]


def test_figure_12_7_row_by_row() -> None:
    """mmds D10: θ = 5; twelve rows, then a clean round.

    Rows c and e of round 2 are ties, counted as errors.
    """
    trace = engine.run("winnow", engine.textbook("spam"))
    rows = visits(trace)
    assert [s.note["score"] for s in rows[:12]] == [4, 3, 3, 4, 6, 6, 8, 2, 5, 2, 5, 7]
    assert "".join("abcdef"[s.state.current] for s in mistakes(trace)) == "acfcef"
    assert [s.state.w.tolist() for s in mistakes(trace)] == [
        [2, 2, 1, 2, 2],
        [2, 4, 2, 2, 2],
        [1, 4, 1, 1, 2],
        [1, 8, 2, 1, 2],
        [2, 8, 4, 1, 4],
        [1, 8, 2, HALF, 4],
    ]
    assert all(s.state.theta == 5 for s in trace)
    assert trace.finished
    assert trace.when("converged")
    assert (trace.predict(trace.problem.X) == trace.problem.y).all()


def test_figure_12_9_learns_its_threshold() -> None:
    """mmds D11: w·x − θ is 3, 1, −½, ½ for a to d; w and θ after each mistake; θ = 2 at the end."""
    trace = engine.run("winnow", engine.textbook("spam"), threshold="learned")
    assert [s.note["score"] - s.note["theta"] for s in visits(trace)[:4]] == [
        3,
        1,
        F(-1, 2),
        F(1, 2),
    ]
    assert [[*s.state.w.tolist(), s.state.theta] for s in mistakes(trace)] == [
        [1, 1, HALF, HALF, 1, 2],
        [1, 2, 1, HALF, 1, 1],
        [HALF, 2, 1, QUARTER, 1, 2],
    ]
    assert trace[-1].state.theta == 2
    assert trace.when("converged")


def test_notes_hold_fractions() -> None:
    """Manners, on paper: ½ stays 1/2."""
    trace = engine.run("winnow", engine.textbook("spam"))
    last = mistakes(trace)[-1].note
    assert last["after"] == (1, 8, 2, F(1, 2), 4)
    assert all(isinstance(value, F) for value in last["after"])
    assert "(1, 8, 2, 1/2, 4)" in "\n".join(last.lines())


def test_the_printed_table_is_shown() -> None:
    """mmds C12.7: the weights stand only in the rows that changed them."""
    trace = engine.run("winnow", engine.textbook("spam"))
    step = visits(trace)[11]
    figures = trace.algorithm.scene(trace.given, step).figures
    table = next(f for f in figures if isinstance(f, Table) and f.title == "Visits")
    columns = {c.feature.name: [c.feature.text(v) for v in c.values] for c in table.columns}
    assert columns["x"] == list("abcdefabcdef")
    assert columns["w·x"] == ["4", "3", "3", "4", "6", "6", "8", "2", "5", "2", "5", "7"]
    assert [k for k, ok in enumerate(columns["OK?"]) if ok == "no"] == [0, 2, 5, 8, 10, 11]
    assert columns["of"] == ["2", "", "2", "", "", "1", "", "", "1", "", "1", "1/2"]


def test_a_learned_threshold_counts_in_the_printed_scores() -> None:
    """mmds D11, Fig 12.9: θ is the weight of a feature that is −1."""
    trace = engine.run("winnow", engine.textbook("spam"), threshold="learned")
    figures = trace.algorithm.scene(trace.given, visits(trace)[3]).figures
    table = next(f for f in figures if isinstance(f, Table) and f.title == "Visits")
    columns = {c.feature.name: [c.feature.text(v) for v in c.values] for c in table.columns}
    assert columns["w·x − θ"] == ["3", "1", "−1/2", "1/2"]
    assert columns["θ"] == ["", "2", "1", "2"]


def test_doubled_and_halved_columns_are_lit() -> None:
    trace = engine.run("winnow", engine.textbook("spam"))
    figures = trace.algorithm.scene(trace.given, mistakes(trace)[1]).figures
    bars = next(f for f in figures if isinstance(f, Bars))
    assert bars.labels == ("and", "viagra × 2", "the × 2", "of", "nigeria")
    assert bars.before.tolist() == [2, 2, 1, 2, 2]
    examples = next(f for f in figures if isinstance(f, Table) and f.title == "Examples")
    assert [c.feature.name for c in examples.columns if c.role is Role.ACTIVE] == ["viagra", "the"]
    assert examples.current == (2,)
    table = next(f for f in figures if isinstance(f, Table) and f.title == "Visits")
    assert [c.feature.name for c in table.columns if c.role is Role.ACTIVE] == ["viagra", "the"]
    assert bars.beside  # shown without asking, in the dock and to a hall


@pytest.mark.parametrize("factor", [2.0, 3.0])
def test_it_need_not_converge_and_says_so(factor: float) -> None:
    """mmds A18, D17, F08: AND is separable, but its weights are powers of the factor and go round
    in a circle.
    """
    trace = engine.run("winnow", engine.textbook("and"), factor=factor, rounds=1000)
    assert trace.when("cycle")
    assert not trace.when("converged")
    assert "need not converge" in trace[-1].note.text()
    again = trace[-1].note["again"]
    ends = {s.state.round: s.state.w.tolist() for s in trace if s.line in ("start", "until")}
    assert ends[again] == trace[-1].state.w.tolist()


@pytest.mark.parametrize("factor", [1.1, 1.5, 1.9])
def test_a_smaller_factor_helps(factor: float) -> None:
    """mmds D18, F09."""
    assert engine.run("winnow", engine.textbook("and"), factor=factor).when("converged")


def test_learned_threshold_fails_on_the_exercise() -> None:
    """mmds A20 erratum: not on Exercise 12.2.1(d), in the printed order with equality
    as an error.
    """
    trace = engine.run(
        "winnow", engine.textbook("spam_nigeria"), threshold="learned", rounds=150, pace=ROUND
    )
    assert trace.finished
    assert not trace.when("converged")
    assert engine.run("winnow", engine.textbook("spam_nigeria")).when("converged")


def test_an_example_without_ones_is_never_mended() -> None:
    """mmds A18, trap."""
    trace = engine.run("winnow", ([[0, 0], [1, 0], [0, 1]], [1, 1, -1]))
    first = mistakes(trace)[0]
    assert first.state.current == 0
    assert "no column is on" in first.note.text()
    assert not trace.when("converged")


@pytest.mark.parametrize(
    ("data", "way_out"),
    [
        (engine.generate("blobs", seed=1), "other data"),
        (engine.textbook("restaurant"), "0/1 columns"),
    ],
    ids=["numbers", "words"],
)
def test_only_columns_of_zeros_and_ones(data: engine.Dataset, way_out: str) -> None:
    """Words can be taken apart into such columns, numbers cannot."""
    with pytest.raises(engine.EngineError, match=f"columns of 0 and 1.*{way_out}"):
        engine.run("winnow", data)


def test_truth_values_will_do() -> None:
    rows = {"hot": [True, True, False], "dry": [False, True, True], "y": ["yes", "yes", "no"]}
    assert engine.run("winnow", engine.Dataset.from_columns(rows, target="y")).when("converged")


def by_the_book(X, y, factor, learned, rounds):
    """MMDS 12.2.3-12.2.4 in fractions, straight from the text."""
    w = [F(1)] * len(X[0])
    theta = F(1) if learned else F(len(X[0]))
    for _ in range(rounds):
        clean = True
        for x, label in zip(X, y, strict=True):
            score = sum((v for v, on in zip(w, x, strict=True) if on), F(0))
            up = label > 0 and score <= theta
            down = label < 0 and score >= theta
            if up or down:
                clean = False
                by = factor if up else 1 / factor
                w = [v * by if on else v for v, on in zip(w, x, strict=True)]
                theta = theta / by if learned else theta
        if clean:
            break
    return w, theta, clean


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["1.1", "1.5", "2", "3"]), st.booleans())
def test_same_weights_as_fractions(data: st.DataObject, factor: str, learned: bool) -> None:
    """Exact for every factor, at every pace; mmds F07: the weights stay positive."""
    d = data.draw(st.integers(1, 4))
    X = data.draw(
        st.lists(st.lists(st.sampled_from([0, 1]), min_size=d, max_size=d), min_size=2, max_size=8)
    )
    y = data.draw(
        st.lists(st.sampled_from([1, -1]), min_size=len(X), max_size=len(X)).filter(
            lambda v: len(set(v)) == 2
        )
    )
    given_ = {"factor": float(factor), "threshold": "learned" if learned else "d", "rounds": 6}
    fine, coarse = (engine.run("winnow", (X, y), pace=pace, **given_) for pace in (Pace(), ROUND))
    w, theta, clean = by_the_book(X, y, F(factor), learned, fine[-1].state.round)
    for trace in (fine, coarse):
        assert trace[-1].state.w.tolist() == pytest.approx([float(v) for v in w], rel=1e-12)
        assert trace[-1].state.theta == pytest.approx(float(theta), rel=1e-12)
        assert bool(trace.when("converged")) == clean
        assert (trace[-1].state.w > 0).all()


def test_learns_an_or_of_many_columns() -> None:
    X = np.array(list(product([0, 1], repeat=8)))
    y = np.where(X[:, 1] | X[:, 5], 1, -1)
    trace = engine.run("winnow", (X, y), rounds=100, pace=ROUND)
    assert trace.when("converged")
    assert (trace.predict(X) == y).all()


def test_goes_on_from_a_state() -> None:
    whole = engine.run("winnow", engine.textbook("spam"), pace=ROUND)
    run = engine.Run(whole.algorithm, whole.problem, whole.params, pace=ROUND, start=whole[1].state)
    run.advance()
    assert run.trace[-1].state.w.tolist() == whole[-1].state.w.tolist()


def test_all_answers_agree_with_training_where_some_weights_have_run_away() -> None:
    """With fractions no sum is rounded: on which side a row of 0 and 1 lies is certain however
    large other weights are.
    """
    X = [
        [0, 1, 1, 0, 1],
        [0, 0, 0, 1, 0],
        [0] * 5,
        [1, 0, 1, 1, 0],
        [0, 0, 0, 1, 0],
        [1, 1, 1, 0, 0],
        [1, 0, 1, 1, 1],
        [0, 1, 1, 1, 0],
    ]
    y = ["c0", "c1", "c0", "c0", None, "c1", "c0", "c1"]
    trace = engine.run("winnow", (X, y), threshold="learned", factor=3.0, rounds=30)
    algorithm, problem, p = trace.algorithm, trace.problem, trace.params
    near = 0
    for at in range(0, len(trace), 15):
        s = trace[at].state
        *w, theta = (F(3) ** int(k) for k in s.powers)
        for row in product((0, 1), repeat=5):
            x = np.array(row, float)
            gap = sum((v for v, on in zip(w, row, strict=True) if on), F(0)) - theta
            why = algorithm.explain(algorithm.setting(problem, p), s, x)
            wanted = 0 if gap > 0 else 1 if gap < 0 else -1
            assert (
                algorithm.predict(algorithm.setting(problem, p), s, x[None])[0]
                == why.label
                == wanted
            )
            assert why.note["sign"] == {0: ">", 1: "<", -1: "="}[wanted]
            near += 0 < abs(gap) < F(1, 10**12) * sum(w)
    assert near


def counted_as_positive(X, y, factor: F, learned: bool, rounds: int):
    """E4: w, θ at the end of each round, in fractions, when w · x = θ counts as positive."""
    w = [F(1)] * len(X[0])
    theta = F(1) if learned else F(len(X[0]))
    for _ in range(rounds):
        for x, sign in zip(X, y, strict=True):
            if (sum(v for v, on in zip(w, x, strict=True) if on) >= theta) != (sign > 0):
                by = factor if sign > 0 else 1 / factor
                w = [v * by if on else v for v, on in zip(w, x, strict=True)]
                theta = theta / by if learned else theta
        yield [*map(float, w), float(theta)]


@pytest.mark.parametrize("threshold", ["d", "learned"])
def test_exercise_12_2_1_with_equality_as_positive(threshold: str) -> None:
    """mmds E4, in the printed order: with a learnt threshold it then ends too."""
    trace = engine.run("winnow", engine.textbook("spam"), threshold=threshold, equality="positive")
    X, y = trace.problem.X, trace.problem.sign
    ends = [step.state for step in trace if step.line == "until"]
    expected = counted_as_positive(X, y, F(2), threshold == "learned", len(ends))
    assert [[*s.w.tolist(), s.theta] for s in ends] == list(expected)
    assert trace.when("converged")
    assert not trace.wrong().any()
    assert ((trace.scores(X) >= 0) == (y > 0)).all()


def test_a_row_on_the_threshold_is_positive_when_it_counts_so() -> None:
    """Two columns, θ = 2: at the start both on is 1 + 1 = θ."""
    rows = ([[1.0, 1.0], [1.0, 0.0]], [1, -1])
    strict, kind = (engine.run("winnow", rows, equality=e) for e in ("wrong", "positive"))
    assert strict.predict([[1, 1]], at=0).tolist() == [None]
    assert kind.predict([[1, 1]], at=0).tolist() == [1]
    assert kind.metrics["mistakes"][-1] == 0 < strict.metrics["mistakes"][-1]
    why = kind.algorithm.explain(kind.given, kind[0].state, np.array([1.0, 1.0]))
    assert why.label == 0
    assert "w · x = 0" in why.note.text()
    labels = dict(kind.algorithm.code_lines(kind.params))
    assert labels["test"] == "    right: y = +1 just where w·x ≥ θ"


@given(st.integers(0, 10_000), st.sampled_from(["d", "learned"]), st.sampled_from([2.0, 1.5]))
@settings(max_examples=30, deadline=None)
def test_equality_as_positive_at_every_pace_as_in_fractions(
    seed: int, threshold: str, factor: float
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (10, 3)).astype(float)
    y = rng.choice([1, -1], 10)
    if abs(y.sum()) == 10:
        return
    options = {"threshold": threshold, "factor": factor, "equality": "positive", "rounds": 5}
    fine, coarse = (engine.run("winnow", (X, y), pace=pace, **options) for pace in (Pace(), ROUND))
    ends = [step.state for step in fine if step.line == "until"]
    assert [s.powers.tolist() for s in ends] == [
        s.state.powers.tolist() for s in coarse if s.line == "until"
    ]
    expected = counted_as_positive(
        X, fine.problem.sign, F(str(factor)), threshold == "learned", len(ends)
    )
    assert [[*s.w.tolist(), s.theta] for s in ends] == [pytest.approx(row) for row in expected]
    said = [s for s in fine if s.line == "double"]
    assert all(
        "is below θ" in step.note.text()
        for step in said
        if fine.problem.X[step.state.current].any()
    )


@pytest.mark.parametrize("threshold", ["d", "learned"])
def test_a_round_that_was_not_watched_has_its_visits_too(threshold: str) -> None:
    """The table of Fig 12.7 was empty at the end of quick rounds.

    Of many visits it keeps the last 120, and their count.
    """
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (150, 5)).astype(float)
    y = np.where((X[:, 0] + X[:, 1] >= 1) ^ (rng.random(150) < 0.1), 1, -1)
    fine, quick = (
        engine.run("winnow", (X, y), pace=p, threshold=threshold, rounds=3) for p in (Pace(), ROUND)
    )
    for slow, fast in zip(
        (s.state for s in fine if s.line == "until"),
        (s.state for s in quick if s.line == "until"),
        strict=True,
    ):
        assert fast.visited == slow.visited == 150 * fast.round
        assert [v[0] for v in fast.visits] == list(range(30, 150))
        for (row, then, after), (_, then_, after_) in zip(slow.visits, fast.visits, strict=True):
            assert then.tolist() == then_.tolist()
            right = (
                fine.problem.sign[row]
                * (X[row] @ 2.0 ** then[:-1] - (5 if threshold == "d" else 1) * 2.0 ** then[-1])
                > 0
            )
            assert (after is None) == (after_ is None) == right
    table = next(
        f for f in quick.algorithm.scene(quick.given, quick[-1]).figures if isinstance(f, Table)
    )
    assert table.names[0] == f"visit {150 * quick[-1].state.round - 119}"


def test_rows_near_the_threshold_that_are_equal_are_added_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of many rows a sixteenth is (1, 1, 1, 1), where w · x = d = θ: each by itself would hold the
    window up.
    """
    X = np.tile(np.array([*product([0.0, 1.0], repeat=4)]), (50, 1))
    added = []
    add_up = scale.add_up
    monkeypatch.setattr(
        scale, "add_up", lambda terms, start: added.append(1) or add_up(terms, start)
    )
    trace = engine.run(
        "winnow", engine.Dataset.from_arrays(X, np.where(X[:, 0] > 0, "yes", "no")), rounds=1
    )
    gaps = trace.given.gaps(X, trace[0].state.powers)
    assert gaps.tolist() == (X.sum(axis=1) - 4).tolist()
    added.clear()
    trace.given.gaps(X, trace[0].state.powers)
    assert len(added) == 1


def test_the_heading_says_how_the_score_stands_to_the_threshold() -> None:
    trace = engine.run("winnow", engine.textbook("spam"))
    for step in visits(trace):
        bars = trace.algorithm.scene(trace.given, step).figures[0]
        right = "right" if step.line == "test" else "wrong"
        said = f"{step.note['score']} {step.note['sign']} {step.note['theta']}"
        assert bars.title.endswith(f": {step.note['point']} is {right}, w·x = {said}")
        lit = [role is Role.ACTIVE for role in bars.roles]
        assert lit == (trace.problem.X[step.state.current] > 0).tolist()  # what w · x adds up
