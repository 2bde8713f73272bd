"""What the plane does with the pointer itself: zoom, pan, fit, snap, hover; and the points it
shows.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from laboratory import CTRL, LEFT, MIDDLE, NONE, RIGHT, Key, Lab, double_click
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane, lane
from engine.judge.surface import LADDER
from engine.scene.scene import Bars, Circles, Points, Role, Scene, Tree
from gui.frame.figure_panel import FigureStack
from gui.look import theme
from gui.plane.point_menu import PlaceForm, PointMenu


def test_a_place_and_its_pixel_belong_together(square: Lab) -> None:
    for place in [(0.0, 0.0), (1.5, -2.0), (-2.9, 2.9)]:
        assert square.coordinates(square.pixel(*place)) == pytest.approx(place, abs=0.01)


def test_one_unit_is_as_long_upwards_as_sideways(lab: Lab) -> None:
    wide, high = lab.plane.view().unit
    assert wide == pytest.approx(high, rel=0.02)


def test_the_wheel_zooms_in_at_the_cursor(square: Lab) -> None:
    pixel = square.pixel(1, 1)
    before = square.plane.view()
    square.wheel(1, 1, +3)
    after = square.plane.view()
    assert after.unit[0] > 1.2 * before.unit[0]
    assert square.coordinates(pixel) == pytest.approx((1, 1), abs=0.02)
    square.wheel(1, 1, -3)
    assert square.plane.view().unit[0] == pytest.approx(before.unit[0], rel=0.01)


def test_the_numbers_beside_the_plane_have_room_in_a_window_of_any_height(open_lab) -> None:
    """Another height has other numbers: 500 may become 1000."""
    lab = open_lab(Document(engine.generate("houses", 30, 60.0), (lane("linear_regression"),)))
    axis = lab.plane.axes["left"]
    box = lab.plane.view_box
    for height in (640, 700, 760, 800, 900, 1000):
        lab.window.resize(1280, height)
        lab.settle()
        assert axis.room(*box.viewRange()[1], box.height()) <= axis.width()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["middle button", "space"])
def test_pan(square: Lab, by: str) -> None:
    """The place under the pointer goes along; nothing is edited and nothing plays."""
    pixel = square.pixel(2, 1)
    n = len(square.data)
    if by == "space":
        square.hold(Key.Key_Space)
        square.drag((0, 0), (2, 1))
        square.let_go(Key.Key_Space)
    else:
        square.drag((0, 0), (2, 1), button=MIDDLE)
    assert square.coordinates(pixel) == pytest.approx((0, 0), abs=0.02)
    assert len(square.data) == n
    assert not square.session.player.playing


def test_f_fits_every_point(lab: Lab) -> None:
    for _ in range(3):
        lab.wheel(0, 0, +5)
    lab.drag((0, 0), (0.1, 0.1), button=MIDDLE)
    lab.key(Key.Key_F)
    view = lab.plane.view()
    points = lab.points()
    assert (points > (view.x[0], view.y[0])).all()
    assert (points < (view.x[1], view.y[1])).all()


def test_zoom_by_keys(square: Lab) -> None:
    before = square.plane.view().unit[0]
    square.window.action("zoom_in").trigger()
    assert square.plane.view().unit[0] > before
    square.window.action("zoom_out").trigger()
    assert square.plane.view().unit[0] == pytest.approx(before)


def test_g_snaps_to_the_grid(square: Lab) -> None:
    square.key(Key.Key_G)
    assert square.window.action("snap").isChecked()
    assert square.said() == "Points snap to the grid."
    square.click(0.3333, 2.0871)
    ticks = square.plane.grid.ticks("bottom", *square.plane.view().x)
    step = (ticks[1] - ticks[0]) / 10
    x, y = square.points()[-1]
    assert x / step == pytest.approx(round(x / step), abs=1e-6)
    assert y / step == pytest.approx(round(y / step), abs=1e-6)
    square.key(Key.Key_G)
    square.click(-0.3333, 2.0871)
    assert square.points()[-1] == pytest.approx(square.coordinates(square.pixel(-0.3333, 2.0871)))


@pytest.mark.slow
def test_hover_lights_what_it_is_over_and_reads_the_place(square: Lab) -> None:
    square.key(Key.Key_End)
    square.settle()
    square.move(0.5, 0.25)
    assert square.session.pointer.place == pytest.approx((0.5, 0.25), abs=0.02)
    lit = set()
    for x in np.linspace(-1, 1, 41):
        square.move(float(x), 0.5)
        lit |= square.session.pointer.lit
    assert lit, "no line or region lights up on the way from one class to the other"
    QTest.mouseMove(square.window.menu_row)


def test_the_pointer_that_leaves_reads_nothing(square: Lab) -> None:
    square.move(0, 0)
    square.plane.leaveEvent(QEvent(QEvent.Type.Leave))
    assert square.session.pointer.place is None
    assert square.session.pointer.lit == frozenset()


def test_clicks_beside_the_axes_do_nothing(square: Lab) -> None:
    QTest.mouseClick(square.plane.viewport(), LEFT, pos=square.plane.rect().bottomLeft())
    assert len(square.data) == 4


def test_two_quick_clicks_are_two_points(square: Lab) -> None:
    """A double click comes as press, release, double click, release."""
    pixel = square.pixel(0, 2)
    viewport = square.plane.viewport()
    QTest.mouseClick(viewport, LEFT, pos=pixel)
    double_click(viewport, square.pixel(0.3, 2.2))
    assert len(square.data) >= 6


@pytest.mark.slow
def test_axes_are_named_after_the_columns_and_other_columns_can_be_chosen(open_lab) -> None:
    lab = open_lab(Document(engine.real("iris"), (lane("nearest_neighbours"),)))
    boxes = lab.window.left_dock.data.axes.boxes
    names = [boxes[0].itemText(k) for k in range(boxes[0].count())]
    x, y = (box.currentText() for box in boxes)
    assert lab.plane.axis_names() == (x, y)
    other = next(name for name in names if name not in (x, y))
    boxes[0].setCurrentIndex(names.index(other))
    boxes[0].activated.emit(names.index(other))
    assert lab.plane.axis_names() == (other, y)
    values = lab.data[other].values
    assert (lab.points()[:, 0] == values).all()


def test_the_same_column_twice_is_refused_in_words(open_lab) -> None:
    lab = open_lab(Document(engine.real("iris"), (lane("nearest_neighbours"),)))
    boxes = lab.window.left_dock.data.axes.boxes
    before = lab.session.document
    own = boxes[0].currentIndex()
    same = boxes[0].findText(boxes[1].currentText())
    boxes[0].setCurrentIndex(same)
    boxes[0].activated.emit(same)
    assert lab.session.document == before
    assert "two different columns" in lab.said()
    assert boxes[0].currentIndex() == own


def test_a_table_without_numbers_is_shown_by_tree_and_table(open_lab) -> None:
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)))
    assert not lab.plane.isVisible()
    lab.window.commands.use_data(engine.generate("moons"))
    assert lab.plane.isVisible()


# -- the menu of a point ---------------------------------------------------------------------------


def menu() -> PointMenu | None:
    found = QApplication.activePopupWidget()
    return found if isinstance(found, PointMenu) else None


def form() -> PlaceForm:
    found = QApplication.activePopupWidget()
    assert isinstance(found, PlaceForm)
    return found


def choose(words: str) -> None:
    opened = menu()
    assert opened is not None
    action = next(a for a in opened.actions() if a.text().startswith(words))
    QTest.mouseClick(opened, LEFT, pos=opened.actionGeometry(action).center())


def test_right_click_on_a_point_gives_it_another_class(square: Lab) -> None:
    square.click(1, 1, button=RIGHT)
    opened = menu()
    assert opened is not None
    assert [a.text() for a in opened.actions() if not a.isSeparator()] == [
        "Class +1",
        "Class −1",
        "A new class",
        "Coordinates…",
        "Delete this point",
    ]
    assert [a.isChecked() for a in opened.actions()[:2]] == [True, False]
    choose("Class −1")
    assert square.classes() == [-1, 1, -1, -1]
    square.key(Key.Key_Z, CTRL)
    assert square.classes() == [1, 1, -1, -1]


def test_right_click_can_begin_a_class(square: Lab) -> None:
    square.click(1, 1, button=RIGHT)
    choose("A new class")
    assert square.classes() == [3, 1, -1, -1]


def test_right_click_deletes(square: Lab) -> None:
    square.click(1, -1, button=RIGHT)
    choose("Delete this point")
    assert square.points().tolist() == [[1, 1], [-1, 1], [-1, -1]]


def test_right_click_beside_the_points_does_nothing(square: Lab) -> None:
    square.click(0, 0, button=RIGHT)
    assert menu() is None
    assert len(square.data) == 4


def test_exact_coordinates_are_typed(square: Lab) -> None:
    square.click(1, 1, button=RIGHT)
    choose("Coordinates")
    fields = list(form().fields.values())
    fields[0].setText("1.25")
    fields[1].setText("−0,5")
    QTest.keyClick(fields[1], Key.Key_Return)
    assert square.points()[0].tolist() == [1.25, -0.5]
    square.key(Key.Key_Z, CTRL)
    assert square.points()[0].tolist() == [1, 1]


@pytest.mark.slow
def test_a_text_that_is_no_number_is_named_and_changes_nothing(square: Lab) -> None:
    square.click(1, 1, button=RIGHT)
    choose("Coordinates")
    opened = form()
    field = next(iter(opened.fields.values()))
    for text in ("", "abc", "inf", "nan", "1e999"):
        field.setText(text)
        QTest.keyClick(field, Key.Key_Return)
        assert form() is opened
        assert opened.error.text() == f"“{text}” is no number for x₁."
        assert square.points()[0].tolist() == [1, 1]
    opened.close()


def test_the_menu_of_a_selected_point_is_for_the_selection(square: Lab) -> None:
    square.session.set_settings(tool="select")
    square.drag((0.5, -2), (2, 2))
    square.click(1, 1, button=RIGHT)
    opened = menu()
    assert opened is not None
    assert "Coordinates…" not in [a.text() for a in opened.actions()]
    choose("Delete these 2 points")
    assert square.points().tolist() == [[-1, 1], [-1, -1]]


@pytest.mark.slow
def test_the_value_to_predict_is_typed_with_the_coordinates(open_lab) -> None:
    """The plane shows x₁ and the value, or two columns; then the value has a field of its own."""
    data = engine.Dataset.from_arrays([[0.0, 0.0], [1.0, 1.0]], [0.5, 2.5], task="regress")
    for plane, place, words in [
        ((), (0, 0.5), "Coordinates…"),
        (("x1", "x2"), (0, 0), "Coordinates and value…"),
    ]:
        lab = open_lab(Document(data, (lane("decision_tree"),), plane=plane))
        lab.click(*place, button=RIGHT)
        choose(words)
        value = list(form().fields.values())[-1]
        value.setText("7")
        QTest.keyClick(value, Key.Key_Return)
        assert lab.classes() == [7, 2.5]


# -- equal scales where a scene asks for them ------------------------------------------------------

RING = Circles(np.array([[1.0, 0.5]]), np.array([20.0]), Role.BOUNDARY)


@pytest.fixture
def long_lab(open_lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Points twenty times as far apart sideways as upwards; the perceptron's picture is one circle
    instead, and the scenes ask for equal scales as long as `wanted` holds True.
    """
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.uniform(-40, 40, 24), rng.uniform(-2, 2, 24)])
    data = engine.Dataset.from_arrays(X, np.where(X[:, 0] > 0, 1, -1), name="long")
    wanted = [True]
    usual_beside = lane("perceptron").algorithm.beside

    class Ringed(type(usual_beside)):
        def find(self, part, name, own=""):
            ring = lambda *_: Scene((RING,), equal_scales=wanted[0])  # noqa: E731
            return ring if name == "scene" else super().find(part, name, own)

    changed = replace(lane("perceptron").algorithm, beside=Ringed(usual_beside.page))
    usual = Lane.algorithm.fget
    monkeypatch.setattr(
        Lane,
        "algorithm",
        property(lambda lane: changed if lane.key == "perceptron" else usual(lane)),
    )
    made = open_lab(Document(data, (lane("perceptron"),)))
    made.wanted = wanted
    return made


