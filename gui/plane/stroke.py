"""A stroke: the edits between press and release of the mouse button."""

from collections.abc import Callable
from itertools import count

from engine.base.errors import EngineError
from engine.document.document import Document
from gui.session.session import Session

_numbers = count(1)


class Stroke:
    """Edits that undo as one, and that `give_up` reverts as one. The stroke ends when anything else
    changes the document, such as undo.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._key = f"stroke {next(_numbers)}"
        self._before = self._made = session.document

    @property
    def going(self) -> bool:
        """Whether nothing else has changed the document since the last edit of the stroke."""
        return self._session.document is self._made

    def edit(self, change: Callable[[Document], Document], label: str) -> None:
        """Edit the document with `change`; an `EngineError` becomes a message of the session."""
        try:
            self._session.edit(
                self._session.document.in_lane(self._session.active, change), label, self._key
            )
        except EngineError as sentence:
            self._session.say(str(sentence), "error")
        self._made = self._session.document

    def give_up(self) -> None:
        """Restore the document from before the stroke, without an undo step."""
        self._session.edit(self._before, "give up", self._key)
