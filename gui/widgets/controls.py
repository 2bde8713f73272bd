"""The small controls shared by docks, forms and dialogs.

Colours and sizes come from gui/look/theme.py through gui/look/style.py.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from gui.base.guard import guarded
from gui.base.plain_text import as_words, tip
from gui.look import icons, style, theme
from gui.look.style import describe
from gui.look.swatches import ClassMarker, HatchSwatch, marker_icon, marker_pixmap, paint_marker
from gui.widgets.number_slider import NumberField, NumberSlider, Slider
from gui.widgets.segments import Segments
from gui.widgets.sentence import Sentence, label

__all__ = [
    "Chip",
    "ClassMarker",
    "Combo",
    "Divider",
    "ElidedLabel",
    "ErrorLine",
    "FloatBox",
    "HatchSwatch",
    "IntBox",
    "NumberField",
    "NumberSlider",
    "SearchField",
    "Section",
    "Segments",
    "Slider",
    "describe",
    "label",
    "marker_icon",
    "marker_pixmap",
    "paint_marker",
]


class ElidedLabel(QLabel):
    """One line of text.

    Where it does not fit, a shorter text stands in for it, or it is elided with “…”; the tool tip
    then shows all of it.
    """

    def __init__(self, text: str = "", kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._tip = "", ""
        self._shorter: Sequence[str] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if kind:
            style.mark(self, kind)
        self.set_text(text)

    def set_text(self, text: str, tip: str = "", shorter: Sequence[str] = ()) -> None:
        """Show a text.

        tip: always shown, below the full text when that is cut; shorter: texts that may stand in
        for it, the longest first
        """
        if (text, tip) == (self._text, self._tip):
            return
        self._text, self._tip, self._shorter = text, tip, shorter
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def full_text(self) -> str:
        return self._text

    def text_width(self) -> int:
        """The width in pixels of the whole text."""
        return self._width(self._text)

    def _width(self, text: str) -> int:
        return QFontMetrics(self.font()).horizontalAdvance(text) + 2

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(self.text_width(), super().sizeHint().height())

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        shown = next(
            (text for text in (self._text, *self._shorter) if self._width(text) <= self.width()), ""
        )
        if not shown:
            shown = QFontMetrics(self.font()).elidedText(
                self._text, Qt.TextElideMode.ElideRight, self.width()
            )
        if shown != self.text():
            self.setText(shown)
        lines = [self._text] if shown != self._text else []
        self.setToolTip(tip("\n".join([*lines, self._tip] if self._tip else lines)))


class Divider(QFrame):
    """A line one pixel wide between two parts."""

    def __init__(self, vertical: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style.mark(self, "rule-vertical" if vertical else "rule")


class Section(QWidget):
    """A part of a dock: heading left, caption right, `content` (a vertical layout) and a rule
    below.

    pad: pixels above and below; pad_below: pixels below, where they differ
    """

    def __init__(
        self,
        heading: str,
        caption: str | ElidedLabel = "",
        rule: bool = True,
        parent: QWidget | None = None,
        pad: int = theme.PAD_Y,
        pad_below: int | None = None,
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.heading = label(heading, "heading")
        self.caption = ElidedLabel(caption, "caption") if isinstance(caption, str) else caption
        self.caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(heading)
        self.head = QHBoxLayout()
        self.head.setSpacing(theme.GAP)
        self.head.addWidget(self.heading)
        self.head.addWidget(self.caption, 1)
        self.content = QVBoxLayout()
        self.content.setSpacing(theme.GAP)
        self.inner = inner = QVBoxLayout()
        self.pad = pad
        self.pad_below = pad + 1 if pad_below is None else pad_below
        inner.setContentsMargins(theme.PAD_X, pad, theme.PAD_X, self.pad_below)
        inner.setSpacing(min(pad, theme.GAP))
        inner.addLayout(self.head)
        inner.addLayout(self.content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(inner)
        if rule:
            outer.addWidget(Divider())

    def lend_padding(self, pixels: int) -> None:
        """Reduce the padding at the right by `pixels`, as a scroll bar stands there."""
        self.inner.setContentsMargins(theme.PAD_X, self.pad, theme.PAD_X - pixels, self.pad_below)

    def around(self) -> int:
        """The height in pixels of everything but the content: heading, margins and spacing."""
        margins = self.inner.contentsMargins()
        return (
            margins.top() + margins.bottom() + self.head.sizeHint().height() + self.inner.spacing()
        )

    def height_at(self, width: int) -> int:
        """The height in pixels that the section needs at this width."""
        layout = self.layout()
        assert layout is not None
        _measure_again(layout)
        return (
            layout.totalHeightForWidth(width)
            if layout.hasHeightForWidth()
            else layout.totalSizeHint().height()
        )

    def set_caption(self, text: str) -> None:
        self.caption.set_text(text)


def _measure_again(layout: QLayout) -> None:
    """Invalidate a layout and its inner layouts.

    Qt's nested layouts notice new parts and words only when they are placed.
    """
    layout.invalidate()
    for k in range(layout.count()):
        inner = layout.itemAt(k).layout()
        if inner is not None:
            _measure_again(inner)


class Combo(QComboBox):
    """A drop-down whose list follows the style sheet; the wheel changes it only with the focus."""

    def __init__(
        self, accessible: str = "", compact: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._delegate: QStyledItemDelegate | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)
        self.setProperty("compact", compact)
        self.elide = Qt.TextElideMode.ElideRight
        describe(self, accessible)

    def elide_middle(self) -> None:
        """Elide texts in the middle, here and in the list, as they differ in their ends."""
        self.elide = Qt.TextElideMode.ElideMiddle
        self.view().setTextElideMode(self.elide)

    @guarded
    def showPopup(self) -> None:
        """Create the delegate of the list on first use: styling a list is slow."""
        if self._delegate is None:
            self._delegate = QStyledItemDelegate(self)
            self.setItemDelegate(self._delegate)
        super().showPopup()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as Qt does, but elide a text that is too long."""
        option = QStyleOptionComboBox()
        combo = QStyle.ComplexControl.CC_ComboBox
        self.initStyleOption(option)
        field = self.style().subControlRect(
            combo, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        room = field.width() - 4
        option.currentText = self.fontMetrics().elidedText(option.currentText, self.elide, room)
        painter = QStylePainter(self)
        painter.drawComplexControl(combo, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _Box:
    """What both number boxes add to Qt's: room before the text, and no wheel without the focus."""

    def dress(self: Any, accessible: str, low: float, high: float, value: float) -> None:
        self.setRange(low, high)
        self.setValue(value)
        self.lineEdit().setTextMargins(6, 0, 0, 0)  # the style sheet cannot set these margins
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)
        describe(self, accessible)

    @guarded
    def wheelEvent(self: Any, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)  # type: ignore[misc] # of the box that this is mixed into
        else:
            event.ignore()


class IntBox(_Box, QSpinBox):
    """A whole number with small arrows, for dialogs."""

    def __init__(
        self, low: int, high: int, value: int, accessible: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.dress(accessible, low, high, value)


class FloatBox(_Box, QDoubleSpinBox):
    """A number with small arrows, for dialogs."""

    def __init__(
        self,
        low: float,
        high: float,
        value: float,
        accessible: str = "",
        decimals: int = 2,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setDecimals(decimals)
        self.setSingleStep(10.0**-decimals * 10)
        self.dress(accessible, low, high, value)


class Chip(QPushButton):
    """A pill above a plane. main: it names the algorithm; menu: a chevron follows the text."""

    def __init__(
        self,
        text: str,
        tip: str = "",
        main: bool = False,
        icon: str = "",
        menu: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(as_words(text), parent)
        style.mark(self, "chip-main" if main else "chip")
        describe(self, text or tip, tip)
        if menu:
            # puts the chevron behind the text
            self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        if icon or menu:
            icons.put(
                self, icon or "chevron-down", "ink2", icons.SMALL, icons.GAP if icon and text else 0
            )

    def set_text(self, text: str, words: str = "") -> None:
        self.setText(as_words(text))
        describe(self, text or words, words)


class ErrorLine(Sentence):
    """Shows what is wrong with the field above; takes no room while it is empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 4)
        row.setSpacing(6)
        for part in (self.icon, self.label, self.action):
            row.addWidget(part, int(part is self.label), Qt.AlignmentFlag.AlignTop)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.show_error("")

    def show_error(self, sentence: str, action: str = "") -> None:
        """Show a sentence, and a button with the words `action`; "" hides the line."""
        self.show_text(sentence, action)


class SearchField(QLineEdit):
    """A line to search in, with a magnifier.

    Down and Up emit `moved(±1)`, Return emits `chosen`, Esc clears the text.
    """

    moved = Signal(int)
    chosen = Signal()

    def __init__(
        self, placeholder: str = "", shortcut: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._hint = placeholder
        describe(self, placeholder or "Search")
        self._magnifier = QLabel(self)
        self._key = label(shortcut, "key")
        self._key.setParent(self)
        self._key.setVisible(bool(shortcut))
        self._dress()

    @guarded
    def event(self, event: QEvent) -> bool:
        """Keep Esc from the shortcuts of the window while there is something to clear."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.moved.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        elif key == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_key"):
            self._dress()

    def _dress(self) -> None:
        look = theme.current()
        side = style.scale(look, icons.SMALL)
        self._magnifier.setPixmap(icons.pixmap("search", "ink2", side, self.devicePixelRatioF()))
        right = self._key.sizeHint().width() + style.scale(look, 4) if self._key.text() else 0
        self.setTextMargins(style.scale(look, 22), 0, right, 0)
        self._place()

    def _place(self) -> None:
        """Place the magnifier before and the key cap behind the text; shorten the placeholder to
        fit.
        """
        look = theme.current()
        side = style.scale(look, icons.SMALL)
        key = self._key.sizeHint()
        self._magnifier.setGeometry(style.scale(look, 9), (self.height() - side) // 2, side, side)
        left = self.width() - key.width() - style.scale(look, 9)
        margins = self.textMargins()
        room = self.width() - margins.left() - margins.right() - 2 * style.scale(look, 9)
        whole = self.fontMetrics().horizontalAdvance(self._hint) <= room
        self.setPlaceholderText(self._hint if whole else self._hint.split(" ")[0])
        self._key.setGeometry(left, (self.height() - key.height()) // 2, key.width(), key.height())
