"""The shipped fonts (Inter, JetBrains Mono, STIXGeneral; SIL Open Font License) made
known to Qt.
"""

import logging
from pathlib import Path

from PySide6.QtGui import QFontDatabase

from engine.base.place import ASSETS

FOLDER = ASSETS / "fonts"
FILES = (
    "Inter-Regular.otf",
    "Inter-Medium.otf",
    "Inter-SemiBold.otf",
    "Inter-Bold.otf",
    "Inter-ExtraBold.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-Bold.ttf",
    "STIXGeneral-Regular.otf",
    "STIXGeneral-Italic.otf",
    "STIXGeneral-Bold.otf",
    "STIXGeneral-BoldItalic.otf",
)

_log = logging.getLogger(__name__)
_loaded: dict[Path, int] = {}


def load(folder: Path = FOLDER) -> tuple[str, ...]:
    """Register the shipped fonts with the application, once each; returns the names of the files
    that could not be used.

    A missing or broken file is no error: theme.font() names system fonts behind every family.
    """
    return tuple(name for name in FILES if not _register(folder / name))


def _register(path: Path) -> bool:
    if path in _loaded:
        return True
    number = QFontDatabase.addApplicationFont(str(path)) if path.is_file() else -1
    if number < 0:
        _log.warning(
            "Font file %s is missing or broken; a font of the system takes its place.", path.name
        )
        return False
    _loaded[path] = number
    return True
