"""Tasks that are answered by drawing: places on the plane or in a plot, and a curve before it is
shown.
"""

import re
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import counted, fixed, listed, quoted
from engine.base.records import Record
from engine.judge.conditions import Moment, condition
from engine.lessons.lesson import Task, TaskKind, View
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.scene.axes import AIR, extent
from engine.scene.layers import Polyline
from engine.scene.plot_ranges import span
from engine.scene.scene import Plot
from engine.scene.views import name_in

NOWHERE: Float = frozen(np.zeros((0, 2)))
COLUMNS, DENSE = 65, 520  # places along x of a drawn curve, and of the right one
MOST_PLACES = 8
MARGIN = 0.08  # of the height of a plot of a metric, above and below
TURN = 0.2  # of the range of a curve: a smaller rise or fall does not count in its shape
LEVEL = 0.06  # of the height of the picture: a curve with a smaller range is level
UP, DOWN, LEVELS = "rises", "falls", "stays level"
SHAPES = re.compile(rf"{LEVELS}|({UP}|{DOWN})(, then ({UP}|{DOWN}))*")


class Sketch(Record):
    """What is to be drawn, and what is right.

    title: of the plot that it is drawn in, "" for the plane
    axes: the names of the axes, "" for one that does not count
    within: the distance up to which it is right; None: a curve is right by its shape
    places: (k, 2) the right places, y NaN where x alone counts; (0, 2) for a curve
    curve: (m, 2) the right curve from left to right; (0, 2) for places
    low, height: the lower edge of the picture and its height, in units of y
    plot: the plot to draw in, where the run has none of its own
    """

    title: str
    axes: tuple[str, str]
    within: float | None
    places: Float = NOWHERE
    curve: Float = NOWHERE
    height: float = 1.0
    low: float = 0.0
    plot: Plot | None = None

    @property
    def is_curve(self) -> bool:
        return len(self.curve) > 0

    @property
    def columns(self) -> Float:
        """(COLUMNS,) the places along x at which a curve is drawn and judged."""
        return np.linspace(self.curve[0, 0], self.curve[-1, 0], COLUMNS)

    @property
    def right(self) -> tuple[str, ...]:
        """The right answer in words: places, or the shape of the curve."""
        if self.is_curve:
            return (shape(self.curve[:, 1], self.height),)
        return tuple(place_text(place, self.within) for place in self.places)


# -- what is right ---------------------------------------------------------------------------------


def sketch_of(task: Task, lanes: Sequence[Moment], view: View) -> Sketch:
    """What a PLACE or a CURVE asks to be drawn in the first lane; raises EngineError where there
    is no such picture or no such line.
    """
    if task.kind is TaskKind.PLACE:
        return _of_places(task, lanes)
    return _of_curve(task, lanes[0], view)


def _of_places(task: Task, lanes: Sequence[Moment]) -> Sketch:
    if not task.right:
        raise EngineError('A place needs the right one: right = "(x, y)".')
    if len(task.right) > MOST_PLACES:
        raise EngineError(f"A task asks for at most {counted(MOST_PLACES, 'place')}.")
    if not task.within:
        raise EngineError("A place needs the distance up to which it is right: within = 0.5.")
    places = np.array([_place(each, lanes) for each in task.right])
    if task.on:
        plot = _plot(lanes[0], task.on)
        return Sketch(
            name_in(plot.title), (plot.x_label, plot.y_label), task.within, frozen(places)
        )
    across, up = _axes(lanes[0].trace)
    if not up:
        places[:, 1] = np.nan
    elif np.isnan(places).any():
        raise EngineError("A place on this plane has two numbers, (x, y).")
    return Sketch("", (across, up), task.within, frozen(places))


def _place(right: str | float, lanes: Sequence[Moment]) -> tuple[float, float]:
    found: Any = condition(right).value(lanes) if isinstance(right, str) else right
    numbers = [found] if isinstance(found, Real) else found
    if isinstance(numbers, (str, bytes)) or not np.iterable(numbers):
        raise EngineError(f"{quoted(right)} is no place: it needs one or two numbers.")
    try:
        values = np.asarray(list(numbers), np.float64)
    except (TypeError, ValueError):
        raise EngineError(f"{quoted(right)} is no place: it needs one or two numbers.") from None
    if values.shape not in {(1,), (2,)} or not np.isfinite(values).all():
        raise EngineError(f"{quoted(right)} is no place: it needs one or two numbers.")
    return float(values[0]), float(values[1]) if len(values) == 2 else np.nan


def _axes(trace: Trace) -> tuple[str, str]:
    """The names of the axes of the plane; raises EngineError where there is none."""
    problem = trace.problem
    if not problem.plane:
        raise EngineError("This table has no plane to draw on.")
    names = [problem.features[j].title for j in problem.plane]
    if problem.regress and problem.target is not None and len(names) == 1:
        names.append(problem.target.title)
    return names[0], names[1] if len(names) > 1 else ""


