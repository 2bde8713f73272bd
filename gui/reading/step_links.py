"""Links from the marks of a figure to steps of the run: cursor, tool tip and click."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from gui.base.guard import guarded_filter
from gui.session.lane_view import LaneView
from gui.session.session import Session


class StepLinks(QObject):
    """Makes the marks of one figure that stand for a step clickable.

    figure: any widget with a signal `hovered` that carries the tag of the mark under the pointer;
    `engine.base.tags.step_tag` makes the tags of steps
    """

    def __init__(self, figure: Any, session: Session, lane: Callable[[], LaneView]) -> None:
        """lane: the lane that the figure belongs to"""
        super().__init__(figure)
        self.figure, self.session, self.lane = figure, session, lane
        self.at: QWidget = figure.viewport() if isinstance(figure, QAbstractScrollArea) else figure
        self.tag = ""
        self._hand = False
        self._pressed: int | None = None
        figure.hovered.connect(self._point_at)
        self.at.installEventFilter(self)

    @property
    def view(self) -> LaneView:
        return self.lane()

    @property
    def step(self) -> int | None:
        """The index of the step that the mark under the pointer stands for; None where it stands
        for none, the step is not recorded, or a lesson asks for a drawing.
        """
        trace = self.view.trace
        draws = self.session.predicting.pen is not None
        return None if trace is None or not self.tag or draws else trace.named(self.tag)

    def _point_at(self, tag: str) -> None:
        self.tag = tag
        hand = self.step is not None
        if hand != self._hand:
            self._hand = hand
            self.at.setCursor(Qt.CursorShape.PointingHandCursor) if hand else self.at.unsetCursor()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: Any) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ToolTip and (step := self.step) is not None:
            QToolTip.showText(event.globalPos(), self.words(step), self.at)
            return True
        if kind == QEvent.Type.MouseButtonPress:
            self.figure.mouseMoveEvent(event)  # a touch sends no move before the press
            self._pressed = self.step if event.button() == Qt.MouseButton.LeftButton else None
        elif kind == QEvent.Type.MouseButtonRelease and self._pressed is not None:
            pressed = self._pressed
            self._pressed = None
            if pressed == self.step:
                self.session.go_to(pressed)
        return False

    def words(self, step: int) -> str:
        return (
            f"{self.view.unit.name.capitalize()} {self.view.number_of(step):,}: click to go there"
        )
