"""What rows are compared by: columns, or rules that a person writes, such as “clothes = formal or
temp > 90”. MIT 2.1.24.
"""

import operator
import re
from typing import Any

from engine.algorithms.instances.parts.values import value_of
from engine.authoring import Callable, EngineError, Float, Record, Sequence, np
from engine.base.notation import label_text, quoted
from engine.base.spelling import listed, place_of
from engine.table.dataset import Feature

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
    """A column, or a rule, by which rows are compared.

    title: its name, or the rule as it was typed
    columns: that it looks at; just one where there are no tests
    tests: (column, sign, value) of a rule, which holds where one of them does
    """

    title: str
    columns: tuple[int, ...]
    tests: tuple[tuple[int, str, float], ...] = ()

    def of(self, X: Float) -> Float:
        """(m,) the compared numbers of rows X (m, d): values of the column, or 1 where the rule
        holds, else 0.
        """
        if not self.tests:
            return X[:, self.columns[0]]
        passed = [_TESTS[sign](X[:, j], value) for j, sign, value in self.tests]
        return np.asarray(np.any(passed, axis=0), np.float64)

    def text(self, features: Sequence[Feature], x: Float) -> str:
        """The value of the column or rule for row x (d,), as text."""
        if self.tests:
            verdict = "holds" if self.of(x[None])[0] else "does not hold"
            return f"{quoted(self.title)} {verdict}"
        j = self.columns[0]
        return f"{self.title} = {features[j].text(float(x[j]))}"


def compared(word: float | str, features: Sequence[Feature]) -> Compared:
    """The column with this name, or the rule that it writes. Raises EngineError for a word that is
    neither.
    """
    names = [feature.name for feature in features]
    text = label_text(word).strip()
    place = place_of(word, names)
    if place is not None:
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
    columns = dict.fromkeys(j for j, _, _ in tests)  # each once, in their order
    return Compared(text, tuple(columns), tuple(tests))
