"""The figure of small grey pictures. A picture that a parameter holds can be painted by hand."""

from math import ceil, hypot

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from engine.base.notation import counted, fixed
from engine.base.tags import is_lit, joined
from engine.scene.scene import Pictures
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.scrolled import ScrolledFigure
from gui.look import theme
from gui.look.ink import face, pen, write_centred
from gui.look.theme import mix

# pixels between pictures; least side; side of the size hint
GAP, LEAST, USUAL = 10.0, 48.0, 240
ROW = 0.3  # largest share of the height for the pictures below one that can be painted
NIB, STEP = 1.25, 0.25  # in cells: reach of the ink; distance between the dabs of a line
RUBBER = 0.9
HINT = "Draw here. The right button rubs out, Delete clears; arrows and Enter do without a mouse."
MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
INKED = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
CLEARED = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
KEYS = (*MOVES, *INKED, *CLEARED)


@shows(Pictures)
class PicturesFigure(ScrolledFigure):
    """Shows `Pictures`; the first one can be painted where `paints` names a parameter.

    painted(parameter, values, stroke): the cells after each change; `stroke` is the same number for
    all changes of one stroke
    """

    painted = Signal(str, object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures = Pictures("", np.zeros((0, 0, 0)))
        self.cells = np.zeros((0, 0))  # of the first picture, with what a person painted
        self.spot = (0, 0)  # the cell that the keys are at
        self.stroke = 0
        self._pen: QPointF | None = None  # last place in cells while a button is down

    def set_figure(self, pictures: Pictures) -> None:
        self.pictures = pictures
        if self._pen is None:  # a figure that arrives during a stroke is older than the stroke
            self.cells = np.array(pictures.values[0]) if len(pictures.values) else np.zeros((0, 0))
        paints = bool(pictures.paints)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if paints else Qt.FocusPolicy.NoFocus)
        self.viewport().setCursor(
            Qt.CursorShape.CrossCursor if paints else Qt.CursorShape.ArrowCursor
        )
        self.content_changed()

    def name(self) -> str:
        return self.pictures.title or "Pictures"

    def as_text(self) -> str:
        """The labels, and the rows of a single picture in tenths of ink."""
        values = self.pictures.values
        lines = [
            f"{self.pictures.title}: {counted(len(values), 'picture')}",
            *(t for t in self.pictures.labels if t),
        ]
        if len(values) == 1:
            lines += [" ".join(fixed(10 * float(v), 0) for v in row) for row in self.cells]
        return "\n".join([*lines, *[HINT] * bool(self.pictures.paints)])

    # -- measures ----------------------------------------------------------------------------------

    def below(self) -> float:
        """The height of the labels."""
        return theme.current().line_height("body") + 4.0 if any(self.pictures.labels) else 0.0

    def frames(self) -> list[QRectF]:
        """The rectangles of the pictures, as large as the room allows. Below a picture that can be
        painted the others form one row.
        """
        k = len(self.pictures.values)
        room = QRectF(self.viewport().rect())
        below = self.below()
        if not self.pictures.paints:
            return grid(k, room, below, self.pictures.across)
        # its size does not depend on the pictures below
        (pad,) = grid(1, room.adjusted(0, 0, 0, -ROW * room.height()), 0)
        row = QRectF(0, pad.bottom(), room.width(), room.bottom() - pad.bottom())
        return [pad, *grid(k - 1, row, below, k - 1)][:k]

    def content_size(self, width: int) -> QSize:
        frames = self.frames() or [QRectF()]
        right, bottom = max(f.right() for f in frames), max(f.bottom() for f in frames)
        return QSize(int(right + GAP), int(bottom + self.below() + GAP))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(
            USUAL, USUAL if self.pictures.paints or len(self.pictures.values) == 1 else USUAL // 2
        )

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(int(2 * LEAST), int(2 * LEAST))

    def frame(self, k: int) -> QRectF:
        """The rectangle of a picture."""
        return self.frames()[k]

    def cell(self, row: int, column: int, frame: QRectF | None = None) -> QRectF:
        """The rectangle of a cell in `frame`, by default the first picture's. Whole pixels, so that
        no gaps appear between cells.
        """
        frame = frame or self.frame(0)
        rows, columns = self.pictures.values.shape[1:]
        x = [round(frame.left() + frame.width() * c / columns) for c in (column, column + 1)]
        y = [round(frame.top() + frame.height() * r / rows) for r in (row, row + 1)]
        return QRectF(x[0], y[0], x[1] - x[0], y[1] - y[0])

    def tag_at(self, at: QPointF) -> str:
        p = self.pictures
        k = next((k for k, frame in enumerate(self.frames()) if frame.contains(at)), -1)
        return joined(p.tag, p.tags[k] if p.tags else "") if k >= 0 else ""

    def tip_at(self, at: QPointF) -> str:
        return HINT if self.pictures.paints and self._pen is None else ""

    # -- the hand ----------------------------------------------------------------------------------

    def in_cells(self, at: QPointF) -> QPointF:
        """A place of the content in cells of the first picture, x across and y down."""
        frame = self.frame(0)
        rows, columns = self.cells.shape
        return QPointF(
            (at.x() - frame.left()) * columns / frame.width(),
            (at.y() - frame.top()) * rows / frame.height(),
        )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        buttons = (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if not self.pictures.paints or event.button() not in buttons:
            super().mousePressEvent(event)
            return
        self.stroke += 1
        self._pen = self.in_cells(event.position() + self.origin())
        self._line(self._pen, event.button() == Qt.MouseButton.RightButton)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._pen is not None:
            self._line(
                self.in_cells(event.position() + self.origin()),
                bool(event.buttons() & Qt.MouseButton.RightButton),
            )

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._pen = None

    @guarded
    def contextMenuEvent(self, event: object) -> None:
        """No menu: the right button erases."""

    def _line(self, to: QPointF, rub: bool) -> None:
        """Paint dabs from the last place of the pen to `to`."""
        assert self._pen is not None
        dx = to.x() - self._pen.x()
        dy = to.y() - self._pen.y()
        dabs = max(1, ceil(hypot(dx, dy) / STEP))
        before = self.cells.copy()
        for k in range(1, dabs + 1):
            self._dab(self._pen.x() + dx * k / dabs, self._pen.y() + dy * k / dabs, rub)
        self._pen = to
        self._show_change(before)

    def _dab(self, x: float, y: float, rub: bool) -> None:
        """Ink or erase the cells around a place."""
        rows, columns = self.cells.shape
        far = np.hypot(np.arange(columns)[None] + 0.5 - x, np.arange(rows)[:, None] + 0.5 - y)
        self.cells = (
            np.where(far < RUBBER, 0.0, self.cells)
            if rub
            else np.maximum(self.cells, np.clip(NIB - far, 0, 1))
        )

    def _show_change(self, before: np.ndarray) -> None:
        """Repaint and emit `painted` where the cells differ from `before`."""
        if np.array_equal(before, self.cells):
            return
        self.viewport().update()
        numbers = np.round(self.cells.ravel() * self.pictures.most, 1)
        self.painted.emit(self.pictures.paints, tuple(numbers.tolist()), self.stroke)

    @guarded
    def event(self, event: QEvent) -> bool:
        """Keep the painting keys from the window's shortcuts while the figure has the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and self.own(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def own(self, event: QKeyEvent) -> bool:
        """Whether the key paints here."""
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        return bool(self.pictures.paints) and event.key() in KEYS and plain

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        before = self.cells.copy()
        if not self.own(event):
            super().keyPressEvent(event)
            return
        self.stroke += 1
        if key in MOVES:
            down, across = MOVES[key]
            rows, columns = self.cells.shape
            self.spot = (
                max(0, min(self.spot[0] + down, rows - 1)),
                max(0, min(self.spot[1] + across, columns - 1)),
            )
        elif key in INKED:
            self.cells[self.spot] = 0.0 if self.cells[self.spot] > 0.5 else 1.0
        else:
            self.cells = np.zeros_like(self.cells)
        self.viewport().update()
        self._show_change(before)

    @guarded
    def focusInEvent(self, event: object) -> None:
        self.viewport().update()

    @guarded
    def focusOutEvent(self, event: object) -> None:
        self.viewport().update()

    # -- painting ----------------------------------------------------------------------------------

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        look = theme.current()
        p = self.pictures
        paper, ink = QColor(look.field_), QColor(look.ink)
        for k, (values, frame) in enumerate(zip(p.values, self.frames(), strict=True)):
            painter.setPen(Qt.PenStyle.NoPen)
            for (r, c), value in np.ndenumerate(self.cells if k == 0 and p.paints else values):
                painter.fillRect(self.cell(r, c, frame), mix(paper, ink, float(value)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            lit = is_lit(joined(p.tag, p.tags[k] if p.tags else ""), self.lit)
            painter.setPen(pen("ink" if lit else "strong", 3 if lit else 1))
            painter.drawRect(frame)
            if k < len(p.labels):
                body = face("body", 700)
                text = body.cut(p.labels[k], frame.width() + GAP)
                write_centred(
                    painter, frame.center().x(), frame.bottom() + self.below() / 2 + 1, text, body
                )
        if p.paints:
            self._paint_pad(painter)

    def _paint_pad(self, painter: QPainter) -> None:
        """Paint the grid lines, the marked numbers and the cell that the keys are at."""
        rows, columns = self.cells.shape
        small = face("caption", 700)
        frame = self.frame(0)
        painter.setPen(pen("line", 1, scaled=False))
        for r, c in np.ndindex(rows, columns):
            painter.drawRect(self.cell(r, c, frame))
        for r, c, text in self.pictures.marks:
            middle = self.cell(r, c, frame).center()
            side = 0.5 * theme.current().line_height("caption") + 2
            box = QRectF(middle.x() - side, middle.y() - side, 2 * side, 2 * side)
            painter.setPen(pen("ink", 1.2))
            painter.setBrush(QColor(theme.current().field_))
            painter.drawRoundedRect(box, 3, 3)
            write_centred(painter, middle.x(), middle.y(), text, small)
        if self.hasFocus() and self.cells.size:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen("now", 3))
            painter.drawRect(self.cell(*self.spot).adjusted(1, 1, -1, -1))


def grid(k: int, room: QRectF, below: float, across: int = 0) -> list[QRectF]:
    """The rectangles of k squares with `below` pixels under each, `across` in a row; 0 finds the
    number that makes them largest.
    """

    def side(columns: int) -> float:
        rows = ceil(k / columns)
        wide = (room.width() - GAP * (columns + 1)) / columns
        return min(wide, (room.height() - GAP * (rows + 1)) / rows - below)

    columns = across or max(range(1, k + 1), key=side, default=1)
    each = max(LEAST / max(across, 1), float(int(side(columns)))) if k else 0.0
    places = (divmod(i, columns) for i in range(k))
    left = room.left() + GAP
    top = room.top() + GAP
    return [
        QRectF(left + c * (each + GAP), top + r * (each + below + GAP), each, each)
        for r, c in places
    ]
