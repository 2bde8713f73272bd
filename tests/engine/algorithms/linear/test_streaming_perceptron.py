"""The perceptron on a stream against MMDS 12.1.4, 12.2.1 and 12.2.9, scikit-learn's partial_fit,
and by hand.
"""

import numpy as np
import pytest
from sklearn.linear_model import Perceptron

import engine
from engine import Level, Pace
from engine.base.records import replace
from engine.protocol.registry import algorithm
from engine.scene.scene import Line, Points, Role, Table

METHOD = algorithm("streaming_perceptron")
HALF = 0.5


def run(data, **params):
    return engine.run("streaming_perceptron", data, **params)


def arrivals(trace):
    return [step for step in trace if step.line in ("test", "update")]


def cloud(n: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1, -1)


def layer(trace, at, kind, tag):
    found = [
        x
        for x in METHOD.scene(trace.given, trace[at]).layers
        if isinstance(x, kind) and x.tag == tag
    ]
    return found[0] if found else None


# -- one pass --------------------------------------------------------------------------------------


def test_the_e_mails_once() -> None:
    """mmds D08: w after a, b, c, d; e and f are right, and nothing comes twice."""
    trace = run(engine.textbook("spam"), rate=HALF)
    made = [step.state.w.tolist() for step in trace if step.line == "update"]
    assert made == [
        [HALF, HALF, 0, HALF, HALF],
        [HALF, HALF, -HALF, 0, HALF],
        [HALF, 1, 0, 0, HALF],
        [0, 1, 0, -HALF, HALF],
    ]
    assert [step.state.current for step in arrivals(trace)] == [0, 1, 2, 3, 4, 5]
    assert (trace[-1].state.mistakes, trace[-1].state.seen) == (4, 6)
    assert trace[-1].note["error"] == pytest.approx(4 / 6)


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("threshold", ["zero", "learned"])
def test_it_is_scikit_learns_partial_fit_row_by_row(seed: int, threshold: str) -> None:
    X, y = cloud(12, seed)
    peer = Perceptron(
        eta0=HALF, shuffle=False, fit_intercept=threshold == "learned", alpha=0.0, penalty=None
    )
    trace = run((X, y), rate=HALF, threshold=threshold)
    for step, row, label in zip(arrivals(trace), X, y, strict=True):
        peer.partial_fit(row[None], [label], classes=[-1, 1])
        assert step.state.w[:2] == pytest.approx(peer.coef_[0])
        if threshold == "learned":
            assert step.state.w[2] == pytest.approx(-peer.intercept_[0])


def test_an_arrival_is_tested_before_it_is_learnt() -> None:
    """(1, 0)+ twice: w = 0 gets the first wrong, (½, 0) the second right; of the last two, one,
    then none.
    """
    trace = run(([[1.0, 0.0], [1.0, 0.0], [2.0, 0.0], [-1.0, 0.0]], [1, 1, 1, -1]), window=2)
    assert [step.state.missed for step in arrivals(trace)] == [1.0, 0.5, 0.0, 0.0]
    assert [step.line for step in trace if step.level is Level.ROUND] == [
        "start",
        "tally",
        "tally",
        "end",
    ]
    assert next(step for step in trace if step.line == "tally").note["missed"] == 1


def test_a_constant_rate_only_scales_and_a_fading_memory_makes_it_count() -> None:
    """mmds A14 trap 2 against the box of 12.2.9: with length 1 another η is another line."""
    X, y = cloud(40, 1)
    ways = {}
    for memory in ("all", "fading"):
        one, other = (run((X, y), rate=rate, memory=memory)[-1].state for rate in (0.1, 2.0))
        ways[memory] = np.allclose(one.w / np.linalg.norm(one.w), other.w / np.linalg.norm(other.w))
    assert ways == {"all": True, "fading": False}
    trace = run((X, y), memory="fading")
    assert all(
        np.linalg.norm(step.state.w) == pytest.approx(1) for step in trace if step.line == "update"
    )
    update = next(step for step in trace if step.line == "update")
    assert update.note["scaled"] == pytest.approx(
        update.note["raw"] / np.linalg.norm(update.note["raw"])
    )


# -- a truth that moves ----------------------------------------------------------------------------


def test_a_turning_truth_by_hand() -> None:
    """Through the origin, 90° each: +x, +y, −x, −y are the first class in turn.

    Both columns have the same spread.
    """
    X = np.array(
        [
            [1.0, 1.0],
            [1.0, 1.0],
            [1.0, 1.0],
            [1.0, 1.0],
            [-1.0, -1.0],
            [-1.0, -1.0],
            [-1.0, -1.0],
            [-1.0, -1.0],
        ]
    )
    trace = run((X, [1] * 4 + [-1] * 4), drift="turning", speed=90.0)
    truth = replace(trace.given.truth, angle=0.0)
    assert [np.round(truth.line(t)[0], 12).tolist() for t in range(4)] == [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
    ]
    place = np.array([3.0, 1.0])
    assert [truth.label(place, t) for t in range(4)] == [1, 1, -1, -1]
    assert trace.given.truth.angle == pytest.approx(45.0)


