"""The stage: what leads, what a person puts there, what stays, and nothing that jumps."""

import json

import numpy as np
import pytest
from laboratory import CTRL, LEFT, NONE, Key, Lab, double_click
from PySide6.QtCore import QPoint, QPointF, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Scene
from engine.sources.real import real
from gui.figures.network import NetworkFigure
from gui.figures.plot import PlotFigure
from gui.figures.space import SpaceFigure
from gui.figures.table import TableFigure
from gui.figures.tree import TreeFigure
from gui.plane.plane import Plane
from gui.stage.stage import Stage

WIDE = (1700, 900)
SMALL = (1280, 800)
NARROW = (1100, 800)


def line() -> Document:
    x = np.linspace(-3, 3, 12)
    data = engine.Dataset.from_columns({"x": x, "y": 0.8 * x + 1}, target="y", task="regress")
    return Document(data, (lane("gradient_descent"),))


def doc(data: object, key: str, **params: object) -> Document:
    return Document(data, (lane(key, **params),))  # type: ignore[arg-type]


def restaurant() -> Document:
    return doc(engine.textbook("restaurant"), "decision_tree")


def hidden_columns() -> Document:
    """Three columns; what the class depends on is no axis of the plane."""
    X = np.random.default_rng(3).normal(size=(30, 3))
    return doc(engine.Dataset.from_arrays(X, np.where(X[:, 2] > 0, 1, -1)), "decision_tree")


def settle(lab: Lab, size: tuple[int, int]) -> None:
    lab.window.resize(*size)
    QTest.qWait(50)
    lab.settle()


def stage(lab: Lab) -> Stage:
    return lab.window.stage


def names(lab: Lab) -> tuple[str, ...]:
    return stage(lab).arrangement.names


def kinds(lab: Lab) -> list[type]:
    return [type(pane.widget()) for _, pane in stage(lab).panes() if pane.isVisible()]


def pages(lab: Lab) -> list[str]:
    return [title for _, title in lab.window.right_dock.figure.pages()]


def press(lab: Lab, name: str, keys: object = NONE) -> None:
    """The word of the switcher, with the mouse."""
    switcher = stage(lab).switcher
    word = next(word for word in switcher.words if word.name == name and word.isVisible())
    QTest.mouseClick(word, LEFT, keys, word.rect().center())
    lab.settle()


def drag(lab: Lab, name: str, where: tuple[float, float]) -> None:
    """A word to this part of the stage, in shares of its width and height."""
    word = next(word for word in stage(lab).switcher.words if word.name == name)
    there = QPoint(round(where[0] * stage(lab).width()), round(where[1] * stage(lab).height()))
    QTest.mousePress(word, LEFT, NONE, word.rect().center())
    for share in (0.2, 1.0):
        place = stage(lab).mapToGlobal(there) * share + word.mapToGlobal(word.rect().center()) * (
            1 - share
        )
        QTest.mouseMove(word, word.mapFromGlobal(place))
    QTest.mouseRelease(word, LEFT, NONE, word.mapFromGlobal(stage(lab).mapToGlobal(there)))
    lab.settle()


# -- what leads ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("document", "shown", "seen"),
    [
        (restaurant, ("Tree", "Examples"), [TreeFigure, TableFigure]),
        (hidden_columns, ("Tree", "Examples"), [TreeFigure, TableFigure]),
        (
            lambda: doc(engine.generate("moons", 40), "decision_tree"),
            ("Tree", "Plane"),
            [TreeFigure, Plane],
        ),
        (
            lambda: doc(engine.textbook("xor"), "backpropagation"),
            ("Network", "Plane"),
            [NetworkFigure, Plane],
        ),
        (line, ("Space", "Plane"), [PlotFigure, Plane]),
        (
            lambda: doc(engine.generate("moons", 30), "svm", kernel="quadratic"),
            ("Lifted", "Plane"),
            [SpaceFigure, Plane],
        ),
        (
            lambda: doc(engine.generate("moons", 30), "kd_tree"),
            ("k-d tree", "Plane"),
            [TreeFigure, Plane],
        ),
        (
            lambda: doc(engine.generate("pundits", 40), "weighted_majority"),
            ("Shares", "Experts"),
            [PlotFigure, TableFigure],
        ),
        (lambda: doc(engine.generate("blobs", 30), "perceptron"), ("Plane",), [Plane]),
    ],
)
def test_the_stage_leads_with_the_picture_that_explains_the_step(
    open_lab, document, shown, seen
) -> None:
    lab = open_lab(document(), SMALL)
    for share in (0.0, 0.5, 1.0):
        lab.session.seek(round(share * (len(lab.session.trace) - 1)))
        lab.settle()
        assert names(lab) == shown
        assert kinds(lab) == seen
    assert stage(lab).switcher.shown == shown
    assert not set(shown) & set(pages(lab))  # figures leave the dock
    assert lab.window.tool_strip.isVisible() == ("Plane" in shown)


