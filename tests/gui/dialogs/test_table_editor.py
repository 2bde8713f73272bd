"""The table window: cells, blocks, rows and columns edited with real keys and clicks; the document
follows and undoes.
"""

import time
from typing import Any

import numpy as np
import pytest
import shiboken6
from laboratory import double_click
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QToolButton, QWidget

from engine.base.records import replace
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.table.dataset import ColumnRole, Dataset, Kind, category_column, number_column
from engine.table.transforms import Transform
from gui.dialogs.cell_editors import CategoryBox
from gui.dialogs.table_editor import TableEditor
from gui.look import style
from gui.session.session import Session

LEFT = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def editor(qtbot: Any, session: Session) -> Any:
    made = TableEditor(session)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    if shiboken6.isValid(made):
        made.close()


def labels(session: Session, name: str) -> list[Any]:
    return session.document.data[name].labels()


def goto(editor: TableEditor, row: int, column: int) -> None:
    editor.view.setFocus()
    editor.view.go(row, column)


def keys(*pressed: Any) -> None:
    """Keys and text to whatever has the focus at that moment, as a person types them."""
    for key in pressed:
        for one in key if isinstance(key, str) else [key]:
            target = QApplication.focusWidget()
            assert target is not None
            QTest.keyClick(target, *(one if isinstance(one, tuple) else (one,)))
            QApplication.processEvents()


def wake(qtbot: Any, editor: TableEditor) -> None:
    """A popup has closed; without a window system the window below does not become active again."""
    QApplication.processEvents()
    editor.activateWindow()
    qtbot.waitUntil(editor.isActiveWindow)


def select(editor: TableEditor, first: tuple[int, int], last: tuple[int, int]) -> None:
    """Click a cell and Shift-click another."""
    view = editor.view
    for (row, column), how in ((first, Qt.KeyboardModifier.NoModifier), (last, SHIFT)):
        where = view.visualRect(editor.cells.index(row, column)).center()
        QTest.mouseClick(view.viewport(), LEFT, how, where)


# -- cells -----------------------------------------------------------------------------------------


def test_a_line_in_a_cell_is_as_high_as_the_cell_and_qt_complains_of_nothing(
    editor: TableEditor, faults: list[str]
) -> None:
    editor.view.setRowHeight(1, 60)
    goto(editor, 1, 0)
    keys(Qt.Key.Key_Return)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    assert line.height() >= 60
    assert faults == []
    keys("2", Qt.Key.Key_Return)


def test_a_typed_number_is_in_the_document_and_undoes(
    editor: TableEditor, session: Session
) -> None:
    goto(editor, 1, 0)
    keys("-2.5", Qt.Key.Key_Return)
    assert labels(session, "x1") == [0.5, -2.5, 2, 3.5]
    assert editor.view.currentIndex().row() == 2, "Return goes to the cell below"
    assert editor.cells.index(1, 0).data() == "−2.5"
    keys((Qt.Key.Key_Z, CTRL))
    assert labels(session, "x1") == [0.5, 1, 2, 3.5]
    assert editor.cells.index(1, 0).data() == "1"
    keys((Qt.Key.Key_Y, CTRL))
    assert labels(session, "x1")[1] == -2.5


def test_return_opens_a_cell_and_escape_leaves_it(editor: TableEditor, session: Session) -> None:
    goto(editor, 0, 1)
    keys(Qt.Key.Key_Return)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    assert line.text() == "1"
    keys("99", Qt.Key.Key_Escape)
    assert labels(session, "x2")[0] == 1
    assert editor.isVisible()


def test_a_bad_number_gets_a_sentence_and_the_old_value_stays(
    editor: TableEditor, session: Session
) -> None:
    before = session.document
    goto(editor, 0, 0)
    keys("2;5", Qt.Key.Key_Return)
    assert session.document is before
    assert editor.cells.index(0, 0).data() == "0.5"
    assert editor.error.isVisible()
    assert "“2;5” is not a number" in editor.error.text()
    assert editor.view.currentIndex().row() == 0
    keys("2.5", Qt.Key.Key_Return)
    assert not editor.error.isVisible()
    assert labels(session, "x1")[0] == 2.5


