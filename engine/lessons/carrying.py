"""Progress carried from one machine to another: all of it in one readable text."""

import os
from collections.abc import Sequence
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.records import Record
from engine.files.atomic import write_atomic
from engine.lessons.package import read_bytes
from engine.lessons.places import Fault
from engine.lessons.progress import (
    MAX_BYTES,
    VERSION,
    Answer,
    Progress,
    Shelf,
    answer_lines,
    answer_tables,
    progress_in,
    progress_pairs,
    read_answer,
    table_of,
)

SUFFIX = ".progress"
HEAD = (
    "# Progress in lessons. “Bring it back” reads this file; where a lesson was done on both\n"
    "# machines, the better one stays."
)
MOST_LESSONS, MOST_BYTES = 2_000, 8 * MAX_BYTES


class Brought(Record, eq=True):
    """What became of a file of progress: the numbers of lessons.

    new: that were not begun here; better: that replaced what was done here; kept: of which what was
    done here stays
    faults: what could not be read, each with its line
    """

    new: int = 0
    better: int = 0
    kept: int = 0
    faults: tuple[Fault, ...] = ()

    def words(self) -> str:
        """A sentence or two for the message line."""
        rows = [
            (self.new, "new"),
            (self.better, "better than here and taken over"),
            (self.kept, "no better and left as here"),
        ]
        said = ", ".join(f"{count} {words}" for count, words in rows if count)
        total = counted(self.new + self.better + self.kept, "lesson")
        fault = f" Not read: {self.faults[0].words()}" if self.faults else ""
        return f"{total} brought back: {said}.{fault}"


def as_text(found: Sequence[Progress]) -> str:
    """The progress in several lessons as TOML, see `read_all`."""
    rows = [HEAD, f"version = {VERSION}"]
    for each in found:
        rows += ["", "[[progress]]", *progress_pairs(each)]
        for answer in each.answers:
            rows += ["", *answer_lines(answer, "progress.")]
    return "\n".join(rows) + "\n"


def read_all(written: str) -> tuple[list[Progress], tuple[Fault, ...]]:
    """The progress that a text holds, as far as it can be read; never raises."""
    part, faults = table_of(written, MOST_BYTES)
    if part is None or part.notes.faults:  # of another version
        return [], faults if part is None else tuple(part.notes.faults)
    found = []
    for each in part.tables("progress", MOST_LESSONS, "lesson"):
        answers: list[Answer] = [read_answer(one) for one in answer_tables(each)]
        progress = progress_in(each, answers)
        each.end()
        if progress.digest and answers:
            found.append(progress)
        else:
            each.say("digest", "It has no answers, or no digest that names its lesson.")
    part.end()
    return found, tuple(part.notes.faults)


def carry_away(shelf: Shelf, path: str | os.PathLike[str]) -> int:
    """Write all progress into one file; returns how many lessons. Raises EngineError."""
    found = shelf.all()
    write_atomic(path, [as_text(found).encode()])
    return len(found)


def bring_back(shelf: Shelf, path: str | os.PathLike[str]) -> Brought:
    """Take over the progress of a file. Of each lesson the better one stays: that with more points,
    else with more pages done, else the one that is here.

    Raises EngineError for a file that holds none; what is here then stays as it is.
    """
    name = quoted(Path(path).name)
    try:
        written = read_bytes(Path(path), MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EngineError(f"{name} holds no progress: it is not a text in UTF-8.") from None
    found, faults = read_all(written)
    if not found:
        why = f" {faults[0].words()}" if faults else ""
        raise EngineError(f"{name} holds no progress.{why} What was done here stays.")
    here = {each.digest: each for each in shelf.all()}
    new = better = 0
    for each in found:
        known = here.get(each.digest)
        if known is not None and worth(each) <= worth(known):
            continue
        shelf.save(each)
        here[each.digest] = each
        new += known is None
        better += known is not None
    return Brought(new, better, len(found) - new - better, faults)


def worth(progress: Progress) -> tuple[int, int]:
    """By which of two the better one is found: the points, then the pages that were reached."""
    return progress.score, sum(1 for answer in progress.answers if answer.reached)
