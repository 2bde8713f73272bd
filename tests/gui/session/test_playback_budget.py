"""What stands beside the plane follows steps that fly by in turn, and all of it the step that
stays.
"""

from itertools import pairwise
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.session.changes import Change
from gui.session.playback_budget import PLANE, PlaybackBudget

NUMBERS, FIGURES, WORDS = Change.NUMBERS, Change.FIGURES, Change.WORDS


class Followed:
    """A flight at a clock set by hand, and what it announced."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, playing: bool = True, ahead: int = 0
    ) -> None:
        self.now = 10.0
        self.playing = playing
        self.changes = list[Change]()
        monkeypatch.setattr(
            "gui.session.playback_budget.time", SimpleNamespace(perf_counter=lambda: self.now)
        )
        self.playback_budget = PlaybackBudget(lambda: self.playing, self.changes.append, ahead)

    def after(self, seconds: float, takes: float = 0.0) -> list[Change]:
        """What follows a step at once, and then what follows when it is painted.

        seconds: since the step before was there; takes: until it is there itself
        """
        self.now += seconds
        self.changes.clear()
        if at_once := self.playback_budget.move():
            self.changes.append(at_once)
        self.now += takes
        QApplication.processEvents()  # it is painted
        return list(self.changes)


@pytest.mark.parametrize(("playing", "apart"), [(False, 0.01), (True, 0.13)])
def test_each_step_that_can_be_read_is_shown_whole(
    monkeypatch: pytest.MonkeyPatch, playing: bool, apart: float
) -> None:
    followed = Followed(monkeypatch, playing)
    assert followed.after(apart) == [NUMBERS | FIGURES], "the first one is painted with all of it"
    for _ in range(5):
        assert followed.after(apart) == [NUMBERS, FIGURES], "the others after their plane"
        assert followed.playback_budget.whole and not followed.playback_budget.flying


def test_while_they_fly_figures_and_numbers_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = Followed(monkeypatch, ahead=PLANE)
    followed.after(1.0), followed.after(0.016)
    changes = [followed.after(0.016) for _ in range(20)]
    assert all(len(one) == 1 and one != other for one, other in pairwise(changes))
    assert followed.playback_budget.flying and not followed.playback_budget.whole


def test_one_step_in_48_is_shown_whole_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = Followed(monkeypatch)
    followed.after(1.0)
    whole = [k for k in range(150) if followed.after(0.016) and followed.playback_budget.whole]
    assert whole == [0, 48, 96, 144]


def test_no_step_of_a_flight_pays_for_words_and_whole_figures_and_the_labels_of_its_plane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed = Followed(monkeypatch)
    budget = followed.playback_budget
    assert followed.after(1.0) == [NUMBERS | FIGURES]
    assert followed.after(0.016) == [NUMBERS, FIGURES]
    assert budget.whole and budget.whole_figures and budget.labels
    flown = [
        (followed.after(0.016), budget.whole, budget.whole_figures, budget.labels)
        for _ in range(50)
    ]
    assert [announced for announced, *_ in flown[46:]] == [[FIGURES], [WORDS], [FIGURES], []]
    words, figures, labels = (
        {step for step, (_, *whole) in enumerate(flown) if whole[kind]} for kind in range(3)
    )
    assert (words, figures, labels) == ({47}, {0, 48}, {1, 49})
    budget.land()
    assert budget.whole and budget.whole_figures and budget.labels


def test_a_machine_that_takes_long_for_each_step_does_not_take_longer_to_put_it_into_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed = Followed(monkeypatch, ahead=PLANE)
    followed.after(1.0, takes=0.3)
    assert [len(followed.after(0.016, takes=0.3)) for _ in range(4)] == [2, 1, 1, 1]
    assert followed.playback_budget.flying


def test_several_lanes_show_their_words_with_different_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lanes = [Followed(monkeypatch, ahead=k) for k in (0, 3, 6, 9)]
    whole = []
    for lane in lanes:
        lane.after(1.0), lane.after(0.016)
        whole.append({k for k in range(1, 97) if WORDS in lane.after(0.016)})
    assert [len(steps) for steps in whole] == [2, 2, 2, 2]
    assert len(set.union(*whole)) == 8


def test_at_a_great_speed_steps_fly_though_a_busy_machine_shows_few_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed = Followed(monkeypatch, ahead=PLANE)
    followed.playback_budget.speed = 1000.0
    assert [len(followed.after(0.3)) for _ in range(6)] == [1] * 6


def test_the_last_step_of_a_flight_is_shown_whole_when_it_has_stood_for_a_moment(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    followed = Followed(monkeypatch)
    followed.after(1.0), followed.after(0.016), followed.after(0.016)
    followed.changes.clear()
    qtbot.waitUntil(lambda: len(followed.changes) == 2, timeout=2000)
    assert followed.changes == [NUMBERS, FIGURES]
    assert followed.playback_budget.whole and not followed.playback_budget.flying
    followed.playback_budget.land()
    assert len(followed.changes) == 2  # it was announced already
