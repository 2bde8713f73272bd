"""The left dock: data, algorithm, parameters, test split, and the legend of the plane's marks."""

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted, value_text
from engine.base.records import field_names, replace
from engine.protocol.params import to_dict
from engine.protocol.recipe import learners, two_class_learners
from engine.table.baseline import baseline
from engine.table.problem import Problem
from gui.base.guard import guarded
from gui.forms.params_form import ParamsForm
from gui.frame.shown_section import ShownSection
from gui.look import focus, style, theme
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.setup.data_and_method import AlgorithmPicker
from gui.setup.data_section import DataSection, SectionCommands
from gui.widgets.controls import ErrorLine, NumberSlider, Section, label

SEEN = "no test: learning looked at these rows"


class LeftDock(QScrollArea):
    """The sections for setting up a run. wanted: signal that a command leads to a section, so that
    the window shows the dock
    """

    wanted = Signal()

    def __init__(self, session: Session, commands: SectionCommands) -> None:
        super().__init__()
        self.session = session
        self.setAccessibleName("Data, algorithm and parameters")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalScrollBar().valueChanged.connect(
            lambda _: self.horizontalScrollBar().setValue(0)
        )
        inner = QFrame()
        style.mark(inner, "dock")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.data = DataSection(session, commands)
        self.algorithm = Section("Algorithm", pad=theme.PAD_TIGHT)
        self.picker = AlgorithmPicker(session, commands.data_commands)
        self.picker_error = ErrorLine()
        self.algorithm.content.addWidget(self.picker)
        self.algorithm.content.addWidget(self.picker_error)
        self.params = Section("Parameters", pad=theme.PAD_TIGHT)
        self.form = ParamsForm()
        self.form.learners = lambda: [
            (each.key, each.title) for each in learners(self.view.problem)
        ]
        self.form.two_class_learners = lambda: [
            (each.key, each.title) for each in two_class_learners(self.view.problem)
        ]
        self.form.classes = lambda: (
            () if self.view.problem is None else self.view.problem.class_names
        )
        self.params.content.addWidget(self.form)
        self.split = SplitSection(session)
        self.shown = ShownSection(session)
        for section in (self.data, self.algorithm, self.params, self.split, self.shown):
            # Maximum would limit the height to the hint, which ignores line breaks at this width
            section.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            column.addWidget(section)
        column.addStretch(1)
        self.setWidget(inner)
        self.set_width(theme.LEFT_DOCK)
        self.picker.picked.connect(self._choose)
        self.picker.refused.connect(lambda sentence: self.picker_error.show_error(sentence))
        self.form.changed.connect(self._set)
        self.form.gesture_ended.connect(lambda _: session.history.seal())
        self.form.place_wanted.connect(self._place)
        session.changed.connect(self._on_changed)
        self._stale = False  # a run began while the dock was hidden
        self.refresh()

    @property
    def view(self) -> LaneView:
        """The active lane."""
        return self.session.lane_view

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.view) & Change.RUN:
            self._on_run()

    def set_width(self, wide: int) -> None:
        """Set the width in pixels of the dock and its forms."""
        self.setFixedWidth(wide)
        self.widget().setFixedWidth(wide)  # the scroll bar lies on the padding and moves nothing
        self.form.set_room(wide - 2 * theme.PAD_X)

    @guarded
    def setVisible(self, visible: bool) -> None:
        """Bring the parameters up to date before the dock appears."""
        if visible and self._stale:
            self.refresh()
        super().setVisible(visible)

    def _on_run(self) -> None:
        """Refresh now, or, as a form has many controls, when the hidden dock is shown again."""
        if self.isHidden():
            self._stale = True
        else:
            self.refresh()

    def refresh(self) -> None:
        self._stale = False
        self.form.show_params(self.view.algorithm.params, to_dict(self.view.lane.params))
        self.params.setVisible(bool(field_names(self.view.algorithm.params)))
        idle = self.view.algorithm.without_data
        self.split.setVisible(idle is None or not idle(self.view.lane.params))
        self.picker_error.show_error("")

    def _choose(self, key: str) -> None:
        if key != self.view.lane.key:
            self.session.choose(key)

    def _set(self, name: str, value: Any) -> None:
        try:
            self.session.set_params(f"parameter {name}", **{name: value})
        except EngineError as sentence:
            self.form.show_error(name, str(sentence))

    def _place(self, name: str) -> None:
        """Set the parameter to the probe's place, or say how to place the probe."""
        problem = self.view.problem
        if problem is None or problem.query is None:
            self.session.set_settings(tool="probe")
            self.session.say("Click the plane to put the probe down, then press the button again.")
            return
        self.session.set_params(None, **{name: tuple(float(v) for v in problem.query)})

    # -- what chips and strips point to ------------------------------------------------------------

    def sections(self) -> dict[str, Callable[[], None]]:
        """The function that shows and focuses each section, by the section's name."""
        return {
            "Data": self.focus_data,
            "Algorithm": self.focus_algorithm,
            "Parameters": self.focus_params,
        }

    def focus_section(self, name: str) -> None:
        self.sections()[name]()

    def ask_for_algorithm(self) -> None:
        """Open the algorithm picker for a new lane, unless the dock would first have to appear."""
        if self.isVisible():
            self.focus_algorithm()

    def focus_data(self) -> None:
        self._reveal(self.data, self.data.picker.field)

    def focus_algorithm(self) -> None:
        self._reveal(self.algorithm, self.picker.field)
        self.picker.open()

    def focus_params(self) -> None:
        self._reveal(self.params, self.form)

    def _reveal(self, section: QWidget, control: QWidget) -> None:
        self.wanted.emit()
        self.show()
        self.ensureWidgetVisible(section)
        focus.give(control)


