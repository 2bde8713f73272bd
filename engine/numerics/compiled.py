"""Loops over numbers whose machine code lies in the user's cache folder, ready in the first fit of
the next start.

What a loop does is written once, as plain Python, and runs either way, with the same result to the
last bit. The compiler (numba) takes a second or two: a process that has spent a few milliseconds on
loops starts another one for it, which outlives it where need be, and goes on in plain Python until
the code is there. To load it takes a millisecond, and no compiler (`machine_code` tells how).
"""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from stat import S_ISLNK, S_ISVTX, S_IWGRP, S_IWOTH
from threading import get_ident
from typing import Any, get_args, get_type_hints

import numpy as np

from engine.core.apart import command, surroundings
from engine.core.records import cached_property

# turns of plain loops, some milliseconds: whoever spends them will be glad of the compiler next
# time
WORTH = 20_000
AGAIN = 100_000  # turns until one looks again whether the code is there
# turns that take longer than to load an object, for which llvmlite must be imported
SLOW = 1_000_000
# turns: to hand over the arguments of a compiled loop takes longer than as many plain ones
SHORT = 200

Numbers = Sequence[float]  # in plain Python a list, which it reads quickest; compiled an array
Changing = list[float]  # the same of numbers that the loop changes in place
Rows = Sequence[Numbers]  # in plain Python a list of lists
ChangingRows = list[Numbers]
Table = list[Changing]
Truths = Sequence[bool]
Places = Sequence[int]
Three = tuple[float, float, float]
ARRAYS: dict[Any, tuple[Any, int]] = {  # type of the numbers, dimensions; all contiguous
    Numbers: (np.float64, 1),
    Changing: (np.float64, 1),
    Rows: (np.float64, 2),
    ChangingRows: (np.float64, 2),
    Table: (np.float64, 2),
    Truths: (np.bool_, 1),
    Places: (np.int64, 1),
}
SINGLE: dict[Any, tuple[Any, ...]] = {  # as C takes them
    float: (ctypes.c_double,),
    bool: (ctypes.c_bool,),
    int: (ctypes.c_int64,),
    Three: (ctypes.c_double,) * 3,
}

_hurried: set[int] = set()  # threads that have no twentieth of a second to spare
_asked: list[Any] = []  # another process, to compile for this one
_passing: list[Any] = []  # a folder that goes with the process


def never_compile_here() -> None:
    """The thread that asks runs loops that are compiled, but leaves to others what takes long: a
    window's.
    """
    _hurried.add(get_ident())


class Loop:
    """A function whose arguments are of `ARRAYS` and `SINGLE`, and whose annotations say so;
    `parts` are the functions that it calls.

    Called, it is plain Python.
    """

    spent = 0  # turns that the process has spent in plain Python

    def __init__(self, plain: Callable[..., Any], *parts: Callable[..., Any]) -> None:
        self.plain, self.parts = plain, parts
        self._look_at: float = 0  # turns of the process, at which one looks for the code
        self._compiled: Compiled | None = None
        self.__doc__ = plain.__doc__

    def __call__(self, *values: Any) -> Any:
        return self.plain(*values)

    def compiled_for(self, turns: int) -> "Compiled | None":
        """The compiled function where it is there and pays for that many turns; None: go on in
        plain Python.
        """
        if turns < SHORT:
            return None
        if self._compiled is None:
            Loop.spent += turns
            if Loop.spent >= self._look_at:
                self._look_at = Loop.spent + AGAIN if Loop.spent >= WORTH else WORTH
                self._compiled = self._found(get_ident() not in _hurried and Loop.spent > SLOW)
                if self._compiled is None and Loop.spent >= WORTH:
                    ask(self)
        return self._compiled

    def compiled(self) -> "Compiled | None":
        """Now, in this process, whatever it takes; None where there is no compiler, or none that
        works here.
        """
        if self._compiled is None and compiler() is not None:
            try:
                import_module("engine.numerics.machine_code").keep(self, folder())
            except Exception:  # a compiler for another processor or numpy raises whatever it likes
                return None
            self._compiled = self._found(True)
        return self._compiled

    @cached_property
    def name(self) -> str:
        """Of the file with the machine code: another one for whatever would change it."""
        told = (
            compiler(),
            sys.version,
            machine(),
            [_written(part) for part in (self.plain, *self.parts)],
        )
        return f"{self.plain.__name__}-{sha256(repr(told).encode()).hexdigest()[:24]}"

    def _found(self, slow: bool) -> "Compiled | None":
        """What lies in the cache; slow: also what takes a twentieth of a second to load."""
        if compiler() is None:
            return None
        try:
            if usable(file := folder() / f"{self.name}.so"):
                return Compiled(self.plain, ctypes.CDLL(str(file)).entry)
            if slow and usable(file := file.with_suffix(".o")):
                return Compiled(
                    self.plain, import_module("engine.numerics.machine_code").loaded(file)
                )
        except Exception:  # a folder whose programs may not run, a file that is none
            self._look_at = np.inf
        return None


def loop(*parts: Callable[..., Any]) -> Callable[[Callable[..., Any]], Loop]:
    """Makes a function a `Loop`."""
    return lambda plain: Loop(plain, *parts)


