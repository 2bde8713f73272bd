"""How numbers and names are written: true minus sign, equal digits, subscripts, fractions."""

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from math import isfinite
from typing import Any

import numpy as np

from engine.base.sums import add_up

MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"
_SHORT_BRACKET = re.compile(r"\([^() ]+ [−+·] [^() ]+\)")
INFINITY = "\N{INFINITY}"
_ENDLESS = 1e15  # whole numbers from here on are not spelt out
LONG = 1e4  # from here on the usual two decimals are left out
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(number: int) -> str:
    """A number in subscript digits: 12 gives '₁₂'."""
    return str(number).translate(_SUBSCRIPTS)


def row_name(index: int) -> str:
    """The name of an example: row 0 is 'x₁', because table rows count from one."""
    return "x" + subscript(index + 1)


def row_title(name: str) -> str:
    """The name of a row from a table, for reading: 'x12' becomes 'x₁₂', other names stay."""
    indexed = name[:1] == "x" and name[1:].isdecimal() and name.isascii()
    return cut("x" + name[1:].translate(_SUBSCRIPTS) if indexed else name)


def number(value: float, digits: int = 2, signed: bool = False) -> str:
    """A number for reading: '−0.60', '+1', '∞'.

    Integers stay integers; large numbers lose their decimals unless `digits` is more than two;
    very large and very small ones are written with powers of ten.
    """
    value = float(value)
    if value != value:
        return "undefined"
    sign = MINUS if value < 0 else ("+" if signed else "")
    size = abs(value)
    if size == float("inf"):
        return sign + INFINITY
    mantissa, _, exponent = _plain(size, digits).partition("e")
    return f"{sign}{mantissa}·10{_superscript(int(exponent))}" if exponent else sign + mantissa


def _plain(size: float, digits: int) -> str:
    """A size as Python writes it: '3', '0.60', '1.23e+07'."""
    if size == int(size) and size < 1e6:
        return str(int(size))
    if size >= 1e6 or size < 0.5 * 10**-digits:
        return f"{size:.{digits}e}"
    return f"{size:.{digits if size < LONG or digits > 2 else 0}f}"


def read_number(text: str) -> float:
    """The value that a text of `number` or `fixed` stands for; 1.70·10⁹ where the number was
    1700000015.
    """
    mantissa, _, tens = text.replace(MINUS, "-").replace(INFINITY, "inf").partition("·10")
    exponent = tens.translate(_RAISED)
    return float(f"{mantissa}e{exponent}" if exponent else mantissa)


def parting(value: float, low: float, high: float, usual: str) -> str:
    """The text of a number between two others: `usual`, if what it reads as lies between them too.

    Else with as few digits as do: 1700000015 between 1700000010 and 1700000020.
    """
    if low < read_number(usual) < high or not isfinite(value):
        return usual
    plain = (fixed(value, digits) for digits in range(20) if abs(value) < _ENDLESS)
    ways = chain(plain, (number(value, digits) for digits in range(2, 17)))
    return next((text for text in ways if low < read_number(text) < high), usual)


def figure_digits(size: float) -> int:
    """Decimals for three significant figures of a size below 1 (at most eight); two for others."""
    return 2 if not 0 < size < 1 else min(8, 2 + int(np.ceil(-np.log10(size))))


def telling_digits(a: float, b: float) -> int:
    """The fewest decimals (two to sixteen) with which `number` shows two sizes as different."""
    if a == b or not (isfinite(a) and isfinite(b)):
        return 2
    return next(
        (n for n in range(2, 16) if float(_plain(abs(a), n)) != float(_plain(abs(b), n))), 16
    )


def change_digits(before: Iterable[float], after: Iterable[float]) -> int:
    """The fewest decimals (two to nine) with which two vectors of equal length do not read the
    same.

    Two where they are the same.
    """
    pairs = [
        (a, b) for a, b in zip(before, after, strict=True) if a != b and isfinite(a) and isfinite(b)
    ]
    if not pairs:
        return 2
    return next((n for n in range(2, 9) if any(fixed(a, n) != fixed(b, n) for a, b in pairs)), 9)


