"""`render … --out run.html`: a page of a run, of a range of its steps, of the lanes of a project;
mistakes are sentences.
"""

from pathlib import Path

import pytest

import main
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import save_project
from engine.sources.generators import generate

RUN = ["render", "perceptron", "--data", "six_points", "--out"]


def test_a_page_of_a_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run.html"
    assert main.main([*RUN, str(out), "--steps", "1:4"]) == 0
    assert "Steps 1 to 4 are in" in capsys.readouterr().out
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_project_gives_all_its_lanes(tmp_path: Path) -> None:
    project = tmp_path / "two.learnscope"
    out = tmp_path / "two.html"
    save_project(
        Document(
            generate("leaning_clouds", 12, seed=1), (lane("perceptron"), lane("decision_tree"))
        ),
        project,
    )
    assert main.main(["render", str(project), "--out", str(out), "--steps", "0:5"]) == 0
    assert "Perceptron and Decision tree" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("9000:9001", "There is no step from 9000 to 9001"),
        ("-3:5", "from one to another, as --steps 0:199; it is “-3:5”"),
        ("5:2", "no step from 5 to 2"),
    ],
)
def test_ranges_without_steps_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], steps: str, words: str
) -> None:
    assert main.main([*RUN, str(tmp_path / "run.html"), f"--steps={steps}"]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
