"""The cell of one lane in the middle of the window: a head row with letter, chips and score above
the stage.
"""

from PySide6.QtCore import QEvent, QObject, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from engine.document.lane_edits import LETTERS, title_of
from gui.base.guard import guarded, guarded_filter
from gui.frame.chips import ChipRow
from gui.frame.switcher import Switcher
from gui.look import style, theme
from gui.plane.plane import Plane
from gui.plane.tools import make_tools
from gui.plane.tools.answer import AnswerTool
from gui.plane.tools.sketch import SketchTool
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.score import score
from gui.session.session import Session
from gui.stage.stage import Stage
from gui.widgets.controls import ElidedLabel, describe
from gui.widgets.layouts import column
from gui.widgets.sentence import StillLabel

HIGH = 48  # pixels, before scaling to the theme


class ProjectorHeader(QFrame):
    """A row of fixed height, so that its content never causes a new layout of the window."""

    def __init__(self) -> None:
        super().__init__()
        style.mark(self, "row")
        self._fit()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 0, 14, 0)
        self.row.addStretch(1)

    def _fit(self) -> None:
        self.setFixedHeight(theme.current().large(HIGH))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def hold(self, switcher: Switcher, dense: bool = False) -> None:
        """Put the switcher at the right end, with all its words; dense: there are several lanes, so
        that its words go into a menu.
        """
        self.row.addWidget(switcher)
        switcher.fit(0 if dense else 10_000)


NARROW = 330  # width in pixels below which the head row hides the score
LEAST = (200, 140)  # least width and height in pixels of one of several lanes
DENSE = 4.2 / 5.5  # factor for the radius of points where there are several planes