def product_digits(
    *products: tuple[Iterable[float], Iterable[float], float],
    least: int = 2,
    column: bool = True,
    rough: float = 0.0,
) -> int:
    """The fewest decimals (to nine) with which each w · x, computed from the shown numbers, agrees
    with its score.

    products: of (w, x, score)
    least: the fewest decimals
    column: whether vectors are shown as columns, else entry by entry
    rough: share of the score by which the product may be off; else it reads the same with two
        decimals
    """
    exact = [(list(map(float, w)), list(map(float, x)), float(score)) for w, x, score in products]

    def read(values: list[float], digits: int) -> list[float]:
        texts = vector_texts(values, digits) if column else [number(v, digits) for v in values]
        return [read_number(text) for text in texts]

    def follows(w: list[float], x: list[float], score: float, digits: int) -> bool:
        terms = [a * b for a, b in zip(read(w, digits), read(x, digits), strict=True)]
        product = add_up(terms)
        return abs(product - score) <= rough * abs(score) or _reads_as(
            product, score, 2, add_up(map(abs, terms))
        )

    return next((n for n in range(least, 9) if all(follows(*product, n) for product in exact)), 9)


def agreeing_digits(
    values: Sequence[float | Fraction],
    work: Callable[..., float],
    result: float,
    digits: int = 2,
    least: int = 2,
) -> int:
    """The fewest decimals of `values` with which `work(*values)`, done with the shown numbers,
    reads as `result` does with `digits` decimals.

    From `least` to nine; fractions are exact.
    """
    size = max((abs(float(v)) for v in values), default=0.0)
    for n in range(least, 9):
        try:
            found = work(
                *(
                    float(v) if isinstance(v, Fraction) else read_number(number(v, n))
                    for v in values
                )
            )
        except (ZeroDivisionError, ValueError, OverflowError):  # the logarithm of what reads as 0
            continue
        if _reads_as(found, result, digits, size):
            return n
    return 9


def _reads_as(value: float, result: float, digits: int, size: float) -> bool:
    """Whether both numbers read the same.

    size: of the numbers that were added up, whose rounding errors do not count
    """
    near = 1e-12 * size
    return abs(value - result) <= near or {number(value + x, digits) for x in (-near, near)} == {
        number(result, digits)
    }


# decimals; entries that need more differ much in size and are shorter as powers of ten
MOST_FIXED = 9


def vector_texts(values: Iterable[float], digits: int = 2, column: bool = True) -> list[str]:
    """The entries of a vector as texts; in a column all have the same number of decimals.

    Powers of ten where all entries would read as zeros or be long.
    """
    values = [float(v) for v in values]
    largest = max((abs(v) for v in values if isfinite(v)), default=0.0)
    if largest and (not 1e-3 <= largest < 1e6 or digits > MOST_FIXED):
        return [_in_tens(v, digits) for v in values]
    by_itself = [not isfinite(v) or (not column and v == int(v)) for v in values]
    return [
        number(v) if alone else fixed(v, digits) for v, alone in zip(values, by_itself, strict=True)
    ]


def _in_tens(value: float, digits: int) -> str:
    if value == 0 or not isfinite(value):
        return number(value)
    mantissa, _, exponent = f"{abs(value):.{digits}e}".partition("e")
    return f"{MINUS if value < 0 else ''}{mantissa}·10{_superscript(int(exponent))}"


def fixed(value: float, digits: int = 2) -> str:
    """A number with exactly `digits` decimals, for columns that must align: '−1.00'."""
    text = f"{abs(float(value)):.{digits}f}"
    negative = value < 0 and float(text) != 0
    return (MINUS if negative else "") + text


def short(value: float) -> str:
    """A parameter's value as the person would write it: 0.5, 20, −1, 5·10⁻⁵."""
    mantissa, _, exponent = f"{value:g}".replace("-", MINUS).partition("e")
    return (
        f"{mantissa}·10{_superscript(int(exponent.replace(MINUS, '-')))}" if exponent else mantissa
    )


def pretty_name(name: str) -> str:
    """The name of a column for reading: x1 becomes x₁; other names stay, long ones are cut."""
    indexed = len(name) in (2, 3) and name[0].isalpha() and name[1:].isdecimal() and name.isascii()
    return name[0] + subscript(int(name[1:])) if indexed else cut(name)


def label_text(label: Any) -> str:
    """A class label for reading; −1 gets a true minus sign, whole floats lose their '.0'."""
    if isinstance(label, (bool, np.bool_)):
        return "yes" if label else "no"
    if isinstance(label, (int, np.integer)):
        return f"{MINUS if label < 0 else ''}{written(abs(int(label)))}"
    if isinstance(label, (float, np.floating)):
        return number(float(label), 3)
    return written(label)


