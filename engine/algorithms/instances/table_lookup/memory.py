"""Rows as keys of a table: which are the same, what they were labelled, what was said of each
before it was known. MIT 2.1.
"""

from typing import Any, TypeVar

from engine.algorithms.instances.table_lookup.compared import Compared, compared, value_of
from engine.authoring import (
    Bool,
    EngineError,
    Float,
    Int,
    Problem,
    Record,
    Setting,
    Work,
    cached_property,
    frozen,
    np,
)
from engine.core.notation import counted
from engine.core.work import finished, settle

P = TypeVar("P")
_AT_ONCE = 5_000  # keys looked up between two looks at stop


class Memory(Record, dict=True):
    """n labelled examples in table order, m different keys among them, numbered as they came first.

    rows, codes, entry (n,): row in the table, class, number of its key; classes; majority: of
    repeats, else the first counts; before (n,): what the memory said of each when it came, −1
    nothing; usual (n,): the commonest label then, −1 at the first
    """

    rows: Int
    codes: Int
    entry: Int
    classes: int
    majority: bool

    @cached_property
    def new(self) -> Bool:
        """(n,) which examples came as the first with their key."""
        return frozen(np.diff(np.maximum.accumulate(self.entry), prepend=-1) > 0)

    # (m,) example that came first with each key
    first = cached_property(lambda self: frozen(np.flatnonzero(self.new)))
    before = cached_property(lambda self: frozen(self._before()))
    usual = cached_property(
        lambda self: frozen(ahead(np.zeros_like(self.entry), self.codes, self.classes, lone=False))
    )

    def _before(self) -> Int:
        if self.majority:
            return ahead(self.entry, self.codes, self.classes)
        return np.where(self.new, -1, self.codes[self.first][self.entry])

    @cached_property
    def _passed(self) -> Int:
        """(n + 1, 4) how many of the first examples were known and right, known and not, new with a
        default that was not wrong and with one that was.
        """
        right = np.where(self.new, self.usual, self.before) == self.codes
        right |= self.new & (self.usual < 0)  # the first of all: there was no default yet
        kind = 2 * self.new + ~right
        return frozen(
            np.vstack([np.zeros(4, np.intp), (kind[:, None] == np.arange(4)).cumsum(axis=0)])
        )

    def verdicts(self, stored: int) -> tuple[int, int, int, int]:
        """Of the first examples those known before and said rightly, known and not, new and by the
        default right, and not.
        """
        a, b, c, d = self._passed[stored].tolist()
        return a, b, c, d

    def size(self, stored: int) -> int:
        """How many keys the first examples have."""
        return int(np.searchsorted(self.first, stored))

    def counts(self, stored: int) -> Int:
        """(m, classes) how often each key came with each label."""
        shape = self.size(stored), self.classes
        cells = self.entry[:stored] * self.classes + self.codes[:stored]
        return frozen(np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape))

    def answers(self, stored: int) -> Int:
        """(m,) what the table says of each key, −1 where repeats tie."""
        if not self.majority:
            return np.asarray(self.codes[self.first[: self.size(stored)]])
        counts = self.counts(stored)
        most = counts.max(axis=1, initial=0)
        return np.where((counts == most[:, None]).sum(axis=1) == 1, counts.argmax(axis=1), -1)

    def commonest(self, stored: int) -> int:
        """The label that most of the first examples have, the first of equals; −1 of none."""
        return (
            int(np.bincount(self.codes[:stored], minlength=self.classes).argmax()) if stored else -1
        )


def ahead(group: Int, codes: Int, classes: int, lone: bool = True) -> Int:
    """(n,) the label that is ahead among the rows before of the same group, −1 where there is none;
    of several that are ahead the first, or, `lone`, none.
    """
    order = np.argsort(group, kind="stable")
    begins = np.append(True, np.diff(group[order]) > 0) if len(group) else np.zeros(0, bool)
    start = np.maximum.accumulate(np.where(begins, np.arange(len(group)), 0))
    best = np.zeros(len(group), np.intp)
    label = np.full(len(group), -1)
    for c in range(classes):
        one = codes[order] == c
        run = one.cumsum() - one
        count = run - run[start]
        tied = -1 if lone else label
        label = np.where(count > best, c, np.where((count == best) & (best > 0), tied, label))
        best = np.maximum(best, count)
    told = np.empty_like(label)
    told[order] = label
    return told


