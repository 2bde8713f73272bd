"""What rows are compared by: columns, or rules that a person writes, such as “clothes = formal or
temp > 90”. MIT 2.1.24.
"""

import operator
import re
from contextlib import suppress
from typing import Any

from engine.authoring import Callable, EngineError, Float, Record, Sequence, np
from engine.core.dataset import Feature
from engine.core.notation import MINUS, label_text, quoted
from engine.core.spelling import listed, place_of

_TESTS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    "≤": operator.le,
    ">=": operator.ge,
    "≥": operator.ge,
    "!=": operator.ne,
    "≠": operator.ne,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
_SIGN = re.compile(rf"\s*({'|'.join(_TESTS)})\s*")


class Compared(Record):
    """columns: that it looks at, one without tests; tests (column, sign, value) of a rule: it holds
    where one of them does.
    """

    title: str
    columns: tuple[int, ...]
    tests: tuple[tuple[int, str, float], ...] = ()

    def of(self, X: Float) -> Float:
        """(m,) what rows X (m, d) are told apart by: the values, or 1 where the rule holds."""
        held = [_TESTS[sign](X[:, j], value) for j, sign, value in self.tests]
        return np.any(held, axis=0).astype(np.float64) if held else X[:, self.columns[0]]

    def text(self, features: Sequence[Feature], x: Float) -> str:
        """Its value in the row x (d,)."""
        if self.tests:
            return f"{quoted(self.title)} {'holds' if self.of(x[None])[0] else 'does not hold'}"
        return f"{self.title} = {features[self.columns[0]].text(float(x[self.columns[0]]))}"


def compared(word: float | str, features: Sequence[Feature]) -> Compared:
    """The column of this name, or the rule. Raises EngineError for what is neither."""
    names = [feature.name for feature in features]
    text = label_text(word).strip()
    if (place := place_of(word, names)) is not None:
        return Compared(features[place].title, (place,))
    if not _SIGN.search(text):
        raise EngineError(
            f"Columns compared: {quoted(text)} is no column; there are {listed(names)}."
        )
    tests = []
    for part in re.split(r"\s+or\s+", text):
        name, sign, value = [*_SIGN.split(part, maxsplit=1), "", ""][:3]
        place = place_of(name.strip(), names)
        if place is None or not value.strip():
            way = "write it as “temp > 90”, several with “or”"
            raise EngineError(f"Columns compared: {quoted(part)} is no test of a column; {way}.")
        tests.append((place, sign, value_of(features[place], value.strip(), "A rule")))
    return Compared(text, tuple(dict.fromkeys(j for j, _, _ in tests)), tuple(tests))


def value_of(feature: Feature, word: float | str, who: str) -> float:
    """The number or the place of the category that is meant.

    Raises EngineError for what is neither; who: gives it.
    """
    if not feature.categories:
        with suppress(ValueError):
            return float(str(word).replace(MINUS, "-"))
    elif (place := place_of(word, feature.categories)) is not None:
        return float(place)
    wanted = f"one of {listed(feature.categories)}" if feature.categories else "a number"
    raise EngineError(
        f"{who} gives {quoted(feature.name)} the value {quoted(label_text(word))}; it must be"
        f" {wanted}."
    )
