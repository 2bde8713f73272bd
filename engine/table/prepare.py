"""From a table to a problem: declared transformations, the train/test split, the plane.

Nothing is changed silently.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int, frozen, middle, own
from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.base.records import Record, replace
from engine.table.dataset import Column, ColumnRole, Dataset
from engine.table.given import (
    check_place,
    check_plane,
    check_seed,
    check_share,
    check_type,
    columns_named,
)
from engine.table.problem import Problem
from engine.table.row_words import fair_rows, words_at
from engine.table.transforms import Pipeline, fit
from engine.table.transforms import Transform as Transform


class Split(Record, eq=True):
    """Which rows are held out for testing.

    share: of the rows, drawn with `seed`; at least one row is left to learn from
    rows: instead of a share these rows, by their numbers in the table from 1; numbers beyond the
        table are ignored
    Raises EngineError for a share outside 0…1, a wrong seed, and numbers below 1.
    """

    share: float = 0.0
    seed: int = 0
    rows: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_share(self.share)
        check_seed(self.seed)
        if any(row < 1 for row in self.rows):
            raise EngineError("The rows to hold out are numbered from 1.")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The held-out rows as whole numbers, ascending, without repeats."""
        return tuple(sorted({int(row) for row in self.rows}))


class Made(Record):
    """What a problem was prepared from: the table, its declared changes, the split.

    most: the number of rows at most, see `prepare`
    """

    data: Dataset
    transforms: tuple[Transform, ...] = ()
    split: Split = Split()
    most: int | None = None

    def sides(self) -> tuple[Int, Int]:
        """(train, test) as indices into the table, both ascending, before a change leaves
        out rows.
        """
        return _sides(len(self.data), self.split, self.most)


def prepare(
    data: Dataset,
    *,
    transforms: Sequence[Transform] = (),
    plane: Sequence[str] = (),
    split: Split = Split(),
    query: Sequence[float] | None = None,
    most: int | None = None,
) -> Problem:
    """The problem that `data` poses.

    plane: names of one or two features; () = those that a transformation asks for, else those that
        the table declares, else the first two numeric ones
    query: the probe as plane coordinates (x, y), of the transformed columns
    most: of a table with more rows a fair sample of so many is learnt from and tested on

    Transformations are fitted on the training rows alone. Raises EngineError when one does not fit
    or a plane column does not exist.
    """
    plane = columns_named("The plane", plane)
    check_type("The data", data, Dataset, 'textbook("restaurant")')
    check_type("The split", split, Split, "Split(0.3)")
    if query is not None:
        check_place(query)
    if len(data) == 0:
        raise EngineError("There are no examples yet: click some onto the plane or open a table.")
    rows, test_rows = _sides(len(data), split, most)
    train = data if len(rows) == len(data) else data.take(rows)
    test = data.take(test_rows)
    pipeline = fit(transforms, train)
    # rows keep their numbers of the whole table
    shown, names = plane or pipeline.plane, data.row_names()
    rows = rows[pipeline.kept(train)]
    test_rows = test_rows[pipeline.kept(test)]
    problem = _problem(pipeline.apply(train), shown, query)
    notices = *_sampled(len(data), most), *pipeline.notices
    here = names if len(rows) == len(names) else words_at(names, rows)
    problem = replace(problem, notices=notices, names=here, numbers=_numbers(rows))
    test = pipeline.apply(test)
    if len(test):
        held_out = _problem(test, shown, query)
        held_out = replace(held_out, anchor=problem.anchor, query=problem.query)
        held_out = replace(held_out, names=words_at(names, test_rows), numbers=_numbers(test_rows))
        problem = replace(problem, held_out=held_out)
    return replace(problem, made_of=Made(data, tuple(transforms), split, most))


def _numbers(rows: Int) -> tuple[int, ...]:
    """Row indices as row numbers, from 1; () where the indices are 0, 1, … without a gap."""
    return tuple((rows + 1).tolist()) if len(rows) and rows[-1] >= len(rows) else ()


def _sampled(n: int, most: int | None) -> tuple[str, ...]:
    """The notice of a table of n rows of which only `most` are used; () where all are."""
    return () if most is None or n <= most else (f"{most:,} of {n:,} rows",)


def _sides(n: int, split: Split, most: int | None = None) -> tuple[Int, Int]:
    """(train, test) as ascending indices into a table of n rows.

    Of a table with more than `most` rows only those of its sample. A row is on the same side in
    every sample, so that a method with another limit is not tested on rows that the method before
    has learnt from. Raises EngineError when all rows of the sample are held out.
    """
    mask = held_out_rows(n, split)
    if most is None or n <= most:
        return np.flatnonzero(~mask), np.flatnonzero(mask)
    rows = fair_rows(n, most)
    if mask[rows].all():
        raise EngineError(
            f"All {most:,} rows that this method takes of the table are held out: hold out fewer."
        )
    return rows[~mask[rows]], rows[mask[rows]]


def split_rows(data: Dataset, split: Split) -> tuple[Dataset, Dataset]:
    """(train, test) tables, both in the order of `data`."""
    train, test = _sides(len(data), split)
    return data.take(train), data.take(test)


