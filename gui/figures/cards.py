"""The figure of cards: small tables in lanes, with arrows between their rows."""

from math import atan2, ceil, cos, isfinite, pi, sin

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from engine.base.records import replace
from engine.base.tags import is_lit, joined
from engine.scene.scene import NO_GROUP, Card, CardRow, Cards, Role
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.cards_layout import (
    CELL_GAP,
    EDGE,
    LEAST_BAR,
    MARGIN,
    PAD,
    Places,
    bypass,
    cell_width,
    folded,
    has_bar,
    laid,
    mark_width,
    most_optional,
    named,
    row_rect,
    tick_width,
    wished,
)
from gui.figures.scrolled import ScrolledFigure
from gui.figures.wish import ANY, Wish
from gui.look import theme
from gui.look.ink import face, pen, write, write_right
from gui.look.symbols import symbol_path

RADIUS, HEAD, NEAR = 6.0, 9.0, 5.0
PALE = 0.4  # opacity of the bar of a pale row
LIT = 3.0  # from the text of an amber cell to its frame
BAR_HIGH = 0.52  # height of a bar, of its row
LEAST_ZOOM, LEAST_HALL = 0.92, 0.8  # so much cards shrink before they scroll, and in a hall
GRAIN = 100  # pixels: the least width grows by so many, so that few steps move what is beside


