"""The context menu of a point on the plane: its class, its coordinates or value, and delete."""

from collections.abc import Callable, Iterable
from functools import partial
from math import isfinite
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFormLayout, QFrame, QLineEdit, QMenu, QVBoxLayout, QWidget

from engine.base.notation import class_text, counted, quoted
from engine.document.document import Document
from engine.document.edits import Shown, delete_rows, move_points, relabel, set_target
from gui.base.plain_text import as_words
from gui.look import style
from gui.look.swatches import marker_icon
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.widgets.controls import ErrorLine, describe, label
from gui.widgets.number_slider import plain, shown

MOST_CLASSES = 9


class MenuPlane(Protocol):
    """The interface of the plane that the menu uses."""

    session: Session
    lane_view: LaneView

    @property
    def selected(self) -> frozenset[int]: ...
    def axis_names(self) -> tuple[str, str]: ...
    def shown(self) -> Shown: ...
    def select(self, rows: Iterable[int]) -> None: ...
    def edit(
        self, change: Callable[[Document], Document], label: str, merge: str | None = None
    ) -> None: ...


class PointMenu(QMenu):
    """Acts on the point of table row `row`, or on the whole selection when the
    point is selected.
    """

    def __init__(self, parent: QWidget, plane: MenuPlane, row: int) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._parent, self.plane, self.row = parent, plane, row
        self.rows = np.asarray(sorted(plane.selected) if row in plane.selected else [row], np.intp)
        self.setAccessibleName("Menu of a point")
        self._add_classes()
        if len(self.rows) == 1:
            self.addAction(
                "Coordinates…" if self._all_on_axes() else "Coordinates and value…", self._ask_place
            )
            self.addSeparator()
        many = len(self.rows) > 1
        self.addAction(
            f"Delete these {counted(len(self.rows), 'point')}" if many else "Delete this point",
            self._delete,
        )

    def _all_on_axes(self) -> bool:
        """Whether the axes show every number of a point: there is no numeric target beside them."""
        target = self.plane.lane_view.data.target
        return (
            target is None
            or not target.feature.numeric
            or target.feature.title in self.plane.axis_names()
        )

    def _add_classes(self) -> None:
        """Add an action for each class, with the class of the points checked, and one for a new
        class.
        """
        target = self.plane.lane_view.data.target
        if target is None or target.feature.numeric:
            return
        count = len(target.categories)
        for code in range(min(count, MOST_CLASSES)):
            action = self.addAction(
                as_words(f"Class {class_text(target.categories[code], target.categories)}"),
                partial(self._relabel, code),
            )
            action.setIcon(marker_icon(code))
            action.setCheckable(True)
            action.setChecked(bool((target.values[self.rows] == code).all()))
            if action.isChecked():  # the mark of the class stands where the check would
                bold = self.font()
                bold.setWeight(QFont.Weight.DemiBold)
                action.setFont(bold)
        if count < MOST_CLASSES:
            self.addAction("A new class", partial(self._relabel, count)).setIcon(marker_icon(count))
        self.addSeparator()

    def _relabel(self, code: int) -> None:
        self.plane.edit(lambda document: relabel(document, self.rows, code), "relabel points")

    def _delete(self) -> None:
        self.plane.select([])
        self.plane.edit(lambda document: delete_rows(document, self.rows), "delete points")

    def _ask_place(self) -> None:
        form = PlaceForm(self._parent, self.plane, self.row)
        form.open_at(self.pos())


class PlaceForm(QFrame):
    """A popup for the exact numbers of one point. Return moves the point, Esc closes."""

    def __init__(self, parent: QWidget, plane: MenuPlane, row: int) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        style.mark(self, "panel")
        self.plane, self.row = plane, row
        self.setAccessibleName("Coordinates of a point")
        self.fields: dict[str, QLineEdit] = {}
        self.error = ErrorLine()
        rows = QFormLayout()
        for name, value in self._numbers().items():
            self.fields[name] = field = QLineEdit(shown(value))
            describe(field, name)
            field.returnPressed.connect(self.put)
            rows.addRow(label(name, "muted"), field)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.addLayout(rows)
        column.addWidget(self.error)
        column.addWidget(label("Return puts it there, Esc leaves it.", "caption"))
        self.setFixedWidth(260)

    def open_at(self, place: QPoint) -> None:
        """Open at the global position `place`, moved so that it fits the window."""
        window = self.parentWidget().window()
        self.adjustSize()
        low = window.mapToGlobal(QPoint(0, 0))
        high = low + QPoint(window.width() - self.width(), window.height() - self.height())
        self.move(min(max(place.x(), low.x()), high.x()), min(max(place.y(), low.y()), high.y()))
        self.show()
        first = next(iter(self.fields.values()))
        first.setFocus(Qt.FocusReason.PopupFocusReason)
        first.selectAll()

    def _numbers(self) -> dict[str, float | None]:
        """The numbers to edit by name: the coordinates on the plane, and the numeric target."""
        points = self.plane.shown()
        xy = points.xy[points.rows == self.row][0]
        names = [name for name in self.plane.axis_names() if name]
        numbers: dict[str, float | None] = {
            name: float(v) for name, v in zip(names, xy, strict=False)
        }
        target = self.plane.lane_view.data.target
        if target is not None and target.feature.numeric:
            value = float(target.values[self.row])
            numbers.setdefault(target.feature.title, None if np.isnan(value) else value)
        return numbers

    def put(self) -> None:
        """Move the point to the typed numbers and close. Show an error and stay open where a field
        holds no finite number.
        """
        numbers = []
        for name, field in self.fields.items():
            try:
                number = float(plain(field.text()))
                if not isfinite(number):
                    raise ValueError
            except ValueError:
                self.error.show_error(f"{quoted(field.text())} is no number for {name}.")
                field.setFocus()
                field.selectAll()
                self.adjustSize()
                return
            numbers.append(number)
        self.close()
        self._move(numbers)

    def _move(self, numbers: list[float]) -> None:
        axes = sum(bool(name) for name in self.plane.axis_names())
        place = np.array([[*numbers[:axes], *[0.0] * (2 - axes)]])
        rows = np.asarray([self.row], np.intp)
        merge = f"coordinates of row {self.row}"
        self.plane.edit(lambda document: move_points(document, rows, place), "move a point", merge)
        if len(numbers) > axes:
            self.plane.edit(
                lambda document: set_target(document, rows, numbers[axes]), "move a point", merge
            )
        self.plane.session.history.seal()
