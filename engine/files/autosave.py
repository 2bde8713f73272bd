"""Keeps documents on disk through a crash, or a window closed without saving, and finds them
again.
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
from engine.protocol.step import Level

if TYPE_CHECKING:
    from engine.files.project import Project

_PREFIX, _SHELF = "session-", "kept-"
KEPT = 10  # the most documents on the shelf; the oldest are deleted
_LETTERS = 60


class Leftover(Record, eq=True):
    """A document that an ended session left; its lock keeps other windows from offering it too.

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
        """Leave it to be offered again at the next start."""
        self.lock.free()

    def discard(self) -> None:
        """Delete the document."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.lock.free()

    def shelve(self) -> None:
        """Move it to the shelf, see `Autosave.shelf`; it is not offered again."""
        with suppress(OSError):
            self.path.rename(_place(self.path.parent, self.document.data.name))
            _thin_out(self.path.parent)
        self.lock.free()


class Kept(Record, eq=True):
    """A document on the shelf.

    name: of its data
    saved: when it was written, in seconds since 1970
    """

    path: Path
    name: str
    saved: float


class Autosave:
    """The safety copy of one session in `folder`.

    Documents are immutable, so a worker thread may call `store`.

    Each session has its own file, locked while the session lives. A file with a free lock was left
    by a crash or by a session that ended with unsaved work. It is offered once and then moved to
    the shelf.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.path = self.folder / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self._session = _lock_of(self.path)
        self._stored: tuple[Document, int | None, Level] | None = None
        self._busy = threading.Lock()

    def store(
        self, document: Document, cursor: int | None = None, level: Level = Level.STEP
    ) -> bool:
        """Write the document unless it is already stored; True if it was written.

        cursor, level: see `engine.files.project.Project`

        Raises EngineError.
        """
        from engine.files.project import save_project

        with self._busy:
            if (
                self._stored is not None
                and self._stored[0] is document
                and self._stored[1:] == (cursor, level)
            ):
                return False
            self._begin()
            save_project(document, self.path, cursor, level)
            self._stored = (document, cursor, level)
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

        It is locked: call `adopt`, or its `discard`, `shelve` or `release`.
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
        """Take a leftover over into this session; it stays on disk throughout. Raises
        EngineError.
        """
        self.store(leftover.document, leftover.project.cursor, leftover.project.level)
        leftover.discard()
        return leftover.document

    def keep(self) -> None:
        """End the session with unsaved work: its copy stays and is offered at the next start."""
        with self._busy:
            self._stored = None
            self._session.free()

    # -- the shelf ---------------------------------------------------------------------------------

    def shelf(self) -> list[Kept]:
        """The documents on the shelf, newest first: never saved and not offered any more."""
        return [
            Kept(path, unquote(path.stem.removeprefix(_SHELF).rpartition("-")[0]), _changed(path))
            for path in _shelved(self.folder)
        ]

    def shelve(
        self, document: Document, cursor: int | None = None, level: Level = Level.STEP
    ) -> None:
        """Put a document that is about to be replaced on the shelf.

        cursor, level: see `engine.files.project.Project`

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

            save_project(document, place, cursor, level)
        _thin_out(self.folder)

    def take(self, kept: Kept) -> "Project":
        """Move a document from the shelf into this session; it stays on disk throughout.

        Raises EngineError.
        """
        from engine.files.project import read_project

        project = read_project(kept.path)
        self.store(project.document, project.cursor, project.level)
        with suppress(OSError):
            kept.path.unlink(missing_ok=True)
        return project

    def clear_shelf(self) -> None:
        """Delete all documents on the shelf."""
        for path in _shelved(self.folder):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Delete this session's copy on a clean exit, when its work is saved or discarded."""
        with self._busy:
            self._stored = None
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            self._session.free()


def _lock_of(path: Path) -> SessionLock:
    return SessionLock(path.with_suffix(".lock"))


def _place(folder: Path, name: str) -> Path:
    """A new file name on the shelf, which holds the document's name so that lists need not read
    it.
    """
    return folder / f"{_SHELF}{quote(name[:_LETTERS], safe=' ')}-{secrets.token_hex(4)}{SUFFIX}"


def _copied(path: Path, place: Path) -> bool:
    """Copy the stored file, which spares writing a large table again; False if that fails."""
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
