"""Handouts: chosen steps on pages of paper, as PDF.

Each step has its picture, its line of the pseudo-code, its sentence and its formulas.
"""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from engine.base.errors import EngineError
from engine.base.notation import cut, quoted
from engine.base.records import Record, replace
from engine.files.atomic import write_atomic
from engine.protocol.step import Level
from engine.runs.chosen_steps import Chosen
from engine.runs.run import Run
from engine.runs.trace import Trace
from gui.export.encoders import refuse_place
from gui.export.film import Ask, Tick, always, counted_off, followed, here
from gui.export.kinds import Kind, check_size
from gui.export.page import Draw, text_piece
from gui.export.render import ensure_application
from gui.export.shown import Look, Shown, found_in, prepared_draw
from gui.export.words import Cell, paint_words
from gui.look.theme import THEMES, Theme
from gui.painters.view import View

DOTS = 96  # pixels of the theme per inch
MARGIN, GAP = 44.0, 20.0  # round the page, between two steps
HEAD, FOOT = 34.0, 22.0  # heights of the page's title and of its number
INSIDE = 10.0  # between picture and words
PAPERS = {"A4": QPageSize.PageSizeId.A4, "Letter": QPageSize.PageSizeId.Letter}
Place = tuple[QRectF, QRectF]  # of the picture, of the words
Piece = tuple[QRectF, Draw]  # where something is painted, and what


class Layout(Record, eq=True):
    """How the steps of a page are laid out.

    columns, rows: of the steps on a page
    beside: words at the right of the picture, else below it
    share: of a step's width (beside) or height that the picture takes
    type_: scale of type and marks, relative to a window
    """

    columns: int
    rows: int
    beside: bool
    share: float
    type_: float = 1.0


LAYOUTS = {
    2: Layout(1, 2, True, 0.56),
    4: Layout(2, 2, False, 0.46),
    6: Layout(2, 3, False, 0.54, 0.8),
}


class Handout(Record, eq=True):
    """How a handout looks.

    per_page: 2, 4 or 6 steps
    paper: A4 or Letter
    view_name: of the view, as in `Film`
    view, hatch, hidden: as in `render_view`
    """

    per_page: int = 4
    paper: str = "A4"
    theme: str = "light"
    view_name: str = ""
    view: View | None = None
    hatch: bool = False
    hidden: frozenset[str] = frozenset()

    def check(self) -> None:
        """Raise EngineError for an unknown number of steps per page, paper or theme."""
        if self.per_page not in LAYOUTS:
            raise EngineError(f"A page of a handout has 2, 4 or 6 steps, not {self.per_page}.")
        if self.paper not in PAPERS:
            raise EngineError(f"Paper is {' or '.join(PAPERS)}, not {quoted(self.paper)}.")
        if self.theme not in THEMES:
            raise EngineError(
                f"There is no theme {quoted(self.theme)}; there are {', '.join(THEMES)}."
            )

    @property
    def area(self) -> QRectF:
        """The whole page, in the theme's pixels."""
        inches = QPageSize(PAPERS[self.paper]).size(QPageSize.Unit.Inch)
        return QRectF(0, 0, inches.width() * DOTS, inches.height() * DOTS)

    def places(self) -> list[Place]:
        """(picture, words) areas of each step on a page, row by row."""
        layout = LAYOUTS[self.per_page]
        room = self.area.adjusted(MARGIN, MARGIN + HEAD, -MARGIN, -MARGIN - FOOT)
        wide = (room.width() - (layout.columns - 1) * GAP) / layout.columns
        high = (room.height() - (layout.rows - 1) * GAP) / layout.rows
        cells = [
            QRectF(room.left() + column * (wide + GAP), room.top() + row * (high + GAP), wide, high)
            for row in range(layout.rows)
            for column in range(layout.columns)
        ]
        return [_parted(cell, layout) for cell in cells]


def _parted(cell: QRectF, layout: Layout) -> Place:
    if layout.beside:
        wide = layout.share * cell.width()
        return cell.adjusted(0, 0, wide - cell.width(), 0), cell.adjusted(wide + INSIDE, 0, 0, 0)
    high = layout.share * cell.height()
    return cell.adjusted(0, 0, 0, high - cell.height()), cell.adjusted(0, high + INSIDE, 0, 0)


