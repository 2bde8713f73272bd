"""Rows of the kernel matrix, computed when they are wanted; the latest are kept."""

from math import sqrt

from engine.algorithms.margins.parts.kernel import Kernel
from engine.authoring import Float, np
from engine.numerics.closeness import OF_TERMS

TINY = 1e-290  # least |F(x) − F(z)|² that can be divided by
SMALL = 200  # examples up to which all rows are computed at once
ROOM = 2**24  # numbers that are kept


class KernelRows:
    """K(x[i], ·) of rows X (n, d), and how far the lifted places are from one another.

    kept: (m, n) the rows that are kept
    lengths: (n,) |F(x)|
    closest: 1/|F(x) − F(z)| of two places that K cannot tell apart; no larger one is given
    """

    def __init__(self, kernel: Kernel, X: Float) -> None:
        n = len(X)
        self.diagonal = kernel.diagonal(X)
        self.lengths = np.sqrt(self.diagonal)
        self._least_square = max(OF_TERMS * float(self.diagonal.max(initial=0.0)), TINY)
        self.closest = 1 / sqrt(self._least_square)
        self._kernel = kernel
        self._X = X
        self.kept, self._near = np.empty((2, min(n, max(2, ROOM // (2 * n))), n))
        self._slot = np.full(n, -1, np.int64)  # where a row is kept, or −1
        self._made = 0

    def of(self, i: int) -> Float:
        """(n,) K(x[i], ·); valid until other rows replace it."""
        return np.asarray(self.kept[self._place(i)])

    def near(self, i: int) -> Float:
        """(n,) 1/d of the lifted distances d² = K(i, i) + K(·, ·) − 2 K(i, ·)."""
        return np.asarray(self._near[self._place(i)])

    def is_rounding(self, near: float) -> bool:
        """Whether a distance of 1 / near is nothing but rounding: K cannot tell the two apart."""
        return near == self.closest

    def _place(self, i: int) -> int:
        """Where the row is kept; it is computed when it is not."""
        if self._slot.item(i) < 0:
            n = len(self._slot)
            if len(self.kept) == n <= SMALL:
                self._make(0, n)
            else:
                self._make(i, i + 1)
        return int(self._slot.item(i))

    def _make(self, first: int, end: int) -> None:
        """Computes these rows, in the place of the oldest."""
        at = self._made % len(self.kept)
        place = slice(at, at + end - first)
        if self._made >= len(self.kept):
            self._slot[self._slot == at] = -1
        self._slot[first:end] = np.arange(at, place.stop)
        self._made += end - first
        self.kept[place] = self._kernel.matrix(self._X[first:end], self._X)
        near = self._near[place]
        np.multiply(self.kept[place], -2.0, out=near)
        near += self.diagonal
        near += self.diagonal[first:end, None]
        np.maximum(near, self._least_square, out=near)
        np.sqrt(near, out=near)
        np.reciprocal(near, out=near)
