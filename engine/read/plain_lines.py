"""A fast path for long texts without quotation marks: counts lines as rows and splits only the
sampled ones.

Reads the text twice, in blocks: first to check that each line has as many separators as the first
row, then for the sampled lines. Any other text is left to the row-by-row reader.
"""

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from engine.base.arrays import Int
from engine.read.regular import Row

LEAST = 2**20  # bytes from which reading twice pays
BLOCK = 2**16  # bytes: other threads run between two blocks
HEAD_LINES, _MAX_HEAD = 120, 2**22  # lines, bytes: titles and remarks may stand in them
_LONGEST = 2**17  # bytes of a line
# in these a line end or separator byte has no other meaning
_ENCODINGS = ("utf-8", "utf-8-sig", "ascii", "iso8859-1", "cp1252")
_NOT_PLAIN = (b'"', b"\x1a", b"\x00")  # a quotation mark, the end mark of DOS, no text
_BLANKS = b" \t\x0b\x0c\x1c\x1d\x1e\x1f"
Tick = Callable[[], None]


@dataclass(slots=True)
class Plain:
    """A plain text, and the counts of the lines behind its head.

    head: the first lines, as bytes
    rows: the number of rows behind the head
    gaps: the indices of blank lines, among all lines behind the head
    last: the index of the last row among them
    """

    head: bytes
    encoding: str
    separator: str
    rows: int = 0
    gaps: list[int] = field(default_factory=list)
    last: int = -1

    @property
    def between(self) -> int:
        """The number of blank lines before the last row."""
        return sum(place < self.last for place in self.gaps)


def plain_text(stream: BinaryIO, encoding: str, separator: str) -> Plain | None:
    """The text with its head read; None if it is not plain or too short."""
    known = codecs.lookup(encoding).name
    if known not in _ENCODINGS or not separator.isascii() or separator == " ":
        return None
    head = b""
    while head.count(b"\n") <= HEAD_LINES:
        block = stream.read(BLOCK)
        head += block
        if not block or len(head) > _MAX_HEAD:
            return None
    head = head[: head.rfind(b"\n") + 1]
    last = head.splitlines()[-1].replace(separator.encode(), b"").strip()
    return Plain(head, known, separator) if last and _is_plain(head) else None


def count_rows(plain: Plain, stream: BinaryIO, width: int, tick: Tick) -> bool:
    """Count the rows behind the head; False if a line is not plain or has not `width` cells.

    Raises UnicodeError for a wrong encoding.
    """
    place = 0
    for block in _blocks(plain, stream):
        if not _is_plain(block) or not block.endswith(b"\n"):
            return False
        text = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(text == ord("\n"))
        starts = np.concatenate([[0], ends[:-1] + 1])
        lengths = ends - starts - (text[ends - 1] == ord("\r")) * (ends > starts)
        cuts = np.searchsorted(np.flatnonzero(text == ord(plain.separator)), ends)
        filled = lengths > 0
        if (np.diff(cuts, prepend=0)[filled] != width - 1).any() or lengths.max() >= _LONGEST:
            return False
        lines = block.decode(plain.encoding.removesuffix("-sig")).split("\n")
        gaps = _gaps(lines, _doubted(text, starts, plain.separator) & filled, plain.separator)
        filled[gaps] = False
        plain.gaps += [place + k for k in gaps]
        plain.rows += int(filled.sum())
        plain.last = place + int(np.flatnonzero(filled)[-1]) if filled.any() else plain.last
        place += len(starts)
        tick()
    return True


def _doubted(text: Any, starts: Int, separator: str) -> Any:
    """Whether each line may be blank: it begins with a separator, a blank or a non-ASCII byte."""
    first = text[starts]
    return (first <= ord(" ")) | (first >= 0x80) | (first == ord(separator))


def _gaps(lines: list[str], doubted: Any, separator: str) -> list[int]:
    return [
        k for k in np.flatnonzero(doubted).tolist() if not lines[k].replace(separator, "").strip()
    ]


def rows_at(plain: Plain, stream: BinaryIO, places: Int, tick: Tick) -> Iterator[Row]:
    """The stripped cells of the rows at the ascending `places`; 0 is the first row behind the
    head.
    """
    gaps = np.array(plain.gaps, np.int64)
    row = line = done = 0
    for block in _blocks(plain, stream):
        lines = block.decode(plain.encoding.removesuffix("-sig")).split("\n")[:-1]
        for k in gaps[slice(*np.searchsorted(gaps, [line, line + len(lines)]))].tolist():
            lines[k - line] = ""
        line += len(lines)
        lines = [whole for each in lines if (whole := each.removesuffix("\r"))]
        end = int(np.searchsorted(places, row + len(lines)))
        found = [lines[place - row].split(plain.separator) for place in places[done:end].tolist()]
        yield from [[*map(str.strip, cells)] for cells in found] if _has_blanks(block) else found
        done = end
        row = row + len(lines)
        tick()


def _has_blanks(block: bytes) -> bool:
    return not block.isascii() or len(block.translate(None, _BLANKS)) < len(block)


def _is_plain(block: bytes) -> bool:
    return block.count(b"\r") == block.count(b"\r\n") and not any(
        sign in block for sign in _NOT_PLAIN
    )


def _blocks(plain: Plain, stream: BinaryIO) -> Iterator[bytes]:
    """The bytes behind the head, in blocks of whole lines; a line that is too long comes
    incomplete.
    """
    stream.seek(len(plain.head))
    left = b""
    while block := stream.read(BLOCK):
        left += block
        cut = left.rfind(b"\n") + 1
        if cut or len(left) > _LONGEST:
            yield left[:cut] if cut else left
            left = left[cut:] if cut else b""
    if left:
        yield left + b"\n"
