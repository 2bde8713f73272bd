"""Reads a lesson from its text, as far as it can be read, with a sentence for each fault."""

from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import listed
from engine.base.records import Record
from engine.files.openings import END, Settings, setting_text
from engine.lessons.lesson import (
    HIDDEN,
    LOCKED,
    MOST_ENTRIES,
    MOST_LANES,
    MOST_LETTERS,
    MOST_PAGES,
    MOST_ROWS,
    VERSION,
    Cell,
    Data,
    Digest,
    Lesson,
    LessonLane,
    Page,
    Task,
    TaskKind,
    View,
    Where,
)
from engine.lessons.places import (
    Fault,
    Notes,
    Table,
    flag,
    number,
    numbers,
    parsed,
    several,
    text,
    whole,
)
from engine.protocol.step import Level

NAME, LINE = 200, 600  # letters of a name and of a sentence
MOST_COLUMNS, MOST_STEPS = 100, 10**6
LEVELS = {level.name.lower(): level for level in Level}
SPLIT_SEEDS = 2**32 - 1


class Read(Record):
    """A lesson as its text says it. lesson: None where the text is no TOML at all."""

    lesson: Lesson | None
    notes: Notes

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(self.notes.faults)


def read_lesson(written: str) -> Read:
    """The lesson that a text holds; never raises."""
    notes = Notes(written)
    values, broken = parsed(written)
    notes.faults += broken
    if broken:
        return Read(None, notes)
    return Read(_lesson(Table(values, (), notes)), notes)


def _lesson(part: Table) -> Lesson:
    _version(part)
    found = Lesson(
        title=part.text("title", NAME),
        key=part.text("key", NAME),
        source=part.text("source", NAME),
        topic=part.text("topic", NAME),
        minutes=part.take("minutes", lambda v: whole(v, 1, 600), 5),
        data=_data(part.table("data")) if part.has("data") else Data(),
        lanes=tuple(_lane(each) for each in part.tables("lane", MOST_LANES, "lane")),
        view=_view(part.table("view")),
        pages=tuple(_page(each) for each in part.tables("page", MOST_PAGES, "page")),
        digest=_digest(part.table("digest")) if part.has("digest") else None,
    )
    part.end()
    if not found.title:
        part.say("title", "The lesson has no title.")
    if not found.lanes:
        part.say("lane", "The lesson has no method: it needs a [[lane]] with one.")
    if not found.pages:
        part.say("page", "The lesson has no page: it needs a [[page]].")
    return found


def _version(part: Table) -> None:
    found = part.take("version", lambda v: whole(v, 1), 0)
    if not found:
        part.say("version", f"The text does not say “version = {VERSION}”; it is read as that.")
    elif found > VERSION:
        part.say(
            "version",
            f"The text was written for version {found}; this program knows version {VERSION} and"
            " leaves out what is newer.",
        )


def _data(part: Table) -> Data:
    columns = part.words("columns", MOST_COLUMNS)
    found = Data(
        name=part.text("name", NAME),
        file=part.text("file", NAME),
        columns=columns,
        rows=part.take("rows", lambda v: _rows(v, len(columns)), ()),
        target=part.text("target", NAME),
    )
    part.end()
    if sum(map(bool, (found.name, found.file, found.columns))) != 1:
        part.say("", "Data are a name, a file, or columns with rows: exactly one of the three.")
    return found


def _rows(value: Any, count: int) -> tuple[tuple[Cell, ...], ...]:
    rows = several(value, MOST_ROWS)
    shape = f"rows of {count} cells, one for each of the columns"
    if not all(isinstance(row, list) and len(row) == count for row in rows):
        raise EngineError(shape)
    return tuple(tuple(map(_cell, row)) for row in rows)


def _cell(value: Any) -> Cell:
    if isinstance(value, float) and value != value:
        return ""
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, int) and abs(value) <= 2**53:
        return value
    if isinstance(value, float):
        return number(value)
    raise EngineError("rows of texts and numbers")


def _lane(part: Table) -> LessonLane:
    found = LessonLane(
        method=part.text("method", NAME),
        settings=part.take("set", _settings, ()),
        seed=part.take("seed", whole, 0),
        data=_data(part.table("data")) if part.has("data") else None,
    )
    part.end()
    if not found.method:
        part.say("method", "A lane needs a method.")
    return found


def _settings(value: Any) -> Settings:
    if not isinstance(value, dict) or len(value) > MOST_ENTRIES:
        raise EngineError("parameters in braces, { name = value }")
    return tuple((name[:NAME], _setting(each)) for name, each in value.items())


def _setting(value: Any) -> str:
    try:
        return setting_text(value)[:LINE]
    except ValueError:  # a whole number of thousands of digits
        raise EngineError("parameters without endless numbers") from None


