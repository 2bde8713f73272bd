"""Writes files atomically: a complete temporary file replaces the old one."""

import os
import re
import secrets
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import quoted

_TEMPORARY = re.compile(r"\.learnscope-[0-9a-f]{16}\.tmp")
_GIVEN_UP = 3600.0  # seconds after which a temporary file counts as abandoned


def write_atomic(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write `pieces` to `path`; the old file stays until all of them are on disk.

    Follows links and keeps the permissions of the old file. A device, a pipe or a terminal is
    written to directly, because a file must not replace it. Raises EngineError if the write fails.
    """
    target = Path(path)
    try:
        if _special(target):
            _pour(target, pieces)
            return
        real = Path(os.path.realpath(target))
        temporary = real.parent / f".learnscope-{secrets.token_hex(8)}.tmp"
        try:
            mode = _mode_of(real)
            _write(temporary, pieces, 0o666 if mode is None else mode)
            if mode is not None:
                os.chmod(temporary, mode)  # undo the umask
            os.replace(temporary, real)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        _flush_folder(real.parent)
        _remove_given_up(real.parent)
    except EngineError:
        raise
    except (OSError, ValueError) as refused:  # ValueError: a NUL in the path
        raise EngineError(
            f"{quoted(target.name)} could not be saved{in_folder(target)}: {reason(refused)}."
        ) from None


def in_folder(path: Path) -> str:
    """' in <folder>' for a sentence; '' for a path without a folder."""
    return f" in {path.parent}" if path.parent != Path() else ""


def _special(target: Path) -> bool:
    """Whether the path is something other than a regular file; follows links, even /dev/stdout."""
    try:
        return not stat.S_ISREG(os.stat(target).st_mode)
    except FileNotFoundError:
        return False


def _pour(target: Path, pieces: Iterable[bytes]) -> None:
    with open(target, "wb", buffering=0) as stream:
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[stream.write(view) :]


def reason(refused: Exception) -> str:
    """The operating system's message without its number and full stop."""
    return (getattr(refused, "strerror", None) or str(refused)).rstrip(".")


def _write(temporary: Path, pieces: Iterable[bytes], mode: int) -> None:
    """Write a new file, created with `mode`, so that it is never more readable than the old one."""

    def with_mode(path: str, flags: int) -> int:
        return os.open(path, flags, mode)

    with open(temporary, "xb", opener=with_mode) as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())


def _mode_of(file: Path) -> int | None:
    """The permissions of a file, or None if there is none."""
    try:
        return stat.S_IMODE(file.stat().st_mode)
    except FileNotFoundError:
        return None


def _remove_given_up(folder: Path) -> None:
    """Remove temporary files of programs that were killed while writing."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _GIVEN_UP:
                        os.unlink(entry.path)


def _flush_folder(folder: Path) -> None:
    """Flush the folder, so that the new name reaches the disk; not every system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
