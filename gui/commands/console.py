"""Output of commands: lines on stdout, messages on stderr, bytes for another program."""

import argparse
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import NoReturn


def failed(sentence: str) -> int:
    """Print a sentence on stderr; returns 2, the exit code of a command that failed."""
    complain(sentence)
    return 2


def complain(sentence: str) -> None:
    """Print a line on stderr; does nothing where stderr is closed or full."""
    if sys.stderr is None:  # print would use stdout instead
        return
    with suppress(OSError):
        print(printable(sentence), file=sys.stderr)


def say(*lines: str) -> None:
    """Print lines on stdout."""
    for line in lines:
        print(printable(line))


def printable(text: str) -> str:
    """The text with control characters replaced by visible ones (ESC by ␛), except \\n and \\t.

    Names come from files, and a terminal would obey control characters in them.
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
    """The visible sign of a control character: U+2400 and on for the first 32, else U+FFFD."""
    return chr(0x2400 + ord(control)) if ord(control) < 0x20 else "\N{REPLACEMENT CHARACTER}"


class Parser(argparse.ArgumentParser):
    """A parser that replaces control characters in its messages, which repeat what was typed."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        super().exit(status, None if message is None else printable(message))


def write_out(pieces: Iterable[bytes]) -> None:
    """Write bytes to stdout; raises EngineError if it is closed."""
    if sys.stdout is None:
        from engine import EngineError

        raise EngineError("The output could not be written: standard output is closed.")
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
