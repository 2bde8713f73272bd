"""The panel “This step”: its sentence, the candidates of its choice, its formulas and facts."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from engine.protocol.step import Note, Step
from gui.figures.bars import FoldingBars, height_with
from gui.reading.note_view import FormulaView, LeadView
from gui.reading.other_branch import OtherBranch
from gui.widgets.controls import Section

SPACING = 10


class ThisStepPanel(Section):
    """Shows one step.

    term_hovered: the tag of the formula term or named object under the pointer; option_hovered: the
    tag of the candidate under the pointer; both '' when the pointer leaves
    """

    term_hovered = Signal(str)
    option_hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("This step", rule=False, parent=parent)
        self.lead = LeadView()
        self.options = FoldingBars()
        self.other = OtherBranch()
        self.formulas = FormulaView()
        for view in (self.lead, self.options, self.options.more, self.other, self.formulas):
            self.content.addWidget(view)
        self.content.setSpacing(SPACING)
        self.options.hide()
        self._ruler = FoldingBars(self)  # never shown: measures the candidates of other steps
        self._ruler.hide()
        self.lead.hovered.connect(self.term_hovered)
        self.formulas.hovered.connect(self.term_hovered)
        self.options.hovered.connect(self.option_hovered)

    def show_step(self, step: Step[Any] | None, number: int, unit: str = "step") -> None:
        """Show a step, or nothing. number: the step's number, counted in `unit`."""
        if step is None:
            self.clear()
            return
        self.name_step(step, number, unit)
        self.lead.show_note(step.note)
        self.formulas.show_note(step.note)
        self.formulas.setVisible(reckons(step.note))
        if step.choice is not None:
            self.options.set_choice(step.choice)
        self.options.setVisible(step.choice is not None)
        self.other.show_step(step)

    def name_step(self, step: Step[Any], number: int, unit: str) -> None:
        """Set the caption beside the heading: unit and number, or “choice”."""
        self.set_caption("choice" if step.choice is not None else f"{unit} {number:,}")

    def height_for(self, step: Step[Any], width: int) -> int:
        """The height in pixels that all of a step needs, its words `width` pixels wide."""
        parts = [self.lead.height_of(step.note, width)]
        if reckons(step.note):
            parts.append(self.formulas.height_of(step.note, width))
        if step.choice is not None:
            self._ruler.resize(width, self._ruler.height())  # captions wrap to it
            self._ruler.set_choice(step.choice)
            parts.append(self._ruler.whole())
        if step.tie is not None and step.choice is not None:
            parts.append(self.other.minimumSizeHint().height())
        return sum(parts) + SPACING * (len(parts) - 1) + self.around()

    def fit(self, width: int, most: int) -> int:
        """The panel's height in pixels, `width` pixels wide.

        Folds the last candidates where all would make it higher than `most`; words never fold.
        """
        return height_with(self, self.options, width, most)

    def clear(self) -> None:
        """Show no step."""
        self.set_caption("")
        self.lead.show_note(None)
        self.formulas.show_note(None)
        self.formulas.hide()
        self.options.hide()
        self.other.show_step(None)

    def set_lit(self, tags: frozenset[str]) -> None:
        """Highlight the terms and candidates with these tags."""
        for view in (self.lead, self.options, self.formulas):
            view.set_lit(tags)

    def as_text(self) -> str:
        """The whole step as plain text, for reading aloud and copying."""
        parts = [self.lead.as_text()]
        if not self.options.isHidden():
            parts.append(self.options.as_text())
        parts.append(self.formulas.as_text())
        return "\n".join(part for part in parts if part)


def reckons(note: Note) -> bool:
    """Whether the note has formulas or facts."""
    return bool(note.formulas or note.facts)
