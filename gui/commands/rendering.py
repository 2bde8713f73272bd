"""The command `render`: pictures, films, handouts and pages of a run, drawn without a window."""

import argparse
import os
from pathlib import Path

from engine.base.place import PROGRAM
from gui.commands.arguments import pixels, run_parser, step_options
from gui.commands.console import Parser, failed, say
from gui.commands.runs import BATCH, chosen_steps, prepared_run


def render_command(arguments: list[str]) -> int:
    """Write what --out asks for, by the ending of its file; returns the exit code."""
    if arguments and arguments[0].lower().endswith(".learnscope"):
        return render_project(arguments)
    if arguments and is_lesson(arguments[0]):
        return render_lesson(arguments)
    parser = run_parser(
        "render", "Draw a view at one step of a run or at several, or a page that steps through it."
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
        help="a .png, .svg or .pdf file; an .html page that steps; or as below",
    )
    parser.add_argument(
        "--view",
        default="",
        metavar="NAME",
        help="what is drawn: plane, tree, table, confusion, ROC, curves, step (with its words) …;"
        " the views of a step are named where there is no such one (default: the plane)",
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
    if given.strip and (kind not in (".png", ".svg", ".pdf") or given.steps is None):
        return failed(
            "A strip is a .png, .svg or .pdf file of some steps: --strip --steps 0,3,9 --out"
            " strip.pdf."
        )
    if kind not in (".png", ".svg") and not (kind == ".pdf" and drawn_alone(given)):
        return render_film(given)
    return render_picture(given) if given.steps is None else render_strip(given)


def drawn_alone(given: argparse.Namespace) -> bool:
    """Whether a .pdf shows a picture or a strip, not the pages of a handout."""
    one = given.steps is None and (given.step is not None or bool(given.view))
    return bool(given.strip) or one


def step_range(text: str) -> tuple[int, int]:
    """(first, last) of a range of steps; last is -1 for the last step of the run.

    '0:199' gives (0, 199), '37:' gives (37, -1). Raises EngineError for other texts.
    """
    first, colon, last = text.partition(":")
    if not colon or not all(part.strip().isdecimal() or not part.strip() for part in (first, last)):
        from engine import EngineError

        raise EngineError(
            f"A page shows steps from one to another, as --steps 0:199; it is “{text}”."
        )
    return int(first or 0), int(last) if last.strip() else -1


def render_project(arguments: list[str]) -> int:
    """Write a page that steps through all lanes of a project at once; returns the exit code."""
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


def is_lesson(name: str) -> bool:
    return name.lower().endswith((".toml", ".lesson"))


def render_lesson(arguments: list[str]) -> int:
    """Write the pages of a lesson as one page for a browser; returns the exit code."""
    parser = Parser(
        f"{PROGRAM} render",
        description="A lesson for a browser: its pages, and the tasks that need no new run.",
    )
    parser.add_argument("lesson", help="a .toml or .lesson file")
    parser.add_argument("--out", required=True, metavar="FILE", help="an .html file")
    given = parser.parse_args(arguments)
    if Path(given.out).suffix.lower() not in (".html", ".htm"):
        return failed(f"A lesson makes a page: an .html file; “{given.out}” is none.")
    from engine.files.atomic import write_atomic
    from engine.lessons.package import open_lesson
    from engine.web.lesson import lesson_page

    write_atomic(given.out, [lesson_page(open_lesson(given.lesson)).encode("utf-8")])
    say(f"The lesson {given.lesson} is in {given.out}: open it in a browser.")
    return 0


def render_page(given: argparse.Namespace) -> int:
    """Write a page that steps through one run; returns the exit code."""
    if given.view:
        return failed("A page shows all views of its steps; --view is for the other files.")
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
    """Write a picture of one step; returns the exit code."""
    from engine import Level
    from engine.runs.run import MAX_STEPS

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
    from gui.export.render import checked, ensure_application, save_view
    from gui.export.shown import Look, Shown

    look = Look(checked(Path(given.out), given.theme, given.size))
    ensure_application()
    number = range(steps)[step]
    shown = Shown(run.trace, places[number], unit)
    view = shown.find(given.view) if given.view else ""
    page = shown.page(name, view, caption=True, explained=True) if given.caption else None
    save_view(shown, view, look, given.out, given.size, page)
    say(f"{given.unit.capitalize()} {number} is drawn in {given.out}.")
    return 0


def render_strip(given: argparse.Namespace) -> int:
    """Write some steps side by side in one picture; returns the exit code."""
    if given.step is not None:
        return failed("--step is for one picture; --steps 0,3,9 for a strip of several.")
    if trouble := without_screen():
        return failed(trouble)
    from engine.base.notation import listed
    from engine.runs.chosen_steps import follow
    from gui.export.render import checked, ensure_application, save_strip
    from gui.export.shown import Look, Shown
    from gui.export.strip import check_count, strip_of

    look = Look(checked(Path(given.out), given.theme, given.size))
    ensure_application()
    with prepared_run(given, shown=True) as (run, name):
        chosen = chosen_steps(given)
        numbers, places = follow(run, chosen)
        check_count(len(places))
        shown = Shown(run.trace, places[-1], chosen.unit)
        strip = strip_of(
            shown, places, name, given.view, caption=given.caption, explained=given.caption
        )
        save_strip(strip, look, given.out, given.size)
    drawn = listed(f"{number:,}" for number in numbers)
    say(f"{given.unit.capitalize()}s {drawn} are drawn in {given.out}.")
    return 0


def without_screen() -> str | None:
    """Let Qt draw without a screen; returns a sentence if that cannot be done, else None."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from gui.launch import check_libraries

    return check_libraries()


def film_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of films and handouts: which steps, and for how long each is shown."""
    film = parser.add_argument_group(
        "many steps",
        "a strip of 2 to 6 steps (.png, .svg, .pdf), a moving picture (.gif, .webp, .mp4), a"
        " picture of each step (a folder, a name without an ending), a handout (.pdf)",
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
    film.add_argument(
        "--strip", action="store_true", help="a .pdf of the steps side by side, not a handout"
    )


def render_film(given: argparse.Namespace) -> int:
    """Write a film, a folder of pictures or a handout; returns the exit code."""
    from engine.base.notation import counted
    from engine.runs.chosen_steps import numbers_text
    from gui.export.kinds import Kind, kind_of

    kind = kind_of(given.out)
    chosen = chosen_steps(given)
    if given.step is not None:
        return failed(
            "--step is for one picture, a .png, .svg or .pdf file; here --steps say which ones, as"
            " 0:200."
        )
    if kind is Kind.FOLDER and given.steps is None:
        return failed(
            f"“{given.out}” has no ending: a picture is a .png, .svg or .pdf file; a folder of"
            " pictures needs --steps, as 0:20."
        )
    if trouble := without_screen():
        return failed(trouble)
    from gui.export.film import Film, save_film
    from gui.export.handout import Handout, save_handout

    with prepared_run(given, shown=True) as (run, name):
        if kind is Kind.PDF:
            handout = Handout(given.per_page, given.paper, given.theme, given.view)
            numbers = save_handout(run, name, chosen, given.out, handout)
        else:
            film = Film(
                given.size,
                given.theme,
                given.caption,
                given.caption,
                given.seconds,
                given.hold,
                given.view,
            )
            numbers = save_film(run, name, chosen, given.out, film)
    say(f"{counted(len(numbers), 'picture')}, {given.unit} {numbers_text(numbers)}: {given.out}")
    return 0
