"""Converts cells to typed columns: decides what is a number, a Boolean, a category, a row name, the
target.
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import MINUS, counted, quoted
from engine.base.records import Record, replace
from engine.base.spelling import order_labels
from engine.read.number_cells import (
    are_lists,
    in_parts,
    met,
    number_cell,
    number_of,
    of_one_unit,
    plain_numbers,
)
from engine.table.dataset import (
    MAX_CLASSES,
    Column,
    ColumnRole,
    Feature,
    Kind,
    Label,
    check_classes,
    class_order,
    number_column,
)
from engine.table.given import WHOLE

_TIME = r"(?:[T ]+\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]m)?(?: ?Z| ?[+-]\d\d:?\d\d)?)?"
_YEAR_FIRST = re.compile(
    rf"\d{{4}}([-/.])(?P<month>\d{{1,2}})\1(?P<day>\d{{1,2}}){_TIME}", re.IGNORECASE
)
_YEAR_LAST = re.compile(
    rf"(?P<day>\d{{1,2}})([-/.])(?P<month>\d{{1,2}})\2(?:\d{{4}}|\d\d){_TIME}", re.IGNORECASE
)


def is_date(cell: str) -> bool:
    """Whether a cell holds a date, in any order of day and month."""
    found = _YEAR_FIRST.fullmatch(cell) or _YEAR_LAST.fullmatch(cell)
    if found is None:
        return False
    low, high = sorted((int(found["month"]), int(found["day"])))
    return 1 <= low <= 12 and high <= 31


def are_dates(cells: Collection[str]) -> bool:
    """Whether all cells of a column hold dates; the missing ones are left out before."""
    return bool(cells) and all(map(is_date, cells))


FEW = 20  # whole numbers with at most this many distinct values may be classes
TARGET_NAMES = ("y", "class", "target", "label")
CLASS_NAMES = (
    *TARGET_NAMES[1:],
    "classes",
    "species",
    "group",
    "category",
    "klasse",
    "klassen",
    "gruppe",
    "kategorie",
    "spezies",
    "ziel",
)
# names of classes in a first column
FIRST_NAMES = (*CLASS_NAMES, "party", "outcome", "diagnosis", "result", "type", "kind")
OUTCOMES = (
    "survived",
    "outcome",
    "default",
    "churn",
    "churned",
    "exited",
    "attrition",
    "died",
    "dead",
    "death",
    "event",
    "fraud",
    "spam",
    "approved",
    "success",
    "won",
    "passed",
    "purchased",
    "bought",
    "converted",
    "clicked",
    "responded",
    "subscribed",
    "deposit",
    "diagnosis",
    "relapse",
    "readmitted",
)  # words in the names of outcomes
_PAIRS = ({"0", "1"}, {"1", "2"}, {"-1", "1"})
_ANSWERS = 3  # distinct words, such as yes, no and perhaps, of columns with the same answers
_MARKS = 5  # up to this many numbers beside words may be classes
_OFTEN = 5  # the mean count per value of whole numbers that may be unnamed classes
LONGEST = 24  # the longest whole number kept with all its digits
NAME_NAMES = ("name", "names", "id", "row", "key", "index", "")
# names of columns that count the rows
COUNT_NAMES = (*NAME_NAMES, "nr", "nr.", "no", "no.", "#", "number", "nummer", "lfd. nr.")
# words of names such as PassengerId and case_no
_COUNTING = frozenset(("id", "index", "nr", "no", "number"))
# names that pandas and this lab give to unnamed columns
_NAMELESS = re.compile(r"unnamed: \d+|column \d+")
ERRORS = (
    "#N/A",
    "#DIV/0!",
    "#VALUE!",
    "#REF!",
    "#NAME?",
    "#NUM!",
    "#NULL!",
)  # Excel's error values
DOUBTFUL = ("None", "NA", "N/A", "n/a", "null", "NULL", "none", *ERRORS)


class ColumnGuess(Record, eq=True):
    """How a column of cells is read; a dialog shows it and changes `kind` and `role`.

    natural: the kind of its cells, whatever its use
    whole: whether it holds whole numbers only
    categories: the whole domain in order, () to take it from the cells
    declared: words that the file allows, in order, () for any; other words follow behind
    distinct, missing: counts
    sample: a few of the cells
    spoilt: whether it holds words, but mostly numbers
    dated: whether its words are dates
    decimal: the decimal sign of its numbers, "" for the table's
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
    spoilt: bool = False
    dated: bool = False
    decimal: str = ""
    declared: tuple[str, ...] = ()