def test_a_shifting_truth_comes_back() -> None:
    data = engine.generate("gaussians", 40, seed=1)
    truth = run(data, drift="shifting", speed=10.0, max_steps=1).given.truth
    (w, b), *_ = lines = [truth.line(t) for t in range(37)]
    assert all(np.allclose(w, other) for other, _ in lines)
    assert lines[36][1] == pytest.approx(b)
    assert lines[9][1] - b == pytest.approx(-1.2)
    assert lines[27][1] - b == pytest.approx(1.2)


def test_the_classes_are_those_of_the_moment_and_the_line_is_drawn() -> None:
    trace = run(
        engine.generate("gaussians", 60, seed=2), drift="turning", speed=5.0, threshold="learned"
    )
    truth = trace.given.truth
    X = trace.problem.X
    assert [y for _, y, _ in trace[-1].state.log] == [truth.label(x, t) for t, x in enumerate(X)]
    at = next(k for k, step in enumerate(trace) if step.state.seen == 31)
    drawn = layer(trace, at, Line, "truth")
    assert (drawn.w.tolist(), drawn.b) == (truth.line(30)[0].tolist(), truth.line(30)[1])
    assert layer(run(engine.generate("gaussians", 10)), 3, Line, "truth") is None


def test_it_follows_the_drift_and_noise_costs_more_than_its_share() -> None:
    """mmds F18."""
    data = engine.generate("gaussians", 1500, seed=1)
    drift = {"drift": "turning", "speed": 1.0, "threshold": "learned", "pace": Pace(Level.ROUND)}
    clean, noisy = run(data, **drift), run(data, noise=0.1, **drift)
    share = clean[-1].state.mistakes / 1500
    stays = np.mean(
        [
            y != (1.0 if c == 0 else -1.0)
            for (_, y, _), c in zip(clean[-1].state.log, clean.codes(clean.problem.X), strict=True)
        ]
    )
    assert share < 0.2 < 0.4 < stays  # the last line on all that has come
    assert noisy[-1].state.mistakes / 1500 > share + 0.1
    flipped = np.mean(
        [
            a != b
            for (_, a, _), (_, b, _) in zip(clean[-1].state.log, noisy[-1].state.log, strict=True)
        ]
    )
    assert 0.07 < flipped < 0.13


def test_one_column_can_shift_but_not_turn() -> None:
    data = np.arange(10.0)[:, None], [1] * 5 + [-1] * 5
    with pytest.raises(engine.EngineError, match="two columns"):
        run(data, drift="turning")
    assert run(data, drift="shifting")[-1].state.seen == 10


# -- the picture -----------------------------------------------------------------------------------


def test_old_arrivals_shrink_and_vanish() -> None:
    X, y = cloud(10)
    trace = run((X, y), window=4)
    at = next(
        k
        for k, step in enumerate(trace)
        if step.line in ("test", "update") and step.state.seen == 7
    )
    points = layer(trace, at, Points, "recent")
    assert points.xy.tolist() == X[3:7].tolist()
    assert points.weight.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert points.role is Role.POINT
    (table,) = (f for f in METHOD.scene(trace.given, trace[at]).figures if isinstance(f, Table))
    assert table.active.tolist() == [False] * 3 + [True] * 4 + [False] * 3
    assert table.group.tolist() == [
        *np.where(y[:7] > 0, trace.problem.classes.index(1), trace.problem.classes.index(-1)),
        -1,
        -1,
        -1,
    ]


# -- all paces, going on, odd tables ---------------------------------------------------------------


@pytest.mark.parametrize(
    "params", [{}, {"drift": "turning", "noise": 0.2}, {"memory": "fading", "threshold": "learned"}]
)
def test_all_paces_come_to_the_same_state(params) -> None:
    data = engine.generate("gaussians", 50, seed=3)
    ends = [run(data, seed=4, pace=Pace(level), **params)[-1].state for level in Level]
    assert len({(s.w.tobytes(), tuple(s.log), s.mistakes) for s in ends}) == 1


def test_it_goes_on_where_it_was_and_never_sees_an_example_again() -> None:
    data = cloud(12)
    whole = run(data)
    part = next(step.state for step in arrivals(whole) if step.state.seen == 5)
    rest = engine.Run(METHOD, whole.problem, whole.params, start=part)
    rest.advance(max_steps=100)
    assert [step.state.current for step in arrivals(rest.trace)] == list(range(5, 12))
    assert rest.trace[-1].state.w.tolist() == whole[-1].state.w.tolist()
    other = engine.Run(METHOD, whole.problem, METHOD.params(threshold="learned"), start=part)
    with pytest.raises(engine.EngineError, match="start again"):
        other.advance()


def test_rows_without_a_class_do_not_come() -> None:
    data = engine.Dataset.from_columns(
        {"x": [1.0, 2.0, -1.0], "z": [0.0, 1.0, 1.0], "y": ["a", None, "b"]}, "y"
    )
    assert [row for row, _, _ in run(data)[-1].state.log] == [0, 2]


def test_a_tally_rings_the_arrivals_that_were_wrong() -> None:
    trace = run(cloud(30), window=10)
    for step in trace:
        scene = METHOD.scene(trace.given, step)
        if step.line in ("tally", "end"):
            lit = sum(x.size for x in scene.layers if getattr(x, "role", "") is Role.ACTIVE)
            assert lit == step.note["missed"]
            assert f"{lit} of the last" in scene.plane
        elif step.line in ("test", "update"):
            assert step.note["point"] in scene.plane
