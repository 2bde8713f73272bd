"""Files, clipboard, recovery, pictures and texts: what menus and keys do beyond the plane."""

import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from laboratory import CTRL, LEFT, SHIFT, WORKER, Key, Lab, threads
from PySide6.QtCore import QSettings
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.autosave import Autosave
from engine.files.project import read_project, save_project
from engine.protocol.step import Level
from engine.table.given import MAX_SEED
from gui.dialogs.export_picture import ExportPicture
from gui.look import theme
from gui.window import recent
from gui.window.pasting import NO_TABLE


def answer(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """The person presses the button with these words in the next question."""
    monkeypatch.setattr(QMessageBox, "exec", lambda box: 0)
    monkeypatch.setattr(
        QMessageBox,
        "clickedButton",
        lambda box: next(b for b in box.buttons() if b.text() == words),
    )


def choose_file(monkeypatch: pytest.MonkeyPatch, path: Path | str, kind: str = "") -> None:
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: (str(path), kind))


# -- projects --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_save_change_and_open_again(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.click(*lab.free_place())
    lab.settle()
    lab.session.seek(12)
    saved = lab.session.document
    choose_file(monkeypatch, tmp_path / "lesson")
    lab.key(Key.Key_S, CTRL)
    path = tmp_path / "lesson.learnscope"
    assert lab.said() == "Saved as lesson.learnscope."
    assert read_project(path).document == saved
    lab.window.action("clear").trigger()
    assert lab.window.windowTitle().startswith("*lesson")
    choose_file(monkeypatch, path)
    lab.key(Key.Key_O, CTRL)
    assert lab.session.document == saved
    assert lab.session.cursor == 12
    assert lab.window.windowTitle() == "lesson – Learnscope"


