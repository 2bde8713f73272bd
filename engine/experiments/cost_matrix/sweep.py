"""What comes of every threshold of one class's lead, for rows whose class is known."""

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.problem import Problem
from engine.core.records import Record
from engine.evaluation.confusion import Curve, curve
from engine.experiments.parts.scoring import bounded


class Sweep(Record):
    """c: whose lead it is; rows (m,): judged; codes, lead, other (m,): true classes, leads of c,
    and what else each would be called; rates, cost (t,): of every threshold, from ∞ where nothing
    is called c; costs: a row's; silent: rows left out, of which nothing is said.
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
        """The number of the threshold that parts the rows as 0 does: the lowest from 0 on, since c
        is said where lead ≥ t.
        """
        return int((self.rates.threshold >= 0).sum()) - 1

    def threshold(self, now: int) -> float:
        """∞ too where it is beyond all."""
        return bounded(self.rates.threshold[now])

    def said(self, now: int) -> Int:
        """(m,) what the rows are called by threshold `now`, before the first as the learner calls
        them.
        """
        return np.where(
            self.lead >= self.rates.threshold[now if now >= 0 else self.own], self.c, self.other
        )

    def called(self, now: int) -> tuple[int, int, int, int]:
        """Rows of c and others that are called c, and how many of both there are."""
        hits, alarms = self.rates.hits, self.rates.alarms
        return int(hits[now]), int(alarms[now]), int(hits[-1]), int(alarms[-1])


def called(lead: Float, c: int, threshold: float) -> Int:
    """(m,) classes by the leads (m, k) of rows: c from the threshold on, else the best other; −1
    where nothing is known.
    """
    others = np.nan_to_num(lead, nan=-np.inf)
    others[:, c] = -np.inf
    said = np.where(lead[:, c] >= threshold, c, others.argmax(axis=1))
    return np.where(np.isnan(lead[:, c]), -1, said)


def swept(problem: Problem, rows: Int, leads: Float, costs: Float, c: int) -> Sweep:
    """Of rows (m,) with their leads (m, k), by costs (k, k)."""
    known = ~np.isnan(leads[:, c])
    rows = rows[known]
    leads = leads[known]
    codes = problem.codes[rows]
    lead = leads[:, c]
    if (codes == c).all() or not (codes == c).any():
        there = "no row" if not (codes == c).any() else "no other row than those"
        way = "judge a larger share" if problem.counts[c] else "choose another class"
        raise EngineError(
            f"Among the rows to judge is {there} of class {problem.class_text(c)}: {way}."
        )
    other = called(leads, c, np.inf)
    rates = curve(lead, codes == c)
    order = np.argsort(-lead, kind="stable")
    more = np.cumsum((costs[codes, c] - costs[codes, other])[order])
    cost = costs[codes, other].sum() + np.append(0.0, more)[rates.hits + rates.alarms]
    per_row = frozen((cost / len(rows)).round(12))
    rates = Curve(frozen(rates.threshold), frozen(rates.hits), frozen(rates.alarms))
    silent = int((~known).sum())
    return Sweep(
        c, frozen(rows), frozen(codes), frozen(lead), frozen(other), rates, per_row, silent
    )
