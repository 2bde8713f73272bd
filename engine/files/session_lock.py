"""A lock that the operating system frees when its process ends, even by a crash. It tells a crash
from a second window.
"""

import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import IO


class SessionLock:
    """A lock file that one process at a time can hold.

    On a disk without locks the process id in the file decides.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Try to take the lock; False if a running process holds it. Raises OSError."""
        if self._file is not None:
            return True
        file = open(self.path, "a+b", buffering=0)  # noqa: SIM115 - held open; unbuffered, so that close() does not retry a write to a full disk
        try:
            free = _lock(file)
        except OSError:
            free = not _owner_alive(self.path)
        if not free or not _still_there(file, self.path):
            file.close()
            return False
        with suppress(OSError):
            file.truncate(0)
            file.write(
                json.dumps({"process": os.getpid(), "computer": socket.gethostname()}).encode()
            )
        self._file = file
        return True

    def free(self) -> None:
        """Release the lock and remove its file."""
        if self._file is None:
            return
        with suppress(OSError):  # Windows cannot remove an open file
            self.path.unlink(missing_ok=True)
        self._file.close()
        self._file = None
        if os.name == "nt":
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


def _still_there(file: IO[bytes], path: Path) -> bool:
    """Whether the file still exists: its last holder may have removed it before it was locked
    here.
    """
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _lock(file: IO[bytes]) -> bool:
    """Lock the open file; False if it is locked already.

    Raises OSError on a disk without locks.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        return _lock_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_windows(file: IO[bytes]) -> bool:
    """Lock a byte far behind the end, so that the text before it stays readable."""
    import msvcrt

    try:
        file.seek(2**30)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except PermissionError:
        return False
    return True


def _owner_alive(path: Path) -> bool:
    """Whether the process named in the lock runs; on another computer it counts as running."""
    try:
        owner = json.loads(path.read_bytes())
        if owner["computer"] != socket.gethostname():
            return True
        os.kill(int(owner["process"]), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return False
    return True
