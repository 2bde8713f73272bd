"""Loops over numbers that a compiler takes over once they have cost a process as much as it does.

What a loop does is written once, as plain Python, and runs either way, with the same result to the last bit. To import the
compiler (numba) and to compile a loop takes one to two seconds, once in a process that has spent as much on the loop. It
happens in the thread that is at work: beside it, it would take three times as long, and outlive a process that has done its
work or was forked meanwhile.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Lock, get_ident
from typing import Any, get_type_hints

COSTS = 20_000_000  # turns of a plain loop take about as long as the compiler does
SHORT = 100  # turns: to hand over the arguments of a compiled loop takes longer than as many plain ones

Numbers = Sequence[float]  # in plain Python a list, which it reads quickest; compiled an array
Changing = list[float]  # the same of numbers that the loop changes in place
Rows = Sequence[Numbers]  # in plain Python a list of lists
ChangingRows = list[Numbers]
Table = list[Changing]
Truths = Sequence[bool]
Places = Sequence[int]
Three = tuple[float, float, float]
TYPES = {
    Numbers: "f8[::1]", Changing: "f8[::1]", Rows: "f8[:, ::1]", ChangingRows: "f8[:, ::1]", Table: "f8[:, ::1]", Truths: "b1[::1]", Three: "UniTuple(f8, 3)", float: "f8",
    bool: "b1", Places: "i8[::1]", int: "i8",
}  # fmt: skip

_compiling = Lock()  # one at a time
_hurried: set[int] = set()  # threads that have no second to spare


def never_compile_here() -> None:
    """The thread that asks runs loops that are compiled, but leaves the compiling to others: a window's."""
    _hurried.add(get_ident())


class Loop:
    """A function whose arguments are of `TYPES`, and whose annotations say so; `parts` are the functions that it calls.

    Called, it is plain Python.
    """

    def __init__(self, plain: Callable[..., Any], *parts: Callable[..., Any]) -> None:
        self.plain, self._parts = plain, parts
        self._turns = 0  # that the process has spent in plain Python
        self._tried = False
        self._compiled: Callable[..., Any] | None = None
        self.__doc__ = plain.__doc__

    def __call__(self, *values: Any) -> Any:
        return self.plain(*values)

    def compiled_for(self, turns: int) -> Callable[..., Any] | None:
        """The compiled function where it is there, or due, and pays for that many turns; None: go on in plain Python."""
        if turns < SHORT:
            return None
        if not self._tried:
            self._turns += turns
            if self._turns > COSTS and get_ident() not in _hurried:
                return self.compiled()
        return self._compiled

    def compiled(self) -> Callable[..., Any] | None:
        """None where there is no compiler, none that works here, or another thread is at it: plain Python does it then."""
        if not self._tried and _compiling.acquire(blocking=False):
            try:
                if not self._tried:
                    self._compiled = self._compile()
                    self._tried = True
            finally:
                _compiling.release()
        return self._compiled

    def _compile(self) -> Any:
        hints = get_type_hints(self.plain)
        types = ", ".join(TYPES[hint] for name, hint in hints.items() if name != "return")
        try:
            numba = import_module("numba")
            for part in self._parts:
                numba.extending.register_jitable(part)
            made = numba.njit(f"({types},)", nogil=True)(self.plain)
            return None if made is self.plain else made  # where somebody has switched the compiler off
        except Exception:  # no compiler, or one for another processor or numpy, which raises whatever it likes
            return None


def loop(*parts: Callable[..., Any]) -> Callable[[Callable[..., Any]], Loop]:
    """Makes a function a `Loop`."""
    return lambda plain: Loop(plain, *parts)
