"""The tree on the screen: what is where, what the mouse does, what stays when the tree grows."""

import random

import numpy as np
import pytest
from laboratory import double_click, point_at
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage

from engine.base.records import replace
from engine.scene.scene import Role, Tree, TreeNode
from gui.figures import tree_look
from gui.figures.tree import TreeFigure
from gui.figures.tree_arrangement import ARRANGEMENTS, Laid, Sized, least_scale
from gui.figures.tree_look import COMPACT, FULL, measure, paint_node
from gui.figures.tree_overview import how_many
from gui.look import theme

N = TreeNode
LEAVE = {2, 5, 7, 9, 10, 11}


def boxes(rows):
    return tuple(
        (row - 1, int(row in LEAVE)) for row in sorted(rows, key=lambda r: (r in LEAVE, r))
    )


RESTAURANT = (
    N(-1, "", "Patrons", "test", -1, "6 yes, 6 no", boxes(range(1, 13))),
    N(0, "None", "No", "leaf", 1, "", boxes({7, 11})),
    N(0, "Some", "Yes", "leaf", 0, "", boxes({1, 3, 6, 8})),
    N(
        0,
        "Full",
        "Hungry",
        "test",
        -1,
        "2 yes, 4 no",
        boxes({2, 4, 5, 9, 10, 12}),
        Role.ACTIVE,
        "node 3",
    ),
    N(3, "No", "", "open", -1, "pure", boxes({5, 9})),
    N(3, "Yes", "", "open", -1, "2 against 2", boxes({2, 4, 10, 12})),
)


def large(count, seed=0):
    rng = random.Random(seed)
    nodes, waiting = [N(-1, "", "x₁ ≤ 0.12")], [0]
    while len(nodes) < count:
        parent = waiting.pop(rng.randrange(len(waiting)))
        for branch in ("≤", ">"):
            nodes.append(N(parent, branch, f"x₂ ≤ {rng.random():.2f}"))
            waiting.append(len(nodes) - 1)
    return Tree("large", nodes)


@pytest.fixture
def figure(qtbot):
    theme.use("light")
    made = TreeFigure()
    qtbot.addWidget(made)
    made.resize(690, 246)
    made.show()
    return made


def spot(figure, k):
    """The middle of the body of node k in the widget."""
    body = figure.laid.measured[k].body.translated(figure.laid.places[k])
    return figure.origin + body.center() * figure.scale


def test_the_restaurant_tree_fits_with_all_its_boxes(figure):
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    assert figure.laid.detail == FULL
    assert figure.scale == 1.0
    room = QRectF(figure.rect())
    for k in range(6):
        rect = figure.laid.rect(k)
        assert room.contains(QRectF(figure.origin + rect.topLeft(), rect.size()))
    assert not figure.legend_spot().isEmpty()


def test_a_tree_that_stays_is_laid_out_once(figure):
    """Most details of a step change nothing about it; another note, size, name of the examples or
    legend does.
    """

    def laid_out(tree):
        """Whether showing the tree lays it out again."""
        before = figure.laid
        figure.set_figure(tree)
        return figure.laid is not before

    shown = Tree("tree", RESTAURANT, ("wait", "leave"))
    noted = [*RESTAURANT[:-1], replace(RESTAURANT[-1], note="3 against 2")]
    assert laid_out(shown)
    for _ in range(2):
        assert not laid_out(replace(shown, nodes=[replace(node) for node in RESTAURANT]))
    assert laid_out(replace(shown, nodes=noted))
    assert laid_out(shown)
    figure.legend = False
    assert laid_out(shown)
    assert not laid_out(shown)


def test_a_grown_tree_of_four_named_branches_fits_into_the_dock(figure):
    """Where there is no room for examples and wide gaps, the branches stand as close as their
    names.
    """
    figure.resize(296, 206)
    leaves = [
        N(0, branch, text, "leaf", k % 3, "pure")
        for k, (branch, text) in enumerate(
            (("blue", "B"), ("green", "C"), ("NA", "C"), ("red", "A"))
        )
    ]
    figure.set_figure(Tree("tree", [N(-1, "", "colour", "test"), *leaves], ("A", "B", "C")))
    room = QRectF(figure.rect())
    for k in range(5):
        rect = figure.laid.rect(k)
        assert room.contains(
            QRectF(figure.origin + rect.topLeft() * figure.scale, rect.size() * figure.scale)
        )


