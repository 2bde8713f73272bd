"""The words below an exported picture.

They name the algorithm, the data and the step, give the step's sentence and explain the marks.
"""

from bisect import bisect_right
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from engine.base.notation import cut
from engine.base.records import Record
from engine.judge.held_out_points import held_out
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.scene.legend import Mark, legend, without
from engine.scene.scene import Scene
from engine.table.problem import Task
from gui.export.figure import in_theme
from gui.look import style
from gui.look.swatches import paint_class
from gui.look.theme import Theme
from gui.painters.mark_picture import HIGH, WIDE, paint_mark

Draw = Callable[[QPainter, QRectF], None]  # paints a whole picture into an area
Put = Callable[[QPainter, float, float], None]  # paints at x, y
Piece = tuple[float, Put]  # height, or width, and what paints it
# round the words, between lines, between entries; radius of a class
PAD, GAP, BESIDE, MARKER = 16.0, 8.0, 20.0, 5.5
MOST = 0.5  # of the height that the words may take
LONGEST = 400  # characters of the sentence, at most
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class Page(Record, eq=True):
    """The words below a picture; "" and () leave a part out.

    head: algorithm, data and number of the step
    words: the sentence of the step
    classes: (code, name) of each class
    marks: the entries of the legend
    box: whether the classes are shown by the boxes of their examples
    """

    head: str = ""
    words: str = ""
    classes: tuple[tuple[int, str], ...] = ()
    marks: tuple[Mark, ...] = ()
    box: bool = False


def page_of(
    trace: Trace,
    index: int,
    name: str,
    unit: Level = Level.STEP,
    *,
    caption: bool = True,
    explained: bool = True,
    hidden: frozenset[str] = frozenset(),
    scene: Scene | None = None,
) -> Page:
    """The words below the picture of step `index`, counted in `unit`.

    name: of the data
    caption: with head and words
    explained: with the classes and marks of the plane, without the marks in `hidden`
    scene: the picture of the step, None to make it
    """
    head = ""
    words = ""
    problem = trace.problem
    if caption:
        head, words = head_of(trace, index, name, unit), cut(trace[index].note.text(), LONGEST)
    if not explained or not problem.plane:
        return Page(head, words)
    scene = trace.algorithm.scene(trace.given, trace[index]) if scene is None else scene
    marks = legend(without((*scene.layers, *held_out(problem)), hidden))
    return Page(head, words, classes_of(trace), marks)


def head_of(trace: Trace, index: int, name: str, unit: Level) -> str:
    """Algorithm, data and step in words: “Perceptron on Spam, step 3 of 9”."""
    return f"{trace.algorithm.title} on {cut(name)}, {step_of(trace, index, unit)}"


def step_of(trace: Trace, index: int, unit: Level) -> str:
    """The step in words, “step 3 of 9”; without the total while the run goes on."""
    places = trace.indices(unit)
    number = max(0, bisect_right(places, index) - 1)
    total = f" of {len(places) - 1:,}" if trace.finished else ""
    return f"{unit.name.lower()} {number:,}{total}"


def classes_of(trace: Trace) -> tuple[tuple[int, str], ...]:
    """(code, name) of each class; () where colours stand for clusters."""
    if trace.algorithm.task is Task.CLUSTER:
        return ()
    problem = trace.problem
    return tuple((k, problem.class_text(k)) for k in range(len(problem.classes)))


def paint_page(
    painter: QPainter,
    area: QRectF,
    *,
    picture: Draw,
    page: Page,
    theme: Theme,
    band: float | None = None,
) -> None:
    """Paint the picture and its words below it.

    The words take at most half of the height; the last lines that do not fit are left out.

    band: fixed height for the words, so that pictures of several steps are equally high
    """
    painter.fillRect(area, theme.colour("plane"))
    shown = _fitting(page, theme, area)
    band = _height(shown) if band is None else band
    picture(painter, area.adjusted(0, 0, 0, -band))
    top = area.bottom() - band + GAP / 2
    painter.save()
    if shown:
        painter.fillRect(QRectF(area.left(), top - GAP / 2, area.width(), 1), theme.colour("line"))
    with in_theme(theme):  # the boxes of examples use the current one
        for high, draw in shown:
            draw(painter, area.left() + PAD, top + GAP / 2)
            top += high + GAP
    painter.restore()


