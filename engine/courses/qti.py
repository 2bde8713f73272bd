"""Sheets as text for text2qti, which makes QTI files of it for Canvas and others.

The format: github.com/gpoore/text2qti.

A question of several numbers becomes one question for each. Of several sheets each question is a
group from which one is drawn.
"""

import re
from collections.abc import Iterator, Sequence

from engine.base.notation import MINUS, cut
from engine.courses.exercises import Exercise
from engine.courses.markup import clean
from engine.courses.moodle import plain
from engine.courses.sheets import Sheet
from engine.judge.questions.blanks import Blank
from engine.judge.questions.question import Kind

LEAST = 1e-4  # text2qti takes no limit of a numerical answer nearer to 0 and writes four decimals
LONGEST = 120  # letters of a title
_SPECIAL = re.compile(r"[\\`*_{}\[\]#]")
_ENTITIES = (
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("$", "&#36;"),
    ('"', "&quot;"),
    ("'", "&#39;"),
)
_SMART = (
    ("--", "-&#45;"),
    ("...", "..&#46;"),
    ("^", "&#94;"),
    ("~", "&#126;"),
    ("|", "&#124;"),
    ("!", "&#33;"),
)


def text2qti_text(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    """The text of a quiz for text2qti, piece by piece, as UTF-8."""
    yield f"Quiz title: {_plain(sheets[0].title)}\n\n".encode()
    number = 0
    for together in zip(*(sheet.exercises for sheet in sheets), strict=True):
        for part in range(_parts(together)):
            if len(sheets) > 1:
                yield b"GROUP\npick: 1\npoints per question: 1\n\n"
            for sheet, each in zip(sheets, together, strict=True):
                number += 1
                yield _question(sheet, each, number, part).encode()
            if len(sheets) > 1:
                yield b"END_GROUP\n\n"


def _parts(together: Sequence[Exercise]) -> int:
    """How many questions an exercise becomes: one for each of its numbers."""
    return max(1, min(len(each.question.blanks) for each in together))


def _question(sheet: Sheet, each: Exercise, number: int, part: int) -> str:
    question = each.question
    sheet_name = f"sheet {sheet.number}, " if sheet.of > 1 else ""
    text = [f"{sheet.title} ({sheet_name}{each.name})."]
    if each.before:
        text.append(f"Before: {each.before}")
    text += [each.prompt, *question.text]
    if question.kind is Kind.NUMBER:
        text.append(f"{question.blanks[part].mark} = ?")
        answers = number_answer(question.blanks[part])
    else:
        answers = _choices(each)
    head = f"{number}.".ljust(4) if number < 100 else f"{number}. "
    title = _plain(f"{each.name.capitalize()}: {question.prompt}")
    feedback = _paragraphs("... ", each.working)
    return f"Title: {title}\nPoints: 1\n{_paragraphs(head, text)}{feedback}{answers}\n"


def _paragraphs(head: str, lines: Sequence[str]) -> str:
    """Lines as paragraphs of Markdown behind a head, the others indented as far as the first; ""
    without any.
    """
    kept = [markdown(line) for line in lines if line.strip()]
    indent = " " * len(head)
    return head + f"\n\n{indent}".join(kept) + "\n" if kept else ""


def _choices(each: Exercise) -> str:
    """One right answer of several, or where more are as good all of these to be ticked."""
    if each.right.count(True) > 1:
        return "".join(
            f"[{'*' if right else ' '}] {markdown(label)}\n"
            for label, right in zip(each.labels, each.right, strict=True)
        )
    rows = zip("abcdefghijklmnopqrstuvwxyz", each.labels, each.right, strict=False)
    return "".join(
        f"{'*' if right else ''}{letter}) {markdown(label)}\n" for letter, label, right in rows
    )


def number_answer(blank: Blank) -> str:
    """A numerical answer; short answers where text2qti cannot take the number: too near to 0, or
    finer than its decimals.
    """
    low = blank.value - blank.within
    high = blank.value + blank.within
    fine = 0 < blank.within < LEAST
    exact_and_odd = not blank.within and (
        abs(blank.value) < LEAST or blank.value != round(blank.value)
    )
    if fine or exact_and_odd:
        ways = dict.fromkeys(
            (_plain(blank.shown), _plain(blank.shown).replace(MINUS, "-"), plain(blank.value))
        )
        return "".join(f"* {way}\n" for way in ways)
    if not blank.within:
        return f"= {int(blank.value)}\n"
    if min(abs(low), abs(high)) < LEAST:
        low = low if abs(low) >= LEAST else -LEAST
        high = high if abs(high) >= LEAST else LEAST
        return f"= [{plain(low)}, {plain(high)}]\n"
    return f"= {plain(blank.value)} +- {plain(blank.within)}\n"


def _plain(text: str) -> str:
    """Text on one line, for what text2qti does not read as Markdown."""
    return cut(" ".join(clean(text).split()), LONGEST) or "(empty)"


def markdown(text: str) -> str:
    """Text as one paragraph of Markdown, with every special character escaped so that it is shown
    as written.
    """
    line = " ".join(clean(text).split())
    for sign, entity in (*_ENTITIES, *_SMART):
        line = line.replace(sign, entity)
    line = _SPECIAL.sub(_escaped, line)
    line = re.sub(r"^(\d+)([.)])", r"\1\\\2", line)  # would begin a list
    return re.sub(r"^[-+:=%]", _first_entity, line)


def _escaped(found: re.Match[str]) -> str:
    """`#` of an entity stays."""
    sign = found[0]
    before = found.string[: found.start()]
    return sign if sign == "#" and before.endswith("&") else f"\\{sign}"


def _first_entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"
