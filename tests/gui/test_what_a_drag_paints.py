"""What stays the same while a point is dragged is not painted, and what changes lays out nothing
beside it.
"""

from collections import Counter
from collections.abc import Callable

import pytest
from laboratory import LEFT, Lab
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from gui.session import clock
from gui.session.changes import Change
from gui.session.sync_mode import END
from gui.stage import lane_cell


@pytest.fixture(autouse=True)
def whole_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine too: else a step of a half-made run shows marks that get a row, and the
    dock is laid out.
    """
    monkeypatch.setattr(clock, "AT_ONCE", 10.0)


class Heard(QObject):
    """How often each widget in `part` was painted and laid out, or got another event
    about.
    """

    def __init__(self, part: QWidget, about: tuple[QEvent.Type, ...]) -> None:
        super().__init__()
        self.part = part
        self.about = about
        self.events = Counter[str]()
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        inside = isinstance(watched, QWidget) and (
            watched is self.part or self.part.isAncestorOf(watched)
        )
        if inside and event.type() in self.about:
            self.events[f"{event.type().name} {type(watched).__name__}"] += 1
        return False


SEEN = QEvent.Type.Paint, QEvent.Type.LayoutRequest


def dragged(
    lab: Lab, part: QWidget, moves: int = 8, about: tuple[QEvent.Type, ...] = SEEN
) -> Counter[str]:
    """What is heard of `part` in the quietest of three drags: what a drag paints, each paints; on a
    busy machine a timer may fall into one of them.
    """
    return min((drag(lab, part, moves, about) for _ in range(3)), key=Counter.total)


def drag(lab: Lab, part: QWidget, moves: int, about: tuple[QEvent.Type, ...]) -> Counter[str]:
    """What is heard of `part` while the first point goes to the right, after two moves: it was
    drawn until then.
    """
    session = lab.session
    lab.until(lambda: all(view.finished for view in session.lane_views))
    session.seek(END)
    session.set_settings(tool="move")
    lab.settle()
    place = lab.pixel(*map(float, lab.plane.shown().xy[0]))
    QTest.mousePress(lab.plane.viewport(), LEFT, pos=place)
    heard: Heard | None = None
    for k in range(2 + moves):
        if k == 2:
            heard = Heard(part, about)
        before = session.document
        place += QPoint(1, 0)
        QTest.mouseMove(lab.plane.viewport(), place)
        QApplication.processEvents()
        assert session.document is not before
    assert heard is not None
    QApplication.instance().removeEventFilter(heard)
    QTest.mouseRelease(lab.plane.viewport(), LEFT, pos=place)
    return heard.events


def test_a_drag_paints_no_parameter_and_no_slider_of_the_data(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(
        Document(engine.generate("moons", 40), (lane("perceptron", stop="rounds", rounds=2),))
    )
    heard = dragged(lab, lab.window.left_dock.data.form) + dragged(lab, lab.window.left_dock.form)
    assert heard == Counter()


def test_a_drag_lays_out_no_head_of_a_lane(open_lab: Callable[..., Lab]) -> None:
    """Their numbers change with each move."""
    lanes = (lane("perceptron", stop="rounds", rounds=2), lane("decision_tree"))
    lab = open_lab(Document(engine.generate("moons", 40), lanes))
    heard = sum((dragged(lab, cell.chips, 6) for cell in lab.window.lanes.cells), Counter[str]())
    assert not [
        name for name in heard if name.startswith("LayoutRequest") or name.endswith(" Chip")
    ]


FOUR = (
    lane("perceptron", stop="rounds", rounds=2),
    lane("decision_tree"),
    lane("nearest_neighbours"),
    lane("kd_tree"),
)


def test_a_drag_of_four_lanes_lays_out_nothing_that_speaks_of_all(
    open_lab: Callable[..., Lab],
) -> None:
    lab = open_lab(Document(engine.generate("moons", 40), FOUR))
    heard = dragged(lab, lab.window.right_dock.above)
    assert not [name for name in heard if name.startswith("LayoutRequest")]


def test_what_is_wrong_is_counted_when_the_numbers_follow(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of steps that fly that is every second one: twice as often it could not be read, and the head
    is painted each time.
    """
    lab = open_lab(Document(engine.generate("moons", 40), FOUR))
    counts = Counter[int]()
    lab.settle()
    count = lane_cell.score_text
    monkeypatch.setattr(
        lane_cell, "score_text", lambda view: (counts.update([view.place]), count(view))[1]
    )
    view = lab.session.lane_views[1]
    view.announce(Change.RUN)
    assert not counts
    view.announce(Change.NUMBERS)
    assert counts == {1: 1}


def test_words_that_stay_send_no_event(open_lab: Callable[..., Lab]) -> None:
    """Else each listener of the widget runs, twenty times for each move."""
    lab = open_lab(Document(engine.generate("moons", 40), FOUR))
    heard = dragged(lab, lab.window.left_dock, about=(QEvent.Type.ToolTipChange,))
    assert heard == Counter()


def test_runs_of_several_lanes_leave_time_to_paint_them(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a lane may record at once, so that one update of all takes no longer than that of one
    with its paint.
    """
    for lanes, whole in ((FOUR[:1], 0.016), (FOUR[:2], 0.013), (FOUR, 0.007)):
        monkeypatch.setattr(clock, "AT_ONCE", 0.016)
        lab = open_lab(Document(engine.generate("moons", 40), lanes))
        given = list[float]()
        lab.settle()
        monkeypatch.setattr(
            LaneRun, "advance", lambda run, seconds, *_, given=given, **__: given.append(seconds)
        )
        lab.session.clock.catch_up(None)
        monkeypatch.undo()
        assert given == pytest.approx([whole / len(lanes)] * len(lanes))


def test_the_curve_of_one_run_too_follows_a_hand_now_and_then(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn with every second move it took a tenth of the time."""
    lab = open_lab(Document(engine.generate("moons", 40), FOUR[:1]))
    drawn = list[int]()
    lab.settle()
    timeline = lab.window.timeline
    lead = lab.session.lead
    playback_budget = lead.playback_budget
    refresh = timeline.refresh
    monkeypatch.setattr(timeline, "refresh", lambda: (drawn.append(1), refresh()))
    playback_budget.flying, playback_budget.whole = True, False
    for _ in range(5):  # moves
        lead.announce(Change.RUN)
        lead.announce(Change.NUMBERS)
    assert not drawn and timeline.growth.isActive() and timeline.growth.interval() <= 400
    playback_budget.land()
    assert drawn == [1]
