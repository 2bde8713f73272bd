"""Functions of a recorded run for scripts and notebooks: a page, a drawing, a data frame."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.files.atomic import write_atomic
from engine.protocol.step import Level
from engine.read.frames import pandas
from engine.runs.trace import Trace
from engine.web.markup import escaped, size
from engine.web.page import Shown, chips_of, page, style
from engine.web.picture import Views

IN_NOTEBOOK = 200  # steps that a run shows of itself there
SIZE = (1000, 640)  # pixels of a page in a notebook
Steps = range | slice | tuple[int, int] | int | None


class Page(Record):
    """A page that steps through a run; a notebook displays it as the value of a cell.

    size: pixels in a notebook
    remark: a sentence below it in a notebook
    """

    html: str
    size: tuple[int, int] = SIZE
    remark: str = ""

    def save(self, path: str | Path) -> None:
        """Write the page to a file, whole or not at all. Raises EngineError where the file cannot
        be written.
        """
        write_atomic(path, [self.html.encode("utf-8")])

    def open(self, path: str | Path = "run.html") -> None:
        """Save the page to `path` and open it in the browser. Raises EngineError as `save` does."""
        self.save(path)
        webbrowser.open(Path(path).resolve().as_uri())

    def _repr_html_(self) -> str:
        wide, high = self.size
        return (
            f'<iframe srcdoc="{escaped(self.html)}" width="100%" height="{high}" style="border:0;max-width:{wide}px" '
            f'title="Learnscope"></iframe>'
        ) + (f"<p>{escaped(self.remark)}</p>" if self.remark else "")


def show(
    trace: Trace,
    steps: Steps = None,
    size: tuple[int, int] = SIZE,
    unit: Level = Level.STEP,
    name: str = "",
) -> Page:
    """The page of a run for a notebook.

    steps: counted in `unit` from 0; None: all, of a long run the first 200
    size: pixels in a notebook
    name: of the data

    Raises EngineError for a size out of range and where `range_of` or `page` does.
    """
    if len(size) != 2 or not all(100 <= side <= 10_000 for side in size):
        raise EngineError(f"A page is 100 to 10,000 pixels wide and high, not {size!r:.60}.")
    chosen = range_of(trace, steps, unit)
    steps_of_run = len(trace.indices(unit))
    remark = ""
    if len(chosen) < steps_of_run and steps is None:
        after = (len(chosen), min(2 * len(chosen), steps_of_run))
        remark = f"The first {len(chosen):,} of {steps_of_run:,} {unit.name.lower()}s; trace.show(steps={after}) shows the next."
    return Page(
        page([Shown(trace, name or "data", chips_of(trace))], unit, chosen, still=0), size, remark
    )


def range_of(trace: Trace, steps: Steps, unit: Level) -> range:
    """The chosen steps, counted in `unit` from 0.

    steps: a number (the first so many, the last if negative), a range, a slice or a pair (first,
        end); None: all, of a long run the first ones

    Raises EngineError for anything else.
    """
    n = len(trace.indices(unit))
    if steps is None:
        return range(min(n, IN_NOTEBOOK))
    if isinstance(steps, int) and not isinstance(steps, bool):
        return range(n)[:steps] if steps >= 0 else range(n)[steps:]
    if isinstance(steps, range):
        return steps
    if isinstance(steps, slice):
        return range(*steps.indices(n))
    if isinstance(steps, tuple) and len(steps) == 2 and all(isinstance(v, int) for v in steps):
        return range(n)[steps[0] : steps[1]]
    raise EngineError(
        f"steps takes a number, a range or a pair (first, end), as in steps=(0, 50); it is {steps!r:.60}."
    )


def save(
    trace: Trace, path: str | Path, steps: Steps = None, unit: Level = Level.STEP, name: str = ""
) -> None:
    """Write the page of a run to a file.

    steps: counted in `unit` from 0, None: all; name: of the data

    Raises EngineError where there is nothing to show or the file cannot be written.
    """
    chosen = None if steps is None else range_of(trace, steps, unit)
    text = page([Shown(trace, name or "data", chips_of(trace))], unit, chosen)
    write_atomic(path, [text.encode("utf-8")])


def plane(trace: Trace, step: int = -1) -> str:
    """One step as the text of an SVG file: its plane, or the first figure where the table has no
    plane.

    Raises EngineError where there is no such step, or it has no picture.
    """
    index = trace._place(step)
    defs: dict[str, str] = {}
    views = Views(trace, defs)
    drawn = "".join(views.plane(index, views.scene(index)))
    if not drawn:
        found = [parts for parts in views.of_step(index).values() if parts[0].startswith("<svg")]
        if not found:
            raise EngineError(
                "This step has no picture that could be drawn: it has neither a plane nor a tree or a curve."
            )
        drawn = "".join(found[0])
    head, _, rest = drawn.partition(">")
    wide, high = head.partition('viewBox="0 0 ')[2].partition('"')[0].split()
    return (
        f'{head} xmlns="http://www.w3.org/2000/svg" width="{size(float(wide))}" height="{size(float(high))}"><style>{style()}</style>'
        f"<defs>{''.join(defs.values())}</defs>{rest}"
    )


def frame(trace: Trace) -> Any:
    """The steps of a run as a pandas DataFrame: line, level, events, sentence and every metric.

    Raises EngineError without pandas.
    """
    metrics = trace.metrics
    lines = [step.line for step in trace]
    columns: dict[str, Sequence[Any] | np.ndarray] = {
        "line": lines,
        "level": [level.name.lower() for level in trace.levels],
        "events": [", ".join(events) for events in trace.events],
        **metrics,
    }
    made = pandas().DataFrame(columns)
    made.index.name = "step"
    return made
