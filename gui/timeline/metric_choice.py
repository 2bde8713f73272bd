"""The button that chooses the curve of the timeline; it lies over the caption."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from engine.protocol.algorithm import Curve
from gui.base.guard import guarded

# keys that open the list, beside Space, which presses every button
OPENING = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MetricChoice(QAbstractButton):
    """Drops down the titles of `curves`; calls `choose` with the metric of the chosen one."""

    def __init__(self, timeline: QWidget, choose: Callable[[str], None]) -> None:
        super().__init__(timeline)
        self.curves: tuple[Curve, ...] = ()
        self._choose = choose
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._drop_down)
        self.hide()

    def offer(self, curves: tuple[Curve, ...], caption: str) -> None:
        """Offer these curves, the present one called `caption`; the button is hidden for fewer than
        two.
        """
        self.curves = curves
        self.setAccessibleName(f"Curve: {caption}")
        self.setVisible(len(curves) > 1)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint nothing: the caption, which the timeline paints, shows through."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in OPENING:
            self.click()
        else:
            super().keyPressEvent(event)

    def _drop_down(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for curve in self.curves:
            menu.addAction(curve.title, lambda name=curve.metric: self._choose(name))  # type: ignore[misc]
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        menu.setActiveAction(menu.actions()[0])
