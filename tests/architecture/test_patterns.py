"""Every pattern of engine/data is linear in what it reads: a pattern holds the interpreter, so that
a slow one freezes the window and cannot be cancelled.

Checked from the parsed pattern: after each repeat the next letter says whether it goes on. Where
two ways are open, the repeat has to be possessive, or what follows it of a bounded length. A
pattern that is searched for repeats no letter it may begin with, so that no two attempts read the
same text.
"""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from re import _constants as sre
from re import _parser as parser
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "engine" / "read"
LETTERS = frozenset(map(chr, range(128))) | frozenset("é\u00a0\u202f’−٣ſ")
BOUNDED = 64  # letters at most behind a repeat that may give letters back
SEARCHES = {"search", "findall", "finditer", "sub", "subn", "split"}
CALLS = {*SEARCHES, "match", "fullmatch", "compile"}
LOOKS = (sre.ASSERT, sre.ASSERT_NOT)
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
Items = list[tuple[Any, Any]]


def letters_of(op: Any, value: Any) -> frozenset[str]:
    """The letters that one item of a pattern takes, of LETTERS."""
    if op is sre.LITERAL:
        return frozenset(chr(value)) | frozenset(chr(value).swapcase())
    if op is sre.NOT_LITERAL:
        return LETTERS - {chr(value)}
    if op is sre.RANGE:
        return frozenset(c for c in LETTERS if value[0] <= ord(c) <= value[1])
    if op is sre.CATEGORY:
        name = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[str(value).rpartition("_")[2]]
        found = frozenset(c for c in LETTERS if re.fullmatch(name, c))
        return LETTERS - found if "NOT" in str(value) else found
    if op is sre.IN:
        found = frozenset().union(
            *(letters_of(*each) for each in value if each[0] is not sre.NEGATE)
        )
        return LETTERS - found if value[0][0] is sre.NEGATE else found
    return LETTERS  # any letter, a reference to a group


def parts_of(op: Any, value: Any) -> list[Items]:
    """The patterns within an item that holds others: its branches."""
    if op is sre.BRANCH:
        return [list(each) for each in value[1]]
    if op is sre.SUBPATTERN:
        return [list(value[3])]
    if op is sre.ATOMIC_GROUP:
        return [list(value)]
    return [list(value[2])]


def first_of(items: Items, after: frozenset[str]) -> frozenset[str]:
    """The letters with which the items may begin; `after`: those that may follow them."""
    for op, value in reversed(items):
        if op is sre.AT or op in LOOKS:
            continue
        if op in REPEATS:
            inside = first_of(parts_of(op, value)[0], after if value[0] else frozenset())
            after = inside | (frozenset() if value[0] else after)
        elif op in (sre.BRANCH, sre.SUBPATTERN, sre.ATOMIC_GROUP):
            after = frozenset().union(*(first_of(each, after) for each in parts_of(op, value)))
        else:
            after = letters_of(op, value)
    return after


def longest(items: Items) -> int:
    return int(width(items)[1])


def open_ways(items: Items, after: frozenset[str], behind: int, looped: bool) -> Iterator[str]:
    """What is wrong with the items. after: letters that may follow; behind: at most so many;
    looped: within a repeat.
    """
    for place, (op, value) in enumerate(items):
        rest = items[place + 1 :]
        follow = first_of(rest, after)
        tail = behind + longest(rest)
        if op in LOOKS:
            if longest(list(value[1])) > BOUNDED:
                yield "it looks ahead without a bound"
        elif op in REPEATS:
            least, most, body = value
            body = list(body)
            endless = most is sre.MAXREPEAT
            begin = first_of(body, follow)
            if endless and not body_takes(body):
                yield "it repeats what may be nothing"
            undecided = begin & follow and op is not sre.POSSESSIVE_REPEAT and most != least
            if undecided and (looped or (endless and (tail > BOUNDED or longest(body) > 1))):
                yield f"a repeat and what follows it may both take {sorted(begin & follow)[0]!r}"
            again = begin if most is sre.MAXREPEAT or most > 1 else frozenset()
            yield from open_ways(
                body, again | follow, sys.maxsize if endless else tail, looped or endless
            )
        elif op in (sre.BRANCH, sre.SUBPATTERN, sre.ATOMIC_GROUP):
            branches = parts_of(op, value)
            begins = [first_of(each, follow) for each in branches]
            if looped and any(one & other for k, one in enumerate(begins) for other in begins[:k]):
                yield "two branches within a repeat begin alike"
            for each in branches:
                yield from open_ways(each, follow, tail, looped)


