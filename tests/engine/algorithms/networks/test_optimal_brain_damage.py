"""Optimal brain damage against numerical derivatives, a network without the link, and its own laws.

AIMA 18.7.5.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.networks.optimal_brain_damage import curvature
from engine.algorithms.networks.parts.figures import link_name
from engine.base.errors import EngineError
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Bars, Line, Network, Role

KEY = "optimal_brain_damage"
ALGORITHM = engine.algorithms()[KEY]
XOR = engine.textbook("xor")
ROUNDS = Pace(Level.ROUND)


def setting(data, **params):
    return ALGORITHM.setting(engine.prepare(data), build(ALGORITHM.params, params))


def answers(weights, X):
    for w in weights:
        X = 1 / (1 + np.exp(-(X @ w[:-1] + w[-1])))
    return X


@cache
def on_xor():
    return engine.run(KEY, XOR)


def moved(weights, gap, i, j, by):
    changed = [w.copy() for w in weights]
    changed[gap][i, j] += by
    return changed


def random_data(seed: int, classes: int = 2):
    rng = np.random.default_rng(seed)
    return engine.Dataset.from_arrays(
        rng.normal(size=(9, 2)), [f"c{k % classes}" for k in range(9)]
    )


@given(st.integers(0, 10**6), st.sampled_from([(), (2,), (3, 2)]), st.sampled_from([2, 3]))
@settings(max_examples=15)
def test_h_is_twice_the_mean_square_of_the_slope_of_the_outputs(
    seed: int, hidden, classes: int
) -> None:
    made = setting(random_data(seed, classes), hidden=hidden)
    rng = np.random.default_rng(seed)
    weights = tuple(rng.normal(size=(a + 1, b)) for a, b in pairwise(made.sizes))
    h = curvature(made, weights)
    step = 1e-5
    for gap, w in enumerate(weights):
        for i, j in np.ndindex(*w.shape):
            up, down = (answers(moved(weights, gap, i, j, by), made.X) for by in (step, -step))
            assert h[gap][i, j] == pytest.approx(
                2 * (((up - down) / (2 * step)) ** 2).sum(1).mean(), rel=1e-5, abs=1e-12
            )


def test_h_is_the_second_derivative_of_the_loss_where_there_is_no_error() -> None:
    made = setting(random_data(3), hidden=(2,))
    rng = np.random.default_rng(3)
    weights = tuple(rng.normal(size=(a + 1, b)) for a, b in pairwise(made.sizes))
    wanted = answers(weights, made.X)
    h = curvature(made, weights)
    step = 1e-3
    for gap, w in enumerate(weights):
        for i, j in np.ndindex(*w.shape):
            up, down = (
                ((answers(moved(weights, gap, i, j, by), made.X) - wanted) ** 2).sum(1).mean()
                for by in (step, -step)
            )
            assert h[gap][i, j] == pytest.approx((up + down) / step**2, rel=1e-3, abs=1e-9)


def test_a_saliency_by_hand() -> None:
    """One unit, w = (1, −2), bias 0, on (1, 0) and (0, 1): a = g(1), g(−2); h = mean 2 (a (1 − a)
    x)².
    """
    data = engine.Dataset.from_arrays([[1.0, 0.0], [0.0, 1.0]], ["p", "q"])
    trace = engine.run(
        KEY, data, hidden=(), start=(1.0, -2.0, 0.0), epochs=1, rate=1e-5, max_steps=4
    )
    slopes = [np.exp(-z) / (1 + np.exp(-z)) ** 2 for z in (1.0, -2.0)]
    weigh = trace[3]
    assert weigh.line == "weigh"
    s = weigh.state.saliency[0]
    assert s[:2, 0] == pytest.approx([0.5 * slopes[0] ** 2, 0.5 * slopes[1] ** 2 * 4], rel=1e-4)
    assert np.isnan(s[2, 0])  # the bias stays
    assert weigh.state.link == (0, 0, 0)
    assert weigh.note["s"] == pytest.approx(0.5 * weigh.note["h"] * weigh.note["w"] ** 2)
    assert [(option.value, option.score) for option in weigh.choice.options] == [
        ((0, 0, 0), s[0, 0]),
        ((0, 1, 0), s[1, 0]),
    ]
    assert weigh.choice.winners == (0,)


@pytest.mark.parametrize("saliency", ["½hw²", "|w|"])
def test_of_a_2_4_1_network_xor_keeps_the_six_links_that_it_needs(saliency: str) -> None:
    """Two hidden units with both inputs each: no smaller network says XOR."""
    trace = engine.run(KEY, XOR, saliency=saliency, pace=ROUNDS, rate=5.0, epochs=500, retrain=100)
    last = trace[-1].state
    assert (last.links, last.errors) == (6, 0)
    assert trace[-1].line == "back"
    assert trace.metrics["links"][0] == 12
    kept = [j for j in range(4) if not last.removed[1][j, 0]]
    assert len(kept) == 2
    assert not last.removed[0][:, kept].any()
    assert all(last.removed[0][:, j].all() for j in range(4) if j not in kept)
    a = answers(last.weights, np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]))
    assert np.round(a).ravel().tolist() == [0, 1, 1, 0]


def test_by_size_the_smallest_weight_goes() -> None:
    for step in engine.run(KEY, random_data(1), hidden=(3,), saliency="|w|", epochs=20, retrain=5):
        if step.line == "weigh":
            sizes = [
                np.where(removed, np.inf, np.abs(w))[:-1]
                for w, removed in zip(step.state.weights, step.state.removed, strict=True)
            ]
            gap, i, j = step.state.link
            assert sizes[gap][i, j] == min(one.min() for one in sizes)


def test_what_is_removed_stays_removed_and_what_comes_back_is_as_it_was() -> None:
    trace = on_xor()
    weighed = None
    for before, step in pairwise(trace):
        s = step.state
        for w, removed in zip(s.weights, s.removed, strict=True):
            assert (w[removed] == 0).all()
        if step.line != "back":
            assert all(
                (now >= was).all() for now, was in zip(s.removed, before.state.removed, strict=True)
            )
        if step.line == "weigh":
            weighed = s
    back = trace[-1].state
    assert "worse" in trace[-2].events and trace[-1].events == ("back",)
    for name in ("weights", "removed"):
        assert all(map(np.array_equal, getattr(back, name), getattr(weighed, name)))
    assert back.loss == weighed.loss


@given(st.integers(0, 10**6), st.sampled_from([(2,), (3,), (2, 2)]))
@settings(max_examples=10)
def test_a_unit_that_goes_takes_no_answer_along(seed: int, hidden) -> None:
    """The network says the same as with the link at 0 alone: what the unit always said is in the
    biases.
    """
    trace = engine.run(
        KEY,
        random_data(seed),
        hidden=hidden,
        epochs=5,
        retrain=2,
        stop="never",
        seed=seed,
        scale=3.0,
    )
    units = 0
    for before, step in pairwise(trace):
        if step.line == "drop":
            units += len(step.state.units)
            gap, i, j = step.state.link
            weights = moved(before.state.weights, gap, i, j, -before.state.weights[gap][i, j])
            X = trace.problem.X
            np.testing.assert_allclose(
                answers(step.state.weights, X), answers(weights, X), atol=1e-12
            )
    last = trace[-1]
    assert units == sum(hidden)
    assert last.state.links == 0 and "bare" in last.events
    assert len(set(answers(last.state.weights, trace.problem.X).ravel())) == 1


def test_links_of_a_column_that_says_nothing_tie_and_go_first() -> None:
    data = engine.Dataset.from_columns(
        {"x": [0.0, 1, 2, 3], "still": [0.0] * 4, "y": list("aabb")}, "y"
    )
    trace = engine.run(KEY, data, hidden=(3,), epochs=200, retrain=20)
    weighs = [step for step in trace if step.line == "weigh"]
    choice = weighs[0].choice
    assert [choice.options[k].value for k in choice.winners] == [(0, 1, 0), (0, 1, 1), (0, 1, 2)]
    assert [step.state.link for step in weighs[:3]] == [(0, 1, 0), (0, 1, 1), (0, 1, 2)]
    assert choice.rule


def test_learning_is_that_of_back_propagation() -> None:
    start = tuple(np.random.default_rng(5).normal(size=9))
    mine = engine.run(KEY, XOR, hidden=(2,), start=start, rate=2.0, epochs=40)
    peer = engine.run(
        "backpropagation",
        XOR,
        hidden=(2,),
        start=start,
        rate=2.0,
        epochs=40,
        mode="batch",
        pace=ROUNDS,
    )
    trained = [step.state for step in mine if step.line == "train"]
    assert [s.epoch for s in trained][:4] == [10, 20, 30, 40]
    assert all(map(np.array_equal, trained[3].weights, peer[-1].state.weights))


def test_held_out_rows_judge() -> None:
    data = engine.generate("moons", 60, 0.2, 0)
    problem = engine.prepare(data, split=engine.Split(0.3))
    trace = engine.run(KEY, problem, stop="more wrong held out", epochs=100, retrain=20)
    for step in [step for step in trace if step.line == "judge"][1:]:
        a = answers(step.state.weights, problem.held_out.X)[:, 0]
        assert step.note["now"] == ((a < 0.5) != (problem.held_out.codes == 1)).sum()
        assert (step.note["now"] > step.note["was"]) == ("worse" in step.events)
    with pytest.raises(EngineError, match="hold out some"):
        engine.run(KEY, data, stop="more wrong held out", epochs=1)


def test_a_limit_of_the_loss_judges() -> None:
    trace = engine.run(
        KEY, XOR, stop="large loss", most=0.05, pace=ROUNDS, rate=5.0, epochs=500, retrain=100
    )
    # the first is before any link goes
    losses = [step.state.loss for step in trace if step.line == "judge"]
    assert max(losses[:-1]) <= 0.05 < losses[-1]
    assert trace[-1].state.loss <= 0.05


def test_the_last_link_may_come_back() -> None:
    """One column that decides: without its only link all are one class; that is worse, and not the
    end without links.
    """
    trace = engine.run(KEY, engine.Dataset.from_arrays([[0.0], [1.0]], ["a", "b"]), hidden=(2,))
    assert trace[-2].events == ("round", "worse") and trace[-2].state.links == 0
    assert trace[-1].line == "back" and trace[-1].state.links == 2
    assert trace[-1].state.units == ()


@pytest.mark.parametrize(
    "params", [{}, {"saliency": "|w|"}, {"stop": "never"}, {"activation": "tanh", "rate": 1.0}]
)
def test_every_pace_ends_alike(params: dict) -> None:
    data = engine.generate("moons", 20, 0.1, 0)
    ends = [
        engine.run(KEY, data, hidden=(3,), epochs=50, retrain=8, pace=Pace(level), **params)[
            -1
        ].state
        for level in Level
    ]
    for end in ends[1:]:
        assert all(map(np.array_equal, end.weights, ends[0].weights))
        assert (end.loss, end.epoch, end.links) == (ends[0].loss, ends[0].epoch, ends[0].links)


def test_too_large_a_rate_is_reported() -> None:
    data = engine.Dataset.from_arrays([[0.0], [1e12], [2e12]], ["a", "b", "a"])
    trace = engine.run(KEY, data, hidden=(), start=(0.0, 0.0), rate=1000.0, pace=ROUNDS)
    assert trace[-1].events == ("diverged",)
    assert trace[-1].note["rate"] == 1000.0
    assert all(np.isfinite(w).all() for w in trace[-1].state.weights)


def test_a_weight_by_hand_and_going_on() -> None:
    trace = on_xor()
    s = ALGORITHM.tweak(trace.given, trace[-1].state, (1, 0, 0), 3.0)
    removed = bool(trace[-1].state.removed[1][0, 0])
    assert s.weights[1][0, 0] == (0.0 if removed else 3.0)
    on = Run(ALGORITHM, trace.problem, trace.params, start=s)
    on.advance()
    assert [step.line for step in on.trace][:6] == ["train"] * 4 + ["judge", "weigh"]
    bare = engine.run(KEY, XOR, hidden=(2,), epochs=2, retrain=1, stop="never")[-1].state
    other = Run(ALGORITHM, trace.problem, build(ALGORITHM.params, {"hidden": (2,)}), start=bare)
    with pytest.raises(EngineError, match="No link is left"):
        other.advance()
    with pytest.raises(EngineError, match="2-4-1 network"):
        Run(ALGORITHM, trace.problem, build(ALGORITHM.params, {"hidden": (2,)}), start=s).advance()


def test_pictures() -> None:
    trace = on_xor()
    scenes = {step.line: (step, ALGORITHM.scene(trace.given, step)) for step in trace}
    step, scene = scenes["drop"]
    network, bars = scene.figures[:2]
    assert isinstance(network, Network) and isinstance(bars, Bars)
    assert network.active == (step.state.link,)
    assert network.removed[step.state.link[0]][step.state.link[1:]]
    lit = [k for k, role in enumerate(bars.roles) if role is Role.ACTIVE]
    assert lit == [0] and (np.diff(bars.values) >= 0).all()
    assert len(bars.values) == step.state.links + 1 + 2 * len(step.state.units) - len(
        step.state.units
    )
    last, final = scenes["back"]
    removed = next(step for step in trace if "unit" in step.events)
    assert (
        ALGORITHM.scene(trace.given, removed).figures[0].current == removed.state.units == ((1, 3),)
    )
    others = [scenes[line][1].figures[0] for line in ("train", "weigh", "judge", "back")]
    assert [network.current for network in others] == [None] * 4  # the link alone, no unit
    weighed = scenes["weigh"][0].state
    name = link_name(weighed.weights, weighed.link)
    assert others[1].title.startswith(f"Network: {name} matters least, s = ")
    judged = scenes["judge"]
    assert link_name(judged[0].state.weights, judged[0].state.link) in others[2].title
    assert ("no worse" in others[2].title) == ("worse" not in judged[0].events)
    drawn = {line.label for line in final.layers if isinstance(line, Line) and line.label}
    assert drawn == {
        name for j, name in enumerate(("h₁", "h₂", "h₃", "h₄")) if not last.state.removed[1][j, 0]
    }


@pytest.mark.parametrize("hidden", [2.0, 3.0])
def test_few_hidden_units_have_a_picture(hidden: float) -> None:
    """Two or three span a plane or a space of their own, in which no example is looked at."""
    trace = engine.run(KEY, XOR, hidden=(hidden,), epochs=2, retrain=1)
    figures = [figure.title for figure in trace.algorithm.scene(trace.given, trace[0]).figures]
    assert "Hidden" in figures


def test_while_links_learn_no_saliency_is_chosen() -> None:
    """The saliencies are those of the weights before: only the weighing chooses among them."""
    trace = engine.run(KEY, XOR, max_steps=60)
    chosen = {"train": 0, "weigh": 1, "drop": 1}
    seen = set()
    for step in trace:
        if step.line not in chosen or not step.state.saliency:
            continue
        network, bars, *_ = trace.algorithm.scene(trace.given, step).figures
        assert bars.roles.count(Role.ACTIVE) <= chosen[step.line]
        if step.line == "train":
            assert set(bars.roles) == {Role.INACTIVE}
            assert f"{step.state.links} links learn" in network.title
            assert f"{step.state.epoch} epochs" in network.title
        seen.add(step.line)
    assert seen == set(chosen)
