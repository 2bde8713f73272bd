"""Opening a table: the guess is shown, corrected with real clicks and keys, read in the background,
and cancelled.
"""

import threading
import time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PySide6.QtCore import QEventLoop, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.read import tables
from engine.table.dataset import ColumnRole, Dataset, Kind
from gui.dialogs.open_columns import FOUND, KIND, ROLE
from gui.dialogs.open_table import OpenTable, ask_table, choose_table
from gui.dialogs.table_source import FileTable, PastedTable
from gui.look import style
from tests.engine.read.good_files import GOOD

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def open_dialog(qtbot: Any, parent: QWidget) -> Any:
    shown: list[OpenTable] = []

    def show(source: Any) -> OpenTable:
        dialog = OpenTable(source if not isinstance(source, Path) else FileTable(source), parent)
        qtbot.addWidget(dialog)
        shown.append(dialog)
        dialog.show()
        qtbot.waitUntil(lambda: not dialog.job.busy)
        return dialog

    yield show
    for dialog in shown:
        dialog.close()


def accept(qtbot: Any, dialog: OpenTable) -> Dataset:
    qtbot.mouseClick(dialog.open_, LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.data is not None, dialog.error.text()
    return dialog.data


def choose(qtbot: Any, dialog: OpenTable, column: str, place: int, words: str) -> None:
    """Click on the kind or role of a column, then on an entry of its menu."""
    view = dialog.columns
    row = [c.name for c in view.model_.columns].index(column)
    where = view.visualRect(view.model_.index(row, place)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=where)
    menu = view.menu
    assert isinstance(menu, QMenu)
    assert menu.isVisible()
    action = next(a for a in menu.actions() if a.text() == words)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    qtbot.waitUntil(lambda: not dialog.job.busy)


def column(dialog: OpenTable, name: str) -> Any:
    assert dialog.guess is not None
    return next(c for c in dialog.guess.columns if c.name == name)


def pick(qtbot: Any, box: Any, text: str) -> None:
    """Choose an entry of a drop-down with the keyboard: open, go there, Return."""
    box.setFocus()
    place = box.findText(text)
    assert place >= 0
    while box.currentIndex() != place:
        before = box.currentIndex()
        qtbot.keyClick(box, Qt.Key.Key_Down if place > before else Qt.Key.Key_Up)
        assert box.currentIndex() != before


# -- a guess, corrected ----------------------------------------------------------------------------


def test_a_plain_table_opens_with_return(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("a,b,kind\n1.5,2,yes\n2,3,no\n"))
    assert dialog.about.text() == "2 rows, 3 columns"
    assert dialog.target.currentText() == "kind"
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.data is not None)
    assert dialog.data["a"].labels() == [1.5, 2]
    assert dialog.data.classes == ("yes", "no")


