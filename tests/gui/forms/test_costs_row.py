"""What mistakes cost is written as a text or cell by cell, and a matrix that is none is refused
with a sentence.
"""

from typing import Annotated

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.records import Record
from engine.protocol.params import Costs, Label, Learner
from gui.forms.params_form import ParamsForm
from gui.look import style


class Sample(Record, eq=True):
    costs: Annotated[str, Costs(), Label("Costs")] = ""
    learner: Annotated[str, Learner(scores=True), Label("Learner")] = ""


@pytest.fixture
def form(qtbot, qapp):
    style.apply(qapp, "light")
    window = QWidget()
    column = QVBoxLayout(window)
    made = ParamsForm()
    column.addWidget(made)
    column.addStretch(1)
    made.classes = lambda: ("good", "spam")
    made.learners = lambda: [("table_lookup", "Table lookup"), ("svm", "Support vector machine")]
    made.show_params(Sample, {})
    made.changes = []
    made.changed.connect(lambda name, value: made.changes.append((name, value)))
    qtbot.addWidget(window)
    window.resize(260, 600)
    window.show()
    yield made
    window.hide()


def write(field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def cells(row) -> dict[tuple[int, int], str]:
    return {at: cell.text() for at, cell in row.cells.items()}


def test_a_cell_changes_one_cost_of_the_usual_ones(form) -> None:
    row = form.row("costs")
    assert cells(row) == {(0, 1): "10", (1, 0): "1"}
    write(row.cells[1, 0], "2.5")
    assert form.changes == [("costs", "0 10; 2.5 0")]
    assert row.text.text() == "0 10; 2.5 0"
    write(row.cells[0, 1], "4")
    assert form.values()["costs"] == "0 4; 2.5 0"


def test_the_text_fills_the_cells_and_the_empty_one_the_usual_costs(form) -> None:
    row = form.row("costs")
    write(row.text, "0 3; 7 0")
    assert cells(row) == {(0, 1): "3", (1, 0): "7"}
    assert form.changes == [("costs", "0 3; 7 0")]
    write(row.text, "0 ")
    assert "not square" not in row.error.text()
    assert "2 × 2" in row.error.text()
    row.reset()
    assert cells(row) == {(0, 1): "10", (1, 0): "1"}
    assert not row.error.text()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("0 1; 5", "The cost matrix is not square"),
        ("0 x; 1 0", "“x”"),
        ("1 1; 1 0", "costs nothing"),
    ],
)
def test_what_is_no_matrix_is_refused(form, text: str, part: str) -> None:
    row = form.row("costs")
    write(row.text, text)
    assert part in row.error.text()
    assert form.changes == []
    assert form.values()["costs"] == ""


@pytest.mark.parametrize(("text", "part"), [("much", "“much”"), ("-1", "between 0")])
def test_a_cell_takes_a_cost_alone(form, text: str, part: str) -> None:
    row = form.row("costs")
    write(row.cells[0, 1], text)
    assert part in row.error.text()
    assert form.changes == []


def test_other_data_have_another_grid(form) -> None:
    row = form.row("costs")
    form.classes = lambda: ("a", "b", "c")
    form.show_params(Sample, {"costs": ""})
    assert sorted(row.cells) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    form.show_params(Sample, {"costs": "0 1; 1 0"})  # of the data before: the run says so
    assert not row.cells[0, 1].isVisible()
    form.classes = tuple
    form.show_params(Sample, {"costs": ""})
    assert not row.cells
    assert row.text.isVisible()


def test_only_learners_with_scores_are_offered(form) -> None:
    combo = form.row("learner").choices[0].combo
    combo.showPopup()
    assert [combo.itemText(i) for i in range(combo.count())] == ["auto", "Support vector machine"]
    combo.hidePopup()
