"""The second plane: beside the first one where there is room, else a page in the dock; the first one never jumps."""

import numpy as np
import pytest
from PySide6.QtTest import QTest

import engine
from engine.core.scene import Plot, Points, Scene
from engine.document.document import Document
from engine.document.lane import lane
from gui.figures.network import NetworkFigure
from gui.look import theme
from gui.panels.middle import ROOM

WIDE, NARROW = (1700, 900), (1280, 800)
SPACE = "Space: w₀ and w₁"
SECOND = Plot(SPACE, "w1", "w2", (Points(np.array([[0.0, 0], [1, 1]]), np.array([0, 1])),), beside=True)


def line() -> Document:
    x = np.linspace(-3, 3, 12)
    data = engine.Dataset.from_columns({"x": x, "y": 0.8 * x + 1}, target="y", task="regress")
    return Document(data, (lane("gradient_descent"),))


def settle(lab, size):
    lab.window.resize(*size)
    QTest.qWait(50)
    lab.settle()


def pages(lab):
    return [title for _, title in lab.window.right_dock.figure.pages()]


@pytest.fixture
def wide(open_lab):
    lab = open_lab(line(), WIDE)
    lab.session.seek(3)
    settle(lab, WIDE)
    return lab


def test_a_second_plane_stands_beside_the_first_at_equal_width(wide):
    middle = wide.window.middle
    assert middle.width() >= ROOM
    assert middle.beside.isVisible()
    left, right = middle.sizes()
    assert abs(left - right) <= 2
    assert SPACE not in pages(wide)
    top = middle.beside.stack.currentWidget().view().rect
    plane = wide.plane.view_box.mapRectToScene(wide.plane.view_box.rect())
    assert abs(top.top() - plane.top()) <= 2  # in line with one another
    assert abs(top.bottom() - plane.bottom()) <= 2


def test_in_a_narrow_window_it_is_a_page_of_the_dock(open_lab):
    lab = open_lab(line(), NARROW)
    assert not lab.window.middle.beside.isVisible()
    assert SPACE in pages(lab)
    settle(lab, WIDE)
    assert lab.window.middle.beside.isVisible()
    assert SPACE not in pages(lab)
    settle(lab, NARROW)
    assert not lab.window.middle.beside.isVisible()
    assert SPACE in pages(lab)


def test_steps_move_neither_the_plane_nor_its_view(wide):
    before, sizes = wide.plane.view(), wide.window.middle.sizes()
    for step in (0, 5, 2):
        wide.session.seek(step)
        wide.settle()
        assert wide.plane.view() == before
        assert wide.window.middle.sizes() == sizes


def test_a_step_without_it_leaves_its_place_empty(wide):
    middle, sizes = wide.window.middle, wide.window.middle.sizes()
    middle.show_figures(())
    assert middle.beside.isVisible()
    assert middle.sizes() == sizes
    assert middle.beside.stack.currentWidget() is middle.empty
    middle.show_figures((SECOND,))
    assert middle.beside.stack.currentWidget().plot is SECOND


def test_the_view_comes_back_when_the_second_plane_goes(wide):
    settle(wide, (1690, 900))
    before = wide.plane.view()
    settle(wide, NARROW)
    settle(wide, (1690, 900))
    after = wide.plane.view()
    assert after.x == pytest.approx(before.x)
    assert after.y == pytest.approx(before.y)


def test_another_algorithm_gives_the_place_back(wide):
    wide.session.choose("polynomial_fit")
    wide.settle()
    figures = wide.session.scene.figures
    beside = [f for f in figures if isinstance(f, Plot) and f.beside]
    assert wide.window.middle.beside.isVisible() == bool(beside)


def test_two_plots_of_the_dock_are_told_apart(lab, monkeypatch):
    one, two = (Plot(name, "x", "y", SECOND.layers) for name in ("First", "Second"))
    panel = lab.window.right_dock.figure
    panel.show_figures((one, two))
    kinds = [title for _, title in panel.pages()]
    panel.choose(kinds.index("Second"))
    assert panel.body.stack.currentWidget().plot is two
    panel.show_figures((one, two))
    assert panel.body.stack.currentWidget().plot is two


def test_it_stands_there_in_the_projector_theme_too(open_lab):
    lab = open_lab(line(), NARROW)
    lab.window.toggle_projector()
    settle(lab, NARROW)
    assert lab.window.middle.beside.isVisible()
    left, right = lab.window.middle.sizes()
    assert abs(left - right) <= 2
    lab.window.toggle_projector()
    settle(lab, NARROW)
    assert theme.current().name == "light"
    assert not lab.window.middle.beside.isVisible()


def test_without_two_columns_of_numbers_the_figures_take_the_middle(open_lab):
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), WIDE)
    assert lab.window.middle.currentWidget() is lab.window.central
    assert not lab.window.middle.beside.isVisible()
    assert isinstance(lab.session.scene, Scene)


def test_a_network_stands_beside_the_plane_where_there_is_room(open_lab):
    data = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], name="xor")
    lab = open_lab(Document(data, (lane("backpropagation", epochs=5),)), WIDE)
    settle(lab, WIDE)
    assert isinstance(lab.window.middle.beside.stack.currentWidget(), NetworkFigure)
    assert "Network" not in pages(lab)


def test_the_whole_restaurant_tree_and_its_twelve_rows_are_seen_at_every_step(open_lab) -> None:
    """AIMA Fig 18.3 in the smallest window that a lecture hall has: each example box in the tree is one in the table."""
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), (1280, 800))
    lab.settle()
    tree, table = (part.stack.currentWidget() for part in lab.window.central.parts)
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        lab.settle()
        assert table.verticalScrollBar().maximum() == 0, at
        assert table.horizontalScrollBar().maximum() == 0, at
        bounds, size = tree._laid.bounds, tree.size()
        assert bounds.height() * tree.scale <= size.height(), at
        assert bounds.width() * tree.scale <= size.width(), at


def test_what_was_dragged_between_tree_and_table_stays_from_step_to_step(open_lab) -> None:
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), (1280, 800))
    lab.settle()
    central = lab.window.central
    whole = sum(central.sizes())
    central.moveSplitter(whole // 3, 1)
    dragged = central.sizes()
    lab.session.seek(3)
    lab.settle()
    assert central.sizes() == dragged
