"""A number entered by slider or keyboard, on a linear or logarithmic scale, whole or not."""

from collections.abc import Callable
from math import floor, inf, isfinite, isinf, log, log10

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QStyle, QStyleOptionSlider, QWidget

from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.style import describe
from gui.widgets.text_field import TextField

Number = float | int
Parse = Callable[[str], Number | None]
_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
POSITIONS = 1000  # of a slider that does not count whole numbers
LAST, DECADES, FEW = (
    0.95,
    8,
    2,
)  # an endless range: share of the slider for its powers, ∞ beyond; decades with log_steps; without
MINUS = "\N{MINUS SIGN}"
HANDLE = QStyle.SubControl.SC_SliderHandle


def plain(text: str) -> str:
    """The text for float(): a true minus sign, a decimal comma and ∞ become ASCII."""
    return text.strip().replace(MINUS, "-").replace(",", ".").replace("\N{INFINITY}", "inf")


def shown(value: Number | None) -> str:
    """A number as a field shows it: its shortest digits, with a true minus sign; '' for None."""
    if value is None:
        return ""
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    return text.replace("-", MINUS).replace("inf", "\N{INFINITY}")


def neat_step(size: float) -> float:
    """The largest of 1, 2, 5 · 10ⁿ that is not above `size`."""
    power = 10.0 ** floor(log10(size))
    return max((m * power for m in (1, 2, 5) if m * power <= size * (1 + 1e-9)), default=power)


class Scale:
    """The map between the places of a slider and the numbers of a range.

    A range without an upper end is logarithmic, and its right end is ∞.
    """

    def __init__(
        self, low: float, high: float, log_steps: bool = False, whole: bool = False
    ) -> None:
        self.endless = isinf(high)
        if self.endless:  # larger numbers can be typed
            high = low * 10.0 ** (DECADES if log_steps else FEW)
        self.low, self.high, self.whole = low, high, whole
        self.log = (log_steps or self.endless) and (low > 0 or (low == 0 < high and not whole))
        # in a range from 0 the left end is 0, and the powers begin here
        self.floor = low if low > 0 else high * 1e-12
        counted = whole and not self.log and high - low <= POSITIONS
        self.places = max(1, int(high - low)) if counted else POSITIONS
        self.step = 1.0 if whole else neat_step((high - low) / 100) if high > low else 1.0

    def value(self, place: int) -> Number:
        """The neat number nearest to a place; the ends are exact."""
        if self.endless:
            if place > (1 + LAST) / 2 * self.places:
                return inf
            place = min(self.places, round(place / LAST))
        if place <= 0 or place >= self.places:
            return self._kind(self.low if place <= 0 else self.high)
        share = place / self.places
        if self.log:
            raw = self.floor * (self.high / self.floor) ** share
            raw = float(f"{raw:.2g}")
        else:
            raw = self.low + share * (self.high - self.low)
            raw = self.low if self.step == 0 else round(raw / self.step * 2) * self.step / 2
        return self._kind(min(max(raw, self.low), self.high))

    def place(self, value: Number) -> int:
        """The place of a number; numbers outside the range are clipped."""
        if self.endless and isinf(value):
            return self.places
        value = min(max(value, self.low), self.high)
        if self.high <= self.low:
            return 0
        share = (
            log(max(value, self.floor) / self.floor) / log(self.high / self.floor)
            if self.log
            else (value - self.low) / (self.high - self.low)
        )
        return round(share * self.places * (LAST if self.endless else 1.0))

    def near(self, value: Number, steps: int) -> Number:
        """`value` moved by `steps` keyboard steps, within the range.

        A step is that of the range; on a logarithmic scale, a tenth of the value's power of ten.
        """
        if self.endless and (value >= self.high if steps > 0 else isinf(value)):
            return inf if steps > 0 else self._kind(self.high)
        size = self.step
        if self.log and value:
            size = 10.0 ** (floor(log10(abs(value)) + 1e-12) - (0 if self.whole else 1))
            size = max(1.0, size / 10) if self.whole else size
        elif self.log:
            size = self.floor
        moved = float(f"{value + steps * size:.10g}")
        return self._kind(min(max(moved, self.low), self.high))

    def _kind(self, value: float) -> Number:
        return round(value) if self.whole else float(f"{value:.10g}")


class Slider(QSlider):
    """A horizontal slider that jumps to where it is clicked; the wheel moves it only with the
    focus.
    """

    def __init__(self, accessible: str = "", parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        describe(self, accessible)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._part(HANDLE).contains(
            event.position().toPoint()
        ):
            self.setSliderDown(True)
            self.setValue(self._place_at(event.position().x()))
        super().mousePressEvent(event)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _place_at(self, x: float) -> int:
        groove, handle = self._part(QStyle.SubControl.SC_SliderGroove), self._part(HANDLE)
        start = groove.left() + handle.width() // 2
        room = groove.width() - handle.width()
        return QStyle.sliderValueFromPosition(
            self.minimum(), self.maximum(), round(x) - start, max(room, 1)
        )

    def _part(self, part: QStyle.SubControl) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)


