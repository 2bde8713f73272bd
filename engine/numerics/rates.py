"""Shares of each value in two classes, counted in one pass, and products of them compared exactly. MIT 2.5.3-2.5.22."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import prod

import numpy as np

from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.notation import Share
from engine.core.sums import add_up

NEAR = 1e-9  # sums of logarithms this near to each other are compared again as whole numbers


@dataclass(frozen=True, eq=False)
class Rates:
    """counts (d, V, 2): how often column j has value v in class 0 and 1; sizes (d,): values in the domain of each column;
    totals (2,): examples of each class; laplace: 1 is added to each count, the size of the domain to its whole;
    ones (d,): which value of a column counts as x = 1; () where it is always the value 1."""

    counts: Int
    sizes: tuple[int, ...]
    totals: tuple[int, int]
    laplace: bool
    ones: tuple[int, ...] = ()

    def __reduce__(self) -> tuple[type["Rates"], tuple[Int, tuple[int, ...], tuple[int, int], bool, tuple[int, ...]]]:
        """Only the counts are stored; what follows from them is reckoned again."""
        return Rates, (self.counts, self.sizes, self.totals, self.laplace, self.ones)

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
    def odds(self) -> tuple[Float, Float]:
        """(weights (d,), parts of the bias (d,)) of columns of two values: ln(α/(1 − α)) − ln(β/(1 − β)) and
        ln((1 − α)/(1 − β)), where α and β are the shares of x = 1 in the first and second class (MIT 2.5.22); NaN for
        other columns. w · x + b > 0 where the product of the first class is the larger one."""
        d = len(self.sizes)
        if not d or self.counts.shape[1] < 2:
            return frozen(np.full(d, np.nan)), frozen(np.full(d, np.nan))
        one, pair = np.asarray(self.ones or (1,) * d), np.asarray(self.sizes) == 2
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(self._shares)
            yes, no = logs[np.arange(d), one], logs[np.arange(d), 1 - one]
            weights, parts = (yes - no)[:, 0] - (yes - no)[:, 1], no[:, 0] - no[:, 1]
        return frozen(np.where(pair, weights, np.nan)), frozen(np.where(pair, parts, np.nan))

    def scores(self, values: Float, used: int, prior: bool, logs: bool) -> tuple[float, float]:
        """The products of one example over its first `used` columns in floats, factor by factor as a computer multiplies
        them, or the sums of their logarithms (MIT 2.5.16)."""
        first, second = Tally(self, values[None], prior, "logs" if logs else "products").after(used).sums[0].tolist()
        return first, second

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

    def codes(self, X: Float, known: int, prior: bool, floats: str = "") -> Int:
        """(m,) 0 where the product of class 0 is strictly the larger one, else 1; −1 where a value is missing. floats:
        'products' or 'logs' compares what floats make of them, '' the fractions."""
        if floats:
            return Tally(self, X, prior, floats).after(known).codes()
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

    def log_odds(self, X: Float, known: int, prior: bool) -> Float:
        """(m,) ln of the product of class 0 less that of class 1, 0 where they are equal or both 0; NaN for unknown values."""
        logs, zeros = self._sums(np.nan_to_num(X[:, :known]))
        if prior:
            logs += np.log([float(share) for share in self.prior])
        odds = np.where(
            zeros.all(1), 0.0, np.where(zeros[:, 0], -np.inf, np.where(zeros[:, 1], np.inf, logs[:, 0] - logs[:, 1]))
        )
        codes = self.codes(X, known, prior)  # they are exact: rounding may not turn the sign
        odds = np.where(codes == 0, np.maximum(odds, np.finfo(np.float64).tiny), np.minimum(odds, 0.0))
        return np.where(codes < 0, np.nan, odds)

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


class Tally:
    """The classes of rows X (m, d) by more and more columns; each column looks once at each row.

    sums (m, 2): of the logarithms, or products in floats; kind: 'exact' compares fractions, 'logs' and 'products' floats
    """

    def __init__(self, rates: Rates, X: Float, prior: bool, kind: str = "exact") -> None:
        self.rates, self.prior, self.kind, self.known = rates, prior, kind, 0
        self.X, self._gaps = np.nan_to_num(X), np.isnan(X).any(axis=1)
        start = np.array([float(share) for share in rates.prior] if prior else [1.0, 1.0])
        self.sums = np.tile(start if kind == "products" else np.log(start), (len(X), 1))
        self._zeros = np.zeros((len(X), 2), bool)
        signs = [factor_sign(total) for total in rates.totals] if prior else [0, 0]
        self._sign = np.full(len(X), (signs[0] - signs[1]) % _WORD, np.uint64)

    def after(self, known: int) -> "Tally":
        """This, with the first `known` columns counted."""
        while self.known < known:
            self._add(self.known)
            self.known += 1
        return self

    def _add(self, j: int) -> None:
        values = self.X[:, j].astype(np.intp)
        if self.kind == "products":
            self.sums *= self.rates._shares[j].take(values, axis=0)
        elif self.kind == "logs":
            with np.errstate(divide="ignore"):
                self.sums += np.log(self.rates._shares[j]).take(values, axis=0)
        else:
            self.sums += self.rates._logs[j].take(values, axis=0)
            self._zeros |= self.rates._zeros[j].take(values, axis=0)
            shares = [[self.rates.share(j, v, code) for code in (0, 1)] for v in range(self.rates.sizes[j])]
            signs = [ratio_sign(a) - ratio_sign(b) for a, b in shares]
            self._sign += np.array([sign % _WORD for sign in signs], np.uint64).take(values)

    def codes(self) -> Int:
        """(m,) as `Rates.codes` of the columns counted so far."""
        return np.where(self._gaps, -1, self._larger())

    def _larger(self) -> Int:
        if self.kind != "exact":
            return np.where(self.sums[:, 0] > self.sums[:, 1], 0, 1)
        difference, zeros = self.sums[:, 0] - self.sums[:, 1], self._zeros
        near = NEAR * (1 + np.abs(self.sums).sum(1))
        codes = np.where(~zeros[:, 0] & (zeros[:, 1] | (difference > near)), 0, 1)
        doubtful = np.flatnonzero(~zeros.any(1) & (np.abs(difference) <= near) & (self._sign != 0))
        if len(doubtful):
            codes[doubtful] = self.rates._exact(self.X[doubtful], self.known, self.prior)
        return codes


_WORD = 1 << 64


@cache
def factor_sign(number: int) -> int:
    """A number for each positive whole one, that of a product the sum of its factors' modulo 2⁶⁴: products whose numbers
    differ differ, and those whose numbers agree are equal but for a chance of one in 2⁶⁴."""
    sign, prime = 0, 2
    while number > 1:
        prime = prime if prime * prime <= number else number
        while number % prime == 0:
            number //= prime
            sign += _mixed(prime)
        prime += 1
    return sign % _WORD


def _mixed(number: int) -> int:
    """The bits of a number stirred, after S. Vigna's SplitMix64."""
    z = number * 0x9E3779B97F4A7C15 % _WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % _WORD
    return z ^ z >> 31


def ratio_sign(share: Share) -> int:
    """`factor_sign` of a fraction; 0 stands for a share of nothing, which is compared before."""
    return factor_sign(int(share.part)) - factor_sign(int(share.whole)) if share.part else 0


def count_rates(X: Float, codes: Int, sizes: tuple[int, ...], laplace: bool, ones: tuple[int, ...] = ()) -> Rates:
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
    return Rates(frozen(counts), sizes, (totals[0], totals[1]), laplace, ones)
