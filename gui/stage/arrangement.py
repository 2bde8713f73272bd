"""The rules for which views the stage shows, in which order and of which size."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSettings

from engine.base.records import Record, field
from engine.scene.scene import Table, Tree
from engine.scene.views import View
from gui.base import remembered
from gui.figures.wish import ANY, Wish
from gui.look.sizes import STAGE_TWO

KEY = "views"


class Choice(Record, eq=True):
    """The views that a person chose.

    recent: their names, the latest last, () to let the scene decide; sides: 0 (left or top) or 1
    for each name that was put in a half of the stage
    """

    recent: tuple[str, ...] = ()
    sides: Mapping[str, int] = field(default_factory=dict)


class StoredViews:
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


LEAST = (280, 200)  # least width and height in pixels of each of two views
BESIDE = 230  # pixels that a view which needs its room leaves to another
AIR = 1.4  # factor of what a short lead needs, which it gets in full
LEAD, MOST = 0.55, 0.65  # least and greatest share of the stage for the lead view of two
FLAT = 1.8  # width / height from which a table stands beside its view, unless that is a tree


class Arrangement(Record, eq=True):
    """How up to two views share the stage.

    names: from left to right or from top to bottom; upright: one below the other; share: the first
    view's part of the width or height, 0 to 1
    """

    names: tuple[str, ...] = ()
    upright: bool = False
    share: float = 1.0


def arrange(
    recent: Sequence[str],
    known: Mapping[str, View],
    size: tuple[int, int],
    sides: Mapping[str, int] | None = None,
    wishes: Mapping[str, Wish] | None = None,
) -> Arrangement:
    """The arrangement of the last two chosen views, or of the last one where two have no room, or
    where the other would take what it needs.

    recent: names of the chosen views, the latest last; known: the view of each name, None for the
    plane, which goes to the right (a tree above a table goes to the top); size: width and height of
    the stage in pixels; sides: for both names 0 (left or top) or 1, where a person put them;
    wishes: of the names whose figures have been shown
    """
    pair = list(reversed(recent[-2:]))  # the latest first
    if len(pair) < 2:
        return Arrangement(tuple(pair))
    first, second = known[pair[0]], known[pair[1]]
    hopes = [(wishes or {}).get(name, ANY) for name in pair]
    upright = stacked((first, second), size, hopes)
    if not roomy(size, upright) or hopes[0].needs[upright] > size[upright] - BESIDE:
        return Arrangement(tuple(pair[:1]))
    if first is None or (upright and isinstance(second, Tree)):
        pair.reverse()
    if sides and set(sides) == set(pair):
        pair.sort(key=lambda name: sides[name])
    return Arrangement(tuple(pair), upright, LEAD if pair[0] == recent[-1] else 1 - LEAD)


def stacked(pair: tuple[View, View], size: tuple[int, int], wishes: Sequence[Wish]) -> bool:
    """Whether two views stand one below the other: a table and another figure do, but a table and
    the plane do not.

    A flat stage has room side by side, unless one is a tree, a table is wider than its part, or so
    short that it would leave its part empty. wishes: of both, in the same order
    """
    if any(view is None for view in pair) or not any(isinstance(view, Table) for view in pair):
        return False
    wide, high = size
    if wide < FLAT * high or any(isinstance(view, Tree) for view in pair):
        return True
    parts = zip(wishes, (LEAD, 1 - LEAD), strict=True)
    tables = [wish for view, wish in zip(pair, wishes, strict=True) if isinstance(view, Table)]
    return any(wish.enough[1] <= (1 - LEAD) * high for wish in tables) or any(
        wish.least[0] > part * wide for wish, part in parts
    )


def roomy(size: tuple[int, int], upright: bool) -> bool:
    """Whether two views have room on a stage of this size (width, height) in pixels."""
    wide, high = size
    return (
        (wide >= LEAST[0] and high >= 2 * LEAST[1])
        if upright
        else (wide >= STAGE_TWO and high >= LEAST[1])
    )


def lead_share(lead: Wish, other: Wish, whole: int, axis: int) -> float:
    """The share of `whole` pixels for the lead view of two, 0 to 1.

    Where both have enough, or the other has it beside LEAD, the lead gets what is left. Else it
    gets what it needs, but not less than its floor, LEAD or all of it with AIR, nor more than
    MOST or its least. axis: 0 across, 1 from top to bottom
    """
    needs, wants = lead.enough[axis], other.enough[axis]
    beside = round((1 - LEAD) * whole)
    if needs + wants > whole and wants > beside:
        least = min(other.least[axis], beside)
        most = max(
            MOST, min(max(lead.least[axis], lead.needs[axis]), whole - least) / max(1, whole)
        )
        enough = needs / max(1, whole)
        floor = LEAD if lead.floor else min(LEAD, AIR * enough)
        share = max(floor, min(most, enough))
        wants = min(wants, max(least, round((1 - share) * whole)))
    return 1 - wants / max(1, whole)
