"""Holdout: each estimate against a fit of scikit-learn on the same rows, the trade-off of AIMA
18.4, the histograms.
"""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.experiments.holdout import Estimates
from engine.experiments.holdout.words import compare
from engine.experiments.parts.tally import Tally
from engine.protocol.step import Level, Pace
from engine.scene.layers import Band, Boxes, Labels, Role

MOONS = engine.generate("moons", 40, 0.3, seed=1)


def judged(trace):
    return [step.state for step in trace if step.line == "test"]


def test_each_estimate_is_of_rows_that_were_not_learnt_from() -> None:
    trace = engine.run(
        "holdout", MOONS, learner="nearest_neighbours(k=3)", shares=(0.5, 0.1), splits=4
    )
    X = trace.problem.X
    y = trace.problem.codes
    errors = []
    for s in judged(trace):
        assert sorted([*s.test, *s.model.rows]) == list(range(40))
        assert len(s.test) == s.now.m == {0.5: 20, 0.1: 4}[s.now.share]
        peer = KNeighborsClassifier(3).fit(X[s.model.rows], y[s.model.rows])
        errors.append(1 - peer.score(X[s.test], y[s.test]))
        assert s.now.errors.last == pytest.approx(errors[-1])
    for each, found in zip(trace[-1].state.estimates, (errors[:4], errors[4:]), strict=True):
        assert list(each.errors) == pytest.approx(found)
        assert each.errors.deviation == pytest.approx(np.std(found, ddof=1))
    assert len({tuple(s.test) for s in judged(trace)}) == 8


def test_half_laid_aside_wastes_rows_and_a_tenth_tells_roughly() -> None:
    """AIMA 18.4 names the trade-off; and MIT 2.3.2: what was learnt from tells nothing about new
    rows.
    """
    data = engine.generate("restaurant", 100, seed=1)
    trace = engine.run("holdout", data, shares=(0.5, 0.1), splits=60, pace=Pace(Level.ROUND))
    half, tenth = trace[-1].state.estimates
    assert half.errors.mean > tenth.errors.mean
    assert half.errors.deviation < tenth.errors.deviation
    assert half.train.mean == 0.0 < half.errors.mean
    wide = trace[[step.line for step in trace].index("mean")]
    assert wide.note["alone"] == pytest.approx(
        np.sqrt(half.errors.mean * (1 - half.errors.mean) / 50)
    )


def compared(*errors: tuple[float, ...]) -> str:
    """The last sentence, for 40 rows, where these were the errors with half of them, a quarter
    and a tenth laid aside.
    """
    trace = engine.run("holdout", MOONS, splits=1)
    shares = (0.5, 0.25, 0.1)
    estimates = []
    for share, found in zip(shares, errors, strict=False):
        tally = Tally()
        for error in found:
            tally = tally.plus(error)
        estimates.append(Estimates(share, round(40 * share), tally, tally))
    return compare(trace.given, replace(trace[-1].state, estimates=tuple(estimates))).text()


@pytest.mark.parametrize(
    ("errors", "better", "steadier"),
    [
        (((0.4, 0.5), (0.1, 0.3)), True, True),
        (((0.1, 0.2), (0.4, 0.6)), False, True),
        (((0.4, 0.7), (0.1, 0.2)), True, False),
        (((0.1, 0.4), (0.5, 0.6), (0.4, 0.5)), False, False),
        (((0.2, 0.4), (0.1, 0.3), (0.3, 0.5)), False, False),  # all spread alike
        (((0.1, 0.1), (0.1, 0.1)), False, False),
        (((0.4,), (0.1,)), False, False),  # single estimates tell nothing of chance
        (((0.2, 0.6), (0.1, 0.6)), False, True),  # 0.05 apart, and each mean is ± 0.2
        (((0.3, 0.5, 0.4), (0.2, 0.6, 0.3)), False, True),
    ],
)
def test_rules_on_numbers_of_rows_are_not_said_to_hold_where_they_do_not(
    errors, better: bool, steadier: bool
) -> None:
    """The last share leaves the most rows to learn from, the first has the most to test on."""
    said = compared(*errors)
    assert ("Here more rows" in said) == (better and steadier)
    assert ("neither is seen here" in said) == (not better and not steadier)
    assert ("only the first is seen" in said) == (better and not steadier)
    assert ("only the second is seen" in said) == (steadier and not better)
    assert "nan" not in said


