"""Fonts with their measures, pens and small marks for figures and panels.

All functions use the current theme while painting.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPen,
    QStaticText,
    QTransform,
)

from engine.base.notation import unbroken
from gui.look import theme
from gui.look.symbols import symbol_path

BOX, BOX_PITCH = 20.0, 23.0
MOST_KEPT = 5000  # texts that a face caches


class Face:
    """A font with its measures."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetricsF(font)
        self.size = font.pixelSize()
        self.ascent = self.metrics.ascent()
        self._widths: dict[str, float] = {}
        self._laid: dict[str, QStaticText | None] = {}  # None: drawn once so far

    def draw(self, painter: QPainter, x: float, baseline: float, text: str) -> None:
        """Draw `text` from x in the painter's pen.

        Cached as QStaticText from the second time on: most words of a step appear in the next one
        too. Not where they are struck: a QStaticText has that line elsewhere, once the painter is
        moved.
        """
        painter.setFont(self.font)
        laid = self._laid.get(text)
        if laid is None:
            if not self.font.strikeOut():
                self._keep(text)
            painter.drawText(QPointF(x, baseline), text)
        else:
            painter.drawStaticText(QPointF(x, baseline - self.ascent), laid)

    def _keep(self, text: str) -> None:
        if text not in self._laid:
            if len(self._laid) > MOST_KEPT:
                self._laid.clear()
            self._laid[text] = None
            return
        made = QStaticText(text)
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        made.prepare(QTransform(), self.font)
        self._laid[text] = made

    @property
    def kept(self) -> int:
        """The number of texts that are cached."""
        return len(self._laid)

    def width(self, text: str) -> float:
        if text not in self._widths:
            if len(self._widths) > MOST_KEPT:
                self._widths.clear()
            self._widths[text] = self.metrics.horizontalAdvance(text)
        return self._widths[text]

    @property
    def axis(self) -> float:
        """The height of the middle of a minus sign above the baseline, in pixels."""
        return 0.36 * self.size

    def cut(self, text: str, width: float) -> str:
        """`text`, elided at the end if it is wider than `width`."""
        return (
            text
            if self.width(text) <= width
            else self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        )


@lru_cache(maxsize=256)
def _face(
    look: tuple[str, int], style: str, family: str, weight: int, italic: bool, struck: bool
) -> Face:
    font = theme.look(*look).font(style, family, weight, italic)
    font.setStrikeOut(struck)
    return Face(font)


def face(
    style: str, weight: int = 0, family: str = "text", italic: bool = False, struck: bool = False
) -> Face:
    """The face of a type style in the current theme."""
    return _face(theme.current().key, style, family, weight, italic, struck)


def pen(
    colour: QColor | str, width: float = 1.0, dash: Sequence[float] = (), scaled: bool = True
) -> QPen:
    """A pen of a token or colour; `dash` in pixels; if `scaled`, the width grows with the theme's
    stroke.
    """
    look = theme.current()
    width = width * (look.stroke if scaled else 1.0)
    made = QPen(look.colour(colour) if isinstance(colour, str) else colour, width)
    made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dash:
        made.setCapStyle(Qt.PenCapStyle.FlatCap)
        made.setDashPattern([d / width for d in dash])
    return made


def write(
    painter: QPainter, x: float, middle: float, text: str, look: Face, colour: QColor | str = "ink"
) -> None:
    """Draw `text` from x, its line centred on `middle`."""
    painter.setPen(theme.current().colour(colour) if isinstance(colour, str) else colour)
    look.draw(painter, x, round(middle + look.axis), text)


def write_right(
    painter: QPainter, right: float, middle: float, text: str, look: Face, colour: str = "ink"
) -> None:
    write(painter, right - look.width(text), middle, text, look, colour)


def write_centred(
    painter: QPainter,
    centre: float,
    middle: float,
    text: str,
    look: Face,
    colour: QColor | str = "ink",
) -> None:
    write(painter, centre - look.width(text) / 2, middle, text, look, colour)


def folded(metrics: QFontMetrics | QFontMetricsF, texts: Sequence[str], room: float) -> list[str]:
    """The texts on lines of at most `room` pixels, broken between words."""
    lines: list[str] = []
    for text in texts:
        begun = False
        for word in unbroken(text).split(" "):
            longer = f"{lines[-1]} {word}" if begun else word
            if begun and metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
            begun = True
    return lines


def check_mark(painter: QPainter, rect: QRectF) -> None:
    """Draw the tick of a chosen option."""
    stroke = pen("ink", 1.9, scaled=False)
    stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroke.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(stroke)
    x = rect.x()
    y = rect.y()
    w = rect.width()
    h = rect.height()
    painter.drawPolyline(
        [QPointF(x, y + 0.55 * h), QPointF(x + 0.34 * w, y + 0.9 * h), QPointF(x + w, y + 0.1 * h)]
    )


def lines_tall(style: str, extra: int = 3) -> int:
    return theme.current().line_height(style) + extra


# -- example boxes ---------------------------------------------------------------------------------


def box_size() -> tuple[float, float]:
    """(side, pitch) of an example box: 20 and 23, more in the projector theme."""
    scale = max(1.0, theme.current().line_height("caption") / 16)
    return ceil(BOX * scale), ceil(BOX_PITCH * scale)


def example_box(
    painter: QPainter, rect: QRectF, text: str, code: int, classes: int, paleness: float = 1.0
) -> None:
    """Draw the small box of an example, the same in tree and table.

    Of two classes the first is light, the second dark; more classes have their colour and shape;
    without a class the box is dashed.
    """
    look = theme.current()
    painter.save()
    painter.setOpacity(painter.opacity() * paleness)
    dark = classes <= 2 and code == 1
    many = classes > 2 and code >= 0
    edge = look.group(code) if many else look.colour("ink" if code >= 0 else "ghost")
    painter.setPen(pen(edge, 1.5, (3, 2) if code < 0 else (), scaled=False))
    painter.setBrush(
        look.colour("ink") if dark else (look.tint(code) if many else look.colour("plane"))
    )
    painter.drawRect(rect.adjusted(0.75, 0.75, -0.75, -0.75))
    small = face("caption", 600)
    colour = look.colour("plane" if dark else "ink")
    if many:
        mark = symbol_path(
            theme.CLASS_SHAPES[code % len(theme.CLASS_SHAPES)], 3.2 * rect.height() / BOX
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(edge)
        painter.drawPath(mark.translated(rect.left() + 0.36 * rect.height(), rect.center().y()))
        write(painter, rect.left() + 0.66 * rect.height(), rect.center().y(), text, small, colour)
    else:
        write_centred(painter, rect.center().x(), rect.center().y(), text, small, colour)
    painter.restore()


def box_width(text: str, classes: int) -> float:
    """The width of an example box in pixels: square, or wider where the text or the class mark
    needs it.
    """
    side, _ = box_size()
    inside = face("caption", 600).width(text)
    return max(side, ceil(inside + (0.66 * side + 5 if classes > 2 else 5)))
