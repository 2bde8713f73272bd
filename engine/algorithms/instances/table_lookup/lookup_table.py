"""Rows as keys of a table: which are the same, how they are labelled, and what the table said of
each when it came. MIT 2.1.
"""

from typing import Any, TypeVar

from engine.algorithms.instances.parts.values import value_of
from engine.algorithms.instances.table_lookup.compared import Compared, compared
from engine.authoring import (
    Bool,
    EngineError,
    Float,
    Int,
    Iterator,
    Problem,
    Record,
    Setting,
    Work,
    cached_property,
    frozen,
    np,
)
from engine.base.notation import counted
from engine.base.work import finished, settle

P = TypeVar("P")
_AT_ONCE = 5_000  # keys looked up between two looks at stop


class LookupTable(Record, dict=True):
    """The n labelled examples in table order, and the m different keys among them, numbered as they
    came first.

    rows: (n,) of the table
    codes: (n,) their classes
    entry: (n,) the number of their keys
    classes: how many there are
    majority: whether the majority of repeats counts, else the first of them
    """

    rows: Int
    codes: Int
    entry: Int
    classes: int
    majority: bool

    @cached_property
    def new(self) -> Bool:
        """(n,) whether each example was the first with its key."""
        return frozen(np.diff(np.maximum.accumulate(self.entry), prepend=-1) > 0)

    @cached_property
    def first(self) -> Int:
        """(m,) the index of the first example with each key."""
        return frozen(np.flatnonzero(self.new))

    @cached_property
    def before(self) -> Int:
        """(n,) the answer of the table to each example when it came, −1 for none."""
        if self.majority:
            return frozen(ahead(self.entry, self.codes, self.classes))
        return frozen(np.where(self.new, -1, self.codes[self.first][self.entry]))

    @cached_property
    def usual(self) -> Int:
        """(n,) the commonest label when each example came, −1 for the first."""
        one_group = np.zeros_like(self.entry)
        return frozen(ahead(one_group, self.codes, self.classes, lone=False))

    @cached_property
    def _passed(self) -> Int:
        """(n + 1, 4) how many of the first 0, 1, … examples were of each kind, see `verdicts`."""
        right = np.where(self.new, self.usual, self.before) == self.codes
        right |= self.new & (self.usual < 0)  # the first of all: there was no default yet
        kind = 2 * self.new + ~right
        counts = (kind[:, None] == np.arange(4)).cumsum(axis=0)
        return frozen(np.vstack([np.zeros(4, np.intp), counts]))

    def verdicts(self, stored: int) -> tuple[int, int, int, int]:
        """How many of the first `stored` examples were, when they came, (known and labelled
        rightly, known and not, new and the commonest label right, new and not).
        """
        known, wrong, new, cost = self._passed[stored].tolist()
        return known, wrong, new, cost

    def size(self, stored: int) -> int:
        """m, the number of keys among the first `stored` examples."""
        return int(np.searchsorted(self.first, stored))

    def first_labels(self, stored: int) -> Int:
        """(m,) the label of the first example with each key."""
        return np.asarray(self.codes[self.first[: self.size(stored)]])

    def commonest(self, stored: int) -> int:
        """The commonest label of the first `stored` examples, the first of ties; −1 for no
        example.
        """
        if not stored:
            return -1
        return int(np.bincount(self.codes[:stored], minlength=self.classes).argmax())


def ahead(group: Int, codes: Int, classes: int, lone: bool = True) -> Int:
    """(n,) for each row the label that most of the rows before it in its group have, −1 where there
    is none. Where several lead: −1 if `lone`, else the first of them.
    """
    order = np.argsort(group, kind="stable")
    begins = np.diff(group[order], prepend=-1) > 0
    start = np.maximum.accumulate(np.where(begins, np.arange(len(group)), 0))
    best = np.zeros(len(group), np.intp)
    label = np.full(len(group), -1)
    for c in range(classes):
        one = codes[order] == c
        run = one.cumsum() - one
        count = run - run[start]
        if lone:
            label[(count == best) & (best > 0)] = -1
        label[count > best] = c
        best = np.maximum(best, count)
    found = np.empty_like(label)
    found[order] = label
    return found


