"""Writes the notices about a guessed table: ignored columns, words among numbers, doubtful
cells.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from engine.base.notation import plural, quoted
from engine.base.sums import add_up
from engine.read import kinds, number_cells
from engine.read.kinds import DOUBTFUL, ColumnGuess
from engine.table.dataset import ColumnRole, Kind

# the most distinct words in a column that is still meant as numeric
_ODD = 2


def suggested(
    columns: Sequence[ColumnGuess],
    cells: Sequence[Sequence[str]],
    missing: Collection[str],
    commas: Sequence[bool],
) -> tuple[str, ...]:
    """Words that alone keep a column from being numeric."""
    each = zip(columns, cells, commas, strict=True)
    found = (_odd(c, column, missing, comma) for c, column, comma in each)
    return tuple(dict.fromkeys(word for words in found for word in words))


def _odd(
    c: ColumnGuess, column: Sequence[str], missing: Collection[str], comma: bool
) -> tuple[str, ...]:
    """The words among the numbers of a column; () if there are many."""
    if c.natural is not Kind.CATEGORICAL:
        return ()
    often: Counter[str] = Counter()
    for part in number_cells.in_parts(column):
        often.update(part)
    odd = [
        cell
        for cell in often
        if cell not in missing and number_cells.number_of(cell, comma) is None
    ]
    if any(map(number_cells.is_number, odd)) or number_cells.are_lists(odd):
        return ()  # numbers with the other decimal sign, or several codes: they do not mean missing
    few = len(odd) <= _ODD and add_up(often[cell] for cell in odd) * 2 < len(column) - c.missing
    return tuple(odd) if few else ()


def own_signs(
    columns: Sequence[ColumnGuess], cells: Sequence[Sequence[str]], own: Sequence[bool]
) -> list[str]:
    """A sentence for each column whose decimal sign differs from the table's."""
    said = []
    for c, column, other in zip(columns, cells, own, strict=True):
        if other:
            sign, name = ("points", "commas") if c.decimal == "." else ("commas", "points")
            first = next((cell for cell in column if c.decimal in cell), c.sample[0])
            said.append(
                f"Column {quoted(c.name)} is read with decimal {sign}, as {quoted(first)}; the"
                f" others with {name}."
            )
    return said


def doubtful(cells: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words of a table that may mean missing."""
    present = {word for column in cells for word in number_cells.met(DOUBTFUL, column)}
    return tuple(word for word in DOUBTFUL if word in present)


def sentences(
    columns: Sequence[ColumnGuess],
    cells: Sequence[Sequence[str]],
    missing: Collection[str],
    commas: Sequence[bool],
    separator: str,
) -> list[str]:
    """All notices about the columns and their cells, in order."""
    said = _of_the_table(columns)
    for c, column, comma in zip(columns, cells, commas, strict=True):
        odd = _odd(c, column, missing, comma)
        spoilt = (
            odd if not set(odd) <= set(DOUBTFUL) else ()
        )  # if all may mean missing, they have sentences of their own
        said += [_spoilt(c, spoilt)] if spoilt else _left_out(c)
        if c.natural is Kind.NUMERIC:
            said += _of_numbers(c, column, missing, comma, separator)
        if c.natural is Kind.CATEGORICAL:
            said += _of_words(c, column, {*missing, *spoilt}, odd)
    return said


def _of_the_table(columns: Sequence[ColumnGuess]) -> list[str]:
    said = []
    learnt = [c for c in columns if c.role is ColumnRole.FEATURE]
    target = next((c for c in columns if c.role is ColumnRole.TARGET), None)
    if not any(c.kind is Kind.NUMERIC for c in learnt):
        # two categories can be 1 and 0
        words = any(c.kind is Kind.CATEGORICAL and c.distinct != 2 for c in learnt)
        rest = ", tables and trees work" if words else ""
        said.append(f"No column to learn from holds numbers: the plane stays empty{rest}.")
    if target is None:
        said.append("No column of classes was found: choose the target, or learn without one.")
    elif target.distinct == 1:
        said.append(f"Column {quoted(target.name)} has one class only.")
    return said


def _left_out(c: ColumnGuess) -> list[str]:
    """Why a column is ignored, as a sentence; else []."""
    if not c.distinct:
        return [f"Column {quoted(c.name)} is empty; it is ignored."]
    if c.role is not ColumnRole.IGNORED:
        return []
    if c.dated:
        return [
            f"Column {quoted(c.name)} holds dates; it is ignored, because each would be a category"
            " of its own."
        ]
    if kinds.says_nothing(c):
        return [f"Column {quoted(c.name)} holds {quoted(c.sample[0])} in every row; it is ignored."]
    if c.natural is Kind.NUMERIC:
        return [f"Column {quoted(c.name)} counts the rows; it is ignored."]
    return [f"Column {quoted(c.name)} has {c.distinct} different words; it is ignored."]


def _of_numbers(
    c: ColumnGuess, column: Sequence[str], missing: Collection[str], comma: bool, separator: str
) -> list[str]:
    present = [cell for cell in column if cell not in missing]
    said = [_gap(word, c.name) for word in sorted(number_cells.met(DOUBTFUL, column))[:3]]
    quoted = number_cells.quotes_notice(c.name, present) if comma and separator == "," else None
    notice = (
        quoted
        or number_cells.comma_doubt(c.name, column, comma)
        or number_cells.unit_notice(c.name, present, comma)
    )
    said += dict.fromkeys(filter(None, (notice, number_cells.below_zero_notice(c.name, present))))
    if comma or separator == ";":  # where decimal commas are usual
        said += filter(None, (number_cells.point_doubt(c.name, present, comma),))
    return said


def _of_words(
    c: ColumnGuess, column: Sequence[str], missing: Collection[str], odd: Sequence[str]
) -> list[str]:
    said = (
        list(filter(None, (kinds.spelled_twice(c.name, column),)))
        if c.role is not ColumnRole.IGNORED
        else []
    )
    if c.role is not ColumnRole.IGNORED and number_cells.are_lists(column):
        first = quoted(next(cell for cell in column if cell.count(",") > 1))
        said.append(
            f"{first} in column {quoted(c.name)} is read as a list of codes; if it is a number,"
            " make the column numeric."
        )
    gaps = {*missing, *DOUBTFUL}
    mixed = number_cells.mixed_signs_notice(c.name, (cell for cell in column if cell not in gaps))
    said += filter(None, (mixed,))
    unclear = sorted(number_cells.met(DOUBTFUL, column).difference(missing))
    return said + [_doubt(word, c.name, word in odd) for word in unclear[:3]]


def _spoilt(c: ColumnGuess, odd: Sequence[str]) -> str:
    """A sentence about a column of numbers with words among them, and the remedy."""
    words = " and ".join(quoted(word) for word in odd)
    them = "them" if len(odd) > 1 else "it"
    became = ", and ignored: too many of its cells differ" if c.role is ColumnRole.IGNORED else ""
    return (
        f"Column {quoted(c.name)} holds numbers, and {words}: it is read as words{became}. If"
        f" {words} {plural(len(odd), 'means', 'mean')} missing, add {them} to the missing words,"
        " and the column holds numbers."
    )


def _gap(word: str, column: str) -> str:
    return (
        f"{quoted(word)} stands among the numbers of column {quoted(column)}: it counts as missing"
        " there."
    )


def _doubt(word: str, column: str, numeric: bool) -> str:
    more = " and the column becomes numeric" if numeric else ""
    return (
        f"{quoted(word)} in column {quoted(column)} is read as a category; if it means missing, add"
        f" it to the missing words{more}."
    )
