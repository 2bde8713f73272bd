"""A worksheet and its key, as blocks of text, tables and blanks: what HTML and PDF show alike."""

import re
from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np

from engine.base.notation import counted, cut, listed, number, read_number
from engine.base.records import Record
from engine.base.tags import names_in, rows_of
from engine.courses.exercises import Exercise
from engine.courses.grids import Grid, grid_of
from engine.courses.markup import cells_of
from engine.courses.sheets import Sheet
from engine.judge.questions.question import Kind

NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
# of the table on a sheet; of a larger one those of the questions
MOST_ROWS, MOST_COLUMNS = 12, 12
WORDS_POINTS, WORDS_LINES = 2, 1
LONG_VECTOR = re.compile(r"\(([^()]*,[^()]*)\)")
ON_PAPER = 0.0051  # numbers with two decimals that differ by less are the same on paper
SHOWN_ENTRIES = 8  # of a vector that stands in a line of text

Piece = str | int  # text, or the number of a blank


class Gap(Record, eq=True):
    """A line to be completed by hand, such as 'w · x = …'. open: whether its value is left blank"""

    left: str
    shown: str
    open: bool


class Row(Record, eq=True):
    """One vector of a sum in columns. rule: whether a line is drawn above it, as above a result"""

    label: str
    values: tuple[str, ...]
    open: bool
    rule: bool


class Block(Record, eq=True):
    """One question of the sheet. number: from 1, 0 for the step that is done; text: rows of text
    with numbers of blanks, `blanks` says what belongs there; heads, rows: vectors in columns; side:
    what is worked out beside them; test: a condition to be judged, with its answer; choices:
    (label, right); ruled: lines to write on; answer, working: for the key
    """

    number: int
    title: str
    points: int
    prompt: str = ""
    text: tuple[tuple[Piece, ...], ...] = ()
    blanks: tuple[tuple[str, bool], ...] = ()  # (right answer, open)
    heads: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    side: tuple[Gap, ...] = ()
    test: tuple[str, bool] | None = None
    choices: tuple[tuple[str, bool], ...] = ()
    hint: str = ""
    ruled: int = 0
    answer: str = ""
    working: tuple[str, ...] = ()
    picture: bytes = b""
    formal: bool = True  # the text is formulas, not sentences


class Worksheet(Record, eq=True):
    """One sheet. cells: the table, its heads first; code: (line of the pseudo-code, whether a
    question is about it); done: what the step that is done says; foot: where the sheet stands among the
    others
    """

    title: str
    intro: str
    caption: str
    cells: tuple[tuple[str, ...], ...]
    code: tuple[tuple[str, bool], ...]
    done: tuple[str, ...]
    blocks: tuple[Block, ...]
    foot: str
    number: int
    of: int

    @property
    def points(self) -> int:
        """The number of points of all blocks together."""
        total = 0
        for block in self.blocks:
            total += block.points
        return total


def worksheet(sheet: Sheet) -> Worksheet:
    """A sheet as blocks for print.

    The first of several exercises is printed with its solution as an example; the others leave more
    blank from one to the next.
    """
    found = sheet.exercises
    example, exercises = (found[0], found[1:]) if len(found) > 1 else (None, found)
    blocks: list[Block] = []
    for place, each in enumerate(exercises):
        blocks.append(
            block(
                sheet,
                each,
                place + 1,
                len(exercises),
                found[found.index(each) - 1] if each is not found[0] else None,
            )
        )
    blocks.append(question_in_words(sheet, exercises[-1], blocks[-1], len(blocks) + 1))
    lit = {each.question.line for each in found if each.question.kind is Kind.NUMBER}
    trace = sheet.trace
    return Worksheet(
        sheet.title,
        _intro(sheet, exercises, blocks),
        *table_of(sheet),
        code=tuple(
            (text, label in lit and bool(label))
            for label, text in trace.algorithm.code_lines(trace.params)
        ),
        done=_done(example),
        blocks=tuple(blocks),
        foot=f"Sheet {sheet.number} of {sheet.of}, seed {sheet.seed}",
        number=sheet.number,
        of=sheet.of,
    )


