"""The words below an exported picture."""

from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import engine
from engine.protocol.step import Level
from gui.export.page import Page, page_of, paint_page
from gui.export.render import render_view
from gui.look.theme import THEMES


def trace(key: str = "perceptron", data: str = "leaning_clouds", pace: Level = Level.STEP) -> Any:
    return engine.run(key, engine.generate(data), pace=engine.Pace(pace))


def test_the_head_names_algorithm_data_and_the_step_in_its_unit() -> None:
    run = trace()
    rounds = run.indices(Level.ROUND)
    assert (
        page_of(run, 37, "Leaning clouds").head
        == f"Perceptron on Leaning clouds, step 37 of {len(run) - 1}"
    )
    assert (
        page_of(run, int(rounds[2]), "L", Level.ROUND).head
        == f"Perceptron on L, round 2 of {len(rounds) - 1}"
    )
    assert page_of(run, 37, "L").words == run[37].note.text()


def test_the_legend_has_the_classes_and_the_marks_that_are_not_hidden() -> None:
    run = trace()
    page = page_of(run, 12, "L")
    assert page.classes == ((0, "+1"), (1, "−1"))
    words = [mark.words for mark in page.marks]
    assert "wrong side" in words
    assert "wrong side" not in [
        m.words for m in page_of(run, 12, "L", hidden=frozenset({"wrong side"})).marks
    ]
    assert page_of(run, 0, "L", caption=False, explained=False) == Page()
    assert page_of(trace("em_means", "blobs"), 0, "L").classes == (), "clusters are no classes"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "dark", "projector"])
@pytest.mark.parametrize("size", [(400, 300), (1280, 800)])
def test_the_picture_keeps_at_least_half_and_the_words_lie_below_it(
    qapp: Any, name: str, size: tuple[int, int]
) -> None:
    areas: list[QRectF] = []
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    page = page_of(trace(), 12, "A name of some length that has to be broken")
    paint_page(
        painter,
        QRectF(0, 0, *size),
        picture=lambda _, area: areas.append(area),
        page=page,
        theme=THEMES[name],
    )
    painter.end()
    (area,) = areas
    assert area.top() == 0 and area.width() == size[0]
    assert size[1] / 2 - 20 <= area.height() < size[1]
    below = [
        image.pixelColor(x, y)
        for x in range(size[0])
        for y in range(round(area.bottom()) + 2, size[1])
    ]
    dark = THEMES[name].dark
    assert any((c.lightness() > 150) if dark else (c.lightness() < 100) for c in below), (
        "something is written"
    )


def test_a_larger_picture_has_larger_words(qapp: Any, tmp_path: Any) -> None:
    """The same picture at twice the size and scale: every second pixel is nearly the same."""
    run = trace()
    page = page_of(run, 5, "L")
    for scale in (1, 2):
        render_view(
            run,
            5,
            tmp_path / f"{scale}.png",
            size=(640 * scale, 400 * scale),
            page=page,
            scale=scale,
        )
    small, large = (QImage(str(tmp_path / f"{scale}.png")) for scale in (1, 2))
    same = sum(
        abs(small.pixelColor(x, y).lightness() - large.pixelColor(2 * x, 2 * y).lightness()) < 40
        for x in range(0, 640, 5)
        for y in range(0, 400, 5)
    )
    assert same > 0.95 * 128 * 80
