"""Spreads the values of merged cells over all their places, and joins headings of several rows into
one.

A sheet stores the value of a merged cell in its first place only; a reader means it for all rows
and columns that the cell covers.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from engine.read.number_cells import is_number
from engine.read.regular import LeftOut, Line, Row, may_be_names

_HEAD = 50  # rows in which to find the beginning of the table
Corner = tuple[int, int]  # last row, from 1, and last place, from 0
Spans = dict[int, dict[int, Corner]]  # {first row: {first place: the last ones}}


def filled(lines: Iterator[Line], spans: Spans, left: LeftOut) -> Iterator[Line]:
    """The rows with merged values in all places that they cover, and the headings as one row.

    Values hidden under a merged cell stay. Titles above the table stay as they are; rows that are
    one cell merged over all columns are left out. `spans` is consumed, and may grow while `lines`
    is read, as long as it holds each row before that row comes. `left` records the filled places
    and the headings.
    """
    head = list(islice(lines, _HEAD))
    begin = _begin(head, spans)
    yield from head[:begin]
    for number, _ in head[:begin]:
        spans.pop(number, None)
    head = head[begin:]
    most = max((len(row) for _, row in head), default=0)
    depth = _depth(head, spans)
    if depth > 1:
        head[:depth] = [_merged_names(head[:depth], spans, most)]
        left.name_rows = depth
    names = [_spread(row, spans.get(number, {}), most) for number, row in head[:1]]
    width = len(names[0]) if names else most
    yield from _body(_without_captions(head, lines, spans, width, left), spans, width, left)


def _without_captions(
    head: Sequence[Line], lines: Iterator[Line], spans: Spans, width: int, left: LeftOut
) -> Iterator[Line]:
    """The rows without captions: single cells merged over all columns.

    If most rows look like captions, they are the table and stay.
    """
    found = [_is_caption(line, spans, width) for line in head[1:]].count(True)
    yield from head[:1]
    for number, row in chain(head[1:], lines):
        if 2 * found < len(head) and _is_caption((number, row), spans, width):
            left.caption(row[0])
        else:
            yield number, row


def _is_caption(line: Line, spans: Spans, width: int) -> bool:
    number, row = line
    bottom, end = spans.get(number, {}).get(0, (0, 0))
    return (
        width > 1
        and bottom == number
        and end >= width - 1
        and bool(row)
        and [*filter(None, row)] == row[:1]
    )


def _body(lines: Iterator[Line], spans: Spans, width: int, left: LeftOut) -> Iterator[Line]:
    """The filled rows of a table with `width` columns."""
    active: dict[int, tuple[int, str]] = {}  # {place: last row, value}
    for number, row in lines:
        for place in [place for place, (bottom, _) in active.items() if bottom < number]:
            del active[place]
        for begin, (bottom, end) in _ranges(row, spans.pop(number, {}), width):
            if begin or end + 1 < width or begin == end:
                active.update((place, (bottom, row[begin])) for place in range(begin, end + 1))
        if active:
            row = row + [""] * (width - len(row))
        for place, (_, value) in active.items():
            if not row[place]:
                row[place] = value
                left.merge(number, place, value)
        yield number, row


def _ranges(row: Row, spans: dict[int, Corner], width: int) -> list[tuple[int, Corner]]:
    """The merged cells with a value that begin in a row, from left to right.

    Each is cut at the next one and at the table's width.
    """
    places = sorted(place for place in spans if place < min(len(row), width) and row[place])
    ends = [*(place - 1 for place in places[1:]), width - 1]
    return [
        (place, (spans[place][0], min(spans[place][1], end)))
        for place, end in zip(places, ends, strict=False)
    ]


def _spread(row: Row, spans: dict[int, Corner], width: int) -> Row:
    """A row with the values of its merged cells in all columns that they cover."""
    wide = row + [""] * (width - len(row))
    for begin, (_, end) in _ranges(row, spans, width):
        wide[begin : end + 1] = [each or row[begin] for each in wide[begin : end + 1]]
    while wide and not wide[-1]:
        wide.pop()
    return wide


# -- headings --------------------------------------------------------------------------------------


def _begin(head: Sequence[Line], spans: Spans) -> int:
    """The number of title rows above the names: rows with a single cell that heads no columns."""
    for k, (number, row) in enumerate(head):
        places = [place for place, cell in enumerate(row) if cell]
        if len(places) > 1:
            return k
        below = head[k + 1][1] if k + 1 < len(head) else []
        beside = any(below[: places[0]])
        if beside and places[0] < spans.get(number, {}).get(places[0], (0, 0))[1]:
            return k
    return 0


def _depth(head: Sequence[Line], spans: Spans) -> int:
    """The number of rows of the headings."""
    depth = 1
    while depth < len(head) and _goes_on(head, depth, spans):
        depth += 1
    return depth


def _goes_on(head: Sequence[Line], depth: int, spans: Spans) -> bool:
    """Whether the headings, of at least `depth` rows, have another one.

    Signs are names below a cell merged over several columns, or words between names and numbers
    (units) beside cells merged over these rows.
    """
    (above, upper), (number, lower) = head[depth - 1 : depth + 1]
    if number != above + 1:
        return False
    below = [row for _, row in head[depth + 1 :]]
    high = [
        place
        for each, row in head[:depth]
        for place, (bottom, _) in _ranges(row, spans.get(each, {}), len(row))
        if bottom >= number and not any(lower[place : place + 1])
    ]
    wide = [
        each for each in _ranges(upper, spans.get(above, {}), len(lower)) if each[0] < each[1][1]
    ]
    if any(len([*filter(None, lower[begin : end + 1])]) > 1 for begin, (_, end) in wide):
        return bool(high) or may_be_names(lower, below)
    if not high or not may_be_names(lower, below):
        return False
    columns = zip(
        upper, lower, *(row + [""] * (len(lower) - len(row)) for row in below), strict=False
    )
    return any(
        name
        and unit
        and not is_number(name)
        and any(cells)
        and all(is_number(cell) for cell in cells if cell)
        for name, unit, *cells in columns
    )


def _merged_names(names: Sequence[Line], spans: Spans, width: int) -> Line:
    """Headings of several rows as one row; merged cells that reach further down begin in it."""
    parts: list[list[str]] = [[] for _ in range(width)]
    last = names[-1][0]
    carried = {}
    for number, row in names:
        below = spans.pop(number, {})
        for place, cell in enumerate(_spread(row, below, width)):
            if cell and cell not in parts[place][-1:]:
                parts[place].append(cell)
        carried.update({place: corner for place, corner in below.items() if corner[0] > last})
    spans[last] = carried
    row_of_names = [" ".join(each) for each in parts]
    while row_of_names and not row_of_names[-1]:
        row_of_names.pop()
    return last, row_of_names
