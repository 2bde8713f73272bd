"""Tables, matrices, bars and small pictures as HTML."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from engine.base.arrays import Float
from engine.base.notation import class_text, counted, fixed, number, row_name
from engine.scene.figures import Bars, Blocks, Cards, Matrix, Pictures, Table, TableColumn
from engine.scene.layers import Role
from engine.web.look import COLOURS
from engine.web.markup import escaped, size
from engine.web.png import data_uri

MOST_ROWS, MOST_COLUMNS, MOST_BARS = 40, 14, 30
SHADE = 0.42  # of ink in the darkest cell of a matrix
GREYS = 255
LONGEST = 28  # letters of a cell


def table(figure: Table) -> list[str]:
    """The table as HTML, one part for the head and one for each row that `shown_rows` gives."""
    columns = figure.columns[:MOST_COLUMNS]
    digits = [_digits(column) for column in columns]
    left_out = len(figure.columns) - len(columns)
    heads = "".join(
        f'<th class="{_column_class(c)}">{escaped(_short(c.feature.title))}</th>' for c in columns
    )
    more = f"<th>{counted(left_out, 'column')} more</th>" if left_out else ""
    parts = [f'<table class="tb"><thead><tr><th></th>{heads}{more}</tr></thead><tbody>']
    rows = shown_rows(figure)
    parts += [_row(figure, columns, digits, row) for row in rows]
    parts.append("</tbody></table>")
    if len(rows) < len(figure.names):
        parts.append(f'<p class="cap">and {counted(len(figure.names) - len(rows), "row")} more</p>')
    return parts


def shown_rows(figure: Table) -> list[int]:
    """The indices of at most MOST_ROWS rows, ascending: current rows first, then active ones, then
    the others fill up.
    """
    n = len(figure.names)
    if n <= MOST_ROWS:
        return list(range(n))
    playing = [] if figure.active is None else np.flatnonzero(figure.active)[:MOST_ROWS].tolist()
    wanted = dict.fromkeys(
        [*(row for row in figure.current if 0 <= row < n), *playing, *range(MOST_ROWS)]
    )
    return sorted(list(wanted)[:MOST_ROWS])


def _row(figure: Table, columns: Sequence[TableColumn], digits: list[int], row: int) -> str:
    now = "now" if row in figure.current else ""
    pale = "" if figure.active is None or figure.active[row] else "pale"
    group = -1 if figure.group is None else int(figure.group[row])
    number_ = figure.numbers[row] if figure.numbers else row + 1
    box = f' class="bx f{group % COLOURS}"' if group >= 0 else ' class="bx"'
    name = figure.names[row] if number_ else ""
    called = _short(name) if name and name != row_name(number_ - 1) else number_ or "?"
    cells = "".join(
        f'<td class="{_column_class(column)}">{escaped(_short(_cell(column, float(column.values[row]), places)))}</td>'
        for column, places in zip(columns, digits, strict=True)
    )
    return (
        f'<tr class="{f"{now} {pale}".strip()}"><th><i{box}></i>{escaped(called)}</th>{cells}</tr>'
    )


def _cell(column: TableColumn, value: float, digits: int) -> str:
    feature = column.feature
    if feature.numeric and value == value:
        return (
            fixed(value, digits) if isfinite(value) and abs(value) < 1e15 else number(value, digits)
        )
    if column.role is Role.BOUNDARY and feature.categories and value == value:
        return class_text(feature.categories[int(value)], feature.categories)
    return feature.text(value)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _column_class(column: TableColumn) -> str:
    looks = {Role.ACTIVE: "on", Role.REJECTED: "out", Role.BOUNDARY: "target"}
    return f"{looks.get(column.role, '')} {'n' if column.feature.numeric else ''}".strip()


def _digits(column: TableColumn) -> int:
    """No decimals where every number is whole."""
    values = np.asarray(column.values, np.float64)
    known = values[np.isfinite(values)]
    return (
        0
        if np.array_equal(known, np.round(known)) and np.abs(known).max(initial=0) < 1e9
        else column.digits
    )


# -- matrices --------------------------------------------------------------------------------------


def matrix(figure: Matrix) -> list[str]:
    """The matrix as HTML, one part for the head and one for each row; at most MOST_ROWS rows and
    columns.
    """
    rows, columns = len(figure.row_labels), len(figure.column_labels)
    shown = range(min(rows, MOST_ROWS)), range(min(columns, MOST_COLUMNS))
    plain = np.asarray(figure.values, np.float64)[: rows - figure.measures]
    known = plain[np.isfinite(plain)]
    whole = np.array_equal(known, np.round(known))
    most = float(np.abs(known).max(initial=0.0))
    named = " / ".join(part for part in (figure.y_label, figure.x_label) if part)
    heads = "".join(f"<th>{escaped(_short(figure.column_labels[c]))}</th>" for c in shown[1])
    parts = [
        f'<table class="tb mx"><thead><tr><th>{escaped(named)}</th>{heads}</tr></thead><tbody>'
    ]
    lit = {(int(r), int(c)) for r, c in figure.active}
    for r in shown[0]:
        digits = 0 if whole and r < rows - figure.measures else figure.digits
        share = most if figure.shade and r < rows - figure.measures else 0.0
        cells = "".join(
            _shaded(float(figure.values[r, c]), digits, share, (r, c) in lit) for c in shown[1]
        )
        parts.append(f"<tr><th>{escaped(_short(figure.row_labels[r]))}</th>{cells}</tr>")
    parts.append("</tbody></table>")
    if (rows, columns) != (len(shown[0]), len(shown[1])):
        parts.append(f'<p class="cap">of {rows:,} rows and {columns:,} columns</p>')
    return parts


def blocks(figure: Blocks) -> list[str]:
    """Each grid of numbers as a matrix under its title."""
    parts = []
    for block in figure.blocks:
        rows, columns = block.values.shape
        active = [
            (r, c)
            for row, column, high, wide in block.frames
            for r in range(row, row + high)
            for c in range(column, column + wide)
        ]
        parts.append(f'<p class="cap">{escaped(block.title)}</p>')
        parts += matrix(
            Matrix(
                block.title,
                block.row_labels or ("",) * rows,
                block.column_labels or ("",) * columns,
                block.values,
                tuple(active),
                block.digits,
                block.look == "shaded",
            )
        )
    return parts


def cards(figure: Cards) -> list[str]:
    """Each card as a table under its title."""
    parts = []
    for card in figure.cards:
        note = f" · {card.note}" if card.note else ""
        parts.append(f'<p class="cap">{escaped(card.title + note)}</p>')
        body = ""
        for row in card.rows:
            cells = "".join(f"<td>{escaped(_short(cell))}</td>" for cell in row.cells)
            now = ' class="now"' if row.role is Role.ACTIVE else ""
            last = escaped(f"{row.value} {row.mark}".strip())
            body += f'<tr{now}>{cells}<td class="n">{last}</td></tr>'
        if body:
            parts.append(f'<table class="tb"><tbody>{body}</tbody></table>')
    return parts


def _shaded(value: float, digits: int, most: float, lit: bool) -> str:
    text = (
        ""
        if value != value
        else number(value, digits)
        if abs(value) >= 1e6
        else fixed(value, digits)
    )
    share = 100 * SHADE * abs(value) / most if isfinite(value) and most > 0 else 0.0
    ground = f' style="--s:{size(share)}%"' if share >= 0.1 and not lit else ""
    return f'<td class="n{" now" if lit else ""}"{ground}>{escaped(text)}</td>'


# -- bars ------------------------------------------------------------------------------------------


def bars(figure: Bars) -> list[str]:
    """One part for each bar: label, bar from a line at zero, value."""
    values = np.asarray(figure.values, np.float64)
    before = None if figure.before is None else np.asarray(figure.before, np.float64)
    every = np.concatenate([values, np.zeros(1), *([] if before is None else [before])])
    every = every[np.isfinite(every)]
    low = min(0.0, float(every.min()))
    high = max(0.0, float(every.max()))
    if isfinite(figure.limit) and figure.limit > 0:
        high = max(high, figure.limit)
        low = min(low, -figure.limit) if low < 0 else low
    span = high - low if high - low > 1e-290 else 1.0
    roles = figure.roles or (Role.PLAIN,) * len(figure.labels)
    race = any(role is not Role.PLAIN for role in roles)
    title = f"{figure.title}, {figure.unit}" if figure.unit else figure.title
    parts = [f'<table class="bars" aria-label="{escaped(title)}"><tbody>']
    for k in _shown_bars(roles, len(values)):
        value = float(values[k])
        start, end = sorted((-low / span, (value - low) / span)) if isfinite(value) else (0.0, 0.0)
        tick = float("nan") if before is None else float(before[k])
        group = -1 if figure.group is None else int(figure.group[k])
        pale = race and roles[k] not in (Role.ACTIVE, Role.GHOST)
        colour = (
            f' style="--b:var(--c{group % COLOURS})"'
            if group >= 0 and roles[k] is not Role.ACTIVE
            else ""
        )
        was = f'<s style="left:{_percent((tick - low) / span)}"></s>' if isfinite(tick) else ""
        drawn = f'<i class="{roles[k].value}{" pale" if pale else ""}" style="left:{_percent(start)};width:{_percent(end - start)}"></i>'
        text = (
            ""
            if value != value
            else number(value, figure.digits)
            if abs(value) >= 1e6
            else fixed(value, figure.digits)
            if isfinite(value)
            else number(value)
        )
        note = (
            " tie"
            if roles[k] is Role.GHOST
            else " ✓"
            if roles[k] is Role.ACTIVE and roles.count(Role.ACTIVE) == 1
            else ""
        )
        parts.append(
            f'<tr class="{roles[k].value}"{colour}><th>{escaped(_short(figure.labels[k]))}</th>'
            f'<td class="bar">{drawn}{was}</td><td class="n">{escaped(text)}{note}</td></tr>'
        )
    parts.append("</tbody></table>")
    if len(values) > MOST_BARS:
        parts.append(f'<p class="cap">of {counted(len(values), "bar")}</p>')
    return parts


def _shown_bars(roles: Sequence[Role], count: int) -> list[int]:
    chosen = [k for k in range(count) if roles[k] is Role.ACTIVE]
    return sorted(list(dict.fromkeys([*chosen, *range(count)]))[:MOST_BARS])


def _percent(share: float) -> str:
    return f"{size(100 * min(1.0, max(0.0, share)))}%"


# -- pictures --------------------------------------------------------------------------------------


def pictures(figure: Pictures) -> list[str]:
    """One part for each small grey picture with its label."""
    values: Float = np.nan_to_num(np.asarray(figure.values, np.float64))
    parts = ['<div class="gallery">']
    for k, cells in enumerate(values[:MOST_BARS]):
        label = figure.labels[k] if k < len(figure.labels) else ""
        grey = GREYS - np.round(np.clip(cells, 0, 1) * 15).astype(np.intp) * (GREYS // 15)
        alt = escaped(label or f"picture {k + 1}")
        parts.append(
            f'<figure><img class="px ink" alt="{alt}" src="{data_uri(grey)}"/><figcaption>{escaped(label)}</figcaption></figure>'
        )
    parts.append("</div>")
    return parts
