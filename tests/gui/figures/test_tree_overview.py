"""The overview of a tree without room: it is there where a part is left out, holds every node, and
a click moves to the node below it.
"""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from engine.scene.scene import Role, Tree, TreeNode
from gui.figures.tree import TreeFigure
from gui.figures.tree_overview import Overview, spot, within


def binary(count: int, active: int = -1) -> Tree:
    """A binary tree whose node k has the parent (k − 1) / 2."""
    nodes = [
        TreeNode(
            (k - 1) // 2 if k else -1,
            "yes" if k % 2 else "no" if k else "",
            f"column {k} ≤ 1",
            role=Role.ACTIVE if k == active else Role.PLAIN,
        )
        for k in range(count)
    ]
    return Tree("Tree", tuple(nodes))


@pytest.fixture
def figure(qtbot) -> TreeFigure:
    made = TreeFigure()
    qtbot.addWidget(made)
    made.set_roomy(True)
    made.resize(700, 400)
    made.show()
    return made


def test_only_a_tree_without_room_on_the_stage_has_an_overview(figure) -> None:
    figure.set_figure(binary(15))
    assert figure.overview is None, "the whole tree is seen"
    figure.set_figure(binary(255))
    assert figure.overview is not None
    assert not figure.laid.bounds.isNull()
    lowest = max(figure.laid.body(k).bottom() for k in figure.laid.drawn)
    assert figure.origin.y() + lowest * figure.scale <= figure.overview_spot().top() + 1
    figure.set_roomy(False)
    assert figure.overview is None, "a dock has no room for it"


def test_every_node_has_a_place_of_its_own_inside_and_the_nearest_is_found(figure) -> None:
    tree = binary(31)
    overview = Overview([node.parent for node in tree.nodes])
    rect = spot(figure.rect().toRectF())
    places = [overview.place(k, rect) for k in range(31)]
    assert len({(round(p.x(), 3), round(p.y(), 3)) for p in places}) == 31
    assert all(within(rect).adjusted(-1, -1, 1, 1).contains(place) for place in places)
    assert [overview.node_at(place, rect) for place in places] == list(range(31))


def test_a_click_moves_to_that_node_and_a_double_click_beside_it_back(figure) -> None:
    figure.set_figure(binary(255, active=3))
    last = 254
    assert last not in figure.laid.drawn
    at = figure.overview.place(last, figure.overview_spot())
    QTest.mouseClick(figure, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert last in figure.laid.drawn
    place = figure.laid.body(last).center() * figure.scale + figure.origin
    room = figure.rect().toRectF().adjusted(0, 0, 0, -figure.overview_spot().height())
    assert room.contains(place)
    beside = QPointF(350, 20).toPoint()
    QTest.mouseDClick(figure, Qt.MouseButton.LeftButton, pos=beside)
    QTest.mouseRelease(figure, Qt.MouseButton.LeftButton, pos=beside)
    assert not figure.by_hand
    assert 3 in figure.laid.drawn