def spelled_twice(name: str, cells: Collection[str]) -> str | None:
    """A sentence if words of a column differ only in case, such as yes and Yes; else None."""
    seen: dict[str, str] = {}
    for cell in dict.fromkeys(cells):
        other = seen.setdefault(cell.casefold(), cell)
        if other != cell:
            return (
                f"{quoted(other)} and {quoted(cell)} in column {quoted(name)} are read as two"
                " categories."
            )
    return None


def doubted_in_numbers(
    cells: Collection[str], missing: Collection[str], comma: bool
) -> frozenset[str]:
    """The words of a column that may mean missing, if all other cells are numbers; else none."""
    doubted = frozenset(met(DOUBTFUL, cells).difference(missing))
    if not doubted:
        return doubted
    others = set(cells).difference(missing, doubted)
    return (
        doubted
        if others and all(number_of(cell, comma) is not None for cell in others)
        else frozenset()
    )


def guess_column(
    name: str, cells: Sequence[str], missing: Collection[str], comma: bool
) -> ColumnGuess:
    """The guess of a column with its kind and counts; the role is FEATURE."""
    present = [cell for cell in cells if cell not in missing]
    values: set[str] = set()
    for part in in_parts(present):
        values.update(part)
    numbers = _each(tuple(values), comma)
    whole = spoilt = False
    if (
        all(value is not None for value in numbers)
        and of_one_unit(values)
        and not are_lists(values)
    ):
        kind = Kind.NUMERIC
        whole = bool(numbers) and all(value is not None and value.is_integer() for value in numbers)
    elif {cell.casefold() for cell in values} <= {"true", "false"}:
        kind = Kind.BOOLEAN
    else:
        kind = Kind.CATEGORICAL
        spoilt = len(numbers) - numbers.count(None) > max(numbers.count(None), _MARKS)
    sample = tuple(dict.fromkeys(present[:200]))[:6]
    distinct = len(values)
    gaps = len(cells) - len(present)
    dated = kind is Kind.CATEGORICAL and are_dates(values)
    return ColumnGuess(
        name, kind, ColumnRole.FEATURE, (), kind, whole, distinct, gaps, sample, spoilt, dated
    )


def _each(cells: Sequence[str], comma: bool) -> Sequence[float | None]:
    """`number_of` of each cell."""
    plain = plain_numbers(cells, comma)
    return [number_of(cell, comma) for cell in cells] if plain is None else plain.tolist()


def target_kind(column: ColumnGuess, beside: Collection[str] = ()) -> Kind:
    """The kind of a column as a target: few distinct whole numbers are classes, other numbers
    values.

    A y beside a column x is a value too, with more than two distinct numbers.
    """
    if column.natural is not Kind.NUMERIC:
        return column.natural
    beside_x = any(name.casefold() == "x" for name in beside)
    curve = column.name.casefold() == "y" and beside_x and column.distinct > 2
    return (
        Kind.CATEGORICAL if column.whole and column.distinct <= FEW and not curve else Kind.NUMERIC
    )


def names_rows(column: ColumnGuess, rows: int) -> bool:
    """Whether the column seems to name the rows: all cells differ, and its name says so or it holds
    words.

    Numbers with a few words among them name nothing.
    """
    if column.distinct < rows or rows < 2:
        return False
    called = column.name.casefold() in NAME_NAMES
    return called or (column.natural is Kind.CATEGORICAL and not column.spoilt and rows > FEW)


