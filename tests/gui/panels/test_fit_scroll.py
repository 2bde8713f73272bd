"""Words that need more room than they have can be scrolled with the keyboard."""

import pytest
from laboratory import Key, Lab
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.look.focus import ring


def stops(lab: Lab) -> list[QWidget]:
    """All that Tab comes to."""
    lab.plane.setFocus()
    found: list[QWidget] = []
    while len(found) < 150:
        lab.key(Key.Key_Tab)
        here = QApplication.focusWidget()
        if here in found:
            break
        found.append(here)
    return found


@pytest.mark.slow
def test_an_answer_that_overflows_is_scrolled_by_keys_and_only_then_a_stop_for_tab(open_lab) -> None:
    low = open_lab(Document(engine.generate("blobs", 60, 1.2), (lane("nearest_neighbours", k=9),)), size=(1280, 700))
    low.session.seek(len(low.session.trace) - 1)
    low.window.right_dock.figure.choose(0)
    low.settle()
    bar = low.window.right_dock.why.scroller.verticalScrollBar()
    assert bar.isVisible()
    assert bar in stops(low)
    while QApplication.focusWidget() is not bar:
        low.key(Key.Key_Tab)
    assert ring() is not None and ring().target is bar
    cursor = low.session.cursor
    low.key(Key.Key_Home)
    assert bar.value() == 0, "Tab has come past the bars at the end, which it shows"
    low.key(Key.Key_Down)
    assert 0 < bar.value() < bar.maximum()
    low.key(Key.Key_PageDown)
    low.key(Key.Key_End)
    assert bar.value() == bar.maximum()
    low.key(Key.Key_Home)
    low.key(Key.Key_PageUp)
    assert bar.value() == 0
    assert low.session.cursor == cursor, "the run is steered by them only without the frame"


@pytest.mark.slow
def test_an_answer_with_room_for_all_is_no_stop_for_tab(lab: Lab) -> None:
    lab.session.seek(3)
    for scroller in (lab.window.right_dock.why.scroller, lab.window.right_dock.step.scroller):
        if not scroller.verticalScrollBar().isVisible():
            assert scroller.verticalScrollBar() not in stops(lab)
            assert scroller not in stops(lab)