def body_takes(body: Items) -> bool:
    return width(body)[0] > 0


def width(items: Items) -> tuple[int, int]:
    state = parser.State()
    # what a reference takes: one separator, in the patterns of this house
    state.groupwidths = [(0, 1)] * 100
    return parser.SubPattern(state, items).getwidth()


def repeated(items: Items) -> frozenset[str]:
    """The letters that endless repeats take."""
    found = frozenset[str]()
    for op, value in items:
        if op in REPEATS and value[1] is sre.MAXREPEAT:
            found |= all_letters(list(value[2]))
        elif op in (*REPEATS, sre.BRANCH, sre.SUBPATTERN, sre.ATOMIC_GROUP):
            found = found.union(*(repeated(each) for each in parts_of(op, value)))
    return found


def all_letters(items: Items) -> frozenset[str]:
    found = frozenset[str]()
    for op, value in items:
        if op in (*REPEATS, sre.BRANCH, sre.SUBPATTERN, sre.ATOMIC_GROUP):
            found = found.union(*(all_letters(each) for each in parts_of(op, value)))
        elif op is not sre.AT and op not in LOOKS:
            found |= letters_of(op, value)
    return found


def faults(pattern: str | bytes, flags: int = 0, searched: bool = False) -> list[str]:
    items = list(parser.parse(pattern, flags & ~re.DEBUG))
    found = list(open_ways(items, frozenset(), 0, False))
    if searched and repeated(items) & first_of(items, frozenset()):
        found.append("it is searched for, and repeats a letter with which it begins")
    return found


# -- the patterns of engine/data -------------------------------------------------------------------


def patterns(path: Path) -> Iterator[tuple[str, str | bytes, int, bool]]:
    """(where, pattern, flags, whether it is searched for) of each pattern in a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    where = path.relative_to(DATA).as_posix()
    uses = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]
    searched = {node.value.id for node in uses if node.attr in SEARCHES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in CALLS - {"compile"}:
            assert isinstance(node.args[0], ast.Constant), (
                f"{where}:{node.lineno}: no pattern that can be checked"
            )
            yield f"{where}:{node.lineno}", node.args[0].value, 0, called(node) in SEARCHES
    compiled = sum(
        isinstance(node, ast.Call) and called(node) == "compile" for node in ast.walk(tree)
    )
    module = importlib.import_module(
        ".".join(path.relative_to(DATA.parents[1]).with_suffix("").parts)
    )
    own = [(name, each) for name, value in vars(module).items() for each in in_value(value)]
    assert len(own) >= compiled, f"{where}: a pattern that is no constant of its module"
    yield from (
        (f"{where}:{name}", each.pattern, each.flags, name in searched) for name, each in own
    )


def called(node: ast.Call) -> str:
    """“sub” of re.sub(…), else ''."""
    name = node.func
    known = (
        isinstance(name, ast.Attribute)
        and isinstance(name.value, ast.Name)
        and name.value.id == "re"
    )
    return name.attr if known else ""


def in_value(value: Any) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from in_value(each)


MODULES = sorted(DATA.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(DATA).as_posix())
def test_patterns_are_linear(path: Path) -> None:
    found = {
        where: faults(pattern, flags, searched)
        for where, pattern, flags, searched in patterns(path)
    }
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


def test_patterns_are_found() -> None:
    assert sum(1 for path in MODULES for _ in patterns(path)) > 20


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:\s*x?\n)*@",
        r"\d+\.?\d*e",
        r"(?:a+)+b",
        r"(?:a|a)*b",
        r"(?:a?a)*b",
        r"\s*(?:x)?\s*y*z",
        r".*?-->.*b",
        r"(?:a*)*",
    ],
)
def test_the_check_finds_what_backtracks(pattern: str) -> None:
    assert faults(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\d++(?:\.\d*+)?e", r"(?:[^'\\]|\\.)*'", r"\s*+x?\s*y", r"(?:,\d{3})+(?:\.\d*)?"]
)
def test_the_check_lets_pass_what_is_decided_by_the_next_letter(pattern: str) -> None:
    assert faults(pattern) == []


def test_a_search_may_not_read_the_same_text_again() -> None:
    assert faults(r"<c[^>]*>", searched=True)
    assert not faults(r"<c[^<>]*>", searched=True)
