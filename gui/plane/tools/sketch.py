"""The tool that draws what a task of a lesson asks for: places, or a curve."""

from PySide6.QtCore import Qt

from gui.plane.tool import Place, Tool, ToolPlane
from gui.session.lane_view import LaneView
from gui.session.session import Session


class SketchTool(Tool):
    """In use while a lesson asks for a drawing on this plane, in place of the chosen tool."""

    key = "sketch"
    title = "Draw the answer"
    makes = False
    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, session: Session, plane: ToolPlane, lane_view: LaneView) -> None:
        super().__init__(session, plane)
        self.lane_view = lane_view
        self._down = False

    @property
    def two_places(self) -> bool:  # type: ignore[override]
        """Whether the keys begin a stroke with one click and end it with the next."""
        pen = self.session.predicting.pen
        return pen is not None and pen.sketch.is_curve

    @property
    def wanted(self) -> bool:
        """Whether the open task wants a drawing on this plane."""
        return self.session.predicting.draws_in(self.lane_view, "")

    def refusal(self) -> str:
        return ""

    def press(self, place: Place) -> None:
        self._draw("press", place)
        self._down = True

    def drag(self, place: Place) -> None:
        self._draw("drag", place)

    def release(self, place: Place) -> None:
        self._draw("release", place)
        self._down = False

    def _draw(self, how: str, place: Place) -> None:
        if self.wanted:
            self.session.predicting.draw(how, place.x, place.y)

    def busy(self) -> bool:
        return self._down

    def cancel(self) -> None:
        self._down = False
