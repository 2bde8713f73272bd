"""The rows of the classes in the data dock: mark, name, count. A double-click or right-click
renames a class.
"""

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.notation import class_text
from engine.document.document import Document
from engine.document.edits import rename_class
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.swatches import boxed
from gui.session.session import Session
from gui.widgets.controls import ClassMarker, ElidedLabel, ErrorLine, describe, label

LONGEST = 60  # characters of a name


class ClassRow(QFrame):
    """One class.

    code: its place among the classes; marked: whether its mark is used on the plane.
    """

    def __init__(self, session: Session, code: int, text: str, count: int, marked: bool) -> None:
        super().__init__()
        self.session, self.code = session, code
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        name = ElidedLabel()
        name.set_text(text, "Double-click to rename")
        line.addWidget(ClassMarker(code if marked else -1, text, box=boxed(session.problem)))
        line.addWidget(name, 1)
        line.addWidget(label(f"{count:,}"))

    @guarded
    def mouseDoubleClickEvent(self, event: Any) -> None:
        event.accept()
        ClassName(self.session, self.code, self).open_below(self)

    @guarded
    def contextMenuEvent(self, event: Any) -> None:
        event.accept()
        ClassName(self.session, self.code, self).open_below(self)


class ClassName(QFrame):
    """A popup that renames a class: Return takes the new name, Esc keeps the old one."""

    def __init__(self, session: Session, code: int, parent: QWidget) -> None:
        super().__init__(parent.window(), Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        style.mark(self, "panel")
        target = session.data.target
        assert target is not None
        self.session, self.code = session, code
        shown = class_text(target.categories[code], target.categories)
        self.setAccessibleName(f"Name of class {shown}")
        self.field = QLineEdit(shown)
        self.error = ErrorLine()
        self.field.setMaxLength(LONGEST)
        describe(self.field, f"New name of class {shown}")
        self.field.returnPressed.connect(self.put)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        for part in (
            self.field,
            self.error,
            label("Return renames the class, Esc leaves it.", "caption"),
        ):
            column.addWidget(part)
        self.setFixedWidth(style.scale(theme.current(), 260))

    def open_below(self, anchor: QWidget) -> None:
        """Show the popup below `anchor`, inside the window."""
        window = anchor.window()
        self.adjustSize()
        low = window.mapToGlobal(QPoint(0, 0))
        high = low + QPoint(window.width() - self.width(), window.height() - self.height())
        place = anchor.mapToGlobal(QPoint(0, anchor.height() + 2))
        self.move(min(max(place.x(), low.x()), high.x()), min(max(place.y(), low.y()), high.y()))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()

    @guarded
    def closeEvent(self, event: Any) -> None:
        """Activate the window again, since not every system does so."""
        super().closeEvent(event)
        self.parentWidget().activateWindow()

    def _renamed(self, document: Document) -> Document:
        return rename_class(document, self.code, self.field.text())

    def put(self) -> None:
        """Rename the class; if the name is not allowed, show why and stay open."""
        try:
            document = self.session.document.in_lane(self.session.active, self._renamed)
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            self.adjustSize()
            return
        self.close()
        self.session.edit(document, "rename a class")
