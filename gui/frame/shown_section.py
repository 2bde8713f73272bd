"""The section “Shown”: the legend of the plane's marks, with a count and a check box for each."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from engine.scene.legend import ABOUT, ORDER, Mark
from gui.base.guard import guarded
from gui.base.plain_text import as_words
from gui.look import style, theme
from gui.look.ink import folded
from gui.painters.mark_picture import HIGH, WIDE, mark_pixmap
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.widgets.controls import Divider, Section, describe, label

NOT_NOW = "–"  # in place of a number, for a mark that this step does not have


class ShownRow(QWidget):
    """One row of the legend: check box, mark, meaning and count."""

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.box = QCheckBox(as_words(mark.words))
        describe(self.box, f"Show: {mark.words}", ABOUT.get(mark.words, ""))
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.number = label("", "muted")
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # digits with reserved room; marks without a count leave it to their words
        self._digits = 0
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.box, 1)
        line.addWidget(self.number)
        self.dress()

    def dress(self) -> None:
        """Draw the mark in the colours of the theme, and fit the row to its type size."""
        look = theme.current()
        self.box.setIconSize(QSize(style.scale(look, WIDE), style.scale(look, HIGH)))
        self.box.setIcon(QIcon(mark_pixmap(self.mark, self.devicePixelRatioF())))
        # a fixed size, so that another number does not lay out the dock
        letters = self.number.fontMetrics()
        self.number.setFixedSize(
            letters.horizontalAdvance("8" * self._digits) + 2, letters.height()
        )
        self._fold()

    def _fold(self) -> None:
        """Wrap the words to the width of the row."""
        letters = self.box.fontMetrics()
        box = self.box
        box.ensurePolished()
        beside = box.sizeHint().width() - letters.size(0, box.text()).width()
        room = self.width() - self.number.width() - self.layout().spacing() - beside
        lines = as_words("\n".join(folded(letters, [self.mark.words], room)))
        if lines != box.text():
            box.setText(lines)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        high = self.sizeHint().height()
        self._fold()
        # a layout under way would ignore `updateGeometry`
        if self.sizeHint().height() != high:
            QTimer.singleShot(0, self, self.updateGeometry)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "number"):
            self.dress()

    def set_count(self, mark: Mark | None, on: bool) -> None:
        """Show the count of `mark`, None where the step has none. on: whether the mark is shown."""
        text = NOT_NOW if mark is None else str(mark.count) if mark.count >= 0 else ""
        if text != self.number.text():
            self.number.setText(text)
            if len(text) > self._digits:
                self._digits = len(text)
                self.dress()
            self.box.setAccessibleDescription(text.replace(NOT_NOW, "none in this step"))
        self.box.setChecked(on)


class ShownSection(Section):
    """The rows of all marks that the method has shown on these data so far.

    Rows stay from step to step. The section is hidden without rows or without a plane.
    """

    def __init__(self, shown: Playhead) -> None:
        super().__init__("Shown", rule=False, pad=theme.PAD_TIGHT)
        self._shown = shown
        self.rows: dict[str, ShownRow] = {}
        self._of: tuple[object, ...] = ()  # the method, the data, what a lesson hides
        self._about: tuple[object, ...] = (None, None, None)
        self.content.setSpacing(0)
        outer = self.layout()
        assert isinstance(outer, QBoxLayout)
        outer.insertWidget(0, Divider())
        shown.changed.connect(self._on_changed)
        self.refresh()

    @property
    def view(self) -> LaneView:
        """The active lane."""
        return self._shown.lane_view

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.view)
        if here & Change.RUN:
            self._on_run()
        if here & (Change.NUMBERS | Change.MARKS | Change.RESTRICTED):
            self.refresh()

    def _on_run(self) -> None:
        """Refresh for a new run; in fast playback the signal `numbers` does, at every second step,
        unless method or data are new.
        """
        if not self.view.playback_budget.flying or self._now_of() != self._of:
            self.refresh()

    def _now_of(self) -> tuple[object, ...]:
        return self.view.lane.key, self.view.data.name, self.view.hidden

    def refresh(self) -> None:
        about = self.view.scene, self.view.problem, self.view.marks.hidden
        # a new run announces its first step twice
        if about[:2] == self._about[:2] and about[2] == self._about[2]:
            return
        self._about = about
        now = {mark.words: mark for mark in self.view.marks.legend()}
        if (of := self._now_of()) != self._of:
            self._of = of
            self._clear()
        new = [mark for words, mark in now.items() if words not in self.rows]
        if new and self.view.playback_budget.flying and not self.view.playback_budget.whole:
            # new rows would lay out the dock: wait for a step that is shown whole
            self._about, new = (None, None, None), []
        for mark in new:
            self._add(mark)
        hidden = self.view.marks.hidden
        for words, row in self.rows.items():
            row.set_count(now.get(words), words not in hidden)
        away = len(hidden & self.rows.keys())
        self.set_caption(f"{away} hidden" if away else "")
        problem = self.view.problem
        self.setVisible(bool(self.rows) and problem is not None and bool(problem.plane))

    def _clear(self) -> None:
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows = {}

    def _add(self, mark: Mark) -> None:
        row = ShownRow(mark)
        row.box.clicked.connect(lambda on, words=mark.words: self.view.marks.show(words, on))
        self.rows = dict(
            sorted((self.rows | {mark.words: row}).items(), key=lambda item: ORDER.index(item[0]))
        )
        self.content.insertWidget(list(self.rows).index(mark.words), row)
