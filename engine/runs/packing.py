"""Steps in little room: of an array of a state only what changed since that of an earlier step, or
the bits of its signs, to the last bit.

A method that touches few numbers in a step, two multipliers of thousands, is then never forgotten,
and its steps are there at once: nothing is computed again, so that neither the random numbers nor
what the page knows beside its state matter.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.records import Record, field_names, replace
from engine.protocol.step import Step

LEAST = 1024  # bytes of an array that is worth it
SHARE = (
    # what changed takes at most this part of an array; and all that is told by one array as much
    # room as that array
    4
)
_BITS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
Array = NDArray[Any]


class Changes(Record, eq=True):
    """An array told by another one of its shape: the places of the numbers whose bits differ, and
    these bits.
    """

    base: Array
    places: Array
    bits: Array

    def array(self) -> Array:
        whole = self.base.copy()
        whole.reshape(-1).view(self.bits.dtype)[self.places] = self.bits
        whole.flags.writeable = False
        return whole


class Signs(Record, eq=True):
    """An array of −1, 0 and 1, bit by bit: where it is above 0, and where below; `below` None:
    wherever it is not above.
    """

    shape: tuple[int, ...]
    above: Array
    below: Array | None

    @classmethod
    def of(cls, array: Array) -> "Signs | None":
        """None where other numbers are in it."""
        if array.min() < -1 or array.max() > 1:
            return None
        return cls(
            array.shape, np.packbits(array > 0), None if array.all() else np.packbits(array < 0)
        )

    def array(self) -> Array:
        above = self._whole(self.above)
        whole: Array = 2 * above - 1 if self.below is None else above - self._whole(self.below)
        whole.flags.writeable = False
        return whole

    def _whole(self, bits: Array) -> Array:
        return np.unpackbits(bits, count=prod(self.shape)).view(np.int8).reshape(self.shape)


def alone(array: Array) -> Changes | Signs | None:
    """Told by itself: by the bits of its signs, or by the numbers that are not 0, where these take
    at most half of its room.
    """
    bits = (
        _BITS.get(array.itemsize)
        if array.dtype.kind in "biuf" and array.flags.c_contiguous
        else None
    )
    if bits is None or (array.dtype == np.int8 and (signs := Signs.of(array)) is not None):
        return None if bits is None else signs
    told = array.reshape(-1).view(bits)
    places = np.flatnonzero(told).astype(np.min_scalar_type(array.size))
    if 2 * len(places) * (places.itemsize + bits.itemsize) > array.nbytes:
        return None
    return Changes(np.broadcast_to(np.zeros((), array.dtype), array.shape), places, told[places])


def packed(
    state: Any, tell: Callable[[str, Array], Changes | Signs | None]
) -> dict[str, Changes | Signs]:
    """What `tell` makes of the large arrays of a state, by the names of its fields; nothing where
    it is no plain record.
    """
    if not isinstance(state, Record) or hasattr(state, "__post_init__"):
        return {}
    found: dict[str, Changes | Signs] = {}
    for name in field_names(state):
        value = getattr(state, name)
        worth = isinstance(value, np.ndarray) and value.nbytes >= LEAST and not name.startswith("_")
        if worth and (changes := tell(name, value)) is not None:
            found[name] = changes
    return found


def unpacked(state: Any, changes: dict[str, Changes | Signs]) -> Any:
    return replace(state, **{name: told.array() for name, told in changes.items()})


class Packed:
    """A step whose state holds `Changes` and `Signs` in place of arrays.

    `step()` makes it as it was.
    """

    __slots__ = ("_step", "changes")

    def __init__(self, step: Step[Any], changes: dict[str, Changes | Signs]) -> None:
        """changes: by the names of the fields."""
        self._step = _with(step, replace(step.state, **changes))
        self.changes = changes

    @property
    def state(self) -> Any:
        """What is held, for the scales."""
        return self._step.state

    @property
    def told(self) -> Any:
        return self._step.told

    def step(self) -> Step[Any]:
        return _with(self._step, unpacked(self.state, self.changes))


def _with(step: Step[Any], state: Any) -> Step[Any]:
    return Step(step.teller, step.line, state, step.level, step.events, step.told, step.tie)


class Packer:
    """Packs the steps of one run in their order."""

    def __init__(self) -> None:
        # by the name of the field: the array that was last kept whole
        self._bases: dict[str, Array] = {}
        self._told: dict[str, int] = {}  # bytes of the changes since
        # several steps in a row hold one array
        self._latest: dict[str, tuple[Array, Changes | Signs]] = {}

    def pack(self, step: Step[Any]) -> Packed | None:
        """None where nothing is gained, or the state is no plain record."""
        found = packed(step.state, self._changes)
        return Packed(step, found) if found else None

    def _changes(self, name: str, array: Array) -> Changes | Signs | None:
        base, latest = self._bases.get(name), self._latest.get(name)
        if array is base or array.dtype.kind not in "biuf" or not array.flags.c_contiguous:
            return None
        if latest is not None and latest[0] is array:
            return latest[1]
        bits, told = _BITS.get(array.itemsize), self._told.get(name, 0)
        alike = base is not None and (base.shape, base.dtype) == (array.shape, array.dtype)
        if base is not None and alike and bits is not None and told <= array.nbytes:
            new = array.reshape(-1).view(bits)
            places = np.flatnonzero(new != base.reshape(-1).view(bits)).astype(
                np.min_scalar_type(array.size)
            )
            if (size := places.nbytes + len(places) * bits.itemsize) * SHARE <= array.nbytes:
                changes = Changes(base, places, new[places])
                self._told[name], self._latest[name] = told + size, (array, changes)
                return changes
            if array.dtype == np.int8 and (signs := Signs.of(array)) is not None:
                self._latest[name] = array, signs
                return signs
        self._bases[name], self._told[name] = array, 0
        return None
