"""Evaluates formulas as they are shown: numbers, fractions, vectors, sums, products, powers, a few
functions.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.base.notation import read_number
from engine.base.sums import add_up

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
NUMBER = rf"\d+(?:\.\d+)?(?:·10⁻?[{_RAISED}]+)?"
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>{NUMBER})|(?P<power>⁻?[{_RAISED}]+)|(?P<name>√|[^\W\d_]\w*)|(?P<sign>\S))"
)
_RELATION = re.compile(r" ([<>≤≥]) ")
_HOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less,
    ">": np.greater,
    "≤": np.less_equal,
    "≥": np.greater_equal,
}
_CLOSING = {"(": ")", "[": "]", "|": "|"}
SHORT = 1000  # whole numbers below this are exact
_ROUNDED = 1e-12  # rounding error of sums in doubles, as a share of their largest number


class _Unread(Exception):
    """A formula that says more than numbers, as in 'Σ of 12 branches'."""


def _entropy(*shares: float) -> float:
    return -add_up(p * math.log2(p) for p in shares if p > 0)


def _binary_entropy(share: float) -> float:
    return _entropy(share, 1 - share)


def _gini(*shares: float) -> float:
    return 1 - add_up(p * p for p in shares)


_MEANS: dict[str, Callable[..., float]] = {
    "B": _binary_entropy,
    "H": _entropy,
    "I": _gini,
    "log": math.log,
    "ln": math.log,
    "log₂": math.log2,
    "√": math.sqrt,
    "max": max,
    "min": min,
}


class _Reader:
    """A recursive-descent parser. means: the functions by name.

    Precedence from loose to tight: + and −; · × ÷, a stroke between blanks, and factors without a
        sign; a stroke without blanks, as in a fraction; powers and factorials.
    """

    def __init__(self, text: str, means: dict[str, Callable[..., float]]) -> None:
        self.tokens = list(_TOKEN.finditer(text))
        self.means = means
        self.at = 0

    def whole(self) -> Any:
        """The value of the whole text; raises _Unread where something is left over."""
        value = self.sum()
        if self.at < len(self.tokens):
            raise _Unread
        return value

    def peek(self) -> str:
        return self.tokens[self.at][0].strip() if self.at < len(self.tokens) else ""

    def tight(self) -> bool:
        """Whether the next sign has no blank on either side."""
        after = self.tokens[self.at + 1 : self.at + 2]
        return (
            self.tokens[self.at][0] == self.peek() and bool(after) and not after[0][0][0].isspace()
        )

    def take(self, *signs: str) -> str:
        sign = self.peek()
        if sign not in signs or not sign:
            return ""
        self.at += 1
        return sign

    def need(self, sign: str) -> None:
        if not self.take(sign):
            raise _Unread

    def sum(self) -> Any:
        sign = self.take("−", "+")
        value = -self.product() if sign == "−" else self.product()
        while sign := self.take("+", "−"):
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> Any:
        value = self.fraction()
        while self.peek():
            if self.take("·", "×"):
                value = _times(value, self.fraction())
            elif self.take("/", "÷"):
                value = value / self.fraction()
            elif self.peek() == "(" or self.tokens[self.at]["name"]:
                value = _times(value, self.fraction())
            else:
                break
        return value

    def fraction(self) -> Any:
        value = self.power()
        while self.peek() == "/" and self.tight():
            self.at += 1
            value = value / self.power()
        return value

    def power(self) -> Any:
        value = self.atom()
        while self.peek():
            if raised := self.tokens[self.at]["power"]:
                self.at += 1
                value = value ** _exponent(raised)
            elif self.take("^"):
                value = value ** self.atom()
            elif self.take("!"):
                value = math.factorial(int(value))
            else:
                break
        return value

    def atom(self) -> Any:
        if self.at >= len(self.tokens):
            raise _Unread
        token = self.tokens[self.at]
        if token["number"]:
            self.at += 1
            return read_number(token["number"])
        if self.take("½"):
            return 0.5
        if self.take("∞"):
            return math.inf
        if name := token["name"]:
            return self.named(name)
        if opening := self.take("(", "[", "|"):
            entries = self.entries(_CLOSING[opening])
            value = entries[0] if len(entries) == 1 else np.array(entries)
            return abs(value) if opening == "|" else value
        raise _Unread

    def named(self, name: str) -> Any:
        """The value of a function of what follows, in brackets or the next number; e before ^ is a
        number.
        """
        self.at += 1
        if name == "e" and self.peek() == "^":
            return math.e
        if name not in self.means:
            raise _Unread
        if opening := self.take("(", "["):
            return self.means[name](*self.entries(_CLOSING[opening]))
        return self.means[name](self.fraction())

    def entries(self, closing: str) -> list[Any]:
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        self.need(closing)
        return found


def _exponent(raised: str) -> int:
    return int(raised.translate(str.maketrans("⁻" + _RAISED, "-0123456789")))


def _times(a: Any, b: Any) -> Any:
    """The product of two values; of two vectors the inner product."""
    if np.ndim(a) and np.ndim(b):
        return float(np.dot(a, b))
    return a * b


def evaluated(text: str, g: Callable[[Any], Any] | None = None) -> Any:
    """The value of a formula of numbers: a float or a vector (n,).

    None where it has no value or holds more than numbers, as in 'Σ of 12 branches'. g: the function
    of that name, which differs from method to method.
    """
    try:
        with np.errstate(
            divide="ignore", invalid="ignore", over="ignore"
        ):  # entries of vectors become ∞ or NaN
            value = _Reader(text, _MEANS | ({"g": g} if g is not None else {})).whole()
        return value if np.ndim(value) else float(value)
    except (_Unread, ArithmeticError, ValueError, TypeError):
        return None


def _half_digits(text: str) -> Any:
    """Half a unit of the last digit of a number, or of each entry of a vector (n,).

    0 for a fraction. A whole number below `SHORT` counts as written with two decimals; a longer one
    may have lost its decimals.
    """
    if re.search(r"\d/\d", text):
        return 0.0
    found = []
    for number in re.findall(NUMBER, text):
        mantissa, _, tens = number.partition("·10")
        decimals = len(mantissa.partition(".")[2]) or (
            2 if not tens and float(mantissa) < SHORT else 0
        )
        found.append(0.5 * 10.0 ** ((_exponent(tens) if tens else 0) - decimals))
    return found[0] if len(found) == 1 else np.array(found)


def chain_faults(chain: str, g: Callable[[Any], Any] | None = None) -> tuple[list[str], list[str]]:
    """(wrong, unread) parts of a chain `a = b = c`.

    wrong: those that do not give c within half a unit of the last digit; unread: those that cannot
        be evaluated
    """
    *ways, last = chain.split(" = ")
    last = re.sub(r" bits?$", "", last)
    result = evaluated(last, g)
    wrong, unread = list[str](), list[str]()
    for way in ways:
        if re.fullmatch(r"[^\W\d_]\w*", way):  # a symbol alone: θ = 5
            continue
        value = evaluated(way, g)
        if value is None or result is None:
            unread.append(way if value is None else last)
            continue
        size = max(float(read_number(number)) for number in re.findall(NUMBER, chain))
        near = _half_digits(last) * (1 + 1e-6) + _ROUNDED * size
        if np.shape(value) != np.shape(result) or not np.all(np.abs(value - result) <= near):
            wrong.append(f"{way} = {last}, not {value}")
    return wrong, unread


def line_faults(line: str, g: Callable[[Any], Any] | None = None) -> tuple[list[str], list[str]]:
    """(wrong, unread) of a line of chains, which may be compared: 'a + b = 2 < θ = 5'."""
    chains = _RELATION.split(line)
    wrong, unread = list[str](), list[str]()
    for chain in chains[::2]:
        faults, gaps = chain_faults(chain, g)
        wrong += faults
        unread += gaps
    for k in range(1, len(chains), 2):
        low, high = (evaluated(chains[k + d].split(" = ")[-1], g) for d in (-1, 1))
        if low is None or high is None:
            unread.append(line)
        elif not _HOLDS[chains[k]](low, high):
            wrong.append(line)
    return wrong, unread
