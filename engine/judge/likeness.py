"""Whether two values of two runs are the same: states, what a line says, all that they
are made of.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Prefix
from engine.base.records import cached_property, field_names, is_record


def part_names(state: Any) -> list[str]:
    """The parts of a state, in their order; what it has reckoned from them meanwhile, and kept, is
    none.
    """
    if is_record(state):
        return list(field_names(state))
    slots = [
        name for kind in reversed(type(state).__mro__) for name in getattr(kind, "__slots__", ())
    ]
    names = [*slots, *getattr(state, "__dict__", ())]
    kept = {name for name in names if isinstance(getattr(type(state), name, None), cached_property)}
    return [name for name in names if not name.startswith("__") and name not in kept]


class Likeness:
    """Whether two values are the same to the last bit, part by part; not a number is like itself.

    Of two logs that grow from step to step it looks at what is new only.
    """

    def __init__(self) -> None:
        # items that two logs have alike, by the identities of the logs
        self._known: dict[tuple[int, int], int] = {}
        self._open: set[tuple[int, int]] = set()  # pairs of which the parts are being compared

    def __call__(self, one: Any, other: Any) -> bool:
        if one is other:
            return True
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
            return self._arrays(one, other)
        if type(one) is not type(other):
            return (
                isinstance(one, (int, float))
                and isinstance(other, (int, float))
                and bool(one == other)
            )
        if isinstance(one, (float, np.floating)):
            return bool(one == other or (one != one and other != other))
        if isinstance(one, Prefix):
            return self._logs(one, other)
        if isinstance(one, Mapping):
            return one.keys() == other.keys() and all(
                self(value, other[key]) for key, value in one.items()
            )
        if isinstance(one, Sequence) and not isinstance(one, (str, bytes)):
            return len(one) == len(other) and all(map(self, one, other))
        if is_record(one) or _by_identity(one):
            return self._parts(one, other)
        return bool(one == other)

    def _parts(self, one: Any, other: Any) -> bool:
        """A pair that is met again inside of itself is alike as far as the rest of it is."""
        names = part_names(one)
        pair = (id(one), id(other))
        if pair in self._open:
            return True
        self._open.add(pair)
        try:
            return bool(names) and all(
                self(getattr(one, name, None), getattr(other, name, None)) for name in names
            )
        finally:
            self._open.discard(pair)

    def _logs(self, one: Prefix[Any], other: Prefix[Any]) -> bool:
        if len(one) != len(other):
            return False
        logs = id(one.items), id(other.items)
        for k in range(self._known.get(logs, 0), len(one)):
            if not self(one.items[k], other.items[k]):
                return False
            self._known[logs] = k + 1
        return True

    def _arrays(self, one: Any, other: Any) -> bool:
        if (
            not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray))
            or one.shape != other.shape
        ):
            return False
        if one.dtype == object:
            return all(map(self, one.ravel().tolist(), other.ravel().tolist()))
        return bool(
            np.array_equal(
                one, other, equal_nan=one.dtype.kind in "fc" and other.dtype.kind in "fc"
            )
        )


def _by_identity(value: Any) -> bool:
    """Whether nothing but itself is equal to it, as its class leaves it."""
    return not any("__eq__" in vars(kind) for kind in type(value).__mro__[:-1])
