"""The helping process answers, says what went wrong in it, and begins again after it died."""

import operator
import os
from typing import Any

import pytest

from engine.core.work import Work
from engine.experiments.parts import crew
from engine.experiments.parts.helper import Fault, Gone, ask

LONG = 30  # seconds in which the process has started and answered


def inverse(common: int, job: int) -> Work[float]:
    yield
    return common / job


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process is asked for the first job that is left."""
    monkeypatch.delenv("LEARNSCOPE_HELPER")
    monkeypatch.setattr(crew, "cpu_count", lambda: 2)
    for name in ("ALONE", "WORTH", "CHUNK"):
        monkeypatch.setattr(crew, name, 0.0)


def test_it_answers_and_outlives_what_a_function_raises() -> None:
    assert ask(operator.add, (2, 3)).result(LONG) == 5
    with pytest.raises(Fault, match="ZeroDivisionError"):
        ask(operator.truediv, (1, 0)).result(LONG)
    assert ask(operator.add, (2, 4)).result(LONG) == 6


def test_an_answer_that_cannot_be_pickled_is_a_fault() -> None:
    with pytest.raises(Fault, match="pickle"):
        ask(memoryview, (b"x",)).result(LONG)


def test_a_process_that_dies_says_how_and_the_next_call_starts_another() -> None:
    with pytest.raises(Gone, match="code 3") as found:
        ask(os._exit, (3,)).result(LONG)
    assert not isinstance(found.value, Fault)
    assert ask(operator.add, (1, 1)).result(LONG) == 2


def test_a_fault_in_it_is_a_warning_and_the_results_are_whole(two_cores: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "ask", lambda *_: ask(operator.truediv, (1, 0)))
    jobs = list(range(1, 40))
    with pytest.warns(crew.HelperWarning, match=r"(?s)fault of the program.*Traceback"):
        found: list[Any] = [one for one in crew.done(inverse, 1, jobs) if one is not None]
    assert found == [1 / job for job in jobs]
