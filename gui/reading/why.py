"""The panel “Why this label?”: the label, the calculation that led to it, and the votes."""

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.base.notation import counted, fixed, number
from engine.protocol.algorithm import Explanation
from engine.protocol.step import Formula, Note, Operand, note
from engine.table.problem import Problem
from gui.base.guard import guarded
from gui.figures.bars import FoldingBars, height_with
from gui.formulas.flow import Item, Sheet
from gui.formulas.formula import SPACE, number_items, plain_word, result_items, signs_in
from gui.look import theme
from gui.look.ink import face, pen, write_centred
from gui.look.swatches import boxed, paint_class
from gui.reading.note_view import FlowView, LeadView, lay_facts
from gui.widgets.controls import Section
from gui.widgets.fold import Fold

if TYPE_CHECKING:
    from engine.judge.moved_point import PointFlip
    from engine.judge.nearest_flip import Flip

SWATCH = 30
FRAME_PAD, FRAME_GAP = 7.0, 10.0  # pixels around a value in its frame; from frame to words
MOST_TERMS, KEPT_TERMS = 8, 5
OPENING = re.compile(r"^This( place)? (is( now)? called|(?P<without>stays))\b")
HINT = "Point at the plane or place the probe to see why a label is given."


class Swatch(QWidget):
    """Shows the marker of the predicted class, the predicted value in a frame, or a question
    mark.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.code = -1
        self.value = ""
        self.box = False  # whether the class is a box, as in the table
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def set_answer(self, code: int, value: str = "", box: bool = False) -> None:
        """Show the class `code` (−1: “?”), or `value` where it is not empty."""
        self.code, self.value, self.box = code, value, box
        self.updateGeometry()
        self.update()

    @guarded
    def sizeHint(self) -> QSize:
        line = theme.current().line_height("body")
        wide = (
            face("body", 700).width(self.value) + 2 * FRAME_PAD + FRAME_GAP
            if self.value
            else SWATCH * line / 18
        )
        return QSize(round(wide), line + 2 if self.value else line)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            scale = theme.current().line_height("body") / 18
            centre = QPointF(10 * scale, 9 * scale)
            if self.value:
                self._paint_value(painter)
            elif self.code >= 0:
                paint_class(painter, theme.current(), self.code, centre, 6.5 * scale, self.box)
            else:
                painter.setPen(pen("ink", 2))
                painter.setBrush(theme.current().colour("plane"))
                painter.drawEllipse(centre, 8 * scale, 8 * scale)
                write_centred(painter, centre.x(), centre.y(), "?", face("caption", 700))

    def _paint_value(self, painter: QPainter) -> None:
        """Paint the value in a frame."""
        high = theme.current().line_height("body") + 1.0
        frame = QRectF(0.75, 0.75, self.width() - FRAME_GAP - 1.5, high - 1.5)
        painter.setPen(pen("ink", 1.5))
        painter.setBrush(theme.current().colour("plane"))
        painter.drawRoundedRect(frame, theme.RADIUS, theme.RADIUS)
        write_centred(
            painter, frame.center().x(), frame.center().y(), self.value, face("body", 700)
        )


class CalculationView(FlowView):
    """Shows the formulas of an explanation in numbers, and its facts.

    The middle of a long sum is folded; the button `more` says how many terms and unfolds them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.more = Fold()
        self.more.hide()
        self.more.toggled.connect(self._unfold)

    def show_note(self, note: Note | None) -> None:
        super().show_note(note)
        folded = (
            sum(terms_folded(formula.body) for formula in note.formulas) if note is not None else 0
        )
        self.more.setText("fewer terms" if self.more.isChecked() else counted(folded, "more term"))
        self.more.setVisible(folded > 0)

    def _unfold(self) -> None:
        self.show_note(self.note)
        self.updateGeometry()

    def as_text(self) -> str:
        return "\n".join(self.note.lines()[1:]) if self.note else ""

    def lay_out(self, sheet: Sheet, note: Note) -> None:
        for k, formula in enumerate(note.formulas):
            sheet.gap(4 if k else 0)
            sheet.flow(calculation_items(note, formula, self.more.isChecked()))
        if note.facts:
            sheet.gap(6)
            lay_facts(sheet, note, note.facts)


