"""The commands `lesson` and `marks`: lesson files without a window, and the hand-ins of a class."""

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.base.place import PROGRAM
from gui.commands.console import Parser, complain, failed, say, write_out

if TYPE_CHECKING:
    from engine.lessons.checking import Opened
    from engine.lessons.package import Found

COLUMNS = 100


def lesson_command(arguments: list[str]) -> int:
    """Check lessons, print their pages, or list those that come with the program.

    Returns the exit code: 0, 1 where a checked lesson has a fault, 2 where a file cannot be read.
    """
    parser = Parser(
        f"{PROGRAM} lesson",
        description="Check lesson files, or go through their pages without a window.",
    )
    parser.add_argument(
        "what",
        choices=("check", "run", "list"),
        help="check: each fault with its line; run: the text of each page and the right answer;"
        " list: the lessons of the program and its courses",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="a lesson, .toml or .lesson")
    parser.add_argument(
        "--digest",
        action="store_true",
        help="with check: write into each .toml without a fault what its runs are, so that other"
        " machines can tell whether theirs agree",
    )
    given = parser.parse_intermixed_args(arguments)  # a file may stand behind --digest
    if given.digest and given.what != "check":
        return failed("--digest is for “check”.")
    if given.what == "list":
        return _list() if not given.files else failed("“lesson list” takes no file.")
    if not given.files:
        return failed(f"“lesson {given.what}” needs a file: a lesson, .toml or .lesson.")
    from engine.lessons.package import open_lesson

    code = 0
    for name in given.files:
        found = open_lesson(name)
        if given.what == "run":
            code = max(code, _run(name, found))
        else:
            code = max(code, _write_digest(name) if given.digest else _check(name, found))
    return code


def _list() -> int:
    """Print the lessons by source and topic, then the courses; 1 where a course has a fault."""
    from engine.lessons.library import courses, heads

    place = ("", "")
    for head in sorted(heads(), key=lambda head: (head.path.parent, head.topic, head.key)):
        here = (head.source.partition(" ")[0], head.topic)
        if here != place:
            say("" if place[0] else "Lessons", f"{here[0]}, {here[1]}")
            place = here
        say(f"  {head.key:5} {head.title} ({head.minutes} min)")
    found = courses()
    say("", "Courses")
    for course in found.courses:
        lessons = " ".join(head.key for head in course.lessons)
        say(f"{course.title} ({course.minutes} min, {course.lesson_minutes} of them lessons)")
        say(*wrap(course.about, COLUMNS, initial_indent="  ", subsequent_indent="  "))
        say(f"  {lessons}")
    for fault in found.faults:
        complain(fault.words("courses.toml"))
    return int(bool(found.faults))


def _check(name: str, found: "Found") -> int:
    from engine.base.notation import counted
    from engine.lessons.checking import check

    faults = check(found)
    say(*(fault.words(name) for fault in faults))
    if found.lesson is None:
        return 2
    if not faults:
        pages = counted(len(found.lesson.pages), "page")
        undated = "" if found.lesson.digest else "; it has no digest yet (--digest writes one)"
        say(f"{name}: {pages}, no fault{undated}.")
    return int(bool(faults))


def _write_digest(name: str) -> int:
    """Check the lesson without the digest that it has, then write the new one."""
    from engine.base.records import replace
    from engine.files.atomic import write_atomic
    from engine.lessons.checking import check
    from engine.lessons.digest import digest_of, with_digest
    from engine.lessons.package import open_lesson
    from engine.lessons.reading import read_lesson

    found = open_lesson(name)
    if found.lesson is None or Path(name).suffix.lower() != ".toml":
        return failed(f"{name} is no lesson as .toml.")
    bare = replace(found.lesson, digest=None)
    faults = check(replace(found, lesson=bare))
    if faults:
        say(*(fault.words(name) for fault in faults))
        return 1
    digest = digest_of(bare, found.files)
    text = with_digest(Path(name).read_text(encoding="utf-8"), digest)
    if read_lesson(text).lesson != replace(bare, digest=digest):
        return failed(f"{name}: move [digest] to the end of the file first.")
    write_atomic(name, [text.encode()])
    say(f"{name}: the digest {digest.lines} is written.")
    return 0


def _run(name: str, found: "Found") -> int:
    from engine.lessons.checking import opened

    if found.lesson is None:
        return failed(" ".join(fault.words(name) for fault in found.faults))
    for fault in found.faults:
        complain(fault.words(name))
    lesson = found.lesson
    say(f"{lesson.title} ({lesson.source or lesson.key}), {lesson.minutes} min")
    for number, page in enumerate(opened(lesson, found.files), 1):
        say("", *_page_lines(number, page))
    return 0


def _page_lines(number: int, opened: "Opened") -> list[str]:
    page = opened.page
    rows = [f"{number}. {page.title} ({page.where.words()})"]
    for paragraph in filter(None, opened.text.split("\n\n")):
        rows += wrap(paragraph, COLUMNS, initial_indent="   ", subsequent_indent="   ")
    if opened.fault:
        return [*rows, f"   ! {opened.fault}"]
    if page.task is None or opened.asked is None:
        return rows
    rows.append(f"   ? {opened.asked.prompt}")
    if opened.asked.choices:
        rows.append("     " + " | ".join(opened.asked.choices))
    if opened.asked.right:
        rows.append("   = " + ", ".join(opened.asked.right))
    if page.task.condition:
        rows.append(f"   = {page.task.condition}")
    return [*rows, *(f"     {answer}: {reply}" for answer, reply in page.task.wrong)]


def marks_command(arguments: list[str]) -> int:
    """Print the marks of a class; returns the exit code, 1 where a file was left out."""
    parser = Parser(f"{PROGRAM} marks", description="The marks of a class from its hand-ins.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="hand-ins, .handin")
    parser.add_argument("--csv", action="store_true", help="as CSV, for a spreadsheet")
    parser.add_argument(
        "--lesson", metavar="FILE", help="of this lesson alone (default: the one of most hand-ins)"
    )
    given = parser.parse_args(arguments)
    from engine.lessons.digest import lesson_hash
    from engine.lessons.marks import csv_text, lines, marks
    from engine.lessons.package import open_lesson

    wanted = ""
    if given.lesson is not None:
        lesson = open_lesson(given.lesson).lesson
        if lesson is None:
            return failed(f"{given.lesson} is no lesson.")
        wanted = lesson_hash(lesson)
    found = marks(given.files, wanted)
    for sentence in found.left_out:
        complain(sentence)
    if given.csv:
        write_out([csv_text(found).encode()])
    else:
        say(*lines(found))
    return int(bool(found.left_out))
