"""What a page of a lesson locks, and which part of a document an edit changes."""

from collections.abc import Collection

from engine.document.document import Document

LOCKED = "This page of the lesson locks {}."
WORDS = {
    "data": "the data",
    "method": "the method",
    "parameters": "the parameters",
    "lanes": "the lanes",
    "timeline": "the timeline",
}


def parts_changed(before: Document, after: Document) -> set[str]:
    """The parts, by their names in WORDS, in which two documents differ.

    Axes, probe and section of the plane belong to none of them.
    """
    found: set[str] = set()
    shared = ("data", "transforms", "split")
    if any(getattr(before, name) != getattr(after, name) for name in shared):
        found.add("data")
    if len(before.lanes) != len(after.lanes):
        return found | {"lanes"}
    for old, new in zip(before.lanes, after.lanes, strict=True):
        if old.key != new.key:
            found.add("method")
        elif (old.params, old.seed) != (new.params, new.seed):
            found.add("parameters")
        if old.data != new.data:
            found.add("data")
    return found


def refusal(parts: Collection[str], locked: Collection[str]) -> str:
    """The sentence about the first of these parts that is locked; "" where none is."""
    part = next((part for part in WORDS if part in parts and part in locked), "")
    return LOCKED.format(WORDS[part]) if part else ""
