"""Guesses the encoding of a text file and detects files that end inside a character."""

import codecs
import re
from collections.abc import Callable
from typing import BinaryIO

from engine.base.errors import EngineError

END_MARK = "\x1a"  # Ctrl-Z, the end mark of DOS texts
CUT = (
    "The file ends in the middle of a letter, which is left out: it may be half-written. Check its"
    " last row."
)
HALF_LETTER = "learnscope.half_letter"  # the name of the codec error handler below
_PROBE = 2**20
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# the beginning of an incomplete UTF-8 character
_BEGUN = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")


def guess(name: str, opener: Callable[[], BinaryIO], head: bytes) -> tuple[str, tuple[str, ...]]:
    """(encoding, sentences about it) of a file that begins with `head`.

    Raises EngineError for a file that is no text.
    """
    encoding = by_signs(name, head)
    if encoding not in ("utf-8", "utf-8-sig"):
        return encoding, ()
    with opener() as stream:
        block = stream.read(_PROBE)
    if _is_text(block, encoding):
        return encoding, ()
    # in a file of plain ASCII a lone high byte at the end is a Windows accent, not half a UTF-8
    # character
    whole = block[: _half(block)]
    if whole != block and not whole.isascii() and _is_text(whole, encoding):
        return encoding, ()
    encoding = "cp1252" if _is_text(block, "cp1252") else "latin-1"
    what = "Windows-1252" if encoding == "cp1252" else "Latin-1"
    return encoding, (f"The file is not UTF-8; it is read as {what}. Check the accents.",)


def by_signs(name: str, head: bytes) -> str:
    """utf-8-sig, utf-16, utf-16-le, utf-16-be or utf-8, by byte order mark and zero bytes.

    Raises EngineError for UTF-32 and for binary files.
    """
    # before UTF-16, whose mark is a prefix of this one
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise EngineError(
            f"{name} is in UTF-32, which is not supported; save it as UTF-8, then open that."
        )
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if even + odd > len(head) * 0.3 and (min(even, odd) <= len(head) * 0.02):
        return "utf-16-le" if odd > even else "utf-16-be"
    controls = len(_CONTROLS.findall(head.rstrip(END_MARK.encode())))
    if b"\x00" in head or controls > len(head) * 0.01:
        raise EngineError(
            f"{name} is not a text table; it looks binary. Open a CSV, TSV, Excel, OpenDocument,"
            " ARFF, LIBSVM, JSON or Parquet file."
        )
    return "utf-8"


def _is_text(block: bytes, encoding: str) -> bool:
    """Whether the first megabyte of a file decodes; a character may continue after it."""
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(block, final=len(block) < _PROBE)
    except UnicodeError:
        return False
    return True


def _half(block: bytes) -> int:
    """Where an incomplete UTF-8 character at the end begins; the length of `block` if there is
    none.
    """
    found = _BEGUN.search(block, max(0, len(block) - 3))
    return found.start() if found else len(block)


def ends_in_a_letter(opener: Callable[[], BinaryIO], size: int, encoding: str) -> bool:
    """Whether a UTF-8 or UTF-16 text of `size` bytes ends inside a character."""
    known = codecs.lookup(encoding).name
    if known.startswith("utf-16"):
        return size % 2 == 1
    if known not in ("utf-8", "utf-8-sig"):
        return False
    with opener() as stream:
        stream.seek(max(0, size - 3))
        tail = stream.read(3)
    return _half(tail) < len(tail)


def _left_out(fault: UnicodeError) -> tuple[str, int]:
    """A codec error handler that drops an incomplete character at the end and raises other
    faults.
    """
    if isinstance(fault, UnicodeDecodeError) and fault.reason in (
        "unexpected end of data",
        "truncated data",
    ):
        return "", fault.end
    raise fault


codecs.register_error(HALF_LETTER, _left_out)
