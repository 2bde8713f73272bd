"""The house rules that a linter does not know: sizes, function lengths, what may be imported at start."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for folder in ("engine", "gui") for path in (ROOT / folder).rglob("*.py"))
PAGES = {
    Path(sys.modules[f"engine.algorithms.{a.family}.{a.key}"].__file__ or "") for a in engine.algorithms().values()
}
LAZY = ("scipy", "python_calamine", "pyarrow", "sklearn", "pandas", "numba", "llvmlite")


def limit(path: Path) -> int:
    place = path.relative_to(ROOT).as_posix()
    if path in PAGES:
        return 150
    if place == "gui/window/main_window.py":
        return 300
    return 350 if place.startswith("engine/") else 400


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= limit(path)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} is too long"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_module_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert not tree.body or ast.get_docstring(tree)


def imported_by(statement: str) -> set[str]:
    code = f"{statement}; import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_the_engine_starts_light_and_knows_no_screen() -> None:
    loaded = imported_by("import engine; engine.algorithms()")
    assert not loaded & {*LAZY, "PySide6", "pyqtgraph", "gui"}


def test_the_window_starts_without_heavy_libraries() -> None:
    assert not imported_by("import gui.app") & set(LAZY)


def test_there_is_no_list_of_algorithms() -> None:
    """Adding an algorithm touches one file: no other module names a key."""
    keys = list(engine.algorithms())
    for path in FILES:
        if "algorithms" in path.parts or path.name == "app.py":
            continue
        strings = [n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)]
        named = [key for key in keys if key in strings]
        assert not named, f"{path} names {named}"


def whole(node: ast.expr) -> bool:
    """Whether an expression is a whole number on sight: a constant, a comparison, a length, a count."""
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


@pytest.mark.parametrize(
    "path", [p for p in FILES if "engine" in p.parts], ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_floats_are_added_up_by_our_own_sum(path: Path) -> None:
    """From Python 3.12 on the built-in one rounds otherwise (engine/core/sums.py); `math.sumprod` and `statistics` do too."""
    tree = ast.parse(path.read_text("utf-8"))
    good = {
        id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "sum" and counts(n)
    }
    odd = [n.lineno for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "sum" and id(n) not in good]
    assert not odd, f"take add_up in the lines {odd}"
    imported = {a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    assert not imported & {"sumprod", "fmean", "statistics"}
