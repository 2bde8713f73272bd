"""Recognises cells that hold dates: 2024-01-12, 12.01.2024, 1/12/2024, with or without a time."""

import re
from collections.abc import Collection

_TIME = r"(?:[T ]+\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]m)?(?: ?Z| ?[+-]\d\d:?\d\d)?)?"
_YEAR_FIRST = re.compile(
    rf"\d{{4}}([-/.])(?P<month>\d{{1,2}})\1(?P<day>\d{{1,2}}){_TIME}", re.IGNORECASE
)
_YEAR_LAST = re.compile(
    rf"(?P<day>\d{{1,2}})([-/.])(?P<month>\d{{1,2}})\2(?:\d{{4}}|\d\d){_TIME}", re.IGNORECASE
)


def is_date(cell: str) -> bool:
    """Whether a cell holds a date, in any order of day and month."""
    found = _YEAR_FIRST.fullmatch(cell) or _YEAR_LAST.fullmatch(cell)
    if found is None:
        return False
    low, high = sorted((int(found["month"]), int(found["day"])))
    return 1 <= low <= 12 and high <= 31


def are_dates(cells: Collection[str]) -> bool:
    """Whether all cells of a column hold dates; the missing ones are left out before."""
    return bool(cells) and all(map(is_date, cells))
