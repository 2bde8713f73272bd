"""Loops over numbers that a compiler takes over once they have cost as much as it does. Needs numba, the extra `fast`.

What a loop does is written once, as plain Python, and runs either way, with the same result to the last bit. To import the
compiler and to compile a loop takes one to two seconds, which nobody shall wait for who clicks points.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Lock
from typing import Any, get_type_hints

COSTS = 20_000_000  # turns of a plain loop take about as long as the compiler does
SHORT = 100  # turns: to hand over the arguments of a compiled loop takes longer than as many plain ones

Numbers = Sequence[float]  # in plain Python a list, which it reads quickest; compiled an array
Truths = Sequence[bool]
Three = tuple[float, float, float]
TYPES = {Numbers: "f8[::1]", Truths: "b1[::1]", Three: "UniTuple(f8, 3)", float: "f8", bool: "b1"}

_compiling = Lock()  # runs of several lanes may ask at once


class Loop:
    """A function whose arguments are of `TYPES`, and whose annotations say so; `parts` are the functions that it calls.

    Called, it is plain Python.
    """

    def __init__(self, plain: Callable[..., Any], *parts: Callable[..., Any]) -> None:
        self.plain, self._parts = plain, parts
        self._tried, self._compiled = False, None
        self.__doc__ = plain.__doc__

    def __call__(self, *values: Any) -> Any:
        return self.plain(*values)

    def compiled_for(self, turns: int, so_far: int) -> Callable[..., Any] | None:
        """The compiled function where it pays: for that many turns, after a run had `so_far`, or once it is there."""
        if turns < SHORT or (so_far < COSTS and not self._tried):
            return None
        return self.compiled()

    def compiled(self) -> Callable[..., Any] | None:
        """None where there is no compiler, or none that works here: then plain Python does it all."""
        with _compiling:
            if not self._tried:
                self._compiled, self._tried = self._compile(), True
        return self._compiled

    def _compile(self) -> Any:
        hints = get_type_hints(self.plain)
        types = ", ".join(TYPES[hint] for name, hint in hints.items() if name != "return")
        try:
            numba = import_module("numba")
            for part in self._parts:
                numba.extending.register_jitable(part)
            return numba.njit(f"({types})", nogil=True)(self.plain)
        except Exception:  # no compiler, or one for another processor or numpy, which raises whatever it likes
            return None


def loop(*parts: Callable[..., Any]) -> Callable[[Callable[..., Any]], Loop]:
    """Makes a function a `Loop`."""
    return lambda plain: Loop(plain, *parts)
