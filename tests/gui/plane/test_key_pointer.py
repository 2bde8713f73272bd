"""The plane without a mouse: what Enter, Shift+Enter and the menu key do at the keyboard's cross;
and strokes that are none.
"""

import numpy as np
import pytest
from laboratory import CTRL, LEFT, SHIFT, Key, Lab
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.plane.point_menu import PointMenu
from gui.window import keys

UP, DOWN, WAY_LEFT, WAY_RIGHT = Key.Key_Up, Key.Key_Down, Key.Key_Left, Key.Key_Right


def go(lab: Lab, x: float, y: float) -> None:
    """The cross to (x, y), by single pixels at the end."""
    lab.key(UP, CTRL)
    for _ in range(2000):
        here, there = (
            lab.plane.view().to_pixels(np.array(at)) for at in (lab.plane.pointer.at, (x, y))
        )
        dx, dy = there - here
        if max(abs(dx), abs(dy)) < 0.6:
            return
        far = max(abs(dx), abs(dy)) > 12
        across = abs(dx) >= abs(dy)
        key = (WAY_RIGHT if dx > 0 else WAY_LEFT) if across else (DOWN if dy > 0 else UP)
        lab.key(key, CTRL if far else CTRL | SHIFT)
    raise AssertionError("the cross does not come there")


def take(lab: Lab, tool: str) -> None:
    lab.key(ord(lab.plane.tools[tool].shortcut))


def menu() -> PointMenu | None:
    popup = QApplication.activePopupWidget()
    return popup if isinstance(popup, PointMenu) else None


# -- Enter -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.0, 3.0])
def test_a_digit_chooses_the_class_of_the_point_that_enter_adds(
    square: Lab, monkeypatch: pytest.MonkeyPatch, wait: float
) -> None:
    take(square, "add")
    go(square, 2, 2)
    square.key(Key.Key_2)
    later = keys.time.monotonic() + wait
    monkeypatch.setattr(keys.time, "monotonic", lambda: later)
    square.key(Key.Key_Return)
    assert square.points()[-1] == pytest.approx((2, 2), abs=0.02)
    assert square.classes()[-1] == -1
    assert square.session.current_class == 1
    assert square.session.cursor == 0


@pytest.mark.slow
def test_a_number_that_was_announced_is_a_step_at_the_cross_too(lab: Lab) -> None:
    lab.key(UP, CTRL)
    before = len(lab.data)
    lab.write("12")
    assert lab.said() == "Enter jumps to step 12."
    lab.key(Key.Key_Return)
    assert (lab.session.cursor, len(lab.data)) == (12, before)


@pytest.mark.slow
def test_a_class_chosen_long_ago_is_no_step(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.key(Key.Key_2)
    later = keys.time.monotonic() + 3
    monkeypatch.setattr(keys.time, "monotonic", lambda: later)
    lab.key(Key.Key_Return)
    assert (lab.session.cursor, lab.session.current_class) == (0, 1)


@pytest.mark.slow
def test_shift_and_enter_are_a_shift_click(square: Lab) -> None:
    take(square, "add")
    go(square, 2, 2)
    square.key(Key.Key_Return, SHIFT)
    assert square.classes() == [1, 1, -1, -1, -1]
    take(square, "select")
    go(square, 1, 1)
    square.key(Key.Key_Return)
    go(square, -1, 1)
    square.key(Key.Key_Enter, SHIFT)
    assert square.plane.selected == {0, 2}


def test_enter_held_down_clicks_once(square: Lab) -> None:
    take(square, "add")
    go(square, 2, 2)
    QTest.keyPress(square.plane, Key.Key_Return)
    QTest.simulateEvent(
        square.plane, True, Key.Key_Return, keys.Qt.KeyboardModifier.NoModifier, "", True
    )
    QTest.keyRelease(square.plane, Key.Key_Return)
    assert len(square.data) == 5


# -- lines -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "ends"), [("line", ((-2, 2), (2, 2))), ("ellipse", ((0, 0), (2, 2)))]
)
def test_one_enter_begins_a_stroke_and_the_next_ends_it(
    square: Lab, tool: str, ends: tuple
) -> None:
    take(square, tool)
    go(square, *ends[0])
    square.key(Key.Key_Return)
    assert len(square.data) == 4
    marks = len(square.plane.layers())
    go(square, *ends[1])
    assert len(square.plane.layers()) == marks, "the line can be seen while it grows"
    square.key(Key.Key_Return)
    new = square.points()[4:]
    assert len(new) > 10
    for side, reach in ((0, 2), (1, 2)):
        assert np.abs(new[:, side]).max() == pytest.approx(reach, abs=0.05)
    square.key(Key.Key_Z, CTRL)
    assert len(square.data) == 4, "a stroke is one step back"


