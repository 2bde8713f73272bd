"""Packed steps: arrays of a state stored as changes to an earlier one, or as sign bits.

Unpacking gives every bit back. A method that changes few numbers in a step, such as two multipliers
of thousands, need not have its steps forgotten. Nothing is computed again, so neither the random
numbers nor what the page knows beside its state matter.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.records import Record, field_names, replace
from engine.protocol.step import Step

LEAST = 1024  # bytes of the smallest array that is packed
SHARE = (
    # changes take at most one part in so many of their array; a base array is replaced when all
    # changes to it take more bytes than the array
    4
)
_BITS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
Array = NDArray[Any]


class Changes(Record, eq=True):
    """An array stored as its difference to another one of the same shape.

    base: the other array
    places: flat indices of the numbers whose bits differ
    bits: the bits of these numbers
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
    """An array of −1, 0 and 1, stored as bits.

    above: where it is above 0
    below: where it is below 0; None: wherever it is not above
    """

    shape: tuple[int, ...]
    above: Array
    below: Array | None

    @classmethod
    def of(cls, array: Array) -> "Signs | None":
        """The packed form of an array of integers; None where it holds other numbers."""
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
    """An array packed without a base: its sign bits, or its numbers that are not 0.

    None where it cannot be packed, or where these numbers take more than half of its bytes.
    """
    bits = (
        _BITS.get(array.itemsize)
        if array.dtype.kind in "biuf" and array.flags.c_contiguous
        else None
    )
    if bits is None or (array.dtype == np.int8 and (signs := Signs.of(array)) is not None):
        return None if bits is None else signs
    numbers = array.reshape(-1).view(bits)
    places = np.flatnonzero(numbers).astype(np.min_scalar_type(array.size))
    if 2 * len(places) * (places.itemsize + bits.itemsize) > array.nbytes:
        return None
    return Changes(np.broadcast_to(np.zeros((), array.dtype), array.shape), places, numbers[places])


def packed(
    state: Any, pack: Callable[[str, Array], Changes | Signs | None]
) -> dict[str, Changes | Signs]:
    """The large arrays of a state as `pack` packs them, by field; {} for no plain record."""
    if not isinstance(state, Record) or hasattr(state, "__post_init__"):
        return {}
    found: dict[str, Changes | Signs] = {}
    for name in field_names(state):
        value = getattr(state, name)
        worth = isinstance(value, np.ndarray) and value.nbytes >= LEAST and not name.startswith("_")
        if worth and (changes := pack(name, value)) is not None:
            found[name] = changes
    return found


def unpacked(state: Any, changes: dict[str, Changes | Signs]) -> Any:
    """The state with its packed arrays restored; changes: by field."""
    return replace(state, **{name: change.array() for name, change in changes.items()})


class Packed:
    """A step whose state holds `Changes` and `Signs` in place of arrays; `step()` restores it."""

    __slots__ = ("_step", "changes")

    def __init__(self, step: Step[Any], changes: dict[str, Changes | Signs]) -> None:
        """changes: the packed arrays, by field"""
        self._step = _with(step, replace(step.state, **changes))
        self.changes = changes

    @property
    def state(self) -> Any:
        """The packed state, which `Scales` weighs."""
        return self._step.state

    @property
    def details(self) -> Any:
        return self._step.details

    def step(self) -> Step[Any]:
        return _with(self._step, unpacked(self.state, self.changes))


def _with(step: Step[Any], state: Any) -> Step[Any]:
    return Step(step.teller, step.line, state, step.level, step.events, step.details, step.tie)


class Packer:
    """Packs the steps of one run in their order."""

    def __init__(self) -> None:
        # by field: the last array that was kept whole
        self._bases: dict[str, Array] = {}
        self._since: dict[str, int] = {}  # bytes of the changes since
        # by field: the last array and its packed form; several steps in a row may hold one array
        self._latest: dict[str, tuple[Array, Changes | Signs]] = {}

    def pack(self, step: Step[Any]) -> Packed | None:
        """The packed step; None where nothing is gained, or the state is no plain record."""
        found = packed(step.state, self._changes)
        return Packed(step, found) if found else None

    def _changes(self, name: str, array: Array) -> Changes | Signs | None:
        base, latest = self._bases.get(name), self._latest.get(name)
        if array is base or array.dtype.kind not in "biuf" or not array.flags.c_contiguous:
            return None
        if latest is not None and latest[0] is array:
            return latest[1]
        bits, since = _BITS.get(array.itemsize), self._since.get(name, 0)
        alike = base is not None and (base.shape, base.dtype) == (array.shape, array.dtype)
        if base is not None and alike and bits is not None and since <= array.nbytes:
            new = array.reshape(-1).view(bits)
            places = np.flatnonzero(new != base.reshape(-1).view(bits)).astype(
                np.min_scalar_type(array.size)
            )
            if (size := places.nbytes + len(places) * bits.itemsize) * SHARE <= array.nbytes:
                changes = Changes(base, places, new[places])
                self._since[name], self._latest[name] = since + size, (array, changes)
                return changes
            if array.dtype == np.int8 and (signs := Signs.of(array)) is not None:
                self._latest[name] = array, signs
                return signs
        self._bases[name], self._since[name] = array, 0
        return None