def test_ctrl_s_again_asks_nothing(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_file(monkeypatch, tmp_path / "a.learnscope")
    lab.key(Key.Key_S, CTRL)
    choose_file(monkeypatch, "")
    lab.click(*lab.free_place())
    lab.key(Key.Key_S, CTRL)
    assert read_project(tmp_path / "a.learnscope").document == lab.session.document
    choose_file(monkeypatch, tmp_path / "b.learnscope")
    lab.key(Key.Key_S, CTRL | SHIFT)
    assert (tmp_path / "b.learnscope").exists()
    assert lab.session.path == str(tmp_path / "b.learnscope")


@pytest.mark.slow
def test_an_opened_table_does_not_take_the_place_of_the_project_on_the_disk(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_file(monkeypatch, tmp_path / "lecture.learnscope")
    lab.key(Key.Key_S, CTRL)
    kept = (tmp_path / "lecture.learnscope").read_bytes()
    monkeypatch.setattr(
        "gui.dialogs.open_table.ask_table", lambda *_: engine.generate("moons", 30, 0.1)
    )
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    lab.window.commands.open_path(str(tmp_path / "other.csv"))
    assert len(lab.data) == 30
    assert "lecture" not in lab.window.windowTitle()
    choose_file(monkeypatch, "")  # saving asks for a name; the person thinks better of it
    lab.key(Key.Key_S, CTRL)
    assert (tmp_path / "lecture.learnscope").read_bytes() == kept
    choose_file(monkeypatch, tmp_path / "second.learnscope")
    lab.key(Key.Key_S, CTRL)
    assert read_project(tmp_path / "second.learnscope").document == lab.session.document
    lab.session.undo()
    assert lab.session.path == str(tmp_path / "lecture.learnscope")


def test_a_place_that_cannot_be_written_is_a_sentence(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_file(monkeypatch, tmp_path / "no" / "such" / "folder" / "x.learnscope")
    lab.key(Key.Key_S, CTRL)
    assert lab.session.path is None
    assert lab.said().endswith(".")
    assert lab.window.message.error.isVisible()


@pytest.mark.slow
def test_a_broken_project_leaves_the_work_alone(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "broken.learnscope"
    before = lab.session.document
    for content in (b"", b"{", b"nonsense", b"\x00\xff\xfe", b'{"format": 99}'):
        path.write_bytes(content)
        lab.session.say("")
        lab.window.commands.open_path(str(path))
        assert lab.session.document is before
        assert lab.said().endswith(".")
    lab.window.commands.open_path(str(tmp_path / "not there.learnscope"))
    assert lab.session.document is before
    assert "not there" in lab.said()


def test_a_suffix_in_upper_case_is_a_project(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "UP.LEARNSCOPE"
    choose_file(monkeypatch, path)
    lab.window.action("save_as").trigger()
    assert lab.said() == "Saved as UP.LEARNSCOPE."
    saved = lab.session.document
    lab.window.action("clear").trigger()
    lab.window.commands.open_path(str(path))
    assert lab.session.document == saved
    assert lab.session.path == str(path)


def test_the_seed_after_the_last_one_is_0(lab: Lab, tmp_path: Path) -> None:
    lab.session.set_seed(MAX_SEED - 1)
    lab.window.commands.next_seed()
    assert lab.session.lane.seed == MAX_SEED
    lab.window.commands.next_seed()
    assert lab.session.lane.seed == 0
    save_project(lab.session.document, tmp_path / "a.learnscope")


def test_recent_files(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not lab.window.recent_menu.isEnabled()
    for name in ("one", "two"):
        choose_file(monkeypatch, tmp_path / f"{name}.learnscope")
        lab.window.action("save_as").trigger()
    assert [a.text() for a in lab.window.recent_menu.actions()] == [
        "two.learnscope",
        "one.learnscope",
    ]
    lab.window.action("clear").trigger()
    lab.window.recent_menu.actions()[1].trigger()
    assert lab.session.path == str(tmp_path / "one.learnscope")
    assert len(lab.data) > 0
    (tmp_path / "two.learnscope").unlink()
    assert lab.window.commands.files.recent() == [str(tmp_path / "one.learnscope")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "closes", "saved"),
    [("Save", True, True), ("Do not save", True, False), ("Stay", False, False)],
)
def test_unsaved_changes_get_a_question(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, closes: bool, saved: bool
) -> None:
    path = tmp_path / "lesson.learnscope"
    choose_file(monkeypatch, path)
    lab.key(Key.Key_S, CTRL)
    lab.click(*lab.free_place())
    answer(monkeypatch, words)
    assert lab.window.close() is closes
    assert (read_project(path).document == lab.session.document) is saved
    assert (threads(WORKER) == []) is closes


# -- safety copy -----------------------------------------------------------------------------------


SOON = 30  # milliseconds until a copy is written


def copies(settings: QSettings, kind: str = "*") -> list[Path]:
    return sorted(Path(str(settings.value("autosave_folder"))).glob(f"{kind}.learnscope"))


def crash(lab: Lab, settings: QSettings) -> None:
    """What a process leaves that dies: the safety copy, and no lock on it."""
    lab.until(lambda: len(copies(settings)) == 1)
    (copy,) = copies(settings)
    kept = copy.read_bytes()
    lab.session.saved = lab.session.document
    lab.window.close()
    assert copies(settings) == []
    copy.write_bytes(kept)


@pytest.mark.slow
def test_a_copy_is_written_while_edits_go_on_without_a_pause(open_lab, settings: QSettings) -> None:
    """A click every tenth of a second, more often than the wait before a copy: after three seconds
    there is one all the same.
    """
    lab = open_lab()
    end = time.monotonic() + 3
    while time.monotonic() < end and not copies(settings):
        lab.click(*lab.free_place())
        QTest.qWait(100)
    assert len(copies(settings)) == 1


@pytest.mark.slow
def test_work_is_kept_and_offered_after_a_crash(open_lab, settings: QSettings) -> None:
    lab = open_lab()
    lab.click(*lab.free_place())
    lab.session.seek(5)
    work = lab.session.document
    crash(lab, settings)
    other = open_lab()
    other.window.commands.files.offer()
    card = other.window.message.offer
    assert card.text() == "Unsaved work on “Leaning clouds” was kept."
    assert other.session.document != work, "nothing happens before the person says so"
    QTest.mouseClick(card.action, LEFT)
    assert other.session.document == work
    other.until(lambda: other.session.cursor == 5)  # as soon as it is recorded
    assert other.session.unsaved, "it is still in no file"
    assert len(copies(settings)) == 1, "kept as this session's own copy"
    other.window.commands.files.offer()
    assert other.window.message.offer.text() == ""


@pytest.mark.slow
def test_the_step_that_is_shown_is_kept_too(
    open_lab, settings: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when nothing has been edited since; not while a run is played, and not of work that is
    in its file.
    """
    monkeypatch.setattr(recent, "SAVE_AFTER_MS", SOON)
    lab = open_lab()
    lab.session.seek(3)
    lab.click(*lab.free_place())
    lab.until(lambda: len(copies(settings)) == 1)
    lab.until(lambda: read_project(copies(settings)[0]).cursor == 3)
    lab.key(Key.Key_Right)
    lab.until(lambda: read_project(copies(settings)[0]).cursor == 4)
    lab.session.seek(9)
    lab.session.player.play()
    QTest.qWait(4 * SOON)
    assert lab.session.player.playing
    assert read_project(copies(settings)[0]).cursor == 4
    lab.session.player.pause()
    shown = lab.session.cursor
    lab.until(lambda: read_project(copies(settings)[0]).cursor == shown)
    crash(lab, settings)
    other = open_lab()
    other.window.commands.files.offer()
    QTest.mouseClick(other.window.message.offer.action, LEFT)
    other.settle()
    assert other.session.cursor == shown


def test_steps_alone_leave_no_copy(
    open_lab, settings: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "SAVE_AFTER_MS", SOON)
    lab = open_lab()
    lab.key(Key.Key_Right)
    QTest.qWait(4 * SOON)
    assert copies(settings) == []
    lab.click(*lab.free_place())
    lab.until(lambda: len(copies(settings)) == 1)


@pytest.mark.slow
def test_what_is_dismissed_lies_in_the_menu_from_then_on(open_lab, settings: QSettings) -> None:
    crashed = Autosave(str(settings.value("autosave_folder")))
    work = Document(engine.textbook("and"), (lane("perceptron"),))
    crashed.store(work, 3)
    crashed.keep()
    lab = open_lab()
    before = lab.session.document
    lab.window.commands.files.offer()
    QTest.mouseClick(lab.window.message.offer.cross, LEFT)
    assert lab.session.document is before
    lab.window.close()
    again = open_lab()
    again.window.commands.files.offer()
    assert again.window.message.offer.text() == "", "offered once"
    texts = [action.text() for action in again.window.recent_menu.actions()]
    assert f"“{work.data.name}”, not saved" in " ".join(texts)
    next(a for a in again.window.recent_menu.actions() if "not saved," in a.text()).trigger()
    assert again.session.document == work
    again.until(lambda: again.session.cursor == 3)  # as soon as it is recorded
    assert copies(settings, "kept-*") == []


def test_what_was_never_saved_can_be_forgotten(open_lab, settings: QSettings) -> None:
    lab = open_lab()
    lab.click(*lab.free_place())
    lab.window.action("new").trigger()
    assert len(copies(settings, "kept-*")) == 1
    next(a for a in lab.window.recent_menu.actions() if a.text().startswith("Forget")).trigger()
    assert copies(settings, "kept-*") == []
    assert not lab.window.recent_menu.isEnabled()


@pytest.mark.parametrize("unit", [Level.DETAIL, Level.ROUND])
def test_a_step_is_the_same_moment_whatever_the_clock_counts(
    open_lab: Callable[..., Lab], tmp_path: Path, unit: Level
) -> None:
    """Of few rows steps are recorded where rounds are counted, details only where they are."""
    lab = open_lab()
    lab.session.set_unit(unit)
    lab.settle()
    lab.session.seek(40)
    path = str(tmp_path / "forty.learnscope")
    assert lab.window.commands.save_to(path)
    trace = lab.session.lead.trace
    assert trace is not None
    left = trace.lines(40), trace.events[:41]
    for other in Level:
        lab.session.set_unit(other)
        lab.window.commands.open_path(path)
        lab.settle()
        again = lab.session.lead.trace
        assert again is not None and lab.session.cursor == 40
        assert (again.lines(40), again.events[:41]) == left


@pytest.mark.slow
def test_closing_keeps_what_was_never_saved_and_asks_nothing(
    open_lab, settings: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda box: pytest.fail("nothing is asked"))
    lab = open_lab()
    lab.click(*lab.free_place())
    lab.session.seek(7)
    lab.settle()
    work = lab.session.document
    assert lab.window.close()
    other = open_lab()
    other.window.commands.files.offer()
    QTest.mouseClick(other.window.message.offer.action, LEFT)
    assert other.session.document == work
    other.settle()
    assert other.session.cursor == 7
    assert other.window.close(), "and again: it is still in no file"
    third = open_lab()
    third.window.commands.files.offer()
    QTest.mouseClick(third.window.message.offer.action, LEFT)
    assert third.session.document == work


def test_a_start_without_changes_leaves_nothing_and_asks_nothing(
    open_lab, settings: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda box: pytest.fail("nothing is asked"))
    lab = open_lab()
    lab.key(Key.Key_End)
    lab.settle()
    assert lab.window.close()
    assert copies(settings) == []


@pytest.mark.slow
def test_taken_back_changes_leave_nothing(open_lab, settings: QSettings) -> None:
    lab = open_lab()
    lab.click(*lab.free_place())
    lab.until(lambda: len(copies(settings)) == 1)
    lab.key(Key.Key_Z, CTRL)
    assert lab.window.close()
    assert copies(settings) == []


def test_where_no_copy_can_be_kept_closing_asks(
    open_lab, settings: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in the way").write_text("")
    settings.setValue("autosave_folder", str(tmp_path / "in the way"))
    lab = open_lab()
    lab.click(*lab.free_place())
    answer(monkeypatch, "Stay")
    assert not lab.window.close()
    answer(monkeypatch, "Do not save")
    assert lab.window.close()


def test_opening_another_document_keeps_what_is_in_no_file(
    lab: Lab, settings: QSettings, tmp_path: Path
) -> None:
    lab.click(*lab.free_place())
    work = lab.session.document
    path = tmp_path / "other.learnscope"
    save_project(Document(engine.textbook("and"), (lane("perceptron"),)), path)
    lab.window.commands.open_path(str(path))
    assert lab.data.name == engine.textbook("and").name
    assert [read_project(kept).document for kept in copies(settings, "kept-*")] == [work]
    lab.window.commands.open_path(str(path))
    assert len(copies(settings, "kept-*")) == 1, "a document that is in its file is not kept twice"


@pytest.mark.slow
@pytest.mark.parametrize("saved", [True, False])
def test_opening_a_table_keeps_what_is_in_no_file(
    lab: Lab, settings: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: bool
) -> None:
    """Changes of a project and points that were never saved alike, and the table is not
    played on.
    """
    if saved:
        choose_file(monkeypatch, tmp_path / "lecture.learnscope")
        lab.key(Key.Key_S, CTRL)
    lab.click(*lab.free_place())
    work = lab.session.document
    lab.session.player.play()
    monkeypatch.setattr("gui.dialogs.open_table.ask_table", lambda *_: None)
    lab.window.commands.open_path(str(tmp_path / "t.csv"))
    assert copies(settings, "kept-*") == [], "the dialog was left"
    monkeypatch.setattr(
        "gui.dialogs.open_table.ask_table", lambda *_: engine.generate("moons", 30, 0.1)
    )
    lab.window.commands.open_path(str(tmp_path / "t.csv"))
    assert not lab.session.player.playing
    assert [read_project(kept).document for kept in copies(settings, "kept-*")] == [work]
    next(a for a in lab.window.recent_menu.actions() if "not saved," in a.text()).trigger()
    assert lab.session.document == work


def test_a_copy_that_is_being_written_while_the_window_closes_is_removed_too(
    open_lab, settings: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = open_lab()
    files = lab.window.commands.files
    lab.click(*lab.free_place())
    begun, go_on = threading.Event(), threading.Event()
    store = files.autosave.store

    def slowly(*given: object) -> bool:
        begun.set()
        go_on.wait(10)
        return store(*given)

    monkeypatch.setattr(files.autosave, "store", slowly)
    lab.until(begun.is_set)
    threading.Timer(0.1, go_on.set).start()
    lab.session.saved = lab.session.document
    lab.window.close()
    assert go_on.is_set() and copies(settings) == []


# -- pictures --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_plane_as_png_and_svg(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.session.seek(20)
    choose_file(monkeypatch, tmp_path / "plane.png")
    (_, pane), *_ = lab.window.stage.panes()
    size = (pane.width(), pane.height())
    QTest.mouseClick(picture_dialog(lab).save_button, LEFT)
    assert lab.said() == "Saved as plane.png."
    picture = QImage(str(tmp_path / "plane.png"))
    assert (picture.width(), picture.height()) == size
    choose_file(monkeypatch, tmp_path / "drawing", "SVG drawing (*.svg)")
    QTest.keyClick(picture_dialog(lab), Key.Key_Return)
    assert ET.parse(tmp_path / "drawing.svg").getroot().tag.endswith("svg")


def picture_dialog(lab: Lab) -> ExportPicture:
    """Ctrl+E in the window, which has the keys again after a dialog."""
    lab.settle_drawing()
    lab.window.activateWindow()
    QTest.qWaitForWindowActive(lab.window)
    lab.plane.setFocus()
    lab.key(Key.Key_E, CTRL)
    (dialog,) = lab.window.findChildren(ExportPicture)
    QTest.qWaitForWindowActive(dialog)
    return dialog


@pytest.mark.slow
def test_the_picture_has_the_size_that_was_chosen_and_words_below_if_wanted(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.session.seek(20)
    heads: list[int] = []
    for words in (False, True):
        choose_file(monkeypatch, tmp_path / f"{words}.png")
        dialog = picture_dialog(lab)
        dialog.sizes.setCurrentIndex(2)
        assert (dialog.wide.value(), dialog.high.value()) == (1920, 1080)
        dialog.caption.setChecked(words)
        dialog.legend.setChecked(words)
        QTest.mouseClick(dialog.save_button, LEFT)
        picture = QImage(str(tmp_path / f"{words}.png"))
        assert (picture.width(), picture.height()) == (1920, 1080)
        row = [picture.pixelColor(x, 1060).name().upper() for x in range(1920)]
        heads.append(row.count(theme.current().plane))
    assert heads[0] < 100 and heads[1] > 1500, (
        "without words the axis lies there, with them the band"
    )
    dialog = picture_dialog(lab)
    assert (dialog.wide.value(), dialog.high.value()) == (1920, 1080), "chosen last"
    dialog.wide.setValue(500)
    assert dialog.sizes.currentText() == "Another size"
    dialog.close()


@pytest.mark.slow
def test_the_table_is_saved_from_the_menu_and_read_again(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.session.choose("decision_tree")
    lab.window.commands.use_data(engine.textbook("restaurant"))
    choose_file(monkeypatch, tmp_path / "twelve")
    lab.window.action("save_table").trigger()
    assert lab.said() == "Saved as twelve.csv."
    lines = (tmp_path / "twelve.csv").read_text("utf-8").splitlines()
    assert len(lines) == 13 and lines[0].startswith("name,Alt,Bar,Fri,Hungry,Patrons")
    assert lines[1].split(",")[1:4] == ["Yes", "No", "No"]
    choose_file(monkeypatch, tmp_path / "no" / "twelve.csv")
    lab.window.action("save_table").trigger()
    assert lab.window.message.error.text().endswith(".")


@pytest.mark.slow
def test_a_picture_that_cannot_be_made_is_a_sentence(lab: Lab, tmp_path: Path) -> None:
    lab.window.commands.exports.picture_to(str(tmp_path / "no" / "plane.png"))
    assert lab.said().endswith(".")
    lab.window.action("new").trigger()
    lab.window.commands.exports.picture_to(str(tmp_path / "plane.png"))
    assert lab.said() == "There is nothing to save yet: the algorithm has not run."


def test_one_class_is_not_called_classes(square: Lab) -> None:
    one = engine.Dataset.from_arrays([[0.0, 1.0], [1.0, 0.0]], ["p", "p"])
    square.window.commands.use_data(one)
    square.window.commands.choose_class(2)
    assert square.said() == "There is 1 class; key 2 begins a new one."


# -- clipboard -------------------------------------------------------------------------------------


def test_points_are_copied_and_pasted_as_cells(square: Lab) -> None:
    square.key(Key.Key_C, CTRL)
    assert square.said().startswith("4 rows copied")
    text = QApplication.clipboard().text()
    assert text.splitlines()[0].split("\t") == ["x1", "x2", "y"]
    assert len(text.splitlines()) == 5
    square.key(Key.Key_V, CTRL)
    assert square.said() == "4 rows added."
    assert square.points()[4:].tolist() == square.points()[:4].tolist()
    assert square.classes() == [1, 1, -1, -1] * 2


def test_only_the_selection_is_copied(square: Lab) -> None:
    square.plane.select([1, 3])
    square.key(Key.Key_C, CTRL)
    assert square.said().startswith("2 rows copied")
    square.key(Key.Key_V, CTRL)
    assert square.points()[4:].tolist() == [[1, -1], [-1, -1]]


def test_cells_of_a_spreadsheet_become_a_table(square: Lab) -> None:
    QApplication.clipboard().setText("height\tweight\tkind\tage\n1.5\t2\tcat\t3\n2.5\t1\tdog\t4\n")
    square.key(Key.Key_V, CTRL)
    assert [c.name for c in square.data.columns] == ["height", "weight", "kind", "age"]
    assert "Ctrl+Z brings the former one back" in square.said()
    square.key(Key.Key_Z, CTRL)
    assert square.data.name == "square"


@pytest.mark.slow
def test_what_is_no_table_is_refused_in_words(square: Lab) -> None:
    for text in ("", "   \n", "\t\t", "one"):
        QApplication.clipboard().setText(text)
        before = square.session.document
        square.session.say("")
        square.key(Key.Key_V, CTRL)
        if square.session.document == before:
            assert square.said().endswith(".")
        else:
            square.key(Key.Key_Z, CTRL)
            assert square.session.document == before


@pytest.mark.slow
def test_a_copied_text_takes_no_place_of_the_points(square: Lab) -> None:
    before = square.session.document
    for text in (
        "hello world\nfoo",
        "hello world\nfoo bar",
        "one\ntwo\nthree",
        "37",
        "true\nfalse\ntrue",
    ):
        QApplication.clipboard().setText(text)
        square.session.say("")
        square.key(Key.Key_V, CTRL)
        square.settle()
        assert square.session.document is before
        assert not square.session.history.done
        assert square.said() == NO_TABLE
        assert square.session.error == ""


@pytest.mark.slow
def test_a_table_takes_it(square: Lab) -> None:
    before = square.session.document
    for text, columns in (
        ("1\n2\n4\n8", 1),
        ("food,guests\nthai,none\nfrench,full\nthai,full", 2),
        ("colour\tshape\nred\tround", 2),
        ("1 2 a b\n3 4 c d\n", 4),
        ("room;kind\nhall;large\nattic;small", 2),
    ):
        QApplication.clipboard().setText(text)
        square.key(Key.Key_V, CTRL)
        square.settle()
        assert len(square.data.columns) == columns
        assert "pasted as a new table" in square.said()
        square.key(Key.Key_Z, CTRL)
        square.settle()
        assert square.session.document == before


def test_this_step_is_copied_as_text(lab: Lab) -> None:
    lab.session.seek(3)
    lab.key(Key.Key_C, CTRL | SHIFT)
    text = QApplication.clipboard().text()
    assert text.startswith("Perceptron, step 3: ")
    assert lab.session.step.note.text() in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "ending"),
    [
        ("x1\tx2\ty", " added."),
        ("p\tq\tkind\tage", " pasted as a new table; Ctrl+Z brings the former one back."),
    ],
)
def test_a_sample_of_the_pasted_rows_is_called_one(square: Lab, head: str, ending: str) -> None:
    cells = "\t".join("1" * len(head.split("\t")))
    QApplication.clipboard().setText("\n".join([head, *[cells] * 20_500]))
    before = len(square.data) if ending == " added." else 0
    square.key(Key.Key_V, CTRL)
    assert square.said() == f"A sample of 20,000 of the 20,500 rows{ending}"
    assert len(square.data) == before + 20_000


@pytest.mark.slow
def test_large_tables_are_pasted_quickly(square: Lab) -> None:
    rng = np.random.default_rng(0)
    lines = [
        "x1\tx2\ty",
        *(
            f"{a:.3f}\t{b:.3f}\t{c}"
            for a, b, c in zip(*rng.normal(size=(2, 5000)), [1, -1] * 2500, strict=True)
        ),
    ]
    QApplication.clipboard().setText("\n".join(lines))
    began = time.perf_counter()
    square.key(Key.Key_V, CTRL)
    assert len(square.data) == 5004
    assert time.perf_counter() - began < 3
