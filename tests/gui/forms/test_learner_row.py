"""A learner under study is chosen from those that the data suit, and its own parameters are set
below it.
"""

from typing import Annotated

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

import engine
from engine.base.errors import EngineError
from engine.base.records import Record
from engine.protocol.params import Label, Learner, build
from engine.protocol.recipe import learners, read_recipe, recipe_text
from gui.forms.params_form import ParamsForm
from gui.look import style


class Sample(Record, eq=True):
    one: Annotated[str, Learner(), Label("Learner")] = ""
    several: Annotated[tuple[str, ...], Learner(3), Label("Learners")] = ("decision_tree",)


@pytest.fixture
def form(qtbot, qapp):
    style.apply(qapp, "light")
    window = QWidget()
    column = QVBoxLayout(window)
    made = ParamsForm()
    column.addWidget(made)
    column.addStretch(1)
    made.learners = lambda: [
        ("nearest_neighbours", "Nearest neighbours"),
        ("naive_bayes", "Naive Bayes"),
    ]
    made.show_params(Sample, {})
    made.changes = []
    made.changed.connect(lambda name, value: made.changes.append((name, value)))
    qtbot.addWidget(window)
    window.resize(260, 900)
    window.show()
    yield made
    window.hide()


def pick(choice, title: str) -> None:
    """With the keys, as from an open list."""
    choice.combo.setFocus()
    choice.combo.showPopup()
    view = choice.combo.view()
    at = choice.combo.findText(title)
    assert at >= 0
    view.setCurrentIndex(choice.combo.model().index(at, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)


def test_one_is_chosen_from_those_that_suit_and_its_parameters_are_set(form) -> None:
    choice = form.row("one").choices[0]
    assert choice.combo.currentText() == "auto"
    assert not choice.fold.isEnabled()
    pick(choice, "Nearest neighbours")
    assert form.changes == [("one", "nearest_neighbours")]
    QTest.mouseClick(choice.fold, Qt.MouseButton.LeftButton)
    field = choice.form.row("k").control.field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert form.changes[-1] == ("one", "nearest_neighbours(k=7)")
    assert form.values()["one"] == "nearest_neighbours(k=7)"


def test_several_are_added_and_taken_away(form) -> None:
    row = form.row("several")
    assert [c.letter.text() for c in row.choices] == ["A"]
    QTest.mouseClick(row.control, Qt.MouseButton.LeftButton)
    QTest.mouseClick(row.control, Qt.MouseButton.LeftButton)
    assert form.changes[-1] == ("several", ("decision_tree", "nearest_neighbours", "naive_bayes"))
    assert not row.control.isEnabled()  # three at most
    QTest.mouseClick(row.choices[0].remove, Qt.MouseButton.LeftButton)
    assert form.changes[-1] == ("several", ("nearest_neighbours", "naive_bayes"))
    assert [c.letter.text() for c in row.choices] == ["A", "B"]
    assert [c.combo.currentText() for c in row.choices] == ["Nearest neighbours", "Naive Bayes"]


def test_other_values_are_shown_without_a_signal(form) -> None:
    form.set_values({"one": "svm(C=10)", "several": ()})
    assert form.row("one").choices[0].combo.currentText() == "Support vector machine"
    assert form.row("several").choices == []
    assert form.changes == []


@pytest.mark.parametrize("key", ["nearest_neighbours", "svm", "perceptron", "adaboost"])
def test_a_recipe_is_read_as_it_was_written(key: str) -> None:
    kind = engine.algorithms()[key].params
    other = {
        "nearest_neighbours": {"k": 3, "stretch": (1.0, 0.5)},
        "svm": {"C": 10.0},
        "perceptron": {"start": (0.0, 1.0, 2.0)},
        "adaboost": {},
    }[key]
    params = build(kind, other)
    again, values = read_recipe(recipe_text(key, params))
    assert again == key
    assert build(kind, values) == params


def test_several_as_one_text() -> None:
    found = build(Sample, {"several": "svm(C=10); perceptron(start=(0 1 2)); naive_bayes"})
    assert found.several == ("svm(C=10)", "perceptron(start=(0 1 2))", "naive_bayes")
    with pytest.raises(EngineError, match="at most 3"):
        build(Sample, {"several": "a;b;c;d"})


def test_only_what_predicts_and_suits_is_offered() -> None:
    """Twelve rows of words: no line is drawn through them, and no experiment is a learner."""
    found = {each.key for each in learners(engine.prepare(engine.textbook("restaurant")))}
    assert {"decision_tree", "naive_bayes"} <= found
    assert not found & {"perceptron", "kd_tree", "kmeans", "cross_validation", "linear_regression"}
