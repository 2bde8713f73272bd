"""The grid of up to four lanes in the middle of the window, one of them active."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSettings, Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QWidget

from engine.base.notation import cut
from engine.document.document import MAX_LANES
from engine.document.lane_edits import LETTERS
from gui.base.plain_text import as_words
from gui.look import sizes
from gui.plane.plane import Plane
from gui.session.changes import Change, Changes
from gui.session.lane_commands import OTHER, tied_others
from gui.session.session import Session
from gui.stage.lane_cell import LaneCell
from gui.stage.stage import Stage


class Linked:
    """Links the ranges of the planes.

    The first plane leads: only it fits its section to the points and its scene, and its section is
    saved. The others follow it. A zoom or move of any plane applies to all.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.planes: list[Plane] = []
        self._busy = False

    def link(self, planes: Sequence[Plane]) -> None:
        """Link these planes, at least one, instead of the previous ones."""
        known = set(self.planes)
        self.planes = list(planes)
        for plane in self.planes:
            plane.ranges.leads = plane is self.planes[0]
            if plane not in known:
                plane.view_box.sigRangeChanged.connect(
                    lambda *_, plane=plane: self._on_range(plane)
                )
        self._spread(self.planes[0])

    def _on_range(self, plane: Plane) -> None:
        if plane in self.planes and len(self.planes) > 1:
            self._spread(plane)

    def _spread(self, plane: Plane) -> None:
        """Show the section of this plane on all others."""
        if self._busy:
            return
        self._busy = True
        (x0, x1), (y0, y1) = plane.view_box.viewRange()
        for other in self.planes:
            if other is not plane:
                other.ranges.show_section(((x0, x1), (y0, y1)))
        self._busy = False


RULE = 1  # pixels between two lanes


