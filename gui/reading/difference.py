"""The panel that says how two lanes differ: on the plane, on the rows, and from which step on."""

from itertools import permutations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted, cut, value_text
from engine.document.document import Document
from engine.document.lane_edits import LETTERS, compare
from engine.judge.difference import Difference, RowsApart
from engine.scene.differences import percent
from engine.table.problem import Problem
from gui.base.guard import guarded
from gui.look import style, theme
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import Combo, describe, label
from gui.widgets.layouts import row

SHORT = 36  # letters that fit on one line
NAMED = 8  # rows named one by one at most
LINE = 34  # letters to which a quoted value or line of pseudo-code is cut
NONE, DIFFERENT = "no difference", "Different methods: their runs have no step in common."
SECONDS = 200  # milliseconds between two updates while the clock runs or a person drags
AT_ONCE = Change.LANES | Change.PLAYING  # the panel follows at once
SOON = (
    Change.COMPARISON
    | Change.DIFFERENCE
    | Change.QUESTION
    | Change.RUN
    | Change.CURSOR
    | Change.STEPS
)  # it follows once for all that changes together
AHEAD = "Where the two runs differ is covered."


class DifferencePanel(QFrame):
    """The comparison of two lanes in sentences; visible while there are several lanes."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        # a widget shown without a parent is a window and takes the keyboard focus
        super().__init__(parent)
        self.session = session
        self.lane_comparison = session.lane_comparison
        style.mark(self, "dock")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.choice = Combo("Which lanes are compared", compact=True)
        self.choice.activated.connect(self._choose)
        self.area, self.rows, self.first = (_words(kind) for kind in ("body", "muted", "muted"))
        self.there = QToolButton()
        self.there.setText("Go there")
        style.mark(self.there, "link")
        describe(self.there, "Go to the first step at which the two runs differ, in both lanes")
        self.there.clicked.connect(lambda *_: self.session.go_to_difference())
        self.ghost = QCheckBox()
        self.ghost.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.ghost.toggled.connect(self._show_ghost)
        box = QVBoxLayout(self)
        box.setContentsMargins(theme.PAD_X, 8, theme.PAD_X, 8)
        box.setSpacing(3)
        box.addLayout(row(label("Difference", "heading"), (QWidget(), 1), self.choice))
        for part in (self.area, self.rows, self.first):
            box.addWidget(part)
        box.addLayout(row(self.ghost, (QWidget(), 1), self.there))
        self._shown: object = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.refresh)
        session.changed.connect(self._on_changed)
        self.hide()
        self.refresh()

    def _on_changed(self, changes: Changes) -> None:
        anywhere = changes.anywhere()
        edited = bool(anywhere & Change.DOCUMENT)
        if anywhere & AT_ONCE or (edited and not self._fast):
            self.refresh()
        elif edited or anywhere & SOON:
            self._later()

    @property
    def _fast(self) -> bool:
        """Whether the clock runs or steps fly by, for example while a person drags."""
        return self.session.player.playing or self.session.lead.playback_budget.flying

    def _later(self) -> None:
        if len(self.session.lane_views) > 1 and not self._soon.isActive():
            self._soon.start(SECONDS if self._fast else 0)

    # -- words -------------------------------------------------------------------------------------

    def refresh(self) -> None:
        document = self.session.document
        self.setVisible(len(document.lanes) > 1)
        if len(document.lanes) < 2:
            return
        self._fill(document)
        pair = self.lane_comparison.pair
        refused = self.lane_comparison.refusal
        texts = ("", "", "")
        if pair is not None:
            texts = (
                refused or self.area_text(),
                "" if refused else self.rows_text(),
                self.first_text(),
            )
        there = self.lane_comparison.first is not None
        shown = (
            texts,
            refused,
            self.lane_comparison.letters,
            there,
            document.ghost,
            self.width(),
            theme.current().key,
        )
        if shown == self._shown:  # else every move of a drag would lay out the dock
            return
        self._shown = shown
        for part, text in zip((self.area, self.rows, self.first), texts, strict=True):
            if part.text() != text:
                part.setText(text)
            part.setVisible(bool(text))
        self.ghost.setVisible(pair is not None and not refused)
        self.there.setVisible(pair is not None and there)
        if pair is not None:
            self.ghost.setText(f"boundary of {self.lane_comparison.letters[1]} too")
            self.ghost.blockSignals(True)
            self.ghost.setChecked(document.ghost)
            self.ghost.blockSignals(False)
        self.setAccessibleName("Difference")
        self.setAccessibleDescription(" ".join(filter(None, texts)))
        self.fit()

    def fit(self) -> None:
        """Set the height that the sentences need at the present width."""
        wide = self.width() - 2 * theme.PAD_X
        for part in (self.area, self.rows, self.first):
            if not part.isHidden() and wide > 0:
                part.setFixedHeight(max(0, part.heightForWidth(wide)))
        self.layout().invalidate()
        high = self.layout().sizeHint().height()
        if high != self.height():
            self.setFixedHeight(high)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(200, self.layout().sizeHint().height())

    def area_text(self) -> str:
        """“B and A disagree on 19.1 % of the plane and 7.5 % of the rows.”; for values the root of
        the mean squared difference, "" where there is nothing to compare.
        """
        one, other = self.lane_comparison.letters
        parts = self.lane_comparison.rows()
        if not parts:
            return ""
        problem, apart = parts[0]
        if problem.regress:
            return f"{one} and {other} differ by {value_text(apart.apart)} (RMS) on the rows."
        share = self.lane_comparison.share
        plane = "" if share != share else f"{percent(share)} of the plane and "
        return f"{one} and {other} disagree on {plane}{percent(apart.share)} of the rows."

    def rows_text(self) -> str:
        """The rows that only one of the two gets right, of the examples and of those held out."""
        sentences = []
        for (problem, apart), where in zip(
            self.lane_comparison.rows(), ("", "held out, "), strict=False
        ):
            for letter, only in zip(self.lane_comparison.letters, _only(apart), strict=True):
                if len(only) or (not where and not problem.regress and problem.labelled.any()):
                    sentences.append(f"{where}only {letter} right: {_names(problem, only)}")
        lines = ["; ".join(sentences)] if sum(map(len, sentences)) < SHORT else sentences
        return "\n".join(line[:1].upper() + line[1:] for line in lines)

    def first_text(self) -> str:
        """The sentence on the first step at which the runs differ, as far as they are compared."""
        pair = self.lane_comparison.pair
        if pair is None or not pair[0].trace or not pair[1].trace:  # or a run could not begin
            return ""
        if pair[0].lane.key != pair[1].lane.key:
            return DIFFERENT
        search = self.lane_comparison.comparison()
        if search is None:
            return "The two runs begin at different steps of another one."
        if any(view.veiled for view in pair) and (
            search.found is None or self.lane_comparison.first is None
        ):
            return "" if search.found is None and not search.over else AHEAD
        if search.found is not None:
            return difference_text(
                search.found, self.lane_comparison.letters, self.lane_comparison.moment()
            )
        if search.over:
            return "The two runs are the same from beginning to end."
        return f"The two runs are the same for {counted(search.compared, 'step')} so far."

    # -- hands -------------------------------------------------------------------------------------

    def _fill(self, document: Document) -> None:
        """Fill the list with all ordered pairs of lanes, those with the active lane first."""
        active = self.session.active
        places = range(len(document.lanes))
        pairs = sorted(
            permutations(places, 2), key=lambda pair: (active not in pair, pair[0] != active)
        )
        shown = [None, *pairs]
        texts = [NONE, *(f"{LETTERS[a]} against {LETTERS[b]}" for a, b in pairs)]
        if [self.choice.itemText(k) for k in range(self.choice.count())] != texts:
            self.choice.clear()
            for text, pair in zip(texts, shown, strict=True):
                self.choice.addItem(text, pair)
            self.choice.setMinimumContentsLength(12)
        self.choice.setCurrentIndex(
            shown.index(document.compared) if document.compared in shown else 0
        )

    def _choose(self, index: int) -> None:
        self.session.compare(*(self.choice.itemData(index) or (0, 0)))

    def _show_ghost(self, on: bool) -> None:
        document = self.session.document
        if document.compared is not None:
            label = "show the other boundary" if on else "hide the other boundary"
            self.session.set_lanes(
                compare(document, *document.compared, ghost=on), label, self.session.active
            )


def difference_text(found: Difference, letters: tuple[str, str], moment: str) -> str:
    """“First difference at step 41: w is 0.5 in A, 0.2 in B.”

    letters: of the two lanes; moment: where it is, as 'step 41'
    """
    one, other = letters
    mine, theirs = (cut(text, LINE) for text in found.values)
    when = f"{'First known' if found.after_gap else 'First'} difference at {moment}"
    if found.what == "line":
        return f"{when}: {one} is at “{mine}”, {other} at “{theirs}”."
    if found.what == "tie":
        return f"{when}, at a tie: {one} takes {mine}, {other} takes {theirs}."
    if found.what == "end":
        return f"{when}: {one} {mine}, {other} {theirs}."
    name = (
        found.name if found.what == "operand" else f"{found.name} of the state".removeprefix(" of ")
    )
    return (
        f"{when}: {name} is {mine} in {one}, {theirs} in {other}."
        if mine
        else f"{when}: {name} is not the same."
    )


def _only(apart: RowsApart) -> tuple[list[int], list[int]]:
    one, other = (mask.nonzero()[0].tolist() for mask in (apart.only_one, apart.only_other))
    return one, other


def _names(problem: Problem, rows: list[int]) -> str:
    if not rows:
        return "0"
    named = [problem.names[k] for k in rows[:NAMED]] + ["…"] * (len(rows) > NAMED)
    return f"{len(rows)} ({', '.join(named)})"


def _words(kind: str) -> QLabel:
    text = label("", kind)
    text.setWordWrap(True)
    text.setTextFormat(Qt.TextFormat.PlainText)
    return text
