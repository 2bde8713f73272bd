"""Worksheets as one HTML file with a print style: a page for each sheet, then a page
for each key.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from math import ceil

from engine.courses.markup import html
from engine.courses.worksheet import Block, Gap, Row, Worksheet

# name in CSS, width and height in millimetres
PAPERS = {"a4": ("A4", 210, 297), "letter": ("letter", 216, 279)}
UPRIGHT = 6  # columns; of more the vectors stand upright, in two blocks side by side
MARGIN = 12  # millimetres
ALONE = re.compile(r"(?<![^\W\d_])[A-Za-zα-ω](?![^\W\d_])")

STYLE = """
@page {{ size: {name}; margin: {margin}mm; }}
* {{ box-sizing: border-box; }}
html {{ color-scheme: light; background: #fff; }}
body {{ margin: 0; color: #14181e; font: 13px/1.4 Inter, "Segoe UI", Helvetica, Arial, sans-serif; }}
section {{ display: flex; flex-direction: column; min-height: {inside}mm; break-after: page; }}
section:last-child {{ break-after: auto; }}
@media screen {{
  html {{ background: #e9ecf0; }}
  section {{ width: {width}mm; min-height: {height}mm; margin: 16px auto; padding: {margin}mm; background: #fff; }}
}}
header {{ display: flex; gap: 20px; color: #454e5b; margin-bottom: 10px; }}
header span {{ flex: 1; display: flex; gap: 8px; align-items: flex-end; white-space: nowrap; }}
header span::after {{ content: ""; flex: 1; border-bottom: 1px solid #14181e; }}
header span.points {{ flex: 0 0 130px; }}
header span.points::after {{ order: 1; }}
header span.points b {{ order: 2; font-weight: 400; }}
h1 {{ font-size: 21px; margin: 0 0 2px; }}
.intro, .hint, .of {{ color: #454e5b; }}
.top {{ display: flex; gap: 28px; margin: 10px 0 6px; align-items: flex-start; flex-wrap: wrap; }}
.top > div {{ flex: 1 1 300px; min-width: 0; }}
h2 {{ font-size: 13px; margin: 0 0 4px; }}
.top p {{ margin: 4px 0 0; font-size: 12px; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
.data {{ width: 100%; font-size: 12px; }}
.data td, .data th {{ border: 1px solid #7a8492; padding: 2px 5px; text-align: center; }}
.data th {{ background: #f1f3f6; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
pre {{ font: 12px/1.6 "JetBrains Mono", Consolas, monospace; margin: 0; padding: 6px 10px; border: 1px solid #7a8492; }}
pre b {{ display: block; background: #e9ecf0; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
article {{ border-top: 1px solid #7a8492; padding: 6px 0; break-inside: avoid; }}
article h3 {{ display: flex; gap: 8px; font-size: 14px; margin: 0 0 2px; align-items: baseline; }}
article h3 .n {{ flex: none; width: 20px; height: 20px; border-radius: 50%; background: #14181e; color: #fff; font-size: 12px;
  text-align: center; line-height: 20px; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
article h3 .of {{ margin-left: auto; font-size: 12px; font-weight: 400; white-space: nowrap; }}
.work {{ display: flex; gap: 26px; flex-wrap: wrap; align-items: flex-start; }}
.math, .vectors th {{ font-family: STIXGeneral, "STIX Two Text", Cambria, "Times New Roman", serif; font-size: 17px; font-weight: 400; }}
.vectors td, .vectors th {{ padding: 1px 3px; text-align: center; min-width: 62px; }}
.vectors th {{ text-align: left; padding-right: 12px; white-space: nowrap; }}
.vectors th.head {{ font: 12px Inter, Helvetica, Arial, sans-serif; color: #454e5b; text-align: center; min-width: 0; }}
.vectors .rule td, .vectors .rule th {{ border-top: 1px solid #14181e; }}
.box {{ display: inline-block; min-width: 58px; height: 25px; border: 1px solid #14181e; border-radius: 3px; vertical-align: middle;
  text-align: center; font: 600 13px/23px Inter, Helvetica, Arial, sans-serif; padding: 0 4px; }}
.wide {{ min-width: 84px; }}
.side {{ flex: 1 1 190px; min-width: 0; }}
.side p {{ margin: 0 0 6px; }}
.choices {{ list-style: none; margin: 4px 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 22px; }}
.tick {{ display: inline-block; width: 13px; height: 13px; border: 1px solid #14181e; border-radius: 2px; text-align: center;
  line-height: 12px; font-size: 12px; vertical-align: -1px; }}
.code {{ font-family: "JetBrains Mono", Consolas, monospace; font-size: 12px; }}
.line {{ border-bottom: 1px solid #7a8492; height: 26px; }}
.key p {{ margin: 2px 0; }}
img {{ max-width: 100%; max-height: 72mm; }}
footer {{ margin-top: auto; border-top: 1px solid #d5dae1; padding-top: 6px; color: #454e5b; font-size: 12px; display: flex;
  justify-content: space-between; }}
"""


def worksheet_html(worksheets: Sequence[Worksheet], paper: str = "a4") -> Iterator[bytes]:
    """The HTML file, piece by piece as UTF-8: all sheets, then all keys.

    paper: a key of PAPERS, 'a4' or 'letter'
    """
    name, width, height = PAPERS[paper]
    style = STYLE.format(
        name=name, width=width, height=height, margin=MARGIN, inside=height - 2 * MARGIN - 1
    )
    head = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html(worksheets[0].title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head><body>\n'
    )
    yield head.encode()
    for sheet in worksheets:
        yield _sheet(sheet).encode()
    for sheet in worksheets:
        yield _key(sheet).encode()
    yield b"</body></html>\n"


def _sheet(sheet: Worksheet) -> str:
    done = "".join(f'<p class="hint">{html(line)}</p>' for line in sheet.done)
    top = (
        f"<div><h2>{html(sheet.caption)}</h2>{_table(sheet)}</div>"
        f"<div><h2>What to do</h2><pre>{_code(sheet)}</pre>{done}</div>"
    )
    return (
        '<section class="sheet">\n<header><span>Name</span><span>Date</span>'
        f'<span class="points">Points<b>of {sheet.points}</b></span></header>\n'
        f'<h1>{html(sheet.title)}</h1><div class="intro">{html(sheet.intro)}</div>\n<div class="top">{top}</div>\n'
        f"{''.join(_block(each, False) for each in sheet.blocks)}"
        f"{_foot(sheet, 'Key on its own page')}</section>\n"
    )


def _key(sheet: Worksheet) -> str:
    return (
        f'<section class="key">\n<h1>Key to sheet {sheet.number} of {sheet.of}: {html(sheet.title)}</h1>'
        f'<div class="intro">{sheet.points} points in all.</div>\n'
        f"{''.join(_block(each, True) for each in sheet.blocks)}{_foot(sheet, 'Key')}</section>\n"
    )


def _foot(sheet: Worksheet, middle: str) -> str:
    return f"<footer><span>{html(sheet.foot)}</span><span>{middle}</span><span>Learnscope</span></footer>"


def _table(sheet: Worksheet) -> str:
    head = "".join(f"<th>{html(text)}</th>" for text in sheet.cells[0])
    rows = "".join(
        f"<tr><th>{html(row[0])}</th>{''.join(f'<td>{html(text)}</td>' for text in row[1:])}</tr>"
        for row in sheet.cells[1:]
    )
    return f'<table class="data"><tr>{head}</tr>{rows}</table>'


def _code(sheet: Worksheet) -> str:
    return "".join(f"<b>{html(text)}</b>" if lit else f"{html(text)}\n" for text, lit in sheet.code)


def _block(block: Block, key: bool) -> str:
    points = f"{block.points} point{'s' * (block.points != 1)}"
    parts = [
        f"<p>{html(block.prompt)}</p>" if block.prompt else "",
        _picture(block),
        _text(block, key),
    ]
    if block.rows:
        parts.append(f'<div class="work">{_vectors(block, key)}{_side(block, key)}</div>')
    parts += [
        _choices(block, key),
        f'<div class="hint">{html(block.hint)}</div>'
        if block.hint and not key and not block.rows
        else "",
    ]
    if key:
        parts.append(_working(block))
    else:
        parts.append('<div class="line"></div>' * block.ruled)
    return (
        f'<article><h3><span class="n">{block.number}</span>{html(block.title)}<span class="of">{points}</span></h3>'
        f"{''.join(parts)}</article>\n"
    )


def _picture(block: Block) -> str:
    if not block.picture:
        return ""
    data = b64encode(block.picture).decode("ascii")
    return f'<p><img alt="The plane before this step" src="data:image/png;base64,{data}"></p>'


def _box(shown: str, filled: bool, wide: bool = False) -> str:
    return f'<span class="box{" wide" if wide else ""}">{html(shown) if filled else ""}</span>'


def _text(block: Block, key: bool) -> str:
    rows = []
    for row in block.text:
        made = ""
        for piece in row:
            if isinstance(piece, str):
                made += math(piece) if block.formal else html(piece)
            else:
                shown, opened = block.blanks[piece]
                made += _box(shown, key) if opened else html(shown)
        rows.append(f'<p class="math">{made}</p>' if block.formal else f"<p>{made}</p>")
    return "".join(rows)


def math(text: str) -> str:
    """A formula as HTML: letters that stand alone are variables, in italics."""
    return ALONE.sub(r"<i>\g<0></i>", html(text))


def _label(row: Row) -> str:
    """'x of b': b is a name, no variable."""
    symbol, of, name = row.label.partition(" of ")
    return math(symbol) + html(of + name)


def _cell(row: Row, place: int, key: bool) -> str:
    return _box(row.values[place], key) if row.open else html(row.values[place])


def _vectors(block: Block, key: bool) -> str:
    """One column for each entry, or upright, one row for each, in two blocks."""
    if len(block.heads) <= UPRIGHT:
        heads = "".join(f'<th class="head">{html(head)}</th>' for head in block.heads)
        rows = "".join(
            f"<tr{' class=rule' if row.rule else ''}><th>{_label(row)}</th>"
            f"{''.join(f'<td>{_cell(row, k, key)}</td>' for k in range(len(block.heads)))}</tr>"
            for row in block.rows
        )
        return f'<table class="vectors"><tr><th></th>{heads}</tr>{rows}</table>'
    half = ceil(len(block.heads) / 2)
    return "".join(
        _upright(block, places, key) for places in (range(half), range(half, len(block.heads)))
    )


def _upright(block: Block, places: range, key: bool) -> str:
    heads = "".join(f'<th class="head">{_label(row)}</th>' for row in block.rows)
    rows = "".join(
        f'<tr><th class="head">{html(block.heads[k])}</th>{"".join(f"<td>{_cell(row, k, key)}</td>" for row in block.rows)}</tr>'
        for k in places
    )
    return f'<table class="vectors"><tr><th></th>{heads}</tr>{rows}</table>'


def _side(block: Block, key: bool) -> str:
    rows = [
        f'<p><span class="math">{math(gap.left)}</span> {_gap(gap, key)}</p>' for gap in block.side
    ]
    if block.test is not None:
        condition, holds = block.test
        rows.append(
            f'<p><span class="math">{math(condition)}?</span> {_tick(key and holds)} yes &nbsp; {_tick(key and not holds)} no</p>'
        )
    if block.hint and not key:
        rows.append(f'<p class="hint">{html(block.hint)}</p>')
    return f'<div class="side">{"".join(rows)}</div>' if rows else ""


def _gap(gap: Gap, key: bool) -> str:
    return _box(gap.shown, key, wide=True) if gap.open else html(gap.shown)


def _tick(set_: bool) -> str:
    return f'<span class="tick">{"✓" if set_ else ""}</span>'


def _choices(block: Block, key: bool) -> str:
    if not block.choices:
        return ""
    rows = "".join(
        f"<li>{_tick(key and right)} {html(label)}</li>" for label, right in block.choices
    )
    return f'<ul class="choices">{rows}</ul>'


def _working(block: Block) -> str:
    """The answer in words where no box shows it, and how it comes about."""
    answer = f"<p><strong>{html(block.answer)}</strong></p>" if block.ruled or block.choices else ""
    return answer + "".join(f'<p class="hint">{html(line)}</p>' for line in block.working)
