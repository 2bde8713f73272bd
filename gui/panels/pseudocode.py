"""The pseudo-code panel: every line, the one at work lit; what a source prints wrongly unfolds below."""

from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from engine.core.algorithm import Algorithm
from engine.core.notation import counted
from engine.core.step import note
from gui.figures.scrolled import ScrolledFigure
from gui.look import style, theme
from gui.look.ink import face, pen, write
from gui.panels.fit_scroll import FitScroll
from gui.panels.note_view import LeadView
from gui.widgets.controls import Section

PAD, TEXT_X, BAR = 4, 12, 4
LEAST_LINES = 3  # around the lit one, where the words of the step need the height


class CodeCard(ScrolledFigure):
    """The lines in a white field; the lit one on soft amber with a bar. Long lines scroll sideways."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[tuple[str, str], ...] = ()
        self.label = ""
        style.mark(self, "panel")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it follows the lit line

    def set_lines(self, lines: tuple[tuple[str, str], ...]) -> None:
        self.lines, self.label = lines, ""
        self.horizontalScrollBar().setValue(0)
        self.content_changed()

    def light(self, label: str) -> None:
        if label == self.label:
            return
        self.label = label
        self._reveal()
        self.viewport().update()

    def _reveal(self) -> None:
        """Keep the lit line in sight, with a line on each side of it."""
        k = self.lit_line()
        if k >= 0:
            self.show_rows(max(0, self._top(k - 1)), self._top(k + 2))

    def lit_line(self) -> int:
        """Index of the lit line, −1 when none is."""
        return next((k for k, (label, _) in enumerate(self.lines) if label == self.label), -1)

    def name(self) -> str:
        return "Pseudo-code"

    def as_text(self) -> str:
        """The lines; '>' before the lit one."""
        lit = self.lit_line()
        return "\n".join(("> " if k == lit else "  ") + text for k, (_, text) in enumerate(self.lines))

    def tip_at(self, at: QPointF) -> str:
        """A line that is cut at the right, whole."""
        k = int((at.y() - PAD) // theme.current().line_height("code"))
        text = self.lines[k][1].strip() if 0 <= k < len(self.lines) else ""
        return text if self.horizontalScrollBar().maximum() and text else ""

    def _top(self, line: int) -> int:
        return PAD + line * theme.current().line_height("code")

    def content_size(self, width: int) -> QSize:
        bold = face("code", 700, "mono")
        longest = max((bold.width(text) for _, text in self.lines), default=0.0)
        return QSize(int(TEXT_X + longest + 8), self._top(len(self.lines)) + PAD)

    def sizeHint(self) -> QSize:
        size = self.content_size(0)
        return QSize(size.width(), size.height() + 2 + self._bar_height())

    def _bar_height(self) -> int:
        wide = self.content_size(0).width() > self.width() - 2
        return self.horizontalScrollBar().sizeHint().height() if wide and self.isVisible() else 0

    def minimumSizeHint(self) -> QSize:
        lines = min(LEAST_LINES, len(self.lines))
        return QSize(80, self._top(lines) + PAD + 2 + self._bar_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self._reveal()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), look.colour("field"))
        origin = self.origin()
        lit, height, width = self.lit_line(), look.line_height("code"), self.viewport().width()
        for k, (_, text) in enumerate(self.lines):
            top = self._top(k) - origin.y()
            if top + height < event.rect().top() or top > event.rect().bottom():
                continue
            if k == lit:
                painter.fillRect(QRectF(0, top, width, height), look.colour("now_soft"))
            font = face("code", 700 if k == lit else 0, "mono")
            write(painter, TEXT_X - origin.x(), top + height / 2, text, font, "ink" if k == lit else "ink2")
        if lit >= 0:
            painter.fillRect(QRectF(0, self._top(lit) - origin.y(), BAR * look.stroke, height), look.colour("now"))


class Fold(QAbstractButton):
    """A quiet line that unfolds something below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(int(face("caption").width(self.text())) + 18, theme.current().line_height("caption") + 4)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, size = self.height() / 2, face("caption").size / 3.4
        stroke = pen("ink3", 1.5)
        stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(stroke)
        painter.save()
        painter.translate(4, middle)
        painter.rotate(90 if self.isChecked() else 0)
        painter.drawPolyline(_chevron(size))
        painter.restore()
        colour = "ink" if self.underMouse() else "ink3"
        write(painter, 14, middle, self.text(), face("caption"), colour)


def _chevron(size: float) -> list[QPointF]:
    return [QPointF(-size / 2, -size), QPointF(size / 2, 0), QPointF(-size / 2, size)]


class PseudocodePanel(Section):
    """Heading with the source, the code, the errata."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Pseudo-code", rule=False, parent=parent)
        self.card = CodeCard()
        self.fold = Fold()
        self.errata = FitScroll(spacing=6)
        self.errata.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.entries: tuple[str, ...] = ()
        self._key = ""
        self.head.insertWidget(1, self.fold)
        for widget in (self.card, self.errata):
            self.content.addWidget(widget)
        self.fold.toggled.connect(self.errata.setVisible)
        self.fold.hide()
        self.errata.hide()

    def show_algorithm(self, algorithm: Algorithm[Any, Any], params: Any = None) -> None:
        """Another algorithm's code, or the same as it reads with other parameters; nothing is lit then."""
        if (lines := algorithm.code_lines(params)) != self.card.lines:
            self.card.set_lines(lines)
        if algorithm.key == self._key:
            return
        self._key = algorithm.key
        self.set_caption(", ".join(algorithm.source) if algorithm.source else "extension")
        self._set_errata(algorithm.errata)

    def around(self) -> int:
        """Pixels of height beside the lines: heading, what is round them, errata that are unfolded."""
        margins = self.inner.contentsMargins()
        errata = 0 if self.errata.isHidden() else self.errata.sizeHint().height() + self.content.spacing()
        return margins.top() + margins.bottom() + self.head.sizeHint().height() + self.inner.spacing() + errata

    def light(self, label: str) -> None:
        """Light the line of that label."""
        self.card.light(label)

    def as_text(self) -> str:
        """The code with '>' before the lit line, then the errata."""
        parts = [self.card.as_text(), *(f"Erratum: {text}" for text in self.entries)]
        return "\n".join(parts)

    def _set_errata(self, texts: tuple[str, ...]) -> None:
        self.entries = texts
        self.fold.setText(counted(len(texts), "erratum", "errata"))
        self.fold.setChecked(False)
        self.fold.setVisible(bool(texts))
        self.fold.updateGeometry()
        while self.errata.column.count():
            self.errata.column.takeAt(0).widget().deleteLater()
        for text in texts:
            view = LeadView(style="caption")
            view.show_note(note(text.replace("{", "{{").replace("}", "}}")))
            self.errata.column.addWidget(view)
