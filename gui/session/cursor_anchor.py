"""Which moment of a run is shown after an edit: the same step or the end, remembered while there is
none to show.
"""

from engine.document.document import Document
from gui.session.playhead import Playhead
from gui.session.sync_mode import END
from gui.session.undo import Moment

LEARNT_FROM = ("data", "transforms", "plane", "split", "lanes")


class CursorAnchor:
    """kept: the step that edits keep, END = the end, whatever it is; None once the person went
    elsewhere. Points put on an empty plane are learnt from at once: what comes of them is shown,
    and nothing is told about it.
    """

    def __init__(self, shown: Playhead) -> None:
        self._shown = shown
        self.kept: int | None = None
        self._told: tuple[str, int] | None = None
        self._began_empty = False
        # what to call the run that is not yet where the person was; "" when there is nothing to
        # tell
        self._run = ""
        shown.lead_lane.run_grew.connect(self._arrive)

    def leave(self) -> None:
        """The person goes to another step: where the run stood is old."""
        self.hush()
        self.kept = self._told = None
        self._began_empty = False

    def begin(self) -> None:
        """The first points come to an empty plane: what comes of them, unless a step is kept from
        before.
        """
        if self.kept is None:
            self.kept = END
            self._began_empty = True

    def hush(self) -> None:
        """Take back what was told, and do not tell what was to be told."""
        self._run = ""
        self._shown.say("", "place")

    def follow(self, at: Moment | None) -> Moment:
        """The moment that the run after an edit shows, if it gets there: `at`, None: where the one
        before it stands.
        """
        if at is not None:
            self.leave()
            return at
        self._run = ""
        self.kept = self._here()
        return self.moment()

    def moment(self) -> Moment:
        """Where the present document stands, to be found again when it comes back."""
        return Moment(
            self._here(), self._shown.stop_at, self._shown.path, lead=self._shown.lead.place
        )

    def _here(self) -> int:
        if self.kept is not None:
            return self.kept
        here = self._shown.lead
        return (
            END
            if self._at_end()
            else here.cursor
            if here.finished
            else max(here.cursor, here.wanted)
        )

    def _at_end(self) -> bool:
        """The end is shown, or was asked for and is not recorded yet."""
        lead = self._shown.lead
        if lead.trace is None:
            return False
        return lead.wanted >= END or (lead.finished and lead.cursor == len(lead.trace) - 1 > 0)

    def tell(self, before: Document) -> None:
        """After an edit of `before`: say where the new run stands, as soon as it stands there."""
        shown = self._shown
        same = all(getattr(before, part) is getattr(shown.document, part) for part in LEARNT_FROM)
        if not same and shown.lead.trace is not None and self.kept and not self._began_empty:
            reseeded = [lane.seed for lane in before.lanes] != [
                lane.seed for lane in shown.document.lanes
            ]
            self._run = "A run with another seed" if reseeded else "A new run with the same seed"
            self._arrive()

    def _arrive(self) -> None:
        """Tell it, once for each place, when the kept step is shown or the run has ended before."""
        lead = self._shown.lead
        kept = self.kept
        if not self._run or not kept or lead.trace is None or not lead.cursor:
            return
        ended = lead.finished and lead.cursor == len(lead.trace) - 1
        if lead.cursor != kept and not ended:
            return
        unit = lead.unit.name.lower()
        count = lead.number
        shorter = ended and lead.cursor < kept < END
        place = "at its end" if kept >= END else f"ends at {unit}" if shorter else f"at {unit}"
        run = self._run
        self._run = ""
        if (place, count) != self._told:
            self._told = (place, count)
            still = place if kept >= END else f"{place} {count:,}"
            self._shown.say(f"{run}, {'which ' if shorter else 'still '}{still}.", "place")
