"""`main.py new`: a page that works is written, and a bad key or a file that is there is refused."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
import main
from engine.base.errors import EngineError
from engine.files.new_page import PAGE, TITLE, new_page
from engine.protocol import registry
from engine.protocol.edition import VERSION


@pytest.fixture(autouse=True)
def added_algorithms_are_forgotten() -> Iterator[None]:
    yield
    registry.forget_added()


def test_the_page_works_under_its_own_name(tmp_path: Path) -> None:
    """Means (1, 1) and (4, 4): of the places only (3, 3) is nearer to the other class's."""
    path = new_page(tmp_path / "mine", "middles", "The “middles” of \\ classes", "rules")
    assert path == tmp_path / "mine" / "middles.py"
    assert registry.add_algorithms(path.parent) == ("middles",)
    found = engine.algorithms()["middles"]
    assert (found.title, found.family) == ("The “middles” of \\ classes", "rules")
    X = [[0.0, 0.0], [0.0, 0.0], [3.0, 3.0], [4.0, 4.0], [4.0, 4.0], [4.0, 4.0]]
    trace = engine.run("middles", engine.Dataset.from_arrays(X, list("pppqqq")))
    assert [step.line for step in trace] == ["start", "mean", "mean", "done"]
    assert trace.metrics["errors"].tolist() == [6, 3, 1, 1]


def test_without_a_title_it_is_the_key_in_words(tmp_path: Path) -> None:
    registry.add_algorithms(new_page(tmp_path, "two_middles"))
    found = registry.algorithm("two_middles")
    assert (found.title, found.family) == ("Two middles", "own_algorithms")


def test_the_page_is_for_the_version_of_this_lab() -> None:
    text = PAGE.read_text("utf-8")
    assert f"    authoring={VERSION},\n" in text
    assert text.count(TITLE) == 1


def test_each_part_of_the_page_has_a_comment() -> None:
    """Above each constant, class and function, and above the record."""
    rows = PAGE.read_text("utf-8").splitlines()
    parts = [
        part
        for part in ast.parse("\n".join(rows)).body
        if isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.Assign))
    ]
    assert len(parts) >= 15
    for part in parts:
        first = min([part.lineno, *(d.lineno for d in getattr(part, "decorator_list", ()))])
        says = getattr(part, "name", "").startswith("say_")  # one comment for all of them
        assert says or rows[first - 2].startswith("#"), rows[first - 1]


@pytest.mark.parametrize(
    "key",
    ["", "Nearest", "two words", "2nd", "class", "a-b", "_draft", "../out", "größe", "a" * 61],
)
def test_a_bad_key_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(EngineError, match="is no name: it takes small letters"):
        new_page(tmp_path, key)
    assert not list(tmp_path.iterdir())


def test_a_bad_family_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="The family “My own” is no name"):
        new_page(tmp_path, "middles", family="My own")


def test_a_key_of_the_labs_own_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="The lab has an algorithm “perceptron” already"):
        new_page(tmp_path, "perceptron")


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "middles.py").write_text("mine", "utf-8")
    with pytest.raises(EngineError, match=r"middles\.py is there already: choose another key"):
        new_page(tmp_path, "middles")
    assert (tmp_path / "middles.py").read_text("utf-8") == "mine"


def test_a_folder_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for place in (tmp_path / "file" / "below", Path("a\0b")):
        with pytest.raises(EngineError, match=r"middles\.py could not be written: .*\.$"):
            new_page(place, "middles")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "mine")
    assert main.main(["new", "middles", "--out", out]) == 0
    said = capsys.readouterr().out
    assert f"main.py check {out}{os.sep}middles.py" in said
    assert f"main.py --algorithms {out}" in said
    assert main.main(["new", "middles", "--out", out]) == 2
    assert "is there already" in capsys.readouterr().err
