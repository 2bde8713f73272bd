"""The table of a script: the rows as the person wrote them, which of them are held out, and how
Python reads them.
"""

import csv
import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Bool, alike
from engine.base.records import Record
from engine.scripts.body import WIDTH, block, join_blocks, listing, literal, plain
from engine.table.dataset import Column, Feature, Label
from engine.table.prepare import Made, Split, Transform, prepare
from engine.table.problem import Problem

INLINE_ROWS, INLINE_CELLS = 150, 1500  # up to which a table stands in the script
ROOM = WIDTH - 4  # within brackets
LONGEST_CELL = 60  # letters
LISTED = 60  # rows held out whose numbers stand in the script


class Table(Record):
    """columns: those that are learnt from; target: the labels or values, None for a method that
    needs none; classes: in the order of their numbers; held_out (n,): the rows set aside; split:
    where the script can draw them itself.
    """

    name: str
    columns: tuple[Column, ...]
    target: Column | None
    classes: tuple[Label, ...]
    held_out: Bool
    split: Split | None
    transforms: tuple[Transform, ...]

    @property
    def n(self) -> int:
        return len(self.held_out)

    @property
    def small(self) -> bool:
        """Whether the table is small enough for its rows to stand in the script."""
        cells = self.n * (len(self.columns) + 1)
        longest = max((len(literal(cell)) for row in self.rows() for cell in row), default=0)
        return self.n <= INLINE_ROWS and cells <= INLINE_CELLS and longest <= LONGEST_CELL

    @property
    def marked(self) -> bool:
        """Whether a column of 0 and 1 marks the held-out rows, because there are too many to
        list.
        """
        return self.split is None and int(self.held_out.sum()) > LISTED

    def rows(self) -> list[tuple[Any, ...]]:
        """The cells of each row as in the person's table, then the target and the held-out mark
        where they exist; None for a missing cell.
        """
        columns: list[Sequence[Any]] = [_cells(column) for column in self.columns]
        if self.target is not None:
            columns.append(self.target.labels())
        if self.marked:
            columns.append([float(mark) for mark in self.held_out])
        return list(zip(*columns, strict=True))


def _cells(column: Column) -> Sequence[Any]:
    if _bits(column.feature):
        return [int(value) if value == value else None for value in column.values]
    return column.labels()


def _bits(feature: Feature) -> bool:
    """A column of truth values, or of the words 0 and 1: numbers in a script."""
    return feature.categories in ((False, True), (0, 1))


def _number(feature: Feature) -> bool:
    return feature.numeric or _bits(feature)


def table_of(problem: Problem, name: str, with_target: bool) -> Table:
    """The table that a problem was prepared from; where it is not known, a table of the prepared
    columns.
    """
    made = problem.made_of
    if isinstance(made, Made) and _same(_again(made), problem):
        return _raw(made, problem, with_target)
    parts = [problem] + ([problem.held_out] if problem.held_out is not None else [])
    X = np.concatenate([part.X for part in parts])
    held_out = np.arange(len(X)) >= problem.n
    columns = tuple(Column(feature, X[:, j]) for j, feature in enumerate(problem.features))
    target = None
    if with_target and problem.target is not None:
        target = Column(problem.target, np.concatenate([part.wanted for part in parts]))
    return Table(name, columns, target, problem.classes, held_out, None, ())


def _again(made: Made) -> Problem:
    return prepare(made.data, transforms=made.transforms, split=made.split, most=made.most)


def _same(again: Problem, problem: Problem) -> bool:
    """Whether a problem holds the rows that its table comes to; it may have been changed since."""
    parts = [(again, problem), (again.held_out, problem.held_out)]
    return all(
        (a is None and b is None)
        or (a is not None and b is not None and alike(a.X, b.X) and alike(a.wanted, b.wanted))
        for a, b in parts
    )


def _raw(made: Made, problem: Problem, with_target: bool) -> Table:
    data, split = made.data, made.split
    train, test = made.sides()
    rows = np.sort(np.concatenate([train, test]))
    whole = len(rows) == len(data)
    held_out = np.isin(rows, test)
    data = data if whole else data.take(rows)
    target = data.target if with_target else None
    alone = split if whole and not split.rows else None
    return Table(
        data.name, data.features, target, problem.classes, held_out, alone, tuple(made.transforms)
    )


# -- as code ---------------------------------------------------------------------------------------


