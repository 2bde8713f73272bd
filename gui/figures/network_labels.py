"""The places of a network's numbers. A number that would cover a link, a unit or another number is
left out.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from engine.base.arrays import Bool, Float
from engine.base.notation import fixed
from gui.figures.network_layout import FULL, GUTTER_GAP, Link, NetworkLayout, Unit, is_removed
from gui.look import theme
from gui.look.ink import face

MOST_LABELS = 24  # most numbers beside links
ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)  # shares of a link for its number
CLEAR = 2.0  # pixels kept between a number and a link
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
    busy = 2 * outside + (crossed(boxes, at.ends) | covered(boxes, at.written))
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
