"""Tab walks through the window as one reads it, and Shift+Tab back, also after other methods have
made other widgets.
"""

from itertools import pairwise

import pytest
from laboratory import SHIFT, Key, Lab
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane


def walk(lab: Lab, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> list[QWidget]:
    """Everything that has the focus until it is back where it began: on the plane."""
    lab.plane.setFocus()
    found = [QApplication.focusWidget()]
    for _ in range(300):
        lab.key(Key.Key_Backtab if keys == SHIFT else Key.Key_Tab, keys)
        here = QApplication.focusWidget()
        if here is found[0]:
            return found
        assert here not in found, f"{here.accessibleName()} for the second time"
        found.append(here)
    raise AssertionError("Tab does not come back")


def part_of(lab: Lab, widget: QWidget) -> int:
    """Which part of the window it is in, in the order of reading."""
    window = lab.window
    parts = [
        window.menu_row,
        window.tool_strip,
        window.left_dock,
        window.chips,
        window.stage,
        window.right_dock,
        window.foot,
        window.transport,
    ]
    return next(k for k, part in enumerate(parts) if part is widget or part.isAncestorOf(widget))


def reads_on(lab: Lab, before: QWidget, after: QWidget) -> bool:
    """Below, or in the same row and right of it; or inside it."""
    a, b = (QWidget.rect(w).translated(w.mapTo(lab.window, QPoint(0, 0))) for w in (before, after))
    if before.isAncestorOf(after) or b.top() >= a.bottom() - 2:
        return True
    same_row = a.top() <= b.center().y() <= a.bottom() or b.top() <= a.center().y() <= b.bottom()
    return same_row and b.left() >= a.left()


def check(lab: Lab) -> None:
    forth = walk(lab)
    assert [w.accessibleName() for w in walk(lab, SHIFT)[1:]] == [
        w.accessibleName() for w in forth[:0:-1]
    ]
    first = min(range(len(forth)), key=lambda k: part_of(lab, forth[k]))
    order = forth[first:] + forth[:first]
    while part_of(lab, order[-1]) == 0:
        order.insert(0, order.pop())
    parts = [part_of(lab, widget) for widget in order]
    assert parts == sorted(parts)
    for before, after in pairwise(order):
        if part_of(lab, before) == part_of(lab, after):
            assert reads_on(lab, before, after), (
                f"{after.accessibleName()} after {before.accessibleName()}"
            )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "methods"),
    [
        ((1280, 800), ("decision_tree", "svm")),
        ((1280, 1100), ("svm",)),
        ((1900, 1000), ("adaboost",)),
    ],
)
def test_tab_goes_in_the_order_of_reading_whatever_was_shown_before(
    open_lab, size: tuple[int, int], methods: tuple[str, ...]
) -> None:
    lab = open_lab(Document(engine.generate("moons", 60, 0.3), (lane("perceptron"),)), size=size)
    check(lab)
    for method in methods:
        lab.session.choose(method)
        lab.settle()
        lab.key(Key.Key_Right)
        lab.settle()
        check(lab)


@pytest.mark.slow
def test_everything_with_a_name_in_the_docks_is_met(lab: Lab) -> None:
    lab.session.choose("svm")
    lab.settle()
    met = walk(lab)
    dock = lab.window.left_dock
    for control in (
        dock.data.picker.field,
        dock.picker.field,
        dock.split.slider.field,
        *dock.data.form.sliders.values(),
    ):
        assert any(control is w or control.isAncestorOf(w) for w in met)
    assert all(button in met for button in lab.window.transport.buttons.values())
    assert lab.window.tool_strip.buttons[lab.session.tool] in met
    assert any(lab.window.right_dock.isAncestorOf(w) for w in met)


@pytest.mark.slow
def test_tab_scrolls_to_what_is_out_of_sight(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 60, 0.3), (lane("svm"),)), size=(1100, 620))
    dock = lab.window.left_dock
    seen = 0
    for widget in walk(lab):
        if dock.isAncestorOf(widget):
            widget.setFocus(Qt.FocusReason.OtherFocusReason)
    lab.plane.setFocus()
    for _ in range(120):
        lab.key(Key.Key_Tab)
        here = QApplication.focusWidget()
        if dock.widget().isAncestorOf(here):
            top = here.mapTo(dock.viewport(), QPoint(0, 0)).y()
            assert top >= 0
            assert top + here.height() <= dock.viewport().height()
            seen += 1
        if here is lab.plane:
            break
    assert seen > 8


def test_tab_leaves_the_list_of_algorithms_for_what_follows_it(lab: Lab) -> None:
    chosen = lab.window.left_dock.picker.field
    lab.window.left_dock.picker.open()
    assert QApplication.focusWidget() is lab.window.left_dock.picker.search
    lab.key(Key.Key_Tab)
    here = QApplication.focusWidget()
    assert lab.window.left_dock.params.isAncestorOf(here)
    assert here is not chosen


@pytest.mark.slow
def test_tab_in_the_projector(lab: Lab) -> None:
    lab.key(Key.Key_P)
    lab.settle()
    names = [w.accessibleName() for w in walk(lab)]
    strip = ["Data", "Method", "Probe", "Points"]
    assert [n for n in names if n in strip] == strip
    assert [n for n in names if n in ("Code", "Curves", "Play", "Leave")] == [
        "Code",
        "Curves",
        "Play",
        "Leave",
    ]