class LaneCell(QFrame):
    """The widgets of one lane: head row, stage and plane.

    With one lane only the cell hides its letter and score: other parts of the window show the
    errors then.

    menu_wanted: the letter was clicked; the place on the screen for the menu of the lane
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, session: Session, place: int, settings: QSettings) -> None:
        super().__init__()
        self.session, self.place = session, place
        self.view = view = session.lane_views[place]
        self.plane = Plane(session, view)
        self.plane.tools = make_tools(session, self.plane)
        self.plane.answering = AnswerTool(session, self.plane, view)
        self.plane.sketching = SketchTool(session, self.plane, view)
        self.chips = ChipRow(session, view)
        self.projector_header = ProjectorHeader()
        self.stage = Stage(session, lambda: view, self.plane, settings)
        self.several = self.projector = False
        self._said: object = None
        self._wrong = ""  # score of the shown step, or of an earlier one in fast playback
        self._shown: object = None  # the scene on an inactive lane's stage
        self.badges = [self._badge(row.row) for row in (self.chips, self.projector_header)]
        self.title = ElidedLabel("", "heading")
        self.title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.projector_score = StillLabel("body")
        self.projector_header.row.insertWidget(1, self.title)
        self.projector_header.row.addWidget(self.projector_score)
        self.score = StillLabel("body")
        self.chips.row.insertWidget(self.chips.row.indexOf(self.chips.ends), self.score)
        self.setLayout(column(self.chips, self.projector_header, (self.stage, 1)))
        self.refusal = Refusal(self, self.stage)
        session.changed.connect(self._on_changed)
        self.plane.update_cursor()
        self.stage.arranged.connect(self._show_scene)
        # a switcher shown without a parent would be a window and take the keyboard focus
        self.chips.hold(self.stage.switcher)
        self._show_scene()  # a run may have announced its first step before this cell was made

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.view)
        if here & (Change.NUMBERS | Change.STEPS | Change.RESTRICTED):
            self._count()
        elif here & Change.RUN:
            self.refresh()
        if here & (Change.RUN | Change.CURSOR | Change.VEIL):
            self._follow()

    def _badge(self, row: QHBoxLayout) -> QToolButton:
        badge = QToolButton()
        style.mark(badge, "letter")
        badge.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        badge.clicked.connect(
            lambda *_: self.menu_wanted.emit(badge.mapToGlobal(QPoint(0, badge.height())))
        )
        row.insertWidget(0, badge)
        return badge

    @property
    def letter(self) -> str:
        return LETTERS[self.place]

    @property
    def active(self) -> bool:
        return self.session.active == self.place

    def show_as(self, several: bool, projector: bool) -> None:
        """Show the cell as one of several lanes or as the only one; projector: whether its
        theme is in force.
        """
        self.several = several
        self.projector = projector
        self._said = None
        # without size hints several lanes get equal shares of the room
        policy = QSizePolicy.Policy.Ignored if several else QSizePolicy.Policy.Preferred
        self.setSizePolicy(policy, policy)
        self.setMinimumSize(*(LEAST if several else (0, 0)))
        self.chips.setVisible(not projector)
        self.projector_header.setVisible(projector)
        if projector:
            self.projector_header.hold(self.stage.switcher, dense=several)
        else:
            self.chips.hold(self.stage.switcher)
        for badge in self.badges:
            badge.setVisible(several)
        for words in (self.title, self.projector_score):
            words.setVisible(several and projector)
        self.plane.set_density(DENSE if several else 1.0)
        self._count()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve()

    def _reserve(self) -> None:
        """Hide the score in a narrow head row, and reserve the room of letter and score."""
        self.score.setVisible(self.several and self.width() >= style.scale(theme.current(), NARROW))
        self.chips.reserve(self.several, (self.badges[0], self.score))

    def _count(self) -> None:
        if self.several:
            self._wrong = score_text(self.view)
        self.refresh()

    def refresh(self) -> None:
        """Update the letter, title and score of the head row, and the refusal."""
        if not self.several:
            self.refusal.show_text("")
            self._reserve()
            return
        score = ", ".join(filter(None, (self._wrong, self.view.end_word)))
        said = (
            self.letter,
            self.active,
            self.view.lane,
            self.view.error,
            score,
            self.view.document.lanes,
        )
        if said == self._said:
            return
        self._said = said
        for badge in self.badges:
            badge.setText(self.letter)
            if bool(badge.property("on")) != self.active:
                style.mark(badge, "letter", on=self.active)
            about = "the active one" if self.active else "click to work on it"
            describe(
                badge,
                f"Lane {self.letter}",
                f"Lane {self.letter}, {about}: duplicate, move, remove …",
            )
        self.title.set_text(title_of(self.view.document, self.place))
        self.score.setText(score)
        self.projector_score.setText(score)
        self._reserve()
        self.refusal.show_text("" if self.active else self.view.error)

    def _follow(self) -> None:
        """Show the scene unless it stands there: a new run announces its first step twice."""
        if self.active or self.view.scene is not self._shown:
            self._show_scene()

    def _show_scene(self) -> None:
        """Show the scene of an inactive lane; the right dock shows that of the active one, together
        with the explanation.
        """
        self._shown = None if self.active else self.view.scene
        if not self.active:
            self.stage.show_scene(self.view.scene)


class Refusal(QLabel):
    """Shows over a lane's stage the sentence that says why it has no run."""

    def __init__(self, parent: QWidget, ground: QWidget) -> None:
        """ground: the widget that it covers."""
        super().__init__(parent)
        self.ground = ground
        style.mark(self, "refusal")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        ground.installEventFilter(self)
        self.hide()

    def show_text(self, sentence: str) -> None:
        if sentence != self.text() or bool(sentence) == self.isHidden():
            self.setText(sentence)
            self.setVisible(bool(sentence))
            self._place()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        ground = self.ground.geometry()
        wide = max(120, ground.width() - 96)
        high = self.heightForWidth(wide)
        x = ground.x() + (ground.width() - wide) // 2
        y = ground.y() + max(8, (ground.height() - high) // 2)
        self.setGeometry(x, y, wide, high)
        self.raise_()


def score_text(view: LaneView) -> str:
    """The score of the shown step: “6 wrong”, “RMS 0.31” for values; "" where there is none."""
    found = score(view)
    words = found.words()
    return f"{words} wrong" if words and found.of else f"RMS {words}" if words else ""
