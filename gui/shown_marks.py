"""Which marks of the plane are shown: a setting of the view for each algorithm, not part of the document, not undone."""

from typing import TYPE_CHECKING

from engine.core.layers import Layer, Points, Role
from engine.pictures.legend import Mark, legend

if TYPE_CHECKING:
    from gui.session import Session


class ShownMarks:
    """What the person hid stays hidden while the window is open, also after other algorithms were looked at."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._hidden: dict[str, frozenset[str]] = {}

    @property
    def hidden(self) -> frozenset[str]:
        """The words of the marks that the shown algorithm goes without."""
        return self._hidden.get(self._session.lane.key, frozenset())

    def show(self, words: str, on: bool) -> None:
        """Draw the marks that mean `words`, or go without them."""
        self._hidden[self._session.lane.key] = self.hidden - {words} if on else self.hidden | {words}
        self._session.settings_changed.emit()

    def legend(self) -> tuple[Mark, ...]:
        """What is on the plane at the shown step, hidden marks too."""
        problem = self._session.problem
        if problem is None or not problem.plane:
            return ()
        return legend((*self._session.scene.layers, *held_out(problem)))


def held_out(problem: object) -> tuple[Layer, ...]:
    """The examples that are held out for the test, as they stand on the plane."""
    rows = getattr(problem, "held_out", None)
    return () if rows is None else (Points(rows.xy, rows.codes, Role.HELD_OUT, tag="held_out"),)
