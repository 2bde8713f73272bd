"""From a checkpoint a run goes on as it did, to the last bit, and forgotten steps are soon there
again.
"""

from itertools import pairwise, repeat
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.arrays import Log
from engine.base.records import Record, replace
from engine.protocol import moment
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import At, Checkpoint
from engine.protocol.step import Level, Pace, Step
from engine.runs.checkpoints import Checkpoints
from engine.runs.replaying import Replay
from engine.runs.run import Run
from engine.sources.generators import generate
from tests.engine.digests import fewer, parts

METHODS = list(engine.algorithms().values())
STANDING = {"adaboost", "kernel_perceptron", "svm"}  # whose runs grow beyond their budget
CHOSEN: list[tuple[str, dict[str, Any]]] = [
    ("adaboost", {"copies": "replicated"}),
    ("adaboost", {"learner": "tree"}),
    ("kernel_perceptron", {"threshold": "learned", "kernel": "rbf"}),
    ("svm", {"kernel": "rbf", "pair": "in turn"}),
    ("svm", {"C": float("inf"), "kernel": "rbf", "gamma": 9.0}),
]


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint wherever a page offers one."""
    monkeypatch.setattr(moment, "BETWEEN", 0.0)


def content(step: Step[Any]) -> tuple[Any, ...]:
    return step.line, step.level, step.events, b"".join(parts(step.state)), step.note, step.choice


def check(
    method: Algorithm[Any, Any], problem: engine.Problem, params: Any, pace: Pace, most: int
) -> int:
    """How many checkpoints there are: the run goes on from each as it did."""
    run = Run(method, problem, params, 3, pace, budget=1 << 40)
    checkpoints = []
    number = 0
    for step in run.trace.replay.recipe(None, checkpoints=True):
        if isinstance(step, Checkpoint):
            checkpoints.append((number, step))
        elif step is not None:
            run.trace.append(step)
            number += 1
            if number == most:
                break
    for number, checkpoint in checkpoints[:: max(1, len(checkpoints) // 4)]:
        again = At(method, run.trace.given, pace).take_up(checkpoint, np.random.default_rng(99))
        steps = (step for step in again if isinstance(step, Step))
        for place in range(number, len(run.trace)):
            assert content(next(steps)) == content(run.trace[place]), (pace, number, place)
    return len(checkpoints)


@pytest.mark.slow
@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_a_run_goes_on_from_every_checkpoint_as_it_did(method: Algorithm[Any, Any]) -> None:
    """Of most methods no page offers any: a few steps tell."""
    params = method.params(**fewer(method))
    standing = method.key in STANDING
    found = [
        check(method, method.example(), params, Pace(level), 120 if standing else 20)
        for level in Level
    ]
    assert (found[0] > 0) == standing


@pytest.mark.slow
@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize(("key", "params"), CHOSEN, ids=str)
def test_random_numbers_turns_and_proofs_go_on_too(key: str, params: dict[str, Any]) -> None:
    method = engine.algorithms()[key]
    problem = engine.prepare(generate("moons", 120, 0.3))
    assert check(method, problem, method.params(**params), Pace(Level.DETAIL), 200)


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("key", sorted(STANDING))
def test_a_forgotten_step_is_replayed_from_the_checkpoint_before_it(key: str) -> None:
    """The run is not begun once more."""
    method = engine.algorithms()[key]
    begun = list[int]()

    def steps(*given: Any) -> Any:
        begun.append(0)
        return method.steps(*given)

    problem = engine.prepare(generate("moons", 300, 0.3))
    whole, thin = (
        Run(replace(method, steps=steps), problem, method.params(), 3, budget=budget)
        for budget in (1 << 40, 400_000)
    )
    for run in (whole, thin):
        run.advance(max_steps=1_000)
    trace = thin.trace
    first = thin.trace.checkpoints.placed[0].number
    forgotten = [i for i in range(first, len(trace)) if not trace.holds(i)]
    assert len(forgotten) > 20
    assert trace.bytes <= 400_000
    for place in [*forgotten[:: len(forgotten) // 9], *forgotten[:: -len(forgotten) // 9]]:
        assert trace.recall(place)
        assert content(trace[place]) == content(whole.trace[place])
    assert len(begun) == 2


def test_a_checkpoint_within_a_block_leaves_no_step_of_it_out() -> None:
    """After one of them its neighbours are wanted next."""
    method = engine.algorithms()["perceptron"]
    run = Run(method, method.example(), method.params())
    run.advance()
    step = run.trace[0]
    checkpoints = Checkpoints()
    for number in (205, 290):
        checkpoints.add(number, checkpoint(float(number)), 1 << 30, 1e9)
    replay = Replay(lambda _: repeat(step), checkpoints)
    assert replay.go_to(210) and replay.go_to(299)
    assert [*replay.block] == [*range(205, 300)]


class Three(Record, eq=True):
    many: Any
    signs: Any
    all_of_them: Any


def checkpoint(seconds: float, state: Any = None) -> Checkpoint:
    return Checkpoint(
        lambda *_: iter(()), np.zeros(1_000) if state is None else state, (), {}, 0, seconds
    )


def test_half_of_the_budget_is_room_for_footholds_before_a_step_is_forgotten() -> None:
    """The earliest steps are forgotten first, and no cursor can stand between them later."""
    method = engine.algorithms()["perceptron"]
    budget = 60_000
    run = Run(method, method.example(), method.params(), budget=budget)
    run.advance()
    assert 0 < run.trace.bytes < budget / 2
    for number in range(60):
        run.trace.add_checkpoint(checkpoint(float(number), np.zeros(100)))
    assert 0.4 * budget < run.trace.checkpoints.bytes <= budget / 2
    assert all(map(run.trace.holds, range(len(run.trace))))


def test_footholds_are_spread_by_time_in_their_room() -> None:
    """Half of the run takes a hundredth of the time: it has as few of them."""
    checkpoints = Checkpoints()
    each = 8_200
    seconds = [0.001 * k for k in range(500)] + [0.5 + 0.1 * k for k in range(500)]
    for number, when in enumerate(seconds):
        checkpoints.add(number, checkpoint(when), 50 * each, 1e9)
        assert checkpoints.bytes <= 50 * each
    kept = [placed.checkpoint.seconds for placed in checkpoints.placed]
    assert len(kept) > 40
    assert max(b - a for a, b in pairwise(kept)) < 5.0  # at best 50.5 / 50
    assert sum(when < 0.5 for when in kept) < 5


def test_the_checkpoint_before_a_step_is_the_last_one_from_which_it_comes() -> None:
    checkpoints = Checkpoints()
    for number in (10, 20, 20, 30):
        checkpoints.add(number, checkpoint(float(number)), 1 << 30, 1e9)
    assert checkpoints.before(9) is None
    found = [checkpoints.before(number) for number in (10, 19, 20, 29, 30, 99)]
    assert [placed.number for placed in found if placed] == [10, 10, 20, 20, 30, 30]


def test_a_log_that_all_footholds_share_is_weighed_once() -> None:
    checkpoints = Checkpoints()
    log = Log[Any]()
    for number in range(50):
        checkpoints.add(number, checkpoint(float(number), log.append(np.zeros(100))), 1 << 30, 1e9)
    assert checkpoints.bytes < 50 * 1_200


def test_where_steps_are_small_footholds_are_rare() -> None:
    """One that takes the room of forty steps stands at least so far from the one before."""
    checkpoints = Checkpoints()
    each = 205.0
    for number in range(400):
        checkpoints.add(number, checkpoint(0.001 * number), 1 << 30, each)
    numbers = [placed.number for placed in checkpoints.placed]
    assert len(numbers) > 8
    assert all(b - a >= 40 for a, b in pairwise([0, *numbers]))


def test_a_long_step_has_a_checkpoint_behind_it_however_small_it_is() -> None:
    checkpoints = Checkpoints()
    for number, when in enumerate([0.0, 0.01, 0.02, 0.9, 0.91]):
        checkpoints.add(100 + number, checkpoint(when), 1 << 30, 100.0)
    assert [placed.number for placed in checkpoints.placed] == [100, 103]


def test_numbers_that_are_not_0_and_signs_are_all_that_a_checkpoint_keeps_of_its_state() -> None:
    many = np.zeros(9_000)
    signs = np.ones(9_000, np.int8)
    all_of_them = np.random.default_rng(0).normal(size=9_000)
    many[[3, 5_000]] = -0.0, np.nan
    state = Three(many, signs, all_of_them)
    checkpoints = Checkpoints()
    checkpoints.add(1, checkpoint(0.0, state), 1 << 30, 1e9)
    assert checkpoints.bytes < all_of_them.nbytes + signs.nbytes / 8 + 1_000
    placed = checkpoints.before(1)
    assert placed is not None
    assert b"".join(parts(placed.whole().state)) == b"".join(parts(state))
