"""Undo by swapping documents: no inverse code, whatever the edit was."""

from engine.base.records import Record, replace
from engine.document.document import Document
from engine.protocol.step import Level

LIMIT, LEAST = 500, 20
ROOM = 64 * 2**20  # bytes of the tables that the edits keep, beyond the last few


class Moment(Record, eq=True):
    """Where a document was left: the step shown, the events to stop at, the file that it belongs
    to. nth: a level and how many of its moments come before the one to show, in place of the step;
    lead: the lane whose step it is
    """

    cursor: int = 0
    stop_at: frozenset[str] = frozenset()
    path: str | None = None
    nth: tuple[Level, int] | None = None
    lead: int = 0


class Edit(Record, eq=True):
    """`before` was replaced by `after`; edits with the same `merge` key in a row count as one (a
    drag, a stroke).

    left: the moment of the one of the two that is not in force, where each has its own; None: the
    same for both filed: the two belong to different files
    """

    label: str
    before: Document
    after: Document
    merge: str | None = None
    left: Moment | None = None
    filed: bool = False


class History:
    """What was edited, and what was taken back."""

    def __init__(self) -> None:
        self.done: list[Edit] = []
        self.undone: list[Edit] = []

    def record(self, edit: Edit) -> None:
        """Remember an edit; what was taken back before is gone."""
        self.undone.clear()
        last = self.done[-1] if self.done else None
        if last and edit.merge is not None and last.merge == edit.merge:
            self.done[-1] = replace(last, after=edit.after)
            if edit.after is last.before:  # a stroke that was given up
                self.done.pop()
        else:
            self.done.append(edit)
            del self.done[: -_kept(self.done)]

    def undo(self, now: Moment | None = None) -> Edit | None:
        """The last edit, now taken back at the moment `now`; None when there is none."""
        return _carry(self.done, self.undone, now)

    def redo(self, now: Moment | None = None) -> Edit | None:
        """The edit last taken back, now done again at the moment `now`; None when there is none."""
        return _carry(self.undone, self.done, now)

    def seal(self) -> None:
        """The next edit starts afresh even with the same merge key: the mouse button was
        released.
        """
        if self.done and self.done[-1].merge is not None:
            last = self.done[-1]
            self.done[-1] = replace(last, merge=None)


def _kept(edits: list[Edit]) -> int:
    """How many of the last edits are kept.

    What two tables share counts once: most edits leave most columns alone.
    """
    seen: set[int] = set()
    held = 0
    for count, edit in enumerate(reversed(edits)):
        tables = [
            t
            for d in (edit.before, edit.after)
            for t in (d.data, *(lane.data for lane in d.lanes))
            if t is not None
        ]
        fresh = [c.values for table in tables for c in table.columns if id(c.values) not in seen]
        held += sum({id(values): values.nbytes for values in fresh}.values())
        if count == LIMIT or (held > ROOM and count >= LEAST):
            return count
        seen.update(map(id, fresh))
    return len(edits)


def _carry(source: list[Edit], target: list[Edit], now: Moment | None) -> Edit | None:
    """The last edit from one list to the other, where it holds the moment of the document that is
    left now.
    """
    if not source:
        return None
    edit = source.pop()
    target.append(edit if edit.left is None else replace(edit, left=now))
    return edit
