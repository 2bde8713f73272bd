"""The views of a recorded run for scripts and notebooks: page, picture, table.

The modules that make them are imported on use: they belong to a layer above the recording.
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
    """The methods of a `Trace` that show it in scripts and notebooks."""

    def show(
        self,
        steps: Any = None,
        size: tuple[int, int] = (1000, 640),
        unit: Level = Level.STEP,
        name: str = "",
    ) -> Any:
        """A page that steps through the run, for a notebook; it has `save` and `open`.

        steps: how many, a range or (first, end), counted in `unit`; None: all, of a long run the
            first 200
        size: width and height in pixels
        name: of the data
        Raises EngineError for a range without steps and for too many steps.
        """
        return _doors().show(self, steps, size, unit, name)

    def save(
        self, path: str | Path, steps: Any = None, unit: Level = Level.STEP, name: str = ""
    ) -> None:
        """Write the page that steps through the run, or through `steps`, as one self-contained HTML
        file.
        """
        _doors().save(self, path, steps, unit, name)

    def plane(self, step: int = -1) -> str:
        """The picture of a step as SVG text; steps count from 0, −1 is the last one."""
        found: str = _doors().plane(self, step)
        return found

    def frame(self) -> Any:
        """A pandas DataFrame with a row for each step: line, level, events and the metrics.

        Raises EngineError without pandas.
        """
        return _doors().frame(self)

    def _repr_html_(self) -> str:
        """The page as a notebook shows it, or a sentence that says why there is none."""
        try:
            found: str = _doors().show(self)._repr_html_()
        except EngineError as sentence:
            return f"<p>{escape(str(sentence))}</p>"
        return found

    def _repr_svg_(self) -> str | None:
        """The picture of the last step, for notebooks without HTML; None where there is none."""
        try:
            return self.plane()
        except EngineError:
            return None
