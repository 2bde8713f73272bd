"""The helping process answers, says what went wrong in it, and begins again after it died."""

import operator
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.core.work import Work
from engine.experiments.parts import crew
from engine.experiments.parts.helper import Fault, Gone, ask

LONG = 30  # seconds in which the process has started and answered
ROOT = Path(__file__).parents[3]
EXPERIMENT = f"""
import os, sys
sys.path[:] = [{str(ROOT)!r}, *(path for path in sys.path if os.path.realpath(path) != os.getcwd())]
import engine
from engine.experiments.parts import crew
crew.cpu_count = lambda: 2
crew.ALONE = crew.WORTH = crew.CHUNK = 0.0
count, asked = 0, crew.ask
def ask(*call):
    global count
    count += 1
    return asked(*call)
crew.ask = ask
trace = engine.run("learning_curve", engine.generate("blobs", 60), learner="perceptron", trials=5)
assert count > 0
print(len(trace), "steps")
"""


class Leaves:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> Any:
        return sys.exit, (5,)


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


@pytest.mark.parametrize("fault", [SystemExit, GeneratorExit])
def test_a_function_that_leaves_the_program_is_a_fault(fault: type[BaseException]) -> None:
    """As sys.exit() in a page of one's own: the process goes on."""
    number = ask(os.getpid, ()).result(LONG)
    with pytest.raises(Fault, match=fault.__name__):
        ask(exec, (f"raise {fault.__name__}(5)",)).result(LONG)
    assert ask(os.getpid, ()).result(LONG) == number


@pytest.mark.parametrize("made", ["int, ('no number',)", "__import__('sys').exit, (5,)"])
def test_an_answer_that_cannot_be_unpickled_is_told(made: str) -> None:
    """Its call, and those after it, would be waited for without an end."""
    answer = f"type('Odd', (), {{'__reduce__': lambda _: ({made})}})()"
    with pytest.raises(Gone):
        ask(eval, (answer,)).result(LONG)
    assert ask(operator.add, (2, 2)).result(LONG) == 4


@pytest.mark.slow
@pytest.mark.parametrize("paths", [None, "", ".", os.pathsep, "THERE", "THERE" + os.pathsep + "."])
def test_nothing_of_the_folder_in_which_the_user_works_is_imported(
    tmp_path: Path, paths: str | None
) -> None:
    """By an experiment whose learners are fitted by the other process too; whatever folders
    PYTHONPATH names.
    """
    for name in ("numpy", "pickle", "engine", "sitecustomize", "random"):
        mark = tmp_path / f"{name} was run"
        (tmp_path / f"{name}.py").write_text(
            f"open({str(mark)!r}, 'w').close(); raise SystemExit(7)"
        )
    around = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    for name in ("LEARNSCOPE_HELPER", "PYTHONPATH"):
        around.pop(name, None)
    script = EXPERIMENT
    # set within the process, so that it itself starts with modules that are none of these
    if paths is not None:
        script = (
            "import os; os.environ['PYTHONPATH'] ="
            f" {paths.replace('THERE', str(tmp_path))!r}\n{script}"
        )
    given = [sys.executable, "-P", "-W", "error", "-c", script]
    done = subprocess.run(
        given, cwd=tmp_path, env=around, capture_output=True, text=True, timeout=120
    )
    assert not list(tmp_path.glob("* was run"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("steps\n")


def test_an_answer_that_cannot_be_pickled_is_a_fault() -> None:
    with pytest.raises(Fault, match="pickle"):
        ask(memoryview, (b"x",)).result(LONG)


def test_a_process_that_dies_says_how_and_the_next_call_starts_another() -> None:
    with pytest.raises(Gone, match="code 3") as found:
        ask(os._exit, (3,)).result(LONG)
    assert not isinstance(found.value, Fault)
    assert ask(operator.add, (1, 1)).result(LONG) == 2


def test_a_fault_in_it_is_a_warning_and_the_results_are_whole(
    two_cores: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "ask", lambda *_: ask(operator.truediv, (1, 0)))
    jobs = list(range(1, 40))
    with pytest.warns(crew.HelperWarning, match=r"(?s)fault of the program.*Traceback"):
        found: list[Any] = [one for one in crew.done(inverse, 1, jobs) if one is not None]
    assert found == [1 / job for job in jobs]
