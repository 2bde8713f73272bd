"""Chunks of a table, the key-value pairs that a mapper sends for its chunk, and what the reducers
make of them. MMDS 12.2.8.
"""

from typing import Any, TypeVar

from engine.algorithms.linear.parts import Rows
from engine.authoring import Bool, Float, Int, Record, Sequence, cached_property, np
from engine.core.notation import subscript
from engine.numerics.mistakes import cleared

P = TypeVar("P")


class Pairs(Record):
    """rows (p,): the example that each pair comes from, −1 − chunk of a mapper on its own; keys
    (p,) columns; values (p,).
    """

    rows: Int
    keys: Int
    values: Float

    def __len__(self) -> int:
        return len(self.keys)


class Jobs(Rows[P]):
    """chunks: the rows of each mapper, in table order, so that a reducer adds in the same order
    however many there are.
    """

    p: Any
    column = property(lambda given: None if given.p.threshold == "zero" else -1.0)
    step = property(lambda given: given.p.rate)
    steady = property(lambda given: (0.0,) if given.p.combine == "sum" else None)
    # each mapper goes a round of its own
    local = property(lambda given: given.p.combine == "average of changes")
    visits = cached_property(lambda given: given.whole_rounds(given.sign))

    @cached_property
    def chunks(self) -> list[Int]:
        return np.array_split(self.rows, min(self.p.chunks, len(self.rows)))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """What the weights are called: w₁, …, the threshold θ."""
        return tuple(
            name if name == "θ" else f"w{subscript(k + 1)}" for k, name in enumerate(self.names)
        )

    @cached_property
    def mapper(self) -> Int:
        """(n,) whose chunk each row is in, −1 without a class."""
        owner = np.full(self.problem.n, -1)
        for chunk, rows in enumerate(self.chunks):
            owner[rows] = chunk
        return owner

    def disagree(self, w: Float, rows: Int | slice = slice(None)) -> Bool:
        """(m,) whose sign is not that of w·x; a w·x of 0 disagrees with both, or taken literally
        with none.
        """
        agreement = self.sign[rows] * self.score(w, self.X[rows])
        none = agreement < 0 if self.p.zero == "agrees" and not self.local else agreement <= 0
        return np.asarray(none & self.problem.labelled[rows])

    def errors(self, w: Float) -> int:
        return int(((self.sign * self.score(w, self.X) <= 0) & self.problem.labelled).sum())

    def increments(self, rows: Int) -> Float:
        """(m, d) η y x."""
        return np.asarray(self.p.rate * self.sign[rows, None] * self.X[rows])

    def alone(self, w: Float, chunk: int) -> Float:
        """Where a round of the perceptron leads that knows one chunk only."""
        return np.asarray(self.visits.whole_round(self.chunks[chunk], w, self.p.rate)[0])

    def pairs(self, w: Float, chunk: int) -> Pairs:
        """(i, η y xᵢ) for each xᵢ ≠ 0 of each example that disagrees; or (i, change of wᵢ) of a
        mapper on its own.
        """
        rows = self.chunks[chunk]
        if self.local:
            change = cleared(self.alone(w, chunk) - w, self.reach)
            keys = np.flatnonzero(change)
            return Pairs(np.full(len(keys), -1 - chunk), keys, change[keys])
        wrong = rows[self.disagree(w, rows)]
        values = self.increments(wrong)
        which, keys = np.nonzero(values)
        return Pairs(wrong[which], keys, values[which, keys])

    def so_far(self, s: Any) -> Pairs:
        """What has been sent in the job of a state, in the order in which it was."""
        job = [self.pairs(s.before, chunk) for chunk in range(min(s.chunk + 1, len(self.chunks)))]
        rows, keys, values = (
            np.concatenate([np.zeros(0, kind), *(getattr(one, name) for one in job)])
            for name, kind in (("rows", np.intp), ("keys", np.intp), ("values", np.float64))
        )
        kept = rows <= s.current if s.current >= 0 else slice(None)
        return Pairs(rows[kept], keys[kept], values[kept])

    def senders(self, pairs: Pairs) -> Int:
        """(p,) whose chunk each pair comes from."""
        return np.where(pairs.rows < 0, -1 - pairs.rows, self.mapper[pairs.rows])

    def sums(self, sent: Sequence[Pairs], wrong: int) -> Float:
        """(d,) what each reducer adds to its weight: the sum of its values, or their mean over the
        examples that disagree, or over the mappers.
        """
        keys, values = (
            np.concatenate([one.keys for one in sent]),
            np.concatenate([one.values for one in sent]),
        )
        parts = {"sum": 1, "average": wrong or 1, "average of changes": len(sent)}[self.p.combine]
        return np.asarray(np.bincount(keys, values, self.X.shape[1]) / parts)
