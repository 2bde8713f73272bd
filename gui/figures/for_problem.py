"""What a figure's widget takes from the problem: names of rows, and what it explains by itself."""

from typing import Any

from engine.table.problem import Problem
from gui.figures.row_names import names_of
from gui.look.swatches import boxed


def suit(widget: Any, problem: Problem | None) -> None:
    """Give the widget the names of the rows, and let it explain the classes where it has to."""
    if hasattr(widget, "set_names"):
        widget.set_names(names_of(problem))
    # the figure explains two classes by light and dark; the legend beside explains all else
    if hasattr(widget, "legend"):
        widget.legend = problem is None or (len(problem.classes) <= 2 and not boxed(problem))
    if hasattr(widget, "boxed"):
        widget.boxed = boxed(problem)