class SplitSection(Section):
    """The share of rows held out for testing, and the errors on both parts."""

    def __init__(self, session: Session) -> None:
        super().__init__("Test split", rule=False, pad=theme.PAD_TIGHT, pad_below=0)
        self.session = session
        self.slider = NumberSlider(0, 80, 0, whole=True, accessible="Held-out share in per cent")
        self.slider.changed.connect(self._on_change)
        self.slider.gesture_ended.connect(session.history.seal)
        # one row: slider and number beside the heading, the errors below
        self.head.removeWidget(self.caption)
        self.head.addWidget(self.slider, 1)
        self.head.addWidget(label("%", "muted"))
        self.caption.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.inner.setSpacing(0)
        self.content.addWidget(self.caption)
        self.as_of = label("", "caption")
        self.content.addWidget(self.as_of)
        self.content.setSpacing(0)
        self.baseline = label("", "caption")
        self.baseline.setWordWrap(True)
        self.content.addWidget(self.baseline)
        self.error = ErrorLine()
        self.slider.refused.connect(self.error.show_error)
        self.content.addWidget(self.error)
        session.changed.connect(self._on_changed)
        self.refresh()

    @property
    def view(self) -> LaneView:
        """The active lane."""
        return self.session.lane_view

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.view) & (Change.RUN | Change.CURSOR | Change.STEPS):
            self.refresh()

    def _on_change(self, percent: Any) -> None:
        split = replace(self.session.document.split, share=float(percent) / 100, rows=())
        self.session.edit(replace(self.session.document, split=split), "hold out rows", "split")

    def refresh(self) -> None:
        split = self.view.document.split
        rows = len(self.view.data)
        share = len(split.rows) / max(rows, 1) if split.rows else split.share
        percent = round(100 * share)
        if percent != self.slider.value() and not self.slider.dragging():
            self.slider.set_value(percent)
        self.set_caption(self._errors() if share else "")
        self.caption.setVisible(bool(share))
        self.as_of.setVisible(bool(share and self.as_of.text()))
        self.baseline.setVisible(bool(share and self.baseline.text()))
        # a line of words has room below its letters, the field beside the heading has none
        self.content.setContentsMargins(0, 0, 0, 0 if share else theme.PAD_TIGHT + 1)

    def _errors(self) -> str:
        """The sentence with train and test error of the shown step. Where judging is slow these
        are the errors of an earlier step, which the label `as_of` names.
        """
        view = self.view
        lane_run = self.view.run
        problem = self.view.problem
        self.as_of.setText("")
        self.baseline.setText("")
        if lane_run is None or problem is None or problem.held_out is None:
            return "held out once there is a run"
        errors = lane_run.judging.at(view.cursor) if view.step is not None else None
        if errors is None or math.isnan(errors.test):
            return f"{counted(problem.held_out.n, 'row')} held out"
        uses = view.algorithm.uses_held_out
        seen = uses is not None and uses(lane_run.trace.params)
        outdated = errors.at != view.cursor or not lane_run.judging.quick
        remarks = (
            SEEN if seen else "",
            f"as of {lane_run.judging.moment(errors.at)}" if outdated else "",
        )
        self.as_of.setText(", ".join(remark for remark in remarks if remark))
        self.baseline.setText(beside(problem, problem.held_out, errors.test))
        name = "held out" if seen else "test"
        if problem.regress:
            left = "" if math.isnan(errors.train) else f"train {value_text(errors.train)}, "
            return f"RMS error: {left}{name} {value_text(errors.test)}"
        left = "" if math.isnan(errors.train) else f"train {100 * errors.train:.0f} %, "
        return f"{left}{name} {100 * errors.test:.0f} % wrong"


def beside(learnt: Problem, tested: Problem, error: float) -> str:
    """The baseline's error on the rows of `tested`, 'always saying “A”: 24 % wrong', after 'worse
    than' where `error` of the method is larger; "" where there is no baseline.
    """
    found = baseline(learnt)
    if found is None or math.isnan(own := found.error(tested)):
        return ""
    words = f"RMS error {value_text(own)}" if learnt.regress else f"{100 * own:.0f} % wrong"
    return f"{'worse than ' if error > own else ''}always saying {found.name}: {words}"
