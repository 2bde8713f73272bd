"""The program's own line icons (assets/icons), coloured by the theme when loaded, sharp at every screen scale."""

from functools import lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gui import theme

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "icons"
SAME = {"data": "table", "method": "search", "leave": "close"}  # one picture, two names

# what the mock-ups use: tool strip 24, side strips of the projector theme 28, chips, menus and buttons 16
TOOL, STRIP, SMALL = 24, 28, 16


def names() -> tuple[str, ...]:
    """All icon names, in alphabetical order."""
    return tuple(sorted({*(path.stem for path in FOLDER.glob("*.svg")), *SAME}))


def icon(name: str, token: str = "ink2", size: int = 20) -> QIcon:
    """The icon in the colour of a theme token; checked or selected in sel_ink, disabled in ink3. Cached per theme."""
    look = theme.current()
    return _icon(name, *(look.colour(t).name() for t in (token, "sel_ink", "ink3")), size, _scales())


def pixmap(name: str, token: str = "ink2", size: int = 20, scale: float = 1.0) -> QPixmap:
    """One picture of `size` logical pixels for painting by hand; `scale` is the device's pixel ratio."""
    return _picture(name, theme.current().colour(token).name(), size, scale)


def put(target: QObject, name: str, token: str = "ink2", size: int = 20) -> None:
    """Give a button or action an icon that follows the theme: style.apply() colours it anew."""
    _bound[target] = (name, token, size)
    _dress(target)


def refresh() -> None:
    """Colour every icon given with put() for the theme in force."""
    for target in list(_bound):
        if shiboken6.isValid(target):
            _dress(target)


def svg(name: str, colour: str) -> bytes:
    """The source of an icon with its colour put in."""
    text = (FOLDER / f"{SAME.get(name, name)}.svg").read_text("utf-8")
    return text.replace("currentColor", colour).encode()


_bound: WeakKeyDictionary[QObject, tuple[str, str, int]] = WeakKeyDictionary()


def _dress(target: QObject) -> None:
    target.setIcon(icon(*_bound[target]))


def _scales() -> tuple[float, ...]:
    """The pixel ratios of the screens there are, so that no picture is ever scaled."""
    return tuple(sorted({1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}))


@lru_cache(maxsize=1024)
def _icon(name: str, plain: str, chosen: str, off: str, size: int, scales: tuple[float, ...]) -> QIcon:
    result = QIcon()
    for scale in scales:
        for mode, state, colour in (
            (QIcon.Mode.Normal, QIcon.State.Off, plain),
            (QIcon.Mode.Normal, QIcon.State.On, chosen),
            (QIcon.Mode.Selected, QIcon.State.Off, chosen),
            (QIcon.Mode.Selected, QIcon.State.On, chosen),
            (QIcon.Mode.Disabled, QIcon.State.Off, off),
            (QIcon.Mode.Disabled, QIcon.State.On, off),
        ):
            result.addPixmap(_picture(name, colour, size, scale), mode, state)
    return result


@lru_cache(maxsize=1024)
def _picture(name: str, colour: str, size: int, scale: float) -> QPixmap:
    picture = QPixmap(round(size * scale), round(size * scale))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(svg(name, colour))).render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(scale)
    return picture
