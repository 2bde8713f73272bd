"""What is announced when lanes come, go and change places: by then each lane has the run that
belongs to it.
"""

import time
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from laboratory import Lab

import engine
from engine.base.errors import EngineError
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.judge.nearest_flip import exact_flip
from engine.protocol.step import Level
from engine.runs.seen import examples_seen
from gui.session import clock
from gui.session.changes import ANOTHER_LANE, Change, Changes
from gui.session.lane_view import LaneView
from gui.session.sync_mode import END, SyncMode, place_beside
from gui.session.workers import Wish

pytestmark = pytest.mark.slow


def moons(*keys: str, **how: Any) -> Document:
    return Document(
        engine.generate("moons", 12, noise=0.2, seed=3), tuple(lane(key) for key in keys), **how
    )


def test_every_listener_finds_each_lane_with_its_own_run(open_lab: Callable[..., Lab]) -> None:
    """Listeners heard of other lanes while the runs were still those of the places before: 'Params
    has no attribute stop'.
    """
    lab = open_lab(moons("perceptron", "nearest_neighbours", "voronoi_diagram"))
    session = lab.session
    found = []

    def look(changes: Changes) -> None:
        assert changes.anywhere()
        found.append(
            [view.run is None or view.run.lane.key == view.lane.key for view in session.lane_views]
        )

    session.changed.connect(look)
    for name in (
        "swap_lane",
        "fork_lane",
        "next_lane",
        "swap_lane",
        "remove_lane",
        "undo",
        "undo",
        "undo",
        "redo",
    ):
        lab.window.action(name).trigger()
        lab.settle_drawing()
    session.choose("decision_tree")
    assert len(found) > 20 and all(map(all, found))


