"""Values as bytes for another process, or for a later one.

Pickle makes a writable array of each one: those that are read-only stay so here, because states and
problems are made of them.
"""

import io
import pickle
from typing import Any

import numpy as np

from engine.base.arrays import frozen


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if type(value) is np.ndarray and not value.flags.writeable:
            return frozen, (value.copy(),)
        return NotImplemented


class _Answer(_Pickler):
    """Of an answer to somewhere where `known` is at hand: it is named, not sent."""

    def __init__(self, file: io.BytesIO, known: Any) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.known = known

    def persistent_id(self, value: Any) -> str | None:
        return "known" if value is self.known else None


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, known: Any) -> None:
        super().__init__(file)
        self.known = known

    def persistent_load(self, name: str) -> Any:
        return self.known


def packed(value: Any, known: Any = None) -> bytes:
    """What `unpacked` makes `value` of again, where it is given its own `known`."""
    file = io.BytesIO()
    if known is None:
        _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    else:
        _Answer(file, known).dump(value)
    return file.getvalue()


def unpacked(data: bytes, known: Any = None) -> Any:
    """The value that was packed."""
    return _Reader(io.BytesIO(data), known).load()
