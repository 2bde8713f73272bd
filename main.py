"""Learnscope: without arguments a window; `list`, `run`, `render`, `answers`, `script`, `table`,
`check`, `lesson`, `marks` and `new` work without one.

The commands are in `gui/commands`. Here is what holds for all of them: exit codes, broken pipes,
missing packages, algorithms of one's own.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from gui.commands.console import Parser, failed

# not started from a checkout; engine.base.place says it too, but needs numpy
INSTALLED = __package__ == "learnscope" or getattr(sys, "frozen", False)
FETCH = (
    "pip install --upgrade learnscope" if INSTALLED else "pip install uv && uv run --no-dev main.py"
)
INTERRUPTED = 130
OWN = "--algorithms"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 2 the caller can mend it (one sentence on stderr), 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.version_info < (3, 11):  # noqa: UP036 - started by hand, without uv
        return failed("Learnscope needs Python 3.11 or newer.")
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a terminal may not know η or −
        stream.reconfigure(errors="replace")
    try:
        return flushed(dispatch, arguments)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in ("engine", "gui"):
            raise
        return failed(
            f"Learnscope needs the Python package “{missing.name}”; this fetches all of them:"
            f" {FETCH}"
        )
    except BrokenPipeError:  # `main.py list | head`: the reader has seen enough
        silence(sys.stdout)
        return 0
    except OSError as fault:
        if fault.filename is not None:  # not the output: a fault of the program
            raise
        silence(sys.stdout)
        return failed(f"The output could not be written: {fault.strerror or fault}.")
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        settle(sys.stderr)


def settle(stream: TextIO | None) -> None:
    """What was printed leaves now; where it cannot, Python shall not try again at its end, with a
    code of its own.
    """
    try:
        if stream is not None:
            stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO | None) -> None:
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def flushed(command: Callable[[list[str]], int], arguments: list[str]) -> int:
    """The exit code of the command, after all it printed has left."""
    try:
        return command(arguments)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def dispatch(arguments: list[str]) -> int:
    from engine.base.errors import EngineError
    from gui.commands.arguments import for_argparse
    from gui.commands.verbs import COMMANDS

    try:
        arguments = with_own_algorithms(arguments)
        if arguments and arguments[0] in COMMANDS:
            from engine.numerics.jit import allow_compiling

            allow_compiling()
            return COMMANDS[arguments[0]](for_argparse(arguments[1:]))
        return open_window(arguments)
    except EngineError as sentence:
        return failed(str(sentence))


def with_own_algorithms(arguments: list[str]) -> list[str]:
    """The arguments without `--algorithms PLACE`, whose algorithms are known from now on."""
    if OWN not in arguments:
        return arguments
    at = arguments.index(OWN)
    if at + 1 == len(arguments):
        raise SystemExit(failed(f"{OWN} needs a file or a folder with algorithms of your own."))
    from engine.protocol.registry import add_algorithms

    add_algorithms(arguments[at + 1])
    return with_own_algorithms(arguments[:at] + arguments[at + 2 :])


def open_window(arguments: list[str]) -> int:
    file, playlist = wanted_file(arguments) if arguments else (None, "")
    if playlist and not os.path.exists(playlist):
        return failed(f"There is no playlist “{playlist[:200]}”.")
    if file is not None and not os.path.exists(file):
        from gui.commands.verbs import COMMANDS

        return failed(
            f"There is no file “{file if len(file) <= 200 else file[:199] + '…'}”; the commands are"
            f" {', '.join(COMMANDS)}."
        )
    gc.disable()  # what is imported stays; the window takes over from here (gui/session/garbage.py)
    import engine  # noqa: F401 - before Qt, whose binding reads the source of every module that comes after it
    from gui.launch import check_start

    trouble = check_start()
    if trouble:
        return failed(trouble)
    from gui.app import main as open_lab

    # Qt's loop would never hand Ctrl-C to Python; autosave keeps the work
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return int(open_lab([sys.argv[0], *([file] if file else [])], playlist))


def wanted_file(arguments: list[str]) -> tuple[str | None, str]:
    """(file, playlist) that the window shall open, None and "" where the arguments name none."""
    from engine.base.place import PROGRAM

    parser = Parser(
        PROGRAM,
        description="Watch machine learning happen.",
        epilog=(
            f"Without a window: “{PROGRAM} list”, “{PROGRAM} run …”, “{PROGRAM} render …”; each"
            " explains itself with --help."
        ),
    )
    parser.add_argument(
        "file",
        nargs="?",
        help=(
            "a project (.learnscope), a lesson (.lesson, .toml) or a table (CSV, Excel, ODS, ARFF,"
            " LIBSVM, JSON, Parquet …) to open"
        ),
    )
    parser.add_argument(
        "--playlist",
        default="",
        metavar="FILE",
        help="a text file with a place of the books or a project in each line; Page Down walks on",
    )
    found = parser.parse_args(arguments)
    return found.file, found.playlist


if __name__ == "__main__":
    sys.exit(main())
