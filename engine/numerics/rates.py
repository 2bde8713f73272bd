"""Shares of each value in two classes, counted in one pass, and products of them compared exactly. MIT 2.5.3-2.5.22."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.notation import Share
from engine.core.sums import add_up

NEAR = 1e-9  # sums of logarithms this near to each other are compared again as whole numbers


@dataclass(frozen=True, eq=False)
class Rates:
    """counts (d, V, 2): how often column j has value v in class 0 and 1; sizes (d,): values in the domain of each column;
    totals (2,): examples of each class; laplace: 1 is added to each count, the size of the domain to its whole."""

    counts: Int
    sizes: tuple[int, ...]
    totals: tuple[int, int]
    laplace: bool

    def __reduce__(self) -> tuple[type["Rates"], tuple[Int, tuple[int, ...], tuple[int, int], bool]]:
        """Only the counts are stored; what follows from them is reckoned again."""
        return Rates, (self.counts, self.sizes, self.totals, self.laplace)

    def share(self, column: int, value: int, code: int) -> Share:
        """R_j(v, class) as it is counted: 2/7 stays 2/7; ½ of nothing."""
        extra = int(self.laplace)
        return Share((int(self.counts[column, value, code]) + extra, self.totals[code] + extra * self.sizes[column]))

    def product(self, values: Float, code: int, known: int, prior: bool) -> Fraction:
        """Π_j R_j(x_j, class) over the first `known` columns, times the class's share of the examples."""
        shares = [self.share(j, int(values[j]), code) for j in range(known)]
        result = Fraction(prod(int(s.part) for s in shares), prod(int(s.whole) for s in shares))
        return result * self.prior[code] if prior else result

    @cached_property
    def prior(self) -> tuple[Fraction, Fraction]:
        whole = add_up(self.totals)
        return Fraction(self.totals[0], whole), Fraction(self.totals[1], whole)

    @cached_property
    def _shares(self) -> Float:
        extra = int(self.laplace)
        wholes = np.asarray(self.totals) + extra * np.asarray(self.sizes)[:, None, None]
        shares: Float = (self.counts + extra) / np.maximum(wholes, 1)
        return shares

    @cached_property
    def _logs(self) -> Float:
        """(d, V, 2) logarithms; 0 where the share is 0, which `_zeros` holds."""
        return np.log(np.where(self._zeros, 1.0, self._shares))

    @cached_property
    def _zeros(self) -> Bool:
        zeros: Bool = self._shares == 0
        return zeros

    def codes(self, X: Float, known: int, prior: bool) -> Int:
        """(m,) 0 where the product of class 0 is strictly the larger one, else 1; −1 where a value is missing."""
        codes = np.ones(len(X), np.intp)
        gaps = np.isnan(X).any(1)
        known_values = np.nan_to_num(X[:, :known]) if gaps.any() else X[:, :known]
        logs, zeros = self._sums(known_values)
        if prior:
            logs += np.log([float(share) for share in self.prior])
        difference = logs[:, 0] - logs[:, 1]
        near = NEAR * (1 + np.abs(logs).sum(1))
        codes[~zeros[:, 0] & (zeros[:, 1] | (difference > near))] = 0
        doubtful = np.flatnonzero(~zeros.any(1) & (np.abs(difference) <= near) & ~gaps)
        if len(doubtful):
            codes[doubtful] = self._exact(X[doubtful], known, prior)
        codes[gaps] = -1
        return codes

    def _sums(self, X: Float) -> tuple[Float, Bool]:
        """(m, 2) sums of the logarithms, and where a share of 0 is among them. Of two values both are linear in X."""
        logs, zeros = self._logs[: X.shape[1]], self._zeros[: X.shape[1]]
        if self.counts.shape[1] == 2:
            sums = logs[:, 0].sum(0) + X @ (logs[:, 1] - logs[:, 0])
            none = zeros.astype(np.float64)
            return sums, none[:, 0].sum(0) + X @ (none[:, 1] - none[:, 0]) > 0.5
        sums, found = np.zeros((len(X), 2)), np.zeros((len(X), 2), bool)
        for j, values in enumerate(X.T.astype(np.intp)):
            sums += logs[j].take(values, axis=0)
            found |= zeros[j].take(values, axis=0)
        return sums, found

    def _exact(self, X: Float, known: int, prior: bool) -> Int:
        if known == 0:  # the same empty products for every row
            return np.full(len(X), 0 if prior and self.prior[0] > self.prior[1] else 1)
        rows, back = np.unique(X[:, :known], axis=0, return_inverse=True)
        positive = [self.product(x, 0, known, prior) > self.product(x, 1, known, prior) for x in rows]
        return np.where(np.asarray(positive)[np.ravel(back)], 0, 1)


def count_rates(X: Float, codes: Int, sizes: tuple[int, ...], laplace: bool) -> Rates:
    """One pass over the rows of classes 0 and 1."""
    counts = np.zeros((X.shape[1], max(sizes), 2), np.intp)
    totals = []
    for code in (0, 1):
        rows = X[codes == code]
        totals.append(len(rows))
        left = np.full(X.shape[1], len(rows))
        for value in range(max(sizes) - 1, 0, -1):
            counts[:, value, code] = (rows == value).sum(0)
            left = left - counts[:, value, code]
        counts[:, 0, code] = left
    return Rates(frozen(counts), sizes, (totals[0], totals[1]), laplace)
