"""A strip: a view at some steps of a run, side by side in one picture."""

from collections.abc import Sequence
from functools import partial
from math import ceil

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from engine.base.errors import EngineError
from engine.base.notation import cut
from engine.base.records import Record, replace
from gui.export.page import (
    Page,
    paint_page,
    step_of,
    text_piece,
)
from gui.export.shown import WHOLE, Look, Shown, found_in
from gui.look.theme import Theme

FEWEST, MOST = 2, 6  # steps of a strip
GAP, EDGE, LINE = 18.0, 14.0, 6.0  # pixels between the steps; round them; between their lines
LEAST = (140.0, 110.0)  # pixels of one step
WISHED = 1.4  # width / height of one picture
SENTENCE = 0.34  # largest share of a step's height for its sentence
LONGEST = 240  # characters of the sentence


class Cell(Record):
    """One step of a strip: its view stands below `head` and above its sentence `words`."""

    head: str
    words: str
    shown: Shown


class Strip(Record):
    """The steps of a strip and the words below all of them.

    cells: two to six
    name: of the view, as in `Shown.draw`
    """

    cells: tuple[Cell, ...]
    name: str
    page: Page


def check_count(count: int) -> None:
    """Raise EngineError unless a strip can show so many steps."""
    if not FEWEST <= count <= MOST:
        raise EngineError(
            f"A strip shows {FEWEST} to {MOST} steps, not {count:,}; choose that many, as in"
            " 0, 3, 9."
        )


def strip_of(
    shown: Shown,
    places: Sequence[int],
    data: str,
    name: str,
    *,
    caption: bool,
    explained: bool,
    hidden: frozenset[str] = frozenset(),
) -> Strip:
    """The strip of the view called `name` at the steps `places` of the run of `shown`.

    caption: with the sentence of each step, and algorithm and data below
    explained: with classes and marks below

    Raises EngineError for too few or too many steps, and a view that none of them has.
    """
    check_count(len(places))
    wanted = found_in(shown, places, name)
    cells = []
    pages = []
    for step in map(shown.at, places):
        head = step_of(step.trace, step.index, shown.unit).capitalize()
        words = cut(step.trace[step.index].note.text(), LONGEST)
        said = caption and wanted != WHOLE
        cells.append(Cell(head, words if said else "", step))
        pages.append(step.page(data, wanted, caption=caption, explained=explained, hidden=hidden))
    head = pages[-1].head.rpartition(", ")[0]
    marks = {mark.words: replace(mark, count=-1) for page in pages for mark in page.marks}
    classes = max((page.classes for page in pages), key=len)
    page = Page(head, "", classes, tuple(marks.values()), any(page.box for page in pages))
    return Strip(tuple(cells), wanted, page)


def paint_strip(painter: QPainter, area: QRectF, *, strip: Strip, look: Look) -> None:
    """Paint a strip with its words below.

    Raises EngineError where the steps would be too small to see anything.
    """
    draw = partial(_paint_cells, strip=strip, look=look)
    paint_page(painter, area, picture=draw, page=strip.page, theme=look.theme)


def _paint_cells(painter: QPainter, area: QRectF, *, strip: Strip, look: Look) -> None:
    theme, cells = look.theme, strip.cells
    painter.fillRect(area, theme.colour("plane"))
    columns = columns_for(len(cells), area)
    rows = ceil(len(cells) / columns)
    room = area.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    wide = (room.width() - (columns - 1) * GAP) / columns
    high = (room.height() - (rows - 1) * GAP) / rows
    if wide < LEAST[0] or high < LEAST[1]:
        raise EngineError(
            f"{len(cells)} steps have no room in a picture of this size; choose a larger one, or"
            " fewer steps."
        )
    said = [text_piece(cell.words, theme, "body", "ink", wide) for cell in cells if cell.words]
    below = min(SENTENCE * high, max((tall for tall, _ in said), default=0.0))
    for k, cell in enumerate(cells):
        left = room.left() + k % columns * (wide + GAP)
        top = room.top() + k // columns * (high + GAP)
        _paint_cell(painter, QRectF(left, top, wide, high), below, cell, strip.name, look)


def _paint_cell(
    painter: QPainter, area: QRectF, below: float, cell: Cell, name: str, look: Look
) -> None:
    """Paint a step; below: pixels for its sentence, which is cut there."""
    theme = look.theme
    tall, head = text_piece(cell.head, theme, "heading", "ink", area.width())
    head(painter, area.left(), area.top())
    top = area.top() + tall + LINE
    picture = QRectF(area.left(), top, area.width(), area.bottom() - top - below)
    if below:
        picture.adjust(0, 0, 0, -LINE)
    painter.save()
    painter.setClipRect(picture)
    cell.shown.draw(name, look)(painter, picture)
    painter.restore()
    painter.save()
    painter.setPen(theme.colour("line"))
    painter.drawRect(picture)
    if cell.words and below:
        room = QRectF(area.left(), picture.bottom() + LINE, area.width(), below)
        _, words = text_piece(fitting(cell.words, theme, room), theme, "body", "ink", area.width())
        words(painter, room.left(), room.top())
    painter.restore()


def fitting(words: str, theme: Theme, room: QRectF) -> str:
    """The words, cut at a space with “…” where they would be higher than `room`."""
    text = words
    while text and text_piece(text, theme, "body", "ink", room.width())[0] > room.height() + 1:
        words = words.rpartition(" ")[0]
        text = f"{words} …" if words else ""
    return text


def columns_for(count: int, area: QRectF) -> int:
    """The number of columns at which the steps come nearest to the wished shape, with few places
    left empty.
    """

    def unlike(columns: int) -> float:
        rows = ceil(count / columns)
        shape = (area.width() / columns) / (area.height() / rows)
        return max(shape / WISHED, WISHED / shape) * (1 + 0.5 * (rows * columns - count) / count)

    return min(range(1, count + 1), key=unlike)