def _intro(sheet: Sheet, exercises: Sequence[Exercise], blocks: Sequence[Block]) -> str:
    count = NUMBERS[len(exercises)] if len(exercises) < len(NUMBERS) else str(len(exercises))
    number = all(each.question.kind is Kind.NUMBER for each in exercises)
    things = (
        ("step by hand" if number else "question")
        if len(exercises) == 1
        else ("steps by hand" if number else "questions")
    )
    sentences = [f"Do {count} {things}." if number else f"Answer {count} {things}."]
    if len(exercises) > 1 and all(each.rows and each.rows[0].open for each in blocks[1:-1]):
        sentences.append("Each starts with what the one before left.")
    chips = sheet.trace.algorithm.chips
    said = ", ".join(chips(sheet.trace.params)) if chips is not None else ""
    if said:
        first = said[:1].upper() if said[:1].isascii() else said[:1]  # σ is not Σ
        sentences.append(f"{first}{said[1:]}.")
    return " ".join(sentences)


def _done(example: Exercise | None) -> tuple[str, ...]:
    """The step that is done as an example, in words and numbers."""
    if example is None:
        return ()
    head = f"{example.name.capitalize()} is done for you"
    if example.question.kind is Kind.NUMBER:
        note = example.question.step.note
        worked = [
            f"{_left(note, f)} {note.worked(f.body)} = {note.worked(f.result)}"
            for f in note.formulas
            if f.result
        ]
        return (f"{head}: {cut(note.text(), 300)}", *map(shortened, worked))
    return (f"{head}: {example.prompt} {example.answer}.", *example.working[-1:])


def _left(note: Any, formula: Any) -> str:
    return str(
        formula.left.format_map({name: o.symbol or o.text() for name, o in note.operands.items()})
    )


# -- the table -------------------------------------------------------------------------------------


def table_of(sheet: Sheet, most: int = MOST_ROWS) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """(caption, cells): the whole table where it has at most `most` rows; else the rows of the
    questions and some more.
    """
    problem = sheet.problem
    rows = list(range(problem.n))
    caption = f"The table: {counted(problem.n, 'row')}"
    if problem.n > most:
        wanted = dict.fromkeys(
            row for each in sheet.exercises for row in rows_in_question(sheet, each)
        )
        chosen = [*wanted, *(row for row in rows if row not in wanted)][:most]
        rows = sorted(chosen)
        caption = f"{len(rows)} of the {problem.n:,} rows of the table"
    cells = [[cut(text, 24) for text in row] for row in cells_of(problem, rows)]
    if problem.d > MOST_COLUMNS:
        last = -1 if problem.target is not None else len(cells[0])
        cells = [[*row[: MOST_COLUMNS + 1], "…", *row[last:]] for row in cells]
        caption += f", {MOST_COLUMNS} of its {problem.d:,} columns"
    return caption, tuple(tuple(row) for row in cells)


def rows_in_question(sheet: Sheet, each: Exercise) -> list[int]:
    """The rows of the problem that the step of an exercise names, by their index."""
    problem = sheet.problem
    step = each.question.step
    names = [
        operand.value for operand in step.note.operands.values() if isinstance(operand.value, str)
    ]
    named = (
        [problem.names.index(name) for name in names if name in problem.names]
        if problem.n <= 1000
        else []
    )
    lit = [name for operand in step.note.operands.values() for name in names_in(operand.about)]
    places = {problem.number_of(row): row for row in range(problem.n)}
    return [*named, *(places[number] for number in rows_of(lit) if number in places)]


# -- blocks ----------------------------------------------------------------------------------------