class Lookup(Setting[P]):
    """The examples as keys, and look-ups among them."""

    p: Any

    @cached_property
    def index(self) -> tuple[dict[bytes, int], Int]:
        """({key: its number}, number of each labelled row's key (n,))."""
        return finished(self._indexed())

    def prepared(self) -> Work[None]:
        """Finds the keys of all rows in parts that can be stopped."""
        yield from settle(self, "index", self._indexed)

    def _indexed(self) -> Work[tuple[dict[bytes, int], Int]]:
        numbers: dict[bytes, int] = {}
        entry: list[int] = []
        for key in self.keys():
            entry.append(numbers.setdefault(key, len(numbers)))
            if len(entry) % _AT_ONCE == 0:
                yield
        return numbers, frozen(entry, np.intp)

    def keys(self) -> Iterator[bytes]:
        """The keys of the labelled rows in table order, see `key`."""
        rows = np.flatnonzero(self.problem.labelled)
        for at in range(0, len(rows), _AT_ONCE):
            yield from self.key(self.problem.X[rows[at : at + _AT_ONCE]])

    @cached_property
    def memory(self) -> LookupTable:
        """The look-up table of all examples."""
        rows = frozen(np.flatnonzero(self.problem.labelled))
        codes = frozen(self.problem.codes[rows])
        return LookupTable(rows, codes, self.index[1], len(self.problem.classes), self.p.majority)

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """The columns, in table order, then the rules by which rows are compared. Raises
        EngineError for a word that is neither.
        """
        features = self.problem.features
        wanted = [compared(word, features) for word in self.p.columns]
        found = {one.title: one for one in wanted}
        columns = [
            Compared(feature.title, (j,))
            for j, feature in enumerate(features)
            if not found or feature.title in found
        ]
        rules = [one for one in found.values() if one.tests]
        return (*columns, *rules)

    @cached_property
    def kept(self) -> Int:
        """The indices of the columns that any comparison uses."""
        return frozen(sorted({j for one in self.compared for j in one.columns}), np.intp)

    def rounded(self, values: Float) -> Float:
        """Numbers as they are compared: the nearest multiple of the rounding, as its number."""
        if not self.p.rounding:
            return values + 0.0  # −0 and 0 are one key
        with np.errstate(over="ignore", invalid="ignore"):
            cell = np.floor(values / self.p.rounding + 0.5) + 0.0
        return np.where(np.isfinite(cell), cell, values)

    def cells(self, X: Float) -> Float:
        """(m, c) what rows X (m, d) are compared by, each column and rule one number."""
        numeric = np.array([feature.numeric for feature in self.problem.features])
        rounded = np.where(numeric, self.rounded(X), X)
        return np.column_stack([one.of(X if one.tests else rounded) for one in self.compared])

    def key(self, X: Float) -> list[bytes]:
        """(m,) the keys of rows X (m, d): equal where all that is compared is equal."""
        K = np.ascontiguousarray(self.cells(X))
        keys: list[bytes] = K.view(f"V{K.itemsize * K.shape[1]}").ravel().tolist()
        return keys

    def found(self, X: Float, stored: int) -> Int:
        """(m,) which entry of the table is equal to each row X (m, d), among those of the first
        `stored` examples; −1 where none is.
        """
        numbers = self.index[0]
        size = self.memory.size(stored)
        entry = np.array([numbers.get(key, size) for key in self.key(X)], np.intp)
        return np.where(entry < size, entry, -1)

    @cached_property
    def query(self) -> Float:
        """(d,) q: as given, the probe, or the first labelled row.

        Raises EngineError where it has too few or too many values, or one that is none of its
        column's.
        """
        problem = self.problem
        words = self.p.query
        if not words:
            return self.problem.X[self.memory.rows[0]] if problem.query is None else problem.query
        numbers = not any(isinstance(word, str) for word in words)
        if problem.plane and len(words) == len(problem.plane) and numbers:
            return frozen(problem.from_plane(np.array([words], np.float64))[0])
        if len(words) != problem.d:
            raise EngineError(
                f"The query needs a value for each of {counted(problem.d, 'column')}; it has"
                f" {len(words)}."
            )
        pairs = zip(problem.features, words, strict=True)
        return frozen([value_of(feature, word, "The query") for feature, word in pairs])


def columns_named(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.columns` names something that is neither a column of the table
    nor a rule.
    """
    _ = Lookup(problem, p).compared


def query_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.query` is neither a place on the plane nor a value for each
    column.
    """
    _ = Lookup(problem, p).query