def band_of(page: Page, theme: Theme, area: QRectF) -> float:
    """The height that the words need below a picture of the size of `area`."""
    return _height(_fitting(page, theme, area))


def _height(lines: list[Piece]) -> float:
    return sum(high + GAP for high, _ in lines) + GAP if lines else 0.0


def _fitting(page: Page, theme: Theme, area: QRectF) -> list[Piece]:
    """The lines that fit into `MOST` of the height of `area`."""
    room = MOST * area.height()
    used = 0.0
    shown: list[Piece] = []
    for high, draw in _lines(page, theme, area.width() - 2 * PAD):
        if used + high + GAP > room:
            break
        shown.append((high, draw))
        used += high + GAP
    return shown


def _lines(page: Page, theme: Theme, wide: float) -> list[Piece]:
    lines = [text_piece(page.head, theme, "heading", "ink", wide)] if page.head else []
    if page.words:
        lines.append(text_piece(page.words, theme, "body", "ink2", wide))
    entries: list[Piece] = []
    entries += [_class(code, name, theme, page.box) for code, name in page.classes]
    entries += [_mark(mark, theme) for mark in page.marks]
    return lines + _flowing(entries, theme, wide)


def text_piece(
    text: str, theme: Theme, kind: str, ink: str, wide: float, family: str = "text"
) -> Piece:
    """(height, paint) of a text wrapped to the width `wide`."""
    font = theme.font(kind, family)
    high = QFontMetricsF(font).boundingRect(QRectF(0, 0, wide, 1 << 14), WRAP, text).height()

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.setFont(font)
        painter.setPen(theme.colour(ink))
        painter.drawText(QRectF(x, y, wide, high + 2), WRAP, text)

    return high, draw


def _class(code: int, name: str, theme: Theme, box: bool) -> Piece:
    radius = style.scale(theme, MARKER)
    return _named(
        cut(name),
        theme,
        2 * radius,
        lambda p, x, y: paint_class(p, theme, code, QPointF(x + radius, y), radius, box),
    )


def _mark(mark: Mark, theme: Theme) -> Piece:
    words = f"{mark.words}: {mark.count:,}" if mark.count >= 0 else mark.words
    wide, high = style.scale(theme, WIDE), style.scale(theme, HIGH)

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.save()
        painter.translate(x, y - high / 2)
        paint_mark(painter, mark, theme)
        painter.restore()

    return _named(words, theme, wide, draw)


def _named(words: str, theme: Theme, wide: float, picture: Put) -> Piece:
    """(width, paint) of a small picture with words behind it.

    It is painted with its left end at x and its middle at y.
    """
    font = theme.font("body")
    metrics = QFontMetricsF(font)
    gap = 6.0

    def draw(painter: QPainter, x: float, y: float) -> None:
        picture(painter, x, y)
        painter.setFont(font)
        painter.setPen(theme.colour("ink"))
        painter.drawText(
            QPointF(x + wide + gap, y + metrics.ascent() / 2 - metrics.descent() / 2), words
        )

    return wide + gap + metrics.horizontalAdvance(words), draw


def _flowing(entries: list[Piece], theme: Theme, wide: float) -> list[Piece]:
    """(height, paint) of lines that hold the entries side by side, as many as the width allows."""
    rows: list[list[Piece]] = []
    at = 0.0
    for width, draw in entries:
        if not rows or at + width > wide:
            rows.append([])
            at = 0.0
        rows[-1].append((at, draw))
        at += width + BESIDE
    high = float(style.scale(theme, HIGH))

    def together(row: list[Piece]) -> Piece:
        def draw(painter: QPainter, x: float, y: float) -> None:
            for offset, each in row:
                each(painter, x + offset, y + high / 2)

        return high, draw

    return [together(row) for row in rows]
