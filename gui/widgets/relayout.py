"""Layouts that begin anew when something changes in their midst."""

from collections.abc import Callable
from functools import wraps
from typing import Any

PASSES = 8  # should it never come to rest


def not_within_itself(lay: Callable[[Any], None]) -> Callable[[Any], None]:
    """A method that gives parts their places, which may make Qt or a signal call it again before it
    has ended: it is then begun once more at its end, as what it knew of the room was old; called at
    once, it would be finished with that.
    """
    under_way = f"_{lay.__name__}_again"

    @wraps(lay)
    def laid(self: Any) -> None:
        known = self.__dict__
        if under_way in known:
            known[under_way] = True
            return
        try:
            for _ in range(PASSES):
                known[under_way] = False
                lay(self)
                if not known[under_way]:
                    break
        finally:
            del known[under_way]

    return laid
