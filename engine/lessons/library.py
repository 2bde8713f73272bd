"""The lessons that come with the program."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine.base.place import ASSETS
from engine.base.records import Record
from engine.lessons.reading import read_lesson

FOLDER = ASSETS / "lessons"


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
