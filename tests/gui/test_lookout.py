"""How often a run that hurries on is looked at: the dearer a look, the rarer."""

import pytest
from PySide6.QtCore import QObject, Signal

from gui import lookout
from gui.lookout import EVERY, Lookout


class Screen(QObject):
    painted = Signal()


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(lookout.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(("cost", "rest"), [(0.001, EVERY), (0.02, EVERY), (0.1, 0.5), (0.3, 1.5)])
def test_after_a_dear_look_the_window_has_time_for_others(clock: list[float], cost: float, rest: float) -> None:
    screen = Screen()
    looks = Lookout(screen.painted)
    assert looks.due()
    looks.begin()
    clock[0] += cost
    screen.painted.emit()
    clock[0] += 5
    screen.painted.emit()  # of something else
    clock[0] = 100.0 + rest - 0.01
    assert not looks.due()
    clock[0] = 100.0 + rest + 0.01
    assert looks.due()
