"""`Origin`: how a generator drew a table, so that its form can show it again, also from a
project.
"""

from collections.abc import Iterable
from zlib import crc32

from engine.base.arrays import Float
from engine.base.records import Record


class Origin(Record, eq=True):
    """The settings of a generator.

    check: checksum of the values it drew, by which rows changed by hand are noticed
    """

    generator: str
    n: int
    noise: float
    seed: int
    classes: int
    check: int = 0


def checksum(columns: Iterable[Float]) -> int:
    """CRC-32 of the values of the columns, from 0 to 2³² − 1."""
    check = 0
    for values in columns:
        check = crc32(values.tobytes(), check)
    return check
