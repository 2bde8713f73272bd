"""What a crash must not take: the present document on disk beside the program, found again at the next start."""

import os
import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import EngineError
from engine.files.atomic import reason
from engine.files.document import Document
from engine.files.project import SUFFIX, Project, read_project, save_project
from engine.files.session_lock import SessionLock

_PREFIX = "session-"


@dataclass(frozen=True)
class Leftover:
    """A document that a crashed session left behind, claimed so that no other window offers it too.

    saved: when it was written, in seconds since 1970
    """

    project: Project
    saved: float
    path: Path
    lock: SessionLock

    @property
    def document(self) -> Document:
        return self.project.document

    def release(self) -> None:
        """Neither keep nor remove it: it is offered again at the next start."""
        self.lock.free()

    def discard(self) -> None:
        """Remove it for good."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.lock.free()


class Autosave:
    """One session's safety copy in `folder`. `store` may be called from a worker thread: a document never changes.

    Every session has a file of its own, locked as long as the session lives. A file whose lock is free was left by a
    crash.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.path = self.folder / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self._session = _lock_of(self.path)
        self._stored: tuple[Document, int | None] | None = None
        self._busy = threading.Lock()

    def store(self, document: Document, cursor: int | None = None) -> bool:
        """Write the document unless it is stored already; True when it was written. Raises EngineError."""
        with self._busy:
            if self._stored is not None and self._stored[0] is document and self._stored[1] == cursor:
                return False
            self._begin()
            save_project(document, self.path, cursor)
            self._stored = (document, cursor)
            return True

    def _begin(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._session.take()
        except (OSError, ValueError) as refused:
            raise EngineError(f"No safety copy can be kept in {self.folder}: {reason(refused)}.") from None

    def pending(self) -> Leftover | None:
        """The newest readable document that a crashed session left, or None. It is claimed: decide with `adopt`,
        `discard` or `release`."""
        for path in self._others():
            lock = _lock_of(path)
            with suppress(OSError, EngineError):
                if lock.take() and path.exists():
                    return Leftover(read_project(path), path.stat().st_mtime, path, lock)
            lock.free()
        return None

    def _others(self) -> list[Path]:
        """The files of other sessions, newest first."""
        with suppress(OSError):
            found = [path for path in self.folder.glob(f"{_PREFIX}*{SUFFIX}") if path != self.path]
            return sorted(found, key=_changed, reverse=True)
        return []

    def adopt(self, leftover: Leftover) -> Document:
        """Take a left document over into this session; it is on the disk all the while."""
        self.store(leftover.document, leftover.project.cursor)
        leftover.discard()
        return leftover.document

    def clear(self) -> None:
        """Remove this session's copy: on a clean exit, when everything is kept elsewhere or was given up."""
        with self._busy:
            self._stored = None
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            self._session.free()


def _lock_of(path: Path) -> SessionLock:
    return SessionLock(path.with_suffix(".lock"))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
