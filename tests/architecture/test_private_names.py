"""No test reaches a private name of the engine or the window: what it needs has a public one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("*.py"))
PUBLIC_ELSEWHERE = {
    "_replace": "a method of every named tuple",
    "_repr_html_": "what Jupyter calls",
    "_constants": "of re: the parsed pattern has no other names",
    "_parser": "of re: parses a pattern",
    "_exit": "of os: ends a process without its clean-up",
    "_is_owned": "of threading.Condition: whether this thread holds it",
    "_pytest": "of pytest: the runner that repeats a test",
    "_fixtureinfo": "of pytest: what a test asks for",
    "_setupstate": "of pytest: what is set up for a test",
}
# whose strings name an attribute: monkeypatch.setattr, patch, patch.object, getattr, …
BY_NAME = {"setattr", "delattr", "getattr", "hasattr", "patch", "object", "multiple"}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def own_names(tree: ast.AST) -> set[str]:
    """The private names that a file defines itself: functions, classes, variables, attributes."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found |= {node.attr} if ast.unparse(node.value) == "self" else set()
    return found


def named_by_call(call: ast.Call) -> Iterator[str]:
    """The names of attributes that a call gives as strings or, patching several, as keywords."""
    function = call.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if called not in BY_NAME:
        return
    for each in call.args:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield from each.value.split(".")
    for keyword in call.keywords:
        yield keyword.arg or ""


def reached(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, name) of every private name that a file takes from elsewhere."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [*(node.module or "").split("."), *(each.name for each in node.names)]
        elif isinstance(node, ast.Import):
            names = [part for each in node.names for part in each.name.split(".")]
        elif isinstance(node, ast.Call):
            names = [*named_by_call(node)]
        for name in names:
            if is_private(name):
                yield getattr(node, "lineno", 0), name


def foreign(text: str) -> list[tuple[int, str]]:
    """(line, name) of every private name in a file that is neither its own nor excepted."""
    tree = ast.parse(text)
    known = own_names(tree) | PUBLIC_ELSEWHERE.keys()
    return [(line, name) for line, name in reached(tree) if name not in known]


def test_no_private_name_of_another_room_is_reached() -> None:
    found = {str(path.relative_to(TESTS)): foreign(path.read_text("utf-8")) for path in FILES}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "line",
    [
        "run._steps",
        "run._steps = []",
        "from engine.runs.trace import _steps",
        "import engine._steps",
        "monkeypatch.setattr(run, '_steps', [])",
        "monkeypatch.setattr('engine.runs._steps', [])",
        "patch.multiple(run, _steps=[])",
        "getattr(run, '_steps')",
    ],
)
def test_each_way_to_reach_one_is_found(line: str) -> None:
    assert foreign(line) == [(1, "_steps")]


@pytest.mark.parametrize("line", ["def _steps(): pass\n_steps()", "key = '_draft'", "a.__dict__"])
def test_names_of_its_own_and_plain_words_are_none(line: str) -> None:
    assert foreign(line) == []
