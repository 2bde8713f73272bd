"""The 2-px ink frame around the control that has the keyboard; shown after Tab or a shortcut, not after a click."""

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QScrollArea, QWidget

from gui import theme

GAP, WIDTH = 2, 2
_MOVES = {
    QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange,
    QEvent.Type.LayoutRequest,
}  # fmt: skip
_KEYBOARD = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
