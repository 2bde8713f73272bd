"""Words on the plane: tags, cards and letter handles, and where they find room."""

from dataclasses import dataclass, field
from math import hypot
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPen

from engine.core.arrays import Bool, Float, Int
from engine.core.scene import Labels
from engine.core.tags import is_lit
from gui.painters.clip import pixels
from gui.painters.handles import is_long, paint_handle
from gui.painters.letters import draw_text, outline
from gui.painters.roles import HALO_ALPHA, LEADER, LETTERING, Lettering
from gui.painters.strokes import draw_path, kept
from gui.painters.view import Brushwork

LABELS = "labels waiting"  # key in a Brushwork's cache while a scene is painted
BESIDE = ("right", "left", "above", "below")
OVER = ("middle",)
_SHIFT = {
    "right": (1, 0), "left": (-1, 0), "above": (0, -1), "below": (0, 1), "middle": (0, 0),
    "above right": (1, -1), "above left": (-1, -1), "below right": (1, 1), "below left": (-1, 1),
}  # fmt: skip
INSET = 3.0
PADS, BARE = {"card": (8.0, 4.0), "tag": (7.0, 3.0)}, (1.0, 3.0)
HANDLE_RADIUS, HANDLE_SHARE = 15.0, 0.8  # at least; in heights of the letters


Spots = tuple[tuple[float, float], ...]
OVERLAP = 40.0  # what lying on another label costs, in covered points
EVADE = 2.0  # what a place costs that is only there to avoid that, and points
SLANTED = ("above right", "below right", "above left", "below left")
SLANT_COST, AWAY = (
    1.3,
    ((14.0, 3.0), (30.0, 4.5), (52.0, 6.0)),
)  # of a slanted place, and of places so many pixels further away
ON_POINT = 5.0  # what lying on a point costs more than lying on a piece of a line
ORDER, LATE = 0.4, 6  # what each later one of several spots costs, up to this one
MISTAKEN, CLEAR, SAME = 2.5, 4.0, 4.0  # for each point that a label is about as near to as to its own
AIR, REACH = np.array([4.0, 2.0]), 60.0  # kept clear round a label; pixels within which another point may be meant
LEADER_FROM = 6.0  # pixels beyond the usual gap from which on a thin line leads to a label


