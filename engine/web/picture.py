"""The views of the steps of a run, plane and figures, as parts of HTML."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.base.grid import Grid
from engine.judge.held_out_points import held_out, predicted_codes
from engine.judge.surface import surface
from engine.runs.trace import Trace
from engine.scene.axes import comparable
from engine.scene.figures import (
    Bars,
    Blocks,
    Cards,
    Figure,
    Forest,
    Matrix,
    Network,
    Pictures,
    Plot,
    Space,
    Table,
    Tree,
)
from engine.scene.layers import Field, Layer
from engine.scene.plot_ranges import span
from engine.scene.scene import Scene
from engine.scene.views import leads, name_in, views
from engine.web.axes import Axes, axes_of, grid, numbers
from engine.web.frame import Frame, Span, fitted, framed
from engine.web.markup import escaped, size
from engine.web.space import space
from engine.web.svg import RADIUS, SMALL, Plane
from engine.web.tables import bars, blocks, cards, matrix, pictures, table
from engine.web.trees import forest, network, tree

WIDE, HIGH = 640.0, 412.0  # units of a plane with its numbers
PLOT_WIDE, PLOT_HIGH = 480.0, 340.0  # of a second plane
COLUMNS, ROWS = 96, 60  # cells of a surface
FIGURES: dict[type[Figure], Callable[[Any], list[str]]] = {
    Tree: tree,
    Forest: forest,
    Table: table,
    Bars: bars,
    Matrix: matrix,
    Blocks: blocks,
    Cards: cards,
    Network: network,
    Space: space,
    Pictures: pictures,
}


class Views:
    """Draws the steps of one run. defs: definitions of markers by name, to which it adds; view: the
    ranges of the plane, None to fit the examples
    """

    def __init__(
        self, trace: Trace, defs: dict[str, str], view: tuple[Span, Span] | None = None
    ) -> None:
        self.trace, self.defs, self._view = trace, defs, view
        self._with_held_out = held_out(trace.problem)

    def scene(self, index: int) -> Scene:
        return self.trace.algorithm.scene(self.trace.given, self.trace[index])

    def of_step(
        self, index: int, scene: Scene | None = None, bare: bool = False
    ) -> dict[str, list[str]]:
        """Every view of a step by its name, as parts that together are one element. scene: instead
        of its own; bare: without the surfaces, which may give the answer away
        """
        scene = self.scene(index) if scene is None else scene
        found = {}
        for name, figure in views(scene, self.trace.problem).items():
            parts = self.plane(index, scene, bare) if figure is None else self.figure(figure)
            if parts:
                found[name] = parts
        return found

    def leads(self, index: int) -> tuple[str, ...]:
        """The names of the views that show most of a step, the most telling first."""
        return leads(self.scene(index), self.trace.problem)

    # -- the plane ---------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two axes of the plane, "" for an axis without one."""
        problem = self.trace.problem
        names = [problem.features[j].name for j in problem.plane]
        if problem.regress and problem.target is not None and len(names) == 1:
            names.append(problem.target.name)
        across, up = (*names, "", "")[:2]
        return across, up

    @lru_cache(maxsize=2)  # noqa: B019 - as many as a run has
    def ground(self, equal: bool) -> tuple[Frame, Axes]:
        """The frame and the axes of the plane, the same at every step. equal: both axes have the
        same scale
        """
        problem = self.trace.problem

        def made(wide: float, high: float) -> Frame:
            return (
                fitted(problem, wide, high, equal)
                if self._view is None
                else framed(*self._view, wide, high, equal)
            )

        rough = made(WIDE - 40, HIGH - 40)
        axes = axes_of(rough.x, rough.y, rough.wide, rough.high, self.names)
        frame = made(WIDE - axes.left, HIGH - axes.below)
        return frame, axes_of(frame.x, frame.y, frame.wide, frame.high, self.names)

    def _equal(self, scene: Scene) -> bool:
        """Whether both axes of the plane have the same scale."""
        trace = self.trace
        return scene.equal_scales or (trace.algorithm.needs.numeric and comparable(trace.problem))

    def plane(self, index: int, scene: Scene, bare: bool = False) -> list[str]:
        """The plane of a step as parts; [] where the table has none."""
        trace = self.trace
        if not trace.problem.plane:
            return []
        frame, axes = self.ground(self._equal(scene))
        layers: tuple[Layer, ...] = scene.layers
        if self._with_held_out:
            layers = (*layers, *held_out(trace.problem, predicted_codes(trace, index)))
        if bare:
            layers = tuple(layer for layer in layers if not isinstance(layer, Field))
        sides = ((frame.x, COLUMNS), (frame.y, ROWS))
        cells = Grid(
            *(low + (high - low) * (np.arange(count) + 0.5) / count for (low, high), count in sides)
        )
        known: dict[str, Float | None] = {}

        def raster(name: str) -> Float | None:
            if name not in known:
                has = name in trace.algorithm.fields or (
                    name == "class" and trace.algorithm.predict is not None
                )
                known[name] = surface(trace, name, cells, index) if has else None
            return known[name]

        drawn = Plane(frame, self.defs, raster).draw(layers, grid(axes, frame))
        return _framed(drawn, frame, axes, WIDE, HIGH, "Plane")

    # -- figures -----------------------------------------------------------------------------------

    def figure(self, figure: Figure) -> list[str]:
        """A figure as parts; [] for a kind without a drawing here."""
        if isinstance(figure, Plot):
            return self._plot(figure)
        drawer = FIGURES.get(type(figure))
        return [] if drawer is None else drawer(figure)

    def frame_of(self, scene: Scene, title: str) -> Frame:
        """The frame of the plot with this title, "" for the plane."""
        if not title:
            return self.ground(self._equal(scene))[0]
        plots = (figure for figure in scene.figures if isinstance(figure, Plot))
        return _ruled(next(plot for plot in plots if name_in(plot.title) == title))[0]

    def _plot(self, plot: Plot) -> list[str]:
        frame, axes, wide, high = _ruled(plot)
        drawn = Plane(frame, self.defs, radius=SMALL if plot.small else RADIUS * 0.85).draw(
            plot.layers, grid(axes, frame)
        )
        return _framed(drawn, frame, axes, wide, high, plot.title)


