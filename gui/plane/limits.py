"""The form in which the ranges of both axes are typed. Return applies them, Esc keeps what is
shown.
"""

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QWidget

from engine.base.notation import MINUS
from engine.base.records import replace
from engine.read.number_cells import number_of
from gui.base.guard import guarded
from gui.look import style, theme
from gui.plane.ranges import Ranges
from gui.session.session import Session
from gui.widgets.controls import ErrorLine, describe, label

MOST = 1e12  # largest absolute end of an axis


class Limits(QFrame):
    """A popup with the ends of both axes in four fields. The ranges become part of the document:
    they are saved, and undo reverts them.
    """

    def __init__(self, session: Session, ranges: Ranges, parent: QWidget) -> None:
        super().__init__(parent.window(), Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        style.mark(self, "panel")
        self.setAccessibleName("Ranges of the axes")
        self.session = session
        self.ranges = ranges
        self.error = ErrorLine()
        self.fields: list[QLineEdit] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 10, 12, 10)
        spans = ranges.view_box.viewRange()
        for row, (axis, name, span) in enumerate(
            zip(("x", "y"), ranges.axis_names(), spans, strict=True)
        ):
            grid.addWidget(label(name or axis), row, 0)
            for column, (end, value) in enumerate(zip(("from", "to"), span, strict=True)):
                field = QLineEdit(f"{value:.5g}".replace("-", MINUS))
                describe(field, f"{name or axis} {end}")
                field.returnPressed.connect(self.put)
                self.fields.append(field)
                grid.addWidget(label(end, "caption"), row, 1 + 2 * column)
                grid.addWidget(field, row, 2 + 2 * column)
        grid.addWidget(self.error, 2, 0, 1, 5)
        grid.addWidget(label("Return sets the ranges, F shows all points.", "caption"), 3, 0, 1, 5)
        self.setFixedWidth(style.scale(theme.current(), 300))

    def open_over(self, ground: QWidget) -> None:
        """Open in the lower left corner of `ground`, where the axes meet."""
        self.adjustSize()
        self.move(ground.mapToGlobal(QPoint(56, ground.height() - self.height() - 40)))
        self.show()
        self.fields[0].setFocus(Qt.FocusReason.PopupFocusReason)
        self.fields[0].selectAll()

    @guarded
    def closeEvent(self, event: Any) -> None:
        """Activate the window again: some systems do not return the keyboard focus to it."""
        super().closeEvent(event)
        self.parentWidget().activateWindow()

    def put(self) -> None:
        """Apply the typed ranges and close. Show an error and stay open where one
        is not a range.
        """
        ends = [number_of(field.text()) for field in self.fields]
        x0, x1, y0, y1 = (float("nan") if end is None or abs(end) > MOST else end for end in ends)
        if not (x0 < x1 and y0 < y1):
            self.error.show_error("Each axis goes from a number to a larger one.")
            self.adjustSize()
            return
        self.close()
        self.session.edit(
            replace(self.session.document, view=((x0, x1), (y0, y1))), "set the ranges"
        )
        self.ranges.fit()