def says_nothing(column: ColumnGuess) -> bool:
    """Whether all cells are equal; with gaps a column may still tell rows apart."""
    return column.distinct == 1 and not column.missing


def counts_rows(name: str, cells: Sequence[str], places: Sequence[int], comma: bool) -> bool:
    """Whether a column with a fitting name holds 0, 1, 2, … or 1, 2, 3, ….

    places: the rows of its cells in the table, from 1
    """
    called = name.casefold() in COUNT_NAMES or _NAMELESS.fullmatch(name.casefold())
    if not called and (len(cells) < _MARKS or _name_words(name).isdisjoint(_COUNTING)):
        return False
    values = _each(cells, comma)
    behind = {
        None if value is None else place - value
        for value, place in zip(values, places, strict=True)
    }
    return behind in ({0.0}, {1.0})


def guess_target(columns: Sequence[ColumnGuess], rows: int) -> str | None:
    """The name of the column to predict, or None.

    In order: one called y, class, target or label; an outcome of two values, such as survived; a
    first column that stands apart; the only column of two numbers (`_lone_pair`); the last one of a
    few categories; one called like classes with few whole numbers.

    If a column so called has many numbers, or a few words among numbers, another one with classes
    may take its place.
    """
    usable = [c for c in columns if c.role is ColumnRole.FEATURE and c.distinct]
    words = _words(usable)
    names = [c.name for c in columns]
    called = [
        (c, target_kind(c, names))
        for name in TARGET_NAMES
        for c in usable
        if c.name.casefold() == name
    ]
    fitting = [(c, kind) for c, kind in called if kind is Kind.NUMERIC or c.distinct <= MAX_CLASSES]
    if not fitting:
        apart = (
            [usable[0]] if usable and usable[0] in words and _leads(usable[0], usable[1:]) else []
        )
        found = (
            *_outcomes(usable),
            *apart,
            *_lone_pair(usable, words, rows),
            *reversed(words),
            *_classes(usable, names),
        )
        return next((c.name for c in found), None)
    first, kind = fitting[0]
    if kind is Kind.NUMERIC or first.spoilt:
        return (_rather(first, columns, usable, words, rows) or first).name
    return first.name


def _words(usable: Sequence[ColumnGuess]) -> list[ColumnGuess]:
    """The columns of a few categories; those without numbers among their words, if there are
    any.
    """
    words = [c for c in usable if c.natural is not Kind.NUMERIC and 2 <= c.distinct <= MAX_CLASSES]
    return [c for c in words if not c.spoilt] or words


def _outcomes(columns: Sequence[ColumnGuess]) -> list[ColumnGuess]:
    """The columns of two values with the name of an outcome, from the last one on.

    Names that are that word alone come first.
    """
    pairs = [
        c for c in columns if c.distinct == 2 and (c.natural is not Kind.NUMERIC or _is_pair(c))
    ]
    called = [c for c in pairs if c.name.casefold() in OUTCOMES]
    within = [c for c in pairs if _name_words(c.name).intersection(OUTCOMES)]
    return [*reversed(called), *reversed(within)]


def _name_words(name: str) -> set[str]:
    """The words of a name such as is_fraud, isFraud or DEATH.EVENT, in lower case."""
    apart = (f" {b}" if a.islower() and b.isupper() else b for a, b in pairwise(f" {name}"))
    letters = (each if each.isalpha() else " " for each in "".join(apart))
    return set("".join(letters).casefold().split())


def _is_pair(column: ColumnGuess) -> bool:
    """Whether a numeric column has two values that mark yes and no, such as 0 and 1."""
    cells = {cell.lstrip("+").removesuffix(".0") for cell in column.sample}
    return column.whole and column.distinct == 2 and any(cells <= pair for pair in _PAIRS)