def test_an_emptied_cell_is_missing(editor: TableEditor, session: Session) -> None:
    goto(editor, 0, 1)
    keys(Qt.Key.Key_Delete)
    assert labels(session, "x2")[0] is None
    assert editor.cells.index(0, 1).data() == ""


@pytest.mark.parametrize("word", ["?", "NaN"])
def test_a_word_for_missing_is_taken(editor: TableEditor, session: Session, word: str) -> None:
    goto(editor, 0, 0)
    keys(word, Qt.Key.Key_Return)
    goto(editor, 0, 2)
    keys(word, Qt.Key.Key_Return)
    assert (labels(session, "x1")[0], labels(session, "food")[0]) == (None, None)
    assert not editor.error.isVisible()


def test_a_category_is_typed(editor: TableEditor, session: Session) -> None:
    goto(editor, 0, 2)
    keys("Bur", Qt.Key.Key_Return)
    assert labels(session, "food")[0] == "Burger", "the rest is completed"


def test_a_category_is_chosen_with_the_mouse(
    qtbot: Any, editor: TableEditor, session: Session
) -> None:
    where = editor.view.visualRect(editor.cells.index(3, 2)).center()
    qtbot.mouseClick(editor.view.viewport(), LEFT, pos=where)
    double_click(editor.view.viewport(), where)
    box = editor.view.findChild(CategoryBox)
    qtbot.waitUntil(lambda: box.view().isVisible())
    row = box.findText("French")
    spot = box.view().visualRect(box.model().index(row, 0)).center()
    QTest.mouseMove(box.view().viewport(), spot)
    qtbot.mouseClick(box.view().viewport(), LEFT, pos=spot)
    qtbot.waitUntil(lambda: labels(session, "food")[3] == "French")


def choose_in_box(qtbot: Any, editor: TableEditor, words: str) -> None:
    keys(Qt.Key.Key_F2)
    box = editor.view.findChild(CategoryBox)
    box.showPopup()
    qtbot.waitUntil(lambda: box.view().isVisible())
    row = box.findText(words)
    while box.view().currentIndex().row() != row:
        qtbot.keyClick(
            box.view(), Qt.Key.Key_Down if box.view().currentIndex().row() < row else Qt.Key.Key_Up
        )
    qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    wake(qtbot, editor)


def test_a_new_value_can_be_typed(qtbot: Any, editor: TableEditor, session: Session) -> None:
    goto(editor, 1, 2)
    keys("Greek", Qt.Key.Key_Return)
    assert "“Greek” is not one of its values" in editor.error.text()
    assert labels(session, "food")[1] == "French"
    choose_in_box(qtbot, editor, "new value…")
    keys("Greek", Qt.Key.Key_Return)
    assert labels(session, "food")[1] == "Greek"
    assert not editor.error.isVisible()
    assert session.document.data["food"].categories[-1] == "Greek"


def test_a_missing_category(qtbot: Any, editor: TableEditor, session: Session) -> None:
    goto(editor, 1, 2)
    choose_in_box(qtbot, editor, "missing")
    assert labels(session, "food")[1] is None


# -- blocks ----------------------------------------------------------------------------------------


def test_a_block_is_copied_and_pasted(editor: TableEditor, session: Session) -> None:
    select(editor, (0, 0), (1, 1))
    keys((Qt.Key.Key_C, CTRL))
    assert QApplication.clipboard().text() == "0.5\t1\n1\t-1"
    goto(editor, 3, 0)
    keys((Qt.Key.Key_V, CTRL))
    assert labels(session, "x1") == [0.5, 1, 2, 0.5, 1]
    assert labels(session, "x2") == [1, -1, 0.25, 1, -1]
    assert labels(session, "food")[4] is None
    assert editor.selected() == ([3, 4], [0, 1])
    keys((Qt.Key.Key_Z, CTRL))
    assert len(session.document.data) == 4


def test_cells_of_a_spreadsheet(editor: TableEditor, session: Session) -> None:
    QApplication.clipboard().setText("1,5\tThai\r\n−3\tGreek\r\n")
    goto(editor, 0, 1)
    keys((Qt.Key.Key_V, CTRL))
    assert labels(session, "x2")[:2] == [1.5, -3]
    assert labels(session, "food")[:2] == ["Thai", "Greek"]


