"""Products of shares over many rows, compared exactly, and the linear rule that they make.

MIT 2.5.14-2.5.22.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float, Int
from engine.base.notation import Share
from engine.numerics.closeness import equal, more

Pair = tuple[Fraction, Fraction] | tuple[float, float]  # of both classes
_CELLS = 1 << 18  # values looked at together
_WORD = 1 << 64
_TWO = 0x9E3779B97F4A7C15


class Column(tuple[tuple[Share, Share], ...]):
    """For each value of a column its share in the first and in the second class."""

    @property
    def own_bytes(self) -> int:
        """The estimated size in bytes, so that weighing a run need not visit every number."""
        return 64 + 400 * len(self)


def product(
    R: Sequence[Column], values: Float, code: int, prior: Sequence[Share] | None
) -> Fraction:
    """The exact product Π_j R[j](x[j], class) over the columns of R, times the prior of the class
    where `prior` is not empty.

    values: (d,) of a row; code: 0 or 1
    """
    shares = [column[int(value)][code] for column, value in zip(R, values, strict=False)]
    if prior:
        shares.append(prior[code])
    parts = prod(int(share.part) for share in shares)
    wholes = prod(int(share.whole) for share in shares)
    return Fraction(parts, wholes)


class Products:
    """S of rows X (m, d) for both classes, factor by factor; each column looks once at each row.

    kind: 'fractions' are compared exactly, 'products' and 'logs' as floats make them
    sums: (m, 2) products in floats; else sums of logarithms, of fractions without those of shares
    of 0
    """

    def __init__(self, X: Float, prior: Sequence[Share] | None, kind: str) -> None:
        self.prior = prior
        self.kind = kind
        self.columns = list[Column]()
        self.X = np.nan_to_num(X).T.astype(np.intp, order="C")  # (d, m)
        start = np.array([float(share) for share in prior or (1.0, 1.0)])
        self.sums = np.tile(start if kind == "products" else np.log(start), (len(X), 1))
        self._zeros = np.zeros((len(X), 2), bool)
        self._sign = np.tile(ratio_signs(np.array([prior or ((1, 1), (1, 1))])), len(X))

    def times(self, *columns: Column) -> "Products":
        """The products multiplied by the factors of the next columns."""
        at_once = max(1, _CELLS // max(1, len(self.X)))
        for first in range(0, len(columns), at_once):
            self._take(columns[first : first + at_once])
        return self

    def _take(self, columns: Sequence[Column]) -> None:
        """The factors of all values of some columns stand in one table; slots (columns, m): where a
        row finds its own.
        """
        known = len(self.columns)
        begins = np.cumsum([0, *map(len, columns)])[:-1]
        slots = self.X[known : known + len(columns)] + begins[:, None]
        pairs = [pair for column in columns for pair in column]
        parts = np.array(pairs, np.float64).reshape(-1, 2, 2)  # (values, class, part and whole)
        with np.errstate(divide="ignore", invalid="ignore"):
            factors = parts[..., 0] / parts[..., 1]
            zeros = (factors == 0) & (self.kind == "fractions")
            terms = factors if self.kind == "products" else np.log(np.where(zeros, 1.0, factors))
        grow = np.multiply if self.kind == "products" else np.add
        for slot in slots:  # one after the other: so they round alike, however many come at once
            grow(self.sums, terms.take(slot, axis=0), out=self.sums)
        if self.kind == "fractions":
            self._sign *= np.multiply.reduce(ratio_signs(parts).take(slots), axis=0)
            if zeros.any():
                self._zeros |= zeros.take(slots, axis=0).any(axis=0)
        self.columns += columns

    def codes(self) -> Int:
        """(m,) 0 where S of class 0 is strictly the larger one, else 1.

        Of fractions logarithms are compared; where these are near to each other, the whole
        products, once for equal rows.
        """
        a, b = self.sums.T
        if self.kind != "fractions":
            return np.where(a > b, 0, 1)
        zero_a, zero_b = self._zeros.T
        size = 1 - a - b  # no logarithm of a share is above 0
        larger = ~zero_a & (zero_b | more(a, b, size))
        codes = np.where(larger, 0, 1)
        near = equal(a, b, size) & (self._sign != 1)
        doubtful = np.flatnonzero(near & ~zero_a & ~zero_b)
        if len(doubtful):
            known = self.X[: max(1, len(self.columns)), doubtful]
            rows, back = np.unique(known, axis=1, return_inverse=True)
            exact = np.array([self._exact_code(x) for x in rows.T])
            codes[doubtful] = exact[np.ravel(back)]
        return codes

    def _exact_code(self, x: Float) -> int:
        """The class of values x (d,), by fractions."""
        first, second = (product(self.columns, x, code, self.prior) for code in (0, 1))
        return 0 if first > second else 1

    def log_odds(self) -> Float:
        """(m,) ln S of class 0 less ln S of class 1, infinite where one S is 0; a tie is 0."""
        zero_a, zero_b = self._zeros.T
        odds = np.asarray(self.sums[:, 0] - self.sums[:, 1], np.float64)
        odds[zero_a] = -np.inf
        odds[zero_b] = np.inf
        odds[zero_a & zero_b] = 0.0
        smallest = np.finfo(np.float64).tiny  # the codes are exact: rounding may not turn the sign
        return np.where(self.codes() == 0, np.maximum(odds, smallest), np.minimum(odds, 0.0))


@cache
def factor_sign(number: int) -> int:
    """A sign of a positive whole number, modulo 2⁶⁴: that of a product is the product of its
    factors' signs. Equal numbers have equal signs; different ones hardly ever.

    Odd numbers are their own sign, 2 has an odd one, so that all can be divided by.
    """
    twos = (number & -number).bit_length() - 1
    return (number >> twos) * pow(_TWO, twos, _WORD) % _WORD


def ratio_signs(parts: Float) -> NDArray[np.uint64]:
    """(values,) the sign of first share / second share of each value: 1 where both are equal.

    parts: (values, class, part and whole); shares of 0 are compared before
    """
    numbers, at = np.unique(np.where(parts == 0, 1, parts), return_inverse=True)
    signs = np.array([factor_sign(int(number)) for number in numbers], np.uint64)
    under = np.array([pow(int(sign), -1, _WORD) for sign in signs], np.uint64)
    at = at.reshape(parts.shape)
    return np.asarray(
        signs[at[:, 0, 0]] * under[at[:, 0, 1]] * under[at[:, 1, 0]] * signs[at[:, 1, 1]]
    )


def odds(R: Sequence[Column], ones: Sequence[int]) -> tuple[Float, float]:
    """(weights (known,), bias) of the linear rule that columns of two values make: w · x + b > 0
    where the first class has the larger product (MIT 2.5.22).

    With α and β the shares of x = 1 in both classes a weight is ln(α/(1 − α)) − ln(β/(1 − β)), NaN
    of a column with more values; the bias is Σ ln((1 − α)/(1 − β)).
    """
    none = Share((np.nan, 1)), Share((np.nan, 1))
    pairs = []
    for column, one in zip(R, ones, strict=False):
        if len(column) == 2:
            pairs.append((column[one], column[1 - one]))
        else:
            pairs.append((none, none))
    shares = [[[float(share) for share in both] for both in pair] for pair in pairs]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.array(shares).reshape(-1, 2, 2))  # (columns, x = 1 or 0, class)
        yes, no = logs.transpose(1, 0, 2)
        votes = yes - no
        return votes[:, 0] - votes[:, 1], float((no[:, 0] - no[:, 1]).sum())
