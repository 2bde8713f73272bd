"""The command `answers`: questions of the mode “Predict” about a run, printed or for a course."""

import argparse
from typing import Any

from engine.base.place import PROGRAM
from gui.commands.arguments import count, first_step, run_parser
from gui.commands.console import Parser, failed, say
from gui.commands.rendering import is_lesson, without_screen
from gui.commands.runs import prepared_run, wanted_source

COURSE_FILES = ("worksheet", "moodle", "qti")  # options that name a file


def answers_command(arguments: list[str]) -> int:
    """Print questions and answers, or write files for a course; returns the exit code."""
    if arguments and is_lesson(arguments[0]):
        return lesson_command(arguments)
    parser = run_parser(
        "answers",
        "Print the questions of the mode “Predict” about a whole run, each with its answer.",
    )
    parser.add_argument(
        "--every",
        choices=("choices", "steps", "rounds"),
        default="choices",
        help="when to ask (default: choices)",
    )
    kinds = ("points", "columns", "sides", "cells", "candidates", "numbers", "lines")
    parser.add_argument("--only", choices=kinds, help="questions of this kind alone")
    parser.add_argument(
        "--max-steps", type=count, default=1000, help="ask about so many steps (default: 1000)"
    )
    course = parser.add_argument_group("for a course", "instead of printing, write files:")
    course.add_argument("--moodle", metavar="FILE", help="Moodle XML, for its question bank")
    course.add_argument(
        "--qti", metavar="FILE", help="text for text2qti, which makes QTI of it for Canvas"
    )
    course.add_argument(
        "--worksheet", metavar="FILE", help="sheets to print with their keys, .html or .pdf"
    )
    course.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="of the worksheet (default: a4)"
    )
    course.add_argument(
        "--variants", type=count, default=1, metavar="N", help="so many sheets, each on other data"
    )
    course.add_argument(
        "--questions", type=count, metavar="N", help="so many questions on each sheet"
    )
    course.add_argument(
        "--from", dest="first", type=first_step, default=0, metavar="N", help="begin at step N"
    )
    given = parser.parse_args(arguments)
    if any(getattr(given, name) is not None for name in COURSE_FILES):
        return course_command(given)
    if given.variants > 1 or given.questions or given.first:
        return failed(
            "--variants, --questions and --from are for a course; name a file with --worksheet,"
            " --moodle or --qti."
        )
    from engine.judge.questions import answer_key

    with prepared_run(given, shown=True) as (run, name):
        run.advance(max_steps=given.max_steps)
    say(f"{run.algorithm.title} on {name}, seed {given.seed}: questions and answers")
    number = 0
    for number, line in enumerate(answer_key(run.trace, wanted_ask(given)), 1):  # noqa: B007
        say(line)
    if not number:
        print("There is no question: the run has no step of this kind.")
    return 0


def lesson_command(arguments: list[str]) -> int:
    """Write the tasks of a lesson as files for a course; returns the exit code."""
    parser = Parser(f"{PROGRAM} answers", description="The tasks of a lesson for a course.")
    parser.add_argument("lesson", help="a .toml or .lesson file")
    parser.add_argument("--moodle", metavar="FILE", help="Moodle XML, for its question bank")
    parser.add_argument("--worksheet", metavar="FILE", help="a sheet and its key, .html or .pdf")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="of the worksheet")
    given = parser.parse_args(arguments)
    files = {kind: getattr(given, kind) for kind in ("moodle", "worksheet")}
    files = {kind: path for kind, path in files.items() if path}
    if not files:
        return failed(
            "Name a file with --worksheet or --moodle; “lesson run” prints the tasks with their"
            " answers."
        )
    from engine.courses.files import check_worksheet
    from engine.courses.lessons import for_the_lab, tasks_of
    from engine.files.atomic import write_atomic
    from engine.lessons.package import open_lesson

    if "worksheet" in files:
        check_worksheet(files["worksheet"], (".html", ".pdf"))
    if trouble := without_screen():
        return failed(trouble)
    from gui.export.course import lesson_content, page_picture

    tasks = tasks_of(open_lesson(given.lesson), page_picture)
    for kind, path in files.items():
        write_atomic(path, lesson_content(kind, path, tasks, given.paper))
    number = len(tasks.items)
    lab = for_the_lab(tasks)
    left_out = f" ({lab} need the lab: Moodle goes without)" if lab and "moodle" in files else ""
    say(f"{number} task{'s' * (number != 1)} in {' and '.join(files.values())}{left_out}.")
    return 0


def wanted_ask(given: argparse.Namespace) -> Any:
    """The questions that the arguments choose, as an `Ask`."""
    from engine import Level
    from engine.judge.questions import Ask, Every, Kind

    return Ask(
        Every(given.every), Kind(given.only) if given.only else None, Level[given.unit.upper()]
    )


def course_command(given: argparse.Namespace) -> int:
    """Write the files of a course; returns the exit code.

    Raises EngineError where they cannot be made or written.
    """
    files = {
        name: getattr(given, name) for name in COURSE_FILES if getattr(given, name) is not None
    }
    for name, path in files.items():
        if not path.strip():
            return failed(f"--{name} takes the name of a file; it is empty.")
    from engine.courses import Assignment, sheets
    from engine.courses.files import EXAMPLE, check_worksheet
    from engine.courses.sheets import MOST_QUESTIONS
    from engine.files.atomic import write_atomic

    if "worksheet" in files:
        check_worksheet(files["worksheet"], (".html", ".pdf"))
    if trouble := without_screen():
        return failed(trouble)
    from gui.export.course import course_content, plane_picture

    with prepared_run(given, shown=True) as (run, _):
        number = given.questions or (EXAMPLE if "worksheet" in files else MOST_QUESTIONS)
        wanted = Assignment(
            wanted_source(given),
            run.algorithm,
            run.params,
            given.seed,
            wanted_ask(given),
            number,
            given.first,
            given.max_steps,
        )
        found = sheets(wanted, given.variants, plane_picture if files.keys() != {"qti"} else None)
    for name, path in files.items():
        write_atomic(path, course_content(name, path, found, given.paper))
    number = len(found[0].exercises)
    of_each = f" on each of {given.variants} sheets" if given.variants > 1 else ""
    say(f"{number:,} question{'s' * (number != 1)}{of_each} in {' and '.join(files.values())}.")
    return 0