def test_of_labels_drawn_by_chance_it_is_not_said_that_more_rows_make_a_better_hypothesis() -> None:
    """Nothing can be learnt from them; one table in forty may still look so by chance."""
    said = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        data = engine.Dataset.from_arrays(
            rng.normal(size=(40, 2)), np.where(rng.random(40) < 0.25, "B", "A")
        )
        text = engine.run("holdout", data, pace=Pace(Level.ROUND))[-1].note.text()
        said += "Here more rows" in text or "only the first is seen" in text
    assert said <= 1


def test_all_shares_that_are_least_are_named() -> None:
    assert "least with 50 %, 10 %, 0.20" in compared((0.1, 0.3), (0.2, 0.6), (0.0, 0.4))
    alone = engine.run("holdout", MOONS, splits=1, shares=(0.5,))[-1].note.text()
    assert "give or take" not in alone and "nan" not in alone


def test_batches_are_used_once() -> None:
    """MIT 2.3.4: fresh hypotheses of one half of the batches, tested on the other half."""
    data = engine.generate("sine", 50, seed=2)
    trace = engine.run(
        "holdout", data, learner="linear_regression", scheme="batches", batches=(10, 4)
    )
    X = trace.problem.X
    y = trace.problem.y
    states = judged(trace)
    assert [s.now.share for s in states] == [10] * 5 + [4] * 2
    for group in (states[:5], states[5:]):
        used = [row for s in group for row in (*s.model.rows, *s.test)]
        assert sorted(used) == list(range(50))
    for s in states:
        peer = LinearRegression().fit(X[s.model.rows], y[s.model.rows])
        assert s.now.errors.last == pytest.approx(
            np.mean((peer.predict(X[s.test]) - y[s.test]) ** 2)
        )


def test_rows_that_cannot_be_learnt_from_are_reported_and_the_rest_go_on() -> None:
    """Without the only B there is one class, which the perceptron refuses."""
    data = engine.Dataset.from_columns({"x": [0.0, 1.0, 2.0, 3.0], "c": ["A", "A", "A", "B"]}, "c")
    trace = engine.run("holdout", data, learner="perceptron", shares=(0.25,), splits=20)
    s = trace[-1].state
    assert {share for share, _ in s.refused} == {0.25}
    assert all("two classes" in why for _, why in s.refused)
    assert s.estimates[0].errors.count + len(s.refused) == 20
    assert len(trace.when("refused")) == len(s.refused) > 0


