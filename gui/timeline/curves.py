"""The curves over the timeline as plain arrays: the chosen metric, its bounds and the held-out
errors.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from engine.base.arrays import Float
from engine.base.notation import number, short, value_text
from engine.base.records import Record, replace
from engine.base.tags import HELD_OUT_POINTS
from engine.document.lane_edits import LETTERS, title_of
from engine.judge.judging import Judging
from engine.protocol.algorithm import Curve
from engine.runs.trace import Trace
from engine.scene.layers import Role
from engine.scene.roles import WRONG
from gui.session.lane_view import LaneView
from gui.session.sync_mode import SyncMode, places_in_lead

# pixels of dashes and gaps for the lanes A, B, C, D
PATTERNS: tuple[tuple[float, ...], ...] = ((), (8, 4), (2, 3), (11, 4, 2, 4))


def _alike(curve: Curve, main: Curve) -> bool:
    return curve.of_n if main.of_n else curve.metric == main.metric and not curve.of_n


HEADROOM = 0.94  # of the height: where the highest value lies, below the frame
NOTHING = 3.0  # how far 0 stands below the least number on a logarithmic axis
# how many times longer a bound may make an axis, linear or logarithmic: the curve comes first
REACH, REACH_LOG = 5.0, 100.0
# the largest value and the least range of an axis: others overflow
LARGEST, LEAST_SPAN = 1e300, 1e-300
BEYOND = 0.2  # of the height: how far a line that leaves the frame is followed


class Judged(Protocol):
    """A run with its errors on held-out rows."""

    @property
    def trace(self) -> Trace: ...

    @property
    def judging(self) -> Judging: ...


class Series(Record):
    """One line over the timeline.

    x, y: (m,) step numbers, ascending, and values without NaN;
    dashed: whether it is a bound or of the held-out rows;
    beyond: what the legend says about a bound that leaves the frame;
    end: its name at the right end, where train and test differ;
    about: the tags of what it measures;
    pattern: pixels of dashes and gaps, () for none of its own;
    lane: whether it is the curve of one of several lanes.
    """

    name: str
    x: Float
    y: Float
    dashed: bool = False
    beyond: str = ""
    end: str = ""
    about: tuple[str, ...] = ()
    pattern: tuple[float, ...] = ()
    lane: bool = False


class Curves(Record):
    """The series with their axis.

    caption: the words over the axis;
    low, high: the range of the axis;
    log: whether the axis is logarithmic;
    digits: of the values that are written.
    """

    caption: str
    series: tuple[Series, ...]
    low: float
    high: float
    log: bool = False
    digits: int = 2

    def height(self, values: Float) -> Float:
        """The heights of `values` in the frame, from 0 (bottom) to 1 (top).

        Values outside the range get heights outside the frame, by BEYOND at most.
        """
        if self.log:
            floor = max(self.low, 1e-12)
            values, low, high = (
                np.log10(np.maximum(values, floor)),
                np.log10(floor),
                np.log10(max(self.high, floor * 10)),
            )
        else:
            low, high = self.low, self.high
        return np.clip((values - low) / ((high - low) or 1.0) * HEADROOM, -BEYOND, 1.0 + BEYOND)

    def ticks(self) -> list[float]:
        """Three or four round values inside the range; powers of ten where the axis is logarithmic
        and has two of them.
        """
        if self.log:
            low = max(self.low, 1e-12)
            high = max(self.high, 10 * low)
            first, last = int(np.ceil(np.log10(low))), int(np.floor(np.log10(high)))
            if last > first:
                return [10.0**k for k in range(first, last + 1, max(1, (last - first + 1) // 3))]
            return [
                v
                for k in (first - 1, first)
                for m in (1, 2, 5)
                if low <= (v := m * 10.0**k) <= high
            ]
        span = self.high - self.low
        power = 10 ** np.floor(np.log10(span / 2)) if span > 0 else 1.0
        step = next(power * k for k in (1, 2, 2.5, 5, 10) if span / (power * k) <= 3.01)
        return [
            float(v)
            for v in np.arange(np.ceil(self.low / step) * step, self.high + step * 1e-6, step)
        ]


def tick_text(value: float) -> str:
    """A number of the axis as text: 0.01, 250, and powers of ten for others: 10⁻⁸, 2.5·10⁶."""
    if value == 0 or 1e-3 * (1 - 1e-9) <= abs(value) < 1e5:
        return short(value)
    mantissa, _, power = number(value, 1).partition("·")
    return (
        power
        if mantissa == "1.0" and power
        else "·".join(p for p in (mantissa.removesuffix(".0"), power) if p)
    )


HELD_OUT = "held out"
EMPTY = Curves("", (), 0.0, 1.0)


def chosen_curve(judged: Judged | None, chosen: str = "") -> Curve | None:
    """The curve of metric `chosen`, by default the first that counts rows, or else the first of
    all.

    None if the algorithm has no curves or the run has no step.
    """
    if judged is None or not judged.trace.algorithm.curves or not len(judged.trace):
        return None
    trace = judged.trace
    known = [
        c for c in trace.algorithm.curves if c.metric in trace.metrics
    ] or trace.algorithm.curves
    return next((c for c in known if c.metric == chosen), _usual(known, True))


def curves(judged: Judged | None, chosen: str = "") -> Curves:
    """The curves of metric `chosen`, by default of the first one, or with held-out rows of the
    first that is also judged on them. EMPTY if the algorithm has no curves or the run has no step.
    """
    if judged is None or not judged.trace.algorithm.curves or not len(judged.trace):
        return EMPTY
    trace = judged.trace
    metrics = trace.metrics
    known = [c for c in trace.algorithm.curves if c.metric in metrics] or trace.algorithm.curves
    main = next(
        (c for c in known if c.metric == chosen), _usual(known, trace.problem.held_out is not None)
    )
    held = trace.problem.held_out is not None and (
        main.of_n or (main is known[0] and trace.problem.regress)
    )
    percent = held and main.of_n
    labelled = max(int(trace.problem.labelled.sum()), 1)
    factor = 100.0 / labelled if percent else 1.0
    series = [series_of(main, metrics, factor)]
    if main is known[0]:
        series += [series_of(c, metrics, factor) for c in known if c.bound]
    if held:
        steps = np.asarray(judged.judging.steps, np.float64)
        shares = np.asarray(judged.judging.shares[: len(steps)], np.float64)
        x, y = measured(steps[: len(shares)], shares * (100.0 if percent else 1.0))
        uses = trace.algorithm.uses_held_out
        seen = uses is not None and uses(trace.params)  # learning looked at them: they test nothing
        series[0] = replace(series[0], end="train")
        end = HELD_OUT if seen else "test"
        about = (WRONG[Role.HELD_OUT] if main.of_n else HELD_OUT_POINTS,)
        series.append(Series(HELD_OUT, x, y, dashed=True, end=end, about=about))
    caption = (
        f"{main.title}, %"
        if percent
        else (f"{main.title}, of {labelled:,}" if main.of_n else main.title)
    )
    series = [s for s in series if len(s.x)]
    low, high = range_of(main, series)
    series = [with_words(s, high, main.digits) for s in series]
    return Curves(caption, tuple(series), low, high, main.log, main.digits)


def _usual(known: Sequence[Curve], held_out: bool) -> Curve:
    """The algorithm's first curve; with held-out rows the first that is also judged on them."""
    return next((c for c in known if c.of_n and not c.bound), known[0]) if held_out else known[0]


