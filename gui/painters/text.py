"""Words on the plane: tags, cards and handles, and the search for room for them.

A handle of a line is a letter or a few words in a rounded box, or a cross in a small one.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, hypot
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record
from engine.base.tags import is_lit
from engine.scene.roles import HALO_ALPHA, LEADER, LETTERING, STROKES, Lettering
from engine.scene.scene import Labels, Role
from gui.painters.letters import HALO_WIDTH, draw_centred, draw_text, on_pixel, outline
from gui.painters.strokes import draw_path, kept, pen
from gui.painters.view import Brushwork, paints

LABELS = "labels waiting"  # key in a Brushwork's cache while a scene is painted
BESIDE = ("right", "left", "above", "below")
OVER = ("middle",)
_SHIFT = {
    "right": (1, 0), "left": (-1, 0), "above": (0, -1), "below": (0, 1), "middle": (0, 0),
    "above right": (1, -1), "above left": (-1, -1), "below right": (1, 1), "below left": (-1, 1),
}  # fmt: skip
INSET = 3.0
PADS = {"card": (8.0, 4.0), "tag": (7.0, 3.0)}
BARE = (1.0, 3.0)
HANDLE_RADIUS, HANDLE_SHARE = 15.0, 0.8  # least radius in pixels; share of the type size

T = TypeVar("T", float, Float)
Spots = tuple[tuple[float, float], ...]
HANDLE_AIR = 4.0  # pixels between a handle and other labels
OVERLAP = 40.0  # cost of lying on another label, in covered marks
EVADE = 2.0  # extra cost of a place that is only used to avoid labels and points
SLANTED = ("above right", "below right", "above left", "below left")
SLANT = 0.7  # of a gap, along each axis of a slanted place
SLANT_COST, AWAY = (
    1.3,
    ((14.0, 3.0), (30.0, 4.5), (52.0, 6.0)),
)  # cost of a slanted place; (pixels further away, cost)
ON_POINT = 5.0  # extra cost of lying on a point instead of a line
ORDER, LAST_RANK = 0.4, 6  # cost of each later spot, up to this index
# cost per other point that seems to be named; pixels of tolerance; pixels that count as own
MISTAKEN, CLEAR, SAME = 2.5, 4.0, 4.0
# pixels kept clear round a label; pixels within which it may seem to name another point
AIR, REACH = np.array([4.0, 2.0]), 60.0
LEADER_FROM = 6.0  # pixels beyond the usual gap from which a leader line is drawn
KEPT_HANDLES = 256
CROSS = 4.0  # half a side, in pixels
LETTER = 1.5  # pixels that letters are higher than the words of longer handles

_pictures: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()


@dataclass
class Placer:
    """Finds room for labels: inside `rect`, on as few points and lines as possible, never on each
    other, and not where they would seem to name another point.

    marks (m, 2): places that labels should not cover
    points (p, 2): those of them that a label could seem to name
    air (2,): pixels kept clear beside and above those points
    rings (r, 3): (x, y, radius) of rings round points: a name beside such a point keeps off its
        ring
    before: the places found so far, by the number and form of a label
    rapid: labels keep those places, without a search
    """

    rect: QRectF
    marks: Float = field(default_factory=lambda: np.zeros((0, 2)))
    taken: list[QRectF] = field(default_factory=list)
    points: Float = field(default_factory=lambda: np.zeros((0, 2)))
    air: Float = field(default_factory=lambda: AIR)
    rings: Float = field(default_factory=lambda: np.zeros((0, 3)))
    before: dict[object, Any] = field(default_factory=dict)
    rapid: bool = False
    count: int = 0

    def place(
        self,
        width: float,
        height: float,
        spots: Spots,
        gap: float,
        sides: tuple[str, ...],
        far: bool = False,
        evade: bool = False,
    ) -> QRectF | None:
        """The best rectangle of this size beside one of `spots` (best first); it is then taken.

        None where several spots are given and each lies on another label: such a label may be left
        out. far: the label may also stand slanted or further away, with a thin line to it; evade:
        the same, at a higher cost
        """
        label = self.label(sides, len(spots), far, evade)
        if self.rapid and label in self.before:
            return self._as_before(width, height, spots, self.before[label])
        size, at = np.array([width, height]), np.array(spots, np.float64)
        ways = _ways(sides, len(spots), far, evade)
        anchors = at[ways.spot]
        gaps = np.maximum(gap, self._ring_at(at))[ways.spot] + ways.more if gap else ways.more
        wanted = _corner(anchors, size, ways.shift, ways.slant * gaps[:, None])
        corner, costs = self._costs(wanted, size, anchors, ways.near if far else 0)
        later = np.array([ORDER * min(spots.index(spot), LAST_RANK) for spot in spots])
        costs += ways.cost + later[ways.spot]
        best = int(costs.argmin())
        chosen = corner[best : best + 1]
        if len(spots) > 1 and self.on_others(chosen, chosen + size)[0]:
            self.before[label] = None
            return None
        self.before[label] = spots.index(spots[ways.spot[best]]), float(gaps[best]), ways.side[best]
        x, y = corner[best].tolist()
        self.taken.append(QRectF(x, y, width, height))
        return self.taken[-1]

    def _ring_at(self, spots: Float) -> Float:
        """(k,) how far the ring round each of the spots (k, 2) reaches, 0 without one."""
        x, y, radius = self.rings.T
        apart = np.hypot(spots[:, :1] - x, spots[:, 1:] - y)
        return np.where(apart < SAME, radius + HALO_WIDTH, 0.0).max(axis=1, initial=0.0)

    def label(self, *form: object) -> object:
        """The key of the next label in `before`, by the order of drawing."""
        self.count += 1
        return self.count, *form

    def _as_before(
        self, width: float, height: float, spots: Spots, known: tuple[int, float, str] | None
    ) -> QRectF | None:
        """The rectangle at the spot, gap and side of the last frame."""
        if known is None:
            return None
        which, gap, side = known
        slant = SLANT if side in SLANTED else 1.0
        x, y = (
            max(low + INSET, min(_corner(at, long, way, slant * gap), high - INSET - long))
            for at, long, way, low, high in (
                (spots[which][0], width, _SHIFT[side][0], self.rect.left(), self.rect.right()),
                (spots[which][1], height, _SHIFT[side][1], self.rect.top(), self.rect.bottom()),
            )
        )
        self.taken.append(QRectF(x, y, width, height))
        return self.taken[-1]

    def _costs(self, wanted: Float, size: Float, anchors: Float, named: int) -> tuple[Float, Float]:
        """(corners moved inside the frame (k, 2), costs (k,)).

        wanted (k, 2): the corners of boxes of this size (2,) beside anchors (k, 2); named: how many
        boxes, from the first, must not seem to name another point
        """
        room = self.rect.adjusted(INSET, INSET, -INSET, -INSET)
        low, high = np.array([room.left(), room.top()]), np.array([room.right(), room.bottom()])
        corner = np.maximum(low, np.minimum(wanted, high - size))
        opposite = corner + size
        pushed = np.abs(corner - wanted).sum(axis=1)
        on_own = _both((anchors >= corner) & (anchors <= opposite))
        costs = 0.5 * pushed + 100.0 * ((pushed > 1) & on_own)
        costs += OVERLAP * self.on_others(corner, opposite)
        costs += _covered(self.marks, corner - AIR, opposite + AIR)
        costs += ON_POINT * _covered(self.points, corner - self.air, opposite + self.air)
        if named and len(self.points):
            low = corner[:named]
            high = opposite[:named]
            own = anchors[:named]
            apart = np.abs(self.points - anchors[0])
            far = np.maximum(np.maximum(low - own, own - high), 0.0)
            strangers = self.points[np.maximum(apart[:, 0], apart[:, 1]) > SAME]
            nearer = _away(strangers, low, high) < np.hypot(far[:, 0], far[:, 1])[:, None] + CLEAR
            costs[:named] += MISTAKEN * np.minimum(nearer.sum(axis=1), 2)
        return corner, costs

    def on_others(self, low: Float, high: Float) -> Int:
        """(k,) how many labels each box from low (k, 2) to high (k, 2) would overlap."""
        others = np.array([other.getCoords() for other in self.taken]).reshape(-1, 4)
        return np.asarray(
            _both((low[:, None] < others[:, 2:]) & (high[:, None] > others[:, :2])).sum(axis=1)
        )


class Ways(Record, eq=True):
    """The candidate places of a label.

    spot (k,): index of the spot; side: its side; shift (k, 2), slant (k, 1): the side as numbers;
    more (k,): pixels beyond the usual gap; cost (k,): of the place itself; near: how many, from the
    first, get no leader line
    """

    spot: Int
    side: tuple[str, ...]
    shift: Float
    slant: Float
    more: Float
    cost: Float
    near: int


@lru_cache(maxsize=128)
def _ways(sides: tuple[str, ...], spots: int, far: bool, evade: bool) -> Ways:
    found = [
        (spot, 0.0, side, 0.4 * rank) for rank, side in enumerate(sides) for spot in range(spots)
    ]
    if far or evade:
        last = 0.0 if far else EVADE
        found += [
            (0, 0.0, side, last + SLANT_COST + 0.1 * rank) for rank, side in enumerate(SLANTED)
        ]
    near = len(found)
    if far or evade:
        found += [
            (0, more, side, last + cost + 0.1 * rank)
            for more, cost in AWAY
            for rank, side in enumerate((*sides, *SLANTED))
        ]
    spot, more, side, cost = zip(*found, strict=True)
    shift = [_SHIFT[name] for name in side]
    slant = [[SLANT if name in SLANTED else 1.0] for name in side]
    return Ways(
        np.array(spot),
        side,
        np.array(shift, float),
        np.array(slant),
        np.array(more),
        np.array(cost),
        near,
    )


def _corner(anchor: T, size: T, shift: T, gap: T) -> T:
    """The corner of a box of this size, `gap` away from its anchor to one side; along one axis, or
    arrays along both.
    """
    return anchor + shift * (gap + size / 2) - size / 2


def _both(flags: Bool) -> Bool:
    """(…, 2) -> (…): true along both axes; faster than `all` for two."""
    return np.asarray(flags[..., 0] & flags[..., 1])


def _covered(places: Float, low: Float, high: Float) -> Int:
    """(k,) how many of the places (m, 2) lie in each box from low (k, 2) to high (k, 2)."""
    x, y = _near(places, low, high).T
    left, top, right, bottom = (edge[:, None] for edge in (*low.T, *high.T))
    return np.asarray(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).sum(axis=1))


def _away(places: Float, low: Float, high: Float) -> Float:
    """(k, n) distances in pixels from the boxes, low (k, 2) to high (k, 2), to the n places (m, 2)
    near them; 0 inside.
    """
    x, y = _near(places, low - REACH, high + REACH).T
    left, top, right, bottom = (edge[:, None] for edge in (*low.T, *high.T))
    out_x = np.maximum(np.maximum(left - x, x - right), 0.0)
    out_y = np.maximum(np.maximum(top - y, y - bottom), 0.0)
    return np.asarray(np.hypot(out_x, out_y))


def _near(places: Float, low: Float, high: Float) -> Float:
    """The places (m, 2) inside the bounding box of all boxes.

    No label covers the others or seems to name them.
    """
    left, top = low.min(axis=0)
    right, bottom = high.max(axis=0)
    x, y = places.T
    return places[(x >= left) & (x <= right) & (y >= top) & (y <= bottom)]


# -- labels ----------------------------------------------------------------------------------------


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
    """Write `text` near `anchor`, or near the best of several places; it may be left out when all
    are taken.

    At once, or on top of everything while a whole scene is painted. far: the name of a point, which
    may stand away from it; evade: of an arrow, which may where another label is in the way
    """
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
    """The ground under the letters: a card with a border, a tag without one, a grey ground when
    lit.
    """
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
    """A thin line from a point to its name, when the name stands further away than usual."""
    x = max(box.left(), min(anchor[0], box.right()))
    y = max(box.top(), min(anchor[1], box.bottom()))
    away = hypot(x - anchor[0], y - anchor[1])
    if away <= gap + LEADER_FROM:
        return
    share = (gap - 3.0) / away
    line = QPainterPath(
        QPointF(anchor[0] + share * (x - anchor[0]), anchor[1] + share * (y - anchor[1]))
    )
    line.lineTo(x, y)
    draw_path(b, LEADER, line)


def draw_handle(b: Brushwork, placer: Placer, text: str, spots: Spots, lit: bool) -> None:
    """A letter in a circle, or words in an oblong; a cross where there is no text; filled when lit.

    It stands inside the frame at the one of `spots` where it covers the fewest handles and points.
    """
    large = max(HANDLE_RADIUS, HANDLE_SHARE * b.theme.type_sizes["plane"][0])
    small = large if text else large * 0.6
    half = outline(text, b.theme.font("plane"))[1] / 2 + large * 0.6 if is_long(text) else small
    room = b.view.rect.adjusted(half + 2, small + 2, -half - 2, -small - 2)

    def inside(spot: tuple[float, float]) -> tuple[float, float]:
        return max(room.left(), min(spot[0], room.right())), max(
            room.top(), min(spot[1], room.bottom())
        )

    def box(x: float, y: float) -> QRectF:
        return QRectF(x - half, y - small, 2 * half, 2 * small)

    name = placer.label(text, len(spots))
    if not (placer.rapid and name in placer.before):
        centres = np.array([inside(spot) for spot in spots])
        reach = np.array([half, small])
        edge = reach + HANDLE_AIR
        dx, dy = (placer.points - centres[:, None]).transpose(2, 0, 1)
        covered = ((dx * small / half) ** 2 + dy**2 < (small + 4) ** 2).sum(axis=1)
        costs = (
            covered
            + 0.15 * np.arange(len(centres))
            + OVERLAP * placer.on_others(centres - edge, centres + edge)
        )
        placer.before[name] = int(costs.argmin())
    chosen = box(*inside(spots[placer.before[name]]))
    placer.taken.append(chosen)
    paint_handle(b, text, chosen, lit)


@paints(Labels)
def paint_labels(b: Brushwork, layer: Labels) -> None:
    """Each text over its place."""
    lit = is_lit(layer.tag, b.lit)
    for (x, y), text in zip(b.view.pixels(layer.xy).tolist(), layer.text, strict=True):
        if text and b.view.rect.contains(x, y):
            say(b, text, (x, y), 0.0, LETTERING[layer.role], OVER, lit)


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
        while len(_pictures) > KEPT_HANDLES:
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
