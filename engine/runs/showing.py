"""How a recorded run shows itself: as a page, a drawing, a table.

What makes them is loaded when it is wanted: it stands above the recording, which knows nothing of
pages.
"""

from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.base.errors import EngineError
from engine.protocol.step import Level


def _doors() -> Any:
    return import_module("engine.web.doors")


class Showing:
    """The ways out of a `Trace` for scripts and notebooks."""

    def show(
        self,
        steps: Any = None,
        size: tuple[int, int] = (1000, 640),
        unit: Level = Level.STEP,
        name: str = "",
    ) -> Any:
        """A page that steps through the run, which a notebook shows; it has `save` and `open`.

        steps: how many, a range or (first, end), counted in `unit`; None: all, of a long run the
        first 200; size: pixels; name: of the data. Raises EngineError for a range without steps and
        for too many steps.
        """
        return _doors().show(self, steps, size, unit, name)

    def save(
        self, path: str | Path, steps: Any = None, unit: Level = Level.STEP, name: str = ""
    ) -> None:
        """Write the page that steps through the run, or through these steps: one HTML file that
        needs nothing else.
        """
        _doors().save(self, path, steps, unit, name)

    def plane(self, step: int = -1) -> str:
        """The picture of a step, from 0, −1 is the last one, as SVG text."""
        found: str = _doors().plane(self, step)
        return found

    def frame(self) -> Any:
        """A pandas DataFrame with a row for each step: line, level, events and the metrics.

        Raises EngineError without pandas.
        """
        return _doors().frame(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page, or the sentence why there is none."""
        try:
            found: str = _doors().show(self)._repr_html_()
        except EngineError as sentence:
            return f"<p>{escape(str(sentence))}</p>"
        return found

    def _repr_svg_(self) -> str | None:
        """What a notebook without HTML shows: the last picture, None where there is none."""
        try:
            return self.plane()
        except EngineError:
            return None
