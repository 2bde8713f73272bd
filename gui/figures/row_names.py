"""The names of a table's rows in its figures: a name of their own where they have one, else the
number.
"""

from collections.abc import Mapping
from types import MappingProxyType

from engine.base.notation import row_name
from engine.base.records import Record, cached_property, field
from engine.table.problem import Problem
from engine.table.row_words import RowWords

SHORT = 2  # letters that fit into a small box
UNKNOWN = "?"  # a row whose name is missing


class RowNames(Record, dict=True):
    """own: row number in the whole table, from 1 → the row's own name. The default names x₁, x₂, …
    are left out.
    """

    own: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def short(self) -> bool:
        """Whether every name fits into a small box."""
        return all(len(name) <= SHORT for name in self.own.values())

    def title(self, number: int) -> str:
        """The row's own name, else its number."""
        return self.own.get(number, str(number))

    def box(self, number: int) -> str:
        """The text for a small box: the number where any name is too long for one."""
        return self.title(number) if self.short else str(number)


NUMBERED = RowNames()
_usual: list[str] = []
_last: list[tuple[Problem, RowNames]] = []


def names_of(problem: Problem | None) -> RowNames:
    """The names of a problem's rows. Returns the same object while the names do not change."""
    if problem is None:
        return NUMBERED
    if not _last or _last[0][0] is not problem:
        own = _own(problem)
        previous = _last[0][1] if _last else NUMBERED
        _last[:] = [
            (problem, NUMBERED if not own else previous if previous.own == own else RowNames(own))
        ]
    return _last[0][1]


def _own(problem: Problem) -> dict[int, str]:
    """The names that differ from the default ones, by row number. Empty for very many rows, which
    go by their numbers.
    """
    if isinstance(problem.names, RowWords):
        return {}  # so many rows go by their numbers
    numbers = problem.numbers or range(1, len(problem.names) + 1)
    most = max(numbers, default=0)
    _usual.extend(row_name(k) for k in range(len(_usual), most))
    return {
        number: name
        for number, name in zip(numbers, problem.names, strict=False)
        if name not in (_usual[number - 1], UNKNOWN)
    }
