"""What the curves over the timeline show: the chosen metric, its bounds and the held-out errors, as plain arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.algorithm import Curve
from engine.core.arrays import Float
from gui.lane_run import LaneRun

HEADROOM = 0.94  # the highest value stays below the frame


@dataclass(frozen=True, eq=False)
class Series:
    """x (m,) step numbers ascending, y (m,) values without NaN; dashed: a bound or the held-out rows."""

    name: str
    x: Float
    y: Float
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Curves:
    """caption over the axis, the series, and the axis range; log: of the axis."""

    caption: str
    series: tuple[Series, ...]
    low: float
    high: float
    log: bool = False
    digits: int = 2

    def height(self, values: Float) -> Float:
        """Values -> 0 (bottom) … 1 (top)."""
        if self.log:
            floor = max(self.low, 1e-12)
            values, low, high = (
                np.log10(np.maximum(values, floor)),
                np.log10(floor),
                np.log10(max(self.high, floor * 10)),
            )
        else:
            low, high = self.low, self.high
        return np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0) * HEADROOM

    def ticks(self) -> list[float]:
        """Three or four round values inside the range."""
        if self.log:
            first = int(np.ceil(np.log10(max(self.low, 1e-12))))
            last = max(first, int(np.floor(np.log10(max(self.high, 1e-11)))))
            every = max(1, (last - first + 1) // 3)
            return [10.0**k for k in range(first, last + 1, every)]
        span = self.high - self.low
        power = 10 ** np.floor(np.log10(span / 2)) if span > 0 else 1.0
        step = next(power * k for k in (1, 2, 2.5, 5, 10) if span / (power * k) <= 3.01)
        return [float(v) for v in np.arange(np.ceil(self.low / step) * step, self.high + step * 1e-6, step)]


EMPTY = Curves("", (), 0.0, 1.0)


def curves(lane_run: LaneRun | None, chosen: str = "") -> Curves:
    """The curves of metric `chosen`, or of the algorithm's first one."""
    if lane_run is None or not lane_run.trace.algorithm.curves or not len(lane_run.trace):
        return EMPTY
    trace = lane_run.trace
    metrics = trace.metrics
    known = [c for c in trace.algorithm.curves if c.metric in metrics] or trace.algorithm.curves
    main = next((c for c in known if c.metric == chosen), _usual(known, trace.problem.held_out is not None))
    held = trace.problem.held_out is not None and (main.of_n or (main is known[0] and trace.problem.regress))
    percent = held and main.of_n
    labelled = max(int(trace.problem.labelled.sum()), 1)
    factor = 100.0 / labelled if percent else 1.0
    series = [_series(main, metrics, factor)]
    if main is known[0]:
        series += [_series(c, metrics, factor) for c in known if c.bound]
    if held:
        x = np.asarray(lane_run.held_out_steps, np.float64)
        y = (100.0 if percent else 1.0) * np.asarray(lane_run.held_out[: len(x)], np.float64)
        series.append(Series("held out", x[: len(y)], y, dashed=True))
    caption = f"{main.title}, %" if percent else (f"{main.title}, of {labelled}" if main.of_n else main.title)
    series = [s for s in series if len(s.x)]
    return Curves(caption, tuple(series), *_range(main, series, held, labelled), main.log, main.digits)


def _usual(known: Sequence[Curve], held_out: bool) -> Curve:
    """The algorithm's first curve; with held-out rows the first that is also judged on them."""
    return next((c for c in known if c.of_n and not c.bound), known[0]) if held_out else known[0]


def _series(curve: Curve, metrics: object, factor: float) -> Series:
    values = np.asarray(dict(metrics).get(curve.metric, ()), np.float64)  # type: ignore[call-overload]
    present = np.flatnonzero(np.isfinite(values))
    scale = factor if curve.of_n or curve.bound else 1.0
    return Series(curve.title, present.astype(np.float64), values[present] * scale, curve.bound)


def _range(main: Curve, series: list[Series], held: bool, labelled: int) -> tuple[float, float]:
    solid = [s.y for s in series if not s.dashed or s.name == "held out"]
    if not solid or not sum(map(len, solid)):
        return 0.0, 1.0
    values = np.concatenate(solid)
    if main.log:
        positive = values[values > 0]
        return (float(positive.min()), float(positive.max())) if len(positive) else (0.1, 1.0)
    low, high = min(0.0, float(values.min())), float(values.max())
    return low, high if high > low else low + 1.0
