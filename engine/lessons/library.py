"""The lessons that come with the program, and the courses that are made of them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import counted, listed, quoted
from engine.base.place import ASSETS
from engine.base.records import Record
from engine.base.sums import add_up
from engine.lessons.package import read_bytes
from engine.lessons.places import MAX_BYTES, Fault, Notes, Table, parsed, whole
from engine.lessons.reading import LINE, NAME, read_lesson

FOLDER = ASSETS / "lessons"
COURSES = "courses.toml"  # in the folder of lessons
MOST_COURSES, MOST_LESSONS = 200, 50  # lessons of one course


class Head(Record, eq=True):
    """What a list of lessons shows of one.

    data: the set that it names, without its numbers
    methods: the keys of its lanes
    tasks: how many pages ask something
    """

    path: Path
    key: str
    title: str
    source: str
    topic: str
    minutes: int
    data: str
    methods: tuple[str, ...]
    pages: int
    tasks: int


def heads(folder: Path = FOLDER) -> Iterator[Head]:
    """The lessons of a folder of texts by path; those that cannot be read are left out."""
    for path in sorted(folder.glob("*/*.toml")):
        try:
            found = read_lesson(path.read_text(encoding="utf-8")).lesson
        except (OSError, UnicodeDecodeError):
            continue
        if found is not None:
            yield Head(
                path,
                found.key,
                found.title,
                found.source,
                found.topic,
                found.minutes,
                found.data.name.partition(":")[0],
                tuple(lane.method for lane in found.lanes),
                len(found.pages),
                sum(1 for page in found.pages if page.task is not None),
            )


@cache
def shipped() -> tuple[Head, ...]:
    """The lessons that come with the program; their texts are read once, which takes a while."""
    return tuple(heads())


def ready() -> bool:
    """Whether `shipped` is read."""
    return shipped.cache_info().currsize > 0


def with_key(key: str) -> Head | None:
    """The lesson that comes with the program and has this key, in small letters or large."""
    wanted = key.strip().casefold()
    return next((head for head in shipped() if wanted and head.key.casefold() == wanted), None)


def fitting(method: str, data: str = "") -> list[Head]:
    """The lessons about a method by key, those with this set of data first."""
    found = [head for head in heads() if method in head.methods]
    return sorted(found, key=lambda head: (head.data != data.partition(":")[0], head.key))


# -- courses ---------------------------------------------------------------------------------------


class Course(Record, eq=True):
    """Lessons for one sitting, in their order.

    minutes: the whole sitting, with talk between the lessons
    """

    key: str
    title: str
    about: str
    minutes: int
    lessons: tuple[Head, ...]

    @property
    def lesson_minutes(self) -> int:
        """The sum of the minutes of its lessons."""
        return int(add_up(head.minutes for head in self.lessons))


class Courses(Record):
    """The courses of a folder. faults: what was left out of them, each with its line"""

    courses: tuple[Course, ...]
    faults: tuple[Fault, ...] = ()


def courses(folder: Path = FOLDER, known: Iterable[Head] | None = None) -> Courses:
    """The courses that `courses.toml` in the folder lists; never raises.

    known: its lessons, where they are read already
    """
    try:
        written = read_bytes(folder / COURSES, MAX_BYTES).decode("utf-8-sig")
    except (EngineError, UnicodeDecodeError) as fault:
        why = str(fault) if isinstance(fault, EngineError) else "It is not a text in UTF-8."
        return Courses((), (Fault(0, why),))
    notes = Notes(written)
    values, broken = parsed(written)
    if broken:
        return Courses((), tuple(broken))
    by_key = {head.key: head for head in (heads(folder) if known is None else known)}
    part = Table(values, (), notes)
    found = tuple(_course(each, by_key) for each in part.tables("course", MOST_COURSES, "course"))
    part.end()
    return Courses(found, tuple(sorted(notes.faults, key=lambda fault: fault.line)))


def _course(part: Table, known: Mapping[str, Head]) -> Course:
    keys = part.words("lessons", MOST_LESSONS)
    found = Course(
        key=part.text("key", NAME),
        title=part.text("title", NAME),
        about=part.text("about", LINE),
        minutes=part.take("minutes", lambda value: whole(value, 1, 600), 45),
        lessons=tuple(known[key] for key in keys if key in known),
    )
    part.end()
    if unknown := [key for key in keys if key not in known]:
        part.say("lessons", f"There is no lesson {listed(unknown, quoted)}: left out here.")
    if not found.lessons:
        part.say("lessons", "The course has no lesson: it needs the keys of some.")
    if found.lesson_minutes > found.minutes:
        part.say(
            "minutes",
            f"The lessons take {counted(found.lesson_minutes, 'minute')}, the course has"
            f" {found.minutes}.",
        )
    return found
