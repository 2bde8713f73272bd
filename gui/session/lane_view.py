"""One lane as it is shown: its run, the step that the clock is at, the picture of that step, its surfaces and answers."""

from typing import Any

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.scene import Scene
from engine.core.step import Step
from engine.document.lane_run import LaneRun
from engine.timeline.trace import Trace
from gui.session.surfaces import Surfaces


class LaneView:
    """run: None where the algorithm cannot take the data; cursor: the step that is shown; wanted: the one that was asked
    for, which may not be recorded yet. The session makes one for each lane and moves the clock."""

    def __init__(self, run: LaneRun | None = None) -> None:
        self.run = run
        self.cursor = self.wanted = 0
        self._scene: tuple[Any, Scene] | None = None

    @property
    def trace(self) -> Trace | None:
        return self.run.trace if self.run is not None else None

    @property
    def step(self) -> Step[Any] | None:
        return self.trace[self.cursor] if self.trace is not None and len(self.trace) else None

    @property
    def finished(self) -> bool:
        return self.run is None or self.run.over

    @property
    def scene(self) -> Scene:
        """The picture of the shown step; made once per step."""
        run, step = self.run, self.step
        if run is None or step is None:
            return Scene()
        key = (run.id, self.cursor)
        if self._scene is None or self._scene[0] != key:
            self._scene = (key, run.trace.algorithm.scene(run.trace.given, step))
        return self._scene[1]

    def explanation(self, x: Any) -> Explanation | None:
        """Why the shown model labels the row x (d,) as it does; None when it cannot say."""
        trace, step = self.trace, self.step
        if trace is None or step is None or trace.algorithm.explain is None:
            return None
        return trace.algorithm.explain(trace.given, step.state, np.asarray(x, np.float64))

    def raster(
        self, surfaces: Surfaces, name: str, x: tuple[float, float], y: tuple[float, float], still: bool = True
    ) -> Any:
        """Surface `name` of the shown step over the ranges x and y; still: time enough for a fine one."""
        if self.run is None or self.step is None:
            return None
        if name != "class" and name not in self.run.trace.algorithm.fields:
            return None
        still = still and not (self.cursor < self.wanted and not self.finished)
        return surfaces.raster(self.run.id, self.run.trace, self.cursor, name, x, y, still)
