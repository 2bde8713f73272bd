"""Learnscope: without arguments a window; `list`, `run`, `render`, `answers`, `table` and `script`
work without one. Argument parsing only.
"""

import argparse
import gc
import os
import re
import signal
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TextIO

# not started from a checkout
INSTALLED = __package__ == "learnscope" or getattr(sys, "frozen", False)
PROGRAM = "learnscope" if INSTALLED else "main.py"
FETCH = (
    "pip install --upgrade learnscope" if INSTALLED else "pip install uv && uv run --no-dev main.py"
)
PYTEST = "pip install pytest" if INSTALLED else "uv run main.py check FILE"
INTERRUPTED = 130
BATCH = 500  # steps of a run that are made before somebody looks whether they are enough
OWN = "--algorithms"
COURSE_FILES = ("worksheet", "moodle", "qti")  # options of `answers` that name a file
CHANGES = (
    (
        "--one-hot",
        "one_hot",
        "turn words into 0/1 columns; changes are made in the order in which they are given",
    ),
    ("--fill", "fill_missing", "fill missing values by the mean or the most frequent one"),
    ("--drop-missing", "drop_missing", "leave out rows with missing values"),
    ("--standardise", "standardise", "give each column of numbers mean 0 and standard deviation 1"),
    ("--unit-range", "unit_range", "scale each column of numbers to 0…1"),
)  # option, transformation, help


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 2 the caller can mend it (one sentence on stderr), 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.version_info < (3, 11):  # noqa: UP036 - started by hand, without uv
        return failed("Learnscope needs Python 3.11 or newer.")
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a terminal may not know η or −
        stream.reconfigure(errors="replace")
    try:
        return flushed(dispatch, arguments)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in ("engine", "gui"):
            raise
        return failed(
            f"Learnscope needs the Python package “{missing.name}”; this fetches all of them:"
            f" {FETCH}"
        )
    except BrokenPipeError:  # `main.py list | head`: the reader has seen enough
        silence(sys.stdout)
        return 0
    except OSError as fault:
        if fault.filename is not None:  # not the output: a fault of the program
            raise
        silence(sys.stdout)
        return failed(f"The output could not be written: {fault.strerror or fault}.")
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        settle(sys.stderr)


def settle(stream: TextIO | None) -> None:
    """What was printed leaves now; where it cannot, Python shall not try again at its end, with a
    code of its own.
    """
    try:
        if stream is not None:
            stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO | None) -> None:
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def flushed(command: Callable[[list[str]], int], arguments: list[str]) -> int:
    """The exit code of the command, after all it printed has left."""
    try:
        return command(arguments)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def dispatch(arguments: list[str]) -> int:
    from engine.core.errors import EngineError

    try:
        arguments = with_own_algorithms(arguments)
        if arguments and arguments[0] in COMMANDS:
            from engine.numerics.jit import allow_compiling

            allow_compiling()
            return COMMANDS[arguments[0]](joined(arguments[1:]))
        return open_window(arguments)
    except EngineError as sentence:
        return failed(str(sentence))


def with_own_algorithms(arguments: list[str]) -> list[str]:
    """The arguments without `--algorithms PLACE`, whose algorithms are known from now on."""
    if OWN not in arguments:
        return arguments
    at = arguments.index(OWN)
    if at + 1 == len(arguments):
        raise SystemExit(failed(f"{OWN} needs a file or a folder with algorithms of your own."))
    from engine.core.registry import add_algorithms

    add_algorithms(arguments[at + 1])
    return with_own_algorithms(arguments[:at] + arguments[at + 2 :])


def failed(sentence: str) -> int:
    tell(sentence)
    return 2


def tell(sentence: str) -> None:
    """A line on stderr; where it is closed or full nobody can be told."""
    if sys.stderr is None:  # print would take stdout
        return
    with suppress(OSError):
        print(printable(sentence), file=sys.stderr)


def say(*lines: str) -> None:
    """Lines on stdout."""
    for line in lines:
        print(printable(line))


