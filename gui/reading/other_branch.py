"""The button at a tie that takes another of the tied candidates, in a new lane."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from engine.base.notation import cut
from engine.protocol.step import Step
from gui.base.guard import guarded
from gui.base.plain_text import as_words, tip
from gui.look import style, theme
from gui.session.lane_commands import OTHER, equals
from gui.widgets.controls import describe

TELLS = "Fork the lane here: a run that is the same up to this step, where it takes {name} instead"
SHORT = 24  # letters to which a candidate's name is cut


class OtherBranch(QToolButton):
    """“Take the other: Price (tied)”; with several others it opens a menu.

    taken: the number of the candidate among the choice's winners
    """

    taken = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style.mark(self, "link")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.others: Mapping[int, str] = {}
        self._words = ""
        self.clicked.connect(self._press)
        self.hide()

    def show_step(self, step: Step[Any] | None) -> None:
        """Offer the candidates that this step could have taken instead; without any, hide."""
        self.others = equals(step)
        self.setVisible(bool(self.others))
        if self.others:
            name = cut(next(iter(self.others.values())), SHORT)
            more = len(self.others) > 1
            self._words = (
                f"Take another of the {len(self.others) + 1} tied…"
                if more
                else OTHER.format(name=name)
            )
            describe(self, self._words, tip(TELLS.format(name="one of them" if more else name)))
            self._fit()

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Cut the words to the width of the button."""
        room = max(40, self.width() - 8)
        self.setText(
            as_words(
                QFontMetrics(self.font()).elidedText(self._words, Qt.TextElideMode.ElideRight, room)
            )
        )

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(40, theme.current().line_height("body") + 4)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(
            QFontMetrics(self.font()).horizontalAdvance(self._words) + 16,
            self.minimumSizeHint().height(),
        )

    def _press(self) -> None:
        if len(self.others) == 1:
            self.taken.emit(next(iter(self.others)))
            return
        menu = QMenu(self)
        for which, name in self.others.items():
            menu.addAction(as_words(OTHER.format(name=cut(name))), partial(self.taken.emit, which))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))
