"""The dialog “Which method for what”: the methods as a table, read off their records."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.files.methods_table import TITLES, MethodRow, method_rows
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.style import describe
from gui.setup.picker import PAGES
from gui.widgets.controls import ElidedLabel, SearchField

WIDE, HIGH, EDGE = 1120, 660, QSize(24, 40)  # at the usual size of type; margin to the window
ASKS = "What a method takes and gives, as its own record says (MMDS 12.5, AIMA 18.11.2)"


class WhichMethod(QDialog):
    """A row for each method that learns; the search leaves the rows that have all its words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Which method for what")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = SearchField("Search: words, values, trees, 2, yes …")
        self.rows = method_rows()
        self.table = QTableWidget(len(self.rows), len(TITLES))
        self._build()
        self.search.textChanged.connect(lambda _: self.fill())
        look = theme.current()
        room = (parent.parentWidget() or parent).size() - EDGE
        self.resize(QSize(style.scale(look, WIDE), style.scale(look, HIGH)).boundedTo(room))

    def _build(self) -> None:
        self.table.setHorizontalHeaderLabels(list(TITLES.values()))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        describe(self.table, "Which method for what")
        for r, row in enumerate(self.rows):
            for c, name in enumerate(TITLES):
                self.table.setItem(r, c, QTableWidgetItem(getattr(row, name)))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        describe(close, "Close", "Close (Escape)")
        close.clicked.connect(self.close)
        foot = QHBoxLayout()
        said = ElidedLabel(kind="caption")
        said.set_text(ASKS)
        foot.addWidget(said, 1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, 14, theme.PAD_X, 12)
        column.setSpacing(10)
        column.addWidget(self.search)
        column.addWidget(self.table, 1)
        column.addLayout(foot)
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def fill(self) -> None:
        """Hide the rows that lack a word of the search."""
        words = self.search.text().casefold().split()
        for r, row in enumerate(self.rows):
            text = words_of(row)
            self.table.setRowHidden(r, not all(word in text for word in words))

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        if event.key() in PAGES:
            self.table.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)


def words_of(row: MethodRow) -> str:
    """The words of a row in lower case, for the search."""
    return " ".join(getattr(row, name) for name in ("family", *TITLES)).casefold()
