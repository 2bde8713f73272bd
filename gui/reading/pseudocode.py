"""The pseudo-code panel: the code with the line of the shown step lit, and the errata."""

import re
from textwrap import wrap
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.notation import counted
from engine.base.records import Record
from engine.protocol.algorithm import Algorithm
from engine.protocol.step import note
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.figures.scrolled import ScrolledFigure
from gui.look import style, theme
from gui.look.ink import face, write
from gui.look.style import describe
from gui.reading.note_view import LeadView
from gui.widgets.controls import ElidedLabel, Section
from gui.widgets.fold import Fold

PAD, TEXT_X, BAR, EDGES = 4, 12, 4, 2
LEAST_LINES = 3  # shown around the lit one even where the words of the step need the height
LEAST_LETTERS = 12  # of a row, however narrow the panel is


class Row(Record, eq=True):
    """A line of the code or a wrapped part of one. line: its index; indent: in pixels."""

    line: int
    text: str
    indent: float


class Sources(ElidedLabel):
    """The sources of a method: as many as fit and the number of the others, or the number alone;
    the tool tip names all.
    """

    def _elide(self) -> None:
        # a source begins with capitals: “LS, Validation” is one
        names, look = re.split(r", (?=[A-Z]{2,}\b)", self._text), QFontMetrics(self.font())
        ways = [
            ", ".join(names[:k]) + (f" +{len(names) - k}" if k < len(names) else "")
            for k in range(1, len(names) + 1)
        ]
        if self._text:
            ways.insert(0, counted(len(names), "source"))
        fitting = [way for way in ways if look.horizontalAdvance(way) + 2 <= self.width()]
        self.setText(fitting[-1] if fitting else ways[0])
        self.setToolTip(
            tip("\n".join(names) if len(names) > 1 or self.text() != self._text else "")
        )


