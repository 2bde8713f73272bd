"""Tiling against the best of all lines, plain sums of its units, and its own laws. AIMA 18.7.5."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Line, Matrix, Network, Role

KEY = "tiling"
ALGORITHM = engine.algorithms()[KEY]
XOR = engine.textbook("xor")


def answers(weights, X):
    """0 and 1 of every layer, by sums and thresholds."""
    found = [np.asarray(X, float)]
    for w in weights:
        found.append(np.where(found[-1] @ w[:-1] + w[-1] >= 0, 1.0, 0.0))
    return found


def wrong(trace, weights) -> int:
    return int((answers(weights, trace.problem.X)[-1][:, 0] != (trace.problem.codes == 0)).sum())


def points(seed: int, n: int = 12, most: int = 5):
    """Points on a small grid, some of them equal, of two classes by chance."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    return engine.Dataset.from_arrays(
        rng.integers(0, most, (n, 2)).astype(float), [f"c{k}" for k in y]
    )


def best_line(X, y) -> int:
    """Most points that a line gets right: every division by a line is one by a line through two
    points, turned a little.
    """
    best = max(y.sum(), len(y) - y.sum())
    for i, j in combinations(range(len(X)), 2):
        along = X[j] - X[i]
        normal = np.array([-along[1], along[0]])
        for turn in (1e-4, -1e-4):
            score = (X - (X[i] + X[j]) / 2) @ (normal + turn * along)
            for shift in (0.0, *(score + 1e-7), *(score - 1e-7)):
                right = int(((score >= shift) == y).sum())
                best = max(best, right, len(y) - right)
    return best


def test_xor_is_two_units_and_one_over_them() -> None:
    trace = engine.run(KEY, XOR)
    assert [step.line for step in trace if step.line != "learn"] == [
        "init",
        "first",
        "until",
        "tile",
        "part",
        "layer",
        "first",
        "until",
    ]
    last = trace[-1].state
    assert [w.shape for w in last.weights] == [(3, 2), (3, 1)]
    assert trace[-1].events == ("round", "clean")
    assert [step.state.errors for step in trace if step.line == "until"] == [1, 0]
    assert answers(last.weights, [[0, 0], [0, 1], [1, 0], [1, 1]])[-1].ravel().tolist() == [
        0,
        1,
        1,
        0,
    ]


@pytest.mark.parametrize("name", ["and", "or", "four_points_alternating"])
def test_what_a_line_divides_needs_one_unit(name: str) -> None:
    trace = engine.run(KEY, engine.textbook(name), rounds=1000)
    if name != "four_points_alternating":
        assert trace[-1].state.units == 1
    assert trace[-1].state.errors == 0


@given(st.integers(0, 10**6))
@settings(max_examples=6)
def test_the_pocket_holds_the_best_line_where_a_line_divides_the_classes(seed: int) -> None:
    """Novikoff's bound: whole numbers up to 4 leave a gap: a thousand rounds do.

    Else no line is better than the best.
    """
    rng = np.random.default_rng(seed)
    X = np.array([(a, b) for a in range(5) for b in range(5)], float)[rng.permutation(25)[:6]]
    y = np.arange(6) % 2 == 0
    trace = engine.run(
        KEY, engine.Dataset.from_arrays(X, np.where(y, 1, -1)), rounds=1000, units=1, seed=seed
    )
    first = next(step for step in trace if step.line == "first").state
    best = best_line(X, y)
    assert first.right <= best
    assert first.right == best or best < 6


@given(st.integers(0, 10**6))
@settings(max_examples=6)
def test_every_layer_is_better_until_nothing_can_be(seed: int) -> None:
    """Equal points of both classes: the rarer class stays wrong; all others are right, whatever the
    classes are.
    """
    trace = engine.run(KEY, points(seed), units=500, rounds=3, seed=seed)
    X, y = trace.problem.X, trace.problem.codes
    ends = [step.state for step in trace if step.line == "until"]
    assert all(b.errors < a.errors for a, b in pairwise(ends))
    _, place = np.unique(X, axis=0, return_inverse=True)
    place = place.ravel()
    fewest = sum(
        min((y[place == k] == 0).sum(), (y[place == k] == 1).sum()) for k in set(place.tolist())
    )
    assert ends[-1].errors == fewest == wrong(trace, ends[-1].weights)
    assert trace[-1].events == ("round", "clean")


