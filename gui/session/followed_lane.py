"""A lane that is now this one, now that: the one that a person works on, or the one that the clock
is read from.
"""

from typing import Any

from PySide6.QtCore import QObject

from gui.session.flight import Flight
from gui.session.lane_view import LaneView

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
    """What shows one lane takes this for it: it has nothing of its own, reads as the lane that it
    follows and tells what that one tells; when it follows another one, all is told anew.

    view: the lane that is followed
    """

    view: LaneView

    def __init__(self, view: LaneView, ahead: int) -> None:
        """ahead: see `Flight`."""
        QObject.__init__(self)
        # its own: who listens to it hears of whichever lane is followed
        self.flight = Flight(view.playing, ahead)
        self.cursor_moved.connect(self.flight.move)
        self.rested.connect(self.flight.land)
        self._untold = False
        self._listen_to(view)

    def __getattr__(self, name: str) -> Any:
        """All that a lane keeps, of the one that is followed."""
        if name == "view":
            raise AttributeError(name)
        return getattr(self.view, name)

    def follow(self, view: LaneView, later: bool = False) -> None:
        """From now on this one; later: what is new is told by `tell`, when its run belongs to its
        document again.
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

    # what is asked for dozens of times a frame, so that it is not looked for in vain first
    run = property(lambda self: self.view.run)
    cursor = property(lambda self: self.view.cursor)
    trace = property(lambda self: self.view.trace)
    step = property(lambda self: self.view.step)
    scene = property(lambda self: self.view.scene)
