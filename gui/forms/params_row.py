"""One row of the parameter form: the label, the control that suits the kind of parameter, and its
error sentence.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.records import cached_property
from engine.protocol.params import Field
from gui.base.guard import guarded
from gui.base.plain_text import as_words, tip
from gui.look import icons, style, theme
from gui.widgets.controls import Combo, ElidedLabel, ErrorLine, Segments, describe
from gui.widgets.number_slider import NumberSlider, plain, shown
from gui.widgets.segments import abreast
from gui.widgets.text_field import TextField

MOST_SEGMENTS = 3
LISTS = ("numbers", "words", "learners")
WITHIN = 22  # pixels of a text field that hold no text
LEAST_GAP = 4  # between a name and any control
LIST, LEAST_LIST, NUMBER, TEXT, BOX = (
    38,
    88,
    86,
    72,
    20,
)  # least pixels of the controls; LIST: those of a list beside its chosen option


@lru_cache(maxsize=2048)
def _wide(look: tuple[str, int], text: str) -> int:
    return QFontMetrics(theme.look(*look).font("body")).horizontalAdvance(text)


def name_width(field: Field) -> int:
    """The pixels that the name of a parameter takes with the least gap behind it."""
    return _wide(theme.current().key, field.label) + LEAST_GAP


def control_width(field: Field, value: Any) -> int:
    """The least pixels at which the control of a parameter shows all of `value`."""
    look = theme.current()
    if field.kind == "choice":
        wide = _wide(look.key, field.written(value))
        return max(wide + style.scale(look, LIST), style.scale(look, LEAST_LIST))
    if field.kind == "numbers" and value:
        return max(
            _wide(look.key, numbers_text(value)) + style.scale(look, WITHIN),
            style.scale(look, TEXT),
        )
    return style.scale(look, {"bool": BOX, "float": NUMBER, "int": NUMBER}.get(field.kind, TEXT))


class ParamsRow(QWidget):
    """The name and the control of one parameter.

    They stand side by side, in line with the other rows unless that would cut one of them. Without
    room for both the name stands above.

    changed(value): the person set a checked value;
    gesture_ended(): the gesture is over;
    place_wanted(): the person wants to set the place with the probe.
    """

    changed = Signal(object)
    gesture_ended = Signal()
    place_wanted = Signal()

    def __init__(
        self,
        field: Field,
        check: Callable[[Any], Any],
        room: int,
        label: int,
        height: int = theme.CONTROL_ROW,
    ) -> None:
        """check: returns the stored form of a value, or raises EngineError;
        room, label: see `set_room`;
        height: of the row, in pixels of the light theme.
        """
        super().__init__()
        self.field = field
        self._check, self._room, self._high = check, room, height
        self._label_width = label
        self._abreast = 0.0  # the width of all options side by side, in line heights
        self._side_by_side = True
        self._value: Any = field.default
        self._set: Callable[[Any], None] = lambda value: None
        self._restore: Callable[[], None] = lambda: None
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)

    @guarded
    def setVisible(self, visible: bool) -> None:
        """Make the control before the row is first shown: many rows are never needed."""
        if visible:
            assert self.control is not None
        super().setVisible(visible)

    @cached_property
    def control(self) -> QWidget:
        """The widget that shows and takes the value; created with its label on first use."""
        self._line = QWidget(self)
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._line)
        self._columns = QHBoxLayout()
        for layout in (self._pair, self._columns):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        self._pair.addWidget(self.label)
        self._pair.addLayout(self._columns, 1)
        control = self._make()
        self.label.setBuddy(control)
        self.layout().addWidget(self._line)
        self._fit()
        self._set(self._value)
        return control

    @cached_property
    def label(self) -> ElidedLabel:
        made = ElidedLabel()
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        made.set_text(self.field.label, self.field.help)
        return made

    @cached_property
    def error(self) -> ErrorLine:
        """The line for an error below the control, created on first use."""
        made = ErrorLine(self)
        self.layout().addWidget(made)
        return made

    def value(self) -> Any:
        """The value in force; text in the control that is refused does not change it."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Show a value; emits nothing."""
        value = tuple(value) if self.field.kind in LISTS and value is not None else value
        if other := value != self._value:
            self.show_error("")
        self._value = value
        self._set(value)
        if other:
            self._fit()

    def reset(self) -> None:
        """Set the default, with signals as if the person had set it."""
        if self._value != self.field.default or self._says_error():
            self._restore()
            self._set(self.field.default)
            self._take(self.field.default)
            self.gesture_ended.emit()

    def show_error(self, sentence: str) -> None:
        if sentence or self._says_error():
            self.error.show_error(sentence)

    def _says_error(self) -> bool:
        return "error" in vars(self) and bool(self.error.text())

    def set_label_width(self, width: int) -> None:
        """Set the width in pixels that names take in line with those of other rows."""
        self._label_width = width
        self._fit()

    def set_room(self, room: int, label: int) -> bool:
        """Set the pixels for name and control, and those that names in line with others take.

        Returns whether another kind of control fits now, so that the row has to be built again.
        """
        self._room, self._label_width = room, label
        return self._fits() != self._side_by_side

    def _fits(self) -> bool:
        return self._abreast * theme.current().line_height("body") <= self._room - self._beside()

    def _beside(self) -> int:
        """The pixels of the name beside the control; 0 if the name stands above it."""
        return beside(self.field, self._value, self._label_width, self._room)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().exec(event.globalPos())

    def menu(self) -> QMenu:
        """The context menu of the row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction(as_words(f"Reset to {self._words(self.field.default)}"), self.reset)
        action.setEnabled(self._value != self.field.default)
        if self.field.place:
            menu.addAction("Put with the probe", self.place_wanted.emit)
        return menu

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        if hasattr(self, "_line"):
            look = theme.current()
            usual = self._high == theme.CONTROL_ROW
            label = self._beside()
            above = not label
            ways = QBoxLayout.Direction
            high = style.bar(look, "row") if usual else style.scale(look, self._high)
            self._pair.setDirection(ways.TopToBottom if above else ways.LeftToRight)
            self._line.setFixedHeight(high + (look.line_height("body") if above else 0))
            self.label.setFixedWidth(self._room if above else label)

    def _take(self, value: Any) -> None:
        self.show_error("")
        if value != self._value:
            self._value = value
            self._fit()
            self.changed.emit(value)

    def _words(self, value: Any) -> str:
        if self.field.kind == "bool":
            return "yes" if value else "no"
        if value is None:
            return self.field.empty
        if value == ():
            return "none"
        if self.field.kind in LISTS:
            return numbers_text(value)
        return shown(value) if self.field.kind in ("float", "int") else str(value)

    # -- one control per kind ----------------------------------------------------------------------

    def _make(self) -> QWidget:
        makers = {
            "choice": self._choice,
            "bool": self._bool,
            "float": self._number,
            "int": self._number,
        }
        control = makers.get(self.field.kind, self._text)()
        if self.field.help:
            for part in (control, *control.findChildren(QWidget)):
                part.setToolTip(tip(self.field.help))
        return control

    def _choice(self) -> QWidget:
        if len(self.field.options) <= MOST_SEGMENTS:
            texts = [self.field.written(option) for option in self.field.options]
            self._abreast = abreast(texts) / theme.current().line_height("body")
            self._side_by_side = self._fits()
            if self._side_by_side:
                segments = Segments(
                    self.field.options, self.field.default, self.field.label, self.field.written
                )
                self._columns.addWidget(segments)
                self._columns.addStretch(1)
                segments.picked.connect(self._picked)
                self._set = segments.set_value
                return segments
        return self._combo(self.field.options)

    def _combo(self, options: Sequence[Any]) -> QWidget:
        combo = Combo(self.field.label, compact=True)
        combo.addItems([self.field.written(option) for option in options])
        for i, option in enumerate(options):
            combo.setItemData(i, tip(str(option)), Qt.ItemDataRole.ToolTipRole)
        self._columns.addWidget(combo, 1)
        combo.activated.connect(lambda i: self._picked(options[i]))

        def put(value: Any) -> None:
            with QSignalBlocker(combo):
                combo.setCurrentIndex(options.index(value) if value in options else -1)

        self._set = put
        return combo

    def _picked(self, value: Any) -> None:
        self._take(value)
        self.gesture_ended.emit()

    def _bool(self) -> QWidget:
        box = QCheckBox()
        describe(box, self.field.label, self.field.help)
        self._columns.addWidget(box, 1)
        box.clicked.connect(lambda on: self._picked(bool(on)))
        self._set = lambda value: box.setChecked(bool(value))
        return box

    def _number(self) -> QWidget:
        bounds = self.field.range
        low, high, powers = (
            (bounds.low, bounds.high, bounds.log)
            if bounds
            else (float("-inf"), float("inf"), False)
        )
        whole = self.field.kind == "int"
        control = NumberSlider(low, high, None, powers, whole, self.field.label, self._parse_number)
        if self.field.optional:
            control.field.setPlaceholderText(self.field.empty)
        self._columns.addWidget(control, 1)
        control.changed.connect(self._take)
        control.gesture_ended.connect(self.gesture_ended)
        control.refused.connect(self.show_error)
        self._set = control.set_value
        self._restore = control.field.restore
        return control

    def _parse_number(self, text: str) -> Any:
        if text.strip() == self.field.empty:
            return self._check("")
        if not text.strip() and not self.field.optional:
            return self._check(None)  # for an error that quotes no empty text
        try:
            float(plain(text))
        except ValueError:
            return self._check(text.strip())  # as it was typed, for a sentence that quotes it
        return self._check(plain(text))

    def _parse_numbers(self, text: str) -> Any:
        """The checked numbers of a text; blanks, commas and semicolons separate them."""
        words = text.strip("()[] ").replace(",", " ").replace(";", " ").split()
        try:
            numbers = [float(plain(word)) for word in words]
        except ValueError:
            return self._check(text)  # as it was typed, for a sentence that quotes it
        return self._check(numbers if numbers else text)

    def _text(self) -> QWidget:
        parse = self._parse_numbers if self.field.kind == "numbers" else self._check
        control = TextField(
            parse, numbers_text if self.field.kind in LISTS else str, self.field.label
        )
        self._columns.addWidget(control, 1)
        control.entered.connect(self._picked)
        control.refused.connect(self.show_error)
        self._set = control.set_value
        self._restore = control.restore
        if self.field.place:
            self._columns.addSpacing(4)
            self._columns.addWidget(self._place_button())
        return control

    def _place_button(self) -> QToolButton:
        button = QToolButton()
        icons.put(button, "probe", "ink2", icons.SMALL)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        describe(button, f"Put {self.field.label} with the probe")
        button.clicked.connect(self.place_wanted)
        return button


def beside(field: Field, value: Any, label: int, room: int) -> int:
    """The pixels of a name beside its control that shows `value`; 0 if `room` is too small for
    both.

    It is `label`, unless that would cut the name or the control.
    """
    name = name_width(field)
    most = room - control_width(field, value)
    return max(name, min(label, most)) if name <= most else 0


def numbers_text(value: Sequence[float | str] | None) -> str:
    """(-1.0, 0.5) -> '(−1, 0.5)', words as they are; '' for none."""
    return (
        "(" + ", ".join(v if isinstance(v, str) else shown(v) for v in value) + ")" if value else ""
    )