@given(st.integers(0, 10**6))
@settings(max_examples=6)
def test_a_layer_tells_the_classes_apart_and_the_next_begins_better(seed: int) -> None:
    trace = engine.run(KEY, points(seed, 10, 8), rounds=3, units=500, seed=seed)
    X, y = trace.problem.X, trace.problem.codes
    for before, step in pairwise(trace):
        if step.line != "layer":
            continue
        seen, *_, codes = answers(before.state.weights, X)[-2:]
        for code in np.unique(codes, axis=0):
            here = (codes == code).all(1)
            assert len(set(y[here])) == 1 or not np.ptp(seen[here], axis=0).any()
        assert wrong(trace, step.state.weights) == step.state.errors < before.state.errors


def test_a_unit_parts_its_tile_and_its_pocket_only_gets_better() -> None:
    trace = engine.run(KEY, engine.generate("spirals", 40, 0.05, 0), rounds=10)
    X = trace.problem.X
    y = trace.problem.codes == 0
    for before, step in pairwise(trace):
        s = step.state
        if step.line in ("learn", "part", "first"):
            here = answers(s.weights, X)[-1][s.group, -1]
            assert (here == y[s.group]).sum() == s.right
            if step.line != "first":
                assert 0 < here.sum() < len(here) or s.weights[-1].shape[1] == 1
        if step.line == "learn" and before.line == "learn":
            assert s.right > before.state.right
        if step.line == "tile":
            codes = answers(s.weights, X)[-1]
            assert (codes[s.group] == codes[s.group[0]]).all()
            assert set((codes == codes[s.group[0]]).all(1).nonzero()[0]) == set(s.group.tolist())
            rare = min(y[s.group].sum(), (~y[s.group]).sum())
            assert (
                step.choice.options[0].score
                == rare
                == max(option.score for option in step.choice.options)
            )
            assert not s.removed[s.group].any()


def test_the_threshold_lies_halfway() -> None:
    """Two points: the line is the same distance from both."""
    data = engine.Dataset.from_arrays([[0.0, 1.0], [4.0, 3.0]], ["p", "q"])
    trace = engine.run(KEY, data)
    w = trace[-1].state.weights[0][:, 0]
    score = trace.problem.X @ w[:2] + w[2]
    assert score[0] == pytest.approx(-score[1])
    assert trace[-1].state.errors == 0


def test_two_rules_of_stopping() -> None:
    full = engine.run(KEY, engine.generate("spirals", 40, 0.05, 0), units=6, rounds=5)
    assert "full" in full[-1].events
    assert full[-1].state.units <= 7
    problem = engine.prepare(engine.generate("moons", 50, 0.4, 1), split=engine.Split(0.3))
    worse = 0
    for seed in range(5):
        trace = engine.run(KEY, problem, stop="more wrong held out", seed=seed, rounds=4)
        assert trace.finished
        counts = []
        for step in (step for step in trace if step.line == "until"):
            out = answers(step.state.weights, problem.held_out.X)[-1][:, 0]
            counts.append(int((out != (problem.held_out.codes == 0)).sum()))
            if "worse" in step.events:
                worse += 1
                assert step.note["now"] > counts[-2] == counts[-1]  # the layer is taken back
            else:
                assert step.note["now"] == counts[-1]
    assert worse


def test_equal_points_of_both_classes_stay_one_tile() -> None:
    trace = engine.run(
        KEY, engine.Dataset.from_arrays([[1.0, 1.0]] * 4 + [[0.0, 0.0]], list("abaab"))
    )
    assert trace[-1].state.errors == 1
    assert "clean" in trace[-1].events
    same = engine.run(KEY, engine.Dataset.from_arrays([[1.0, 1.0]] * 4, list("abab")))
    assert (same[-1].state.errors, same[-1].state.units) == (2, 1)


@pytest.mark.parametrize("params", [{"rounds": 6}, {"units": 3, "rounds": 3}])
def test_every_pace_ends_alike(params: dict) -> None:
    data = engine.generate("moons", 40, 0.2, 0)
    ends = [engine.run(KEY, data, pace=Pace(level), seed=2, **params)[-1].state for level in Level]
    for end in ends[1:]:
        assert len(end.weights) == len(ends[0].weights)
        assert all(map(np.array_equal, end.weights, ends[0].weights))
        assert (end.errors, end.right) == (ends[0].errors, ends[0].right)


