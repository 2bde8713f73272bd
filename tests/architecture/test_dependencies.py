"""What pyproject.toml declares is what the program imports, and what the About text credits."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.architecture.test_house import parsed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FILES = [
    ROOT / "main.py",
    *(path for folder in ("engine", "gui") for path in (ROOT / folder).rglob("*.py")),
]
OWN = {"engine", "gui", "main", "__future__"}
PART_OF = {"shiboken6": "pyside6-essentials"}  # the half of PySide6 that binds Python to C++


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def packages(lines: list[str]) -> set[str]:
    return {normal(re.split(r"[^\w.-]", line)[0]) for line in lines}


def declared() -> set[str]:
    return packages(PROJECT["dependencies"])


def modules(path: Path) -> set[str]:
    """The first names of all that a file imports, late, by name (import_module) or at once."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module or "")
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module"
        ):
            found |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return {name.partition(".")[0] for name in found}


@cache
def imported() -> set[str]:
    foreign = set().union(*map(modules, FILES)) - OWN - set(sys.stdlib_module_names)
    owners = packages_distributions()
    return {
        PART_OF.get(name, name)
        for module in foreign
        for name in {normal(o) for o in owners.get(module, [module])}
    }


def test_all_that_is_declared_is_imported_and_all_that_is_imported_is_declared() -> None:
    assert declared() <= imported()
    extras = set().union(*map(packages, PROJECT.get("optional-dependencies", {}).values()))
    # the first two own the folder PySide6 too, where installed; main.py check runs tests, and says
    # so where it cannot; llvmlite comes with numba, and is required only where that is
    also = {"pyside6", "pyside6-addons", "pytest", "llvmlite"}
    assert imported() - declared() - extras <= also


def test_no_extra_is_offered_that_nothing_imports() -> None:
    for extra in PROJECT.get("optional-dependencies", {}).values():
        assert packages(extra) <= imported()


def test_the_about_text_credits_the_dependencies_and_nothing_else() -> None:
    from gui.dialogs.about import LIBRARIES, credits  # the window, not while tests are collected

    assert {normal(name) for name in LIBRARIES} == declared()
    credited = credits().split("<b>Built with</b>")[1]
    assert all(words in credited for words in LIBRARIES.values())
    # Python, and one word for each
    assert len(re.findall(r",(?! LGPL)| and ", credited)) == len(LIBRARIES)
