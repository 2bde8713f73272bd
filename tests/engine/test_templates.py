"""Every template says one thing and several: a number and its noun stand as '{n} {n:row|rows}'.

Read from the source, so that it holds also for what no run of a test says.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import engine
from tests.engine.test_grammar import nouns

ROOT = Path(engine.__file__).parent
NUMBER = r"\{(?P<n>\w+)\}"
MORE = (
    "thresholds|repeats|batches|answers|digits|pixels|negations|samples|intervals|rectangles"
    "|conjunctions|tables|axes|levels"
)
VERBS = "match|matches|saves|that|into|all|one|are"  # between a name and a noun
BETWEEN = rf"(?: (?!(?:{VERBS})\b)(?:[a-z]+|\{{\w+\}}))?"  # an adjective: {{k}} nearest examples
VERB = re.compile(
    rf"{NUMBER} of (?:them|these|\{{\w+\}}(?: \{{[^}}]*\}})?) (?P<noun>are|were|have)\b"
)
RIGHT = {
    "is {cube} times as far": "a measure",
    "it is {own} times.": "a measure",
    "is {r} times as probable": "a ratio",
    "{unit} parts the tile": "a verb behind a name",
    "{q} cuts": "a verb behind a name",
    "{d} leaves": "a verb behind a name",
    "{f} units": "the kind of unit, a word",
    "{f} attributes tie": "two at least, in words",
    "{f} columns": "seven at least: fewer are named",
    "All {all} {kind} are in V": (
        "two at least: an interval or a conjunction, and the one that never holds"
    ),
}


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    """A number before a plural alone, all of a number, a verb for several."""
    noun = rf"(?P<noun>{nouns().pattern}|{MORE})"
    without = re.compile(rf"{NUMBER}{BETWEEN} {noun}\b")
    all_of = re.compile(rf"\b[Aa]ll (?:its |the |of )?{NUMBER} (?:{noun}|\{{)")
    return without, all_of, VERB


def templates(source: str) -> Iterator[str]:
    """The texts of a module with the places of its f-strings as {f}, without its docstrings."""
    tree = ast.parse(source)
    inner, documents = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
            documents |= {first.value for first in node.body[:1] if isinstance(first, ast.Expr)}
        if isinstance(node, ast.JoinedStr):
            inner.update(node.values)
            parts = [
                str(p.value) if isinstance(p, ast.Constant) else f"{{{named(p)}}}"
                for p in node.values
            ]
            yield "".join(parts)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in inner | documents
        ):
            yield node.value


def named(place: ast.expr) -> str:
    """What stands in a place of an f-string: its name, or f."""
    assert isinstance(place, ast.FormattedValue)
    return place.value.id if isinstance(place.value, ast.Name) else "f"


def faults(text: str) -> list[str]:
    """Where a template gives a number a plural alone, or says all of what may be one."""
    found = [m for pattern in patterns() for m in pattern.finditer(text)]
    return [m[0] for m in found if not any(m[0] in right and right in text for right in RIGHT)]


def speaks(path: Path, source: str) -> bool:
    """Whether a module of the engine makes sentences."""
    return path.name == "words.py" or bool(re.search(r"\b(?:note|Fact|Explanation)\(", source))


def test_a_number_and_its_noun_agree() -> None:
    sources = {path: path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}
    spoken = {path: source for path, source in sources.items() if speaks(path, source)}
    assert spoken
    found = {
        str(path.relative_to(ROOT)): [fault for text in templates(source) for fault in faults(text)]
        for path, source in spoken.items()
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "text",
    [
        "{n} rows",
        "{k} nearest examples are",
        "of {m} points",
        "All {n} {n:row|rows}",
        "all its {n} links",
        "{a} of them are",
    ],
)
def test_the_check_knows_a_fault(text: str) -> None:
    assert faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "{n} {n:row|rows}",
        "{k} nearest {k:example is|examples are}",
        "{n:the|all} {n} {n:row|rows}",
        "{a} of them {a:is|are}",
        "{point} is wrong",
        "rows {a}, {b}",
    ],
)
def test_the_check_passes_what_agrees(text: str) -> None:
    assert faults(text) == []
