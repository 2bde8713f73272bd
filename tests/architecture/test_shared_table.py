"""A lane may have a table of its own, so the window reads `LaneView.data` or `ShownStep.data` and
edits through `Document.in_lane`; the document's own table is read where all lanes' shared one is
meant, and nowhere else.
"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.document.edits

ROOT = Path(__file__).resolve().parents[2]
SHARED_IS_MEANT = {
    "gui/session/own_tables.py data": (
        "a table that was taken serves all lanes; points of one lane belong to that lane"
    ),
    "gui/session/own_tables.py _follow": "the same: it looks whether another table was taken",
    "gui/session/own_tables.py restored": "the same: it gives such a table again",
    "gui/setup/data_commands.py key": "which of the tables that can be taken serves all lanes",
    "gui/setup/data_commands.py _left": (
        "whether the table of all lanes, which another one replaces, is a set of a text"
    ),
    "gui/setup/data_commands.py use": "whether another table is taken for all lanes",
    "gui/setup/remedies.py _other_table": "whether the last edit took another table for all lanes",
    "gui/window/commands.py document_name": "the name of a file that holds all lanes",
    "gui/window/recent.py _add_unsaved": "the same, of work that was kept",
    "gui/window/recent.py offer": "the same, of work that was kept",
}
OF_AXES = {"put_on_axis"}  # an edit of the axes, which all lanes share
EDITS = {
    name
    for name, made in vars(engine.document.edits).items()
    if inspect.isfunction(made)
    and made.__module__ == engine.document.edits.__name__
    and name not in OF_AXES
}


def is_document(node: ast.AST, names: set[str]) -> bool:
    """Whether it is the document in force: an attribute of that name, or a name that stands for
    one.
    """
    return (isinstance(node, ast.Attribute) and node.attr == "document") or (
        isinstance(node, ast.Name) and node.id in names
    )


def aliases(function: ast.FunctionDef) -> set[str]:
    """Names that are put for the document in force: `document, active = session.document,
    session.active`.
    """
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                together = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = (
                    zip(target.elts, node.value.elts, strict=True)
                    if together
                    else [(target, node.value)]
                )  # type: ignore[attr-defined]
                found |= {
                    a.id for a, b in pairs if isinstance(a, ast.Name) and is_document(b, set())
                }
    return found


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def touches_shared_table(node: ast.AST, names: set[str]) -> bool:
    """`….document.data`, `edits.clear(….document)` or `replace(….document, data=…)`."""
    if isinstance(node, ast.Attribute):
        return node.attr == "data" and is_document(node.value, names)
    if not isinstance(node, ast.Call) or not node.args or not is_document(node.args[0], names):
        return False
    with_data = called(node) == "replace" and any(
        keyword.arg == "data" for keyword in node.keywords
    )
    return with_data or called(node) in EDITS


def shared_tables(text: str) -> Iterator[str]:
    """The functions of a module in which the shared table is read or changed."""
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            names = aliases(function)
            if any(touches_shared_table(node, names) for node in ast.walk(function)):
                yield function.name


def test_the_shared_table_is_read_only_where_it_is_meant() -> None:
    found = {
        f"{path.relative_to(ROOT).as_posix()} {name}"
        for path in sorted((ROOT / "gui").rglob("*.py"))
        for name in shared_tables(path.read_text("utf-8"))
    }
    assert found == SHARED_IS_MEANT.keys()


@pytest.mark.parametrize(
    "line",
    [
        "return self.session.document.data",
        "document = self.session.document; return document.data",
        "place, document = 0, shown.document; return len(document.data)",
        "session.edit(edits.clear(self.session.document), 'clear')",
        "return rename_class(self.session.document, 1, 'a')",
        "return replace(self.session.document, data=data)",
    ],
)
def test_each_way_to_the_shared_table_is_found(line: str) -> None:
    assert list(shared_tables(f"def way():\n    {line}\n")) == ["way"]


@pytest.mark.parametrize(
    "line", ["return self.session.data", "return document.data", "return replace(document, data=1)"]
)
def test_the_table_of_a_lane_is_left_alone(line: str) -> None:
    assert list(shared_tables(f"def way(self, document):\n    {line}\n")) == []
