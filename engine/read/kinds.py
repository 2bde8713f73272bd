"""From cells of text to typed columns: what counts as a number, a truth value, a category, a name,
the target.
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
from engine.read.dates import are_dates
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

FEW = 20  # whole numbers of at most so many values may be classes
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
# of classes, in a first column
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
)  # words in the name of a column that says what became of each row
_PAIRS = ({"0", "1"}, {"1", "2"}, {"-1", "1"})
_ANSWERS = 3  # different words, such as yes, no and perhaps, in columns that all answer alike
_MARKS = 5  # so many numbers beside words may be classes all the same
_OFTEN = 5  # times that whole numbers come each, when they mark classes without being called so
LONGEST = 24  # letters of a whole number that is kept to the last digit
NAME_NAMES = ("name", "names", "id", "row", "key", "index", "")
# when they count the rows
COUNT_NAMES = (*NAME_NAMES, "nr", "nr.", "no", "no.", "#", "number", "nummer", "lfd. nr.")
# words in names such as PassengerId and case_no
_COUNTING = frozenset(("id", "index", "nr", "no", "number"))
# as pandas and this lab call a column without a name
_NAMELESS = re.compile(r"unnamed: \d+|column \d+")
ERRORS = (
    "#N/A",
    "#DIV/0!",
    "#VALUE!",
    "#REF!",
    "#NAME?",
    "#NUM!",
    "#NULL!",
)  # of Excel, where nothing could be computed
DOUBTFUL = ("None", "NA", "N/A", "n/a", "null", "NULL", "none", *ERRORS)


class ColumnGuess(Record, eq=True):
    """What a column of cells seems to be; a dialog shows it and changes `kind` and `role`.

    natural: the kind that its cells have, whatever it is used for; whole: numbers without decimals;
    categories: the whole domain in order, () = from the cells; declared: the words that the file
    says the column may hold, in order, () = any; words of the cells that are not among them come
    behind; distinct, missing: counts; sample: a few of the cells; spoilt: words, but most of its
    values are numbers; dated: its words are dates; decimal: the sign in its numbers, "" = that of
    the table
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
    """A sentence when words of a column differ only in capital letters: yes and Yes are two
    categories.
    """
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
    """The words of a column that may mean missing, when all its other cells are numbers; of a
    column of words none.
    """
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
    """Kind and counts of a column; its role is still FEATURE."""
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
    """What `number_of` says of each cell."""
    plain = plain_numbers(cells, comma)
    return [number_of(cell, comma) for cell in cells] if plain is None else plain.tolist()


def target_kind(column: ColumnGuess, beside: Collection[str] = ()) -> Kind:
    """How a column is predicted: whole numbers of few values are classes, other numbers, and y
    beside x, are values.
    """
    if column.natural is not Kind.NUMERIC:
        return column.natural
    beside_x = any(name.casefold() == "x" for name in beside)
    curve = column.name.casefold() == "y" and beside_x and column.distinct > 2
    return (
        Kind.CATEGORICAL if column.whole and column.distinct <= FEW and not curve else Kind.NUMERIC
    )


def names_rows(column: ColumnGuess, rows: int) -> bool:
    """Whether the column seems to name the rows: every cell differs, and it is called so or holds
    words; numbers that a few words spoil name nothing.
    """
    if column.distinct < rows or rows < 2:
        return False
    called = column.name.casefold() in NAME_NAMES
    return called or (column.natural is Kind.CATEGORICAL and not column.spoilt and rows > FEW)


def says_nothing(column: ColumnGuess) -> bool:
    """Whether all cells are the same; beside a single value a gap may tell rows apart."""
    return column.distinct == 1 and not column.missing


def counts_rows(name: str, cells: Sequence[str], places: Sequence[int], comma: bool) -> bool:
    """Whether a column is called so and holds 0, 1, 2, … or 1, 2, 3, …; places: of its cells in the
    table, from 1.
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
    """The column to predict: one called y, class, target or label, else an outcome of two values,
    as survived, else a first one that stands apart from the others, else the only one of two
    numbers (`_lone_pair`), else the last one of a few categories, else one that is called like
    classes and has few whole numbers.

    Of a column so called with many numbers, or numbers that a few words spoil, another one with
    classes takes the place.
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
    """The columns of a few categories, if there are any without numbers among their words those
    alone.
    """
    words = [c for c in usable if c.natural is not Kind.NUMERIC and 2 <= c.distinct <= MAX_CLASSES]
    return [c for c in words if not c.spoilt] or words


