"""The table editor: a window in which every cell can be changed; every edit can be undone."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, listed, quoted
from engine.base.records import replace
from engine.document import table_edits
from engine.document.document import Document
from engine.document.lane_edits import LETTERS
from engine.table.dataset import ColumnRole, Dataset, Kind
from gui.base.guard import guarded
from gui.base.plain_text import as_words
from gui.dialogs.cell_editors import CellsView, offers_choice
from gui.dialogs.cells_model import CellsModel, shown_text
from gui.dialogs.column_header import ColumnHeader
from gui.dialogs.open_columns import KINDS, ROLES
from gui.look import icons, style, theme
from gui.look.ink import face
from gui.look.style import describe
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import ElidedLabel, ErrorLine

SIZE, MIN_SIZE = QSize(640, 540), QSize(480, 320)
IN_ALL_LANES = (
    "A change of the columns that all lanes share names {name}, and a lane has points of its own:"
    " take the change away first (Data, Change), or give all lanes the same points."
)
MEASURED, WIDEST, NARROWEST = 200, 240, 56


class TableEditor(QDialog):
    """Shows the table of the active lane; edits go through the session.

    A second editor of the same window replaces the first.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.cells = CellsModel(session.data, self)
        self.cells.typed.connect(self._on_typed)
        self.view = CellsView(self.cells)
        self.header = ColumnHeader(self.cells, self.view)
        self.header.renamed.connect(self.rename_column)
        self.header.customContextMenuRequested.connect(self._open_header_menu)
        self.view.setHorizontalHeader(self.header)
        self._menu_column = -1  # the column whose header opened the menu, -1 for none
        self.error = ErrorLine()
        self.status = ElidedLabel("", "muted")
        self._build()
        self._add_keys()
        self._fit_columns()
        if not self._replace_previous(parent):
            self._fit_window()
        session.changed.connect(self._on_changed)
        session.said.connect(self._on_said)
        self.refresh()
        self.view.setFocus()
        if len(session.data):
            self.view.go(0, 0)
            self._mark()

    def _on_changed(self, changes: Changes) -> None:
        what = changes.window
        if what & Change.ACTIVE:
            self._on_lane()
        if what & Change.DOCUMENT:
            self.refresh()
        if what & Change.SELECTION:
            self._mark()

    def _replace_previous(self, parent: QWidget | None) -> bool:
        """Close another editor of this window and take its place; returns whether there was one."""
        for previous in parent.findChildren(TableEditor) if parent is not None else ():
            if previous is not self and previous.isVisible():
                self.setGeometry(previous.geometry())
                previous.close()
                return True
        return False

    # -- layout ------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 10)
        column.setSpacing(theme.GAP)
        column.addLayout(self._tools())
        column.addWidget(self.error)
        column.addWidget(self.view, 1)
        column.addWidget(self.status)

    def _tools(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(
            self._button("Add row", "An empty row below the current one (Ctrl++)", self.add_row)
        )
        row.addWidget(
            self._button("Delete rows", "The rows with selected cells (Ctrl+−)", self.delete_rows)
        )
        row.addSpacing(theme.GAP)
        self.add_menu, self.column_menu = QMenu(self), QMenu(self)
        for kind, words in KINDS.items():
            if kind is not Kind.BOOLEAN:
                self.add_menu.addAction(f"of {words}", lambda kind=kind: self.add_column(kind))  # type: ignore[misc]
        self.column_menu.aboutToShow.connect(self._fill_column_menu)
        row.addWidget(
            self._menu_button("Add column", "An empty column behind the current one", self.add_menu)
        )
        row.addWidget(
            self._menu_button(
                "Column", "Name, kind and role of the current column", self.column_menu
            )
        )
        row.addStretch(1)
        row.addWidget(self._icon("undo", "Undo (Ctrl+Z)", self.session.undo))
        row.addWidget(self._icon("redo", "Redo (Ctrl+Y)", self.session.redo))
        return row

    def _button(self, words: str, tip: str, effect: Callable[[], object]) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        describe(button, words, tip)
        button.clicked.connect(lambda *_: effect())
        return button

    def _menu_button(self, words: str, tip: str, menu: QMenu) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        icons.put(button, "chevron-down", "ink2", icons.SMALL)
        describe(button, words, tip)
        button.clicked.connect(
            lambda *_: menu.popup(button.mapToGlobal(QPoint(0, button.height())))
        )
        return button

    def _icon(self, icon: str, tip: str, effect: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        icons.put(button, icon, "ink2", icons.USUAL)
        describe(button, tip)
        button.clicked.connect(lambda *_: effect())
        return button

    def _add_keys(self) -> None:
        for key, effect in (
            ("Ctrl+Z", self.session.undo),
            ("Ctrl+Y", self.session.redo),
            ("Ctrl+Shift+Z", self.session.redo),
            ("Ctrl+C", self.copy),
            ("Ctrl+X", self.cut),
            ("Ctrl+V", self.paste),
            ("Del", self.clear_cells),
            ("Ctrl++", self.add_row),
            ("Ctrl+-", self.delete_rows),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(effect)

    def _fit_window(self) -> None:
        """Make the window as wide as its columns, but no wider than its parent."""
        look = theme.current()
        room = self.parentWidget().size() if self.parentWidget() is not None else QSize(1280, 800)
        names = self.view.verticalHeader().sizeHint().width()
        wide = (
            sum(self.view.columnWidth(k) for k in range(self.cells.columnCount()))
            + names
            + 24
            + style.scale(look, 24)
        )
        high = style.scale(look, SIZE.height())
        self.resize(
            QSize(max(wide, style.scale(look, SIZE.width())), high)
            .boundedTo(room - QSize(40, 60))
            .expandedTo(MIN_SIZE)
        )

    def _fit_columns(self, names: Iterable[str] | None = None) -> None:
        """Make columns as wide as their first cells and their header need, within limits.

        names: the columns to fit, None for all
        """
        look = theme.current()
        body = face("body")
        self.view.verticalHeader().setDefaultSectionSize(style.scale(look, theme.TABLE_ROW))
        for place, column in enumerate(self.cells.table.columns[:MEASURED]):
            if names is not None and column.name not in names:
                continue
            texts = (shown_text(column, row) for row in range(min(len(column.values), MEASURED)))
            marker = style.scale(look, 22) if column.role is ColumnRole.TARGET else 0
            choice = style.scale(look, 26) if offers_choice(column) else 0
            wide = (
                max((body.width(text) for text in texts), default=0)
                + style.scale(look, 20)
                + marker
                + choice
            )
            low, high = (style.scale(look, size) for size in (NARROWEST, WIDEST))
            self.view.setColumnWidth(
                place, int(min(max(wide, self.header.needed(place), low), high))
            )

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "header"):
            self._fit_columns()

    # -- following ---------------------------------------------------------------------------------

    def _mark(self) -> None:
        self.view.mark(self.session.pointer.selected)

    def refresh(self, other_table: bool = False) -> None:
        """Show the table after a change of the document; selection, scrolling and widths stay.

        other_table: the table is another one, so that the model is reset
        """
        data = self.session.data
        own = self.session.lane.data is not None
        lane = f", points of lane {LETTERS[self.session.active]}" if own else ""
        self.setWindowTitle(f"Table – {cut(data.name)}{lane}")
        widths = {c.name: self.view.columnWidth(k) for k, c in enumerate(self.cells.table.columns)}
        current = self.view.currentIndex()
        here = (current.row(), current.column())
        bars = self._scrolled()
        if other_table:
            self.cells.show_table(data)
        else:
            self.cells.follow(data)
        self._show_error(self.session.error)
        self._count()
        if other_table or [*widths] != [c.name for c in data.columns]:
            self._after_reset(widths, here, bars)

    def _on_lane(self) -> None:
        """Follow the active lane.

        If its table is another one, the editor of a cell is closed: its row is a different one
        there.
        """
        self.refresh(other_table=self.session.data is not self.cells.table)
        self._mark()

    def _scrolled(self) -> tuple[int, int]:
        return self.view.horizontalScrollBar().value(), self.view.verticalScrollBar().value()

    def _after_reset(
        self, widths: dict[str, int], here: tuple[int, int], bars: tuple[int, int]
    ) -> None:
        """Restore widths, current cell and scrolling, which a reset of the model loses."""
        columns = self.cells.table.columns
        for place, column in enumerate(columns):
            if column.name in widths:
                self.view.setColumnWidth(place, widths[column.name])
        self._fit_columns([c.name for c in columns if c.name not in widths])
        row, place = min(here[0], len(self.cells.table) - 1), min(here[1], len(columns) - 1)
        if row >= 0 and place >= 0:
            self.view.go(row, place)
        self.view.horizontalScrollBar().setValue(bars[0])
        self.view.verticalScrollBar().setValue(bars[1])

    def _count(self) -> None:
        data = self.session.data
        rows, columns = len(data), len(data.columns)
        self.status.set_text(f"{counted(rows, 'row')}, {counted(columns, 'column')}")

    def _on_said(self, sentence: str, kind: str) -> None:
        if kind == "error":
            self._show_error(sentence)
        elif self.isActiveWindow():
            self.status.set_text(sentence)

    def _show_error(self, sentence: str) -> None:
        self.error.show_error(sentence)

    # -- edits -------------------------------------------------------------------------------------

    def change(
        self, edit: Callable[[Dataset], Dataset], label: str, touched: Iterable[str] = ()
    ) -> bool:
        """Edit the table, or show why that cannot be; returns whether it was edited.

        touched: columns that the plane and the transformations can no longer use
        """
        dropped = list(touched)

        def change(seen: Document) -> Document:
            changed = replace(
                seen, data=edit(seen.data), transforms=table_edits.without(seen.transforms, dropped)
            )
            return (
                replace(changed, plane=(), probe=None)
                if set(seen.plane) & set(dropped)
                else changed
            )

        return self._put(change, label)

    def _put(self, change: Callable[[Document], Document], label: str) -> bool:
        """Put a change of the active lane's document in force, or show why it cannot be."""
        try:
            changed = self.session.document.in_lane(self.session.active, change)
        except EngineError as sentence:
            self._show_error(str(sentence))
            return False
        self._show_error("")
        self.session.edit(changed, label)
        return True

    def _on_typed(self, row: int, name: str, text: str, new: bool) -> None:
        edit = lambda data: table_edits.set_cells(data, name, [row], [text], new=new)  # noqa: E731
        self.cells.taken = self.change(edit, f"change a cell of {cut(name)}")

    def add_row(self) -> None:
        """Add an empty row below the current one and go there, in the same column."""
        at = (
            self.view.currentIndex().row() + 1
            if self.view.currentIndex().isValid()
            else len(self.cells.table)
        )
        if self.change(lambda data: table_edits.insert_rows(data, at), "add a row"):
            self.view.go(at, max(0, self.view.currentIndex().column()))

    def delete_rows(self) -> None:
        rows, _ = self.selected()
        if rows:
            self.change(
                lambda data: table_edits.delete_rows(data, rows), f"delete {_rows(len(rows))}"
            )

    def add_column(self, kind: Kind) -> None:
        """Add an empty column behind the current one and open the field for its name."""
        place = (
            self.view.currentIndex().column() + 1
            if self.view.currentIndex().isValid()
            else len(self._columns())
        )
        name = table_edits.new_name(self.session.data)
        if self.change(
            lambda data: table_edits.add_column(data, place, name, kind), f"add column {cut(name)}"
        ):
            self.view.go(max(0, self.view.currentIndex().row()), place)
            self.view.scrollTo(self.view.currentIndex())
            self.status.set_text(f"Column {cut(name)} is ignored until it is given another role.")
            self.header.rename(place)

    def delete_columns(self, names: list[str]) -> None:
        self.change(
            lambda data: table_edits.delete_columns(data, names), f"delete {listed(names)}", names
        )

    def rename_column(self, old: str, new: str) -> None:
        self._put(partial(_with_column_renamed, old, new), f"rename column {cut(old)}")

    def set_kind(self, name: str, kind: Kind) -> None:
        self.change(
            lambda data: table_edits.with_kind(data, name, kind),
            f"make {cut(name)} {KINDS[kind]}",
            [name],
        )

    def set_role(self, name: str, role: ColumnRole) -> None:
        dropped = [] if role is ColumnRole.FEATURE else [name]
        self.change(
            lambda data: table_edits.with_role(data, name, role),
            f"use {cut(name)} as {ROLES[role]}",
            dropped,
        )

    # -- the menu of a column ----------------------------------------------------------------------

    def _columns(self) -> tuple[Any, ...]:
        return self.cells.table.columns

    def _open_header_menu(self, place: QPoint) -> None:
        section = self.header.logicalIndexAt(place)
        if section >= 0:
            if len(self.cells.table):
                self.view.go(max(0, self.view.currentIndex().row()), section)
            self._menu_column = section
            self.column_menu.popup(self.header.viewport().mapToGlobal(place))

    def _fill_column_menu(self) -> None:
        """Fill the menu of a column.

        Rename, kind and role are for the column that was clicked, else for that of the current
        cell, else for the first. Delete is for that column, or for all with selected cells if it is
        one of them.
        """
        self.column_menu.clear()
        place = (
            self._menu_column
            if self._menu_column >= 0
            else max(0, self.view.currentIndex().column())
        )
        self._menu_column = -1
        if place >= len(self._columns()):
            return
        column = self._columns()[place]
        self.column_menu.addAction(
            as_words(f"Rename {cut(column.name)}…"), lambda: self.header.rename(place)
        )
        self.column_menu.addSection("Kind")
        for kind, words in KINDS.items():
            action = self.column_menu.addAction(
                words,
                lambda kind=kind: self.set_kind(column.name, kind),  # type: ignore[misc]
            )
            _check(action, kind is column.kind)
        self.column_menu.addSection("Role")
        for role, words in ROLES.items():
            action = self.column_menu.addAction(
                words,
                lambda role=role: self.set_role(column.name, role),  # type: ignore[misc]
            )
            _check(action, role is column.role)
        self.column_menu.addSeparator()
        _, places = self.selected()
        doomed = self._names(places if place in places else [place])
        self.column_menu.addAction(
            as_words(f"Delete {_columns(doomed)}"), lambda: self.delete_columns(doomed)
        )

    # -- blocks of cells ---------------------------------------------------------------------------

    def selected(self) -> tuple[list[int], list[int]]:
        """(rows, columns) with a selected cell; those of the current cell if none is selected."""
        rows: set[int] = set()
        columns: set[int] = set()
        parts: Any = self.view.selectionModel().selection()
        for part in parts:
            rows.update(range(part.top(), part.bottom() + 1))
            columns.update(range(part.left(), part.right() + 1))
        current = self.view.currentIndex()
        if not rows and current.isValid():
            return [current.row()], [current.column()]
        return sorted(rows), sorted(columns)

    def _names(self, places: Iterable[int]) -> list[str]:
        return [self._columns()[place].name for place in places]

    def copy(self) -> None:
        rows, places = self.selected()
        if rows:
            QApplication.clipboard().setText(
                table_edits.block_text(self.session.data, rows, self._names(places))
            )
            count = len(rows) * len(places)
            self.status.set_text(f"{counted(count, 'cell')} copied.")

    def cut(self) -> None:
        self.copy()
        self.clear_cells()

    def clear_cells(self) -> None:
        """Empty the selected cells."""
        rows, places = self.selected()
        if rows:
            names = self._names(places)
            self.change(lambda data: table_edits.clear_cells(data, rows, names), "clear cells")

    def paste(self) -> None:
        """Paste cells from the clipboard, beginning at the first selected cell.

        A single cell fills the whole selection.
        """
        text = QApplication.clipboard().text()
        if not text:
            self._show_error(
                "The clipboard holds no cells to paste: copy some from a spreadsheet or a table"
                " first."
            )
            return
        block = table_edits.cut_block(text)
        rows, places = self.selected() if self.view.currentIndex().isValid() else ([0], [0])
        if len(block) == len(block[0]) == 1 and len(rows) * len(places) > 1:
            block = [[block[0][0]] * len(places) for _ in rows]
        names = self._names(range(places[0], len(self._columns())))
        row = rows[0]
        if self.change(
            lambda data: table_edits.paste_block(data, row, names, block), "paste cells"
        ):
            self._select_block(row, places[0], len(block), len(block[0]))

    def _select_block(self, row: int, column: int, high: int, wide: int) -> None:
        first = self.cells.index(row, column)
        last = self.cells.index(row + high - 1, column + wide - 1)
        self.view.go(row, column)
        picked = QItemSelection(first, last)
        self.view.selectionModel().select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.status.set_text(f"{counted(high * wide, 'cell')} pasted.")


def _with_column_renamed(old: str, new: str, document: Document) -> Document:
    """The document with a column renamed.

    All lanes share axes and transformations. If a lane has a table of its own, they cannot follow
    the name: the axes are chosen again if they use the column. Raises EngineError if a
    transformation names the column.
    """
    data = table_edits.rename_column(document.data, old, new)
    transforms = table_edits.renamed(document.transforms, old, new.strip())
    if not any(each.data is not None for each in document.lanes):
        plane = tuple(new.strip() if name == old else name for name in document.plane)
        return replace(document, data=data, plane=plane, transforms=transforms)
    if transforms != document.transforms:
        raise EngineError(IN_ALL_LANES.format(name=quoted(old)))
    changed = replace(document, data=data)
    return replace(changed, plane=(), probe=None) if old in document.plane else changed


def _rows(count: int) -> str:
    return "a row" if count == 1 else counted(count, "row")


def _columns(names: list[str]) -> str:
    return " and ".join(map(cut, names)) if len(names) < 3 else counted(len(names), "column")


def _check(action: QAction, on: bool) -> None:
    action.setCheckable(True)
    action.setChecked(on)
