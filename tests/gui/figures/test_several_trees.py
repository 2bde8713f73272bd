"""Several trees in one figure stand beside each other, in as many rows as it takes."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laboratory import LEFT, Key
from PySide6.QtTest import QTest

from engine.scene.scene import Tree, TreeNode
from gui.figures.tree import TreeFigure
from gui.figures.tree_arrangement import Laid


def forest(sizes: Sequence[int]) -> Tree:
    """Trees of so many tests each, one below the other, with a leaf beside each."""
    nodes = list[TreeNode]()
    for b, size in enumerate(sizes):
        nodes.append(TreeNode(-1, "", f"tree {b + 1} of {len(sizes)}", "leaf", tag=f"learner {b}"))
        for _ in range(size):
            up = len(nodes) - 1
            nodes += [TreeNode(up, "no", "A", "leaf", 0), TreeNode(up, "yes", "x > 1")]
    return Tree("Tree", nodes, ("A", "B"))


def shown(sizes: Sequence[int], wide: int, high: int) -> TreeFigure:
    figure = TreeFigure()
    figure.resize(wide, high)
    figure.set_figure(forest(sizes))
    return figure


def laid_of(figure: TreeFigure) -> Laid:
    assert figure.laid is not None
    return figure.laid


def heads(figure: TreeFigure) -> list[int]:
    return [k for k, node in enumerate(figure.nodes) if node.parent < 0]


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=16),
    st.integers(340, 1400),
    st.integers(500, 900),
)
@settings(max_examples=60, deadline=None)
def test_trees_beside_each_other_never_overlap_and_all_their_names_are_seen(
    qapp: Any, sizes: list[int], wide: int, high: int
) -> None:
    figure = shown(sizes, wide, high)
    laid = laid_of(figure)
    assert set(heads(figure)) <= set(laid.drawn)
    bodies = [laid.body(k) for k in laid.drawn]
    for i, body in enumerate(bodies):
        assert not any(body.intersects(other) for other in bodies[i + 1 :])
    assert (
        laid.bounds.width() * figure.scale <= wide and laid.bounds.height() * figure.scale <= high
    )


def test_trees_that_do_not_fit_beside_each_other_go_on_in_a_row_below(qapp: Any) -> None:
    figure = shown([2] * 8, 600, 560)
    laid = laid_of(figure)
    tops = [laid.body(k).top() for k in heads(figure)]
    assert len(set(tops)) > 1 and tops == sorted(tops)
    assert sum(laid.more.values()) + len(laid.drawn) == len(figure.nodes)


def test_every_tree_has_its_share_of_the_room(qapp: Any) -> None:
    """The upper nodes of all, not all of the first."""
    figure = shown([6] * 6, 500, 300)
    laid = laid_of(figure)
    drawn = set(laid.drawn)
    assert len(drawn) < len(figure.nodes)
    assert not drawn.issuperset(range(heads(figure)[1])), "the first is folded too"


def of_tree(figure: TreeFigure, b: int) -> set[int]:
    """The drawn nodes of a tree, by its number from 0."""
    starts = [*heads(figure), len(figure.nodes)]
    return set(laid_of(figure).drawn) & set(range(starts[b], starts[b + 1]))


def click(figure: TreeFigure, node: int) -> None:
    laid = laid_of(figure)
    at = figure.origin + laid.body(node).center() * figure.scale
    QTest.mouseClick(figure, LEFT, pos=at.toPoint())


@pytest.mark.parametrize("size", [(500, 300), (300, 420), (400, 150)])
def test_a_click_on_a_name_opens_that_tree_and_the_next_click_closes_it(
    qtbot: Any, size: tuple[int, int]
) -> None:
    figure = shown([6] * 6, *size)
    qtbot.addWidget(figure)
    figure.show()
    before = [of_tree(figure, b) for b in range(6)]
    for b in (4, 2):
        click(figure, heads(figure)[b])
        assert len(of_tree(figure, b)) > len(before[b])
        assert laid_of(figure).bounds.width() * figure.scale <= size[0]
        assert laid_of(figure).bounds.height() * figure.scale <= size[1]
        click(figure, heads(figure)[b])
        assert [of_tree(figure, k) for k in range(6)] == before


def test_f_closes_the_opened_tree_and_another_figure_does(qtbot: Any) -> None:
    figure = shown([6] * 6, 500, 300)
    qtbot.addWidget(figure)
    figure.show()
    click(figure, heads(figure)[3])
    assert figure.opened == heads(figure)[3]
    QTest.keyClick(figure, Key.Key_F)
    assert figure.opened == -1
    click(figure, heads(figure)[3])
    figure.set_figure(forest([3, 3]))
    assert figure.opened == -1


def test_where_not_even_all_names_fit_the_first_are_shown(qapp: Any) -> None:
    figure = shown([3] * 60, 400, 200)
    drawn = set(laid_of(figure).drawn)
    seen = [head in drawn for head in heads(figure)]
    assert 1 < sum(seen) < 60 and seen == sorted(seen, reverse=True)


def test_a_row_that_goes_down_all_the_trees_hides_none_of_them(qapp: Any) -> None:
    figure = shown([6] * 6, 500, 300)
    before = [of_tree(figure, b) for b in range(6)]
    starts = heads(figure)
    figure.set_figure(
        figure.tree, [k for start in starts for k in (start, start + 2, start + 4, start + 6)]
    )
    assert [of_tree(figure, b) for b in range(6)] == before


def test_one_tree_alone_is_not_opened(qtbot: Any) -> None:
    figure = shown([6], 500, 300)
    qtbot.addWidget(figure)
    figure.show()
    click(figure, 0)
    assert figure.opened == -1
