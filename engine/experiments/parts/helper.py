"""One more process that calls functions of the engine for this one. It begins with the engine alone: unlike those of
`multiprocessing` it does not run the script again that this process began with, which nobody has written for that."""

import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

from engine.core.arrays import frozen

ROOT = Path(__file__).resolve().parents[3]
_START = "from engine.experiments.parts.helper import obey; obey()"
_lock = threading.Lock()
_asked: SimpleQueue[tuple[bytes, Future[Any]]] | None = None


class Gone(Exception):
    """The process could not be started, or died."""


def ask(function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
    """`function(*given)` in the other process, which is started for the first call and kept; `Gone` where it is no more."""
    global _asked
    answer: Future[Any] = Future()
    with _lock:
        if _asked is None:
            _asked = SimpleQueue()
            threading.Thread(target=_attend, args=(_asked,), name="learnscope-helper", daemon=True).start()
        _asked.put((packed((function, given)), answer))
    return answer


class _Pickler(pickle.Pickler):
    """Pickle makes a writable array of each one: those that nobody can write to stay so, states are made of them."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is np.ndarray and not value.flags.writeable:
            return frozen, (value.copy(),)
        return NotImplemented


def packed(value: Any) -> bytes:
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()


def _attend(asked: "SimpleQueue[tuple[bytes, Future[Any]]]") -> None:
    """Pass calls on, one at a time, and their answers back."""
    process: subprocess.Popen[bytes] | None = None
    while True:
        call, answer = asked.get()
        if not answer.set_running_or_notify_cancel():
            continue
        try:
            if process is None or process.poll() is not None:
                process = _started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(call)
            process.stdin.flush()
            good, told = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as fault:
            process = None
            answer.set_exception(Gone(str(fault)))
            continue
        if good:
            answer.set_result(told)
        else:
            answer.set_exception(Gone(told))


def _started() -> subprocess.Popen[bytes]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    told = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", _START], env=told, stdin=pipe, stdout=pipe, stderr=nowhere)


def obey() -> None:
    """The life of the other process: it ends with the one that asks. What it prints goes nowhere near the answers."""
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            function, given = pickle.load(source)
        except EOFError:
            return
        try:
            told = True, function(*given)
        except Exception as fault:
            told = False, f"{type(fault).__name__}: {fault}"
        answers.write(packed(told))
        answers.flush()
