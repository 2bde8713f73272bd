"""The views that a person chose for the stage, stored in the settings by method and data."""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSettings

from engine.base.records import Record, field
from gui.base import remembered

KEY = "views"


class Choice(Record, eq=True):
    """The views that a person chose.

    recent: their names, the latest last, () to let the scene decide; sides: 0 (left or top) or 1
    for each name that was put in a half of the stage
    """

    recent: tuple[str, ...] = ()
    sides: Mapping[str, int] = field(default_factory=dict)


class ChosenViews:
    """Reads and writes a `Choice` by `about`: the method's key, the name of the data and whether
    there is a plane.
    """

    def __init__(self, settings: QSettings) -> None:
        self.settings = settings

    def of(self, about: object) -> Choice:
        """The stored choice; an empty one where there is none."""
        return _choice(self._all().get(_name(about)))

    def put(self, about: object, choice: Choice) -> None:
        """Store the choice; the oldest ones go where the text would exceed `remembered.LONGEST`."""
        known = self._all()
        known.pop(_name(about), None)
        known[_name(about)] = [list(choice.recent), dict(choice.sides)]
        while len(written := json.dumps(known)) > remembered.LONGEST:
            known.pop(next(iter(known)))
        self.settings.setValue(KEY, written)

    def _all(self) -> dict[str, Any]:
        try:
            found = json.loads(remembered.text(self.settings, KEY))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def _name(about: object) -> str:
    return json.dumps(about)


def _choice(found: Any) -> Choice:
    """The stored choice, an empty one where the stored value is malformed."""
    match found:
        case [list() as recent, dict() as sides] if all(isinstance(name, str) for name in recent):
            return Choice(
                tuple(recent), {name: side for name, side in sides.items() if side in (0, 1)}
            )
    return Choice()
