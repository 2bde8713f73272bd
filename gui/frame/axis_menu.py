"""The menu of a test in a tree, which puts the column of the test on an axis of the plane."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from engine.base.notation import cut, pretty_name
from engine.document.edits import put_on_axis
from gui.base.plain_text import as_words
from gui.session.lane_view import LaneView
from gui.session.session import Session

AXES = ("horizontal", "vertical")


class AxisMenu(QMenu):
    """One entry for each axis, disabled for the axis that shows the column already."""

    def __init__(self, parent: QWidget, session: Session, view: LaneView, column: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.session, self.view, self.column = session, view, column
        problem = view.problem
        self.axes = [] if problem is None else [problem.features[j].name for j in problem.plane]
        self.setAccessibleName(f"Menu of the test of {column}")
        for axis, name in enumerate(AXES):
            text = f"Put {cut(pretty_name(column))} on the {name} axis"
            action = self.addAction(as_words(text), partial(self._put, axis))
            action.setEnabled(self.axes[axis : axis + 1] != [column])

    def _put(self, axis: int) -> None:
        """Ask for the document with the column on `axis`; the stage decides whether to show it."""
        document = put_on_axis(self.view.document, self.axes, self.column, axis)
        self.session.edit(document, "show other columns")