def test_one_cell_fills_the_selection(editor: TableEditor, session: Session) -> None:
    QApplication.clipboard().setText("7")
    select(editor, (0, 0), (2, 1))
    keys((Qt.Key.Key_V, CTRL))
    assert labels(session, "x1") == [7, 7, 7, 3.5]
    assert labels(session, "x2") == [7, 7, 7, None]


def test_a_block_that_does_not_fit_changes_nothing(editor: TableEditor, session: Session) -> None:
    before = session.document
    goto(editor, 0, 0)
    for text, sentence in (
        ("1\nabc", "Row 2, column “x1”"),
        ("1\t2\t3\t4\t5", "The copied block has 5 columns"),
        ("", "clipboard"),
    ):
        QApplication.clipboard().setText(text)
        keys((Qt.Key.Key_V, CTRL))
        assert sentence in editor.error.text()
        assert session.document is before


def test_cut(editor: TableEditor, session: Session) -> None:
    select(editor, (0, 0), (1, 0))
    keys((Qt.Key.Key_X, CTRL))
    assert labels(session, "x1") == [None, None, 2, 3.5]
    assert QApplication.clipboard().text() == "0.5\n1"


# -- rows and columns ------------------------------------------------------------------------------


def button(editor: TableEditor, words: str) -> Any:
    return next(
        b
        for b in editor.findChildren(QPushButton) + editor.findChildren(QToolButton)
        if b.accessibleName() == words
    )


def test_rows_are_added_and_deleted(qtbot: Any, editor: TableEditor, session: Session) -> None:
    goto(editor, 1, 0)
    qtbot.mouseClick(button(editor, "Add row"), LEFT)
    assert labels(session, "x1") == [0.5, 1, None, 2, 3.5]
    assert editor.view.currentIndex().row() == 2
    qtbot.mouseClick(button(editor, "Delete rows"), LEFT)
    assert labels(session, "x1") == [0.5, 1, 2, 3.5]
    select(editor, (0, 0), (1, 2))
    qtbot.mouseClick(button(editor, "Delete rows"), LEFT)
    assert labels(session, "x1") == [2, 3.5]
    qtbot.mouseClick(button(editor, "Undo (Ctrl+Z)"), LEFT)
    assert len(session.document.data) == 4


def test_all_rows_deleted_and_one_added(qtbot: Any, editor: TableEditor, session: Session) -> None:
    editor.view.setFocus()
    keys((Qt.Key.Key_A, CTRL), (Qt.Key.Key_Minus, CTRL))
    assert len(session.document.data) == 0
    assert "no examples" in editor.error.text()
    keys((Qt.Key.Key_Plus, CTRL))
    assert len(session.document.data) == 1


def test_a_column_is_renamed_in_its_header(
    qtbot: Any, editor: TableEditor, session: Session
) -> None:
    session.edit(
        replace(
            session.document, plane=("x1", "x2"), transforms=(Transform("polar", ("x1", "x2")),)
        ),
        "set up",
    )
    header = editor.header
    where = QPoint(header.sectionViewportPosition(0) + 10, 8)
    qtbot.mouseClick(header.viewport(), LEFT, pos=where)
    double_click(header.viewport(), where)
    keys("width", Qt.Key.Key_Return)
    document = session.document
    assert [c.name for c in document.data.columns] == ["width", "x2", "food", "wait"]
    assert document.plane == ("width", "x2")
    assert document.transforms[0].columns == ("width", "x2")
    assert QApplication.focusWidget() is editor.view


def test_a_name_that_is_taken_is_refused(editor: TableEditor, session: Session) -> None:
    editor.header.rename(0)
    keys("food", Qt.Key.Key_Return)
    assert "already" in editor.error.text()
    editor.header.rename(0)
    keys("other", Qt.Key.Key_Escape)
    assert session.document.data.columns[0].name == "x1"


def menu_choice(qtbot: Any, editor: TableEditor, menu: Any, words: str) -> None:
    qtbot.waitUntil(menu.isVisible)
    action = next(a for a in menu.actions() if a.text() == words)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    wake(qtbot, editor)


