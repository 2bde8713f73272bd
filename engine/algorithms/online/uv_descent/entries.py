"""The known entries of a table, those held out, and the step that one of them asks for.

MMDS Ex 12.10.
"""

from typing import Any

from engine.authoring import (
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
from engine.core.sums import add_up

# of the size of the entries: a change of the RMSE that is none, where every step makes its entry
# fit
SETTLED = 3e-4
# rates that nobody set: of the printed step, and times the largest entry
PRINTED, SHARE = 0.05, 0.2
LOST = 1e6  # times the size that numbers of U and V start with: they run away
LEAST = 1e-10  # share of an error below which rounding hides what a round changes


class Decomposing(Setting[Any]):
    """What does not change while M is decomposed. entries (n · d,), row by row; known: places of
    the known ones; size: how large they are; factors (r,): tags, each of a column of U and the row
    of V that belongs to it.
    """

    entries = cached_property(lambda given: given.problem.X.ravel())
    known = cached_property(lambda given: np.flatnonzero(~np.isnan(given.entries)))
    size = cached_property(lambda given: rmse(given.entries[given.known]))
    factors = cached_property(lambda given: tuple(f"factor {k + 1}" for k in range(given.p.rank)))

    @cached_property
    def rate(self) -> float:
        """η as set; else so that a step by the gradient takes off less than half of the error of an
        entry: it takes off the share η (|u|² + |v|²), which is 2 η m and somewhat more where u and
        v are alike and make m.
        """
        if self.p.rate is not None:
            return float(self.p.rate)
        largest = float(np.abs(self.entries[self.known]).max(initial=0.0))
        return (
            PRINTED if self.p.step == "printed" or not largest else float(f"{SHARE / largest:.0e}")
        )

    def held(self, rng: Rng) -> Int:
        """The share drawn by chance, but for the last entry of a row or a column that is left."""
        numbers = np.divmod(self.known, self.problem.d)
        left_in_row, left_in_column = (np.bincount(each).tolist() for each in numbers)
        rows, columns = (each.tolist() for each in numbers)
        known = self.known.tolist()
        wanted = round(self.p.held * len(known))
        held = list[int]()
        for k in rng.permutation(len(known)).tolist():
            if len(held) == wanted:
                break
            row = rows[k]
            column = columns[k]
            if left_in_row[row] > 1 < left_in_column[column]:
                held.append(known[k])
                left_in_row[row] -= 1
                left_in_column[column] -= 1
        return frozen(np.sort(np.array(held, np.intp)))

    def errors(self, U: Float, V: Float, places: Int) -> Float:
        """(k,) m − u · v of entries."""
        rows, columns = np.divmod(places, self.problem.d)
        with np.errstate(all="ignore"):  # of numbers that run away
            said: Float = add_up(
                (U[rows, k] * V[k, columns] for k in range(len(V))), np.zeros(len(places))
            )
            return np.asarray(self.entries[places] - said)

    def moved(
        self, u: Sequence[float], v: Sequence[float], e: float
    ) -> tuple[list[float], list[float]]:
        """u and v after their step, both from what they were before; what is divided by 0 stays."""
        rate = self.rate
        pairs = list(zip(u, v, strict=True))
        if self.p.step == "printed":
            moved = [
                (a + rate * (e / b) if b else a, b + rate * (e / a) if a else b) for a, b in pairs
            ]
            return [a for a, _ in moved], [b for _, b in moved]
        return [a + rate * e * b for a, b in pairs], [b + rate * e * a for a, b in pairs]

    @cached_property
    def most(self) -> float:
        """The bound of the numbers of U and V: their products are as large as the entries, they as
        the root of that.
        """
        return LOST * float(np.sqrt(self.size))

    def ran_away(self, *numbers: Float) -> bool:
        return any(not np.abs(part).max() < self.most for part in numbers)

    def share(self, s: Any) -> float:
        """About which share of its error a step takes off an entry: η (|u|² + |v|²) by the
        gradient, 2 r η as printed.
        """
        rate = self.rate
        if self.p.step == "printed":
            return float(2 * self.p.rank * rate)
        lengths = np.square(s.U).sum() / len(s.U) + np.square(s.V).sum() / s.V.shape[1]
        return rate * float(lengths)

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

    def measured(self, s: Any) -> Any:
        """Between two rounds."""
        test = rmse(self.errors(s.U, s.V, s.held)) if len(s.held) else np.nan
        return replace(s, rmse=rmse(self.errors(s.U, s.V, self.learnt(s))), test=test, current=-1)


def rmse(e: Float) -> float:
    """√(mean e²) of numbers of any size, ∞ of those beyond all."""
    most = float(np.abs(e).max(initial=0.0))
    if not np.isfinite(most):
        return np.inf
    return most * float(np.sqrt(np.square(e / most).mean())) if most else 0.0
