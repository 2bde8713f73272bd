"""Who has how much of the window: rules, hands, rails; remembered."""

import json

import pytest
from laboratory import LEFT, Key, Lab, double_click
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.look.sizes import RAIL

pytestmark = pytest.mark.usefixtures("built")


def drag(lab: Lab, name: str, dx: int, dy: int = 0) -> None:
    """Take hold of an edge in its middle and pull."""
    edge = lab.window.room.edges[name]
    start = edge.mapToGlobal(edge.rect().center())
    QTest.mousePress(edge, LEFT, pos=edge.rect().center())
    for share in (0.5, 1.0):
        QTest.mouseMove(
            edge, edge.mapFromGlobal(start + QPoint(round(share * dx), round(share * dy)))
        )
        lab.settle_drawing()
    QTest.mouseRelease(edge, LEFT, pos=edge.rect().center())


def widths(lab: Lab) -> tuple[int, int, int]:
    window = lab.window
    return window.left_dock.width(), window.right_dock.width(), window.timeline.height()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "wanted", "middle"),
    [
        ((1280, 800), (252, 324, 132), 653),
        ((1920, 1080), (316, 464, 252), 1086),
        ((2560, 1440), (360, 560, 342), 1580),
    ],
)
def test_the_window_has_the_sizes_of_the_table(open_lab, size, wanted, middle) -> None:
    """The middle less the rules between the parts, which take a pixel each."""
    lab = open_lab(size=size)
    assert widths(lab) == wanted
    assert lab.window.stage.width() == pytest.approx(middle, abs=6)


@pytest.mark.slow
def test_an_edge_that_is_dragged_stays_there_and_is_remembered(
    open_lab, settings: QSettings
) -> None:
    lab = open_lab()
    drag(lab, "left", 60)
    drag(lab, "right", -40)
    drag(lab, "timeline", 0, -50)
    assert widths(lab) == (312, 364, 182)
    assert json.loads(settings.value("sizes")) == {"left": 312, "right": 364, "timeline": 182}
    again = open_lab()
    assert widths(again) == (312, 364, 182)
    again.window.resize(1400, 900)
    again.settle_drawing()
    assert widths(again) == (312, 364, 182), "a hand wins over every rule"
    for edge in again.window.room.edges.values():
        double_click(edge, edge.rect().center())
    assert widths(again) == (264, 350, 160), "the rules have them back"
    assert json.loads(settings.value("sizes")) == {}


@pytest.mark.slow
def test_a_hand_cannot_push_anything_out(lab: Lab) -> None:
    drag(lab, "left", -400)
    drag(lab, "right", -2000)
    drag(lab, "timeline", 0, -3000)
    left, right, timeline = widths(lab)
    assert left == 208
    assert timeline == 400
    assert lab.window.stage.width() >= 474
    drag(lab, "right", 40)
    assert lab.window.right_dock.width() == right - 40, "what went beyond was forgotten"


@pytest.mark.slow
def test_edges_are_moved_from_the_keyboard(lab: Lab) -> None:
    """F6 goes round; arrows move by 16 pixels and not the run."""
    window = lab.window
    for name, key, wanted in (
        ("left", Key.Key_Right, (268, 324, 132)),
        ("right", Key.Key_Left, (268, 340, 132)),
        ("timeline", Key.Key_Up, (268, 340, 148)),
    ):
        lab.key(Key.Key_F6)
        # there as soon as the run has some
        if QApplication.focusWidget() is window.room.edges["figures"]:
            lab.key(Key.Key_F6)
        assert QApplication.focusWidget() is window.room.edges[name]
        lab.key(key)
        lab.settle_drawing()
        assert widths(lab) == wanted
    lab.key(Key.Key_F6)
    assert QApplication.focusWidget() is window.room.edges["left"]
    lab.key(Key.Key_Left)
    assert lab.session.cursor == 0
    assert window.left_dock.width() == 252


