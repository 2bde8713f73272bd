"""The dialog that compares values of one parameter, each in a lane of its own."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from engine.base.errors import EngineError
from engine.base.notation import MINUS, short
from engine.document.lane import Lane
from engine.document.lane_edits import suggested
from engine.protocol.params import Field, params_fields
from engine.read.number_cells import number_of
from gui.base.guard import guarded
from gui.dialogs.rows import lay_out
from gui.widgets.controls import Combo, ErrorLine, describe

SAID = "Each value gets a lane, in place of those that are there; Ctrl+Z brings them back."


class Sweep(QDialog):
    """Asks for a parameter and its values; not modal.

    compare: called with the lane, the parameter's name and label, and its values; may raise
        EngineError
    """

    def __init__(
        self,
        parent: QWidget,
        lane: Lane,
        compare: Callable[[Lane, str, str, Sequence[Any]], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Compare values: {lane.algorithm.title}")
        self.lane, self._compare = lane, compare
        self.fields = [
            f for f in params_fields(lane.algorithm.params) if len(suggested(lane, f.name)) > 1
        ]
        self.names = Combo("Parameter")
        for field in self.fields:
            self.names.addItem(field.label, field.name)
        self.names.setMinimumContentsLength(18)
        self.values = QLineEdit()
        describe(self.values, "Values, separated by commas")
        self.values.setMinimumWidth(220)
        self.values.returnPressed.connect(self.accept)
        self.error = ErrorLine()
        lay_out(
            self, (("Parameter", self.names), ("Values", self.values)), self.error, SAID, "Compare"
        )
        self.names.currentIndexChanged.connect(self._suggest)
        self._suggest()

    @property
    def field(self) -> Field:
        return self.fields[self.names.currentIndex()]

    def _suggest(self) -> None:
        field = self.field
        self.values.setText(
            ", ".join(_written(field, value) for value in suggested(self.lane, field.name))
        )
        self.error.show_error("")

    @guarded
    def accept(self) -> None:
        """Make the lanes, or show what is wrong with a value."""
        field = self.field
        try:
            values = [_read(field, text) for text in self.values.text().split(",") if text.strip()]
            self._compare(self.lane, field.name, field.label, values)
        except EngineError as sentence:
            self.error.show_error(str(sentence))
        else:
            super().accept()


def _written(field: Field, value: Any) -> str:
    """A value of a parameter as text for the field."""
    if field.kind == "bool":
        return "yes" if value else "no"
    return short(value) if field.kind == "float" and not field.options else field.written(value)


def _read(field: Field, text: str) -> Any:
    """The value of a text for a parameter; raises EngineError."""
    text = text.strip()
    known = {
        _written(field, option).lower(): option
        for option in field.options or ((False, True) if field.kind == "bool" else ())
    }
    if known:
        if text.lower() not in known:
            raise EngineError(
                f"{field.label} can be {', '.join(known)}; it cannot be “{text:.40}”."
            )
        return known[text.lower()]
    value = number_of(text)
    if value is None or (field.kind == "int" and value != int(value)):
        kind = "a whole number" if field.kind == "int" else "a number"
        raise EngineError(
            f"“{text:.40}”".replace("-", MINUS) + f" is not {kind}, which {field.label} has to be."
        )
    return int(value) if field.kind == "int" else value
