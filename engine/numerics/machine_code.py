"""Machine code of loops, made once and kept in a folder: `python -m engine.numerics.machine_code
FOLDER module:loop` makes all there is.

Code for any processor of the kind, which calls nothing but the C library: no Python, no compiler.
Where the system has a linker it becomes a shared library, which any process loads in a millisecond;
else it stays an object, which llvmlite loads in forty.
"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any, get_args, get_type_hints

from engine.core.place import ROOT
from engine.numerics.compiled import ARRAYS, SINGLE, Loop, safe, usable

# A shared library lies anywhere; where there is none, the code lies as numba's own does.
PLACED = (
    {"reloc": "pic", "codemodel": "small"}
    if sys.platform == "linux"
    else {"codemodel": "jitdefault"}
)
PATIENCE = 120.0  # seconds after which nobody is at work any more
RAISED = re.compile(
    r"^declare (?P<type>\w+) (?P<name>@(?:Py|numba_|NRT_)\w+)(?P<rest>\(.*\)).*$", re.MULTILINE
)
HERE = re.compile(r"^define (?:linkonce_odr )?(?!.*@entry\()", re.MULTILINE)
_loaded: list[Any] = []  # llvmlite frees the code of what nobody holds


def keep(loop: Loop, folder: Path) -> None:
    """Its file appears whole or not at all, so that two processes may do the same.

    Raises what the compiler, linker or disk raises.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="making-") as place:
        made = Path(place) / "loop.o"
        made.write_bytes(emitted(loop))
        linker = which("cc") or which("ld") if sys.platform == "linux" else None
        if linker and linked(linker, made, library := made.with_suffix(".so")):
            made = library
        made.chmod(0o700)  # whatever the umask: others could write machine code that runs here
        os.replace(made, folder / f"{loop.name}{made.suffix}")


def linked(linker: str, made: Path, library: Path) -> bool:
    given = [linker, "-shared", "-o", str(library), str(made), "-lm"]
    return subprocess.run(given, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def emitted(loop: Loop) -> bytes:
    """An object with the one function `entry`."""
    llvm: Any = import_module("llvmlite.binding")
    written = entry(loop)
    text = re.sub(rf'@"?{re.escape(written.native_name)}"?', "@entry", written.inspect_llvm())
    text = HERE.sub("define internal ", text)
    text = re.sub(
        r"^(@PyExc_\w+) = external .*$", r"\1 = internal global i8 0", text, flags=re.MULTILINE
    )
    # the loops raise nothing: what would tell of it is never called
    text = RAISED.sub(_silent, text)
    target = llvm.Target.from_default_triple().create_target_machine(opt=3, **PLACED)
    return bytes(target.emit_object(llvm.parse_assembly(text)))


def _silent(found: re.Match[str]) -> str:
    nothing = {"void": "void", "ptr": "ptr null"}.get(found["type"], f"{found['type']} 0")
    return f"define internal {found['type']} {found['name']}{found['rest']} {{\n  ret {nothing}\n}}"


def entry(loop: Loop) -> Any:
    """numba's function of C as `compiled.Compiled` calls it."""
    numba: Any = import_module("numba")
    types = numba.types
    for part in loop.parts:
        numba.extending.register_jitable(part)
    hints = get_type_hints(loop.plain)
    answer = hints.pop("return")
    given = list[str]()
    values = list[str]()
    kinds = list[Any]()
    for k, hint in enumerate(hints.values()):
        number, size = ARRAYS.get(hint, (None, len(SINGLE.get(hint, ()))))
        names = [f"v{k}_{i}" for i in range(size)]
        if number:
            given += (f"a{k}", *names)
            kinds += (types.CPointer(numba.from_dtype(number)), *[types.int64] * size)
            values.append(f"carray(a{k}, ({', '.join(names)},))")
        else:
            given += names
            kinds += [
                types.boolean if hint is bool else types.int64 if hint is int else types.float64
            ] * size
            values.append(f"({', '.join(names)})")
    told = ", ".join(f"out[{i}]" for i in range(len(get_args(answer)) or answer is not type(None)))
    line = f"{told} = body" if told else "body"
    space = {"body": numba.njit(loop.plain), "carray": numba.carray}
    exec(f"def entry({', '.join(given)}, out):\n    {line}({', '.join(values)})\n", space)
    return numba.cfunc(types.void(*kinds, types.CPointer(types.float64)))(space["entry"])


def loaded(file: Path) -> Any:
    """The function of an object, in this process."""
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(**PLACED)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(file.read_bytes()))
    engine.finalize_object()
    _loaded.append(engine)
    return ctypes.CFUNCTYPE(None)(engine.get_function_address("entry"))


def all_loops() -> Iterator[Loop]:
    for file in sorted((ROOT / "engine").rglob("*.py")):
        if "\n@loop(" in file.read_text("utf-8"):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield from (
                each for each in vars(import_module(name)).values() if isinstance(each, Loop)
            )


def named(place: str) -> Loop:
    """`module:loop`"""
    module, _, name = place.partition(":")
    found: Loop = getattr(import_module(module), name)
    return found


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Whether nobody else is at work in this folder."""
    sign = folder / "at-work"
    with suppress(OSError):
        if time.time() - sign.stat().st_mtime > PATIENCE:
            sign.unlink()
    try:
        with sign.open("x") as file:
            file.write(str(os.getpid()))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        sign.unlink(missing_ok=True)


def keep_all(folder: Path, loops: Iterable[Loop]) -> None:
    for loop in loops:
        if not any(usable(folder / f"{loop.name}{kind}") for kind in (".so", ".o")):
            keep(loop, folder)


def main(folder: str, first: str) -> None:
    place = Path(folder).resolve()
    if not place.is_dir() or not safe(place):
        return
    with alone(place) as free, suppress(Exception):
        if free:
            keep_all(place, [named(first)])
            keep_all(place, all_loops())


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # whoever asked goes first
    main(*sys.argv[1:])
