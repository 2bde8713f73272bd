"""What a person put on the stage, remembered in the settings: for each method and its data, the
oldest forgotten first.
"""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSettings

from engine.base.records import Record, field
from gui.base import remembered

KEY = "views"


class Choice(Record, eq=True):
    """What a person wants on the stage: names, the latest last, () for what leads; sides: 0 or 1
    where one was put.
    """

    recent: tuple[str, ...] = ()
    sides: Mapping[str, int] = field(default_factory=dict)


class ChosenViews:
    """about: the method's key, the name of the data and whether there is a plane."""

    def __init__(self, settings: QSettings) -> None:
        self.settings = settings

    def of(self, about: object) -> Choice:
        return _choice(self._all().get(_name(about)))

    def put(self, about: object, choice: Choice) -> None:
        """From now on this; all of it is no longer than a setting may be."""
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
    """As it was written; nothing chosen where it makes no sense: anybody may have written there."""
    match found:
        case [list() as recent, dict() as sides] if all(isinstance(name, str) for name in recent):
            return Choice(
                tuple(recent), {name: side for name, side in sides.items() if side in (0, 1)}
            )
    return Choice()
