"""The plane of a step, painted on any device without a window."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from engine.base.arrays import Float
from engine.base.grid import Grid
from engine.judge.held_out_points import held_out, predicted_codes
from engine.judge.surface import surface
from engine.runs.trace import Trace
from engine.scene.axes import comparable
from engine.scene.legend import without
from engine.scene.scene import Field, Layer, Scene
from gui.look.theme import Theme
from gui.painters.axes import draw_plane, equal_scales, fit_view, plane_rect
from gui.painters.view import View

RESOLUTION = 384


def paint(
    painter: QPainter,
    area: QRectF,
    *,
    trace: Trace,
    index: int,
    scene: Scene,
    theme: Theme,
    view: View | None,
    hatch: bool,
    hidden: frozenset[str] = frozenset(),
    surfaces: bool = True,
) -> None:
    """Paint the plane of one step into `area`.

    surfaces: with the surfaces that the model gives over the plane
    """
    plane = prepared(trace, index, scene, area, theme, view, hidden, surfaces)
    paint_prepared(painter, area, plane=plane, theme=theme, hatch=hatch)


class Prepared(NamedTuple):
    """All that is computed for the picture of a plane.

    names: of the axes
    raster: returns a surface by its name, None if the algorithm does not have it
    """

    layers: tuple[Layer, ...]
    view: View
    names: tuple[str, str]
    raster: Callable[[str], Float | None]

    def compute(self) -> None:
        """Compute the surfaces that will be painted, so that painting finds them ready."""
        for layer in self.layers:
            if isinstance(layer, Field):
                self.raster(layer.name)
                if layer.name == "class":  # drawn more finely by the scores, where there are some
                    self.raster("score")


def prepared(
    trace: Trace,
    index: int,
    scene: Scene,
    area: QRectF,
    theme: Theme,
    view: View | None,
    hidden: frozenset[str],
    surfaces: bool = True,
) -> Prepared:
    """The plane of a step, ready to be painted into `area`.

    Any thread may call it: it touches nothing of the window.
    """
    problem = trace.problem
    rect = plane_rect(area, theme)
    # as on the screen
    equal = scene.equal_scales or (trace.algorithm.needs.numeric and comparable(problem))
    shown = fit_view(problem, rect, equal) if view is None else placed(view, rect, equal)
    grid = Grid.over(shown.x, shown.y, RESOLUTION)

    @lru_cache
    def raster(name: str) -> Float | None:
        known = surfaces and (
            name in trace.algorithm.fields
            or (name == "class" and trace.algorithm.predict is not None)
        )
        return surface(trace, name, grid, index) if known else None

    names = [problem.features[j].name for j in problem.plane]
    if problem.regress and problem.target is not None and len(names) == 1:
        names.append(problem.target.name)
    layers = without((*scene.layers, *held_out(problem, predicted_codes(trace, index))), hidden)
    across, up = (*names, "", "")[:2]
    return Prepared(tuple(layers), shown, (across, up), raster)


def paint_prepared(
    painter: QPainter, area: QRectF, *, plane: Prepared, theme: Theme, hatch: bool
) -> None:
    """Paint a plane that was prepared for this area."""
    draw_plane(
        painter, area, plane.layers, plane.raster, plane.view, theme, plane.names, hatch=hatch
    )


def placed(view: View, rect: QRectF, equal: bool) -> View:
    """`view` with its own rectangle, or in `rect` if that is empty."""
    if not view.rect.isEmpty():
        return view
    return equal_scales(view.x, view.y, rect) if equal else View(view.x, view.y, rect)
