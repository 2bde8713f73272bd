"""Where the cards of a figure and their rows stand, in pixels."""

from math import inf, isfinite

from PySide6.QtCore import QRectF

from engine.base.records import Record, replace
from engine.scene.scene import NO_GROUP, Card, CardRow, Cards, Role
from gui.look import theme
from gui.look.ink import face

MARGIN, PAD, EDGE, CELL_GAP = 12.0, 8.0, 4.0, 10.0
LEAST_GAP, MOST_GAP = 26.0, 130.0  # between two lanes
BARE_GAP = 12.0  # between two lanes without arrows
BETWEEN = 8.0  # between two cards of a lane
LEAST_BAR, MOST_BAR = 40.0, 90.0
ROOMY, TIGHT = 1.45, 0.78  # highest and lowest row, in lines of text
IMPORTANCE = {Role.ACTIVE: 0, Role.REJECTED: 1, Role.INACTIVE: 3}  # the first go last
WIDEST = 330.0  # card with bars
APART = 16.0  # between two cards side by side


class Places(Record):
    """card: the rectangle of each card; levels: the cards of each line, from top to bottom or from
        left to right; row: the height of a row; bar: the width of the bars;
    columns: for each card the (index, left end) of the cells that are shown; above: the lines of
        each card above its rows; width, height: of all
    """

    card: tuple[QRectF, ...]
    levels: tuple[tuple[int, ...], ...]
    row: float
    bar: float
    columns: tuple[tuple[tuple[int, float], ...], ...]
    above: tuple[int, ...]
    width: float
    height: float


def laid(figure: Cards, width: float, height: float) -> Places:
    """The places of the cards in a room of this size; they may need more than that."""
    line, scale = _line()
    dropped = dropping(figure, width)
    needs = [need(card, dropped) for card in figure.cards]
    lanes = lanes_of(figure) if figure.across else broken(lanes_of(figure), needs, width)
    head = (line + 10.0) * bool(figure.headings)
    room = height - 2 * MARGIN - head
    if figure.across:
        lines = [sum(lines_of(figure.cards[k], dropped) for k in lane) for lane in lanes]
        gaps = [BETWEEN * scale * (len(lane) - 1) + 2 * EDGE * len(lane) for lane in lanes]
    else:
        lines = [sum(_tallest(figure, lanes, dropped))]
        gaps = [len(lanes) * 2 * EDGE + (len(lanes) - 1) * LEAST_GAP * scale]
    high = [(room - gap) / count for count, gap in zip(lines, gaps, strict=True) if count]
    row = max(tight() * line, min([*high, ROOMY * line]))
    make = _across if figure.across else _down
    return make(figure, lanes, needs, row, dropped, (width, height), head)


def _line() -> tuple[float, float]:
    """(height of a line of text, its share of the usual one)."""
    line = float(theme.current().line_height("body"))
    return line, line / 18


def dropping(figure: Cards, width: float) -> int:
    """How many of the columns that may be left out have to go, so that the cards fit the width."""
    most = most_optional(figure)
    return next((k for k in range(most) if wished(figure, k)[0] <= width), most)


def folded(figure: Cards, width: float, height: float) -> Cards:
    """The figure with fewer rows in cards that have words for the rest, where it is too high."""
    most = max((len(card.rows) for card in figure.cards if card.rest), default=0)
    dropped = dropping(figure, width)
    shown = figure
    for keep in range(most - 1, 0, -1):
        if wished(shown, dropped, width)[1] <= height:
            break
        shown = _kept(figure, keep)
    return shown


