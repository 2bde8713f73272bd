"""How often a run that hurries on is looked at: the dearer a look, the rarer."""

import pytest
from laboratory import Key, Lab
from PySide6.QtCore import QObject, Signal
from PySide6.QtTest import QTest

from gui.session import clock as clock_module
from gui.session.clock import EVERY, RefreshRate


class Screen(QObject):
    timeout = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def start(self) -> None:
        self.reads += 1


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(clock_module.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(("cost", "rest"), [(0.001, EVERY), (0.02, EVERY), (0.1, 0.5), (0.3, 1.5)])
def test_after_a_dear_look_the_window_has_time_for_others(
    clock: list[float], cost: float, rest: float
) -> None:
    screen = Screen()
    looks = RefreshRate(screen)
    assert looks.due()
    looks.begin()
    assert screen.reads == 1
    clock[0] += cost
    screen.timeout.emit()
    clock[0] += 5
    screen.timeout.emit()  # of something else
    clock[0] = 100.0 + rest - 0.01
    assert not looks.due()
    clock[0] = 100.0 + rest + 0.01
    assert looks.due()


@pytest.mark.slow
def test_a_look_ends_with_its_paint_without_a_step(lab: Lab) -> None:
    """Standing still for long is no cost: after it an edit has its curves as soon as any other."""
    lab.key(Key.Key_L)
    lab.key(Key.Key_2)
    lab.drag((-2, 2), (2, 2))  # no line separates: the run has no end
    looks = lab.session.clock.refresh_rate
    lab.until(lambda: len(lab.session.trace) > 2000)
    QTest.qWait(1500)
    assert not looks.under_way
    assert looks.cost < 1
