"""Events of several lanes at once, at which playing can stop: they disagree on the probe, one
converges, two runs differ.
"""

from collections.abc import Mapping

import numpy as np

from engine.document.lane_edits import LETTERS
from engine.runs.trace import Trace
from engine.table.problem import Task
from gui.session.lane_comparison import LaneComparison
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.sync_mode import place_beside

DISAGREE, CONVERGES, DIFFER = "lanes disagree", "a lane converges", "first difference"
LANE_EVENTS: Mapping[str, str] = {
    DISAGREE: "the lanes begin to disagree on the probe",
    CONVERGES: "a lane converges or ends",
    DIFFER: "the runs of the two lanes that are compared begin to differ",
}
SEARCH = 0.01  # seconds of search for the first difference, each time the steps move on


class LaneEvents:
    """Finds events of several lanes: call `begin`, then `met` for steps of the lead in order."""

    def __init__(self, shown: Playhead, lane_comparison: LaneComparison) -> None:
        self._shown, self._differing = shown, lane_comparison
        self._agreed = True
        self._said: dict[LaneView, tuple[object, float]] = {}  # (run and step, class of the probe)

    def begin(self) -> None:
        """Take the steps now shown as those from which `met` finds events."""
        stop_at = self._shown.stop_at
        if DISAGREE in stop_at:
            self._agreed = self._agree({view: view.cursor for view in self._begun()})
        search = self._differing.comparison() if DIFFER in stop_at else None
        if search is not None:
            search.advance(SEARCH)

    def met(self, index: int) -> frozenset[str]:
        """The events, in words, that the lanes have on their way to step `index` of the lead."""
        stop_at = self._shown.stop_at
        if not stop_at & LANE_EVENTS.keys() or len(self._shown.lane_views) < 2:
            return frozenset()
        there = self._places(index)
        found = []
        if CONVERGES in stop_at:
            found += [
                f"lane {LETTERS[view.place]} converges"
                for view, at in there.items()
                if _converges(view, at)
            ]
        if DISAGREE in stop_at:
            before = self._agreed
            self._agreed = self._agree(there)
            found += ["lanes disagree on the probe"] if before and not self._agreed else []
        pair, first = self._differing.pair, self._differing.first
        if DIFFER in stop_at and pair is not None and first is not None:
            passed = [
                view.cursor < at <= there.get(view, -1)
                for view, at in zip(pair, first.at, strict=True)
            ]
            found += (
                [f"first difference of {' and '.join(self._differing.letters)}"]
                if any(passed)
                else []
            )
        return frozenset(found)

    def _places(self, index: int) -> dict[LaneView, int]:
        """The step of each lane at the time of step `index` of the lead."""
        shown = self._shown
        found = dict[LaneView, int]()
        for view, trace in self._begun().items():
            at = (
                index
                if view is shown.lead
                else place_beside(view, shown.lead, shown.together, index)
            )
            found[view] = min(at, len(trace) - 1)
        return found

    def _begun(self) -> dict[LaneView, Trace]:
        """The lanes with a recorded step, and their runs.

        A lane may have no run, or one without a step yet.
        """
        return {
            view: view.trace
            for view in self._shown.lane_views
            if view.trace is not None and len(view.trace)
        }

    def _agree(self, there: Mapping[LaneView, int]) -> bool:
        """Whether all lanes that give the probe a class give the same one."""
        return (
            len({said for view, at in there.items() if (said := self._label(view, at)) == said}) < 2
        )

    def _label(self, view: LaneView, at: int) -> float:
        """The class of the probe at a step of a lane; NaN where there is none to give."""
        trace, problem = view.trace, view.problem
        if trace is None or problem is None or problem.query is None or not trace.holds(at):
            return float("nan")
        method = trace.algorithm
        if method.predict is None or problem.regress or method.task is Task.CLUSTER:
            return float("nan")
        key = id(trace), at, id(problem.query)
        if view not in self._said or self._said[view][0] != key:
            said = method.predict(trace.given, trace[at].state, np.asarray(problem.query)[None])[0]
            self._said[view] = key, float(said)
        return self._said[view][1]


def _converges(view: LaneView, at: int) -> bool:
    """Whether a lane converges, or ends, on its way to step `at`."""
    trace = view.trace
    if trace is None or at <= view.cursor:
        return False
    ends = view.finished and at == len(trace) - 1
    return ends or any("converged" in trace.events[k] for k in range(view.cursor + 1, at + 1))