def printable(text: str) -> str:
    """The text without control characters, which a terminal would obey: names come from files.

    ESC becomes ␛.
    """
    return "".join(
        (
            _picture(letter)
            if unicodedata.category(letter) == "Cc" and letter not in "\n\t"
            else letter
        )
        for letter in text
    )


def _picture(control: str) -> str:
    """Of a control character, from Unicode's own block for the first 32."""
    return chr(0x2400 + ord(control)) if ord(control) < 0x20 else "\N{REPLACEMENT CHARACTER}"


class Parser(argparse.ArgumentParser):
    """Its errors repeat what was typed, so they lose control characters like every other line."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        super().exit(status, None if message is None else printable(message))


def joined(arguments: list[str]) -> list[str]:
    """--probe -1,2 as --probe=-1,2: argparse takes what begins with a − and is no number for an
    option. Each of several settings gets a --set of its own: of `run --set rate=1 perceptron`
    argparse would take the last word for one, too.
    """
    found: list[str] = []
    for word in arguments:
        if found and found[-1] == "--probe" and re.match(r"-[\d.]", word):
            found[-1] += f"={word}"
        elif found[-2:-1] == ["--set"] and re.match(r"\w+ *=", word):
            found += ["--set", word]
        else:
            found.append(word)
    return found


# -- the window ------------------------------------------------------------------------------------


def open_window(arguments: list[str]) -> int:
    file = wanted_file(arguments) if arguments else None
    if file is not None and not os.path.exists(file):
        return failed(
            f"There is no file “{file if len(file) <= 200 else file[:199] + '…'}”; the commands are"
            f" {', '.join(COMMANDS)}."
        )
    gc.disable()  # what is imported stays; the window takes over from here (gui/session/garbage.py)
    import engine  # noqa: F401 - before Qt, whose binding reads the source of every module that comes after it
    from gui.launch import check_start

    trouble = check_start()
    if trouble:
        return failed(trouble)
    from gui.app import main as open_lab

    # Qt's loop would never hand Ctrl-C to Python; autosave keeps the work
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return int(open_lab([sys.argv[0], *([file] if file else [])]))


def wanted_file(arguments: list[str]) -> str | None:
    """What the window shall open; nobody has to be asked where there are no arguments."""
    parser = Parser(
        PROGRAM,
        description="Watch machine learning happen.",
        epilog=(
            f"Without a window: “{PROGRAM} list”, “{PROGRAM} run …”, “{PROGRAM} render …”; each"
            " explains itself with --help."
        ),
    )
    parser.add_argument(
        "file",
        nargs="?",
        help=(
            "a project (.learnscope) or a table (CSV, Excel, ODS, ARFF, LIBSVM, JSON, Parquet …) to"
            " open"
        ),
    )
    file: str | None = parser.parse_args(arguments).file
    return file


# -- list ------------------------------------------------------------------------------------------


def list_command(arguments: list[str]) -> int:
    parser = Parser(f"{PROGRAM} list", description="Show every algorithm and data set.")
    parser.add_argument(
        "key", nargs="?", help="one algorithm: its parameters, lines, events, metrics and state"
    )
    parser.add_argument(
        "--by-source",
        action="store_true",
        help="the sections, figures and exercises of the texts instead",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    given = parser.parse_args(arguments)
    if given.key is not None:
        from engine.core.reference import reference
        from engine.core.registry import algorithm

        say(reference(algorithm(given.key)))
        return 0
    from engine.files.books import book_lines, book_to_plain
    from engine.files.catalogue import algorithms_to_plain, catalogue_lines, data_to_plain
    from engine.files.plain import pieces

    if not given.json:
        say(*(book_lines() if given.by_source else catalogue_lines()))
        return 0
    plain = (
        book_to_plain()
        if given.by_source
        else {"algorithms": algorithms_to_plain(), "data": data_to_plain()}
    )
    write_out(pieces(plain))
    print()
    return 0


def check_command(arguments: list[str]) -> int:
    parser = Parser(
        f"{PROGRAM} check",
        description=(
            "Run the contract tests on an algorithm of your own: does it keep all promises?"
        ),
    )
    parser.add_argument(
        "file", help="a Python file with ALGORITHM = Algorithm.of(__name__, …), or a page's folder"
    )
    file = Path(parser.parse_args(arguments).file)
    from engine.core.registry import add_algorithms, algorithm

    keys = add_algorithms(file)
    for key in keys:
        algorithm(key)  # a page that cannot be loaded is told here, in one sentence
    try:
        import pytest
    except ModuleNotFoundError:
        return failed(f"The contract tests need pytest: {PYTEST} brings it along.")
    here = Path(__file__).parent
    tests = here / "tests" / "engine" / "test_contract.py"
    return int(
        pytest.main(
            [
                str(tests),
                "-o",
                "addopts=",
                "-o",
                f"pythonpath={here}",
                "-q",
                "-p",
                "no:cacheprovider",
                "-k",
                " or ".join(f"[{key}]" for key in keys),
            ]
        )
        != 0
    )


# -- run and render --------------------------------------------------------------------------------


def run_parser(name: str, description: str) -> argparse.ArgumentParser:
    """What `run` and `render` have in common: an algorithm on data."""
    parser = Parser(f"{PROGRAM} {name}", description=description)
    parser.add_argument("key", help=f"the algorithm, as “{PROGRAM} list” names it")
    parser.add_argument(
        "--data",
        required=True,
        metavar="FILE|NAME",
        help=(
            "a table, a project, or the name of a data set; generators take rows, noise and seed:"
            " moons:200:0.1:3"
        ),
    )
    targets = parser.add_mutually_exclusive_group()
    targets.add_argument("--target", metavar="COLUMN", help="the column to learn")
    targets.add_argument(
        "--no-target",
        action="store_true",
        help="set the target aside; methods that need none run so",
    )
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="COLUMN",
        help="set a column aside; may be given repeatedly",
    )
    for option, kind, words in CHANGES:
        parser.add_argument(
            option, action="append_const", dest="changes", const=kind, default=[], help=words
        )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="name=value …",
        help="parameters of the algorithm",
    )
    parser.add_argument(
        "--seed", type=seed, default=0, help="of the algorithm's own chance and of the split"
    )
    parser.add_argument(
        "--unit",
        "--pace",
        dest="unit",
        choices=("detail", "step", "round"),
        default="step",
        help="what a step counts, as in the window (default: step)",
    )
    parser.add_argument(
        "--split", type=share, metavar="SHARE", help="share of the rows held out: 0.3 or 30%%"
    )
    parser.add_argument(
        "--probe", type=place, metavar="X,Y", help="the placed query point on the plane"
    )
    return parser


def seed(text: str) -> int:
    from engine.core.given import MAX_SEED

    if not (text.isdecimal() and len(text) < 11 and int(text) <= MAX_SEED):
        raise argparse.ArgumentTypeError(
            f"must be a whole number from 0 to {MAX_SEED}; it is “{text}”"
        )
    return int(text)


def share(text: str) -> float:
    try:
        found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1:
        raise argparse.ArgumentTypeError(
            f"must be a share from 0 up to, but not with, 1; it is “{text}”"
        )
    return found


def place(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be two numbers with a comma between them; it is “{text}”"
        ) from None
    if not abs(x) + abs(y) < float("inf"):
        raise argparse.ArgumentTypeError("must be finite")
    return x, y


def count(text: str) -> int:
    if not (text.isdecimal() and 0 < len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"must be a whole number above 0; it is “{text}”")
    return int(text)


def pixels(text: str) -> tuple[int, int]:
    sides = text.lower().split("x")
    if len(sides) != 2 or not all(
        side.isdecimal() and len(side) < 6 and 16 <= int(side) <= 16384 for side in sides
    ):
        raise argparse.ArgumentTypeError(
            f"must be width x height in pixels, each from 16 to 16384, as 1280x800; it is “{text}”"
        )
    return int(sides[0]), int(sides[1])


@contextmanager
def prepared_run(given: argparse.Namespace, shown: bool = False) -> Iterator[tuple[Any, str]]:
    """(the run that the arguments ask for, not yet advanced; the name of its data); a refusal
    within tells the options that mend it. shown: as the window records it, whose rounds also say
    what the steps before them found out; else the steps of the unit alone
    """
    from engine import Level, Pace
    from engine.core.params import build
    from engine.core.registry import algorithm
    from engine.files.advice import Setup, advised_run
    from engine.timeline.run import pace_of

    chosen = algorithm(given.key)
    params = build(chosen.params, dict(map(setting, given.set)))
    setup = Setup(wanted_source(given), chosen, params, given.seed)
    for notice in setup.source.notices:  # before the run: they may tell why it cannot begin
        tell(" ".join(notice.split()))
    rows = len(setup.source.data)
    unit = Level[given.unit.upper()]
    if rows > chosen.needs.sample:
        tell(
            f"A sample of {chosen.needs.sample:,} of its {rows:,} rows: {chosen.title} takes no"
            " more."
        )
    with advised_run(setup, lambda n: pace_of(unit, n) if shown else Pace(unit)) as run:
        yield run, setup.source.data.name


def wanted_source(given: argparse.Namespace) -> Any:
    """The table that the arguments name, with the columns, changes, split and probe that they ask
    for.
    """
    from dataclasses import replace

    from engine.files.sources import find_source, with_changes, with_split, without, without_target

    source = find_source(given.data, given.target)
    source = without(without_target(source) if given.no_target else source, given.leave_out)
    source = with_split(with_changes(source, given.changes), given.split, given.seed)
    return source if given.probe is None else replace(source, probe=given.probe)


def setting(text: str) -> tuple[str, str]:
    from engine import EngineError

    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise EngineError(f"--set takes name=value, as in --set rate=0.1; it is “{text}”.")
    return name.strip(), value.strip()


def run_command(arguments: list[str]) -> int:
    parser = run_parser("run", "Run an algorithm to its end and say what came out.")
    parser.add_argument(
        "--max-steps", type=count, default=100_000, help="stop a run that does not end by itself"
    )
    parser.add_argument(
        "--json", metavar="OUT", help="write every step to this file (- for the terminal)"
    )
    given = parser.parse_args(arguments)
    if given.json is not None and not given.json.strip():
        return failed("--json takes the name of a file, or - for the terminal; it is empty.")
    from engine.files.atomic import write_atomic
    from engine.files.steps_json import run_to_json
    from engine.files.summary import summary_lines

    with prepared_run(given) as (run, name):
        # the latter may lead to a file, which must not be replaced meanwhile
        if given.json in ("-", "/dev/stdout"):
            write_out(run_to_json(run, given.max_steps))
            return 0
        if given.json:
            write_atomic(given.json, run_to_json(run, given.max_steps))
        else:
            run.advance(max_steps=given.max_steps)
        say(*summary_lines(run, name))
    return 0


def answers_command(arguments: list[str]) -> int:
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
    from engine.questions import answer_key

    with prepared_run(given, shown=True) as (run, name):
        run.advance(max_steps=given.max_steps)
    say(f"{run.algorithm.title} on {name}, seed {given.seed}: questions and answers")
    asked = 0
    for asked, line in enumerate(answer_key(run.trace, wanted_ask(given)), 1):  # noqa: B007
        say(line)
    if not asked:
        print("Nothing is asked: the run has no step of this kind.")
    return 0


def first_step(text: str) -> int:
    if not (text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"must be the number of a step, from 0; it is “{text}”")
    return int(text)


def wanted_ask(given: argparse.Namespace) -> Any:
    """Which steps the arguments of `answers` ask about."""
    from engine import Level
    from engine.questions import Ask, Every, Kind

    return Ask(
        Every(given.every), Kind(given.only) if given.only else None, Level[given.unit.upper()]
    )


def course_command(given: argparse.Namespace) -> int:
    """Write the questions of `answers` for a course."""
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
        asked = given.questions or (EXAMPLE if "worksheet" in files else MOST_QUESTIONS)
        wanted = Assignment(
            wanted_source(given),
            run.algorithm,
            run.params,
            given.seed,
            wanted_ask(given),
            asked,
            given.first,
            given.max_steps,
        )
        found = sheets(wanted, given.variants, plane_picture if files.keys() != {"qti"} else None)
    for name, path in files.items():
        write_atomic(path, course_content(name, path, found, given.paper))
    asked = len(found[0].exercises)
    of_each = f" on each of {given.variants} sheets" if given.variants > 1 else ""
    say(f"{asked:,} question{'s' * (asked != 1)}{of_each} in {' and '.join(files.values())}.")
    return 0


def script_command(arguments: list[str]) -> int:
    parser = run_parser(
        "script", "Write a Python script that makes the same model without the lab."
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="a .py file; a large table is written beside it as CSV (default: the terminal)",
    )
    parser.add_argument(
        "--max-steps", type=count, default=100_000, help="stop a run that does not end by itself"
    )
    given = parser.parse_args(arguments)
    if given.out is not None and Path(given.out).suffix.lower() != ".py":
        return failed(f"The script must be a .py file; “{given.out}” is none.")
    from engine.scripts import script

    with prepared_run(given) as (run, _):
        run.advance(max_steps=given.max_steps)
    text = script(run.trace, given.out)
    if given.out is None:
        write_out([text.encode()])
    else:
        say(f"The script is written to {given.out}.")
    return 0


def render_command(arguments: list[str]) -> int:
    if arguments and arguments[0].lower().endswith(".learnscope"):
        return render_project(arguments)
    parser = run_parser(
        "render", "Draw the plane at one step of a run, or a page that steps through it."
    )
    parser.add_argument(
        "--step",
        type=int,
        metavar="N",
        help="of one picture, in the unit, from 0; -1 is the last (default)",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="a .png or .svg file; an .html page that steps; or as below",
    )
    parser.add_argument("--theme", choices=("light", "dark", "projector"), default="light")
    parser.add_argument("--size", type=pixels, default=(1280, 800), metavar="1280x800")
    parser.add_argument(
        "--caption", action="store_true", help="below: what is shown, the step's sentence, a legend"
    )
    film_options(parser)
    given = parser.parse_args(arguments)
    kind = Path(given.out).suffix.lower()
    if kind in (".html", ".htm"):
        return render_page(given)
    if kind not in (".png", ".svg"):
        return render_film(given)
    if given.steps is not None:
        return failed(
            "--steps are for pages, moving pictures and handouts; a .png or .svg file shows one,"
            " --step N."
        )
    return render_picture(given)


def step_range(text: str) -> tuple[int, int]:
    """'0:199' -> (0, 199), '37:' -> (37, -1), -1 is the last one."""
    first, colon, last = text.partition(":")
    if not colon or not all(part.strip().isdecimal() or not part.strip() for part in (first, last)):
        from engine import EngineError

        raise EngineError(
            f"A page shows steps from one to another, as --steps 0:199; it is “{text}”."
        )
    return int(first or 0), int(last) if last.strip() else -1


def render_project(arguments: list[str]) -> int:
    """A page of all the lanes of a project, in lockstep."""
    parser = Parser(
        f"{PROGRAM} render", description="A page that steps through the lanes of a project."
    )
    parser.add_argument("project", help="a .learnscope file")
    parser.add_argument(
        "--steps",
        default=":",
        metavar="0:199",
        help="from this to that one in the unit, both included",
    )
    parser.add_argument(
        "--unit", choices=("detail", "step", "round"), default="step", help="what a step counts"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="an .html file")
    given = parser.parse_args(arguments)
    if Path(given.out).suffix.lower() not in (".html", ".htm"):
        return failed(f"All lanes of a project make a page: an .html file; “{given.out}” is none.")
    from engine import Level, load_project
    from engine.files.atomic import write_atomic
    from engine.web.lanes import page_of

    first, last = step_range(given.steps)
    text = page_of(
        load_project(given.project), Level[given.unit.upper()], first, None if last < 0 else last
    )
    write_atomic(given.out, [text.encode("utf-8")])
    say(f"The lanes of {given.project} are in {given.out}: open it in a browser.")
    return 0


def render_page(given: argparse.Namespace) -> int:
    """A page that steps through one run."""
    if given.step is not None or given.every != 1:
        return failed(
            "A page shows all steps from one to another: --steps 0:199, without --step and --every."
        )
    from engine import Level
    from engine.files.atomic import write_atomic
    from engine.web.page import MOST, Shown, chips_of, page

    unit = Level[given.unit.upper()]
    first, last = step_range(":" if given.steps is None else given.steps)
    with prepared_run(given, shown=True) as (run, name):
        places = run.trace.indices(unit)
        wanted = last + 1 if last >= 0 else first + MOST + 1
        while len(places) < wanted and run.advance(max_steps=len(run.trace) + BATCH):
            pass
        steps = len(places)
        if first >= steps or 0 <= last < first:
            return failed(
                f"There is no {given.unit} from {first} to {last}; the run has {given.unit}s 0 to"
                f" {steps - 1}."
            )
        chosen = range(first, min(steps, last + 1) if last >= 0 else steps)
        text = page([Shown(run.trace, name, chips_of(run.trace))], unit, chosen)
    write_atomic(given.out, [text.encode("utf-8")])
    say(
        f"{given.unit.capitalize()}s {chosen[0]} to {chosen[-1]} are in {given.out}: open it in a"
        " browser."
    )
    return 0


def render_picture(given: argparse.Namespace) -> int:
    from engine import Level
    from engine.timeline.run import MAX_STEPS

    step = -1 if given.step is None else given.step
    unit = Level[given.unit.upper()]
    with prepared_run(given, shown=True) as (run, name):
        places = run.trace.indices(unit)  # grows with the run
        while not 0 <= step < len(places) and run.advance(
            max_steps=min(len(run.trace) + BATCH, MAX_STEPS)
        ):
            pass
    steps = len(places)
    if step >= steps and len(run.trace) == MAX_STEPS and not run.finished:
        followed = f"{steps:,} {given.unit}s, 0 to {steps - 1:,}"
        return failed(f"The run is followed for {followed}; choose an earlier --step.")
    if not -steps <= step < steps:
        return failed(
            f"There is no {given.unit} {step}; the run has {given.unit}s 0 to {steps - 1}."
        )
    if trouble := without_screen():
        return failed(trouble)
    from gui.export.page import page_of
    from gui.export.render import render_plane

    number = range(steps)[step]
    page = page_of(run.trace, places[number], name, unit) if given.caption else None
    render_plane(
        run.trace, places[number], given.out, theme=given.theme, size=given.size, page=page
    )
    say(f"{given.unit.capitalize()} {number} is drawn in {given.out}.")
    return 0


def without_screen() -> str | None:
    """Make ready to draw without a window; a sentence where that cannot be done, else None."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from gui.launch import check_libraries

    return check_libraries()