@dataclass
class Placer:
    """Finds room for labels: inside `rect`, on as few points and lines as possible, never on one another, and not where
    they would seem to name another point.

    marks (m, 2): places better not covered; points (p, 2): those of them that a label could be taken to name;
    air (2,): kept clear round those, beside and above; before: the sides that labels were given, by their number and form;
    hasty: they are given the same ones again, without asking what else is there now
    """

    rect: QRectF
    marks: Float = field(default_factory=lambda: np.zeros((0, 2)))
    taken: list[QRectF] = field(default_factory=list)
    points: Float = field(default_factory=lambda: np.zeros((0, 2)))
    air: Float = field(default_factory=lambda: AIR)
    before: dict[object, Any] = field(default_factory=dict)
    hasty: bool = False
    asked: int = 0

    def place(
        self, width: float, height: float, spots: Spots, gap: float, sides: tuple[str, ...], far: bool = False,
        evade: bool = False,
    ) -> QRectF | None:  # fmt: skip
        """The best rectangle of this size beside one of `spots`, best first; remembers it. None where there is only
        room on another label, and no other place was thought of (more than one spot says that it may be left out).
        far: the label may also stand slanted or further away, where a thin line leads to it; evade: only where it would
        lie on another label otherwise."""
        label = self.label(sides, len(spots), far, evade)
        if self.hasty and label in self.before:
            return self._as_before(width, height, spots, self.before[label])
        where = [(spot, gap, side, 0.4 * rank) for rank, side in enumerate(sides) for spot in spots]
        order = {spot: ORDER * min(k, LATE) for k, spot in reversed(list(enumerate(spots)))}
        if far or evade:
            last = 0.0 if far else EVADE
            where += [(spots[0], gap, side, last + SLANT_COST + 0.1 * rank) for rank, side in enumerate(SLANTED)]
            where += [
                (spots[0], gap + more, side, last + cost + 0.1 * rank)
                for more, cost in AWAY
                for rank, side in enumerate((*sides, *SLANTED))
            ]
        boxes = np.array([self._beside(width, height, spot, more, side) for spot, more, side, _ in where])
        anchors = np.array([spot for spot, _, _, _ in where])
        led = np.array([more > gap for _, more, _, _ in where])  # a line says whose name it is
        moved, costs = self._costs(boxes, anchors, far & ~led)
        costs += [cost + order[spot] for spot, _, _, cost in where]
        best = int(costs.argmin())
        if len(spots) > 1 and costs[best] >= OVERLAP:
            self.before[label] = None
            return None
        spot, more, side, _ = where[best]
        self.before[label] = spots.index(spot), more, side
        self.taken.append(QRectF(*moved[best].tolist()))
        return self.taken[-1]

    def label(self, *form: object) -> object:
        """What the next label is remembered by."""
        self.asked += 1
        return self.asked, *form

    def _as_before(
        self, width: float, height: float, spots: Spots, known: tuple[int, float, str] | None
    ) -> QRectF | None:
        if known is None:
            return None
        which, gap, side = known
        x, y, _, _ = self._beside(width, height, spots[which], gap, side)
        x, y = (
            max(low, min(at, high))
            for at, low, high in (
                (x, self.rect.left() + INSET, self.rect.right() - INSET - width),
                (y, self.rect.top() + INSET, self.rect.bottom() - INSET - height),
            )
        )
        self.taken.append(QRectF(x, y, width, height))
        return self.taken[-1]

    def _beside(
        self, width: float, height: float, anchor: tuple[float, float], gap: float, side: str
    ) -> tuple[float, float, float, float]:
        dx, dy = _SHIFT[side]
        slant = 0.7 if dx and dy else 1.0
        x = anchor[0] + dx * (slant * gap + width / 2)
        y = anchor[1] + dy * (slant * gap + height / 2)
        return x - width / 2, y - height / 2, width, height

    def _costs(self, boxes: Float, anchors: Float, named: Bool) -> tuple[Float, Float]:
        """(boxes moved inside the frame, cost of each), boxes (k, 4) as x, y, width, height beside anchors (k, 2); named
        (k,): it must not seem to name another point."""
        room = self.rect.adjusted(INSET, INSET, -INSET, -INSET)
        size = boxes[:, 2:]
        low, high = np.array([room.left(), room.top()]), np.array([room.right(), room.bottom()])
        corner = np.maximum(low, np.minimum(boxes[:, :2], high - size))
        pushed = np.abs(corner - boxes[:, :2]).sum(axis=1)
        on_own = ((anchors >= corner) & (anchors <= corner + size)).all(axis=1)
        costs = 0.5 * pushed + 100.0 * ((pushed > 1) & on_own)
        for other in self.taken:
            apart = np.array([other.left(), other.top()]), np.array([other.right(), other.bottom()])
            costs += OVERLAP * ((corner < apart[1]) & (corner + size > apart[0])).all(axis=1)
        costs += _covered(self.marks, corner - AIR, corner + size + AIR)
        costs += ON_POINT * _covered(self.points, corner - self.air, corner + size + self.air)
        if named.any() and len(self.points):
            own = np.hypot(*np.maximum(np.maximum(corner - anchors, anchors - corner - size), 0.0).T)
            others = self.points[np.abs(self.points - anchors[0]).max(axis=1) > SAME]
            nearer = _away(others, corner, corner + size) < own[:, None] + CLEAR
            costs += MISTAKEN * named * np.minimum(nearer.sum(axis=1), 2)
        return np.column_stack([corner, size]), costs


def _covered(places: Float, low: Float, high: Float) -> Int:
    """(k,) how many of the places (m, 2) lie in each box from low (k, 2) to high (k, 2)."""
    x, y = _near(places, low, high).T
    left, top, right, bottom = (edge[:, None] for edge in (*low.T, *high.T))
    return np.asarray(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).sum(axis=1))


def _away(places: Float, low: Float, high: Float) -> Float:
    """(k, near) how far those places (m, 2) that are near are from boxes from low (k, 2) to high: 0 inside."""
    x, y = _near(places, low - REACH, high + REACH).T
    left, top, right, bottom = (edge[:, None] for edge in (*low.T, *high.T))
    out_x = np.maximum(np.maximum(left - x, x - right), 0.0)
    out_y = np.maximum(np.maximum(top - y, y - bottom), 0.0)
    return np.asarray(np.hypot(out_x, out_y))


def _near(places: Float, low: Float, high: Float) -> Float:
    """Those of the places (m, 2) that lie between all boxes' outermost edges. Many labels ask in each frame; the rest are
    so far away that no label covers them or is taken for theirs."""
    (left, top), (right, bottom) = low.min(axis=0), high.max(axis=0)
    x, y = places.T
    return places[(x >= left) & (x <= right) & (y >= top) & (y <= bottom)]


# -- labels ------------------------------------------------------------------------------------------------------------


def say(
    b: Brushwork,
    text: str,
    anchor: tuple[float, float] | Spots,
    gap: float,
    lettering: Lettering,
    sides: tuple[str, ...] = BESIDE,
    lit: bool = False,
    far: bool = False,
    evade: bool = False,
) -> None:
    """Write `text` near `anchor`, or near the best of several places, or not at all when none of these is free: at once,
    or on top of everything when a whole scene is painted. far: the name of a point, which may stand away from it; evade:
    of an arrow, which may where another label is in the way."""
    spots = anchor if isinstance(anchor[0], tuple) else (anchor,)
    waiting = b.cache.get(LABELS)
    if isinstance(waiting, list):
        waiting.append((text, spots, gap, lettering, sides, lit, far, evade))
    else:
        write(b, Placer(b.view.rect), text, spots, gap, lettering, sides, lit, far, evade)


