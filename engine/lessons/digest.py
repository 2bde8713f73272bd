"""The digest of a lesson's runs: whether this machine shows what the author saw.

Lines and events of the steps up to the last page are hashed: they are the same on every machine.
Metrics are kept as numbers and compared as `engine.numerics.closeness` compares, since the last
digits may differ: a hash of rounded numbers would part two that lie on either side of a border.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import number
from engine.base.records import replace
from engine.judge.conditions import Moment
from engine.lessons.lesson import Digest, Lesson
from engine.lessons.places import HEADER
from engine.lessons.setting import Files
from engine.lessons.steps import run_lanes, stand
from engine.lessons.writing import as_text, digest_lines
from engine.numerics.closeness import equal
from engine.runs.trace import Trace

LETTERS = 16  # of a hash: enough to tell runs apart, short enough to be read
NEAR = 1e-9  # below this, two metrics are both 0


def hashed(*parts: object) -> str:
    """A short hash of plain values."""
    text = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:LETTERS]


def lesson_hash(lesson: Lesson) -> str:
    """What tells this lesson from others and from its other versions."""
    return hashed(as_text(replace(lesson, digest=None)))


def digest_of(lesson: Lesson, files: Files, traces: dict[int, Trace] | None = None) -> Digest:
    """The digest of the runs up to the last step of the pages; raises EngineError.

    traces: runs that are there already, by the number of the lane; new ones are added
    """
    known = {} if traces is None else traces
    lines: dict[int, int] = {}
    pages = []
    for page in range(len(lesson.pages)):
        lanes = _at_page(lesson, page, files, known)
        numbers = [k for k in lesson.shown(page) if k in known]
        for k, lane in zip(numbers, lanes, strict=True):
            lines[k] = max(lines.get(k, 0), lane.cursor)
        pages.append(tuple(value for _, value in _metrics(lanes)))
    steps = [(k, _lines(known[k], last)) for k, last in sorted(lines.items())]
    return Digest(hashed(steps), tuple(pages))


def _at_page(
    lesson: Lesson, page: int, files: Files, known: dict[int, Trace]
) -> tuple[Moment, ...]:
    traces = run_lanes(lesson, page, files, known)
    return stand(lesson.pages[page], traces, lesson.view.unit).asked


def _lines(trace: Trace, last: int) -> list[tuple[str, tuple[str, ...]]]:
    """Line and events of the steps up to `last`."""
    return list(zip(trace.lines(last), trace.events, strict=False))


def _metrics(lanes: Sequence[Moment]) -> Iterator[tuple[str, float]]:
    """(name, value) of each finite metric of the lanes, by name."""
    for lane in lanes:
        for name, column in sorted(lane.trace.metrics.items()):
            value = float(column[lane.cursor])
            if np.isfinite(value) and abs(value) <= 1e150:
                yield name, value


def disagreements(
    lesson: Lesson, files: Files, traces: dict[int, Trace] | None = None
) -> list[str]:
    """A sentence for each page whose run is not the author's; [] where all agree, or the lesson
    has no digest. traces: as for `digest_of`
    """
    stated = lesson.digest
    if stated is None:
        return []
    known = {} if traces is None else traces
    try:
        found = digest_of(lesson, files, known)
    except EngineError as sentence:
        return [str(sentence)]
    said = []
    if stated.lines != found.lines:
        said.append("The run goes through other lines or events than the author’s.")
    for page, (theirs, ours) in enumerate(zip(stated.pages, found.pages, strict=False)):
        if len(theirs) == len(ours) and all(map(_close, theirs, ours)):
            continue
        names = [name for name, _ in _metrics(_at_page(lesson, page, files, known))]
        said.append(f"Page {page + 1}: {_differing(names, theirs, ours)}")
    if len(stated.pages) != len(found.pages):
        said.append("The digest was made for another number of pages.")
    return said


def _close(one: float, other: float) -> bool:
    return bool(equal(one, other)) or max(abs(one), abs(other)) <= NEAR


def _differing(names: Sequence[str], theirs: Sequence[float], ours: Sequence[float]) -> str:
    for name, one, other in zip(names, theirs, ours, strict=False):
        if not _close(one, other):
            return f"{name} is {number(other, 6)} here, and was {number(one, 6)} for the author."
    return "the run has other metrics than the author’s."


def with_digest(text: str, digest: Digest) -> str:
    """A lesson's text with this digest at its end, in place of the one it has."""
    lines = text.rstrip("\n").split("\n")
    begin = next((k for k, line in enumerate(lines) if line.strip() == "[digest]"), len(lines))
    after = next((k for k in range(begin + 1, len(lines)) if HEADER.match(lines[k])), len(lines))
    kept = "\n".join([*lines[:begin], *lines[after:]]).rstrip("\n")
    return "\n".join([kept, "", *digest_lines(digest)]) + "\n"
