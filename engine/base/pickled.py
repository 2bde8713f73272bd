"""Values as bytes, for another process or a later one.

Plain pickle makes every array writable; here read-only arrays, of which states and problems are
made, stay read-only.
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
    """Pickles a value for a receiver that has the object `known`, which is named instead of
    sent.
    """

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
    """`value` as bytes for `unpacked`, which has to be given the same `known`."""
    file = io.BytesIO()
    if known is None:
        _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    else:
        _Answer(file, known).dump(value)
    return file.getvalue()


def unpacked(data: bytes, known: Any = None) -> Any:
    """The value that was packed; known: the receiver's own copy of the object."""
    return _Reader(io.BytesIO(data), known).load()
