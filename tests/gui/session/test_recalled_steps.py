"""Steps that the recording had to forget: the window does not wait for them, and shows them as they
were.
"""

import pickle
import threading
import time
from functools import partial
from typing import Any

import numpy as np
import pytest
from laboratory import Key, Lab, on
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.runs.replaying import Replay
from engine.runs.run import Run
from engine.sources.generators import generate
from gui.session import clock
from gui.session.changes import Change

FRAME = 0.05  # seconds: “the window answers within 50 ms whatever runs”
POINTS = 3_000


@pytest.fixture
def short(open_lab: Any, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Support vectors of 3 000 points in a recording that has room for few of a thousand steps.

    No replay on this thread.
    """
    monkeypatch.setattr("engine.document.lane_run.Run", partial(Run, budget=400_000))
    monkeypatch.setattr(clock, "AHEAD", 1_000)
    monkeypatch.setattr(clock, "AT_ONCE", 0.0)
    window_thread = threading.get_ident()
    go_to = Replay.go_to

    def elsewhere(self: Replay, *given: Any) -> bool:
        assert threading.get_ident() != window_thread, "replayed where the window waits"
        return go_to(self, *given)

    monkeypatch.setattr(Replay, "go_to", elsewhere)
    data = generate("moons", POINTS, 0.3)
    lab: Lab = open_lab(Document(data, (lane("svm", kernel="rbf"),)))
    lab.settle(60)
    assert lab.session.trace.thinned > 300
    return lab


def forgotten(lab: Lab) -> list[int]:
    trace = lab.session.trace
    return [i for i in range(len(trace)) if not trace.holds(i)]


def cost(act: Any) -> float:
    """Seconds of this thread."""
    began = time.thread_time()
    act()
    return time.thread_time() - began


def arrive(lab: Lab, index: int) -> None:
    lab.until(lambda: lab.session.cursor == index, 30)


@pytest.mark.slow
def test_a_forgotten_step_is_shown_as_it_was_and_its_neighbours_at_once(short: Lab) -> None:
    session = short.session
    trace = session.trace
    places = forgotten(short)
    place = places[len(places) // 2]
    before = session.cursor
    session.seek(place)
    assert (session.cursor, session.wanted) == (before, place), "what was shown stays until then"
    assert session.step is trace[before]
    arrive(short, place)
    again = Run(
        trace.algorithm,
        trace.problem,
        trace.params,
        session.lane.seed,
        session.pace(),
        budget=1 << 40,
    )
    again.advance(max_steps=place + 3)
    assert pickle.dumps(session.step.state) == pickle.dumps(again.trace[place].state)
    assert session.step.note == again.trace[place].note
    assert not session.lane_view.overdue
    short.settle()
    for k in (1, 2):
        short.key(Key.Key_Right)
        assert session.cursor == place + k


@pytest.mark.slow
def test_nothing_holds_the_window_up_while_one_scrubs_over_forgotten_steps(short: Lab) -> None:
    session = short.session
    places = forgotten(short)
    rng = np.random.default_rng(0)
    longest = 0.0
    events = 0.0
    for place in [places[-1], places[0], *rng.choice(places, 40).tolist()]:
        longest = max(longest, cost(lambda place=place: session.seek(place)))
        events = max(events, cost(QApplication.processEvents))
        QTest.qWait(2)
    wanted = session.wanted
    arrive(short, wanted)
    assert longest < FRAME
    assert events < 4 * FRAME  # some steps arrive and are painted; a replay takes a second
    short.settle()
    assert session.trace.holds(wanted)


@pytest.mark.slow
def test_recalls_that_are_not_wanted_any_more_are_dropped(
    short: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = short.session
    places = forgotten(short)
    recalled = list[int]()
    recall = LaneRun.recall

    def noted(self: LaneRun, index: int, stop: Any) -> bool:
        recalled.append(index)
        return recall(self, index, stop)

    monkeypatch.setattr(LaneRun, "recall", noted)
    for place in places[::5]:
        session.seek(place)
    arrive(short, places[::5][-1])
    assert len(set(recalled)) <= 10, "of so many wishes hardly more than the last is worked at"
    session.seek(places[0])
    session.seek(0)
    short.settle()
    assert (session.cursor, session.lane_view.overdue) == (0, False)


@pytest.mark.slow
def test_a_hatched_place_holder_stands_there_while_it_takes_long(
    short: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = short.session
    stage = short.window.stage
    free = threading.Event()
    go_to = Replay.go_to

    def slow(self: Replay, index: int, stop: Any = lambda: False) -> bool:
        return go_to(self, index, stop) if free.wait(0.005) else False

    monkeypatch.setattr(Replay, "go_to", slow)
    place = forgotten(short)[100]
    shown = []
    on(session, Change.OVERDUE, lambda: shown.append(session.lane_view.overdue))
    began = time.perf_counter()
    session.seek(place)
    assert not stage.second.not_yet.isVisible(), "what was shown stays for the moment"
    short.until(lambda: session.lane_view.overdue)
    assert time.perf_counter() - began >= 0.09
    cover = stage.second.not_yet
    assert cover.isVisible()
    assert cover.size() == stage.second.size()
    free.set()
    arrive(short, place)
    assert not cover.isVisible()
    assert shown == [True, False]


@pytest.mark.slow
def test_the_shown_step_stays_at_hand_when_the_recording_forgets_it(short: Lab) -> None:
    """Raster, answer, held-out examples and export ask the recording for it."""
    session = short.session
    place = forgotten(short)[200]
    session.seek(place)
    arrive(short, place)
    other = forgotten(short)[0]
    session.worker.recall(session.lane_run, other)
    short.until(lambda: session.trace.holds(other))
    short.settle()
    assert session.step is session.trace[place]
    assert session.lane_view.explanation(session.problem.X[0]) is not None
    assert session.lane_view.raster("class", (-1.0, 1.0), (-1.0, 1.0)) is not None


@pytest.mark.slow
def test_playing_goes_over_forgotten_steps(short: Lab) -> None:
    session = short.session
    session.seek(0)
    session.set_settings(speed=60.0)
    session.player.play()
    short.until(lambda: session.cursor > 40, 30)
    session.player.pause()
