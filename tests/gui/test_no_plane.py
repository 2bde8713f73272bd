"""Data without a plane: tools that have nothing to work on are grey and say why, with the mouse and
by their keys.
"""

import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtTest import QTest
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.plane.tool import NO_PLANE

# a table of words and a tree: no plane
restaurant = opening(lambda: Document(engine.textbook("restaurant"), (lane("decision_tree"),)))


def dead(lab: Lab) -> set[str]:
    """The tools that are grey."""
    return {key for key, button in lab.window.tool_strip.buttons.items() if not button.isEnabled()}


@pytest.mark.slow
def test_tools_are_grey_where_there_is_no_plane_and_say_why(restaurant: Lab) -> None:
    strip = restaurant.window.tool_strip
    assert dead(restaurant) == set(strip.buttons) - {"probe"}
    assert strip.buttons["spray"].toolTip() == f"Spray points (S). {NO_PLANE}"
    classes = [strip.classes.itemAt(k).widget() for k in range(strip.classes.count())]
    assert [button.isEnabled() for button in classes] == [False, False]
    assert classes[0].toolTip() == f"Class Yes (key 1). {NO_PLANE}"
    restaurant.window.commands.use_data(engine.generate("moons"))
    restaurant.settle()
    assert dead(restaurant) == set()
    assert strip.buttons["spray"].toolTip().startswith("Spray points (S): drag")
    assert all(strip.classes.itemAt(k).widget().isEnabled() for k in range(strip.classes.count()))
    restaurant.key(Key.Key_Z, CTRL)
    assert "add" in dead(restaurant)


@pytest.mark.slow
def test_their_keys_say_it_too(restaurant: Lab) -> None:
    tool, chosen = restaurant.session.tool, restaurant.session.current_class
    for key in (Key.Key_S, Key.Key_A, Key.Key_2, Key.Key_V):
        restaurant.session.say("")
        assert restaurant.said() == ""
        restaurant.key(key)
        assert restaurant.said() == NO_PLANE
        assert (restaurant.session.tool, restaurant.session.current_class) == (tool, chosen)


def test_the_cross_puts_nothing_where_it_cannot_be_seen(restaurant: Lab) -> None:
    """Return at a cross that no plane shows wrote a row into the table."""
    before = restaurant.session.document
    restaurant.key(Key.Key_Right, CTRL)
    assert restaurant.said() == NO_PLANE
    restaurant.key(Key.Key_Return)
    assert restaurant.session.document is before


@pytest.mark.slow
def test_a_cross_from_other_data_is_removed(square: Lab) -> None:
    square.key(Key.Key_Right, CTRL)
    square.window.commands.use_data(engine.textbook("restaurant"))
    square.window.session.choose("decision_tree")
    square.settle()
    before = square.session.document
    square.key(Key.Key_Return)
    assert square.session.document is before


def test_the_probe_asks_for_a_row(restaurant: Lab) -> None:
    restaurant.key(Key.Key_End)
    restaurant.settle()
    restaurant.key(Key.Key_I)
    assert restaurant.session.tool == "probe"
    assert "Click a row" in restaurant.window.right_dock.why.as_text()


def test_the_points_of_the_projector_say_why_there_are_none(restaurant: Lab) -> None:
    restaurant.window.toggle_projector()
    restaurant.settle()
    strip = restaurant.window.left_strip
    before = [strip.buttons[word][0].isChecked() for word in ("Probe", "Points")]
    QTest.mouseClick(strip.buttons["Points"][0], LEFT)
    assert restaurant.said() == NO_PLANE
    assert [strip.buttons[word][0].isChecked() for word in ("Probe", "Points")] == before


def test_tools_stay_alive_on_an_empty_plane(square: Lab) -> None:
    square.window.action("new").trigger()
    square.settle()
    assert dead(square) == set()
