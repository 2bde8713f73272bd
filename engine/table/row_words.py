"""Names and tags of rows, made on access: of very many a window shows a page."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, overload

import numpy as np

from engine.base.arrays import Int, frozen, own

# with more rows nothing is drawn or said for each; from so many on their words are made on access
MANY = 20_000


class RowWords(Sequence[str]):
    """The words of many rows, each made on access: `word(numbers[i])` for the row at place i."""

    __slots__ = ("_numbers", "_word")

    def __init__(self, word: Callable[[int], str], numbers: Int) -> None:
        self._word = word
        self._numbers = frozen(numbers, np.intp)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "RowWords": ...
    def __getitem__(self, index: int | slice) -> "str | RowWords":
        if isinstance(index, slice):
            return RowWords(self._word, self._numbers[index])
        return self._word(int(self._numbers[index]))

    def taken(self, rows: Int) -> "RowWords":
        """The words of the rows at these indices."""
        return RowWords(self._word, self._numbers[rows])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowWords):
            return NotImplemented
        same = self._word == other._word
        return self is other or (same and np.array_equal(self._numbers, other._numbers))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return RowWords, (self._word, self._numbers)


def words_of(word: Callable[[int], str], numbers: Int) -> Sequence[str]:
    """`word` of each number; from `MANY` numbers on they are made on access."""
    return RowWords(word, numbers) if len(numbers) >= MANY else tuple(map(word, numbers.tolist()))


@lru_cache(maxsize=4)
def words_from(word: Callable[[int], str], first: int, count: int) -> Sequence[str]:
    """`word` of `count` numbers from `first` on.

    Cached, because dragging a point makes many tables with the same number of rows.
    """
    return words_of(word, np.arange(first, first + count))


def words_at(words: Sequence[str], rows: Int) -> Sequence[str]:
    """The words at these indices, in that order."""
    return (
        words.taken(rows) if isinstance(words, RowWords) else tuple(words[i] for i in rows.tolist())
    )


@lru_cache(maxsize=4)
def all_rows(n: int) -> Int:
    """(n,) 0, 1, …: the same array for every table of n rows."""
    return own(np.arange(n))


@lru_cache(maxsize=8)
def fair_rows(n: int, most: int) -> Int:
    """(min(n, most),) a fair sample of n rows, as ascending indices.

    It is always the same, and a smaller sample is part of a larger one. A reader of a table of n
    rows keeps the same rows, see `engine.read.cells`: those with the smallest random numbers.
    """
    if n <= most:
        return frozen(np.arange(n))
    return frozen(
        np.sort(np.argpartition(np.random.default_rng(0).random(n), most - 1)[:most]), np.intp
    )
