"""Products as they are read: fractions while they are short, then decimals, however small the
number is.
"""

from fractions import Fraction
from math import exp, floor, isfinite, log, log10, modf

import numpy as np

from engine.algorithms.bayes.naive_bayes import S, Setting, State
from engine.base.notation import Share, number, telling_digits
from engine.scene.boolean import two_valued
from engine.table.problem import Problem

Exact = Fraction | float
Shown = tuple[Fraction | str, Fraction | str]  # S of both classes
LONG = 1_000_000  # of numerator and denominator
SMALL = 1e-300  # a number below it is written by its exact fraction: floats end there
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def value_name(problem: Problem, column: int, value: float) -> str:
    """A value of a column as text: "Patrons = Some"."""
    feature = problem.features[column]
    text = str(int(value)) if two_valued(problem, column) else feature.text(value)
    return f"{feature.title} = {text}"


def linear(given: Setting) -> bool:
    """Whether all columns have two values, so that the comparison is a half-space (MIT 2.5.22)."""
    return all(size == 2 for size in given.sizes)


def bias_of(given: Setting, s: State) -> float:
    """The bias of the linear rule, with the prior's ln S(+) − ln S(−) where the parameters ask for
    it.
    """
    first, second = (logarithm(exact(share)) for share in s.prior)
    return float(s.bias) + (first - second if given.p.prior else 0.0)


def exact(share: Share) -> Fraction:
    """The share as a fraction in lowest terms."""
    return Fraction(*map(int, share))


def texts(given: Setting, s: State, alone: bool = False) -> tuple[Shown, tuple[str, str]]:
    """(S, ln S) of both classes as texts, with enough decimals that different ones look different.
    alone: each as short as it is readable by itself
    """
    a, b = S(given, s)
    if given.kind == "logs":
        first, second = float(a), float(b)
        shown: Shown = from_log(first), from_log(second)
    else:
        first, second = logarithm(a), logarithm(b)
        shown = (readable(a), readable(b)) if alone else both((a, b))
    if alone:
        return shown, (number(first, 3), number(second, 3))
    return shown, different(first, second)


def readable(value: Exact, digits: int = 4) -> Fraction | str:
    """A fraction that is short enough to read, else the value as text with `digits` decimals, also
    where it is very small.
    """
    if isinstance(value, float):
        return number(value, digits)
    if max(value.numerator, value.denominator) < LONG:
        return value
    if value == 0 or float(value) > SMALL:
        return number(float(value), digits)
    return small_text(value, digits)


def small_text(value: Fraction, digits: int) -> str:
    """A positive fraction in scientific notation, '3.1416·10⁻⁶⁰³', also below the range of
    floats.
    """
    exponent = floor(log10(value.numerator) - log10(value.denominator))
    mantissa, _, carried = f"{float(value * Fraction(10) ** -exponent):.{digits}e}".partition("e")
    return f"{mantissa}·10{str(exponent + int(carried)).translate(_RAISED)}"


def both(t: tuple[Exact, Exact]) -> Shown:
    """The two products as text, with enough decimals that different ones look different."""
    first, second = t
    for digits in range(4, 17):
        shown = readable(first, digits), readable(second, digits)
        if first == second or shown[0] != shown[1]:
            break
    return shown


def different(a: float, b: float) -> tuple[str, str]:
    """Two numbers as text, with enough decimals that different ones look different."""
    digits = max(3, telling_digits(a, b))
    return number(a, digits), number(b, digits)


def logarithm(value: Exact) -> float:
    """ln of a fraction (without underflow) or a float; −∞ for 0."""
    if not value:
        return float("-inf")
    if isinstance(value, Fraction):
        return log(value.numerator) - log(value.denominator)
    return log(value)


def from_log(value: float) -> str:
    """e to the power of `value` as text, also below the range of floats."""
    if not isfinite(value) or value > log(SMALL):
        return number(exp(value), 4)
    tens, exponent = modf(value / log(10))
    return small_text(Fraction(10**tens) * Fraction(10) ** int(exponent), 4)


def sizes(given: Setting, s: State) -> tuple[tuple[float, float], str]:
    """((S(+), S(−)) as floats to compare, their unit); each divided by the larger where floats
    would underflow.
    """
    a, b = S(given, s)
    top = max(a, b)
    if given.kind == "logs":
        most = float(top) if isfinite(top) else 0.0
        first, second = np.exp(np.array([a, b], np.float64) - most).tolist()
        return (first, second), "part of the larger S"
    if top and float(top) <= SMALL and isinstance(top, Fraction):
        return (float(a / top), float(b / top)), "part of the larger S"
    return (float(a), float(b)), "S"
