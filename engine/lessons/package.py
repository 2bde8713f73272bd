"""Lessons as files: TOML beside its tables and pictures, or a zip (.lesson) that holds all.

Nothing outside the folder or the zip is read, and nothing that a file holds is executed.
"""

import io
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, field
from engine.base.sums import add_up
from engine.files.atomic import reason, write_atomic
from engine.lessons import SUFFIX
from engine.lessons.lesson import Lesson
from engine.lessons.meaning import differences
from engine.lessons.places import MAX_BYTES, Fault, Notes
from engine.lessons.reading import read_lesson
from engine.lessons.writing import as_text

LESSON = "lesson.toml"  # in a zip
MAX_FILE, MAX_ALL, MOST_MEMBERS = 8 * 2**20, 32 * 2**20, 200
SUFFIXES = {".csv", ".png", ".jpg", ".jpeg"}
_PLAIN_NAME = re.compile(r"[^/\\:\x00-\x1f]{1,100}")


class Found(Record):
    """A lesson as it was found.

    lesson: None where its text cannot be read at all
    files: the tables and pictures that it brings
    notes: what differs, each with its line
    """

    lesson: Lesson | None
    notes: Notes
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(sorted(self.notes.faults, key=lambda fault: fault.line))


Reader = Callable[[str], bytes]  # the bytes of a file beside the lesson; raises EngineError


def open_lesson(path: str | os.PathLike[str]) -> Found:
    """The lesson at `path` with all that it brings; never raises."""
    place = Path(path)
    try:
        if place.suffix.lower() == SUFFIX:
            return _of_zip(read_bytes(place, MAX_ALL))
        raw = read_bytes(place, MAX_BYTES)
    except EngineError as sentence:
        return _nothing(str(sentence))
    return _of_text(raw, lambda name: _beside(place, name))


def lesson_of(text: str, files: Mapping[str, bytes] | None = None) -> Found:
    """The lesson of a text that brings `files`; never raises."""

    def given(name: str) -> bytes:
        if name not in (files or {}):
            raise EngineError(f"{quoted(name)} is missing.")
        return (files or {})[name]

    return _found(text, given)


def save_lesson(
    lesson: Lesson, path: str | os.PathLike[str], files: Mapping[str, bytes] | None = None
) -> None:
    """Write a lesson: as TOML, or with its files as a zip if `path` ends so; raises EngineError."""
    text = as_text(lesson).encode()
    if Path(path).suffix.lower() != SUFFIX:
        if files:
            raise EngineError(f"A lesson that brings files is saved as {SUFFIX}.")
        write_atomic(path, [text])
        return
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(LESSON, text)
        for name, content in (files or {}).items():
            archive.writestr(_checked(name), content)
    write_atomic(path, [packed.getvalue()])


def _nothing(sentence: str) -> Found:
    notes = Notes()
    notes.say((), sentence)
    return Found(None, notes)


def _of_text(raw: bytes, reader: Reader) -> Found:
    try:
        return _found(raw.decode("utf-8-sig"), reader)
    except UnicodeDecodeError:
        return _nothing("It is not a text in UTF-8.")


def _found(text: str, reader: Reader) -> Found:
    read = read_lesson(text)
    if read.lesson is None:
        return Found(None, read.notes)
    files: dict[str, bytes] = {}
    for name in _wanted(read.lesson):
        try:
            files[name] = reader(_checked(name))
        except EngineError as fault:
            read.notes.say((), str(fault))
    for place, sentence in differences(read.lesson, files):
        read.notes.say(place, sentence)
    return Found(read.lesson, read.notes, files)


def _wanted(lesson: Lesson) -> Iterable[str]:
    """The names of the files that a lesson speaks of, each once."""
    tables = [lesson.data.file, *(lane.data.file for lane in lesson.lanes if lane.data)]
    names = [*tables, *(page.picture for page in lesson.pages)]
    return list(dict.fromkeys(filter(None, names)))[:MOST_MEMBERS]


def _checked(name: str) -> str:
    """The name itself; raises EngineError for one that leads out of the folder."""
    if not _PLAIN_NAME.fullmatch(name) or name.startswith("."):
        raise EngineError(f"{quoted(name)} is no file beside the lesson: it needs a plain name.")
    if Path(name).suffix.lower() not in SUFFIXES:
        raise EngineError(f"{quoted(name)} is left out: a lesson brings {', '.join(SUFFIXES)}.")
    return name


def _beside(lesson: Path, name: str) -> bytes:
    """A file in the folder of the lesson; raises EngineError, also for a link that leads out."""
    folder = lesson.resolve().parent
    try:
        if (folder / name).resolve().parent != folder:
            raise EngineError(f"{quoted(name)} is a link out of the lesson’s folder.")
    except (OSError, RuntimeError):
        raise EngineError(f"{quoted(name)} cannot be read.") from None
    return read_bytes(folder / name, MAX_FILE)


def read_bytes(path: Path, most: int) -> bytes:
    """The content of an ordinary file of at most `most` bytes; raises EngineError."""
    name = quoted(path.name)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise EngineError(f"{name} is no file.")
        with path.open("rb") as file:
            found = file.read(most + 1)
    except FileNotFoundError:
        raise EngineError(f"There is no file {name}.") from None
    except (OSError, ValueError) as refused:
        if isinstance(refused, EngineError):
            raise
        raise EngineError(f"{name} could not be read: {reason(refused)}.") from None
    if len(found) > most:
        raise EngineError(f"{name} is larger than {most / 2**20:.0f} MB.")
    return found


# -- a zip -----------------------------------------------------------------------------------------


def _of_zip(raw: bytes) -> Found:
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
        members = {each.filename: each for each in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, OverflowError):
        return _nothing("It is no lesson: a .lesson is a zip with a lesson.toml in it.")
    size = add_up(member.file_size for member in members.values())
    if len(members) > MOST_MEMBERS or size > MAX_ALL:
        return _nothing(
            f"It holds more than {MOST_MEMBERS} files or {MAX_ALL // 2**20} MB: it is not opened."
        )

    def member(name: str, most: int = MAX_FILE) -> bytes:
        if name not in members:
            raise EngineError(f"{quoted(name)} is missing in the lesson.")
        return _member(archive, members[name], most)

    try:
        text = member(LESSON, MAX_BYTES)
    except EngineError as sentence:
        return _nothing(str(sentence))
    return _of_text(text, member)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """The content of a member, whatever its declared size; raises EngineError."""
    name = quoted(member.filename)
    try:
        with archive.open(member) as file:
            found = file.read(most + 1)
    except Exception:  # a broken, encrypted or unknown compression: zipfile raises many kinds
        raise EngineError(f"{name} in the lesson is broken.") from None
    if len(found) > most:
        raise EngineError(f"{name} in the lesson is larger than {most / 2**20:.0f} MB.")
    return found