def series_of(curve: Curve, metrics: object, factor: float) -> Series:
    values = np.asarray(dict(metrics).get(curve.metric, ()), np.float64)  # type: ignore[call-overload]
    scale = factor if curve.of_n or curve.bound else 1.0
    x, y = measured(np.arange(len(values), dtype=np.float64), values * scale)
    return Series(curve.title, x, y, curve.bound, about=curve.tags)


def measured(x: Float, y: Float) -> tuple[Float, Float]:
    """x and y (m,) without the places where y is NaN, infinite or too large for an axis.

    Held-out rows without a label give NaN.
    """
    present = np.abs(y) <= LARGEST  # false for NaN
    return x[present], y[present]


def range_of(main: Curve, series: list[Series]) -> tuple[float, float]:
    """(low, high) of an axis for the curve and the held-out errors, and for bounds as far as they
    leave the curve its shape.
    """
    own = [s.y for s in series if not _is_bound(s)]
    if not own or not sum(map(len, own)):
        return 0.0, 1.0
    values, bounds = (
        np.concatenate(own),
        np.concatenate([s.y for s in series if _is_bound(s)] or [np.empty(0)]),
    )
    if main.log:
        positive = values[values > 0]
        if not len(positive):
            return 0.1, 1.0
        low, high = float(positive.min()), float(positive.max())
        bounds = bounds[(bounds > 0) & (bounds <= high * REACH_LOG) & (bounds >= low / REACH_LOG)]
        nothing = any((s.y <= 0).any() for s in series)
        return min(low, *bounds, low) / (NOTHING if nothing else 1.0), max(high, *bounds, high)
    low = min(0.0, float(values.min()))
    high = float(values.max())
    high = high if high - low >= LEAST_SPAN else low + 1.0
    return low, max(high, *bounds[bounds <= low + REACH * (high - low)], high)


def _is_bound(series: Series) -> bool:
    return series.dashed and series.name != HELD_OUT


def with_words(series: Series, high: float, digits: int) -> Series:
    """The series; a bound that rises above the frame gets words that say how far."""
    if not _is_bound(series) or not len(series.y) or series.y.max() <= high * (1 + 1e-9):
        return series
    return replace(series, beyond=f"above, up to {value_text(float(series.y.max()), digits)}")


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
    name = f"{letter} {title_of(view.document, view.place)}"
    return Series(name, x, y, end=letter, about=own[0].tags, pattern=PATTERNS[place], lane=True)
