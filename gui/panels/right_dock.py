"""The right dock: pseudo-code, this step, why this label, figure."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QSplitter, QVBoxLayout, QWidget

from engine.core.step import Step
from gui.canvas.probe import Question, is_examples
from gui.look import style, theme
from gui.panels.figure_panel import Asked, FigurePanel
from gui.panels.pseudocode import PseudocodePanel
from gui.panels.step_room import ASKED_ANSWER, HINTED, RULE, StepRoom, scaled, shares
from gui.panels.this_step import ThisStepPanel
from gui.panels.why import WhyPanel
from gui.session.lane_view import LaneView
from gui.stage.stage import Stage
from gui.widgets.controls import Divider
from gui.widgets.guard import guarded

TALL = 760  # from this height on, larger with larger type, “Why this label?” and the figure stand one below the other
READ = 200  # milliseconds for which an answer that nobody asked for stays while a run is played
HINT = "Take the probe and point at the plane, or click to put it down."
ROW_HINT = "Click a row of the examples to see why it has its label."
NO_ROW_HINT = "This step shows no row of the examples to ask about."
NO_LABELS = "This method gives no labels to explain."


class RightDock(QFrame):
    """Reads the shown step aloud; repaints only what changed."""

    def __init__(self, view: LaneView, stage: Stage) -> None:
        super().__init__()
        self.view, self.stage = view, stage
        style.mark(self, "dock")
        self.set_width(theme.RIGHT_DOCK)
        self.code = PseudocodePanel()
        self.step = ThisStepPanel()
        self.why = WhyPanel()
        self.figure = FigurePanel(view)
        self.code.fold.toggled.connect(lambda _: self._settle())
        self.step.term_hovered.connect(lambda tag: view.pointer.light((tag,)))
        self.step.option_hovered.connect(lambda tag: view.pointer.light((tag,)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.code)
        column.addWidget(Divider())
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.parts = [Part(panel) for panel in (self.step, self.why, self.figure)]
        for part, share in zip(self.parts, (5, 2, 4), strict=True):
            self.split.addWidget(part)
            self.split.setStretchFactor(self.split.count() - 1, share)
        column.addWidget(self.split, 1)
        self.tall = True
        self._head = self._room = 0  # what the figures of this method have needed so far
        self._answers = 0  # what the answers have needed for as long as they are seen
        self._answered = False  # another answer stands there than was measured last
        self._asked = False  # by a person: not what the step itself is about
        self.dragged = False  # a person has shared the height
        self._type = theme.current().type_sizes  # that the words were measured in
        self.room = StepRoom(view, self.step)
        self.room.grew.connect(self._settle)
        self.split.splitterMoved.connect(self._on_drag)
        self.split.installEventFilter(self)
        self.key = ""
        self._shown: Step[Any] | None = None
        self.asking = stage.plane.asking
        self._path: tuple[int, ...] = ()  # of the answer that is shown, through a tree
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(READ)
        self._later.timeout.connect(self._refresh_why)
        view.run_changed.connect(self._on_run)
        view.cursor_moved.connect(self.refresh)
        view.pointer.moved.connect(self._refresh_why)
        view.unit_changed.connect(self._on_settings)
        view.pointer.tool_taken.connect(self._on_tool)
        self.why.hovered.connect(lambda tag: view.pointer.light((tag,)))
        self.why.appeared.connect(lambda: self._answer(self.asking.question()))
        view.pointer.lit_changed.connect(self._light)
        stage.arranged.connect(self._refresh_why)
        self.figure.enlarge_wanted.connect(stage.add)
        self.figure.tabs.chosen.connect(self._on_page)
        self.figure.body.row_chosen.connect(self.ask)
        stage.row_chosen.connect(lambda row: self.ask(row, answer=True))
        self._on_run()

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        tall = self.height() >= style.scale(theme.current(), TALL)
        stacked = tall != self.tall
        if stacked:
            self._stack(tall)
            self.dragged = False
        if stacked or event.size().width() != event.oldSize().width():  # tabs and answers need another height
            self._head = self._room = self._answers = 0
        self._share()

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Longer code, or its scroll bar, leaves the rest another height."""
        if (
            watched is self.split
            and isinstance(event, QResizeEvent)
            and event.size().height() != event.oldSize().height()
        ):
            self._settle()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "room"):
            QTimer.singleShot(0, self, self._share_anew)

    def _share_anew(self) -> None:
        """Other type, other sizes: of tabs too, which are laid out by now."""
        self._head = self._room = self._answers = 0
        if self._type != theme.current().type_sizes:
            self._type = theme.current().type_sizes
            self.room.forget()
        self._share()

    def set_width(self, wide: int) -> None:
        """As wide as the window has room for."""
        self.setFixedWidth(wide)

    def _share(self) -> None:
        """This step has what its words need, as far as the figure stays readable; what a person dragged stays."""
        self.room.measure()
        if self._shown is not None:
            self.room.ask()
        self._settle()

    def _settle(self) -> None:
        if not self.dragged:
            needed, floor, figure = self.room.needed, self.step.floor(), self.figure
            self._head = max(self._head, figure.head())  # a step with fewer tabs moves nothing
            self._room = max(self._room, figure.room)
            self._shorten_code()
            handles = self.split.handleWidth() * (sum(not part.isHidden() for part in self.parts) - 1)
            height = self.split.height() - handles
            room = 0 if self.parts[2].isHidden() else self._room
            if not self.tall:  # the answers stand in the place of the figure, and were asked for
                room = max(room, scaled(HINTED), min(self._answers, ASKED_ANSWER * height // 100))
            self.split.setSizes(shares(height, needed, floor, self._head, self.tall, room, self._answers))

    def _shorten_code(self) -> None:
        """The words of the longest step, with what is below them, come before all of the code but three lines."""
        card, around = self.code.card, min(self.code.around(), self.height() // 3)
        whole, least = card.sizeHint().height(), card.minimumSizeHint().height()
        figure = 0 if self.parts[2].isHidden() else self._room
        below = self._head + max(figure, scaled(HINTED), self._answers) + 4 * RULE
        most = max(least, min(whole, self.height() - around - self.room.needed - below))
        if around + most != self.code.height() or self.code.minimumHeight() != self.code.maximumHeight():
            self.code.setFixedHeight(around + most)
            self.layout().activate()

    def _make_room(self) -> None:
        """For a figure or an answer that needs more than all before it. What the step itself answers takes no room from
        its words in a low window: it scrolls."""
        answers = self._answers if self.why.isVisible() and (self.tall or self._asked) else 0
        if self._answered and (self.tall or self._asked):  # measured only then: a played frame has no time for more
            self._answered = False
            answers = max(answers, self.why.needed())
        more = self.figure.head() > self._head or self.figure.room > self._room
        if more or answers != self._answers:
            self._answers = answers
            self._settle()

    def _on_drag(self) -> None:
        self.dragged = True

    def _stack(self, tall: bool) -> None:
        """In a low window “Why?” becomes a page beside the figures."""
        self.tall = tall
        self.why.set_bare(not tall)
        if tall:
            self.figure.extra = None
            self.parts[1].hold(self.why)
        else:
            self.figure.extra = ("Why?", self.why)
        self.why.show()
        self._refresh_why()

    def _on_run(self) -> None:
        if self.view.lane.key != self.key:
            self.key = self.view.lane.key
            self.dragged, self._head, self._room, self._answers = False, 0, 0, 0
            QTimer.singleShot(0, self, self._share)
        self.code.show_algorithm(self.view.algorithm, self.view.lane.params)
        self.refresh()

    def _light(self) -> None:
        for panel in (self.step, self.why):
            panel.set_lit(self.view.pointer.lit)

    def _on_tool(self) -> None:
        """Who takes the probe or puts it down wants to read “Why?”."""
        if self.view.pointer.tool == "probe" and not self.tall:
            self.figure.choose_extra()
            self._refresh_why()

    def _on_page(self) -> None:
        self._asked = self.asking.question().by_hand or self.figure.extra_chosen
        self._make_room()

    def show_why(self) -> None:
        """“Why?” is what is seen, where it shares a place with the figures."""
        self.figure.choose_extra()
        self._refresh_why()

    def ask(self, row: int, answer: bool = False) -> None:
        """“Why?” is about this row of the examples (−1: about what the step is about); answer: show it at once."""
        self.asking.choose(row)
        if answer and row >= 0:
            self.figure.choose_extra()
        self._refresh_why()
        self.stage.plane.redraw()

    def refresh(self) -> None:
        view = self.view
        step = view.step
        if step is not None and step is self._shown:  # a new run tells of its step twice
            return
        self._shown = step
        self.code.light(step.line if step is not None else "")
        self.step.show_step(step, view.number, view.unit.name.lower())
        if step is not None:
            self.room.ask()
        self._refresh_why()
        for _ in range(2):  # lay out at once, then what that moved; else all is painted, laid out and painted again
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _on_settings(self) -> None:
        """Another unit counts the same step otherwise."""
        view = self.view
        if view.step is not None:
            self.step.name_step(view.step, view.number, view.unit.name.lower())
        self._refresh_why()

    def _refresh_why(self) -> None:
        view = self.view
        asked = self.asking.question()
        self._asked = asked.by_hand or self.figure.extra_chosen
        if asked.own and not self.why.isVisible():
            self._path = ()
        elif not (asked.own and view.playing() and self._later.isActive()):
            self._answer(asked)
        about = Asked(self._path, asked.row)
        figures = self.stage.show_scene(view.scene, about)
        self.parts[1].setVisible(self.tall)
        self.parts[2].setVisible(bool(figures) or not self.tall)
        self.figure.show_figures(figures, about)
        self._make_room()

    def _answer(self, asked: Question) -> None:
        """An answer of the step's own is spared where nobody sees it, and stays for a moment while steps fly by."""
        view = self.view
        explanation = view.explanation(asked.x) if asked.x is not None else None
        if explanation is not None and view.problem is not None:
            self.why.show_explanation(explanation, view.problem, asked.name, value=self._value(asked.x))
        else:
            self.why.show_hint(self._hint())
        self._path = explanation.path if explanation is not None else ()
        self._answered = True
        if view.playing():
            self._later.start()

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
        if trace is None or step is None or problem is None or not problem.regress or trace.algorithm.predict is None:
            return None
        return float(trace.algorithm.predict(trace.given, step.state, x[None])[0])


class Part(QWidget):
    """A panel with a rule below it, as high as the splitter says: what changes inside moves nothing outside, so that a
    step need not lay out the whole window."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self.rule = Divider(parent=self)
        self.hold(panel)

    def hold(self, panel: QWidget) -> None:
        self.panel = panel
        panel.setParent(self)
        self._place()

    def minimumSizeHint(self) -> QSize:
        return self.panel.minimumSizeHint() + QSize(0, 1)

    def sizeHint(self) -> QSize:
        return self.panel.sizeHint() + QSize(0, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        if self.panel.parent() is self:
            self.panel.setGeometry(0, 0, self.width(), self.height() - 1)
        self.rule.setGeometry(0, self.height() - 1, self.width(), 1)
