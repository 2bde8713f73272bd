"""The hand tools with real clicks and drags; every stroke is one undo step."""

import numpy as np
import pytest
from laboratory import ALT, CTRL, LEFT, NONE, SHIFT, Key, Lab
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.edits import MAX_POINTS
from engine.document.lane import lane
from engine.document.table_edits import cell_text
from gui.plane.tools.draw import TAKEN
from gui.widgets.controls import ElidedLabel


def undone(lab: Lab, steps: int = 1) -> None:
    for _ in range(steps):
        lab.key(Key.Key_Z, CTRL)


def take(lab: Lab, tool: str) -> None:
    """By its letter."""
    lab.key(ord(lab.plane.tools[tool].shortcut))
    assert lab.session.tool == tool


# -- add -------------------------------------------------------------------------------------------


def test_a_click_adds_a_point_of_the_current_class_there(square: Lab) -> None:
    square.click(2, 2)
    assert square.points()[-1] == pytest.approx((2, 2), abs=0.01)
    assert square.classes() == [1, 1, -1, -1, 1]


@pytest.mark.slow
def test_shift_click_adds_the_next_class_and_then_a_third(square: Lab) -> None:
    square.click(2, 2, SHIFT)
    assert square.classes()[-1] == -1
    square.key(Key.Key_2)
    square.click(2, -2, SHIFT)
    assert square.data.classes == (1, -1, 3)
    assert square.classes()[-1] == 3
    assert (
        len(square.window.tool_strip.findChildren(type(square.window.tool_strip.buttons["add"])))
        >= 3
    )
    undone(square)
    assert square.data.classes == (1, -1)


def test_a_click_on_a_point_says_why_none_came(square: Lab) -> None:
    """Within the reach of a point a click may begin a drag: nothing came, and nothing was said."""
    before = square.session.document
    square.click(1, 1)
    assert square.said() == TAKEN
    assert square.session.document is before
    beside = square.pixel(1, 1) + QPoint(7, 0)
    QTest.mouseClick(square.plane.viewport(), LEFT, NONE, beside)
    assert square.session.document is before
    square.drag((1, 1), (2, 2))
    square.session.say("")
    square.click(0, 2)
    assert len(square.data) == 5
    assert square.said() == ""


def test_ctrl_click_puts_a_point_on_another_one(square: Lab) -> None:
    square.click(1, 1, CTRL)
    assert square.points()[-1] == pytest.approx((1, 1), abs=0.02)
    assert square.classes()[-1] == 1
    assert square.said() != TAKEN
    undone(square)
    assert len(square.data) == 4


@pytest.mark.slow
def test_ctrl_enter_does_so_at_the_cross(square: Lab) -> None:
    """The cross begins in the middle; what Enter puts there lies under it then."""
    square.key(Key.Key_Right, CTRL)
    square.key(Key.Key_Return)
    assert len(square.data) == 5
    square.key(Key.Key_Return)
    assert (len(square.data), square.said()) == (5, TAKEN)
    square.key(Key.Key_Return, CTRL)
    assert len(square.data) == 6


def test_a_drag_that_was_given_up_says_nothing(square: Lab) -> None:
    square.press(1, 1)
    square.move(1.5, 1.5)
    square.key(Key.Key_Escape)
    square.release(1.5, 1.5)
    assert square.said() != TAKEN


@pytest.mark.slow
def test_number_keys_choose_the_class(square: Lab) -> None:
    for key, label in ((Key.Key_2, -1), (Key.Key_1, 1), (Key.Key_3, 3)):
        square.key(key)
        square.click(2, 2)
        assert square.classes()[-1] == label
        square.key(Key.Key_Z, CTRL)
        assert len(square.data) == 4