def table_code(table: Table, file: str | None) -> str:
    """The code that makes X, y and held_out of the table; file: the name of the CSV file beside the
    script, None: the rows stand in the script.
    """
    rows = _rows_inline(table) if file is None else _rows_of_file(file)
    return join_blocks(
        _head(table, file),
        rows,
        _columns_code(table, file),
        _target_code(table, file),
        _split_code(table),
    )


def csv_text(table: Table) -> str:
    """The table as a CSV file: a row of names, then the rows; missing cells are empty."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_names(table))
    writer.writerows(["" if cell is None else str(cell) for cell in row] for row in table.rows())
    return out.getvalue()


def _names(table: Table) -> list[str]:
    names = [column.name for column in table.columns] + (
        [table.target.name] if table.target else []
    )
    return names + ["held out"] * table.marked


def _head(table: Table, file: str | None) -> str:
    width = 90
    lines = [listing("NAMES = ", (literal(plain(c.name)[:width]) for c in table.columns))]
    lines += _classes_code(table)
    words = {j: c.feature for j, c in enumerate(table.columns) if not _number(c.feature)}
    if words:
        lines.append(
            "CATEGORIES = {  # of column j: the words, in the order of their numbers 0, 1, …"
        )
        lines += [f"    {_category_line(j, feature, file)}" for j, feature in words.items()]
        lines.append("}")
    return "\n".join(lines)


def _category_line(j: int, feature: Feature, file: str | None) -> str:
    labels = [literal(str(label) if file else label) for label in feature.categories]
    return listing(f"{j}: ", labels, closing="],", width=ROOM).replace("\n", "\n    ")


def _classes_code(table: Table) -> list[str]:
    if not table.classes or table.target is None:
        return []
    return [listing("CLASSES = ", map(literal, table.classes))]


def _rows_inline(table: Table) -> str:
    names = plain(", ".join(_names(table)))
    head = f"TABLE = [  # {names}" if len(names) < 80 else "TABLE = ["
    rows = [
        listing("", map(literal, row), "(", f"{',' * (len(row) == 1)}),", ROOM)
        for row in table.rows()
    ]
    return "\n".join([head, *("    " + row.replace("\n", "\n    ") for row in rows), "]"])


def _rows_of_file(file: str) -> str:
    return block(f"""
        with open(Path(__file__).with_name({file!r}), encoding="utf-8", newline="") as lines:
            TABLE = [[cell or None for cell in row] for row in csv.reader(lines)][1:]
    """)


def _columns_code(table: Table, file: str | None) -> str:
    d = len(table.columns)
    cells = f"row[:{d}]"
    if all(_number(c.feature) for c in table.columns):
        if not table.n:
            return f"X = np.zeros((0, {d}))"
        return f"X = np.array([{cells} for row in TABLE], dtype=float)"
    return block(f"""


        def number(j, cell):
            \"\"\"A cell of column j as a number, NaN where it is missing.\"\"\"
            if cell is None:
                return np.nan
            return CATEGORIES[j].index(cell) if j in CATEGORIES else float(cell)


        X = np.array([[number(j, cell) for j, cell in enumerate({cells})] for row in TABLE])
    """)


def _target_code(table: Table, file: str | None) -> str:
    if table.target is None:
        return ""
    place = len(table.columns)
    if not table.classes:
        return f"y = np.array([row[{place}] for row in TABLE], dtype=float)"
    labels = "CLASSES" if file is None else "WORDS"
    words = "" if file is None else "WORDS = [str(label) for label in CLASSES]"
    found = f"{labels}.index(row[{place}])"
    if table.target.has_gaps:
        found = f"-1 if row[{place}] is None else {found}"
    return join_blocks(
        words, f"y = np.array([{found} for row in TABLE])  # the numbers of the classes"
    )


def _split_code(table: Table) -> str:
    """Which rows are held out."""
    count = int(table.held_out.sum())
    n = table.n
    if not count:
        return ""
    if table.marked:
        return "held_out = np.array([float(row[-1]) == 1 for row in TABLE])"
    if table.split is not None:
        return block(f"""
            # the test split: {count} rows are set aside, drawn with the seed of the split
            held_out = np.zeros(len(X), dtype=bool)
            held_out[np.random.default_rng({table.split.seed}).permutation(len(X))[:{count}]] = True
        """)
    rows = listing("held_out[", map(str, np.flatnonzero(table.held_out).tolist()), "[", "]] = True")
    return join_blocks(f"held_out = np.zeros({n}, dtype=bool)  # the test split", rows)