def _kept(figure: Cards, keep: int) -> Cards:
    """At most `keep` rows in each card that has words for the rest, and a line for the others."""
    cards = []
    places = []  # of each card: old row -> new row
    for card in figure.cards:
        count = len(card.rows)
        if not card.rest or count <= keep + 1:
            cards.append(card)
            places.append({k: k for k in range(-1, count)})
            continue
        rank = sorted(range(count), key=lambda k: (IMPORTANCE.get(card.rows[k].role, 2), k))
        chosen = sorted(rank[:keep])
        gone = [card.rows[k] for k in range(count) if k not in chosen]
        pale = all(row.role is Role.INACTIVE for row in gone)
        many = sum(row.many for row in gone)
        text = f"{many} {card.rest if pale else 'more'}"
        line = CardRow((text,), role=Role.INACTIVE, many=many)
        cards.append(replace(card, rows=(*(card.rows[k] for k in chosen), line)))
        at = {k: chosen.index(k) if k in chosen else keep for k in range(count)}
        places.append({-1: -1, **at})
    arrows = tuple((a, places[a][i], b, places[b][j], role) for a, i, b, j, role in figure.arrows)
    return replace(figure, cards=tuple(cards), arrows=arrows)


def lanes_of(figure: Cards) -> list[list[int]]:
    """The indices of the cards of each lane."""
    count = 1 + max((card.lane for card in figure.cards), default=-1)
    return [[k for k, c in enumerate(figure.cards) if c.lane == lane] for lane in range(count)]


