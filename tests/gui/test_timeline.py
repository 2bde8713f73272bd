"""The timeline: press and drag scrub, curves follow, the projector's band scrubs too."""

import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.core.step import Level


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
    QTest.mouseClick(timeline, LEFT, pos=timeline._caption.center().toPoint())
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    lab.session.choose("perceptron")
    assert timeline.shown_metric == ""


def test_without_a_run_it_is_empty_and_harmless(lab: Lab) -> None:
    lab.window.action("new").trigger()
    timeline = lab.window.timeline
    timeline.repaint()
    QTest.mouseClick(timeline, LEFT, pos=timeline.rect().center())
    QTest.mouseMove(timeline, QPoint(5, 5))
    assert lab.session.cursor == 0


def test_the_projectors_band_scrubs(lab: Lab) -> None:
    lab.key(Key.Key_P)
    QTest.qWait(100)  # the band has its width only after the docks are folded
    band, last = lab.window.caption_band, len(lab.session.trace) - 1
    left, right, y = band._track()
    for share in (0.5, 1.0, 0.0):
        QTest.mouseClick(band, LEFT, pos=QPoint(round(left + share * (right - left)), round(y)))
        assert lab.session.cursor == pytest.approx(share * last, abs=1)
