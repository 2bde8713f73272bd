"""The page of a document: its lanes in lockstep."""

from typing import Any

from engine.base.errors import EngineError
from engine.document.document import Document
from engine.protocol.step import Level
from engine.runs.run import Run, pace_of
from engine.runs.start import Start
from engine.web.page import MOST, Progress, Shown, chips_of, page

BATCH = 500  # steps that are recorded before it is seen whether they are enough


def page_of(
    document: Document,
    unit: Level = Level.STEP,
    first: int = 0,
    last: int | None = None,
    progress: Progress = lambda done, all_: True,
) -> str:
    """The page of all lanes of a document, from step `first` to `last`, counted in `unit`.

    Raises EngineError.
    """
    states: dict[Start, Any] = {}
    shown = []
    shared = document.problem()
    wanted = MOST + first + 1 if last is None else last + 1
    for index, lane in enumerate(document.lanes):
        own = lane.data is not None
        problem = document.of_lane(index).problem() if own else shared
        run = Run(
            lane.algorithm,
            problem,
            lane.params,
            lane.seed,
            pace_of(unit, problem.n),
            lane.start,
            states=states,
            shared=shared,
            branches=lane.branches,
        )
        while len(run.trace.indices(unit)) < wanted and run.advance(
            max_steps=len(run.trace) + BATCH
        ):
            pass
        shown.append(Shown(run.trace, document.data.name, chips_of(run.trace), document.view))
    if not shown:
        raise EngineError("The project has no lane: there is nothing to step through.")
    most = max(len(each.trace.indices(unit)) for each in shown)
    return page(
        shown, unit, range(first, most if last is None else min(most, last + 1)), progress=progress
    )
