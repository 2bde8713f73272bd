"""A class gets another name: at the data, by mouse and by the command; one undo step."""

import pytest
from laboratory import CTRL, RIGHT, Key, Lab, double_click
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.setup.class_rows import ClassName, ClassRow


def rows(lab: Lab) -> list[ClassRow]:
    lab.settle_drawing()
    return sorted(lab.window.left_dock.data.findChildren(ClassRow), key=lambda row: row.code)


def form() -> ClassName:
    found = QApplication.activePopupWidget()
    assert isinstance(found, ClassName)
    return found


def name(lab: Lab, text: str) -> None:
    """Write it over the former one, and Return."""
    QTest.keyClicks(form().field, text)
    QTest.keyClick(form().field, Key.Key_Return)
    lab.settle()


@pytest.mark.slow
def test_a_double_click_renames_a_class_everywhere(square: Lab) -> None:
    points = square.points().tolist()
    double_click(rows(square)[1], rows(square)[1].rect().center())
    assert form().field.text() == "−1"
    name(square, "ham")
    assert QApplication.activePopupWidget() is None
    assert square.data.classes == (1, "ham")
    assert square.classes() == [1, 1, "ham", "ham"]
    assert square.points().tolist() == points
    assert square.session.problem.class_text(1) == "ham"
    strip = square.window.tool_strip.classes
    assert strip.itemAt(1).widget().accessibleName() == "Class ham (key 2)"
    square.key(Key.Key_Z, CTRL)
    assert square.data.classes == (1, -1)
    assert square.said() == "Undone: rename a class."


def test_a_right_click_asks_for_a_name_too(square: Lab) -> None:
    row = rows(square)[0]
    QTest.mouseClick(row, RIGHT, pos=row.rect().center())
    place = row.rect().center()
    QApplication.sendEvent(
        row, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, row.mapToGlobal(place))
    )
    name(square, "spam")
    assert square.data.classes == ("spam", -1)


def test_the_command_renames_the_chosen_class(square: Lab) -> None:
    square.key(Key.Key_2)
    square.window.action("rename_class").trigger()
    name(square, "2")
    assert square.data.classes == (1, 2), "a number among numbers"
    assert [square.session.problem.class_text(k) for k in range(2)] == ["1", "2"]


@pytest.mark.slow
def test_what_cannot_be_a_name_is_said_there(square: Lab) -> None:
    before = square.session.document
    for text, said in (
        ("+1", "Another class is called “+1” already"),
        ("   ", "A class needs a name"),
        ("?", "a missing value"),
    ):
        double_click(rows(square)[1], rows(square)[1].rect().center())
        name(square, text)
        assert said in form().error.label.text()
        QTest.keyClick(form(), Key.Key_Escape)
        assert square.session.document is before


def test_the_same_name_again_changes_nothing(square: Lab) -> None:
    before = square.session.document
    double_click(rows(square)[1], rows(square)[1].rect().center())
    QTest.keyClick(form().field, Key.Key_Return)
    assert square.session.document is before
    assert not square.session.history.done


def test_where_there_is_no_class_the_command_says_so(open_lab) -> None:
    lab = open_lab(Document(engine.textbook("four_points_line"), (lane("linear_regression"),)))
    lab.window.action("rename_class").trigger()
    assert QApplication.activePopupWidget() is None
    assert lab.said() == "There is no class to rename: choose one with the keys 1 to 9."


def test_a_method_that_looks_at_no_data_names_no_data_set(open_lab) -> None:
    """Its panel said “People and skiers” of Bayes’ rule; another method brings the data back."""
    lab = open_lab(Document(engine.textbook("people"), (lane("bayes_rule"),)))
    lab.settle()
    dock = lab.window.left_dock
    assert not dock.data.picker.isVisible() and not dock.split.isVisible()
    assert dock.data.none.text() == "Bayes’ rule looks at no data: its numbers are parameters."
    lab.session.choose("find_s")
    lab.settle()
    assert dock.data.picker.isVisible() and dock.split.isVisible()
    assert not dock.data.none.isVisible()
