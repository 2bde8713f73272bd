"""Held-out rows are judged at every step where that is quick, at the ends of rounds where it is
not.
"""

import numpy as np
import pytest

import engine
from engine.base.records import replace
from engine.judge import judging
from engine.judge.judging import Judging
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.table.prepare import Split, prepare


def judged(name: str, key: str, n: int, steps: int) -> Judging:
    """The judging of a run of so many steps, nothing judged yet."""
    method = engine.algorithms()[key]
    run = Run(
        method,
        prepare(engine.generate(name, n=n), split=Split(0.3)),
        method.params(),
        pace=Pace(Level.STEP),
    )
    run.advance(60.0, max_steps=steps)
    return Judging(run.trace)


@pytest.mark.parametrize(
    "key", ["perceptron", "adaboost", "nearest_neighbours", "svm", "decision_tree"]
)
def test_five_hundred_points_are_judged_at_the_shown_step(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as judging is quick, which the benchmarks of frames measure; here the machine may be
    busy.
    """
    monkeypatch.setattr(judging, "QUICK_SECONDS", float("inf"))
    found = judged("blobs", key, 500, 300)
    assert found.quick
    for k in range(min(len(found.trace), 200)):
        errors = found.at(k)
        assert errors is not None and errors.at == k


def test_slow_methods_are_judged_at_rounds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged("leaning_clouds", "perceptron", 71, 1000)
    monkeypatch.setattr(judging, "QUICK_SECONDS", 0.0)
    while found.judge_next():
        pass
    rounds = [k for k in found.trace.indices(Level.ROUND) if k > 2]
    assert found.steps == [0, 1, 2, *rounds]
    assert not found.quick


def test_more_rows_are_judged_at_every_step_once_that_is_known_to_be_quick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(judging, "QUICK_SECONDS", float("inf"))  # the machine may be busy
    found = judged("blobs", "perceptron", 1500, 5000)
    assert not found.quick
    for _ in range(judging.TRIALS):
        found.judge_next()
    assert found.quick
    monkeypatch.setattr(judging, "MANY_PAIRS", 1_000_000)
    assert not found.quick


def test_forgotten_steps_are_left_out_but_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging them would replay the run."""
    method = engine.algorithms()["perceptron"]
    begun = list[int]()

    def steps(*given: object) -> object:
        begun.append(0)
        return method.steps(*given)

    problem = prepare(engine.generate("leaning_clouds", n=71), split=Split(0.3))
    counted = replace(method, steps=steps)
    run = Run(counted, problem, method.params(rounds=30), pace=Pace(Level.STEP), budget=40_000)
    run.advance()
    trace = run.trace
    found = Judging(run.trace)
    monkeypatch.setattr(judging, "QUICK_SECONDS", float("inf"))
    held = [k for k in range(len(trace)) if trace.holds(k)]
    assert trace.finished and 10 < len(held) < len(trace) // 2
    while found.judge_next():
        pass
    assert found.steps == held
    assert len(begun) == 1


@pytest.mark.parametrize("fault", [SystemExit(1), GeneratorExit(), ZeroDivisionError("no luck")])
def test_whatever_a_page_raises_while_it_is_judged_is_no_number(fault: BaseException) -> None:
    """sys.exit() in a page of one's own too."""
    found = judged("blobs", "perceptron", 60, 20)

    def raises(*_: object) -> None:
        raise fault

    object.__setattr__(
        found.trace, "algorithm", replace(found.trace.algorithm, predict=raises, scores=raises)
    )
    assert found.decides
    while found.judge_next():
        pass
    assert len(found.shares) == len(found.steps) > 0
    assert np.isnan(found.shares).all()
    errors = found.at(3)
    assert errors is not None
    assert np.isnan(errors.test)
    assert found.says(3) is None
    assert found.scores(3) is None
