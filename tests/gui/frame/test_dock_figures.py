"""The figures of the right dock: which one is shown first, tabs that can be read and reached,
enlarging one, asking “Why?” about a row of the examples.
"""

import numpy as np
import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import QRect
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import (
    Bars,
    Network,
    Plot,
    Points,
    Space,
    Table,
    TableColumn,
    Tree,
    TreeNode,
    data_table,
)
from gui.figures.bars import BarsFigure
from gui.figures.plot import PlotFigure
from gui.figures.table import TableFigure
from gui.figures.tree import TreeFigure
from gui.frame.figure_panel import FigureStack
from gui.frame.tab_strip import TabStrip
from gui.look import theme
from gui.look.ink import face

SMALL, TALL = (1280, 800), (1280, 1400)  # the tall one has room for figures in the dock
ONE = (Points(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 1])),)


def plot(title: str) -> Plot:
    return Plot(title, "x", "y", ONE)


def bars(title: str) -> Bars:
    return Bars(title, ("a", "b"), np.array([1.0, 2.0]))


def restaurant(open_lab) -> Lab:
    return open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), SMALL)


def line(open_lab, size=SMALL) -> Lab:
    x = np.linspace(-3, 3, 12)
    data = engine.Dataset.from_columns({"x": x, "y": 0.8 * x + 1}, target="y", task="regress")
    return open_lab(Document(data, (lane("gradient_descent", steps=20),)), size)


def press(lab: Lab, title: str) -> None:
    """The tab with this name, with the mouse."""
    strip = lab.window.right_dock.figure.tabs
    QTest.mouseClick(strip.tabs[strip.titles.index(title)], LEFT)


def shown_title(panel) -> str:
    """What its heading says, or its chosen tab."""
    if panel.tabs.isHidden():
        return panel.heading.full_text()
    return panel.tabs.titles[[tab.isChecked() for tab in panel.tabs.tabs].index(True)]


# -- which one -------------------------------------------------------------------------------------


def test_every_tab_shows_its_own_figure_when_many_are_of_one_kind(lab: Lab) -> None:
    figures = tuple(plot(title) for title in ("Weight space", "Errors", "Paths", "Errors"))
    panel = lab.window.right_dock.figure
    panel.show_figures(figures)
    for k, tab in enumerate(t for t in panel.tabs.tabs if not t.isHidden()):
        QTest.mouseClick(tab, LEFT)
        for _ in range(2):  # and it stays in the next step
            assert panel.body.stack.currentWidget().plot is figures[k]
            assert [t.isChecked() for t in panel.tabs.tabs if not t.isHidden()] == [
                j == k for j in range(4)
            ]
            panel.show_figures(figures)


def test_a_title_that_changes_from_step_to_step_stays_chosen(lab: Lab) -> None:
    panel = lab.window.right_dock.figure
    panel.show_figures((plot("Errors"), bars("Weights w, θ = 5")))
    panel.choose(1)
    panel.show_figures((plot("Errors"), bars("Weights w, θ = 6")))
    assert shown_title(panel) == "Weights w, θ = 6"


@pytest.mark.slow
def test_the_choice_belongs_to_the_method(open_lab) -> None:
    """A table chosen for one method does not hide the bars of another."""
    lab = open_lab(size=TALL)
    press(lab, "Examples")
    lab.session.choose("hinge_descent")
    lab.settle()
    panel = lab.window.right_dock.figure
    assert shown_title(panel) != "Examples"
    lab.session.choose("perceptron")
    lab.settle()
    assert isinstance(panel.body.stack.currentWidget(), TableFigure)


def test_bars_come_before_the_examples(lab: Lab) -> None:
    panel = lab.window.right_dock.figure
    problem = lab.session.problem
    panel.choices.clear()
    panel.show_figures((data_table(problem), bars("Weights")))
    assert shown_title(panel) == "Weights"
    best = Table(
        "Best so far", (TableColumn(problem.features[0], problem.X[:2, 0]),), problem.names[:2]
    )
    panel.show_figures((best, bars("Votes"), data_table(problem)))
    assert shown_title(panel) == "Best so far"  # what the scene names first


def test_the_weights_of_winnow_are_in_sight_at_once(open_lab) -> None:
    lab = open_lab(Document(engine.textbook("spam"), (lane("winnow"),)), SMALL)
    assert isinstance(lab.window.stage.first.widget(), BarsFigure)


# -- tabs ------------------------------------------------------------------------------------------


@pytest.fixture
def strip(qtbot, qapp) -> TabStrip:
    theme.use("light")
    made = TabStrip()
    qtbot.addWidget(made)
    made.resize(260, 40)
    made.show()
    return made


def rects(strip: TabStrip) -> list[QRect]:
    return [tab.geometry() for tab in strip.tabs if tab.isVisible()]


