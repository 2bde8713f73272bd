"""What the nodes of a tree have round them."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gui.figures.tree_look import FADE, fade_edges
from gui.look import theme

ROOM = QRectF(0, 0, 200, 100)
EDGES = {"left": (0, 50), "right": (199, 50), "top": (100, 0), "bottom": (100, 99)}


@pytest.mark.parametrize(
    ("content", "faded"),
    [
        (QRectF(10, 10, 180, 80), set()),
        (ROOM, set()),
        (QRectF(-50, 10, 100, 80), {"left"}),
        (QRectF(10, 10, 300, 80), {"right"}),
        (QRectF(10, -30, 100, 300), {"top", "bottom"}),
        (QRectF(-50, -50, 400, 400), {"left", "right", "top", "bottom"}),
    ],
)
def test_a_tree_fades_where_it_goes_on_and_only_there(qapp, content, faded):
    theme.use("light")
    image = QImage(200, 100, QImage.Format.Format_ARGB32)
    ink = QColor("#000000")
    plane = theme.current().colour("plane")
    image.fill(ink)
    painter = QPainter(image)
    fade_edges(painter, ROOM, content)
    painter.end()
    for edge, (x, y) in EDGES.items():
        light = image.pixelColor(x, y).lightness()
        assert (light > 0.9 * plane.lightness()) if edge in faded else light == 0, edge
    assert image.pixelColor(100, 50) == ink
    assert ROOM.height() > 2 * FADE