def test_the_node_at_work_is_amber_and_boxes_are_light_and_dark(figure):
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    image = figure.grab().toImage()
    look = theme.current()
    middle = spot(figure, 3)
    assert image.pixelColor(int(middle.x()) - 40, int(middle.y())) == look.colour("now")
    root = spot(figure, 0)
    assert image.pixelColor(int(root.x()) - 40, int(root.y())) == look.colour("sel")
    first, last = (
        figure.laid.measured[0].boxes[k].translated(figure.laid.places[0]) for k in (0, -1)
    )
    for rect, token in ((first, "plane"), (last, "ink")):
        corner = figure.origin + rect.topLeft() + QPointF(3, 3)
        assert image.pixelColor(corner.toPoint()) == look.colour(token)


def strong_edges(figure):
    """The nodes that an edge in ink leads to."""
    image = figure.grab().toImage()
    found = set()
    for k in range(1, len(figure.nodes)):
        _top, line = figure.laid.edge(k)
        at = (figure.origin + line.pointAt(0.12)).toPoint()
        near = [image.pixelColor(at + QPoint(dx, 0)) for dx in range(-3, 4)]
        if QColor(theme.current().ink) in near:
            found.add(k)
    return found


def test_the_way_to_the_node_at_work_is_strong(figure):
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    assert strong_edges(figure) == {3}
    figure.set_figure(figure.tree, [0, 2])
    assert strong_edges(figure) == {2, 3}


def test_pointing_and_clicking(qtbot, figure):
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    tags, nodes, clicked = [], [], []
    figure.hovered.connect(tags.append)
    figure.node_hovered.connect(nodes.append)
    figure.node_clicked.connect(clicked.append)
    qtbot.mouseMove(figure, QPoint(5, 5))
    qtbot.mouseMove(figure, spot(figure, 3).toPoint())
    qtbot.waitUntil(lambda: nodes[-1:] == [3])
    assert tags == ["node 3"]
    assert "rows 4, 12, 2, 5, 9, 10" in figure.toolTip()
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=spot(figure, 1).toPoint())
    assert clicked == [1]
    qtbot.mouseMove(figure, QPoint(5, 5))
    qtbot.waitUntil(lambda: nodes[-1:] == [-1])
    assert tags[-1] == ""


def test_a_place_chosen_by_hand_stays_when_the_tree_grows(qtbot, figure):
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    qtbot.mousePress(figure, Qt.MouseButton.LeftButton, pos=QPoint(20, 120))
    before = QPointF(figure.origin)
    figure.pan(QPointF(30, -20))
    figure.zoom(1.44, QPointF(300, 100))
    origin = QPointF(figure.origin)
    scale = figure.scale
    assert (origin != before, scale) == (True, 1.44)
    figure.set_figure(Tree("tree", (*RESTAURANT, N(5, "a", "Type", "leaf")), ("wait", "leave")))
    assert (figure.origin, figure.scale) == (origin, scale)
    qtbot.mouseRelease(figure, Qt.MouseButton.LeftButton, pos=QPoint(20, 120))
    double_click(figure, QPoint(20, 120))
    assert figure.by_hand is False
    assert figure.scale <= 1.0


def test_zooming_keeps_what_is_under_the_pointer(figure):
    figure.set_figure(large(80))
    at = QPointF(200, 100)
    figure.pan(QPointF())  # the whole tree is there now
    before = (at - figure.origin) / figure.scale
    figure.zoom(1.5, at)
    assert ((at - figure.origin) / figure.scale - before).manhattanLength() < 1e-9


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_no_text_shrinks_below_a_caption(qtbot, name):
    theme.use(name)
    made = TreeFigure()
    qtbot.addWidget(made)
    made.resize(700, 150)
    made.set_figure(large(300))
    assert made.laid.detail == COMPACT
    sizes = theme.current().type_sizes
    assert made.scale * sizes["body"][0] >= sizes["caption"][0]
    assert least_scale(FULL) == 1.0
    theme.use("light")


