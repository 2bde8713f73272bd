"""What the README and docs/ show is true: their scripts run, their commands work, their links and
the files that they name are there.
"""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import main

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
]


def blocks(name: str, language: str) -> list[str]:
    """The code of a page in one language, in its order."""
    text = (ROOT / name).read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_script() -> None:
    script = blocks("docs/scripts.md", "python")[0]
    assert "trace[4].choice  # the five attributes that tie at 0.2516 bits" in script
    names: dict[str, Any] = {}
    exec(script, names)
    trace = names["trace"]
    choice = trace[4].choice
    assert [choice.options[i].score for i in choice.winners] == pytest.approx(
        [0.2516] * 5, abs=5e-5
    )
    assert len(trace.predict(trace.problem.X, at=4)) == 12
    assert trace.metrics["errors"][-1] == 0


@pytest.mark.slow
def test_the_script_with_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "release"))
    names: dict[str, Any] = {}
    exec(blocks("docs/scripts.md", "python")[1], names)
    assert names["search"].best_params_["depth"] > 1  # one cut cannot tell three classes apart
    assert names["search"].best_estimator_.trace_.problem.n == 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text("utf-8"))
    missing = [to for to in links if "://" not in to and not (page.parent / to).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_are_named_are_there(page: Path) -> None:
    """Names in code that begin with a folder of the repository."""
    named = re.findall(
        r"`((?:engine|gui|assets|tests|docs|release|examples)/[^`<>*…]*)`", page.read_text("utf-8")
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


def commands() -> list[str]:
    """What docs/command-line.md shows of the program, each command once."""
    text = (ROOT / "docs/command-line.md").read_text("utf-8")
    return re.findall(r"^uv run main\.py (.*)$", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_the_command_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{i},{'red' if i % 2 else 'blue'},{'low' if i < 15 else 'high'}" for i in range(30)]
    (tmp_path / "mine.csv").write_text("\n".join(["size,colour,price_class", *rows]), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main.main(shlex.split(command)) == 0, capfd.readouterr().err
    if "--out" in command:
        assert (tmp_path / shlex.split(command)[-1]).stat().st_size > 0


def test_the_experiment_shown_is_the_example() -> None:
    (shown,) = blocks("docs/write-an-experiment.md", "python")
    assert shown in (ROOT / "examples/methods/more_rows.py").read_text("utf-8")
