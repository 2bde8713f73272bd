"""How many bytes a step adds to what earlier steps of a run hold already."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from operator import attrgetter
from typing import Any

import numpy as np

from engine.base.arrays import Prefix, RowLog
from engine.base.records import field_names, is_record
from engine.base.sums import add_up

PLAIN, SMALL, UNKNOWN = 32, 64, 256
OVERHEAD = 480  # a Step, its Note with operands, its metrics


class Kind(Enum):
    """How the size of an object is found; any other object is the sum of its parts."""

    PLAIN = auto()
    LOG = auto()
    ARRAY = auto()
    TELLS = auto()  # it knows its own size, `own_bytes`, and is not taken apart
    UNKNOWN = auto()


Parts = Callable[[Any], Iterable[Any]]


class Scales:
    """Weighs states one after the other; a part that was weighed before counts almost nothing."""

    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}
        self._forgotten: list[Any] = []  # forgotten objects that are still to be freed
        self._counted: dict[int, int] = {}  # id of a log's items -> how many were weighed

    def forget(self) -> None:
        """Weigh every object as new from now on.

        The objects are only set aside: freeing all of them at once would block, see
            `let_go_of_some`.
        """
        self._forgotten.extend(self._seen.values())
        self._seen.clear()
        self._counted.clear()

    def let_go_of_some(self, most: int) -> None:
        """Free up to `most` of the forgotten objects."""
        del self._forgotten[-most:]

    def let_go_of_all(self) -> None:
        """Hold no weighed object any more; of logs only the items added since then still count."""
        self._seen.clear()

    def let_go(self, part: Any) -> None:
        """Stop holding a record or an array that its owner no longer holds."""
        self._seen.pop(
            id(part.base if isinstance(part, np.ndarray) and part.base is not None else part), None
        )

    def weigh_step(self, step: Any) -> int:
        """Bytes that remembering a step, packed or not, adds: its state and the details for its
        words.
        """
        total = OVERHEAD + self.weigh(step.state)
        for part in step.details.values():
            if _KINDS.get(type(part)) is not _PLAIN:
                total += self.weigh(part)
        return total

    def weigh(self, value: Any) -> int:
        """Bytes that remembering `value` adds."""
        kind = _KINDS.get(type(value)) or _learn(type(value))
        if kind is _PLAIN:
            return PLAIN
        if kind is _LOG:
            return self._log(value)
        if kind is _TELLS:
            return int(value.own_bytes)
        base = value.base if kind is _ARRAY and value.base is not None else value
        if id(base) in self._seen:
            return SMALL
        self._seen[id(base)] = base
        if kind is _ARRAY:
            return SMALL + int(getattr(base, "nbytes", value.nbytes))
        if kind is _UNKNOWN:
            return UNKNOWN
        total = SMALL
        known = _KINDS
        weigh = self.weigh
        for part in kind(value):  # plain parts without a call: the hot loop of the scales
            total += PLAIN if known.get(type(part)) is _PLAIN else weigh(part)
        return total

    def _log(self, log: "Prefix[Any]") -> int:
        items = log.items
        start = self._counted.get(id(log.items), 0)
        self._counted[id(items)] = end = max(start, len(log))
        self._seen[id(items)] = items
        # the type first: isinstance with an abstract class is slow
        if type(items) is not list and isinstance(items, RowLog):
            return SMALL + (end - start) * items.row_bytes
        if hasattr(items, "own_bytes"):
            return SMALL + (0 if start else items.own_bytes)
        return SMALL + add_up(map(self.weigh, items[start:end]))


# looked up once: an enumeration gives its members by name slowly
_PLAIN, _LOG, _ARRAY, _TELLS, _UNKNOWN = Kind
_KINDS: dict[type[Any], Any] = {}


def _learn(of: type[Any]) -> Any:
    _KINDS[of] = kind = kind_of(of)
    return kind


def kind_of(of: type[Any]) -> Kind | Parts:
    """How an object of a type is weighed: a Kind, or the function that gives its parts."""
    if issubclass(of, (type(None), bool, int, float, str, np.generic)):
        return Kind.PLAIN
    # abstract classes come last: they look through all of their subclasses
    if Prefix in of.__mro__:
        return Kind.LOG
    if hasattr(of, "own_bytes"):
        return Kind.TELLS
    if issubclass(of, np.ndarray):
        return Kind.ARRAY
    if issubclass(of, (tuple, list, frozenset)):
        return iter
    if not is_record(of) and issubclass(of, Mapping):
        return lambda value: value.values()
    if not is_record(of):
        return Kind.UNKNOWN
    names = field_names(of)
    return (
        attrgetter(*names)
        if len(names) > 1
        else lambda value: [getattr(value, name) for name in names]
    )
