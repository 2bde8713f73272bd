"""Every experiment that makes many fits finds the same with one worker and with two processes."""

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest

import engine
from engine.fit import fits as module
from engine.fit.processes import Processes
from engine.protocol.step import Level
from tests.golden.runs import digest_of

pytestmark = pytest.mark.slow
MOONS = engine.generate("moons", 30, 0.3, seed=1)
PUNDITS = engine.generate("pundits", 30, 0.2, seed=1)
TREE = "decision_tree"
EXPERIMENTS: dict[str, dict[str, Any]] = {
    "cross_validation": {"learner": TREE, "k": 10},
    "learning_curve": {"learner": "perceptron(stop=rounds, rounds=5)", "sizes": 4, "trials": 4},
    "learner_comparison": {"sizes": 3, "trials": 4},
    "holdout": {"learner": "nearest_neighbours", "splits": 8},
    "overfitting_curve": {"learner": TREE, "values": 4, "splits": 4},
    "model_selection": {"learner": TREE, "values": 4, "k": 4},
    "bootstrap_spread": {"learner": TREE, "copies": 12},
    "peeking": {"hypotheses": "copies", "learner": TREE, "looks": 12},
    "regret_bounds": {"runs": 2},
    "axis_weights": {"values": (0, 1)},
    "column_curves": {"learner": TREE, "sizes": 3, "trials": 4},
    "feature_selection": {"learner": TREE, "k": 4},
    "several_classes": {"learner": "perceptron(stop=rounds, rounds=5)"},
}


class Kept(Executor):
    """Two processes that serve run after run; answered: how many chunks they gave back."""

    def __init__(self, processes: Processes) -> None:
        self.processes = processes
        self.given: list[Future[Any]] = []

    @property
    def answered(self) -> int:
        return sum(future.done() and not future.cancelled() for future in self.given)

    def submit(self, *call: Any, **named: Any) -> Any:
        self.given.append(self.processes.submit(*call, **named))
        return self.given[-1]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """They go on."""


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    executor = Processes(2)
    executor.submit(len, "").result(60)
    yield executor
    executor.shutdown()


def test_these_are_all_that_there_are() -> None:
    using = {
        key
        for key, algorithm in engine.algorithms().items()
        if hasattr(algorithm.steps, "__globals__")
        and algorithm.steps.__globals__.get("fits") is module.fits
    }
    assert using == set(EXPERIMENTS)


@pytest.fixture
def kept(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """Every job goes to the two processes."""
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    for name, value in {"ALONE": 0.0, "WORTH": 0.0, "CHUNK": 0.0}.items():
        monkeypatch.setattr(module, name, value)
    executor = Kept(processes)
    module.use(lambda count: executor)
    yield executor
    module.use(module.processes)


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_two_workers_find_what_one_finds(
    key: str, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = engine.prepare(PUNDITS if key == "regret_bounds" else MOONS)
    monkeypatch.setenv("LEARNSCOPE_JOBS", "1")
    alone = digest_of(key, problem, EXPERIMENTS[key], Level.STEP)
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    assert not kept.given
    assert digest_of(key, problem, EXPERIMENTS[key], Level.STEP) == alone
    assert kept.answered > 0


def test_a_model_of_a_worker_holds_the_problem_itself(kept: Kept) -> None:
    """Not a copy in each chunk."""
    trace = engine.run("cross_validation", MOONS, k=20)
    models = [step.state.model for step in trace if step.line == "test"]
    assert len(models) == 20
    assert kept.answered > 0
    assert all(model.problem is trace.problem for model in models)
