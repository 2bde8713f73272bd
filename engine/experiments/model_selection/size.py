"""A size that was tried, and for how many of them the training error has been still."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.experiments.parts.tally import Tally

FALL = 0.01  # of the first errT, less of which is no fall


class Size(NamedTuple):
    """value: of the number that is the size; validation, deviation: errV, the mean of the errors on
    the folds, and their spread; training: errT, the mean on the rows learnt from. NaN where nothing
    could be learnt.
    """

    value: float
    validation: float
    deviation: float
    training: float

    @classmethod
    def of(cls, value: float, errors: Tally, train: Tally) -> "Size":
        return cls(value, errors.mean, errors.deviation, train.mean)


def stillness(sizes: Iterable[Size]) -> list[int]:
    """(m,) after each size, on how many in a row errT has not fallen below where it fell to last;
    one without errT counts as none.
    """
    errors = [size.training for size in sizes]
    enough = FALL * next((e for e in errors if e == e), 0.0)
    low = np.inf
    count = 0
    found = list[int]()
    for e in errors:
        if e < low - enough:
            low = e
            count = 0
        elif e == e:
            count += 1
        found.append(count)
    return found
