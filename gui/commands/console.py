"""What a command says: lines on stdout, sentences on stderr, bytes for the next program."""

import argparse
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import NoReturn


def failed(sentence: str) -> int:
    tell(sentence)
    return 2


def tell(sentence: str) -> None:
    """A line on stderr; where it is closed or full nobody can be told."""
    if sys.stderr is None:  # print would take stdout
        return
    with suppress(OSError):
        print(printable(sentence), file=sys.stderr)


def say(*lines: str) -> None:
    """Lines on stdout."""
    for line in lines:
        print(printable(line))


def printable(text: str) -> str:
    """The text without control characters, which a terminal would obey: names come from files.

    ESC becomes ␛.
    """
    return "".join(
        (
            _picture(letter)
            if unicodedata.category(letter) == "Cc" and letter not in "\n\t"
            else letter
        )
        for letter in text
    )


def _picture(control: str) -> str:
    """Of a control character, from Unicode's own block for the first 32."""
    return chr(0x2400 + ord(control)) if ord(control) < 0x20 else "\N{REPLACEMENT CHARACTER}"


class Parser(argparse.ArgumentParser):
    """Its errors repeat what was typed, so they lose control characters like every other line."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        super().exit(status, None if message is None else printable(message))


def write_out(pieces: Iterable[bytes]) -> None:
    """Bytes to the terminal or the next program; raises EngineError when there is neither."""
    if sys.stdout is None:
        from engine import EngineError

        raise EngineError("The output could not be written: standard output is closed.")
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
