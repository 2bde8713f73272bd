"""Reads numbers as people write them into cells: signs, thousands, decimal commas, per cent and
money; and reports doubts.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise

import numpy as np

from engine.base.arrays import Float
from engine.base.notation import MINUS, quoted
from engine.table.given import WHOLE

MISSING = ("", "?", "NaN", "nan")  # cells that stand for no value
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_GROUPED_BY_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?")
_POINT_AND_THREE = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_SPACED = re.compile(r"[+-]?[1-9]\d{0,2}([ \u00a0\u202f'’]\d{3})+([.,]\d*)?")  # 1 234,5 and 1’234.5
# without signs: programs write numbers as 1e+05, 1e-05, -inf
_NAME_LIKE = re.compile(r"(?i)inf|infinity|\d+e\d+")
_MONEY = "€$£¥"
_WITH_UNIT = re.compile(
    rf"(?P<sign>[+-]?)(?P<before>[{_MONEY}]?)\s?(?P<digits>[+-]?[\d.,].*?)\s?(?P<after>[%‰{_MONEY}]|EUR|USD|GBP|CHF)?"
)
_IN_BRACKETS = re.compile(rf"(?P<money>[{_MONEY}])?\( ?(?P<digits>[{_MONEY}\d.,][^()]*)\)")
_DASH = "–"  # word processors turn a minus into it
_LISTED = 3  # the fewest codes of a list in one cell
_PART = 5000  # cells in one call
_UNITLESS = frozenset("0123456789+-.,eE" + MINUS)


def plain_numbers(cells: Sequence[str], comma: bool = False) -> Float | None:
    """(m,) `number_of` of all cells at once, for cells of digits, sign, decimal point and exponent
    only.

    None for other cells and for decimal commas.
    """
    if comma or not _unitless(cells):
        return None
    values = np.empty(len(cells))
    try:
        for at in range(0, len(cells), _PART):
            values[at : at + _PART] = list(map(float, cells[at : at + _PART]))
    except ValueError:
        return None
    return values


def in_parts(cells: Iterable[str]) -> Iterator[list[str]]:
    """The cells in parts, between which other threads can run."""
    found = iter(cells)
    return iter(lambda: list(islice(found, _PART)), [])


def met(words: Collection[str], cells: Iterable[str]) -> set[str]:
    """Those of the words that occur among the cells."""
    return set().union(*(frozenset(words).intersection(part) for part in in_parts(cells)))


def _unitless(cells: Collection[str]) -> bool:
    """Whether all cells consist of characters of plain numbers."""
    return all(_UNITLESS.issuperset("".join(part)) for part in in_parts(cells))


def number_of(cell: str, comma: bool = False) -> float | None:
    """The number in a cell, or None.

    '1.5', '−2', '1e3', 'inf', '1,234', '1 234', '12 %' (12), '$5'; with a decimal comma '1,5',
    '1.234,5', and '1.234' for 1234. Accountants' '(3.20)' and '3.20-' are negative.
    """
    text = _signed(cell)
    value = _number(text, comma)
    if value is None and text[:1] and not text.isalpha():
        plain = _parts(text)[0]
        value = _number(
            re.sub(r"[ \u00a0\u202f'’]", "", plain) if _SPACED.fullmatch(plain) else plain, comma
        )
    return value


def _signed(cell: str) -> str:
    """The cell with a leading minus, whichever way its negative number is written."""
    text = cell.strip().replace(MINUS, "-")
    if text[:1] == _DASH:
        text = "-" + text[1:]
    if text.endswith(")") and (found := _IN_BRACKETS.fullmatch(text)):
        return f"-{found['money'] or ''}{found['digits'].strip()}"
    if text.endswith("-") and (text[0].isdigit() or text[0] in _MONEY):
        return "-" + text[:-1].strip()
    return text


def below_zero_notice(name: str, cells: Iterable[str]) -> str | None:
    """A sentence about a column with numbers in brackets or with a trailing minus; else None."""
    first = next((cell for cell in cells if cell.endswith((")", "-", MINUS))), None)
    if first is None:
        return None
    value = number_of(first) if number_of(first) is not None else number_of(first, comma=True)
    return f"{quoted(first)} in column {quoted(name)} is read as {number_cell(value or 0.0)}."


def are_lists(cells: Iterable[str]) -> bool:
    """Whether cells like 400,401,402 list codes of three digits.

    All cells with commas have to rise, and one has to have three codes.
    """
    listed = [cell.split(",") for cell in cells if "," in cell]
    if not listed or max(map(len, listed)) < _LISTED:
        return False
    return all(
        all(len(code) == 3 and code.isdecimal() for code in codes) and codes == sorted(set(codes))
        for codes in listed
    )


def _number(text: str, comma: bool) -> float | None:
    if comma:
        if "." in text and not _GROUPED_BY_POINTS.fullmatch(text):
            return None
        text = text.replace(".", "").replace(",", ".")
    elif "," in text and _GROUPED.fullmatch(text) and not _counts_up(text):
        text = text.replace(",", "")
    try:
        value = float(text)
    except ValueError:
        return None
    return None if "_" in text or value != value else value


def is_number(cell: str) -> bool:
    """Whether it is a number with a decimal point or a decimal comma."""
    return number_of(cell) is not None or number_of(cell, comma=True) is not None


def other_sign(cells: Collection[str], missing: Collection[str], comma: bool) -> bool:
    """Whether a column holds only numbers if read with the other decimal sign, but not with the
    table's.
    """
    present = [cell for part in in_parts(cells) for cell in set(part).difference(missing)]
    if plain_numbers(present, comma) is not None or all(
        number_of(cell, comma) is not None for cell in present
    ):
        return False
    return all(number_of(cell, not comma) is not None for cell in present)


def mixed_signs_notice(name: str, cells: Iterable[str]) -> str | None:
    """A sentence about a column of numbers with both decimal signs; else None."""
    commas = points = ""
    for cell in cells:
        with_point = number_of(cell) is not None
        with_comma = number_of(cell, comma=True) is not None
        if not (with_point or with_comma):
            return None
        commas = commas or ("" if with_point else cell)
        points = points or ("" if with_comma else cell)
    if not (commas and points):
        return None
    return (
        f"Column {quoted(name)} has decimal commas and decimal points, as {quoted(commas)} and"
        f" {quoted(points)}: it is read as words. Write all of them alike in the file."
    )


def name_like(cell: str) -> bool:
    """Whether a cell that parses as a float may be a name as well: inf, Infinity, 1e5."""
    return _NAME_LIKE.fullmatch(cell.strip()) is not None


def _counts_up(text: str) -> bool:
    """Whether a cell lists consecutive codes, as 400,401,402."""
    codes = text.split(",")
    if len(codes) < _LISTED or not all(code.isdecimal() for code in codes) or len(codes[0]) < 3:
        return False
    return all(int(b) - int(a) == 1 for a, b in pairwise(codes))


def unit_of(cell: str) -> str:
    """The sign of per cent or money in a cell; '' without one."""
    text = _signed(cell)
    return "" if text.isascii() and text[-1:].isdigit() and "$" not in text else _parts(text)[1]


def _bare(cell: str) -> str:
    """The number of a cell without its unit."""
    return _parts(_signed(cell))[0]


def _parts(text: str) -> tuple[str, str]:
    """(the signed digits, the unit)."""
    found = _WITH_UNIT.fullmatch(text)
    if found is None or (found["before"] and found["after"]):
        return text, ""
    return found["sign"] + found["digits"], found["before"] or found["after"] or ""


def unit_notice(name: str, cells: Collection[str], comma: bool) -> str | None:
    """A sentence about a numeric column with signs of per cent or money; else None."""
    if _unitless(cells):
        return None
    units = {cell: unit for cell in cells if (unit := unit_of(cell))}
    if not units:
        return None
    first = next(iter(units))
    some = (
        f", like the cells without {quoted(units[first])}" if len(units) < len(set(cells)) else ""
    )
    return (
        f"{quoted(first)} in column {quoted(name)} is read as"
        f" {number_cell(number_of(first, comma) or 0.0)}{some}."
    )


def of_one_unit(cells: Collection[str]) -> bool:
    """Whether the cells have at most one unit: 5 € and 5 $ cannot be compared."""
    return _unitless(cells) or len({unit for cell in cells if (unit := unit_of(cell))}) < 2


def decimals_in_quotes(cells: Collection[str], missing: Collection[str]) -> bool:
    """Whether a column between commas holds numbers like 1,5, and not lists or thousands only."""
    return other_sign(cells, missing, comma=False)


def quotes_notice(name: str, cells: Collection[str]) -> str | None:
    """A sentence about decimal commas in a file with the separator comma; else None."""
    first = next((cell for cell in cells if "," in cell and number_of(cell) is None), None)
    if first is None:
        return None
    value = number_cell(number_of(first, comma=True) or 0.0)
    return (
        f"{quoted(first)} in column {quoted(name)} is read as {value}; if its comma is no decimal"
        " one, choose the decimal point."
    )


def comma_doubt(name: str, cells: Collection[str], comma: bool) -> str | None:
    """A sentence if the commas of a numeric column may be decimal or separate thousands; else None.

    That is so for cells like 1,234 without any like 1,5.
    """
    grouped = [cell for cell in cells if "," in cell]
    if not grouped or not all(_GROUPED.fullmatch(_bare(cell)) for cell in grouped):
        return None
    listed = next((cell for cell in grouped if cell.count(",") > 1), "")
    if not comma and listed and len({cell.count(",") for cell in cells}) > 1:
        codes = [code for cell in grouped for code in cell.split(",")]
        if all(len(code) == 3 and code.isdecimal() for code in codes):
            number = number_cell(number_of(listed) or 0.0)
            return (
                f"{quoted(listed)} in column {quoted(name)} is read as {number}; if it lists codes,"
                " make the column one of words."
            )
    if not comma and (listed or any("." in cell for cell in grouped)):
        return None
    value = number_cell(number_of(grouped[0], comma) or 0.0)
    other = (
        "separates thousands, choose the decimal point"
        if comma
        else "is a decimal comma, choose that"
    )
    return (
        f"{quoted(grouped[0])} in column {quoted(name)} is read as {value}; if the comma {other}."
    )


def thousands_alone(cell: str) -> bool:
    """Whether it is a number like 1.234, whose point may be decimal or separate thousands."""
    return _POINT_AND_THREE.fullmatch(_bare(cell)) is not None


def point_doubt(name: str, cells: Collection[str], comma: bool) -> str | None:
    """A sentence if the points of a numeric column may be decimal or separate thousands; else None.

    That is so for cells like 1.234 without any like 1.5; without decimal commas every cell needs a
    point.
    """
    pointed = [cell for cell in cells if "." in cell] if comma else cells
    if not pointed or not all(map(thousands_alone, pointed)):
        return None
    first = next(iter(pointed))
    value = number_cell(number_of(first, comma) or 0.0)
    other = (
        "is a decimal point, choose that"
        if comma
        else "separates thousands, choose the decimal comma"
    )
    return f"{quoted(first)} in column {quoted(name)} is read as {value}; if the point {other}."


def number_cell(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if value.is_integer() and abs(value) < WHOLE else repr(float(value))