def test_a_third_class_is_called_the_same_everywhere(square: Lab) -> None:
    """Beside +1 and −1 the key 3 begins a class 3: it was “2” in the table and “+2” in the dock."""
    square.key(Key.Key_3)
    square.click(2, 2)
    square.settle()
    dock = [row.full_text() for row in square.window.left_dock.data.findChildren(ElidedLabel)]
    assert {"class +1", "class −1", "class 3"} <= set(dock)
    strip = square.window.tool_strip.classes
    tips = [strip.itemAt(k).widget().accessibleName() for k in range(strip.count())]
    assert tips == ["Class +1 (key 1)", "Class −1 (key 2)", "Class 3 (key 3)"]
    assert cell_text(square.data["y"], 4) == "3"
    assert [square.session.problem.class_text(k) for k in range(3)] == ["+1", "−1", "3"]


def test_class_after_class_while_clicking(square: Lab) -> None:
    """1, click, 2, click is no step number 12."""
    for key, place in [(Key.Key_1, (2, 2)), (Key.Key_2, (2, -2)), (Key.Key_1, (-2, 2))]:
        square.key(key)
        square.click(*place)
    assert square.classes()[-3:] == [1, -1, 1]


def test_a_class_too_far_is_refused_in_words(square: Lab) -> None:
    square.key(Key.Key_9)
    assert square.said() == "There are 2 classes; key 3 begins a new one."
    assert square.session.current_class == 0


def test_other_data_with_fewer_classes_begin_no_class(open_lab) -> None:
    lab = open_lab(Document(engine.real("iris"), (lane("nearest_neighbours"),)))
    lab.key(Key.Key_4)
    lab.window.commands.use_data(engine.generate("moons"))
    classes = lab.data.classes
    lab.click(*lab.free_place())
    lab.click(*lab.free_place())
    assert lab.data.classes == classes


def test_points_on_a_plane_without_classes(open_lab) -> None:
    """A value to predict is read from the second axis."""
    lab = open_lab(Document(engine.generate("sine"), (lane("decision_tree"),)))
    place = lab.free_place()
    lab.click(*place)
    assert lab.classes()[-1] == pytest.approx(place[1], abs=0.02)
    assert lab.points()[-1] == pytest.approx(place, abs=0.02)


def test_hidden_columns_of_a_new_point_are_usual_values(open_lab) -> None:
    lab = open_lab(Document(engine.real("iris"), (lane("nearest_neighbours"),)))
    lab.click(*lab.free_place())
    hidden = [c for j, c in enumerate(lab.data.features) if j not in lab.session.problem.plane]
    assert len(hidden) == 2
    for column in hidden:
        assert column.values[-1] == pytest.approx(column.values[:-1].mean())


@pytest.mark.slow
def test_a_plane_of_made_columns_takes_no_clicks_and_says_why(open_lab) -> None:
    lab = open_lab(Document(engine.generate("circles"), (lane("perceptron"),)), wait=False)
    lab.window.left_dock.data.toggle("polar")
    before = lab.session.document
    lab.click(*lab.free_place())
    assert lab.session.document is before
    assert lab.said().endswith(".")


@pytest.mark.slow
def test_the_plane_is_full_at_some_point(square: Lab) -> None:
    rows = np.arange(MAX_POINTS) % 4
    square.session.edit(
        Document(
            square.data.take(rows), square.session.document.lanes, view=square.session.document.view
        ),
        "many",
    )
    square.click(2, 2)
    assert len(square.data) == MAX_POINTS
    assert f"{MAX_POINTS:,} points" in square.said()


# -- move ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_drag_moves_the_point_under_it(square: Lab) -> None:
    for tool in ("add", "move", "select"):
        take(square, tool)
        square.drag((1, 1), (1.5, 0.5), (2, 2))
        assert square.points()[0] == pytest.approx((2, 2), abs=0.02)
        assert len(square.data) == 4
        undone(square)
        assert square.points()[0].tolist() == [1, 1]


def test_the_algorithm_follows_a_drag_at_the_same_step(square: Lab) -> None:
    square.session.seek(2)
    run = square.session.lane_run
    square.drag((1, 1), (2, 2))
    assert square.session.lane_run is not run
    assert square.session.cursor == 2
    assert square.session.problem.xy[0] == pytest.approx((2, 2), abs=0.02)


