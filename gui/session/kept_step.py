"""Which moment of a run is shown after an edit: the same step or the end, remembered while there is none to show."""

from bisect import bisect_right
from typing import TYPE_CHECKING

from engine.document.document import Document
from gui.session.undo import Moment

if TYPE_CHECKING:
    from gui.session.session import Session

END = 1 << 60
LEARNT_FROM = ("data", "transforms", "plane", "split", "lanes")


class Position:
    """kept: the step that edits keep, END = the end, whatever it is; None once the person went elsewhere."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.kept: int | None = None
        self._told: tuple[str, int] | None = None
        self._run = ""  # what to call the run that is not yet where the person was; "" when there is nothing to tell
        session.run_grew.connect(self._arrive)

    def leave(self) -> None:
        """The person goes to another step: where the run stood is old."""
        self.hush()
        self.kept = self._told = None

    def hush(self) -> None:
        """Take back what was told, and do not tell what was to be told."""
        self._run = ""
        self._session.say("", "place")

    def follow(self, at: Moment | None) -> Moment:
        """The moment that the run after an edit shows, if it gets there: `at`, None: where the one before it stands."""
        if at is not None:
            self.leave()
            return at
        self._run = ""
        self.kept = self._here()
        return self.moment()

    def moment(self) -> Moment:
        """Where the present document stands, to be found again when it comes back."""
        return Moment(self._here(), self._session.stop_at, self._session.path)

    def _here(self) -> int:
        if self.kept is not None:
            return self.kept
        here = self._session
        return END if self._at_end() else here.cursor if here.finished else max(here.cursor, here.wanted)

    def _at_end(self) -> bool:
        """The end is shown, or was asked for and is not recorded yet."""
        session = self._session
        if session.trace is None:
            return False
        return session.wanted >= END or (session.finished and session.cursor == len(session.trace) - 1 > 0)

    def tell(self, before: Document, first: str = "") -> None:
        """After an edit of `before`: say where the new run stands, as soon as it stands there, unless this comes first."""
        session = self._session
        if first:
            session.say(first)
            return
        same = all(getattr(before, part) is getattr(session.document, part) for part in LEARNT_FROM)
        if not same and session.trace is not None and self.kept and not session.going_on.lost:
            reseeded = before.lanes[session.active].seed != session.lane.seed
            self._run = "A run with another seed" if reseeded else "A new run with the same seed"
            self._arrive()

    def _arrive(self) -> None:
        """Tell it, once for each place, when the kept step is shown or the run has ended before."""
        session, kept = self._session, self.kept
        if not self._run or not kept or session.trace is None or not session.cursor:
            return
        ended = session.finished and session.cursor == len(session.trace) - 1
        if session.cursor != kept and not ended:
            return
        indices, unit = session.trace.indices(session.unit), session.unit.name.lower()
        count = bisect_right(indices, session.cursor) - 1
        shorter = ended and session.cursor < kept < END
        place = "at its end" if kept >= END else f"ends at {unit}" if shorter else f"at {unit}"
        run, self._run = self._run, ""
        if (place, count) != self._told:
            self._told = (place, count)
            still = place if kept >= END else f"{place} {count:,}"
            session.say(f"{run}, {'which ' if shorter else 'still '}{still}.", "place")
