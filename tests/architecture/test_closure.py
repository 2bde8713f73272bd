"""What each algorithm costs in all: its page and everything that only it reaches. Held at the sizes in closure.txt, which
may only fall: `python -m tests.architecture.test_closure` writes down what has become smaller.

A line of code has one address: what one algorithm uses lies in its folder, what its family shares in `parts`, and only what
two families use in numerics/ and pictures/ (design.md, 3, 6, 7).
"""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from statistics import median_high

import pytest

from tests.architecture.test_house import parsed

ROOT = Path(__file__).resolve().parents[2]
SIZES = Path(__file__).with_name("closure.txt")
LENT = (
    "engine.timeline.",
    "engine.data.",
    "engine.evaluation.",
    "engine.core.",
)  # what runs a learner is no experiment's own
MOST, MIDDLE = 700, 350  # lines of an algorithm that is new; the median of all


def modules(root: Path) -> dict[str, Path]:
    """Every module of the engine by its dotted name."""
    found = {}
    for path in sorted((root / "engine").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: Path, known: Iterable[str]) -> set[str]:
    """The modules that one imports, wherever in its text."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    reached = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            reached |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, node.module] if node.module else above)
            reached |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return reached & set(known) - {name}


def pages(known: Iterable[str]) -> dict[str, set[str]]:
    """The modules in the folder of each algorithm, by the name of its page."""
    page = re.compile(r"engine\.(algorithms\.\w+|experiments)\.\w+")
    starts = [n for n in known if page.fullmatch(n) and not n.endswith(".parts")]
    return {start: {n for n in known if n == start or n.startswith(start + ".")} for start in starts}


def reached(start: set[str], direct: Mapping[str, set[str]]) -> set[str]:
    seen, todo = set(start), list(start)
    while todo:
        new = direct[todo.pop()] - seen
        seen |= new
        todo += new
    return seen


@cache
def users(root: Path) -> dict[str, set[str]]:
    """By module: the algorithms that reach it."""
    known = modules(root)
    direct = {name: imported(name, path, known) for name, path in known.items()}
    reach = {page: reached(own, direct) for page, own in pages(known).items()}
    return {name: {page for page, found in reach.items() if name in found} for name in known}


def short(page: str) -> str:
    """family.key"""
    return page.removeprefix("engine.").removeprefix("algorithms.")


def sizes(root: Path) -> dict[str, int]:
    """Lines that only this algorithm uses, by family.key."""
    known, used = modules(root), users(root)
    found = {short(page): 0 for page in pages(known)}
    for name, by in used.items():
        if len(by) == 1 and not name.startswith(LENT):
            found[short(next(iter(by)))] += len(known[name].read_text("utf-8").splitlines())
    return found


def held() -> dict[str, int]:
    return {key: int(size) for key, size in (line.split() for line in SIZES.read_text("utf-8").splitlines())}


@cache
def now() -> dict[str, int]:
    return sizes(ROOT)


@pytest.mark.parametrize("key", [*map(short, pages(modules(ROOT)))])
def test_no_algorithm_grows(key: str) -> None:
    assert now()[key] <= held().get(key, MOST), "fewer lines in all, not the same in another file"


def test_what_has_become_smaller_is_written_down() -> None:
    """A size that is held is of an algorithm that is there, and not far above it."""
    loose = {key: size for key, size in held().items() if size - now().get(key, 0) > 20}
    assert not loose, "run python -m tests.architecture.test_closure"


def test_the_middle_one_is_small() -> None:
    """Of the algorithms; an experiment has no family that shares its figures."""
    assert median_high(size for key, size in now().items() if not key.startswith("experiments.")) <= MIDDLE


def test_what_serves_one_family_lies_in_it() -> None:
    lone = {
        name: families
        for name, by in users(ROOT).items()
        if name.startswith(("engine.numerics.", "engine.pictures.")) and by
        and len(families := {page.split(".")[-2] for page in by}) == 1
    }  # fmt: skip
    assert not lone, "move them to that family's parts, or into the algorithm's folder"


def test_the_count_is_of_all_that_only_one_reaches(tmp_path: Path) -> None:
    """Two made-up algorithms and an experiment: a helper of one, a helper of all, a helper's helper."""
    texts = {
        "engine/__init__.py": "",
        "engine/numerics/__init__.py": "",
        "engine/numerics/both.py": "\n" * 100,
        "engine/numerics/mine.py": "from engine.numerics.deep import x\n",
        "engine/numerics/deep.py": "x = 1\n\n",
        "engine/algorithms/__init__.py": "",
        "engine/algorithms/f/__init__.py": "",
        "engine/algorithms/f/parts.py": "\n" * 50,
        "engine/algorithms/f/a/__init__.py": "from engine.numerics import both\nfrom . import words\n",
        "engine/algorithms/f/a/words.py": "def late():\n    from engine.numerics.mine import x\n",
        "engine/algorithms/f/b.py": "import engine.numerics.both\n",
        "engine/experiments/__init__.py": "",
        "engine/experiments/parts/__init__.py": "\n" * 50,
        "engine/experiments/c.py": "import engine.numerics.both\n\n\n",
    }
    for place, text in texts.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text, "utf-8")
    assert sizes(tmp_path) == {"f.a": 2 + 2 + 1 + 2, "f.b": 1, "experiments.c": 3}


def write() -> None:
    """Hold every algorithm at the size it has now, unless that is larger than what was held."""
    before = held() if SIZES.exists() else {}
    least = {key: min(size, before.get(key, size)) for key, size in now().items()}
    rows = sorted(least.items(), key=lambda row: (-row[1], row[0]))
    SIZES.write_text("".join(f"{key} {size}\n" for key, size in rows), "utf-8")


if __name__ == "__main__":
    write()