@pytest.mark.parametrize("count", [2, 5, 8])
def test_any_number_of_tabs_can_be_read(strip: TabStrip, count: int) -> None:
    titles = [
        "Why?",
        "Weight space",
        "Loss",
        "Distances",
        "Examples",
        "Paths",
        "Errors left out",
        "Votes",
    ][:count]
    strip.show_titles(titles, 1)
    boxes = rects(strip)
    assert len(boxes) == count
    assert all(strip.rect().contains(box) for box in boxes)
    assert not any(a.intersects(b) for k, a in enumerate(boxes) for b in boxes[:k])
    for tab, title in zip(strip.tabs, titles, strict=False):
        assert tab.text() == title
        assert tab.width() >= face("body", 600).width(title) + 2  # also when it is the chosen one
        assert tab.accessibleName() == tab.toolTip() == f"Show {title}"


def test_long_names_are_cut_and_whole_in_the_tip(strip: TabStrip) -> None:
    long = "Examples: pale once a test has matched them"
    strip.show_titles(["Decision list", long], 0)
    assert strip.tabs[1].text() == "Examples"
    assert strip.tabs[1].toolTip() == f"Show {long}"
    strip.show_titles(["Why?", "Tree", "Examples", "Scored so far"], 0)
    assert len({box.top() for box in rects(strip)}) == 1
    assert strip.tabs[3].text().startswith("Scored")


def test_lines_of_tabs_are_not_taken_away_from_step_to_step(strip: TabStrip) -> None:
    many = ["Why?", "Weight space", "Loss", "Distances", "Examples"]
    strip.show_titles(many, 0, "a")
    high = strip.height()
    strip.show_titles(many[:2], 0, "a")
    assert strip.height() == high
    strip.show_titles(many[:2], 0, "b")
    assert strip.height() < high


@pytest.mark.slow
def test_no_step_of_a_run_moves_the_figure(open_lab) -> None:
    """Where a person has given it its height; by the rule it is there at every step or at none."""
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("decision_tree"),)), TALL)
    QTest.qWait(50)
    dock = lab.window.right_dock
    last = len(lab.session.trace) - 1
    for by_hand in (False, True):
        if by_hand:
            lab.window.room.drag("figures", 200)
        places = set()
        for at in (*range(last + 1), *reversed(range(last + 1))):
            lab.session.seek(at)
            lab.settle_drawing()
            assert dock.figure.isVisible(), at
            places.add(dock.figure.geometry().getRect())
        assert (len(places) == 1) is by_hand
        assert {y + high for _, y, _, high in places} == {dock.height()}


# -- a row of the examples -------------------------------------------------------------------------


def table_of(lab: Lab) -> TableFigure:
    return next(t for t in lab.window.stage.findChildren(TableFigure) if t.isVisible())


def click_row(table: TableFigure, row: int) -> None:
    table.scrollTo(table.model_.index(row, 1))
    QTest.mouseClick(
        table.viewport(), LEFT, pos=table.visualRect(table.model_.index(row, 1)).center()
    )


