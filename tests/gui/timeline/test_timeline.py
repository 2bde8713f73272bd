"""The timeline: press and drag scrub, curves follow, the projector's band scrubs too."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import LEFT, Key, Lab, double_click
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.step import Level
from gui.look import theme
from gui.look.focus import ring
from gui.look.ink import face
from gui.session.changes import Change, Changes
from gui.timeline import drawing
from gui.timeline.counter import MARGIN, counter_texts, folded
from gui.timeline.marks import FLAG, SHAPES, paint_mark, shapes_of
from gui.timeline.scale import Scale, holding, zoomed
from gui.timeline.timeline import left_edge


def place(lab: Lab, index: int) -> QPoint:
    return QPoint(round(float(lab.window.timeline.x_of(index))), lab.window.timeline.height() // 2)


@pytest.mark.slow
def test_a_press_shows_the_step_under_it(lab: Lab) -> None:
    for index in (0, 40, len(lab.session.trace) - 1):
        QTest.mouseClick(lab.window.timeline, LEFT, pos=place(lab, index))
        assert lab.session.cursor == pytest.approx(index, abs=1)


def test_a_drag_scrubs_and_stops_playing(lab: Lab) -> None:
    lab.key(Key.Key_Space)
    timeline = lab.window.timeline
    last = len(lab.session.trace) - 1
    QTest.mousePress(timeline, LEFT, pos=place(lab, 10))
    assert not lab.session.player.playing
    seen = []
    for index in (30, 60, 90, 20):
        QTest.mouseMove(timeline, place(lab, index))
        seen.append(lab.session.cursor)
    assert seen == pytest.approx([30, 60, 90, 20], abs=1)
    QTest.mouseMove(timeline, QPoint(timeline.width() + 50, 5))
    assert lab.session.cursor == last
    QTest.mouseMove(timeline, QPoint(-50, 5))
    assert lab.session.cursor == 0
    QTest.mouseRelease(timeline, LEFT, pos=place(lab, 0))
    QTest.mouseMove(timeline, place(lab, 50))
    assert lab.session.cursor == 0


class Painted(QObject):
    """Which parts of a widget are painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.rects: list[QRect] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.rects.append(event.rect())
        return False


def test_a_cursor_that_moves_paints_what_is_beside_it_alone(lab: Lab) -> None:
    """Not thousands of pixels of curves that stay; and what it leaves looks as if all had been
    painted.
    """
    timeline = lab.window.timeline
    lab.session.seek(10)
    lab.settle()
    left = timeline.grab().toImage()
    painted = Painted(timeline)
    for index in (11, 14, 12):
        painted.rects.clear()
        lab.session.seek(index)
        lab.until(lambda: bool(painted.rects))
        rect = painted.rects[0]
        assert rect.width() < 60 + abs(float(timeline.x_of(14) - timeline.x_of(11)))
        painter = QPainter(left)
        painter.drawPixmap(rect.topLeft(), timeline.grab(rect))
        painter.end()
    assert left == timeline.grab().toImage()


def test_in_rounds_it_scrubs_by_rounds(lab: Lab) -> None:
    lab.session.set_unit(Level.ROUND)
    rounds = list(lab.session.trace.indices(Level.ROUND))
    for index in range(0, len(lab.session.trace), 7):
        QTest.mouseClick(lab.window.timeline, LEFT, pos=place(lab, index))
        assert lab.session.cursor in rounds


def turn(widget: QWidget, at: QPointF, notches: float) -> None:
    event = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_the_wheel_zooms_the_time_at_the_pointer(lab: Lab) -> None:
    """The step under the pointer stays there; the run stays at its step; a double click shows all
    again.
    """
    timeline = lab.window.timeline
    last = len(lab.session.trace) - 1
    at = QPointF(float(timeline.x_of(60)), 50)
    for notches in (1, 1, 2, -1):
        turn(timeline, at, notches)
        assert timeline.place_at(at.x()) == pytest.approx(60, abs=1e-6)
    first, end = timeline.span()
    assert end - first == pytest.approx(last * 0.8**3)
    assert lab.session.cursor == 0
    QTest.mouseClick(timeline, LEFT, pos=place(lab, 70))
    assert lab.session.cursor == pytest.approx(70, abs=1)
    double_click(timeline, place(lab, 65))
    assert timeline.span() == (0, last)
    for _ in range(3):
        turn(timeline, at, -1)
    assert timeline.span() == (0, last), "there is nothing beyond"


