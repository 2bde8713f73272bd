"""Who keeps whom alive: the parents that the binding has noted beside those that Qt knows.

What a method of Qt answers the binding takes for a child of the called object, if nothing says
otherwise. Called for something that it does not own, an object then keeps a stranger alive, or, in
a circle, itself; the collector finds both useless, and Qt uses what was freed. So a walk looks here
now and then: the fault is found before it kills.
"""

import re

from PySide6.QtCore import QObject
from shiboken6 import Shiboken

PARENT = re.compile(r"^parent\.+ .* at 0x([0-9a-f]+)>", re.MULTILINE)


def astray() -> list[str]:
    """Every object of Qt that Python made and another object of Qt owns, and that the binding's
    parents do not lead to an object without an owner: one that lives by itself, as a window does.
    """
    alive = {id(thing): thing for thing in Shiboken.getAllValidWrappers()}
    above = {
        key: int(found[1], 16)
        for key in alive
        if (found := PARENT.search(Shiboken.dump(alive[key])))
    }
    return [
        f"{_words(thing)} < {' < '.join(map(_words, line)) or 'none'}; Qt:"
        f" {_words(QObject.parent(thing))}"
        for key, thing in alive.items()
        if _made_here(thing)
        and not _safe(line := [alive[k] for k in _line(key, above) if k in alive])
    ]


def _made_here(thing: object) -> bool:
    return (
        isinstance(thing, QObject)
        and Shiboken.createdByPython(thing)
        and QObject.parent(thing) is not None
    )


def _line(key: int, above: dict[int, int]) -> list[int]:
    """The parents of an object as the binding has them, the next first; in a circle the object
    itself comes last.
    """
    line = [key]
    while line[-1] in above and line.count(line[-1]) == 1:
        line.append(above[line[-1]])
    return line[1:]


def _safe(line: list[object]) -> bool:
    top = line[-1] if line else None
    return isinstance(top, QObject) and QObject.parent(top) is None


def _words(thing: object) -> str:
    return type(thing).__qualname__ + (
        f" “{thing.objectName()}”" if isinstance(thing, QObject) else ""
    )