def block(
    sheet: Sheet, each: Exercise, number: int, of: int, before: Exercise | None = None
) -> Block:
    """The block of an exercise; the larger `number` is among `of`, the more of its working is left
    blank.

    before: the previous exercise, None for the first
    """
    question = each.question
    if question.kind is not Kind.NUMBER:
        choices = tuple(zip(each.labels, each.right, strict=True))
        hint = f"{each.unit.capitalize()} before: {each.before}" if each.before else ""
        return Block(
            number,
            f"{each.name.capitalize()}: {question.prompt}",
            1,
            question.context,
            choices=choices,
            hint=hint,
            answer=each.answer,
            working=each.working,
            picture=each.picture,
        )
    grid = grid_of(sheet.problem, question.step.note)
    if grid is not None:
        return _of_vectors(sheet, each, number, of, grid, _goes_on(sheet, grid, before))
    opened = ceil(len(question.blanks) * min(number, of) / of)
    blanks = tuple(
        (b.shown, k >= len(question.blanks) - opened) for k, b in enumerate(question.blanks)
    )
    text = tuple(pieces(shortened(row), [b.mark for b in question.blanks]) for row in question.text)
    formal = bool(question.line)
    working = tuple(map(shortened, each.working))
    return Block(
        number,
        _title(sheet, each),
        opened,
        "" if formal else question.prompt,
        text,
        blanks,
        answer=each.answer,
        working=working,
        formal=formal,
    )


def _goes_on(sheet: Sheet, grid: Grid, before: Exercise | None) -> bool:
    """Whether these vectors start with what those of the exercise before came to, on paper."""
    earlier = grid_of(sheet.problem, before.question.step.note) if before is not None else None
    start = next((row for row in grid.rows if row.role == "start"), None)
    if earlier is None or start is None or len(earlier.heads) != len(grid.heads):
        return False
    pairs = zip(start.values, earlier.rows[-1].values, strict=True)
    return all(abs(read_number(a) - read_number(b)) < ON_PAPER for a, b in pairs)


def _copied_row(sheet: Sheet, each: Exercise, grid: Grid) -> int | None:
    """The row of the table that one of the vectors is; None where none is."""
    problem = sheet.problem
    rows = set(rows_in_question(sheet, each))
    if len(rows) != 1 or grid.heads != problem.titles:
        return None
    (row,) = rows
    given = next((r for r in grid.rows if r.role == "given"), None)
    if given is None:
        return None
    pairs = zip(map(read_number, given.values), problem.X[row], strict=True)
    return row if all(abs(a - b) <= ON_PAPER * max(1.0, abs(b)) for a, b in pairs) else None


def _of_vectors(
    sheet: Sheet, each: Exercise, number: int, of: int, grid: Grid, goes_on: bool
) -> Block:
    """Product and sum are always left blank; from the second question on also what the one before
    left, in the last one what is to be copied from the table.
    """
    row = _copied_row(sheet, each, grid)
    of_row = f" of {sheet.problem.names[row]}" if row is not None else ""
    copied = number == of > 1 and row is not None
    opens = {"worked": True, "result": True, "start": number >= 2 and goes_on, "given": copied}
    shown = tuple(
        Row(r.label + of_row * (r.role == "given"), r.values, opens[r.role], r.role == "result")
        for r in grid.rows
    )
    side = _side(each, grid)
    test = _test(sheet, each)
    # nothing for what is only copied
    earned = [r for r in grid.rows if opens[r.role] and r.role != "given"]
    points = len(earned) + bool(side or test)
    hint = f"{grid.scalars} Copy the row{of_row} from the table first." if copied else grid.scalars
    return Block(
        number,
        _title(sheet, each),
        points,
        heads=grid.heads,
        rows=shown,
        side=side,
        test=test,
        hint=hint,
        answer=each.answer,
        working=(each.question.step.note.text(),),
    )