def save_handout(
    run: Run,
    name: str,
    chosen: Chosen,
    path: str | Path,
    handout: Handout,
    ask: Ask = here,
    tick: Tick = always,
) -> list[int]:
    """Write the chosen steps of a run as PDF; arguments, result and errors as in `save_film`."""
    handout.check()
    refuse_place(Kind.PDF, Path(path))
    if chosen.last is not None and not run.finished:  # else its length is known
        check_size(Kind.PDF, chosen.most or 0, (1, 1))
    numbers, places = followed(run, chosen, tick)
    check_size(Kind.PDF, len(places), (1, 1))
    ask(ensure_application)
    title = f"{run.algorithm.title} on {cut(name)}"
    paper = ask(partial(Paper, handout, title, len(places)))
    try:
        for cell in counted_off(_cells(run.trace, places, chosen.unit, handout), len(places), tick):
            for piece in paper.pieces(cell):
                ask(partial(paper.add, piece))
    finally:
        ask(paper.close)
    write_atomic(path, [paper.content])
    return numbers


def _cells(trace: Trace, places: Sequence[int], unit: Level, handout: Handout) -> Iterator[Cell]:
    """Yield a cell for each of the steps `places`; their surfaces are computed here."""
    theme = THEMES[handout.theme]
    layout = LAYOUTS[handout.per_page]
    picture_area = handout.places()[0][0]
    area = QRectF(0, 0, picture_area.width() / layout.type_, picture_area.height() / layout.type_)
    first = Shown(trace, places[0], unit)
    name = found_in(first, places, handout.view_name)
    look = Look(theme, handout.view, handout.hatch, handout.hidden)
    for shown in map(first.at, places):
        yield replace(shown.cell(), picture=prepared_draw(shown, name, look, area))


class Paper:
    """A PDF in the making, painted on the window's thread alone.

    content: the bytes of the file, after `close`
    """

    def __init__(self, handout: Handout, title: str, total: int) -> None:
        """total: number of steps."""
        self.content = b""
        self._handout, self._title = handout, title
        self._pages = -(-total // handout.per_page)
        self._added = 0
        self._places = handout.places()
        self._data = QByteArray()
        self._buffer = QBuffer(self._data)
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._writer = QPdfWriter(self._buffer)
        self._writer.setPageSize(QPageSize(PAPERS[handout.paper]))
        self._writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        self._writer.setResolution(8 * DOTS)
        self._writer.setTitle(title)
        self._writer.setCreator("Learnscope")
        self._painting = self._paint()
        next(self._painting)

    @property
    def _theme(self) -> Theme:
        return THEMES[self._handout.theme]

    def pieces(self, cell: Cell) -> Iterator[Piece]:
        """Yield the parts of the next step that are to be painted.

        One part at a time, so that the window can respond between them.
        """
        words: Draw = partial(paint_words, cell=cell, theme=self._theme)
        place = self._added % self._handout.per_page
        if place == 0:
            yield (
                self._handout.area,
                partial(self._begin_page, number=self._added // self._handout.per_page + 1),
            )
        self._added += 1
        yield from zip(self._places[place], (cell.picture, words), strict=True)

    def add(self, piece: Piece) -> None:
        """Paint a part that `pieces` has yielded."""
        self._painting.send(piece)

    def close(self) -> None:
        self._painting.close()
        self._buffer.close()
        self.content = bytes(self._data.data())

    def _paint(self) -> Generator[None, Piece, None]:
        """Paint each part that is sent in; closing it, or an exception, ends the painter."""
        scale = LAYOUTS[self._handout.per_page].type_
        with QPainter(self._writer) as painter:
            painter.scale(8, 8)
            while True:
                area, draw = yield
                if area == self._handout.area:
                    draw(painter, area)
                    continue
                painter.save()
                painter.translate(area.topLeft())
                painter.scale(scale, scale)
                inner = QRectF(0, 0, area.width() / scale, area.height() / scale)
                painter.setClipRect(inner)
                draw(painter, inner)
                painter.restore()

    def _begin_page(self, painter: QPainter, area: QRectF, *, number: int) -> None:
        if number > 1:
            self._writer.newPage()
        theme = self._theme
        painter.fillRect(area, theme.colour("plane"))
        room = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        _, title = text_piece(self._title, theme, "heading", "ink", room.width())
        title(painter, room.left(), room.top())
        high, foot = text_piece(
            f"{number} of {self._pages}", theme, "caption", "ink3", room.width()
        )
        foot(painter, room.left(), room.bottom() - high)
