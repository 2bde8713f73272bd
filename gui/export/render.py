"""Pictures of the plane at a step, as PNG or SVG, drawn without a window."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.notation import quoted
from engine.files.atomic import write_atomic
from engine.judge.held_out_points import held_out, predicted_codes
from engine.judge.surface import surface
from engine.runs.trace import Trace
from engine.scene.axes import comparable
from engine.scene.legend import without
from engine.scene.scene import Field, Layer, Scene
from engine.table.problem import Problem
from gui.export.page import Draw, Page, paint_page
from gui.look import fonts, style
from gui.look import theme as themes
from gui.look.theme import THEMES, Theme
from gui.painters.axes import draw_plane, equal_scales, fit_view, plane_rect
from gui.painters.view import View

RESOLUTION = 384
LARGEST = 16_384
MARGIN, LEAST = 16, 60  # round the figures of a table without a plane, and their least height
_application: QGuiApplication | None = None


def render_plane(
    trace: Trace,
    index: int,
    path: str | Path,
    *,
    theme: str = "light",
    size: tuple[int, int] = (1280, 800),
    view: View | None = None,
    hatch: bool = False,
    hidden: frozenset[str] = frozenset(),
    page: Page | None = None,
    scale: float = 1.0,
) -> None:
    """Write the plane of `trace` at step `index` to `path`, a .png or .svg file.

    A table without a plane gives its figures.

    size: width and height in pixels
    view: the ranges to show and its rectangle; with an empty rectangle it fills the room inside the
        numbers of the axes. None fits the data
    hidden: marks to leave out, by their words in engine/scene/legend.py
    page: words to put below
    scale: pixels of the picture for one pixel of the theme

    Raises EngineError for another kind of file, an unknown theme or step, a size out of range, and
    a file that cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in (".png", ".svg"):
        raise EngineError(f"A picture is written as .png or .svg; {quoted(path.name)} is neither.")
    if theme not in THEMES:
        raise EngineError(f"There is no theme {quoted(theme)}; there are {', '.join(THEMES)}.")
    if not -len(trace) <= index < len(trace):
        raise EngineError(f"There is no step {index:,}; the run has steps 0 to {len(trace) - 1:,}.")
    if not all(0 < side <= LARGEST for side in size):
        raise EngineError(
            f"A picture is 1 to {LARGEST} pixels wide and high, not {size[0]} × {size[1]}."
        )
    ensure_application()
    draw = picture_of(trace, index, THEMES[theme], view=view, hatch=hatch, hidden=hidden)
    if page is not None:
        draw = partial(paint_page, picture=draw, page=page, theme=THEMES[theme])
    save(path, size, partial(scaled, draw=draw, scale=scale), vector=bool(trace.problem.plane))


def picture_of(
    trace: Trace,
    index: int,
    theme: Theme,
    *,
    view: View | None = None,
    hatch: bool = False,
    hidden: frozenset[str] = frozenset(),
) -> Draw:
    """A function that paints the plane of a step, or its figures if the table has no plane."""
    scene = trace.algorithm.scene(trace.given, trace[index])
    if not trace.problem.plane:
        return partial(paint_figures, problem=trace.problem, scene=scene, theme=theme)
    return partial(
        paint,
        trace=trace,
        index=index,
        scene=scene,
        theme=theme,
        view=view,
        hatch=hatch,
        hidden=hidden,
    )


def scaled(painter: QPainter, area: QRectF, *, draw: Draw, scale: float) -> None:
    """Call `draw` with `scale` pixels for one pixel of the theme."""
    painter.scale(scale, scale)
    draw(
        painter,
        QRectF(area.x() / scale, area.y() / scale, area.width() / scale, area.height() / scale),
    )


def ensure_application() -> QGuiApplication:
    """The running application, or a new one that needs no screen."""
    global _application
    running = QGuiApplication.instance()
    if not isinstance(running, QGuiApplication):
        running = _application = QApplication(["learnscope", "-platform", "offscreen"])
    fonts.load()
    return running


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


