"""How the parts share the window: docks, rails and timeline by the rules of gui/look/sizes.py, or
as dragged.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QWidget

from engine.base.records import Record
from gui.base import remembered
from gui.frame.left_dock import LeftDock
from gui.frame.projector import STRIP
from gui.frame.rail import Rail
from gui.frame.right_dock import RightDock
from gui.look import focus, sizes, style, theme
from gui.reading.note_view import LeadLine
from gui.stage.lanes import Lanes
from gui.timeline.timeline import Timeline
from gui.widgets.edge import Edge

RULES = 3  # pixels of the lines between the parts
CODE = "Pseudo-code"  # the section of the right dock
PLANE = 480  # pixels across that the plane keeps beside a dock of the projector theme


class Parts(Record, eq=True):
    """The widgets among which the window's area is divided."""

    whole: QWidget
    tools: QWidget
    left: LeftDock
    stage: Lanes
    right: RightDock
    timeline: Timeline
    foot: QWidget
    lead: LeadLine


class Room(QObject):
    """Arranges the parts when the window, its theme or a drag asks for it, and remembers dragged
    sizes.

    projector: whether the projector theme is in use, which folds both docks
    """

    def __init__(self, parts: Parts, settings: QSettings) -> None:
        super().__init__(parts.whole)
        self.parts, self.settings = parts, settings
        self.by_hand = remembered.numbers(settings, "sizes")
        self.projector = False
        self.rails: dict[QWidget, Rail] = {}
        # the dock that its rail has opened, and the section
        self._opened: tuple[QWidget, str] | None = None
        self._kept: tuple[QWidget, ...] = ()
        self.left_rule = sizes.LEFT  # a lesson is wider than the left dock that it covers
        self.right_rule = sizes.RIGHT  # and a page that is being written than the right one
        self._code_leads = False  # whether the right dock is open for a listing of a book
        self._unfolded: Any = None  # the section that the dock was opened at in the projector theme
        self.edges = {
            "left": Edge(parts.whole, parts.left, "right", "left dock"),
            "right": Edge(parts.whole, parts.right, "left", "right dock"),
            "figures": Edge(parts.whole, parts.right.figure, "top", "the figures"),
            "timeline": Edge(parts.whole, parts.foot, "top", "timeline"),
        }
        for name, edge in self.edges.items():
            edge.dragged.connect(lambda size, part=name: self.drag(part, size))
            edge.given_back.connect(lambda part=name: self.drag(part, None))

    def add_rail(self, dock: QWidget, names: Mapping[str, Callable[[], object]]) -> Rail:
        """Adds a rail to a dock and returns it. names: the dock's sections, each with the function
        that shows it
        """
        rail = Rail(
            {
                name: lambda n=name, then=effect: self._open(dock, n, then)
                for name, effect in names.items()
            }
        )
        self.rails[dock] = rail
        return rail

    # -- by hand -----------------------------------------------------------------------------------

    def _key(self, part: str) -> str:
        """The key of a part's dragged size: each layout has its own."""
        if part == "left" and self.left_rule is sizes.LESSON:
            part = "lesson"
        return f"hall {part}" if self.projector else part

    def drag(self, part: str, size: int | None) -> None:
        """Give a part this size in pixels as far as there is room; None: the size by the rules."""
        if size is None:
            self.by_hand.pop(self._key(part), None)
        else:
            self.by_hand[self._key(part)] = size
            self.arrange()
            # keep only what the limits allowed
            self.by_hand[self._key(part)] = self._now(part)
        self.settings.setValue("sizes", json.dumps(self.by_hand))
        self.arrange()

    def _now(self, part: str) -> int:
        if part == "timeline":
            return self.parts.timeline.shared()
        if part == "figures":
            return self.parts.right.figure.height()
        return (self.parts.left if part == "left" else self.parts.right).width()

    def next_edge(self) -> None:
        """Give the focus to the next visible edge."""
        seen = [edge for edge in self.edges.values() if edge.isVisible()] + self.parts.stage.edges()
        here = next((k for k, edge in enumerate(seen) if edge.hasFocus()), -1)
        if seen:
            focus.give(seen[(here + 1) % len(seen)])

    # -- what is there -----------------------------------------------------------------------------

    @property
    def folded(self) -> bool:
        """Whether the person has folded both docks away; remembered."""
        return remembered.flag(self.settings, "folded")

    def fold_docks(self) -> None:
        """Fold both docks away, or bring them back."""
        self.settings.setValue("folded", not self.folded)
        self._opened = None
        self.arrange()

    def set_projector(self, projector: bool) -> None:
        """Enter or leave the projector layout; `arrange` follows when the theme's type is set."""
        self.projector = projector
        self._unfolded = None
        self._code_leads = False
        if projector:
            for dock in (self.parts.left, self.parts.right):
                dock.setVisible(dock in self._kept)

    def keep(self, *docks: QWidget) -> None:
        """Keep these docks open in every theme and layout, until called without any (the questions
        of Predict are in one).
        """
        self._kept = docks
        for dock in docks if self.projector else ():
            if dock.isHidden():
                self.unfold(dock)
        self.arrange()

    def show_lesson(self, dock: QWidget | None) -> None:
        """Give the left dock the width of a lesson and keep it open; None: as it was before."""
        self.left_rule = sizes.LEFT if dock is None else sizes.LESSON
        self.keep(*filter(None, (dock,)))

    def write_lesson(self, docks: Sequence[QWidget]) -> None:
        """Keep both docks open, the right one as wide as a form; (): as it was before."""
        self.right_rule = sizes.AUTHOR if docks else sizes.RIGHT
        self.keep(*docks)

    def unfold(self, dock: QWidget, then: Any = None) -> None:
        """Show a folded dock, or fold it again where it is shown already.

        then: scrolls to a section of the dock; called after it is shown, None for none

        Where the plane would be too narrow between two docks, the other one is folded.
        """
        show = dock.isHidden() or then != self._unfolded or dock in self._kept
        self._unfolded = then if show else None
        dock.setVisible(show)
        left, right = self.parts.left, self.parts.right
        other: QWidget = left if dock is right else right
        room = self.parts.whole.window().width() - dock.minimumWidth() - other.minimumWidth()
        if room - 2 * theme.current().large(STRIP) < PLANE and other not in self._kept:
            other.hide()
        if show and then is not None:
            then()

    def reveal(self, dock: QWidget) -> None:
        """Open a dock that a command leads to, where it is folded."""
        if dock.isHidden() and not self.projector:
            self._opened = dock, ""
            self.arrange()

    def show_code(self, leads: bool) -> None:
        """Open the pseudo-code while it is what an opening shows first, where it is folded; fold it
        again afterwards.
        """
        dock = self.parts.right
        if dock.isHidden() if leads else self._code_leads and dock.isVisible():
            if self.projector:
                self.unfold(dock)
            elif leads or self._opened == (dock, CODE):  # else a person has gone on to another
                self._opened = (dock, CODE) if leads else None
                self.arrange()
            self._code_leads = leads
        self._code_leads &= leads
        dock.lead_with_code(leads)

    def _open(self, dock: QWidget, name: str, then: Callable[[], object]) -> None:
        """Open a dock at a section of its rail; the same section again closes it."""
        self._opened = None if self._opened == (dock, name) else (dock, name)
        self.arrange()
        if self._opened is not None:
            then()

    # -- arranging ---------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Give every part its size."""
        window = self.parts.whole.window()
        parts = self.parts
        look = theme.current()
        by_hand = {
            part: self.by_hand[self._key(part)]
            for part in self.edges
            if self._key(part) in self.by_hand
        }
        lanes = len(parts.stage.cells) if parts.stage.stage.curve_leads else 0
        parts.timeline.set_room(window.height(), by_hand.get("timeline"), lanes, self.projector)
        parts.right.set_figure_height(by_hand.get("figures"))
        stage = parts.stage.grant(0 if self.projector else parts.tools.minimumWidth()) + RULES
        if self.projector:
            self._widen_for_projector(by_hand)
            return
        grown = look.line_height("body") / theme.LIGHT.line_height("body")
        tools = 0 if parts.tools.isHidden() else parts.stage.hands
        got = sizes.shares(
            window.width(),
            window.height(),
            left=self.left_rule,
            right=self.right_rule,
            tools=tools,
            stage=stage,
            dragged=by_hand,
            grown=grown,
        )
        narrow = {parts.left: got.left_rail, parts.right: got.right_rail}
        for dock, rule, wide in (
            (parts.left, self.left_rule, got.left),
            (parts.right, self.right_rule, got.right),
        ):
            free = window.width() - tools - stage - sizes.RAIL * sum(narrow.values())
            least = sizes.even(rule.least * grown)
            if dock is parts.left:  # before its width: the form is styled when it gets its room
                self._fold_or_show(dock, narrow[dock])
            dock.set_width(max(least, min(rule.start, free)) if narrow[dock] else wide)
            if dock is parts.right:  # after its width, in which its words are measured
                self._fold_or_show(dock, narrow[dock])
        parts.lead.show_if(got.right_rail and parts.right.isHidden() and not self.folded)

    def _fold_or_show(self, dock: QWidget, narrow: bool) -> None:
        opened = self._opened is not None and self._opened[0] is dock
        if opened and not narrow and not self.folded:
            self._opened = None
            opened = False
        dock.setVisible(opened or dock in self._kept or not (narrow or self.folded))
        if dock in self.rails:
            rail = narrow and not self.folded and dock not in self._kept
            self.rails[dock].setVisible(rail)
            self.rails[dock].tick(self._opened[1] if opened and self._opened is not None else "")

    def _widen_for_projector(self, by_hand: dict[str, int]) -> None:
        """Make the docks as wide as the large type of the projector theme needs."""
        look = theme.current()
        parts = self.parts
        code = look.type_sizes["code"][0] / theme.LIGHT.type_sizes["code"][0]
        lesson = self.left_rule is sizes.LESSON
        left = style.scale(look, sizes.LESSON.start if lesson else theme.LEFT_DOCK)
        right = max(style.scale(look, theme.RIGHT_DOCK), round(code * theme.RIGHT_DOCK))
        left, right = max(left, by_hand.get("left", left)), max(right, by_hand.get("right", right))
        if {parts.left, parts.right} <= {*self._kept}:  # both beside the plane: they share the rest
            free = parts.whole.window().width() - 2 * look.large(STRIP) - PLANE
            least = (
                style.scale(look, self.left_rule.least),
                style.scale(look, self.right_rule.least),
            )
            right = max(least[1], min(right, free - left))
            left = max(least[0], min(left, free - right))
        parts.left.set_width(left)
        parts.right.set_width(right)
        for rail in self.rails.values():
            rail.hide()
        parts.lead.show_if(False)
