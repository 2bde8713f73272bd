"""Small pictures of the moments of pages, drawn from the runs of the lab."""

from PySide6.QtCore import QObject, QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPixmap

from engine.base.errors import EngineError
from gui.lessons.author import Author
from gui.look import style, theme

SCALE = 0.3  # of the theme's sizes
BETWEEN_MS = 10  # from one picture to the next
SIZE = (58, 38)


class Moments(QObject):
    """The pictures of an author's pages, one made after the other. made: one more is there"""

    made = Signal()

    def __init__(self, author: Author) -> None:
        super().__init__(author)
        self.author = author
        self._known: dict[tuple[object, ...], QPixmap] = {}
        self._next = QTimer(self, singleShot=True, interval=BETWEEN_MS)
        self._next.timeout.connect(self._make)

    def refresh(self) -> None:
        """Make the pictures that are missing, and forget those that no page has."""
        wanted = set(self._keys())
        self._known = {key: each for key, each in self._known.items() if key in wanted}
        if wanted - self._known.keys():
            self._next.start()

    def picture(self, number: int) -> QPixmap | None:
        """The picture of a page; None while it is not made, or where the page stands nowhere."""
        key = self._key(number)
        return None if key is None else self._known.get(key)

    def _keys(self) -> list[tuple[object, ...]]:
        keys = map(self._key, range(len(self.author.drafts)))
        return [key for key in keys if key is not None]

    def _key(self, number: int) -> tuple[object, ...] | None:
        place = self.author.stand(number)
        if place is None:
            return None
        first = place.shown[0]
        return first.trace, first.cursor, theme.current().key

    def _make(self) -> None:
        """Draw one picture, then let the window go on."""
        missing = [key for key in self._keys() if key not in self._known]
        if missing:
            self._known[missing[0]] = self._drawn(missing[0])
            self.made.emit()
        if len(missing) > 1:
            self._next.start()

    def _drawn(self, key: tuple[object, ...]) -> QPixmap:
        from gui.export.shown import Look, Shown

        look = theme.current()
        size = QSize(*(style.scale(look, side) for side in SIZE))
        picture = QPixmap(size)
        picture.fill(look.colour("plane"))
        try:
            shown = Shown(key[0], key[1])  # type: ignore[arg-type]
            name = shown.stage[0].name
            draw = shown.draw(name if name in shown.views else "", Look(look))
        except EngineError:
            return picture
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(SCALE, SCALE)
            draw(painter, QRectF(0, 0, size.width() / SCALE, size.height() / SCALE))
        return picture
