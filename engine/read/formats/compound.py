"""Reads the container of old Office files: streams of bytes in chains of sectors. [MS-CFB]

Each chain is followed up to a limit: a broken one may have no end, and following it would take all
memory.
"""

from collections.abc import Sequence
from struct import error as TooShort
from struct import unpack_from

from engine.base.errors import EngineError
from engine.base.records import cached_property

_LAST = 0xFFFFFFFA  # larger sector numbers are markers
_END = 0xFFFFFFFE
_SMALL = 64  # bytes of a short sector
_SHORT = 4096  # shorter streams are in short sectors
_ROOT, _STREAM = 5, 2


class Compound:
    """An OLE2 compound file, the container of an old Excel file. names: of its streams

    Raises EngineError for a broken one.
    """

    def __init__(self, name: str, raw: bytes) -> None:
        self.name, self.raw = name, raw
        try:
            self._begin()
            self.entries = self._directory()
        except (TooShort, IndexError):
            raise self._broken() from None
        self.names = tuple(self.entries)

    def _broken(self) -> EngineError:
        return EngineError(
            f"{self.name} cannot be read as an old Excel file: it is broken off, or damaged."
        )

    def _begin(self) -> None:
        shift, small = unpack_from("<HH", self.raw, 30)
        if shift not in (9, 12) or small != 6:
            raise self._broken()
        self.sector = 1 << shift
        self.count = -(-len(self.raw) // self.sector)
        fats, self.root, _, _, self.short_start, shorts, more, mores = unpack_from(
            "<II4sIIIII", self.raw, 44
        )
        if max(fats, shorts, mores) > self.count:
            raise self._broken()
        table = list(unpack_from("<109I", self.raw, 76))
        for _ in range(self.count):
            if more >= _LAST:
                break
            *further, more = self._numbers(more)
            table += further
        else:
            raise self._broken()
        if sum(place < _LAST for place in table) > self.count:
            raise self._broken()
        self.next = [number for place in table if place < _LAST for number in self._numbers(place)]

    def _numbers(self, sector: int) -> Sequence[int]:
        return unpack_from(f"<{self.sector // 4}I", self.raw, (sector + 1) * self.sector)

    def _chain(self, start: int, following: Sequence[int]) -> list[int]:
        """The sector numbers from `start` on; raises EngineError for a chain without end."""
        found: list[int] = []
        while start != _END:
            if len(found) > len(following) or start >= len(following):
                raise self._broken()
            found.append(start)
            start = following[start]
        return found

    def _stream(self, start: int) -> bytes:
        places = ((number + 1) * self.sector for number in self._chain(start, self.next))
        return b"".join(self.raw[place : place + self.sector] for place in places)

    def _directory(self) -> dict[str, tuple[int, int]]:
        """{name of a stream: (first sector, length)}; follows each chain once to check it."""
        raw = self._stream(self.root)
        found: dict[str, tuple[int, int]] = {}
        # the most sectors of all streams: they do not share any
        left = 2 * len(self.next) + len(self.raw) // _SMALL
        if len(raw) % 128:
            raise self._broken()
        for place in range(0, len(raw), 128):
            length, kind = unpack_from("<HB", raw, place + 64)
            start, size = unpack_from("<II", raw, place + 116)
            if size > len(self.raw):
                raise self._broken()
            if kind == _ROOT:
                self.short_home = start
                if size:
                    left -= len(self._chain(start, self.next))
            elif kind == _STREAM:
                title = raw[place : place + max(0, min(length, 64) - 2)].decode(
                    "utf-16-le", "replace"
                )
                found.setdefault(title, (start, size))
                if size:
                    left -= len(
                        self._chain(start, self.next if size >= _SHORT else self._short_next)
                    )
            if left < 0:
                raise self._broken()
        return found

    @cached_property
    def _short_next(self) -> Sequence[int]:
        raw = self._stream(self.short_start)
        return unpack_from(f"<{len(raw) // 4}I", raw, 0)

    def stream(self, title: str) -> bytes:
        """The bytes of a stream."""
        start, size = self.entries[title]
        if size >= _SHORT:
            return self._stream(start)[:size]
        home = self._stream(self.short_home)
        places = (
            [number * _SMALL for number in self._chain(start, self._short_next)] if size else []
        )
        return b"".join(home[place : place + _SMALL] for place in places)[:size]
