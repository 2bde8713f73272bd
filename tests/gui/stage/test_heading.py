"""The line above each of two views: its name, and a legend whose marks a click hides."""

from laboratory import LEFT, double_click
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.figure_legend import figure_legend, figure_without
from engine.scene.figures import Bars, Plot
from engine.scene.layers import Polyline, Role, Segments
from engine.scene.scene import Scene
from engine.scene.views import EXAMPLES, heading

ENDS = [[[0.0, 0.0], [0.0, 1.0]]]


def test_two_views_side_by_side_have_their_names_and_a_legend_that_hides_marks(open_lab) -> None:
    document = Document(engine.generate("sine", 12), (lane("gradient_boosting", members=1),))
    lab = open_lab(document)
    stage = lab.window.stage
    lab.session.seek(1)
    lab.settle()
    (_, left), (_, plane) = stage.panes()
    assert left.heading.title.startswith("Residuals") and plane.heading.title
    assert left.heading.height() == plane.heading.height(), "the planes begin at one height"
    (errors,) = (entry for entry in left.heading.entries.values() if "error" in entry.mark.words)
    before = len(left.widget().plot.layers)
    QTest.mouseClick(errors, LEFT)
    lab.settle()
    assert len(left.widget().plot.layers) < before and not errors.isChecked()
    QTest.mouseClick(errors, LEFT)
    lab.settle()
    assert len(left.widget().plot.layers) == before
    double_click(left.heading, QPoint(12, 8))
    assert not errors.isVisible(), "the legend is hidden as a whole"
    double_click(left.heading, QPoint(12, 8))
    stage.choose("Residuals")
    lab.settle()
    (_, alone), *_ = stage.panes()
    assert alone.heading.title == "Residuals: r = y − F, what F leaves", "more than its name"
    stage.choose("Examples")
    lab.settle()
    (_, alone), *_ = stage.panes()
    assert not alone.heading.title, "its name is in the switcher"
    stage.choose("Plane")
    lab.settle()
    assert plane.heading.title.startswith("F so far"), "what the step says of its plane"


def test_a_figure_lists_what_its_tags_say_and_nothing_that_a_role_means_elsewhere() -> None:
    curve = Polyline([[0.0, 0.0], [1.0, 1.0]], Role.MARGIN)  # no margin here
    plot = Plot("Residuals", "x", "r", (curve, Segments(ENDS, Role.PLAIN, tag="errors")))
    (mark,) = figure_legend(plot)
    assert figure_without(plot, frozenset({mark.words})).layers == (curve,)
    assert figure_without(plot, frozenset({"margin"})).layers == plot.layers
    bars = Bars("Errors", ("0",), [0.5], before=[0.4], ticks="by the sum")
    assert [mark.words for mark in figure_legend(bars)] == ["by the sum"]
    assert figure_without(bars, frozenset({"by the sum"})).before is None


def test_the_plane_is_named_by_its_page_or_by_what_it_shows() -> None:
    assert heading(Scene(), None) == EXAMPLES
    assert heading(Scene(plane="The sum so far"), None) == "The sum so far"


def test_no_step_takes_the_room_of_a_heading_away(open_lab) -> None:
    """Some steps of Categorical Bayes say something over the table, others do not."""
    lab = open_lab(Document(engine.textbook("play_tennis"), (lane("categorical_bayes"),)))
    stage = lab.window.stage
    stage.choose("Examples")
    lab.settle()
    ((_, pane),) = stage.panes()
    heights = {}
    for step in (*range(len(lab.session.trace)), 0, 1):
        lab.session.seek(step)
        lab.settle()
        heights.setdefault(pane.heading.title, []).append(pane.stack.geometry().height())
    named = {height for title, found in heights.items() if title for height in found}
    assert len(named) == 1 and "" in heights
    assert heights[""][-1] in named, "the room stays once it was needed"
