"""A stroke of the hand: from the button's going down to its coming up."""

from collections.abc import Callable
from itertools import count

from engine.base.errors import EngineError
from engine.document.document import Document
from gui.session.session import Session

_numbers = count(1)


class Stroke:
    """What it changes is undone as one, and can be given up as one.

    It has ended as soon as something else changed the document: undo, for instance.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._key = f"stroke {next(_numbers)}"
        self._before = self._made = session.document

    @property
    def going(self) -> bool:
        return self._session.document is self._made

    def edit(self, change: Callable[[Document], Document], label: str) -> None:
        """Put the changed document in force, or say why it cannot be."""
        try:
            self._session.edit(
                self._session.document.in_lane(self._session.active, change), label, self._key
            )
        except EngineError as sentence:
            self._session.say(str(sentence), "error")
        self._made = self._session.document

    def give_up(self) -> None:
        """All is as it was before, and nothing is left to undo."""
        self._session.edit(self._before, "give up", self._key)
