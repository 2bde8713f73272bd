"""The painting of a network's units and links.

The width of a link shows the size of its weight; negative ones are dashed, active ones amber.
A number that would cover a link, a unit or another number is left out.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from engine.base.arrays import Bool, Float
from engine.base.notation import fixed
from engine.scene.roles import HALO_ALPHA
from engine.scene.scene import Network
from gui.figures.network_layout import (
    FULL,
    GUTTER_GAP,
    NAME_GAP,
    Link,
    NetworkLayout,
    Unit,
    active_links,
    covered,
    crossed,
    current_units,
    is_disconnected,
    is_removed,
    short_number,
)
from gui.look import theme
from gui.look.ink import face, pen, write, write_centred, write_right
from gui.look.theme import mix
from gui.painters.buffers import draw_lines

# widths of links; NOW: least width of an active one, so that its weight still shows
THINNEST, THICKEST, NOW = 0.75, 5.75, 1.25
WIDTHS = 8
DASH = (6.0, 4.0)
DOTS = (1.5, 3.5)
FAINT = 0.35  # share of ink in the thinnest link
MOST_LABELS = 24  # most numbers beside links
ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)  # shares of a link for its number
LEAST_SHARE = 0.5  # of amber links with a number: a few numbers would look chosen
SLANT = 0.6  # share of the radius, beside the middle, at which a delta without room below starts


class Written(NamedTuple):
    """The text of a link's weight and the rectangle that it takes."""

    link: Link
    box: QRectF
    text: str


def delta_of(at: NetworkLayout, unit: Unit, now: bool) -> tuple[QRectF, str] | None:
    """The rectangle and the text of a unit's delta, below the unit or above it. None without a
    delta; without room, or with less than full detail, only current units have one.
    """
    layer, k = unit
    deltas = at.network.deltas
    if layer >= len(deltas) or k >= len(deltas[layer]) or not np.isfinite(deltas[layer][k]):
        return None
    if at.detail != FULL and not now:
        return None
    text = f"Δ {fixed(float(deltas[layer][k]), max(3, at.network.digits))}"
    spot = at.units[unit]
    high = theme.current().line_height("caption")
    wide = face("caption", 700 if now else 0).width(text) + 6
    below = spot.y() + (at.radius + 2 if at.detail == FULL else at.radius - 3)
    lefts = spot.x() + np.array(
        [-wide / 2, -at.radius, at.radius - wide, at.radius * SLANT, -at.radius * SLANT - wide]
    )
    tops = np.repeat([below, 2 * spot.y() - below - high], len(lefts))
    boxes = np.column_stack([np.tile(lefts, 2), tops, np.tile(lefts, 2) + wide, tops + high])
    outside = (boxes[:, 0] < 0) | (boxes[:, 2] > at.width) | (boxes[:, 1] < 0)
    busy = 2 * outside + (crossed(boxes, at.ends) | covered(boxes, at.taken))
    if busy.all() and not now:
        return None
    x, y = boxes[int(busy.argmin()), :2].tolist()
    return QRectF(x, y, wide, high), text


def weight_labels(
    at: NetworkLayout, active: Sequence[Link], deltas: Sequence[QRectF]
) -> list[Written]:
    """The numbers of weights: all where links end in a gutter before their units; else those of the
    amber links that find room. deltas: rectangles of the units' deltas
    """
    ended = [link for link in at.links if at.gutters[link[0]] and not is_removed(at.network, link)]
    found = [Written(link, at.gutter_box(link), _text(at, link)) for link in ended]
    loose = [
        link for link in active if not at.gutters[link[0]] and not is_removed(at.network, link)
    ]
    taken = [*map(at.circle, at.units), *deltas, *at.name_boxes()]
    taken += at.hidden_names.values()
    taken += [
        QRectF(p.x() - at.bias_half, p.y() - at.bias_half, 2 * at.bias_half, 2 * at.bias_half)
        for p in at.biases.values()
    ]
    sides = np.array([(b.left(), b.top(), b.right(), b.bottom()) for b in taken]).reshape(-1, 4)
    look = face("caption", 700)
    high = theme.current().line_height("caption") + 1.0
    beside: list[Written] = []
    texts = [_text(at, link) for link in loose[:MOST_LABELS]]
    spots = [
        _beside(at.ends[at.index[link]], look.width(text) + 8, high)
        for link, text in zip(loose, texts, strict=False)
    ]
    every = np.concatenate([np.zeros((0, 4)), *spots])
    inside = (
        (every[:, 0] >= 0)
        & (every[:, 1] >= 0)
        & (every[:, 2] <= at.width)
        & ~crossed(every, at.ends)
    )
    for k, (link, text, boxes) in enumerate(zip(loose, texts, spots, strict=False)):
        free = inside[k * len(boxes) : (k + 1) * len(boxes)] & ~covered(boxes, sides)
        if free.any():
            x0, y0, x1, y1 = boxes[int(free.argmax())].tolist()
            sides = np.vstack([sides, (x0, y0, x1, y1)])
            beside.append(Written(link, QRectF(x0, y0, x1 - x0, y1 - y0), text))
    return found + beside * (len(beside) >= LEAST_SHARE * len(loose))


