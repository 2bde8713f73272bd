"""Which marks of the plane are shown: a setting of the view for each algorithm, not part of the document, not undone."""

from collections.abc import Callable
from typing import Any, Protocol

from engine.core.arrays import Int
from engine.core.faults import of_the_user
from engine.core.layers import Layer, Points, Role
from engine.core.problem import Problem, Task
from engine.core.scene import Scene, thinned
from engine.core.step import Step
from engine.core.tags import HELD_OUT_POINTS
from engine.document.lane import Lane
from engine.document.lane_run import LaneRun
from engine.pictures.legend import Mark, legend
from engine.timeline.trace import Trace


class Drawn(Protocol):
    """What is asked of the lane that the marks are drawn for."""

    problem: Problem | None
    run: LaneRun | None
    cursor: int

    @property
    def lane(self) -> Lane: ...

    @property
    def step(self) -> Step[Any] | None: ...

    @property
    def scene(self) -> Scene: ...


class HiddenMarks:
    """What the person hid stays hidden while the window is open, also after other algorithms were looked at."""

    def __init__(self, shown: Drawn, changed: Callable[[], object]) -> None:
        """changed: called when other marks are hidden."""
        self._shown, self._changed = shown, changed
        self._hidden: dict[str, frozenset[str]] = {}

    @property
    def hidden(self) -> frozenset[str]:
        """The words of the marks that the shown algorithm goes without."""
        return self._hidden.get(self._shown.lane.key, frozenset())

    def show(self, words: str, on: bool) -> None:
        """Draw the marks that mean `words`, or go without them."""
        self._hidden[self._shown.lane.key] = self.hidden - {words} if on else self.hidden | {words}
        self._changed()

    def legend(self) -> tuple[Mark, ...]:
        """What is on the plane at the shown step, hidden marks too."""
        problem = self._shown.problem
        if problem is None or not problem.plane:
            return ()
        return legend((*self._shown.scene.layers, *held_out(problem)))

    def held_out(self) -> tuple[Layer, ...]:
        """The held-out examples at the shown step; crosses only where the method finds them quickly."""
        run = self._shown.run
        if run is None or self._shown.step is None or not run.judging.quick:
            return held_out(self._shown.problem)
        told = run.judging.says(self._shown.cursor)
        return held_out(self._shown.problem, None if told is None else told[1])


def held_out(problem: object, says: Int | None = None) -> tuple[Layer, ...]:
    """The examples that are held out for the test, as they stand on the plane; says: their predicted classes (m,), with
    which the wrong ones are crossed."""
    rows = getattr(problem, "held_out", None)
    if not isinstance(rows, Problem):
        return ()
    return (thinned(rows, Points(rows.xy, rows.codes, Role.HELD_OUT, shown=says, tag=HELD_OUT_POINTS)),)


def judged(trace: Trace, at: int) -> Int | None:
    """The classes (m,) that step `at` gives to the held-out examples; None where it gives none, and for clusters, whose
    numbers are no classes."""
    problem, method = trace.problem, trace.algorithm
    if problem.held_out is None or not problem.classes or method.predict is None or method.task is Task.CLUSTER:
        return None
    try:
        return trace.codes(problem.held_out.X, at)
    except (
        BaseException
    ) as fault:  # as in judging: a state that cannot predict yet, or a bug, is no reason to paint nothing
        if of_the_user(fault):
            raise
        return None