def film_options(parser: argparse.ArgumentParser) -> None:
    """Which steps a moving picture or a handout shows, and for how long."""
    film = parser.add_argument_group(
        "many steps",
        "a moving picture (.gif, .webp, .mp4), a picture of each step (a folder, a name without an"
        " ending)",
    )
    step_options(film)
    film.add_argument(
        "--seconds", type=float, default=0.5, help="how long a step is shown (default: 0.5)"
    )
    film.add_argument(
        "--hold", type=float, default=2.0, metavar="SECONDS", help="the last one (default: 2)"
    )
    film.add_argument(
        "--per-page",
        type=int,
        choices=(2, 4, 6),
        default=4,
        help="steps on a page of a handout (default: 4)",
    )
    film.add_argument("--paper", choices=("A4", "Letter"), default="A4")


def step_options(parser: Any) -> None:
    parser.add_argument(
        "--steps",
        metavar="0:200",
        help="from this to that one in the unit, both included; 12: to the end; 0,5,12 single ones",
    )
    parser.add_argument(
        "--every", type=count, default=1, metavar="N", help="one step in N (default: each)"
    )


def chosen_steps(given: argparse.Namespace) -> Any:
    """The steps that the arguments name, all of them where they name none."""
    from engine import Level
    from engine.timeline.chosen_steps import Chosen, read_steps

    return Chosen(
        read_steps(":" if given.steps is None else given.steps),
        given.every,
        Level[given.unit.upper()],
    )


