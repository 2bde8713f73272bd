"""Names from a file are words: nothing in them is HTML, loads a picture or underlines a letter, and
no sentence is as long as they are. Every widget, tool tip, menu and box of the window and its
dialogs is looked at.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from laboratory import Lab
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QTextDocument
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QMenu,
    QMessageBox,
    QTableView,
    QTextEdit,
    QToolTip,
    QWidget,
)

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.base.plain_text import as_words, tip
from gui.dialogs.open_table import OpenTable
from gui.dialogs.table_editor import TableEditor
from gui.dialogs.table_source import FileTable
from gui.plane.point_menu import PointMenu

GUI = Path(__file__).resolve().parents[2] / "gui"
HELP = QEvent.Type.ToolTip
COLUMN, OTHER, TARGET, PROJECT = "<b>x<img src='p.png'>", "a&b", "<u>y</u>", "<h1>big"
CLASSES = "<s>two</s>", "<i>one&more</i>"
ROLES = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.WhatsThisRole, Qt.ItemDataRole.StatusTipRole)


def document(
    column: str, other: str, target: str, classes: tuple[str, str], name: str, key: str
) -> Document:
    data = engine.Dataset.from_columns(
        {
            column: [0.0, 1.0, 2.0, 3.0, 0.5, 2.5],
            other: [1.0, 0.0, 2.5, 3.0, 0.0, 1.5],
            target: [classes[k] for k in (0, 0, 1, 1, 0, 1)],
        },
        target,
        name=name,
    )
    return Document(data, (lane(key),))


def as_seen(text: str) -> str:
    """What a person reads where Qt may take a text for HTML; fails where it holds a picture."""
    if not RichText.mightBeRichText(text):
        return text
    page = QTextDocument()
    page.setHtml(text)
    assert "<img" not in page.toHtml(), text
    return page.toPlainText()


def hover(widget: QWidget, place: QPoint) -> str:
    """What the tool tip at a place of a widget shows."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(HELP, place, widget.mapToGlobal(place)))
    return QToolTip.text()


def cells(view: QAbstractItemView) -> Iterator[tuple[str, QPoint]]:
    """(words of a cell, its middle) for all that are seen; and of the heads."""
    model = view.model()
    for row in range(min(model.rowCount(), 30)):
        for column in range(min(model.columnCount(), 10)):
            index = model.index(row, column, QModelIndex())
            for role in ROLES:
                if isinstance(said := index.data(role), str):
                    yield said, view.visualRect(index).center()
    if isinstance(view, QTableView):
        for k in range(model.columnCount()):
            if isinstance(said := model.headerData(k, Qt.Orientation.Horizontal, ROLES[0]), str):
                yield said, QPoint(-1, -1)


def raw_texts(root: QWidget) -> Iterator[str]:
    """Every text below `root` that Qt might take for HTML, the tips as they come up among them."""
    for widget in [root, *root.findChildren(QWidget)]:
        yield from (widget.toolTip(), widget.whatsThis(), widget.statusTip())
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
            yield widget.text()
        if isinstance(widget, QTextEdit):
            yield widget.toHtml()
        if isinstance(widget, QAbstractItemView):
            for said, place in cells(widget):
                yield said
                if place.x() >= 0 and widget.isVisible():
                    yield hover(widget.viewport(), place)
        elif widget.isVisible():
            yield hover(widget, widget.rect().center())
    for action in root.findChildren(QAction):
        yield from (
            action.toolTip() if action.toolTip() != read(action.text()) else "",
            action.whatsThis(),
        )


def look_at(root: QWidget, names: tuple[str, ...]) -> None:
    """No tag of a name is gone from what is read."""
    tags = [name[: name.index(">") + 1] for name in names if name.startswith("<")]
    for text in raw_texts(root):
        seen = as_seen(text)
        for tag in tags:
            assert seen.count(tag) == text.count(tag) + text.count(
                tag.replace("<", "&lt;").replace(">", "&gt;")
            ), text


def pressed(root: QWidget) -> Iterator[str]:
    """What stands on buttons and in menus, as it is read; the keys of menus of the program are its
    own.
    """
    for button in root.findChildren(QAbstractButton):
        yield read(button.text())
    for action in root.findChildren(QAction):
        yield read(action.text())


def read(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


NAMES = (COLUMN, OTHER, TARGET, *CLASSES, PROJECT)


@pytest.fixture
def odd(open_lab: Any) -> Lab:
    lab: Lab = open_lab(document(COLUMN, OTHER, TARGET, CLASSES, PROJECT, "perceptron"))
    for _ in range(3):
        lab.session.next()
        lab.settle()
    return lab


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", ["perceptron", "decision_tree", "nearest_neighbours", "adaboost", "perceptron_network"]
)
def test_nothing_in_the_window_takes_a_name_for_html(open_lab: Any, key: str) -> None:
    lab: Lab = open_lab(document(COLUMN, OTHER, TARGET, CLASSES, PROJECT, key))
    lab.session.seek(4)
    lab.window.commands.take_tool("probe")
    lab.click(*lab.free_place())
    lab.settle()
    look_at(lab.window, NAMES)
    assert PROJECT in lab.window.windowTitle()
    tools = lab.window.tool_strip
    assert any(
        CLASSES[0] in as_seen(each.toolTip()) for each in tools.findChildren(QAbstractButton)
    )