def test_the_algorithm_follows_a_drag_at_the_end(square: Lab) -> None:
    """Who looks at the result goes on looking at the result, however long the run is now."""
    square.key(Key.Key_End)
    square.settle()
    lengths = set()
    for place in [(0.5, 0.8), (2, 2.5), (-0.5, 0.6)]:
        square.drag(tuple(square.points()[0]), place)
        square.settle()
        assert square.session.finished
        assert square.session.cursor == len(square.session.trace) - 1
        lengths.add(len(square.session.trace))
    assert len(lengths) > 1


def test_a_drag_that_is_undone_in_the_middle_is_over(square: Lab) -> None:
    square.click(2, 2)
    square.press(2, 2)
    square.move(2.5, 2.5)
    undone(square, 2)
    square.move(0, 0)
    square.release(0, 0)
    assert square.points().tolist() == [[1, 1], [1, -1], [-1, 1], [-1, -1]]


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["add", "spray", "erase", "relabel"])
def test_escape_gives_a_stroke_up(square: Lab, tool: str) -> None:
    """All that it did is as before, the pointer that goes on does nothing, and there is nothing to
    undo.
    """
    take(square, tool)
    square.key(Key.Key_2)
    before = square.points().copy()
    classes = square.classes()
    square.press(0.5, 1)
    square.move(1, 1)
    square.move(1, -1)
    assert not (np.array_equal(square.points(), before) and square.classes() == classes)
    square.key(Key.Key_Escape)
    for place in ((0, 0), (-1, 1), (-1, -1)):
        square.move(*place)
    square.release(-1, -1)
    assert np.array_equal(square.points(), before)
    assert square.classes() == classes
    assert (square.session.history.done, square.session.history.undone) == ([], [])
    square.drag((1, 1), (1, -1))
    assert len(square.session.history.done) == 1  # the next one is whole again


def test_escape_gives_up_the_stroke_of_a_tool_laid_down_in_its_middle(square: Lab) -> None:
    take(square, "erase")
    square.press(1, 1)
    assert len(square.data) == 3
    take(square, "select")
    square.key(Key.Key_Escape)
    assert len(square.data) == 4
    square.release(1, 1)
    assert square.session.history.done == []


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["add", "select", "move"])
def test_escape_gives_a_drag_up(square: Lab, tool: str) -> None:
    """The points are back where they were, also when the pointer goes on, and there is nothing to
    undo.
    """
    take(square, tool)
    if tool != "add":
        square.window.action("select_all").trigger()
    before = square.points().copy()
    selected = square.plane.selected
    square.press(1, 1)
    square.move(1.5, 1)
    square.move(2, 1.5)
    assert not np.allclose(square.points(), before)
    square.key(Key.Key_Escape)
    assert np.array_equal(square.points(), before)
    square.move(0.5, 0)
    square.release(0.5, 0)
    assert np.array_equal(square.points(), before)
    assert square.plane.selected == selected
    assert (square.session.history.done, square.session.history.undone) == ([], [])
    square.drag((1, 1), (2, 1.5))
    assert not np.allclose(square.points(), before)
    undone(square)
    assert np.array_equal(square.points(), before)


def test_the_tool_may_change_in_the_middle_of_a_stroke(square: Lab) -> None:
    take(square, "line")
    square.press(-2, 2)
    square.session.set_settings(tool="add")
    square.move(2, 2)
    square.release(2, 2)
    assert len(square.data) > 10
    undone(square)
    assert len(square.data) == 4


# -- select ----------------------------------------------------------------------------------------


def test_a_rubber_band_selects_and_delete_removes(square: Lab) -> None:
    take(square, "select")
    square.drag((0.2, 2), (2, -2))
    assert square.plane.selected == {0, 1}
    square.key(Key.Key_Delete)
    assert square.points().tolist() == [[-1, 1], [-1, -1]]
    undone(square)
    assert len(square.data) == 4