def render_film(given: argparse.Namespace) -> int:
    from engine.core.notation import counted
    from engine.timeline.chosen_steps import numbers_text
    from gui.export.kinds import Kind, kind_of

    kind = kind_of(given.out)
    chosen = chosen_steps(given)
    if given.step is not None:
        return failed(
            "--step is for one picture, a .png or .svg file; here --steps say which ones, as 0:200."
        )
    if kind is Kind.FOLDER and given.steps is None:
        return failed(
            f"“{given.out}” has no ending: a picture is a .png or .svg file; a folder of pictures"
            " needs --steps, as 0:20."
        )
    if trouble := without_screen():
        return failed(trouble)
    from gui.export.film import Film, save_film
    from gui.export.handout import Handout, save_handout

    with prepared_run(given, shown=True) as (run, name):
        if kind is Kind.PDF:
            handout = Handout(given.per_page, given.paper, given.theme)
            numbers = save_handout(run, name, chosen, given.out, handout)
        else:
            film = Film(
                given.size, given.theme, given.caption, given.caption, given.seconds, given.hold
            )
            numbers = save_film(run, name, chosen, given.out, film)
    say(f"{counted(len(numbers), 'picture')}, {given.unit} {numbers_text(numbers)}: {given.out}")
    return 0


def write_out(pieces: Any) -> None:
    """Bytes to the terminal or the next program; raises EngineError when there is neither."""
    if sys.stdout is None:
        from engine import EngineError

        raise EngineError("The output could not be written: standard output is closed.")
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def table_command(arguments: list[str]) -> int:
    parser = run_parser(
        "table",
        "Write the numbers of a run as CSV: a row for each step, or the table it learns from.",
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="a .csv file")
    parser.add_argument(
        "--of",
        choices=("metrics", "states", "data"),
        default="metrics",
        help=(
            "metrics or states of the steps, or the data, with the changes and columns that are"
            " asked for"
        ),
    )
    step_options(parser)
    given = parser.parse_args(arguments)
    if Path(given.out).suffix.lower() != ".csv":
        return failed(f"Numbers are written as .csv; “{given.out}” is none.")
    from engine.core.notation import counted, listed
    from engine.files.csv_table import save_csv
    from engine.files.numbers import Numbers, save_numbers
    from engine.timeline.chosen_steps import follow, numbers_text

    if given.of == "data":
        data = wanted_source(given).data
        save_csv(data, given.out)
        say(f"{counted(len(data), 'row')} of {data.name}: {given.out}")
        return 0
    chosen = chosen_steps(given)
    with prepared_run(given, shown=True) as (run, _):
        numbers, places = follow(run, chosen)
        left_out = save_numbers(
            run.trace, numbers, places, chosen.unit, Numbers(given.of), given.out
        )
    if left_out:
        tell(
            f"Left out, since they are no numbers or more than 1,000 at a step: {listed(left_out)}."
        )
    say(f"{counted(len(numbers), 'row')}, {given.unit} {numbers_text(numbers)}: {given.out}")
    return 0


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "list": list_command,
    "run": run_command,
    "render": render_command,
    "answers": answers_command,
    "script": script_command,
    "table": table_command,
    "check": check_command,
}

if __name__ == "__main__":
    sys.exit(main())
