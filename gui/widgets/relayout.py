"""A decorator for layout methods that may be called while they run."""

from collections.abc import Callable
from functools import wraps
from typing import Any

PASSES = 8  # limit, should it never come to rest


def not_within_itself(lay: Callable[[Any], None]) -> Callable[[Any], None]:
    """The method, which runs once more at its end if it was called while it ran.

    A method that places parts may make Qt or a signal call it again. A nested run would be
    overwritten by the outer one, which still uses the old sizes.
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
