"""Rows are called in tables and trees as the sentences call them, where a table gives
them names.
"""

import pytest
from laboratory import Lab
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Role, Table, Tree, TreeNode, data_table
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column
from engine.table.prepare import Split, prepare
from gui.figures.row_names import NUMBERED, names_of
from gui.figures.table import TableFigure
from gui.figures.table_cells import BOX_MARGIN
from gui.figures.tree import TreeFigure
from gui.figures.tree_look import FULL, measure
from gui.look.ink import box_width

LONG = "Hildegard of the green valley behind the seven hills"


def people(names: list[str]) -> Dataset:
    n = len(names)
    return Dataset(
        (
            category_column("who", names, role=ColumnRole.NAME),
            number_column("u", [float(k) for k in range(n)]),
            category_column(
                "y", ["Yes" if k % 2 else "No" for k in range(n)], role=ColumnRole.TARGET
            ),
        )
    )


def shown(lab: Lab, kind: type) -> TableFigure | TreeFigure:
    return next(w for w in lab.window.findChildren(kind) if w.isVisible())


def boxes(figure: TableFigure) -> list[str]:
    model = figure.model_
    return [
        model.data(model.index(row, 0), Qt.ItemDataRole.DisplayRole)
        for row in range(model.rowCount())
    ]


def textbook(open_lab, name: str, method: str) -> Lab:
    lab = open_lab(Document(engine.textbook(name), (lane(method),)))
    lab.settle()
    return lab


def test_the_table_calls_the_row_as_the_sentence_does(open_lab) -> None:
    """MMDS Fig 12.6: the e-mails are called a … f."""
    lab = textbook(open_lab, "spam", "perceptron")
    table = shown(lab, TableFigure)
    assert boxes(table) == list("abcdef")
    lab.session.seek(4)
    lab.settle()
    assert "d is −1" in lab.session.step.note.text()
    assert [boxes(table)[row] for row in table.current] == ["d"]


def test_the_tree_calls_them_so_too(open_lab) -> None:
    lab = textbook(open_lab, "spam", "decision_tree")
    tree = shown(lab, TreeFigure)
    assert "[a c e b d f]" in tree.as_text()
    node = next(node for node in tree.nodes if len(node.boxes) == 6)
    assert sorted(measure(node, FULL, 2, tree.names).rows) == list("abcdef")


def test_rows_without_names_keep_their_numbers(open_lab) -> None:
    lab = textbook(open_lab, "restaurant", "decision_tree")
    assert names_of(lab.session.problem) is NUMBERED
    assert boxes(shown(lab, TableFigure)) == [str(k) for k in range(1, 13)]
    lab.session.seek(3)
    lab.settle()
    node = max(shown(lab, TreeFigure).nodes, key=lambda node: len(node.boxes))
    assert sorted(measure(node, FULL, 2, names_of(lab.session.problem)).rows, key=int) == [
        str(k) for k in range(1, 13)
    ]


def test_rows_that_a_table_calls_x1_and_x2_are_numbers_and_others_are_not() -> None:
    problem = prepare(people(["x1", "x2", "c", "x9"]))
    assert dict(names_of(problem).own) == {3: "c", 4: "x₉"}
    assert names_of(prepare(people(["x1", "x2", "x3"]))) is NUMBERED
    assert names_of(None) is NUMBERED


def test_a_row_keeps_its_name_when_others_are_set_aside(qtbot) -> None:
    problem = prepare(people(list("abcdefgh")), split=Split(share=0.5))
    figure = TableFigure()
    qtbot.addWidget(figure)
    figure.set_names(names_of(problem))
    figure.set_figure(data_table(problem))
    assert boxes(figure) == list(problem.names)
    assert len(problem.names) < 8


def test_the_lines_of_other_tables_keep_their_numbers(qtbot) -> None:
    figure = TableFigure()
    qtbot.addWidget(figure)
    figure.set_names(names_of(prepare(people(list("abc")))))
    figure.set_figure(Table("Steps", (), ("(1)", "(2)", "(3)")))
    assert boxes(figure) == ["1", "2", "3"]


@pytest.fixture
def long_table(qtbot) -> TableFigure:
    figure = TableFigure()
    qtbot.addWidget(figure)
    figure.resize(420, 260)
    figure.show()
    problem = prepare(people(["Ann", LONG, "Bo"]))
    figure.set_names(names_of(problem))
    figure.set_figure(data_table(problem))
    return figure


def test_a_long_name_is_cut_and_the_tip_says_all_of_it(long_table: TableFigure) -> None:
    width = long_table.columnWidth(0)
    assert box_width("Ann", 2) + 2 * BOX_MARGIN <= width <= 150
    assert long_table.columnWidth(1) > 40
    place = long_table.visualRect(long_table.model_.index(1, 0)).center()
    port = long_table.viewport()
    QApplication.sendEvent(port, QHelpEvent(QEvent.Type.ToolTip, place, port.mapToGlobal(place)))
    assert QToolTip.text() == LONG
    QToolTip.hideText()


def test_nothing_of_a_long_name_is_painted_outside_its_box(long_table: TableFigure) -> None:
    cell = long_table.visualRect(long_table.model_.index(1, 0))
    image = long_table.viewport().grab(cell).toImage()
    for x in (*range(1, 6), *range(image.width() - 6, image.width() - 1)):
        column = {image.pixelColor(x, y).name() for y in range(3, image.height() - 3)}
        assert len(column) == 1, "the ground alone"


def test_the_column_becomes_wider_with_the_names(qtbot, long_table: TableFigure) -> None:
    problem = prepare(people(["a", "b", "c"]))
    wide = long_table.columnWidth(0)
    long_table.set_names(names_of(problem))
    long_table.set_figure(data_table(problem))
    assert long_table.columnWidth(0) < wide


def test_long_names_leave_the_boxes_of_a_tree_small() -> None:
    node = TreeNode(-1, "", "u", boxes=((0, 0), (1, 1), (2, 0)))
    short, tall = (
        names_of(prepare(people(names))) for names in (["A1", "b", "c"], ["Ann", "Bo", "Cy"])
    )
    assert measure(node, FULL, 2, short).rows == ("A1", "b", "c")
    assert measure(node, FULL, 2, tall).rows == ("1", "2", "3")


def test_a_tree_says_whole_names_in_its_text(qtbot) -> None:
    figure = TreeFigure()
    qtbot.addWidget(figure)
    figure.set_names(names_of(prepare(people(["Ann", "Bo", "Cy"]))))
    figure.set_figure(Tree("t", (TreeNode(-1, "", "u", boxes=((0, 0), (2, 0))),), ("No", "Yes")))
    assert figure.as_text() == "u [Ann Cy]"


def test_the_target_is_written_as_the_class_is_called(qtbot) -> None:
    """Spam's classes are +1 and −1; 1 in the table beside +1 everywhere else would be
    another name.
    """
    table = data_table(prepare(engine.textbook("spam")))
    figure = TableFigure()
    qtbot.addWidget(figure)
    figure.set_figure(table)
    column = next(k for k, c in enumerate(table.columns, 1) if c.role is Role.BOUNDARY)
    assert [figure.model_.text(row, column) for row in range(3)] == ["+1", "−1", "+1"]
