"""The places of a network's units, which units of a long layer are shown, and the links between the
shown ones.
"""

from collections.abc import Iterable, Iterator
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from engine.base.arrays import Bool, Float
from engine.base.notation import fixed, number
from engine.base.records import Record
from engine.scene.axes import axis_name
from engine.scene.scene import Network
from gui.look import theme
from gui.look.ink import face

MOST_UNITS = 12
MOST_RADIUS, BIAS_HALF = 23.0, 8.0
LEAST_GAP, MOST_ROW, LEAST_COLUMN, EASY_COLUMN = 5.0, 96.0, 30.0, 54.0
MARGIN, NAME_GAP, LEAST_NAME, MOST_NAME = 6.0, 6.0, 44.0, 110.0

# deltas below the units; only current ones, at the rims; the same with one decimal less
FULL, ASIDE, COARSE = range(3)

# gap between number and unit; least length left to a link; most numbers before units
GUTTER_GAP, GUTTER_RUN, MOST_WRITTEN = 4.0, 44.0, 48
CLEAR = 2.0  # pixels kept between a number and a link

Unit = tuple[int, int]  # layer, unit; unit = n of the layer is its bias
Link = tuple[int, int, int]  # layer, from, to


def units_shown(network: Network, layer: int) -> list[int]:
    """All units of a short layer; of a long one up to four current units, the first ones and the
    last.
    """
    count = len(network.activations[layer])
    if count <= MOST_UNITS:
        return list(range(count))
    now = sorted(unit for at, unit in current_units(network) if at == layer and 0 <= unit < count)[
        :4
    ]
    wanted = {*now, count - 1}
    for unit in range(count):
        if len(wanted) >= MOST_UNITS - 1:
            break
        wanted.add(unit)
    return sorted(wanted)


def has_bias(network: Network, layer: int) -> bool:
    """Whether any link starts at the bias unit of `layer`."""
    return layer < len(network.weights) and bool(np.isfinite(network.weights[layer][-1]).any())


def shape_of(network: Network) -> tuple[object, ...]:
    """A key of everything that the layout depends on. Networks with equal keys have the same
    layout, whatever their numbers.
    """
    layers = range(len(network.activations))
    shown = [(len(network.activations[layer]), *units_shown(network, layer)) for layer in layers]
    there = [np.isfinite(weights).tobytes() for weights in network.weights]
    texts = network.names, network.outputs, network.hidden
    return shown, there, texts, network.digits, len(network.deltas) > 0


def current_units(network: Network) -> frozenset[Unit]:
    """The amber units: the named ones, else those where the active links meet."""
    if network.current != ():
        return frozenset(network.current or ())
    meets: set[Unit] = set()
    if len({layer for layer, _, _ in network.active}) > 1:
        return frozenset()
    for layer, start, end in network.active:
        if end >= 0:
            meets.add((layer + 1, end))
        elif start >= 0:
            meets.add((layer, start))
        else:
            meets |= {(layer + 1, unit) for unit in range(len(network.activations[layer + 1]))}
    return frozenset(meets)


def active_links(network: Network) -> frozenset[Link]:
    """The amber links, with −1 expanded to all links that are not removed."""
    return frozenset(
        (layer, i, j)
        for layer, start, end in network.active
        for i in (range(len(network.activations[layer]) + 1) if start < 0 else (start,))
        for j in (range(len(network.activations[layer + 1])) if end < 0 else (end,))
        if (start >= 0 and end >= 0) or not is_removed(network, (layer, i, j))
    )


def is_removed(network: Network, link: Link) -> bool:
    """Whether a link was removed."""
    layer, start, end = link
    return bool(network.removed) and bool(network.removed[layer][start, end])


def is_disconnected(network: Network, unit: Unit) -> bool:
    """Whether a unit has lost every link to it, including its bias."""
    layer, k = unit
    return layer > 0 and bool(network.removed) and bool(network.removed[layer - 1][:, k].all())