def _text(at: NetworkLayout, link: Link) -> str:
    """The weight of a link as text."""
    return fixed(float(at.network.weights[link[0]][link[1], link[2]]), at.network.digits)


def _beside(ends: Float, wide: float, high: float) -> Float:
    """(k, 4) boxes of this size that touch a link from above and below, at several
    places along it.
    """
    start = ends[0]
    step = ends[1] - ends[0]
    normal = np.array([step[1], -step[0]]) / max(float(np.hypot(*step)), 1e-9)
    normal *= 1 if normal[1] <= 0 else -1  # upwards
    half = np.array([wide, high]) / 2
    away = float(np.abs(normal) @ half) + GUTTER_GAP
    middles = np.array(
        [start + share * step + side * away * normal for share in ALONG for side in (1, -1)]
    )
    return np.hstack([middles - half, middles + half])


def paint_network(
    painter: QPainter, at: NetworkLayout, lit: frozenset[str], visible: QRectF, flying: bool = False
) -> None:
    """Paint the links, the amber links with their numbers, the units and all texts. flying: for
    fast playback, without antialiasing of other links and without the deltas and numbers whose
    places must be searched in each frame
    """
    painter.fillRect(visible, theme.current().colour("plane"))
    active = active_links(at.network)
    biggest = largest_weight(at.network)
    shown = [k for k, link in enumerate(at.links) if link in active]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not flying)
    _paint_links(painter, at, np.array([link not in active for link in at.links], bool), biggest)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for k, link in enumerate(at.links):
        if f"link {link[0]} {link[1]} {link[2]}" in lit and link not in active:
            _paint_lit(painter, at, k, biggest)
    for k in shown:
        _paint_active(painter, at, k, biggest)
    now = current_units(at.network)
    deltas = {unit: None if flying else delta_of(at, unit, unit in now) for unit in at.units}
    for unit in at.units:
        _paint_unit(
            painter, at, unit, unit in now, f"unit {unit[0]} {unit[1]}" in lit, deltas[unit]
        )
    for spot in at.biases.values():
        _paint_bias(painter, spot, at.bias_half)
    for spot, count in at.left_out:
        _paint_left_out(painter, spot, count)
    _paint_names(painter, at)
    amber = [at.links[k] for k in shown]
    taken = [found[0] for found in deltas.values() if found is not None]
    _paint_weights(painter, weight_labels(at, () if flying else amber, taken), active)


def largest_weight(network: Network) -> float:
    """The largest absolute weight; 1 for a network without any."""
    sizes = [
        float(np.nanmax(np.abs(w))) for w in network.weights if w.size and np.isfinite(w).any()
    ]
    return max(sizes, default=0.0) or 1.0


# -- links -----------------------------------------------------------------------------------------


def _line(at: NetworkLayout, k: int) -> QLineF:
    (x0, y0), (x1, y1) = at.ends[k].tolist()
    return QLineF(x0, y0, x1, y1)


def _width(weight: float, biggest: float) -> float:
    return THINNEST + (THICKEST - THINNEST) * min(1.0, abs(weight) / biggest)


def _paint_links(painter: QPainter, at: NetworkLayout, chosen: Bool, biggest: float) -> None:
    """Paint the chosen links in a few widths: thin ones pale, negative ones dashed, removed ones
    dotted.
    """
    look = theme.current()
    weights = np.array([at.network.weights[layer][i, j] for layer, i, j in at.links])
    removed = np.array([is_removed(at.network, link) for link in at.links], bool)
    step = np.ceil(np.minimum(1.0, np.abs(weights) / biggest) * WIDTHS).astype(int)
    painter.setPen(pen("ghost", 1.5))
    draw_lines(painter, dashes(at.ends[chosen & removed], *DOTS))
    for k in np.flatnonzero(np.bincount(step[chosen & ~removed])).tolist():
        share = k / WIDTHS
        line = pen(
            mix(QColor(look.plane), QColor(look.ink), FAINT + (1 - FAINT) * share),
            THINNEST + (THICKEST - THINNEST) * share,
        )
        line.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(line)
        here = chosen & ~removed & (step == k)
        draw_lines(painter, at.ends[here & (weights >= 0)])
        draw_lines(painter, dashes(at.ends[here & (weights < 0)], *DASH))


def dashes(ends: Float, on: float, off: float) -> Float:
    """(m, 2, 2) lines cut into dashes of `on` pixels with gaps of `off`. They are drawn in one
    call, unlike with a dashed pen.
    """
    if not len(ends):
        return ends
    step = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.hypot(*step.T), 1e-9)
    count = np.ceil(length / (on + off)).astype(np.intp)
    line = np.arange(len(ends)).repeat(count)
    first = (np.arange(len(line)) - (count.cumsum() - count).repeat(count)) * (on + off)
    share = np.stack([first, np.minimum(first + on, length[line])], axis=1) / length[line, None]
    return np.asarray(ends[line, :1] + share[..., None] * step[line, None])