def test_a_wrong_guess_is_corrected_with_the_mouse(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    dialog = open_dialog(table("code,size,colour,sold\n3,1.5,red,0\n1,2.5,blue,1\n2,3.5,red,1\n"))
    assert column(dialog, "colour").role is ColumnRole.TARGET
    choose(qtbot, dialog, "sold", ROLE, "target")
    assert dialog.target.currentText() == "sold"
    assert column(dialog, "colour").role is ColumnRole.FEATURE
    assert column(dialog, "sold").kind is Kind.CATEGORICAL
    choose(qtbot, dialog, "code", KIND, "categories")
    choose(qtbot, dialog, "colour", ROLE, "ignored")
    data = accept(qtbot, dialog)
    assert [c.role for c in data.columns] == ["feature", "feature", "ignored", "target"]
    assert [c.kind for c in data.columns] == [
        "categorical",
        "numeric",
        "categorical",
        "categorical",
    ]
    assert data["sold"].labels() == [0, 1, 1]


def test_a_wrong_guess_is_corrected_with_the_keys(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("a,b,kind\n1,2,yes\n2,3,no\n"))
    view = dialog.columns
    view.setFocus()
    view.setCurrentIndex(view.model_.index(0, ROLE))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.waitUntil(view.menu.isVisible)
    assert view.menu.activeAction().text() == "feature"
    for _ in range(3):
        qtbot.keyClick(view.menu, Qt.Key.Key_Down)
    qtbot.keyClick(view.menu, Qt.Key.Key_Return)
    assert column(dialog, "a").role is ColumnRole.IGNORED


def test_the_target_is_chosen_at_the_top(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("a,b,kind\n1.5,2.5,yes\n2.5,3.5,no\n"))
    pick(qtbot, dialog.target, "b")
    assert column(dialog, "b").role is ColumnRole.TARGET
    pick(qtbot, dialog.target, "nothing")
    assert accept(qtbot, dialog).target is None


def test_what_the_person_said_outlives_another_reading(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    dialog = open_dialog(table("a;b;kind\n1,5;2;yes\n2,5;3;no\n"))
    choose(qtbot, dialog, "b", ROLE, "ignored")
    qtbot.mouseClick(dialog.options.decimal.buttons()[0], LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.guess.decimal == "."
    assert column(dialog, "a").kind is Kind.CATEGORICAL
    assert column(dialog, "b").role is ColumnRole.IGNORED
    qtbot.mouseClick(dialog.options.decimal.buttons()[1], LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert accept(qtbot, dialog)["a"].labels() == [1.5, 2.5]


def test_header_off_and_separator(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("p|q,r|s\n1|2,3|4\n5|6,7|8\n"))
    pick(qtbot, dialog.options.separator, "bar  |")
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert len(dialog.guess.columns) == 3
    qtbot.mouseClick(
        dialog.options.header, LEFT, pos=QPoint(8, dialog.options.header.height() // 2)
    )
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert [c.name for c in dialog.guess.columns] == ["x1", "x2", "x3"]
    assert dialog.guess.rows == 3


@pytest.mark.parametrize(
    ("count", "last"),
    [
        (3, "Remark 3."),
        (4, "Remark 4."),
        (5, "And 2 more remarks of this kind."),
        (9, "And 6 more remarks of this kind."),
    ],
)
def test_remarks_give_way_only_where_there_are_several_more(
    open_dialog: Any, table: Any, count: int, last: str
) -> None:
    said = tuple(f"Remark {k + 1}." for k in range(count))
    dialog = open_dialog(table("a,b,kind\n1.5,2.5,yes\n2.5,3.5,no\n"))
    dialog.show_notices(replace(dialog.guess, notices=said))
    lines = dialog.notices.text().split("\n")
    assert lines[:3] == list(said[:3])
    assert lines[-1] == last
    assert len(lines) <= 4


def test_encoding(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("größe,sorte\n1,süß\n2,äpfel\n".encode("cp1250")))
    assert "Windows-1252" in dialog.notices.text()
    pick(qtbot, dialog.options.encoding, "Windows-1250")
    qtbot.waitUntil(lambda: not dialog.job.busy and dialog.guess.encoding == "cp1250")
    assert accept(qtbot, dialog)["sorte"].labels() == ["süß", "äpfel"]


def test_another_sheet(qtbot: Any, open_dialog: Any, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["u", "v"])
    book.active.append([1, 2])
    other = book.create_sheet("Winter")
    for row in (["x", "y"], [5, 7], [6, 8]):
        other.append(row)
    book.save(tmp_path / "b.xlsx")
    dialog = open_dialog(tmp_path / "b.xlsx")
    assert not dialog.options.separator.isVisible()
    pick(qtbot, dialog.options.sheet, "Winter")
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert accept(qtbot, dialog)["x"].labels() == [5, 6]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "shown"),
    [
        (".csv", {"separator", "decimal", "encoding", "header"}),
        (".csv.gz", {"separator", "decimal", "encoding", "header"}),
        (".xls", {"decimal", "header"}),
        (".ods", {"decimal", "header"}),
        (".arff", {"encoding"}),
        (".json", {"encoding"}),
        (".tab", {"encoding"}),
        (".md", {"encoding"}),
        (".svm", set()),
        (".parquet", set()),
    ],
)
def test_a_file_shows_the_options_that_make_sense(
    qtbot: Any, open_dialog: Any, table: Any, suffix: str, shown: set[str]
) -> None:
    dialog = open_dialog(table(GOOD[suffix](), f"t{suffix}"))
    options = dialog.options
    assert {
        name
        for name in ("separator", "decimal", "encoding", "header")
        if getattr(options, name).isVisible()
    } == shown
    assert len(dialog.preview.model_.guess.preview) == 6
    data = accept(qtbot, dialog)
    assert data.features[0].labels() == [1.5, 2.5, 3.25, -4, 0.5, 7]
    assert len(data.target.categories) == 2


def test_a_file_that_holds_no_table_opens_no_dialog(parent: QWidget, table: Any) -> None:
    with pytest.raises(EngineError, match="is a web page, not a table"):
        ask_table(parent, table("<!DOCTYPE html><html></html>", "t.html"))


def test_an_encoding_that_does_not_fit_can_be_taken_back(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    """Of a kind of file that has no separators, too; the first lines are shown as they
    were packed.
    """
    raw = (
        "@relation r\n@attribute größe numeric\n@attribute art {süß,"
        " sauer}\n@data\n1,süß\n2,sauer\n".encode("latin-1")
    )
    dialog = open_dialog(table(raw, "t.arff"))
    assert "Windows-1252" in dialog.notices.text()
    pick(qtbot, dialog.options.encoding, "UTF-8")
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert "cannot be read as utf-8; choose another encoding" in dialog.error.text()
    pick(qtbot, dialog.options.encoding, "Latin-1")
    qtbot.waitUntil(lambda: not dialog.job.busy and dialog.guess is not None)
    assert accept(qtbot, dialog)["art"].labels() == ["süß", "sauer"]


# -- what counts as missing ------------------------------------------------------------------------

PATRONS = "patrons,price,wait\nNone,1,no\nSome,2,yes\nFull,3,no\nNone,4,no\n"


def test_none_is_a_category_until_the_person_says_otherwise(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    dialog = open_dialog(table(PATRONS))
    switch = dialog.missing.switches["None"]
    assert switch.isChecked()
    assert accept(qtbot, dialog)["patrons"].labels() == ["None", "Some", "Full", "None"]


def test_none_counts_as_missing_after_a_click_and_back(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    dialog = open_dialog(table(PATRONS))
    switch = dialog.missing.switches["None"]
    for on in (False, True, False):
        qtbot.mouseClick(switch, LEFT, pos=QPoint(8, switch.height() // 2))
        qtbot.waitUntil(lambda: not dialog.job.busy)
        assert switch.isVisible()
        assert switch.isChecked() == on
        assert ("None" in dialog.guess.missing) != on
    assert dialog.preview.model_.index(0, 0).data() == "missing"
    assert accept(qtbot, dialog)["patrons"].labels() == [None, "Some", "Full", None]


def test_na_among_numbers_is_missing_until_the_person_says_otherwise(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    dialog = open_dialog(table("a,kind\n1,yes\nNA,no\n3,yes\n"))
    switch = dialog.missing.switches["NA"]
    assert not switch.isChecked()
    assert "NA" in dialog.missing.field.text()
    assert dialog.preview.model_.index(1, 0).data() == "missing"
    qtbot.mouseClick(switch, LEFT, pos=QPoint(8, switch.height() // 2))
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert column(dialog, "a").kind is Kind.CATEGORICAL
    qtbot.mouseClick(switch, LEFT, pos=QPoint(8, switch.height() // 2))
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert accept(qtbot, dialog)["a"].labels() == [1, None, 3]


def test_own_words_for_missing(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("a,kind\n1,yes\n-9,no\n3,yes\n"))
    field = dialog.missing.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "?, -9")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.isVisible(), "Return in the field takes the words, not the table"
    assert accept(qtbot, dialog)["a"].labels() == [1, None, 3]


def test_words_among_numbers_are_offered_as_missing(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    dialog = open_dialog(table("a,kind\n1,yes\nn.d.,no\n3,yes\n4,no\n"))
    choose(qtbot, dialog, "a", KIND, "numbers")
    assert column(dialog, "a").kind is Kind.CATEGORICAL
    assert "“n.d.”" in dialog.error.text()
    qtbot.mouseClick(dialog.error.action, LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.error.text() == ""
    assert accept(qtbot, dialog)["a"].labels() == [1, None, 3, 4]


# -- what cannot be read ---------------------------------------------------------------------------


def test_a_ragged_table_says_the_row_and_another_separator_opens_it(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    rows = ["size;kind"] + [f"{i},5;a" if i != 15 else "15;b" for i in range(20)]
    dialog = open_dialog(table("\n".join(rows).replace(";", "; ")))
    pick(qtbot, dialog.options.separator, "comma  ,")
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert "Line 2 of" in dialog.error.text()
    assert not dialog.open_.isEnabled()
    assert dialog.preview.model_.index(0, 0).data() == "size; kind"
    pick(qtbot, dialog.options.separator, "semicolon  ;")
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.error.text() == ""
    assert len(accept(qtbot, dialog)) == 20


def test_a_table_ragged_at_row_17_comes_up_with_the_sentence(open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("a,b\n" + "1,2\n" * 15 + "1\n" + "1,2\n"))
    assert "Line 17 of" in dialog.error.text()
    assert dialog.isVisible()


def test_a_ragged_sheet_shows_its_first_rows(open_dialog: Any, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["size", "kind"], [1, "a"], [None, "two\nlines"], [], [3, "b", "stray"]):
        book.active.append(row)
    book.save(tmp_path / "ragged.xlsx")
    dialog = open_dialog(tmp_path / "ragged.xlsx")
    assert "Line 5 of “ragged.xlsx” has 3 cells" in dialog.error.text()
    shown = [
        dialog.preview.model_.index(row, 0).data()
        for row in range(dialog.preview.model_.rowCount())
    ]
    assert shown == [
        "size → kind",
        "1 → a",
        " → two lines",
        "",
        "3 → b → stray",
    ], "numbered as in the sheet"


def test_an_empty_sheet_has_no_rows_to_show(open_dialog: Any, tmp_path: Path) -> None:
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    dialog = open_dialog(tmp_path / "empty.xlsx")
    assert "has no cells" in dialog.error.text()
    assert dialog.preview.model_.rowCount() == 0


def test_a_title_that_is_left_out_is_reported(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(
        table("Class 10b;;\n;;\nname;points;grade\nann;12,5;good\nben;8;fair\n;;\n")
    )
    assert "The first line is left out: “Class 10b”." in dialog.notices.text()
    assert dialog.about.text() == "2 rows, 3 columns"
    assert accept(qtbot, dialog)["points"].labels() == [12.5, 8]


def test_points_between_thousands_after_a_click(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("income;credit\n15.356;no\n85.464;yes\n"))
    assert "choose the decimal comma" in dialog.notices.text()
    qtbot.mouseClick(dialog.options.decimal.buttons()[1], LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert accept(qtbot, dialog)["income"].labels() == [15356, 85464]


def test_a_fault_far_down_is_said_in_place(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table("a,kind\n" + "1,x\n" * 21_000 + "1,x,9\n" + "2,y\n"))
    qtbot.mouseClick(dialog.open_, LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert "Line 21002 of" in dialog.error.text()
    assert dialog.open_.isEnabled()
    assert dialog.data is None


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "empty"), (bytes(range(256)) * 20, "binary"), (b" \n \n", "blanks")],
)
def test_what_is_no_table_is_raised_to_the_caller(
    parent: QWidget, table: Any, content: bytes, sentence: str
) -> None:
    with pytest.raises(EngineError, match=sentence):
        ask_table(parent, table(content))
    assert QApplication.activeModalWidget() is None


def test_a_missing_file_is_raised_to_the_caller(parent: QWidget, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="no file"):
        ask_table(parent, tmp_path / "gone.csv")


def test_a_fault_of_the_program_is_a_sentence_too(
    qtbot: Any, open_dialog: Any, table: Any, monkeypatch: Any
) -> None:
    dialog = open_dialog(table("a,b\n1,2\n"))
    monkeypatch.setattr(dialog.source, "read", lambda *_: 1 / 0)
    qtbot.mouseClick(dialog.open_, LEFT)
    qtbot.waitUntil(lambda: not dialog.job.busy)
    assert dialog.error.text().startswith("This table cannot be read")


# -- long reading ----------------------------------------------------------------------------------


class Slow(FileTable):
    """Reads until it is stopped."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.ended = threading.Event()

    def read(self, guess: Any, tick: Any) -> Dataset:
        fraction = 0.0
        while tick(min(1.0, fraction)):
            fraction += 0.001
            time.sleep(0.005)
        self.ended.set()
        raise EngineError("stopped")


@pytest.mark.parametrize("key", ["button", "escape"])
def test_cancel_while_reading(qtbot: Any, open_dialog: Any, table: Any, key: str) -> None:
    source = Slow(table("a,b\n1,2\n3,4\n"))
    dialog = open_dialog(source)
    qtbot.mouseClick(dialog.open_, LEFT)
    qtbot.waitUntil(lambda: dialog.bar.isVisible() and dialog.bar.value() > 0)
    assert dialog.cancel.text() == "Stop"
    assert not dialog.columns.isEnabled()
    if key == "button":
        qtbot.mouseClick(dialog.cancel, LEFT)
    else:
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert source.ended.wait(2.0)
    assert dialog.isVisible()
    assert "stopped" in dialog.status.text()
    assert dialog.open_.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert dialog.data is None


def test_closing_while_reading_ends_the_reading(qtbot: Any, open_dialog: Any, table: Any) -> None:
    source = Slow(table("a,b\n1,2\n3,4\n"))
    dialog = open_dialog(source)
    qtbot.mouseClick(dialog.open_, LEFT)
    dialog.close()
    assert source.ended.wait(2.0)
    assert not dialog.isVisible()


@pytest.mark.slow
def test_the_window_answers_while_a_long_table_is_read(
    qtbot: Any, open_dialog: Any, table: Any
) -> None:
    path = table(
        "a,b,kind\n"
        + "".join(f"{i / 7},{i % 13},{'yes' if i % 3 else 'no'}\n" for i in range(150_000))
    )
    dialog = open_dialog(path)
    assert (
        "150,000 rows: methods that take long with many rows learn from 20,000 of them."
        in dialog.notices.text()
    )
    beats = []
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start(5)
    loop = QEventLoop()
    dialog.finished.connect(loop.quit)
    qtbot.mouseClick(dialog.open_, LEFT)
    loop.exec()
    assert len(dialog.data) == 150_000
    assert "sample" not in dialog.data.about
    assert len(beats) > 10


# -- the two front doors ---------------------------------------------------------------------------


def press_when_shown(press: Any) -> None:
    """Do `press(dialog)` as soon as the dialog is up and knows its table."""

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, OpenTable) and not dialog.job.busy:
            press(dialog)
        else:
            QTimer.singleShot(10, look)

    QTimer.singleShot(0, look)


def test_ask_table_gives_the_data(qtbot: Any, parent: QWidget, table: Any) -> None:
    press_when_shown(lambda dialog: qtbot.mouseClick(dialog.open_, LEFT))
    data = ask_table(parent, table("a,kind\n1,x\n2,y\n", "named.csv"))
    assert data is not None
    assert data.name == "named"
    assert tables.table_text(data, ",").splitlines() == ["a,kind", "1,x", "2,y"]


def test_ask_table_gives_nothing_after_escape(qtbot: Any, parent: QWidget, table: Any) -> None:
    press_when_shown(lambda dialog: qtbot.keyClick(dialog, Qt.Key.Key_Escape))
    assert ask_table(parent, table("a,kind\n1,x\n2,y\n")) is None


def test_pasted_cells(qtbot: Any, parent: QWidget) -> None:
    press_when_shown(lambda dialog: qtbot.mouseClick(dialog.open_, LEFT))
    data = choose_table(parent, "a\tb\n1\t2\n3\t4\n")
    assert data is not None
    assert data["b"].labels() == [2, 4]


def test_pasted_cells_have_no_encoding(open_dialog: Any) -> None:
    assert not open_dialog(PastedTable("a\tb\n1\t2\n")).options.encoding.isVisible()


# -- looks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_it_fits_and_speaks_in_every_theme(
    qapp: Any, open_dialog: Any, table: Any, name: str
) -> None:
    style.apply(qapp, name)
    dialog = open_dialog(table(PATRONS))
    assert dialog.width() <= 1280
    assert dialog.height() <= 800
    for part in (
        dialog.target,
        dialog.columns,
        dialog.preview,
        dialog.open_,
        dialog.cancel,
        dialog.missing.field,
    ):
        assert part.accessibleName()
    for part in dialog.options.parts.values():
        assert part.width() >= part.minimumSizeHint().width()
    view = dialog.columns
    assert sum(view.columnWidth(k) for k in range(4)) <= view.viewport().width() + 1


LONG = "Age of the customer in completed years at the time of the survey"
SURVEY = f"id;{LONG} (first visit);{LONG} (second visit);income;decision\n" + "".join(
    f"c{k};{20 + k % 40};{30 + k % 37};{'' if k % 9 == 4 else 1500 + k};{('yes', 'no')[k % 2]}\n"
    for k in range(60)
)


@pytest.mark.parametrize("name", ["light", "projector"])
def test_long_names_leave_what_was_found_in_sight(
    qapp: Any, open_dialog: Any, table: Any, name: str
) -> None:
    style.apply(qapp, name)
    dialog = open_dialog(table(SURVEY))
    view = dialog.columns
    ends = view.columnViewportPosition(FOUND) + view.columnWidth(FOUND)
    assert ends <= view.viewport().width() + 1
    assert not view.horizontalScrollBar().isVisible()
    row = view.model_.index(1, 0)
    assert view.model_.data(row, Qt.ItemDataRole.ToolTipRole) == f"{LONG} (first visit)"
    assert view.visualRect(row).width() > 100
    assert dialog.preview.width() > 0.35 * dialog.width(), "the first rows have their room too"


@pytest.mark.parametrize("name", ["light", "projector"])
def test_long_heads_of_the_first_rows_are_marked_as_cut(
    qapp: Any, open_dialog: Any, table: Any, name: str
) -> None:
    """A head of numbers stands at the right: cut without a mark it began in the middle
    of a word.
    """
    style.apply(qapp, name)
    dialog = open_dialog(table(SURVEY))
    head = dialog.preview.horizontalHeader()
    model = dialog.preview.model_
    assert (
        model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        == f"{LONG} (first visit)"
    )
    assert model.headerData(1, Qt.Orientation.Horizontal) == f"{LONG} (first visit)", (
        "for who cannot see it"
    )
    place = QRect(head.sectionViewportPosition(1), 0, head.sectionSize(1), head.height())
    cell = head.viewport().grab(place).toImage()
    ground = cell.pixelColor(2, cell.height() // 2)
    edge = [cell.pixelColor(x, y) for x in range(1, 5) for y in range(3, cell.height() - 3)]
    assert set(map(QColor.name, edge)) == {ground.name()}, "words touch the edge"


def test_the_rule_that_a_person_moved_stays_there(qtbot: Any, open_dialog: Any, table: Any) -> None:
    dialog = open_dialog(table(SURVEY))
    dialog.split.setSizes([500, 484])
    moved = dialog.split.sizes()
    choose(qtbot, dialog, "income", ROLE, "ignored")
    assert dialog.split.sizes() == moved


@pytest.mark.slow
def test_two_thousand_columns(qtbot: Any, open_dialog: Any, table: Any) -> None:
    names = ",".join(f"c{i}" for i in range(2_000))
    dialog = open_dialog(table(names + "\n" + ",".join("1" for _ in range(2_000)) + "\n"))
    before = time.perf_counter()
    choose(qtbot, dialog, "c3", ROLE, "ignored")
    assert time.perf_counter() - before < 2.0
    assert column(dialog, "c3").role is ColumnRole.IGNORED


@pytest.mark.slow
def test_a_domain_that_the_file_names_is_kept_whatever_is_chosen(
    qtbot: Any, table: Any, open_dialog: Any
) -> None:
    text = "@relation r\n@attribute a {r, q, p}\n@attribute c {w, u, v}\n@data\nq,u\np,w\np,v\n"
    dialog = open_dialog(table(text, "t.arff"))
    data = accept(qtbot, dialog)
    assert data["a"].categories == ("r", "q", "p")
    assert data.classes == ("w", "u", "v")
    dialog = open_dialog(table(text, "t.arff"))
    choose(qtbot, dialog, "a", ROLE, "target")
    data = accept(qtbot, dialog)
    assert data.classes == ("q", "p", "r"), "the two classes that have rows come first"
    assert data["c"].categories == ("w", "u", "v")
    assert data["c"].labels() == ["u", "w", "v"]