def held_out_rows(n: int, split: Split) -> Bool:
    """(n,) which rows of a table are held out; depends only on n and the split."""
    mask = np.zeros(n, dtype=bool)
    numbers = split.numbers
    named = np.array([row for row in numbers if row <= n], np.intp) - 1
    if numbers:
        mask[named[: n - 1]] = True
        return mask
    count = min(round(float(split.share) * n), n - 1)
    if count > 0:
        mask[np.random.default_rng(int(split.seed)).permutation(n)[:count]] = True
    return mask


def problem_rows(
    data: Dataset,
    transforms: Sequence[Transform] = (),
    split: Split = Split(),
    most: int | None = None,
) -> tuple[Int, Int]:
    """(train, test): the table index of each row of the prepared problem and of its
    held-out part.
    """
    train, test = _sides(len(data), split, most)
    pipeline = fit(transforms, data.take(train))
    return train[pipeline.kept(data.take(train))], test[pipeline.kept(data.take(test))]


def unapply(
    transforms: Sequence[Transform],
    data: Dataset,
    xy: Any,
    *,
    plane: Sequence[str] = (),
    split: Split = Split(),
    most: int | None = None,
) -> dict[str, Float]:
    """Plane coordinates xy (m, 2) in the units of the table's own columns: {column name: (m,)}.

    Raises EngineError when the plane shows a column that is made from others (polar, squares, 0/1
    columns).
    """
    places = np.atleast_2d(np.asarray(xy, dtype=np.float64))
    learnt = _sides(len(data), split, most)[0] if len(data) and transforms else ()
    pipeline = fit(transforms, data.take(learnt)) if len(learnt) else Pipeline()
    prepared = pipeline.apply(data.take([]))
    shown = [prepared.features[j].name for j in _axes(prepared, plane or pipeline.plane)]
    return {name: pipeline.raw(name, places[:, k]) for k, name in enumerate(shown)}


def _problem(data: Dataset, plane: Sequence[str], query: Sequence[float] | None) -> Problem:
    columns = data.features
    X = np.column_stack([c.values for c in columns]) if columns else np.zeros((len(data), 0))
    X = own(np.ascontiguousarray(X))
    axes = _axes(data, plane)
    codes, y = _target(data)
    problem = Problem(
        X,
        y,
        codes,
        tuple(c.feature for c in columns),
        data.classes,
        data.target.feature if data.target else None,
        axes,
        _anchor(columns),
        aside=tuple(c for c in data.columns if c.role is ColumnRole.IGNORED),
    )
    if query is None:
        return problem
    return replace(problem, query=frozen(problem.from_plane(np.asarray([query], np.float64))[0]))


def _axes(data: Dataset, wanted: Sequence[str]) -> tuple[int, ...]:
    """The indices of the features on the axes.

    A value to predict takes the second axis, unless columns are `wanted`.
    """
    upright = data.target is not None and data.target.feature.numeric
    return _plane(data.features, wanted or _declared(data), 1 if upright and not wanted else 2)


def _declared(data: Dataset) -> tuple[str, ...]:
    """The plane that the table declares; () where one of its columns has been removed or changed
    since.
    """
    numeric = {c.name for c in data.features if c.feature.numeric}
    return data.plane if numeric.issuperset(data.plane) else ()


def _plane(columns: Sequence[Column], wanted: Sequence[str], most: int) -> tuple[int, ...]:
    """The indices of at most `most` columns: the wanted ones, else the first numeric ones.

    Columns with two values (0 and 1) come last. Raises EngineError for wanted columns without
    numbers.
    """
    names = [c.name for c in columns]
    numeric = [j for j, c in enumerate(columns) if c.feature.numeric]
    if not wanted:
        two_valued = (
            {j for j in numeric if _two_valued(columns[j].values)} if len(numeric) > most else set()
        )
        return tuple(sorted(sorted(numeric, key=two_valued.__contains__)[:most]))
    for name in wanted:
        if name not in names or names.index(name) not in numeric:
            fault = "holds no numbers" if name in names else "is no column to learn from"
            raise EngineError(
                f"The plane needs numeric columns; {quoted(name)} {fault}."
                f" {_choice(names, numeric)}"
            )
    check_plane(wanted)
    return tuple(names.index(name) for name in wanted)[:most]


def _two_valued(values: Float) -> bool:
    """Whether a column holds at most two different values, apart from gaps, and at least one."""
    present = values[~np.isnan(values)]
    return bool(len(present)) and bool(
        ((present == present.min()) | (present == present.max())).all()
    )


def _choice(names: Sequence[str], numeric: Sequence[int]) -> str:
    """A sentence that names the columns which the plane can show."""
    if not numeric:
        return "None of the columns to learn from holds numbers."
    return f"It can show {listed(names[j] for j in numeric)}."


def _anchor(columns: Sequence[Column]) -> Float:
    """(d,) where hidden columns are held: at their mean, or their most frequent category."""
    places = []
    for c in columns:
        present = c.values[~np.isnan(c.values)] if c.has_gaps else c.values
        if not len(present):
            places.append(0.0 if c.feature.numeric or c.categories else np.nan)
        elif c.feature.numeric:
            places.append(float(middle(present[:, None])[0]))
        else:
            places.append(float(np.bincount(present.astype(int)).argmax()))
    return frozen(places, np.float64)


def _target(data: Dataset) -> tuple[Int, Any]:
    target = data.target
    if target is None or target.feature.numeric:
        none = frozen(np.full(len(data), -1), np.intp)
        return none, frozen([]) if target is None else target.values
    return target.coded
