"""What a student shall make true: rows of comparisons, and whether the run meets them."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.lane_edits import LETTERS
from engine.judge.conditions import EDITS, Moment
from engine.lessons.comparing import (
    ANY,
    HAPPENS,
    NOT,
    SIGNS,
    Compared,
    offers,
    offers_by_lane,
    rows_of,
    text_of,
)
from engine.lessons.conditions import met_words, search, still_missing
from gui.base.plain_text import tip
from gui.lessons.author import MET_MS, Author, slices
from gui.lessons.quiet import quiet
from gui.look import style, theme
from gui.predict.predict_score import folding_label
from gui.widgets.controls import Combo, describe

HAPPENING = {HAPPENS: "happens", NOT: "does not"}
PROVING_MS = 200  # after the last change, until the run is searched
FIRST = "0"
VALUE = 44  # least pixels of the field of a value


class ComparedRow(QWidget):
    """What is compared, how, with which value, in which lane."""

    changed = Signal()
    removed = Signal()

    def __init__(
        self, known: Mapping[int, Sequence[tuple[str, str]]], places: Sequence[int]
    ) -> None:
        """known: see `offers_by_lane`; places: in the lab, of the lanes that the page shows"""
        super().__init__()
        self.what, self.sign = Combo("What is compared"), Combo("Comparison")
        self.lane = Combo("Lane")
        self.value = QLineEdit()
        describe(self.value, "Value")
        self.known, several = known, len(places) > 1
        for number, place in enumerate(places, 1):  # a student meets them as A, B …
            letter, here = LETTERS[number - 1], LETTERS[place]
            self.lane.addItem(
                f"lane {letter}" if here == letter else f"{letter}, here {here}", number
            )
        self.lane.addItem("any lane", ANY)
        self.lane.setVisible(several)
        self.sign.setMinimumContentsLength(1)
        self.value.setMinimumWidth(style.scale(theme.current(), VALUE))
        self.what.activated.connect(lambda _: self._on_what())
        self.lane.activated.connect(lambda _: self._on_what())
        self.sign.activated.connect(lambda _: self.changed.emit())
        self.value.textEdited.connect(lambda _: self.changed.emit())
        first, second = QHBoxLayout(), QHBoxLayout()
        for part, share in ((self.what, 5), (self.sign, 2), (self.value, 2), (self.lane, 2)):
            # with lanes there is no room for all in one line
            (second if several and part is not self.what else first).addWidget(part, share)
        first.addWidget(quiet("close", "Remove this condition", self.removed.emit))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for line in (first, second):
            line.setSpacing(6)
            column.addLayout(line)

    def show_row(self, row: Compared) -> None:
        """Show a row; what the run does not offer is listed as it is written."""
        self.what.clear()
        for text, words in self.known[row.lane if row.lane in self.known else 1]:
            self.what.addItem(words, text)
        if self.what.findData(row.what) < 0:
            self.what.addItem(row.what, row.what)
        self.what.setCurrentIndex(self.what.findData(row.what))
        self.what.setToolTip(tip(self.what.currentText()))
        self._offer_signs(row)
        self.value.setText(row.value)
        self.value.setHidden(row.is_event)
        self.lane.setCurrentIndex(max(0, self.lane.findData(row.lane)))
        self.lane.setEnabled(row.has_lane)

    def _offer_signs(self, row: Compared) -> None:
        self.sign.clear()
        for sign, words in (HAPPENING if row.is_event else SIGNS).items():
            self.sign.addItem(words, sign)
        self.sign.setCurrentIndex(max(0, self.sign.findData(row.sign)))

    def _on_what(self) -> None:
        """Another thing is compared, or in another lane: an event has no value, any other needs
        one.
        """
        row = self.row()
        self.show_row(Compared(row.what, row.sign, row.value or FIRST, row.lane))
        self.changed.emit()

    def row(self) -> Compared:
        found = Compared(
            str(self.what.currentData()),
            str(self.sign.currentData()),
            self.value.text().strip() or FIRST,
            int(self.lane.currentData()) if self.lane.currentData() is not None else 1,
        )
        if not found.is_event:
            return found
        return replace(found, sign=found.sign if found.sign == NOT else HAPPENS, value="")


class ConditionPart(QWidget):
    """The rows, their text, and what is said about it now.

    changed: the author changed it; said: other words stand below
    """

    changed = Signal()
    said = Signal()

    def __init__(self, author: Author) -> None:
        super().__init__()
        self.author = author
        self.rows: list[ComparedRow] = []
        self._known: tuple[object, ...] = ()
        self.written = QLineEdit()
        self.written.setPlaceholderText('Condition, such as  metric("errors") == 0')
        describe(self.written, "Condition", "The same as a lesson writes it: more can be said so")
        self.written.textEdited.connect(lambda _: self._on_written())
        self.more = QPushButton("+ and")
        style.mark(self.more, "quiet")
        self.more.clicked.connect(lambda *_: self._one_more())
        self.now, self.met = folding_label("strong"), folding_label("caption")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6)
        line = QHBoxLayout()
        line.addWidget(self.more)
        line.addWidget(self.written, 1)
        self.column.addLayout(line)
        self.column.addWidget(self.now)
        self.column.addWidget(self.met)
        self._searching: Iterator[int | None] | None = None
        self._later = QTimer(self, singleShot=True, interval=PROVING_MS)
        self._later.timeout.connect(self._prove)
        self._more = QTimer(self, singleShot=True, interval=MET_MS)
        self._more.timeout.connect(self._go_on)

    @property
    def moments(self) -> list[Moment]:
        """The lanes of the page, at the steps that the lab shows."""
        return self.author.moments(self.author.at)

    @property
    def condition(self) -> str:
        return " ".join(self.written.text().split())

    def show_condition(self, text: str) -> None:
        """Show a condition; one that is no list of comparisons is shown as it is written alone."""
        if text != self.condition:
            self.written.setText(text)
            self.written.setCursorPosition(0)
        self._show_rows()
        self.prove()

    def _show_rows(self) -> None:
        moments = self.moments
        rows = rows_of(self.condition, len(moments))
        known = (self.condition, *(moment.trace for moment in moments))
        self.more.setEnabled(rows is not None and bool(moments))
        there = [row.row() for row in self.rows]
        if known[1:] == self._known[1:] and list(rows or ()) == there:
            return
        self._known = known
        for row in self.rows:
            row.hide()
            row.deleteLater()
        offered = offers_by_lane(moments) if moments else {1: []}
        places = [view.place for view in self.author.lanes_of(self.author.at)]
        self.rows = []
        for each in rows or ():
            row = ComparedRow(offered, places)
            row.show_row(each)
            row.changed.connect(self._on_rows)
            row.removed.connect(lambda row=row: self._remove(row))
            self.column.insertWidget(len(self.rows), row)
            self.rows.append(row)

    def _one_more(self) -> None:
        first = offers(self.moments[0])[0][0] if self.moments else "wrong()"
        self._take(self._text([*(row.row() for row in self.rows), Compared(first, "==", FIRST)]))

    def _text(self, rows: Sequence[Compared]) -> str:
        return text_of(rows, len(self.moments))

    def _remove(self, row: ComparedRow) -> None:
        self._take(self._text([each.row() for each in self.rows if each is not row]))

    def _on_rows(self) -> None:
        self.written.setText(self._text([row.row() for row in self.rows]))
        self.written.setCursorPosition(0)
        self.changed.emit()
        self.prove()

    def _on_written(self) -> None:
        self._show_rows()
        self.changed.emit()
        self.prove()

    def _take(self, text: str) -> None:
        self.written.setText(text)
        self.written.setCursorPosition(0)
        self._on_written()

    # -- what the run says -------------------------------------------------------------------------

    def prove(self) -> None:
        """Say soon whether it holds now, and where the run meets it first."""
        self._more.stop()
        self._later.start()

    def _prove(self) -> None:
        self._say()
        self.said.emit()

    def _say(self) -> None:
        moments = self.moments
        self.met.setText("")
        if not self.condition or not moments or self.isHidden():
            self.now.setText("")
            return
        edits = dict.fromkeys(EDITS, 0)
        try:
            missing = still_missing(self.condition, moments, edits)
        except EngineError as sentence:
            self.now.setText(str(sentence))
            return
        if missing:
            self.now.setText(f"Now not met. {' '.join(missing)}")
            self._searching = slices(search(self.condition, moments, edits, self.author.unit))
            self._go_on()
        else:
            self.now.setText("It holds now: there would be nothing to do.")

    def _go_on(self) -> None:
        """Search for a moment, and go on after the events that wait."""
        met = next(self._searching, -1) if self._searching is not None else -1
        moments = self.moments
        if met is None:
            self._more.start()
        elif moments:
            self.met.setText(met_words(met if met >= 0 else None, moments, self.author.unit))
            self.said.emit()
