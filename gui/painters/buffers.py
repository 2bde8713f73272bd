"""Numpy arrays handed to Qt without a Python object per point."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPainterPath, QPixmap, QPolygonF
from shiboken6 import Shiboken, VoidPtr

from engine.base.arrays import Float


def polygon(xy: Float) -> QPolygonF:
    """(m, 2) pixels as a polygon."""
    made = QPolygonF()
    made.resize(len(xy))
    if len(xy):
        memory: Any = VoidPtr(made.data(), 16 * len(xy), True)  # type: ignore[call-arg, arg-type]
        np.frombuffer(memory, np.float64)[:] = np.ascontiguousarray(xy).ravel()
    return made


def path_of(pieces: Iterable[Float], closed: bool = False) -> QPainterPath:
    """One path of many pieces (m_i, 2); Qt fills by the odd-even rule, so inner rings are holes."""
    path = QPainterPath()
    for piece in pieces:
        path.addPolygon(polygon(piece))
        if closed:
            path.closeSubpath()
    return path


def pieces_of(path: QPainterPath) -> Float:
    """The outline of a path as (m, 2, 2) pixels of straight pieces."""
    found = [np.zeros((0, 2, 2))]
    for line in path.toSubpathPolygons():
        memory: Any = VoidPtr(line.data(), 16 * line.size())  # type: ignore[call-arg, arg-type]
        xy = np.frombuffer(memory, np.float64).reshape(-1, 2)
        found.append(np.stack([xy[:-1], xy[1:]], axis=1))
    return np.concatenate(found)


def address(numbers: Float) -> int:
    """The memory address of the first number.

    `ctypes` gives it too, but imports a module each time.
    """
    where: int = numbers.__array_interface__["data"][0]
    return where


def draw_lines(painter: QPainter, ends: Float) -> None:
    """Draw m separate lines (m, 2, 2), in pixels, with the painter's pen."""
    ends = np.ascontiguousarray(ends, np.float64)
    if len(ends):
        first: Any = Shiboken.wrapInstance(address(ends), QLineF)
        painter.drawLines(first, len(ends))


def draw_copies(painter: QPainter, xy: Float, sources: Float, pixmap: QPixmap) -> None:
    """Draw parts of `pixmap` centred at xy (m, 2); sources (m, 4): x, y, width, height in device
    pixels of the pixmap.
    """
    scale = 1 / pixmap.devicePixelRatio()
    fragments = np.empty((len(xy), 10))
    fragments[:, 0:2], fragments[:, 2:6] = xy, sources
    fragments[:, 6:8], fragments[:, 8], fragments[:, 9] = scale, 0.0, 1.0
    if len(xy):
        first: Any = Shiboken.wrapInstance(address(fragments), QPainter.PixmapFragment)
        painter.drawPixmapFragments(first, len(xy), pixmap)


def distinct(rows: Float) -> Float:
    """The rows (m, d) without repetitions, sorted.

    `np.unique` would import numpy's masked arrays before the first window is shown.
    """
    rows = rows[np.lexsort(rows.T)]
    return rows[np.diff(rows, axis=0, prepend=np.inf).any(axis=1)]


def runs(xy: Float) -> list[Float]:
    """The pieces of (m, 2) between NaN rows."""
    gaps = np.flatnonzero(~np.isfinite(xy).all(axis=1))
    pieces = np.split(xy, gaps)
    return [piece for piece in (pieces[0], *(p[1:] for p in pieces[1:])) if len(piece)]
