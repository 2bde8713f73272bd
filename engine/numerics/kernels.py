"""Kernels as formulas of dot products, and the distances that they imply.

AIMA 18.9; rbf: extension.
"""

from fractions import Fraction
from functools import reduce
from operator import add
from typing import Literal

import numpy as np

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.records import Record

LARGEST = 1e300
POWERS = {"linear": 1, "quadratic": 2, "rbf": 0}
TOO_LARGE = (
    "The values of this kernel are too large to be computed. Scale the columns (0 to 1, or mean 0"
    " and deviation 1) in the data panel, or lower the degree."
)
KernelName = Literal["linear", "quadratic", "polynomial", "rbf"]


class KernelFormula(Record, eq=True):
    """A kernel K(x, z), by name.

    linear: x·z
    quadratic: (x·z)²
    polynomial: (1 + x·z)^degree
    rbf: exp(−gamma |x − z|²)

    All but rbf are (shift + x·z)^power.
    """

    name: KernelName = "linear"
    degree: int = 2
    gamma: float = 1.0

    power = property(lambda self: POWERS.get(self.name, self.degree))
    shift = property(lambda self: 1.0 if self.name == "polynomial" else 0.0)

    def of_dots(self, dots: Float) -> Float:
        return reduce(np.multiply, [dots + self.shift] * self.power)

    def values(self, A: Float, B: Float) -> Float:
        """(…) K(a, b) for points A (…, d) and B (…, d), which broadcast."""
        if self.name == "rbf":
            return np.asarray(np.exp(-self.gamma * np.square(A - B).sum(-1)))
        return self.of_dots((A * B).sum(-1))

    def diagonal(self, X: Float) -> Float:
        """(n,) K(x, x), the largest values of the kernel matrix.

        Raises EngineError if one is too large for a float.
        """
        if self.name == "rbf":
            return np.ones(len(X))
        with np.errstate(over="ignore"):
            values = self.of_dots(np.einsum("ij,ij->i", X, X))
        if not (values < LARGEST).all():
            raise EngineError(TOO_LARGE)
        return values

    def distance(self, A: Float, B: Float) -> Float:
        """(…) √(K(a, a) − 2 K(a, b) + K(b, b)), the distance in feature space; ∞ on overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            if self.name == "rbf":
                return np.asarray(np.sqrt(-2 * np.expm1(-self.gamma * np.square(A - B).sum(-1))))
            squares = self.values(A, A) - 2 * self.values(A, B) + self.values(B, B)
        return np.where(np.isnan(squares), np.inf, np.sqrt(np.maximum(squares, 0.0)))

    def exact_square(self, a: Float, b: Float) -> float:
        """K(a, a) − 2 K(a, b) + K(b, b) of two points (d,), in exact arithmetic except for rbf.

        Floats would cancel to 0 for points close to each other.
        """
        if self.name == "rbf":
            return float(self.distance(a, b)) ** 2
        one, other = ([Fraction(value) for value in place.tolist()] for place in (a, b))
        shift = Fraction(self.shift)
        power = self.power
        both, mixed, last = (
            reduce(add, (x * z for x, z in zip(*pair, strict=True)), shift) ** power
            for pair in ((one, one), (one, other), (other, other))
        )
        return float(both - 2 * mixed + last)

    def text(self) -> str:
        """The formula as text."""
        return {
            "linear": "x · z",
            "quadratic": "(x · z)²",
            "polynomial": f"(1 + x · z)^{self.degree}",
            "rbf": f"exp(−{'' if self.gamma == 1 else f'{self.gamma:g} '}|x − z|²)",
        }[self.name]
