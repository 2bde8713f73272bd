"""The dialog “Books and topics”: what the texts show and the lab can open.

By text in the text’s order, or by topic for those without a book; a click or Enter opens one.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.files.books import (
    TEXTS,
    NamedOnly,
    Place,
    Shown,
    by_topic,
    in_my_book,
    in_text,
    named_only,
    remark,
    title_of,
)
from engine.files.openings import Opening, entry_of
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.dialogs.which_method import WhichMethod
from gui.look import style, theme
from gui.look.style import describe
from gui.session.session import Session
from gui.setup.picker import PAGES
from gui.setup.picker_field import LEFT_MIDDLE, TO_NOTE, paint_line
from gui.setup.ranking import rank
from gui.widgets.controls import ElidedLabel, SearchField, Segments, label

# roles of a place: its name; of an opening: its step, (place, opening)
NAME, NOTE, WAY = (Qt.ItemDataRole.UserRole + k for k in range(3))
# pixels at the usual size of type; margin to the window
WIDE, HIGH, EDGE = 960, 660, QSize(24, 40)
REMARK_LINES = 2
SECTION, FIGURE, OPENING, INSET = 32, 25, 23, 22  # heights of lines; indent of an opening


class Line(QStyledItemDelegate):
    """Paints a line: a place, larger if it is a section, or an indented opening."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        look = theme.current()
        rect = option.rect
        title = index.data(Qt.ItemDataRole.DisplayRole)
        if index.data(WAY) is None:
            self._paint_place(painter, rect.adjusted(8, 4, -8, 0), index.data(NAME), title)
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.fillRect(rect, look.colour("sel" if chosen else "hover" if over else "field"))
        inks = ("sel_ink", "sel_ink") if chosen else ("ink", "ink3")
        rect = rect.adjusted(style.scale(look, INSET), 0, -8, 0)
        paint_line(painter, rect, title, index.data(NOTE), inks, 400)

    def _paint_place(
        self, painter: QPainter, rect: QRect, name: tuple[str, bool], title: str
    ) -> None:
        look = theme.current()
        words, section = name
        kind = "body" if section else "caption"
        painter.setPen(look.colour("ink" if section else "ink2"))
        painter.setFont(look.font(kind, weight=600))
        painter.drawText(rect, LEFT_MIDDLE, words)
        rect = rect.adjusted(painter.fontMetrics().horizontalAdvance(words) + TO_NOTE, 0, 0, 0)
        painter.setFont(look.font(kind))
        elided = painter.fontMetrics().elidedText(
            title, Qt.TextElideMode.ElideRight, max(0, rect.width())
        )
        painter.drawText(rect, LEFT_MIDDLE, elided)

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        place = index.data(NAME)
        return QSize(
            100,
            style.scale(
                theme.current(), OPENING if place is None else SECTION if place[1] else FIGURE
            ),
        )


TOPICS = "Topics"
Show = Callable[[Place, Opening], object]


def browse(parent: QWidget, session: Session, show: Show) -> "InMyBook":
    """The dialog of this window; made at the first call, later the same one."""
    return next(iter(parent.findChildren(InMyBook)), None) or InMyBook(parent, session, show)


