"""Which marks of the plane are shown: a setting of the view for each algorithm, not part of the
document, not undone.
"""

from collections.abc import Callable
from typing import Any, Protocol

from engine.document.lane import Lane
from engine.document.lane_run import LaneRun
from engine.judge.held_out_points import held_out
from engine.protocol.step import Step
from engine.scene.layers import Layer
from engine.scene.legend import Mark, legend
from engine.scene.scene import Scene
from engine.table.problem import Problem


class MarkedLane(Protocol):
    """The interface of the lane whose marks `HiddenMarks` hides."""

    problem: Problem | None
    run: LaneRun | None
    cursor: int
    hidden: frozenset[str]

    @property
    def lane(self) -> Lane: ...

    @property
    def step(self) -> Step[Any] | None: ...

    @property
    def own_scene(self) -> Scene: ...


class HiddenMarks:
    """The marks that the person hid: they stay hidden while the window is open, per algorithm."""

    def __init__(self, shown: MarkedLane, changed: Callable[[], object]) -> None:
        """changed: called when other marks are hidden."""
        self._shown, self._changed = shown, changed
        self._hidden: dict[str, frozenset[str]] = {}

    @property
    def hidden(self) -> frozenset[str]:
        """The words of the marks that are hidden for the shown algorithm."""
        return self._hidden.get(self._shown.lane.key, frozenset())

    def show(self, words: str, on: bool) -> None:
        """Show the marks that mean `words`, or hide them."""
        self._hidden[self._shown.lane.key] = self.hidden - {words} if on else self.hidden | {words}
        self._changed()

    def legend(self) -> tuple[Mark, ...]:
        """The marks on the plane at the shown step, hidden ones too; () without a plane."""
        problem = self._shown.problem
        if problem is None or not problem.plane:
            return ()
        return legend((*self._shown.own_scene.layers, *held_out(problem)))

    def held_out(self) -> tuple[Layer, ...]:
        """The layers of the held-out examples.

        Wrong ones are crossed out only where the shown step is judged quickly.
        """
        run = self._shown.run
        bare = "regions" in self._shown.hidden
        if bare or run is None or self._shown.step is None or not run.judging.quick:
            return held_out(self._shown.problem)
        answers = run.judging.says(self._shown.cursor)
        return held_out(self._shown.problem, None if answers is None else answers[1])