def _paint_lit(painter: QPainter, at: NetworkLayout, k: int, biggest: float) -> None:
    """Paint a link that is lit, by the pointer or by its term in the formula."""
    layer, start, end = at.links[k]
    weight = float(at.network.weights[layer][start, end])
    painter.setPen(pen(theme.current().colour("ink", HALO_ALPHA), _width(weight, biggest) + 7))
    painter.drawLine(_line(at, k))
    painter.setPen(pen("ink", _width(weight, biggest), DASH if weight < 0 else ()))
    painter.drawLine(_line(at, k))


def _paint_active(painter: QPainter, at: NetworkLayout, k: int, biggest: float) -> None:
    layer, start, end = at.links[k]
    weight = float(at.network.weights[layer][start, end])
    width = max(NOW, _width(weight, biggest))
    dash = DASH if weight < 0 else ()
    for colour, wide in (("plane", width + 5), ("ink", width + 2.5), ("now", width)):
        painter.setPen(pen(colour, wide, dash if colour != "plane" else ()))
        painter.drawLine(_line(at, k))


def _paint_weights(painter: QPainter, labels: list[Written], active: Collection[Link]) -> None:
    """Paint the numbers of links, those of amber links in amber."""
    for link, box, text in labels:
        if link in active:
            painter.setPen(pen("ink", 1))
            painter.setBrush(theme.current().colour("now"))
            painter.drawRoundedRect(box.adjusted(0, 0.5, 0, -0.5), 3, 3)
            write_centred(
                painter, box.center().x(), box.center().y(), text, face("caption", 700), "now_ink"
            )
        else:
            write_right(painter, box.right() - 3, box.center().y(), text, face("caption"), "ink2")


# -- units -----------------------------------------------------------------------------------------


def _paint_unit(
    painter: QPainter,
    at: NetworkLayout,
    unit: Unit,
    now: bool,
    lit: bool,
    delta: tuple[QRectF, str] | None,
) -> None:
    look = theme.current()
    rect = at.circle(unit)
    layer, k = unit
    if lit:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("ink", HALO_ALPHA))
        painter.drawEllipse(rect.adjusted(-6, -6, 6, 6))
    removed = is_disconnected(at.network, unit)
    painter.setPen(pen("ghost", 1.5, DOTS) if removed else pen("ink", 2 if now else 1.5))
    painter.setBrush(look.colour("now" if now else "plane"))
    painter.drawEllipse(rect)
    if removed:
        return
    value = float(at.network.activations[layer][k])
    text = short_number(value, at.digits, 2 * at.radius - 2)
    write_centred(
        painter,
        rect.center().x(),
        rect.center().y(),
        text,
        face("caption", 600),
        "now_ink" if now else "ink",
    )
    if delta is not None:
        _paint_delta(painter, at, *delta, now)


def _paint_delta(painter: QPainter, at: NetworkLayout, box: QRectF, text: str, now: bool) -> None:
    painter.setPen(pen("ink", 1) if now and at.detail != FULL else Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().colour("now" if now else "plane"))
    painter.drawRoundedRect(box, 3, 3)
    look = face("caption", 700 if now else 0)
    write_centred(
        painter, box.center().x(), box.center().y(), text, look, "now_ink" if now else "ink2"
    )


def _paint_bias(painter: QPainter, at: QPointF, half: float) -> None:
    painter.setPen(pen("ink", 1.5))
    painter.setBrush(theme.current().colour("plane"))
    painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
    write_centred(painter, at.x(), at.y(), "1", face("caption"), "ink2")


def _paint_left_out(painter: QPainter, at: QPointF, count: int) -> None:
    """Paint three dots, and how many units they stand for."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().colour("ink2"))
    for k in (-1, 0, 1):
        painter.drawEllipse(QPointF(at.x(), at.y() - 6 + 6 * k), 1.75, 1.75)
    write_centred(painter, at.x(), at.y() + 13, f"{count} more", face("caption"), "ink3")


def _paint_names(painter: QPainter, at: NetworkLayout) -> None:
    look = face("body")
    line = theme.current().line_height("body") - 2
    last = len(at.network.activations) - 1
    for (layer, k), spot in at.units.items():
        if layer not in (0, last) or k >= len(at.names[layer > 0]):
            continue
        lines = at.names[layer > 0][k]
        for nth, text in enumerate(lines):
            y = spot.y() + (nth - (len(lines) - 1) / 2) * line
            away = at.radius + NAME_GAP
            if layer == 0:
                text = look.cut(text, at.left - NAME_GAP)
                write_right(painter, spot.x() - away, y, text, look, "ink2")
            else:
                text = look.cut(text, at.right - NAME_GAP)
                write(painter, spot.x() + away, y, text, look, "ink2")
    small = face("caption", 600)
    for (layer, k), box in at.hidden_names.items():
        text = at.network.hidden[layer - 1][k]
        write_centred(painter, box.center().x(), box.center().y(), text, small, "ink2")
