"""Files that import one another in a circle can be read only together: no circle is larger than
three of them.

Every import counts: at the top, inside a function, and those that only a type checker follows.
"""

import ast
from pathlib import Path

import numpy as np

from tests.architecture.test_house import parsed

ROOT = Path(__file__).resolve().parents[2]
MOST = 3  # files in a circle

Imports = dict[str, set[str]]  # by module, the modules that it takes something from


def circles(imports: Imports) -> list[list[str]]:
    """The modules that can be reached from one another, in sets of two and more."""
    from scipy.sparse.csgraph import connected_components  # not while tests are collected

    names = sorted(imports)
    there = np.array([[other in imports[name] for other in names] for name in names], bool)
    count, which = connected_components(there, connection="strong")
    found = [[name for name, at in zip(names, which, strict=True) if at == k] for k in range(count)]
    return [circle for circle in found if len(circle) > 1]


def imports_of(root: Path, *folders: str) -> Imports:
    """Who imports whom among the files of these folders."""
    texts = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in folders
        for path in (root / folder).rglob("*.py")
    }
    return {name: _taken(name, path, set(texts)) for name, path in texts.items()}


def _taken(name: str, path: Path, modules: set[str]) -> set[str]:
    """`from a import b` takes the module a.b where there is one, else something of a."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    taken: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            taken |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            inner = {alias.name: f"{source}.{alias.name}" for alias in node.names}
            taken |= {whole if whole in modules else source for whole in inner.values()}
    return (taken & modules) - {name}


def test_no_circle_of_imports_is_large() -> None:
    large = [circle for circle in circles(imports_of(ROOT, "engine", "gui")) if len(circle) > MOST]
    assert not large, "\n".join(", ".join(circle) for circle in large)


def test_circles_are_found_in_a_graph() -> None:
    """a → b → c → d → a is one; e and f import each other; g, which all of it leads to,
    is in none.
    """
    graph = {
        "a": {"b", "g"},
        "b": {"c"},
        "c": {"d"},
        "d": {"a"},
        "e": {"f", "a"},
        "f": {"e", "g"},
        "g": set(),
    }
    assert circles(graph) == [["a", "b", "c", "d"], ["e", "f"]]
    assert circles({**graph, "d": set(), "f": set()}) == []


def test_every_kind_of_import_is_read(tmp_path: Path) -> None:
    files = {
        "lab/__init__.py": "",
        "lab/a.py": (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from lab.b import B\n"
        ),
        "lab/b.py": "def late():\n    import lab.c\n",
        "lab/c.py": "from . import d\nfrom .deep import e\n",
        "lab/d.py": "import numpy\nfrom lab import a\n",
        "lab/deep/__init__.py": "from lab import nothing\n",
        "lab/deep/e.py": "from ..a import thing\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert imports_of(tmp_path, "lab") == {
        "lab": set(),
        "lab.a": {"lab.b"},
        "lab.b": {"lab.c"},
        "lab.c": {"lab.d", "lab.deep.e"},
        "lab.d": {"lab.a"},
        "lab.deep": {"lab"},
        "lab.deep.e": {"lab.a"},
    }
    assert circles(imports_of(tmp_path, "lab")) == [
        ["lab.a", "lab.b", "lab.c", "lab.d", "lab.deep.e"]
    ]
