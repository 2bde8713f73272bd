"""A page is a page: every line of its pseudo-code is on it, and nothing else that has a place
of its own.
"""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

import engine

every = pytest.mark.parametrize("algorithm", engine.algorithms().values(), ids=lambda a: a.key)


def page(algorithm: Any) -> ast.Module:
    return ast.parse(Path(sys.modules[algorithm.beside.page].__file__ or "").read_text("utf-8"))


def emitted(tree: ast.Module) -> set[str]:
    """The labels in calls at("label", …), at.end or at.step, also by the names emit and moment."""
    calls = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Call)
        and ast.unparse(n.func).split(".")[0] in ("at", "moment", "emit")
        and n.args
    ]
    return {
        c.value
        for n in calls
        for c in ast.walk(n.args[0])
        if isinstance(c, ast.Constant) and isinstance(c.value, str)
    }


@every
def test_every_line_of_the_pseudo_code_is_on_the_page(algorithm: Any) -> None:
    labels = {label for label, _ in algorithm.code_lines()}
    assert labels == emitted(page(algorithm))


@every
def test_the_page_knows_no_pace_and_no_words(algorithm: Any) -> None:
    tree = page(algorithm)
    attributes = {ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    assert not attributes & {"at.pace", "at.leaps", "pace.detail", "pace.step"}
    notes = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and ast.unparse(n.func) in ("note", "Note", "Choice")
    ]
    assert not notes