def drawn_circle(lab: Lab) -> tuple[int, int]:
    """(width, height) in real pixels of what is drawn in the colour of boundaries: the circle."""
    lab.settle_drawing()
    image = lab.plane.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[
        :, : image.width()
    ]
    rows, columns = np.nonzero(pixels == theme.current().colour("ink").rgb())
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def test_a_scene_that_asks_for_it_has_equal_scales(long_lab: Lab) -> None:
    """A circle is round and every point is seen: at first, in another window, zoomed in and fitted
    again.
    """

    def round_and_whole(size: float = 0.0) -> int:
        wide, high = drawn_circle(long_lab)
        assert abs(wide - high) <= 2
        assert wide > size
        return wide

    def all_seen() -> bool:
        view = long_lab.plane.view()
        points = long_lab.points()
        return bool(
            (points > (view.x[0], view.y[0])).all() and (points < (view.x[1], view.y[1])).all()
        )

    first = round_and_whole(100)
    assert all_seen()
    long_lab.window.resize(1000, 950)
    round_and_whole(50)
    assert all_seen()
    long_lab.window.resize(1280, 800)
    long_lab.settle()
    long_lab.wheel(1, 0.5, +1)
    larger = round_and_whole(first + 20)
    long_lab.key(Key.Key_F)
    assert round_and_whole() < larger
    assert all_seen()