class CodeCard(ScrolledFigure):
    """The lines of the code; the lit one on soft amber with a bar.

    Long lines wrap with a further indent. Only whole rows are shown; where not all fit, those
    around the lit line.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[tuple[str, str], ...] = ()
        self.label = ""
        self._rows: tuple[object, list[Row]] = (None, [])
        style.mark(self, "panel")
        for policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it follows the lit line

    def set_lines(self, lines: tuple[tuple[str, str], ...]) -> None:
        self.lines = lines
        self.label = ""
        self.content_changed()

    def light(self, label: str) -> None:
        if label == self.label:
            return
        self.label = label
        self._reveal()
        self.viewport().update()

    def _reveal(self) -> None:
        """Scroll by whole rows so that the lit line and a row on each side of it are visible."""
        rows = self.rows(self.width() - EDGES)
        bar = self.verticalScrollBar()
        pitch = self._pitch()
        lit = [k for k, row in enumerate(rows) if row.line == self.lit_line()]
        seen = (self.viewport().height() - 2 * PAD) // pitch
        first = bar.value() // pitch
        if lit and seen:
            first = min(max(first, lit[-1] + 2 - seen), max(0, min(lit[0] - 1, len(rows) - seen)))
        bar.setValue(first * pitch)

    def lit_line(self) -> int:
        """The index of the lit line, −1 where there is none."""
        return next((k for k, (label, _) in enumerate(self.lines) if label == self.label), -1)

    def name(self) -> str:
        return "Pseudo-code"

    def as_text(self) -> str:
        """The lines as plain text, '>' before the lit one."""
        lit = self.lit_line()
        return "\n".join(
            ("> " if k == lit else "  ") + text for k, (_, text) in enumerate(self.lines)
        )

    def rows(self, width: int) -> list[Row]:
        """The rows of all lines when wrapped to `width` pixels; kept until something changes."""
        about = self.lines, width, theme.current().key
        if self._rows[0] != about:
            self._rows = (
                about,
                [row for k, (_, text) in enumerate(self.lines) for row in rows_of(k, text, width)],
            )
        return self._rows[1]

    def _pitch(self) -> int:
        return theme.current().line_height("code")

    def _top(self, row: int) -> int:
        return PAD + row * self._pitch()

    def height_of(self, rows: int) -> int:
        return rows * self._pitch() + 2 * PAD + EDGES

    def least(self, width: int) -> int:
        """The height in pixels of three lines: the lit one and one on each side, or the nearest
        three at either end.
        """
        rows = self.rows(width - EDGES)
        lit = self.lit_line()
        first = max(0, min(lit - 1, len(self.lines) - LEAST_LINES))
        return self.height_of(sum(first <= row.line < first + LEAST_LINES for row in rows))

    def whole(self, width: int) -> int:
        """The height in pixels of all lines."""
        return self.height_of(len(self.rows(width - EDGES)))

    def content_size(self, width: int) -> QSize:
        return QSize(0, self._top(len(self.rows(self.width() - EDGES))) + PAD)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(80, self.whole(self.width()))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.height_of(min(LEAST_LINES, len(self.lines))))

    def _fit(self) -> None:
        super()._fit()
        self.verticalScrollBar().setSingleStep(self._pitch())

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reveal()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.viewport().rect(), look.colour("field"))
            origin = self.origin()
            lit = self.lit_line()
            height = self._pitch()
            width = self.viewport().width()
            for k, row in enumerate(self.rows(self.width() - EDGES)):
                top = self._top(k) - origin.y()
                if top + height < event.rect().top() or top > event.rect().bottom():
                    continue
                if row.line == lit:
                    painter.fillRect(QRectF(0, top, width, height), look.colour("now_soft"))
                    painter.fillRect(QRectF(0, top, BAR * look.stroke, height), look.colour("now"))
                font = face("code", 700 if row.line == lit else 0, "mono")
                write(
                    painter,
                    TEXT_X + row.indent,
                    top + height / 2,
                    row.text,
                    font,
                    "ink" if row.line == lit else "ink2",
                )


def rows_of(line: int, text: str, width: int) -> list[Row]:
    """The rows of one line, wrapped to `width` pixels; those after the first are indented by two
    more letters. line: its index, passed on to the rows.
    """
    look = face("code", 700, "mono")
    letter = look.width("0")
    room = max(LEAST_LETTERS, int((width - TEXT_X - 4) / letter))
    inner = len(text) - len(text.lstrip(" "))
    folded = wrap(
        text.strip(),
        max(LEAST_LETTERS, room - inner),
        subsequent_indent="  ",
        break_on_hyphens=False,
    ) or [""]
    return [
        Row(line, part.strip(" "), (inner + 2 * (k > 0)) * letter) for k, part in enumerate(folded)
    ]


class PseudocodePanel(Section):
    """The section with the code: its sources in the heading, its errata unfolding below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Pseudo-code", Sources(kind="caption"), rule=False, parent=parent)
        self.card = CodeCard()
        self.fold = Fold()
        self.errata = QWidget()
        column = QVBoxLayout(self.errata)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.entries: tuple[str, ...] = ()
        self._key = ""
        self.head.insertWidget(1, self.fold)
        for widget in (self.card, self.errata):
            self.content.addWidget(widget)
        self.fold.toggled.connect(self.errata.setVisible)
        self.fold.hide()
        self.errata.hide()

    def show_algorithm(self, algorithm: Algorithm[Any, Any], params: Any = None) -> None:
        """Show the code of an algorithm as it reads with these parameters. Where the code changes,
        no line is lit.
        """
        if (lines := algorithm.code_lines(params)) != self.card.lines:
            self.card.set_lines(lines)
        if algorithm.key == self._key:
            return
        self._key = algorithm.key
        self.set_caption(", ".join(algorithm.source) if algorithm.source else "extension")
        self._set_errata(algorithm.errata)

    def heights(self, width: int) -> tuple[int, int]:
        """(least, whole): the height in pixels with three lines of code and with all, `width`
        pixels wide; unfolded errata are included in both.
        """
        margins = self.inner.contentsMargins()
        inner = width - margins.left() - margins.right()
        errata = (
            0
            if self.errata.isHidden()
            else self.errata.layout().totalHeightForWidth(inner) + theme.GAP
        )
        around = self.around() + errata
        return around + self.card.least(inner), around + self.card.whole(inner)

    def rows_in(self, width: int, height: int) -> int:
        """`height` in pixels, reduced so that the code shows whole rows only."""
        least, _ = self.heights(width)
        return height - max(0, height - least) % theme.current().line_height("code")

    def light(self, label: str) -> None:
        """Light the line with this label."""
        self.card.light(label)

    def as_text(self) -> str:
        """The code with '>' before the lit line, then the errata, as plain text."""
        parts = [self.card.as_text(), *(f"Misprint in the source: {text}" for text in self.entries)]
        return "\n".join(parts)

    def _set_errata(self, texts: tuple[str, ...]) -> None:
        self.entries = texts
        self.fold.setText(counted(len(texts), "misprint", "misprints"))
        describe(
            self.fold, self.fold.text(), "What a source prints wrongly here, and what is right"
        )
        self.fold.setChecked(False)
        self.fold.setVisible(bool(texts))
        self.fold.updateGeometry()
        while self.errata.layout().count():
            self.errata.layout().takeAt(0).widget().deleteLater()
        for text in texts:
            view = LeadView(style="caption")
            view.show_note(note(text.replace("{", "{{").replace("}", "}}")))
            self.errata.layout().addWidget(view)
