"""How a table was drawn by lot, so that the form of its generator can show it again, also out of a
saved project.
"""

from collections.abc import Iterable
from zlib import crc32

from engine.base.arrays import Float
from engine.base.records import Record


class Origin(Record, eq=True):
    """What a generator was told. check: of the values it drew, so that rows changed by hand can be
    told from them.
    """

    generator: str
    n: int
    noise: float
    seed: int
    classes: int
    check: int = 0


def checksum(columns: Iterable[Float]) -> int:
    """A number from 0 to 2³² − 1 that says of which values these columns are."""
    check = 0
    for values in columns:
        check = crc32(values.tobytes(), check)
    return check
