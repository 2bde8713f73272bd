"""Lanes that begin at a step of another lane, and the time on the clock that passed before."""

from bisect import bisect_right
from collections.abc import Sequence

from engine.protocol.step import Level
from engine.runs.seen import examples_seen
from engine.runs.start import Start
from gui.session.lane_view import LaneView

RECIPE = ("key", "params", "seed", "start", "branches")  # of a lane: they determine its run


def begun_in(view: LaneView) -> Start | None:
    """The start of a lane's run; None where it begins at its own beginning."""
    return view.run.lane.start if view.run is not None else None


def root_of(start: Start | None, views: Sequence[LaneView]) -> LaneView | None:
    """The view whose run `start` goes on from; None where no lane shows it."""
    if start is None:
        return None
    recipe = start.own, start.key, start.params, start.seed, start.start, start.branches
    lanes = ((view, view.run.lane) for view in views if view.run is not None)
    recipes = (
        (v, (lane.data is not None, *(getattr(lane, name) for name in RECIPE))) for v, lane in lanes
    )
    return next((view for view, of in recipes if of == recipe), None)


def forked_from(view: LaneView) -> tuple[LaneView, int] | None:
    """(lane, step) after which a lane's run goes on.

    None where no other lane shows that run, or where it has not recorded that step yet.
    """
    start = begun_in(view)
    root = root_of(start, view.siblings)
    if start is None or root is None or root is view or root.trace is None:
        return None
    steps = root.trace.indices(start.level)
    return (root, int(steps[start.step])) if start.step < len(steps) else None


def begins_later(view: LaneView) -> bool:
    """Whether a lane begins after the shown step of its origin, so that all of it lies ahead."""
    found = forked_from(view)
    return found is not None and found[0].cursor <= found[1]


def units_before(view: LaneView, unit: Level) -> int:
    """The number of units passed when a lane's run began; 0 where no lane shows the run before
    it.
    """
    return _units(begun_in(view), view.siblings, unit)


def _units(start: Start | None, views: Sequence[LaneView], unit: Level) -> int:
    if start is None:
        return 0
    root = root_of(start, views)
    # the run before that may be shown: a weight was set by hand right after the fork
    if root is None or root.trace is None:
        before = _units(start.start, views, unit)
        return before + (start.step + 1) * (start.level is unit) if before else 0
    steps = root.trace.indices(start.level)
    if start.step >= len(steps):
        return 0
    return bisect_right(root.trace.indices(unit), steps[start.step]) + _units(
        start.start, views, unit
    )


def seen_before(view: LaneView) -> float:
    """The number of examples seen when a lane's run began."""
    found = forked_from(view)
    if found is None or found[0].trace is None:
        return 0.0
    return float(examples_seen(found[0].trace)[found[1]]) + seen_before(found[0])