def test_a_click_on_a_row_asks_why_about_it(open_lab) -> None:
    lab = restaurant(open_lab)
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    table = table_of(lab)
    why = lab.window.right_dock.why
    for row, said in ((6, "No"), (3, "Yes")):
        click_row(table, row)
        assert why.isVisible()
        name = lab.session.problem.names[row]
        assert why.as_text().startswith(f"{name} is now called {said}")
        cell = table.visualRect(table.model_.index(row, 1))
        ground = table.viewport().grab(cell).toImage().pixelColor(2, cell.height() // 2)
        assert ground.name().upper() == theme.current().sel
    tree = next(t for t in lab.window.stage.findChildren(TreeFigure) if t.isVisible())
    assert tree.path  # and the way of this row is strong in the tree
    click_row(table, 3)  # once more lets it go
    assert table.chosen == -1
    assert lab.session.problem.names[3] not in why.as_text()


def test_rows_are_chosen_with_the_keyboard(open_lab) -> None:
    lab = restaurant(open_lab)
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    table = table_of(lab)
    why = lab.window.right_dock.why
    table.verticalScrollBar().setValue(0)
    table.setFocus()
    names = lab.session.problem.names
    for key, row in ((Key.Key_Down, 0), (Key.Key_Down, 1), (Key.Key_Down, 2), (Key.Key_Up, 1)):
        lab.key(key)
        assert why.as_text().startswith(f"{names[row]} is now called")
    assert f"> {names[1]}" in table.as_text()
    lab.key(Key.Key_Up)
    lab.key(Key.Key_Up)
    assert table.chosen == -1
    lab.key(Key.Key_Down)
    lab.key(Key.Key_Escape)
    assert table.chosen in (-1, 0)  # Escape may belong to the tool in hand


def test_the_chosen_row_stays_while_the_run_goes_on_and_goes_with_the_data(open_lab) -> None:
    lab = restaurant(open_lab)
    click_row(table_of(lab), 5)
    for at in (2, 4, 6):
        lab.session.seek(at)
        assert lab.window.right_dock.why.as_text().startswith(
            f"{lab.session.problem.names[5]} is now"
        )
        assert table_of(lab).chosen == 5
    lab.window.commands.use_data(engine.textbook("mit_tree"))
    lab.settle()
    assert lab.window.right_dock.asking.row == -1


def test_a_row_can_be_chosen_where_there_is_a_plane(open_lab) -> None:
    lab = open_lab(size=TALL)
    press(lab, "Examples")
    table = lab.window.right_dock.figure.body.stack.currentWidget()
    click_row(table, 4)
    # the table is not taken away
    assert lab.window.right_dock.figure.body.stack.currentWidget() is table
    assert lab.window.right_dock.why.as_text().startswith(
        f"{lab.session.problem.names[4]} is now called"
    )


def test_rows_of_other_tables_cannot_be_chosen(open_lab) -> None:
    lab = open_lab(Document(engine.generate("pundits", 40), (lane("weighted_majority"),)), SMALL)
    table = table_of(lab)
    assert table.chosen is None
    click_row(table, 1)
    assert table.chosen is None
    assert lab.window.right_dock.asking.row == -1


def test_a_table_without_a_plane_is_explained_by_its_rows_from_the_first_step_on(
    lab: Lab,
) -> None:
    """The dock learned too late that the plane had gone, and sent the hand there until the next
    step.
    """
    why = lab.window.right_dock.why
    assert "point at the plane" in why.as_text()
    for data, words in (
        (engine.textbook("restaurant"), "Click a row"),
        (engine.generate("moons"), "point at the plane"),
    ):
        lab.session.open(Document(data, (lane("decision_tree"),)))
        assert words in why.as_text()


@pytest.mark.slow
def test_why_is_about_the_example_of_the_step_and_not_about_a_node(open_lab) -> None:
    """The state of a tree has the number of a node in `current`."""
    lab = open_lab(Document(engine.generate("restaurant", 60), (lane("decision_tree"),)), SMALL)
    why = lab.window.right_dock.why
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        active = table_of(lab).model_.table.active
        alone = active is not None and active.sum() == 1
        name = lab.session.problem.names[int(active.argmax())] if alone else ""
        assert why.as_text().startswith(f"{name} is now called" if alone else "Click a row")


@pytest.mark.slow
def test_a_predicted_number_is_shown_as_a_number(open_lab) -> None:
    lab = line(open_lab, TALL)
    press(lab, "Examples")
    lab.session.seek(len(lab.session.trace) - 1)
    click_row(lab.window.right_dock.figure.body.stack.currentWidget(), 11)
    why = lab.window.right_dock.why
    value = lab.session.trace.predict(lab.session.problem.X[[11]])[0]
    assert why.swatch.value == f"{value:.2f}"
    assert why.as_text().startswith(f"x₁₂ has the value {value:.2f}"[:20])
    assert "class" not in why.as_text()
    image = why.swatch.grab().toImage()
    assert image.width() > 30
    assert why.heading.text() == "Why this value?"


# -- in the lecture hall ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "key", "picture"),
    [
        (lambda: engine.textbook("restaurant"), "decision_tree", TreeFigure),
        (lambda: engine.textbook("spam"), "winnow", BarsFigure),
        (lambda: engine.generate("pundits", 40), "weighted_majority", PlotFigure),
        (lambda: engine.textbook("mit_bayes"), "naive_bayes", None),
    ],
)
def test_the_projector_sees_the_picture_of_the_method_large(
    open_lab, data, key: str, picture
) -> None:
    lab = open_lab(Document(data(), (lane(key),)), SMALL)
    half = len(lab.session.trace) // 2

    def shown() -> list[type]:
        lab.session.seek(half)
        lab.settle()
        return [type(pane.widget()) for _, pane in lab.window.stage.panes() if pane.isVisible()]

    desk = shown()
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert len(shown()) == 2
    large, table = (pane.widget() for _, pane in lab.window.stage.panes())
    assert any(isinstance(each, TableFigure) for each in (large, table))
    if picture is not None:
        assert isinstance(table, TableFigure)
        assert isinstance(large, picture)
    assert large.isVisible()
    assert (
        large.width() * large.height() > 0.35 * lab.window.stage.width() * lab.window.stage.height()
    )
    assert lab.window.caption_band.isVisible()
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert shown() == desk


@pytest.mark.parametrize("figure", [Tree("tree", (TreeNode(-1, "", "x", "leaf"),)), plot("curves")])
def test_a_figure_gets_whether_its_step_can_be_read(lab, figure) -> None:
    view = lab.session.lane_view
    stack = FigureStack(lab.session, lab.session.shown_lane)
    for view.playback_budget.whole_figures in (True, False, True):
        stack.show_figure(figure)
        assert stack.stack.currentWidget().rapid is not view.playback_budget.whole_figures


@pytest.mark.parametrize(
    "figure",
    [
        Space("", ("x", "y", "z"), np.zeros((1, 3)), np.zeros(1, np.intp)),
        Network("", (np.zeros(1),), ()),
    ],
)
def test_a_figure_gets_whether_steps_fly(lab, figure) -> None:
    view = lab.session.lane_view
    stack = FigureStack(lab.session, lab.session.shown_lane)
    for view.playback_budget.flying in (True, False):
        stack.show_figure(figure)
        assert stack.stack.currentWidget().flying is view.playback_budget.flying