def test_equal_scales_stay_from_step_to_step(long_lab: Lab) -> None:
    """One scene without the wish does not make the plane jump, nor does it undo a zoom."""
    session = long_lab.session
    long_lab.wheel(1, 0.5, +1)
    before = long_lab.plane.view()
    for at in range(len(session.trace)):
        long_lab.wanted[0] = at % 2 == 0
        session.seek(at)
        assert (long_lab.plane.view().x, long_lab.plane.view().y) == (before.x, before.y)


@pytest.mark.slow
def test_a_method_that_does_not_ask_has_the_scales_of_the_data_again(long_lab: Lab) -> None:
    long_lab.session.choose("decision_tree")
    long_lab.settle()
    wide, high = long_lab.plane.view().unit
    assert high > 5 * wide
    long_lab.session.undo()
    long_lab.settle()
    assert np.divide(*long_lab.plane.view().unit) == pytest.approx(1, rel=0.01)


@pytest.mark.slow
def test_the_leaves_of_a_tree_do_not_all_glow_under_the_pointer(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("decision_tree"),)))
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    x, y = lab.free_place()
    for k in range(5):
        lab.move(x + 0.01 * k, y)
        assert "leaves" not in lab.session.pointer.lit
    lab.session.pointer.light(("leaves",))  # a word that speaks of them lights them all
    assert lab.session.pointer.lit == {"leaves"}


