"""The number of what a tree leaves out lies free: over no edge, no name of a branch, no node and no
other number.
"""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QLineF, QPointF, QRectF

from engine.scene.scene import Tree, TreeNode
from engine.scene.tree_layout import LABEL_AT
from gui.figures.tree import TreeFigure
from gui.figures.tree_arrangement import Laid
from gui.figures.tree_look import label_width, more_width
from gui.look import theme

BRANCHES = ("east", "no", "north-west", "< 31.5", "")
TESTS = ("region", "monthly spend", "age", "x")


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Of 8 to 70 nodes, each below one that came before; some have more below them than the figure
    was given.
    """
    count = draw(st.integers(8, 70))
    nodes = [TreeNode(-1, "", "region")]
    for k in range(1, count):
        parent = draw(st.integers(max(0, k - 12), k - 1))
        branch, text = draw(st.sampled_from(BRANCHES)), draw(st.sampled_from(TESTS))
        nodes.append(TreeNode(parent, branch, text, below=draw(st.sampled_from((0, 0, 0, 977)))))
    return Tree("Tree", nodes, ("A", "B"))


def marks(laid: Laid) -> list[QRectF]:
    tall = theme.current().line_height("caption") - 2
    sizes = [(at, more_width(words)) for at, words in laid.left_out()]
    return [QRectF(at.x() - wide / 2, at.y() - tall / 2, wide, tall) for at, wide in sizes]


def crosses(line: QLineF, rect: QRectF) -> bool:
    """Whether any of many points of a line lies in a rectangle."""
    many = max(2, int(line.length()))
    return any(rect.contains(line.pointAt(k / many)) for k in range(many + 1))


def edges(laid: Laid, k: int) -> list[QLineF]:
    top, line = laid.edge(k)
    return [QLineF(QPointF(line.x1(), top), line.p1()), line]


@settings(max_examples=60, deadline=None)
@given(trees(), st.integers(500, 1100), st.integers(160, 480))
def test_what_is_left_out_is_said_in_a_free_place(
    qapp: object, tree: Tree, wide: int, high: int
) -> None:
    figure = TreeFigure()
    figure.resize(wide, high)
    figure.set_figure(tree)
    laid = figure.laid
    assert laid is not None
    if type(laid) is not Laid:
        return  # lines below each other, which say it themselves
    found = marks(laid)
    tall = theme.current().line_height("body")
    for one, other in combinations(found, 2):
        assert not one.intersects(other)
    for k in laid.drawn:
        if laid.parents[laid.at(k)] >= 0:
            middle = laid.edge(k)[1].pointAt(LABEL_AT)
            reach = label_width(tree.nodes[k].branch)
            label = QRectF(middle.x() - reach / 2, middle.y() - tall / 2, reach, tall)
            assert not any(mark.intersects(label) for mark in found if reach), tree.nodes[k].branch
            assert not any(crosses(line, mark) for line in edges(laid, k) for mark in found)
        assert not any(mark.intersects(laid.body(k)) for mark in found)