def test_roles_and_kinds_from_the_menu(qtbot: Any, editor: TableEditor, session: Session) -> None:
    goto(editor, 0, 2)
    qtbot.mouseClick(button(editor, "Column"), LEFT)
    menu_choice(qtbot, editor, editor.column_menu, "target")
    assert session.document.data.target.name == "food"
    assert session.document.data["wait"].role is ColumnRole.FEATURE
    qtbot.mouseClick(button(editor, "Column"), LEFT)
    menu_choice(qtbot, editor, editor.column_menu, "numbers")
    assert "no number" in editor.error.text()
    goto(editor, 0, 3)
    qtbot.mouseClick(button(editor, "Column"), LEFT)
    menu_choice(qtbot, editor, editor.column_menu, "yes/no")
    assert session.document.data["wait"].kind is Kind.BOOLEAN


def test_numbers_that_are_predicted_for_a_while_stay_numbers(
    editor: TableEditor, session: Session
) -> None:
    whole = number_column("rooms", [1, 2, 2, 3])
    session.edit(replace(session.document, data=session.document.data.with_column(whole)), "set up")
    editor.set_role("rooms", ColumnRole.TARGET)
    assert session.document.data["rooms"].kind is Kind.CATEGORICAL
    editor.set_role("wait", ColumnRole.TARGET)
    assert session.document.data["rooms"] == whole
    session.undo()
    assert session.document.data["rooms"].kind is Kind.CATEGORICAL


def test_a_column_is_added_named_and_filled(
    qtbot: Any, editor: TableEditor, session: Session
) -> None:
    goto(editor, 0, 1)
    qtbot.mouseClick(button(editor, "Add column"), LEFT)
    menu_choice(qtbot, editor, editor.add_menu, "of numbers")
    assert [c.name for c in session.document.data.columns] == ["x1", "x2", "x3", "food", "wait"]
    assert not session.error
    keys("age", Qt.Key.Key_Return, "30", Qt.Key.Key_Return, "40", Qt.Key.Key_Return)
    assert labels(session, "age") == [30, 40, None, None]
    assert session.document.data["age"].role is ColumnRole.IGNORED


def test_a_deleted_column_leaves_the_axes(
    qtbot: Any, editor: TableEditor, session: Session
) -> None:
    session.edit(replace(session.document, plane=("x1", "x2"), probe=(1.0, 1.0)), "set up")
    goto(editor, 0, 0)
    qtbot.mouseClick(button(editor, "Column"), LEFT)
    menu_choice(qtbot, editor, editor.column_menu, "Delete x1")
    assert [c.name for c in session.document.data.columns] == ["x2", "food", "wait"]
    assert session.document.plane == ()
    assert not session.error


# -- following -------------------------------------------------------------------------------------


def test_selection_and_place_stay_while_points_are_dragged(qtbot: Any, qapp: Any) -> None:
    rng = np.random.default_rng(0)
    data = Dataset(
        (number_column("a", rng.normal(size=500)), number_column("b", rng.normal(size=500)))
    )
    session = Session(Document(data, (lane("perceptron"),)))
    editor = TableEditor(session)
    editor.show()
    try:
        editor.view.scrollTo(editor.cells.index(300, 0))
        select(editor, (295, 0), (297, 1))
        here = editor.view.verticalScrollBar().value()
        assert here > 0
        session.edit(
            edits.move_points(session.document, np.array([296]), np.array([[9.0, 8.0]])), "move"
        )
        assert editor.cells.index(296, 0).data() == "9"
        assert editor.selected() == ([295, 296, 297], [0, 1])
        session.edit(edits.delete_rows(session.document, np.array([3])), "delete")
        assert editor.selected() == ([294, 295, 296], [0, 1]), "the selection moves with its rows"
        assert abs(editor.view.verticalScrollBar().value() - here) <= 22
        session.undo()
        assert editor.selected() == ([295, 296, 297], [0, 1])
        session.edit(edits.add_points(session.document, np.array([[1.0, 2.0]])), "add")
        assert editor.cells.rowCount() == 501
        assert editor.selected() == ([295, 296, 297], [0, 1])
    finally:
        editor.close()
        session.close()