def test_shift_adds_to_the_selection_and_takes_from_it(square: Lab) -> None:
    take(square, "select")
    square.click(1, 1)
    square.click(-1, 1, SHIFT)
    assert square.plane.selected == {0, 2}
    square.click(1, 1, SHIFT)
    assert square.plane.selected == {2}
    square.drag((0.2, 2), (2, -2), keys=SHIFT)
    assert square.plane.selected == {0, 1, 2}
    square.click(0, 0)
    assert square.plane.selected == frozenset()


def test_the_selection_is_dragged_as_a_whole(square: Lab) -> None:
    take(square, "select")
    square.drag((0.2, 2), (2, -2))
    square.drag((1, 1), (1.5, 1.5))
    assert square.points()[:2] == pytest.approx(np.array([[1.5, 1.5], [1.5, -0.5]]), abs=0.02)
    assert square.points()[2:].tolist() == [[-1, 1], [-1, -1]]


def test_arrows_nudge_the_selection_and_do_not_step(square: Lab) -> None:
    take(square, "select")
    square.click(1, 1)
    sx, sy = square.plane.view().unit
    square.key(Key.Key_Right)
    square.key(Key.Key_Up, SHIFT)
    assert square.points()[0] == pytest.approx((1 + 1 / sx, 1 + 10 / sy))
    square.key(Key.Key_Left)
    square.key(Key.Key_Down, SHIFT)
    assert square.points()[0] == pytest.approx((1, 1))
    assert square.session.cursor == 0
    undone(square, 4)
    assert square.points()[0].tolist() == [1, 1]
    square.key(Key.Key_Escape)
    square.settle()
    square.key(Key.Key_Right)
    assert square.session.cursor == 1


def test_select_all_and_escape(square: Lab) -> None:
    square.key(Key.Key_A, CTRL)
    assert square.plane.selected == {0, 1, 2, 3}
    square.key(Key.Key_Escape)
    assert square.plane.selected == frozenset()


def test_all_points_can_go_and_come_back(square: Lab) -> None:
    square.key(Key.Key_A, CTRL)
    square.key(Key.Key_Delete)
    assert len(square.data) == 0
    assert square.session.trace is None
    assert "no examples yet" in square.said()
    undone(square)
    assert len(square.data) == 4
    assert square.session.trace is not None


# -- brushes and strokes ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "places"), [
    ("spray", [(-2, 2), (0, 2), (2, 2)]),
    ("line", [(-2, 2), (2, 2)]),
    ("ellipse", [(0, 0), (2, 2)]),
])  # fmt: skip
def test_strokes_that_add_are_one_undo_step(
    square: Lab, tool: str, places: list[tuple[float, float]]
) -> None:
    take(square, tool)
    square.drag(*places)
    assert len(square.data) > 8
    assert len(square.session.history.done) == 1
    undone(square)
    assert len(square.data) == 4
    square.drag(*places)
    square.drag(*[(x, y - 1) for x, y in places])
    assert len(square.session.history.done) == 2


def test_a_line_is_straight_and_even(square: Lab) -> None:
    take(square, "line")
    square.drag((-2, 2), (2, 1))
    drawn = square.points()[4:]
    assert drawn[0] == pytest.approx((-2, 2), abs=0.01)
    assert drawn[-1] == pytest.approx((2, 1), abs=0.01)
    apart = np.linalg.norm(np.diff(drawn, axis=0), axis=1)
    assert apart == pytest.approx(apart.mean())


@pytest.mark.slow
def test_an_ellipse_and_a_circle(square: Lab) -> None:
    take(square, "ellipse")
    square.drag((0, 0), (2, 1))
    x, y = square.points()[4:].T
    assert (x / 2) ** 2 + y**2 == pytest.approx(np.ones(len(x)), abs=0.03)
    undone(square)
    square.drag((0, 0), (1, 0.2), keys=ALT)
    assert np.hypot(*square.points()[4:].T).std() < 0.35


