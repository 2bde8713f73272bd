"""What rows are compared by: columns, or rules that a person writes, such as “clothes = formal or temp > 90”. MIT 2.1.24."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.arrays import Float
from engine.core.dataset import Feature
from engine.core.errors import EngineError
from engine.core.notation import MINUS, label_text, number, quoted
from engine.core.spelling import listed, place_of

_SIGN = re.compile(r"\s*(<=|>=|!=|[≤≥≠<>=])\s*")
_TESTS: dict[str, Callable[..., Any]] = {
    "=": np.equal, "≠": np.not_equal, "<": np.less, ">": np.greater, "≤": np.less_equal, "≥": np.greater_equal,
}  # fmt: skip
_TYPED = {"<=": "≤", ">=": "≥", "!=": "≠"}


@dataclass(frozen=True, eq=False)
class Compared:
    """columns: that it looks at, one without tests; tests (column, sign, value) of a rule: it holds where one of them does."""

    title: str
    columns: tuple[int, ...]
    tests: tuple[tuple[int, str, float], ...] = ()

    def of(self, X: Float) -> Float:
        """(m,) what rows X (m, d) are told apart by: the values, or 1 where the rule holds."""
        held = [_TESTS[sign](X[:, j], value) for j, sign, value in self.tests]
        return np.asarray(np.any(held, axis=0), np.float64) if held else X[:, self.columns[0]]

    def text(self, features: Sequence[Feature], x: Float) -> str:
        """Its value in the row x (d,)."""
        if self.tests:
            return f"{quoted(self.title)} {'holds' if self.of(x[None])[0] else 'does not hold'}"
        return f"{self.title} = {features[self.columns[0]].text(float(x[self.columns[0]]))}"


def compared(word: float | str, features: Sequence[Feature]) -> Compared:
    """The column of this name, or the rule. Raises EngineError for what is neither."""
    names, text = [feature.name for feature in features], label_text(word)
    place = place_of(word, names)
    if place is None and _SIGN.search(text):
        tests = [_test(part, features) for part in re.split(r"\s+or\s+", text.strip())]
        title = " or ".join(_test_text(test, features) for test in tests)
        return Compared(title, tuple(dict.fromkeys(j for j, _, _ in tests)), tuple(tests))
    if place is None:
        raise EngineError(f"Columns compared: {quoted(text)} is no column; there are {listed(names)}.")
    return Compared(features[place].title, (place,))


def _test(part: str, features: Sequence[Feature]) -> tuple[int, str, float]:
    """(column, sign, value) of “temp > 90”."""
    name, sign, word = (_SIGN.split(part, maxsplit=1) + ["", ""])[:3]
    place = place_of(name.strip(), [feature.name for feature in features])
    if place is None or not word.strip():
        raise EngineError(
            f"Columns compared: {quoted(part.strip())} is no test of a column; write it as “temp > 90”, several with “or”."
        )
    return place, _TYPED.get(sign, sign), value_of(features[place], word.strip(), "A rule")


def _test_text(test: tuple[int, str, float], features: Sequence[Feature]) -> str:
    j, sign, value = test
    return f"{features[j].title} {sign} {number(value) if features[j].numeric else features[j].text(value)}"


def value_of(feature: Feature, word: float | str, who: str) -> float:
    """The number or the place of the category that is meant. Raises EngineError for what is neither; who: gives it."""
    if not feature.categories:
        with suppress(ValueError):
            return float(str(word).replace(MINUS, "-"))
    elif (place := place_of(word, feature.categories)) is not None:
        return float(place)
    wanted = f"one of {listed(feature.categories)}" if feature.categories else "a number"
    raise EngineError(f"{who} gives {quoted(feature.name)} the value {quoted(label_text(word))}; it must be {wanted}.")
