"""Numbers that are none, without an end, or near the ends of what a computer number can be, in
every array of every figure: it is painted, read as text, pointed at and scrolled, and no exception
leaves a paintEvent.
"""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from engine.base.records import field_names, is_record, replace
from engine.scene.scene import Bars, Line, Plot, Points, Polyline
from gui.figures import FIGURES
from tests.gui.figures.test_figure_registry import EXAMPLES

LINE = np.array([[0.0, 0.0], [0.5, 2.0], [1.0, 1.0]])
SHAPES = [
    Plot("curve", "x", "y", (Polyline(LINE), Points(LINE, np.array([0, 1, 0])))),
    Plot("logarithmic", "x", "y", (Polyline(LINE + 1.0),)),
    Plot("line", "x", "y", (Line(np.array([1.0, -1.0]), 0.5), Points(LINE, np.array([0, 1, 0])))),
    Plot("equal", "x", "y", (Polyline(LINE),), equal=True),
    Bars("one", ("a",), np.array([0.5])),
    Bars(
        "histogram", tuple("abcdef"), np.arange(6.0), before=np.arange(6.0), group=np.arange(6) % 2
    ),
]
FIGURES_SHOWN = [*EXAMPLES, *SHAPES]
ODD = {
    "NaN": np.nan,
    "infinite": np.inf,
    "minus infinite": -np.inf,
    "huge": 1.7e308,
    "minus huge": -1.7e308,
    "tiny": 5e-324,
}


def poisoned(value: Any, odd: float, everywhere: bool) -> Any:
    """The same with `odd` in place of the first number of every array of fractions, or of all of
    them.
    """
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
        other = value.copy()
        other.flat[slice(None) if everywhere else 0] = odd
        return other
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(poisoned(each, odd, everywhere) for each in value)
    if is_record(value) and not isinstance(value, type):
        changed = {
            name: poisoned(getattr(value, name), odd, everywhere) for name in field_names(value)
        }
        return replace(value, **changed)
    return value


@pytest.mark.parametrize("everywhere", [False, True], ids=["one", "all"])
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "figure", FIGURES_SHOWN, ids=lambda figure: f"{type(figure).__name__} {figure.title}"
)
def test_no_number_ends_a_painting(
    qtbot: Any, faults: list[str], figure: Any, odd: str, everywhere: bool
) -> None:
    widget = FIGURES[type(figure)]()
    qtbot.addWidget(widget)
    widget.resize(300, 200)
    widget.show()
    widget.set_figure(poisoned(figure, ODD[odd], everywhere))
    widget.grab()
    assert isinstance(widget.as_text(), str)
    widget.sizeHint()
    inner = getattr(widget, "viewport", lambda: widget)()
    for x in (5, 100, 290):
        QTest.mouseMove(inner, QPoint(x, 60))
    widget.set_figure(figure)  # and an ordinary one after it
    widget.grab()
    assert not faults
