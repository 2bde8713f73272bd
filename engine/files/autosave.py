"""What a crash, or a window closed without saving, must not take: documents on disk beside the
program, found again.
"""

import os
import secrets
import shutil
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.document.document import Document
from engine.files import SUFFIX
from engine.files.atomic import reason
from engine.files.session_lock import SessionLock

if TYPE_CHECKING:
    from engine.files.project import Project

_PREFIX, _SHELF = "session-", "kept-"
KEPT = 10  # documents on the shelf; older ones go
_LETTERS = 60


class Leftover(Record, eq=True):
    """A document that an ended session left behind, claimed so that no other window offers it too.

    saved: when it was written, in seconds since 1970
    """

    project: "Project"
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

    def shelve(self) -> None:
        """Offer it no more, but keep it on the shelf, see `Autosave.shelf`."""
        with suppress(OSError):
            self.path.rename(_place(self.path.parent, self.document.data.name))
            _thin_out(self.path.parent)
        self.lock.free()


class Kept(Record, eq=True):
    """A document on the shelf. name: of its data; saved: when it was written, in
    seconds since 1970
    """

    path: Path
    name: str
    saved: float


class Autosave:
    """One session's safety copy in `folder`.

    `store` may be called from a worker thread: a document never changes.

    Every session has a file of its own, locked as long as the session lives. A file whose lock is
    free was left by a crash, or by a session that ended with work in no other file; it is offered
    once and then lies on the shelf.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.path = self.folder / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self._session = _lock_of(self.path)
        self._stored: tuple[Document, int | None] | None = None
        self._busy = threading.Lock()

    def store(self, document: Document, cursor: int | None = None) -> bool:
        """Write the document unless it is stored already; True when it was written.

        Raises EngineError.
        """
        from engine.files.project import save_project

        with self._busy:
            if (
                self._stored is not None
                and self._stored[0] is document
                and self._stored[1] == cursor
            ):
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
            raise EngineError(
                f"No safety copy can be kept in {self.folder}: {reason(refused)}."
            ) from None

    def pending(self) -> Leftover | None:
        """The newest readable document that an ended session left, or None.

        It is claimed: decide with `adopt`, `discard`, `shelve` or `release`.
        """
        for path in self._others():
            lock = _lock_of(path)
            with suppress(OSError, EngineError):
                if lock.take() and path.exists():
                    from engine.files.project import read_project

                    return Leftover(read_project(path), path.stat().st_mtime, path, lock)
            lock.free()
        return None

    def _others(self) -> list[Path]:
        """The files of other sessions, newest first."""
        with suppress(OSError, ValueError):
            found = [path for path in self.folder.glob(f"{_PREFIX}*{SUFFIX}") if path != self.path]
            return sorted(found, key=_changed, reverse=True)
        return []

    def adopt(self, leftover: Leftover) -> Document:
        """Take a left document over into this session; it is on the disk all the while."""
        self.store(leftover.document, leftover.project.cursor)
        leftover.discard()
        return leftover.document

    def keep(self) -> None:
        """The session ends with work that is in no other file: its copy stays and is offered at the
        next start.
        """
        with self._busy:
            self._stored = None
            self._session.free()

    # -- the shelf ---------------------------------------------------------------------------------

    def shelf(self) -> list[Kept]:
        """Documents that were never saved and are offered no more, newest first."""
        return [
            Kept(path, unquote(path.stem.removeprefix(_SHELF).rpartition("-")[0]), _changed(path))
            for path in _shelved(self.folder)
        ]

    def shelve(self, document: Document, cursor: int | None = None) -> None:
        """Put a document on the shelf that is about to give place to another.

        Raises EngineError.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except (OSError, ValueError) as refused:
            raise EngineError(
                f"No safety copy can be kept in {self.folder}: {reason(refused)}."
            ) from None
        place = _place(self.folder, document.data.name)
        with self._busy:
            copied = (
                self._stored is not None
                and self._stored[0] is document
                and _copied(self.path, place)
            )
        if not copied:
            from engine.files.project import save_project

            save_project(document, place, cursor)
        _thin_out(self.folder)

    def take(self, kept: Kept) -> "Project":
        """A document from the shelf becomes this session's own; it is on the disk all the while.

        Raises EngineError.
        """
        from engine.files.project import read_project

        project = read_project(kept.path)
        self.store(project.document, project.cursor)
        with suppress(OSError):
            kept.path.unlink(missing_ok=True)
        return project

    def clear_shelf(self) -> None:
        """Remove everything on the shelf for good."""
        for path in _shelved(self.folder):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove this session's copy: on a clean exit, when everything is kept elsewhere or was
        given up.
        """
        with self._busy:
            self._stored = None
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            self._session.free()


def _lock_of(path: Path) -> SessionLock:
    return SessionLock(path.with_suffix(".lock"))


def _place(folder: Path, name: str) -> Path:
    """A new file on the shelf; its name tells what is in it without reading it."""
    return folder / f"{_SHELF}{quote(name[:_LETTERS], safe=' ')}-{secrets.token_hex(4)}{SUFFIX}"


def _copied(path: Path, place: Path) -> bool:
    """A large table is copied faster than it is written anew."""
    try:
        shutil.copyfile(path, place)
    except OSError:
        return False
    return True


def _shelved(folder: Path) -> list[Path]:
    with suppress(OSError, ValueError):
        return sorted(folder.glob(f"{_SHELF}*{SUFFIX}"), key=_changed, reverse=True)
    return []


def _thin_out(folder: Path) -> None:
    for path in _shelved(folder)[KEPT:]:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