def _lone_pair(
    usable: Sequence[ColumnGuess], words: Sequence[ColumnGuess], rows: int
) -> list[ColumnGuess]:
    """The only column of two numbers, such as 0 and 1, if the rows repeat them often; else [].

    It is a likelier target than a last column of words, unless a column of words is called like
    classes or that last one has two values as well.
    """
    pairs = [c for c in usable if _is_pair(c) and c.name.casefold() not in COUNT_NAMES]
    named = any(c.name.casefold() in FIRST_NAMES for c in words)
    if len(pairs) != 1 or rows < _OFTEN * 2 or named or not words or words[-1].distinct == 2:
        return []
    return pairs


def doubted_target(columns: Sequence[ColumnGuess], rows: int) -> list[str]:
    """A sentence if the guessed target is only known by being the only column of two numbers; else
    [].
    """
    target = next((c for c in columns if c.role is ColumnRole.TARGET), None)
    usable = [c for c in columns if c.role in (ColumnRole.FEATURE, ColumnRole.TARGET)]
    words = _words(usable)
    if target not in _lone_pair(usable, words, rows) or target in _outcomes(usable):
        return []
    assert target is not None
    if target.name.casefold() in ("y", *CLASS_NAMES):
        return []
    return [
        f"Column {quoted(target.name)}, the only one of two numbers, is taken as the target; if"
        f" {quoted(words[-1].name)} is meant, choose that one."
    ]


def _leads(first: ColumnGuess, others: Sequence[ColumnGuess]) -> bool:
    """Whether a first column of words holds the classes, as in many UCI files.

    Its name says so, or all others share a few answers, such as y, n and ?, that it does not have.
    """
    if first.distinct > FEW:
        return False
    answers = {cell.casefold() for other in others for cell in other.sample}
    alike = (
        len(others) > 1
        and len(answers) <= _ANSWERS
        and all(c.natural is not Kind.NUMERIC for c in others)
    )
    return first.name.casefold() in FIRST_NAMES or (
        alike and answers.isdisjoint(cell.casefold() for cell in first.sample)
    )


def _classes(columns: Sequence[ColumnGuess], names: Collection[str]) -> list[ColumnGuess]:
    """The columns called like classes that have classes, in the order of CLASS_NAMES."""
    called = [c for name in CLASS_NAMES for c in columns if c.name.casefold() == name]
    return [
        c
        for c in called
        if 1 < c.distinct <= MAX_CLASSES and target_kind(c, names) is not Kind.NUMERIC
    ]


def _rather(
    many: ColumnGuess,
    columns: Sequence[ColumnGuess],
    usable: Sequence[ColumnGuess],
    words: Sequence[ColumnGuess],
    rows: int,
) -> ColumnGuess | None:
    """The classes to predict instead of the many numbers of a target so called, or None.

    A column called like classes, else the last one if it has few values. Beside x, y is the other
    coordinate; a y that comes first is what the others explain.
    """
    names = [c.name for c in columns]
    last = columns[-1]
    beside_x = "x" in (name.casefold() for name in names)
    explained = not beside_x and (many is columns[0] or many.name.casefold() != "y")
    classes = [
        c for c in _classes(usable, names) if not explained or c.name.casefold() in TARGET_NAMES
    ]
    classes = [c for c in classes if c is not many]
    if classes or explained:
        return next(iter(classes), None)
    few = (
        last.whole
        and 1 < last.distinct <= FEW
        and last.distinct * _OFTEN <= rows
        and last.name.casefold() != "z"
    )
    return (
        last
        if last is not many and (last in words or (beside_x and few and last in usable))
        else None
    )


# -- values ----------------------------------------------------------------------------------------


