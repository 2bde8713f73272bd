"""Unpacks gzip files while they are read, up to a limit: a small file may hold endless zeros."""

import gzip
import zlib
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from engine.base.errors import EngineError
from engine.read.formats.form import MAX_UNPACKED

SIGN = b"\x1f\x8b"


class Unpacked(gzip.GzipFile):
    """A stream of the unpacked bytes; raises EngineError for a broken or too large file."""

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
    """A stream of the unpacked bytes of the file at `path`."""
    return cast(BinaryIO, Unpacked(name, path.open("rb")))


def size_of(path: Path) -> int:
    """The unpacked size from the last four bytes of the file, at least its packed size.

    Wrong for more than 4 GB and for concatenated files.
    """
    with path.open("rb") as stream:
        packed = path.stat().st_size
        stream.seek(max(0, packed - 4))
        return max(int.from_bytes(stream.read(4), "little"), packed)
