"""The marks of a class: the hand-ins of one lesson as a table, and the commonest wrong answers."""

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.records import Record
from engine.lessons import drawings
from engine.lessons.handin import HandIn, read_handin
from engine.lessons.package import read_bytes
from engine.lessons.progress import MAX_BYTES, Answer
from engine.lessons.tasks import SKETCHED

AT_ONCE, LATER, SHOWN, NOT_REACHED, READ, MISFIT = "2", "1", "0", "", "·", "?"


class Marks(Record):
    """The hand-ins of one lesson, by name.

    left_out: a sentence for each file that is not among them
    """

    handins: tuple[HandIn, ...]
    left_out: tuple[str, ...] = ()

    @property
    def pages(self) -> tuple[Answer, ...]:
        """Titles and kinds of the pages."""
        return self.handins[0].progress.answers if self.handins else ()

    def names(self) -> list[str]:
        """The names of the students; equal ones get the time of handing in."""
        counts = Counter(each.name for each in self.handins)
        return [
            f"{each.name}, {each.when}" if counts[each.name] > 1 else each.name
            for each in self.handins
        ]

    def wrong(self, page: int) -> list[tuple[str, int]]:
        """The wrong answers to a page with the number of students who gave them, commonest
        first.
        """
        given = Counter(wrong for each in self.handins for wrong in _wrong(each, page))
        return sorted(given.items(), key=lambda each: (-each[1], each[0]))

    def gave(self, page: int, answer: str) -> tuple[HandIn, ...]:
        """The hand-ins with this wrong answer to a page."""
        return tuple(each for each in self.handins if answer in _wrong(each, page))

    def at_once(self, page: int) -> int:
        """How many students were right at once."""
        return sum(1 for each in self.handins if each.progress.answers[page].points == 2)


def _wrong(handin: HandIn, page: int) -> set[str]:
    answer = handin.progress.answers[page]
    tries = answer.tries[:-1] if answer.right else answer.tries
    return {in_words(answer, each) for each in tries}


def in_words(answer: Answer, given: str) -> str:
    """An answer as it is counted: of a drawing what was wrong with it, not where."""
    return drawings.in_words(given) if answer.kind in tuple(SKETCHED) else given


def mark_of(handin: HandIn, page: int) -> str:
    """A cell of the table: points, '·' for read, '' for not reached, '?' beside what does not fit
    its digest.
    """
    answer = handin.progress.answers[page]
    if not answer.counts:
        found = READ if answer.reached else NOT_REACHED
    elif not answer.tries and not answer.right and not answer.shown:
        found = NOT_REACHED
    else:
        found = str(answer.points)
    return found + (MISFIT if page in handin.misfits else "")


def score_of(handin: HandIn) -> str:
    return f"{handin.progress.score}{MISFIT if handin.misfits else ''}"


def marks(paths: Iterable[str | os.PathLike[str]], lesson: str = "") -> Marks:
    """The hand-ins at these paths that belong together; raises nothing.

    lesson: the hash of the lesson; '' for the one of which there are most
    """
    left_out = []
    found: list[tuple[str, HandIn]] = []
    for path in paths:
        name = Path(path).name
        try:
            text = read_bytes(Path(path), MAX_BYTES).decode("utf-8-sig")
            handin, faults = read_handin(text)
        except EngineError as sentence:
            left_out.append(str(sentence))
            continue
        except UnicodeDecodeError:
            left_out.append(f"{quoted(name)} is not a text in UTF-8.")
            continue
        if handin is None:
            left_out.append(" ".join(fault.words(name) for fault in faults))
        else:
            found.append((name, handin))
    shapes = Counter(_shape(handin) for _, handin in found)
    wanted = next((s for s, _ in shapes.most_common() if lesson in ("", s[0])), None)
    kept = [handin for _, handin in found if _shape(handin) == wanted]
    left_out += [
        f"{quoted(name)} is of another lesson or version: {quoted(each.progress.title)}."
        for name, each in found
        if _shape(each) != wanted
    ]
    kept.sort(key=lambda each: (each.name.casefold(), each.when))
    return Marks(tuple(kept), tuple(left_out))


def _shape(handin: HandIn) -> tuple[str, int]:
    return handin.progress.digest, len(handin.progress.answers)


def csv_text(found: Marks) -> str:
    """The table for a spreadsheet: a row for each student, a column for each page."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    heads = [f"{k}. {page.title}" for k, page in enumerate(found.pages, 1)]
    writer.writerow([_cell(each) for each in ("name", *heads, "score", "of", "minutes", "remark")])
    for name, each in zip(found.names(), found.handins, strict=True):
        cells = [mark_of(each, page) for page in range(len(found.pages))]
        minutes = f"{each.progress.seconds / 60:.1f}"
        score = (score_of(each), str(each.progress.most), minutes, _remark(each))
        writer.writerow([_cell(cell) for cell in (name, *cells, *score)])
    return stream.getvalue()


def _remark(handin: HandIn) -> str:
    pages = [str(page + 1) for page in handin.misfits]
    return f"page {', '.join(pages)} does not fit its digest" if pages else ""


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def lines(found: Marks) -> list[str]:
    """The table for a terminal, with the commonest wrong answer of each page."""
    if not found.handins:
        return ["There is no hand-in of one lesson among these files."]
    first = found.handins[0].progress
    rows = [f"{first.title}: {counted(len(found.handins), 'hand-in')}", ""]
    wide = max(len("name"), *map(len, found.names()))
    numbers = " ".join(f"{k:>3}" for k in range(1, len(found.pages) + 1))
    rows.append(f"{'name':<{wide}}  {numbers}  score of {first.most}  minutes")
    for name, each in zip(found.names(), found.handins, strict=True):
        cells = " ".join(f"{mark_of(each, page) or '–':>3}" for page in range(len(found.pages)))
        minutes = f"{each.progress.seconds / 60:>7.1f}"
        rows.append(
            f"{name:<{wide}}  {cells}  {score_of(each):>{8 + len(str(first.most))}}  {minutes}"
        )
    return rows + _wrong_lines(found)


def _wrong_lines(found: Marks) -> list[str]:
    rows = ["", "The commonest wrong answers:"]
    for page, answer in enumerate(found.pages):
        if wrong := found.wrong(page):
            given, count = wrong[0]
            rows.append(f"  {page + 1}. {answer.title}: {quoted(given)}, {count}")
    return rows if len(rows) > 2 else []