def _outcomes(columns: Sequence[ColumnGuess]) -> list[ColumnGuess]:
    """The columns of two values that are called an outcome: by that word alone first, and the last
    one first.
    """
    pairs = [
        c for c in columns if c.distinct == 2 and (c.natural is not Kind.NUMERIC or _is_pair(c))
    ]
    called = [c for c in pairs if c.name.casefold() in OUTCOMES]
    within = [c for c in pairs if _name_words(c.name).intersection(OUTCOMES)]
    return [*reversed(called), *reversed(within)]


def _name_words(name: str) -> set[str]:
    """The words of a name such as is_fraud, isFraud or DEATH.EVENT, in small letters."""
    apart = (f" {b}" if a.islower() and b.isupper() else b for a, b in pairwise(f" {name}"))
    letters = (each if each.isalpha() else " " for each in "".join(apart))
    return set("".join(letters).casefold().split())


def _is_pair(column: ColumnGuess) -> bool:
    """Whether a column of numbers has two that mark one thing and its opposite."""
    cells = {cell.lstrip("+").removesuffix(".0") for cell in column.sample}
    return column.whole and column.distinct == 2 and any(cells <= pair for pair in _PAIRS)


def _lone_pair(
    usable: Sequence[ColumnGuess], words: Sequence[ColumnGuess], rows: int
) -> list[ColumnGuess]:
    """The only column of two numbers, as 0 and 1, if there is one and the rows repeat them often
    enough: it rather marks what became of the rows than a last column of words, unless that is
    called like classes or has two values as well.
    """
    pairs = [c for c in usable if _is_pair(c) and c.name.casefold() not in COUNT_NAMES]
    named = any(c.name.casefold() in FIRST_NAMES for c in words)
    if len(pairs) != 1 or rows < _OFTEN * 2 or named or not words or words[-1].distinct == 2:
        return []
    return pairs


def doubted_target(columns: Sequence[ColumnGuess], rows: int) -> list[str]:
    """A sentence when the target that was guessed has nothing for it but to be the only column of
    two numbers.
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
    """Whether a first column of words holds the classes, as files of UCI often have them: it is
    called so, or all others answer alike, with y, n and ? say, in words that it does not have.
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
    """The columns that are called like classes and have some, in the order of those names."""
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
    """The classes to predict in place of many numbers: a column called so, else one of few values
    that comes last.

    Beside a column x, y is the other coordinate; a y that comes first is what the others explain.
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
    """The column that `said` makes of the cells; rows: their numbers, the first below the column
    names is 1, for sentences.

    Raises EngineError: words where numbers should be, infinite numbers, too many classes.
    """
    if said.kind is Kind.NUMERIC:
        return number_column(said.name, _numbers(said.name, cells, rows, missing, comma), said.role)
    declared = [word for word in said.declared if word not in missing]
    if declared:  # what the words are is seen in all that may come
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
    """1 for '1', '1.0' and '+1'; other numbers as floats, 1e300 too: no label has hundreds of
    digits; else text.
    """
    value = number_of(cell, comma)
    if value is None or np.isinf(value):
        return cell
    digits = cell.strip().replace(MINUS, "-")
    if abs(value) >= WHOLE and len(digits) <= LONGEST and digits.lstrip("+-").isdecimal():
        return int(digits)  # a number of an account: all its digits count
    return int(value) if value.is_integer() and abs(value) < WHOLE else value


def _domain(said: ColumnGuess, labels: set[Label]) -> tuple[Label, ...]:
    """Classes: the positive one first.

    A column of truth values: false, true, so that the codes are 0 and 1.
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
    """The domain of a column whose file names it, in that order; words that the file does not name
    come behind.
    """
    known: list[Label] = [label for label in dict.fromkeys(declared) if label is not None]
    order = (*known, *order_labels(used.difference(known)))
    return class_order(order, used) if said.role is ColumnRole.TARGET else order


def label_cell(label: Label) -> str:
    """A category or class as it is written to a file."""
    return number_cell(label) if isinstance(label, float) else str(label)