def unit_name(network: Network, unit: Unit) -> str:
    """The name of a unit: x₁, hidden 2 (hidden 1.2 with several hidden layers), output, bias."""
    layer, index = unit
    count = len(network.activations[layer])
    last = len(network.activations) - 1
    if index >= count:
        return "bias"
    if layer == 0:
        return (
            axis_name(network.names[index]) if index < len(network.names) else f"input {index + 1}"
        )
    if layer == last:
        named = network.outputs[index] if index < len(network.outputs) else ""
        return named or ("output" if count == 1 else f"output {index + 1}")
    return f"hidden {index + 1}" if last == 2 else f"hidden {layer}.{index + 1}"


def short_number(value: float, digits: int, room: float) -> str:
    """The value with as many of the `digits` decimals as fit into `room` pixels; a power of ten
    when none fits.
    """
    if value != value:
        return ""
    look = face("caption", 600)
    options = [fixed(value, d) for d in range(digits, -1, -1)] if abs(value) < 1e6 else []
    return next((text for text in options if look.width(text) <= room), number(value, 0))


def crossed(boxes: Float, lines: Float) -> Bool:
    """(k,) whether any of the lines (m, 2, 2) enters a box (k, 4), with a margin of
    `CLEAR` pixels.
    """
    low = boxes[:, None, :2] - CLEAR
    high = boxes[:, None, 2:] + CLEAR
    start = lines[None, :, 0]
    step = lines[None, :, 1] - lines[None, :, 0]
    step = np.where(np.abs(step) < 1e-9, 1e-9, step)
    one = (low - start) / step
    two = (high - start) / step
    enter = np.minimum(one, two).max(axis=2)
    leave = np.maximum(one, two).min(axis=2)
    return np.asarray(np.any((enter <= leave) & (leave >= 0) & (enter <= 1), axis=1))


def covered(boxes: Float, taken: Float) -> Bool:
    """(k,) whether a box overlaps any of those in `taken` (m, 4)."""
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    return np.asarray(
        np.any(((low < taken[None, :, 2:]) & (high > taken[None, :, :2])).all(axis=2), axis=1)
    )


def _corners(boxes: Iterable[QRectF]) -> Float:
    """(k, 4) left, top, right and bottom of rectangles."""
    return np.array([box.getCoords() for box in boxes], np.float64).reshape(-1, 4)


def wrapped(text: str, room: float) -> tuple[str, ...]:
    """A name on one line, or on two where it is wider than `room` pixels and has a space."""
    look = face("body")
    if look.width(text) <= room or " " not in text:
        return (text,)
    words = text.split(" ")
    ways = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min(ways, key=lambda way: max(map(look.width, way)))


class Slot(Record, eq=True):
    """A place in a column: a unit, the bias (unit = n), or a sign for `hidden` units left out."""

    unit: int = -1
    hidden: int = 0
    bias: bool = False


