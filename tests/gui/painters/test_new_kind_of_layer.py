"""A new kind of layer is a class and its painter: with these it is fitted, hit, lit, listed in the
legend and drawn, in the window and on a page.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from engine.base.arrays import Float
from engine.base.records import replace
from engine.scene.geometry import Pixels
from engine.scene.layers import Layer, Role
from engine.scene.legend import legend, without
from engine.scene.plot_ranges import reach, span
from engine.scene.scene import Plot
from engine.web.frame import Frame
from engine.web.svg import Plane
from gui.figures.plot import PlotFigure
from gui.painters import obstacles
from gui.painters.hits import hit
from gui.painters.mark_picture import mark_pixmap
from gui.painters.view import PAINTERS, Brushwork, paints

GREEN = "#00FF00"
HALF = 6.0  # pixels


class Blocks(Layer):
    """Green squares of 12 pixels at xy (m, 2)."""

    parts = ("xy",)
    counted = True

    xy: Float
    role: Role = Role.REJECTED
    tag: str = ""
    tags: tuple[str, ...] = ()

    def places(self) -> Float:
        return self.xy

    def wanted(self, low: Float, high: Float) -> Float:
        return self.xy

    def distances(self, view: Pixels, at: Float) -> Float:
        return np.maximum(np.abs(view.pixels(self.xy) - at).max(axis=1) - HALF, 0.0)

    def dots(self) -> Float:
        return self.xy

    def sample(self) -> Layer:
        return replace(self, xy=np.zeros((1, 2)), tag="")


@pytest.fixture(autouse=True)
def painter() -> Iterator[None]:
    """The painter of `Blocks`; a lit layer is painted in black."""

    @paints(Blocks)
    def paint_blocks(b: Brushwork, layer: Blocks) -> None:
        colour = QColor("black" if layer.tag in b.lit else GREEN)
        for x, y in b.view.pixels(layer.xy).tolist():
            b.painter.fillRect(QRectF(x - HALF, y - HALF, 2 * HALF, 2 * HALF), colour)

    yield
    del PAINTERS[Blocks]


BLOCKS = Blocks(np.array([[1.0, 1.0], [3.0, 2.0]]), tag="blocks", tags=("first", "second"))


def test_it_is_drawn_where_it_lies(canvas) -> None:
    canvas.paint(BLOCKS)
    assert canvas.at(1.0, 1.0) == canvas.at(3.0, 2.0) == GREEN
    assert canvas.count(GREEN) == 2 * 12 * 12


def test_planes_fit_it() -> None:
    unit = ((0.0, 1.0), (0.0, 1.0))
    (low, high), (bottom, top) = reach([BLOCKS], unit, ((-5.0, 5.0), (-5.0, 5.0)))
    assert (low, high, bottom, top) == (0.0, 3.0, 0.0, 2.0)
    left, right = span(Plot("", "", "", (BLOCKS,)), 0)
    assert left < 1.0 and right > 3.0


def test_its_pieces_are_hit_and_light_alone(canvas) -> None:
    assert hit(canvas.view, [BLOCKS], 104, 204) == "first"
    assert hit(canvas.view, [BLOCKS], 300, 100) == "second"
    assert hit(canvas.view, [BLOCKS], 200, 150) is None
    canvas.paint(BLOCKS, lit=frozenset({"second"}))
    assert canvas.at(1.0, 1.0) == GREEN
    assert canvas.at(3.0, 2.0) == "#000000"


def test_the_legend_lists_counts_and_hides_it(qapp) -> None:
    (mark,) = legend([BLOCKS])
    assert (mark.words, mark.count) == ("rejected", 2)
    assert without([BLOCKS], frozenset({"rejected"})) == ()
    picture = mark_pixmap(mark, 1.0).toImage()
    greens = [
        picture.pixelColor(x, y).name().upper() == GREEN
        for x in range(picture.width())
        for y in range(picture.height())
    ]
    assert sum(greens) == 12 * 12


def test_labels_keep_off_it(canvas) -> None:
    assert obstacles(canvas.view, [BLOCKS]).tolist() == [[100.0, 200.0], [300.0, 100.0]]


def test_a_figure_shows_it_and_says_what_lies_under_the_pointer(qtbot) -> None:
    figure = PlotFigure()
    qtbot.addWidget(figure)
    figure.resize(400, 300)
    figure.set_figure(Plot("Own", "x", "y", (BLOCKS,)))
    figure.show()
    x, y = figure.view().pixels(BLOCKS.xy)[0]
    assert figure.grab().toImage().pixelColor(round(x), round(y)).name().upper() == GREEN
    with qtbot.waitSignal(figure.hovered) as heard:
        QTest.mouseMove(figure, QPoint(round(x), round(y)))
    assert heard.args == ["first"]
    assert "blocks, 2" in figure.as_text()


def test_a_page_for_the_browser_shows_its_points() -> None:
    drawn = Plane(Frame((0.0, 4.0), (0.0, 3.0), 400.0, 300.0), {}).draw([BLOCKS])
    assert 'x="100" y="200"' in "".join(drawn)
