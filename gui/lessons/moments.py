"""Small pictures of the moments of pages, drawn from the runs of the lab."""

from PySide6.QtCore import QObject, QSize, QSizeF, QTimer, Signal
from PySide6.QtGui import QPainter, QPixmap

from engine.judge.conditions import Moment
from gui.dialogs.job import Job
from gui.lessons.author import Author
from gui.lessons.thumbnails import Drawn, Ready, ready
from gui.look import style, theme
from gui.look.theme import Theme

SCALE = 0.3  # of the theme's sizes
BETWEEN_MS = 10  # from one picture to the next
SIZE = (58, 38)
Key = tuple[object, int, tuple[str, int]]  # the run, its step, the theme


class Moments(QObject):
    """The pictures of an author's pages, one made after the other. made: one more is there"""

    made = Signal()

    def __init__(self, author: Author) -> None:
        super().__init__(author)
        self.author = author
        self._known: dict[Key, QPixmap] = {}
        self._now: Key | None = None
        self._job = Job("This moment could not be drawn.")
        self._job.done.connect(self._on_done)
        self._next = QTimer(self, singleShot=True, interval=BETWEEN_MS)
        self._next.timeout.connect(self._begin)

    def refresh(self) -> None:
        """Make the pictures that are missing, and forget those that no page has."""
        wanted = set(map(_key, self._moments()))
        self._known = {key: each for key, each in self._known.items() if key in wanted}
        if wanted - self._known.keys() and not self._job.busy:
            self._next.start()

    def stop(self) -> None:
        self._next.stop()
        self._job.cancel()

    def picture(self, number: int) -> QPixmap | None:
        """The picture of a page; None while it is not made, or where the page stands nowhere."""
        place = self.author.stand(number)
        return None if place is None else self._known.get(_key(place.shown[0]))

    def _moments(self) -> list[Moment]:
        places = map(self.author.stand, range(len(self.author.drafts)))
        return [place.shown[0] for place in places if place is not None]

    def _begin(self) -> None:
        """Compute the next picture in the background."""
        missing = [each for each in self._moments() if _key(each) not in self._known]
        if not missing or self._job.busy:
            return
        moment, look = missing[0], theme.current()
        self._now = _key(moment)
        self._job.start(lambda tick: _computed(moment, look))

    def _on_done(self, found: object) -> None:
        """Paint it, then let the window go on."""
        size = QSize(*(style.scale(theme.current(), side) for side in SIZE))
        picture = QPixmap(size)
        picture.fill(theme.current().colour("plane"))
        if isinstance(found, Ready):
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.scale(SCALE, SCALE)
                found.draw(painter, found.area)
        if self._now is not None and self._now[2] == theme.current().key:
            self._known[self._now] = picture
            self.made.emit()
        self._next.start()


def _key(moment: Moment) -> Key:
    return moment.trace, moment.cursor, theme.current().key


def _computed(moment: Moment, look: Theme) -> Ready:
    from gui.export.shown import Shown

    size = QSizeF(*(style.scale(look, side) / SCALE for side in SIZE))
    shown = Shown(moment.trace, moment.cursor)
    name = shown.stage[0].name
    return ready(Drawn(shown, name if name in shown.views else ""), size, look)