@settings(max_examples=15, deadline=None)
@given(
    st.integers(2, 40),
    st.sampled_from(["right", "wrong"]),
    st.sampled_from([7, 70]),
    st.integers(0, 99),
)
def test_bars_hold_all_estimates_at_their_places(n: int, show: str, splits: int, seed: int) -> None:
    """The area of the bars, or of the bricks of few splits, is that of as many estimates, and the
    amber one holds the present estimate.
    """
    data = engine.generate("moons", n, 0.3, seed=seed)
    run = {"learner": "nearest_neighbours", "shares": (0.5,), "splits": splits, "show": show}
    trace = engine.run("holdout", data, seed=seed, **run)
    last = max(i for i, step in enumerate(trace) if step.line == "test")
    plot = trace.algorithm.scene(trace.given, trace[last]).figures[0]
    strips = [layer for layer in plot.layers if isinstance(layer, Band)]
    *bricks, amber = [layer for layer in plot.layers if isinstance(layer, Boxes)]
    assert len(strips) == (splits > 60) and len(bricks) == (splits <= 60)
    area = sum(np.prod(box.bounds[:, 2:] - box.bounds[:, :2], axis=1).sum() for box in bricks)
    for strip in strips:
        both = strip.high[1:] + strip.high[:-1] - 2 * strip.low[1:]
        area += np.sum(np.diff(strip.x) * both / 2)
    x0, y0, x1, y1 = amber.bounds[0]
    assert area == pytest.approx(trace[last].state.now.errors.count * (x1 - x0) * (y1 - y0))
    error = trace[last].state.now.errors.last
    value = 1 - error if show == "right" else error
    m = trace[last].state.now.m
    together = max(1, np.ceil(trace[last].state.now.m / 24))
    assert abs(value - (x0 + x1) / 2) <= together / m
    assert plot.x_range[0] <= x0 < x1 <= plot.x_range[1]


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"shares": (0.0,)}, "0, which leaves no test rows"),
        ({"shares": (1.0,)}, "none to learn from; it is 1"),
        ({"shares": (0.01,)}, "none of the 40 rows to test on"),
        ({"shares": (0.99,)}, "none of the 40 rows to learn from"),
        ({"shares": ()}, "must be 1 to 6 numbers"),
        ({"scheme": "batches", "batches": (3,)}, "even number"),
        ({"scheme": "batches", "batches": (2.5,)}, "even number"),
        ({"scheme": "batches", "batches": (42,)}, "at most the 40 rows"),
        ({"learner": "kd_tree"}, "does not predict"),
    ],
)
def test_what_cannot_be_is_said(params, part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("holdout", MOONS, **params)


def test_of_many_splits_the_first_model_is_shown_with_no_rows_of_another() -> None:
    trace = engine.run("holdout", MOONS, learner="nearest_neighbours", shares=(0.5,), splits=401)
    first, *others = judged(trace)
    assert len(first.test) == 20
    assert all(s.model is first.model and not len(s.test) for s in others)
    assert trace[-3].note["m"] == 20


def test_the_same_seed_tells_the_same_at_every_pace() -> None:
    ends = [
        engine.run("holdout", MOONS, seed=3, splits=3, pace=Pace(level))[-1].state
        for level in Level
    ]
    assert len({tuple(tuple(each.errors) for each in end.estimates) for end in ends}) == 1


def test_the_flow_lights_box_after_box_and_fills_them_with_what_is_known() -> None:
    """mmds C12.3: data → training set → model ← test set → error rate."""
    data = engine.generate("moons", 40, 0.3)
    trace = engine.run("holdout", data, learner="decision_tree", shares=(0.25,), splits=1)
    found = {}
    for step in trace:
        scene = trace.algorithm.scene(trace.given, step)
        (flow,) = [figure for figure in scene.figures if figure.title == "Flow"]
        lit = sum(
            len(x.bounds) for x in flow.layers if isinstance(x, Boxes) and x.role is Role.ACTIVE
        )
        texts = {text for x in flow.layers if isinstance(x, Labels) for text in x.text}
        assert {"data", "training set", "test set", "model", "error rate"} < texts
        found[step.line] = lit, {"40 rows", "30 rows", "10 rows", "Decision tree"} & texts
        rate = any(re.match(r"\d+ / 10 = ", text) for text in texts)
        assert rate == (step.line in ("test", "mean", "compare"))
    learnt = {"40 rows", "30 rows", "10 rows", "Decision tree"}
    assert found == {
        "share": (1, {"40 rows"}),
        "draw": (2, learnt - {"Decision tree"}),
        "learn": (1, learnt),
        "test": (1, learnt),
        "mean": (0, learnt),
        "compare": (0, learnt),
    }


def test_amber_is_the_share_that_begins_its_mean_and_at_the_end_the_least() -> None:
    trace = engine.run("holdout", MOONS, shares=(0.5, 0.2), splits=6)
    for step in trace:
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        lit = {x.tag or "other" for x in plot.layers if x.role is Role.ACTIVE}
        wanted = {"share": {"share"}, "test": {"estimate"}, "mean": {"mean"}}
        if step.line in wanted:
            assert lit == wanted[step.line]
        if step.line == "compare":
            means = [each.errors.mean for each in step.state.estimates]
            row = 2 - means.index(min(means))
            assert any(
                x.role is Role.ACTIVE and x.ends[0, 0, 1] == pytest.approx(row - 0.18)
                for x in plot.layers
            )
