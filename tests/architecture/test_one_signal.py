"""What changes in the session is announced by one signal, and one edit is one announcement."""

import ast
from pathlib import Path

SESSION = Path(__file__).parents[2] / "gui" / "session"
# of the session: all changes; sentences for the message line; the worker's results, which come from
# another thread
KNOWN = {"changed", "said", "offered", "_grew", "_surfaced"}


def signals_of(source: str) -> set[str]:
    """The names of the Qt signals that a module declares."""
    return {
        target.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "Signal"
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def test_the_session_announces_all_changes_by_one_signal() -> None:
    declared = set[str]().union(*(signals_of(path.read_text()) for path in SESSION.glob("*.py")))
    assert declared == KNOWN


def test_signals_are_found() -> None:
    source = "class A(QObject):\n    moved = Signal(int)\n    other = Thing()\n"
    assert signals_of(source) == {"moved"}
