"""A lane view that follows another one: that of the active lane, or that of the lead."""

from operator import attrgetter

from PySide6.QtCore import QObject

from gui.session.lane_view import LaneView
from gui.session.playback_budget import PlaybackBudget

TOLD = (
    "run_changed", "run_grew", "cursor_moved", "rested", "surface_ready", "unit_changed",
    "marks_changed", "tweak_begun",
    "tweaked", "painted", "edit_wanted", "other_wanted", "step_wanted", "late_changed",
    "veil_changed",
)  # fmt: skip
ANEW = (
    "run_changed",
    "unit_changed",
    "marks_changed",
    "late_changed",
    "veil_changed",
    "cursor_moved",
)


class FollowedLane(LaneView):
    """Stands for the lane view that it follows: reads its attributes and passes on its signals.

    When it follows another one, it emits the signals of all that may differ there.

    view: the lane view that is followed
    """

    view: LaneView

    document = property(attrgetter("view.document"))
    place = property(attrgetter("view.place"))
    problem = property(attrgetter("view.problem"))
    run = property(attrgetter("view.run"))
    error = property(attrgetter("view.error"))
    siblings = property(attrgetter("view.siblings"))
    cursor = property(attrgetter("view.cursor"))
    wanted = property(attrgetter("view.wanted"))
    begun = property(attrgetter("view.begun"))
    unit = property(attrgetter("view.unit"))
    marks = property(attrgetter("view.marks"))
    pointer = property(attrgetter("view.pointer"))
    surfaces = property(attrgetter("view.surfaces"))
    playing = property(attrgetter("view.playing"))
    beside = property(attrgetter("view.beside"))
    late = property(attrgetter("view.late"))
    veiled = property(attrgetter("view.veiled"))
    covered = property(attrgetter("view.covered"))
    asked = property(attrgetter("view.asked"))
    regions_veiled = property(attrgetter("view.regions_veiled"))
    trace = property(attrgetter("view.trace"))
    step = property(attrgetter("view.step"))
    scene = property(attrgetter("view.scene"))

    def __init__(self, view: LaneView, ahead: int) -> None:
        """ahead: see `PlaybackBudget`."""
        QObject.__init__(self)
        # its own: what is connected to it hears of whichever lane is followed
        self.playback_budget = PlaybackBudget(view.playing, ahead)
        self.cursor_moved.connect(self.playback_budget.move)
        self.rested.connect(self.playback_budget.land)
        self._untold = False
        self._listen_to(view)

    def follow(self, view: LaneView, later: bool = False) -> None:
        """Follow this view from now on.

        later: emit nothing before `tell` is called, when its run belongs to its document again
        """
        if view is not self.view:
            for name in TOLD:
                getattr(self.view, name).disconnect(getattr(self, name))
            self._listen_to(view)
            self._untold = True
        if not later:
            self.tell()

    def tell(self) -> None:
        if self._untold:
            self._untold = False
            for name in ANEW:
                getattr(self, name).emit()

    def _listen_to(self, view: LaneView) -> None:
        self.view = view
        for name in TOLD:
            getattr(view, name).connect(getattr(self, name))
