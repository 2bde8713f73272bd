"""Horizontal bars: gains, votes, weights.

Chosen amber, tied dark, the rest pale; signed values grow from a zero line. Among other
widgets, bars do not scroll: rows without room are folded.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import ceil, floor, isfinite, log10

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.base.notation import fixed, number
from engine.base.records import Record
from engine.base.tags import is_lit
from engine.protocol.step import Choice
from engine.scene.legend import BEFORE
from engine.scene.scene import NO_GROUP, Bars, Role
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.scrolled import ScrolledFigure
from gui.figures.wish import MUCH as ANY_WIDTH
from gui.figures.wish import Wish
from gui.look import theme
from gui.look.ink import Face, check_mark, face, folded, pen, write, write_right
from gui.look.theme import mix
from gui.widgets.controls import Section
from gui.widgets.fold import Fold

VISIBLE_ROWS = 12
LABEL_GAP, VALUE_GAP, MARK_GAP = 11, 13, 18
# share of the width for labels; they may take more while bars keep so many pixels
LABEL_SHARE, BAR_LEAST = 0.42, 44.0
# highest row, and the one that is wished, by the usual height; of few rows all together
HIGHEST, WANTED, FEWEST = 3.0, 1.9, 9.0
STOUT = 1.7  # most height of a bar, by the usual row
PARTS = 4  # the ends of the scale are multiples of 1, 2 or 5 · 10ⁿ / PARTS
LEAST_SPAN = 1e-290  # smaller spans get no scale: its reciprocal would overflow
EDGE = 16.0  # margin around bars that stand alone
LEVEL_DASH = (6.0, 4.0)  # pixels
SEEN = 6.0  # pixels: the row of a shorter amber bar has a ground of amber
NOT_YET = "–"  # the number of a bar without a value
TWO_LINES = 0.26  # share of the width that names in two lines may take
KEPT = 2  # number of folding bars that always show
MUCH = 1 << 20  # pixels: more than any list needs


class Row(Record, eq=True):
    """One bar. before: an earlier value, drawn as a line; detail: words below the bar, in its place
    without a value; mark: 'tie', 'check' or ''; whole: tag of all bars.
    """

    label: str
    value: float
    role: Role = Role.PLAIN
    group: int = NO_GROUP
    before: float | None = None
    detail: str = ""
    mark: str = ""
    tag: str = ""
    whole: str = ""  # the tag of all the bars


class Columns(Record, eq=True):
    """The x positions in a row, in pixels: width of the label, start and end of the bars, zero,
    pixels per unit, right end of value and mark.
    """

    label: float
    start: float
    end: float
    zero: float
    unit: float
    value: float
    mark: float


@shows(Bars)
class BarsFigure(ScrolledFigure):
    """Shows `Bars`, or the options of a `Choice` as bars."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxed = False  # show the two classes light and dark, as in the legend
        self.rows: tuple[Row, ...] = ()
        self.race = False
        self.moves = False  # the ticks are what was there before this step
        self.clusters = False  # the groups are no classes
        self.roomy = False
        self.digits = 2
        self.limit = 0.0
        self.levels: tuple[tuple[float, str], ...] = ()
        self.title = ""
        self.caption = ""
        self._tops: tuple[object, list[float]] = ("", [])

    def set_roomy(self, roomy: bool) -> None:
        """Set whether the bars are on the stage, with a margin and rows that fill the height."""
        self.roomy = roomy
        self._tops = ("", [])
        self.content_changed()

    # -- in ----------------------------------------------------------------------------------------

    def set_figure(self, bars: Bars) -> None:
        """Show a figure of the scene."""
        roles = bars.roles or (Role.PLAIN,) * len(bars.labels)
        marks = any(role is Role.GHOST for role in roles)
        marks |= bars.checked and roles.count(Role.ACTIVE) == 1
        ticked = bars.moved() if bars.ticks == BEFORE else [True] * len(bars.labels)
        rows = [
            Row(
                label,
                float(bars.values[k]),
                roles[k],
                NO_GROUP if bars.group is None else int(bars.group[k]),
                None if bars.before is None or not ticked[k] else float(bars.before[k]),
                mark=_mark(roles[k]) if marks else "",
                tag=(bars.tags[k] if bars.tags else "") or bars.tag,
                whole=bars.tag,
            )
            for k, label in enumerate(bars.labels)
        ]
        self.title = f"{bars.title}, {bars.unit}" if bars.unit else bars.title
        self.moves = bars.ticks == BEFORE
        self.clusters = bars.clusters
        self.levels = bars.levels
        self._show(rows, bars.digits, bars.limit, any(role is not Role.PLAIN for role in roles))

    def set_choice(self, choice: Choice) -> None:
        """Show the options of a decision, the best first; those without a score last, with their
        reason.
        """
        order = choice_order(choice)
        winners = len(choice.winners) > 1
        rows = []
        for k in order:
            option = choice.options[k]
            tied = winners and k in choice.winners
            role = Role.ACTIVE if k == choice.chosen else (Role.GHOST if tied else Role.PLAIN)
            rows.append(
                Row(
                    option.label,
                    float(option.score),
                    role,
                    detail=option.detail,
                    mark=_mark(role),
                    tag=option.about,
                )
            )
        self.title = choice.prompt
        self.levels = ()
        scores = [row.value for row in rows if isfinite(row.value)]
        # the best bar fills the width
        limit = max(scores, default=0.0) if min(scores, default=0.0) >= 0 else 0.0
        caption = ", ".join(part for part in (choice.unit, choice.rule if winners else "") if part)
        self._show(rows, choice.digits, limit, True, caption)

    def _show(
        self, rows: Sequence[Row], digits: int, limit: float, race: bool, caption: str = ""
    ) -> None:
        same = [row.label for row in rows] == [row.label for row in self.rows]
        self.rows = tuple(rows)
        self.digits = digits
        self.limit = limit
        self.race = race
        self.caption = caption
        self._tops = ("", [])
        if not same:
            self.verticalScrollBar().setValue(0)
        self.content_changed()
        self._reveal()

    def _reveal(self) -> None:
        """Scroll to the chosen row."""
        chosen = next((k for k, row in enumerate(self.rows) if row.role is Role.ACTIVE), -1)
        if chosen >= 0:
            self.show_rows(self._top(chosen), self._top(chosen + 1))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.roomy:
            self._tops = ("", [])
        super().resizeEvent(event)
        self._reveal()

    # -- out ---------------------------------------------------------------------------------------

    def name(self) -> str:
        return self.title or "Bars"

    def as_text(self) -> str:
        """One line per bar: label, value, tie or chosen, detail."""
        lines = [self.title] if self.title else []
        for row in self.rows:
            before = "" if row.before is None else f"before {self.value_text(row.before)}"
            words = [{"check": "chosen"}.get(row.mark, row.mark), before, row.detail]
            extra = ", ".join(word for word in words if word)
            parts = [f"{row.label}:", self.value_text(row.value), f"({extra})" if extra else ""]
            lines.append(" ".join(part for part in parts if part))
        lines += [f"line at {self.value_text(value)}: {name}" for value, name in self.levels]
        return "\n".join([*lines, self.caption] if self.caption else lines)

    def value_text(self, value: float) -> str:
        """A value with a fixed number of decimals, so that digits align."""
        if not isfinite(value):
            return "" if value != value else number(value)
        return number(value, self.digits) if abs(value) >= 1e6 else fixed(value, self.digits)

    def tag_at(self, at: QPointF) -> str:
        row = self.row_at(at)
        return row.tag if row else ""

    def tip_at(self, at: QPointF) -> str:
        row = self.row_at(at)
        if row is None or face("body", 600).width(row.label) <= self.columns().label:
            return ""
        return row.label

    def row_at(self, at: QPointF) -> Row | None:
        """The row at a place; None where there is none."""
        return next(
            (row for k, row in enumerate(self.rows) if self._top(k) <= at.y() < self._top(k + 1)),
            None,
        )

    # -- measures ----------------------------------------------------------------------------------

    def pitch(self) -> int:
        """The height of a row in pixels, without its detail."""
        usual = theme.current().line_height("body") + 3
        if not self.roomy or not self.rows:
            return usual
        room = (self.viewport().height() - self._head() - EDGE) / len(self.rows)
        highest = max(HIGHEST, FEWEST / len(self.rows))
        return int(min(highest * usual, max(usual, room)))

    def wish(self) -> Wish:
        """Any width; the height at which all bars are stout."""
        usual = WANTED * (theme.current().line_height("body") + 3)
        high = self._head() + EDGE + sum(usual + self._detail_height(row) for row in self.rows)
        return Wish((ANY_WIDTH, ceil(high)))

    def _head(self) -> float:
        """The height above the first row, with the names of the levels."""
        named = len(self.levels) * theme.current().line_height("caption")
        return named + (EDGE / 2 if self.roomy else 0.0)

    def _detail_height(self, row: Row) -> int:
        return theme.current().line_height("caption") if row.detail and isfinite(row.value) else 0

    def _top(self, row: int) -> float:
        """The top of a row in pixels; cached per theme."""
        name = theme.current().key
        if self._tops[0] != name:
            heights = (self.pitch() + self._detail_height(r) for r in self.rows)
            self._tops = (name, list(accumulate(heights, initial=self._head())))
        return self._tops[1][row]

    def content_size(self, width: int) -> QSize:
        caption = (
            len(self.caption_lines()) * theme.current().line_height("caption") + 2
            if self.caption
            else 0
        )
        return QSize(min(width, 160), int(self._top(len(self.rows))) + caption)

    def inner_width(self) -> int:
        """The width available to the figure, in pixels."""
        return self.viewport().width()

    def caption_lines(self) -> list[str]:
        """The caption, wrapped to the width."""
        wide = self.inner_width() - (2 * EDGE if self.roomy else 0.0)
        return folded(face("caption").metrics, [self.caption], int(wide)) if self.caption else []

    @guarded
    def sizeHint(self) -> QSize:
        whole = self.content_size(280).height()
        shown = self._top(min(len(self.rows), VISIBLE_ROWS))
        return QSize(
            280, int(whole if len(self.rows) <= VISIBLE_ROWS else shown + self.pitch() / 2)
        )

    @guarded
    def minimumSizeHint(self) -> QSize:
        rows = min(len(self.rows), VISIBLE_ROWS // 3)
        return QSize(140, int(self._top(rows)))

    def columns(self) -> Columns:
        """Fit the columns to the width: labels left, values and marks right, bars between. The
        scale of the bars includes 0.
        """
        width = float(self.viewport().width()) - (2 * EDGE if self.roomy else 0.0)
        bold = face("body", 700)
        rows = self.rows
        marks = any(row.mark for row in rows)
        value = width - (MARK_GAP + face("body").width("tie") if marks else 0.0)
        numbers = max((bold.width(self.value_text(r.value)) for r in rows), default=0.0)
        most = max(LABEL_SHARE * width, value - numbers - VALUE_GAP - LABEL_GAP - BAR_LEAST)
        label = min(self._names(TWO_LINES * width), most)
        start = label + LABEL_GAP
        end = max(value - numbers - VALUE_GAP, start + 16)
        shown = [v for r in rows for v in (r.value, r.before) if v is not None and isfinite(v)]
        shown += [value for value, _ in self.levels]
        low, top = extent(
            min([*shown, 0.0]), max([*shown, 0.0]), self.limit if isfinite(self.limit) else 0.0
        )
        unit = (end - start) / (top - low) if top - low > LEAST_SPAN else 0.0
        return Columns(label, start, end, start - low * unit, unit, value, width)

    def _names(self, enough: float) -> float:
        """The width of the names of the rows: on one line, or where that is wider than `enough`
        and the rows are high, on two.
        """
        bold = face("body", 700)
        widest = max((bold.width(row.label) for row in self.rows), default=0.0)
        if widest <= enough or not self._lines_fit():
            return widest
        return max(max(map(bold.width, halves(bold, row.label))) for row in self.rows)

    def _lines_fit(self) -> bool:
        """Whether two lines of text fit into a row."""
        return self.roomy and self.pitch() >= 2 * theme.current().line_height("body")

    # -- painting ----------------------------------------------------------------------------------

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        columns = self.columns()
        pitch = self.pitch()
        if self.roomy:
            painter.fillRect(visible, theme.current().colour("plane"))
            painter.translate(EDGE, 0)
        for k, row in enumerate(self.rows):
            top = self._top(k)
            if top + pitch + self._detail_height(row) >= visible.top() and top <= visible.bottom():
                self._paint_row(painter, row, top, columns)
        if columns.zero > columns.start + 1:
            painter.setPen(pen("ink", 1.25))
            bottom = self._top(len(self.rows))
            painter.drawLine(QLineF(columns.zero, self._head(), columns.zero, bottom))
        self._paint_levels(painter, columns)
        if self.caption:
            small = face("caption")
            line = theme.current().line_height("caption")
            for k, text in enumerate(self.caption_lines()):
                write(
                    painter,
                    0,
                    self._top(len(self.rows)) + (k + 0.5) * line + 1,
                    text,
                    small,
                    "ink3",
                )

    def _paint_levels(self, painter: QPainter, c: Columns) -> None:
        """Paint a dashed line over all bars for each level, its name above them."""
        small = face("caption")
        line = theme.current().line_height("caption")
        for k, (value, name) in enumerate(self.levels):
            x = c.zero + value * c.unit
            top = self._head() - (len(self.levels) - k) * line
            painter.setPen(pen("ink", 1.5, LEVEL_DASH))
            painter.drawLine(QLineF(x, top + line, x, self._top(len(self.rows))))
            wide = small.width(name)
            left = max(0.0, min(x - wide / 2, c.mark - wide))
            write(painter, left, top + line / 2, name, small, "ink2")

    def _paint_row(self, painter: QPainter, row: Row, top: float, c: Columns) -> None:
        pitch = self.pitch()
        middle = top + pitch / 2
        if is_lit(row.tag, self.lit) or is_lit(row.whole, self.lit):
            painter.fillRect(QRectF(0, top, c.mark, pitch), theme.current().colour("hover"))
        elif row.role is Role.ACTIVE and not abs(row.value * c.unit) >= SEEN:
            painter.fillRect(QRectF(0, top, c.mark, pitch), theme.current().colour("now_soft"))
        pale = self.race and row.role not in (Role.ACTIVE, Role.GHOST)
        chosen = row.role is Role.ACTIVE
        struck = row.role is Role.REJECTED
        look = face("body", 700 if chosen else 0, struck=struck)
        colour = "ink3" if pale else "ink"
        self._write_name(painter, row.label, middle, look, c.label, colour)
        if isfinite(row.value):
            usual = theme.current().line_height("body") + 3
            high = min(pitch - 6, round(STOUT * usual))
            self._paint_bar(painter, row, QRectF(c.start, middle - high / 2, 0, high), c, pale)
            look = face("body", 700 if chosen or self._moved(row) else 0)
            write_right(painter, c.value, middle, self.value_text(row.value), look, colour)
        elif row.value != row.value and not row.detail:
            write_right(painter, c.value, middle, NOT_YET, face("body"), colour)
        if row.detail:
            small = face("caption")
            line = (
                middle
                if not isfinite(row.value)
                else top + pitch + theme.current().line_height("caption") / 2 - 2
            )
            write(painter, c.start, line, small.cut(row.detail, c.mark - c.start), small, "ink3")
        if row.mark == "tie":
            write_right(painter, c.mark, middle, "tie", face("body"), "ink3")
        elif row.mark == "check":
            size = 0.85 * face("body").size
            check_mark(painter, QRectF(c.mark - size - 2, middle - 0.42 * size, size, 0.8 * size))

    def _write_name(
        self, painter: QPainter, text: str, middle: float, look: Face, room: float, colour: str
    ) -> None:
        """Write the name of a row in `room` pixels, on two lines where one is too short."""
        if look.width(text) <= room or not self._lines_fit():
            write(painter, 0, middle, look.cut(text, room), look, colour)
            return
        line = theme.current().line_height("body")
        for k, part in enumerate(halves(look, text)):
            write(painter, 0, middle + (k - 0.5) * line, look.cut(part, room), look, colour)

    def _paint_bar(self, painter: QPainter, row: Row, rect: QRectF, c: Columns, pale: bool) -> None:
        end = c.zero + row.value * c.unit
        left = min(c.zero, end)
        right = max(c.zero, end)
        if right - left < 2.5:
            left, right = (left - 2.5, left) if row.value < 0 else (left, left + 2.5)
        bar = QRectF(round(left), rect.top(), max(2.0, round(right) - round(left)), rect.height())
        fill, frame = self._look(row, pale)
        painter.setBrush(fill)
        painter.setPen(frame)
        half = frame.widthF() / 2 if frame.style() != Qt.PenStyle.NoPen else 0.0
        if bar.width() > 2 * half + 1:
            painter.drawRect(bar.adjusted(half, half, -half, -half))
        else:
            painter.fillRect(bar, frame.color())
        if self._moved(row):
            self._paint_move(painter, row, rect, c)
        if row.before is not None and isfinite(row.before):
            x = round(c.zero + row.before * c.unit)
            painter.setPen(pen(theme.current().colour("dock"), 4))
            painter.drawLine(QLineF(x, rect.top() - 2, x, rect.bottom() + 2))
            painter.setPen(pen("ghost", 2))
            painter.drawLine(QLineF(x, rect.top() - 2, x, rect.bottom() + 2))

    def _moved(self, row: Row) -> bool:
        """Whether the step changed the value of a row."""
        before = row.before
        if not self.moves or before is None or not (isfinite(before) and isfinite(row.value)):
            return False
        return self.value_text(row.value) != self.value_text(before)

    def _paint_move(self, painter: QPainter, row: Row, rect: QRectF, c: Columns) -> None:
        """Paint the way from the value before this step to the present one: in amber what has come
        to the bar, hollow and dashed what was taken off it.
        """
        before, now = row.before or 0.0, row.value
        turned = before * now < 0
        gone = (0.0, before) if turned else (now, before) if abs(now) < abs(before) else None
        came = (0.0, now) if turned else (before, now) if abs(now) > abs(before) else None
        for part, brush, dash in ((gone, "now_soft", (3, 2)), (came, "now", ())):
            if part is not None:
                ends = sorted(round(c.zero + value * c.unit) for value in part)
                way = QRectF(ends[0], rect.top(), max(3, ends[1] - ends[0]), rect.height())
                painter.setBrush(theme.current().colour(brush))
                painter.setPen(pen("ink", 1.5, dash))
                painter.drawRect(way.adjusted(0.75, 0.75, -0.75, -0.75))

    def _look(self, row: Row, pale: bool) -> tuple[QBrush, QPen]:
        """The brush and the pen of a bar."""
        look = theme.current()
        if row.role is Role.ACTIVE:
            return QBrush(look.colour("now")), pen("ink", 1.75)
        none = QPen(Qt.PenStyle.NoPen)
        if self.boxed and row.group >= 0 and not self.clusters:
            dark = look.colour("ghost" if pale else "ink")
            return QBrush(dark if row.group else look.colour("plane")), pen(
                "ghost" if pale else "ink", 1
            )
        if row.group >= 0:
            return QBrush(look.tint(row.group) if pale else look.group(row.group)), pen(
                look.group(row.group), 1
            )
        if pale:
            edge = mix(QColor(look.line), QColor(look.strong), 0.5)
            return QBrush(look.colour("line")), pen(edge, 1)
        return QBrush(look.colour("ghost")), none


def extent(low: float, high: float, limit: float = 0.0) -> tuple[float, float]:
    """The scale (low end, high end) for bars from low ≤ 0 to high ≥ 0. The ends are round numbers,
    so that the scale seldom changes from step to step; ±limit where `limit` is not exceeded.
    """
    most = max(high, -low)
    if most <= limit:
        return -limit if low < 0 else 0.0, limit
    if not 1e-300 < most < 1e300:
        return low, high
    power = 10.0 ** floor(log10(most))
    part = power * next(m for m in (1, 2, 5, 10) if most <= m * power * (1 + 1e-9)) / PARTS
    return part * floor(low / part + 1e-9), part * ceil(high / part - 1e-9)


def halves(look: Face, text: str) -> tuple[str, str]:
    """A text on two lines, broken between words where the wider line is shortest."""
    words = text.split(" ")
    ways = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min(ways, key=lambda pair: max(map(look.width, pair)), default=(text, ""))


def _mark(role: Role) -> str:
    """The mark of a role: 'check', 'tie' or ''."""
    return {Role.ACTIVE: "check", Role.GHOST: "tie"}.get(role, "")


def choice_order(choice: Choice) -> list[int]:
    """The indices of the options: the chosen one, its ties, the others by score, those without a
    score last in their order.
    """

    def rank(k: int) -> tuple[int, float]:
        score = choice.options[k].score
        if k == choice.chosen:
            return 0, 0.0
        if k in choice.winners:
            return 1, 0.0
        return (2, score if choice.smallest else -score) if score == score else (3, 0.0)

    return sorted(range(len(choice.options)), key=rank)


class FoldingBars(BarsFigure):
    """Bars as high as their rows.

    The button `more` says how many rows are folded, and unfolds them until it is pressed again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.every: tuple[Row, ...] = ()
        self.more = Fold()
        self.more.hide()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _show(
        self, rows: Sequence[Row], digits: int, limit: float, race: bool, caption: str = ""
    ) -> None:
        self.every = tuple(rows)
        super()._show(rows, digits, limit, race, caption)
        self._name_rest()

    def fit(self, pixels: int) -> None:
        """Show as many full rows as fit into `pixels`; all where a person unfolded them."""
        self._take(len(self.every))
        if self.more.isChecked() or self.whole() <= pixels:
            return
        room = pixels - (self.whole() - self._top(len(self.every))) - self.more.sizeHint().height()
        self._take(
            next((k for k in range(len(self.every) - 1, KEPT, -1) if self._top(k) <= room), KEPT)
        )

    def _take(self, count: int) -> None:
        """Show the first `count` rows."""
        if count < len(self.every) or len(self.rows) < len(self.every):
            self.rows = self.every[:count]
            self._tops = ("", [])
            self.content_changed()
        self._name_rest()

    def _name_rest(self) -> None:
        """Update the text and the visibility of `more`."""
        folded = len(self.every) - len(self.rows)
        self.more.setText(f"{folded} more" if folded else "fewer")
        self.more.setVisible(
            not self.isHidden()
            and (folded > 0 or (self.more.isChecked() and len(self.every) > KEPT))
        )

    @guarded
    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._name_rest()

    def inner_width(self) -> int:
        """The width of the figure. Not the viewport's: a hidden one keeps its first width."""
        return self.width() - 2 * self.frameWidth()

    def whole(self) -> int:
        """The height in pixels of all rows that are not folded."""
        return self.content_size(280).height()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(280, self.whole())

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, self.whole())

    def as_text(self) -> str:
        """The text of all rows, including the folded ones."""
        shown, self.rows = self.rows, self.every
        text = super().as_text()
        self.rows = shown
        return text


def height_with(section: Section, bars: FoldingBars, width: int, most: int) -> int:
    """The height of a section with these bars, after folding rows where it would exceed `most`."""
    if bars.isHidden():
        return section.height_at(width)
    bars.fit(MUCH)
    whole = section.height_at(width)
    if whole > most:
        bars.fit(bars.whole() + most - whole - section.content.spacing())
        whole = section.height_at(width)
    return whole
