"""`Problem`: a table as arrays that a method learns from, and the columns that the plane shows."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import isnan
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int, frozen, own
from engine.base.errors import EngineError
from engine.base.notation import class_text, counted, label_text, listed, number, quoted
from engine.base.records import Record, cached_property, field
from engine.base.spelling import label_array, place_of
from engine.base.tags import column_tag, row_tag
from engine.table.dataset import Column, Dataset, Feature, Label, number_column
from engine.table.given import entries, named_columns, plain_cells, rows_given
from engine.table.row_words import MANY, all_rows, fair_rows, words_from, words_of


class Task(StrEnum):
    """What kind of thing a method learns."""

    CLASSIFY = "classify"
    REGRESS = "regress"
    CLUSTER = "cluster"
    STRUCTURE = "structure"
    RULES = "rules"
    ONLINE = "online"
    THEORY = "theory"
    EVALUATE = "evaluate"


class Problem(Record, dict=True, weakref=True):
    """A prepared table.

    X: (n, d) float64, read-only: numbers, category codes 0, 1, …, NaN where missing
    y: (n,) labels as in the table, or values to predict; empty without a target
    codes: (n,) class indices into `classes`; −1 = not labelled; all −1 without classes
    features: the d columns
    plane: the columns on the plane's axes: two, one (a line of points, or x against y), or none
    anchor: (d,) where hidden columns are held when the plane is coloured
    names: (n,) row names; of very many made on access
    numbers: (n,) the number of each row in its table, from 1; () where the rows are the table
    query: (d,) the placed probe point, or None
    held_out: the rows set aside for testing, or None
    notices: what preparation did, in words; shown as chips
    aside: the columns that are kept but not learnt from; a learner with several outputs finds its
        further targets here
    made_of: the table and the changes from which `prepare` made it, or None
    """

    X: Float
    y: Any
    codes: Int
    features: tuple[Feature, ...]
    classes: tuple[Label, ...] = ()
    target: Feature | None = None
    plane: tuple[int, ...] = ()
    anchor: Float = field(default_factory=lambda: frozen(np.zeros(0)))
    names: Sequence[str] = ()
    query: Float | None = None
    held_out: "Problem | None" = None
    notices: tuple[str, ...] = ()
    aside: tuple[Column, ...] = ()
    numbers: tuple[int, ...] = ()
    made_of: Any = None

    @property
    def n(self) -> int:
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        return int(self.X.shape[1])

    def number_of(self, row: int) -> int:
        """The number of a row in the whole table, from 1: rows set aside leave gaps."""
        return self.numbers[row] if self.numbers else row + 1

    @cached_property
    def table_rows(self) -> Int:
        """(n,) the index of each row in its table, from 0."""
        return frozen(np.asarray(self.numbers, np.intp) - 1) if self.numbers else all_rows(self.n)

    @cached_property
    def row_tags(self) -> Sequence[str]:
        """(n,) the tag of each example, see `row_tag`."""
        return (
            words_of(row_tag, self.table_rows + 1)
            if self.numbers
            else words_from(row_tag, 1, self.n)
        )

    @cached_property
    def drawn(self) -> Int | None:
        """The rows that are drawn where there are too many to tell apart: a fair sample, always the
        same.

        None where every row is drawn.
        """
        return fair_rows(self.n, MANY) if self.n > MANY else None

    def tags_of(self, rows: Iterable[int]) -> tuple[str, ...]:
        """The tags of these examples."""
        return tuple(self.row_tags[row] for row in rows)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """(d,) the names of the columns for reading."""
        return tuple(feature.title for feature in self.features)

    @cached_property
    def column_tags(self) -> tuple[str, ...]:
        """(d,) the tag of each column."""
        return tuple(column_tag(feature.name) for feature in self.features)

    @cached_property
    def sign(self) -> Float:
        """(n,) +1 for the first of two classes, −1 for the other, 0 for unlabelled rows."""
        # code −1 takes the last entry
        return own(np.array([1.0, *[-1.0] * len(self.classes), 0.0]).take(self.codes))

    @cached_property
    def labelled(self) -> Bool:
        """(n,) whether the class of each row is known."""
        return own(self.codes >= 0)

    @cached_property
    def counts(self) -> Int:
        """(k,) how many rows each class has."""
        k = len(self.classes)
        try:
            return np.bincount(self.codes, minlength=k)
        except ValueError:  # some code is −1: it is counted first, and left out
            return np.bincount(self.codes + 1, minlength=k + 1)[1:]

    @cached_property
    def has_gaps(self) -> bool:
        """Whether any value is missing."""
        return isnan(self.X.min(initial=0.0))  # min is NaN where any value is

    @cached_property
    def bits(self) -> tuple[bool, ...]:
        """(d,) whether a column holds only 0 and 1, apart from gaps."""
        zero = self.X == 0
        one = self.X == 1
        # the usual case for the whole array at once: column by column is slow
        if np.count_nonzero(zero) + np.count_nonzero(one) == one.size:
            vars(self)["has_gaps"] = False  # known from the same count
            return (True,) * self.d
        return tuple((zero | one | np.isnan(self.X)).all(axis=0).tolist())

    @cached_property
    def largest(self) -> Float:
        """(d,) the largest absolute value of each column."""
        # column by column: a reduction along axis 0 is slow
        sides = ((x.max(initial=0.0), -x.min(initial=0.0)) for x in self.columns)
        return own(np.array([np.maximum(*side) for side in sides], np.float64) + 0.0)

    @cached_property
    def columns(self) -> tuple[Float, ...]:
        """The d columns of X, (n,) each; the same objects at every step, so that views see no
        change.
        """
        return tuple(self.X[:, j] for j in range(self.d))

    @cached_property
    def wanted(self) -> Float:
        """(n,) the target as a table stores it: codes of classes, NaN where missing, or values."""
        values = np.where(self.codes < 0, np.nan, self.codes) if self.classes else self.y
        return frozen(values, np.float64)

    @property
    def regress(self) -> bool:
        """Whether a number is to be predicted, not a class."""
        return self.target is not None and self.target.numeric

    def axis_column(self, column: int) -> str:
        """The name of a column that can be an axis; "" for others and for none (−1)."""
        return self.features[column].name if column >= 0 and self.features[column].numeric else ""

    @property
    def all_on_plane(self) -> bool:
        """Whether the plane shows every column, so that boxes and distances on it are the true
        ones.
        """
        return 0 < len(self.plane) == self.d

    @cached_property
    def xy(self) -> Float:
        """(n, 2) the points on the plane; over one column y is the value to predict, 0
        without one.
        """
        xy = self.to_plane(self.X)
        if self.regress and len(self.plane) == 1:
            xy[:, 1] = self.y
        return own(xy)

    @cached_property
    def drawn_xy(self) -> Float:
        """(m, 2) the points on the plane of the rows that are drawn."""
        return self.xy if self.drawn is None else frozen(self.xy[self.drawn])

    @cached_property
    def bounds(self) -> tuple[Float, Float, Float]:
        """(low, high, mean) of the points on the plane, (2,) each."""
        x, y = self.xy.T.copy()  # contiguous columns: min and max are fast on them
        # einsum sums row by row in the order of `mean`, but faster
        mean = np.einsum("ij->j", self.xy) / self.n
        return np.array([x.min(), y.min()]), np.array([x.max(), y.max()]), mean

    def to_plane(self, X: Float) -> Float:
        """(m, d) rows -> (m, 2) plane coordinates."""
        xy = np.zeros((len(X), 2))
        for axis, column in enumerate(self.plane):
            xy[:, axis] = X[:, column]
        return xy

    def from_plane(self, xy: Float) -> Float:
        """(m, 2) plane coordinates -> (m, d) rows, hidden columns at the anchor."""
        X = np.tile(self.anchor, (len(xy), 1))
        X[:, list(self.plane)] = np.asarray(xy)[:, : len(self.plane)]
        return X

    def class_text(self, code: int) -> str:
        """The label of a class for reading, '+1' and '−1' with their signs; 'no class' for −1."""
        if code < 0:
            return "no class"
        return class_text(self.classes[code], self.classes)

    @property
    def class_names(self) -> tuple[str, ...]:
        """The text of every class."""
        return tuple(map(self.class_text, range(len(self.classes))))

    def labels(self, codes: Int) -> Any:
        """Class indices -> labels as in the table; None for code −1, no class."""
        codes = np.asarray(codes)
        return label_array((*self.classes, None) if (codes < 0).any() else self.classes)[codes]

    def encode(self, rows: Any) -> Float:
        """Rows from outside -> (m, d) as in X.

        Arrays of numbers are taken as they are; a Dataset, a mapping and a frame (pandas, polars)
        by column name; raw rows by category name. A frame without any name of the model's columns
        is read by position.

        None, NaN and masked entries are missing. Raises EngineError for other shapes, for words
        where numbers belong, and for codes and words that are no category of their column.
        """
        if isinstance(rows, Dataset):
            return self._encode_columns({c.name: c.labels() for c in rows.columns})
        named = named_columns(rows)
        if named is not None and (
            isinstance(rows, Mapping) or any(f.name in named for f in self.features)
        ):
            return self._encode_columns(named)
        array = rows_given(rows)
        array = array[None, :] if array.ndim == 1 and len(array) == self.d else array
        if array.ndim != 2 or array.shape[1] != self.d:
            raise EngineError(
                f"The model knows {counted(self.d, 'column')}; these rows have the shape"
                f" {array.shape}."
            )
        if array.dtype.kind in "fiub":
            stored = [_stored(f, array[:, j]) for j, f in enumerate(self.features)]
            return np.column_stack(stored) if stored else np.zeros(array.shape)
        return self._encode_columns({f.name: array[:, j] for j, f in enumerate(self.features)})

    def _encode_columns(self, columns: Mapping[str, Any]) -> Float:
        encoded = [_encode_column(feature, columns) for feature in self.features]
        if len({len(values) for values in encoded}) > 1:
            raise EngineError("The columns of the rows to predict have different lengths.")
        return np.column_stack(encoded) if encoded else np.zeros((0, 0))


def _encode_column(feature: Feature, columns: Mapping[str, Any]) -> Float:
    if feature.name not in columns:
        raise EngineError(f"The rows have no column {quoted(feature.name)}.")
    cells = plain_cells(feature.name, entries(feature.name, columns[feature.name]))
    if feature.numeric:
        return number_column(feature.name, cells).values
    codes: dict[Any, float] = {None: np.nan}
    for spelt in (label_text, str, lambda label: label):
        codes |= {spelt(label): float(code) for code, label in enumerate(feature.categories)}
    for cell in dict.fromkeys(cell for cell in cells if cell not in codes):
        if (place := place_of(cell, feature.categories)) is not None:
            codes[cell] = float(place)
    unknown = next((cell for cell in cells if cell not in codes), None)
    if unknown is not None:
        raise EngineError(
            f"{quoted(unknown)} is not one of the values of column {quoted(feature.name)}:"
            f" {_domain(feature)}."
        )
    return np.asarray([codes[cell] for cell in cells], dtype=np.float64)


def _stored(feature: Feature, values: Any) -> Float:
    """A column of numbers as it is stored.

    Raises EngineError where a column of categories has a number that is no code.
    """
    stored = number_column(feature.name, values).values
    if not feature.numeric:
        odd = ~(np.isnan(stored) | np.isin(stored, np.arange(len(feature.categories))))
        if odd.any():
            raise EngineError(
                f"Column {quoted(feature.name)} has the codes 0 to {len(feature.categories) - 1},"
                f" for {_domain(feature)}; {number(stored[odd.argmax()], 3)} is none of them."
            )
    return stored


def _domain(feature: Feature) -> str:
    """The first categories of a column, for sentences."""
    return listed(label_text(label) for label in feature.categories)
