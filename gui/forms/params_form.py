"""The form for an algorithm's parameters, built from its declared dataclass.

One row per parameter.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.protocol.params import Field, check, params_fields
from engine.protocol.registry import algorithm
from gui.base.guard import guarded
from gui.forms.params_row import ParamsRow, beside, name_width
from gui.look import style, theme

if TYPE_CHECKING:
    from gui.forms.learner_row import Learners

# pixels of the label column, least and greatest; the controls have the rest
LABELS, LABELS_WIDEST = 80, 104
MANY = 7  # rows that are always there; with more of them the rows stand closer
INSIDE = theme.LEFT_DOCK - 2 * theme.PAD_X  # width of a form in the dock


class ParamsForm(QWidget):
    """Rows of label and control.

    changed(name, value): the person set a checked value; emitted at every movement while a slider
    is dragged;
    gesture_ended(name): that drag or entry is over, so that all its changes can undo as one;
    place_wanted(name): the person wants to set this place with the probe; pass it to set_values()
    then.

    show_params() and set_values() emit none of them.
    """

    changed = Signal(str, object)
    gesture_ended = Signal(str)
    place_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._class: type[Any] | None = None
        self._rows: dict[str, ParamsRow] = {}
        self._needed: dict[str, bool] = {}  # by name: whether the row is shown
        self._room = INSIDE
        self.learners: Learners = tuple  # returns the learners that the data suit
        self.two_class_learners: Learners = tuple  # those for one of its classes against the rest
        self.classes: Callable[[], Sequence[str]] = tuple  # returns the classes of the data
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.setAccessibleName("Parameters")

    def show_params(self, params_class: type[Any], values: Mapping[str, Any]) -> bool:
        """Show a row for every parameter of a dataclass, with `values`.

        Parameters without a value keep the one they show, in new rows their default. Returns
        whether the rows are new.
        """
        other = params_class is not self._class
        if other:
            self._class = params_class
            self._build(params_fields(params_class))
        self.set_values(values)
        return other

    def set_room(self, wide: int) -> None:
        """Set the width in pixels; options that no longer fit side by side become a list, and the
        other way round.
        """
        self._room = wide
        label = _label_width([row.field for row in self._rows.values()], wide)
        others = [row for row in self._rows.values() if row.set_room(wide, label)]
        if self._class is not None and others:
            values = self.values()
            self._build(params_fields(self._class))
            self.set_values(values)
        else:
            self._align()

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show other values, as after an undo; does not emit.

        An error sentence stays only with its own bad text.
        """
        for name, value in values.items():
            if name in self._rows:
                self._rows[name].set_value(value)
        self._show_needed()

    def values(self) -> dict[str, Any]:
        """The values in the form by parameter, those of hidden rows included."""
        return {name: row.value() for name, row in self._rows.items()}

    def show_error(self, name: str, sentence: str) -> None:
        """Show below a row why the algorithm refused its value; "" clears it."""
        if name in self._rows:
            self._rows[name].show_error(sentence)

    def reset_all(self) -> None:
        """Set every parameter to its default, with signals as if the person had set it."""
        for row in list(self._rows.values()):
            row.reset()

    def row(self, name: str) -> ParamsRow:
        return self._rows[name]

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._align()

    def _build(self, fields: tuple[Field, ...]) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        label = _label_width(fields, self._room)
        many = sum(field.when is None for field in fields) > MANY
        height = theme.CONTROL_ROW_TIGHT if many else theme.CONTROL_ROW
        self._rows = {field.name: self._row(field, label, height) for field in fields}
        self._needed = {}
        for name, row in self._rows.items():
            self._layout.addWidget(row)
            row.changed.connect(partial(self._set, name))
            row.gesture_ended.connect(partial(self.gesture_ended.emit, name))
            row.place_wanted.connect(partial(self.place_wanted.emit, name))
        self._align()

    def _row(self, field: Field, label: int, height: int) -> ParamsRow:
        given = field, partial(check, field), self._room, label, height
        if field.kind in ("learner", "learners"):  # of experiments
            from gui.forms.learner_row import LearnerRow

            return LearnerRow(*given, learners=partial(self._learners, field), make_form=ParamsForm)
        if field.kind == "costs":
            from gui.forms.costs_row import CostsRow

            return CostsRow(*given, classes=lambda: self.classes())
        return ParamsRow(*given)

    def _learners(self, field: Field) -> Sequence[tuple[str, str]]:
        suiting = self.two_class_learners if field.two_classes else self.learners
        return [
            each for each in suiting() if not field.scores or algorithm(each[0]).scores is not None
        ]

    def _set(self, name: str, value: Any) -> None:
        self._show_needed()
        self.changed.emit(name, value)

    def _show_needed(self) -> None:
        """Hide the rows whose `When` does not hold, nested ones too.

        All rows change in one repaint, and there is none if no row comes or goes.
        """
        needed: dict[str, bool] = {}
        for name, row in self._rows.items():
            when = row.field.when
            above = self._rows.get(when.name) if when else None
            needed[name] = (
                when is None
                or above is None
                or (needed.get(when.name, True) and above.value() in when.values)
            )
        if needed == self._needed:
            return
        self._needed = needed
        self.setUpdatesEnabled(False)
        for name, row in self._rows.items():
            row.setVisible(needed[name])
        self.setUpdatesEnabled(True)

    def _align(self) -> None:
        """Give all rows the same width of label."""
        width = _label_width([row.field for row in self._rows.values()], self._room)
        for row in self._rows.values():
            row.set_label_width(width)


def _label_width(fields: Iterable[Field], room: int) -> int:
    """The width of the labels in pixels with which the most rows are in line.

    It is at least LABELS and grows for long labels, up to a limit that is larger in a wider form.
    """
    look = theme.current()
    rows = [field for field in fields if field.kind != "bool"]
    least = style.scale(look, LABELS)
    widest = max(style.scale(look, LABELS_WIDEST), room * LABELS_WIDEST // INSIDE)
    tried = sorted(
        {least, *(wide for field in rows if least < (wide := name_width(field)) <= widest)}
    )
    return min(
        tried,
        key=lambda label: sum(beside(field, field.default, label, room) != label for field in rows),
    )
