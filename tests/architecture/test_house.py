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
LAZY = ("scipy", "openpyxl", "sklearn", "pandas", "numba", "llvmlite")


def limit(path: Path) -> int:
    place = path.relative_to(ROOT).as_posix()
    if path in PAGES and "Algorithm.of(" in path.read_text("utf-8"):
        return 150
    if place.startswith("engine/algorithms/") or place == "gui/main_window.py":
        return 301
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