def calculation_items(note: Note, formula: Formula, whole: bool = False) -> list[Item]:
    """The formula in numbers, '0.73 · (−1.00) + 1.33 · 2.04 = 1.98': the sum grey, the result bold.
    whole: fold no sum.
    """
    items = number_items(note, formula.body, "body", colour="ink2")
    items = items if whole else shorten_sum(items)
    for item in items:
        item.box.colour = "ink2"
    if formula.result:
        items += result_items(note, formula.result, "body")
    return items


def shorten_sum(items: list[Item]) -> list[Item]:
    """A sum of eight or more terms cut to the first five, “…” and the last; shorter ones as is."""
    starts = [k for k, item in enumerate(items) if item.strength == 2]
    if len(starts) < MOST_TERMS:
        return items
    plus = items[starts[KEPT_TERMS - 1]]
    dots = Item(plain_word("…", "body", colour="ink2"), SPACE * face("body").size)
    return [*items[: starts[KEPT_TERMS - 1]], plus, dots, *items[starts[-1] :]]


def terms_folded(template: str) -> int:
    """The number of terms that `shorten_sum` leaves out of a formula's body."""
    terms = signs_in(template)
    return max(0, terms - KEPT_TERMS) if terms >= MOST_TERMS else 0


class WhyPanel(Section):
    """Shows an explanation, or a hint how to ask for one.

    hovered: the tag of the term under the pointer, '' when it leaves; appeared: the panel was shown
    """

    hovered = Signal(str)
    appeared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Why this label?", rule=False, parent=parent)
        self.marked = True  # whether the swatch shows: “?” only if there are classes
        self.swatch = Swatch()
        self.lead = LeadView(style="body", bold=frozenset({"name", "label"}))
        self.calculation = CalculationView()
        self.flip, self.moved = (
            LeadView(style="body", bold=frozenset({"length", "other"})) for _ in range(2)
        )
        self.bars = FoldingBars()
        self.hint = LeadView(style="body")
        words = QVBoxLayout()
        words.setSpacing(5)
        words.addWidget(self.lead)
        words.addWidget(self.calculation)
        words.addWidget(self.calculation.more)
        words.addWidget(self.flip)
        words.addWidget(self.moved)
        answer = QHBoxLayout()
        answer.setSpacing(0)
        answer.addWidget(self.swatch, 0, Qt.AlignmentFlag.AlignTop)
        answer.addLayout(words, 1)
        self.content.addLayout(answer)
        for part in (self.bars, self.bars.more, self.hint):
            self.content.addWidget(part)
        for view in (self.lead, self.calculation, self.flip, self.moved, self.bars):
            view.hovered.connect(self.hovered)
        self.show_hint(HINT)

    def show_explanation(
        self,
        explanation: Explanation,
        problem: Problem,
        where_text: str = "",
        aside: str = "",
        value: float | None = None,
    ) -> None:
        """Show why a place has its label, or its value where numbers are predicted.

        where_text: name of the place, 'x₃₇' or '(1.02, 0.22)'; aside: caption beside the heading;
        value: the predicted number, None for classes
        """
        self.heading.setText("Why this value?" if problem.regress else "Why this label?")
        self.set_caption(aside)
        self.swatch.set_answer(explanation.label, value_text(value), boxed(problem))
        self.marked = explanation.label >= 0 or bool(self.swatch.value) or bool(problem.classes)
        self.lead.show_note(opening(explanation, problem, where_text))
        self.calculation.show_note(explanation.note)
        self.calculation.setVisible(bool(explanation.note.formulas or explanation.note.facts))
        if explanation.bars is not None:
            self.bars.boxed = boxed(problem)
            self.bars.set_figure(explanation.bars)
        self._show(answer=True)
        self.bars.setVisible(explanation.bars is not None and len(explanation.bars.labels) > 0)

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.appeared.emit()

    def fit(self, width: int, most: int) -> int:
        """The panel's height in pixels, `width` pixels wide: of all its text and as many bars as
        fit within `most`.
        """
        return height_with(self, self.bars, width, most)

    def show_hint(self, text: str) -> None:
        """Show a sentence in place of an explanation."""
        self.set_caption("")
        self.hint.show_note(note(text.replace("{", "{{").replace("}", "}}")))
        self._show(answer=False)
        self.calculation.hide()
        self.calculation.more.hide()
        self.bars.hide()

    def _show(self, answer: bool) -> None:
        self.swatch.setVisible(answer and self.marked)
        self.lead.setVisible(answer)
        self.hint.setVisible(not answer)
        self.show_flip(None)

    def show_flip(self, said: Note | None, moved: Note | None = None) -> None:
        """Show below the calculation how far another label is, and which moved training point
        would give it; None hides a sentence.
        """
        for view, words in ((self.flip, said), (self.moved, moved)):
            if words is not None:
                view.show_note(words)
            view.setVisible(words is not None)

    def set_lit(self, tags: frozenset[str]) -> None:
        for view in (self.lead, self.calculation, self.flip, self.moved, self.bars):
            view.set_lit(tags)

    def as_text(self) -> str:
        """The shown words and bars as plain text."""
        if not self.hint.isHidden():
            return self.hint.as_text()
        views = [
            view
            for view in (self.lead, self.calculation, self.flip, self.moved, self.bars)
            if not view.isHidden()
        ]
        return "\n".join(view.as_text() for view in views)