def _ruled(plot: Plot) -> tuple[Frame, Axes, float, float]:
    """(frame, axes, width, height) of a second plane with its numbers."""
    wide, high = (PLOT_HIGH, PLOT_HIGH) if plot.equal else (PLOT_WIDE, PLOT_HIGH)
    x, y = span(plot, 0), span(plot, 1)
    names = (plot.x_label, plot.y_label)
    if plot.y_label and plot.ticks:  # its name has the highest line for itself
        y = y[0], y[0] + (y[1] - y[0]) * high / (high - 24)

    def axes(frame: Frame) -> Axes:
        made = axes_of(frame.x, frame.y, frame.wide, frame.high, names, plot.ticks)
        return Axes(plot.x_ticks or made.x, plot.y_ticks or made.y, names) if plot.ticks else made

    rough = axes(framed(x, y, wide - 50, high - 40, plot.equal))
    frame = framed(x, y, wide - rough.left, high - rough.below, plot.equal)
    return frame, axes(frame), wide, high


def _framed(
    drawn: Sequence[str], frame: Frame, axes: Axes, wide: float, high: float, title: str
) -> list[str]:
    """The parts of a plane within its drawing: cut at the frame, with numbers outside."""
    left = size(wide - frame.wide)
    return [
        f'<svg viewBox="0 0 {size(wide)} {size(high)}" class="fig plane" role="img" aria-label="{escaped(title)}">'
        f'<svg x="{left}" width="{size(frame.wide)}" height="{size(frame.high)}" viewBox="0 0 {size(frame.wide)} {size(frame.high)}">'
        f'<rect width="{size(frame.wide)}" height="{size(frame.high)}" class="fp"/>',
        *drawn,
        f'</svg><g transform="translate({left} 0)">{numbers(axes, frame)}</g></svg>',
    ]