@pytest.mark.slow
def test_spray_stays_in_its_circle_and_has_a_radius_and_a_density(square: Lab) -> None:
    take(square, "spray")
    square.key(Key.Key_N)
    assert "uniform" in square.said()
    tool = square.plane.tools["spray"]
    square.wheel(0, 0, +1, ALT)
    assert tool.density == 4
    square.wheel(0, 0, -1, CTRL)
    assert tool.radius == pytest.approx(40 / 1.15)
    unit = square.plane.view().unit
    square.click(0, 0)
    added = square.points()[4:]
    assert len(added) == 4
    assert (np.linalg.norm(added * unit, axis=1) <= tool.radius + 1).all()


@pytest.mark.slow
def test_erase(square: Lab) -> None:
    take(square, "erase")
    square.drag((1, 2), (1, 1), (1, 0), (1, -1))
    assert square.points().tolist() == [[-1, 1], [-1, -1]]
    assert len(square.session.history.done) == 1
    undone(square)
    assert len(square.data) == 4


def test_relabel_and_with_shift_the_next_class(square: Lab) -> None:
    take(square, "relabel")
    square.key(Key.Key_2)
    square.drag((1, 2), (1, 1), (1, 0), (1, -1))
    assert square.classes() == [-1, -1, -1, -1]
    assert len(square.session.history.done) == 1
    undone(square)
    square.drag((-1, 2), (-1, 1), keys=SHIFT)
    assert square.classes() == [1, 1, 3, -1]
    assert square.data.classes == (1, -1, 3)


def test_escape_ends_a_stroke(square: Lab) -> None:
    take(square, "line")
    square.press(-2, 2)
    square.move(2, 2)
    square.key(Key.Key_Escape)
    square.release(2, 2)
    assert len(square.data) == 4


def test_escape_takes_the_probe_away_whatever_tool_is_in_hand(square: Lab) -> None:
    """A brush shows its circle all the time; that is no stroke to end."""
    square.session.place_probe((0.5, 0.5))
    take(square, "erase")
    square.move(2, 0)
    square.key(Key.Key_Escape)
    assert square.session.document.probe is None


# -- probe -----------------------------------------------------------------------------------------


def test_the_probe_reads_where_it_points_and_stays_where_it_is_put(square: Lab) -> None:
    square.key(Key.Key_End)
    square.settle()
    take(square, "probe")
    why = square.window.right_dock.why
    square.move(2, 0)
    right = why.as_text()
    square.move(-2, 0)
    left = why.as_text()
    assert right != left
    square.click(2, 0)
    assert square.session.document.probe == pytest.approx((2, 0), abs=0.02)
    assert square.session.problem.query == pytest.approx((2, 0), abs=0.02)
    square.settle()
    take(square, "add")
    square.plane.leaveEvent(QEvent(QEvent.Type.Leave))
    placed = why.as_text()
    assert "probe" in placed
    square.key(Key.Key_Home)
    square.settle()
    assert why.as_text() != placed, "the explanation follows the step"
    undone(square)
    assert square.session.document.probe is None


@pytest.mark.slow
def test_a_dragged_probe_is_one_undo_step(square: Lab) -> None:
    take(square, "probe")
    square.drag((0, 0), (1, 2), (2, 0))
    assert square.session.document.probe == pytest.approx((2, 0), abs=0.02)
    assert len(square.session.history.done) == 1


# -- selection -------------------------------------------------------------------------------------


def test_the_same_points_stay_selected_when_others_are_erased(square: Lab) -> None:
    wanted = square.points()[2].copy()
    take(square, "select")
    square.click(*wanted)
    take(square, "erase")
    square.click(*square.points()[0])
    assert square.points()[list(square.plane.selected)].tolist() == [wanted.tolist()]
    undone(square)
    assert square.points()[list(square.plane.selected)].tolist() == [wanted.tolist()]


@pytest.mark.slow
def test_another_table_begins_without_a_selection(square: Lab) -> None:
    take(square, "select")
    square.drag((-2.9, -2.9), (2.9, 2.9))
    assert square.plane.selected
    square.window.commands.take("generate", "moons")
    assert not square.plane.selected
    n = len(square.data)
    square.key(Key.Key_Delete)
    assert len(square.data) == n
