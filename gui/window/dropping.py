"""Files dropped onto the window are opened as from the menu."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QObject, QTimer
from PySide6.QtWidgets import QWidget

from gui.base.guard import guarded_filter


def install(
    window: QWidget, open_path: Callable[[str], object], say: Callable[[str], object]
) -> None:
    """Let `window` accept dropped files; `say` reports what was not opened."""
    window.setAcceptDrops(True)
    window.installEventFilter(_Dropping(window, open_path, say))


def dropped_files(mime: QMimeData) -> list[str]:
    """The paths of the dragged local files; empty for text, pictures and web addresses."""
    return [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]


class _Dropping(QObject):
    """An event filter that opens the first file after the drop has ended: the source program must
    not wait for a dialog.
    """

    def __init__(
        self, window: QWidget, open_path: Callable[[str], object], say: Callable[[str], object]
    ) -> None:
        super().__init__(window)
        self._open_path, self._say = open_path, say

    @guarded_filter
    def eventFilter(self, watched: QObject, event: Any) -> bool:
        if event.type() not in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop):
            return False
        paths = dropped_files(event.mimeData())
        if not paths:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            QTimer.singleShot(0, self, lambda: self._open(paths))
        return True

    def _open(self, paths: list[str]) -> None:
        self._open_path(paths[0])
        if len(paths) > 1:
            self._say(f"Only the first of the {len(paths)} files was opened.")