@pytest.mark.slow
def test_the_place_to_grip_is_wider_than_the_edge(lab: Lab) -> None:
    """Nine pixels, the edge in their middle, where the parts are now."""
    window = lab.window
    room = lab.window.room
    corner = window.left_dock.mapTo(window.centralWidget(), QPoint(window.left_dock.width(), 0))
    assert room.edges["left"].geometry().left() == corner.x() - 4
    assert room.edges["left"].width() == 9
    top = window.foot.mapTo(window.centralWidget(), QPoint(0, 0)).y() - 1
    assert room.edges["timeline"].geometry().center().y() == top
    window.toggle_projector()
    lab.settle_drawing()
    assert not any(edge.isVisible() for edge in room.edges.values())


@pytest.mark.slow
def test_the_projector_has_sizes_of_its_own(lab: Lab) -> None:
    drag(lab, "left", 60)
    lab.window.toggle_projector()
    lab.window.room.unfold(lab.window.left_dock)
    lab.settle_drawing()
    assert lab.window.left_dock.width() == 364
    drag(lab, "left", 36)
    assert lab.window.left_dock.width() == 400
    lab.window.toggle_projector()
    lab.settle_drawing()
    assert lab.window.left_dock.width() == 312


# -- small windows ---------------------------------------------------------------------------------


def shown(lab: Lab) -> set[str]:
    window = lab.window
    left, right = (window.room.rails[dock] for dock in (window.left_dock, window.right_dock))
    parts: dict[str, QWidget] = {
        "left": window.left_dock,
        "right": window.right_dock,
        "left rail": left,
        "right rail": right,
        "sentence": window.lead,
    }
    return {name for name, part in parts.items() if part.isVisible()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ((1100, 800), {"left", "right"}),
        ((1098, 800), {"left rail", "right"}),
        ((898, 700), {"left rail", "right rail", "sentence"}),
        ((800, 600), {"left rail", "right rail", "sentence"}),
    ],
)
def test_small_windows_fold_docks_into_rails(open_lab, size, wanted) -> None:
    lab = open_lab(size=size)
    assert (lab.window.width(), lab.window.height()) == size
    assert shown(lab) == wanted
    assert lab.window.stage.width() >= 480 - 6


def test_a_name_on_the_rail_shows_its_dock_and_takes_it_away(open_lab) -> None:
    lab = open_lab(size=(1000, 700))
    rail = lab.window.room.rails[lab.window.left_dock]
    assert rail.width() == RAIL
    QTest.mouseClick(rail.buttons["Parameters"], LEFT)
    lab.settle_drawing()
    assert shown(lab) == {"left", "left rail", "right"}
    assert rail.buttons["Parameters"].isChecked()
    QTest.mouseClick(rail.buttons["Data"], LEFT)
    assert rail.buttons["Data"].isChecked() and not rail.buttons["Parameters"].isChecked()
    QTest.mouseClick(rail.buttons["Data"], LEFT)
    lab.settle_drawing()
    assert shown(lab) == {"left rail", "right"}


def test_a_command_that_leads_into_a_folded_dock_opens_it(open_lab) -> None:
    lab = open_lab(size=(1000, 700))
    lab.window.left_dock.focus_data()
    lab.settle_drawing()
    assert "left" in shown(lab)
    lab.window.resize(1280, 800)
    lab.settle_drawing()
    assert shown(lab) == {"left", "right"}


def test_the_sentence_under_the_stage_is_the_steps(open_lab) -> None:
    lab = open_lab(size=(800, 600))
    line = lab.window.lead
    for step in (0, 1, 37):
        lab.session.seek(step)
        lab.settle_drawing()
        assert line.lead.as_text() == lab.session.step.note.text()
        assert line.lead.height() >= line.lead.heightForWidth(line.lead.width())
    rail = lab.window.room.rails[lab.window.right_dock]
    QTest.mouseClick(rail.buttons["This step"], LEFT)
    assert "sentence" not in shown(lab), "it is read in the dock"


def test_folding_both_docks_away_takes_the_rails_too(open_lab) -> None:
    lab = open_lab(size=(1000, 700))
    lab.window.room.fold_docks()
    lab.settle_drawing()
    assert shown(lab) == set()
    lab.window.room.fold_docks()
    lab.settle_drawing()
    assert shown(lab) == {"left rail", "right"}
