"""One more process that calls functions of the engine for this one.

It begins with the engine alone: unlike those of `multiprocessing` it does not run the script again
that this process began with, which nobody has written for that.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from tempfile import TemporaryFile
from typing import IO, Any

from engine.core.apart import command, surroundings
from engine.core.pickled import packed
from engine.numerics.jit import allow_compiling

_START = "from engine.experiments.parts.helper import obey; obey()"
PATIENCE = 1.0  # seconds in which a process that closed its pipes ends
LAST = 4_000  # bytes of what a process printed before it died
_lock = threading.Lock()
_asked: SimpleQueue[tuple[bytes, Future[Any]]] | None = None


class Gone(Exception):
    """The process could not be started, or died; the text says of what."""


class Fault(Gone):
    """The function raised something there that is no sentence for the user: a fault of the program,
    or of an algorithm of one's own. The text is the traceback.
    """


def ask(function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
    """`function(*given)` in the other process, which is started for the first call and kept; `Gone`
    where it is no more, `Fault` where the function raised.
    """
    global _asked
    answer: Future[Any] = Future()
    with _lock:
        if _asked is None:
            _asked = SimpleQueue()
            threading.Thread(
                target=_attend, args=(_asked,), name="learnscope-helper", daemon=True
            ).start()
        _asked.put((packed((function, given)), answer))
    return answer


def _attend(asked: "SimpleQueue[tuple[bytes, Future[Any]]]") -> None:
    """Pass calls on, one at a time, and their answers back."""
    process: subprocess.Popen[bytes] | None = None
    with TemporaryFile() as printed:
        while True:
            call, answer = asked.get()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                if process is None or process.poll() is not None:
                    printed.truncate(0)
                    process = _started(printed)
                good, result = _called(process, call)
            except (
                BaseException
            ) as error:  # of pipes, or whatever an answer raises that cannot be unpickled here
                answer.set_exception(Gone(_end_of(process, printed) or str(error)))
                process = None
                continue
            if good:
                answer.set_result(result)
            else:
                answer.set_exception(Fault(result))


def _called(process: "subprocess.Popen[bytes]", call: bytes) -> tuple[bool, Any]:
    """Whether the function returned, and what; else the traceback.

    Raises OSError or EOFError where the process is no more.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(call)
    process.stdin.flush()
    good, result = pickle.load(process.stdout)
    return good, result


def _end_of(process: "subprocess.Popen[bytes] | None", printed: IO[bytes]) -> str:
    """How the process ended, and the last of what it printed; empty where it never ran."""
    if process is None:
        return ""
    try:
        code = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()  # what it answered cannot be read: it is of no more use
        code = process.wait()
    size = printed.seek(0, os.SEEK_END)
    printed.seek(max(0, size - LAST))
    return f"It ended with the code {code}.\n{printed.read().decode('utf-8', 'replace')}".strip()


def _started(printed: IO[bytes]) -> "subprocess.Popen[bytes]":
    """A process that imports the lab and what is installed, nothing from the folder in which the
    user works; what it prints goes to a file.
    """
    return subprocess.Popen(
        command("-c", _START),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=printed,
        **surroundings(),
    )


def obey() -> None:
    """The life of the other process: it ends with the one that asks.

    What it prints goes nowhere near the answers.
    """
    allow_compiling()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the one that asks, and so this one
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            function, given = pickle.load(source)
        except EOFError:
            return
        try:
            answer = packed((True, function(*given)))
        except BaseException:  # also sys.exit() in a page of one's own
            answer = packed((False, traceback.format_exc()))
        answers.write(answer)
        answers.flush()