@pytest.mark.slow
def test_views_stand_beside_one_another_as_45_to_55_and_in_line(open_lab) -> None:
    lab = open_lab(line(), WIDE)
    settle(lab, WIDE)
    left, right = stage(lab).sizes()
    assert left / (left + right) == pytest.approx(0.45, abs=0.01)
    top = stage(lab).first.widget().view().rect
    plane = lab.plane.view_box.mapRectToScene(lab.plane.view_box.rect())
    assert abs(top.top() - plane.top()) <= 2
    assert abs(top.bottom() - plane.bottom()) <= 2


@pytest.mark.slow
def test_in_a_narrow_window_the_second_view_is_a_tab(open_lab) -> None:
    lab = open_lab(line(), NARROW)
    assert stage(lab).width() < 640
    assert names(lab) == ("Plane",)
    assert "Space: w₀ and w₁" in pages(lab)
    settle(lab, WIDE)
    assert names(lab) == ("Space", "Plane")
    assert "Space: w₀ and w₁" not in pages(lab)
    settle(lab, NARROW)
    assert names(lab) == ("Plane",)


def test_docks_become_narrower_before_the_second_view_goes(open_lab) -> None:
    lab = open_lab(line(), (1200, 800))
    settle(lab, (1200, 800))
    assert names(lab) == ("Space", "Plane")
    assert stage(lab).width() >= 640
    assert lab.window.right_dock.width() == 284
    press(lab, "Plane")
    settle(lab, (1200, 800))
    assert lab.window.right_dock.width() == 324
    press(lab, "Space", CTRL)
    settle(lab, (1200, 800))
    assert names(lab) == ("Space", "Plane")
    assert lab.window.right_dock.width() == 284


@pytest.mark.slow
def test_the_tools_of_the_plane_do_not_chase_it_away(open_lab) -> None:
    """With the plane come its tools, beside which two views may have too little room."""
    lab = open_lab(doc(engine.textbook("xor"), "backpropagation", epochs=5), SMALL)
    changes: list[int] = []
    stage(lab).placed.connect(lambda: changes.append(1))
    for wide in (1260, 1230, 1200, 1185, 1170, 1150, 1130, 1110, 1060, 1020, 1000, 960, 920):
        settle(lab, (wide, 800))
        changes.clear()
        QTest.qWait(50)
        assert not changes, wide
        two = names(lab) == ("Network", "Plane")
        assert lab.window.tool_strip.isVisible() == two
        assert stage(lab).width() >= 640 if two else names(lab) == ("Network",)


@pytest.mark.slow
def test_a_wide_figure_beside_the_plane_gets_its_room_and_then_all_stands_still(open_lab) -> None:
    lab = open_lab(doc(engine.generate("leaning_clouds", 24), "mapreduce_perceptron"), SMALL)
    changes: list[int] = []
    stage(lab).placed.connect(lambda: changes.append(1))
    for wide in (1280, 1230, 1180, 1120, 1060, 960):
        settle(lab, (wide, 800))
        changes.clear()
        QTest.qWait(50)
        assert not changes, wide
        if wide == 1280:
            assert names(lab) == ("Job", "Plane")
            edge = stage(lab).handleWidth()
            assert stage(lab).first.width() + edge >= stage(lab).first.wish().least[0]