@shows(Cards)
class CardsFigure(ScrolledFigure):
    """Shows `Cards`. Rows grow with the room; where it is short, columns that may be left out go,
    then all shrinks a little, then the figure scrolls.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.whole = self.figure = Cards("", ())  # all of it, and what there is room for
        self._laid: tuple[object, Places] | None = None

    def set_figure(self, figure: Cards) -> None:
        self.whole = self.figure = figure
        self._laid = None
        self.content_changed()
        self._reveal()

    def _reveal(self) -> None:
        """Scroll just far enough to show the amber cards, at least the first of them; where none is
        amber, those with an amber row.
        """
        places = self.places().card
        cards = list(enumerate(self.figure.cards))
        amber = [k for k, card in cards if card.role is Role.ACTIVE] or [
            k for k, card in cards if any(row.role is Role.ACTIVE for row in card.rows)
        ]
        for k in reversed(amber):
            box = places[k]
            self.show_columns(self.zoom * box.left() - MARGIN, self.zoom * box.right() + MARGIN)
            self.show_rows(self.zoom * box.top() - MARGIN, self.zoom * box.bottom() + MARGIN)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reveal()

    def as_text(self) -> str:
        """Each card with its rows; * before amber ones; then the arrows."""
        lines = [self.whole.title] if self.whole.title else []
        for card in self.whole.cards:
            star = "*" if card.role is Role.ACTIVE else ""
            lines.append(f"{star}{card.title} {card.note}".strip())
            lines += map(starred, card.rows)
        cards = self.whole.cards
        for a, i, b, j, _ in self.whole.arrows:
            start = named(cards[a].rows[i]) if i >= 0 else cards[a].title
            end = cards[b].title or (named(cards[b].rows[j]) if j >= 0 else "")
            lines.append(f"{start} → {end}")
        return "\n".join(lines)

    def places(self) -> Places:
        """Where everything stands now."""
        room = self.maximumViewportSize()
        key = (room.width(), room.height(), theme.current().key)
        if self._laid is None or self._laid[0] != key:
            wide, high = float(room.width()), float(room.height())
            self.figure = folded(self.whole, wide, high)
            places, self.zoom = laid(self.figure, wide, high), 1.0
            over = min(wide / max(places.width, 1.0), high / max(places.height, 1.0))
            if over < 1:
                self.zoom = max(LEAST_HALL if theme.current().stroke > 1 else LEAST_ZOOM, over)
                places = laid(self.figure, wide / self.zoom, high / self.zoom)
            self._laid = key, places
        return self._laid[1]

    def content_size(self, width: int) -> QSize:
        places = self.places()
        return QSize(int(self.zoom * places.width), int(self.zoom * places.height))

    def wish(self) -> Wish:
        """Any room; at least the width of the cards without what may be left out."""
        width, _ = wished(self.whole, most_optional(self.whole))
        return Wish(least=(GRAIN * ceil(width / GRAIN), ANY.least[1]))

    @guarded
    def sizeHint(self) -> QSize:
        width, height = wished(self.whole)
        return QSize(max(140, min(int(width), 600)), max(120, min(int(height), 600)))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, 120)

    # -- pointing ----------------------------------------------------------------------------------

    def _at(self, at: QPointF) -> tuple[Card, CardRow | None] | None:
        places = self.places()  # it also chooses what there is room for
        for k, card in enumerate(self.figure.cards):
            if places.card[k].contains(at):
                for r, row in enumerate(card.rows):
                    if row_rect(places, k, r).contains(at):
                        return card, row
                return card, None
        return None

    def tip_at(self, at: QPointF) -> str:
        found = self._at(at)
        if found is None:
            return ""
        card, row = found
        return card.title if row is None else f"{card.title}: {named(row)}".removeprefix(": ")

    def tag_at(self, at: QPointF) -> str:
        found = self._at(at)
        if found is None:
            return ""
        card, row = found
        return joined(card.tag, row.tag) if row is not None else card.tag

    # -- painting ----------------------------------------------------------------------------------

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        look = theme.current()
        painter.fillRect(visible, look.colour("plane"))
        places = self.places()
        self._paint_headings(painter, places)
        if not self.figure.across:  # these may run behind a card
            self._paint_arrows(painter, places)
        for k, card in enumerate(self.figure.cards):
            self._paint_card(painter, places, k, card)
        if self.figure.across:
            self._paint_arrows(painter, places)

    def _paint_headings(self, painter: QPainter, places: Places) -> None:
        line = theme.current().line_height("body")
        heading = face("heading")
        for lane, text in enumerate(self.figure.headings):
            own = [places.card[k] for k, c in enumerate(self.figure.cards) if c.lane == lane]
            if own:
                left = min(rect.left() for rect in own)
                write(painter, left, MARGIN + line / 2 - 2, text, heading)

    def _paint_card(self, painter: QPainter, places: Places, k: int, card: Card) -> None:
        look = theme.current()
        rect = places.card[k]
        ground = look.tint(card.group) if card.group >= 0 else look.colour("field")
        painter.setBrush(ground)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        lit = bool(card.tag) and is_lit(card.tag, self.lit)
        if card.role is Role.ACTIVE:
            for colour, width in (("ink", 5.5), ("now", 2.75)):
                painter.setPen(pen(colour, width))
                painter.drawRoundedRect(rect, RADIUS, RADIUS)
        else:
            dash = (5, 4) if card.role is Role.HELD_OUT else ()
            strong = lit or card.role is Role.HELD_OUT
            painter.setPen(pen("ink" if strong else "strong", 2.5 if lit else 1.25, dash))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        y = rect.top() + EDGE + places.row / 2
        if card.title:
            write(painter, rect.left() + PAD, y, card.title, face("heading"))
            if card.note:
                small = face("caption")
                write_right(painter, rect.right() - PAD, y, card.note, small, "ink2")
            y += places.row
        if places.above[k] > bool(card.title):
            small = face("caption")
            for column, x in places.columns[k]:
                if column < len(card.columns):
                    name = card.columns[column]
                    if all(is_number(r.cells[column]) for r in card.rows if column < len(r.cells)):
                        x += cell_width(card, column) - small.width(name)
                    write(painter, rect.left() + x, y, name, small, "ink3")
        for r, row in enumerate(card.rows):
            self._paint_row(painter, places, k, row, row_rect(places, k, r))

    def _paint_row(
        self, painter: QPainter, places: Places, k: int, row: CardRow, rect: QRectF
    ) -> None:
        look = theme.current()
        card = self.figure.cards[k]
        active = row.role is Role.ACTIVE and row.cell < 0
        inner = rect.adjusted(3, 0.5, -3, -0.5)
        if active:
            painter.fillRect(inner, look.colour("now_soft"))
        elif row.role is Role.REJECTED:
            painter.fillRect(inner, look.colour("plane"))
        elif row.tint >= 0:
            painter.fillRect(inner, look.tint(row.tint))
        elif row.tag and is_lit(joined(row.tag), self.lit):
            painter.fillRect(inner, look.colour("hover"))
        if row.role is Role.BOUNDARY:
            painter.setPen(pen("ink", 1.5))
            painter.drawLine(QLineF(rect.left() + PAD, rect.top(), rect.right() - PAD, rect.top()))
        line = look.line_height("body")
        strong = active or row.role in (Role.REJECTED, Role.BOUNDARY)
        colour = "ink3" if row.role is Role.INACTIVE else "ink"
        size = "body" if places.row >= 0.9 * line else "caption"
        bold = face(size, 700)
        font = bold if strong else face(size)
        y = rect.center().y()
        if row.group != NO_GROUP:
            mark = symbol_path(
                theme.CLASS_SHAPES[row.group % len(theme.CLASS_SHAPES)], 4.2 * look.stroke
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.group(row.group))
            painter.drawPath(mark.translated(rect.left() + PAD + 5, y))
        for column, x in places.columns[k]:
            if column < len(row.cells):
                text = row.cells[column]
                lit = row.role is Role.ACTIVE and column == row.cell
                own = bold if lit else font
                if is_number(text):
                    x += cell_width(card, column) - own.width(text)
                if lit:
                    self._paint_lit(painter, rect.left() + x, y, own.width(text), places.row)
                write(painter, rect.left() + x, y, text, own, colour)
        right = rect.right() - PAD - tick_width(card)
        if row.mark:
            write_right(painter, rect.right() - PAD, y, row.mark, face("body", 700), colour)
        if row.value:
            write_right(painter, right, y, row.value, font, colour)
        if has_bar(card) and isfinite(row.bar):
            self._paint_bar(painter, places, k, row, rect)

    def _paint_lit(self, painter: QPainter, left: float, y: float, wide: float, row: float) -> None:
        """The amber box behind the text of a cell."""
        high = min(row - 2, theme.current().line_height("body"))
        box = QRectF(left - LIT, y - high / 2, wide + 2 * LIT, high)
        painter.fillRect(box, theme.current().colour("now_soft"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in (("ink", 3.5), ("now", 1.75)):
            painter.setPen(pen(colour, width))
            painter.drawRect(box)

    def _paint_bar(
        self, painter: QPainter, places: Places, k: int, row: CardRow, rect: QRectF
    ) -> None:
        look = theme.current()
        card = self.figure.cards[k]
        bold = face("body", 700)
        numbers = max(bold.width(r.value) for r in card.rows) + CELL_GAP
        last = places.columns[k][-1] if places.columns[k] else None
        cells = (
            max(bold.width(r.cells[last[0]]) for r in card.rows if last[0] < len(r.cells))
            if last
            else 0.0
        )
        start = rect.left() + (last[1] + cells + CELL_GAP if last else PAD + mark_width(card))
        end = rect.right() - PAD - tick_width(card) - numbers
        start = max(start, end - max(LEAST_BAR, 0.45 * rect.width()))
        high = BAR_HIGH * places.row
        whole = QRectF(start, rect.center().y() - high / 2, end - start, high)
        painter.fillRect(whole, look.colour("hover"))
        share = QRectF(whole)
        share.setWidth(max(1.0, whole.width() * min(max(row.bar, 0.0), 1.0)))
        active = row.role is Role.ACTIVE and row.cell < 0
        pale = PALE if row.role is Role.INACTIVE else 1.0
        painter.fillRect(share, look.colour("now" if active else "ghost", pale))
        if active:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen("ink", 1.25))
            painter.drawRect(share)
        if isfinite(row.before) and abs(row.before - row.bar) > 1e-9:
            x = whole.left() + whole.width() * min(max(row.before, 0.0), 1.0)
            painter.setPen(pen("ink2", 1.75, (2, 2)))
            painter.drawLine(QLineF(x, whole.top() - 3, x, whole.bottom() + 3))

    # -- arrows ------------------------------------------------------------------------------------

    def _paint_arrows(self, painter: QPainter, places: Places) -> None:
        lit = bool(self.figure.tag) and is_lit(self.figure.tag, self.lit)
        order = sorted(self.figure.arrows, key=lambda arrow: arrow[4] is Role.ACTIVE)
        for a, i, b, j, role in order:
            start = row_rect(places, a, i)
            end = row_rect(places, b, j)
            active = role is Role.ACTIVE or lit
            colour = "ink" if active else "ghost"
            painter.setPen(pen(colour, 2.25 if active else 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if self.figure.across:
                tip = QPointF(end.left() - 1, end.center().y())
                foot = QPointF(start.right() + 1, start.center().y())
                half = (tip.x() - foot.x()) / 2
                path = QPainterPath(foot)
                path.cubicTo(foot + QPointF(half, 0), tip - QPointF(half, 0), tip - QPointF(6, 0))
                painter.drawPath(path)
                angle = 0.0
            else:
                past = [QPointF(*place) for place in bypass(places, a, b)]
                foot, tip = _ends(start, end, past)
                last = past[-1] if past else foot
                angle = atan2(tip.y() - last.y(), tip.x() - last.x())
                back = tip - QPointF(6 * cos(angle), 6 * sin(angle))
                painter.drawPolyline([foot, *past, back])
            _head(painter, tip, angle, colour)


def starred(row: CardRow) -> str:
    """A row as text, with * before what is amber in it."""
    if row.role is not Role.ACTIVE:
        return named(row)
    if row.cell < 0:
        return f"*{named(row)}"
    cells = list(row.cells)
    cells[row.cell] = f"*{cells[row.cell]}"
    return named(replace(row, cells=tuple(cells)))


def is_number(text: str) -> bool:
    """Whether a cell holds a number, or nothing yet."""
    return not text.strip("−0123456789.,")


def _ends(start: QRectF, end: QRectF, past: list[QPointF]) -> tuple[QPointF, QPointF]:
    """The ends of an arrow from a card to one below it, towards the places that it passes."""
    first = past[0].x() if past else end.center().x()
    last = past[-1].x() if past else start.center().x()
    foot = min(max(first, start.left() + 20), start.right() - 20)
    tip = min(max(last, end.left() + 20), end.right() - 20)
    if not past:  # not all arrows of a card at one place
        foot += (start.center().x() - foot) / 2
        tip += (end.center().x() - tip) / 2
    return QPointF(foot, start.bottom() + 1), QPointF(tip, end.top() - NEAR / 2)


def _head(painter: QPainter, tip: QPointF, angle: float, colour: str) -> None:
    """The head of an arrow that points along `angle`."""
    size = HEAD * theme.current().stroke
    corners = [tip]
    for turn in (pi - 0.4, pi + 0.4):
        corners.append(
            QPointF(tip.x() + size * cos(angle + turn), tip.y() + size * sin(angle + turn))
        )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().colour(colour))
    painter.drawPolygon(QPolygonF(corners))