class Lookup(Setting[P]):
    """The examples as keys."""

    p: Any
    index = cached_property(lambda self: finished(self._indexed()))
    compared = cached_property(lambda self: self._compared())

    def prepared(self) -> Work[None]:
        yield from settle(self, "index", self._indexed)

    def _indexed(self) -> Work[tuple[dict[bytes, int], Int]]:
        """Every key with its number, and the number of each labelled row."""
        numbers: dict[bytes, int] = {}
        rows = np.flatnonzero(self.problem.labelled)
        entry = np.empty(len(rows), np.intp)
        for at in range(0, len(rows), _AT_ONCE):
            part = self.key(self.problem.X[rows[at : at + _AT_ONCE]])
            entry[at : at + _AT_ONCE] = [numbers.setdefault(key, len(numbers)) for key in part]
            yield
        return numbers, frozen(entry)

    @cached_property
    def memory(self) -> Memory:
        rows = frozen(np.flatnonzero(self.problem.labelled))
        codes = frozen(self.problem.codes[rows])
        return Memory(rows, codes, self.index[1], len(self.problem.classes), self.p.majority)

    def _compared(self) -> tuple[Compared, ...]:
        """The columns, in their order, and the rules."""
        features = self.problem.features
        found = {one.title: one for one in (compared(word, features) for word in self.p.columns)}
        columns = [
            Compared(f.title, (j,)) for j, f in enumerate(features) if not found or f.title in found
        ]
        return (*columns, *(one for one in found.values() if one.tests))

    @cached_property
    def kept(self) -> Int:
        """The columns that something is compared by."""
        return frozen(sorted({j for one in self.compared for j in one.columns}), np.intp)

    def rounded(self, values: Float) -> Float:
        """Numbers as they are compared: which multiple of the rounding each is nearest to."""
        if not self.p.rounding:
            return values + 0.0  # −0 and 0 are one key
        with np.errstate(over="ignore", invalid="ignore"):
            cell = np.floor(values / self.p.rounding + 0.5) + 0.0
        return np.where(np.isfinite(cell), cell, values)

    def cells(self, X: Float) -> Float:
        """(m, compared) what rows X (m, d) are told apart by."""
        numeric = np.array([feature.numeric for feature in self.problem.features])
        rounded = np.where(numeric, self.rounded(X), X)
        return np.column_stack([one.of(X if one.tests else rounded) for one in self.compared])

    def key(self, X: Float) -> list[bytes]:
        """What rows X (m, d) are looked up by."""
        K = np.ascontiguousarray(self.cells(X))
        keys: list[bytes] = K.view(f"V{K.itemsize * K.shape[1]}").ravel().tolist()
        return keys

    def found(self, X: Float, stored: int) -> Int:
        """(m,) the entry of each row among those of the first examples, −1 for what was
        never seen.
        """
        numbers = self.index[0]
        size = self.memory.size(stored)
        entry = np.array([numbers.get(key, size) for key in self.key(X)], np.intp)
        return np.where(entry < size, entry, -1)

    def labels(self, X: Float, stored: int) -> Int:
        """(m,) the answers: −1 for a tie, and for what was never seen unless a default answers."""
        entry = self.found(X, stored)
        default = self.memory.commonest(stored) if self.p.default == "commonest" else -1
        return np.append(self.memory.answers(stored), default)[entry]

    @cached_property
    def query(self) -> Float:
        """(d,) what is asked: as given, the probe, or the first labelled row.

        Raises EngineError for what is no value.
        """
        problem = self.problem
        words = self.p.query
        if not words:
            return self.problem.X[self.memory.rows[0]] if problem.query is None else problem.query
        if (
            problem.plane
            and len(words) == len(problem.plane)
            and not any(isinstance(word, str) for word in words)
        ):
            return frozen(problem.from_plane(np.array([words], np.float64))[0])
        if len(words) != problem.d:
            raise EngineError(
                f"The query needs a value for each of {counted(problem.d, 'column')}; it has"
                f" {len(words)}."
            )
        return frozen(
            [
                value_of(f, word, "The query")
                for f, word in zip(problem.features, words, strict=True)
            ]
        )


def columns_named(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.columns` names what is no column of the table and no rule."""
    _ = Lookup(problem, p).compared


def query_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.query` is neither a place on the plane nor a value for each
    column.
    """
    _ = Lookup(problem, p).query
