"""A weight of a linear model set by hand, in a lane and in a fork of it."""

import numpy as np
import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.dialogs.weight import NONE, ON_LINKS, SetWeight

pytestmark = pytest.mark.slow


def opened(open_lab, key: str, **params: object) -> Lab:
    lab: Lab = open_lab(Document(engine.generate("moons", n=30), (lane(key, **params),)))
    lab.session.seek(3)
    lab.settle()
    return lab


def weight_dialog(lab: Lab) -> SetWeight:
    lab.window.action("set_weight").trigger()
    return next(found for found in lab.window.findChildren(SetWeight) if found.isVisible())


@pytest.mark.parametrize("key", ["perceptron", "logistic_regression"])
def test_a_fork_goes_on_from_a_weight_that_was_typed(open_lab, key: str) -> None:
    lab = opened(open_lab, key)
    lab.key(Key.Key_D, CTRL)
    lab.settle()
    shown = lab.session.step.state
    before = np.array(shown.w)
    dialog = weight_dialog(lab)
    assert [dialog.names.itemText(k).split(":")[0] for k in range(len(before))][:2] == ["x₁", "x₂"]
    dialog.names.setCurrentIndex(1)
    dialog.value.selectAll()
    QTest.keyClicks(dialog.value, "abc")
    QTest.keyClick(dialog.value, Key.Key_Return)
    assert dialog.isVisible() and "is no number" in dialog.error.text()
    dialog.value.selectAll()
    QTest.keyClicks(dialog.value, "-2.5")
    go = next(
        button for button in dialog.findChildren(QPushButton) if button.text() == "Go on from here"
    )
    QTest.mouseClick(go, LEFT, pos=go.rect().center())
    lab.settle()
    a, b = lab.session.lane_views
    assert b.lane.start.change == ((1,), -2.5) and a.lane.start is None
    expected = before.copy()
    expected[1] = -2.5
    assert np.array_equal(b.trace[0].state.before, expected)
    state = b.algorithm.tweak(b.trace.given, shown, (1,), -2.5)
    wrong = b.algorithm.predict(b.trace.given, state, b.problem.X) != b.problem.codes
    assert np.array_equal(state.w, expected) and state.errors == wrong.sum()
    lab.window.action("undo").trigger()
    lab.settle()
    assert lab.session.lane_views[1].lane.start.change is None


def test_where_there_is_none_the_sentence_says_where_to_look(open_lab) -> None:
    lab = opened(open_lab, "backpropagation", epochs=5)
    lab.window.action("set_weight").trigger()
    assert lab.said() == ON_LINKS.format(title=lab.session.algorithm.title)
    lab = opened(open_lab, "nearest_neighbours")
    lab.window.action("set_weight").trigger()
    assert lab.said() == NONE.format(title="Nearest neighbours")
