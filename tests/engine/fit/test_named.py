"""`--executor module:callable` on the command line."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import main
from engine.base.errors import EngineError
from engine.fit import fits as module
from engine.fit.named import executor_named

MAKES = """
from concurrent.futures import ThreadPoolExecutor
made = []
class Counted(ThreadPoolExecutor):
    chunks = 0
    def submit(self, *call):
        self.chunks += 1
        return super().submit(*call)
def executor():
    made.append(Counted(2))
    return made[-1]
def nothing():
    return None
number = 3
"""
RUN = ["run", "learning_curve", "--data", "moons:30:0.3", "--set", "sizes=5", "trials=6"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """In which the person works; it holds cluster.py."""
    (tmp_path / "cluster.py").write_text(MAKES, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(module, "ALONE", 0.0)
    monkeypatch.setattr(module, "WORTH", 0.0)
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    yield tmp_path
    module.use(module.processes)
    sys.modules.pop("cluster", None)


def test_a_run_takes_the_workers_that_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main([*RUN, "--executor", "cluster:executor"]) == 0
    found = capsys.readouterr()
    assert sys.modules["cluster"].made[0].chunks > 0
    monkeypatch.setenv("LEARNSCOPE_JOBS", "1")
    assert main.main(RUN) == 0
    assert capsys.readouterr() == found
    assert len(sys.modules["cluster"].made) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cluster", "named as module:callable"),
        (":executor", "named as module:callable"),
        ("no_such_module:executor", "No module named"),
        ("cluster:missing", "missing"),
        ("cluster:number", "cannot be called"),
    ],
)
def test_what_is_no_executor_is_said_in_a_sentence(folder: Path, text: str, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        executor_named(text)


def test_a_callable_that_makes_none_is_done_without(folder: Path) -> None:
    with pytest.warns(module.WorkersWarning, match=r"(?s)could not be used.*made no"):
        assert main.main([*RUN, "--executor", "cluster:nothing"]) == 0
