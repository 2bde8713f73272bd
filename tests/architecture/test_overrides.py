"""A method that takes the place of one of Qt's is called as Qt's is: as many arguments, and the same of them optional."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import PySide6.QtWidgets  # noqa: F401 # brings the module of the signatures
from PySide6.QtCore import QObject
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem
from shibokensupport.signature import get_signature

import gui

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
                above = next((b for b in kind.__mro__[k + 1 :] if _of_qt(b) and name in vars(b)), None)
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