def broken(lanes: list[list[int]], needs: list[float], width: float) -> list[list[int]]:
    """The lanes from top to bottom, each that is wider than the room broken into lines of about as
    many cards.
    """
    lines: list[list[int]] = []
    for lane in lanes:
        most = next(
            (
                n
                for n in range(len(lane), 1, -1)
                if all(
                    sum(needs[k] + APART for k in lane[at : at + n]) <= width - 2 * MARGIN
                    for at in range(0, len(lane), n)
                )
            ),
            1,
        )
        count = -(-len(lane) // most)
        alike = -(-len(lane) // max(1, count))
        lines += [lane[at : at + alike] for at in range(0, len(lane), max(1, alike))]
    return lines


def wished(figure: Cards, dropped: int = 0, width: float = inf) -> tuple[float, float]:
    """(width, height) in pixels that shows all, without the first `dropped` optional cells.

    width: of the room, into which lanes from top to bottom are broken
    """
    line, scale = _line()
    needs = [need(card, dropped) for card in figure.cards]
    lanes = lanes_of(figure) if figure.across else broken(lanes_of(figure), needs, width)
    row = tight() * line
    high = [[lines_of(figure.cards[k], dropped) * row + 2 * EDGE for k in lane] for lane in lanes]
    gaps = least_gap(figure) * scale * max(0, len(lanes) - 1)
    if not figure.across:
        along = [sum(needs[k] + APART for k in lane) for lane in lanes]
        tall = sum(max(own, default=0.0) for own in high)
        return max(along, default=0.0) + 2 * MARGIN, tall + gaps + 2 * MARGIN
    tall = max((sum(own) + BETWEEN * scale * len(own) for own in high), default=0.0)
    head = (line + 10.0) * bool(figure.headings)
    return sum(_widths(figure, lanes, needs)) + gaps + 2 * MARGIN, tall + 2 * MARGIN + head


def least_gap(figure: Cards) -> float:
    """The least gap between two lanes: arrows need more room."""
    return LEAST_GAP if figure.arrows or not figure.across else BARE_GAP


def tight() -> float:
    """The lowest row, in lines of text: words for a hall do not get smaller."""
    return TIGHT if theme.current().stroke == 1 else 0.95


def _widths(figure: Cards, lanes: list[list[int]], needs: list[float]) -> list[float]:
    """The width of each lane from left to right: of its widest card, or its heading."""
    heading = face("heading")
    found = []
    for nth, lane in enumerate(lanes):
        name = figure.headings[nth] if nth < len(figure.headings) else ""
        found.append(max([heading.width(name), *(needs[k] for k in lane)]))
    return found


def most_optional(figure: Cards) -> int:
    return max((len(card.optional) for card in figure.cards), default=0)


def lines_of(card: Card, dropped: int = 0) -> int:
    """The lines of text of a card."""
    return len(card.rows) + above(card, dropped)


def _tallest(figure: Cards, lanes: list[list[int]], dropped: int) -> list[int]:
    """The lines of the highest card of each lane."""
    return [max((lines_of(figure.cards[k], dropped) for k in lane), default=1) for lane in lanes]


def above(card: Card, dropped: int) -> int:
    """The lines above the rows: the title, and the names of columns that are shown."""
    shown = shown_cells(card, dropped)
    return bool(card.title) + any(card.columns[k] for k in shown if k < len(card.columns))


def has_bar(card: Card) -> bool:
    return any(isfinite(row.bar) for row in card.rows)


def shown_cells(card: Card, dropped: int) -> list[int]:
    """The columns of cells that are shown."""
    count = max((len(row.cells) for row in card.rows), default=0)
    gone = set(card.optional[:dropped])
    return [k for k in range(count) if k not in gone]


def cell_width(card: Card, k: int) -> float:
    """The width of a column of cells; a line like “16 rows more” is no part of it."""
    bold, small = face("body", 700), face("caption")
    name = small.width(card.columns[k]) if k < len(card.columns) else 0.0
    rows = [row for row in card.rows if k < len(row.cells) and not across_all(card, row)]
    return max([name, *(bold.width(row.cells[k]) for row in rows)])


def across_all(card: Card, row: CardRow) -> bool:
    """Whether a line that stands for several rows is written across the columns of the card."""
    return row.many > 1 and len(row.cells) == 1 and len(card.columns) > 1


def mark_width(card: Card) -> float:
    """The room for class marks before the cells."""
    return 16.0 * any(row.group != NO_GROUP for row in card.rows)


def tick_width(card: Card) -> float:
    """The room for ticks and crosses at the right end."""
    return 16.0 * any(row.mark for row in card.rows)


def need(card: Card, dropped: int = 0) -> float:
    """The least width of a card."""
    bold = face("body", 700)
    cells = sum(cell_width(card, k) + CELL_GAP for k in shown_cells(card, dropped))
    value = max([0.0, *(bold.width(row.value) for row in card.rows)])
    bar = (LEAST_BAR + CELL_GAP) * has_bar(card)
    note = face("caption").width(card.note) + CELL_GAP if card.note else 0.0
    alone = [bold.width(row.cells[0]) for row in card.rows if across_all(card, row)]
    inside = mark_width(card) + max([cells + bar + value + tick_width(card), *alone])
    return 2 * PAD + max(inside, face("heading").width(card.title) + note)


def _columns(card: Card, dropped: int) -> tuple[tuple[int, float], ...]:
    """(index, left end inside the card) of the cells that are shown."""
    x = PAD + mark_width(card)
    found = []
    for k in shown_cells(card, dropped):
        found.append((k, x))
        x += cell_width(card, k) + CELL_GAP
    return tuple(found)


def _across(
    figure: Cards,
    lanes: list[list[int]],
    needs: list[float],
    row: float,
    dropped: int,
    room: tuple[float, float],
    head: float,
) -> Places:
    """Lanes from left to right; the cards of a lane spread over the height."""
    width, height = room
    sizes = _widths(figure, lanes, needs)
    left_over = width - 2 * MARGIN - sum(sizes)
    _, scale = _line()
    gap = max(least_gap(figure) * scale, min(left_over / max(1, len(lanes) - 1), MOST_GAP * scale))
    spare = max(0.0, left_over - gap * (len(lanes) - 1)) / max(1, len(lanes))
    high = max(height - 2 * MARGIN - head, 0.0)
    rects: dict[int, QRectF] = {}
    x = MARGIN
    end = height
    for lane, size in zip(lanes, sizes, strict=True):
        tall = [lines_of(figure.cards[k], dropped) * row + 2 * EDGE for k in lane]
        least = BETWEEN * scale
        free = max(least, (high - sum(tall)) / max(1, len(lane)))
        y = MARGIN + head + (free / 2 if free > least else 0.0)
        for k, t in zip(lane, tall, strict=True):
            rects[k] = QRectF(x, y, size + spare, t)
            y += t + free
        end = max(end, y - free + MARGIN)
        x += size + spare + gap
    cards = tuple(rects[k] for k in range(len(figure.cards)))
    columns = tuple(_columns(card, dropped) for card in figure.cards)
    heads = tuple(above(card, dropped) for card in figure.cards)
    levels = tuple(map(tuple, lanes))
    return Places(cards, levels, row, LEAST_BAR, columns, heads, max(width, x - gap + MARGIN), end)


def _down(
    figure: Cards,
    lanes: list[list[int]],
    needs: list[float],
    row: float,
    dropped: int,
    room: tuple[float, float],
    head: float,
) -> Places:
    """Lanes from top to bottom; the cards of a lane spread over the width."""
    width, height = room
    tall = [
        max((lines_of(figure.cards[k], dropped) for k in lane), default=1) * row for lane in lanes
    ]
    spent = sum(tall) + 2 * EDGE * len(lanes) + 2 * MARGIN
    _, scale = _line()
    gap = max(LEAST_GAP * scale, min((height - spent) / max(1, len(lanes) - 1), MOST_GAP * scale))
    rects: dict[int, QRectF] = {}
    y = MARGIN
    full = width
    for lane, high in zip(lanes, tall, strict=True):
        slots = _slots([needs[k] for k in lane], width - 2 * MARGIN)
        x = MARGIN
        for k, slot in zip(lane, slots, strict=True):
            bars = has_bar(figure.cards[k])
            most = max(WIDEST * scale, needs[k] + MOST_BAR * scale) if bars else needs[k]
            wide = max(needs[k], min(slot - APART, most))
            own = lines_of(figure.cards[k], dropped) * row + 2 * EDGE
            top = y + (high + 2 * EDGE - own) / 2
            rects[k] = QRectF(x + (slot - wide) / 2, top, wide, own)
            x += slot
        full = max(full, x + MARGIN)
        y += high + 2 * EDGE + gap
    cards = tuple(rects[k] for k in range(len(figure.cards)))
    columns = tuple(_columns(card, dropped) for card in figure.cards)
    heads = tuple(above(card, dropped) for card in figure.cards)
    levels = tuple(map(tuple, lanes))
    high = max(height, y - gap + MARGIN)
    return Places(cards, levels, row, MOST_BAR, columns, heads, full, high)


def _slots(needs: list[float], width: float) -> list[float]:
    """The widths that the cards of a lane have for themselves: all alike, so that they stay where
    they are from step to step, unless one needs more.
    """
    alike = width / max(1, len(needs))
    if all(need + APART <= alike for need in needs):
        return [alike] * len(needs)
    spare = max(APART, (width - sum(needs)) / len(needs))
    return [need + spare for need in needs]


def bypass(places: Places, start: int, end: int) -> list[tuple[float, float]]:
    """Places (x, y) by which an arrow between cards of lanes from top to bottom gets past the cards
    of the lines between; [] where there are none.
    """
    line_of = {k: nth for nth, line in enumerate(places.levels) for k in line}
    x = places.card[start].center().x()
    x += (places.card[end].center().x() - x) / 4
    found: list[tuple[float, float]] = []
    for line in places.levels[line_of[start] + 1 : line_of[end]]:
        own = sorted((places.card[k] for k in line), key=lambda rect: rect.left())
        edges = [0.0, *(edge for rect in own for edge in (rect.left(), rect.right()))]
        edges.append(places.width)
        gaps = zip(edges[::2], edges[1::2], strict=True)  # left, right of each free strip
        wide = [(low + BETWEEN, high - BETWEEN) for low, high in gaps if high - low >= BETWEEN]
        if not wide:
            continue
        nearest = [min(max(x, (low + high) / 2 if low > high else low), high) for low, high in wide]
        x = min(nearest, key=lambda place: abs(place - x))
        found += [
            (x, min(rect.top() for rect in own) - BETWEEN),
            (x, max(rect.bottom() for rect in own) + BETWEEN),
        ]
    return found


def row_rect(places: Places, card: int, row: int) -> QRectF:
    """The rectangle of a row; with −1 of the whole card."""
    rect = places.card[card]
    if row < 0:
        return rect
    top = rect.top() + EDGE + (places.above[card] + row) * places.row
    return QRectF(rect.left(), top, rect.width(), places.row)


def named(row: CardRow) -> str:
    """A row as text."""
    cells = [cell for cell in row.cells if cell]
    return " ".join([*cells, row.value, row.mark]).strip()