# -- surfaces --------------------------------------------------------------------------------------


def fineness(lab: Lab) -> int:
    """Rows of the raster that is there for the shown step; asks for none."""
    shown = lab.session.lane_run.id
    cursor = lab.session.cursor
    return max(
        (
            size
            for key, (size, _) in lab.session.surfaces.rasters.items()
            if key[:2] == (shown, cursor)
        ),
        default=0,
    )


@pytest.mark.slow
def test_a_surface_that_stands_still_is_refined(open_lab) -> None:
    """At the end of a run, after a change there, and where playing stopped."""
    lab = open_lab(
        Document(engine.generate("moons", 200, 0.15), (lane("nearest_neighbours", k=5),))
    )
    lab.key(Key.Key_End)
    lab.until(lambda: fineness(lab) == LADDER[-1])
    lab.session.set_params(k=4)
    lab.until(lambda: lab.session.finished and fineness(lab) == LADDER[-1])
    lab.key(Key.Key_Home)
    lab.session.set_settings(speed=30.0)
    lab.key(Key.Key_Space)
    lab.until(lambda: lab.session.cursor > 8)
    lab.key(Key.Key_Space)
    assert not lab.session.player.playing
    lab.until(lambda: fineness(lab) == LADDER[-1])


@pytest.mark.slow
def test_a_model_that_stands_still_keeps_its_fine_border_from_step_to_step(open_lab) -> None:
    """The neighbours of a question change nothing of the regions: no stairs come and go under the
    keys.
    """
    lab = open_lab(
        Document(engine.generate("moons", 200, 0.15), (lane("nearest_neighbours", k=5),))
    )
    lab.key(Key.Key_End)
    kept = lab.session.surfaces.rasters
    cursor = lab.session.cursor

    def drawn(at: int) -> tuple[int, np.ndarray]:
        return next(
            (raster for key, raster in kept.items() if key[1:3] == (at, "class")), (0, np.zeros(0))
        )

    lab.until(lambda: drawn(cursor)[0] == LADDER[-1])
    lab.key(Key.Key_Left)
    lab.until(lambda: drawn(cursor - 1)[0] > 0)
    assert drawn(cursor - 1)[1] is drawn(cursor)[1]


def test_the_surface_of_a_long_run_is_refined_when_its_end_is_reached(open_lab) -> None:
    lab = open_lab(
        Document(engine.generate("moons", 300, 0.3), (lane("adaboost", rounds=60),)), wait=False
    )
    lab.key(Key.Key_End)
    lab.until(lambda: lab.session.finished)
    lab.until(lambda: fineness(lab) == LADDER[-1])