def test_the_node_at_work_is_in_sight_in_a_tree_that_does_not_fit(figure):
    nodes = list(large(200).nodes)
    for k in (17, 150, 199):
        grown = [*nodes]
        grown[k] = N(nodes[k].parent, ">", "now", role=Role.ACTIVE)
        figure.set_figure(Tree("large", grown))
        rect = figure.laid.rect(k)
        shown = QRectF(figure.origin + rect.topLeft() * figure.scale, rect.size() * figure.scale)
        assert QRectF(figure.rect()).contains(shown)


def seen(figure, k):
    rect = figure.laid.rect(k)
    return QRectF(figure.rect()).contains(
        QRectF(figure.origin + rect.topLeft() * figure.scale, rect.size() * figure.scale)
    )


def test_moved_by_hand_it_still_follows_the_node_at_work(figure):
    """At the size that was chosen; while the same node is at work it stays where it was put."""
    nodes = list(large(200).nodes)

    def at_work(k):
        grown = [*nodes]
        grown[k] = N(nodes[k].parent, ">", "now", role=Role.ACTIVE)
        figure.set_figure(Tree("large", grown))

    at_work(17)
    figure.zoom(1.3, QPointF(100, 100))
    figure.pan(QPointF(-4000, 0))
    scale = figure.scale
    origin = QPointF(figure.origin)
    at_work(17)
    assert figure.origin == origin
    for k in (150, 199, 3):
        at_work(k)
        assert figure.scale == scale
        assert seen(figure, k)


def test_the_end_of_the_way_that_a_query_took_is_in_sight(figure):
    """Nothing is at work in the last step; the way of the query is shown."""
    tree = large(200)
    figure.set_figure(tree)
    for end in (199, 63, 120):
        way = [end]
        while tree.nodes[way[0]].parent >= 0:
            way.insert(0, tree.nodes[way[0]].parent)
        figure.set_figure(tree, way)
        assert seen(figure, end)


def at_work(tree, k, text="now"):
    """The same tree while its node k is at work."""
    nodes = list(tree.nodes)
    nodes[k] = N(nodes[k].parent, nodes[k].branch, text, nodes[k].kind, role=Role.ACTIVE)
    return Tree(tree.title, nodes, tree.classes)


def named(tree, words):
    """The same tree, with a note of so many words at each node: tests of many classes have long
    ones.
    """
    return Tree(tree.title, [replace(node, note="4 of one kind, " * words) for node in tree.nodes])


def drawn(figure):
    return [k for k in range(len(figure.nodes)) if not figure.laid.rect(k).isEmpty()]


def kids(tree, node):
    return [k for k, other in enumerate(tree.nodes) if other.parent == node]


@pytest.mark.slow
@pytest.mark.parametrize("before", [0, 17, 150, 199])
@pytest.mark.parametrize("tree", [large(200), large(50), named(large(59, 3), 30)])
@pytest.mark.parametrize("size", [(292, 150), (316, 510), (690, 246)])
def test_a_step_that_works_at_no_node_begins_at_the_root(figure, tree, before, size):
    """Whatever was shown before, with as much of the upper levels as fits."""
    figure.resize(*size)
    figure.set_figure(at_work(tree, before % len(tree.nodes)))
    figure.set_figure(tree)
    first = drawn(figure), figure.scale, QPointF(figure.origin)
    assert [k for k in (0, *kids(tree, 0)) if not seen(figure, k)] == []
    assert all(seen(figure, k) for k in drawn(figure)), "nothing is cut by the edge"
    assert len(drawn(figure)) >= 5
    figure.set_figure(Tree("small", RESTAURANT))
    figure.set_figure(tree)
    assert (drawn(figure), figure.scale, figure.origin) == first


@pytest.mark.parametrize("words", [0, 1, 30])
def test_the_node_at_work_is_seen_with_its_parent_and_more_of_its_way_where_there_is_room(
    figure, words
):
    tree = named(large(59, 3), words) if words else large(120, 3)
    deep = [k for k in range(len(tree.nodes)) if tree.nodes[k].parent > 0]
    for size, least in (((292, 150), 2), ((316, 510), 4)):
        figure.resize(*size)
        for k in deep[::7]:
            figure.set_figure(large(9))
            figure.set_figure(at_work(tree, k))
            body = figure.laid.body(k)
            assert QRectF(figure.rect()).contains(
                QRectF(figure.origin + body.topLeft() * figure.scale, body.size() * figure.scale)
            )
            way = [k]
            while tree.nodes[way[-1]].parent >= 0:
                way.append(tree.nodes[way[-1]].parent)
            bodies = [figure.laid.body(n) for n in way[:least] if n in drawn(figure)]
            assert len(bodies) == min(least, len(way))
            for body in bodies[: least if words != 1 else 2]:
                spot = QRectF(
                    figure.origin + body.topLeft() * figure.scale, body.size() * figure.scale
                )
                assert QRectF(figure.rect()).contains(spot), (k, size)


