"""The head row of a lane: chips for the algorithm, the seed, the data and the parameters, and the
switcher of the views.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from engine.base.notation import counted
from engine.document.lane_edits import apart_from, data_name
from engine.table.given import next_seed
from gui.base.guard import guarded
from gui.base.plain_text import as_read, as_words
from gui.frame.switcher import Switcher
from gui.look import dressing, icons, style, theme
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.widgets.controls import Chip, describe
from gui.widgets.layouts import not_within_itself

GAP, EDGES = 8, 30  # pixels between two parts; of both margins together
TITLE = 60  # least width in pixels of the algorithm's name


class ChipRow(QFrame):
    """The chips of one lane, the switcher, and the buttons that add a lane and fold the docks.

    algorithm_clicked: the first chip, which opens the algorithm picker; data_clicked and
    params_clicked: a chip whose setting is in that section; expand_clicked: the docks are to be
    folded or shown. The chip of the seed sets the next seed itself.
    """

    algorithm_clicked = Signal()
    data_clicked = Signal()
    params_clicked = Signal()
    expand_clicked = Signal()

    def __init__(self, session: Session, view: LaneView) -> None:
        """view: the lane that is shown"""
        super().__init__()
        self.session, self.view = session, view
        style.mark(self, "row")
        self._fit()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 0, 10, 0)
        self.row.setSpacing(GAP)
        self.plus = QToolButton()
        icons.put(self.plus, "plus", "ink2", icons.SMALL)
        style.mark(self.plus, "end")
        describe(self.plus, "Add a lane: another method beside, over the same points")
        self._adds = True
        self.dense, self.kept = False, 2  # kept: number of chips that are always shown
        self.reserved = 60  # pixels for all but the chips, the switcher and the plus button
        self.chips = QHBoxLayout()
        self.chips.setSpacing(GAP)
        self.row.addLayout(self.chips)
        self.more = Chip("+1")
        self.more.clicked.connect(self._open_menu)
        self.more.hide()
        self.row.addWidget(self.more)
        self.row.addStretch(1)
        self.ends = QHBoxLayout()
        self.ends.setSpacing(0)
        self.ends.addWidget(self.plus)
        self.row.addLayout(self.ends)
        self.expand = QToolButton()
        icons.put(self.expand, "expand", "ink2", icons.SMALL)
        style.mark(self.expand, "end")
        describe(self.expand, "Fold both docks away, or bring them back")
        self.expand.clicked.connect(self.expand_clicked)
        self.ends.addWidget(self.expand)
        self._shown: object = None
        self._type = theme.current().type_sizes  # with which the chips were made
        self._title = ""
        self._held: Switcher | None = None
        session.changed.connect(self._on_changed)
        self.refresh()

    def _next_seed(self) -> None:
        lane = self.view.lane
        self.session.set_seed(next_seed(lane.seed), self.view.place)

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.view) & Change.RUN:
            self.refresh()

    def hold(self, switcher: Switcher) -> None:
        """Put the switcher of the stage at the right end."""
        if self._held is None:
            switcher.resized.connect(self._drop_what_does_not_fit)
        self._held = switcher
        self.row.removeWidget(switcher)  # it may be in this row already
        self.row.insertWidget(self.row.indexOf(self.ends), switcher)
        self._drop_what_does_not_fit()

    def show_ends(self, plus: bool, expand: bool) -> None:
        """Show or hide the buttons at the right end."""
        self._adds = plus
        self.plus.setVisible(plus)
        self.expand.setVisible(expand)

    def reserve(self, dense: bool, beside: Iterable[QWidget]) -> None:
        """Reserve room for widgets that are not chips.

        dense: there are several lanes; chips come before the switcher then, and only the first one
        is always shown; beside: widgets that get their room first, unless they are hidden
        """
        reserved = EDGES + (0 if self.expand.isHidden() else self.expand.sizeHint().width())
        reserved += sum(each.sizeHint().width() + GAP for each in beside if not each.isHidden())
        if (dense, reserved) != (self.dense, self.reserved):
            self.dense = dense
            self.kept = 1 if dense else 2
            self.reserved = reserved
            self.refresh()
            self._drop_what_does_not_fit()

    def _fit(self) -> None:
        self.setFixedHeight(style.bar(theme.current(), "chips"))

    def texts(self) -> list[str]:
        """The texts of the chips, the algorithm's name first."""
        view = self.view
        lane, problem = view.lane, view.problem
        made = view.algorithm.chips(lane.params) if view.algorithm.chips is not None else ()
        notices = list(problem.notices) if problem is not None else []
        given = (
            []
            if view.document.transforms or problem is None or not problem.plane
            else ["x as given"]
        )
        hidden = problem.d - len(problem.plane) if problem is not None and problem.plane else 0
        held = [f"{counted(hidden, 'hidden column')} at the middle"] if hidden else []
        if problem is not None and problem.plane and problem.drawn is not None:
            held.append(f"{len(problem.drawn):,} of {problem.n:,} points drawn")
        start = view.run.lane.start if view.run is not None else None
        begun = [f"on from {start.place}"] if start is not None else []
        begun += [lane.by_hand] if lane.branches else []
        begun += ["own points"] if lane.data is not None and not self._data_name() else []
        if self.dense:  # first where the lanes differ, then what all share
            apart = self._apart()
            made = tuple(text for text in made if text not in apart)
            return [
                view.algorithm.title,
                *apart,
                *made,
                f"seed {lane.seed}",
                *begun,
                *notices,
                *given,
                *held,
            ]
        return [view.algorithm.title, f"seed {lane.seed}", *notices, *given, *held, *begun, *made]

    def _data_name(self) -> str:
        return data_name(self.view.document, self.view.place) if self.dense else ""

    def _apart(self, brief: bool = False) -> list[str]:
        """What tells the lane apart from others: its data where each has others, then the
        parameters in which lanes of its method differ. brief: with short labels, of data the name
        alone
        """
        lane, lanes = self.view.lane, self.view.document.lanes
        data = self._data_name()
        if data and brief:
            return [data]
        return [*([data] if data else []), *apart_from(lane, lanes, brief)]

    def refresh(self) -> None:
        texts = self.texts()
        if texts == self._shown:
            return
        self._shown = texts
        self._type = theme.current().type_sizes
        while self.chips.count():
            surplus = self.chips.takeAt(0).widget()
            surplus.hide()  # else it is painted until it is deleted
            surplus.deleteLater()
        notices = len(self.view.problem.notices) if self.view.problem is not None else 0
        for k, text in enumerate(texts):
            chip = Chip(text, main=k == 0, menu=k == 0)
            if k == 0:
                chip.clicked.connect(self.algorithm_clicked)
                describe(chip, text, "Choose another algorithm")
                self._title = text
            elif text == f"seed {self.view.lane.seed}":
                chip.clicked.connect(self._next_seed)
                describe(chip, text, "The seed of everything random; click for the next one")
            else:
                data = k >= len(texts) - max(1, notices) if self.dense else k < 2 + max(1, notices)
                data = data or text == self._data_name()
                chip.clicked.connect(self.data_clicked if data else self.params_clicked)
            self.chips.addWidget(chip)
        self._drop_what_does_not_fit()

    @guarded
    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._drop_what_does_not_fit()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_shown"):
            self._fit()
            if self._type != theme.current().type_sizes:
                # hidden chips do not have their new size yet: make all again
                self._shown = None
                self.refresh()
            else:
                self._drop_what_does_not_fit()  # new style, perhaps no resize

    @not_within_itself
    def _drop_what_does_not_fit(self) -> None:
        """Hide the last chips where not all fit, and let the switcher fold its words. The
        algorithm always stays, and with one lane the seed.
        """
        chips = [self.chips.itemAt(k).widget() for k in range(self.chips.count())]
        dressing.dress_now([*filter(None, chips), self.more])
        room = self.width() - self.reserved - self._make_plus_fit(chips)
        instead = self._cut_title(room)
        wide = [chip.sizeHint().width() + GAP for chip in chips]
        if self._held is not None and self._held.parent() is self:  # not in projector row
            self._held.fit(0 if self.dense else room - sum(wide[: self.kept]))
            room -= self._held.width() + GAP if len(self._held.names) > 1 else 0
        fit = len(chips)
        if sum(wide) > room:
            room -= self.more.sizeHint().width() + GAP
            fit = max(
                self.kept, next((k for k in range(len(wide)) if sum(wide[: k + 1]) > room), fit)
            )
        if instead:  # the chips of its parameters would say it again
            fit = 1
        for k, chip in enumerate(chips):
            chip.setVisible(k < fit)
        folded = [as_read(chip.text()) for chip in chips[fit:]]
        self.more.setVisible(bool(folded) and sum(wide[:fit]) <= room)
        self.more.setText(f"+{len(folded)}")
        describe(
            self.more,
            f"{counted(len(folded), 'more setting')}: {', '.join(folded)}",
            "\n".join(folded),
        )

    def _make_plus_fit(self, chips: Sequence[QWidget | None]) -> int:
        """Hide the plus button where it would cost a single lane its name or seed; the menu adds
        lanes too. Returns the button's width in pixels, 0 where it is hidden.
        """
        wide = self.plus.sizeHint().width()
        words = (
            self._held.least() + GAP if self._held is not None and len(self._held.names) > 1 else 0
        )
        least = (
            sum(chip.sizeHint().width() + GAP for chip in chips[: self.kept] if chip is not None)
            + words
        )
        fits = self.dense or least <= self.width() - self.reserved - wide
        self.plus.setVisible(self._adds and fits)
        return wide if self._adds and fits else 0

    def _cut_title(self, room: int) -> bool:
        """With several lanes cut the algorithm's name, so that what tells lanes of the same
        algorithm apart has room. Where all lanes have this algorithm, that stands instead of a name
        that would be cut. A name that has no room beside it takes all that is free, if need be also
        the room of the menu. room: pixels for all chips and the switcher

        Returns whether it stands there.
        """
        chip = self.chips.itemAt(0).widget() if self.chips.count() else None
        if not isinstance(chip, Chip):
            return False
        text, instead = self._title, False
        metrics = QFontMetrics(theme.current().font("body", weight=600))
        if self.dense:
            around = chip.sizeHint().width() - metrics.horizontalAdvance(chip.text())
            apart = [self.chips.itemAt(k + 1).widget() for k in range(len(self._apart()))]
            free = room - around - 2 * GAP - sum(_wide(each) for each in (self.more, self._held))
            whole = metrics.horizontalAdvance(text)
            first = free - _wide(apart[0]) if apart else free
            beside = free - sum(map(_wide, apart))
            same = bool(apart) and len({each.key for each in self.view.document.lanes}) == 1
            instead = same and beside < (whole if self._data_name() else TITLE)
            if instead:
                text, beside = ", ".join(self._apart(brief=True)), free
            elif beside < TITLE:
                beside = first if first >= TITLE else free
            if beside == free and metrics.horizontalAdvance(text) > free:
                beside += _wide(self.more)
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(TITLE, beside))
        if chip.text() != as_words(text):
            chip.setText(as_words(text))
            describe(chip, self._title, f"{self._title}: choose another algorithm")
        return instead

    def _open_menu(self) -> None:
        """Open a menu of the hidden chips; an entry does the same as a click on its chip."""
        menu = QMenu(self)
        for chip in (self.chips.itemAt(k).widget() for k in range(self.chips.count())):
            if chip.isHidden():
                menu.addAction(chip.text(), chip.click)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))


def _wide(part: QWidget | None) -> int:
    """The width in pixels that a part takes with the gap behind it; 0 for none."""
    return part.sizeHint().width() + GAP if part is not None else 0
