"""The right dock: pseudo-code, this step, why this label, and the figures that have no place on the
stage.
"""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from engine.protocol.step import Step
from engine.scene.scene import Scene
from gui.base.guard import guarded, guarded_filter
from gui.frame.dock_page import RULE, DockPage
from gui.frame.figure_panel import NOTHING, Asked, FigurePanel
from gui.look import style, theme
from gui.plane.probe import Question, is_examples
from gui.reading.pseudocode import PseudocodePanel
from gui.reading.step_room import StepRoom, scaled
from gui.reading.this_step import ThisStepPanel
from gui.reading.why import WhyPanel, flip_words, moved_words
from gui.session.lane_view import LaneView
from gui.widgets.controls import Divider
from gui.widgets.relayout import not_within_itself

if TYPE_CHECKING:
    from gui.stage.stage import Stage

# pixels of height: without which no figure is in the dock; of one that a person has dragged
FIGURE, GRIPPED = 160, 96
USUAL_WHY = 140  # pixels of height that an answer may need at another step
HINT = "Take the probe and point at the plane, or click to put it down."
ROW_HINT = "Click a row of the examples to see why it has its label."
NO_ROW_HINT = "This step shows no row of the examples to ask about."
NO_LABELS = "This method gives no labels to explain."


class RightDock(QFrame):
    """Reads the shown step aloud.

    Its height goes to three lines of code around the lit one, to this step, to the rest of the
    code, to “Why?” and to the figures, in this order; what is left stays empty, at the end.
    """

    def __init__(self, view: LaneView, stage: "Stage", above: QWidget | None = None) -> None:
        """above: what stands over all that speaks of one lane, as high as it likes;
        None: nothing.
        """
        super().__init__()
        self.above = above
        self.view = view
        style.mark(self, "dock")
        self.set_width(theme.RIGHT_DOCK)
        self.code = PseudocodePanel()
        self.step = ThisStepPanel()
        self.why = WhyPanel()
        self.page = DockPage((self.code, self.step, self.why))
        self.figure = FigurePanel(view)
        self.rule = Divider()
        for part in (self.page, self.rule, self.figure, *filter(None, [above])):
            part.setParent(self)
        if above is not None:
            above.installEventFilter(self)
        for fold in (
            self.code.fold,
            self.step.options.more,
            self.why.bars.more,
            self.why.reckoning.more,
        ):
            fold.toggled.connect(lambda _: self._settle())
        self.step.term_hovered.connect(lambda tag: view.pointer.light((tag,)))
        self.step.option_hovered.connect(lambda tag: view.pointer.light((tag,)))
        self.step.other.taken.connect(view.other_wanted)
        self.by_hand: int | None = None  # pixels of height that a person has given the figures
        self.room = StepRoom(view, self.step)
        self.room.grew.connect(self._settle)
        self._type = theme.current().type_sizes  # that the words were measured in
        self._said: Step[Any] | None = None  # the step whose words stand there
        self._drawn: Scene | None = None  # the picture that the figures are of
        # what the figures are shown for; they show another step's
        self._about, self._stale = NOTHING, True
        self._path: tuple[int, ...] = ()  # of the answer that is shown, through a tree
        self._key = ""  # of the method that is shown
        view.run_changed.connect(self._on_run)
        view.playback_budget.figures.connect(self.refresh)
        view.playback_budget.words.connect(self._say_alone)
        view.playback_budget.numbers.connect(self._light_line)
        for signal in (view.run_grew, view.veil_changed):
            signal.connect(self._judge)
        view.pointer.moved.connect(self._refresh_why)
        view.unit_changed.connect(self._on_settings)
        view.surface_ready.connect(self._on_found)
        view.pointer.tool_taken.connect(self._on_tool)
        self.why.hovered.connect(lambda tag: view.pointer.light((tag,)))
        view.pointer.lit_changed.connect(self._light)
        self.figure.enlarge_wanted.connect(lambda figure: self.stage.add(figure))
        self.figure.body.row_chosen.connect(self.ask)
        self._listen_to(stage)
        self._on_run()

    def follow(self, stage: "Stage") -> None:
        """Another lane is the active one: its stage shows what has no place here."""
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
        """As wide as the window has room for."""
        self.setFixedWidth(wide)

    def set_figure_height(self, high: int | None) -> None:
        """As high as a person wants the figures; None: by the rule."""
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
        """Pixels that `above` takes."""
        return 0 if self.above is None or self.above.isHidden() else self.above.height()

    def _free(self) -> int:
        return self.height() - self._top()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh_why()
        QTimer.singleShot(0, self, self._settle)  # the parts have their type from now on

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "room"):
            QTimer.singleShot(0, self, self._settle_anew)

    def _settle_anew(self) -> None:
        """Other type, other sizes."""
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
        # it is asked for the width of its sections
        self.page.resize(self.width(), self.page.height())
        wide = self.page.section_width()
        rules = RULE * len(self.page.rules)
        margins = self.step.inner.contentsMargins()
        self.room.set_width(wide - margins.left() - margins.right())
        least, whole = self.code.heights(wide)
        others = scaled(USUAL_WHY) + rules + RULE
        self.room.ask(bool(self.figure.figures) and self._free() - whole - others >= scaled(FIGURE))
        spared = self.room.needed + others  # what no figure takes
        wanted = bool(self.figure.figures) and self._free() - whole - spared >= scaled(FIGURE)
        held = 0
        if wanted and self.by_hand is not None:
            held = max(scaled(GRIPPED), min(self.by_hand, self._free() - least - spared))
        room = self._free() - rules - (held + RULE if held else 0)
        step = self.step.fit(wide, room - least)
        code = self.code.rows_in(wide, max(least, min(whole, room - step)))
        why = self.why.fit(
            wide, room - code - step - (scaled(FIGURE) + RULE if wanted and not held else 0)
        )
        free = self._free() - rules - RULE - code - step - why
        self._show_figures(
            min(held or free, free)
            if wanted and free >= ((held and scaled(GRIPPED)) or scaled(FIGURE))
            else 0
        )
        self.page.place((code, step, why))

    def _show_figures(self, high: int) -> None:
        """So many pixels for them, 0: they are not there."""
        high = 0 if self.page.isHidden() else high  # another panel covers the dock
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
        """Another panel stands in its place: nothing of it is reached by eye or key."""
        self.page.setVisible(not covered)
        if self.above is not None:
            self.above.setEnabled(not covered)
        self._settle()

    # -- what is shown -----------------------------------------------------------------------------

    def _on_run(self) -> None:
        self.code.show_algorithm(self.view.algorithm, self.view.lane.params)
        self._light_line()
        # else every second one, as figures do
        if not self.view.playback_budget.flying or self.view.lane.key != self._key:
            self.refresh()
        self._key = self.view.lane.key

    def _light_line(self) -> None:
        step = self.view.step
        self.code.light(step.line if step is not None else "")

    def _light(self) -> None:
        for panel in (self.step, self.why):
            panel.set_lit(self.view.pointer.lit)

    def _on_tool(self) -> None:
        """Who takes the probe or puts it down wants to read “Why?”."""
        if self.view.pointer.tool == "probe":
            self.show_why()

    def show_why(self) -> None:
        """“Why?” is what is seen, where not all has room."""
        self._refresh_why()
        self.page.show_section(self.why)

    def ask(self, row: int, answer: bool = False) -> None:
        """“Why?” is about this row of the examples (−1: about what the step is about); answer: show
        it at once.
        """
        self.asking.choose(row)
        if answer and row >= 0:
            self.show_why()
        else:
            self._refresh_why()
        self.stage.plane.redraw()

    def refresh(self) -> None:
        view = self.view
        step = view.step
        if step is not None and step is self._said:  # a new run tells of its step twice
            return
        if view.playback_budget.whole:
            self._say()
        else:
            self._said = None
            if view.scene is not self._drawn:
                self._show_scene()

    def _say(self) -> None:
        """The words of the step and of its answer, and its pictures."""
        self._said = self.view.step
        self._show_words()
        self._refresh_why()
        _lay_out()

    def _say_alone(self) -> None:
        """The words of a step that flies by: the pictures follow with the next one."""
        self._show_words()
        self._refresh_answer()
        self._settle()
        _lay_out()

    def _show_words(self) -> None:
        view = self.view
        self.step.show_step(view.step, view.number, view.unit.name.lower())

    def _on_settings(self) -> None:
        """Another unit counts the same step otherwise."""
        view = self.view
        if view.step is not None:
            self.step.name_step(view.step, view.number, view.unit.name.lower())
        self._refresh_why()

    def _refresh_why(self) -> None:
        planar = self.stage.plane_shown
        asked = self._refresh_answer()
        self._show_scene()
        # with other data the plane came or went: one asks in another way
        if self.stage.plane_shown != planar:
            self._answer(asked)
        self._settle()

    def _refresh_answer(self) -> Question:
        """What is asked, and answered if anybody sees it."""
        asked = self.asking.question()
        if asked.own and not self.isVisible():
            self._path = ()
        else:
            self._answer(asked)
        self._about = Asked(self._path, asked.row)
        return asked

    def _show_scene(self) -> None:
        """The pictures of the step, at whatever speed."""
        self._drawn = self.view.scene
        self.figure.figures, self._stale = self.stage.show_scene(self._drawn, self._about), True

    def _judge(self) -> None:
        """More is known of what the shown step says to the rows held out, where that is not found
        quickly; or less is shown.
        """
        if self.view.step is self._said and self.view.scene is not self._drawn:
            self._show_scene()
            self._settle()

    def _answer(self, asked: Question) -> None:
        """Why the asked row has its label, or how to ask."""
        view = self.view
        explanation = view.explanation(asked.x) if asked.x is not None else None
        if explanation is not None and view.problem is not None:
            self.why.show_explanation(
                explanation, view.problem, asked.name, value=self._value(asked.x)
            )
            self._show_flip(asked)
        else:
            self.why.show_hint(self._hint())
        self._path = explanation.path if explanation is not None else ()

    def _on_found(self) -> None:
        """A flip that had to be searched may be there."""
        asked = self.asking.question()
        if asked.by_hand and not self.why.lead.isHidden():
            self._show_flip(asked)
            self._settle()

    def _show_flip(self, asked: Question) -> None:
        """How far another label is, as soon as that is known."""
        view = self.view
        flip = view.flip(asked.x) if asked.by_hand else None
        point = view.point_flip(asked.x) if asked.rests else None
        said = None if flip is None or view.problem is None else flip_words(flip, view.problem)
        self.why.show_flip(
            said,
            None if point is None or view.problem is None else moved_words(point, view.problem),
        )

    def _hint(self) -> str:
        """How to ask, or why there is nothing to ask about."""
        problem = self.view.problem
        if self.view.step is None:
            return self.view.error or HINT
        if self.view.algorithm.explain is None:
            return NO_LABELS
        if problem is None or self.stage.plane_shown:
            return HINT
        asked = any(is_examples(figure, problem) for figure in self.view.scene.figures)
        return ROW_HINT if asked else NO_ROW_HINT

    def _value(self, x: Any) -> float | None:
        """What the shown model predicts for the row x (d,) of a problem of numbers."""
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
    """What asks for another place has it at once: else all is painted, laid out, and
    painted again.
    """
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
