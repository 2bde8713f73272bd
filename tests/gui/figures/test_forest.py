"""Small trees side by side: where they lie, and what the pointer finds on them."""

import numpy as np

from engine.scene.figures import Forest, TreeNode
from engine.scene.layers import Role
from engine.scene.tree_layout import thumbnail
from gui.figures.forest import ForestFigure

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
