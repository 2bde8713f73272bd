"""Work in the background for a dialog, reading or writing: one thread, the latest wish wins, the
window goes on.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from engine.base.errors import EngineError
from gui.session.garbage import hold, release

T = TypeVar("T")
Tick = Callable[[float], bool]
EVERY = 0.03  # seconds between two reports
# the window repaints in the rests; without them it would wait for every single cell
WORK, REST = 0.002, 0.001
ANSWER = 2.0  # seconds after which work that was given up waits no longer for the window's thread
UNFORESEEN = (
    "This table cannot be read: its contents are not understood. Save it as CSV in UTF-8 and open"
    " that."
)

_log = logging.getLogger(__name__)
_running: set["Job"] = set()  # the window's thread lets go of a job, never the thread that ends


class _Pass:
    """One piece of work under way. `tick(fraction)` reports and says whether to go on."""

    def __init__(self, report: Callable[["_Pass", float], None]) -> None:
        self.stopped = False
        self._report = report
        self._last = 0.0
        self._woken = 0.0

    def tick(self, fraction: float) -> bool:
        now = time.perf_counter()
        if now - self._woken > WORK:
            time.sleep(REST)
            self._woken = time.perf_counter()
        if now - self._last > EVERY and not self.stopped:
            self._last = now
            self._report(self, fraction)
        return not self.stopped


class Job(QObject):
    """done(result): what the work gave, or the EngineError it raised; moved(fraction).

    Nothing comes after cancel().
    """

    done = Signal(object)
    moved = Signal(float)
    _ended = Signal(object, object)
    _moved = Signal(object, float)
    _asked = Signal(object, object)

    def __init__(self, unforeseen: str = UNFORESEEN) -> None:
        """unforeseen: the sentence after a fault of the program"""
        super().__init__()
        self._unforeseen = unforeseen
        self._now: _Pass | None = None
        self._wish: Callable[[Tick], Any] | None = None
        self._ended.connect(self._on_ended)
        self._moved.connect(self._on_moved)
        self._asked.connect(self._answer)

    @property
    def busy(self) -> bool:
        return self._wish is not None or (self._now is not None and not self._now.stopped)

    def start(self, work: Callable[[Tick], Any]) -> None:
        """Do `work(tick)` next; what is under way is given up."""
        self.cancel()
        self._wish = work
        self._next()

    def cancel(self) -> None:
        self._wish = None
        if self._now is not None:
            self._now.stopped = True

    def ask(self, work: Callable[[], T]) -> T:
        """Called by the work: what `work()` gives, or raises, on the window's thread, which alone
        may paint.
        """
        reply: Future[T] = Future()
        now = self._now
        self._asked.emit(work, reply)
        while True:
            try:
                return reply.result(ANSWER)
            except TimeoutError:  # a busy window is waited for, one that was left is not
                if reply.done() or now is None or now.stopped:
                    raise

    def _next(self) -> None:
        if self._now is not None or self._wish is None:
            return
        work = self._wish
        self._wish = None
        self._now = _Pass(self._moved.emit)
        _running.add(self)
        # also since a search for cycles among a million rows, which have none, would stop the
        # window for 100 ms
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
        """On the window's thread, where this object lives."""
        try:
            reply.set_result(work())
        except BaseException as fault:  # the thread that asked is to have it
            reply.set_exception(fault)