@pytest.mark.slow
def test_the_words_of_the_stage_stand_at_the_same_place_in_every_theme(open_lab) -> None:
    lab = open_lab(restaurant(), SMALL)
    chips = lab.window.chips
    switcher = stage(lab).switcher
    for name in ("light", "dark", "projector", "dark", "light"):
        lab.window.use_theme(name)
        assert chips.row.indexOf(switcher) == (
            -1 if name == "projector" else chips.row.indexOf(chips.ends) - 1
        )


def test_the_narrow_row_of_chips_takes_no_words_from_the_projector(open_lab) -> None:
    lab = open_lab(restaurant(), (800, 600))
    lab.window.use_theme("projector")
    lab.window.chips.resize(200, 40)
    switcher = stage(lab).switcher
    switcher.show_views(("Tree", "Examples", "Network"), ("Tree",))
    assert all(word.isVisible() for word in switcher.words)
    assert switcher.more.isHidden()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "high"), [((1280, 800), 48), ((1920, 1080), 61)])
def test_the_row_of_words_grows_under_the_projector(open_lab, size, high: int) -> None:
    """48 pixels, two steps of 1.125 at 1920 × 1080."""
    lab = open_lab(restaurant(), size)
    lab.window.use_theme("projector")
    lab.settle()
    row = lab.window.lanes.cell.projector_header
    switcher = stage(lab).switcher
    assert row.height() == high
    assert row.rect().contains(switcher.geometry())


@pytest.mark.slow
def test_steps_move_neither_the_plane_nor_its_view(open_lab) -> None:
    lab = open_lab(line(), WIDE)
    settle(lab, WIDE)
    before = lab.plane.view()
    sizes = stage(lab).sizes()
    for step in (0, 5, 2):
        lab.session.seek(step)
        lab.settle()
        assert lab.plane.view() == before
        assert stage(lab).sizes() == sizes


@pytest.mark.slow
def test_a_step_without_a_picture_gives_its_place_to_the_other(open_lab) -> None:
    lab = open_lab(line(), WIDE)
    settle(lab, WIDE)
    sizes = stage(lab).sizes()
    stage(lab).show_scene(Scene())
    assert names(lab) == ("Plane",) and not stage(lab).first.isVisible()
    assert "Space" in stage(lab).switcher.missing
    stage(lab).show_scene(lab.session.scene)
    assert isinstance(stage(lab).first.widget(), PlotFigure)
    lab.settle()
    assert stage(lab).sizes() == sizes


def edge_of(widget: QWidget) -> list[QPointF]:
    """Places along its edge, 8 pixels apart."""
    right, low = widget.width() - 1, widget.height() - 1
    across = [QPointF(x, y) for x in range(0, right, 8) for y in (0, low)]
    return across + [QPointF(x, y) for y in range(0, low, 8) for x in (0, right)]


@pytest.mark.slow
def test_the_whole_restaurant_tree_and_its_twelve_rows_are_seen_at_every_step(open_lab) -> None:
    """AIMA Fig 18.3 in the smallest window that a lecture hall has: each example box in the tree is
    one in the table.
    """
    lab = open_lab(restaurant(), SMALL)
    tree, table = (pane.widget() for _, pane in stage(lab).panes())
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        lab.settle()
        assert table.verticalScrollBar().maximum() == 0, at
        assert table.horizontalScrollBar().maximum() == 0, at
        assert {tree.node_at(place) for place in edge_of(tree)} == {-1}, at
    places = (QPointF(x, y) for x in range(0, tree.width(), 8) for y in range(0, tree.height(), 8))
    assert {tree.node_at(place) for place in places} == {-1, *range(len(tree.nodes))}


