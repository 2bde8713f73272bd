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
from engine.base.notation import counted
from engine.base.sums import add_up

Numbers = list[float]
S = TypeVar("S", bound=Any)


class Entries(Setting[Any]):
    """The entries of the table M (n, d), flattened: which are known, which held out, their
    errors.
    """

    @cached_property
    def entries(self) -> Float:
        """(n · d,) the entries of M row by row, NaN for missing ones."""
        return self.problem.X.ravel()

    @cached_property
    def known(self) -> Int:
        """(m,) the places of the known entries."""
        return np.flatnonzero(~np.isnan(self.entries))

    @cached_property
    def size(self) -> float:
        """|m|, the root mean square of the known entries."""
        return rmse(self.entries[self.known])

    @property
    def sign(self) -> float:
        """−1 where the known entries sum to less than 0, else 1: the sign of U V at the start."""
        return float(np.sign(np.nansum(self.problem.X / self.size)) or 1.0)

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """(r,) tags, each of a column of U and the row of V that belongs to it."""
        return tuple(f"factor {k + 1}" for k in range(self.p.rank))

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

    def draw_held_out(self, rng: Rng) -> Int:
        """(h,) the places held out, drawn at random; the last known entry of a row or column is
        never one.
        """
        rows, columns = np.divmod(self.known, self.problem.d)
        row_of = rows.tolist()
        column_of = columns.tolist()
        left_in_row = np.bincount(rows).tolist()
        left_in_column = np.bincount(columns).tolist()
        wanted = round(self.p.held * len(self.known))
        held_out = list[int]()
        for k in rng.permutation(len(self.known)).tolist():
            if len(held_out) == wanted:
                break
            i = row_of[k]
            j = column_of[k]
            if left_in_row[i] > 1 and left_in_column[j] > 1:
                held_out.append(int(self.known[k]))
                left_in_row[i] -= 1
                left_in_column[j] -= 1
        return frozen(np.sort(np.array(held_out, np.intp)))

    def errors(self, U: Float, V: Float, places: Int) -> Float:
        """(k,) e = m − u · v of the entries at these places."""
        rows, columns = np.divmod(places, self.problem.d)
        with np.errstate(all="ignore"):  # of numbers that run away
            products = (U[rows, k] * V[k, columns] for k in range(len(V)))
            said: Float = add_up(products, np.zeros(len(places)))
            return np.asarray(self.entries[places] - said)

    def learnt(self, s: Any) -> Int:
        """(m − h,) the places of the known entries that are not held out."""
        return np.setdiff1d(self.known, s.held, assume_unique=True)

    def measured(self, s: S) -> S:
        """The state with the RMSE of learnt and held-out entries."""
        learnt = rmse(self.errors(s.U, s.V, self.learnt(s)))
        test = rmse(self.errors(s.U, s.V, s.held)) if len(s.held) else np.nan
        return replace(s, rmse=learnt, test=test, current=-1)


def dot(u: Sequence[float], v: Sequence[float]) -> float:
    """u · v, added up exactly rounded."""
    return add_up(a * b for a, b in zip(u, v, strict=True))


def with_row(matrix: Float, i: int, row: Sequence[float]) -> Float:
    """A copy of the matrix with row i replaced."""
    changed = matrix.copy()
    changed[i] = row
    return frozen(changed)


def with_column(matrix: Float, j: int, column: Sequence[float]) -> Float:
    """A copy of the matrix with column j replaced."""
    changed = matrix.copy()
    changed[:, j] = column
    return frozen(changed)


def rmse(e: Float) -> float:
    """√(mean e²) without overflow; ∞ where e has an infinite value."""
    largest = float(np.abs(e).max(initial=0.0))
    if not np.isfinite(largest):
        return np.inf
    if largest == 0:
        return 0.0
    return largest * float(np.sqrt(np.square(e / largest).mean()))


def finite_or_nan(value: float) -> float:
    """The value, NaN where it is infinite."""
    return value if np.isfinite(value) else np.nan
