"""The house rules that a linter does not know: lengths of functions, what may be
imported at start.
"""

import ast
import gc
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import engine

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for folder in ("engine", "gui") for path in (ROOT / folder).rglob("*.py"))
LAZY = ("scipy", "python_calamine", "pyarrow", "sklearn", "pandas", "numba", "llvmlite")


@cache
def parsed(path: Path) -> ast.Module:
    """Out of the sight of Python's search for garbage, which takes twice as long as the parsing: no
    part of it is any.
    """
    gc.disable()
    try:
        return ast.parse(path.read_text("utf-8"))
    finally:
        gc.freeze()
        gc.enable()


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def too_long(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 75:
            yield f"{named(path)}: {node.name} is too long"


def test_functions_stay_small() -> None:
    assert [fault for path in FILES for fault in too_long(path)] == []


def test_every_module_says_what_it_is() -> None:
    assert [
        named(path) for path in FILES if parsed(path).body and not ast.get_docstring(parsed(path))
    ] == []


def imported_by(statement: str) -> set[str]:
    code = f"{statement}; import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return {name.split(".")[0] for name in done.stdout.split()}


def test_the_engine_starts_light_and_knows_no_screen() -> None:
    loaded = imported_by("import engine; engine.algorithms()")
    assert not loaded & {*LAZY, "PySide6", "pyqtgraph", "gui"}


def test_the_window_starts_without_heavy_libraries() -> None:
    assert not imported_by("import gui.app") & set(LAZY)


def test_there_is_no_list_of_algorithms() -> None:
    """Adding an algorithm touches one file: no other module names a key, but those that study it,
    and the scripts, which make the same model with another library's words: a method without one
    says so by itself.
    """
    keys = list(engine.algorithms())
    for path in FILES:
        if {"algorithms", "experiments", "fit", "scripts"} & {*path.parts} or path.name == "app.py":
            continue
        strings = {n.value for n in ast.walk(parsed(path)) if isinstance(n, ast.Constant)}
        found = [key for key in keys if key in strings]
        assert not found, f"{path} names {found}"


def whole(node: ast.expr) -> bool:
    """Whether an expression is a whole number on sight: a constant, a comparison, a length, a
    count.
    """
    if isinstance(node, ast.Call):
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return called in ("len", "bool", "int", "count")
    return (
        isinstance(node, ast.Compare)
        or (isinstance(node, ast.Constant) and isinstance(node.value, int))
        or (isinstance(node, ast.BinOp) and whole(node.left) and whole(node.right))
    )


def counts(call: ast.Call) -> bool:
    """Whether a sum adds up whole numbers on sight."""
    added = call.args[0]
    if isinstance(added, (ast.GeneratorExp, ast.ListComp)):
        return whole(added.elt)
    return isinstance(added, ast.Call) and ast.unparse(added).startswith(("map(len,", "map(bool,"))


def sums_of_others(path: Path) -> Iterator[str]:
    tree = parsed(path)
    good = {
        id(n.func)
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and ast.unparse(n.func) == "sum" and counts(n)
    }
    odd = [
        n.lineno
        for n in ast.walk(tree)
        if isinstance(n, ast.Name) and n.id == "sum" and id(n) not in good
    ]
    if odd:
        yield f"{named(path)}: take add_up in the lines {odd}"
    imported = {
        a.name
        for n in ast.walk(tree)
        if isinstance(n, (ast.Import, ast.ImportFrom))
        for a in n.names
    }
    if imported & {"sumprod", "fmean", "statistics"}:
        yield f"{named(path)} imports a sum of its own"


def test_floats_are_added_up_by_our_own_sum() -> None:
    """From Python 3.12 on the built-in one rounds otherwise (engine/base/sums.py); `math.sumprod`
    and `statistics` do too.
    """
    assert [
        fault for path in FILES if "engine" in path.parts for fault in sums_of_others(path)
    ] == []
