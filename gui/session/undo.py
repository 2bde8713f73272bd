"""Undo by swapping documents: no inverse code, whatever the edit was."""

from engine.base.records import Record, replace
from engine.document.document import Document
from engine.protocol.step import Level

LIMIT, LEAST = 500, 20  # edits kept: at most, and in any case
ROOM = 64 * 2**20  # bytes of the tables in the edits kept, but for the last LEAST


class Moment(Record, eq=True):
    """Where a document was left.

    cursor: the step shown
    stop_at: the events to stop at
    path: the file that the document belongs to
    nth: (level, n), the moment to show in place of the step: the nth of that level, from 0
    lead: the place of the lane that the step belongs to
    """

    cursor: int = 0
    stop_at: frozenset[str] = frozenset()
    path: str | None = None
    nth: tuple[Level, int] | None = None
    lead: int = 0


class Edit(Record, eq=True):
    """`before` was replaced by `after`.

    merge: edits in a row with the same key count as one (a drag, a stroke)
    left: the moment of whichever document is not in force; None: both show the same moment
    filed: whether the two belong to different files
    """

    label: str
    before: Document
    after: Document
    merge: str | None = None
    left: Moment | None = None
    filed: bool = False


class History:
    """The edits that undo and redo go through.

    done: edits in force, the latest last
    undone: edits taken back, the latest last
    """

    def __init__(self) -> None:
        self.done: list[Edit] = []
        self.undone: list[Edit] = []

    def record(self, edit: Edit) -> None:
        """Add an edit; those that were undone can no longer be redone."""
        self.undone.clear()
        last = self.done[-1] if self.done else None
        if last and edit.merge is not None and last.merge == edit.merge:
            self.done[-1] = replace(last, after=edit.after)
            if edit.after is last.before:  # a stroke that was cancelled
                self.done.pop()
        else:
            self.done.append(edit)
            del self.done[: -_kept(self.done)]

    def undo(self, now: Moment | None = None) -> Edit | None:
        """Take back the last edit at the moment `now` and return it; None without one."""
        return _carry(self.done, self.undone, now)

    def redo(self, now: Moment | None = None) -> Edit | None:
        """Do the last undone edit again at the moment `now` and return it; None without one."""
        return _carry(self.undone, self.done, now)

    def seal(self) -> None:
        """Close the last edit, so that no later one merges into it: the drag or stroke is over."""
        if self.done and self.done[-1].merge is not None:
            last = self.done[-1]
            self.done[-1] = replace(last, merge=None)


def _kept(edits: list[Edit]) -> int:
    """How many of the last edits fit into LIMIT and ROOM.

    An array that several tables share counts once: most edits leave most columns alone.
    """
    seen: set[int] = set()
    used = 0
    for count, edit in enumerate(reversed(edits)):
        tables = [
            t
            for d in (edit.before, edit.after)
            for t in (d.data, *(lane.data for lane in d.lanes))
            if t is not None
        ]
        fresh = [c.values for table in tables for c in table.columns if id(c.values) not in seen]
        used += sum({id(values): values.nbytes for values in fresh}.values())
        if count == LIMIT or (used > ROOM and count >= LEAST):
            return count
        seen.update(map(id, fresh))
    return len(edits)


def _carry(source: list[Edit], target: list[Edit], now: Moment | None) -> Edit | None:
    """Move the last edit from `source` to `target` and return it; None without one.

    An edit whose documents have moments of their own now holds `now`, that of the document left.
    """
    if not source:
        return None
    edit = source.pop()
    target.append(edit if edit.left is None else replace(edit, left=now))
    return edit
