"""The words of a step beside its picture: line of code, sentence and formulas."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from engine.base.notation import cut
from engine.base.records import Record
from engine.protocol.step import Note
from gui.export.figure import in_theme
from gui.export.page import Draw, text_piece
from gui.formulas.flow import Sheet
from gui.formulas.formula import lay_formula
from gui.look.theme import Theme

LINES = 8.0  # pixels between the kinds of words
LIT = 3.0  # how far the ground of the lit line reaches above and below it
LONGEST = 400  # characters of the sentence, at most
SMALLEST = 0.65  # the smallest scale of a formula


class Cell(Record, eq=True):
    """One step: `picture` paints it, the others are its words."""

    picture: Draw
    head: str
    code: str
    note: Note


def paint_words(painter: QPainter, area: QRectF, *, cell: Cell, theme: Theme) -> None:
    """Paint head, line of code, sentence and formulas below each other, as far as there is room."""
    y = 0.0
    texts = [
        (cell.head, "heading", "ink", "text"),
        (cut(cell.note.text(), LONGEST), "body", "ink", "text"),
    ]
    if cell.code:
        texts.insert(1, (cell.code, "body", "ink2", "mono"))
    for text, kind, ink, family in texts:
        high, draw = text_piece(text, theme, kind, ink, area.width(), family)
        if y + high > area.height():
            return
        if family == "mono":  # lit, as on the screen
            painter.fillRect(
                QRectF(0, y - LIT, area.width(), high + 2 * LIT), theme.colour("now_soft")
            )
        draw(painter, 0.0, y)
        y += high + LINES
    with in_theme(theme):
        _paint_formulas(painter, area.adjusted(0, y, 0, 0), cell.note)


def _paint_formulas(painter: QPainter, room: QRectF, note: Note) -> None:
    """Paint the formulas at the size of the screen, or smaller where they are too high.

    Formulas at the end that do not fit even at the smallest scale are left out.
    """
    for count in range(len(note.formulas), 0, -1):
        for scale in (1.0, 0.85, 0.75, SMALLEST):
            sheet = Sheet(room.width() / scale)
            for k, formula in enumerate(note.formulas[:count]):
                sheet.gap(12 if k else 0)
                lay_formula(sheet, note, formula)
            if sheet.height * scale <= room.height():
                painter.save()
                painter.translate(room.topLeft())
                painter.scale(scale, scale)
                sheet.paint(painter)
                painter.restore()
                return