def class_text(label: Any, classes: Iterable[Any]) -> str:
    """A class for reading: +1 with its sign where −1 is among `classes` too, else as
    `label_text`.
    """
    if (
        isinstance(label, (int, float))
        and not isinstance(label, bool)
        and label > 0
        and -label in classes
    ):
        return number(float(label), 3, signed=True)
    return cut(label_text(label))


def value_text(value: Any, digits: int = 2) -> str:
    """Any operand as one line of text: vectors as '(1.23, 0.31)', fractions as '2/6'."""
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    if isinstance(value, Fraction):
        whole = (
            f"{value.numerator}/{value.denominator}"
            if value.denominator != 1
            else str(value.numerator)
        )
        return whole.replace("-", MINUS)
    if isinstance(value, Share):
        return f"{number(value.part, digits)}/{number(value.whole, digits)}"
    if isinstance(value, (np.ndarray, tuple, list)):
        plain = digits >= 0 and all(
            isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in value
        )
        texts = (
            vector_texts(value, digits, column=False)
            if plain
            else [value_text(v, digits) for v in value]
        )
        return "(" + ", ".join(texts) + ")"
    if isinstance(value, (bool, np.bool_)):
        return label_text(value)
    return number(float(value), digits) if digits >= 0 else short(float(value))


class Share(tuple[float, float]):
    """A fraction that is not reduced: 2/6 stays 2/6. Made as Share((part, whole))."""

    @property
    def part(self) -> float:
        return self[0]

    @property
    def whole(self) -> float:
        return self[1]

    def __float__(self) -> float:
        return self[0] / self[1] if self[1] else float("nan")


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def _superscript(value: int) -> str:
    return str(value).translate(_SUPERSCRIPTS)


def power_of_ten(exponent: int) -> str:
    """10 to this power as text, also where no float reaches it: 0.01, 1000, 10⁹⁰⁰."""
    if abs(exponent) < 6:
        return short(10.0**exponent)
    return f"10{_superscript(exponent)}"


def plural(count: float, thing: str, several: str = "") -> str:
    """The noun after a number, without the number: 1 'mistake', 2 'mistakes'.

    several: the plural where an s is not enough
    """
    return thing if count == 1 else several or f"{thing}s"


# in a sentence: most letters of a name, most letters of a list of names, most names in it
LONGEST_NAME, ROOM, MOST_NAMES = 60, 180, 12


def unbroken(text: str) -> str:
    """A text with no-break spaces where a line must not end: between a number and its %, and in a
    short bracket of a formula, such as (x − b).
    """
    joined = re.sub(r"(\d) %", f"\\1{NO_BREAK}%", text)
    return _SHORT_BRACKET.sub(lambda found: found[0].replace(" ", NO_BREAK), joined)


def written(value: object) -> str:
    """`str(value)`; Python refuses integers of more than 4,300 digits, which get a description."""
    try:
        return str(value)
    except ValueError:
        return "a number of too many digits"


def cut(name: object, most: int = LONGEST_NAME) -> str:
    """A name for a sentence, on one line; one longer than `most` letters ends in “…”."""
    text = written(name)
    if len(text) > most:
        text = text[: most - 1] + "…"
    return " ".join(text.splitlines())


def quoted(name: object, most: int = LONGEST_NAME) -> str:
    """A name from outside (column, class, file or sheet) in quotation marks: “age”."""
    return f"“{cut(name, most)}”"


def listed(names: Iterable[object], mark: Callable[[object], str] = cut) -> str:
    """Names as a list, cut to the room of a sentence: 'a, b, c and 12 more'.

    mark: makes the text of a name, `cut` or `quoted`
    """
    texts = [mark(name) for name in names]
    lengths = accumulate(len(text) + 2 for text in texts)
    shown = min(max(1, sum(length <= ROOM for length in lengths)), MOST_NAMES)
    more = f" and {len(texts) - shown:,} more" if len(texts) > shown else ""
    return ", ".join(texts[:shown]) + more


def counted(count: float, thing: str, several: str = "") -> str:
    """A number with its noun: '1 row', '2,000 rows', '3 classes'."""
    return f"{count:,} {plural(count, thing, several)}"
