"""Small trees side by side: where they lie, and what the pointer finds on them."""

import numpy as np
from PySide6.QtCore import QRectF

from engine.scene.figures import Forest, TreeNode
from engine.scene.layers import Role
from engine.scene.tree_layout import thumbnail
from gui.figures.forest import LARGEST, LIT, ForestFigure
from gui.look import theme

STUMP = (
    TreeNode(-1, "", "petal width"),
    TreeNode(0, "", "A", "leaf", 0, role=Role.NEAREST),
    TreeNode(0, "", "B", "leaf", 1),
)


def test_a_thumbnail_fills_its_box_and_keeps_the_order_of_children() -> None:
    assert thumbnail([-1]) == [(0.5, 0.0)]
    assert thumbnail([-1, 0, 0]) == [(0.5, 0.0), (0.0, 1.0), (1.0, 1.0)]


def test_frames_lie_apart_within_the_room_and_a_tree_is_found_in_its_own(qtbot) -> None:
    figure = ForestFigure()
    qtbot.addWidget(figure)
    for count, size in ((9, (300, 500)), (9, (800, 500)), (25, (300, 500)), (1, (150, 120))):
        figure.resize(*size)
        figure.show()
        names = tuple(f"h{k}" for k in range(count))
        trees = (STUMP,) * (count - 1) + ((),)
        figure.set_figure(Forest("trees", trees, names, np.full(count, -1), tags=names))
        frames = figure.frames()
        for k, frame in enumerate(frames):
            assert figure.tag_at(frame.center()) == names[k]
            assert not any(frame.intersects(other) for other in frames[:k])
            assert frame.left() > 0 and frame.right() < size[0]
        tip = figure.tip_at(figure.places(0, frames[0])[0]) if count > 1 else ""
        assert not tip or tip == "h0: petal width"


def test_a_forest_never_scrolls_for_a_pixel_and_leaves_stay_in_their_frames(qtbot) -> None:
    figure = ForestFigure()
    qtbot.addWidget(figure)
    figure.show()
    for look in ("light", "projector"):
        theme.use(look)
        for width in range(430, 447):
            figure.resize(width, 301)
            figure.set_figure(Forest("trees", (STUMP,) * 9, ("h",) * 9, np.zeros(9, np.intp)))
            bars = figure.horizontalScrollBar(), figure.verticalScrollBar()
            assert [bar.maximum() for bar in bars] == [0, 0], (look, width)
            frame = figure.frames()[0]
            size = LARGEST * LIT * theme.current().stroke
            for place in figure.places(0, frame)[1:]:
                leaf = QRectF(place.x() - size, place.y() - size, 2 * size, 2 * size)
                assert frame.contains(leaf), look
    theme.use("light")
