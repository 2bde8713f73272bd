"""What counts as the same time in several lanes."""

from bisect import bisect_right
from enum import Enum

import numpy as np

from engine.base.arrays import Float
from engine.runs.seen import examples_seen
from gui.session.forked import seen_before, units_before
from gui.session.lane_view import END as END
from gui.session.lane_view import LaneView


class SyncMode(Enum):
    """The rule by which steps of several lanes count as simultaneous."""

    UNITS = "as many units of the clock"
    EXAMPLES = "as many examples seen"
    ENDS = "each at its own end"


def place_beside(view: LaneView, lead: LaneView, together: SyncMode, at: int | None = None) -> int:
    """The step of a lane at the time of step `at` of the lead, by default the shown one.

    END where the lane goes to its end; one past its last step where that time is not recorded yet.
    """
    trace = view.trace
    if lead.wanted >= END or together is SyncMode.ENDS or trace is None or lead.trace is None:
        return END
    if not len(trace) or not len(lead.trace):
        return 0  # its first step, as soon as there is one
    last = len(trace) - 1
    cursor = lead.cursor if at is None else at
    over = lead.finished and cursor == len(lead.trace) - 1
    if together is SyncMode.EXAMPLES:
        now = examples_seen(lead.trace)[cursor] + seen_before(lead)
        seen = examples_seen(trace) + seen_before(view)
        if now > seen[-1] or (over and view.finished and now == seen[-1]):
            return last if view.finished else last + 1
        return max(0, int(np.searchsorted(seen, now * (1 + 1e-12), "right")) - 1)
    indices = trace.indices(lead.unit)
    n = max(
        0, bisect_right(lead.trace.indices(lead.unit), cursor) - 1 + units_before(lead, lead.unit)
    )
    n -= units_before(view, lead.unit)
    if n < 0:  # before it was forked
        return 0
    if view.finished and (n >= len(indices) or (over and n == len(indices) - 1)):
        return last
    return int(indices[n]) if n < len(indices) else last + 1


def places_in_lead(view: LaneView, lead: LaneView, steps: Float, together: SyncMode) -> Float:
    """The places (m,) in the lead's run, between steps too, at the time of a lane's steps (m,)."""
    if view.run is lead.run or view.trace is None or lead.trace is None:
        return steps
    if together is SyncMode.EXAMPLES:
        theirs = examples_seen(lead.trace) + seen_before(lead)
        own = examples_seen(view.trace)[steps.astype(np.intp)] + seen_before(view)
        return np.interp(own, theirs, np.arange(len(theirs), dtype=float))
    own, theirs = (
        np.asarray(each.indices(lead.unit), np.float64) for each in (view.trace, lead.trace)
    )
    later = units_before(view, lead.unit) - units_before(lead, lead.unit)
    own = own[max(0, -later) :]
    theirs = theirs[max(0, later) :]
    count = min(len(own), len(theirs))
    return np.interp(steps, own[:count], theirs[:count]) if count else np.zeros(len(steps))