@pytest.mark.slow
@pytest.mark.parametrize("look", ["light", "projector"])
def test_the_trees_of_restaurant_and_iris_are_never_folded(open_lab, look: str) -> None:
    """12 and 17 nodes, all with their counts in the end."""
    for document in (restaurant(), doc(real("iris"), "decision_tree")):
        lab = open_lab(document, SMALL)
        lab.window.use_theme(look)
        lab.settle()
        last = len(lab.session.trace) - 1
        for at in (last // 2, last - 2, last):
            lab.session.seek(at)
            lab.settle()
            tree = dict(stage(lab).panes())["Tree"].widget()
            assert len(tree.laid.drawn) == len(tree.nodes), at
            assert all(tree.visible().contains(tree.laid.rect(k)) for k in tree.laid.drawn), at
        leaves = [k for k, node in enumerate(tree.nodes) if node.kind == "leaf"]
        assert all(tree.laid.measured[k].note or tree.laid.measured[k].count for k in leaves)


# -- what a person puts there ----------------------------------------------------------------------


@pytest.mark.slow
def test_a_click_shows_a_view_in_place_of_the_one_chosen_longer_ago(open_lab) -> None:
    lab = open_lab(hidden_columns(), SMALL)
    press(lab, "Plane")
    assert names(lab) == ("Tree", "Plane")
    assert lab.plane.isVisible() and lab.window.tool_strip.isVisible()
    press(lab, "Examples")  # the tree was wanted longer ago than the plane
    assert names(lab) == ("Examples", "Plane")
    press(lab, "Examples")  # dark already: it has the stage alone
    assert names(lab) == ("Examples",)
    press(lab, "Examples")  # never the last
    assert names(lab) == ("Examples",)
    press(lab, "Tree")  # one alone is exchanged
    assert names(lab) == ("Tree",)
    press(lab, "Examples", CTRL)  # and with Ctrl there are two
    assert names(lab) == ("Tree", "Examples")


@pytest.mark.slow
def test_a_word_is_dragged_to_a_half_of_the_stage(open_lab) -> None:
    lab = open_lab(doc(engine.textbook("xor"), "backpropagation", epochs=5), WIDE)
    settle(lab, WIDE)
    drag(lab, "Plane", (0.2, 0.5))
    assert names(lab) == ("Plane", "Network")
    assert kinds(lab) == [Plane, NetworkFigure]
    first, second = stage(lab).second, stage(lab).first  # the plane's pane stands at the left now
    assert first.mapTo(stage(lab), QPoint(0, 0)).x() < second.mapTo(stage(lab), QPoint(0, 0)).x()
    drag(lab, "Examples", (0.8, 0.5))
    assert names(lab) == ("Plane", "Examples")
    drag(lab, "Network", (0.5, 1.4))  # beside the stage: nothing
    assert names(lab) == ("Plane", "Examples")


def test_views_are_chosen_from_the_keyboard(open_lab) -> None:
    lab = open_lab(hidden_columns(), SMALL)
    tool, now = lab.session.tool, lab.session.current_class
    assert stage(lab).switcher.names == ("Tree", "Examples", "Plane")
    lab.key(Key.Key_V)
    lab.key(Key.Key_3)
    lab.settle()
    assert names(lab) == ("Tree", "Plane")
    # V alone is a tool, 3 alone a class
    assert (lab.session.tool, lab.session.current_class) == (tool, now)
    lab.key(Key.Key_V)
    lab.key(Key.Key_9)
    assert names(lab) == ("Tree", "Plane")
    lab.key(Key.Key_V)
    assert lab.session.tool == "select"


@pytest.mark.slow
def test_a_figure_of_the_dock_is_put_on_the_stage_and_closed_again(open_lab) -> None:
    lab = open_lab(line(), (1280, 1400))  # with room for a figure in the dock
    panel = lab.window.right_dock.figure
    QTest.mouseClick(panel.tabs.tabs[panel.tabs.titles.index("Loss")], LEFT)
    small = panel.body.stack.currentWidget()
    assert isinstance(small, SpaceFigure)
    QTest.mouseClick(panel.enlarge, LEFT)
    lab.settle()
    assert names(lab) == ("Loss", "Plane")
    large = stage(lab).first.widget()
    assert large.width() * large.height() > small.width() * small.height()
    assert "Loss" not in pages(lab) and "Space: w₀ and w₁" in pages(lab)
    for at in (0, 7):
        lab.session.seek(at)
        assert stage(lab).first.widget() is large
    press(lab, "Plane")
    assert names(lab) == ("Plane",)
    assert "Loss" in pages(lab)


@pytest.mark.slow
def test_the_choice_holds_until_algorithm_or_data_change_and_is_there_again(open_lab) -> None:
    lab = open_lab(hidden_columns(), SMALL)
    press(lab, "Plane")
    lab.session.set_seed(5)
    lab.settle()
    assert names(lab) == ("Tree", "Plane")
    lab.session.choose("perceptron")
    lab.settle()
    assert names(lab) == ("Plane",)
    lab.session.choose("decision_tree")
    lab.settle()
    assert names(lab) == ("Tree", "Plane")
    lab.window.commands.use_data(engine.textbook("restaurant"))
    lab.settle()
    assert names(lab) == ("Tree", "Examples")


# -- sizes -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_was_dragged_stays_is_remembered_and_given_back(open_lab, settings: QSettings) -> None:
    lab = open_lab(restaurant(), SMALL)
    rule = stage(lab).sizes()
    stage(lab).moveSplitter(sum(rule) // 3, 1)
    dragged = stage(lab).sizes()
    assert dragged != rule
    lab.session.seek(3)
    lab.settle()
    assert stage(lab).sizes() == dragged
    other = open_lab(restaurant(), SMALL)
    assert stage(other).sizes()[0] == pytest.approx(dragged[0], abs=3)
    handle = stage(other).handle(1)
    double_click(handle, handle.rect().center())
    assert stage(other).sizes() == rule


@pytest.mark.slow
def test_what_was_put_on_the_stage_is_remembered_for_the_method_and_its_data(open_lab) -> None:
    lab = open_lab(restaurant(), SMALL)
    press(lab, "Tree")
    assert names(lab) == ("Tree",)
    assert names(open_lab(restaurant(), SMALL)) == ("Tree",)
    other = open_lab(hidden_columns(), SMALL)
    assert len(names(other)) == 2, "other data: what leads"


@pytest.mark.slow
def test_nonsense_for_the_views_is_what_leads(open_lab, settings: QSettings) -> None:
    about = json.dumps(["decision_tree", engine.textbook("restaurant").name, False])
    for nonsense in (
        "{",
        "[1]",
        json.dumps({about: 3}),
        json.dumps({about: [[1], {}]}),
        json.dumps({about: [["no such"], {"Tree": 7}]}),
    ):
        settings.setValue("views", nonsense)
        assert names(open_lab(restaurant(), SMALL)) == ("Tree", "Examples")


@pytest.mark.slow
def test_the_edge_of_two_views_is_moved_from_the_keyboard(open_lab) -> None:
    """F6 comes to it too; its arrows move it by 16 pixels and not the run."""
    lab = open_lab(restaurant(), SMALL)
    before = stage(lab).sizes()
    cursor = lab.session.cursor
    for _ in range(9):
        lab.key(Key.Key_F6)
        if QApplication.focusWidget() is stage(lab).handle(1):
            break
    lab.key(Key.Key_Down)
    lab.settle_drawing()
    first, second = stage(lab).sizes()
    assert (first - before[0], second - before[1]) == (16, -16)
    lab.key(Key.Key_Left)
    assert stage(lab).sizes() == [first, second] and lab.session.cursor == cursor


@pytest.mark.slow
def test_nonsense_in_the_settings_is_the_rule(open_lab, settings: QSettings) -> None:
    for nonsense in ("wide", 7, -1, "nan"):
        settings.setValue("stage/decision_tree-upright", nonsense)
        lab = open_lab(restaurant(), SMALL)
        assert 0.4 < stage(lab).sizes()[0] / sum(stage(lab).sizes()) < 0.6


@pytest.mark.slow
def test_under_the_projector_the_words_stand_over_the_stage(open_lab) -> None:
    lab = open_lab(restaurant(), SMALL)
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert stage(lab).switcher.isVisible()
    assert names(lab) == ("Tree", "Examples")
    press(lab, "Tree")
    assert names(lab) == ("Tree",)
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert stage(lab).switcher.parent() is not None and lab.window.chips.isAncestorOf(
        stage(lab).switcher
    )
