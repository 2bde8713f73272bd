"""The panel “This step”: its sentence, the candidates of its choice, its formulas and facts."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from engine.base.notation import cut
from engine.protocol.step import Note, Step
from gui.base.guard import guarded
from gui.base.plain_text import as_words, tip
from gui.figures.bars import FoldingBars, height_with
from gui.look import style, theme
from gui.reading.note_view import FormulaView, LeadView
from gui.session.lane_commands import OTHER, tied_others
from gui.widgets.controls import Section, describe

TELLS = "Fork the lane here: a run that is the same up to this step, where it takes {name} instead"
SHORT = 24  # letters to which a candidate's name is cut


class OtherBranch(QToolButton):
    """“Take the other: Price (tied)”; with several others it opens a menu.

    taken: the number of the candidate among the choice's winners
    """

    taken = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style.mark(self, "link")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.others: Mapping[int, str] = {}
        self._words = ""
        self.clicked.connect(self._press)
        self.hide()

    def show_step(self, step: Step[Any] | None) -> None:
        """Offer the candidates that this step could have taken instead; without any, hide."""
        self.others = tied_others(step)
        self.setVisible(bool(self.others))
        if self.others:
            name = cut(next(iter(self.others.values())), SHORT)
            more = len(self.others) > 1
            self._words = (
                f"Take another of the {len(self.others) + 1} tied…"
                if more
                else OTHER.format(name=name)
            )
            describe(self, self._words, tip(TELLS.format(name="one of them" if more else name)))
            self._fit()

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Cut the words to the width of the button."""
        room = max(40, self.width() - 8)
        self.setText(
            as_words(
                QFontMetrics(self.font()).elidedText(self._words, Qt.TextElideMode.ElideRight, room)
            )
        )

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(40, theme.current().line_height("body") + 4)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(
            QFontMetrics(self.font()).horizontalAdvance(self._words) + 16,
            self.minimumSizeHint().height(),
        )

    def _press(self) -> None:
        if len(self.others) == 1:
            self.taken.emit(next(iter(self.others)))
            return
        menu = QMenu(self)
        for which, name in self.others.items():
            menu.addAction(as_words(OTHER.format(name=cut(name))), partial(self.taken.emit, which))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


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
        self.formulas.setVisible(has_numbers(step.note))
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
        if has_numbers(step.note):
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


def has_numbers(note: Note) -> bool:
    """Whether the note has formulas or facts."""
    return bool(note.formulas or note.facts)