def test_the_rows_bear_their_names(editor: TableEditor, session: Session) -> None:
    assert editor.cells.headerData(0, Qt.Orientation.Vertical) == "x₁"
    editor.set_role("food", ColumnRole.NAME)
    assert editor.cells.headerData(0, Qt.Orientation.Vertical) == "Thai"


def test_twenty_thousand_rows_stay_quick(qtbot: Any, qapp: Any) -> None:
    rng = np.random.default_rng(0)
    columns = [number_column(f"c{k}", rng.normal(size=20_000)) for k in range(8)]
    words = category_column("kind", rng.choice(["a", "b", "c"], 20_000), role=ColumnRole.TARGET)
    session = Session(Document(Dataset((*columns, words)), (lane("decision_tree"),)))
    try:
        began = time.thread_time()
        editor = TableEditor(session)
        editor.show()
        QApplication.processEvents()
        opened = time.thread_time() - began
        began = time.thread_time()
        editor.cells.follow(session.document.data.with_values("c1", [10_000], 5.0))
        QApplication.processEvents()
        followed = time.thread_time() - began
        editor.close()
    finally:
        session.close()
    assert opened < 1.5
    assert followed < 0.25


def test_a_second_editor_takes_the_place_of_the_first(
    qtbot: Any, parent: QWidget, session: Session
) -> None:
    first = TableEditor(session, parent)
    first.show()
    first.move(40, 60)
    second = TableEditor(session, parent)
    second.show()
    assert not first.isVisible()
    assert second.geometry() == first.geometry()
    second.close()
    loop = QEventLoop()
    QTimer.singleShot(0, loop.quit)
    loop.exec()
    session.undo()


def test_escape_closes_it(qtbot: Any, editor: TableEditor) -> None:
    goto(editor, 0, 0)
    closed: list[bool] = []
    editor.destroyed.connect(lambda: closed.append(True))
    keys(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bool(closed))


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_every_control_has_a_name(qapp: Any, qtbot: Any, session: Session, name: str) -> None:
    style.apply(qapp, name)
    editor = TableEditor(session)
    editor.show()
    for part in [editor.view, *editor.findChildren(QPushButton), *editor.findChildren(QToolButton)]:
        assert part.accessibleName() or not part.isVisible()
        assert part.width() >= part.minimumSizeHint().width()
    for place in range(4):
        assert editor.view.columnWidth(place) >= editor.header.needed(place)
    editor.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_any_edits_undone_give_the_first_document(
    editor: TableEditor, session: Session, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    first = session.document
    texts = ("1.5", "", "Thai", "abc", "−2", "Greek\t7", "1\t2\n3\t4", "new\nold")

    def goto_any() -> None:
        if len(editor.cells.table) and editor.cells.table.columns:
            place = (
                int(rng.integers(editor.cells.rowCount())),
                int(rng.integers(editor.cells.columnCount())),
            )
            editor.view.go(*place)

    def any_name() -> str:
        return str(rng.choice([c.name for c in session.document.data.columns]))

    actions = (
        lambda: editor.cells.setData(
            editor.view.currentIndex(), (str(rng.choice(texts)), bool(rng.integers(2)))
        ),
        lambda: (QApplication.clipboard().setText(str(rng.choice(texts))), editor.paste()),
        editor.add_row,
        editor.delete_rows,
        editor.clear_cells,
        editor.cut,
        lambda: editor.add_column(Kind(rng.choice(["numeric", "categorical"]))),
        lambda: editor.delete_columns([any_name()]),
        lambda: editor.rename_column(any_name(), str(rng.choice(["u", "v", "w", ""]))),
        lambda: editor.set_kind(any_name(), list(Kind)[rng.integers(3)]),
        lambda: editor.set_role(any_name(), list(ColumnRole)[rng.integers(4)]),
        session.undo,
        session.redo,
        editor.view.selectAll,
    )
    for _ in range(150):
        goto_any()
        actions[rng.integers(len(actions))]()
        assert editor.cells.table is session.document.data
        assert editor.cells.rowCount() == len(session.document.data)
    QApplication.processEvents()
    while session.history.done:
        session.undo()
    assert session.document == first
    assert [editor.cells.index(row, 2).data() for row in range(4)] == [
        "Thai",
        "French",
        "Thai",
        "Burger",
    ]