def _view(part: Table) -> View:
    all_rows: float | tuple[int, ...] = 0.0
    found = View(
        transform=part.text("transform", NAME),
        split=part.take("split", _split, all_rows),
        split_seed=part.take("split_seed", whole, 0),
        probe=part.take("probe", lambda v: numbers(v, 2), ()),
        axes=part.words("axes", 2),
        unit=part.take("unit", _level, Level.STEP),
        pictures=part.words("pictures", MOST_ENTRIES),
        x=part.take("x", lambda v: numbers(v, 2), ()),
        y=part.take("y", lambda v: numbers(v, 2), ()),
    )
    part.end()
    return found


def _split(value: Any) -> float | tuple[int, ...]:
    if isinstance(value, list):
        return tuple(whole(each, 1) for each in several(value, MOST_ROWS))
    share = number(value)
    if not 0 <= share < 1:
        raise EngineError("a share from 0 to below 1, or numbers of rows in brackets")
    return share


def _level(value: Any) -> Level:
    if not isinstance(value, str) or value not in LEVELS:
        raise EngineError(f"one of {listed(LEVELS)}")
    return LEVELS[value]


def _page(part: Table) -> Page:
    found = Page(
        title=part.text("title", NAME),
        text=part.text("text", MOST_LETTERS),
        where=_where(part),
        then=_then(part),
        lanes=part.take("lanes", _lane_numbers, ()),
        light=part.words("light", MOST_ENTRIES),
        hide=part.words("hide", MOST_ENTRIES, HIDDEN),
        lock=part.words("lock", MOST_ENTRIES, LOCKED),
        picture=part.text("picture", NAME),
        notes=part.text("notes", MOST_LETTERS),
        task=_task(part.table("task")) if part.has("task") else None,
    )
    part.end()
    return found


def _lane_numbers(value: Any) -> tuple[int, ...]:
    return tuple(whole(each, 1, MOST_LANES) for each in several(value, 4))


def _where(part: Table) -> Where:
    found = Where(
        step=part.take("step", _step, 0),
        event=part.text("event", NAME),
        line=part.text("line", NAME),
        number=part.take("number", lambda v: whole(v, 1, MOST_STEPS), 1),
        before=part.take("before", flag, False),
    )
    ways = [key for key in ("step", "event", "line") if part.has(key)]
    if len(ways) > 1:
        part.say(ways[1], f"A page goes to a step, an event or a line: {listed(ways)} are given.")
    return found


def _then(part: Table) -> Where | None:
    """A step, "end", or a place in braces: then = { event = "cycle" }."""
    if not isinstance(part.values.get("then"), dict):
        step = part.take("then", _step, None)
        return None if step is None else Where(step=step)
    inner = part.table("then")
    found = _where(inner)
    inner.end()
    return found


def _step(value: Any) -> int:
    return END if value == "end" else whole(value, 0, MOST_STEPS)


def _task(part: Table) -> Task | None:
    kind = part.take("kind", _kind, None)
    found = Task(
        kind=kind or TaskKind.TEXT,
        ask=part.text("ask", LINE),
        right=part.take("right", _right, ()),
        within=part.take("within", _within, None),
        on=part.text("on", NAME),
        choices=part.words("choices", MOST_ENTRIES),
        condition=part.text("condition", LINE),
        wrong=part.take("wrong", _replies, ()),
        hint=part.text("hint", LINE),
        answer=part.text("answer", LINE),
        not_yet=part.take("not_yet", _replies, ()),
    )
    part.end()
    if kind is None and not part.has("kind"):
        part.say("kind", f"A task needs a kind: {listed(list(TaskKind))}.")
    return found if kind is not None else None


def _kind(value: Any) -> TaskKind | None:
    if not isinstance(value, str) or value not in list(TaskKind):
        raise EngineError(f"one of {listed(list(TaskKind))}")
    return TaskKind(value)


def _right(value: Any) -> tuple[str | float, ...]:
    entries = several(value, MOST_ENTRIES)
    return tuple(each[:LINE] if isinstance(each, str) else number(each) for each in entries)


def _within(value: Any) -> float | None:
    found = number(value)
    if found < 0:
        raise EngineError("a number of 0 or more")
    return found


def _replies(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or len(value) > MOST_ENTRIES:
        raise EngineError("answers with replies, \"answer\" = 'reply'")
    return tuple((answer[:LINE], text(reply)[:LINE]) for answer, reply in value.items())


def _digest(part: Table) -> Digest:
    found = Digest(
        lines=part.text("lines", NAME),
        pages=part.take("pages", _metrics, ()),
    )
    part.end()
    return found


def _metrics(value: Any) -> tuple[tuple[float, ...], ...]:
    rows = several(value, MOST_PAGES)
    if not all(isinstance(row, list) for row in rows):
        raise EngineError("a list of numbers for each page")
    return tuple(tuple(map(number, row)) for row in rows)
