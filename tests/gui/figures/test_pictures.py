"""The pad: ink where the pointer goes, a rubber, keys; in the window the learners answer while one
draws.
"""

import numpy as np
import pytest
from laboratory import LEFT, NONE, RIGHT, Key
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Pictures
from gui.figures.pictures import PicturesFigure


def place(figure: PicturesFigure, x: float, y: float) -> QPoint:
    """In cells of the first picture, across and down."""
    frame = figure.frame(0)
    rows, columns = figure.cells.shape
    at = QPoint(
        round(frame.left() + frame.width() * x / columns),
        round(frame.top() + frame.height() * y / rows),
    )
    return at - figure.origin().toPoint()


def stroke(figure: PicturesFigure, *places: tuple[float, float], button=LEFT) -> None:
    view = figure.viewport()
    QTest.mousePress(view, button, NONE, place(figure, *places[0]))
    for to in places[1:]:
        QTest.mouseMove(view, place(figure, *to))
    QTest.mouseRelease(view, button, NONE, place(figure, *places[-1]))


@pytest.fixture
def pad(qtbot):
    figure = PicturesFigure()
    qtbot.addWidget(figure)
    figure.resize(320, 320)
    figure.set_figure(Pictures("Pad", np.zeros((1, 8, 8)), paints="drawn", most=16.0))
    figure.show()
    QTest.qWaitForWindowExposed(figure)
    figure.emitted = []
    figure.painted.connect(lambda *args: figure.emitted.append(args))
    return figure


def test_a_dab_inks_its_cell_and_greys_those_beside_it(pad) -> None:
    stroke(pad, (2.5, 3.5))
    assert pad.cells[3, 2] == 1.0
    # their middles are one cell away, ink reaches 1.25
    for beside in ((2, 2), (4, 2), (3, 1), (3, 3)):
        assert pad.cells[beside] == pytest.approx(0.25, abs=0.06)
    assert np.count_nonzero(pad.cells) == 5
    name, numbers, number = pad.emitted[-1]
    assert (name, number, len(numbers)) == ("drawn", 1, 64)
    assert numbers[3 * 8 + 2] == 16.0


def test_a_fast_stroke_leaves_no_gap(pad) -> None:
    stroke(pad, (0.5, 4.5), (7.5, 4.5))
    assert (pad.cells[4] > 0.95).all()
    assert (pad.cells[:3] == 0).all()
    assert {args[2] for args in pad.emitted} == {1}
    stroke(pad, (4.5, 1.5))
    assert pad.emitted[-1][2] == 2


def test_the_right_button_rubs_out(pad) -> None:
    stroke(pad, (0.5, 4.5), (7.5, 4.5))
    stroke(pad, (6.5, 4.5), (6.5, 4.5), button=RIGHT)
    assert pad.cells[4, 6] == 0
    assert pad.cells[4, 4] > 0.95


def test_keys_draw_and_clear(pad) -> None:
    pad.setFocus()
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Down, Key.Key_Return):
        QTest.keyClick(pad, key)
    assert np.argwhere(pad.cells).tolist() == [[1, 2]]
    QTest.keyClick(pad, Key.Key_Return)
    assert not pad.cells.any()
    stroke(pad, (2.5, 2.5))
    QTest.keyClick(pad, Key.Key_Delete)
    assert not pad.cells.any()
    assert set(pad.emitted[-1][1]) == {0.0}
    for _ in range(9):
        QTest.keyClick(pad, Key.Key_Up)
    assert pad.spot[0] == 0


def test_what_comes_afterwards_does_not_undo_the_line(pad) -> None:
    """While a button is down, a picture of an earlier moment changes nothing; after that the
    state's picture counts.
    """
    view = pad.viewport()
    QTest.mousePress(view, LEFT, NONE, place(pad, 1.5, 1.5))
    pad.set_figure(Pictures("Pad", np.zeros((1, 8, 8)), paints="drawn", most=16.0))
    assert pad.cells[1, 1] == 1.0
    QTest.mouseRelease(view, LEFT, NONE, place(pad, 1.5, 1.5))
    pad.set_figure(Pictures("Pad", np.zeros((1, 8, 8)), paints="drawn", most=16.0))
    assert not pad.cells.any()


def test_a_picture_that_no_parameter_holds_is_not_painted(qtbot) -> None:
    figure = PicturesFigure()
    qtbot.addWidget(figure)
    figure.resize(300, 200)
    figure.set_figure(Pictures("Nearest", np.zeros((5, 8, 8)), tuple("35838"), tag="nearest"))
    figure.show()
    stroke(figure, (2.5, 2.5))
    assert not figure.cells.any()
    assert figure.tag_at(figure.frame(3).center()) == "nearest"
    frames = [figure.frame(k) for k in range(5)]
    assert not any(a.intersects(b) for k, a in enumerate(frames) for b in frames[:k])
    assert max(frame.right() for frame in frames) <= 300


def test_the_pad_stays_where_it_is_when_pictures_come_below_it(pad) -> None:
    """Else a line would jump under the pointer."""
    before = pad.frame(0)
    pad.set_figure(Pictures("Pad", np.zeros((6, 8, 8)), ("", *"35838"), paints="drawn", most=16.0))
    frames = pad.frames()
    assert frames[0] == before
    assert all(frame.top() > before.bottom() for frame in frames[1:])
    assert max(frame.bottom() + pad.below() for frame in frames) <= pad.viewport().height()
    stroke(pad, (2.5, 3.5))
    assert pad.cells[3, 2] == 1.0


def test_pictures_are_paper_and_ink(pad) -> None:
    stroke(pad, (2.5, 3.5))
    shot = pad.viewport().grab().toImage()
    inked, paper = (
        shot.pixelColor(pad.cell(*cell).center().toPoint()).lightness() for cell in ((3, 2), (6, 6))
    )
    assert inked < 60
    assert paper > 240


# -- in the window ---------------------------------------------------------------------------------


def test_the_learners_answer_while_one_draws(open_lab) -> None:
    lab = open_lab(Document(table(), (lane("digit_pad"),)))
    lab.settle(30)
    lab.session.seek(0)
    lab.settle()
    pads = [
        f for f in lab.window.findChildren(PicturesFigure) if f.isVisible() and f.pictures.paints
    ]
    (pad,) = pads
    pad.setFocus()
    QTest.keyClick(pad, Key.Key_Delete)
    lab.settle()
    assert lab.session.step.line == "sure"
    assert lab.session.step.state.answers == ()
    stroke(pad, (0.5, 1.5), (2.5, 1.5))
    lab.settle()
    step = lab.session.step
    assert step.line == "sure"
    assert {lab.session.problem.classes[a.label] for a in step.state.answers} == {"across"}
    assert step.state.x.reshape(3, 3)[1].min() > 150
    lab.session.undo()  # one stroke, however many movements
    lab.settle()
    assert set(lab.session.lane.params.drawn) == {0.0}
    lab.session.undo()
    assert lab.session.lane.params.drawn == ()


def table() -> engine.Dataset:
    """Strokes of three by three cells."""
    rng = np.random.default_rng(0)
    across, down = np.zeros((3, 3)), np.zeros((3, 3))
    across[1], down[:, 1] = 200, 200
    X = np.array([(across if k % 2 else down).ravel() + rng.integers(0, 40, 9) for k in range(40)])
    return engine.Dataset.from_arrays(X, ["across" if k % 2 else "down" for k in range(40)])
