"""Algorithms from folders of one's own: found, read again, and reported when they are broken."""

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import engine
from engine.base.errors import EngineError
from engine.protocol import registry

PAGE = '''"""The class of most rows. An exercise."""

from engine.authoring import Algorithm, Needs, Task, Record, np, prepare, Dataset

PSEUDOCODE = """
{label} round: c ← the class of most rows
"""


class Params(Record):
    """Nothing to set."""


class State(Record):
    """code: the class."""

    code: int


SUMMARY = "{summary}"


def say_{label}(given, s):
    from engine.authoring import note

    return note("Class {{code}}.", code=s.code)


def steps(given, at, rng):
    s = State(int(np.bincount(given.problem.codes[given.problem.labelled]).argmax()))
    yield from at("{label}", s)


def resume(given, s, at, rng):
    return iter(())


def predict(given, s, X):
    return np.full(len(X), s.code)


def example():
    return prepare(Dataset.from_arrays([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], ["p", "p", "q"]))


ALGORITHM = Algorithm.of(__name__, title="Most rows", task=Task.CLASSIFY, params=Params, needs=Needs(), extension=True)
'''


@pytest.fixture(autouse=True)
def added_algorithms_are_forgotten() -> Iterator[None]:
    yield
    registry.forget_added()


def page(
    folder: Path,
    name: str = "most_rows.py",
    label: str = "most",
    summary: str = "The commonest class.",
) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(PAGE.format(label=label, summary=summary), "utf-8")
    return path


def test_a_file_a_folder_and_a_page_with_a_folder_are_found(tmp_path: Path) -> None:
    assert registry.add_algorithms(page(tmp_path)) == ("most_rows",)
    page(tmp_path, "second.py")
    page(tmp_path, "third/__init__.py")
    page(tmp_path, "_draft.py")
    assert registry.add_algorithms(tmp_path) == ("most_rows", "second", "third")
    assert registry.add_algorithms(tmp_path / "third") == ("third",)
    assert {"most_rows", "second", "third", "perceptron"} <= set(engine.algorithms())


def test_it_runs_by_the_front_door(tmp_path: Path) -> None:
    registry.add_algorithms(page(tmp_path))
    trace = engine.run(
        "most_rows", engine.Dataset.from_arrays([[0.0], [1.0], [2.0]], ["q", "q", "p"])
    )
    assert [step.line for step in trace] == ["most"]
    assert trace.problem.classes[trace[-1].state.code] == "q"


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    registry.add_algorithms(page(tmp_path))
    assert [label for label, _ in engine.algorithms()["most_rows"].code_lines()] == ["most"]
    registry.add_algorithms(page(tmp_path, label="count"))
    assert [label for label, _ in engine.algorithms()["most_rows"].code_lines()] == ["count"]


def test_a_file_that_is_broken_now_leaves_what_runs_alone(tmp_path: Path) -> None:
    registry.add_algorithms(page(tmp_path))
    runs = registry.algorithm("most_rows")
    (tmp_path / "most_rows.py").write_text("def steps(:\n", "utf-8")
    registry.add_algorithms(tmp_path)
    assert list(registry.broken()) == ["most_rows"]
    assert "SyntaxError" in registry.broken()["most_rows"]
    assert runs.summary == "The commonest class."
    with pytest.raises(EngineError, match="SyntaxError"):
        registry.algorithm("most_rows")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
        ("x = 1", "binds no ALGORITHM"),
        ("import sys; sys.exit()", "SystemExit"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class Odd(BaseException): pass\nraise Odd('no luck')", "Odd: no luck"),
        ("import nowhere_at_all", "nowhere_at_all"),
        (
            PAGE.format(label="most", summary="").replace("most round:", "most often:"),
            "there is no level “often”",
        ),
    ],
)
def test_whatever_an_authors_file_does_the_others_stand(
    tmp_path: Path, text: str, fault: str
) -> None:
    page(tmp_path)
    (tmp_path / "bad.py").write_text(text, "utf-8")
    registry.add_algorithms(tmp_path)
    assert fault in registry.broken()["bad"]
    assert {"most_rows", "perceptron"} <= set(engine.algorithms())


def test_a_key_of_the_labs_own_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="perceptron"):
        registry.add_algorithms(page(tmp_path, "perceptron.py"))
    with pytest.raises(EngineError, match="no file and no folder"):
        registry.add_algorithms(tmp_path / "nowhere")


def test_the_persons_interrupt_is_no_broken_page(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("raise KeyboardInterrupt", "utf-8")
    registry.add_algorithms(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        registry.algorithm("bad")


def pipe(folder: Path) -> str:
    os.mkfifo(folder / "pipe")
    return str(folder / "pipe")


def listening(folder: Path) -> str:
    """A socket, bound by a short name: a long one has no room in its address."""
    with socket.socket(socket.AF_UNIX) as bound, contextlib.chdir(folder):
        bound.bind("s")
    return str(folder / "s")


UNREADABLE: dict[str, Callable[[Path], str]] = {
    "a pipe": pipe,
    "a pipe called a folder": lambda folder: f"{pipe(folder)}/",
    "a socket": listening,
    "a device": lambda folder: os.devnull,
    "below a device": lambda folder: f"{os.devnull}/mine",
    "too long a name": lambda folder: str(folder / ("a" * 300)),
    "too long a path": lambda folder: str(folder / "/".join(["mine"] * 2000)),
    "a zero byte": lambda folder: f"{folder}/mi\0ne",
    "no text": lambda folder: f"{folder}/\ud800",
}


@pytest.mark.parametrize("place", UNREADABLE)
def test_a_place_that_cannot_be_read_is_a_sentence(tmp_path: Path, place: str) -> None:
    with pytest.raises(EngineError, match=r"\.$"):
        registry.add_algorithms(UNREADABLE[place](tmp_path))


@pytest.mark.parametrize("call", ["stat", "iterdir"])
def test_a_folder_that_may_not_be_read_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """The account of the tests may be allowed to read everything, so the system's refusal
    is made up.
    """

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, call, refuse)
    with pytest.raises(EngineError, match="Permission denied"):
        registry.add_algorithms(tmp_path)


def test_a_pipe_among_the_pages_is_not_waited_for(tmp_path: Path) -> None:
    page(tmp_path)
    os.mkfifo(tmp_path / "waits.py")
    registry.add_algorithms(tmp_path)
    assert "no ordinary file" in registry.broken()["waits"]
    assert {"most_rows", "perceptron"} <= set(engine.algorithms())
