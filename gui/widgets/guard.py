"""Event filters that let no fault out."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

_telling = False


def guarded(look: Callable[[Any, Any, Any], bool]) -> Callable[[Any, Any, Any], bool]:
    """Every `eventFilter` wears this: a fault is told to sys.excepthook once, and the answer is False. Qt, given the fault
    itself, would go on with it unsaid, and the filter would be asked again and again until the stack ends.

    One that comes up while another is told, since telling shows a message, which makes events, is left alone."""

    @wraps(look)
    def filtered(self: Any, watched: Any, event: Any) -> bool:
        try:
            return look(self, watched, event)
        except Exception:
            _tell()
            return False

    return filtered


def _tell() -> None:
    global _telling
    if _telling:
        return
    _telling = True
    try:
        sys.excepthook(*sys.exc_info())
    except Exception:  # of the telling
        sys.__excepthook__(*sys.exc_info())
    finally:
        _telling = False
