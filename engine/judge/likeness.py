"""Decides whether two values of two runs are equal, part by part: states, details, notes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Prefix
from engine.base.records import cached_property, field_names, is_record


def part_names(state: Any) -> list[str]:
    """The names of a state's parts, in order, without cached properties."""
    if is_record(state):
        return list(field_names(state))
    slots = [
        name for kind in reversed(type(state).__mro__) for name in getattr(kind, "__slots__", ())
    ]
    names = [*slots, *getattr(state, "__dict__", ())]
    kept = {name for name in names if isinstance(getattr(type(state), name, None), cached_property)}
    return [name for name in names if not name.startswith("__") and name not in kept]


class Likeness:
    """Compares values part by part and bit by bit; NaN equals NaN.

    Of two logs that grow from step to step it compares only the new items.
    """

    def __init__(self) -> None:
        # the number of equal items of two logs, by their identities
        self._known: dict[tuple[int, int], int] = {}
        self._open: set[tuple[int, int]] = set()  # pairs whose parts are being compared

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
        """Compare part by part; a pair that contains itself counts as equal there."""
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
    """Whether the class keeps object's `__eq__`."""
    return not any("__eq__" in vars(kind) for kind in type(value).__mro__[:-1])
