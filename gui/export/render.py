"""Views of a step as pictures, PNG, SVG or PDF, drawn without a window."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.files.atomic import write_atomic
from engine.runs.trace import Trace
from gui.export.page import Draw, Page, paint_page
from gui.export.shown import Look, Shown
from gui.export.strip import Strip, paint_strip
from gui.look import fonts
from gui.look.theme import THEMES, Theme
from gui.painters.view import View

LARGEST = 16_384
ENDINGS = (".png", ".svg", ".pdf")
DOTS, FINER = 96, 8  # pixels per inch; parts of a pixel that a PDF tells apart
_application: QGuiApplication | None = None


def render_view(
    trace: Trace,
    index: int,
    path: str | Path,
    *,
    name: str = "",
    theme: str = "light",
    size: tuple[int, int] = (1280, 800),
    view: View | None = None,
    hatch: bool = False,
    hidden: frozenset[str] = frozenset(),
    page: Page | None = None,
    scale: float = 1.0,
) -> None:
    """Write a view of `trace` at step `index` to `path`, a .png, .svg or .pdf file.

    name: of the view, as in `Shown.find`; "" for the plane, or the figures of a table without one
    size: width and height in pixels, of a PDF 96 to an inch
    view: the ranges of the plane, as in `Look`
    hidden: marks to leave out, by their words in engine/scene/legend.py
    page: words to put below
    scale: pixels of the picture for one pixel of the theme

    Raises EngineError for another kind of file, an unknown view, theme or step, a size out of
    range, and a file that cannot be written.
    """
    path = Path(path)
    look = Look(checked(path, theme, size), view, hatch, hidden)
    if not -len(trace) <= index < len(trace):
        raise EngineError(f"There is no step {index:,}; the run has steps 0 to {len(trace) - 1:,}.")
    ensure_application()
    shown = Shown(trace, index)
    save_view(shown, shown.find(name) if name else "", look, path, size, page, scale)


def save_view(
    shown: Shown,
    name: str,
    look: Look,
    path: str | Path,
    size: tuple[int, int],
    page: Page | None = None,
    scale: float = 1.0,
) -> None:
    """Write the view called `name` with the words of `page` below it; the others as in
    `render_view`.
    """
    save(Path(path), size, view_draw(shown, name, look, page, scale))


def view_draw(
    shown: Shown, name: str, look: Look, page: Page | None = None, scale: float = 1.0
) -> Draw:
    """A function that paints what `save_view` writes."""
    draw = shown.draw(name, look)
    if page is not None:
        draw = partial(paint_page, picture=draw, page=page, theme=look.theme)
    return partial(scaled, draw=draw, scale=scale)


def save_strip(
    strip: Strip, look: Look, path: str | Path, size: tuple[int, int], scale: float = 1.0
) -> None:
    """Write a strip; arguments and errors as in `render_view`, and where the steps have no room."""
    save(Path(path), size, strip_draw(strip, look, scale))


def strip_draw(strip: Strip, look: Look, scale: float = 1.0) -> Draw:
    """A function that paints what `save_strip` writes."""
    return partial(scaled, draw=partial(paint_strip, strip=strip, look=look), scale=scale)


def checked(path: Path, theme: str, size: tuple[int, int]) -> Theme:
    """The theme of this name.

    Raises EngineError for an unknown one, another ending of `path` and a size out of range.
    """
    if path.suffix.lower() not in ENDINGS:
        raise EngineError(
            f"A picture is written as .png, .svg or .pdf; {quoted(path.name)} is none of these."
        )
    if theme not in THEMES:
        raise EngineError(f"There is no theme {quoted(theme)}; there are {', '.join(THEMES)}.")
    if not all(0 < side <= LARGEST for side in size):
        raise EngineError(
            f"A picture is 1 to {LARGEST} pixels wide and high, not {size[0]} × {size[1]}."
        )
    return THEMES[theme]


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


# -- files -----------------------------------------------------------------------------------------


def save(path: Path, size: tuple[int, int], draw: Draw) -> None:
    """Write what `draw` paints into a picture of `size`, whole or not at all, as the ending of
    `path` says.
    """
    made = {".svg": svg_bytes, ".pdf": pdf_bytes}.get(path.suffix.lower(), png_bytes)
    write_atomic(path, [made(size, draw)])


def png_bytes(size: tuple[int, int], draw: Draw) -> bytes:
    """The bytes of a PNG of `size` into which `draw` paints."""
    return png_of(image_of(size, draw))


def image_of(size: tuple[int, int], draw: Draw) -> QImage:
    """A white image of `size`, in pixels, into which `draw` painted.

    Raises EngineError without memory for it.
    """
    image = QImage(QSize(*size), QImage.Format.Format_RGB32)
    if image.isNull():
        raise EngineError(
            f"There is not enough memory for {size[0]:,} × {size[1]:,} pixels; choose a smaller"
            " size."
        )
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


def pdf_bytes(size: tuple[int, int], draw: Draw) -> bytes:
    """What `draw` paints into a picture of `size`, as a PDF with one page of this size."""

    def write(buffer: QBuffer) -> None:
        writer = QPdfWriter(buffer)
        inches = QSizeF(size[0] / DOTS, size[1] / DOTS)
        writer.setPageSize(
            QPageSize(inches, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.ExactMatch)
        )
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        writer.setResolution(DOTS * FINER)
        writer.setTitle("Learnscope")
        writer.setCreator("Learnscope")
        with QPainter(writer) as painter:
            painter.scale(FINER, FINER)
            draw(painter, QRectF(0, 0, *size))

    return _to_bytes(write)


def _to_bytes(write: Callable[[QBuffer], object]) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(data.data())
