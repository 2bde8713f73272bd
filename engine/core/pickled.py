"""Values as bytes for another process, or for a later one.

Pickle makes a writable array of each one: those that are read-only stay so here, because states and
problems are made of them.
"""

import io
import pickle
from typing import Any

import numpy as np

from engine.core.arrays import frozen


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if type(value) is np.ndarray and not value.flags.writeable:
            return frozen, (value.copy(),)
        return NotImplemented


def packed(value: Any) -> bytes:
    """What `pickle.loads` makes `value` of again."""
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()
