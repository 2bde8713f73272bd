"""The panel of this step: what happened, the candidates of a decision, the formula with its numbers, the facts."""

from math import ceil
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.core.step import Step
from gui.figures.bars import BarsFigure
from gui.formulas.flow import Sheet
from gui.panels.fit_scroll import FitScroll, fill
from gui.panels.note_view import FormulaView, LeadView
from gui.widgets.controls import Section

LEAST = 96
KEPT = 2  # bars that are always seen


class Candidates(BarsFigure):
    """The bars of a decision. Where there is no room for all beside the words they scroll, the best ones first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given = 0

    def give_up(self, pixels: int) -> None:
        """Do with so much less than all bars need, but keep a few of them."""
        self._given = pixels
        if self.sizeHint() != self._hint:
            self._hint = self.sizeHint()
            self.updateGeometry()

    def withheld(self) -> int:
        return super().sizeHint().height() - self.sizeHint().height()

    def sizeHint(self) -> QSize:
        """Whole bars only: half a name below the last one would be no use."""
        whole, rows = super().sizeHint(), len(self.rows)
        left = whole.height() - self._given
        if self._given > 0:
            fitting = [k for k in range(KEPT, rows + 1) if self._top(k) <= left]
            left = int(self._top(fitting[-1] if fitting else min(rows, KEPT)))
        return QSize(whole.width(), max(self.minimumSizeHint().height(), left))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), int(self._top(min(len(self.rows), KEPT))))


class ThisStepPanel(Section):
    """Shows one step. term_hovered: tag of the formula term or named object under the pointer; option_hovered: tag of the
    candidate under it; both '' when the pointer leaves."""

    term_hovered = Signal(str)
    option_hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("This step", rule=False, parent=parent)
        self.lead = LeadView()
        self.options = Candidates()
        self.formulas = FormulaView()
        self.scroller = FitScroll(LEAST)
        for view in (self.lead, self.options, self.formulas):
            self.scroller.column.addWidget(view)
        fill(self, self.scroller)
        self.options.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.options.hide()
        self.scroller.giving = self.options
        self._ruler = BarsFigure(self)  # never shown: measures the candidates of other steps
        self._ruler.hide()
        self.lead.hovered.connect(self.term_hovered)
        self.formulas.hovered.connect(self.term_hovered)
        self.options.hovered.connect(self.option_hovered)

    def show_step(self, step: Step[Any] | None, number: int, unit: str = "step") -> None:
        """Show a step, number so and so of its unit, or nothing. The place scrolled to stays where it is."""
        if step is None:
            self.clear()
            return
        self.name_step(step, number, unit)
        self.lead.show_note(step.note)
        self.formulas.show_note(step.note)
        if step.choice is not None:
            self.options.set_choice(step.choice)
        self.options.setVisible(step.choice is not None)

    def name_step(self, step: Step[Any], number: int, unit: str) -> None:
        """Its number stands beside the heading, unless it is a choice."""
        self.set_caption("choice" if step.choice is not None else f"{unit} {number:,}")

    def height_for(self, step: Step[Any], width: int) -> int:
        """What the panel needs to show all of a step, its words `width` pixels wide."""
        sheets = Sheet(float(max(width, 80))), Sheet(float(max(width, 80)))
        self.lead.lay_out(sheets[0], step.note)
        self.formulas.lay_out(sheets[1], step.note)
        parts = [ceil(sheet.height) for sheet in sheets]
        if step.choice is not None:
            self._ruler.set_choice(step.choice)
            parts.append(self._ruler.sizeHint().height())
        space = self.scroller.column.spacing()
        return sum(parts) + space * (len(parts) - 1) + self._frame()

    def needed(self) -> int:
        """What the panel needs to show all of the step that it shows."""
        return self.scroller.needed() + self._frame()

    def floor(self) -> int:
        """The least height, whatever the step."""
        return LEAST + self._frame()

    def _frame(self) -> int:
        """Heading and what is round the words."""
        margins = self.inner.contentsMargins()
        return margins.top() + margins.bottom() + self.head.sizeHint().height() + self.inner.spacing()

    def clear(self) -> None:
        """No step to show."""
        self.set_caption("")
        self.lead.show_note(None)
        self.formulas.show_note(None)
        self.options.hide()

    def set_lit(self, tags: frozenset[str]) -> None:
        """Mark the terms and candidates that speak of what is under the pointer elsewhere."""
        for view in (self.lead, self.options, self.formulas):
            view.set_lit(tags)

    def as_text(self) -> str:
        """The whole step as plain text, for reading aloud and copying."""
        parts = [self.lead.as_text()]
        if not self.options.isHidden():
            parts.append(self.options.as_text())
        parts.append(self.formulas.as_text())
        return "\n".join(part for part in parts if part)
