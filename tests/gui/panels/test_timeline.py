"""The timeline: press and drag scrub, curves follow, the projector's band scrubs too."""

import numpy as np
import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.core.step import Level
from engine.document.document import Document
from engine.document.lane import lane
from gui.look import theme
from gui.look.focus import ring
from gui.look.ink import face
from gui.panels.counter import MARGIN, folded
from gui.panels.timeline import counter_texts, left_edge
from gui.panels.timeline_marks import FLAG, SHAPES, paint_mark, shapes_of
from gui.panels.timeline_scale import Scale


def place(lab: Lab, index: int) -> QPoint:
    return QPoint(round(float(lab.window.timeline.x_of(index))), lab.window.timeline.height() // 2)


def test_a_press_shows_the_step_under_it(lab: Lab) -> None:
    for index in (0, 40, len(lab.session.trace) - 1):
        QTest.mouseClick(lab.window.timeline, LEFT, pos=place(lab, index))
        assert lab.session.cursor == pytest.approx(index, abs=1)


def test_a_drag_scrubs_and_stops_playing(lab: Lab) -> None:
    lab.key(Key.Key_Space)
    timeline, last = lab.window.timeline, len(lab.session.trace) - 1
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


def test_in_rounds_it_scrubs_by_rounds(lab: Lab) -> None:
    lab.session.set_unit(Level.ROUND)
    rounds = list(lab.session.trace.indices(Level.ROUND))
    for index in range(0, len(lab.session.trace), 7):
        QTest.mouseClick(lab.window.timeline, LEFT, pos=place(lab, index))
        assert lab.session.cursor in rounds


def test_the_wheel_steps(lab: Lab) -> None:
    timeline = lab.window.timeline
    for turn, wanted in [(-120, 1), (-120, 2), (120, 1)]:
        at = QPointF(timeline.rect().center())
        event = QWheelEvent(
            at, QPointF(timeline.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(timeline, event)
        assert lab.session.cursor == wanted


@pytest.mark.slow
def test_other_metrics_can_be_drawn(lab: Lab) -> None:
    lab.session.choose("adaboost")
    lab.settle()
    timeline = lab.window.timeline
    captions = set()
    for curve in lab.session.algorithm.curves:
        if not curve.bound:
            timeline.show_metric(curve.metric)
            captions.add(timeline._curves.caption)
            timeline.repaint()
    assert len(captions) > 1
    QTest.mouseClick(timeline.choice, LEFT)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    lab.session.choose("perceptron")
    assert timeline.shown_metric == ""


def test_the_metric_is_chosen_with_the_keyboard(lab: Lab) -> None:
    """Tab comes to it, shows where it is, and Down, Space or Enter opens the list; Escape closes it."""
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
def test_steps_not_drawn_yet_are_drawn_together(endless: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one by one as a run that has just begun is played."""
    timeline, session, drawn = endless.window.timeline, endless.session, []
    endless.until(lambda: len(session.trace) > 200)
    usual = timeline._draw_pictures
    monkeypatch.setattr(timeline, "_draw_pictures", lambda: drawn.append(session.cursor) or usual())
    timeline._growth.stop()
    timeline._drawn = 3
    for step in range(4, 40):
        session.seek(step)
        timeline.repaint()
    assert drawn == [4]
    assert timeline.last() > 100


@pytest.mark.slow
def test_the_scale_stays_while_a_point_is_dragged(lab: Lab) -> None:
    """Also when the run no longer ends; the cursor does not leave its place by more than the end of the run moves it."""
    timeline, session, seen = lab.window.timeline, lab.session, []
    session.seek(2)
    lab.key(Key.Key_S)
    session.document_changed.connect(lambda: (timeline.grab(), seen.append((timeline.last(), session.finished))))
    x, y = max(lab.points().tolist(), key=lambda p: p[1])
    ended, room = session.finished, timeline.last()
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
    timeline, session = endless.window.timeline, endless.session
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


def test_a_run_that_begins_anew_keeps_the_room_it_had() -> None:
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
    band, last = lab.window.caption_band, len(lab.session.trace) - 1
    left, right, y = band._track()
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
    band, look = lab.window.caption_band, theme.current()
    picture = band.grab().toImage()
    left, right, track = band._track()
    for place, ink in ((mistakes[1], look.ink), (mistakes[-1], look.ghost)):
        x = left + place / (len(lab.session.trace) - 1) * (right - left)
        assert picture.pixelColor(round(x), round(track - 20)).name().upper() == ink


# -- marks, numbers, counter ---------------------------------------------------------------------------------------------


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
    data = engine.textbook("restaurant") if key == "decision_tree" else engine.generate("moons", 40, 0.3)
    lab = open_lab(Document(data, (lane(key),)))
    lab.window.toggle_projector()
    lab.window.unfold(lab.window.right_dock)
    lab.window.right_strip.buttons["Curves"][0].click()
    lab.settle()
    line = lab.window.timeline
    line.grab()
    assert line.width() < 800
    caption = face("caption", 600).width(line._curves.caption)
    legend = sum(face("caption").width(s.name) + 52 for s in line._curves.series[1:] if not s.beyond)
    assert line._shapes_left >= left_edge() + caption + legend
    assert line._shapes_left < line.width() - 60 or key == "adaboost", "some names are there"


def test_the_step_that_sums_up_belongs_to_the_last_round(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("adaboost", rounds=12),)))
    lab.session.seek(1 << 60)
    lab.settle()
    assert len(lab.session.trace.when("round")) == 12
    assert counter_texts(lab.session)[2][0] == "round 12"
    lab.session.previous()
    assert counter_texts(lab.session)[2][0] == "round 12"
    lab.session.seek(0)
    assert counter_texts(lab.session)[2][0] == "before round 1"
    lab.session.seek(1)
    assert counter_texts(lab.session)[2][0] == "round 1"


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
        assert counter_texts(lab.session)[2][0] == f"round {k + 1}"
        if end + 1 < len(lab.session.trace) - 1:
            lab.session.seek(end + 1)
            assert counter_texts(lab.session)[2][0] == f"round {k + 2}"


def test_large_counts_are_written_one_way(open_lab) -> None:
    """A comma between thousands, in the counter as in the words beside it."""
    lab = open_lab(Document(engine.generate("moons", 1500), (lane("perceptron", rounds=2, stop="rounds"),)))
    lab.session.seek(1_440)
    lab.settle()
    assert counter_texts(lab.session)[:2] == ("1,440", f"/ {len(lab.session.trace) - 1:,}")
    assert lab.window.left_dock.data.caption.text() == "1,500 points"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "projector"])
@pytest.mark.parametrize(("here", "total"), [("3,757", "/ 8,041+"), ("99,999", "/ 100,000+"), ("1", "/ 2")])
def test_the_counter_stays_off_the_edge_of_the_window(lab: Lab, monkeypatch, name: str, here: str, total: str) -> None:
    counter = lab.window.counter
    monkeypatch.setattr("gui.panels.counter.counter_texts", lambda session: (here, total, ["round 62 " * 9]))
    lab.window.use_theme(name)
    lab.window.foot.show()  # the projector theme folds it away
    lab.settle_drawing()
    image = counter.grab().toImage()
    ground = image.pixelColor(1, 1)
    edge = range(image.width() - MARGIN + 2, image.width())
    assert all(image.pixelColor(x, y) == ground for x in edge for y in range(image.height()))
    assert any(image.pixelColor(x, y) != ground for x in range(image.width()) for y in range(image.height()))
    lab.window.use_theme("light")


def test_round_and_events_below_the_number_are_never_cut(qapp) -> None:
    metrics = QFontMetrics(theme.LIGHT.font("caption"))
    lines = folded(metrics, ["round 2", "event: round, overshoot"], 132)
    assert " ".join(lines) == "round 2 event: round, overshoot"
    assert lines[0] == "round 2"
    assert all(metrics.horizontalAdvance(line) <= 132 for line in lines)
    assert folded(metrics, ["event: mistake"], 132) == ["event: mistake"]
