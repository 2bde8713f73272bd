"""A table of one's own by hand: opened by the dialogue, learnt by a tree, a forest and a logistic
regression, and explained.
"""

from pathlib import Path
from typing import Any

import pytest
from cut import faults
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from engine.table.dataset import ColumnRole, Kind
from gui.dialogs.open_table import OpenTable
from gui.figures.table import TableFigure
from tests.customers import Customers, customers

IGNORED = ("name", "joined", "last order")
WAYS = ["Use 0/1 columns, fill missing values", "Use 0/1 columns, drop rows with missing values"]


@pytest.mark.parametrize(
    ("size", "look"),
    [
        pytest.param((1280, 800), "dark", marks=pytest.mark.slow),
        pytest.param((1920, 1080), "projector", marks=pytest.mark.sweep),
    ],
)
def test_customers_from_the_file_to_a_tree_a_forest_and_a_regression(
    open_lab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], look: str
) -> None:
    """One window for all of it, as a person goes through it."""
    file = tmp_path / "customers.csv"
    made = customers()
    file.write_text(made.text, "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    lab = open_lab(size=size)
    lab.window.use_theme(look)
    the_dialogue_reads_what_was_meant(lab, made)
    a_tree_learns_it_and_says_why(lab, made, look)
    a_forest_is_found_by_the_search(lab, made)
    a_regression_needs_what_the_picker_offers(lab, look)


def the_dialogue_reads_what_was_meant(lab: Lab, made: Customers) -> None:
    seen: list[str] = []

    def press() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, OpenTable) or dialog.job.busy:
            QTimer.singleShot(10, press)
            return
        seen.extend([dialog.about.text(), dialog.target.currentText(), dialog.notices.text()])
        QTest.mouseClick(dialog.open_, LEFT)

    QTimer.singleShot(0, press)
    lab.key(Key.Key_O, CTRL)
    lab.window.activateWindow()
    QTest.qWaitForWindowActive(lab.window)
    lab.settle()
    about, target, notices = seen
    assert (about, target) == ("3,000 rows, 11 columns", "churned")
    assert [name for name in IGNORED if f"“{name}”" in notices] == list(IGNORED)
    data = lab.data
    assert [c.name for c in data.columns if c.role is ColumnRole.IGNORED] == list(IGNORED)
    assert [c.name for c in data.features if c.kind is Kind.NUMERIC] == [
        "age",
        "monthly spend",
        "visits",
    ]
    spent = [
        float(row["monthly spend"].replace(",", ".")) if row["monthly spend"] else None
        for row in made.rows
    ]
    assert data["monthly spend"].labels() == spent
    assert data["plan"].labels() == [row["plan"] or None for row in made.rows]
    assert lab.classes() == [row["churned"] for row in made.rows]
    assert "turn on 0/1 columns" in lab.said(), "of the perceptron, which was there before"


def a_tree_learns_it_and_says_why(lab: Lab, made: Customers, look: str) -> None:
    picked(lab, "decision tree")
    assert lab.session.lane.key == "decision_tree" and lab.session.document.transforms == ()
    played_to_the_end(lab)
    check_why(lab, made, whole_rows(made)[0])
    if look != "projector":  # its panels are folded away
        assert faults(lab.window.right_dock) == []


def a_forest_is_found_by_the_search(lab: Lab, made: Customers) -> None:
    lab.key(Key.Key_K, CTRL)
    lab.write("random forest")
    lab.key(Key.Key_Return)
    assert lab.session.lane.key == "random_forest" and lab.session.document.transforms == ()
    played_to_the_end(lab)
    check_why(lab, made, whole_rows(made)[1])


def a_regression_needs_what_the_picker_offers(lab: Lab, look: str) -> None:
    picked(lab, "logistic regression")
    picker = lab.window.left_dock.picker
    assert picker.popup.isVisible(), "it cannot take words and gaps: what makes it is offered"
    offered = [picker.model.item(k).text() for k in range(picker.model.rowCount())]
    assert [words for words in offered if words in WAYS] == WAYS
    lab.key(Key.Key_Return)
    lab.settle()
    assert lab.session.lane.key == "logistic_regression"
    assert [each.kind for each in lab.session.document.transforms] == ["fill_missing", "one_hot"]
    problem = lab.session.problem
    assert [problem.features[j].name for j in problem.plane] == ["age", "monthly spend"]
    played_to_the_end(lab)
    lab.plane.setFocus()
    lab.key(Key.Key_I)
    lab.click(*lab.points()[0])
    lab.settle()
    assert "is now called" in lab.window.right_dock.why.as_text()
    if look != "projector":
        assert faults(lab.window.right_dock) == []


def picked(lab: Lab, title: str) -> None:
    """The method of this name, typed into the list at the left."""
    lab.window.left_dock.picker.open()
    lab.write(title)
    lab.key(Key.Key_Return)
    lab.settle()


def played_to_the_end(lab: Lab) -> None:
    lab.plane.setFocus()
    lab.key(Key.Key_End)
    lab.settle()
    lab.key(Key.Key_End)
    lab.settle()
    assert not lab.session.error and not lab.said()
    assert lab.session.trace.finished
    assert lab.session.cursor == len(lab.session.trace) - 1


def whole_rows(made: Customers) -> list[int]:
    """Those without a gap: trees learn them by heart."""
    return [k for k, row in enumerate(made.rows) if all(row.values())]


def check_why(lab: Lab, made: Customers, row: int) -> None:
    """A click on a row of the examples; a large tree may have all of the stage until then."""
    lab.window.stage.choose("Examples", beside=True)
    lab.settle()
    tables = [each for each in lab.window.findChildren(TableFigure) if each.isVisible()]
    view = tables[0]
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model_.index(row, 2)).center())
    lab.settle()
    answer = lab.window.right_dock.why.as_text()
    assert answer.startswith(
        f"{made.rows[row]['customer']} is now called {made.rows[row]['churned']}"
    )
