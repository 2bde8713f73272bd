"""The confusion and the ROC of the shown step in the window: they follow it, and a clicked cell
marks its rows.
"""

from collections.abc import Callable

import numpy as np
import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge import judging
from engine.protocol.step import Level
from engine.scene.figures import Matrix, Plot
from engine.table.prepare import Split
from gui.dialogs.table_editor import TableEditor
from gui.figures.matrix import MatrixFigure

pytestmark = pytest.mark.slow


def split(*keys: str) -> Document:
    data = engine.generate("moons", n=70, noise=0.4)
    return Document(data, tuple(lane(key) for key in keys), split=Split(share=0.3))


def staged(lab: Lab, name: str = "Confusion") -> MatrixFigure:
    """The figure beside the plane."""
    stage = lab.window.lanes.stage
    if name not in stage.arrangement.names:
        stage.choose(name, beside=True)
    (figure,) = (f for f in stage.findChildren(MatrixFigure) if f.isVisible())
    return figure


def counts(figure: MatrixFigure) -> list[list[float]]:
    return figure.matrix.values[:2].tolist()


def wanted(lab: Lab, at: int) -> list[list[int]]:
    held = lab.session.problem.held_out
    said = lab.session.trace.codes(held.X, at)
    return [[int(np.sum((held.codes == r) & (said == c))) for c in range(2)] for r in range(2)]


def click(figure: MatrixFigure, row: int, column: int) -> None:
    place: QPointF = figure.in_view(figure.cell(row, column).center())
    QTest.mouseClick(figure.viewport(), LEFT, pos=place.toPoint())


@pytest.mark.usefixtures("patient")
def test_the_confusion_is_that_of_the_shown_step(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(split("perceptron"))
    figure = staged(lab)
    for at in (3, 20, 21):
        lab.session.seek(at)
        lab.settle()
        assert counts(figure) == wanted(lab, at)
    lab.key(Key.Key_Right)
    assert counts(figure) == wanted(lab, 22)


@pytest.mark.usefixtures("patient")
def test_a_clicked_cell_marks_its_rows_on_the_plane_and_in_the_table(
    open_lab: Callable[..., Lab],
) -> None:
    lab = open_lab(split("perceptron"))
    lab.session.seek(20)
    figure = staged(lab)
    held = lab.session.problem.held_out
    said = lab.session.trace.codes(held.X, 20)
    rows = sorted(held.numbers[i] - 1 for i in np.flatnonzero((held.codes == 1) & (said == 1)))
    assert len(rows) > 2
    editor = TableEditor(lab.session, lab.window)
    editor.show()
    click(figure, 1, 1)
    assert sorted(lab.session.pointer.selected) == rows
    assert sorted(index.row() for index in editor.view.selectionModel().selectedRows()) == rows
    (ring,) = (layer for layer in lab.window.plane.ringed() if layer.role.name == "SUPPORT")
    assert np.allclose(
        np.sort(ring.xy, axis=0),
        np.sort(lab.session.problem.held_out.xy[(held.codes == 1) & (said == 1)], axis=0),
    )
    click(figure, 1, 1)
    assert not lab.session.pointer.selected
    assert len(editor.view.selectionModel().selectedIndexes()) == 1  # the current cell
    click(figure, 2, 0)  # a measure counts no rows
    assert not lab.session.pointer.selected
    click(figure, 1, 1)
    editor.close()
    again = TableEditor(lab.session, lab.window)
    assert sorted(index.row() for index in again.view.selectionModel().selectedRows()) == rows
    again.close()


def test_where_judging_is_slow_the_window_waits_for_its_worker(
    open_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "FEW_PAIRS", 0)
    monkeypatch.setattr(judging, "MANY_PAIRS", 0)
    lab = open_lab(split("perceptron"))
    figure = staged(lab)
    trace = lab.session.trace
    first, second = trace.indices(Level.ROUND)[1:3]
    lab.session.seek(second - 1)
    lab.settle()
    assert counts(figure) == wanted(lab, first)
    assert figure.matrix.x_label.endswith("as of the end of round 1")
    lab.session.seek(second)
    assert counts(figure) == wanted(lab, second)


@pytest.mark.usefixtures("patient")
def test_each_lane_has_its_own(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(split("perceptron", "adaboost"), (1600, 900))
    lab.session.seek(30)
    for cell in lab.window.lanes.cells:
        view = cell.view
        matrix, plot = (
            next(f for f in view.scene.figures if f.title.startswith(title))
            for title in ("Confusion", "ROC")
        )
        assert isinstance(matrix, Matrix)
        assert isinstance(plot, Plot)
        held = view.problem.held_out
        assert matrix.values[:2].trace() == np.sum(
            view.trace.codes(held.X, view.cursor) == held.codes
        )


@pytest.mark.usefixtures("patient")
def test_without_a_split_there_is_nothing_to_judge(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(Document(engine.generate("moons", n=70), (lane("perceptron"),)))
    assert not {"Confusion", "ROC"} & set(lab.window.lanes.stage.known)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as judging is quick, however busy the machine is."""
    monkeypatch.setattr(judging, "QUICK_SECONDS", float("inf"))
