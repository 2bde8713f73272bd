"""A table that declares a class without rows, in the window: its rows of classes, its keys, its
figures, its names.
"""

from typing import Any

import numpy as np
import pytest
from laboratory import Key, Lab, double_click
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ready_window import opening

from engine.document.document import Document
from engine.document.lane import lane
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column
from engine.table.prepare import Split
from gui.setup.class_rows import ClassName, ClassRow

CODES = np.arange(20) % 2


def declared(*lanes: Any) -> Document:
    """Rows of classes b and a, a declared class c, and a column of words of which x has no row;
    some rows are held out.
    """
    x = CODES * 2 - 1 + np.linspace(-0.2, 0.2, 20)
    columns = (
        number_column("x1", x),
        number_column("x2", x[::-1]),
        category_column("k", ["ba"[code] for code in CODES], ("b", "a", "c"), ColumnRole.TARGET),
    )
    return Document(Dataset(columns), lanes, split=Split(0.3))


perceptron = opening(lambda: declared(lane("perceptron")))
lanes = opening(
    lambda: declared(lane("decision_tree"), lane("nearest_neighbours"), lane("adaboost"))
)


def rows(lab: Lab) -> list[ClassRow]:
    lab.settle_drawing()
    return sorted(lab.window.left_dock.data.findChildren(ClassRow), key=lambda row: row.code)


def classes_of(lab: Lab) -> dict[str, int]:
    target = lab.data["k"]
    return {label: target.labels().count(label) for label in target.categories}


def to_the_end(lab: Lab) -> None:
    lab.key(Key.Key_End)
    lab.until(lambda: lab.session.trace is not None and lab.session.trace.finished)
    lab.settle_drawing()


@pytest.mark.slow
def test_a_method_for_two_classes_runs_to_its_end_beside_a_class_without_rows(
    perceptron: Lab,
) -> None:
    assert [row.code for row in rows(perceptron)] == [0, 1, 2]
    to_the_end(perceptron)
    session = perceptron.session
    assert session.problem.class_names == ("b", "a", "c")
    assert not session.trace.wrong().any()


@pytest.mark.slow
def test_a_class_without_rows_gets_another_name(lanes: Lab) -> None:
    row = rows(lanes)[2]
    double_click(row, row.rect().center())
    form = QApplication.activePopupWidget()
    assert isinstance(form, ClassName)
    QTest.keyClicks(form.field, "never")
    QTest.keyClick(form.field, Key.Key_Return)
    lanes.settle()
    assert classes_of(lanes) == {"b": 10, "a": 10, "never": 0}
    to_the_end(lanes)


@pytest.mark.slow
def test_a_key_and_a_click_put_a_point_into_the_class_without_rows(lanes: Lab) -> None:
    before = classes_of(lanes)
    assert before == {"b": 10, "a": 10, "c": 0}
    lanes.key(Key.Key_A)
    lanes.key(Key.Key_3)
    lanes.click(*lanes.free_place())
    lanes.settle()
    assert classes_of(lanes) == {**before, "c": 1}
    to_the_end(lanes)
