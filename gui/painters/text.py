"""Words on the plane: casing, tags, cards and letter handles, and where they find room."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath, QPen, QTransform

from engine.core.arrays import Float
from engine.core.scene import Labels, Role
from gui.painters.clip import pixels
from gui.painters.roles import HALO_ALPHA, LETTERING, STROKES, Lettering
from gui.painters.strokes import draw_path, kept, pen
from gui.painters.view import Brushwork

LABELS = "labels waiting"  # key in a Brushwork's cache while a scene is painted
BESIDE = ("right", "left", "above", "below")
OVER = ("middle",)
_SHIFT = {
    "right": (1, 0), "left": (-1, 0), "above": (0, -1), "below": (0, 1), "middle": (0, 0),
    "above right": (1, -1), "above left": (-1, -1), "below right": (1, 1), "below left": (-1, 1),
}  # fmt: skip
HALO_WIDTH, INSET = 3.5, 3.0
PADS, BARE = {"card": (8.0, 4.0), "tag": (7.0, 3.0)}, (1.0, 3.0)
HANDLE_RADIUS = 15.0


Spots = tuple[tuple[float, float], ...]
OVERLAP = 40.0  # what lying on another label costs, in covered points


@dataclass
class Placer:
    """Finds room for labels: inside `rect`, on as few points and lines as possible, never on one another."""

    rect: QRectF
    marks: Float = field(default_factory=lambda: np.zeros((0, 2)))
    taken: list[QRectF] = field(default_factory=list)

    def place(self, width: float, height: float, spots: Spots, gap: float, sides: tuple[str, ...]) -> QRectF | None:
        """The best rectangle of this size beside one of `spots`, best first; remembers it. None where there is only
        room on another label, and no other place was thought of (more than one spot says that it may be left out)."""
        options = [
            (self._cost(box, spot) + 0.4 * rank + 0.8 * order, order, self._inside(box))
            for order, spot in enumerate(spots)
            for rank, box in enumerate(self._beside(width, height, spot, gap, side) for side in sides)
        ]
        cost, _, best = min(options, key=lambda option: option[:2])
        if len(spots) > 1 and cost >= OVERLAP:
            return None
        self.taken.append(best)
        return best

    def _beside(self, width: float, height: float, anchor: tuple[float, float], gap: float, side: str) -> QRectF:
        dx, dy = _SHIFT[side]
        slant = 0.7 if dx and dy else 1.0
        x = anchor[0] + dx * (slant * gap + width / 2)
        y = anchor[1] + dy * (slant * gap + height / 2)
        return QRectF(x - width / 2, y - height / 2, width, height)

    def _inside(self, box: QRectF) -> QRectF:
        room = self.rect.adjusted(INSET, INSET, -INSET, -INSET)
        x = max(room.left(), min(box.left(), room.right() - box.width()))
        y = max(room.top(), min(box.top(), room.bottom() - box.height()))
        return QRectF(x, y, box.width(), box.height())

    def _cost(self, box: QRectF, anchor: tuple[float, float]) -> float:
        moved = self._inside(box)
        pushed = abs(moved.x() - box.x()) + abs(moved.y() - box.y())
        covers = pushed > 1 and moved.contains(QPointF(*anchor))
        overlaps = sum(moved.intersects(other) for other in self.taken)
        return self._covered(moved) + 0.5 * pushed + 100 * covers + OVERLAP * overlaps

    def _covered(self, box: QRectF) -> int:
        x, y = self.marks[:, 0], self.marks[:, 1]
        inside = (x > box.left() - 4) & (x < box.right() + 4) & (y > box.top() - 2) & (y < box.bottom() + 2)
        return int(inside.sum())


# -- letters -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _outline(text: str, families: tuple[str, ...], size: int, weight: int) -> tuple[QPainterPath, float, float]:
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
    """(outline with the base line at (0, 0), width, height of a capital)."""
    return _outline(text, tuple(font.families()), font.pixelSize(), font.weight().value)


def draw_text(
    b: Brushwork, text: str, font: QFont, left: float, middle: float, colour: str, halo: bool = False
) -> None:
    """One line of text from `left`, its capitals centred on `middle`; `halo` is a casing of plane colour."""
    path, _, capital = outline(text, font)
    placed = QTransform.fromTranslate(left, middle + capital / 2).map(path)
    if halo:
        casing = QPen(b.theme.colour("plane"), HALO_WIDTH * b.stroke)
        casing.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        b.painter.strokePath(placed, casing)
    b.painter.fillPath(placed, b.theme.colour(colour))


def draw_centred(b: Brushwork, text: str, centre: QPointF, size: float, weight: int, colour: str = "ink") -> None:
    """A letter of `size` pixels around `centre`, for discs and handles."""
    font = b.theme.font("plane", weight=weight)
    font.setPixelSize(max(9, round(size)))
    path, _, _ = outline(text, font)
    box = path.boundingRect()
    placed = QTransform.fromTranslate(centre.x() - box.center().x(), centre.y() - box.center().y()).map(path)
    b.painter.fillPath(placed, b.theme.colour(colour))


# -- labels ------------------------------------------------------------------------------------------------------------


def say(
    b: Brushwork,
    text: str,
    anchor: tuple[float, float] | Spots,
    gap: float,
    lettering: Lettering,
    sides: tuple[str, ...] = BESIDE,
    lit: bool = False,
) -> None:
    """Write `text` near `anchor`, or near the best of several places, or not at all when none of these is free: at once, or on top of everything when a whole scene
    is painted."""
    spots = anchor if isinstance(anchor[0], tuple) else (anchor,)
    waiting = b.cache.get(LABELS)
    if isinstance(waiting, list):
        waiting.append((text, spots, gap, lettering, sides, lit))
    else:
        write(b, Placer(b.view.rect), text, spots, gap, lettering, sides, lit)


def write(
    b: Brushwork,
    placer: Placer,
    text: str,
    spots: Spots,
    gap: float,
    lettering: Lettering,
    sides: tuple[str, ...],
    lit: bool,
) -> None:
    """Find the place of one label and draw it in its form."""
    if lettering.form in ("handle", "cross"):
        draw_handle(b, placer, text if lettering.form == "handle" else "", spots[0], lit)
        return
    font = b.theme.font("caption", weight=600) if lettering.form == "tag" else b.theme.font("plane")
    _, width, capital = outline(text, font)
    pad_x, pad_y = (size * (1 + b.stroke) / 2 for size in PADS.get(lettering.form, BARE))
    height = capital * 1.15 + 2 * pad_y
    box = placer.place(width + 2 * pad_x, height, spots, gap, sides)
    if box is None:
        return
    with kept(b.painter):
        draw_ground(b, box, lettering.form, lit)
        halo = lettering.form == "halo"
        draw_text(b, text, font, box.left() + pad_x, box.center().y(), lettering.colour, halo)


def draw_ground(b: Brushwork, box: QRectF, form: str, lit: bool) -> None:
    """What lies under the letters: a card with a border, a tag without one, an amber ground when lit."""
    painter, look = b.painter, b.theme
    painter.setPen(Qt.PenStyle.NoPen)
    if form == "halo":
        if lit:
            painter.setBrush(look.colour("now", HALO_ALPHA))
            painter.drawRoundedRect(box.adjusted(-3, -1, 3, 1), 4, 4)
        return
    painter.setBrush(look.colour("now_soft" if lit else "plane"))
    if form == "card":
        painter.setPen(QPen(look.colour("strong"), b.stroke))
    painter.drawRoundedRect(box, 4, 4)


def draw_handle(b: Brushwork, placer: Placer, text: str, anchor: tuple[float, float], lit: bool) -> None:
    """A letter in a circle, kept inside the frame; filled when pointed at; without a text, a cross."""
    small = HANDLE_RADIUS if text else HANDLE_RADIUS * 0.6
    room = b.view.rect.adjusted(small + 2, small + 2, -small - 2, -small - 2)
    x = max(room.left(), min(anchor[0], room.right()))
    y = max(room.top(), min(anchor[1], room.bottom()))
    placer.taken.append(QRectF(x - small, y - small, 2 * small, 2 * small))
    long = len(text) > 2
    with kept(b.painter):
        b.painter.setPen(pen(b.theme.colour("ink"), 1.75 * b.stroke))
        b.painter.setBrush(b.theme.colour("sel" if lit else "plane"))
        width = outline(text, b.theme.font("plane"))[1] + 18 if long else 2 * small
        b.painter.drawRoundedRect(QRectF(x - width / 2, y - small, width, 2 * small), small, small)
        if text:
            size = b.theme.type_sizes["plane"][0] + (0 if long else 1.5)
            draw_centred(b, text, QPointF(x, y), size, 700, "sel_ink" if lit else "ink")
        else:
            cross = QPainterPath()
            for dx in (-1, 1):
                cross.moveTo(x - dx * 4, y - 4)
                cross.lineTo(x + dx * 4, y + 4)
            draw_path(b, STROKES[Role.SUPPORT], cross)


def paint_labels(b: Brushwork, layer: Labels) -> None:
    """Each text over its place."""
    lit = bool(layer.tag) and layer.tag in b.lit
    for (x, y), text in zip(pixels(b.view, layer.xy).tolist(), layer.text, strict=True):
        if text and b.view.rect.contains(x, y):
            say(b, text, (x, y), 0.0, LETTERING[layer.role], OVER, lit)
