"""Playing: speed, skipping of frames, the end, and the events to stop at."""

import time

import pytest
from laboratory import LEFT, Key, Lab, on
from PySide6.QtTest import QTest

from engine.protocol.step import Level
from gui.session.changes import Change


def play_to_the_end(lab: Lab) -> None:
    lab.session.set_settings(speed=1000.0)
    lab.key(Key.Key_Space)
    lab.until(lambda: not lab.session.player.playing)


@pytest.mark.slow
def test_the_end_is_shown_when_playing_ends(lab: Lab) -> None:
    """Also when the last steps came too fast for frames of their own."""
    shown = []
    on(lab.session, Change.CURSOR, lambda: shown.append(lab.session.cursor))
    play_to_the_end(lab)
    last = len(lab.session.trace) - 1
    assert lab.session.cursor == last
    assert shown[-1] == last
    assert shown == sorted(shown)


@pytest.mark.slow
def test_playing_again_begins_at_the_start(lab: Lab) -> None:
    play_to_the_end(lab)
    lab.session.set_settings(speed=4.0)
    lab.key(Key.Key_Space)
    assert lab.session.player.playing
    assert lab.session.cursor == 0


@pytest.mark.slow
@pytest.mark.parametrize("speed", [30.0, 200.0])
def test_the_speed_is_kept(endless: Lab, speed: float) -> None:
    endless.session.set_settings(speed=speed)
    endless.until(lambda: len(endless.session.trace) > 1_000)
    endless.key(Key.Key_Space)
    began = time.perf_counter()
    QTest.qWait(600)
    endless.key(Key.Key_Space)
    passed = (time.perf_counter() - began) * speed
    assert 0.4 * passed < endless.session.cursor <= 1.1 * passed + 2


@pytest.mark.slow
@pytest.mark.parametrize("speed", [60.0, 1000.0])
@pytest.mark.parametrize("unit", [Level.STEP, Level.ROUND])
def test_it_stops_at_the_first_wanted_event(lab: Lab, speed: float, unit: Level) -> None:
    """At any speed, and also when whole rounds are played."""
    first = next(i for i, events in enumerate(lab.session.trace.events) if "mistake" in events)
    lab.session.set_unit(unit)
    QTest.mouseClick(
        lab.window.transport.checks["mistake"],
        LEFT,
        pos=lab.window.transport.checks["mistake"].rect().center(),
    )
    assert lab.session.stop_at == {"mistake"}
    lab.session.set_settings(speed=speed)
    lab.key(Key.Key_Space)
    lab.until(lambda: not lab.session.player.playing)
    assert lab.session.cursor == first
    assert lab.said() == "Stopped at: mistake."
    lab.key(Key.Key_Space)
    lab.until(lambda: not lab.session.player.playing)
    second = next(
        i for i, events in enumerate(lab.session.trace.events) if "mistake" in events and i > first
    )
    assert lab.session.cursor == second


def stopped(lab: Lab) -> None:
    """At the first mistake, as the message line says."""
    check = lab.window.transport.checks["mistake"]
    QTest.mouseClick(check, LEFT, pos=check.rect().center())
    lab.session.set_settings(speed=200.0)
    lab.plane.setFocus()
    lab.key(Key.Key_Space)
    lab.until(lambda: not lab.session.player.playing)
    assert lab.said() == "Stopped at: mistake."


@pytest.mark.slow
def test_where_it_stopped_is_old_when_playing_goes_on(lab: Lab) -> None:
    stopped(lab)
    lab.session.set_settings(stop_at=frozenset(), speed=8.0)
    assert lab.said() == "Stopped at: mistake."
    lab.key(Key.Key_Space)
    assert lab.said() == "", "before the next step is due"
    lab.key(Key.Key_Space)
    play_to_the_end(lab)
    assert lab.said() == ""


@pytest.mark.slow
@pytest.mark.parametrize("key", [Key.Key_Right, Key.Key_Left, Key.Key_Home, Key.Key_End])
def test_where_it_stopped_is_old_when_the_person_steps_on(lab: Lab, key: Key) -> None:
    stopped(lab)
    lab.key(key)
    lab.settle()
    assert lab.said() == ""


def test_playing_goes_by_the_unit(lab: Lab) -> None:
    lab.session.set_unit(Level.ROUND)
    lab.session.set_settings(speed=15.0)
    seen = []
    on(lab.session, Change.CURSOR, lambda: seen.append(lab.session.cursor))
    lab.key(Key.Key_Space)
    lab.until(lambda: not lab.session.player.playing)
    assert seen and set(seen) <= set(lab.session.trace.indices(Level.ROUND))


@pytest.mark.slow
def test_an_edit_while_playing_plays_on(lab: Lab) -> None:
    lab.session.set_settings(speed=30.0)
    lab.key(Key.Key_Space)
    lab.until(lambda: lab.session.cursor > 3)
    lab.click(*lab.free_place())
    assert lab.session.player.playing
    here = lab.session.cursor
    assert here > 0
    lab.until(lambda: lab.session.cursor > here or not lab.session.player.playing)


def test_other_buttons(lab: Lab) -> None:
    buttons = lab.window.transport.buttons
    for name, wanted in [("next", 1), ("next", 2), ("back", 1), ("first", 0)]:
        QTest.mouseClick(buttons[name], LEFT)
        assert lab.session.cursor == wanted
    QTest.mouseClick(buttons["last"], LEFT)
    assert lab.session.cursor == len(lab.session.trace) - 1
    QTest.mouseClick(buttons["play"], LEFT)
    assert lab.session.player.playing
    QTest.mouseClick(buttons["play"], LEFT)
    assert not lab.session.player.playing