def paint_figures(
    painter: QPainter, area: QRectF, *, problem: Problem, scene: Scene, theme: Theme
) -> None:
    """Paint the first two figures of a scene below each other, for a table without a plane.

    Raises EngineError if the scene has no figure.
    """
    from gui.figures import FIGURES

    if not scene.figures:
        raise EngineError(
            "This step has no picture: the table has no numeric column to show on a plane."
        )
    painter.fillRect(area, theme.colour("dock"))
    with in_theme(theme):
        room = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        chosen = scene.figures[:2]
        for figure in chosen:
            picture = grab(
                FIGURES[type(figure)], figure, room, theme, figure is chosen[-1], problem
            )
            painter.drawPixmap(room.topLeft(), picture)
            room.setTop(room.top() + picture.height() + MARGIN)
            if room.height() < MARGIN:
                break


@contextmanager
def in_theme(theme: Theme) -> Iterator[None]:
    """A context in which `theme` is the current theme.

    Widgets and formulas use the current one.
    """
    before = themes.current().key
    themes.use(theme.name)
    try:
        yield
    finally:
        themes.use(*before)


def grab(
    kind: type, figure: object, room: QRectF, theme: Theme, fill: bool, problem: Problem
) -> QPixmap:
    """A picture of a figure's widget, as wide as `room`.

    fill: as high as `room` too, else as high as its size hint, at most `room`
    """
    from gui.figures.row_names import names_of

    widget = kind()
    widget.setPalette(style.palette(theme))
    if hasattr(widget, "set_names"):
        widget.set_names(names_of(problem))
    widget.set_figure(figure)
    width = round(room.width())
    for part in (widget, *widget.findChildren(QAbstractScrollArea)):
        if isinstance(part, QAbstractScrollArea):  # a picture cannot be scrolled
            part.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            part.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    wished = (
        widget.heightForWidth(width) if widget.hasHeightForWidth() else widget.sizeHint().height()
    )
    widget.resize(width, round(room.height() if fill else min(room.height(), max(wished, LEAST))))
    return widget.grab()


# -- files -----------------------------------------------------------------------------------------


def save(path: Path, size: tuple[int, int], draw: Draw, *, vector: bool = True) -> None:
    """Write what `draw` paints into a picture of `size`, whole or not at all."""
    svg = path.suffix.lower() == ".svg"
    content = svg_bytes(size, draw) if svg else png_bytes(size, draw)
    write_atomic(path, [content])


def png_bytes(size: tuple[int, int], draw: Draw) -> bytes:
    """The bytes of a PNG of `size` into which `draw` paints."""
    return png_of(image_of(size, draw))


def image_of(size: tuple[int, int], draw: Draw) -> QImage:
    """A white image of `size`, in pixels, into which `draw` painted."""
    image = QImage(QSize(*size), QImage.Format.Format_RGB32)
    image.fill(QColor(Qt.GlobalColor.white))
    with QPainter(image) as painter:
        draw(painter, QRectF(0, 0, *size))
    return image


def png_of(image: QImage) -> bytes:
    return _to_bytes(lambda buffer: QImageWriter(buffer, QByteArray(b"PNG")).write(image))


def svg_bytes(size: tuple[int, int], draw: Draw) -> bytes:
    """The bytes of an SVG of `size` into which `draw` paints."""

    def write(buffer: QBuffer) -> None:
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setOutputDevice(buffer)
        generator.setSize(QSize(*size))
        generator.setViewBox(QRectF(0, 0, *size))
        generator.setResolution(96)
        generator.setTitle("Learnscope")
        with QPainter(generator) as painter:
            draw(painter, QRectF(0, 0, *size))

    return _to_bytes(write)


def _to_bytes(write: Callable[[QBuffer], object]) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(data.data())
