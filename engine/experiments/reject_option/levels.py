"""What is left to answer when the least sure rows are refused, and how much of it is wrong."""

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.records import Record
from engine.experiments.parts.scoring import bounded
from engine.numerics.closeness import SHARE, more


class Levels(Record):
    """rows, said (m,): judged, and what h calls them, −1 where it says nothing; sure (m,): by how
    much that class is ahead of the best other, −∞ where nothing is said; wrong (m,). Ascending, t
    of them: level: of sureness that is asked for; refused: how many rows are below it; error: of
    the others.
    """

    rows: Int
    said: Int
    sure: Float
    wrong: Bool
    level: Float
    refused: Int
    error: Float

    @property
    def share(self) -> Float:
        """(t,) refused of all rows."""
        return np.asarray(self.refused / len(self.rows))

    def asked(self, now: int) -> float:
        """What is asked for at level `now`; −∞ for nothing."""
        return bounded(self.level[now]) if now > 0 else -np.inf

    def left(self, now: int) -> tuple[int, int]:
        """Rows that are answered at a level, and how many of them wrong."""
        kept = self.sure >= self.level[max(now, 0)]
        return int(kept.sum()), int((self.wrong & kept).sum())

    def first(self, error: float) -> int:
        """Number of the first level at which the others have at most this error, −1 for none."""
        found = np.flatnonzero(~more(self.error, error, 1.0))
        return int(found[0]) if len(found) else -1

    def refusing(self, share: float) -> int:
        """Number of the first level at which at least this share is refused, the last one if there
        is none.
        """
        return min(int(np.searchsorted(self.share, share - SHARE)), len(self.level) - 1)


def sureness(leads: Float) -> Float:
    """(m,) by how much the best of the classes is ahead in leads (m, k); −∞ where
    nothing is said.
    """
    return np.asarray(np.nan_to_num(leads, nan=-np.inf).max(axis=1))


def levels_of(rows: Int, codes: Int, said: Int, sure: Float) -> Levels:
    """All levels of rows with true classes and what is said of them, (m,) each: rows that are
    equally sure go together.
    """
    wrong = said != codes
    level = np.unique(sure)
    below = np.sort(sure)
    refused = np.searchsorted(below, level)
    mistakes = np.append(0, np.cumsum(wrong[np.argsort(sure, kind="stable")]))
    error = (wrong.sum() - mistakes[refused]) / (len(rows) - refused)
    return Levels(*(frozen(part) for part in (rows, said, sure, wrong, level, refused, error)))
