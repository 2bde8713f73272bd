"""Handouts: how many pages, and what stands on them."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import engine
from engine.base.errors import EngineError
from engine.protocol.registry import algorithm
from engine.protocol.step import Level
from engine.runs.chosen_steps import Chosen, read_steps
from engine.runs.run import Run, pace_of
from gui.export import handout as module
from gui.export import shown
from gui.export.figure import paint_figures
from gui.export.film import Cancelled
from gui.export.handout import DOTS, PAPERS, Cell, Handout, Paper, save_handout
from gui.look.theme import THEMES, current

PER_PAGE = pytest.mark.parametrize("per_page", [2, 4, 6])


def made(key: str = "perceptron", data: str = "spam", unit: Level = Level.STEP) -> Run:
    method = algorithm(key)
    problem = engine.prepare(
        engine.textbook(data) if data in engine.TEXTBOOK else engine.generate(data, 60)
    )
    return Run(method, problem, method.params(), pace=pace_of(unit, problem.n))


def chosen(text: str, every: int = 1, unit: Level = Level.STEP) -> Chosen:
    return Chosen(read_steps(text), every, unit)


def pages(file: Path) -> int:
    """The number of page objects, which has to be what the list of pages says."""
    content = file.read_bytes()
    count = len(re.findall(rb"/Type\s*/Page\b", content))
    assert [int(n) for n in re.findall(rb"/Count\s+(\d+)", content)] == [count]
    return count


@PER_PAGE
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_there_are_as_many_pages_as_the_steps_need(
    qapp: Any, tmp_path: Path, per_page: int, count: int
) -> None:
    path = tmp_path / "paper.pdf"
    numbers = save_handout(
        made("perceptron", "leaning_clouds"), "S", chosen(f"0:{count - 1}"), path, Handout(per_page)
    )
    assert numbers == list(range(count))
    assert path.read_bytes().startswith(b"%PDF-")
    assert pages(path) == -(-count // per_page)


@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_paper_has_its_size(qapp: Any, tmp_path: Path, paper: str) -> None:
    """A4 is 210 × 297 mm, Letter 8.5 × 11 inches; a point is a 72nd of an inch."""
    path = tmp_path / "paper.pdf"
    save_handout(made(), "S", chosen("0,3"), path, Handout(2, paper))
    wide, high = (210 / 25.4 * 72, 297 / 25.4 * 72) if paper == "A4" else (8.5 * 72, 11 * 72)
    box = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", path.read_bytes())
    assert box is not None
    assert [float(side) for side in box.groups()] == pytest.approx([wide, high], abs=1)


@PER_PAGE
def test_the_places_lie_on_the_page_and_apart(qapp: Any, per_page: int) -> None:
    handout = Handout(per_page)
    places = [area for place in handout.places() for area in place]
    assert len(places) == 2 * per_page
    for k, area in enumerate(places):
        assert handout.area.contains(area)
        assert area.width() > DOTS and area.height() > DOTS
        assert not any(area.intersects(other) for other in places[:k])


def test_each_step_has_its_number_its_line_and_its_words(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells: list[Cell] = []
    usual = Paper.pieces
    monkeypatch.setattr(
        Paper, "pieces", lambda paper, cell: cells.append(cell) or usual(paper, cell)
    )
    run = made("decision_tree", "restaurant")
    numbers = save_handout(run, "R", chosen("1:", 3), tmp_path / "paper.pdf", Handout(6))
    last = len(run.trace.indices(Level.STEP)) - 1
    code = dict(run.algorithm.code_lines(run.params))
    assert [cell.head for cell in cells] == [f"Step {n} of {last}" for n in numbers]
    for cell, number in zip(cells, numbers, strict=True):
        step = run.trace.at(Level.STEP, number)
        assert cell.note is step.note and cell.code == code[step.line].strip()


@PER_PAGE
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_formula_are_written(qapp: Any, per_page: int, theme: str) -> None:
    """All four kinds of words stand one below the other: lines with ink, parted by
    lines without.
    """
    run = made("perceptron", "leaning_clouds")
    run.advance()
    step = run.trace[1]
    cell = Cell(lambda painter, area: None, "Step 1", "w ← w + η y x", step.note)
    image = QImage(360, 330, QImage.Format.Format_RGB32)
    image.fill(THEMES[theme].colour("plane"))
    with QPainter(image) as painter:
        module.paint_words(painter, QRectF(0, 0, 360, 330), cell=cell, theme=THEMES[theme])
    ground = THEMES[theme].colour("plane").rgb()
    inked = [any(image.pixel(x, y) != ground for x in range(360)) for y in range(330)]
    lines = sum(inked[y] and not inked[y - 1] for y in range(1, 330))
    assert lines >= 5, "head, line of code, sentence, symbols, numbers"
    lit = THEMES[theme].colour("now_soft").rgb()
    assert any(image.pixel(300, y) == lit for y in range(330))


@pytest.mark.parametrize("high", [20, 60, 120, 180, 240])
def test_words_never_leave_their_place(qapp: Any, high: int) -> None:
    run = made("svm", "moons")
    run.advance()
    step = max(run.trace, key=lambda step: len(step.note.formulas))
    cell = Cell(lambda painter, area: None, "Step 1", "move αᵢ, αⱼ along Σ α y = 0", step.note)
    image = QImage(300, 400, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    with QPainter(image) as painter:
        module.paint_words(painter, QRectF(0, 0, 300, high), cell=cell, theme=THEMES["light"])
    assert all(
        image.pixel(x, y) & 0xFFFFFF == 0xFFFFFF for x in range(300) for y in range(high + 3, 400)
    )


def test_a_plane_is_made_of_shapes_not_of_pixels(qapp: Any, tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    save_handout(made("perceptron", "leaning_clouds"), "S", chosen("5,9"), path, Handout(2))
    assert b"/Subtype /Image" not in path.read_bytes()


def test_a_table_without_a_plane_gives_its_figures(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = []
    monkeypatch.setattr(
        shown, "paint_figures", lambda *a, **k: painted.append(1) or paint_figures(*a, **k)
    )
    before = current().key
    save_handout(
        made("decision_tree", "restaurant"),
        "R",
        chosen("0:4"),
        tmp_path / "paper.pdf",
        Handout(4, theme="dark"),
    )
    assert len(painted) == 5 and current().key == before


@pytest.mark.parametrize("how", [{"per_page": 3}, {"paper": "A5"}, {"theme": "sepia"}])
def test_what_no_handout_can_have(qapp: Any, tmp_path: Path, how: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        save_handout(made(), "S", chosen("0:3"), tmp_path / "paper.pdf", Handout(**how))
    assert os.listdir(tmp_path) == []


def test_too_many_steps_are_refused_before_the_run(qapp: Any, tmp_path: Path) -> None:
    run = made()
    with pytest.raises(EngineError, match="241 pictures; one file holds at most 240"):
        save_handout(run, "S", chosen("0:240"), tmp_path / "paper.pdf", Handout())
    assert len(run.trace) == 0


@pytest.mark.parametrize("given_up_at", [0, 1, 5])
def test_giving_up_leaves_the_old_file(qapp: Any, tmp_path: Path, given_up_at: int) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(b"before")
    fractions: list[float] = []

    def tick(fraction: float) -> bool:
        fractions.append(fraction)
        return sum(f > 0 for f in fractions) < given_up_at

    with pytest.raises(Cancelled):
        save_handout(
            made("perceptron", "leaning_clouds"), "S", chosen("0:9"), path, Handout(), tick=tick
        )
    assert os.listdir(tmp_path) == ["paper.pdf"] and path.read_bytes() == b"before"
