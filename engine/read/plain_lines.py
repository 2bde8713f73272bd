"""Long texts without a quotation mark: each line is a row, so that lines are counted, and only the
drawn ones become cells.

The text is read twice, in blocks: once to see that every line has as many separators as the first
row, and once for the lines that were drawn. Whatever is not so plain is left to the reader that
goes from row to row.
"""

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from engine.base.arrays import Int
from engine.read.regular import Row

LEAST = 2**20  # bytes of a text that is worth two readings
BLOCK = 2**16  # bytes: the window has its turn between two
HEAD_LINES, _MAX_HEAD = 120, 2**22  # lines, bytes: titles and remarks may stand in them
_LONGEST = 2**17  # bytes of a line
# a byte of a line end or separator is nothing else
_ENCODINGS = ("utf-8", "utf-8-sig", "ascii", "iso8859-1", "cp1252")
_NOT_PLAIN = (b'"', b"\x1a", b"\x00")  # a quotation mark, the end mark of DOS, no text
_BLANKS = b" \t\x0b\x0c\x1c\x1d\x1e\x1f"
Tick = Callable[[], None]


@dataclass(slots=True)
class Plain:
    """A text, and the lines behind its head once they are counted.

    head: its first lines, as bytes; rows: lines behind it that hold a row; gaps: places, among all
    lines behind the head, of those whose cells are all blank; last: place of the last row among
    them
    """

    head: bytes
    encoding: str
    separator: str
    rows: int = 0
    gaps: list[int] = field(default_factory=list)
    last: int = -1

    @property
    def between(self) -> int:
        """How many lines of blank cells stand before the last row."""
        return sum(place < self.last for place in self.gaps)


def plain_text(stream: BinaryIO, encoding: str, separator: str) -> Plain | None:
    """The text, with its head read; None when it is not plain."""
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
    """Count the rows behind the head; False when a line is not plain, or has not `width` cells.

    Raises UnicodeError where the text is of another encoding.
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
    """Whether a line begins with a separator, a blank, or a letter that may be a blank of some
    kind.
    """
    first = text[starts]
    return (first <= ord(" ")) | (first >= 0x80) | (first == ord(separator))


def _gaps(lines: list[str], doubted: Any, separator: str) -> list[int]:
    return [
        k for k in np.flatnonzero(doubted).tolist() if not lines[k].replace(separator, "").strip()
    ]


def rows_at(plain: Plain, stream: BinaryIO, places: Int, tick: Tick) -> Iterator[Row]:
    """The cells, without blanks around them, of the rows at `places`, which rise; the first row
    behind the head has place 0.
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
    """What is behind the head, in blocks of whole lines; a line that is too long comes without its
    end.
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
