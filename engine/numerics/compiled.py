"""Loops over numbers that a compiler takes over once they have cost a process as much as it does.

What a loop does is written once, as plain Python, and runs either way, with the same result to the last bit. To import the
compiler (numba) and to compile a loop takes one to two seconds, for which nobody waits: it happens beside the work.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Lock, Thread
from typing import Any, get_type_hints

COSTS = 20_000_000  # turns of a plain loop take about as long as the compiler does
SHORT = 100  # turns: to hand over the arguments of a compiled loop takes longer than as many plain ones

Numbers = Sequence[float]  # in plain Python a list, which it reads quickest; compiled an array
Changing = list[float]  # the same of numbers that the loop changes in place
Rows = Sequence[Numbers]  # in plain Python a list of lists
Truths = Sequence[bool]
Three = tuple[float, float, float]
TYPES = {
    Numbers: "f8[::1]", Changing: "f8[::1]", Rows: "f8[:, ::1]", Truths: "b1[::1]", Three: "UniTuple(f8, 3)", float: "f8",
    bool: "b1",
}  # fmt: skip

_beginning, _compiling = Lock(), Lock()  # one at a time


class Loop:
    """A function whose arguments are of `TYPES`, and whose annotations say so; `parts` are the functions that it calls.

    Called, it is plain Python.
    """

    def __init__(self, plain: Callable[..., Any], *parts: Callable[..., Any]) -> None:
        self.plain, self._parts = plain, parts
        self._turns = 0  # that the process has spent in plain Python
        self._compiler: Thread | None = None
        self._compiled: Callable[..., Any] | None = None
        self.__doc__ = plain.__doc__

    def __call__(self, *values: Any) -> Any:
        return self.plain(*values)

    def compiled_for(self, turns: int) -> Callable[..., Any] | None:
        """The compiled function where it is there and pays for that many turns. Who gets None goes on in plain Python."""
        if turns < SHORT:
            return None
        if self._compiled is None:
            self._turns += turns
            if self._turns > COSTS:
                self._begin()
        return self._compiled

    def compiled(self) -> Callable[..., Any] | None:
        """Waits for it. None where there is no compiler, or none that works here: then plain Python does it all."""
        self._begin().join()
        return self._compiled

    def _begin(self) -> Thread:
        with _beginning:
            if self._compiler is None:
                self._compiler = Thread(target=self._compile, name="compiler")
                self._compiler.start()
            return self._compiler

    def _compile(self) -> None:
        hints = get_type_hints(self.plain)
        types = ", ".join(TYPES[hint] for name, hint in hints.items() if name != "return")
        try:
            numba = import_module("numba")
            with _compiling:
                for part in self._parts:
                    numba.extending.register_jitable(part)
                self._compiled = numba.njit(f"({types})", nogil=True)(self.plain)
        except Exception:  # no compiler, or one for another processor or numpy, which raises whatever it likes
            return


def loop(*parts: Callable[..., Any]) -> Callable[[Callable[..., Any]], Loop]:
    """Makes a function a `Loop`."""
    return lambda plain: Loop(plain, *parts)
