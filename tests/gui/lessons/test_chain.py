"""A lesson goes its whole way by mouse and keys: written from nothing, saved as one file, mailed,
solved in another window, handed in, marked, and the student’s state opened by the teacher.

The runs have other units in the three windows, since a step has another number in each of them.
"""

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import CTRL, LEFT, NONE, Key, Lab, double_click
from PySide6.QtCore import QPoint, QSettings, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QTextEdit,
    QWidget,
)
from ready_window import settings_in

import main
from engine.lessons.digest import hashed
from engine.lessons.lesson import TaskKind
from engine.lessons.package import open_lesson
from engine.protocol.step import Level
from gui.lessons.author_form import PageForm
from gui.lessons.hand_in import HandInDialog
from gui.lessons.mark_shapes import MARK
from gui.lessons.marks_window import MarksWindow

RING = QPoint(10, 8)  # of a radio button
WRONG = "w ← start weights"  # the line is “w ← w + η y x”


def seen(part: QWidget) -> None:
    """Wait until a part is laid out, as a person does."""
    QApplication.processEvents()
    assert part.isVisible() and part.isEnabled(), part.accessibleName()


def press(button: QAbstractButton) -> None:
    seen(button)
    QTest.mouseClick(button, LEFT, NONE, button.rect().center())


def write(field: QWidget, words: str) -> None:
    """Click a field, and type over what stands in it."""
    seen(field)
    part = field.viewport() if isinstance(field, QTextEdit) else field
    QTest.mouseClick(part, LEFT, NONE, part.rect().center())
    if isinstance(field, QLineEdit):
        field.selectAll()
    QTest.keyClicks(field, words)


def pick(box: QComboBox, words: str) -> None:
    """Open a list by the mouse, and go by keys to what begins so."""
    seen(box)
    row = next(k for k in range(box.count()) if box.itemText(k).startswith(words))
    QTest.mouseClick(box, LEFT)
    view = box.view()
    while (here := view.currentIndex().row()) != row:
        QTest.keyClick(view, Key.Key_Down if here < row else Key.Key_Up)
    QTest.keyClick(view, Key.Key_Return)
    box.window().activateWindow()  # there is no window manager that gives it back
    QTest.qWaitForWindowActive(box.window())
    assert box.currentText().startswith(words)


def at_front(lab: Lab) -> None:
    lab.window.activateWindow()
    QTest.qWaitForWindowActive(lab.window)
    lab.plane.setFocus()


def go_to(lab: Lab, step: int) -> None:
    """Type the number of a step."""
    lab.plane.setFocus()
    lab.write(str(step))
    lab.key(Key.Key_Return)
    assert lab.session.cursor == step


def run_digest(lab: Lab) -> str:
    """Of lines, events and metrics of the run up to the shown step."""
    trace, cursor = lab.session.lead.trace, lab.session.first_cursor
    assert trace is not None
    steps = [(trace.lines(cursor), trace.events[: cursor + 1])]
    numbers = [(name, list(column[: cursor + 1])) for name, column in trace.metrics.items()]
    return hashed(lab.session.document.lanes[0].key, steps, sorted(numbers))


