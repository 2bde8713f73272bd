"""Tags: what a mark, bar, cell, row or term of a formula stands for.

All things with a common name light up together.
"""

from collections.abc import Iterable

_AND = "\x1f"  # between the names in one tag; no name of a column holds it
_ROW, _STEP = "row ", "step "

HELD_OUT_POINTS = "held_out"


def row_tag(number: int) -> str:
    """The tag of the example with this number in the whole table, from 1; "" for 0 and below."""
    return f"{_ROW}{number}" if number > 0 else ""


def column_tag(name: str) -> str:
    return f"column {name}"


def class_tag(code: int) -> str:
    """The tag of the examples of a class; "" for −1, no class."""
    return f"class {code}" if code >= 0 else ""


def class_tags(count: int) -> tuple[str, ...]:
    return tuple(map(class_tag, range(count)))


def step_tag(line: str, nth: int) -> str:
    """The tag of the nth step, from 0, at a line of the pseudo-code; a click on it shows
    that step.
    """
    return f"{_STEP}{line} {nth}"


def step_tags(line: str, count: int) -> tuple[str, ...]:
    return tuple(step_tag(line, nth) for nth in range(count))


def joined(*tags: str) -> str:
    """One tag with the names of all of these."""
    return _AND.join(dict.fromkeys(names_in(_AND.join(tags))))


def names_in(tag: str) -> tuple[str, ...]:
    """The names in a tag; () for ""."""
    return tuple(name for name in tag.split(_AND) if name)


def is_lit(tag: str, lit: frozenset[str]) -> bool:
    """Whether any name in the tag is among the lit names."""
    return tag in lit or (_AND in tag and any(name in lit for name in names_in(tag)))


def rows_of(lit: Iterable[str]) -> list[int]:
    """The numbers of the examples among lit names."""
    return [int(name.removeprefix(_ROW)) for name in lit if name.startswith(_ROW)]


def steps_of(lit: Iterable[str]) -> list[tuple[str, int]]:
    """(line, nth) of the steps among lit names."""
    named = [name.removeprefix(_STEP).rpartition(" ") for name in lit if name.startswith(_STEP)]
    return [(line, int(nth)) for line, _, nth in named if nth.isdecimal()]


def classes_of(lit: Iterable[str]) -> list[int]:
    """The classes among lit names."""
    return [int(name.removeprefix("class ")) for name in lit if name.startswith("class ")]
