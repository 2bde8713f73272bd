"""A method that takes the place of one of Qt's is called as Qt's is: as many arguments, and the
same of them optional.
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import PySide6.QtWidgets  # noqa: F401 # brings the module of the signatures
from PySide6.QtCore import QObject
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem
from shibokensupport.signature import get_signature

import gui
from gui.base.guard import guarded, guarded_filter

EMPTY = inspect.Parameter.empty


def classes() -> Iterator[type]:
    """All classes of gui/ that are made of Qt's, or mixed into them."""
    for module in pkgutil.walk_packages(gui.__path__, "gui."):
        for found in vars(importlib.import_module(module.name)).values():
            if isinstance(found, type) and found.__module__ == module.name:
                yield found


def overrides() -> list[tuple[type, str, Any, Any]]:
    """(class, name, own method, Qt's)."""
    found = []
    for kind in classes():
        for k, base in enumerate(kind.__mro__):
            if not base.__module__.startswith("gui."):
                continue
            for name, own in vars(base).items():
                above = next(
                    (b for b in kind.__mro__[k + 1 :] if _of_qt(b) and name in vars(b)), None
                )
                if inspect.isfunction(own) and above is not None and not name.startswith("__"):
                    found.append((kind, name, own, getattr(above, name)))
    return found


def _of_qt(kind: type) -> bool:
    return kind.__module__.startswith("PySide6.")


def fits(own: Any, qt: Any) -> bool:
    """Whether whatever one of Qt's signatures takes by place, `own` takes too."""
    known = get_signature(qt)
    mine = list(inspect.signature(own).parameters.values())
    many = any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in mine)
    mine = [each for each in mine if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    least = sum(each.default is EMPTY for each in mine)
    for signature in known if isinstance(known, list) else [known]:
        theirs = list(signature.parameters.values())
        fewest = sum(each.default is EMPTY for each in theirs)
        if least <= fewest and (many or len(mine) >= len(theirs)):
            return True
    return False


def test_every_override_is_called_as_qt_has_it() -> None:
    odd = [
        f"{kind.__name__}.{name}{inspect.signature(own)} instead of {get_signature(qt)}"
        for kind, name, own, qt in overrides()
        if not fits(own, qt)
    ]
    assert odd == []


def test_the_comparison_sees_a_default_that_is_missing() -> None:
    class Half:
        def paint(self, painter: QPainter, option: object, widget: object) -> None: ...

        def eventFilter(self, watched: QObject) -> bool: ...

    assert not fits(Half.paint, QGraphicsItem.paint)
    assert not fits(Half.eventFilter, QObject.eventFilter)
    assert len(overrides()) > 200


def unguarded(found: list[tuple[type, str, Any, Any]]) -> list[str]:
    """Those without `guarded`; a filter of events without `guarded_filter`."""
    wanted = {name: guarded_filter if name == "eventFilter" else guarded for _, name, _, _ in found}
    made = {name: guard(len).__code__ for name, guard in wanted.items()}  # type: ignore[attr-defined]
    return sorted(
        {
            f"{own.__module__}.{own.__qualname__}"
            for _, name, own, _ in found
            if own.__code__ is not made[name]
        }
    )


def test_every_override_is_guarded() -> None:
    assert unguarded(overrides()) == []


def test_the_search_sees_an_override_without_its_guard() -> None:
    class Half(QObject):
        @guarded
        def childEvent(self, event: object) -> None: ...

        def timerEvent(self, event: object) -> None: ...

        @guarded
        def eventFilter(self, watched: QObject, event: object) -> bool: ...

    found = [
        (Half, name, vars(Half)[name], None) for name in ("childEvent", "timerEvent", "eventFilter")
    ]
    assert [name.rpartition(".")[2] for name in unguarded(found)] == ["eventFilter", "timerEvent"]


def test_every_painter_is_closed_whatever_happens() -> None:
    """`with QPainter(device) as painter`: one that stays open when something raises ends the
    process.
    """
    bare = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(gui.__path__[0]).rglob("*.py"))
        for tree in [ast.parse(path.read_text("utf-8"))]
        for closed in [
            {
                id(item.context_expr)
                for each in ast.walk(tree)
                if isinstance(each, ast.With)
                for item in each.items
            }
        ]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("QPainter", "QtGui.QPainter")
        and id(node) not in closed
    ]
    assert bare == []
