"""Which letters the bytes of a text file stand for, and whether the file breaks off inside one."""

import codecs
import re
from collections.abc import Callable
from typing import BinaryIO

from engine.base.errors import EngineError

END_MARK = "\x1a"  # Ctrl-Z, with which DOS programs end a text
CUT = (
    "The file ends in the middle of a letter, which is left out: it may be half-written. Check its"
    " last row."
)
HALF_LETTER = "learnscope.half_letter"  # how decoders are told to leave out such an end
_PROBE = 2**20
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# of a letter in UTF-8
_BEGUN = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")


def guess(name: str, opener: Callable[[], BinaryIO], head: bytes) -> tuple[str, tuple[str, ...]]:
    """(the encoding of a file that begins with `head`, sentences about it); raises EngineError for
    what is no text.
    """
    encoding = by_signs(name, head)
    if encoding not in ("utf-8", "utf-8-sig"):
        return encoding, ()
    with opener() as stream:
        block = stream.read(_PROBE)
    if _is_text(block, encoding):
        return encoding, ()
    # a lone accent at the end of a file without any other is one letter of Windows rather than half
    # a letter of UTF-8
    whole = block[: _half(block)]
    if whole != block and not whole.isascii() and _is_text(whole, encoding):
        return encoding, ()
    encoding = "cp1252" if _is_text(block, "cp1252") else "latin-1"
    what = "Windows-1252" if encoding == "cp1252" else "Latin-1"
    return encoding, (f"The file is not UTF-8; it is read as {what}. Check the accents.",)


def by_signs(name: str, head: bytes) -> str:
    """utf-8-sig, utf-16 or utf-8; raises EngineError for what is no text at all."""
    # before UTF-16, whose mark begins alike
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
    """Whether the first megabyte of a file is text in that encoding; a letter may go on
    behind it.
    """
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(block, final=len(block) < _PROBE)
    except UnicodeError:
        return False
    return True


def _half(block: bytes) -> int:
    """Where the begun letter of UTF-8 stands with which the bytes end; their length when they end
    with a whole one.
    """
    found = _BEGUN.search(block, max(0, len(block) - 3))
    return found.start() if found else len(block)


def ends_in_a_letter(opener: Callable[[], BinaryIO], size: int, encoding: str) -> bool:
    """Whether a file of `size` bytes, a text in UTF-8 or UTF-16, ends in the middle of a letter."""
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
    """For decoders: nothing in the place of half a letter at the end; any other fault stays one."""
    if isinstance(fault, UnicodeDecodeError) and fault.reason in (
        "unexpected end of data",
        "truncated data",
    ):
        return "", fault.end
    raise fault


codecs.register_error(HALF_LETTER, _left_out)