def column_of(
    said: ColumnGuess,
    cells: Sequence[str],
    rows: Sequence[int],
    missing: Collection[str],
    comma: bool,
) -> Column:
    """The column of the cells as `said` describes it.

    Raises EngineError for words among numbers, infinite numbers and too many classes.

    rows: the row numbers for sentences; 1 is the first below the names
    """
    if said.kind is Kind.NUMERIC:
        return number_column(said.name, _numbers(said.name, cells, rows, missing, comma), said.role)
    declared = [word for word in said.declared if word not in missing]
    if declared:  # all declared words decide the kind
        said = replace(said, natural=guess_column(said.name, declared, (), comma).natural)
    labels = _labels(said, cells, missing, comma)
    used = {label for label in labels if label is not None}
    if declared and said.kind is Kind.CATEGORICAL:
        order = _declared_order(said, _labels(said, declared, (), comma), used)
    else:
        order = said.categories or _domain(said, used)
    codes = {label: float(code) for code, label in enumerate(order)}
    try:
        values = [np.nan if label is None else codes[label] for label in labels]
    except KeyError as unknown:
        raise EngineError(
            f"{quoted(unknown.args[0])} is not one of the values of column {quoted(said.name)}."
        ) from None
    column = Column(Feature(said.name, said.kind, order), frozen(values, np.float64), said.role)
    if said.role is ColumnRole.TARGET:
        check_classes(column)
    return column


def _numbers(
    name: str, cells: Sequence[str], rows: Sequence[int], missing: Collection[str], comma: bool
) -> Sequence[float] | Float:
    present = [cell for cell in cells if cell not in missing]
    plain = plain_numbers(present, comma)
    if plain is not None and np.isfinite(plain).all():
        values = np.full(len(cells), np.nan)
        values[[cell not in missing for cell in cells] if len(present) < len(cells) else ...] = (
            plain
        )
        return values
    found = [np.nan if cell in missing else number_of(cell, comma) for cell in cells]
    for cell, value, row in zip(cells, found, rows, strict=True):
        if value is None:
            raise EngineError(
                f"Column {quoted(name)} should hold numbers, but row {row} holds {quoted(cell)}."
                " Make it a column of categories, correct the cell, or count that word as missing."
            )
        if np.isinf(value):
            raise EngineError(
                f"Column {quoted(name)} holds an infinite number in row {row} ({quoted(cell)})."
                " Correct it, or count that word as missing."
            )
    return [np.nan if value is None else value for value in found]


def _labels(
    said: ColumnGuess, cells: Sequence[str], missing: Collection[str], comma: bool
) -> list[Label | None]:
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
    """A number as a label: 1 for '1', '1.0' and '+1', a float for others; else the text.

    Long numbers such as accounts keep all digits; 1e300 stays a float.
    """
    value = number_of(cell, comma)
    if value is None or np.isinf(value):
        return cell
    digits = cell.strip().replace(MINUS, "-")
    if abs(value) >= WHOLE and len(digits) <= LONGEST and digits.lstrip("+-").isdecimal():
        return int(digits)  # such as an account number: all digits count
    return int(value) if value.is_integer() and abs(value) < WHOLE else value


def _domain(said: ColumnGuess, labels: set[Label]) -> tuple[Label, ...]:
    """The labels in order: for a target the positive class first, for other Booleans false first.

    Raises EngineError for more than two values of a Boolean.
    """
    order = (True, False) if said.natural is Kind.BOOLEAN else order_labels(labels)
    if said.kind is Kind.BOOLEAN and len(order) > 2:
        raise EngineError(
            f"Column {quoted(said.name)} has {counted(len(order), 'value')}, truth values are two:"
            " make it categories."
        )
    return (
        order[::-1] if said.kind is Kind.BOOLEAN and said.role is not ColumnRole.TARGET else order
    )


def _declared_order(
    said: ColumnGuess, declared: Sequence[Label | None], used: set[Label]
) -> tuple[Label, ...]:
    """The domain in the order that the file declares; other words follow behind."""
    known: list[Label] = [label for label in dict.fromkeys(declared) if label is not None]
    order = (*known, *order_labels(used.difference(known)))
    return class_order(order, used) if said.role is ColumnRole.TARGET else order


def label_cell(label: Label) -> str:
    """A category or class as it is written to a file."""
    return number_cell(label) if isinstance(label, float) else str(label)
