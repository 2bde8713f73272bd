"""The table of examples on the screen."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from engine.base.notation import subscript
from engine.base.records import replace
from engine.base.tags import names_in
from engine.scene.scene import Role, Table, TableColumn, data_table
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column
from engine.table.prepare import Split, prepare
from gui.figures.table import TIGHT_PAD, TableFigure
from gui.figures.table_cells import Cells
from gui.figures.table_model import TableModel, two_lines
from gui.look import theme
from gui.look.ink import face

HUNGRY = ["Yes", "Yes", "No", "Yes", "No", "Yes", "No", "Yes", "No", "Yes", "No", "Yes"]
PATRONS = [
    "Some",
    "Full",
    "Some",
    "Full",
    "Full",
    "Some",
    "None",
    "Some",
    "Full",
    "Full",
    "None",
    "Full",
]
WAIT = ["Yes", "No", "Yes", "Yes", "No", "Yes", "No", "Yes", "No", "No", "No", "Yes"]


def small():
    columns = (
        category_column("Hungry", HUNGRY),
        category_column("Patrons", PATRONS),
        number_column("Guests", [1.0, -2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        number_column("Wait time", [0.5, -1.25, np.nan, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        category_column("Wait?", WAIT, role=ColumnRole.TARGET),
    )
    return prepare(Dataset(columns))


@pytest.fixture
def figure(qtbot):
    theme.use("light")
    made = TableFigure()
    qtbot.addWidget(made)
    made.resize(600, 297)
    made.show()
    return made


def colours(figure, row, column):
    """The colours in a cell."""
    rect = figure.visualRect(figure.model_.index(row, column))
    image = figure.viewport().grab(rect).toImage()
    return [
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
    ]


def test_cells_show_categories_numbers_and_gaps(figure):
    figure.set_figure(data_table(small()))
    text = figure.model_.text
    assert [text(0, c) for c in range(6)] == ["1", "Yes", "Some", "1", "0.50", "Yes"]
    assert (text(1, 3), text(1, 4), text(2, 4)) == ("−2", "−1.25", "?")
    model = figure.model_
    headers = [model.headerData(k, Qt.Orientation.Horizontal) for k in range(model.columnCount())]
    assert headers == ["", "Hungry", "Patrons", "Guests", "Wait time", "Wait?"]


def test_rows_in_play_are_tinted_and_the_column_in_question_is_amber(figure):
    active = np.array([p == "Full" for p in PATRONS])
    figure.set_figure(
        data_table(small(), roles={"Hungry": Role.ACTIVE, "Patrons": Role.REJECTED}, active=active)
    )
    look = theme.current()
    assert look.now_soft in colours(figure, 1, 1)
    assert look.now_soft not in colours(figure, 0, 1)
    assert look.ink in colours(figure, 0, 1), "ink rules at its sides"
    assert look.ink3 in colours(figure, 0, 2)
    assert look.ink in colours(figure, 1, 2)
    header = figure.horizontalHeader().grab().toImage()
    x = figure.columnViewportPosition(1) + 5
    assert header.pixelColor(x, 4).name().upper() == look.now


def test_row_boxes_are_light_and_dark_by_class(figure):
    figure.set_figure(data_table(small()))
    assert figure.model_.code(0) == 0
    light, dark = colours(figure, 0, 0), colours(figure, 1, 0)
    ink = theme.current().ink
    assert dark.count(ink) > 3 * light.count(ink) > 0


def test_row_boxes_have_the_colour_of_a_chunk_beside_two_classes(figure):
    """They were black and white, as a table of two classes has them, whatever the groups of its
    rows.
    """
    table = data_table(small())
    figure.set_figure(replace(table, group=np.arange(table.group.size) % 3 + 2))
    look = theme.current()
    assert look.group(2).name().upper() in colours(figure, 0, 0)
    assert look.group(3).name().upper() in colours(figure, 1, 0)


def test_numbers_end_at_one_line(figure):
    figure.set_figure(data_table(small()))
    look = theme.current()

    def right_end(row):
        rect = figure.visualRect(figure.model_.index(row, 3))
        image = figure.viewport().grab(rect).toImage()
        dark = [
            x
            for x in range(image.width())
            for y in range(3, image.height() - 3)
            if image.pixelColor(x, y).lightness() < 128
        ]
        return max(dark)

    assert figure.alignment(3)[0] == "right"
    assert abs(right_end(0) - right_end(11)) <= 2
    assert look.name == "light"


def test_the_current_row_is_amber_and_in_sight(qtbot, figure):
    rng = np.random.default_rng(0)
    many = prepare(Dataset.from_arrays(rng.normal(size=(20_000, 3)), rng.integers(0, 3, 20_000)))
    for row in (0, 15_234, 19_999, 7):
        figure.set_figure(data_table(many, current=(row,), tag="current"))
        rect = figure.visualRect(figure.model_.index(row, 1))
        assert figure.viewport().rect().contains(rect)
        assert theme.current().now in colours(figure, row, 1)
    assert figure.model_.rowCount() == 20_000


def test_an_update_of_the_same_table_does_not_scroll(figure):
    rng = np.random.default_rng(0)
    many = prepare(Dataset.from_arrays(rng.normal(size=(500, 3)), rng.integers(0, 2, 500)))
    figure.set_figure(data_table(many, current=(250,)))
    place = figure.verticalScrollBar().value()
    figure.set_figure(data_table(many, current=(251,)))
    figure.set_figure(data_table(many))
    assert figure.verticalScrollBar().value() == place


def test_columns_fill_the_width_and_cut_nothing(figure):
    figure.set_figure(data_table(small()))
    widths = [figure.columnWidth(c) for c in range(6)]
    assert sum(widths) == figure.viewport().width()
    metrics_of = theme.current().font("body", weight=600)
    from PySide6.QtGui import QFontMetricsF

    wide = QFontMetricsF(metrics_of)
    for column in range(1, 6):
        longest = max(wide.horizontalAdvance(figure.model_.text(row, column)) for row in range(12))
        assert widths[column] >= longest + 8
    figure.resize(200, 200)
    assert figure.horizontalScrollBar().maximum() > 0


def test_pointing_at_rows(qtbot, figure):
    figure.set_figure(data_table(small(), current=(3,), tag="current"))
    tags, clicks = [], []
    figure.hovered.connect(lambda tag: tags.append(names_in(tag)))
    figure.row_clicked.connect(clicks.append)
    view = figure.viewport()
    for row in (0, 3):
        qtbot.mouseMove(view, figure.visualRect(figure.model_.index(row, 2)).center())
        qtbot.waitUntil(lambda row=row: tags and f"row {row + 1}" in tags[-1])
    assert tags == [("row 1", "column Patrons"), ("current", "row 4", "column Patrons")]
    qtbot.mouseClick(
        view, Qt.MouseButton.LeftButton, pos=figure.visualRect(figure.model_.index(5, 2)).center()
    )
    assert clicks == [5]
    qtbot.mouseMove(view, QPoint(view.width() - 2, view.height() - 1))


def test_the_table_as_text(figure):
    active = np.array([p == "Full" for p in PATRONS])
    figure.set_figure(data_table(small(), active=active, current=(1,)))
    lines = figure.as_text().splitlines()
    assert lines[0] == "row\tHungry\tPatrons\tGuests\tWait time\tWait?"
    assert lines[1].split("\t")[1:] == ["Yes", "Some", "1", "0.50", "Yes"]
    assert lines[2].startswith("*")
    assert lines[4].startswith("+")
    assert figure.as_text(most=3).splitlines()[-1] == "… 9 more rows"


def test_the_chosen_row_is_dark_and_the_current_one_stays_amber(figure):
    figure.set_figure(data_table(small(), current=(2,)))
    look = theme.current()
    for row in (2, 4):
        figure.set_chosen(row)
        assert (look.sel if row != 2 else look.now) in colours(figure, row, 1)
        assert look.sel in colours(figure, row, 1)
        assert look.sel not in colours(figure, 5, 1)
    figure.set_chosen(-1)
    assert look.sel not in colours(figure, 4, 1)


def test_a_table_that_grows_shows_its_end_and_rows_in_play_come_into_sight(figure):
    problem = small()
    feature = problem.features[2]

    def log(n):
        names = tuple(f"visit {k}" for k in range(n))
        return Table("Visits", (TableColumn(feature, np.arange(float(n))),), names)

    figure.set_figure(log(40))
    figure.set_figure(log(41))
    bar = figure.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    many = Table("Examples", (TableColumn(feature, np.arange(90.0)),), tuple(map(str, range(90))))
    figure.set_figure(many)
    for row in (70, 5):
        figure.set_figure(replace(many, active=np.arange(90) == row))
        top = figure.rowViewportPosition(row)
        assert 0 <= top <= figure.viewport().height() - figure.row_height()
        assert figure.rowViewportPosition(figure.rowAt(0)) == 0, "the row below the header is whole"


def test_no_row_is_cut_at_the_top_or_the_bottom_wherever_it_is_scrolled_to(qtbot):
    figure = TableFigure()
    qtbot.addWidget(figure)
    figure.show()
    figure.set_figure(
        Table(
            "Many",
            (TableColumn(number_column("x", np.arange(90.0)).feature, np.arange(90.0)),),
            tuple(map(str, range(90))),
        )
    )
    height = figure.row_height()
    bar = figure.verticalScrollBar()
    for room in (61, 80, 95, 133):
        figure.resize(300, figure.horizontalHeader().height() + room)
        qtbot.wait(1)
        for place in (0, 7, bar.maximum()):
            bar.setValue(place)
            assert figure.rowViewportPosition(figure.rowAt(0)) == 0
            assert figure.viewport().height() % height == 0
        assert figure.rowAt(figure.viewport().height() - 1) == 89, (
            "the end of the table can be reached"
        )


def test_the_boxes_hold_the_numbers_of_the_whole_table(figure):
    """Rows set aside for testing leave gaps."""
    data = Dataset(
        (
            number_column("a", np.arange(200.0)),
            category_column("y", ["p", "q"] * 100, role=ColumnRole.TARGET),
        )
    )
    problem = prepare(data, split=Split(0.5))
    figure.set_figure(data_table(problem))
    shown = [figure.model_.text(row, 0) for row in range(problem.n)]
    assert shown == [str(int(a) + 1) for a in problem.X[:, 0]]
    assert [f"x{subscript(int(number))}" for number in shown] == list(problem.names)


def test_the_row_of_a_question_has_no_number(figure):
    table = data_table(small())
    figure.set_figure(replace(table, numbers=(*range(1, 12), 0)))
    assert [figure.model_.text(row, 0) for row in (10, 11)] == ["11", "?"]


def test_columns_move_together_before_one_is_out_of_sight(figure):
    rng = np.random.default_rng(0)
    columns = [number_column(f"size {k}", rng.uniform(size=5)) for k in range(8)]
    figure.set_figure(
        data_table(
            prepare(
                Dataset((*columns, category_column("y", list("ababa"), role=ColumnRole.TARGET)))
            )
        )
    )
    figure.resize(2000, 297)
    QApplication.processEvents()
    words = [figure.columnWidth(k) for k in range(1, 10)]
    figure.resize(480, 297)
    QApplication.processEvents()
    assert figure.horizontalScrollBar().maximum() == 0
    assert all(figure.columnWidth(k) < words[k - 1] for k in range(1, 10))
    bold = face("heading")
    assert all(
        figure.columnWidth(k + 1) >= bold.width(f"size {k}") + 2 * TIGHT_PAD for k in range(8)
    )
    figure.resize(300, 297)
    QApplication.processEvents()
    assert figure.horizontalScrollBar().maximum() > 0  # then it scrolls


CHANGES = {
    "another current row": {"current": (4,)},
    "other rows in play": {"active": np.array([p == "Some" for p in PATRONS])},
    "other classes": {"group": np.arange(12) % 2},
    "the column in question": {
        "columns": data_table(small(), roles={"Patrons": Role.ACTIVE}).columns
    },
}


@pytest.mark.parametrize("what", CHANGES)
def test_only_rows_that_differ_are_painted_and_all_looks_as_painted_whole(
    figure, monkeypatch, what
) -> None:
    first = data_table(small(), current=(1,), active=np.array([p == "Full" for p in PATRONS]))
    second = replace(first, **CHANGES[what])
    figure.set_figure(second)
    anew = figure.viewport().grab().toImage()
    figure.set_figure(first)
    for _ in range(5):  # what the change of columns requested is painted too
        QApplication.processEvents()
    painted: set[int] = set()
    ground = Cells.ground
    monkeypatch.setattr(
        Cells, "ground", lambda cells, row, column: painted.add(row) or ground(cells, row, column)
    )
    figure.set_figure(second)
    QApplication.processEvents()
    expected = {
        "another current row": {1, 4},
        "other rows in play": {k for k, p in enumerate(PATRONS) if p != "None"},
        "other classes": {k for k, w in enumerate(WAIT) if k % 2 != int(first.group[k])},
        "the column in question": set(range(12)),
    }[what]
    assert painted == expected
    assert figure.viewport().grab().toImage() == anew


def test_a_value_that_was_overwritten_is_painted(figure) -> None:
    table = data_table(small())
    column = table.columns[3]
    changed = replace(column, values=np.where(np.arange(12) == 2, 9.75, column.values))
    figure.set_figure(table)
    model = TableModel()
    model.set_table(table)
    assert not model.set_table(table).any()
    other = replace(table, columns=(*table.columns[:3], changed, *table.columns[4:]))
    assert np.flatnonzero(model.set_table(other)).tolist() == [2]


def test_the_width_of_the_texts_is_measured_once_however_often_the_table_gets_another_size(
    figure, monkeypatch
):
    asked = []
    texts = TableModel.texts
    monkeypatch.setattr(
        TableModel, "texts", lambda model, *given: asked.append(given) or texts(model, *given)
    )
    table = data_table(small())
    figure.set_figure(table)
    for wide in (500, 300, 700):
        figure.resize(wide, 297)
        QApplication.processEvents()
    assert len(asked) == len(table.columns)
    theme.use("projector")
    figure.resize(400, 297)
    QApplication.processEvents()
    assert len(asked) == 2 * len(table.columns), "other type, other widths"
    theme.use("light")


@pytest.mark.parametrize("row", [0, 9_000])
def test_one_number_with_decimals_gives_them_to_its_column_wherever_it_stands(figure, row):
    values = np.arange(10_000.0)
    values[1], values[row] = np.nan, 0.5
    figure.set_figure(data_table(prepare(Dataset((number_column("x", values),)))))
    assert figure.model_.text(2, 1) == "2.00"


def test_heads_without_room_in_one_line_take_two(figure):
    """The experiment of feature selection has “errV, 1 column” over numbers of three digits."""
    columns = [number_column(f"errV, {k} columns", [0.46, 0.52]) for k in range(4)]
    target = category_column("y", ["p", "q"], role=ColumnRole.TARGET)
    figure.set_figure(data_table(prepare(Dataset((*columns, target)))))
    figure.resize(900, 200)
    QApplication.processEvents()
    assert not figure.wraps
    one = figure.horizontalHeader().height()
    figure.resize(420, 200)
    QApplication.processEvents()
    assert figure.wraps and figure.horizontalHeader().height() > 1.5 * one
    bold = face("heading")
    for k, column in enumerate(figure.model_.table.columns, 1):
        lines = two_lines(column.feature.name, bold.width)
        assert max(map(bold.width, lines)) <= figure.columnWidth(k) - 4
    assert figure.wish().least[0] <= 420 < figure.wish().enough[0]


def test_a_short_table_of_examples_spreads_over_its_height_and_others_stay_dense(figure):
    feature = number_column("x", np.arange(6.0)).feature
    table = Table("Examples", (TableColumn(feature, np.arange(6.0)),), tuple("abcdef"))
    figure.set_figure(table)
    dense = figure.row_height()
    assert figure.rowHeight(0) == dense, "rows of other tables come and go"
    figure.set_chosen(-1)
    assert figure.rowHeight(0) > 1.3 * dense
    assert not figure.verticalScrollBar().maximum()
    figure.resize(600, 150)
    assert figure.rowHeight(0) == dense
    figure.resize(600, 3000)
    assert figure.rowHeight(0) <= 2 * dense


def test_a_column_grows_with_its_numbers(figure):
    feature = number_column("F", np.zeros(12)).feature
    columns = tuple(TableColumn(feature, np.zeros(12), digits=3, role=Role.PLAIN) for _ in range(9))
    names = tuple(map(str, range(12)))
    figure.set_figure(Table("Examples", columns, names))
    grown = tuple(replace(column, values=np.full(12, -1234.125)) for column in columns)
    figure.set_figure(Table("Examples", grown, names))
    for k in range(1, 10):
        wide = face("body").width(figure.model_.text(0, k))
        assert figure.columnWidth(k) - figure.alignment(k)[1] >= wide, k


def test_of_the_current_rows_the_cells_alone_can_be_amber(figure):
    columns = small().features
    figure.set_figure(data_table(small(), current=(1,), cells=(columns[1].name,)))
    now = theme.current().now
    amber = [k for k in range(figure.model_.columnCount()) if now in colours(figure, 1, k)]
    assert amber == [2]
    assert now not in colours(figure, 0, 2)
    line = figure.as_text().splitlines()[2]
    assert [cell[:1] == "*" for cell in line.split("\t")].count(True) == 1
