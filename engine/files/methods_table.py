"""Which method for what: a row for each method that learns, read off its record.

MMDS 12.5 asks three things of a method: does it take categories, many columns, and can its answer
be understood? AIMA 18.11.2 asks what data suit it. Every cell follows from `Needs` and the
functions of the page, so that the table cannot differ from what the methods do.
"""

from typing import Any

from engine.base.records import Record, field_names
from engine.protocol.algorithm import Algorithm
from engine.protocol.registry import algorithms
from engine.table.needs import Needs
from engine.table.problem import Task

TITLES = {
    "title": "method",
    "learns": "learns",
    "columns": "columns of",
    "most_columns": "columns",
    "classes": "classes",
    "gaps": "gaps",
    "rows": "rows",
    "certainty": "scores",
    "reasons": "says why",
    "source": "source",
}
UNLABELLED = {Task.CLUSTER: "clusters", Task.STRUCTURE: "structure"}
YES, NO, NONE = "yes", "no", "–"
ANY = 10_000  # columns that `Needs` allows by default


class MethodRow(Record, eq=True):
    """A method in words, as its record has it.

    learns: what it predicts: classes, values, either, clusters, structure
    columns: what the columns may hold
    most_columns: how many columns at most, or on the plane; "any" without a limit of its own
    classes: how many classes it tells apart; "–" where it predicts none
    gaps: whether it learns from rows with missing values
    rows: how many rows of a larger table it learns from
    certainty: whether it gives a number by which it decides
    reasons: whether it says why a place has its label
    source: where the texts have it, "–" for an extension
    """

    key: str
    title: str
    family: str
    learns: str
    columns: str
    most_columns: str
    classes: str
    gaps: str
    rows: str
    certainty: str
    reasons: str
    source: str


def method_rows() -> list[MethodRow]:
    """The methods that learn, by family and title; experiments are none."""
    return [row_of(each) for each in algorithms().values() if not each.is_experiment]


def row_of(method: Algorithm[Any, Any]) -> MethodRow:
    needs = method.needs
    return MethodRow(
        method.key,
        method.title,
        method.family,
        learns(method),
        holds(needs),
        most_columns(needs),
        classes(method),
        YES if needs.missing else NO,
        f"{min(needs.sample, needs.max_rows):,}",
        YES if method.scores is not None else NO,
        YES if method.explain is not None else NO,
        method.source[0] if method.source else NONE,
    )


def learns(method: Algorithm[Any, Any]) -> str:
    """The text of what the method predicts: classes, numbers, …"""
    if not method.needs.labels and not method.needs.values:
        return UNLABELLED.get(method.task, str(method.task.value))
    if method.needs.labels and method.needs.values:
        return "classes or values"
    return "values" if method.needs.values else "classes"


def holds(needs: Needs) -> str:
    """The text of what the columns may hold. MMDS 12.5: most methods want numbers, trees take
    categories.
    """
    if needs.forecasts:
        return "forecasts"
    if needs.binary:
        return "0 and 1, or whole numbers" if needs.whole else "0 and 1"
    if needs.discrete:
        return "words, 0 and 1"
    return "numbers" if needs.numeric else "numbers and words"


def most_columns(needs: Needs) -> str:
    """How many columns at most; where the method works on the plane alone, its axes."""
    if needs.on_plane:
        return str(needs.on_plane)
    return "any" if needs.max_columns >= ANY else f"{needs.max_columns:,}"


def classes(method: Algorithm[Any, Any]) -> str:
    """How many classes the method tells apart."""
    if not method.needs.labels:
        return NONE
    most = method.needs.max_classes
    return "2" if most == 2 else f"to {most}"


def table_to_plain() -> list[dict[str, str]]:
    """The rows as plain values."""
    return [{name: getattr(row, name) for name in field_names(MethodRow)} for row in method_rows()]


def table_lines() -> list[str]:
    """The table as lines of text, family by family."""
    rows = method_rows()
    wide = {
        name: max(len(title), *(len(getattr(row, name)) for row in rows)) + 2
        for name, title in TITLES.items()
    }
    lines = ["Which method for what", ""]
    lines.append("".join(f"{title:<{wide[name]}}" for name, title in TITLES.items()).rstrip())
    family = ""
    for row in rows:
        if row.family != family:
            family = row.family
            lines += ["", family]
        lines.append("".join(f"{getattr(row, name):<{wide[name]}}" for name in TITLES).rstrip())
    return lines
