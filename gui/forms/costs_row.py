"""The row of a parameter that holds the costs of mistakes: its text, and below it a grid with a
field for each mistake.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.experiments.parts.costs import cost_text, costs_text, read_cost, read_costs, usual_costs
from gui.forms.params_row import ParamsRow
from gui.widgets.controls import ElidedLabel
from gui.widgets.text_field import TextField

MOST = 5  # classes that have room side by side
GAP = 4


class CostsRow(ParamsRow):
    """A text field; the grid is shown if there are two to MOST classes and the text suits them."""

    def __init__(self, *given: Any, classes: Callable[[], Sequence[str]]) -> None:
        """classes: returns the names of the classes of the data, () if they have none."""
        super().__init__(*given)
        self._classes = classes
        self._names: tuple[str, ...] = ()
        self._grid: QWidget | None = None
        self.cells: dict[tuple[int, int], TextField] = {}

    def _make(self) -> QWidget:
        self.text = TextField(self._read, str, self.field.label)
        self.text.setPlaceholderText("auto")
        self._columns.addWidget(self.text, 1)
        self.text.entered.connect(self._picked)
        self.text.refused.connect(self.show_error)
        self._set, self._restore = self._show, self.text.restore
        return self.text

    def _read(self, text: str) -> Any:
        """The checked text; raises EngineError if it does not suit the classes."""
        if text.strip() and (names := self._classes()):
            read_costs(text, names)
        return self._check(text)

    def _show(self, text: Any) -> None:
        self.text.set_value(text)
        names = tuple(self._classes())
        costs = self._costs(str(text), names)
        if names != self._names or self._grid is None:
            self._names = names
            self._rebuild()
        if self._grid is not None:
            self._grid.setVisible(costs is not None)
        if costs is not None:
            for at, cell in self.cells.items():
                cell.set_value(float(costs[at]))

    def _costs(self, text: str, names: Sequence[str]) -> Float | None:
        """(k, k) the costs that the text gives, or the usual ones without text; None if the text
        does not suit the k classes.
        """
        try:
            return read_costs(text, names) if text.strip() else usual_costs(len(names))
        except EngineError:
            return None

    def _rebuild(self) -> None:
        """Build a field for each mistake: a row for the true class, a column for the class it is
        called.
        """
        if self._grid is not None:
            self._grid.hide()
            self._grid.deleteLater()
            self._grid = None
            self.cells = {}
        names = self._names
        if not 2 <= len(names) <= MOST:
            return
        self._grid = QWidget(self)
        grid = QGridLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, GAP)
        grid.setSpacing(GAP)
        for i, name in enumerate(names):
            grid.addWidget(ElidedLabel(name), i + 1, 0)
            grid.addWidget(_middle(name), 0, i + 1)
            grid.addWidget(_middle("0"), i + 1, i + 1)
            grid.setColumnStretch(i + 1, 3)
        grid.setColumnStretch(0, 4)
        for i, true in enumerate(names):
            for j, called in enumerate(names):
                if i == j:
                    continue
                cell = self.cells[i, j] = TextField(
                    read_cost, cost_text, f"Cost of {true} called {called}"
                )
                cell.entered.connect(lambda value, at=(i, j): self._enter(at, value))
                cell.refused.connect(self.show_error)
                grid.addWidget(cell, i + 1, j + 1)
        self.layout().addWidget(self._grid)

    def _enter(self, at: tuple[int, int], value: float) -> None:
        """Set the cost at (true class, called class) to `value`."""
        costs = self._costs(str(self._value), self._names)
        assert costs is not None
        changed = costs.copy()
        changed[at] = value
        text = costs_text(changed)
        try:
            self._picked(self._read(text))
        except EngineError as sentence:  # for instance, all costs are 0
            self.show_error(str(sentence))

    def _take(self, value: Any) -> None:
        super()._take(value)
        self._show(value)


def _middle(text: str) -> ElidedLabel:
    found = ElidedLabel(text)
    found.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return found
