"""What mends that there is no run: the switch that the sentence names, the other reading of whole numbers, another method for
a table that was just opened, the last edit taken back where that made it so, otherwise another method or its defaults."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.core.algorithm import Algorithm
from engine.core.errors import EngineError
from engine.core.problem import Problem
from engine.core.registry import algorithm, algorithms
from engine.core.step import Level, Pace
from engine.data.column_kinds import read_for
from engine.data.own_points import PointKind, as_kind, kind_for
from engine.data.transforms import Transform
from engine.files.document import Document, Lane, lane
from gui.session.lane_run import LaneRun

if TYPE_CHECKING:
    from gui.session.session import Session

A_MOMENT = 0.002  # seconds
OFFERED = {
    PointKind.CLASSES: "Give them classes",
    PointKind.VALUES: "Take them as x and y",
}
INDICATORS = "0/1 columns"  # as sentences call them that say what a table needs


class Remedies:
    """Asked after every edit, also while points are dragged: what the document before it does is found out once."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._asked: tuple[Document, int, bool] | None = None

    def find(self) -> tuple[str, Callable[[], object] | None]:
        """The words of the button and what it does; "" where there is no error or nothing mends it."""
        session = self._session
        if not session.error or not len(session.document.data):
            return "", None
        if (changed := self._with_indicators()) is not None:
            return f"Use {INDICATORS}", lambda: session.edit(changed, f"words as {INDICATORS}")
        if (own := self._other_points()) is not None:
            return OFFERED[kind_for(session.algorithm.needs)], lambda: session.edit(own, "points of another kind")
        if (read := self._with_target_read()) is not None:
            kind = "numbers" if read.data.target and read.data.target.feature.numeric else "classes"
            return f"Read the target as {kind}", lambda: session.edit(read, f"target read as {kind}")
        key = self._other() if self._other_table() else ""
        if not key and self._undo_mends():
            return "Undo", session.undo
        key = key or self._other()
        words = (
            "Use the default parameters" if key == session.lane.key else f"Use {algorithm(key).title}" if key else ""
        )
        return words, (lambda: session.choose(key)) if key else None

    def _with_indicators(self) -> Document | None:
        """The document with its words as 0/1 columns, where the sentence asks for that and it is all that is missing."""
        session = self._session
        if INDICATORS not in session.error or any(t.kind == "one_hot" for t in session.document.transforms):
            return None
        transforms = (*session.document.transforms, Transform("one_hot"))
        changed = replace(session.document, transforms=transforms, plane=(), probe=None)
        return changed if _has_run(changed, session.active) else None

    def _other_points(self) -> Document | None:
        """The document with points drawn by hand as the method learns from them, where they lack what it asks for."""
        document, needs, problem = self._session.document, self._session.algorithm.needs, self._session.problem
        if problem is None or needs.reason(problem) is None or not (needs.labels or needs.values):
            return None
        data = as_kind(document.data, kind_for(needs))
        return None if data is document.data else replace(document, data=data, plane=(), probe=None)

    def _with_target_read(self) -> Document | None:
        """The document with its whole numbers to predict as values or as classes, where that is all that is missing."""
        session = self._session
        data = read_for(session.document.data, session.algorithm.needs)
        if data is session.document.data:
            return None
        changed = replace(session.document, data=data, plane=(), probe=None)
        return changed if _has_run(changed, session.active) else None

    def _other_table(self) -> bool:
        """Whether the last edit brought another table: to take that back would throw away what was just opened."""
        done = self._session.history.done
        return bool(done) and done[-1].before.data.name != self._session.document.data.name

    def _undo_mends(self) -> bool:
        """Whether the shown lane had a run before the last edit."""
        done, active = self._session.history.done, self._session.active
        if not done:
            return False
        before = done[-1].before
        if self._asked is None or self._asked[0] is not before or self._asked[1] != active:
            self._asked = before, active, _has_run(before, active)
        return self._asked[2]

    def _other(self) -> str:
        """A method that runs on the present data with its default parameters: the same one where the parameters were to
        blame, otherwise one of the same family if there is one; "" where none does."""
        problem, here = self._session.problem, self._session.algorithm
        if problem is None:
            return ""
        candidates = self._candidates() if here.needs.reason(problem) is not None else (here.key,)
        return next((key for key in candidates if _runs(lane(key), problem)), "")

    def _candidates(self) -> Iterator[str]:
        """Of the same family first, then those that look at the answers, the least demanding before others."""
        family = self._session.algorithm.family
        yield from sorted(algorithms(), key=lambda key: (algorithm(key).family != family, *_demands(algorithm(key))))


def _demands(each: Algorithm[Any, Any]) -> tuple[bool, int, str]:
    needs = each.needs
    asked = (needs.numeric, needs.binary, needs.discrete, not needs.missing, needs.forecasts, needs.max_classes <= 2)
    return not (needs.labels or needs.values), sum(map(bool, asked)), each.title


def _has_run(document: Document, active: int) -> bool:
    try:
        return active < len(document.lanes) and _runs(document.lanes[active], document.problem())
    except EngineError:
        return False


def _runs(each: Lane, problem: Problem) -> bool:
    """Whether its first step can be made."""
    if each.algorithm.needs.reason(problem) is not None:
        return False
    try:
        run = LaneRun(each, problem, Pace(Level.STEP))
    except EngineError:
        return False
    run.advance(A_MOMENT, 1)
    return not run.error
