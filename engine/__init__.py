"""The public names of the engine: what scripts, tests and the window build on.

It knows no screen.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import engine.algorithms  # noqa: F401 - bound here first, so that the function of the same name below is not hidden by it later
from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.protocol.algorithm import Algorithm, Explanation, Needs
from engine.protocol.moment import Branches
from engine.protocol.registry import algorithm, algorithms
from engine.protocol.step import Level, Pace, Step
from engine.read.column_kinds import read_for
from engine.runs.run import MAX_STEPS, Run, run_problem
from engine.runs.start import Start
from engine.runs.trace import Trace
from engine.sources.generators import GENERATORS, generate
from engine.table.dataset import Column, ColumnRole, Dataset, Feature, Kind
from engine.table.prepare import Split, Transform, prepare
from engine.table.problem import Problem, Task

if TYPE_CHECKING:
    from engine.files.project import load_project, save_project
    from engine.read.frames import from_frame
    from engine.read.guess import TableOptions
    from engine.read.tables import open_table
    from engine.sources.real import REAL, real
    from engine.sources.textbook import TEXTBOOK, textbook

__version__ = "0.1.0"
_LAZY = {  # what a start does without
    "engine.read.frames": ("from_frame",),
    "engine.read.guess": ("TableOptions",),
    "engine.sources.real": ("REAL", "real"),
    "engine.read.tables": ("open_table",),
    "engine.sources.textbook": ("TEXTBOOK", "textbook"),
    "engine.files.project": ("load_project", "save_project"),
}


def __getattr__(name: str) -> Any:
    for module, names in _LAZY.items():
        if name in names:
            globals()[name] = found = getattr(import_module(module), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def run(
    key: str,
    data: Any,
    seed: int = 0,
    *,
    pace: Pace = Pace(),
    max_steps: int = MAX_STEPS,
    split: Split = Split(),
    transforms: tuple[Transform, ...] = (),
    plane: tuple[str, ...] = (),
    go_on_from: Start | None = None,
    branches: Branches = (),
    **params: Any,
) -> Trace:
    """The recorded run of algorithm `key` on `data` (a Dataset, a Problem, or a pair of arrays (X,
    y)).

    A target of whole numbers is classes for an algorithm that classifies, values for one that fits
    a curve; a Problem stays as it was prepared. A run that does not end by itself is cut after
    `max_steps`; `trace.finished` tells. With `go_on_from=other.start_at(40)` it begins with the
    model of that step of another run; `branches=((n, k),)` takes at its nth tie, `step.tie.number`,
    the kth of the equals. Raises EngineError for what the caller can mend: unknown key or
    parameter, value out of bounds, data the algorithm cannot take.
    """
    if isinstance(data, tuple) and len(data) == 2:
        data = Dataset.from_arrays(*data)
    if isinstance(data, Dataset):
        data = prepare(
            read_for(data, algorithm(key).needs), transforms=transforms, plane=plane, split=split
        )
    if not isinstance(data, Problem):
        what = quoted(data) if isinstance(data, str) else f"of the type {type(data).__name__}"
        raise EngineError(
            f"The data must be a Dataset, a Problem or a pair of arrays (X, y); it is {what}. "
            "generate, textbook, real and open_table give a Dataset."
        )
    return run_problem(
        key,
        data,
        seed,
        pace=pace,
        max_steps=max_steps,
        go_on_from=go_on_from,
        branches=branches,
        **params,
    )


__all__ = [
    "GENERATORS", "REAL", "TEXTBOOK", "Algorithm", "Column", "ColumnRole", "Dataset", "EngineError",
    "Explanation",
    "Feature", "Kind", "Level", "Needs", "Pace", "Problem", "Run", "Split", "Start", "Step",
    "TableOptions", "Task", "Trace", "Transform",
    "algorithms", "from_frame", "generate", "load_project", "open_table", "prepare",
    "real", "run", "save_project", "textbook",
]  # fmt: skip
