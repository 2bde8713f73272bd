"""Decorators that every override of a Qt method needs."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])

_telling = False


def guarded(method: Method) -> Method:
    """The method, whose exceptions end nothing; `tests/architecture/test_overrides.py` finds
    overrides without it.

    Those of a handler of events (paintEvent, resizeEvent …) go to sys.excepthook, and Qt goes on:
    left pending, they would meet the next override that Qt calls, which PySide then does not find.
    Those of other methods, whose result Qt needs, are caught and raised again: an exception raised
    in C code (1 / 0, [][0], numpy) is not an object yet when it leaves Python 3.11, and PySide 6.8
    to 6.11 then ends the process with a segmentation fault wherever Qt was entered from Python:
    resize(), show(), grab(), sendEvent(), exec(). Catching it makes it an object.
    """
    handles = method.__name__.endswith("Event")

    @wraps(method)
    def called(*args: Any, **names: Any) -> Any:
        try:
            return method(*args, **names)
        except Exception:
            if not handles:
                raise
            _report()
            return None

    return cast(Method, called)


def guarded_filter(look: Callable[[Any, Any, Any], bool]) -> Callable[[Any, Any, Any], bool]:
    """The `eventFilter`, whose exceptions go to sys.excepthook; it then returns False.

    Raised again, Qt would call the filter for every event that follows, until the stack overflows.
    An exception during such a report is dropped: reporting shows a message, which causes events.
    """

    @wraps(look)
    def filtered(self: Any, watched: Any, event: Any) -> bool:
        try:
            return look(self, watched, event)
        except Exception:
            _report()
            return False

    return filtered


def _report() -> None:
    global _telling
    if _telling:
        return
    _telling = True
    try:
        sys.excepthook(*sys.exc_info())
    except Exception:  # raised by the hook itself
        sys.__excepthook__(*sys.exc_info())
    finally:
        _telling = False
