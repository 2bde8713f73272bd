"""Undo by swapping documents: no inverse code, whatever the edit was."""

from dataclasses import dataclass

from engine.files.document import Document

LIMIT = 500


@dataclass(frozen=True)
class Edit:
    """`before` was replaced by `after`; edits with the same `merge` key in a row count as one (a drag, a stroke).

    paths: the files the two belong to, where the edit changed that
    """

    label: str
    before: Document
    after: Document
    merge: str | None = None
    paths: tuple[str | None, str | None] | None = None


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
            self.done[-1] = Edit(last.label, last.before, edit.after, edit.merge)
        else:
            self.done.append(edit)
        del self.done[:-LIMIT]

    def undo(self) -> Edit | None:
        """The last edit, now taken back; None when there is none."""
        if not self.done:
            return None
        self.undone.append(self.done.pop())
        return self.undone[-1]

    def redo(self) -> Edit | None:
        """The edit last taken back, now done again; None when there is none."""
        if not self.undone:
            return None
        self.done.append(self.undone.pop())
        return self.done[-1]

    def seal(self) -> None:
        """The next edit starts afresh even with the same merge key: the mouse button was released."""
        if self.done and self.done[-1].merge is not None:
            last = self.done[-1]
            self.done[-1] = Edit(last.label, last.before, last.after)
