"""The program's own line icons (assets/icons), coloured by the theme when loaded, sharp on every
screen.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from engine.base.place import ASSETS
from gui.look import theme

FOLDER = ASSETS / "icons"
SAME = {"data": "table", "method": "search", "leave": "close"}  # one picture, two names

# sizes: tool strip and transport 24, menu row 20, chips, menus and buttons 16 (GAP
# before their text)
TOOL, USUAL, SMALL, GAP = 24, 20, 16, 3
# opacity of a disabled icon: in the grey of disabled text its lines would look enabled
FAINT = 0.6


def names() -> tuple[str, ...]:
    """All icon names, in alphabetical order."""
    return tuple(sorted({*(path.stem for path in FOLDER.glob("*.svg")), *SAME}))


def icon(name: str, token: str = "ink2", size: int = 20, gap: int = 0) -> QIcon:
    """The icon in the colour of a theme token; sel_ink when checked or selected, faint ink3 when
    disabled. Cached.
    """
    look = theme.current()
    return _icon(
        name, *(look.colour(t).name() for t in (token, "sel_ink", "ink3")), size, gap, _scales()
    )


def pixmap(name: str, token: str = "ink2", size: int = 20, scale: float = 1.0) -> QPixmap:
    """A pixmap of `size` logical pixels to paint by hand; `scale` is the device's pixel ratio."""
    return _picture(name, theme.current().colour(token).name(), size, scale)


def put(target: QObject, name: str, token: str = "ink2", size: int = 20, gap: int = 0) -> None:
    """Give a button or action an icon that follows the theme's colours and type size.

    `size` is that of the light theme; `gap` pixels are left free on the right, before the button's
    text. The same icon again changes nothing, so nothing is repainted.
    """
    known = _bound.get(target)
    if not (isinstance(known, partial) and known.args == (name, token, size, gap)):
        bind(target, partial(_grown, name, token, size, gap))


def bind(target: QObject, make: Callable[[], QIcon]) -> None:
    """Give a button or action an icon that `make()` draws, now and after every change of theme."""
    _bound[target] = make
    _dress(target, _wanted())


def refresh() -> None:
    """Redraw every icon given with put() or bind() for the current theme."""
    wanted = _wanted()
    for target in list(_bound):
        if _worn.get(target) != wanted and shiboken6.isValid(target):
            _dress(target, wanted)


def svg(name: str, colour: str) -> bytes:
    """The SVG source of an icon in this colour."""
    text = (FOLDER / f"{SAME.get(name, name)}.svg").read_text("utf-8")
    return text.replace("currentColor", colour).encode()


Wanted = tuple[tuple[str, int], tuple[float, ...]]
_bound: WeakKeyDictionary[QObject, Callable[[], QIcon]] = WeakKeyDictionary()
_worn: WeakKeyDictionary[QObject, Wanted] = WeakKeyDictionary()  # what each icon was drawn for


def _wanted() -> Wanted:
    """The current theme and screens, for which icons are drawn."""
    return theme.current().key, _scales()


def _dress(target: QObject, wanted: Wanted) -> None:
    _worn[target] = wanted
    drawn = _bound[target]()
    target.setIcon(drawn)  # type: ignore[attr-defined] # an action or a button
    if isinstance(target, QAbstractButton) and (sizes := drawn.availableSizes()):
        target.setIconSize(sizes[0])


def _grown(name: str, token: str, size: int, gap: int) -> QIcon:
    look = theme.current()
    grown, free = (
        round(v * look.line_height("body") / theme.LIGHT.line_height("body")) for v in (size, gap)
    )
    return icon(name, token, grown, free)


def _scales() -> tuple[float, ...]:
    """The pixel ratios of all screens, so that no pixmap is ever scaled."""
    return tuple(
        sorted({1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())})
    )


@lru_cache(maxsize=1024)
def _icon(
    name: str, plain: str, chosen: str, off: str, size: int, gap: int, scales: tuple[float, ...]
) -> QIcon:
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
            strength = FAINT if mode == QIcon.Mode.Disabled else 1.0
            result.addPixmap(_picture(name, colour, size, scale, gap, strength), mode, state)
    return result


@lru_cache(maxsize=1024)
def _picture(
    name: str, colour: str, size: int, scale: float, gap: int = 0, strength: float = 1.0
) -> QPixmap:
    """The icon as a pixmap in one colour.

    Its shape is rendered once for all colours.
    """
    picture = QPixmap(_shape(name, size, scale, gap))
    with QPainter(picture) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        ink = QColor(colour)
        ink.setAlphaF(strength)
        painter.fillRect(picture.rect(), ink)
    picture.setDevicePixelRatio(scale)
    return picture


@lru_cache(maxsize=1024)
def _shape(name: str, size: int, scale: float, gap: int) -> QPixmap:
    shape = QPixmap(round((size + gap) * scale), round(size * scale))
    shape.fill(Qt.GlobalColor.transparent)
    with QPainter(shape) as painter:
        QSvgRenderer(QByteArray(svg(name, "#000000"))).render(
            painter, QRectF(0, 0, size * scale, size * scale)
        )
    return shape
