"""Draws a fair sample of the rows of a long table in one pass, and frees many rows in parts."""

from collections.abc import Callable, Iterator
from itertools import compress, islice
from typing import Any, TypeVar

import numpy as np

from engine.base.arrays import Float, Int
from engine.read.regular import Line

T = TypeVar("T")
_CHUNK = 1000
_AT_ONCE = 2**18
# rows beyond the limit that are kept for a while: freeing more at once would block the window
_SPARE = 10_000


def sample(
    rows: Iterator[Line], limit: int, seed: int, tick: Callable[[], None]
) -> tuple[list[Line], int]:
    """(kept rows in order, total number of rows): the `limit` rows with the smallest random keys.

    The rows are read once; `tick` is called after each part.
    """
    rng = np.random.default_rng(seed)
    kept: list[Line] = []
    kept_keys = np.zeros(0)
    bound = 1.0
    total = 0
    while chunk := list(islice(rows, _CHUNK)):
        keys = rng.random(len(chunk))
        low = keys < bound
        kept += compress(chunk, low.tolist())
        kept_keys = np.concatenate([kept_keys, keys[low]])
        total += len(chunk)
        if len(kept) > limit + min(limit, _SPARE):
            kept, kept_keys = _smallest(kept, kept_keys, limit)
            bound = float(kept_keys.max())
        tick()
    return _smallest(kept, kept_keys, limit)[0] if total > limit else kept, total


def sample_places(total: int, limit: int, seed: int, tick: Callable[[], None]) -> Int:
    """The indices, from 0 to total − 1, of the rows that `sample` keeps."""
    rng = np.random.default_rng(seed)
    places = np.zeros(0, np.intp)
    keys = np.zeros(0)
    bound = 1.0
    for begin in range(0, total, _AT_ONCE):
        new = rng.random(min(_AT_ONCE, total - begin))
        low = np.flatnonzero(new < bound)
        places, keys = np.concatenate([places, begin + low]), np.concatenate([keys, new[low]])
        if len(keys) > limit and total > limit:
            smallest = np.sort(np.argpartition(keys, limit - 1)[:limit])
            places = places[smallest]
            keys = keys[smallest]
            bound = float(keys.max())
        tick()
    return places


def _smallest(kept: list[T], keys: Float, limit: int) -> tuple[list[T], Float]:
    """The items with the smallest keys, in their order, and their keys.

    A partition, because sorting all would block the window.
    """
    places = np.sort(np.argpartition(keys, limit - 1)[:limit])
    return [kept[i] for i in places.tolist()], keys[places]


def let_go(items: list[Any]) -> None:
    """Free the items in parts: freeing all at once would block the window."""
    while items:
        del items[-_CHUNK:]
