"""The size of the type: a step that follows the window's size, and what a person adds with Ctrl +
and −.
"""

import json
from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, QSize, Qt, QTimer
from PySide6.QtWidgets import QWidget

from gui.base import remembered
from gui.look import sizes, theme

STILL = 120  # milliseconds after the last resize at which the type follows


class TypeSize(QObject):
    """Holds the type step. restyle: applies the current theme again with the type of `step()`"""

    def __init__(self, window: QWidget, settings: QSettings, restyle: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._settings, self._restyle = window, settings, restyle
        self.zoomed = remembered.numbers(settings, "type").get("zoom", 0)
        self._still = QTimer(self, singleShot=True, interval=STILL)
        self._still.timeout.connect(self._follow)

    def step(self, name: str) -> int:
        """The step of the type for theme `name`."""
        return self._rule(name, self.zoomed)

    def _rule(self, name: str, zoomed: int) -> int:
        width, height = self._size().toTuple()
        return (sizes.projector_step if name == "projector" else sizes.type_step)(
            width, height, zoomed
        )

    def _size(self) -> QSize:
        """The size of the window; of its screen where it is about to fill that."""
        window = self._window
        whole = window.windowState() & (
            Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen
        )
        return (
            window.screen().availableSize() if whole and not window.isVisible() else window.size()
        )

    def zoom(self, steps: int) -> None:
        """Make the type some steps larger or smaller; 0: as the window suggests.

        Remembered between starts.
        """
        least = -self._rule(theme.current().name, 0)
        self.zoomed = max(least, min(self.zoomed + steps, sizes.MOST_ZOOM)) if steps else 0
        self._settings.setValue("type", json.dumps({"zoom": self.zoomed}))
        self._follow()

    def window_resized(self) -> None:
        """Adapt the type to the window's size once its edge is released; new type restyles
        everything.
        """
        if self._window.isVisible():
            self._still.start()
        else:
            self._follow()

    def _follow(self) -> None:
        look = theme.current()
        if look.step != self.step(look.name):
            self._restyle()
