"""Products of shares over many rows, compared exactly, and the linear rule that they make. MIT 2.5.14-2.5.22."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from engine.core.arrays import Float, Int
from engine.core.notation import Share

Pair = tuple[Fraction, Fraction] | tuple[float, float]  # of both classes
NEAR = 1e-9  # sums of logarithms this near to each other are compared again as whole numbers
_WORD, _CELLS = 1 << 64, 1 << 18  # values looked at together


class Column(tuple[tuple[Share, Share], ...]):
    """Of each value of a column its share in the first and in the second class."""

    @property
    def own_bytes(self) -> int:
        """A run weighs its steps: this saves it to look at every number."""
        return 64 + 400 * len(self)


def product(R: Sequence[Column], values: Float, code: int, prior: Sequence[Share] | None) -> Fraction:
    """Π_j R_j(x_j, class), times the class's share of the examples."""
    shares = [column[int(value)][code] for column, value in zip(R, values, strict=False)]
    shares += [prior[code]] if prior else []
    return Fraction(prod(int(s.part) for s in shares), prod(int(s.whole) for s in shares))


class Products:
    """S of rows X (m, d) for both classes, factor by factor; each column looks once at each row.

    kind: 'fractions' are compared exactly, 'products' and 'logs' as floats make them
    sums (m, 2): products in floats, else sums of logarithms, of fractions without those of shares of 0
    """

    def __init__(self, X: Float, prior: Sequence[Share] | None, kind: str) -> None:
        self.X, self.prior, self.kind, self.columns = np.nan_to_num(X), prior, kind, list[Column]()
        start = np.array([float(share) for share in prior or (1.0, 1.0)])
        self.sums = np.tile(start if kind == "products" else np.log(start), (len(X), 1))
        self._zeros = np.zeros((len(X), 2), bool)
        self._sign = np.tile(ratio_signs(np.array([prior or ((1, 1), (1, 1))])), len(X))

    def times(self, *columns: Column) -> "Products":
        """This, with the factors of the next columns."""
        at_once = max(1, _CELLS // max(1, len(self.X)))
        for first in range(0, len(columns), at_once):
            self._take(columns[first : first + at_once])
        return self

    def _take(self, columns: Sequence[Column]) -> None:
        """The factors of all values of some columns stand in one table; slots (columns, m): where a row finds its own."""
        known, begins = len(self.columns), np.cumsum([0, *map(len, columns)])[:-1]
        slots = (self.X[:, known : known + len(columns)] + begins).T.astype(np.intp, order="C")
        flat = [number for column in columns for pair in column for share in pair for number in share]
        parts = np.array(flat, np.float64).reshape(-1, 2, 2)  # (values, class, part and whole)
        with np.errstate(divide="ignore", invalid="ignore"):
            factors = parts[..., 0] / parts[..., 1]
            zeros = (factors == 0) & (self.kind == "fractions")
            terms = factors if self.kind == "products" else np.log(np.where(zeros, 1.0, factors))
        grow = np.multiply if self.kind == "products" else np.add
        for slot in slots:  # one after the other: so they round alike, however many come at once
            grow(self.sums, terms.take(slot, axis=0), out=self.sums)
        if self.kind == "fractions":
            self._sign += ratio_signs(parts).take(slots).sum(axis=0, dtype=np.uint64)
            if zeros.any():
                self._zeros |= zeros.take(slots, axis=0).any(axis=0)
        self.columns += columns

    def codes(self) -> Int:
        """(m,) 0 where the product of class 0 is strictly the larger one, else 1."""
        if self.kind != "fractions":
            return np.where(self.sums[:, 0] > self.sums[:, 1], 0, 1)
        (a, b), (no, never) = self.sums.T, self._zeros.T
        difference, near = a - b, NEAR * (1 - a - b)  # no logarithm of a share is above 0
        codes = np.where(no | ~(never | (difference > near)), 1, 0)
        doubtful = np.flatnonzero((np.abs(difference) <= near) & (self._sign != 0) & ~(no | never))
        if len(doubtful):
            codes[doubtful] = self._compared(self.X[doubtful])
        return codes

    def _compared(self, X: Float) -> Int:
        """The same by the fractions themselves, once for equal rows; without a column all rows are equal."""
        rows, back = np.unique(X[:, : max(1, len(self.columns))], axis=0, return_inverse=True)
        pairs = [[product(self.columns, x, code, self.prior) for code in (0, 1)] for x in rows]
        return np.array([0 if first > second else 1 for first, second in pairs])[np.ravel(back)]

    def log_odds(self) -> Float:
        """(m,) ln of the product of class 0 less that of class 1, infinite where one is 0; a tie is 0."""
        zeros = self._zeros
        odds = np.where(zeros[:, 1], np.inf, self.sums[:, 0] - self.sums[:, 1])
        odds = np.where(zeros.all(1), 0.0, np.where(zeros[:, 0], -np.inf, odds))
        smallest = np.finfo(np.float64).tiny  # the codes are exact: rounding may not turn the sign
        return np.where(self.codes() == 0, np.maximum(odds, smallest), np.minimum(odds, 0.0))


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


def ratio_signs(parts: Float) -> NDArray[np.uint64]:
    """(values,) `factor_sign` of share by share, of (values, class, part and whole); 0 stands for a share of nothing, which is
    compared before."""
    numbers, at = np.unique(parts, return_inverse=True)
    signs = np.array([factor_sign(int(number)) for number in numbers], np.uint64)[at.reshape(parts.shape)]
    of_class = np.where(parts[..., 0] == 0, 0, signs[..., 0] - signs[..., 1]).astype(np.uint64)
    return np.asarray(of_class[:, 0] - of_class[:, 1])


def odds(R: Sequence[Column], ones: Sequence[int]) -> tuple[Float, float]:
    """(weights (known,), bias) of columns of two values: ln(α/(1 − α)) − ln(β/(1 − β)) and Σ ln((1 − α)/(1 − β)), where
    α and β are the shares of x = 1 in the first and second class (MIT 2.5.22); NaN for other
    columns. w · x + b > 0 where the product of the first class is the larger one."""
    none = Share((np.nan, 1)), Share((np.nan, 1))
    pairs = [(c[one], c[1 - one]) if len(c) == 2 else (none, none) for c, one in zip(R, ones, strict=False)]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.array([[list(map(float, of)) for of in pair] for pair in pairs]).reshape(-1, 2, 2))
        (yes, no), parts = logs.transpose(1, 0, 2), logs[:, 1, 0] - logs[:, 1, 1]
        return (yes - no)[:, 0] - (yes - no)[:, 1], float(parts.sum())