class Compiled:
    """A function of C as one of Python with the arguments of `plain`: arrays are their address and
    shape; the result is written to numbers at the end.
    """

    def __init__(self, plain: Callable[..., Any], entry: Any) -> None:
        hints = get_type_hints(plain)
        answer = hints.pop("return")
        self._kinds = () if answer is type(None) else get_args(answer) or (answer,)
        types: list[Any] = []
        for hint in hints.values():
            types += (
                (ctypes.c_void_p, *[ctypes.c_int64] * ARRAYS[hint][1])
                if hint in ARRAYS
                else SINGLE[hint]
            )
        entry.argtypes = (*types, ctypes.c_void_p)
        entry.restype = None
        self._name, self._entry, self._room = (
            plain.__name__,
            entry,
            ctypes.c_double * max(1, len(self._kinds)),
        )
        self._wanted = [
            (np.dtype(ARRAYS[h][0]), ARRAYS[h][1]) if h in ARRAYS else None for h in hints.values()
        ]

    def __call__(self, *values: Any) -> Any:
        return self._told(self._in_c(values))

    def holding(self, *held: Any) -> Callable[..., Any]:
        """The function of the other arguments: what these are in C is found out once for many
        calls.
        """
        first = self._in_c(held)

        def run(*values: Any) -> Any:
            # `held` keeps the arrays alive
            return self._told([*first, *self._in_c(values, len(held))])

        return run

    def _told(self, given: Sequence[Any]) -> Any:
        self._entry(*given, out := self._room())
        if len(self._kinds) > 1:
            return tuple([kind(number) for kind, number in zip(self._kinds, out, strict=True)])
        return self._kinds[0](out[0]) if self._kinds else None

    def _in_c(self, values: Sequence[Any], at: int = 0) -> list[Any]:
        given: list[Any] = []
        for value, array in zip(values, self._wanted[at : at + len(values)], strict=True):
            if array is None:
                given += value if type(value) is tuple else (value,)
            elif value.dtype == array[0] and value.flags.c_contiguous and value.ndim == array[1]:
                given += (_Array.from_address(id(value)).data, *value.shape)
            else:
                raise TypeError(
                    f"{self._name} takes whole arrays, {array[0]} in {array[1]} dimensions"
                )
        return given


class _Array(ctypes.Structure):
    """How an array begins, as numpy promises it to programs in C: to ask the array itself for its
    address takes a microsecond, longer than a short loop.
    """

    _fields_ = (("head", ctypes.c_byte * object.__basicsize__), ("data", ctypes.c_void_p))


@cache
def compiler() -> str | None:
    """Which one is installed, without importing it; None: there is none, or somebody has switched
    it off.
    """
    found = find_spec("numba")
    if found is None or found.origin is None or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    return (Path(found.origin).parent / "_version.py").read_text("utf-8", "replace")


@cache
def folder() -> Path:
    """Where machine code is kept from start to start; where nothing can be written, or others can
    write, for this process alone.
    """
    for place in _places():
        try:
            for above in reversed((place, *place.parents)):
                above.mkdir(exist_ok=True, mode=0o700)
            place = place.resolve(strict=True)
            if safe(place) and (os.access(place, os.W_OK) or any(place.iterdir())):
                return place
        except OSError:
            continue
    from tempfile import TemporaryDirectory

    _passing.append(TemporaryDirectory(prefix="learnscope-"))
    return Path(_passing[0].name)


def usable(file: Path) -> bool:
    """Whether there is a file of machine code that may run: it belongs to the user, who alone can
    write to it.
    """
    return file.exists() and _own(file)


def safe(folder: Path) -> bool:
    """Whether the user alone decides what lies in a folder, given by a path without links: it is
    the user's, who alone can write to it, and no other user can put another one in its place.
    Raises OSError where it cannot be looked at.
    """
    if sys.platform == "win32":  # has other rights, and a cache folder within the user's profile
        return True
    return _own(folder) and all(map(_stays, folder.parents))


def _own(place: Path) -> bool:
    """Whether a file or folder, and no link to one, belongs to this process's user, who alone can
    write to it.
    """
    if sys.platform == "win32":
        return True
    found = place.lstat()
    return (
        not S_ISLNK(found.st_mode)
        and found.st_uid == os.geteuid()
        and not found.st_mode & (S_IWGRP | S_IWOTH)
    )


def _stays(above: Path) -> bool:
    """Whether what lies in a folder is not replaced by another user: the owner may, and everyone
    where all can write, unless each only what is their own, as in /tmp. The group may be the user's
    private one.
    """
    found = above.stat()
    return found.st_uid in (0, os.geteuid()) and (
        not found.st_mode & S_IWOTH or bool(found.st_mode & S_ISVTX)
    )


def _places() -> list[Path]:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        above = (
            Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
            / "Learnscope"
            / "Cache"
        )
    elif sys.platform == "darwin":
        above = home / "Library" / "Caches" / "Learnscope"
    else:
        above = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "learnscope"
    return [above / "loops"] if above.is_absolute() else []


def ask(wanted: Loop) -> None:
    """Another process shall compile this loop, and then all others: once, and where they can be
    kept; nowhere if LEARNSCOPE_COMPILE=never.
    """
    never = getattr(sys, "frozen", False) or os.environ.get("LEARNSCOPE_COMPILE") == "never"
    if (
        never
        or _asked
        or not sys.executable
        or compiler() is None
        or not os.access(folder(), os.W_OK)
    ):
        return
    import subprocess

    place = f"{wanted.plain.__module__}:{wanted.plain.__name__}"
    # what interrupts this process is not meant for it
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {
            "creationflags": subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS
        }
    with suppress(OSError):
        process = subprocess.Popen(
            command("-m", "engine.numerics.machine_code", str(folder()), place),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **surroundings(),
            **apart,
        )
        _asked.append(process)
        process.returncode = 0  # nobody waits for it


def _written(function: Callable[..., Any]) -> Any:
    """What a function does: its code, and the numbers it finds outside."""
    code, around = function.__code__, function.__globals__
    numbers = {
        name: around[name] for name in code.co_names if isinstance(around.get(name), float | int)
    }
    return (
        code.co_code,
        code.co_names,
        code.co_consts,
        numbers,
        sorted(get_type_hints(function).items(), key=str),
    )
