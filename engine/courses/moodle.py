"""Sheets as Moodle XML, for Moodle's question bank: numerical, multichoice and cloze questions.

The format: docs.moodle.org/en/Moodle_XML_format, and of blanks in a text
docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence

from engine.base.notation import cut
from engine.courses.exercises import Exercise
from engine.courses.markup import cdata, html, paragraphs, small_table
from engine.courses.sheets import Sheet
from engine.judge.questions.blanks import Blank
from engine.judge.questions.question import Kind

PICTURE = "plane.png"
LONGEST_NAME = 200  # letters of the name of a question; Moodle keeps 255


def moodle_xml(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    """A file for Moodle, piece by piece.

    Of several sheets each question has a category of its own that holds it once for each sheet: a
    quiz that draws one at random from each category gives each person another sheet.
    """
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
    if len(sheets) == 1:
        yield category(sheets[0].title)
        for number, each in enumerate(sheets[0].exercises, 1):
            yield _question(sheets[0], each, number)
    else:
        for number, together in enumerate(
            zip(*(sheet.exercises for sheet in sheets), strict=True), 1
        ):
            yield category(sheets[0].title, f"Question {number:02}")
            for sheet, each in zip(sheets, together, strict=True):
                yield _question(sheet, each, number)
    yield b"</quiz>\n"


def category(*path: str) -> bytes:
    """The category for the questions that follow; a slash in a name is doubled, alone it would
    begin a part.
    """
    names = "/".join(cut(name, LONGEST_NAME).replace("/", "//") for name in path)
    text = cdata(f"$course$/top/Learnscope/{names}")
    return (
        f'<question type="category"><category><text>{text}</text></category></question>\n'.encode()
    )


def _question(sheet: Sheet, each: Exercise, number: int) -> bytes:
    """One question, of the type that fits it."""
    if each.question.kind is not Kind.NUMBER:
        kind = "multichoice"
        content = _choices(each)
    elif len(each.question.blanks) == 1:
        kind = "numerical"
        content = _number(each.question.blanks[0])
    else:
        kind, content = "cloze", ""
    of_sheet = f" (sheet {sheet.number} of {sheet.of})" if sheet.of > 1 else ""
    name = f"{number:02} {cut(sheet.title, LONGEST_NAME)}, {each.name}{of_sheet}"
    picture, file = picture_of(each.picture, f"The plane before this {each.unit}")
    text = _text(sheet, each, picture, cloze=kind == "cloze")
    return question(kind, name, (text, file), paragraphs(each.working), content)


def question(kind: str, name: str, text: tuple[str, str], feedback: str, content: str) -> bytes:
    """A question of Moodle. text: (HTML, its file as XML); feedback: HTML; content: its answers"""
    shown, file = text
    # that of a cloze is the number of its blanks
    grade = "" if kind == "cloze" else "<defaultgrade>1</defaultgrade>"
    return (
        f'<question type="{kind}">\n'
        f"<name><text>{cdata(name)}</text></name>\n"
        f'<questiontext format="html"><text>{cdata(shown)}</text>{file}</questiontext>\n'
        f'<generalfeedback format="html"><text>{cdata(feedback)}</text></generalfeedback>\n'
        f"{grade}<penalty>0.3333333</penalty><hidden>0</hidden>\n"
        f"{content}</question>\n"
    ).encode()


def _text(sheet: Sheet, each: Exercise, picture: str, cloze: bool) -> str:
    """What stands above the answer, as HTML."""
    asked = each.question
    table = "" if each.question.kind is Kind.NUMBER else small_table(sheet.problem)
    head = paragraphs([f"{sheet.title}, {each.name}.", _before(each)])
    body = [html(row) for row in asked.text]
    if cloze:
        body = with_fields(body, asked.blanks)
    rows = "".join(f"<p>{row}</p>" for row in body)
    found = f"{head}{table}{picture}{paragraphs([each.prompt])}{rows}"
    if asked.kind is Kind.NUMBER and not cloze:
        found += f"<p>{html(asked.blanks[0].mark)} = ?</p>"
    return found


def _before(each: Exercise) -> str:
    return f"Before: {each.before}" if each.before else ""


def with_fields(rows: list[str], blanks: Sequence[Blank]) -> list[str]:
    """The rows with a field of Moodle in place of each blank; what is found once and needed again
    has its mark there.
    """
    for blank in blanks:
        field = f"{blank.mark}\N{NO-BREAK SPACE}{{1:NUMERICAL:={plain(blank.value)}:{plain(blank.within)}}}"
        at = next((k for k, row in enumerate(rows) if blank.mark in row), None)
        if at is None:
            rows.append(f"{html(blank.about)} = {field}")
        else:
            rows[at] = rows[at].replace(blank.mark, field, 1)
    return rows


def _number(blank: Blank) -> str:
    """The answer of a numerical question, with its tolerance."""
    return number_answer(blank.value, blank.within)


def number_answer(value: float, within: float, fraction: int = 100, says: str = "") -> str:
    """An answer of a numerical question. fraction: of the grade, in percent; says: feedback"""
    return (
        f'<answer fraction="{fraction}" format="moodle_auto_format"><text>{plain(value)}</text>'
        f'<feedback format="html"><text>{cdata(paragraphs([says])) if says else ""}</text></feedback>'
        f"<tolerance>{plain(within)}</tolerance></answer>\n"
    )


def _choices(each: Exercise) -> str:
    return choice_answers(
        [(label, right, "") for label, right in zip(each.labels, each.right, strict=True)]
    )


def choice_answers(options: Iterable[tuple[str, bool, str]]) -> str:
    """The answers of a multichoice question: one is chosen, and each of those that are as good is
    right. options: (label, whether it is right, feedback)
    """
    answers = "".join(
        f'<answer fraction="{100 if right else 0}" format="html"><text>{cdata(html(label))}</text>'
        f'<feedback format="html"><text>{cdata(paragraphs([says])) if says else ""}</text></feedback>'
        "</answer>\n"
        for label, right, says in options
    )
    return (
        "<single>true</single><shuffleanswers>false</shuffleanswers><answernumbering>abc</answernumbering>\n"
        + answers
    )


def picture_of(content: bytes, about: str) -> tuple[str, str]:
    """(the picture in the text, its file in the XML), both '' without one."""
    if not content:
        return "", ""
    data = b64encode(content).decode("ascii")
    shown = f'<p><img src="@@PLUGINFILE@@/{PICTURE}" alt="{html(about)}" /></p>'
    return shown, f'<file name="{PICTURE}" path="/" encoding="base64">{data}</file>'


def plain(value: float) -> str:
    """A number as programs read it, rounded to 12 significant digits: 0.5, -2, 1.5e-07."""
    return repr(float(f"{value:.12g}")).removesuffix(".0")