@pytest.mark.slow
def test_the_part_that_is_seen_follows_the_cursor(lab: Lab) -> None:
    timeline = lab.window.timeline
    timeline.show_span((40.0, 80.0))
    for step, wanted in ((60, (40, 80)), (81, (77, 117)), (20, (-16, 24))):
        lab.session.seek(step)
        first = max(0, wanted[0])
        assert timeline.span() == pytest.approx((first, first + 40))
    lab.session.choose("decision_tree")
    lab.settle()
    assert timeline.span() == (0, len(lab.session.trace) - 1)


def test_zoomed_in_the_pictures_show_the_part_alone(lab: Lab) -> None:
    """Marks and curves of other steps do not run over the numbers at the left."""
    timeline = lab.window.timeline
    lab.key(Key.Key_End)
    lab.settle()
    timeline.show_span((100.0, 140.0))
    image = timeline.grab().toImage()
    ground = theme.current().dock
    beside = [
        image.pixelColor(x, y)
        for x in range(left_edge() - 7, left_edge() - 5)
        for y in range(25, 90)
    ]
    assert {colour.name().upper() for colour in beside} == {ground}
    marks = timeline.pictures()[2]
    assert marks is not None
    assert all(100 <= index <= 140 for index in marks.index)


@pytest.mark.slow
def test_a_hand_on_the_overview_moves_what_is_seen(open_lab) -> None:
    """Handles, frame, beside the frame; the strip is there for a high curve."""
    lab = open_lab(size=(1600, 1000))
    timeline = lab.window.timeline
    strip = lab.window.timeline.overview
    last = len(lab.session.trace) - 1
    assert strip.isVisible()

    def drag(start: float, end: float) -> None:
        a, b = (QPoint(round(float(strip.x_of(step))), 13) for step in (start, end))
        QTest.mousePress(strip, LEFT, pos=a)
        QTest.mouseMove(strip, (a + b) / 2)
        QTest.mouseMove(strip, b)
        QTest.mouseRelease(strip, LEFT, pos=b)

    drag(last, 100)
    assert timeline.span() == pytest.approx((0, 100), abs=1)
    drag(0, 60)
    assert timeline.span() == pytest.approx((60, 100), abs=1)
    drag(80, 120)
    assert timeline.span() == pytest.approx((100, 140), abs=1)
    QTest.mouseClick(strip, LEFT, pos=QPoint(round(float(strip.x_of(40))), 13))
    assert timeline.span() == pytest.approx((20, 60), abs=1)
    assert "steps 20–60 of" in strip.accessibleName() or "steps 19–" in strip.accessibleName()
    drag(60, 0)
    first, end = timeline.span()
    assert end - first == 10, "no less than ten steps"
    double_click(strip, QPoint(200, 13))
    assert timeline.span() == (0, last)


SPANS = st.tuples(st.floats(0, 900), st.floats(10, 100)).map(lambda s: (s[0], s[0] + s[1]))


@given(SPANS, st.floats(0, 1), st.floats(0.2, 5))
def test_zooming_keeps_the_place_under_the_pointer(span, share, factor) -> None:
    at = span[0] + share * (span[1] - span[0])
    first, last = zoomed(span, (0.0, 1000.0), at, factor)
    assert 0 <= first < last <= 1000 + 1e-6
    assert last - first == pytest.approx(min(1000, max(10, (span[1] - span[0]) * factor)))
    if first > 0 and last < 1000 - 1e-6:
        assert first + share * (last - first) == pytest.approx(at)


