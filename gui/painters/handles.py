"""Handles of lines: a letter or a few words in a rounded box, or a cross in a small one."""

from collections import OrderedDict
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPixmap

from engine.scene.roles import STROKES
from engine.scene.scene import Role
from gui.painters.letters import draw_centred, on_pixel
from gui.painters.strokes import draw_path, kept, pen
from gui.painters.view import Brushwork

KEPT = 256
CROSS = 4.0  # half a side, in pixels
LETTER = 1.5  # pixels that letters are higher than the words of longer handles

_pictures: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()


def paint_handle(b: Brushwork, text: str, box: QRectF, lit: bool) -> None:
    """A handle, filled when `lit`; with a cross where there is no text.

    Drawn once into a pixmap and then copied.
    """
    if b.vector:
        _draw(b, text, box, lit)
        return
    ratio = b.painter.device().devicePixelRatio()
    size = box.width(), box.height()
    key = (text, size, lit, ratio, b.theme.key)
    if key not in _pictures:
        _pictures[key] = _picture(b, text, size, lit, ratio)
        while len(_pictures) > KEPT:
            _pictures.popitem(last=False)
    _pictures.move_to_end(key)
    edge = _edge(b)
    b.painter.drawPixmap(
        on_pixel(b.painter, box.topLeft() - QPointF(edge, edge), ratio), _pictures[key]
    )


def _edge(b: Brushwork) -> int:
    """The room in whole pixels round a handle for its outline."""
    return ceil(b.stroke) + 1


def _picture(
    b: Brushwork, text: str, size: tuple[float, float], lit: bool, ratio: float
) -> QPixmap:
    edge = _edge(b)
    picture = QPixmap(*(ceil((side + 2 * edge) * ratio) for side in size))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw(Brushwork(painter, b.view, b.theme), text, QRectF(edge, edge, *size), lit)
    return picture


def _draw(b: Brushwork, text: str, box: QRectF, lit: bool) -> None:
    round_corner = box.height() / 2
    with kept(b.painter):
        b.painter.setPen(pen(b.theme.colour("ink"), 1.75 * b.stroke))
        b.painter.setBrush(b.theme.colour("sel" if lit else "plane"))
        b.painter.drawRoundedRect(box, round_corner, round_corner)
        if text:
            size = b.theme.type_sizes["plane"][0] + (0 if is_long(text) else LETTER)
            draw_centred(b, text, box.center(), size, 700, "sel_ink" if lit else "ink")
            return
        cross = QPainterPath()
        at = box.center()
        for dx in (-CROSS, CROSS):
            cross.moveTo(at.x() - dx, at.y() - CROSS)
            cross.lineTo(at.x() + dx, at.y() + CROSS)
        draw_path(b, STROKES[Role.SUPPORT], cross)


def is_long(text: str) -> bool:
    """Whether a handle is an oblong round its words, not a circle."""
    return len(text) > 2