def _plot(lane: Moment, title: str) -> Plot:
    """The plot of a step whose title begins with these words."""
    trace = lane.trace
    figures = trace.algorithm.scene(trace.given, trace[lane.cursor]).figures
    plots = [figure for figure in figures if isinstance(figure, Plot)]
    found = next((plot for plot in plots if _is_called(plot.title, title)), None)
    if found is None:
        known = [quoted(plot.title) for plot in plots] + list(trace.metrics)
        raise EngineError(
            f"There is no plot {quoted(title)} to draw in at this step: there is"
            f" {listed(known) or 'none'}."
        )
    return found


def _is_called(title: str, name: str) -> bool:
    return title.casefold().startswith(name.casefold())


def _of_curve(task: Task, lane: Moment, view: View) -> Sketch:
    if not task.on:
        return _of_model(task, lane, view)
    if task.on in lane.trace.metrics:
        return _of_metric(task, lane.trace, view.unit)
    plot = _plot(Moment(lane.trace, len(lane.trace) - 1), task.on)
    name = str(task.right[0]) if task.right else ""
    lines = {
        called: np.asarray(layer.xy, np.float64)
        for layer in plot.layers
        if isinstance(layer, Polyline)
        for called in (layer.tag, layer.label)
        if called
    }
    if name not in lines:
        raise EngineError(f"There is no line {quoted(name)} in it: it has {listed(lines)}.")
    curve = _dense(lines[name])
    low, high = span(plot, 1)
    return Sketch(
        name_in(plot.title),
        (plot.x_label, plot.y_label),
        task.within,
        curve=curve,
        height=high - low,
        low=low,
    )


def _dense(line: Float) -> Float:
    """A line (m, 2) at DENSE places from its left to its right end; raises EngineError."""
    line = line[np.isfinite(line).all(axis=1)]
    line = line[np.argsort(line[:, 0], kind="stable")]
    if len(line) < 2 or line[0, 0] == line[-1, 0]:
        raise EngineError("This curve has fewer than two places: there is nothing to draw.")
    x = np.linspace(line[0, 0], line[-1, 0], DENSE)
    return frozen(np.column_stack([x, np.interp(x, line[:, 0], line[:, 1])]))


def _of_model(task: Task, lane: Moment, view: View) -> Sketch:
    """The curve of the model over the plane of one column."""
    problem = lane.trace.problem
    if not problem.regress or len(problem.plane) != 1 or problem.d != 1:
        raise EngineError("A curve on the plane needs one column and a value to predict.")
    (low, high), (bottom, top) = extent(problem)
    if view.x:
        low, high = view.x
    else:
        low, high = low - AIR * (high - low), high + AIR * (high - low)
    x = np.linspace(low, high, DENSE)
    y = np.asarray(lane.trace.predict(x[:, None], at=lane.cursor), np.float64)
    curve = _dense(np.column_stack([x, y]))
    return Sketch("", _axes(lane.trace), task.within, curve=curve, height=top - bottom, low=bottom)


def _of_metric(task: Task, trace: Trace, unit: Level) -> Sketch:
    """A metric over the steps of the unit, with a plot to draw it in."""
    values = trace.metrics[task.on][list(trace.indices(unit))]
    curve = _dense(np.column_stack([np.arange(len(values), dtype=np.float64), values]))
    low, high = float(curve[:, 1].min()), float(curve[:, 1].max())
    low = min(0.0, low) if 0 <= low < high / 2 else low
    air = MARGIN * (high - low) or 1.0
    title = next((c.title for c in trace.algorithm.curves if c.metric == task.on), task.on)
    across = unit.name.lower()
    plot = Plot(
        title[:1].upper() + title[1:],
        across,
        title,
        (),
        beside=True,
        x_range=(float(curve[0, 0]), float(curve[-1, 0]) * (1 + MARGIN)),
        y_range=(low - air, high + 2 * air),
    )
    return Sketch(
        plot.title,
        (across, title),
        task.within,
        curve=curve,
        height=high - low + 3 * air,
        low=low - air,
        plot=plot,
    )


# -- words -----------------------------------------------------------------------------------------


def shape(y: Float, height: float) -> str:
    """The shape of a curve in words: 'falls, then rises'. height: of the picture"""
    y = np.asarray(y, np.float64)
    whole = float(np.ptp(y))
    if whole <= LEVEL * height:
        return LEVELS
    turn = TURN * whole
    ways: list[str] = []
    low = high = float(y[0])  # since the last turn
    for value in y.tolist():
        low, high = min(low, value), max(high, value)
        here = ways[-1] if ways else ""
        if here != UP and value >= low + turn:
            ways.append(UP)
            high = value
        elif here != DOWN and value <= high - turn:
            ways.append(DOWN)
            low = value
    return ", then ".join(ways)


def digits_of(within: float) -> int:
    """The decimals that tell distances of this size apart."""
    return int(np.clip(1 - np.floor(np.log10(within)), 0, 8)) if within > 0 else 2


def place_text(place: Float, within: float | None) -> str:
    digits = digits_of(within or 0.0)
    numbers = [_trimmed(fixed(float(each), digits)) for each in place if each == each]
    return f"({', '.join(numbers)})" if len(numbers) > 1 else numbers[0]


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
