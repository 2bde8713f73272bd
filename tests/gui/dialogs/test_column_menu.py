"""The menu of a column says what it will do, belongs to what was clicked, and works in a table
without rows.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.sources.own_points import empty_plane
from gui.dialogs.table_editor import TableEditor
from gui.session.session import Session

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
Open = Callable[[engine.Dataset], TableEditor]


@pytest.fixture
def open_editor(qtbot: Any) -> Iterator[Open]:
    made: list[TableEditor] = []

    def open_one(data: engine.Dataset) -> TableEditor:
        editor = TableEditor(Session(Document(data, (lane("decision_tree"),))))
        editor.show()
        editor.activateWindow()
        qtbot.waitUntil(editor.isActiveWindow)
        made.append(editor)
        return editor

    yield open_one
    for editor in made:
        session = editor.session
        if shiboken6.isValid(editor):
            editor.close()
        session.close()


def words() -> engine.Dataset:
    columns = {
        "a": [1.0, 2.0],
        "b": [3.0, 4.0],
        "c": [5.0, 7.0],
        "d": [6.0, 8.0],
        "y": ["no", "yes"],
    }
    return engine.Dataset.from_columns(columns, target="y")


def click(
    editor: TableEditor, row: int, column: int, keys: Any = Qt.KeyboardModifier.NoModifier
) -> None:
    where = editor.view.visualRect(editor.cells.index(row, column)).center()
    QTest.mouseClick(editor.view.viewport(), LEFT, keys, where)


def press(qtbot: Any, editor: TableEditor) -> QMenu:
    qtbot.mouseClick(
        next(b for b in editor.findChildren(QPushButton) if b.text() == "Column"), LEFT
    )
    qtbot.waitUntil(editor.column_menu.isVisible)
    return editor.column_menu


def right_click(qtbot: Any, editor: TableEditor, column: int) -> QMenu:
    header = editor.header
    x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
    place = QPoint(x, header.height() // 2)
    port = header.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, port.mapToGlobal(place))
    QApplication.sendEvent(port, event)
    qtbot.waitUntil(editor.column_menu.isVisible)
    return editor.column_menu


def choose(qtbot: Any, editor: TableEditor, text: str) -> None:
    menu = editor.column_menu
    action = next(a for a in menu.actions() if a.text() == text)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    QApplication.processEvents()
    editor.activateWindow()
    qtbot.waitUntil(editor.isActiveWindow)


def names(editor: TableEditor) -> list[str]:
    return [c.name for c in editor.session.document.data.columns]


@pytest.mark.parametrize(
    ("last", "said", "left"),
    [
        (0, "Delete a", ["b", "c", "d", "y"]),
        (1, "Delete a and b", ["c", "d", "y"]),
        (2, "Delete 3 columns", ["d", "y"]),
    ],
)
def test_delete_says_what_it_deletes(
    qtbot: Any, open_editor: Open, last: int, said: str, left: list[str]
) -> None:
    editor = open_editor(words())
    click(editor, 0, 0)
    click(editor, 1, last, SHIFT)
    press(qtbot, editor)
    choose(qtbot, editor, said)
    assert names(editor) == left


def test_the_menu_of_a_header_is_about_that_column_alone(qtbot: Any, open_editor: Open) -> None:
    editor = open_editor(words())
    click(editor, 0, 0)
    click(editor, 1, 1, SHIFT)
    texts = [a.text() for a in right_click(qtbot, editor, 3).actions()]
    assert texts[0] == "Rename d…"
    choose(qtbot, editor, "Delete d")
    assert names(editor) == ["a", "b", "c", "y"]
    assert press(qtbot, editor).actions()[0].text().startswith("Rename ")


def test_the_menus_work_in_a_table_without_rows(qtbot: Any, open_editor: Open) -> None:
    editor = open_editor(empty_plane())
    before = names(editor)
    assert before == ["x1", "x2", "y"]
    assert right_click(qtbot, editor, 2).actions()[0].text() == "Rename y…"
    editor.column_menu.close()
    assert press(qtbot, editor).actions()[0].text() == "Rename x1…"
    editor.column_menu.close()
    right_click(qtbot, editor, 1)
    choose(qtbot, editor, "Rename x2…")
    field = QApplication.focusWidget()
    QTest.keyClicks(field, "age")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert names(editor) == ["x1", "age", "y"]
    right_click(qtbot, editor, 1)
    choose(qtbot, editor, "Delete age")
    assert names(editor) == ["x1", "y"]
    press(qtbot, editor)
    choose(qtbot, editor, "Delete x1")
    assert names(editor) == ["y"]
    press(qtbot, editor)
    choose(qtbot, editor, "Delete y")
    assert "at least one column" in editor.error.text()
