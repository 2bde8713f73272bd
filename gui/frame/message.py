"""Messages of the window: cards that cover no data and move no picture."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui.base.guard import guarded
from gui.look import icons, style
from gui.look.style import describe
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.setup.remedies import Remedies
from gui.widgets.sentence import Sentence

SHOWN_MS = 5000  # of an info
LETTER_MS = 55  # of an info that takes longer to read, for each letter
MUCH = 1 << 14  # pixels
EDGE, BETWEEN = 20, 2  # pixels: free room beside the cards; above, below and between them


class Card(Sentence):
    """One sentence, a button for its action, and a cross where it can be dismissed."""

    def __init__(
        self, error: bool, closable: bool, dismiss: Callable[[], None], act: Callable[[], None]
    ) -> None:
        super().__init__(error)
        style.mark(self, "toast")
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.acted.connect(act)
        self.cross = QToolButton(self)
        icons.put(self.cross, "close", "ink2", icons.SMALL)
        describe(self.cross, "Dismiss this message", "Dismiss (Esc)")
        self.cross.clicked.connect(lambda *_: dismiss())
        self.cross.setVisible(closable)
        for button in (self.action, self.cross):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8 if closable else 12, 4)
        row.setSpacing(8)
        for part in (self.icon, self.label, self.action, self.cross):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        self.show_text("")

    def fit(self, widest: int) -> None:
        """Set the size of the card; the sentence wraps where it is wider than `widest` pixels."""
        self.label.ensurePolished()
        room = widest - sum(
            part.sizeHint().width() + 8 for part in (self.action, self.cross) if not part.isHidden()
        )
        metrics = QFontMetrics(self.label.font())
        wrap = Qt.TextFlag.TextWordWrap
        wide = min(metrics.horizontalAdvance(self.text()) + 4, max(120, room))
        high = metrics.boundingRect(QRect(0, 0, wide, MUCH), wrap, self.text()).height()
        self.label.setFixedSize(wide, high + 2)
        self.layout().invalidate()
        self.setFixedSize(self.layout().sizeHint())


class MessageLine(QWidget):
    """One card of each kind, in a line between the pictures and the timeline. The timeline gives
    the room for it, so that no picture moves. The projector theme, which has no timeline there,
    shows the cards over the head of the window.

    standing: why there is no run, while that holds; hint: that there are no examples yet; error:
    until dismissed or replaced, or until the next change unless it is a fault of a disk or of the
    program; offer: a sentence with a button, until taken or dismissed; remark: on what is open,
    until dismissed or until the next change; info: for five seconds, a long one for longer, or for
    less where it is about a place of the run that is left

    In the projector theme a remark would cover the head for good: it stands in a row of its own,
    see `give_remark`.

    grown: the height of the line changed
    """

    grown = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setAccessibleName("Messages")
        self._rooms: Callable[[], Sequence[QRect]] = lambda: [QRect(0, 0, MUCH, MUCH)]
        self._floats = self._apart = False  # apart: the remark has a row of its own
        self._effects: dict[str, Callable[[], object] | None] = {}
        self._lasting = self._of_place = False
        self._remedies = Remedies(session)
        self.standing, self.error = (
            self._card("standing", True, False),
            self._card("error", True, True),
        )
        self.hint = self._card("hint", False, False)
        self.offer, self.info = self._card("offer", False, True), self._card("info", False, False)
        self.remark = self._card("remark", False, True)
        self.cards = (
            self.remark,
            self.hint,
            self.standing,
            self.error,
            self.offer,
            self.info,
        )
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, BETWEEN, 0, BETWEEN)
        self._column.setSpacing(BETWEEN)
        for card in self.cards:
            self._column.addWidget(card, 0, Qt.AlignmentFlag.AlignHCenter)
        self._row = QWidget(self)  # of the remark, where it stands apart
        self._own_row = QVBoxLayout(self._row)
        self._own_row.setContentsMargins(0, BETWEEN, 0, EDGE // 2)
        self.timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self.timer.timeout.connect(self._fade)
        session.said.connect(self.say)
        session.offered.connect(self.show_offer)
        session.changed.connect(self._on_changed)
        self._settle()

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.session.lane_view) & Change.RUN:
            self._settle()
        if changes.window & Change.DOCUMENT:
            self._went_on()

    def stand(self, rooms: Callable[[], Sequence[QRect]], floats: bool) -> None:
        """Show the cards in the first of the rectangles of the parent, from `rooms`, that is high
        enough. floats: over other widgets; else in a line of the parent's layout, for which only
        width and height count.
        """
        self._rooms, self._floats = rooms, floats
        self.place()

    def give_remark(self, row: QBoxLayout | None, at: int = 0) -> None:
        """Put the card of the remark into a row of its own, at this place of a layout; None: among
        the others.
        """
        self._apart = row is not None
        if row is not None:
            row.insertWidget(at, self._row)
        column: QVBoxLayout = self._column if row is None else self._own_row
        column.insertWidget(0, self.remark, 0, Qt.AlignmentFlag.AlignHCenter)
        self._row.setVisible(self._apart and bool(self.remark.text()))

    @property
    def line_height(self) -> int:
        """The height in pixels of the line in the parent's layout; 0 while there is none."""
        return 0 if self._floats or self.isHidden() else self.height()

    def text(self) -> str:
        """The sentence of the lowest shown card, "" where there is none."""
        return next((card.text() for card in reversed(self.cards) if card.text()), "")

    def say(self, sentence: str, kind: str = "info") -> None:
        """Show a sentence of a kind: 'info', 'place', 'remark', 'error' or 'fault' (see
        `Session.say`). An empty sentence takes back the last one of that kind.
        """
        self._say(sentence, kind)

    def show_offer(self, sentence: str, words: str, effect: Any, kind: str = "offer") -> None:
        """Show a sentence with a button that is called `words` and calls `effect`."""
        self._say(sentence, kind, words, effect)

    def dismiss(self) -> bool:
        """Close the offer, else the error, else the remark; returns whether there was one."""
        for card, name in (
            (self.offer, "offer"),
            (self.error, "error"),
            (self.remark, "remark"),
        ):
            if card.text():
                self._drop(name)
                return True
        return False

    # -- inside ------------------------------------------------------------------------------------

    def _card(self, name: str, error: bool, closable: bool) -> Card:
        return Card(error, closable, lambda: self._drop(name), lambda: self._act(name))

    def _say(self, sentence: str, kind: str, words: str = "", effect: Any = None) -> None:
        name = {"fault": "error", "place": "info"}.get(kind, kind)
        if name == "error":
            if not sentence and self._lasting != (kind == "fault"):
                return
            self._lasting = kind == "fault" and bool(sentence)
        if name == "info":
            if not sentence and self._of_place != (kind == "place"):
                return
            self._of_place = kind == "place" and bool(sentence)
        card: Card = getattr(self, name)
        self._effects[name] = effect
        card.show_text(sentence, words)
        if name == "info":
            self.timer.start(max(SHOWN_MS, LETTER_MS * len(sentence)))
        elif sentence:
            self.info.show_text("")
        self.place()
        self._announce(sentence, urgent=name == "error")

    def _act(self, name: str) -> None:
        effect = self._effects.get(name)
        self._drop(name)
        if effect is not None:
            effect()

    def _drop(self, name: str) -> None:
        self._effects[name] = None
        getattr(self, name).show_text("")
        if name == "error":
            self._lasting = False
        self.place()

    def _fade(self) -> None:
        self.info.show_text("")
        self.place()

    def _went_on(self) -> None:
        """Close the info, the remark, and the error unless it is a fault: a change of the document
        has made them obsolete.
        """
        self.info.show_text("")
        self.remark.show_text("")
        if not self._lasting:
            self._drop("error")
        self.place()

    def _settle(self) -> None:
        """Show why there is no run, with the remedy; when there is a run, clear both cards."""
        remedy = self._remedies.find()
        error = f"{self.session.error} {remedy.hint}".rstrip()
        card, other = (
            (self.standing, self.hint) if len(self.session.data) else (self.hint, self.standing)
        )
        other.show_text("")
        another = error != card.text()
        if another or remedy.words != card.action.text():
            card.show_text(error, remedy.words)
        self._effects["standing"] = remedy.effect
        if another:
            if error:
                self.info.show_text("")
            self._announce(error, urgent=card is self.standing)
        self.place()

    def _announce(self, sentence: str, urgent: bool) -> None:
        """Announce a sentence to screen readers, as the card does not have the focus."""
        if sentence and QAccessible.isActive():
            spoken = QAccessibleAnnouncementEvent(self, sentence)
            kinds = QAccessible.AnnouncementPoliteness
            spoken.setPoliteness(kinds.Assertive if urgent else kinds.Polite)
            QAccessible.updateAccessibility(spoken)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.place()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(
            self, "cards"
        ):
            QTimer.singleShot(0, self, self.place)

    def place(self) -> None:
        """Fit the cards to the room. Where not all have a place, the first ones wait."""
        before = self.line_height
        shown = [card for card in self.cards if card.text()]
        if self._apart:
            for part in (self.remark, self._row):
                part.setVisible(self.remark in shown)
            if self.remark in shown:
                shown.remove(self.remark)
                self.remark.fit(max(160, self._rooms()[-1].width() - 3 * EDGE))
        self.setVisible(bool(shown))
        if shown and self.parentWidget() is not None:
            for room in self._rooms():
                for card in shown:
                    card.fit(max(160, room.width() - 3 * EDGE))
                if _high(shown) <= room.height():
                    break
            while len(shown) > 1 and _high(shown) > room.height():
                shown.pop(0)
            self._show(shown)
            self.setFixedHeight(_high(shown))
            if self._floats:
                wide = max(card.width() for card in shown)
                self.setGeometry(room.left() + EDGE // 2, room.top(), wide, self.height())
                self.raise_()
        if self.line_height != before:
            self.grown.emit()

    def _show(self, cards: list[Card]) -> None:
        for card in self.cards[1:] if self._apart else self.cards:
            card.setVisible(card in cards)
        # cards without buttons let the mouse through to what is below
        buttonless = {*cards} <= {self.hint, self.info}
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, buttonless)
        self._column.invalidate()
        self._column.activate()


def _high(cards: list[Card]) -> int:
    """The height in pixels of these cards, one below the other."""
    return BETWEEN + sum(card.height() + BETWEEN for card in cards)