@pytest.mark.slow
def test_nothing_in_the_table_takes_a_name_for_html(odd: Lab) -> None:
    odd.window.commands.edit_table()
    editor = next(each for each in odd.window.findChildren(TableEditor))
    QApplication.processEvents()
    editor.view.go(0, 1)
    editor.column_menu.aboutToShow.emit()
    look_at(editor, NAMES)
    head = editor.cells.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert as_seen(head).startswith(COLUMN)
    assert as_seen(editor.cells.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)) == CLASSES[0]
    assert f"Rename {OTHER}…" in list(pressed(editor))
    editor.close()


@pytest.mark.slow
def test_nothing_in_the_dialog_of_a_file_takes_a_name_for_html(
    qtbot: Any, odd: Lab, tmp_path: Path
) -> None:
    path = tmp_path / "a&b<i>t.csv"
    path.write_text(
        f"{COLUMN},{OTHER},{TARGET}\n"
        + f"1,2,{CLASSES[0]}\n2,<b>?</b>,{CLASSES[1]}\n3,4,{CLASSES[0]}\n" * 4
    )
    dialog = OpenTable(FileTable(path), odd.window)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.job.busy)
    look_at(dialog, (*NAMES, "<b>?</b>"))
    assert path.name in dialog.windowTitle()
    dialog.close()


@pytest.mark.slow
def test_menus_and_boxes_show_names_as_they_are(odd: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    session = odd.session
    menu = PointMenu(odd.plane, odd.plane, 0)
    assert {f"Class {name}" for name in CLASSES} <= {
        read(action.text()) for action in menu.actions()
    }
    menu.deleteLater()
    odd.window.commands.take("generate", "blobs")
    session.undo()
    look_at(odd.window, NAMES)
    boxes: list[QMessageBox] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: boxes.append(box) or 0)
    monkeypatch.setattr(odd.window.commands.files, "secure", lambda: False)
    odd.window.commands.delete()
    session.edit(
        document(COLUMN, OTHER, TARGET, CLASSES, "<h1>a&b", "perceptron"), f"rename column {OTHER}"
    )
    assert read(odd.window.action("undo").text()) == f"Undo: rename column {OTHER}"
    odd.window.commands.may_leave()
    for box in boxes:
        assert box.textFormat() == Qt.TextFormat.PlainText
    look_at(odd.window, NAMES)


@pytest.mark.slow
def test_a_message_is_shown_as_it_is(odd: Lab) -> None:
    for kind in ("info", "error", "fault"):
        odd.session.say(f"There is no column “{COLUMN}”.", kind)
        look_at(odd.window, NAMES)
        assert odd.said() == f"There is no column “{COLUMN}”."


@pytest.mark.slow
def test_a_name_of_five_thousand_letters_is_in_no_sentence_whole(
    open_lab: Any, tmp_path: Path
) -> None:
    long = {letter: letter * 5000 for letter in "xytcp"}
    lab: Lab = open_lab(
        document(long["x"], long["y"], long["t"], (long["c"], "d"), long["p"], "decision_tree")
    )
    lab.session.seek(3)
    lab.window.commands.take_tool("probe")
    lab.click(*lab.free_place())
    lab.settle()
    lab.window.commands.edit_table()
    editor = next(each for each in lab.window.findChildren(TableEditor))
    editor.view.go(0, 0)
    editor.column_menu.aboutToShow.emit()
    for root in (lab.window, editor):
        texts = [
            root.windowTitle(),
            *pressed(root),
            *(each.text() for each in root.findChildren(QLabel)),
        ]
        assert max(map(len, texts)) <= 400
        assert max(len(each.toolTip()) for each in root.findChildren(QWidget)) <= 1300
    editor.delete_columns([long["x"]])
    assert len(lab.window.action("undo").text()) <= 100
    lab.session.undo()
    assert len(lab.said()) <= 200
    lab.window.commands.open_path(str(tmp_path / f"{'n' * 5000}.csv"))
    lab.settle()
    assert 0 < len(lab.said()) <= 400
    editor.close()


def test_a_tip_is_what_was_said() -> None:
    for text in ("plain", "a < b & c", "<b>x</b>", "two\n  <i>lines", "<img src='file:///p.png'>"):
        assert as_seen(tip(text)) == text
    assert as_words("a&b") == "a&&b"


def unplain(path: Path) -> Iterator[str]:
    """The calls that give a text to Qt which is not made plain."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in ("setToolTip", "setWhatsThis", "setStatusTip"):
            (said,) = node.args
            made = (
                isinstance(said, ast.Call)
                and getattr(said.func, "attr", getattr(said.func, "id", "")) == "tip"
            )
            if not made and not isinstance(said, ast.Constant):
                yield f"{path.name}: {ast.unparse(node)}"
        if (
            called == "QLabel"
            and path.name != "sentence.py"
            and any(ast.unparse(each) != "self" for each in node.args)
        ):
            yield f"{path.name}: {ast.unparse(node)}"


@pytest.mark.slow
def test_every_tip_is_made_plain_and_every_label_is() -> None:
    """Text goes into tips through `tip` alone; a QLabel that is made with a text is made by
    `label`.
    """
    assert [fault for path in sorted(GUI.rglob("*.py")) for fault in unplain(path)] == []


def test_there_is_a_menu_of_recent_files_with_ampersands(odd: Lab, tmp_path: Path) -> None:
    path = tmp_path / "a&b.csv"
    path.write_text("x,y\n1,2\n")
    odd.window.commands.files.remember(str(path))
    action, *_ = odd.window.recent_menu.actions()
    assert isinstance(odd.window.recent_menu, QMenu)
    assert read(action.text()) == "a&b.csv"
