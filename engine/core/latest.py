"""What was computed last, kept while the same thing is asked again."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """The value computed of one object: the one that was asked for last.

    A method asks the same of its present weights several times in a step, and seldom again of
    earlier ones.
    """

    def __init__(self) -> None:
        # both in one assignment, so that no thread sees the value of another object
        self._kept: tuple[Any, T] | None = None

    def of(self, asked: Any, compute: Callable[[Any], T]) -> T:
        """`compute(asked)`, or the kept value where this very object was asked last."""
        kept = self._kept
        if kept is None or kept[0] is not asked:
            kept = self._kept = asked, compute(asked)
        return kept[1]
