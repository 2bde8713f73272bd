"""What a person did in a lesson: answers, tries, time, sentences and forks, kept on this machine.

Each lesson has a file of its own, named by its hash: another version of it begins anew.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, field_names, replace
from engine.base.sums import add_up
from engine.files.atomic import reason, write_atomic
from engine.lessons.digest import hashed, lesson_hash
from engine.lessons.lesson import MOST_PAGES, Lesson, TaskKind
from engine.lessons.places import Fault, Notes, Table, flag, parsed, whole
from engine.lessons.writing import pairs

VERSION = 1
HINT_AFTER, ANSWER_AFTER = 2, 3  # wrong answers until the page offers the hint, shows the answer
MOST_TRIES, MOST_SECONDS = 20, 10**6
NAME, SENTENCE, STATE = 200, 2_000, 200_000  # letters
MAX_BYTES = 4 * 2**20
_ODD = re.compile(r"[^\w-]+")


class Answer(Record, eq=True):
    """What was done on a page.

    kind: of its task, '' where there is only something to read
    tries: the answers as they were given, several numbers by '; '
    hinted, shown: whether the hint, the answer was asked for
    sentence: what the student wrote
    fork: the lanes that the student made, in words
    state: a project file as text: the state of the lab with which a task was done
    """

    title: str = ""
    kind: str = ""
    tries: tuple[str, ...] = ()
    right: bool = False
    hinted: bool = False
    shown: bool = False
    seconds: int = 0
    sentence: str = ""
    fork: str = ""
    state: str = ""

    @property
    def counts(self) -> bool:
        """Whether it gets points: a task that the lab can judge."""
        return bool(self.kind) and self.kind != TaskKind.TEXT

    @property
    def points(self) -> int:
        """2 for right at once, 1 for right after a hint or another try, 0 once it was shown."""
        if not self.counts or not self.right or self.shown:
            return 0
        return 2 if len(self.tries) <= 1 and not self.hinted else 1

    @property
    def misses(self) -> int:
        """How many of the tries were wrong; see HINT_AFTER and ANSWER_AFTER."""
        return len(self.tries) - self.right if self.tries else 0

    @property
    def reached(self) -> bool:
        return bool(self.tries or self.right or self.shown or self.sentence or self.seconds)


class Progress(Record, eq=True):
    """The answers to a lesson, one for each page. Each change makes another one.

    lesson, title: its key and title
    digest: its hash, see `lesson_hash`
    page: the one that was last shown, from 0
    """

    lesson: str
    title: str
    digest: str
    answers: tuple[Answer, ...]
    page: int = 0

    @property
    def score(self) -> int:
        return int(add_up(answer.points for answer in self.answers))

    @property
    def most(self) -> int:
        """The points that all right at once would give."""
        return 2 * sum(1 for answer in self.answers if answer.counts)

    @property
    def seconds(self) -> int:
        return int(add_up(answer.seconds for answer in self.answers))

    @property
    def done(self) -> bool:
        """Whether each task was done, or its answer shown."""
        asked = [answer for answer in self.answers if answer.kind]
        return bool(asked) and all(answer.right or answer.shown for answer in asked)

    def tried(self, page: int, given: tuple[str, ...], right: bool) -> "Progress":
        """After an answer; none counts once the task was done right."""
        old = self.answers[page]
        if old.right or len(old.tries) >= MOST_TRIES:
            return self
        one = "; ".join(given)[:NAME]
        return self._with(page, replace(old, tries=(*old.tries, one), right=right))

    def hinted(self, page: int) -> "Progress":
        return self._with(page, replace(self.answers[page], hinted=True))

    def shown(self, page: int) -> "Progress":
        """After the answer was shown, which costs nothing if it was right before."""
        old = self.answers[page]
        return self if old.right else self._with(page, replace(old, shown=True))

    def spent(self, page: int, seconds: int) -> "Progress":
        old = self.answers[page]
        return self._with(page, replace(old, seconds=min(old.seconds + seconds, MOST_SECONDS)))

    def said(self, page: int, sentence: str) -> "Progress":
        return self._with(page, replace(self.answers[page], sentence=sentence[:SENTENCE]))

    def forked(self, page: int, fork: str, state: str = "") -> "Progress":
        """With the lanes that the student made, in words and as a project's text.

        A state that is too long for a hand-in is left out.
        """
        kept = state if len(state) <= STATE else ""
        return self._with(page, replace(self.answers[page], fork=fork[:NAME], state=kept))

    def at(self, page: int) -> "Progress":
        return replace(self, page=page)

    def _with(self, page: int, answer: Answer) -> "Progress":
        return replace(self, answers=(*self.answers[:page], answer, *self.answers[page + 1 :]))


def begin(lesson: Lesson) -> Progress:
    """A lesson of which nothing is done."""
    answers = (
        Answer(title=page.title, kind=page.task.kind.value if page.task else "")
        for page in lesson.pages
    )
    return Progress(lesson.key, lesson.title, lesson_hash(lesson), tuple(answers))


# -- as text ---------------------------------------------------------------------------------------


def head_lines(progress: Progress) -> list[str]:
    return [f"version = {VERSION}", *progress_pairs(progress)]


def progress_pairs(progress: Progress) -> Iterator[str]:
    """The lines that say which lesson it is."""
    named = {"lesson": progress.lesson, "title": progress.title, "digest": progress.digest}
    return pairs(named | {"page": progress.page + 1})


def answer_lines(answer: Answer, within: str = "") -> list[str]:
    """The lines of a page: its title, and what differs from nothing done.

    within: the table around it, with a dot
    """
    nothing = Answer()
    changed = {
        name: getattr(answer, name)
        for name in field_names(answer)
        if getattr(answer, name) != getattr(nothing, name)
    }
    return [f"[[{within}answer]]", *pairs(changed)]


def as_text(progress: Progress) -> str:
    rows = head_lines(progress)
    for answer in progress.answers:
        rows += ["", *answer_lines(answer)]
    return "\n".join(rows) + "\n"


def read_progress(written: str) -> tuple[Progress | None, tuple[Fault, ...]]:
    """The progress that a text holds, as far as it can be read; never raises."""
    part, faults = table_of(written)
    if part is None:
        return None, faults
    found = progress_in(part, [read_answer(each) for each in answer_tables(part)])
    part.end()
    return found, tuple(part.notes.faults)


def table_of(written: str, most: int = MAX_BYTES) -> tuple[Table | None, tuple[Fault, ...]]:
    """The table of a text of at most `most` letters; None with a fault where it is none."""
    values, broken = parsed(written, most)
    if broken:
        return None, tuple(broken)
    part = Table(values, (), Notes(written))
    found = part.take("version", lambda v: whole(v, 1), 0)
    if found != VERSION:
        part.say("version", f"It was written for another version; this one reads {VERSION}.")
    return part, ()


def answer_tables(part: Table) -> list[Table]:
    return list(part.tables("answer", MOST_PAGES, "answer"))


def progress_in(part: Table, answers: list[Answer]) -> Progress:
    return Progress(
        part.text("lesson", NAME),
        part.text("title", NAME),
        part.text("digest", NAME),
        tuple(answers),
        part.take("page", lambda v: whole(v, 1, MOST_PAGES), 1) - 1,
    )


def read_answer(part: Table) -> Answer:
    kind = part.text("kind", NAME)
    found = Answer(
        title=part.text("title", NAME),
        kind=kind if kind in list(TaskKind) else "",
        tries=part.words("tries", MOST_TRIES),
        right=part.take("right", flag, False),
        hinted=part.take("hinted", flag, False),
        shown=part.take("shown", flag, False),
        seconds=part.take("seconds", lambda v: whole(v, 0, MOST_SECONDS), 0),
        sentence=part.text("sentence", SENTENCE),
        fork=part.text("fork", NAME),
        state=part.text("state", STATE),
    )
    part.end()
    return found


# -- on this machine -------------------------------------------------------------------------------


class Shelf:
    """The folder with the progress of all lessons."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, progress: Progress) -> Path:
        name = _ODD.sub("-", progress.lesson or "lesson")[:40]
        return self.folder / f"{name}-{hashed(progress.digest)}.toml"

    def load(self, lesson: Lesson) -> Progress:
        """The progress of a lesson; a new one where there is none, or it cannot be read."""
        new = begin(lesson)
        try:
            raw = self.path(new).read_bytes()[:MAX_BYTES].decode("utf-8")
        except (OSError, ValueError):
            return new
        found, _ = read_progress(raw)
        same = found is not None and (found.digest, len(found.answers)) == (
            new.digest,
            len(new.answers),
        )
        return found if found is not None and same else new

    def save(self, progress: Progress) -> None:
        """Write it; raises EngineError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as refused:
            raise EngineError(
                f"The progress could not be kept in {quoted(self.folder)}: {reason(refused)}."
            ) from None
        write_atomic(self.path(progress), [as_text(progress).encode()])

    def all(self) -> list[Progress]:
        """What was done in all lessons, the latest first; files that cannot be read are left
        out.
        """
        dated: list[tuple[float, Progress]] = []
        for path in self._files():
            try:
                when = path.stat().st_mtime
                found, _ = read_progress(path.read_bytes()[:MAX_BYTES].decode("utf-8"))
            except (OSError, ValueError):
                continue
            if found is not None:
                dated.append((when, found))
        return [found for _, found in sorted(dated, key=lambda each: -each[0])]

    def reset(self, lesson: Lesson) -> None:
        """Forget what was done in a lesson."""
        with suppress(OSError):
            self.path(begin(lesson)).unlink()

    def reset_all(self) -> None:
        for path in self._files():
            with suppress(OSError):
                path.unlink()

    def _files(self) -> list[Path]:
        try:
            return sorted(self.folder.glob("*.toml"))
        except OSError:
            return []
