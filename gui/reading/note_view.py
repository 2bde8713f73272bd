"""Widgets that show a note: its lead sentence, its formulas and its captioned facts."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from engine.protocol.step import Fact, Note
from gui.base.guard import guarded
from gui.formulas.flow import Item, Sheet, Word, widest_piece
from gui.formulas.formula import lay_formula, plain_word, short_text, template_items
from gui.look import style, theme
from gui.look.ink import face
from gui.session.changes import Change, Changes
from gui.session.playhead import Playhead


class FlowView(QWidget):
    """Base of the views of a note; subclasses lay out its text on a `Sheet`.

    hovered: the tag of the term under the pointer, '' when the pointer leaves it
    """

    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.note: Note | None = None
        self.lit: frozenset[str] = frozenset()
        self._tag = ""
        self._sheets: dict[tuple[tuple[str, int], int], Sheet] = {}

    def show_note(self, note: Note | None) -> None:
        """Show a note, or nothing."""
        before = self.heightForWidth(self.width())
        self.note = note
        self._sheets.clear()
        style.read_aloud(self, self.as_text)
        needed = self.heightForWidth(self.width())
        # the same height needs no new layout of the dock
        if not self.isVisible() or needed != before or needed > self.height():
            self.updateGeometry()
        self.update()

    def set_lit(self, tags: frozenset[str]) -> None:
        """Highlight the terms with these tags."""
        if tags != self.lit:
            self.lit = tags
            self.update()

    def as_text(self) -> str:
        """The shown words as plain text."""
        return ""

    def lay_out(self, sheet: Sheet, note: Note) -> None:
        """Fill `sheet` with the parts of `note` that this view shows."""

    def height_of(self, note: Note, width: int) -> int:
        """The height in pixels that `note` would need here, `width` pixels wide."""
        sheet = Sheet(float(max(width, 80)))
        self.lay_out(sheet, note)
        return ceil(sheet.height)

    def sheet(self, width: int) -> Sheet:
        """The layout of the note in the theme in force, `width` pixels wide."""
        key = (theme.current().key, width)
        if key not in self._sheets:
            if len(self._sheets) > 8:
                self._sheets.clear()
            made = Sheet(float(width))
            if self.note is not None:
                self.lay_out(made, self.note)
            self._sheets[key] = made
        return self._sheets[key]

    @guarded
    def hasHeightForWidth(self) -> bool:
        return True

    @guarded
    def heightForWidth(self, width: int) -> int:
        return ceil(self.sheet(max(width, 80)).height)

    @guarded
    def sizeHint(self) -> QSize:
        # Qt asks for the height at the hint's width: with this width the sheet is reused
        width = max(self.width(), 240)
        return QSize(width, self.heightForWidth(width))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._sheets.clear()
            self.updateGeometry()
        super().changeEvent(event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.sheet(max(self.width(), 80)).paint(painter, self.lit)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        self._point_at(self.sheet(max(self.width(), 80)).tag_at(at.x(), at.y()))

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self._point_at("")

    def _point_at(self, tag: str) -> None:
        if tag != self._tag:
            self._tag = tag
            self.hovered.emit(tag)


class LeadView(FlowView):
    """Shows the lead sentence of a note. style: the text style; bold: operands set in bold."""

    def __init__(
        self, parent: QWidget | None = None, style: str = "lead", bold: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(parent)
        self.style_name, self.bold = style, bold

    def as_text(self) -> str:
        return self.note.text() if self.note else ""

    def lay_out(self, sheet: Sheet, note: Note) -> None:
        sheet.flow(prose_items(note, note.lead, self.style_name, self.bold))


class FormulaView(FlowView):
    """Shows the formulas of a note with their numbers, and its facts below a rule."""

    def as_text(self) -> str:
        return "\n".join(self.note.lines()[1:]) if self.note else ""

    def lay_out(self, sheet: Sheet, note: Note) -> None:
        for k, formula in enumerate(note.formulas):
            sheet.gap(12 if k else 0)
            lay_formula(sheet, note, formula)
        if note.facts:
            if note.formulas:
                sheet.gap(11)
                sheet.rule()
                sheet.gap(10)
            lay_facts(sheet, note, note.facts)


def prose_items(
    note: Note,
    template: str,
    style: str,
    bold: frozenset[str] = frozenset(),
    colour: str = "ink",
    strong: str = "ink",
) -> list[Item]:
    """The words of a sentence with {operand} places; operands carry their tags.

    colour: of the words; strong: of the operands named in `bold`
    """
    space = face(style).width(" ")

    def operand(name: str) -> list[Item]:
        o = note.operands[name]
        weight, ink = (700, strong) if name in bold else (0, colour)
        text = short_text(o)
        words = [text] if text.startswith("(") and len(text) <= 24 else text.split(" ")
        made = [plain_word(w, style, weight, o.about, ink) for w in words]
        return [Item(w, space * (k > 0), int(k > 0)) for k, w in enumerate(made)]

    return template_items(
        template, lambda text: plain_word(text, style, 0, "", colour), operand, space, prose=True
    )


# -- facts -----------------------------------------------------------------------------------------


def lay_facts(sheet: Sheet, note: Note, facts: Sequence[Fact]) -> None:
    """Append the facts: two in a row, three if short, one where the sheet is narrow."""
    whole, word = map(max, zip(*(_fact_width(note, fact) for fact in facts), strict=True))
    across = 3 if len(facts) == 3 and whole < sheet.width / 3 - 10 else min(2, len(facts))
    across = across if word <= sheet.width / across - 10 else 1
    wide = sheet.width / across
    for first in range(0, len(facts), across):
        sheet.gap(8 if first else 0)
        row = facts[first : first + across]
        cells = [Sheet(wide - 10) for _ in row]
        for cell, fact in zip(cells, row, strict=True):
            _lay_fact(cell, note, fact)
        for k, cell in enumerate(cells):
            sheet.placed += [(box, x + k * wide, y + sheet.height) for box, x, y in cell.placed]
        sheet.gap(max(cell.height for cell in cells))


def _lay_fact(cell: Sheet, note: Note, fact: Fact) -> None:
    caption = note.fill(fact.caption).replace("{", "{{").replace("}", "}}")
    cell.flow(template_items(caption, _quiet, lambda name: [], _space(), True))
    cell.gap(1)
    cell.flow(fact_items(note, fact))


def fact_items(note: Note, fact: Fact) -> list[Item]:
    """The text of a fact: its numbers large and bold, its words small."""

    def operand(name: str) -> list[Item]:
        o = note.operands[name]
        if isinstance(o.value, str):
            words = [plain_word(w, "body", 400, o.about, "ink2") for w in o.value.split(" ")]
            return [Item(w, _space() * (k > 0), int(k > 0)) for k, w in enumerate(words)]
        return [Item(plain_word(short_text(o), "formula", 700, o.about))]

    return template_items(fact.text, _quiet, operand, _space(), prose=True)


def _quiet(text: str) -> Word:
    return plain_word(text, "body", 400, "", "ink2")


def _space() -> float:
    return face("body").width(" ")


def _fact_width(note: Note, fact: Fact) -> tuple[float, float]:
    """(width on one line, width of the longest word) of a fact, in pixels."""
    items = fact_items(note, fact)
    caption = note.fill(fact.caption)
    words = [face("body").width(word) for word in caption.split()]
    whole = max(sum(item.box.width + item.space for item in items), face("body").width(caption))
    return whole, max([*words, widest_piece(items)])


LINES, AIR = 2, 14  # least number of lines, so that few steps change the height; pixels around


class LeadLine(QFrame):
    """The sentence of the shown step, as high as the longest one since `show_if`."""

    def __init__(self, shown: Playhead) -> None:
        super().__init__()
        self._shown = shown
        style.mark(self, "dock")
        self.lead = LeadView()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD_X, 6, theme.PAD_X, 6)
        column.addWidget(self.lead)
        column.addStretch(1)
        self.hide()
        shown.changed.connect(self._on_changed)
        self.lead.hovered.connect(lambda tag: shown.pointer.light((tag,)))

    def _on_changed(self, changes: Changes) -> None:
        worded = Change.RUN | Change.FIGURES | Change.RESTRICTED
        if changes.of(self._shown.lane_view) & worded:
            self._refresh()

    def show_if(self, wanted: bool) -> None:
        """Show or hide the line, and reset its height."""
        self.setVisible(wanted)
        self.setFixedHeight(LINES * theme.current().line_height("lead") + AIR)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isHidden():
            step = self._shown.lane_view.worded
            self.lead.show_note(step.note if step is not None else None)
            needed = self.lead.heightForWidth(self.width() - 2 * theme.PAD_X) + AIR
            if needed > self.height():
                self.setFixedHeight(needed)
