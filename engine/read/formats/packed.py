"""Files packed by gzip, unpacked while they are read, within a bound: a small file may hold endless
zeros.
"""

import gzip
import zlib
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from engine.base.errors import EngineError
from engine.read.formats.form import MAX_UNPACKED

SIGN = b"\x1f\x8b"


class Unpacked(gzip.GzipFile):
    """What is in a packed file.

    Raises EngineError where it is broken or larger than a table may be.
    """

    def __init__(self, name: str, raw: IO[bytes]) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._raw, self._called = raw, name

    def _checked(self, read: Any, size: int) -> bytes:
        try:
            found = cast(bytes, read(size))
        except (OSError, EOFError, zlib.error):
            raise EngineError(
                f"{self._called} cannot be unpacked: it is broken off, or damaged."
            ) from None
        if self.tell() > MAX_UNPACKED:
            raise EngineError(
                f"{self._called} unpacks to more than {MAX_UNPACKED >> 30} GB; no table of this lab"
                " is so large."
            )
        return found

    def read(self, size: int | None = -1) -> bytes:
        return self._checked(super().read, MAX_UNPACKED + 1 if size is None or size < 0 else size)

    def read1(self, size: int = -1) -> bytes:
        return self._checked(super().read1, size)

    def close(self) -> None:
        super().close()
        self._raw.close()


def unpacked(name: str, path: Path) -> BinaryIO:
    """The bytes that the packed file at `path` holds."""
    return cast(BinaryIO, Unpacked(name, path.open("rb")))


def size_of(path: Path) -> int:
    """How many bytes a packed file says to hold: its last four, which a larger one than 4 GB, or a
    joined one, gets wrong.
    """
    with path.open("rb") as stream:
        packed = path.stat().st_size
        stream.seek(max(0, packed - 4))
        return max(int.from_bytes(stream.read(4), "little"), packed)
