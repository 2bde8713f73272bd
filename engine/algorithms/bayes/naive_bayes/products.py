"""Products of shares over many rows, compared exactly, and the linear rule that they make. MIT 2.5.14-2.5.22."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.notation import Share

Pair = tuple[Fraction, Fraction] | tuple[float, float]  # of both classes
NEAR = 1e-9  # sums of logarithms this near to each other are compared again as whole numbers
_WORD = 1 << 64


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
        first, second = (ratio_sign(share) for share in prior) if prior else (0, 0)
        self._sign = np.full(len(X), (first - second) % _WORD, np.uint64)

    def times(self, *columns: Column) -> "Products":
        """This, with the factors of the next columns."""
        for column in columns:
            values = self.X[:, len(self.columns)].astype(np.intp)
            factors = np.array([[float(share) for share in pair] for pair in column])
            if self.kind == "products":
                self.sums *= factors.take(values, axis=0)
            elif self.kind == "logs":
                with np.errstate(divide="ignore"):
                    self.sums += np.log(factors).take(values, axis=0)
            else:
                zeros = factors == 0
                self.sums += np.log(np.where(zeros, 1.0, factors)).take(values, axis=0)
                if zeros.any():
                    self._zeros |= zeros.take(values, axis=0)
                signs = [(ratio_sign(a) - ratio_sign(b)) % _WORD for a, b in column]
                self._sign += np.array(signs, np.uint64).take(values)
            self.columns.append(column)
        return self

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


def ratio_sign(share: Share) -> int:
    """`factor_sign` of a fraction; 0 stands for a share of nothing, which is compared before."""
    return factor_sign(int(share.part)) - factor_sign(int(share.whole)) if share.part else 0


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