@given(SPANS, st.floats(0, 1000))
def test_a_step_that_is_looked_for_is_seen(span, step) -> None:
    first, last = holding(span, (0.0, 1000.0), step)
    assert first - 1e-6 <= step <= last + 1e-6
    assert last - first == pytest.approx(span[1] - span[0])
    if span[0] <= step <= span[1]:
        assert (first, last) == span


@pytest.mark.slow
def test_a_long_run_has_an_overview(open_lab) -> None:
    """From 2,000 steps on: 1,500 examples in two rounds are 3,000."""
    lab = open_lab(
        Document(engine.generate("moons", 1500), (lane("perceptron", rounds=2, stop="rounds"),))
    )
    lab.session.seek(1 << 60)
    lab.settle()
    assert len(lab.session.trace) > 2000
    timeline = lab.window.timeline
    assert timeline.overview.isVisible()
    assert timeline.height() == 172
    lab.session.choose("decision_tree")
    lab.settle()
    assert not timeline.overview.isVisible()
    assert timeline.height() == 132


@pytest.mark.slow
def test_other_metrics_can_be_drawn(lab: Lab) -> None:
    lab.session.choose("adaboost")
    lab.settle()
    timeline = lab.window.timeline
    captions = set()
    for curve in lab.session.algorithm.curves:
        if not curve.bound:
            timeline.show_metric(curve.metric)
            captions.add(timeline.curves.caption)
            timeline.repaint()
    assert len(captions) > 1
    QTest.mouseClick(timeline.choice, LEFT)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    lab.session.choose("perceptron")
    assert timeline.shown_metric == ""


@pytest.mark.slow
def test_the_metric_is_chosen_with_the_keyboard(lab: Lab) -> None:
    """Tab comes to it, shows where it is, and Down, Space or Enter opens the list; Escape closes
    it.
    """
    lab.session.choose("adaboost")
    lab.settle()
    choice, shown = lab.window.timeline.choice, lab.window.timeline.shown_metric
    curves = [curve for curve in lab.session.algorithm.curves if not curve.bound]
    tab_to(lab, choice)
    assert ring() is not None and ring().target is choice
    assert choice.accessibleName().startswith("Curve: ")
    for key in (Key.Key_Space, Key.Key_Return, Key.Key_Down):
        lab.key(key)
        menu = QApplication.activePopupWidget()
        assert [action.text() for action in menu.actions()] == [curve.title for curve in curves]
        QTest.keyClick(menu, Key.Key_Escape)
        assert QApplication.activePopupWidget() is None
        assert lab.window.timeline.shown_metric == shown
    assert not lab.session.player.playing
    lab.key(Key.Key_Down)
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Down)
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Return)
    assert lab.window.timeline.shown_metric == curves[1].metric


@pytest.mark.slow
def test_a_single_metric_is_no_stop_for_tab(lab: Lab) -> None:
    for key in engine.algorithms():
        curves = [curve for curve in engine.algorithms()[key].curves if not curve.bound]
        if len(curves) == 1:
            lab.session.choose(key)
            assert not lab.window.timeline.choice.isVisible()


def tab_to(lab: Lab, wanted: QWidget) -> None:
    """Press Tab until this control has the keyboard."""
    for _ in range(120):
        lab.key(Key.Key_Tab)
        if QApplication.focusWidget() is wanted:
            return
    raise AssertionError("Tab does not come there")


def test_without_a_run_it_is_empty_and_harmless(lab: Lab) -> None:
    lab.window.action("new").trigger()
    timeline = lab.window.timeline
    timeline.repaint()
    QTest.mouseClick(timeline, LEFT, pos=timeline.rect().center())
    QTest.mouseMove(timeline, QPoint(5, 5))
    assert lab.session.cursor == 0