def test_escape_gives_a_begun_line_up_and_leaves_the_cross(square: Lab) -> None:
    take(square, "line")
    go(square, -2, 2)
    square.key(Key.Key_Return)
    go(square, 2, 2)
    square.key(Key.Key_Escape)
    assert square.plane.pointer.at is not None
    square.key(Key.Key_Return)  # begins another one
    assert len(square.data) == 4
    square.key(Key.Key_Escape)
    square.key(Key.Key_Escape)
    assert square.plane.pointer.at is None


def test_the_mouse_and_another_tool_take_a_begun_line_away(square: Lab) -> None:
    take(square, "line")
    go(square, -2, 2)
    square.key(Key.Key_Return)
    for place in (0.5, 0.0):  # where the mouse lies already there is no event
        square.move(place, 0)
    assert not square.plane.tools["line"].busy()
    go(square, -2, 2)
    square.key(Key.Key_Return)
    take(square, "add")
    go(square, 2, 2)
    square.key(Key.Key_Return)
    assert len(square.data) == 5
    take(square, "line")
    assert not square.plane.tools["line"].busy()


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["line", "ellipse"])
@pytest.mark.parametrize("end", [(0.0, 2.0), (0.01, 2.0)])
def test_a_mere_click_draws_nothing(square: Lab, tool: str, end: tuple[float, float]) -> None:
    take(square, tool)
    square.drag((0, 2), end)
    assert len(square.data) == 4
    assert not square.session.history.done
    square.drag((0, 2), (2, 2.5))
    assert len(square.data) > 6


# -- the menu --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("key", "held"), [(Key.Key_Menu, None), (Key.Key_F10, SHIFT)])
def test_the_menu_of_the_point_under_the_cross(square: Lab, key: Key, held: object) -> None:
    go(square, -1, 1)
    square.key(key, *([] if held is None else [held]))
    found = menu()
    assert found is not None
    assert found.row == 2
    deleting = next(a for a in found.actions() if a.text() == "Delete this point")
    QTest.mouseClick(found, LEFT, pos=found.actionGeometry(deleting).center())
    assert sorted(map(tuple, square.points())) == [(-1, -1), (1, -1), (1, 1)]
    go(square, 2, 2)
    square.key(key, *([] if held is None else [held]))
    assert menu() is None


def test_a_system_that_tells_of_the_menu_key_twice_gets_one_menu(square: Lab) -> None:
    square.plane.select([0])
    square.key(Key.Key_Menu)
    found = menu()
    assert found is not None
    assert found.row == 0
    viewport = square.plane.viewport()
    middle = viewport.rect().center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Keyboard, middle, viewport.mapToGlobal(middle)
    )
    QApplication.sendEvent(viewport, event)
    assert len([m for m in square.plane.findChildren(PointMenu) if m.isVisible()]) == 1
    found.close()


def test_a_list_reached_by_tab_keeps_its_menu_key(square: Lab) -> None:
    go(square, 1, 1)
    for _ in range(3):
        square.key(Key.Key_Tab)
    square.key(Key.Key_Menu)
    assert menu() is None


@pytest.mark.slow
def test_the_sheet_of_keys_says_it(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 20, 0.3), (lane("perceptron"),)))
    lab.key(Key.Key_F1)
    lab.settle_drawing()
    sheet = next(
        w for w in QApplication.topLevelWidgets() if w.windowTitle() == "Keys" and w.isVisible()
    )
    rows = dict(row for _, group in sheet.groups for row in group)
    assert {"Shift, Ctrl + Enter", "Enter, Enter", "Menu, Shift + F10"} <= rows.keys()
    sheet.close()
