"""The grid of numbers and the second plane."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QImage

from engine.base.records import replace
from engine.base.tags import names_in
from engine.scene.scene import (
    Boxes,
    Matrix,
    Plot,
    Points,
    Polyline,
    Role,
)
from gui.figures.matrix import LABEL_GAP, MatrixFigure
from gui.figures.plot import PlotFigure
from gui.look import theme
from gui.look.ink import Face, face


@pytest.fixture(autouse=True)
def light(qapp):
    theme.use("light")


def shown(qtbot, widget, width=320, height=240):
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    return widget


def confusion():
    values = np.array([[40.0, 3], [5, 52]])
    return Matrix(
        "Confusion", ("yes", "no"), ("yes", "no"), values, ((0, 1),), 2, True, "predicted", "true"
    )


def test_cells_are_shaded_by_size_and_those_of_this_step_amber(qtbot):
    figure = shown(qtbot, MatrixFigure())
    figure.set_figure(confusion())
    image = figure.grab().toImage()

    def ground(row, column):
        return image.pixelColor((figure.cell(row, column).topLeft().toPoint()) + QPoint(5, 5))

    assert ground(0, 1).name().upper() == theme.current().now
    assert ground(1, 1).lightness() < ground(0, 0).lightness() < ground(1, 0).lightness()
    assert figure.as_text().splitlines() == [
        "Confusion",
        "true / predicted\tyes\tno",
        "yes\t40\t*3",
        "no\t5\t52",
    ]


def test_a_large_matrix_scrolls_and_keeps_its_numbers_whole(qtbot):
    figure = shown(qtbot, MatrixFigure())
    values = np.random.default_rng(0).normal(size=(64, 64)) * 1000
    names = tuple(f"class {k}" for k in range(64))
    figure.set_figure(Matrix("large", names, names, values))
    assert figure.horizontalScrollBar().maximum() > 0
    assert figure.verticalScrollBar().maximum() > 0
    assert "−" in figure.as_text()
    wide, _ = figure.cell_size()

    assert wide >= max(face("body").width(figure.text(r, c)) for r in range(64) for c in range(64))
    assert figure.tip_at(figure.cell(3, 2).center()) == f"class 3, class 2: {figure.text(3, 2)}"


def test_equal_scales_are_equal(qtbot):
    figure = shown(qtbot, PlotFigure(), 400, 200)
    figure.set_figure(
        Plot("", "x", "y", (Points(np.array([[0.0, 0], [1, 1]]), np.array([0, 0])),), equal=True)
    )
    ux, uy = figure.view().unit
    assert ux == pytest.approx(uy)
    assert figure.heightForWidth(300) == 300


@pytest.mark.parametrize("large", [False, True])
def test_an_axis_may_have_a_name_and_no_numbers(qtbot, large: bool):
    """The squares of a Karnaugh map name their own columns and rows: nothing is written beside the
    frame.
    """
    square = Boxes(np.array([[0.0, 2.0, 0.0, 2.0]]), np.array([0]))
    plot = Plot("Map", "x₁ x₂", "x₃", (square,), x_range=(0, 2), y_range=(0, 2))

    def inked(figure) -> int:
        """Dark pixels outside of the frame."""
        image = figure.grab().toImage()
        frame = figure.view().rect.adjusted(-1, -1, 1, 1)
        places = [
            (x, y)
            for x in range(image.width())
            for y in range(image.height())
            if not frame.contains(x, y)
        ]
        ground = image.pixelColor(0, image.height() - 1).lightness()
        return sum(image.pixelColor(x, y).lightness() < ground - 60 for x, y in places)

    figure = shown(qtbot, PlotFigure())
    figure.set_large(large)
    figure.set_figure(plot)
    frame = figure.view().rect
    assert inked(figure) > 20
    figure.set_figure(replace(plot, ticks=False))
    assert inked(figure) == 0
    assert figure.view().rect.width() > frame.width()
    assert "from" not in figure.as_text()


def test_pointing_at_a_curve(qtbot):
    figure = shown(qtbot, PlotFigure())
    curve = Polyline(np.array([[0.0, 0.0], [1.0, 1.0]]), Role.ACCEPTED, label="train", tag="train")
    figure.set_figure(Plot("Errors", "round", "errors", (curve,), x_range=(0, 1), y_range=(0, 1)))
    tags = []
    figure.hovered.connect(tags.append)
    view = figure.view()
    middle = QPointF(*view.to_pixels(np.array([0.5, 0.5])).tolist()).toPoint()
    qtbot.mouseMove(figure, middle)
    qtbot.waitUntil(lambda: tags == ["train"])
    qtbot.mouseMove(figure, (view.rect.topLeft() + view.rect.center()).toPoint() / 2)
    qtbot.waitUntil(lambda: tags == ["train", ""])
    image = figure.grab().toImage()
    assert image.pixelColor(middle).lightness() < 60
    assert figure.as_text() == "Errors\nround from 0 to 1, errors from 0 to 1\npolyline, 2: train"


def test_pointing_at_a_cell_lights_its_row_and_its_column(qtbot):
    figure = shown(qtbot, MatrixFigure())
    names = ("x1", "x2", "x3")
    tags = tuple(f"row {k}" for k in (1, 2, 3))
    figure.set_figure(Matrix("K", names, names, np.eye(3), row_tags=tags, column_tags=tags))
    assert names_in(figure.tag_at(figure.cell(0, 2).center())) == ("row 1", "row 3")
    assert figure.tag_at(figure.cell(1, 1).center()) == "row 2"
    assert (
        figure.tag_at(figure.cell(1, 0).center() - QPointF(figure.cell_size()[0], 0)) == "row 2"
    )  # the name beside it
    assert figure.tag_at(figure.cell(2, 2).bottomRight() + QPointF(5, 5)) == ""
    plain = figure.grab().toImage()
    figure.set_lit(frozenset({"row 1", "row 3"}))
    assert [(r, c) for r in range(3) for c in range(3) if figure.pointed_at(r, c)] == [
        (0, 0),
        (0, 2),
        (2, 0),
        (2, 2),
    ]
    frame = figure.cell(0, 2).topLeft().toPoint() + QPoint(1, 12)
    assert (
        figure.grab().toImage().pixelColor(frame).lightness()
        < 60
        < plain.pixelColor(frame).lightness()
    )
    middle = figure.cell(0, 2).center().toPoint() + QPoint(0, 9)
    # it is outlined, not covered
    assert figure.grab().toImage().pixelColor(middle) == plain.pixelColor(middle)


def test_a_plot_of_small_pictures_has_the_points_of_a_thumbnail(qtbot):
    """As large as a plane, its points are still as small as in a dock."""

    def inked(small, large):
        figure = shown(qtbot, PlotFigure())
        points = Points(np.zeros((1, 2)), np.array([0]), Role.POINT)
        figure.set_figure(
            Plot(
                "grid",
                "",
                "",
                (points,),
                ticks=False,
                small=small,
                x_range=(-1, 1),
                y_range=(-1, 1),
            )
        )
        figure.set_large(large)
        image = figure.grab().toImage()
        colour = theme.current().group(0)
        return sum(
            image.pixelColor(x, y) == colour
            for x in range(image.width())
            for y in range(image.height())
        )

    assert inked(True, True) == inked(False, False) < 0.6 * inked(False, True)


def test_a_minus_sign_more_makes_no_scroll_bar(qtbot):
    """Seven columns at the width of half a window of 1280: numbers stand closer before the figure
    scrolls.
    """
    figure = shown(qtbot, MatrixFigure(), 315, 240)
    plain = Matrix("U and V", ("x₁",), tuple("uvabcde"), np.full((1, 7), 1.5), (), 1)
    figure.set_figure(plain)
    before = figure.cell_size()[0]
    assert figure.horizontalScrollBar().maximum() == 0
    signed = np.array([[-0.4, 1.5, 1.0, 2.0, 3.0, -1.1, 2.5]])
    figure.set_figure(replace(plain, values=signed))
    assert figure.horizontalScrollBar().maximum() == 0
    assert figure.cell_size()[0] == before  # and nothing jumps
    assert before >= max(face("body", 700).width(figure.text(0, c)) + 4 for c in range(7))


def test_the_remembered_size_of_cells_is_of_the_matrix_and_the_look_that_are_there(qtbot):
    """As that of a figure that knew no other."""

    def anew(matrix):
        fresh = shown(qtbot, MatrixFigure())
        fresh.set_figure(matrix)
        return fresh.cell_size(), fresh.sizeHint()

    figure = shown(qtbot, MatrixFigure())
    wide = Matrix("Wide", ("a",), ("p", "q", "r", "s", "t", "u"), np.full((1, 6), 123456.75))
    seen = set()
    for matrix, look in (
        (confusion(), "light"),
        (wide, "light"),
        (wide, "projector"),
        (wide, "light"),
    ):
        theme.use(look)
        figure.set_figure(confusion())
        figure.set_figure(matrix)
        theme.use("dark")
        figure.cell_size()
        theme.use(look)
        assert (figure.cell_size(), figure.sizeHint()) == anew(matrix)
        seen.add(figure.cell_size())
    assert len(seen) == 3
    theme.use("light")


def test_the_names_of_many_rows_are_measured_once_for_a_step(qtbot, monkeypatch):
    """Every row in sight asks where its name ends, which is where the longest name of all does."""
    figure = shown(qtbot, MatrixFigure(), 400, 600)
    names = tuple(f"example {k}" for k in range(300))
    measured = []
    width = Face.width
    monkeypatch.setattr(
        Face, "width", lambda face, text: (measured.append(text), width(face, text))[1]
    )
    figure.set_figure(Matrix("M", names, ("a",), np.arange(300.0)[:, None] / 7))
    figure.grab()
    # of the room beside the cells, and to draw it where it is seen
    assert measured.count("example 299") <= 2
    assert figure.left() == round(width(face("body"), "example 200") + LABEL_GAP)


def test_a_matrix_of_another_step_or_look_is_measured_again(qtbot):
    figure = shown(qtbot, MatrixFigure())
    figure.set_figure(confusion())
    narrow = figure.left()
    figure.set_figure(replace(confusion(), row_labels=("a much longer name", "no")))
    wide = figure.left()
    theme.use("projector")
    assert narrow < wide < figure.left()


def test_a_plot_that_flies_by_has_its_curves_where_they_are_at_rest(qtbot):
    figure = shown(qtbot, PlotFigure())
    curve = Polyline(np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]), Role.GHOST)
    images = []
    for figure.rapid in (False, True, False):
        figure.set_figure(Plot("", "x", "y", (curve,)))
        image = figure.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        images.append(
            np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4).astype(int)
        )
    still, flown, again = images
    assert (np.abs(still - flown).max(axis=2) > 60).mean() < 0.003
    assert (still == again).all()


def test_a_matrix_lit_as_a_whole_has_one_frame_not_one_round_each_cell(qtbot) -> None:
    names = ("a", "b", "c")
    figure = MatrixFigure()
    qtbot.addWidget(figure)
    figure.set_figure(Matrix("Answers", names, names, np.eye(3), row_tags=("all",) * 3))
    figure.resize(300, 300)
    cell = figure.cell(1, 1)
    corner = (round(cell.left()) + 1, round(cell.center().y()))
    before = figure.grab().toImage().pixelColor(*corner)
    figure.set_lit(frozenset(("all",)))
    assert figure.grab().toImage().pixelColor(*corner) == before