def test_a_tree_is_never_folded_where_it_fits(figure):
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    assert drawn(figure) == list(range(len(RESTAURANT)))
    figure.resize(3000, 900)
    figure.set_figure(large(41))
    assert len(drawn(figure)) == 41


@pytest.mark.parametrize("size", [(1, 1), (12, 8), (60, 40)])
def test_no_room_and_no_tree_are_no_fault(figure, size):
    figure.resize(*size)
    for tree in (Tree("none", ()), large(9), large(200), at_work(large(50), 40), Tree("none", ())):
        for way in ((0, 2), (0, 1), ()):
            figure.set_figure(tree, way)
            figure.grab()


def test_names_wider_than_the_room_keep_their_ends_and_stand_in_the_tip(qtbot, figure):
    figure.resize(292, 150)
    name = "feature number {} with a long name of its own > 0.87"
    tree = Tree(
        "tree", [N(-1, "", name.format(0)), N(0, "no", name.format(1)), N(0, "yes", "a", "leaf")]
    )
    figure.set_figure(tree)
    text = figure.laid.text(0)
    assert text.startswith("feature number 0")
    assert text.endswith("> 0.87")
    assert seen(figure, 0)
    point_at(figure, spot(figure, 0).toPoint(), lambda: figure.toolTip() == name.format(0))


def test_taken_in_hand_a_folded_tree_unfolds_around_what_was_taken(qtbot, figure):
    tree = large(200)
    figure.set_figure(tree)
    assert len(drawn(figure)) < 20
    node = kids(tree, 0)[1]
    place = spot(figure, node)
    figure.zoom(1.0, place)
    assert len(drawn(figure)) == len(tree.nodes)
    assert (spot(figure, node) - place).manhattanLength() < 1
    figure.fit()
    shown = drawn(figure)
    assert len(shown) < 20
    start = spot(figure, node).toPoint()
    qtbot.mousePress(figure, Qt.MouseButton.LeftButton, pos=start)
    for step in (QPoint(10, 5), QPoint(30, 20)):
        qtbot.mouseMove(figure, start + step)
    qtbot.waitUntil(lambda: figure.by_hand)
    qtbot.mouseRelease(figure, Qt.MouseButton.LeftButton, pos=start + QPoint(30, 20))
    assert (spot(figure, node) - start - QPoint(30, 20)).manhattanLength() < 3
    origin = QPointF(figure.origin)
    figure.set_figure(tree)
    assert figure.origin == origin, "it stays"
    double_click(figure, QPoint(1, 1))
    assert drawn(figure) == shown


def test_moved_by_hand_the_figure_is_never_empty_at_another_step(figure):
    figure.set_figure(at_work(large(200), 150))
    figure.pan(QPointF(-1500, -300))
    figure.set_figure(large(9))
    assert figure.by_hand
    assert any(seen(figure, k) for k in range(9))


@pytest.mark.parametrize(
    "nodes", [RESTAURANT, *(large(count, seed).nodes for count in (5, 17, 41) for seed in (1, 2))]
)
def test_no_arrangement_stays_below_what_its_rows_need(figure, nodes):
    """Arrangements are left out when already their rows do not fit."""
    for detail, link, gap in ARRANGEMENTS:
        sized = Sized(list(nodes), 2, detail)
        wide, tall = sized.least(link, gap)
        bounds = Laid(sized, link, gap).bounds
        assert bounds.width() >= wide - 1e-6
        assert bounds.height() == pytest.approx(tall)


