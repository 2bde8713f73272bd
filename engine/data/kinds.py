"""From cells of text to typed columns: what counts as a number, a truth value, a category, a name, the target."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.arrays import frozen
from engine.core.dataset import (
    MAX_CLASSES,
    Column,
    ColumnRole,
    Feature,
    Kind,
    Label,
    check_classes,
    number_column,
    order_labels,
)  # fmt: skip
from engine.core.errors import EngineError
from engine.core.given import WHOLE
from engine.core.notation import MINUS

FEW = 20  # whole numbers of at most so many values may be classes
TARGET_NAMES = ("y", "class", "target", "label")
LONGEST = 24  # letters of a whole number that is kept to the last digit
NAME_NAMES = ("name", "names", "id", "row", "key", "index", "")
MISSING = ("", "?", "NaN", "nan")
DOUBTFUL = ("None", "NA", "N/A", "n/a", "null", "NULL", "none", "#N/A")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_GROUPED_BY_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}((\.\d{3})+,\d*|(\.\d{3}){2,})")  # 1.234 alone has decimals


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """What a column of cells seems to be; a dialog shows it and changes `kind` and `role`.

    natural: the kind that its cells have, whatever it is used for; whole: numbers without decimals; categories: the
    whole domain in order, () = from the cells; distinct, missing: counts; sample: a few of the cells
    """

    name: str
    kind: Kind
    role: ColumnRole = ColumnRole.FEATURE
    categories: tuple[Label, ...] = ()
    natural: Kind = Kind.NUMERIC
    whole: bool = False
    distinct: int = 0
    missing: int = 0
    sample: tuple[str, ...] = ()


def number_of(cell: str, comma: bool = False) -> float | None:
    """The number that a cell holds, or None: '1.5', '−2', '1e3', 'inf', '1,234'; with a decimal comma '1,5', '1.234,5'."""
    text = cell.strip().replace(MINUS, "-")
    if comma:
        if "." in text and not _GROUPED_BY_POINTS.fullmatch(text):
            return None
        text = text.replace(".", "").replace(",", ".")
    elif "," in text and _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    try:
        value = float(text)
    except ValueError:
        return None
    return None if "_" in text or value != value else value


def comma_doubt(name: str, cells: Collection[str], comma: bool) -> str | None:
    """A sentence when the commas of a column of numbers may be decimal ones or separate thousands: 1,234 and no 1,5."""
    grouped = [cell for cell in cells if "," in cell]
    if not grouped or not all(_GROUPED.fullmatch(cell.strip().replace(MINUS, "-")) for cell in grouped):
        return None
    if not comma and any("." in cell or cell.count(",") > 1 for cell in grouped):
        return None
    value = number_cell(number_of(grouped[0], comma) or 0.0)
    other = "separates thousands, choose the decimal point" if comma else "is a decimal comma, choose that"
    return f"“{grouped[0]}” in column “{name}” is read as {value}; if the comma {other}."


def spelled_twice(name: str, cells: Collection[str]) -> str | None:
    """A sentence when words of a column differ only in capital letters: yes and Yes are two categories."""
    seen: dict[str, str] = {}
    for cell in dict.fromkeys(cells):
        other = seen.setdefault(cell.casefold(), cell)
        if other != cell:
            return f"“{other}” and “{cell}” in column “{name}” are read as two categories."
    return None


def doubted_in_numbers(cells: Collection[str], missing: Collection[str], comma: bool) -> frozenset[str]:
    """The words of a column that may mean missing, when all its other cells are numbers; of a column of words none."""
    doubted = frozenset(DOUBTFUL).intersection(cells).difference(missing)
    if not doubted:
        return doubted
    others = set(cells).difference(missing, doubted)
    return doubted if others and all(number_of(cell, comma) is not None for cell in others) else frozenset()


def guess_column(name: str, cells: Sequence[str], missing: Collection[str], comma: bool) -> ColumnGuess:
    """Kind and counts of a column; its role is still FEATURE."""
    present = [cell for cell in cells if cell not in missing]
    values = set(present)
    numbers = [number_of(cell, comma) for cell in values]
    whole = False
    if all(value is not None for value in numbers):
        kind = Kind.NUMERIC
        whole = bool(numbers) and all(value is not None and value.is_integer() for value in numbers)
    elif {cell.casefold() for cell in values} <= {"true", "false"}:
        kind = Kind.BOOLEAN
    else:
        kind = Kind.CATEGORICAL
    sample = tuple(dict.fromkeys(present[:200]))[:6]
    distinct, gaps = len(values), len(cells) - len(present)
    return ColumnGuess(name, kind, ColumnRole.FEATURE, (), kind, whole, distinct, gaps, sample)


def target_kind(column: ColumnGuess, beside: Collection[str] = ()) -> Kind:
    """How a column is predicted: whole numbers of few values are classes, other numbers, and y beside x, are values."""
    if column.natural is not Kind.NUMERIC:
        return column.natural
    curve = column.name == "y" and "x" in beside and column.distinct > 2
    return Kind.CATEGORICAL if column.whole and column.distinct <= FEW and not curve else Kind.NUMERIC


def names_rows(column: ColumnGuess, rows: int) -> bool:
    """Whether the column seems to name the rows: every cell differs, and it is called so or no number."""
    if column.distinct < rows or rows < 2:
        return False
    called = column.name.casefold() in NAME_NAMES
    return called or (column.natural is Kind.CATEGORICAL and rows > FEW)


def guess_target(columns: Sequence[ColumnGuess]) -> str | None:
    """The column to predict: one called y, class, target or label, else the last one of a few categories.

    Of a column so called with many numbers another so called that has classes takes the place, or, beside a column x,
    words that come last.
    """
    usable = [c for c in columns if c.role is ColumnRole.FEATURE and c.distinct]
    words = [c for c in usable if c.natural is not Kind.NUMERIC and 2 <= c.distinct <= MAX_CLASSES]
    names = [c.name for c in columns]
    called = [(c, target_kind(c, names)) for name in TARGET_NAMES for c in usable if c.name.casefold() == name]
    fitting = [(c, kind) for c, kind in called if kind is Kind.NUMERIC or c.distinct <= MAX_CLASSES]
    if not fitting:
        return words[-1].name if words else None
    first, kind = fitting[0]
    if kind is Kind.NUMERIC:
        classes = [c for c, kind in fitting if kind is not Kind.NUMERIC and c.distinct > 1]
        beside_x = "x" in (name.casefold() for name in names)  # then y is the other coordinate
        classes += [c for c in words if beside_x and c is columns[-1]]
        return (classes or [first])[0].name
    return first.name


# -- values ------------------------------------------------------------------------------------------------------------


def column_of(
    said: ColumnGuess, cells: Sequence[str], rows: Sequence[int], missing: Collection[str], comma: bool
) -> Column:
    """The column that `said` makes of the cells; rows: their numbers, the first below the column
    names is 1, for sentences.

    Raises EngineError: words where numbers should be, infinite numbers, too many classes.
    """
    if said.kind is Kind.NUMERIC:
        return number_column(said.name, _numbers(said.name, cells, rows, missing, comma), said.role)
    labels = _labels(said, cells, missing, comma)
    order = said.categories or _domain(said, {label for label in labels if label is not None})
    codes = {label: float(code) for code, label in enumerate(order)}
    try:
        values = [np.nan if label is None else codes[label] for label in labels]
    except KeyError as unknown:
        raise EngineError(f"“{unknown.args[0]}” is not one of the values of column “{said.name}”.") from None
    column = Column(Feature(said.name, said.kind, order), frozen(values, np.float64), said.role)
    if said.role is ColumnRole.TARGET:
        check_classes(column)
    return column


def _numbers(
    name: str, cells: Sequence[str], rows: Sequence[int], missing: Collection[str], comma: bool
) -> list[float]:
    values = [np.nan if cell in missing else number_of(cell, comma) for cell in cells]
    for cell, value, row in zip(cells, values, rows, strict=True):
        if value is None:
            raise EngineError(
                f"Column “{name}” should hold numbers, but row {row} holds “{cell[:40]}”. Make it a column of categories, "
                "correct the cell, or count that word as missing."
            )
        if np.isinf(value):
            raise EngineError(
                f"Column “{name}” holds an infinite number in row {row} (“{cell[:40]}”). Correct it, or count that word as missing."
            )
    return [np.nan if value is None else value for value in values]


def _labels(said: ColumnGuess, cells: Sequence[str], missing: Collection[str], comma: bool) -> list[Label | None]:
    if said.categories:
        meant: dict[str, Label] = {label_cell(label): label for label in said.categories}
        return [None if cell in missing else meant.get(cell, cell) for cell in cells]
    if said.natural is Kind.BOOLEAN:
        truth: dict[str, Label] = {"true": True, "false": False}
        return [None if cell in missing else truth.get(cell.casefold(), cell) for cell in cells]
    if said.natural is Kind.NUMERIC:
        return [None if cell in missing else _number_label(cell, comma) for cell in cells]
    return [None if cell in missing else cell for cell in cells]


def _number_label(cell: str, comma: bool) -> Label:
    """1 for '1', '1.0' and '+1'; other numbers as floats, 1e300 too: no label has hundreds of digits; else text."""
    value = number_of(cell, comma)
    if value is None or np.isinf(value):
        return cell
    digits = cell.strip().replace(MINUS, "-")
    if abs(value) >= WHOLE and len(digits) <= LONGEST and digits.lstrip("+-").isdecimal():
        return int(digits)  # a number of an account: all its digits count
    return int(value) if value.is_integer() and abs(value) < WHOLE else value


def _domain(said: ColumnGuess, labels: set[Label]) -> tuple[Label, ...]:
    """Classes: the positive one first. A column of truth values: false, true, so that the codes are 0 and 1."""
    order = (True, False) if said.natural is Kind.BOOLEAN else order_labels(labels)
    if said.kind is Kind.BOOLEAN and len(order) > 2:
        raise EngineError(f"Column “{said.name}” has {len(order)} values, truth values are two: make it categories.")
    return order[::-1] if said.kind is Kind.BOOLEAN and said.role is not ColumnRole.TARGET else order


def label_cell(label: Label) -> str:
    """A category or class as it is written to a file."""
    return number_cell(label) if isinstance(label, float) else str(label)


def number_cell(value: float) -> str:
    """A number as it is written to a file: the shortest text that reads back as the same number."""
    return str(int(value)) if value.is_integer() and abs(value) < WHOLE else repr(float(value))