def _side(each: Exercise, grid: Grid) -> tuple[Gap, ...]:
    """Numbers that are worked out beside the vectors: results of the other formulas, and the first
    facts that are numbers.
    """
    note = each.question.step.note
    found = []
    for place, formula in enumerate(note.formulas):
        if place != grid.formula and formula.result:
            found.append(
                Gap(_left(note, formula).strip(), shortened(note.worked(formula.result)), True)
            )
    for fact in note.facts:
        name = re.match(r"\{(\w+)\}", fact.text)
        # counts of rows are nothing to work out by hand
        if name is None or "→" in fact.text or not isinstance(note[name[1]], (float, np.floating)):
            continue
        found.append(Gap(f"{note.fill(fact.caption)} =", note.operands[name[1]].text(), True))
    return tuple(found[:3])


def _test(sheet: Sheet, each: Exercise) -> tuple[str, bool] | None:
    """The condition of the pseudo-code under which this line comes; it held."""
    lines = sheet.trace.algorithm.code_lines(sheet.trace.params)
    place = next(
        (k for k, (label, _) in enumerate(lines) if label == each.question.step.line), None
    )
    if place is None or not place:
        return None
    inside = len(lines[place][1]) - len(lines[place][1].lstrip())
    above = lines[place - 1][1]
    if len(above) - len(above.lstrip()) >= inside or not above.strip().startswith("if "):
        return None
    return above.strip().removeprefix("if ").rstrip(": "), True


def _title(sheet: Sheet, each: Exercise) -> str:
    """'Step 2: b, class −1'; of a step about no single row 'Step 2'."""
    rows = rows_in_question(sheet, each)
    name = each.name.capitalize()
    if len(set(rows)) != 1:
        return name
    row = rows[0]
    problem = sheet.problem
    known = (
        f", class {problem.class_text(int(problem.codes[row]))}"
        if problem.classes and problem.codes[row] >= 0
        else ""
    )
    return f"{name}: {problem.names[row]}{known}"


def pieces(row: str, marks: Sequence[str]) -> tuple[Piece, ...]:
    """A row of text, cut at its blanks."""
    if not marks:
        return (row,)
    parts = re.split(
        "(" + "|".join(map(re.escape, sorted(marks, key=len, reverse=True))) + ")", row
    )
    return tuple(marks.index(part) if part in marks else part for part in parts if part)


def shortened(row: str) -> str:
    """A row of text in which "…" replaces the middle of each long vector; vectors with blanks stay
    whole.
    """

    def short(found: re.Match[str]) -> str:
        entries = found[1].split(", ")
        if len(entries) <= SHOWN_ENTRIES * 2 or any("□" in entry for entry in entries):
            return found[0]
        return f"({', '.join([*entries[: SHOWN_ENTRIES - 2], '…', *entries[-2:]])})"

    return LONG_VECTOR.sub(short, row)


def question_in_words(sheet: Sheet, last: Exercise, before: Block, place: int) -> Block:
    """The closing block, answered in words: which entries of a vector are largest, else what the
    last step does and why.
    """
    if before.rows and len(before.heads) > 1:
        result = before.rows[-1]
        values = [read_number(text) for text in result.values]
        most = [
            head for head, value in zip(before.heads, values, strict=True) if value == max(values)
        ]
        least = [
            head for head, value in zip(before.heads, values, strict=True) if value == min(values)
        ]
        symbol = result.label.removeprefix("new ")
        answer = f"The largest: {listed(most)} ({number(max(values))}). The smallest: {listed(least)} ({number(min(values))})."
        where = "column" if before.heads == sheet.problem.titles else "place"
        title = f"Which {where} has the largest entry of {symbol} now, and which one the smallest?"
        return Block(place, title, WORDS_POINTS, ruled=WORDS_LINES, answer=answer)
    title = f"In a sentence of your own: what happens in {last.name}, and why?"
    return Block(
        place,
        title,
        WORDS_POINTS,
        ruled=WORDS_LINES + 1,
        answer=cut(last.question.step.note.text(), 600),
    )
