"""The known entries of a table, those held out, and the step that one of them asks for.

MMDS Ex 12.10.
"""

from typing import Any, TypeVar

from engine.authoring import (
    EngineError,
    Float,
    Int,
    Rng,
    Sequence,
    Setting,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.core.notation import counted
from engine.core.sums import add_up

# of the size of the entries: a change of the RMSE that is none, where every step makes its entry
# fit
SETTLED = 3e-4
PRINTED = 0.05  # the rate of the printed step, where none was set
SHARE = 0.2  # the rate times the largest entry, where none was set
LOST = 1e6  # times the size that numbers of U and V start with: they run away
LEAST = 1e-10  # share of an error below which rounding hides what a round changes

Numbers = list[float]
S = TypeVar("S", bound=Any)


class Entries(Setting[Any]):
    """The entries of the table M (n, d), which ones are known, and how far a round goes."""

    @cached_property
    def entries(self) -> Float:
        """(n · d,) row by row, NaN where one is missing."""
        return self.problem.X.ravel()

    @cached_property
    def known(self) -> Int:
        """The places of the known entries."""
        return np.flatnonzero(~np.isnan(self.entries))

    @cached_property
    def size(self) -> float:
        """How large the known entries are: the root of their mean square."""
        return rmse(self.entries[self.known])

    @property
    def sign(self) -> float:
        """−1 where the entries add up to less than 0, else 1: that of U V at the start."""
        return float(np.sign(np.nansum(self.problem.X / self.size)) or 1.0)

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """(r,) tags, each of a column of U and the row of V that belongs to it."""
        return tuple(f"factor {k + 1}" for k in range(self.p.rank))

    @cached_property
    def rate(self) -> float:
        """η as set; else so that a step by the gradient takes off less than half of the error of an
        entry: it takes off the share η (|u|² + |v|²), which is 2 η m and somewhat more where u and
        v are alike and make m.
        """
        if self.p.rate is not None:
            return float(self.p.rate)
        largest = float(np.abs(self.entries[self.known]).max(initial=0.0))
        if self.p.step == "printed" or not largest:
            return PRINTED
        return float(f"{SHARE / largest:.0e}")

    def check(self, s: Any) -> None:
        """Raises EngineError for a state of another table or another rank."""
        n, r = s.U.shape
        d = s.V.shape[1]
        fits = (n, r, d) == (self.problem.n, self.p.rank, self.problem.d)
        if not fits or not np.isin(s.held, self.known).all():
            raise EngineError(
                f"Descent cannot go on from {counted(n, 'row')}, {counted(d, 'column')} and rank"
                f" {r}: start again."
            )

    def held(self, rng: Rng) -> Int:
        """The places held out, drawn by chance; one that is the last of its row or column stays."""
        rows, columns = np.divmod(self.known, self.problem.d)
        row_of = rows.tolist()
        column_of = columns.tolist()
        left_in_row = np.bincount(rows).tolist()
        left_in_column = np.bincount(columns).tolist()
        wanted = round(self.p.held * len(self.known))
        held = list[int]()
        for k in rng.permutation(len(self.known)).tolist():
            if len(held) == wanted:
                break
            i = row_of[k]
            j = column_of[k]
            if left_in_row[i] > 1 and left_in_column[j] > 1:
                held.append(int(self.known[k]))
                left_in_row[i] -= 1
                left_in_column[j] -= 1
        return frozen(np.sort(np.array(held, np.intp)))

    def errors(self, U: Float, V: Float, places: Int) -> Float:
        """(k,) e = m − u · v of entries."""
        rows, columns = np.divmod(places, self.problem.d)
        with np.errstate(all="ignore"):  # of numbers that run away
            products = (U[rows, k] * V[k, columns] for k in range(len(V)))
            said: Float = add_up(products, np.zeros(len(places)))
            return np.asarray(self.entries[places] - said)

    @cached_property
    def bound(self) -> float:
        """Of the numbers of U and V: beyond it they run away.

        Their products are as large as the entries, they as the root of that.
        """
        return LOST * float(np.sqrt(self.size))

    def ran_away(self, *numbers: Float) -> bool:
        """Whether some number is beyond the bound, or is none."""
        return any(not np.abs(part).max() < self.bound for part in numbers)

    def share(self, s: Any) -> float:
        """About which share of its error a step takes off an entry: η (|u|² + |v|²) by the
        gradient, 2 r η as printed.
        """
        if self.p.step == "printed":
            return float(2 * self.p.rank * self.rate)
        lengths = np.square(s.U).sum() / len(s.U) + np.square(s.V).sum() / s.V.shape[1]
        return self.rate * float(lengths)

    def settled(self, s: Any, before: float) -> bool:
        """Whether a round changed the RMSE by nothing, measured by how far its steps go: short
        steps change little.
        """
        share = min(self.share(s), 1.0)
        if share < LEAST:
            return bool(s.rmse == 0)
        return bool(abs(before - s.rmse) <= SETTLED * share * self.size)

    def learnt(self, s: Any) -> Int:
        """Places of the known entries that are not held out."""
        return np.setdiff1d(self.known, s.held, assume_unique=True)

    def measured(self, s: S) -> S:
        """The state between two rounds, with the RMSE of learnt and of held-out entries."""
        learnt = rmse(self.errors(s.U, s.V, self.learnt(s)))
        test = rmse(self.errors(s.U, s.V, s.held)) if len(s.held) else np.nan
        return replace(s, rmse=learnt, test=test, current=-1)


def dot(u: Sequence[float], v: Sequence[float]) -> float:
    """u · v."""
    return add_up(a * b for a, b in zip(u, v, strict=True))


def with_row(matrix: Float, i: int, row: Sequence[float]) -> Float:
    """The matrix with another row i."""
    changed = matrix.copy()
    changed[i] = row
    return frozen(changed)


def with_column(matrix: Float, j: int, column: Sequence[float]) -> Float:
    """The matrix with another column j."""
    changed = matrix.copy()
    changed[:, j] = column
    return frozen(changed)


def rmse(e: Float) -> float:
    """√(mean e²) of numbers of any size, ∞ of those beyond all."""
    largest = float(np.abs(e).max(initial=0.0))
    if not np.isfinite(largest):
        return np.inf
    if largest == 0:
        return 0.0
    return largest * float(np.sqrt(np.square(e / largest).mean()))


def finite_or_nan(value: float) -> float:
    """The value, NaN where it is infinite."""
    return value if np.isfinite(value) else np.nan