def test_nodes_do_not_overlap_on_the_screen(figure):
    for tree in (Tree("t", RESTAURANT, ("a", "b")), large(40, 3), large(300, 5)):
        figure.set_figure(tree)
        rects = [figure.laid.rect(k) for k in range(len(tree.nodes))]
        clashes = [
            (a, b) for a in range(len(rects)) for b in range(a) if rects[a].intersects(rects[b])
        ]
        assert clashes == []


def test_many_classes_have_their_shapes_and_many_boxes_make_rows(figure):
    many = N(-1, "", "A", boxes=tuple((k, k % 3) for k in sorted(range(30), key=lambda k: k % 3)))
    measured = measure(many, FULL, 3)
    assert len({rect.top() for rect in measured.boxes}) == 3
    assert all(
        not a.intersects(b) for k, a in enumerate(measured.boxes) for b in measured.boxes[:k]
    )
    crowd = N(-1, "", "A", boxes=tuple((k, 0) for k in range(200)))
    assert measure(crowd, FULL, 2).boxes == ()


def test_the_tree_as_text_reads_from_the_root_down(figure):
    figure.set_figure(
        Tree("tree", (*RESTAURANT, N(1, "late", "child of No", "leaf")), ("wait", "leave"))
    )
    assert figure.as_text().splitlines() == [
        "Patrons (6 yes, 6 no) [1 3 4 6 8 12 2 5 7 9 10 11]",
        "  None: No [7 11]",
        "    late: child of No",
        "  Some: Yes [1 3 6 8]",
        "  Full: Hungry (2 yes, 4 no) [4 12 2 5 9 10] ← now",
        "    No: ? (pure) [5 9]",
        "    Yes: ? (2 against 2) [4 12 2 10]",
    ]


@pytest.mark.parametrize("size", [(690, 246), (300, 600)], ids=["branches", "lines"])
def test_a_tree_that_flies_by_is_the_same_within_a_pixel_and_exact_once_it_stays(figure, size):
    figure.resize(*size)
    tree = Tree("tree", RESTAURANT, ("wait", "leave"))
    figure.set_figure(tree)
    # words that were drawn twice are kept as glyphs
    _, _, still = pixels(figure), pixels(figure), pixels(figure)
    figure.rapid = True
    for _ in range(2):  # the first time it is drawn, then copied
        figure.set_figure(tree)
        flown = pixels(figure)
        assert ((np.abs(still - flown).max(axis=2) > 100).mean()) < 0.02
        moved = [np.roll(flown, (dx, dy), (1, 0)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert (
            np.min([np.abs(still - one).max(axis=2) for one in moved], axis=0) > 120
        ).mean() < 0.003
    figure.rapid = False
    figure.set_figure(tree)
    assert (pixels(figure) == still).all()


def test_most_nodes_of_a_tree_that_flies_by_are_copied(figure, monkeypatch):
    """Of fifty nodes a step changes two: to paint all of them takes longer than the rest of the
    frame.
    """
    figure.resize(400, 1200)
    tree = large(31)
    painted = []
    monkeypatch.setattr(
        tree_look, "paint_node", lambda *part: (painted.append(part[1]), paint_node(*part))
    )
    figure.rapid = True
    figure.set_figure(tree)
    figure.grab()
    painted.clear()
    figure.set_figure(at_work(tree, 7))
    figure.grab()
    assert [node.role for node in painted] == [Role.ACTIVE]


def pixels(figure):
    """(height, width, 3) of what is seen."""
    image = figure.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return (
        np.frombuffer(image.constBits(), np.uint8)
        .reshape(image.height(), -1, 4)[..., :3]
        .astype(int)
    )


def test_a_leaf_has_its_counts_below_where_no_note_fits_beside_it(figure):
    """Iris: 17 nodes do not fit with their notes."""
    names = ("setosa", "versicolor", "virginica")
    nodes = [N(-1, "", "petal length > 2.45", note="50 setosa, 50 versicolor, 50 virginica")]
    for depth in range(4):
        note = f"{40 + depth} versicolor, {depth} virginica" if depth else "47 versicolor"
        nodes.append(N(2 * depth, "no", "versicolor", "leaf", 1, note))
        nodes.append(N(2 * depth, "yes", "petal width > 1.75", note="5 virginica"))
    nodes += [N(8, "no", "virginica", "leaf", 2, "1 versicolor, 9 virginica")]
    nodes += [N(8, "yes", "setosa", "leaf", 0, "no examples")]
    figure.resize(700, 330)
    figure.set_figure(Tree("iris", nodes, names))
    counts = [m.count for m in figure.laid.measured]
    assert counts == ["", "47", "", "41 : 1", "", "42 : 2", "", "43 : 3", "", "9 : 1", ""]
    assert len(drawn(figure)) == len(nodes)
    room = QRectF(figure.rect())
    for k in range(len(nodes)):
        rect = figure.laid.rect(k)
        place = QRectF(figure.origin + rect.topLeft() * figure.scale, rect.size() * figure.scale)
        assert room.contains(place), k


def test_a_click_opens_what_is_folded_and_the_next_one_folds_it_again(qtbot, figure):
    tree = large(200)
    figure.set_figure(tree)
    before = drawn(figure)
    node, hidden = max(figure.laid.more.items(), key=lambda item: item[1])

    def place():
        return (figure.origin + figure.laid.body(node).center() * figure.scale).toPoint()

    def counts_are_true():
        return sum(figure.laid.more.values()) == len(tree.nodes) - len(drawn(figure))

    words = f"{hidden} nodes below folded. Click"
    point_at(figure, place(), lambda: words in figure.toolTip())
    assert counts_are_true()
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=place())
    assert set(kids(tree, node)) <= set(drawn(figure)) and 0 in drawn(figure)
    assert counts_are_true()
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=place())
    assert drawn(figure) == before


