"""Editors for the cells of a table.

A text field for numbers and names, a drop-down with “new value…” for categories.
"""

from collections.abc import Collection
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from engine.base.notation import cut, label_text
from engine.table.dataset import MAX_CLASSES, Column, ColumnRole, Kind
from gui.base.guard import guarded, guarded_filter
from gui.dialogs.cells_model import CellsModel
from gui.look import style, theme
from gui.look.style import describe
from gui.widgets.controls import Combo

MISSING, NEW = "missing", "new value…"
_Index = QModelIndex | QPersistentModelIndex


def offers_choice(column: Column) -> bool:
    """Whether the values of a column are chosen from a list.

    Names, numbers and columns of more than `MAX_CLASSES` words are typed freely.
    """
    few = len(column.categories) <= MAX_CLASSES and column.role is not ColumnRole.NAME
    return column.kind is Kind.BOOLEAN or (column.kind is Kind.CATEGORICAL and few)


class CategoryBox(Combo):
    """A drop-down of the values of a column, “missing” and “new value…”.

    Typing finds a value; “new value…” clears the field for another one.

    picked: signal that a value was chosen
    new: whether a new value may be typed
    """

    picked = Signal()

    def __init__(self, column: Column, parent: QWidget) -> None:
        super().__init__(f"Value of {cut(column.name)}", True, parent)
        self.new = False
        self.texts = [label_text(label) for label in column.categories]
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems(self.texts)
        self.addItem(MISSING)
        if column.kind is not Kind.BOOLEAN:
            self.addItem(NEW)
        finder = QCompleter(self.texts, self)
        finder.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)
        finder.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(finder)
        self.activated.connect(self._on_activated)
        self.setStyleSheet(
            "QComboBox { min-height: 0; max-height: 999px; border-radius: 0; padding: 0; "
            f"border: 1px solid {theme.current().ink}; }}"
        )
        self.line().setTextMargins(style.scale(theme.current(), 6), 0, 0, 0)
        self.view().setMinimumWidth(style.scale(theme.current(), 140))

    def value(self) -> tuple[str, bool]:
        """(text, whether it may be a new value); the text is empty for a missing value."""
        text = self.currentText().strip()
        return ("" if text == MISSING and MISSING not in self.texts else text), self.new

    def show_value(self, text: str) -> None:
        self.setCurrentIndex(self.texts.index(text) if text in self.texts else -1)
        self.setEditText(text)
        self.line().selectAll()

    def line(self) -> QLineEdit:
        line = self.lineEdit()
        assert line is not None
        return line

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Up and Down open the list; Qt would change the value instead."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def _on_activated(self, place: int) -> None:
        if self.itemText(place) != NEW or place < len(self.texts):
            self.picked.emit()
            return
        self.new = True
        self.setCompleter(None)  # type: ignore[arg-type]
        self.setEditText("")
        self.line().setPlaceholderText("new value")
        self.line().setFocus(Qt.FocusReason.OtherFocusReason)


class CellDelegate(QStyledItemDelegate):
    """Makes the editor that fits a cell's column."""

    def __init__(self, cells: CellsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.cells = cells

    @guarded
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        column = self.cells.table.columns[index.column()]
        if not offers_choice(column):
            line = QLineEdit(parent)
            line.setFrame(False)
            describe(line, f"{cut(column.name)} of {self.cells.row_title(index.row())}", "")
            return line
        box = CategoryBox(column, parent)
        box.picked.connect(lambda: self._take(box))
        return box

    def _take(self, box: CategoryBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QAbstractItemDelegate.EndEditHint.SubmitModelCache)

    @guarded_filter
    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Keep the editor when the focus goes to a list that opens or to another program."""
        kept = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if (
            isinstance(event, QFocusEvent)
            and event.type() == QEvent.Type.FocusOut
            and event.reason() in kept
        ):
            return False
        return super().eventFilter(editor, event)

    @guarded
    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        editor.setGeometry(option.rect.adjusted(0, 0, 0, 1))

    @guarded
    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        text = str(index.data(Qt.ItemDataRole.EditRole))
        if isinstance(editor, CategoryBox):
            editor.show_value(text)
        elif isinstance(editor, QLineEdit):
            editor.setText(text)

    @guarded
    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        if isinstance(editor, CategoryBox):
            text, new = editor.value()
            if text or not new:  # “new value…” with nothing typed keeps the cell
                model.setData(index, (text, new))
        elif isinstance(editor, QLineEdit):
            model.setData(index, (editor.text(), True))


class CellsView(QTableView):
    """The view of the table editor.

    Return edits the current cell; in the editor it enters the text and goes to the cell below. A
    double click on a cell of categories opens its drop-down.
    """

    def __init__(self, cells: CellsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = cells
        self.setModel(cells)
        self.setItemDelegate(CellDelegate(cells, self))
        describe(self, "The table", "")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.verticalHeader().setSectionResizeMode(self.verticalHeader().ResizeMode.Fixed)
        self.verticalHeader().setHighlightSections(False)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        editing = self.state() == QAbstractItemView.State.EditingState
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not editing
            and self.currentIndex().isValid()
        ):
            self.edit(self.currentIndex())
            return
        super().keyPressEvent(event)

    @guarded
    def mouseDoubleClickEvent(self, event: Any) -> None:
        super().mouseDoubleClickEvent(event)
        editor = self.indexWidget(self.currentIndex())
        box = editor if isinstance(editor, CategoryBox) else self.focusWidget()
        if isinstance(box, CategoryBox):
            QTimer.singleShot(0, box.showPopup)

    @guarded
    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        here = self.currentIndex()
        if (
            hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache
            and self.cells.taken
            and here.isValid()
        ):
            self.go(min(here.row() + 1, self.cells.rowCount() - 1), here.column())

    def mark(self, rows: Collection[int]) -> None:
        """Select exactly these rows, and scroll to the first of them.

        Without rows, select the current cell.
        """
        current = self.currentIndex()
        last = self.cells.columnCount() - 1
        chosen = QItemSelection() if rows else QItemSelection(current, current)
        for row in sorted(rows):
            chosen.select(self.cells.index(row, 0), self.cells.index(row, last))
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows:
            self.scrollTo(self.cells.index(min(rows), 0))

    def go(self, row: int, column: int) -> None:
        """Make a cell the current and only selected one, even while Shift or Ctrl is held."""
        chosen = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self.cells.index(row, column), chosen)