@pytest.mark.slow
def test_while_a_button_is_held_the_surface_will_do_as_it_is(open_lab) -> None:
    """Points, sliders and the scrubber are dragged: the finer surface would be out of date when it
    is there.
    """
    lab = open_lab(
        Document(engine.generate("moons", 200, 0.15), (lane("nearest_neighbours", k=5),))
    )
    lab.session.set_settings(tool="move")
    lab.key(Key.Key_End)
    lab.until(lambda: fineness(lab) == LADDER[-1])
    x, y = lab.points()[0]
    lab.press(x, y)
    for step in range(4):
        lab.move(x + 0.05 * step, y)
        lab.settle()
    lab.until(lambda: fineness(lab) > 0)
    assert fineness(lab) < LADDER[-1]
    lab.release(x + 0.15, y)
    lab.until(lambda: fineness(lab) == LADDER[-1])
    timeline = lab.window.timeline
    QTest.mousePress(timeline, LEFT, pos=QPoint(timeline.width() // 2, 20))
    lab.settle()
    assert 0 < fineness(lab) < LADDER[-1]
    QTest.mouseRelease(timeline, LEFT, pos=QPoint(timeline.width() // 2, 20))
    lab.until(lambda: fineness(lab) == LADDER[-1])


@pytest.mark.slow
def test_ticks_of_large_numbers_differ_and_other_data_take_the_room_back(lab: Lab) -> None:
    axes = lab.plane.axes
    usual = lab.plane.axes["left"].width()
    places = 1e7 + 20 * np.random.default_rng(0).random((30, 2))
    lab.window.commands.use_data(engine.Dataset.from_arrays(places, ["a", "b"] * 15, name="far"))
    lab.settle()
    for name, (low, high) in zip(("bottom", "left"), lab.plane.view_box.viewRange(), strict=True):
        spacing, values = axes[name].tickValues(low, high, 500)[0]
        texts = axes[name].tickStrings(values, axes[name].scale, spacing)
        assert len(set(texts)) == len(values) > 2
        assert texts[0].startswith("100000"), "full numbers"
    assert axes["left"].width() > usual
    lab.window.commands.use_data(engine.generate("moons"))
    lab.settle()
    assert axes["left"].width() == usual


def test_a_fault_while_painting_leaves_the_window_alive(square: Lab, monkeypatch) -> None:
    """Reported once, though it is painted again and again; painted whole once it is mended."""
    reported: list[str] = []
    monkeypatch.setattr(
        sys, "excepthook", lambda kind, fault, where: reported.append(f"{kind.__name__}: {fault}")
    )
    item = square.plane.item
    draw = square.plane.item.draw
    square.settle()
    whole = square.plane.viewport().grab().toImage()

    def fails(painter) -> None:
        painter.setOpacity(0.1)
        raise ZeroDivisionError("no picture")

    monkeypatch.setattr(item, "draw", fails)
    for _ in range(3):
        square.plane.redraw()
        square.settle()
        square.plane.grab()
    assert reported == ["ZeroDivisionError: no picture"]
    monkeypatch.setattr(item, "draw", draw)
    square.plane.redraw()
    square.settle()
    assert square.plane.viewport().grab().toImage() == whole


# -- pointing --------------------------------------------------------------------------------------


@pytest.fixture
def neighbours(open_lab) -> Lab:
    """Three neighbours of a place, at the step where the first of them is measured."""
    data = engine.Dataset.from_arrays(
        [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]], [1, 1, 1, -1, -1, -1]
    )
    lab = open_lab(
        Document(data, (lane("nearest_neighbours", k=3),), probe=(1.0, 1.5)), size=(1920, 1080)
    )
    lab.session.seek(4)
    lab.settle()
    return lab


@pytest.mark.slow
def test_pointing_at_a_row_rings_its_point_alone_and_back(neighbours: Lab) -> None:
    neighbours.move(3.0, 3.0)
    assert neighbours.session.pointer.lit & {"row 4"} == {"row 4"}
    neighbours.move(2.0, 2.4)
    assert not any(tag.startswith("row") for tag in neighbours.session.pointer.lit)
    neighbours.session.pointer.light(("row 5",))
    ringed = [
        layer
        for layer in neighbours.plane.layers()
        if getattr(layer, "role", None) is Role.ACCEPTED
    ]
    assert [layer.xy.tolist() for layer in ringed] == [[[4.0, 3.0]]]
    table = next(f for f in neighbours.session.scene.figures if f.title.startswith("Ex"))
    stack = FigureStack(neighbours.session, neighbours.session.shown_lane)
    stack.show_figure(table)
    widget = stack.stack.currentWidget()
    widget.resize(300, 240)
    place = QPoint(20, round(2.5 * widget.row_height()))
    QTest.mouseMove(widget.viewport(), place)
    widget.mouseMoveEvent(
        QMouseEvent(QEvent.Type.MouseMove, QPointF(place), QPointF(place), LEFT, LEFT, NONE)
    )
    assert "row 3" in neighbours.session.pointer.lit
    assert widget.pointed_at(2)
    assert not widget.pointed_at(1)


@pytest.mark.slow
def test_bars_cells_curves_and_boxes_light_their_objects_alone(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 12, 0.1), (lane("svm"),)), size=(1920, 1080))
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    figures = {figure.title: figure for figure in lab.session.scene.figures}
    stack = FigureStack(lab.session, lab.session.shown_lane)

    def point_at(title: str, place: Callable[[Any], QPointF]) -> frozenset[str]:
        stack.show_figure(figures[title])
        widget = stack.stack.currentWidget()
        widget.resize(700, 500)
        at = place(widget)
        widget.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, at, at, LEFT, LEFT, NONE))
        return lab.session.pointer.lit

    def ringed() -> list[list[float]]:
        (points,) = (
            layer for layer in lab.plane.layers() if getattr(layer, "role", None) is Role.ACCEPTED
        )
        return points.xy.tolist()

    xy = lab.session.problem.xy.tolist()
    assert point_at("Multipliers α", lambda bars: QPointF(60, 4.5 * bars.pitch())) == {"row 5"}
    assert ringed() == [xy[4]]
    assert point_at("Kernel matrix K", lambda matrix: matrix.cell(2, 7).center()) == {
        "row 3",
        "row 8",
    }
    assert ringed() == [xy[2], xy[7]]
    lab.session.choose("decision_tree")
    lab.settle()
    lab.key(Key.Key_End)
    lab.settle()
    lab.move(*lab.free_place())
    (leaf,) = lab.session.pointer.lit
    (tree,) = (figure for figure in lab.session.scene.figures if type(figure) is Tree)
    assert [node.kind for node in tree.nodes if node.tag == leaf] == ["leaf"]
    timeline = lab.window.timeline
    lab.session.pointer.light(())
    way = timeline.paper.corners[0]
    at = QPointF(*way[len(way) // 2])
    timeline.mouseMoveEvent(
        QMouseEvent(
            QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, NONE
        )
    )
    assert lab.session.pointer.lit == {"bits", "leaves"}
    timeline.leaveEvent(QEvent(QEvent.Type.Leave))
    assert lab.session.pointer.lit == frozenset()


@pytest.mark.slow
def test_amber_is_the_current_event_alone(neighbours: Lab) -> None:
    """While an example is measured no bar of votes is amber; at the vote no example is."""
    trace = neighbours.session.trace
    for index in range(len(trace)):
        neighbours.session.seek(index)
        scene = neighbours.session.scene
        line = trace[index].line
        voted = line in ("vote", "answer")
        bars = next((f for f in scene.figures if isinstance(f, Bars)), None)
        assert bars is None or (Role.ACTIVE in bars.roles) is voted
        amber = [
            layer
            for layer in neighbours.plane.layers()
            if getattr(layer, "role", None) in (Role.ACTIVE, Role.NEAREST)
        ]
        assert {layer.tag for layer in amber} <= ({"cell"} if voted else {"looked"}), line


@pytest.mark.slow
def test_an_answer_beside_the_step_is_not_amber(neighbours: Lab) -> None:
    neighbours.session.seek(4)
    neighbours.session.set_settings(tool="probe")
    neighbours.move(3.5, 3.2)
    amber = [
        layer
        for layer in neighbours.plane.layers()
        if getattr(layer, "role", None) in (Role.ACTIVE, Role.NEAREST)
    ]
    assert {layer.tag for layer in amber} == {"looked"}
    places = np.concatenate([layer.xy for layer in amber if isinstance(layer, Points)])
    assert len(np.unique(places, axis=0)) == 1
