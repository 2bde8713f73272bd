"""The header of the table editor: the name, kind and role of each column.

A double click renames a column; a right click opens its menu.
"""

from typing import Any

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTableView

from engine.base.notation import cut
from gui.base.guard import guarded
from gui.dialogs.cells_model import CellsModel, role_text
from gui.look import style, theme
from gui.look.ink import face, write
from gui.look.style import describe

PAD = 9


class ColumnHeader(QHeaderView):
    """Paints the columns' names with kind and role, and edits the names.

    renamed: signal (old, new) that a person typed another name
    """

    renamed = Signal(str, str)

    def __init__(self, cells: CellsModel, view: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self.cells = cells
        self.editor: QLineEdit | None = None
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.sectionDoubleClicked.connect(self.rename)

    def needed(self, section: int) -> int:
        """The width that the name, and kind and role below it, need."""
        column = self.cells.table.columns[section]
        words = max(face("heading").width(column.name), face("caption").width(role_text(column)))
        return int(words) + 2 * style.scale(theme.current(), PAD) + 2

    @guarded
    def sizeHint(self) -> QSize:
        look = theme.current()
        return QSize(
            100, look.line_height("heading") + look.line_height("caption") + style.scale(look, 8)
        )

    @guarded
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        look = theme.current()
        cell = QRectF(rect)
        selected = (
            self.selectionModel() is not None
            and self.selectionModel().currentIndex().column() == section
        )
        painter.save()
        painter.fillRect(cell, look.colour("hover" if selected else "dock"))
        painter.fillRect(
            QRectF(cell.right() - 1, cell.top(), 1, cell.height()), look.colour("line")
        )
        painter.fillRect(
            QRectF(cell.left(), cell.bottom() - 1, cell.width(), 1), look.colour("line")
        )
        if section < len(self.cells.table.columns):
            self._write(painter, cell, section)
        painter.restore()

    def _write(self, painter: QPainter, cell: QRectF, section: int) -> None:
        look = theme.current()
        column = self.cells.table.columns[section]
        pad = style.scale(look, PAD)
        bold = face("heading")
        small = face("caption")
        room = cell.width() - 2 * pad + 2
        first = cell.top() + style.scale(look, 4) + look.line_height("heading") / 2
        second = cell.bottom() - style.scale(look, 4) - look.line_height("caption") / 2
        write(painter, cell.left() + pad, first, bold.cut(column.name, room), bold, "ink")
        write(painter, cell.left() + pad, second, small.cut(role_text(column), room), small, "ink3")

    @guarded
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange:
            self.updateGeometry()
        return super().event(event)

    # -- renaming ----------------------------------------------------------------------------------

    def rename(self, section: int) -> None:
        """Open a field over the column's name: Return enters the text, Escape cancels."""
        if section < 0:
            return
        name = self.cells.table.columns[section].name
        self.editor = _NameField(name, self.viewport())
        describe(self.editor, f"New name of column {cut(name)}")
        self.editor.setGeometry(
            self.sectionViewportPosition(section),
            0,
            self.sectionSize(section) - 1,
            self.height() - 1,
        )
        self.editor.entered.connect(lambda new: self._on_entered(name, new))
        self.editor.show()
        self.editor.selectAll()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_entered(self, old: str, new: str) -> None:
        if self.editor is not None:
            self.editor.deleteLater()
            self.editor = None
        view = self.parentWidget()
        if view is not None:
            view.setFocus(Qt.FocusReason.OtherFocusReason)
        if new.strip() != old:
            self.renamed.emit(old, new)


class _NameField(QLineEdit):
    """The field in which a column is renamed.

    entered: signal (text), sent once: the typed text at Return and on leaving, the previous name at
        Escape
    """

    entered = Signal(str)

    def __init__(self, name: str, parent: Any) -> None:
        super().__init__(name, parent)
        self.previous = name
        self.over = False
        look = theme.current()
        self.setStyleSheet(
            "QLineEdit { min-height: 0; max-height: 999px; border-radius: 0; padding: 0 4px;"
            f" border: 1px solid {look.ink}; }}"
        )

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._end(self.text())
        elif event.key() == Qt.Key.Key_Escape:
            self._end(self.previous)
        else:
            super().keyPressEvent(event)

    @guarded
    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (
            Qt.FocusReason.PopupFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
        ):
            self._end(self.text())

    def _end(self, text: str) -> None:
        if not self.over:
            self.over = True
            self.entered.emit(text)
