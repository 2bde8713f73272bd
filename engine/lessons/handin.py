"""Hand-ins: a lesson's answers as a readable text that a student mails, and its marks.

Each answer has a digest over the lesson, the name and what was answered. It finds what was changed
by accident or by hand; it is no lock, since whoever reads this page can compute it.
"""

from engine.base.records import Record, cached_property, replace
from engine.lessons.digest import hashed
from engine.lessons.places import Fault
from engine.lessons.progress import (
    NAME,
    Answer,
    Progress,
    answer_lines,
    answer_tables,
    head_lines,
    progress_in,
    read_answer,
    table_of,
)
from engine.lessons.writing import pairs


class HandIn(Record, eq=True, dict=True):
    """What a student hands in.

    name: as the student typed it
    when: the time of handing in, as text
    digests: of the answers, by page
    """

    name: str
    progress: Progress
    when: str = ""
    digests: tuple[str, ...] = ()

    @cached_property
    def misfits(self) -> tuple[int, ...]:
        """The pages, from 0, whose answers do not fit their digests."""
        stated = (*self.digests, *[""] * len(self.progress.answers))
        return tuple(
            k
            for k, (digest, right) in enumerate(zip(stated, _digests(self), strict=False))
            if digest != right
        )


def hand_in(progress: Progress, name: str, when: str) -> HandIn:
    made = HandIn(name.strip()[:NAME], progress, when)
    return replace(made, digests=_digests(made))


def _digests(made: HandIn) -> tuple[str, ...]:
    fixed = (made.progress.lesson, made.progress.digest, made.name, made.when)
    return tuple(
        hashed(*fixed, k, answer_lines(answer)) for k, answer in enumerate(made.progress.answers)
    )


def as_text(handin: HandIn) -> str:
    """The hand-in as TOML: read_handin(as_text(handin))[0] == handin."""
    rows = [*pairs({"name": handin.name, "when": handin.when}), *head_lines(handin.progress)]
    for answer, digest in zip(handin.progress.answers, handin.digests, strict=True):
        rows += ["", *answer_lines(answer), *pairs({"fits": digest})]
    return "\n".join(rows) + "\n"


def read_handin(written: str) -> tuple[HandIn | None, tuple[Fault, ...]]:
    """The hand-in that a text holds, as far as it can be read; never raises."""
    part, faults = table_of(written)
    if part is None:
        return None, faults
    answers: list[Answer] = []
    digests = []
    for each in answer_tables(part):
        digests.append(each.text("fits", NAME))
        answers.append(read_answer(each))
    name, when = part.text("name", NAME), part.text("when", NAME)
    found = HandIn(name, progress_in(part, answers), when, tuple(digests))
    part.end()
    if not answers:
        part.say("", "It holds no answers: it is no hand-in.")
        return None, tuple(part.notes.faults)
    return found, tuple(part.notes.faults)
