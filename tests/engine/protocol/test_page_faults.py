"""A page of one's own that leaves the program, wherever its functions are called: a fault of the
page, and the lab lives on.
"""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.fit import fits as fit
from engine.protocol import registry
from engine.protocol.step import Level, Pace

ENDS = {
    "sys.exit()": "SystemExit",
    "sys.exit(3)": "SystemExit",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise GeneratorExit": "GeneratorExit",
    "raise Odd('no luck')": "Odd",
}
PAGE = '''
"""A page that ends the program."""
import sys
from engine.authoring import *

class Odd(BaseException): pass

def leave(): {ends}

PSEUDOCODE = """
done round:  the end
"""
SUMMARY = "Says nothing."
class State(Record):
    errors: int = 0
def steps(given, at, rng):
    yield from at("done", State())
def predict(given, s, X): leave()
def scores(given, s, X): leave()
def scene(given, step): leave()
def explain(given, s, x): leave()
def chips(p): leave()
def wording(p): leave()
def say_done(given, s): leave()
def metrics(given, s): {measure}
FIELDS = {{"class": lambda given, s, grid: leave()}}
def example(): return prepare(Dataset.from_columns({{"x": [1.0, 2.0]}}))
ALGORITHM = Algorithm.of(__name__, title="Leaves", task=Task.CLASSIFY, extension=True, needs=Needs(numeric=True))
'''


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Of algorithms of one's own, none yet."""
    yield tmp_path
    registry.forget_added()


@pytest.fixture(params=ENDS)
def own(request: Any, folder: Path) -> tuple[Any, str]:
    """An algorithm whose functions end the program, and by what."""
    (folder / "leaves.py").write_text(PAGE.format(ends=request.param, measure="return {}"), "utf-8")
    registry.add_algorithms(folder)
    return registry.algorithm("leaves"), ENDS[request.param]


def aside(function: Any, *given: Any) -> BaseException | None:
    """What it raises in a thread that is not the main one, where Python never raises
    KeyboardInterrupt for Ctrl+C.
    """
    raised: list[BaseException] = []

    def call() -> None:
        try:
            function(*given)
        except BaseException as fault:
            raised.append(fault)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def test_every_function_of_the_page_raises_a_fault(own: tuple[Any, str]) -> None:
    page, kind = own
    X = np.zeros((2, 1))
    calls = {
        "predict": (page.predict, None, None, X),
        "scores": (page.scores, None, None, X),
        "scene": (page.scene, None, None),
        "explain": (page.explain, None, None, X[0]),
        "chips": (page.chips, None),
        "wording": (page.wording, None),
        "say_done": (page.words("done"), None, None),
        "class": (page.fields["class"], None, None, None),
    }
    for name, call in calls.items():
        fault = aside(*call)
        assert type(fault) is RuntimeError, name
        assert kind in str(fault), name
        assert "leaves" in str(fault), name


def test_its_run_goes_on_and_is_judged_by_nothing(own: tuple[Any, str]) -> None:
    """In a worker, as in the window."""
    problem = engine.prepare(engine.generate("gaussians", 20, 1.0), split=engine.Split(0.3))
    run = LaneRun(lane("leaves"), problem, Pace(Level.STEP))
    assert aside(run.advance, float("inf"), 10) is None
    assert len(run.trace) == 1
    assert not run.error
    assert aside(run.judging.judge_next) is None
    assert aside(run.judging.at, 0) is None


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("where", ["steps", "metrics"])
def test_a_run_that_it_ends_says_so(folder: Path, ends: str, where: str) -> None:
    text = PAGE.format(ends=ends, measure="leave()" if where == "metrics" else "return {}")
    if where == "steps":
        text = text.replace(
            'yield from at("done", State())', 'yield from at("done", State()); leave()'
        )
    (folder / "other.py").write_text(text, "utf-8")
    registry.add_algorithms(folder)
    run = LaneRun(
        lane("other"), engine.prepare(engine.generate("gaussians", 20, 1.0)), Pace(Level.STEP)
    )
    assert aside(run.advance, float("inf"), 10) is None
    assert run.over
    assert ENDS[ends] in run.error


@pytest.fixture
def threads() -> Iterator[None]:
    """Fits are handed to threads of this process."""
    fit.use(ThreadPoolExecutor)
    yield
    fit.use(fit.processes)


def leaving(code: str, job: int) -> Any:
    """A job that leaves the program, but for one thread."""
    yield
    if threading.current_thread() is not threading.main_thread():
        exec(code, {})
    time.sleep(0.01)
    return job


@pytest.mark.parametrize("ends", ENDS)
def test_what_a_fit_ends_in_a_worker_is_done_again_here(
    ends: str, monkeypatch: pytest.MonkeyPatch, threads: None
) -> None:
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    monkeypatch.setattr(fit, "ALONE", 0.0)
    monkeypatch.setattr(fit, "WORTH", 0.0)
    code = f"import sys\nclass Odd(BaseException): pass\n{ends}"
    with pytest.warns(fit.WorkersWarning, match=f"(?s)fault of the program.*{ENDS[ends]}"):
        found = [each for each in fit.fits(leaving, code, range(9)) if each is not None]
    assert found == list(range(9))


# that is taken for Ctrl+C
@pytest.mark.parametrize("ends", [ends for ends in ENDS if "Keyboard" not in ends])
def test_a_page_that_ends_as_it_is_read_is_broken(ends: str, folder: Path) -> None:
    (folder / "at_once.py").write_text(
        f"import sys\nclass Odd(BaseException): pass\n{ends}\n", "utf-8"
    )
    registry.add_algorithms(folder)
    assert "at_once" not in registry.algorithms()
    assert ENDS[ends] in registry.broken()["at_once"]