class NumberBar(Slider):
    """A slider whose arrow keys and wheel step through numbers, not places.

    stepped: ±1, ±10
    """

    stepped = Signal(int)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            steps := {**_STEPS, Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        ) is not None:
            self.stepped.emit(steps)
        else:
            super().keyPressEvent(event)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and event.angleDelta().y():
            self.stepped.emit(1 if event.angleDelta().y() > 0 else -1)
        else:
            event.ignore()


class NumberField(TextField):
    """A line for one number; `entered(number)` when a new one is accepted.

    stepped: ±1, ±10, from arrow keys, page keys and the wheel
    """

    stepped = Signal(int)

    def __init__(self, parse: Parse, accessible: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parse, shown, accessible, parent)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (steps := _STEPS.get(Qt.Key(event.key()))) is not None:
            self.commit()
            self.stepped.emit(steps)
        else:
            super().keyPressEvent(event)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and event.angleDelta().y():
            self.stepped.emit(1 if event.angleDelta().y() > 0 else -1)
        else:
            event.ignore()


class NumberSlider(QWidget):
    """A slider and a field for one number between `low` and `high` (both included).

    changed(value): at every movement of a drag, and at every other change
    gesture_ended(): the drag or entry has ended, so that an undo can join its changes
    refused(sentence): the typed text is no number of the range; "": it is valid again

    set_value() does not emit. A range without a lower end has only the field. `parse` may accept
    more (an empty text as None).
    """

    changed = Signal(object)
    gesture_ended = Signal()
    refused = Signal(str)

    def __init__(
        self,
        low: float,
        high: float,
        value: Number | None = None,
        log_steps: bool = False,
        whole: bool = False,
        accessible: str = "",
        parse: Parse | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._bounded = isfinite(low) and (isfinite(high) or (low > 0 and not whole))
        self.scale = (
            Scale(low, high, log_steps, whole)
            if self._bounded
            else Scale(-1e12, 1e12, False, whole)
        )
        self._value: Number | None = None
        self.setAccessibleName(accessible)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.slider = NumberBar(accessible)
        self.field = NumberField(parse or self._read, accessible)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field, 0 if self._bounded else 1)
        self._fit()
        self._connect()
        self.set_value(low if value is None and parse is None else value)

    def value(self) -> Number | None:
        return self._value

    def set_value(self, value: Number | None) -> None:
        """Show a number; does not emit."""
        self._value = value
        self.field.set_value(value)
        if self._bounded:
            with QSignalBlocker(self.slider):
                self.slider.setValue(
                    self.scale.places if value is None else self.scale.place(value)
                )

    def dragging(self) -> bool:
        return self.slider.isSliderDown()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(
            self, "field"
        ):
            self._fit()

    def _connect(self) -> None:
        self.slider.setRange(0, self.scale.places)
        self.slider.setPageStep(max(1, self.scale.places // 10))
        self.slider.setVisible(self._bounded)
        self.slider.valueChanged.connect(self._moved)
        self.slider.sliderReleased.connect(self.gesture_ended)
        self.slider.stepped.connect(self._step)
        self.field.stepped.connect(self._step)
        self.field.entered.connect(self._entered)
        self.field.refused.connect(self.refused)

    def _fit(self) -> None:
        """Give the field room for the longest usual number, such as 0.001 or 1000000."""
        look = theme.current()
        digits = (
            len(shown(self.scale.value(self.scale.places)))
            if self.scale.whole and self._bounded
            else 0
        )
        text = "0" * min(max(digits, 5), 7)
        room = QFontMetrics(look.font("body")).horizontalAdvance(text) + style.scale(look, 18)
        if self._bounded:
            self.field.setFixedWidth(max(style.scale(look, 48), room))
        self.setFixedHeight(style.control_height(look))

    def _read(self, text: str) -> Number:
        if not text.strip():
            raise ValueError("This needs a number.")
        low = self.scale.low
        high = inf if self.scale.endless else self.scale.high
        try:
            value = float(plain(text))
        except ValueError:
            raise ValueError(f"This must be a number; it is “{text}”.") from None
        if self.scale.whole and not value.is_integer():
            raise ValueError(f"This must be a whole number; it is {shown(value)}.")
        if not low <= value <= high:
            raise ValueError(
                f"This must lie between {shown(low)} and {shown(high)}; it is {shown(value)}."
            )
        return int(value) if self.scale.whole else value

    def _moved(self, place: int) -> None:
        self._take(self.scale.value(place))
        if not self.dragging():
            self.gesture_ended.emit()

    def _step(self, steps: int) -> None:
        self._take(self.scale.near(self.scale.low if self._value is None else self._value, steps))
        self.gesture_ended.emit()

    def _entered(self, value: Number | None) -> None:
        self.set_value(value)
        self.refused.emit("")
        self.changed.emit(value)
        self.gesture_ended.emit()

    def _take(self, value: Number) -> None:
        before = self._value
        slider_at = self.slider.value()
        self.set_value(value)
        if self.dragging():  # the handle stays under the pointer although the number is rounded
            with QSignalBlocker(self.slider):
                self.slider.setValue(slider_at)
        if value != before:
            self.refused.emit("")
            self.changed.emit(value)