def value_text(value: float | None) -> str:
    """The value with two decimals; from 100,000 and below 0.005 as `number` writes it; "" for
    None.
    """
    if value is None:
        return ""
    return number(value, 2) if abs(value) >= 1e5 or 0 < abs(value) < 0.005 else fixed(value, 2)


def opening(explanation: Explanation, problem: Problem, where: str) -> Note:
    """The lead sentence of an explanation, about `where` instead of 'This place'.

    A lead that does not begin with the place gets a sentence before it, if the problem has classes.
    """
    given = explanation.note
    where = (where or "This place").replace("{", "{{").replace("}", "}}")
    if (found := OPENING.match(given.lead)) is not None:
        verb = found["without"] or ("has the value" if problem.regress else "is now called")
        lead = OPENING.sub(lambda _: f"{where} {verb}", given.lead)
        return Note(lead, (), (), given.operands)
    if not problem.classes:
        return Note(given.lead, (), (), given.operands)
    verb = "is now called" if explanation.label >= 0 else "has"  # no class
    said = note("{label}", label=problem.class_text(explanation.label)).operands["label"]
    return Note(
        f"{where} {verb} {{label}}. {given.lead}", (), (), {**given.operands, "label": said}
    )


def flip_words(flip: "Flip", problem: Problem) -> Note:
    """'The nearest flip: 0.43 from here, by (+0.4, −0.1), it is called b; exact, since …'"""
    return note(
        "The nearest flip: {length} from here, by {move}, it is called {other}; {how}.",
        length=Operand(flip.length, about="flip"),
        move=by_axes(flip, problem),
        other=problem.class_text(flip.other),
        how=f"exact, since {flip.how}" if flip.exact else flip.how,
    )


def moved_words(flip: "PointFlip", problem: Problem) -> Note:
    """'By one training point: x₅ moved 0.43, by (+0.4, −0.1), makes it b; exact, since …'"""
    return note(
        "By one training point: {point} moved {length}, by {move}, makes it {other}; {how}.",
        point=Operand(problem.names[flip.row], about="point flip"),
        length=Operand(flip.length, about="point flip"),
        move=by_axes(flip, problem),
        other=problem.class_text(flip.other),
        how=(
            f"exact, since then {flip.how}"
            if flip.exact
            else f"{flip.how}, {counted(flip.fits, 'time')}"
        ),
    )


def by_axes(flip: "Flip", problem: Problem) -> str:
    """The move along each axis of the plane: '(+0.2, −0.1)', or '+0.2' where there is one axis."""
    moves = [end - start for start, end in zip(flip.start, flip.end, strict=True)][
        : len(problem.plane)
    ]
    said = ", ".join(("+" if move > 0 else "") + number(move, 2) for move in moves)
    return f"({said})" if len(moves) > 1 else said
