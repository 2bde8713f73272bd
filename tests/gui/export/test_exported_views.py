"""Any view of a step as a picture, and several steps side by side."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

import engine
from engine.base.errors import EngineError
from engine.protocol.step import Level
from engine.table.prepare import Split
from gui.export.figure import FACTORS, leaves_out, paint_figure, scrolled, settle, widget_of
from gui.export.render import image_of, save, save_strip, strip_draw, view_draw
from gui.export.shown import CURVES, WHOLE, Look, Part, Shown, found_in
from gui.export.strip import columns_for, strip_of
from gui.look.theme import THEMES, current

LIGHT = THEMES["light"]
SIZE = (500, 380)


@pytest.fixture(scope="module")
def tree() -> Shown:
    trace = engine.run("decision_tree", engine.textbook("restaurant"))
    return Shown(trace, len(trace) - 1)


@pytest.fixture(scope="module")
def judged() -> Shown:
    problem = engine.prepare(engine.generate("moons", 60, 0.2), split=Split(0.3))
    trace = engine.run("perceptron", problem, max_steps=40)
    return Shown(trace, 20)


def pixels(image: QImage) -> Any:
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), -1)


def share_of_ink(image: QImage) -> float:
    """The share of pixels that differ from the ground, the commonest colour."""
    _, counts = np.unique(pixels(image), return_counts=True)
    return float(1 - counts.max() / counts.sum())


def test_a_view_is_found_by_name_beginning_or_kind(qapp: Any, tree: Shown, judged: Shown) -> None:
    assert tree.names == ("Tree", "Examples", CURVES, WHOLE)
    found = {text: tree.find(text) for text in ("TREE", "exam", "table", "curve", "step", "whole")}
    assert list(found.values()) == ["Tree", "Examples", "Examples", CURVES, WHOLE, WHOLE]
    assert [judged.find(text) for text in ("plane", "roc", "conf", "matrix")] == [
        "Plane",
        "ROC",
        "Confusion",
        "Confusion",
    ]
    with pytest.raises(EngineError, match="no view “roc”; there are Tree, Examples, Curves"):
        tree.find("roc")
    with pytest.raises(EngineError, match="no view"):
        tree.find(" ")


def test_every_view_fills_every_kind_of_file(
    qapp: Any, tree: Shown, judged: Shown, tmp_path: Path
) -> None:
    """The drawing as SVG shows what the pixels show; nothing of a figure is a pixmap in the PDF."""
    before = current().key
    for shown in (tree, judged):
        for name in shown.names:
            draw = view_draw(shown, name, Look(LIGHT))
            image = image_of(SIZE, draw)
            assert share_of_ink(image) > 0.01, name
            save(tmp_path / "view.svg", SIZE, draw)
            again = QImage(QSize(*SIZE), QImage.Format.Format_RGB32)
            again.fill(0xFFFFFF)
            with QPainter(again) as painter:
                QSvgRenderer(str(tmp_path / "view.svg")).render(painter)
            assert share_of_ink(again) == pytest.approx(share_of_ink(image), rel=0.35), name
            save(tmp_path / "view.pdf", SIZE, draw)
            content = (tmp_path / "view.pdf").read_bytes()
            (box,) = re.findall(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", content)
            assert [float(side) for side in box] == pytest.approx([375, 285], abs=1)
            if name not in ("Plane", WHOLE):  # a surface of the plane is pixels
                assert b"/Subtype /Image" not in content, name
    assert current().key == before


def test_a_figure_is_as_large_as_it_can_be_with_nothing_left_out(qapp: Any, tree: Shown) -> None:
    table = tree.views["Examples"]
    assert table is not None
    inks = []
    for size in ((700, 420), (1400, 840)):
        image = QImage(QSize(*size), QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            area = QRectF(0, 0, *size)
            paint_figure(painter, area, figure=table, problem=tree.trace.problem, theme=LIGHT)
        rows = np.flatnonzero((pixels(image) & 0xFF < 100).any(axis=1))
        inks.append((rows.max() - rows.min()) / size[1])
    assert min(inks) > 0.45, "twelve rows are not a strip at the top"
    widget = widget_of(table, tree.trace.problem, LIGHT)
    assert scrolled(widget) and min(FACTORS) < 1 < max(FACTORS)
    for high, part in ((400, False), (100, True)):
        widget.resize(900, high)
        settle(widget)
        assert leaves_out(widget) is part


def test_what_stands_below_a_view(qapp: Any, tree: Shown, judged: Shown) -> None:
    page = tree.page("Restaurant", "Tree", caption=True, explained=True)
    assert page.head.startswith("Tree: Decision tree on Restaurant, step ")
    assert page.box and [name for _, name in page.classes] == ["Yes", "No"]
    assert tree.page("Restaurant", "Tree", caption=False, explained=False).head == ""
    whole = tree.page("Restaurant", WHOLE, caption=True, explained=True)
    assert whole.words == "" and whole.head.startswith("Decision tree on ")
    roc = judged.page("Moons", "ROC", caption=True, explained=True)
    assert "labels by chance" in [mark.words for mark in roc.marks]
    assert judged.page("Moons", "Confusion", caption=True, explained=True).marks == ()


def test_two_views_stand_as_on_the_stage(qapp: Any, judged: Shown) -> None:
    parts = (Part("Plane", 0, 0, 0.5, 1), Part("ROC", 0.5, 0, 0.5, 1))
    shown = Shown(judged.trace, 20, stage=parts)
    image = image_of((600, 300), view_draw(shown, shown.led_by, Look(LIGHT)))
    right = image.copy(300, 0, 300, 300)
    alone = image_of((300, 300), view_draw(shown, "ROC", Look(LIGHT)))
    assert np.mean(pixels(right) == pixels(alone)) > 0.97


def test_a_strip_has_its_steps_in_their_order(qapp: Any, tree: Shown, tmp_path: Path) -> None:
    places = [int(tree.trace.indices(Level.STEP)[k]) for k in (0, 3, 9)]
    strip = strip_of(tree, places, "Restaurant", "tree", caption=True, explained=True)
    assert [cell.head.split(" of ")[0] for cell in strip.cells] == ["Step 0", "Step 3", "Step 9"]
    words = [tree.trace[place].note.text() for place in places]
    assert [cell.words for cell in strip.cells] == words
    assert strip.page.head == "Tree: Decision tree on Restaurant"
    image = image_of((1200, 400), strip_draw(strip, Look(LIGHT)))
    inks = [share_of_ink(image.copy(k * 400, 40, 400, 240)) for k in range(3)]
    assert min(inks) > 0.01 and inks[2] == max(inks), "the tree grows"
    save_strip(strip, Look(THEMES["dark"]), tmp_path / "strip.pdf", (1200, 400))
    assert (tmp_path / "strip.pdf").read_bytes().startswith(b"%PDF")
    assert columns_for(3, QRectF(0, 0, 1200, 400)) == 3
    assert columns_for(3, QRectF(0, 0, 400, 1200)) == 1
    assert columns_for(6, QRectF(0, 0, 1280, 800)) == 3


def test_what_no_strip_can_be(qapp: Any, tree: Shown) -> None:
    for count in (1, 7):
        with pytest.raises(EngineError, match=f"2 to 6 steps, not {count}"):
            strip_of(tree, [0] * count, "R", "", caption=True, explained=True)
    with pytest.raises(EngineError, match="no view “plane”"):
        found_in(tree, [0, 1], "plane")
    small = strip_of(tree, [0] * 6, "R", "tree", caption=True, explained=True)
    with pytest.raises(EngineError, match="6 steps have no room"):
        image_of((300, 200), strip_draw(small, Look(LIGHT)))
