"""A new kind of figure is a class and its widget: with these it leads, is shown beside the plane
and comes along in exports.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

import engine
from engine.base.records import replace
from engine.scene.figures import Figure
from engine.scene.scene import Scene, data_table
from engine.scene.views import leads
from engine.web.picture import Views
from gui.export.figure import paint_figures
from gui.figures import FIGURES, shows
from gui.frame.figure_panel import FigureStack
from gui.look.theme import LIGHT

GREEN = QColor("#00FF00")


class Dial(Figure):
    """A share from 0 to 1, filled from the left."""

    share: float
    beside: bool = True


@pytest.fixture(autouse=True)
def widget() -> Iterator[None]:
    """The widget of `Dial`."""

    @shows(Dial)
    class DialFigure(QWidget):
        def set_figure(self, figure: Dial) -> None:
            self.share = figure.share
            self.update()

        def paintEvent(self, event: QPaintEvent) -> None:
            with QPainter(self) as painter:
                painter.fillRect(0, 0, round(self.share * self.width()), self.height(), GREEN)

    yield
    del FIGURES[Dial]


def green_share(picture: QImage) -> float:
    """The share of green pixels."""
    raw = picture.convertToFormat(QImage.Format.Format_RGB32)
    values = np.frombuffer(raw.constBits(), np.uint8).reshape(raw.height(), raw.width(), 4)
    return float((values[..., 2::-1] == GREEN.getRgb()[:3]).all(axis=2).mean())


def test_it_leads_where_it_is_worth_the_room() -> None:
    problem = engine.run("decision_tree", engine.textbook("restaurant")).problem
    table = data_table(problem)
    assert leads(Scene((), (table, Dial("Dial", 0.5))), problem)[0] == "Dial"
    assert leads(Scene((), (table, Dial("Dial", 0.5, False))), problem)[0] == table.title


def test_the_stack_of_figures_shows_it(open_lab, qtbot) -> None:
    session = open_lab().session
    stack = FigureStack(session, session.shown_lane)
    qtbot.addWidget(stack)
    stack.resize(200, 100)
    stack.show_figure(Dial("Dial", 0.25))
    assert green_share(stack.stack.currentWidget().grab().toImage()) == pytest.approx(
        0.25, abs=0.01
    )


def test_an_export_paints_it(qapp) -> None:
    problem = engine.run("decision_tree", engine.textbook("restaurant")).problem
    picture = QImage(400, 300, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        scene = Scene((), (Dial("Dial", 1.0),))
        paint_figures(painter, QRectF(0, 0, 400, 300), problem=problem, scene=scene, theme=LIGHT)
    assert green_share(picture) > 0.5


def test_a_page_for_the_browser_goes_without_it() -> None:
    trace = engine.run("perceptron", engine.generate("blobs", 20, 0.3, 1))
    scene = trace.algorithm.scene(trace.given, trace[-1])
    with_dial = replace(scene, figures=(*scene.figures, Dial("Dial", 0.5)))
    page = Views(trace, {})
    assert page.of_step(-1, with_dial).keys() == page.of_step(-1, scene).keys()
