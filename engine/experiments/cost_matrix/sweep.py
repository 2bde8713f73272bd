"""What comes of every threshold of one class's lead, for rows whose class is known."""

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.errors import EngineError
from engine.base.records import Record
from engine.experiments.parts.scoring import bounded
from engine.judge.confusion import Curve
from engine.table.problem import Problem


class Sweep(Record):
    """The m rows that are judged, and what each of t thresholds makes of them.

    c: the class whose lead it is
    rows: (m,) rows of the table
    codes: (m,) their true classes
    lead: (m,) by how much c is ahead of the best other class
    other: (m,) the best other class
    rates: thresholds (t,), from ∞ on where nothing is called c, with hits and alarms
    cost: (t,) of a row on average
    silent: how many rows are left out, of which the learner says nothing
    """

    c: int
    rows: Int
    codes: Int
    lead: Float
    other: Int
    rates: Curve
    cost: Float
    silent: int

    @property
    def own(self) -> int:
        """Index of the lowest threshold ≥ 0: it parts the rows as the learner itself does, which
        says c where lead ≥ 0.
        """
        return int((self.rates.threshold >= 0).sum()) - 1

    def threshold(self, now: int) -> float:
        """The threshold with this index; ∞ for one above all leads."""
        return bounded(self.rates.threshold[now])

    def said(self, now: int) -> Int:
        """(m,) the classes of the rows at threshold `now`; for −1 those of the learner."""
        threshold = self.rates.threshold[now if now >= 0 else self.own]
        return np.where(self.lead >= threshold, self.c, self.other)

    def counts_at(self, now: int) -> tuple[int, int, int, int]:
        """(rows of c called c, other rows called c, rows of c, other rows) at the threshold with
        this index.
        """
        hits = self.rates.hits
        alarms = self.rates.alarms
        return int(hits[now]), int(alarms[now]), int(hits[-1]), int(alarms[-1])


def best_other(leads: Float, c: int) -> Int:
    """(m,) the class that is most ahead in leads (m, k) when c is left out."""
    others = np.nan_to_num(leads, nan=-np.inf)
    others[:, c] = -np.inf
    return np.asarray(others.argmax(axis=1))


def check_both(problem: Problem, codes: Int, c: int) -> None:
    """Raises EngineError unless some of the rows with these classes are of class c and some not."""
    own = codes == c
    if own.any() and not own.all():
        return
    there = "no other row than those" if own.any() else "no row"
    way = "judge a larger share" if problem.counts[c] else "choose another class"
    raise EngineError(
        f"Among the rows to judge is {there} of class {problem.class_text(c)}: {way}."
    )