def write(
    b: Brushwork,
    placer: Placer,
    text: str,
    spots: Spots,
    gap: float,
    lettering: Lettering,
    sides: tuple[str, ...],
    lit: bool,
    far: bool = False,
    evade: bool = False,
) -> None:
    """Find the place of one label and draw it in its form."""
    if lettering.form in ("handle", "cross"):
        draw_handle(b, placer, text if lettering.form == "handle" else "", spots, lit)
        return
    font = b.theme.font("caption", weight=600) if lettering.form == "tag" else b.theme.font("plane")
    _, width, capital = outline(text, font)
    pad_x, pad_y = (size * (1 + b.stroke) / 2 for size in PADS.get(lettering.form, BARE))
    height = capital * 1.15 + 2 * pad_y
    box = placer.place(width + 2 * pad_x, height, spots, gap, sides, far, evade)
    if box is None:
        return
    with kept(b.painter):
        if far or evade:
            draw_leader(b, box, spots[0], gap)
        draw_ground(b, box, lettering.form, lit)
        halo = lettering.form == "halo"
        draw_text(b, text, font, box.left() + pad_x, box.center().y(), lettering.colour, halo)


def draw_ground(b: Brushwork, box: QRectF, form: str, lit: bool) -> None:
    """What lies under the letters: a card with a border, a tag without one, a grey ground when lit."""
    painter, look = b.painter, b.theme
    painter.setPen(Qt.PenStyle.NoPen)
    if form == "halo":
        if lit:
            painter.setBrush(look.colour("ink", HALO_ALPHA))
            painter.drawRoundedRect(box.adjusted(-3, -1, 3, 1), 4, 4)
        return
    painter.setBrush(look.colour("hover" if lit else "plane"))
    if form == "card":
        painter.setPen(QPen(look.colour("strong"), b.stroke))
    painter.drawRoundedRect(box, 4, 4)


def draw_leader(b: Brushwork, box: QRectF, anchor: tuple[float, float], gap: float) -> None:
    """A thin line from a point to its name, when that stands away from it."""
    x = max(box.left(), min(anchor[0], box.right()))
    y = max(box.top(), min(anchor[1], box.bottom()))
    away = hypot(x - anchor[0], y - anchor[1])
    if away <= gap + LEADER_FROM:
        return
    share = (gap - 3.0) / away
    line = QPainterPath(QPointF(anchor[0] + share * (x - anchor[0]), anchor[1] + share * (y - anchor[1])))
    line.lineTo(x, y)
    draw_path(b, LEADER, line)


def draw_handle(b: Brushwork, placer: Placer, text: str, spots: Spots, lit: bool) -> None:
    """A letter in a circle, or a few words in a longer one, kept inside the frame, at the first of `spots` where it covers
    no other handle and the fewest points; filled when pointed at; without a text, a cross."""
    large = max(HANDLE_RADIUS, HANDLE_SHARE * b.theme.type_sizes["plane"][0])
    small = large if text else large * 0.6
    half = outline(text, b.theme.font("plane"))[1] / 2 + large * 0.6 if is_long(text) else small
    room = b.view.rect.adjusted(half + 2, small + 2, -half - 2, -small - 2)
    inside = [(max(room.left(), min(x, room.right())), max(room.top(), min(y, room.bottom()))) for x, y in spots]
    boxes = [QRectF(x - half, y - small, 2 * half, 2 * small) for x, y in inside]

    name = placer.label(text, len(spots))
    if placer.hasty and name in placer.before:
        best = placer.before[name]
    else:
        dx, dy = (placer.points - np.array(inside)[:, None]).transpose(2, 0, 1)
        covered = (np.hypot(dx * small / half, dy) < small + 4).sum(axis=1)
        on = [sum(other.intersects(box) for other in placer.taken) for box in boxes]
        best = int(np.argmin(OVERLAP * np.array(on) + covered + 0.15 * np.arange(len(boxes))))
    placer.before[name] = best
    placer.taken.append(boxes[best])
    paint_handle(b, text, boxes[best], lit)


def paint_labels(b: Brushwork, layer: Labels) -> None:
    """Each text over its place."""
    lit = is_lit(layer.tag, b.lit)
    for (x, y), text in zip(pixels(b.view, layer.xy).tolist(), layer.text, strict=True):
        if text and b.view.rect.contains(x, y):
            say(b, text, (x, y), 0.0, LETTERING[layer.role], OVER, lit)
