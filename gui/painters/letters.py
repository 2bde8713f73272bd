"""Lettering on the plane: filled outlines of text, with a casing where they lie on other marks."""

from functools import lru_cache
from math import ceil, isfinite

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTransform,
)

from gui.painters.strokes import kept
from gui.painters.view import Brushwork

HALO_WIDTH = 3.5


@lru_cache(maxsize=1024)
def _outline(
    text: str, families: tuple[str, ...], size: int, weight: int
) -> tuple[QPainterPath, float, float]:
    font = QFont()
    font.setFamilies(list(families))
    font.setPixelSize(size)
    font.setWeight(QFont.Weight(weight))
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    path = QPainterPath()
    path.addText(0, 0, font, text)
    metrics = QFontMetricsF(font)
    return path, metrics.horizontalAdvance(text), metrics.capHeight()


def outline(text: str, font: QFont) -> tuple[QPainterPath, float, float]:
    """(path with the base line at (0, 0), width, height of a capital), in pixels."""
    return _outline(text, *_name(font))


def _name(font: QFont) -> tuple[tuple[str, ...], int, int]:
    return tuple(font.families()), font.pixelSize(), font.weight().value


def draw_text(
    b: Brushwork,
    text: str,
    font: QFont,
    left: float,
    middle: float,
    colour: str,
    halo: bool = False,
) -> None:
    """One line of text from `left`, its capitals centred on `middle`; `halo` adds a casing in the
    colour of the plane.
    """
    if not isfinite(left + middle):  # a mark without a place
        return
    name = _name(font)
    path, _, capital = _outline(text, *name)
    base = middle + capital / 2
    ink = b.theme.colour(colour)
    ground = b.theme.colour("plane")
    casing = HALO_WIDTH * b.stroke if halo else 0.0
    if b.vector:
        _draw(b.painter, QTransform.fromTranslate(left, base).map(path), ink, ground, casing)
        return
    ratio = b.painter.device().devicePixelRatio()
    picture, corner = _picture(
        text, name, ink.rgba(), ground.rgba(), casing, ratio, b.fleeting and halo
    )
    b.painter.drawPixmap(on_pixel(b.painter, QPointF(left, base) + corner, ratio), picture)


@lru_cache(maxsize=512)
def _picture(
    text: str,
    font: tuple[tuple[str, ...], int, int],
    ink: int,
    ground: int,
    casing: float,
    ratio: float,
    rapid: bool,
) -> tuple[QPixmap, QPointF]:
    """The text as a pixmap, and the offset of its corner from the start of the base line.

    Cached, as most labels stay the same for many frames. rapid: the casing gets bevelled joints and
    no smoothing, for frames of fast playback
    """
    path, _, _ = _outline(text, *font)
    room = path.boundingRect().adjusted(-casing - 1, -casing - 1, casing + 1, casing + 1)
    room = QRectF(room.toAlignedRect())
    picture = QPixmap(ceil(room.width() * ratio), ceil(room.height() * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-room.topLeft())
        _draw(painter, path, QColor.fromRgba(ink), QColor.fromRgba(ground), casing, rapid)
    return picture, room.topLeft()


def _draw(
    painter: QPainter,
    path: QPainterPath,
    ink: QColor,
    ground: QColor,
    casing: float,
    rapid: bool = False,
) -> None:
    if casing:
        around = QPen(ground, casing)
        around.setJoinStyle(Qt.PenJoinStyle.BevelJoin if rapid else Qt.PenJoinStyle.RoundJoin)
        with kept(painter):
            if rapid:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.strokePath(path, around)
    painter.fillPath(path, ink)


def on_pixel(painter: QPainter, place: QPointF, ratio: float) -> QPointF:
    """The place moved to a whole device pixel: a pixmap copied between two would be blurred."""
    matrix = painter.combinedTransform()
    x = matrix.dx()
    y = matrix.dy()
    return QPointF(
        (round(place.x() * ratio + x) - x) / ratio, (round(place.y() * ratio + y) - y) / ratio
    )


def draw_centred(
    b: Brushwork, text: str, centre: QPointF, size: float, weight: int, colour: str = "ink"
) -> None:
    """A text with letters of `size` pixels around `centre`, for discs and handles."""
    font = b.theme.font("plane", weight=weight)
    font.setPixelSize(max(9, round(size)))
    path, _, _ = outline(text, font)
    box = path.boundingRect()
    placed = QTransform.fromTranslate(
        centre.x() - box.center().x(), centre.y() - box.center().y()
    ).map(path)
    b.painter.fillPath(placed, b.theme.colour(colour))