class NetworkLayout:
    """The places of all parts in pixels, for a room of width × height. size: the least size;
    detail: FULL, ASIDE or COARSE.
    """

    def __init__(self, network: Network, width: float, height: float, detail: int = FULL) -> None:
        self.network, self.detail = network, detail
        self.digits = max(1, network.digits - 1) if detail == COARSE else network.digits
        self.columns = [self._slots(layer) for layer in range(len(network.activations))]
        self.below = (
            float(theme.current().line_height("caption"))
            if network.deltas and detail == FULL
            else 0.0
        )
        most = max((self._rows(column) for column in self.columns), default=1.0)
        self.radius = self._radius(height, most)
        self.bias_half = BIAS_HALF * theme.current().line_height("caption") / 16
        row = 2 * self.radius + self.below + LEAST_GAP
        self.row = min(
            max(row, (height - 2 * MARGIN) / max(most, 1.0)), MOST_ROW * theme.current().stroke
        )
        self.names: list[list[tuple[str, ...]]] = [[], []]  # lines of the input and output units
        self.left, self.right = self._names(width)
        least = 2 * self.radius + LEAST_COLUMN
        gaps = max(1, len(self.columns) - 1)
        self.column = max(least, (width - self.left - self.right - 2 * self.radius) / gaps)
        across = self.left + self.right + 2 * self.radius + least * (len(self.columns) - 1)
        self.size = (ceil(across), ceil(row * most + 2 * MARGIN))
        self.width, self.height = max(width, float(self.size[0])), max(height, float(self.size[1]))
        self.units: dict[Unit, QPointF] = {}
        self.biases: dict[Unit, QPointF] = {}
        self.left_out: list[tuple[QPointF, int]] = []
        self._place(width)
        self.links = list(self._links())
        self.line = float(theme.current().line_height("caption") - 1)
        self.gutter = face("caption", 700).width("−00.00") + 2 * GUTTER_GAP
        self.gutters = [self._has_gutter(layer) for layer in range(len(network.weights))]
        self.index = {link: k for k, link in enumerate(self.links)}
        self.ends = self._ends()
        self.written = _corners(
            self.gutter_box(link) for link in self.links if self.gutters[link[0]]
        )
        self.hidden_names = self._find_hidden_names()
        self.taken = np.vstack([self.written, _corners(self.hidden_names.values())])

    def _slots(self, layer: int) -> list[Slot]:
        """The slots of a layer from top to bottom."""
        shown = units_shown(self.network, layer)
        slots = []
        last = -1
        for unit in shown:
            if unit > last + 1:
                slots.append(Slot(hidden=unit - last - 1))
            slots.append(Slot(unit))
            last = unit
        if has_bias(self.network, layer):
            slots.append(Slot(len(self.network.activations[layer]), bias=True))
        return slots

    def _rows(self, slots: list[Slot]) -> float:
        """The height of a column in rows; a bias takes half a row."""
        return sum(0.5 if slot.bias else 1.0 for slot in slots)

    def _names(self, width: float) -> tuple[float, float]:
        """The room at the left and right for names, and for deltas wider than their units. Where
        it is short, names are written on two lines.
        """
        look = face("body")
        net = self.network
        inputs = [axis_name(text) for text in net.names]
        if self.columns:
            inputs = inputs[: len(net.activations[0])]
        sides = (inputs, list(net.outputs) if len(self.columns) > 1 else [])
        units = len(self.columns) * 2 * self.radius + EASY_COLUMN * (len(self.columns) - 1)
        free = width - units - 2 * MARGIN - NAME_GAP * sum(map(bool, sides))
        stroke = theme.current().stroke
        most, short = MOST_NAME * stroke, LEAST_NAME * stroke
        wide = [max(map(look.width, texts), default=0.0) for texts in sides]
        tall = self.row >= 2 * theme.current().line_height("body")
        if tall and (sum(wide) > free or max(wide) > most):
            narrow = [
                max((look.width(t) for text in texts for t in wrapped(text, 0)), default=0.0)
                for texts in sides
            ]
            spare = max(0.0, free - sum(narrow)) / 2
            wide = [
                w if w <= short else min(w, max(n + spare, short), most)
                for w, n in zip(wide, narrow, strict=True)
            ]
        rooms = self._cut(wide, free)
        self.names = [
            [wrapped(text, room) if tall else (text,) for text in texts]
            for texts, room in zip(sides, rooms, strict=True)
        ]
        left, right = (room + NAME_GAP if room else 0.0 for room in rooms)
        over = face("caption", 700).width("δ −0.000") / 2 + 3 - self.radius if net.deltas else 0.0
        return left + MARGIN, max(right, over) + MARGIN

    def _cut(self, wide: list[float], free: float) -> list[float]:
        """The widths of both sides' names, of which the wider ones are cut to what is free."""
        stroke = theme.current().stroke
        most = MOST_NAME * stroke
        if sum(wide) <= free:
            return [min(w, most) for w in wide]
        share = max(LEAST_NAME * stroke, free - min(wide), free / 2)
        return [min(w, most, share) for w in wide]

    def _find_hidden_names(self) -> dict[Unit, QRectF]:
        """The rectangles for the names of hidden units: beside the circle, alike in a layer as far
        as no link, unit or number lies there; none where there is no room.
        """
        look = face("caption", 600)
        high = float(theme.current().line_height("caption")) - 2
        inset = 0.2 * self.radius  # a circle does not fill the corners of its square
        circles = [self.circle(u).adjusted(inset, inset, -inset, -inset) for u in self.units]
        half = self.bias_half
        circles += [
            QRectF(p.x() - half, p.y() - half, 2 * half, 2 * half) for p in self.biases.values()
        ]
        solid = _corners(circles)
        found: dict[Unit, QRectF] = {}
        for layer, names in enumerate(self.network.hidden, 1):
            own = [unit for unit in self.units if unit[0] == layer and unit[1] < len(names)]
            if not own or layer >= len(self.columns) - 1:
                continue
            spots = np.array([self._spots(u, look.width(names[u[1]]) + 2, high) for u in own])
            flat = spots.reshape(-1, 4)
            outside = (flat[:, :2] < 0).any(1) | (flat[:, 3] > self.height)
            busy = outside | crossed(flat, self.ends) | covered(flat, self.written)
            busy = (busy | covered(flat, solid)).reshape(len(own), -1)
            busy |= self._nearer_to_others(spots, own)
            alike = int(busy.sum(0).argmin())
            for unit, boxes, taken in zip(own, spots, busy, strict=True):
                taken = taken | covered(boxes, _corners(found.values()))
                place = alike if not taken[alike] else int(taken.argmin())
                if not taken[place]:
                    x0, y0, x1, y1 = boxes[place].tolist()
                    found[unit] = QRectF(x0, y0, x1 - x0, y1 - y0)
        return found

    def _nearer_to_others(self, spots: Float, own: list[Unit]) -> Bool:
        """(k, s) whether a place for the name of a unit is nearer to another unit of its layer,
        whose name it would seem to be. spots: (k, s, 4); own: the k units
        """
        places = np.array([self.units[unit].toTuple() for unit in own])
        away = np.linalg.norm(((spots[..., :2] + spots[..., 2:]) / 2)[:, :, None] - places, axis=3)
        mine = np.arange(len(own))
        return np.asarray(away.min(axis=2) < away[mine, :, mine] - 1e-9)

    def _spots(self, unit: Unit, wide: float, high: float) -> list[tuple[float, ...]]:
        """Rectangles of this size around a unit: above it, above at the sides, below it."""
        at, r = self.units[unit], self.radius
        above, below = at.y() - r - high - 1, at.y() + r + self.below + 1
        aside = 0.8 * r
        corners = [
            (at.x() - wide / 2, above),
            (at.x() + aside, at.y() - aside - high),
            (at.x() - aside - wide, at.y() - aside - high),
            (at.x() - wide / 2, below),
            (at.x() + aside, at.y() + aside),
            (at.x() - aside - wide, at.y() + aside),
        ]
        return [(x, y, x + wide, y + high) for x, y in corners]

    def _radius(self, height: float, most: float) -> float:
        """The radius of a unit. It shrinks before anything scrolls, while a number stays legible in
        it.
        """
        scale = theme.current().line_height("caption") / 16
        room = (height - 2 * MARGIN) / max(most, 1.0) - self.below - LEAST_GAP
        least = face("caption", 600).width(fixed(-0.25, self.digits)) / 2 + 1.5
        return min(max(least, room / 2), max(least, MOST_RADIUS * scale))

    def _place(self, width: float) -> None:
        """Compute the places of units, biases and signs."""
        single = (width - self.left - self.right) / 2 if len(self.columns) == 1 else self.radius
        for layer, slots in enumerate(self.columns):
            x = self.left + single + layer * self.column
            top = (self.height - self.row * self._rows(slots)) / 2
            for k, slot in enumerate(slots):
                at = QPointF(round(x), round(top + (k + 0.5) * self.row - self.below / 2))
                if slot.hidden:
                    self.left_out.append((at, slot.hidden))
                elif slot.bias:
                    half = 0.25 * self.row - self.below / 2
                    self.biases[layer, slot.unit] = QPointF(at.x(), round(at.y() - half))
                else:
                    self.units[layer, slot.unit] = at

    def _links(self) -> Iterator[Link]:
        """The links between shown units, without those that never existed."""
        for layer, weights in enumerate(self.network.weights):
            froms = [u for at, u in (*self.units, *self.biases) if at == layer]
            tos = [u for at, u in self.units if at == layer + 1]
            yield from ((layer, i, j) for i in froms for j in tos if np.isfinite(weights[i, j]))

    def _has_gutter(self, layer: int) -> bool:
        """Whether the weights of a layer are written before the units that they lead to, each on a
        line of its own.
        """
        links = [link for link in self.links if link[0] == layer]
        into = len({link[2] for link in links})
        row = self.row if into > 1 else self.height - 2 * MARGIN
        run = self.column - 2 * self.radius - self.gutter
        return (
            0 < len(links) <= MOST_WRITTEN
            and len(links) / into * self.line <= row - LEAST_GAP
            and run >= GUTTER_RUN
        )

    def gutter_box(self, link: Link) -> QRectF:
        """The rectangle of a weight before its unit, at the end of its link."""
        _, (x, y) = self.ends[self.index[link]].tolist()
        return QRectF(x, y - self.line / 2, self.gutter - GUTTER_GAP, self.line)

    def name_boxes(self) -> list[QRectF]:
        """The rectangles of the names beside the first and the last layer."""
        high = float(theme.current().line_height("body"))
        boxes = []
        for (layer, _), at in self.units.items():
            if layer == 0:
                boxes.append(QRectF(0, at.y() - high / 2, at.x() - self.radius, high))
            elif layer == len(self.columns) - 1:
                boxes.append(QRectF(at.x() + self.radius, at.y() - high / 2, 1e4, high))
        return boxes

    def place(self, unit: Unit) -> QPointF | None:
        """The middle of a unit or bias; None where it is not shown."""
        return self.units.get(unit, self.biases.get(unit))

    def _ends(self) -> Float:
        """(k, 2, 2) the ends of every link: from rim to rim, or to its number before the unit."""
        spots = {unit: (at.x(), at.y()) for unit, at in (*self.units.items(), *self.biases.items())}
        centres = np.array(
            [(spots[layer, i], spots[layer + 1, j]) for layer, i, j in self.links]
        ).reshape(-1, 2, 2)
        away = centres[:, 1] - centres[:, 0]
        along = away / np.maximum(np.linalg.norm(away, axis=1), 1.0)[:, None]
        first = np.array(
            [
                self.bias_half if (layer, i) in self.biases else self.radius
                for layer, i, _ in self.links
            ]
        )
        last = centres[:, 1] - along * self.radius
        for k, (layer, i, j) in enumerate(self.links):
            if self.gutters[layer]:
                last[k] = self._port(layer, i, j)
        away = last - centres[:, 0]
        along = away / np.maximum(np.linalg.norm(away, axis=1), 1.0)[:, None]
        return np.stack([centres[:, 0] + along * first[:, None], last], axis=1)

    def _port(self, layer: int, start: int, end: int) -> tuple[float, float]:
        """The end of a link with its number before the unit, in the order of the units where the
        links start.
        """
        froms = sorted(i for at, i, j in self.links if (at, j) == (layer, end))
        unit = self.units[layer + 1, end]
        y = unit.y() + (froms.index(start) - (len(froms) - 1) / 2) * self.line
        return unit.x() - self.radius - self.gutter, y

    def unit_at(self, at: QPointF) -> Unit | None:
        """The unit or bias at a place; None where there is none."""
        reach = {
            **dict.fromkeys(self.units, self.radius),
            **dict.fromkeys(self.biases, self.bias_half + 3),
        }
        for unit, radius in reach.items():
            away = at - (self.place(unit) or QPointF())
            if away.x() ** 2 + away.y() ** 2 <= radius**2:
                return unit
        return None

    def link_at(self, at: QPointF, reach: float = 6.0) -> Link | None:
        """The nearest link within `reach` pixels; None where there is none."""
        if not self.links:
            return None
        start = self.ends[:, 0]
        step = self.ends[:, 1] - self.ends[:, 0]
        spot = np.array([at.x(), at.y()])
        share = ((spot - start) * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-9)
        away = np.linalg.norm(start + np.clip(share, 0, 1)[:, None] * step - spot, axis=1)
        best = int(away.argmin())
        return self.links[best] if away[best] <= reach else None

    def on_link(self, link: Link, share: float) -> QPointF:
        """The place at a share (0 to 1) of a link's length."""
        a, b = self.ends[self.index[link]]
        return QPointF(*(a + share * (b - a)))

    def circle(self, unit: Unit) -> QRectF:
        at = self.units[unit]
        r = self.radius
        return QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r)