@pytest.mark.slow
def test_steps_not_drawn_yet_are_drawn_together(
    endless: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one by one as a run that has just begun is played."""
    timeline = endless.window.timeline
    session = endless.session
    drawn = []
    endless.until(lambda: len(session.trace) > 200)
    usual = timeline.draw_pictures
    monkeypatch.setattr(timeline, "draw_pictures", lambda: drawn.append(session.cursor) or usual())
    timeline.growth.stop()
    timeline.drawn = 3
    for step in range(4, 40):
        session.seek(step)
        timeline.repaint()
    assert drawn == [4]
    assert timeline.last() > 100


@pytest.mark.slow
def test_the_scale_stays_while_a_point_is_dragged(lab: Lab) -> None:
    """Also when the run no longer ends; the cursor does not leave its place by more than the end of
    the run moves it.
    """
    timeline = lab.window.timeline
    session = lab.session
    seen = []
    session.seek(2)
    lab.key(Key.Key_S)

    def look(changes: Changes) -> None:
        if changes.window & Change.DOCUMENT:
            timeline.grab()
            seen.append((timeline.last(), session.finished))

    session.changed.connect(look)
    x, y = max(lab.points().tolist(), key=lambda p: p[1])
    ended = session.finished
    room = timeline.last()
    assert ended
    assert room == len(session.trace) - 1
    lab.press(x, y)
    for k in range(1, 8):
        lab.move(x - 0.6 * k, y)
    assert len(seen) > 3
    for (before, _), (last, over) in zip([(room, True), *seen], seen, strict=False):
        assert last >= before or over, "as many steps as before, or as many as there are"
    lab.settle()
    lab.release(x - 0.6 * 7, y)
    lab.settle()
    assert timeline.last() >= len(session.trace) - 1


@pytest.mark.slow
def test_another_method_or_table_has_a_scale_of_its_own(endless: Lab) -> None:
    timeline = endless.window.timeline
    session = endless.session
    endless.until(lambda: timeline.last() > 500)
    session.choose("decision_tree")
    endless.settle()
    assert timeline.last() == len(session.trace) - 1 < 100
    session.undo()
    assert timeline.last() < 500
    endless.until(lambda: timeline.last() > 500)
    session.set_params(rounds=3, stop="rounds")
    endless.settle()
    assert timeline.last() == len(session.trace) - 1 < 100, "a run that has ended shows its end"


def test_a_run_that_restarts_keeps_the_room_it_had() -> None:
    scale = Scale()
    scale.follow("perceptron", 40, True)
    assert scale.last == 40
    for recorded, wanted in ((2, 40), (39, 40), (57, 57), (3, 57)):
        scale.follow("perceptron", recorded, False)
        assert scale.last == wanted
    scale.follow("perceptron", 12, True)
    assert scale.last == 12
    scale.follow("winnow", 2, False)
    assert scale.last == 2


@pytest.mark.slow
def test_the_projectors_band_scrubs(lab: Lab) -> None:
    lab.key(Key.Key_P)
    QTest.qWait(100)  # the band has its width only after the docks are folded
    band = lab.window.caption_band
    last = len(lab.session.trace) - 1
    left, right, y = band.track()
    for share in (0.5, 1.0, 0.0):
        QTest.mouseClick(band, LEFT, pos=QPoint(round(left + share * (right - left)), round(y)))
        assert lab.session.cursor == pytest.approx(share * last, abs=1)


@pytest.mark.slow
def test_events_stand_over_the_projectors_scrubber(lab: Lab) -> None:
    """At their steps; those that are still to come are pale."""
    lab.window.toggle_projector()
    mistakes = list(lab.session.trace.when("mistake"))
    lab.session.seek(mistakes[2])
    QTest.qWait(50)
    band = lab.window.caption_band
    look = theme.current()
    picture = band.grab().toImage()
    left, right, track = band.track()
    for place, ink in ((mistakes[1], look.ink), (mistakes[-1], look.ghost)):
        x = left + place / (len(lab.session.trace) - 1) * (right - left)
        assert picture.pixelColor(round(x), round(track - 20)).name().upper() == ink


# -- marks, numbers, counter -----------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(engine.algorithms()))
def test_one_mark_for_one_event(key: str) -> None:
    names = [name for name in engine.algorithms()[key].events if name != "round"]
    shapes = shapes_of(names)
    assert len(set(shapes)) == len(names) <= len(SHAPES)
    for name, shape in zip(names, shapes, strict=True):
        assert (shape == FLAG) == (name in ("done", "converged"))


def test_every_shape_looks_different(qapp) -> None:
    pictures = []
    for shape in SHAPES:
        image = QImage(24, 24, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        paint_mark(painter, shape, 12, 12, QColor("black"))
        painter.end()
        pictures.append(image)
    dark = [
        np.array([[image.pixelColor(x, y).lightness() < 128 for x in range(24)] for y in range(24)])
        for image in pictures
    ]
    assert all(8 <= d.sum() <= 100 for d in dark)
    assert all((dark[i] != dark[j]).sum() >= 6 for i in range(len(dark)) for j in range(i))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["decision_tree", "adaboost"])
def test_names_of_marks_leave_the_caption_its_place(open_lab, key: str) -> None:
    """In the projector theme beside a dock there is no room for all of them."""
    data = (
        engine.textbook("restaurant")
        if key == "decision_tree"
        else engine.generate("moons", 40, 0.3)
    )
    lab = open_lab(Document(data, (lane(key),)))
    lab.window.toggle_projector()
    lab.window.room.unfold(lab.window.right_dock)
    lab.window.right_strip.buttons["Curves"][0].click()
    lab.settle()
    line = lab.window.timeline
    line.grab()
    assert line.width() < 800
    caption = face("caption", 600).width(line.curves.caption)
    legend = sum(face("caption").width(s.name) + 52 for s in line.curves.series[1:] if not s.beyond)
    assert line.paper.shapes_left >= left_edge() + caption + legend
    assert line.paper.shapes_left < line.width() - 60 or key == "adaboost", "some names are there"


@pytest.mark.slow
def test_the_step_that_sums_up_belongs_to_the_last_round(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("adaboost", rounds=12),)))
    lab.session.seek(1 << 60)
    lab.settle()
    assert len(lab.session.trace.when("round")) == 12
    assert counter_texts(lab.session.lane_view)[2][0] == "round 12"
    lab.session.previous()
    assert counter_texts(lab.session.lane_view)[2][0] == "round 12"
    lab.session.seek(0)
    assert counter_texts(lab.session.lane_view)[2][0] == "before round 1"
    lab.session.seek(1)
    assert counter_texts(lab.session.lane_view)[2][0] == "round 1"


@pytest.mark.slow
@pytest.mark.parametrize("key", ["perceptron", "svm", "em_means"])
def test_rounds_are_counted_without_gaps(open_lab, key: str) -> None:
    """After each end of a round the next one begins, up to the last one."""
    lab = open_lab(Document(engine.generate("blobs", 30, 0.6), (lane(key),)))
    lab.session.seek(1 << 60)
    lab.settle()
    ends = list(lab.session.trace.when("round"))
    for k, end in enumerate(ends):
        lab.session.seek(end)
        assert counter_texts(lab.session.lane_view)[2][0] == f"round {k + 1}"
        if end + 1 < len(lab.session.trace) - 1:
            lab.session.seek(end + 1)
            assert counter_texts(lab.session.lane_view)[2][0] == f"round {k + 2}"


@pytest.mark.slow
def test_large_counts_are_written_one_way(open_lab) -> None:
    """A comma between thousands, in the counter as in the words beside it."""
    lab = open_lab(
        Document(engine.generate("moons", 1500), (lane("perceptron", rounds=2, stop="rounds"),))
    )
    lab.session.seek(1_440)
    lab.settle()
    assert counter_texts(lab.session.lane_view)[:2] == (
        "1,440",
        f"/ {len(lab.session.trace) - 1:,}",
    )
    assert lab.window.left_dock.data.caption.text() == "1,500 points"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "projector"])
def test_the_counter_stays_off_the_edge_of_the_window(lab: Lab, monkeypatch, name: str) -> None:
    counter = lab.window.counter
    lab.window.use_theme(name)
    lab.window.foot.show()  # the projector theme folds it away
    for here, total in (("3,757", "/ 8,041+"), ("99,999", "/ 100,000+"), ("1", "/ 2")):
        monkeypatch.setattr(
            "gui.timeline.counter.counter_texts", lambda _, t=(here, total): (*t, ["round 62 " * 9])
        )
        lab.session.lane_view.announce(Change.CURSOR)
        lab.settle_drawing()
        image = counter.grab().toImage()
        ground = image.pixelColor(1, 1)
        edge = range(image.width() - MARGIN + 2, image.width())
        assert all(image.pixelColor(x, y) == ground for x in edge for y in range(image.height()))
        assert any(
            image.pixelColor(x, y) != ground
            for x in range(image.width())
            for y in range(image.height())
        )
    lab.window.use_theme("light")


def test_round_and_events_below_the_number_are_never_cut(qapp) -> None:
    metrics = QFontMetrics(theme.LIGHT.font("caption"))
    lines = folded(metrics, ["round 2", "event: round, overshoot"], 132)
    assert " ".join(lines) == "round 2 event: round, overshoot"
    assert lines[0] == "round 2"
    assert all(metrics.horizontalAdvance(line) <= 132 for line in lines)
    assert folded(metrics, ["event: mistake"], 132) == ["event: mistake"]


def test_events_are_explained_where_their_marks_are(lab: Lab) -> None:
    """In a low window the marks fold, and what they mean stood there alone."""

    def painted() -> set[str]:
        lab.window.timeline.still = None
        said: set[str] = set()
        draw = QPainter.drawText
        QPainter.drawText = lambda painter, *given: (said.add(given[-1]), draw(painter, *given))[1]  # type: ignore
        try:
            lab.window.timeline.grab()
        finally:
            QPainter.drawText = draw  # type: ignore[method-assign]
        return said

    lab.session.seek(5)
    events = {name for name in lab.session.algorithm.events if lab.session.trace.when(name)} - {
        "round"
    }
    assert events & painted()
    lab.window.resize(1280, 620)
    lab.settle()
    assert not lab.window.timeline.rows[2]
    assert not events & painted()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (2560, 1440)])
def test_the_lowest_number_stands_above_the_name_of_the_marks(
    open_lab, size: tuple[int, int]
) -> None:
    lab = open_lab(None, size)
    heights: dict[str, float] = {}
    draw = QPainter.drawText

    def hear(painter: QPainter, *given: object) -> object:
        if hasattr(given[0], "center"):
            heights[str(given[-1])] = given[0].center().y()
        return draw(painter, *given)

    QPainter.drawText = hear  # type: ignore[method-assign,assignment]
    try:
        lab.window.timeline.still = None
        lab.window.timeline.grab()
    finally:
        QPainter.drawText = draw  # type: ignore[method-assign]
    name = next(y for text, y in heights.items() if text == "mistakes" or text == "events")
    assert name - heights["0"] >= theme.current().line_height("caption") - 1.5


@pytest.mark.slow
@pytest.mark.parametrize("key", ["kmeans", "perceptron", "adaboost", "decision_tree"])
def test_no_words_above_the_curves_lie_on_others(
    open_lab, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of the curve, the numbers of rounds and the names of marks stand in one line: none
    on another.
    """
    data = (
        engine.textbook("restaurant")
        if key == "decision_tree"
        else engine.generate("blobs", 60, seed=1)
    )
    lab = open_lab(Document(data, (lane(key),)))
    lab.until(lambda: lab.session.trace is not None and lab.session.trace.finished)
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    words = list[tuple[float, float, str]]()
    draw = QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        if isinstance(given[0], QPointF) and given[0].y() < drawing.top_edge():
            left = given[0].x()
            words.append((left, left + painter.fontMetrics().horizontalAdvance(given[1]), given[1]))
        return draw(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", noted)
    lab.window.timeline.draw_pictures()
    assert len(words) > 1
    words.sort()
    for (_, end, one), (start, _, other) in pairwise(dict.fromkeys(words)):
        assert end < start or one == other, (one, other)
