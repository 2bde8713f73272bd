"""One curve for each lane over the steps of the lead lane, told apart by dash and letter."""

from collections.abc import Sequence

import numpy as np

from engine.document.lane_edits import LETTERS, called
from engine.protocol.algorithm import Curve
from gui.session.lane_view import LaneView
from gui.session.sync_mode import SyncMode, places_in_lead
from gui.timeline.curves import EMPTY, Curves, Series, chosen_curve, range_of, series_of

# pixels of dashes and gaps for the lanes A, B, C, D
PATTERNS: tuple[tuple[float, ...], ...] = ((), (8, 4), (2, 3), (11, 4, 2, 4))


def lane_curves(
    views: Sequence[LaneView], lead: LaneView, together: SyncMode, chosen: str = ""
) -> Curves:
    """The curves of the lead's metric `chosen`, by default a usual one, of all lanes that measure
    it.

    EMPTY if the lead has no curve or no step.
    """
    main = chosen_curve(lead.run, chosen)
    if main is None or lead.trace is None:
        return EMPTY
    series = [_series(view, lead, main, together) for view in views]
    shown = tuple(each for each in series if each is not None and len(each.x))
    labelled = int(lead.trace.problem.labelled.sum())
    low, high = range_of(main, list(shown))
    caption = f"{main.title}, of {labelled:,}" if main.of_n else main.title
    return Curves(caption, shown, low, high, main.log, main.digits)


def _series(view: LaneView, lead: LaneView, main: Curve, together: SyncMode) -> Series | None:
    """The curve of a lane over the steps of the lead; None if the lane does not measure `main`.

    A finished lane keeps its last value to the end of the lead.
    """
    trace = view.trace
    if trace is None or lead.trace is None or not len(trace):
        return None
    own = [c for c in trace.algorithm.curves if not c.bound and _alike(c, main)]
    if not own:
        return None
    letter = LETTERS[view.place]
    place = view.place
    found = series_of(own[0], trace.metrics, 1.0)
    counted = np.isin(found.x, trace.indices(lead.unit)) | (
        found.x == len(trace) - 1
    )  # lanes are compared at whole units only
    x = places_in_lead(view, lead, found.x[counted], together)
    y = found.y[counted]
    last = float(len(lead.trace) - 1)
    if len(x) and view.finished and x[-1] < last:
        x, y = np.append(x, last), np.append(y, y[-1])
    name = f"{letter} {called(view.lane, view.document.lanes)}"
    return Series(name, x, y, end=letter, about=own[0].tags, pattern=PATTERNS[place], lane=True)


def _alike(curve: Curve, main: Curve) -> bool:
    return curve.of_n if main.of_n else curve.metric == main.metric and not curve.of_n
