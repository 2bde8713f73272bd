"""The right dock: pseudo-code, “This step”, “Why?”, and the figures that are not on the stage."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from engine.protocol.step import Step
from engine.scene.scene import Scene
from gui.base.guard import guarded, guarded_filter
from gui.frame.dock_page import RULE, DockPage
from gui.frame.figure_panel import NOTHING, ExplainedRow, FigurePanel
from gui.look import style, theme
from gui.plane.probe import Question, is_examples
from gui.reading.pseudocode import PseudocodePanel
from gui.reading.step_room import StepRoom, scaled
from gui.reading.this_step import ThisStepPanel
from gui.reading.why import WhyPanel, flip_words, moved_words
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.widgets.controls import Divider
from gui.widgets.layouts import not_within_itself

if TYPE_CHECKING:
    from gui.stage.stage import Stage

# least height in pixels of the figures: by the rule, and after a person dragged their edge
FIGURE, GRIPPED = 160, 96
USUAL_WHY = 140  # height in pixels kept for “Why?”, as other steps may need it
HINT = "Take the probe and point at the plane, or click to put it down."
ROW_HINT = "Click a row of the examples to see why it has its label."
NO_ROW_HINT = "This step shows no row of the examples to ask about."
NO_LABELS = "This method gives no labels to explain."


class RightDock(QFrame):
    """Explains the shown step in words and figures.

    The height goes to three lines of code around the lit one, to “This step”, to the rest of the
    code, to “Why?” and to the figures, in this order; the rest stays empty.
    """

    def __init__(
        self,
        session: Session,
        lane: Callable[[], LaneView],
        stage: "Stage",
        above: QWidget | None = None,
    ) -> None:
        """lane: the lane that is explained
        stage: of that lane
        above: a widget about all lanes, placed on top at its own height; None for none
        """
        super().__init__()
        self.above = above
        self.session, self.lane = session, lane
        style.mark(self, "dock")
        self.set_width(theme.RIGHT_DOCK)
        self.code = PseudocodePanel()
        self.step = ThisStepPanel()
        self.why = WhyPanel()
        self.page = DockPage((self.code, self.step, self.why))
        self.figure = FigurePanel(session, lane)
        self.rule = Divider()
        for part in (self.page, self.rule, self.figure, *filter(None, [above])):
            part.setParent(self)
        if above is not None:
            above.installEventFilter(self)
        for fold in (
            self.code.fold,
            self.step.options.more,
            self.why.bars.more,
            self.why.calculation.more,
        ):
            fold.toggled.connect(lambda _: self._settle())
        for hovered in (self.step.term_hovered, self.step.option_hovered, self.why.hovered):
            hovered.connect(lambda tag: session.pointer.light((tag,)))
        self.step.other.taken.connect(session.lane_commands.take_other)
        self.by_hand: int | None = None  # height in pixels to which a person dragged the figures
        self.room = StepRoom(session, lane, self.step)
        self.room.grew.connect(self._settle)
        self.code_leads = False  # whether the code keeps all its lines, before “This step”
        self._type = theme.current().type_sizes  # in which the words were measured
        self._said: Step[Any] | None = None  # the step whose words are shown
        self._shown: Scene | None = None  # the scene whose figures are shown
        # what “Why?” is about, for the figures; whether the figures are out of date
        self._about, self._stale = NOTHING, True
        self._path: tuple[int, ...] = ()  # tree nodes that the explained row passed
        self._key = ""  # of the shown method
        session.changed.connect(self._on_changed)
        self.figure.enlarge_wanted.connect(lambda figure: self.stage.add(figure))
        self.figure.body.row_chosen.connect(self.ask)
        self._listen_to(stage)
        self._on_run()

    @property
    def view(self) -> LaneView:
        """The lane that is explained."""
        return self.lane()

    def _on_changed(self, changes: Changes) -> None:
        for change, react in (
            (Change.RUN, self._on_run),
            (Change.NUMBERS, self._light_line),
            (Change.WORDS, self._say_alone),
            (Change.FIGURES, self.refresh),
            (Change.STEPS | Change.VEIL, self._judge),
            (Change.POINTER, self._refresh_why),
            (Change.UNIT, self._on_settings),
            (Change.SURFACE, self._on_found),
            (Change.TOOL, self._on_tool),
            (Change.LIT, self._light),
            (Change.RESTRICTED, self._on_restricted),
        ):
            if changes.of(self.view) & change:
                react()

    def follow(self, stage: "Stage") -> None:
        """Connect to the stage of another lane, which has become the active one."""
        if stage is not self.stage:
            self.stage.arranged.disconnect(self._refresh_why)
            self.stage.row_chosen.disconnect(self._answer_row)
            self._listen_to(stage)
            self._said = None
            self._say()

    def _listen_to(self, stage: "Stage") -> None:
        self.stage = stage
        self.asking = stage.plane.asking
        stage.arranged.connect(self._refresh_why)
        stage.row_chosen.connect(self._answer_row)

    def _answer_row(self, row: int) -> None:
        self.ask(row, answer=True)

    # -- sizes -------------------------------------------------------------------------------------

    def set_width(self, wide: int) -> None:
        """Set the width of the dock in pixels."""
        self.setFixedWidth(wide)

    def lead_with_code(self, leads: bool) -> None:
        """Show all lines of the code, from the first, whatever room “This step” wants; or as
        before.
        """
        if leads != self.code_leads:
            self.code_leads = leads
            self._settle()
        if leads:
            self.page.show_section(self.code)

    def set_figure_height(self, high: int | None) -> None:
        """Set the height of the figures in pixels, as a person dragged it; None for the rule."""
        if high != self.by_hand:
            self.by_hand = high
            self._settle()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.above and event.type() in (
            QEvent.Type.Resize,
            QEvent.Type.ShowToParent,
            QEvent.Type.HideToParent,
        ):
            self._settle()
        return super().eventFilter(watched, event)

    def _top(self) -> int:
        """The height in pixels that `above` takes."""
        return 0 if self.above is None or self.above.isHidden() else self.above.height()

    def _free(self) -> int:
        return self.height() - self._top()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh_why()
        QTimer.singleShot(0, self, self._settle)  # by then the parts have their fonts

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "room"):
            QTimer.singleShot(0, self, self._measure_and_settle)

    def _measure_and_settle(self) -> None:
        """Measure the steps again where the type size has changed, and lay out."""
        if self._type != theme.current().type_sizes:
            self._type = theme.current().type_sizes
            self.room.forget()
            self.room.measure()
        self._settle()

    @not_within_itself
    def _settle(self) -> None:
        """Give every section its height."""
        if not self.isVisible():
            return
        # `section_width` reads the width of the page
        self.page.resize(self.width(), self.page.height())
        wide = self.page.section_width()
        rules = RULE * len(self.page.rules)
        margins = self.step.inner.contentsMargins()
        self.room.set_width(wide - margins.left() - margins.right())
        hidden = self.code.isHidden()
        least, whole = (0, 0) if hidden else self.code.heights(wide)
        least = whole if self.code_leads else least
        others = scaled(USUAL_WHY) + rules + RULE
        self.room.ask(bool(self.figure.figures) and self._free() - whole - others >= scaled(FIGURE))
        spared = self.room.needed + others  # kept free of figures
        wanted = bool(self.figure.figures) and self._free() - whole - spared >= scaled(FIGURE)
        gripped = 0
        if wanted and self.by_hand is not None:
            gripped = max(scaled(GRIPPED), min(self.by_hand, self._free() - least - spared))
        room = self._free() - rules - (gripped + RULE if gripped else 0)
        step = self.step.fit(wide, room - least)
        code = 0 if hidden else self.code.rows_in(wide, max(least, min(whole, room - step)))
        why = self.why.fit(
            wide, room - code - step - (scaled(FIGURE) + RULE if wanted and not gripped else 0)
        )
        free = self._free() - rules - RULE - code - step - why
        self._show_figures(
            min(gripped or free, free)
            if wanted and free >= ((gripped and scaled(GRIPPED)) or scaled(FIGURE))
            else 0
        )
        self.page.place((code, step, why))

    def _show_figures(self, high: int) -> None:
        """Show the figures `high` pixels high at the foot of the dock; 0 hides them."""
        high = 0 if self.page.isHidden() else high  # another panel covers it
        below = high + RULE if high else 0
        if self.above is not None:
            self.above.setGeometry(0, 0, self.width(), self.above.height())
        self.page.setGeometry(0, self._top(), self.width(), self._free() - below)
        self.rule.setGeometry(0, self.height() - below, self.width(), RULE)
        self.rule.setVisible(high > 0)
        if high:
            if self._stale:
                self._stale = False
                self.figure.show_figures(self.figure.figures, self._about)
            self.figure.setGeometry(QRect(0, self.height() - high, self.width(), high))
        self.figure.setVisible(high > 0)

    def cover(self, covered: bool) -> None:
        """Hide the content and take it from the tab order while another panel covers the dock."""
        self.page.setVisible(not covered)
        if self.above is not None:
            self.above.setEnabled(not covered)
        self._settle()

    # -- what is shown -----------------------------------------------------------------------------

    def _on_run(self) -> None:
        self.code.show_algorithm(self.view.algorithm, self.view.lane.params)
        self._light_line()
        # in fast playback the figures signal calls `refresh`, at every second step
        if not self.view.playback_budget.flying or self.view.lane.key != self._key:
            self.refresh()
        self._key = self.view.lane.key

    def _on_restricted(self) -> None:
        """Say the step again without what a page of a lesson hides, or with all of it."""
        self.code.setHidden("code" in self.view.hidden)
        self._said = None
        self.refresh()

    def _light_line(self) -> None:
        step = self.view.step
        self.code.light(step.line if step is not None else "")

    def _light(self) -> None:
        for panel in (self.step, self.why):
            panel.set_lit(self.view.pointer.lit)

    def _on_tool(self) -> None:
        """Scroll to “Why?” when a person takes the probe or puts it down."""
        if self.view.pointer.tool == "probe":
            self.show_why()

    def show_why(self) -> None:
        """Update “Why?” and scroll to it."""
        self._refresh_why()
        self.page.show_section(self.why)

    def ask(self, row: int, answer: bool = False) -> None:
        """Explain a row of the examples, −1 for no row. answer: whether to scroll to “Why?”"""
        self.asking.choose(row)
        if answer and row >= 0:
            self.show_why()
        else:
            self._refresh_why()
        self.stage.plane.redraw()

    def refresh(self) -> None:
        """Show the words and figures of the step, in fast playback the figures alone."""
        view = self.view
        step = view.step
        if step is not None and step is self._said:  # a new run announces it twice
            return
        if view.playback_budget.whole:
            self._say()
        else:
            self._said = None
            if view.scene is not self._shown:
                self._show_scene()

    def _say(self) -> None:
        """Show the words of the step, its explanation and its figures."""
        self._said = self.view.step
        self._show_words()
        self._refresh_why()
        _lay_out()

    def _say_alone(self) -> None:
        """Show the words of a step in fast playback; the figures follow with the next step."""
        self._show_words()
        self._refresh_answer()
        self._settle()
        _lay_out()

    def _show_words(self) -> None:
        view = self.view
        self.step.show_step(view.worded, view.number, view.unit.name.lower())

    def _on_settings(self) -> None:
        """Update the number of the step, which another unit counts differently."""
        view = self.view
        if view.step is not None:
            self.step.name_step(view.step, view.number, view.unit.name.lower())
        self._refresh_why()

    def _refresh_why(self) -> None:
        planar = self.stage.plane_shown
        question = self._refresh_answer()
        self._show_scene()
        # other data may show or hide the plane, which changes how a row is chosen for “Why?”
        if self.stage.plane_shown != planar:
            self._answer(question)
        self._settle()

    def _refresh_answer(self) -> Question:
        """The present question; also answers it, unless it is the step's own and the dock is
        hidden.
        """
        question = self.asking.question()
        if question.own and not self.isVisible():
            self._path = ()
        else:
            self._answer(question)
        self._about = ExplainedRow(self._path, question.row)
        return question

    def _show_scene(self) -> None:
        """Show the scene on the stage and keep the figures that have no place there."""
        self._shown = self.view.scene
        self.figure.figures, self._stale = self.stage.show_scene(self._shown, self._about), True

    def _judge(self) -> None:
        """Show the scene again where it has changed for the same step: slow judging has found the
        held-out rows' labels, or part of the run was covered.
        """
        if self.view.step is self._said and self.view.scene is not self._shown:
            self._show_scene()
            self._settle()

    def _answer(self, question: Question) -> None:
        """Show why the row of the question has its label, or a hint how to ask."""
        view = self.view
        explanation = view.explanation(question.x) if question.x is not None else None
        if explanation is not None and view.problem is not None:
            self.why.show_explanation(
                explanation, view.problem, question.name, value=self._value(question.x)
            )
            self._show_flip(question)
        else:
            self.why.show_hint(self._hint())
        self._path = explanation.path if explanation is not None else ()

    def _on_found(self) -> None:
        """Show the nearest flip, which may have been found only now."""
        question = self.asking.question()
        if question.by_hand and not self.why.lead.isHidden():
            self._show_flip(question)
            self._settle()

    def _show_flip(self, question: Question) -> None:
        """Show how far another label is, if that is known."""
        view = self.view
        flip = view.flip(question.x) if question.by_hand else None
        point = view.point_flip(question.x) if question.rests else None
        said = None if flip is None or view.problem is None else flip_words(flip, view.problem)
        self.why.show_flip(
            said,
            None if point is None or view.problem is None else moved_words(point, view.problem),
        )

    def _hint(self) -> str:
        """The sentence that says how to ask, or why there is nothing to ask about."""
        problem = self.view.problem
        if self.view.step is None:
            return self.view.error or HINT
        if self.view.algorithm.explain is None:
            return NO_LABELS
        if problem is None or self.stage.plane_shown:
            return HINT
        has_rows = any(is_examples(figure, problem) for figure in self.view.scene.figures)
        return ROW_HINT if has_rows else NO_ROW_HINT

    def _value(self, x: Any) -> float | None:
        """The value that the shown model predicts for the row x (d,); None for classes."""
        trace, step, problem = self.view.trace, self.view.step, self.view.problem
        if (
            trace is None
            or step is None
            or problem is None
            or not problem.regress
            or trace.algorithm.predict is None
        ):
            return None
        return float(trace.algorithm.predict(trace.given, step.state, x[None])[0])


def _lay_out() -> None:
    """Do pending layouts at once; otherwise Qt would paint, lay out and paint again."""
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