def test_going_on_and_weights_by_hand() -> None:
    trace = engine.run(KEY, engine.generate("spirals", 40, 0.05, 0), units=6, rounds=5)
    on = Run(ALGORITHM, trace.problem, trace.params, start=trace[-1].state)
    on.advance()
    assert on.trace[-1].state.units > trace[-1].state.units
    s = ALGORITHM.tweak(trace.given, trace[0].state, (0, 2, 0), -1.0)
    assert s.weights[0].ravel().tolist() == [0.0, 0.0, -1.0]
    assert s.errors == (trace.problem.codes == 0).sum()  # it never fires
    one = engine.prepare(engine.Dataset.from_arrays([[0.0], [1.0]], ["a", "b"]))
    with pytest.raises(EngineError, match="other columns"):
        Run(ALGORITHM, one, build(ALGORITHM.params, {}), start=s).advance()


def test_tiles_on_the_plane_are_the_answers_of_the_units() -> None:
    trace = engine.run(KEY, XOR)
    part = next(step for step in trace if step.line == "part")
    grid = Grid.over((-0.5, 1.5), (-0.5, 1.5), 9)
    found = ALGORITHM.fields["tiles"](trace.given, part.state, grid).ravel()
    X, y = trace.problem.X, trace.problem.codes
    of_rows = answers(part.state.weights, X)[-1]
    of_places = answers(part.state.weights, grid.points())[-1]
    for value, code in zip(found, of_places, strict=True):
        here = y[(of_rows == code).all(1)]
        assert (
            np.isnan(value) if not len(here) else value == np.mean(np.where(here == 0, 1.0, -1.0))
        )


def test_pictures() -> None:
    trace = engine.run(KEY, XOR)
    step = next(step for step in trace if step.line == "part")
    scene = ALGORITHM.scene(trace.given, step)
    network, matrix = scene.figures[:2]
    assert isinstance(network, Network) and isinstance(matrix, Matrix)
    assert network.active == ((0, -1, 1),)
    assert network.outputs == ("u₁", "u₂")
    assert np.asarray(matrix.values).sum() == 4
    drawn = {layer.label: layer.role for layer in scene.layers if isinstance(layer, Line)}
    assert drawn == {"u₁": Role.CANDIDATE, "u₂": Role.BOUNDARY}
    assert ALGORITHM.scene(trace.given, trace[-1]).figures[0].outputs == ("u₃",)


def test_why_this_class() -> None:
    trace = engine.run(KEY, XOR)
    for x, code in zip(trace.problem.X, trace.problem.codes, strict=True):
        why = ALGORITHM.explain(trace.given, trace[-1].state, x)
        assert why.label == code
        assert (why.note["total"] >= 0) == (code == 0)


def test_a_changed_run_draws_the_orders_that_the_run_before_drew() -> None:
    """From the end of one unit of a layer, with room for one unit more: the next unit is that of
    the run that was not cut.
    """
    data = engine.generate("moons", 60, noise=0.5, seed=3)
    whole = engine.run("tiling", data, seed=5, rounds=5, units=12)
    algorithm = engine.algorithms()["tiling"]
    parts = [s for s in whole if s.line == "part"]
    more = build(algorithm.params, {"rounds": 5, "units": 13})
    pairs = [(a, b) for a, b in pairwise(parts) if len(a.state.weights) == len(b.state.weights)]
    assert len(pairs) > 2
    for one, after in pairs:
        rest = Run(algorithm, whole.problem, more, seed=5, start=one.state)
        rest.advance(max_steps=1000)
        found = next(
            s for s in rest.trace if s.line == "part" and s.state.units == after.state.units
        )
        assert found.state.weights[-1].tolist() == after.state.weights[-1].tolist()


def test_at_the_end_amber_is_the_unit_that_answers() -> None:
    trace = engine.run(KEY, engine.textbook("xor"))
    network = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    assert network.current == ((len(network.weights), 0),)
    assert len(network.outputs) == 1
    units = sum(w.shape[1] for w in trace[-1].state.weights)
    assert network.title == f"Network: grown to {units} units, the end"
