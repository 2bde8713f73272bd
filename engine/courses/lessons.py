"""The tasks of a lesson for a course: on a worksheet with its key, or as questions for Moodle, with
the lesson's replies to wrong answers as feedback.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum

from engine.base.errors import EngineError
from engine.base.notation import cut, subscript
from engine.base.records import Record, replace
from engine.courses.markup import html, paragraphs, small_table
from engine.courses.moodle import (
    LONGEST_NAME,
    category,
    choice_answers,
    number_answer,
    picture_of,
    question,
    with_fields,
)
from engine.courses.sheets import Sheet
from engine.courses.worksheet import Block, Worksheet, pieces, shortened, table_of
from engine.judge.questions.blanks import Blank, read
from engine.lessons.checking import Opened, opened
from engine.lessons.lesson import TaskKind
from engine.lessons.package import Found
from engine.lessons.tasks import CLOSE, answers_in, likely
from engine.runs.trace import Trace

MOST_ROWS = 24  # of the table: a task may ask for any of them
RULED = 3  # lines for a sentence
Picture = Callable[[Opened], bytes]  # the plane of a page as PNG, b"" without one
LAB = "In the lab"


class Way(StrEnum):
    """How a task is answered.

    DRAW: on paper in the picture, in the lab on the plane; LAB: by changing something in the lab
    """

    PICK = "pick"
    TYPE = "type"
    WRITE = "write"
    DRAW = "draw"
    LAB = "lab"


ONLY_LAB = (Way.DRAW, Way.LAB)


class Item(Record):
    """A task of a lesson.

    number: from 1; title, text: of its page, in paragraphs
    options: (label, whether it is right, the lesson's reply)
    rows: formulas or a line with the marks of the blanks
    wrong: (texts of an answer, reply), of numbers
    right: the right answer in words; explains: the lesson's sentence about it
    """

    number: int
    way: Way
    title: str
    text: tuple[str, ...]
    prompt: str
    options: tuple[tuple[str, bool, str], ...] = ()
    rows: tuple[str, ...] = ()
    blanks: tuple[Blank, ...] = ()
    wrong: tuple[tuple[tuple[str, ...], str], ...] = ()
    right: str = ""
    explains: str = ""
    hint: str = ""
    formal: bool = False
    picture: bytes = b""
    trace: Trace | None = None


class Tasks(Record):
    """The tasks of a lesson, with the run of its first page."""

    title: str
    source: str
    trace: Trace
    items: tuple[Item, ...]


def tasks_of(found: Found, picture: Picture | None = None) -> Tasks:
    """The tasks of a lesson that can be asked; raises EngineError where there is none."""
    lesson = found.lesson
    if lesson is None:
        raise EngineError(" ".join(fault.words() for fault in found.faults))
    pages = [page for page in opened(lesson, found.files) if page.stand and page.asked]
    if not pages or pages[0].stand is None:
        raise EngineError("This lesson has no task that can be asked: see “lesson check”.")
    items = tuple(_item(page, number, picture) for number, page in enumerate(pages, 1))
    return Tasks(lesson.title, lesson.source, pages[0].stand.shown[0].trace, items)


def _item(page: Opened, number: int, picture: Picture | None) -> Item:
    asked, stand = page.asked, page.stand
    assert asked is not None and stand is not None
    made = Item(
        number,
        Way.LAB,
        page.page.title,
        tuple(" ".join(part.split()) for part in page.text.split("\n\n")),
        asked.prompt,
        right=(" or " if asked.choices else ", ").join(asked.right),
        explains=asked.answer,
        hint=asked.hint,
        trace=stand.shown[0].trace,
    )
    if asked.blanks:
        return _with_blanks(made, page)
    if asked.choices:
        replies = [(label, asked.reply((label,))) for label in likely(asked)]
        options = tuple((label, reply.right, reply.says) for label, reply in replies)
        made = replace(made, way=Way.PICK, options=options)
    elif asked.task.kind is TaskKind.TEXT:
        made = replace(made, way=Way.WRITE)
    elif asked.sketch is not None:
        on_plane = picture is not None and not asked.sketch.title
        wrong = tuple(((answer,), reply) for answer, reply in asked.task.wrong)
        made = replace(made, way=Way.DRAW if on_plane else Way.LAB, wrong=wrong)
    pictured = made.way in (Way.PICK, Way.DRAW)
    return replace(made, picture=picture(page) if picture is not None and pictured else b"")


def _with_blanks(made: Item, page: Opened) -> Item:
    asked = page.asked
    assert asked is not None
    blanks = asked.blanks
    rows = () if asked.question is None else asked.question.text
    if asked.question is None:
        blanks = tuple(replace(b, mark=f"□{subscript(k)}") for k, b in enumerate(blanks, 1))
        rows = (", ".join(blank.mark for blank in blanks),)
    wrong = [(answers_in(answer, len(blanks)), reply) for answer, reply in asked.task.wrong]
    formal = asked.question is not None and bool(asked.question.line)
    return replace(made, way=Way.TYPE, rows=rows, blanks=blanks, wrong=tuple(wrong), formal=formal)


# -- on paper --------------------------------------------------------------------------------------


def lesson_worksheet(tasks: Tasks) -> Worksheet:
    """The tasks on a sheet, those for the lab too; the key holds the lesson's replies."""
    trace = tasks.trace
    return Worksheet(
        tasks.title,
        tasks.source,
        *table_of(Sheet(1, 1, tasks.title, trace.seed, trace, ()), MOST_ROWS),
        code=tuple((text, False) for _, text in trace.algorithm.code_lines(trace.params)),
        done=(),
        blocks=tuple(map(_block, tasks.items)),
        foot=tasks.source,
        number=1,
        of=1,
    )


def _block(item: Item) -> Block:
    replies = [f"✕ {label.rstrip('.')}: {says}" for label, _, says in item.options if says]
    replies += [f"✕ {', '.join(texts)}: {says}" for texts, says in item.wrong]
    hint = f"A hint to give: {item.hint}" if item.hint else ""
    marks = [blank.mark for blank in item.blanks]
    before = {Way.LAB: f"{LAB}: ", Way.DRAW: "In the picture: "}.get(item.way, "")
    return Block(
        item.number,
        before + item.prompt,
        2,
        " ".join(item.text),
        tuple(pieces(shortened(row), marks) for row in item.rows),
        tuple((blank.shown, True) for blank in item.blanks),
        choices=tuple((label, right) for label, right, _ in item.options),
        ruled=RULED if item.way in (Way.WRITE, Way.LAB) else 0,
        answer=item.right,
        working=tuple(filter(None, (item.explains, *replies, hint))),
        picture=item.picture,
        formal=item.formal,
    )


# -- for Moodle ------------------------------------------------------------------------------------


def lesson_moodle(tasks: Tasks) -> Iterator[bytes]:
    """A file for Moodle, piece by piece, without what Moodle cannot judge, see `for_the_lab`."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
    yield category(tasks.title)
    for item in tasks.items:
        if item.way not in ONLY_LAB:
            yield _question(tasks, item)
    yield b"</quiz>\n"


def for_the_lab(tasks: Tasks) -> int:
    """How many tasks only the lab can judge."""
    return sum(1 for item in tasks.items if item.way in ONLY_LAB)


def _question(tasks: Tasks, item: Item) -> bytes:
    name = f"{item.number:02} {cut(tasks.title, LONGEST_NAME)}, {cut(item.title or 'task')}"
    shown, file = picture_of(item.picture, "The plane before this step")
    rows = [html(row) for row in item.rows]
    kind, content = _answers(item)
    if kind == "cloze":
        rows = with_fields(rows, item.blanks)
    table = "" if item.trace is None or kind == "essay" else small_table(item.trace.problem)
    text = paragraphs(item.text) + table + shown + paragraphs([item.prompt])
    text += "".join(f"<p>{row}</p>" for row in rows)
    return question(kind, name[:250], (text, file), _feedback(item, kind), content)


def _feedback(item: Item, kind: str) -> str:
    """What Moodle shows after any answer. Of several numbers it cannot reply to one answer."""
    said = [f"The answer: {item.right}." if item.right else "", item.explains]
    if kind == "cloze":
        said += [f"({', '.join(texts)}): {says}" for texts, says in item.wrong]
    return paragraphs(said)


def _answers(item: Item) -> tuple[str, str]:
    """(type of Moodle's question, its answers)."""
    if item.way is Way.PICK:
        return "multichoice", choice_answers(item.options)
    if item.way is Way.WRITE:
        return "essay", "<responseformat>editor</responseformat>\n"
    if len(item.blanks) > 1:
        return "cloze", ""
    (blank,) = item.blanks
    return "numerical", number_answer(blank.value, blank.within) + "".join(_wrong_numbers(item))


def _wrong_numbers(item: Item) -> Iterator[str]:
    for texts, says in item.wrong:
        try:
            value = read(texts[0])
        except EngineError:  # an answer in words is none of Moodle's numbers
            continue
        yield number_answer(value, CLOSE + CLOSE * abs(value), 0, says)
