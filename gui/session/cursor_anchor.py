"""Keeps the shown moment through edits: after each, the new run shows the same step, or the end."""

from engine.document.document import Document
from gui.session.changes import Change, Changes
from gui.session.playhead import Playhead
from gui.session.sync_mode import END
from gui.session.undo import Moment

LEARNT_FROM = ("data", "transforms", "plane", "split", "lanes")


class CursorAnchor:
    """Remembers the step to show through edits, even while there is no run to show it in.

    Points put on an empty plane show the end of their run at once, without a message.

    kept: the step that edits keep, END for the end; None once the person went elsewhere
    """

    def __init__(self, shown: Playhead) -> None:
        self._shown = shown
        self.kept: int | None = None
        self._announced: tuple[str, int] | None = None
        self._began_empty = False
        # what the message calls the run, until it reaches the kept step; "" without a message
        self._run = ""
        shown.changed.connect(self._on_changed)

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self._shown.lead) & Change.STEPS:
            self._arrive()

    def leave(self) -> None:
        """Forget the kept step: the person goes to another one."""
        self.hush()
        self.kept = self._announced = None
        self._began_empty = False

    def begin(self) -> None:
        """Keep the end of the run, because an empty plane gets its first points; a step already
        kept stays.
        """
        if self.kept is None:
            self.kept = END
            self._began_empty = True

    def hush(self) -> None:
        """Clear the message about the kept step, shown or still to come."""
        self._run = ""
        self._shown.say("", "place")

    def follow(self, at: Moment | None) -> Moment:
        """The moment that the run after an edit has to show: `at`, or for None the present one."""
        if at is not None:
            self.leave()
            return at
        self._run = ""
        self.kept = self._here()
        return self.moment()

    def moment(self) -> Moment:
        """The present moment, stored so that undo and redo can return to it."""
        return Moment(
            self._here(), self._shown.stop_at, self._shown.path, lead=self._shown.lead.place
        )

    def _here(self) -> int:
        if self.kept is not None:
            return self.kept
        lead = self._shown.lead
        if lead.trace is None:
            return lead.cursor
        return END if self._at_end() else max(lead.cursor, lead.wanted)

    def _at_end(self) -> bool:
        """Whether the end is shown, or wanted and not shown yet."""
        lead = self._shown.lead
        if lead.trace is None:
            return False
        here = max(lead.cursor, lead.wanted)  # a wanted step may be recorded and not shown yet
        return here >= END or (lead.finished and here >= len(lead.trace) - 1 > 0)

    def announce(self, before: Document) -> None:
        """After an edit of `before`, say where the new run stands, as soon as it stands there.

        Says nothing where the edit left the table, the split and the lanes alone.
        """
        shown = self._shown
        same = all(getattr(before, part) is getattr(shown.document, part) for part in LEARNT_FROM)
        if not same and shown.lead.trace is not None and self.kept and not self._began_empty:
            reseeded = [lane.seed for lane in before.lanes] != [
                lane.seed for lane in shown.document.lanes
            ]
            self._run = "A run with another seed" if reseeded else "A new run with the same seed"
            self._arrive()

    def _arrive(self) -> None:
        """Say once for each place that the kept step is shown, or that the run ends before it."""
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
        if (place, count) != self._announced:
            self._announced = (place, count)
            still = place if kept >= END else f"{place} {count:,}"
            self._shown.say(f"{run}, {'which ' if shorter else 'still '}{still}.", "place")
