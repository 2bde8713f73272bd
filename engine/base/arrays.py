"""Immutable data: read-only arrays, and append-only logs with cheap views of their beginning."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Float = NDArray[np.float64]
Int = NDArray[np.intp]
Bool = NDArray[np.bool_]


def frozen(values: Any, dtype: Any = None) -> NDArray[Any]:
    """`values` as a read-only array; copied when the caller could still write to it."""
    array = np.asarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.copy() if array is values or array.base is not None else array
        array.setflags(write=False)
    return array


def own(array: NDArray[Any]) -> NDArray[Any]:
    """A new array, to which there is no other reference, made read-only without a copy."""
    array.setflags(write=False)
    return array


def together(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The parts concatenated; a single part itself, without a copy."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def alike(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Whether two arrays have the same shape and numbers; NaN equals NaN.

    Faster than `np.array_equal` for long columns.
    """
    if a is b or a.shape != b.shape:
        return a is b
    other = a != b
    return not other.any() or bool(np.isnan(a[other]).all() and np.isnan(b[other]).all())


def middle(X: Float) -> Float:
    """(d,) the mean of each column of X (n, d), to fifteen digits.

    Rounded so that the mean of 0.1, 0.2 and 0.3 is exactly 0.2.
    """
    rounded = [float(f"{mean:.15g}") for mean in X.mean(axis=0).tolist()]
    # clipped, so that a constant column has its value as mean
    return np.clip(np.array(rounded, np.float64), X.min(axis=0), X.max(axis=0))


class Log(Generic[T]):
    """An append-only list; `prefix()` is an immutable view of it, in constant time and space."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[T] = []

    def append(self, item: T) -> "Prefix[T]":
        """Add `item`; returns the view that ends with it."""
        self.items.append(item)
        return self.prefix()

    def prefix(self) -> "Prefix[T]":
        return Prefix(self.items, len(self.items))


class RowLog(Sequence[Float]):
    """A list of rows of equal length, to which arrays of many rows are added whole."""

    __slots__ = ("_ends", "_parts")

    def __init__(self, rows: Any) -> None:
        self._parts = list[Float]()
        self._ends = [0]
        self.extend(rows)

    def extend(self, rows: Any) -> None:
        """Add the rows (m, d)."""
        self._parts.append(
            part := frozen(rows[0])[None] if len(rows) == 1 else frozen(rows)
        )  # most rows come alone: a view instead of a copy
        self._ends.append(self._ends[-1] + len(part))

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, index: int) -> Float: ...
    @overload
    def __getitem__(self, index: slice) -> "RowLog": ...
    def __getitem__(self, index: int | slice) -> "Float | RowLog":
        if isinstance(index, slice):
            return RowLog(np.asarray(self)[index])
        index = range(len(self))[index]
        part = bisect_right(self._ends, index)
        row: Float = self._parts[part - 1][index - self._ends[part - 1]]
        return row

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Float:
        """(n, d) all rows; much faster than one row after the other."""
        return np.asarray(np.concatenate(self._parts), dtype)

    def __reduce__(self) -> Any:
        return (RowLog, (np.asarray(self),))  # pickled as one part, however the rows were added

    @property
    def row_bytes(self) -> int:
        """Bytes of one row, with those of an array object of its own."""
        return 64 + int(self._parts[0][0].nbytes)


class Prefix(Sequence[T]):
    """The first `length` items of a log; steps of a run share the items that they have in
    common.
    """

    __slots__ = ("items", "length")

    def __init__(self, items: Sequence[T], length: int) -> None:
        self.items = items
        self.length = length

    def plus(self, *more: T) -> "Prefix[T]":
        """These items and more.

        The list is shared, unless another view has been extended from here already.
        """
        return self.joined(more)

    def joined(self, more: "Sequence[T] | NDArray[Any]") -> "Prefix[T]":
        """As `plus`, with a sequence of items; the rows of an array become arrays."""
        known = self.items if len(self.items) == self.length else self.items[: self.length]
        items: Any = known if isinstance(known, (list, RowLog)) else list(known)
        items.extend(more)
        return Prefix(items, self.length + len(more))

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self.items[i] for i in range(*index.indices(self.length)))
        if not -self.length <= index < self.length:
            raise IndexError(index)
        return self.items[index % self.length]

    def __iter__(self) -> Iterator[T]:
        return (self.items[i] for i in range(self.length))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        whole = isinstance(self.items, RowLog)
        return (
            np.asarray(self.items, dtype)[: self.length] if whole else np.asarray(list(self), dtype)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prefix) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash((id(self.items), self.length))

    def __reduce__(self) -> Any:
        items: Any = self.items
        if isinstance(items, RowLog):
            items = items[: self.length]
        elif isinstance(items, list) or len(items) > self.length:
            items = list(self)
        return Prefix, (items, self.length)
