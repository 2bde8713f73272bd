"""A tree in a narrow room lies as an outline: whole names, nothing on one another, and words for
what is left out.
"""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from engine.scene.scene import Role, Tree
from engine.scene.scene import TreeNode as N
from gui.figures.tree import TreeFigure
from gui.figures.tree_look import LINES
from gui.figures.tree_outline import NARROW_ROOM, Outline
from gui.look import theme
from gui.look.ink import face


def grown(count, seed, words=("x₁ ≤ 0.26",), active=-1):
    rng = random.Random(seed)
    nodes = [N(-1, "", words[0], note="80 examples")]
    while len(nodes) < count:
        parent = rng.randrange(len(nodes))
        role = Role.ACTIVE if len(nodes) == active else Role.PLAIN
        nodes.append(
            N(parent, rng.choice(("yes", "no")), rng.choice(words), note="3 examples", role=role)
        )
    return Tree("tree", nodes)


@pytest.fixture
def figure(qtbot):
    theme.use("light")
    made = TreeFigure()
    qtbot.addWidget(made)
    made.resize(296, 480)
    yield made
    theme.use("light")


def hidden(tree, drawn, k):
    """How many nodes below k are drawn nowhere, counted by walking up from each."""
    count = 0
    for node in range(len(tree.nodes)):
        way = [node]
        while way[-1] not in drawn and tree.nodes[way[-1]].parent >= 0:
            way.append(tree.nodes[way[-1]].parent)
        count += node not in drawn and way[-1] == k
    return count


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(1, 90), st.integers(0, 10**6), st.integers(40, 700), st.data())
def test_lines_lie_in_the_room_and_on_nothing(figure, count, seed, high, data):
    active = data.draw(st.integers(-1, count - 1))
    tree = grown(count, seed, active=active)
    figure.resize(296, high)
    figure.set_figure(tree)
    laid = figure.laid
    assert isinstance(laid, Outline)
    assert figure.scale == 1.0
    rects = [laid.rect(k).translated(figure.origin) for k in laid.drawn]
    assert all(not a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    room = QRectF(figure.rect())
    assert all(
        room.top() <= r.top() and (r.bottom() <= room.bottom() or len(rects) == 1) for r in rects
    )
    assert all(r.right() <= room.right() for r in rects)
    drawn = set(laid.drawn)
    assert active <= 0 or active in drawn
    for k in drawn:
        missing = hidden(tree, drawn, k)
        note = laid.measured[laid.at(k)].note
        assert (f"{missing} node" in note or note.endswith(f"+{missing}")) == bool(missing)
    assert all("…" not in laid.text(k) for k in drawn)


def test_labels_of_branches_stand_before_their_nodes(figure):
    tree = grown(18, 4)
    figure.set_figure(tree)
    laid = figure.laid
    assert len(laid.drawn) == 18
    for k in range(1, 18):
        _, line = laid.edge(k)
        label = QRectF(
            line.x2() + 4, line.y2() - 9, face("body", 700).width(tree.nodes[k].branch), 18
        )
        assert not any(label.intersects(laid.body(other)) for other in laid.drawn)
        assert label.left() > laid.edge(k)[1].x1()


def test_reading_order_is_from_the_root_down(figure):
    figure.set_figure(
        Tree("t", [N(-1, "", "a"), N(0, "no", "b"), N(0, "yes", "c"), N(1, "no", "d")])
    )
    assert sorted(range(4), key=lambda k: figure.laid.places[k].y()) == [0, 1, 3, 2]
    lefts = [figure.laid.body(k).left() for k in range(4)]
    assert lefts[0] < lefts[1] < lefts[3]


def test_the_way_to_a_deep_node_says_how_much_is_above(figure):
    nodes = [N(k - 1, "no" if k else "", f"x₁ ≤ {k}") for k in range(40)]
    nodes[39] = N(38, "no", "x₁ ≤ 39", role=Role.ACTIVE)
    figure.set_figure(Tree("t", nodes))
    laid = figure.laid
    assert 39 in laid.drawn
    assert [text for _, text in laid.left_out()] == [f"{min(laid.drawn)} nodes above"]


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_the_room_decides_and_not_the_tree(figure, name):
    """A tree that grows does not change from one form to the other under the eyes."""
    theme.use(name)
    for wide, lies in ((NARROW_ROOM - 1, True), (NARROW_ROOM * 2, False)):
        figure.resize(int(wide * theme.current().line_height("plane") / 18), 200)
        for count in (1, 2, 5):
            figure.set_figure(grown(count, 1))
            assert (figure.laid.detail == LINES) is lies


def test_a_large_tree_in_a_high_room_has_more_lines_than_it_had_branches(figure):
    """Where it would be folded, the outline says with numbers what is missing."""
    figure.resize(488, 700)
    figure.set_figure(grown(120, 2))
    assert isinstance(figure.laid, Outline)
    assert len(figure.laid.drawn) == 22


def test_taken_in_hand_all_lines_are_there(figure):
    figure.set_figure(grown(60, 3))
    assert len(figure.laid.drawn) == 14
    figure.zoom(1.0, figure.rect().center().toPointF())
    assert isinstance(figure.laid, Outline)
    assert len(figure.laid.drawn) == 60
    figure.fit()
    assert len(figure.laid.drawn) == 14


def test_a_folded_tree_counts_what_it_leaves_out(figure):
    figure.resize(690, 150)
    tree = grown(120, 7)
    figure.set_figure(tree)
    laid = figure.laid
    drawn = set(laid.drawn)
    assert len(drawn) < 120
    counts = dict(zip(laid.more, (text for _, text in laid.left_out()), strict=False))
    assert counts == {k: f"+{hidden(tree, drawn, k)}" for k in drawn if hidden(tree, drawn, k)}
    boxes = [QRectF(at.x() - 10, at.y() - 8, 20, 16) for at, _ in laid.left_out()]
    for owner, box in zip(laid.more, boxes, strict=False):  # it stands within its node's own room
        assert not any(box.intersects(laid.body(k) if k == owner else laid.rect(k)) for k in drawn)


@pytest.mark.parametrize("size", [(296, 200), (900, 160), (900, 300)])
def test_what_is_left_out_is_counted_with_the_nodes_that_the_figure_was_not_given(figure, size):
    """Of a tree of 127 nodes and 1,000 more below each end."""
    nodes = [
        N((k - 1) // 2, "no" if k % 2 else "yes", f"x₁ ≤ {k}", below=1000 * (k >= 63))
        for k in range(127)
    ]
    nodes[0] = N(-1, "", "x₁ ≤ 0")
    figure.resize(*size)
    figure.set_figure(Tree("t", nodes))
    laid = figure.laid
    assert len(laid.drawn) < 127
    assert sum(laid.more.values()) + len(laid.drawn) == 127 + 64 * 1000
