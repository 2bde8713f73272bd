"""Writes lessons as text: what `reading.read_lesson` reads back."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.files.openings import END
from engine.lessons.lesson import (
    VERSION,
    Data,
    Digest,
    Lesson,
    LessonLane,
    Page,
    Task,
    View,
    Where,
)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ODD = re.compile("'''|[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def as_text(lesson: Lesson) -> str:
    """The lesson as TOML: read_lesson(as_text(lesson)).lesson == lesson."""
    return "\n".join(_lines(lesson)) + "\n"


def _lines(lesson: Lesson) -> Iterator[str]:
    yield f"version = {VERSION}"
    yield from pairs(_changed(lesson, Lesson(""), "title key source topic minutes"))
    if lesson.data != Data():
        yield from ("", "[data]", *_data(lesson.data))
    if lesson.view != View():
        yield from ("", "[view]", *_view(lesson.view))
    for lane in lesson.lanes:
        yield from ("", "[[lane]]", *_lane(lane))
    for page in lesson.pages:
        yield from ("", "[[page]]", *_page(page))
    if lesson.digest is not None:
        yield from ("", *digest_lines(lesson.digest))


def digest_lines(digest: Digest) -> list[str]:
    """The table of a digest; it stands at the end of a lesson."""
    return ["[digest]", *pairs(_changed(digest, None, "lines pages"))]


def _changed(record: Any, default: Any, names: str) -> dict[str, Any]:
    """The named fields whose values differ from those of `default`."""
    found = {name: getattr(record, name) for name in names.split()}
    return {
        name: value
        for name, value in found.items()
        if default is None or value != getattr(default, name)
    }


def _data(data: Data) -> Iterator[str]:
    yield from pairs(_changed(data, Data(), "name file columns target"))
    if data.rows:
        yield from ("rows = [", *(f"  {value(row)}," for row in data.rows), "]")


def _view(view: View) -> Iterator[str]:
    names = "transform split split_seed probe axes pictures x y"
    unit = {} if view.unit == View().unit else {"unit": view.unit.name.lower()}
    return pairs(_changed(view, View(), names) | unit)


def _lane(lane: LessonLane) -> Iterator[str]:
    yield from pairs({"method": lane.method} | ({"seed": lane.seed} if lane.seed else {}))
    if lane.settings:
        yield f"set = {value(dict(lane.settings))}"
    if lane.data is not None:
        yield from ("[lane.data]", *_data(lane.data))


def _page(page: Page) -> Iterator[str]:
    shown = _changed(page, Page(), "title text")
    after = _changed(page, Page(), "lanes light hide lock picture notes")
    then = {} if page.then is None else {"then": _then(page.then)}
    yield from pairs(shown | _where(page.where) | then | after)
    if page.task is not None:
        yield from ("[page.task]", *_task(page.task))


def _where(where: Where) -> dict[str, Any]:
    found = _changed(where, Where(), "step event line number before")
    return found | {"step": "end"} if where.step == END else found


def _then(where: Where) -> Any:
    """A step alone, or a place in braces."""
    found = _where(where)
    return found.get("step", 0) if found.keys() <= {"step"} else found


def _task(task: Task) -> Iterator[str]:
    names = "ask on choices right within condition hint answer"
    yield f"kind = {value(task.kind.value)}"
    yield from pairs(_changed(task, Task(task.kind), names))
    if task.wrong:
        yield from ("[page.task.wrong]", *pairs(dict(task.wrong)))
    if task.not_yet:
        yield from ("[page.task.not_yet]", *pairs(dict(task.not_yet)))


# -- TOML ------------------------------------------------------------------------------------------


def pairs(values: Mapping[str, Any]) -> Iterator[str]:
    """Lines of keys with their values."""
    return (f"{key(name)} = {value(each)}" for name, each in values.items())


def key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def value(of: Any) -> str:
    """A value as TOML; texts of several lines stand as such."""
    if isinstance(of, bool):
        return "true" if of else "false"
    if isinstance(of, str):
        return _long(of) if "\n" in of else _quoted(of)
    if isinstance(of, float):
        return repr(of)
    if isinstance(of, Mapping):
        return "{ " + ", ".join(f"{key(n)} = {value(v)}" for n, v in of.items()) + " }"
    if isinstance(of, Iterable):
        return "[" + ", ".join(map(value, of)) + "]"
    return str(of)


def _quoted(text: str) -> str:
    """A text in quotation marks; half a letter of a pair, which no file can hold, becomes �."""
    plain = json.dumps(_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text), ensure_ascii=False)
    return plain.replace("\x7f", "\\u007f")


def _long(text: str) -> str:
    """A text of several lines, as it is where TOML can hold it so."""
    if not _ODD.search(text) and not text.endswith("'"):
        return f"'''\n{text}'''"
    return '"""\n' + "\n".join(_quoted(line)[1:-1] for line in text.split("\n")) + '"""'
