"""The painting of a network's units and links.

The width of a link shows the size of its weight; negative ones are dashed, active ones amber.
"""

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from engine.base.arrays import Bool, Float
from engine.scene.roles import HALO_ALPHA
from engine.scene.scene import Network
from gui.figures.network_labels import Written, delta_of, weight_labels
from gui.figures.network_layout import (
    FULL,
    NAME_GAP,
    Link,
    NetworkLayout,
    Unit,
    active_links,
    current_units,
    is_gone,
    is_removed,
    short_number,
    unit_name,
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
    gone = np.array([is_removed(at.network, link) for link in at.links], bool)
    step = np.ceil(np.minimum(1.0, np.abs(weights) / biggest) * WIDTHS).astype(int)
    painter.setPen(pen("ghost", 1.5))
    draw_lines(painter, dashes(at.ends[chosen & gone], *DOTS))
    for k in np.flatnonzero(np.bincount(step[chosen & ~gone])).tolist():
        share = k / WIDTHS
        line = pen(
            mix(QColor(look.plane), QColor(look.ink), FAINT + (1 - FAINT) * share),
            THINNEST + (THICKEST - THINNEST) * share,
        )
        line.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(line)
        here = chosen & ~gone & (step == k)
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
    gone = is_gone(at.network, unit)
    painter.setPen(pen("ghost", 1.5, DOTS) if gone else pen("ink", 2 if now else 1.5))
    painter.setBrush(look.colour("now" if now else "plane"))
    painter.drawEllipse(rect)
    if gone:
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
    last = len(at.network.activations) - 1
    for (layer, k), spot in at.units.items():
        if layer == 0 and k < len(at.network.names):
            text = look.cut(unit_name(at.network, (layer, k)), at.name_room)
            write_right(painter, spot.x() - at.radius - NAME_GAP, spot.y(), text, look, "ink2")
        elif layer == last and k < len(at.network.outputs):
            text = look.cut(at.network.outputs[k], at.name_room)
            write(painter, spot.x() + at.radius + NAME_GAP, spot.y(), text, look, "ink2")