def test_the_last_steps_of_a_lane_are_shown_though_they_are_reported_just_after_a_look(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was announced any more of a lane beside the lead whose recording stopped before its
    end: it stayed behind for ever.
    """
    monkeypatch.setattr(clock, "AHEAD", 20)
    lanes = lane("logistic_regression", mode="stochastic", steps=6000), lane("backpropagation")
    lab = open_lab(Document(engine.generate("moons", 12, noise=0.2, seed=3), lanes))
    session = lab.session
    lead, other = lab.session.lane_views
    session.seek(END)
    lab.settle()
    lab.until(
        lambda: lead.at_end is other.at_end is False and lead.cursor == other.cursor == 11 * 20 - 1
    )
    session.clock.refresh_rate.begin()
    other.run.advance(10.0, 230)
    session.clock.run_grew(other.run.id)
    lab.until(lambda: other.cursor == 229, 5.0)
    assert lead.cursor == 219


def test_the_end_is_shown_though_it_is_recorded_while_the_window_looks(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lead stayed at step 8 of 23: the worker recorded the last steps after the window had
    counted them and before it asked whether the run was over.
    """
    monkeypatch.setattr(clock, "AHEAD", 20)
    many = Document(
        engine.generate("moons", 12), (lane("logistic_regression", mode="stochastic", steps=600),)
    )
    lab = open_lab(many)
    lab.settle()
    session, lead = lab.session, lab.session.lead
    monkeypatch.setattr(session.worker, "work_on", lambda wishes: None)
    assert len(lead.trace) < 600
    session.seek(END)

    def over_just_after(run: LaneRun) -> bool:
        before = run.run.finished
        run.advance(10.0, END)
        return before

    monkeypatch.setattr(LaneRun, "over", property(over_just_after))
    monkeypatch.setattr(session.clock.refresh_rate, "due", lambda: True)
    session.clock.run_grew(lead.run.id)
    session.clock.run_grew(lead.run.id)
    assert lead.cursor == lead.wanted == len(lead.trace) - 1 > 600


def test_another_lead_is_announced_with_all_that_may_differ_there(
    open_lab: Callable[..., Lab],
) -> None:
    session = open_lab(moons("perceptron", "perceptron")).session
    other = next(view for view in session.lane_views if view is not session.lead)
    announced = list[Changes]()
    session.changed.connect(announced.append)
    session.let_lead(other)
    session.let_lead(other)
    assert len(announced) == 1
    assert announced[0].window == Change.LEAD
    assert list(announced[0].lanes) == [other]
    assert ANOTHER_LANE in announced[0].of(other)


def test_what_changes_at_once_is_announced_once(open_lab: Callable[..., Lab]) -> None:
    session = open_lab(moons("perceptron", "nearest_neighbours")).session
    one, other = session.lane_views
    announced = list[Changes]()
    session.changed.connect(announced.append)
    with session.at_once():
        session.announce(Change.SETTINGS)
        with session.at_once():
            other.announce(Change.MARKS)
        other.announce(Change.VEIL)
        assert not announced
    assert len(announced) == 1
    assert announced[0].of(one) == Change.SETTINGS
    assert announced[0].of(other) == Change.SETTINGS | Change.MARKS | Change.VEIL
    assert announced[0].beside(one) == Change.MARKS | Change.VEIL


def test_an_edit_is_one_announcement(open_lab: Callable[..., Lab]) -> None:
    """The document, the new runs and their shown steps come together: no part sees one without the
    others.
    """
    lab = open_lab(moons("perceptron", "nearest_neighbours"))
    lab.settle()
    session = lab.session
    announced = list[Changes]()
    session.changed.connect(announced.append)
    session.set_params(stop="rounds", rounds=3)
    edits = [each for each in announced if each.window & Change.DOCUMENT]
    assert len(edits) == 1 and edits[0] is announced[0]
    for view in session.lane_views:
        assert Change.RUN | Change.CURSOR in edits[0].of(view)


def test_a_lane_that_has_no_step_yet_waits_for_its_first_one(open_lab: Callable[..., Lab]) -> None:
    """How many examples nothing has seen: an IndexError."""
    lab = open_lab(moons("perceptron", "cross_validation"))
    lead, other = lab.session.lane_views
    lab.session.let_lead(lead)
    other.run = type(other.run)(other.lane, other.problem, other.run.pace)
    assert len(other.trace) == 0
    lead.wanted = lead.cursor
    assert [
        place_beside(other, lead, together) for together in (SyncMode.UNITS, SyncMode.EXAMPLES)
    ] == [0, 0]


def test_others_follow_the_lead_when_its_end_tells_how_many_examples_a_step_has_seen(
    open_lab: Callable[..., Lab],
) -> None:
    """A run without rounds goes over the examples once: by its 8th of 16 steps it has seen half of
    them, which is known only when it is over.
    """
    lab = open_lab(moons("learner_comparison", "decision_tree"))
    session = lab.session
    session.set_together(SyncMode.EXAMPLES)
    lead = session.lead
    other = next(view for view in session.lane_views if view is not lead)
    other.cursor = 0
    session.clock.run_grew(lead.run.id)
    now = examples_seen(lead.trace)[lead.cursor]
    seen = examples_seen(other.trace)
    assert seen[other.cursor] <= now + 1e-9
    assert other.at_end or seen[other.cursor + 1] > now


def test_an_experiment_has_the_flips_of_the_model_it_shows() -> None:
    """“Nearest neighbours has no surface logit.”: which surfaces there are is the model's."""
    document = moons("learner_comparison")
    problem = document.problem()
    trace = engine.run("learner_comparison", document.data)
    count = 0
    for at in range(len(trace)):
        try:
            flip = exact_flip(trace, problem.X[0], at)
        except EngineError as fault:
            raise AssertionError(f"step {at}: {fault}") from fault
        count += 1
        if flip is not None:
            here = trace.predict(problem.from_plane(np.array([flip.start])), at=at)[0]
            assert here == problem.class_text(flip.code) != problem.class_text(flip.other)
    assert count == len(trace)


def test_a_run_that_could_not_begin_is_not_compared(open_lab: Callable[..., Lab]) -> None:
    """A run of no step at all has ended “earlier”: at which step that was could not be said."""
    lab = open_lab(moons("perceptron", "perceptron", compared=(1, 0)))
    lane_comparison, (_, other) = lab.session.lane_comparison, lab.session.lane_views
    fresh = type(other.run)(other.lane, other.problem, other.run.pace)
    fresh.trace.finished = True
    other.run = fresh
    search = lane_comparison.comparison()
    search.advance()
    assert search.found is None and lane_comparison.first is None
    assert "has no run" in lane_comparison.refusal
    assert lab.window.right_dock.above.difference.first_text() == ""


# -- while it is predicted -------------------------------------------------------------------------


def test_no_lane_goes_to_its_end_while_the_next_step_is_predicted(
    open_lab: Callable[..., Lab],
) -> None:
    lab = open_lab(moons("decision_tree", "nearest_neighbours"))
    lab.session.predicting.begin()
    before = [view.cursor for view in lab.session.lane_views]
    lab.window.action(SyncMode.ENDS.name).trigger()
    lab.settle()
    assert [view.cursor for view in lab.session.lane_views] == before
    assert lab.session.together is SyncMode.UNITS and "covered" in lab.said()
    assert not lab.window.action(SyncMode.ENDS.name).isChecked()


def test_a_wanted_step_is_not_shown_while_it_is_predicted(
    open_lab: Callable[..., Lab],
) -> None:
    lab = open_lab(moons("perceptron"))
    session = lab.session
    session.lead.wanted = session.lead.cursor + 5
    session.predicting.begin()
    assert session.lead.wanted == session.lead.cursor <= session.predicting.fence


@pytest.mark.parametrize("how", ["fold", "projector"])
def test_the_question_stays_whatever_is_folded(open_lab: Callable[..., Lab], how: str) -> None:
    lab = open_lab(moons("decision_tree"))
    window = lab.window
    panel = lab.window.predict.panel
    lab.session.predicting.begin()
    (window.room.fold_docks if how == "fold" else window.toggle_projector)()
    lab.settle_drawing()
    assert panel.isVisible() and panel.question.isVisible()
    lab.session.predicting.leave()
    if how == "fold":
        assert not window.right_dock.isVisible()
    assert lab.session.unit is Level.STEP


def test_a_lane_that_takes_many_steps_for_a_round_gets_there_too(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those that it was short of so many were recorded as are for a lane that is ahead, and no
    more.
    """
    monkeypatch.setattr(clock, "AHEAD", 8)
    lanes = lane("perceptron", stop="rounds", rounds=30), lane("backpropagation")
    lab = open_lab(Document(moons().data, lanes))
    session = lab.session
    session.set_unit(Level.ROUND)
    lead, other = session.lane_views

    def rounds(view: LaneView) -> int:
        return (
            bisect_right(view.trace.indices(Level.ROUND), view.cursor)
            if view.trace is not None
            else 0
        )

    session.seek(60)
    lab.until(lambda: lead.cursor == 60)
    assert session.lead is lead and rounds(lead) > 3
    lab.until(lambda: rounds(other) == rounds(lead))


def test_examples_that_a_step_has_seen_are_known_better_with_each_round(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others stood where the lead had been taken to be before its first round was recorded,
    until it had ended.
    """
    monkeypatch.setattr(clock, "AHEAD", 2)
    lab = open_lab(moons("backpropagation", "voronoi_diagram"))
    session = lab.session
    lead, other = session.lane_views
    session.set_together(SyncMode.EXAMPLES)
    session.seek(6)
    lab.until(lambda: lead.cursor == 6 and session.worker.idle)
    before = examples_seen(lead.trace)[6]

    def recorded(view: LaneView) -> bool:
        # again: a report on the way has the clock wish for less
        session.worker.work_on([Wish(view.run, 300)])
        return len(view.trace) >= 300 or view.run.over

    # the lead last: nothing that the others record tells them to look again
    for view in (other, lead):
        lab.until(lambda view=view: recorded(view))
        lab.until(lambda: session.worker.idle)
    assert session.lead is lead and not lead.at_end and examples_seen(lead.trace)[6] < before
    lab.until(lambda: other.cursor == place_beside(other, lead, SyncMode.EXAMPLES))


@pytest.mark.parametrize("name", ["duplicate_lane", "fork_lane", "add_lane", "own_points"])
def test_a_run_that_goes_on_while_lanes_come_is_not_lost(
    open_lab: Callable[..., Lab], name: str
) -> None:
    """The window's thread went into the run in which the worker was: 'generator already executing',
    and it was dead.
    """
    document = Document(engine.generate("moons", 60, noise=0.3, seed=3), (lane("cost_matrix"),))
    lab = open_lab(document, wait=False)
    session = lab.session
    for attempt in range(5):
        lab.until(lambda: session.worker.busy or session.worker.idle)
        time.sleep(0.005 * attempt)  # somewhere within a step
        lab.window.action(name).trigger()
        lab.settle_drawing()
        assert [view.error for view in session.lane_views] == [""] * len(session.lane_views)
        lab.window.action("undo").trigger()
        lab.settle_drawing()
        assert session.error == ""
        session.set_seed(attempt + 1)  # the run begins again


def test_the_end_that_is_wanted_stays_wanted_when_another_lane_takes_the_lead(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An opening “at its end” stood at step 87 of 554: the shortest lane had ended, then the next
    one, and from then on its last step was the time of all.
    """
    lab = open_lab(moons("perceptron"))
    session = lab.session
    monkeypatch.setattr(session.worker, "work_on", lambda wishes: None)
    monkeypatch.setattr(session.clock, "catch_up", lambda nth: None)
    steps = (lane("logistic_regression", mode="stochastic", steps=n) for n in (20, 60, 400))
    session.begin(Document(engine.generate("moons", 12), tuple(steps)), "open", (Level.STEP, 0))
    views = session.lane_views
    for view in views:
        view.run.advance(10.0, 1, wait=1.0)
    session.seek(END)
    views[1].run.advance(10.0, END, wait=1.0)
    views[2].run.advance(10.0, 5, wait=1.0)
    for view in (views[1], views[2]):
        session.clock.run_grew(view.run.id)
    views[0].run.advance(10.0, END, wait=1.0)
    session.clock.run_grew(views[0].run.id)
    assert views[0].finished and views[1].finished and not views[2].finished
    views[2].run.advance(10.0, END, wait=1.0)
    session.clock.run_grew(views[2].run.id)
    assert all(view.at_end for view in views)
    assert all(view.wanted == view.cursor for view in views)
