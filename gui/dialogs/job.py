"""Work in the background for a dialog that reads or writes.

A job has one thread; starting new work cancels what is under way.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from engine.base.errors import EngineError
from gui.session.garbage import hold, release

T = TypeVar("T")
Tick = Callable[[float], bool]
EVERY = 0.03  # seconds between two reports
# seconds of work between two rests, in which the window's thread gets the interpreter
WORK, REST = 0.002, 0.001
# seconds after which work that waits for the window's thread checks whether it was cancelled
ANSWER = 2.0
UNFORESEEN = (
    "This table cannot be read: its contents are not understood. Save it as CSV in UTF-8 and open"
    " that."
)

_log = logging.getLogger(__name__)
_running: set["Job"] = set()  # keeps jobs alive, so that only the window's thread destroys them


class _Pass:
    """One piece of work under way.

    stopped: whether it was cancelled
    """

    def __init__(self, report: Callable[["_Pass", float], None]) -> None:
        self.stopped = False
        self._report = report
        self._last = 0.0
        self._woken = 0.0

    def tick(self, fraction: float) -> bool:
        """Report the share that is done; returns False if the work was cancelled."""
        now = time.perf_counter()
        if now - self._woken > WORK:
            time.sleep(REST)
            self._woken = time.perf_counter()
        if now - self._last > EVERY and not self.stopped:
            self._last = now
            self._report(self, fraction)
        return not self.stopped


class Job(QObject):
    """Runs work on a thread and reports on the window's thread; nothing comes after `cancel`.

    done: signal (result) with what the work returned, or the EngineError that it raised
    moved: signal (fraction) with the share that is done
    """

    done = Signal(object)
    moved = Signal(float)
    _ended = Signal(object, object)
    _moved = Signal(object, float)
    _requested = Signal(object, object)

    def __init__(self, unforeseen: str = UNFORESEEN) -> None:
        """> unforeseen: the sentence shown after an unexpected exception"""
        super().__init__()
        self._unforeseen = unforeseen
        self._now: _Pass | None = None
        self._wish: Callable[[Tick], Any] | None = None
        self._ended.connect(self._on_ended)
        self._moved.connect(self._on_moved)
        self._requested.connect(self._answer)

    @property
    def busy(self) -> bool:
        return self._wish is not None or (self._now is not None and not self._now.stopped)

    def start(self, work: Callable[[Tick], Any]) -> None:
        """Run `work(tick)` in the background; cancels the work under way."""
        self.cancel()
        self._wish = work
        self._next()

    def cancel(self) -> None:
        self._wish = None
        if self._now is not None:
            self._now.stopped = True

    def ask(self, work: Callable[[], T]) -> T:
        """The result of `work()`, run on the window's thread, which alone may paint.

        Called by the running work; raises what `work()` raises, and TimeoutError if the job was
        cancelled.
        """
        reply: Future[T] = Future()
        now = self._now
        self._requested.emit(work, reply)
        while True:
            try:
                return reply.result(ANSWER)
            except TimeoutError:  # wait for a busy window, but not after a cancel
                if reply.done() or now is None or now.stopped:
                    raise

    def _next(self) -> None:
        if self._now is not None or self._wish is None:
            return
        work = self._wish
        self._wish = None
        self._now = _Pass(self._moved.emit)
        _running.add(self)
        # a collection on this thread could destroy Qt objects; one among a million rows would also
        # stop the window
        hold()
        threading.Thread(
            target=self._run, args=(work, self._now), name="learnscope-reading", daemon=True
        ).start()

    def _run(self, work: Callable[[Tick], Any], now: _Pass) -> None:
        try:
            result: Any = work(now.tick)
        except EngineError as fault:
            result = fault
        except BaseException:
            if not now.stopped:
                _log.exception("Work for a dialog failed")
            result = EngineError(self._unforeseen)
        with suppress(RuntimeError):  # the program has ended, and Qt's part of this job with it
            self._ended.emit(now, result)

    def _on_moved(self, which: _Pass, fraction: float) -> None:
        if which is self._now and not which.stopped:
            self.moved.emit(fraction)

    def _on_ended(self, which: _Pass, result: Any) -> None:
        release()
        self._now = None
        _running.discard(self)
        if not which.stopped:
            self.done.emit(result)
        self._next()

    def _answer(self, work: Callable[[], Any], reply: "Future[Any]") -> None:
        """Run the work of `ask`; this slot runs on the window's thread, where the job lives."""
        try:
            reply.set_result(work())
        except BaseException as fault:  # raised again in the calling thread
            reply.set_exception(fault)