def written(lab: Lab, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The teacher’s part: four pages, of which two ask about a step and one sets a task."""
    lab.window.action("make_lesson").trigger()
    mode = lab.window.commands.lessons.author_mode
    pages, form = mode.pages, mode.form
    write(pages.title, "A line that learns")
    write(pages.source, "Chapter 2")

    go_to(lab, 3)  # the second mistake
    lab.key(Key.Key_Return, CTRL)
    write(form.name, "Compute it")
    pick(form.where, "Opens before mistake 2")
    write(form.text, "Now w = ")
    press(next(chip for chip in form.chips.parts if chip.accessibleName() == "Put in w"))
    press_ring(form, TaskKind.STEP)
    write(form.question.fields["hint"], "Add rate y x.")

    go_to(lab, 8)  # the fourth
    lab.key(Key.Key_Return, CTRL)
    write(form.name, "Which one?")
    pick(form.where, "Opens before mistake 4")
    press_ring(form, TaskKind.LINE)

    go_to(lab, 1)
    lab.key(Key.Key_Return, CTRL)
    write(form.name, "Until nothing is wrong")
    press_ring(form, TaskKind.STATE)
    write(form.question.fields["ask"], "Learn with rate 2 until it stops.")
    condition = form.question.condition
    press(condition.more)
    assert condition.rows[0].what.currentText() == "errors"
    press(condition.more)
    pick(condition.rows[1].what, "converged at this step")
    press(condition.more)
    pick(condition.rows[2].what, "Rate")
    write(condition.rows[2].value, "2")
    lab.until(lambda: bool(condition.met.text()))

    lab.key(Key.Key_Escape)
    go_to(lab, 216)
    lab.key(Key.Key_Return, CTRL)
    write(form.name, "The end")
    write(form.text, "Nothing is wrong any more.")

    press(form.checks)
    lab.until(lambda: mode.author.remarks is not None)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    press(form.saves)
    lab.until(lambda: (found := open_lesson(path).lesson) is not None and bool(found.digest))


def press_ring(form: PageForm, kind: TaskKind) -> None:
    button = form.question.choices[kind]
    form.area.ensureWidgetVisible(button)
    QTest.mouseClick(button, LEFT, NONE, RING)
    assert form.question.choices[kind].isChecked()


def solved(lab: Lab, path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The student’s part: right, wrong, and the task with a rate of one’s own. Returns the step at
    which the task was fulfilled, and the digest of its run.
    """
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    lab.window.action("open_lesson").trigger()
    lab.settle()
    player = lab.window.commands.lessons.player
    assert lab.window.lesson_mode is not None and not player.fault
    panel = lab.window.lesson_mode.panel
    question = player.asked.question if player.asked is not None else None
    assert question is not None
    for field, blank in zip(panel.page.blanks.fields, question.blanks, strict=True):
        write(field, f"{blank.value:.4f}")
    lab.key(Key.Key_Return)
    assert panel.page.said.text() == "✓ Right." and player.answer_so_far.points == 2

    lab.plane.setFocus()
    lab.key(Key.Key_PageDown)
    lab.settle()
    assert player.asked is not None
    for _ in range(3):
        cards = {each.words: each for each in panel.page.choices.cards}
        press(cards[WRONG])
    assert player.answer_so_far.shown and player.answer_so_far.points == 0

    lab.plane.setFocus()
    lab.key(Key.Key_PageDown)
    lab.settle()
    press(panel.page.settings)
    write(lab.window.left_dock.form.row("rate").control.field, "2")
    lab.key(Key.Key_Return)
    lab.plane.setFocus()
    lab.key(Key.Key_End)
    lab.until(lambda: player.answer_so_far.right)
    made = lab.session.first_cursor, run_digest(lab)
    press(panel.strip.back)
    lab.plane.setFocus()
    lab.key(Key.Key_PageDown)
    lab.settle()
    return made


def handed_in(lab: Lab, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the menu of the lesson and the dialogue that asks for the name."""
    assert lab.window.lesson_mode is not None
    head = lab.window.lesson_mode.panel.head
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, HandInDialog)
        write(dialog.field, "Lynx")
        QTest.keyClick(dialog.field, Key.Key_Return)

    QTimer.singleShot(50, answer)
    press(head.more)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(each for each in menu.actions() if each.text().startswith("Hand in"))
    QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(action).center())
    lab.until(path.exists)


def marked(lab: Lab, path: Path, monkeypatch: pytest.MonkeyPatch) -> MarksWindow:
    """The window with the marks, in the teacher’s lab."""
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path)], ""))
    lab.window.action("hand_ins").trigger()
    window = lab.window.findChild(MarksWindow)
    press(window.buttons["Add hand-ins…"])
    lab.until(lambda: window.side.searched)
    return window


def test_from_an_empty_page_to_the_marks(
    settings: QSettings,
    tmp_path: Path,
    open_lab: Callable[..., Lab],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    settings.setValue("lessons_folder", str(tmp_path / "lessons"))
    teacher = open_lab()
    path = tmp_path / "line.lesson"
    written(teacher, path, monkeypatch)

    away = tmp_path / "student"
    away.mkdir()
    own = settings_in(away)
    own.setValue("lessons_folder", str(away / "progress"))
    student = open_lab(size=(1500, 900), kept=own)
    student.window.use_theme("projector")
    student.session.set_unit(Level.ROUND)
    mailed = Path(shutil.copy(path, away))
    cursor, digest = solved(student, mailed, monkeypatch)
    handed_in(student, away / "lynx.handin", monkeypatch)

    back = Path(shutil.copy(away / "lynx.handin", tmp_path))
    shutil.rmtree(away)
    capfd.readouterr()
    assert main.main(["marks", str(back), "--csv"]) == 0
    rows = list(csv.reader(io.StringIO(capfd.readouterr().out)))
    titles = ["1. Compute it", "2. Which one?", "3. Until nothing is wrong", "4. The end"]
    assert rows[0] == ["name", *titles, "score", "of", "minutes", "remark"]
    assert rows[1][:7] == ["Lynx", "2", "0", "2", "·", "4", "6"]

    at_front(teacher)
    teacher.session.set_unit(Level.DETAIL)
    teacher.settle()
    window = marked(teacher, back, monkeypatch)
    table, side = window.table, window.side
    assert table.item(0, 0).text() == "Lynx" and table.item(0, 5).text() == "4"
    assert [table.item(0, page).data(MARK) for page in (1, 2, 3, 4)] == ["2", "0", "2", "·"]
    assert window.wrong.item(0).text().startswith(f"2. Which one?: {WRONG}")

    open_cell(teacher, window, 2)  # no state was kept: the page of the teacher’s own lesson
    assert (side.right.text(), side.given.text()) == ("w ← w + η y x", WRONG)
    assert teacher.window.commands.lessons.player.at == 1 and teacher.session.cursor == 7
    open_cell(teacher, window, 3)
    assert (teacher.session.cursor, run_digest(teacher)) == (cursor, digest)
    assert teacher.session.document.lanes[0].params.rate == 2
    window.close()


def open_cell(lab: Lab, window: MarksWindow, page: int) -> None:
    """Double-click what the student did on a page, from 1."""
    table = window.table
    place = table.visualRect(table.model().index(0, page)).center()
    QTest.mouseClick(table.viewport(), LEFT, NONE, place)
    lab.until(lambda: window.side.picture.picture is not None)
    double_click(table.viewport(), place)
    lab.settle()
    assert not window.side.error.text()
