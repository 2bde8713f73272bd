"""A lane whose run has made no step yet, as while the run before a fork is followed: nothing that
reads steps fails.
"""

from pathlib import Path

import pytest
from laboratory import Lab
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.protocol.step import Level, Pace
from gui.session.lane_events import LANE_EVENTS
from gui.session.sync_mode import END

lab = opening(
    lambda: Document(
        engine.generate("moons", n=20),
        (lane("perceptron"), lane("perceptron", rate=0.3)),
        probe=(0.4, 0.2),
    )
)


def without_a_step(lab: Lab, place: int) -> None:
    """The lane at this place gets a new run, of which the worker has recorded nothing."""
    view = lab.session.lane_views[place]
    assert view.problem is not None
    view.begin(LaneRun(view.lane, view.problem, Pace(Level.STEP)), 0)
    assert view.trace is not None and not len(view.trace)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("event", LANE_EVENTS)
def test_playing_goes_on_beside_a_lane_without_a_step(lab: Lab, event: str, place: int) -> None:
    session = lab.session
    session.let_lead(session.lane_views[1 - place])
    session.set_settings(stop_at=frozenset([event]))
    without_a_step(lab, place)
    session.player.advance(1)
    assert session.lead.cursor == 1


def test_the_end_that_is_wanted_before_the_first_step_is_shown_once_it_is_there(lab: Lab) -> None:
    """As for an opening “at its end” whose first step takes long."""
    session = lab.session
    session.let_lead(session.lane_views[0])
    without_a_step(lab, 0)
    session.seek(END)
    lab.until(lambda: session.lead.finished and session.lead.at_end)
    assert session.lead.cursor > 0


def test_a_picture_before_the_first_step_is_a_sentence(lab: Lab, tmp_path: Path) -> None:
    without_a_step(lab, lab.session.active)
    path = tmp_path / "plane.png"
    lab.window.commands.exports.picture_to(str(path))
    assert lab.said() == "There is nothing to save yet: the algorithm has not run."
    assert not path.exists()


def test_an_end_that_is_wanted_before_the_first_step_is_not_forgotten(lab: Lab) -> None:
    """A comparison on 1,797 digits makes its first step late: its opening stayed at step 0. Here
    the run has no end, so the steps go on to be shown.
    """
    session = lab.session
    session.let_lead(session.lane_views[0])
    without_a_step(lab, 0)
    session.seek(END)
    assert session.lead.wanted == END
    lab.until(lambda: session.lead.cursor > 0)
    session.seek(0)
