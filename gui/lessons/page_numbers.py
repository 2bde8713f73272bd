"""The numbers of a lesson's pages over the timeline, each at its step."""

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.base.records import Record
from gui.base.guard import guarded, guarded_filter
from gui.lessons.author import Author
from gui.look import style, theme
from gui.look.ink import face, write, write_centred
from gui.look.style import describe
from gui.timeline.timeline import Timeline

HIGH, PILL, PAD, APART = 22, 16, 5, 3  # pixels: of the row, of a number, inside it, between two


class Numbered(Record, eq=True):
    """Pages whose numbers share a place. x: its middle in pixels"""

    x: float
    wide: float
    pages: tuple[int, ...]

    @property
    def words(self) -> str:
        """'5', '1–3' or '2, 6'."""
        first, last = self.pages[0], self.pages[-1]
        if len(self.pages) > 2 and last - first == len(self.pages) - 1:
            return f"{first + 1}–{last + 1}"
        return ", ".join(str(page + 1) for page in self.pages)


class PageNumbers(QWidget):
    """A number where each page stands; a click goes there, a second click to the next one there."""

    def __init__(self, author: Author, timeline: Timeline) -> None:
        super().__init__()
        self.author, self.timeline = author, timeline
        describe(self, "Numbers of the pages", "Each page at its step: a click goes there")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(style.scale(theme.current(), HIGH))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        timeline.installEventFilter(self)
        author.changed.connect(self.update)
        author.moved.connect(self.update)

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.timeline and event.type() in (QEvent.Type.Paint, QEvent.Type.Resize):
            self.update()  # it may show another span of time
        return super().eventFilter(watched, event)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def numbered(self) -> list[Numbered]:
        """The numbers from left to right; those that would overlap are one."""
        caption = face("caption", 600)
        first, last = self.timeline.span()
        places = sorted(
            (place.shown[0].cursor, page)
            for page in range(len(self.author.drafts))
            if (place := self.author.stand(page)) is not None
        )
        found: list[Numbered] = []
        for step, page in places:
            if not first <= step <= last:
                continue
            made = Numbered(float(self.timeline.x_of(step)), 0.0, (page,))
            while True:
                wide = max(PILL, caption.width(made.words) + 2 * PAD)
                made = Numbered(made.x, wide, made.pages)
                before = found[-1] if found else None
                if before is None or before.x + before.wide / 2 + APART <= made.x - wide / 2:
                    break
                found.pop()
                pages = tuple(sorted((*before.pages, *made.pages)))
                made = Numbered((before.x + made.x) / 2, 0.0, pages)
            found.append(made)
        return found

    def _box(self, each: Numbered) -> QRectF:
        high = style.scale(theme.current(), PILL)
        return QRectF(each.x - each.wide / 2, (self.height() - high) / 2, each.wide, high)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        caption = face("caption", 600)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), look.colour("dock"))
            word = face("caption")
            middle = self.height() / 2
            write(painter, 4, middle, "pages", word, "ink3")
            for each in self.numbered():
                chosen = self.author.at in each.pages
                painter.setPen(QPen(look.colour("sel" if chosen else "strong"), 1))
                painter.setBrush(look.colour("sel" if chosen else "field"))
                box = self._box(each)
                painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
                write_centred(
                    painter, each.x, middle, each.words, caption, "sel_ink" if chosen else "ink"
                )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        for each in self.numbered():
            if self._box(each).adjusted(-2, -3, 2, 3).contains(event.position()):
                here = each.pages.index(self.author.at) if self.author.at in each.pages else -1
                self.author.choose(each.pages[(here + 1) % len(each.pages)])
                return

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.setFixedHeight(style.scale(theme.current(), HIGH))