def test_no_line_crosses_the_name_of_a_branch(figure, monkeypatch):
    painted = []
    for part in ("paint_edge", "paint_branch"):
        usual = getattr(Laid, part)
        monkeypatch.setattr(
            Laid,
            part,
            lambda *given, part=part, usual=usual: painted.append(part) or usual(*given),
        )
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    figure.grab()
    edges = len(RESTAURANT) - 1
    assert painted == ["paint_edge"] * edges + ["paint_branch"] * edges, "names lie on top"


@pytest.mark.parametrize("size", [(690, 300), (300, 400), (500, 700)])
def test_a_tree_shown_in_part_has_an_overview_and_a_click_there_shows_that_part(
    qtbot, figure, size
):
    figure.resize(*size)
    figure.set_figure(Tree("tree", RESTAURANT, ("wait", "leave")))
    assert figure.overview.strip.isEmpty(), "a whole tree needs none"
    tree = large(200)
    figure.set_figure(tree)
    strip = figure.overview.strip
    places = figure.overview.places()
    assert QRectF(figure.rect()).contains(strip)
    assert len(places) == len(tree.nodes)
    assert all(strip.contains(place) for place in places)
    far = max(set(range(len(tree.nodes))) - set(figure.seen()), key=lambda k: places[k].x())
    point_at(figure, places[far].toPoint(), lambda: "this part" in figure.toolTip())
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=places[far].toPoint())
    assert figure.opened in figure.seen()
    assert abs(places[figure.opened].x() - places[far].x()) <= 2, "dots may lie close together"
    figure.zoom(1.0, QPointF(100, 50))
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=places[0].toPoint())
    assert 0 in figure.seen() and figure.by_hand
    figure.fit()
    assert figure.opened == -1


def test_the_overview_counts_the_nodes_that_its_figure_leaves_out():
    """A picture holds 3 of 12 nodes: 4 are below one of its leaves and 5 below the other."""
    part = (N(-1, "", "x₁"), N(0, "0", "x₂", below=4), N(0, "1", "x₂", below=5))
    assert how_many(part) == ("the tree, 3 of 12 nodes", "3 of 12 nodes")
    assert how_many(RESTAURANT) == ("the whole tree, 6 nodes", "all 6 nodes")


def test_a_dot_of_the_overview_is_shown_while_a_node_is_at_work(qtbot, figure):
    tree = large(200)
    figure.set_figure(Tree("t", [replace(tree.nodes[0], role=Role.ACTIVE), *tree.nodes[1:]]))
    far = max(set(range(200)) - set(figure.seen()))
    place = figure.overview.places()[far].toPoint()
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=place)
    assert figure.opened > 0 and figure.opened in figure.seen()
    figure.set_figure(tree)
    assert 0 in figure.seen(), "another step shows what it is about"
