"""The step counter at the right of the timeline."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.base.notation import MINUS
from engine.document.lane_edits import LETTERS
from engine.lessons.hiding import hides_end
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import folded
from gui.look.sizes import SCRUBBER
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.playhead import Playhead
from gui.session.sync_mode import SyncMode

WIDE = 148  # pixels of the light theme
MARGIN = 16  # pixels kept free at the right edge of the window
TOP, GAP = 14.0, 4.0  # pixels above the number where there is room, and below it
LINES = 3  # of captions below the number, at most


class Counter(QWidget):
    """The shown step and how many there are, “37 / 213”, with captions below."""

    def __init__(self, shown: Playhead, lane: Callable[[], LaneView]) -> None:
        """lane: the lane whose steps are counted"""
        super().__init__()
        self._shown, self.lane = shown, lane
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        # it covers all that is below it, which Qt then need not paint
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        shown.changed.connect(self._on_changed)
        self._refresh()

    @property
    def view(self) -> LaneView:
        return self.lane()

    def _on_changed(self, changes: Changes) -> None:
        # a new run comes with the numbers of its first step
        counted = Change.NUMBERS | Change.STEPS | Change.UNIT | Change.RESTRICTED
        if changes.of(self.view) & counted:
            self._refresh()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(style.scale(theme.current(), WIDE), SCRUBBER)

    def _refresh(self) -> None:
        here, total, captions = self.texts()
        self.setAccessibleName(" ".join([here, total, *captions]))
        self.update()

    def texts(self) -> tuple[str, str, list[str]]:
        """(step, total, captions) as from `counter_texts`; with several lanes the captions say what
        the clock counts and which lanes have ended.
        """
        here, total, captions = counter_texts(self.view)
        views = self._shown.lane_views
        if len(views) > 1:
            captions = together(views, self.view, self._shown.together)
        return here, total, captions

    @guarded
    def paintEvent(self, event: Any) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.colour("dock"))
            here, total, captions = self.texts()
            height = look.line_height("counter")
            room = self.width() - MARGIN
            painter.setFont(look.font("caption"))
            lines = folded(painter.fontMetrics(), captions, room)[:LINES]
            row = look.line_height("caption") + 1
            below = self.height() - height - GAP
            top = min(TOP, max(0.0, below - row * len(lines)))
            sizes = _sizes(look.key)
            fits = (size for size in sizes if size.wide(here) + size.rest_wide(total) + 10 <= room)
            size = next(fits, sizes[-1])
            painter.setFont(size.number)
            painter.setPen(look.colour("ink"))
            line = QRectF(0, top, self.width(), height)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, here)
            painter.setFont(size.rest)
            painter.setPen(look.colour("ink2"))
            painter.drawText(
                line.adjusted(size.wide(here) + 10, 4, 0, 4), Qt.AlignmentFlag.AlignVCenter, total
            )
            painter.setFont(look.font("caption"))
            y = line.bottom() + GAP
            most = max(1, int((below - top) // row))
            for text in [*lines[: most - 1], " ".join(lines[most - 1 :])]:
                elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
                painter.drawText(
                    QRectF(0, y, self.width(), row), Qt.AlignmentFlag.AlignVCenter, elided
                )
                y += row


class Size:
    """The fonts of the step number and of the total behind it, with functions that measure text."""

    def __init__(self, number: QFont, rest: QFont) -> None:
        self.number, self.rest = number, rest
        self.wide, self.rest_wide = (
            QFontMetrics(number).horizontalAdvance,
            QFontMetrics(rest).horizontalAdvance,
        )


@lru_cache(maxsize=8)
def _sizes(key: tuple[str, int]) -> list[Size]:
    """The font sizes to try in the theme with that key, the largest first."""
    number, rest = theme.look(*key).font("counter"), theme.look(*key).font("total")
    made = [Size(number, rest)]
    while number.pixelSize() > 14:
        number, rest = QFont(number), QFont(rest)
        number.setPixelSize(number.pixelSize() - 2)
        rest.setPixelSize(max(12, rest.pixelSize() - 1))
        made.append(Size(number, rest))
    return made


def together(views: Sequence[LaneView], lead: LaneView, same: SyncMode) -> list[str]:
    """Captions for several lanes: what the clock counts, which lanes go on, which have ended."""
    if same is SyncMode.ENDS:
        return ["clock: each at its own end"]
    counts = f"{lead.unit.name.lower()}s" if same is SyncMode.UNITS else "examples seen"
    ended = [LETTERS[view.place] for view in views if view.at_end]
    going = [
        LETTERS[view.place]
        for view in views
        if view.run is not None and LETTERS[view.place] not in ended
    ]
    if all(view.at_end or view.run is None for view in views):
        return [f"clock: {counts}", "all at their last step"]
    words = [f"clock: {counts}", f"{_all_of(going)} {'together' if len(going) > 1 else 'goes on'}"]
    return [*words, f"{_all_of(ended)} ended"] if ended else words


def _all_of(letters: list[str]) -> str:
    """The letters in one text, such as 'A, B and C'."""
    return " and ".join([*filter(None, [", ".join(letters[:-1])]), *letters[-1:]])


def counter_texts(view: LaneView) -> tuple[str, str, list[str]]:
    """('37', '/ 1,213', captions) for the counter: the step, how many there are, its round and
    events.
    """
    trace, step = view.trace, view.step
    if trace is None or step is None:
        return MINUS, "", []
    indices = trace.indices(view.unit)
    total = f"/ {max(0, len(indices) - 1):,}" + ("" if view.finished else "+")
    if view.ahead or hides_end(view.hidden):
        total = ""
    captions = []
    if "round" in trace.algorithm.events:
        captions.append(f"round {_round_at(view):,}" if view.cursor else "before round 1")
    if step.events:
        captions.append("event: " + ", ".join(step.events))
    if view.to_come:
        captions.append(f"{view.to_come} is to come")
    return f"{view.number:,}", total, captions


def _round_at(view: LaneView) -> int:
    """The round of the shown step, from 1.

    A single step after the last round, which sums up the run, belongs to the last round.
    """
    trace = view.trace
    assert trace is not None
    ends = trace.when("round")
    ended = bisect_left(ends, view.cursor)
    summed_up = view.finished and ended == len(ends) > 0 and ends[-1] == len(trace) - 2
    return ended + 1 - summed_up
