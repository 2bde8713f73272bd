"""Sequences and mappings made on first use: most figures of a run that plays are never shown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, overload

from engine.base.records import cached_property

T = TypeVar("T")
K = TypeVar("K")


class Lazy(Sequence[T]):
    """A sequence that is made once, on first access."""

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._make = make

    @cached_property
    def made(self) -> Sequence[T]:
        return self._make()

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[T]:
        return iter(self.made)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self.made[at]


class LazyMap(Mapping[K, T]):
    """A mapping that is made once, on first access."""

    def __init__(self, make: Callable[[], Mapping[K, T]]) -> None:
        self._make = make

    @cached_property
    def made(self) -> Mapping[K, T]:
        return self._make()

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[K]:
        return iter(self.made)

    def __getitem__(self, key: K) -> T:
        return self.made[key]
