"""After leaving the projector the window is as it was."""

from typing import Any

import pytest
from laboratory import Key
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane


def places(dock: QWidget) -> list[tuple[str, int, int, int, int]]:
    """Where every part of a dock that is seen stands in it."""
    found = []
    for part in [dock, *dock.findChildren(QWidget)]:
        if part.isVisible():
            at = part.mapTo(dock.window(), QPoint(0, 0))
            found.append((type(part).__name__, at.x(), at.y(), part.width(), part.height()))
    return sorted(found)


def to_and_fro(lab: Any) -> None:
    for _ in range(2):
        lab.key(Key.Key_P)
        lab.settle()
        QApplication.processEvents()


@pytest.mark.parametrize("many", [1, 2])
def test_a_dock_that_its_rail_has_opened_is_open_again(open_lab: Any, many: int) -> None:
    document = Document(engine.textbook("restaurant"), (lane("decision_tree"),) * many)
    lab = open_lab(document, size=(1000, 700))
    dock = lab.window.left_dock
    lab.window.room.reveal(dock)
    lab.settle()
    before = places(dock)
    assert dock.isVisible()
    to_and_fro(lab)
    assert dock.isVisible() and places(dock) == before