class Lanes(QWidget):
    """A cell for every lane of the document; `cell`, `stage` and `plane` are the active lane's.

    placed: a plane appeared or disappeared, or the lanes need other room; turned: the set of lanes
    or the active one changed; added: a person added a lane; chip_clicked: the section of the left
    dock to which the clicked chip leads; expand_clicked: the docks are to be folded or shown
    """

    placed = Signal()
    turned = Signal()
    added = Signal()
    chip_clicked = Signal(str)
    expand_clicked = Signal()

    def __init__(self, session: Session, settings: QSettings) -> None:
        super().__init__()
        self.session, self.settings = session, settings
        self.lane_commands = session.lane_commands
        self.cells: list[LaneCell] = []
        self.projector = False
        self.hands = 0
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(RULE)
        self.linked = Linked(session)
        session.changed.connect(self._on_changed)
        self.follow()

    # -- which are there ---------------------------------------------------------------------------

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.LANES:
            self.follow()
        elif changes.window & Change.ACTIVE:
            self._turn()

    def follow(self) -> None:
        """Make or remove cells so that every lane has one; the first cell is never removed."""
        count = len(self.session.lane_views)
        if count != len(self.cells):
            while len(self.cells) > count:
                self._drop(self.cells.pop())
            while len(self.cells) < count:
                self.cells.append(self._cell(len(self.cells)))
            self.linked.link([cell.plane for cell in self.cells])
            self._lay_out()
        self._turn()

    def _cell(self, place: int) -> LaneCell:
        cell = LaneCell(self.session, place, self.settings)
        chips = cell.chips
        for clicked, section in (
            (chips.algorithm_clicked, "Algorithm"),
            (chips.data_clicked, "Data"),
            (chips.params_clicked, "Parameters"),
        ):
            clicked.connect(partial(self._pass_on, place, section))
        chips.expand_clicked.connect(self.expand_clicked)
        chips.plus.clicked.connect(lambda *_: self.add())
        cell.menu_wanted.connect(partial(self._open_menu, place))
        cell.stage.placed.connect(self.placed)
        return cell

    def _pass_on(self, place: int, section: str) -> None:
        self.session.activate(place)
        self.chip_clicked.emit(section)

    def _drop(self, cell: LaneCell) -> None:
        self.grid.removeWidget(cell)
        cell.hide()
        cell.deleteLater()

    def _lay_out(self) -> None:
        """Place the cells in rows of two."""
        for k, cell in enumerate(self.cells):
            self.grid.addWidget(cell, k // 2, k % 2)
            cell.show()
        for k in range(2):
            self.grid.setColumnStretch(k, int(k < len(self.cells)))
            self.grid.setRowStretch(k, int(2 * k < len(self.cells)))
        self.show_as(self.projector)
        self.placed.emit()

    def show_as(self, projector: bool) -> None:
        """Update all cells; projector: whether the projector's theme is in force."""
        self.projector, count = projector, len(self.cells)
        for k, cell in enumerate(self.cells):
            cell.chips.show_ends(plus=k == count - 1 < MAX_LANES - 1, expand=k == min(count, 2) - 1)
            cell.show_as(count > 1, projector)

    def _turn(self) -> None:
        if not self.cells:
            return
        for cell in self.cells:
            cell.refresh()
        self.turned.emit()

    # -- the active one ----------------------------------------------------------------------------

    @property
    def cell(self) -> LaneCell:
        return self.cells[min(self.session.active, len(self.cells) - 1)]

    @property
    def stage(self) -> Stage:
        return self.cell.stage

    @property
    def plane(self) -> Plane:
        return self.cell.plane

    @property
    def planes(self) -> list[Plane]:
        return [cell.plane for cell in self.cells]

    def cell_of(self, widget: QWidget) -> LaneCell | None:
        """The cell that is or contains `widget`; None where there is none."""
        return next(
            (cell for cell in self.cells if cell is widget or cell.isAncestorOf(widget)), None
        )

    @property
    def plane_shown(self) -> bool:
        """Whether a plane is shown, which the hand tools can work on."""
        return any(cell.stage.plane_shown for cell in self.cells)

    def edges(self) -> list[QWidget]:
        """The draggable edge between the two views of a lane, for each lane that shows two."""
        return [edge for cell in self.cells if (edge := cell.stage.edge()) is not None]

    # -- what a person does ------------------------------------------------------------------------

    def add(self) -> None:
        """Add a lane; the window answers `added` by opening the algorithm picker."""
        if self.lane_commands.add():
            self.added.emit()

    def _open_menu(self, place: int, at: QPoint) -> None:
        """Make the lane the active one and open its menu at `at`, a place on the screen."""
        self.session.activate(place)
        menu = QMenu(self)
        lane_commands = self.lane_commands
        count = len(self.cells)
        menu.addAction("Fork here", lane_commands.fork).setEnabled(count < MAX_LANES)
        for which, name in tied_others(self.session.step).items():
            take = menu.addAction(
                as_words(OTHER.format(name=cut(name))), partial(lane_commands.take_other, which)
            )
            take.setEnabled(count < MAX_LANES)
        menu.addAction("Duplicate this lane", lane_commands.duplicate).setEnabled(count < MAX_LANES)
        for other in range(count):
            if other != place:
                menu.addAction(f"Swap with {LETTERS[other]}", partial(lane_commands.swap, other))
        own = menu.addAction("Points of its own", lane_commands.own_points)
        own.setCheckable(True)
        own.setChecked(self.session.lane.data is not None)
        menu.addAction("Keep only this lane", lane_commands.keep_only)
        menu.addAction("Remove this lane", lane_commands.remove)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    # -- sizes -------------------------------------------------------------------------------------

    def grant(self, hands: int) -> int:
        """Take the width of the hand tools, in pixels, while the window is laid out; returns the
        least width of the middle, in pixels.
        """
        self.hands = hands
        if len(self.cells) == 1:
            return self.stage.grant(hands)
        for cell in self.cells:
            cell.stage.grant(0)
        return sizes.STAGE_LANES