class InMyBook(QDialog):
    """Lists places and their openings; closes when one is opened, and keeps its place.

    show: opens it in the window
    """

    def __init__(self, parent: QWidget, session: Session, show: Show) -> None:
        super().__init__(parent)
        self.setWindowTitle("Books and topics")
        self.session, self._show = session, show
        self.search = SearchField("Search sections, figures, exercises")
        self.texts = Segments([*TEXTS, TOPICS], accessible="Text, or by topic")
        self.whole = ElidedLabel(kind="caption")
        self.remark = label("", "caption")  # of the marked opening
        self.list, self.model = QListView(), QStandardItemModel(self)
        self._taken: tuple[Place, Opening] | None = None  # the last one opened
        self._build()
        self.texts.picked.connect(lambda _: self._choose_text())
        self.search.textChanged.connect(lambda _: self.fill())
        self.search.moved.connect(self._move)
        self.search.chosen.connect(lambda: self.take(self.list.currentIndex()))
        self.list.clicked.connect(self.take)

    def _build(self) -> None:
        self.list.setModel(self.model)
        self.list.setItemDelegate(Line(self.list))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the search has the keys
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        describe(self.list, "What the text shows")
        self.remark.setWordWrap(True)
        self.remark.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.list.setToolTip("")
        head = QHBoxLayout()
        foot = QHBoxLayout()
        column = QVBoxLayout(self)
        for row in (head, foot):
            row.setSpacing(12)
        head.addWidget(self.search, 1)
        head.addWidget(self.texts)
        which = QPushButton("Which method for what")
        which.setAutoDefault(False)
        describe(which, "Which method for what", "All methods as a table: what they take and give")
        which.clicked.connect(lambda: WhichMethod(self).show())
        close = QPushButton("Close")
        close.setAutoDefault(False)
        describe(close, "Close", "Close (Escape)")
        close.clicked.connect(self.close)
        foot.addWidget(self.whole, 1)
        foot.addWidget(which)
        foot.addWidget(close)
        column.setContentsMargins(theme.PAD_X, 14, theme.PAD_X, 12)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self.remark)
        column.addLayout(foot)

    def begin(self, place: str = "") -> None:
        """Show the dialog at the text opened last, with the focus in the search field.

        place: the text to search for
        """
        look = theme.current()
        room = self.parentWidget().size() - EDGE
        self.resize(QSize(style.scale(look, WIDE), style.scale(look, HIGH)).boundedTo(room))
        line = QFontMetrics(look.font("caption")).lineSpacing()
        self.remark.setMinimumHeight(REMARK_LINES * line)  # the list does not jump
        with QSignalBlocker(self.search):
            self.search.setText(place)
        if self._taken is not None:
            self.texts.set_value(self._taken[0].text)
        self.fill()
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "list"):
            self.list.doItemsLayout()

    # -- what is listed ----------------------------------------------------------------------------

    def fill(self) -> None:
        """List the openings of the chosen text, or while searching those of all texts that match.

        The one opened last is marked, or the closest match.
        """
        wanted = self.search.text().strip()
        text = self.texts.value()
        if wanted:
            found = [pair for rows in in_my_book().values() for pair in _openings_of(rows)]
            ranked = [(close, pair) for pair in found if (close := fits(wanted, *pair)) is not None]
            shown = [pair for _, pair in ranked]
            best = min(range(len(ranked)), key=lambda k: ranked[k][0], default=-1)
        else:
            rows = (
                [row for rows in by_topic().values() for row in rows]
                if text == TOPICS
                else in_text(text)
            )
            shown = _openings_of(rows)
            best = shown.index(self._taken) if self._taken in shown else 0
        self._list(shown, bool(wanted), topics=text == TOPICS and not wanted)
        self._list_named_only(text, wanted)
        self.whole.set_text(self._about(text, wanted, self.model.rowCount() > 0))
        self._mark(self._openings()[best] if shown else -1)

    def _about(self, text: str, wanted: str, found: bool) -> str:
        """What the list holds, in a line at the foot."""
        if wanted:
            return "In all texts" if found else "No text of the five has this at a place that opens"
        return "All that the five texts show, by topic" if text == TOPICS else title_of(text)

    def _list(self, shown: list[tuple[Place, Opening]], named: bool, topics: bool = False) -> None:
        """named: with the text that each place is from; topics: under the family of the method"""
        self.model.clear()
        before: object = None
        for place, way in shown:
            group = way.method.family if topics else place
            if group != before:
                called = place.citation if named else place.name
                self._heading(
                    (way.method.family.capitalize(), True)
                    if topics
                    else (called, place.is_section),
                    "" if topics else place.title,
                )
            line = QStandardItem(way.words())
            before = group
            line.setData((place, way), WAY)
            line.setData(place.citation if topics else way.moment(), NOTE)
            line.setData(f"{place.citation}, {way.words()}", Qt.ItemDataRole.AccessibleTextRole)
            line.setToolTip(tip(f"{place.citation}: {place.title}\n{way.words()}"))
            self.model.appendRow(line)

    def _list_named_only(self, text: str, wanted: str) -> None:
        """What the lab does not open, each with its reason: of the chosen text, or what matches."""
        texts = TEXTS if wanted else [each for each in TEXTS if each == text]
        named = [
            each for one in texts for each in named_only(one) if not wanted or _names(wanted, each)
        ]
        if named and not wanted:
            self._heading(("Named only", True), "Nothing opens here")
        for each in named:
            place = f"{each.text} {each.name}" if wanted else each.name
            self._heading((place, False), f"{each.title}: {each.why}")

    def _heading(self, name: tuple[str, bool], title: str) -> None:
        line = QStandardItem(title)
        line.setFlags(Qt.ItemFlag.NoItemFlags)
        line.setData(name, NAME)
        line.setToolTip(tip(title))
        self.model.appendRow(line)

    def _openings(self) -> list[int]:
        return [k for k in range(self.model.rowCount()) if self.model.item(k).data(WAY) is not None]

    def _mark(self, row: int) -> None:
        self.list.setCurrentIndex(self.model.index(row, 0) if row >= 0 else QModelIndex())
        self.remark.setText(remark(*self.model.item(row).data(WAY)) if row >= 0 else "")
        self.list.scrollTo(self.list.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    # -- choosing ----------------------------------------------------------------------------------

    def _choose_text(self) -> None:
        self.search.clear()
        self.fill()
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _move(self, way: int) -> None:
        rows = self._openings()
        here = self.list.currentIndex().row()
        if rows:
            place = rows.index(here) + way if here in rows else 0
            self._mark(
                rows[place % len(rows) if abs(way) == 1 else max(0, min(place, len(rows) - 1))]
            )

    @guarded
    def keyPressEvent(self, event: Any) -> None:
        if event.key() in PAGES:
            self._move(PAGES[event.key()])
        else:
            super().keyPressEvent(event)

    def take(self, index: QModelIndex) -> None:
        """Open the document of a line; the line of a place opens nothing."""
        pair = index.data(WAY) if index.isValid() else None
        if pair is not None:
            place, way = self._taken = pair
            self.close()
            self._show(place, way)


def _openings_of(rows: Shown) -> list[tuple[Place, Opening]]:
    return [(place, way) for place, ways in rows for way in ways]


def fits(wanted: str, place: Place, way: Opening) -> tuple[float, ...] | None:
    """The rank of an opening in the search, the smaller the closer; None if it does not match.

    Its place counts before its own words.
    """
    title, said = words_of(place, way)
    if wanted.casefold() in (place.name.casefold(), place.citation.casefold()):
        return (-1.0,)  # the place itself, before places that contain its number
    if _begins_words(wanted.casefold(), entry_of(way.given.data).title.casefold()):
        return (-0.5,)  # its data are called so, before titles that mention them
    if not all(word in f"{title} {said}" for word in wanted.casefold().split()):
        return None  # most openings lack a word: do not rank those
    found = rank(wanted, title, said)
    return None if found is None else found.close


def _names(wanted: str, each: NamedOnly) -> bool:
    """Whether all words that are wanted stand in what is named only."""
    said = f"{each.text} {each.name} {each.title}".casefold()
    return all(word in said for word in wanted.casefold().split())


def _begins_words(wanted: str, title: str) -> bool:
    """Whether each word that is wanted begins a word of the title."""
    return all(any(word.startswith(each) for word in title.split()) for each in wanted.split())


@cache
def words_of(place: Place, way: Opening) -> tuple[str, str]:
    """(words of the place, words of the opening) in lower case, for the search."""
    return (
        f"{place.citation} {place.title}".casefold(),
        f"{way.words()} {way.key}".casefold().replace("_", " "),
    )
