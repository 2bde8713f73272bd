"""Course files that need painting: worksheets as PDF and pictures of the plane beside questions."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from engine.courses.exercises import Exercise
from engine.courses.files import course_file
from engine.courses.lessons import Tasks, lesson_moodle, lesson_worksheet
from engine.courses.sheets import Sheet, Stopped, Tick
from engine.courses.worksheet import worksheet
from engine.courses.worksheet_html import worksheet_html
from engine.judge.questions.covering import covered
from engine.lessons.checking import Opened
from engine.lessons.hiding import hidden_scene
from engine.lessons.overlays import lighted
from engine.lessons.steps import lit
from engine.runs.trace import Trace
from engine.scene.scene import Scene
from gui.export.plane import paint
from gui.export.render import ensure_application, png_bytes, scaled
from gui.look.theme import THEMES

SIZE, SCALE = (1120, 680), 1.75  # of a picture, in pixels; pixels for one pixel of the theme


def plane_picture(trace: Trace, exercise: Exercise) -> bytes:
    """The plane before the step of the question as PNG bytes, without what gives the answer away.

    b"" if the table has no plane or the question is about the first step.
    """
    problem, algorithm = trace.problem, trace.algorithm
    if not problem.plane or exercise.index == 0:
        return b""
    before = exercise.index - 1
    question = exercise.question
    scene = covered(algorithm.scene(trace.given, trace[before]), question)
    return _painted(trace, before, scene, question.surfaces_give_away or question.asks_for_class)


def page_picture(page: Opened) -> bytes:
    """The plane that a page of a lesson shows as PNG bytes, without what it hides and what gives
    the answer away; b"" if the table has no plane.
    """
    if page.stand is None:
        return b""
    lane, asked = page.stand.shown[0], page.asked
    trace = lane.trace
    if not trace.problem.plane:
        return b""
    scene = trace.algorithm.scene(trace.given, trace[lane.cursor])
    scene = hidden_scene(scene, page.page.hide, trace.problem)
    scene = lighted(scene, lit(page.page, page.stand.asked), trace.problem)
    question = asked.question if asked is not None and page.page.where.before else None
    if question is None:
        return _painted(trace, lane.cursor, scene)
    veiled = question.surfaces_give_away or question.asks_for_class
    return _painted(trace, lane.cursor, covered(scene, question), veiled)


def _painted(trace: Trace, index: int, scene: Scene, veiled: bool = False) -> bytes:
    """The plane as PNG bytes. veiled: without its surfaces"""
    ensure_application()
    draw = partial(
        paint,
        trace=trace,
        index=index,
        scene=scene,
        theme=THEMES["light"],
        view=None,
        hatch=False,
        surfaces=not veiled,
    )
    return png_bytes(SIZE, partial(scaled, draw=draw, scale=SCALE))


def lesson_content(kind: str, path: str, tasks: Tasks, paper: str = "a4") -> Iterable[bytes]:
    """The bytes of a course file of a lesson. kind: 'moodle' or 'worksheet', as HTML or PDF"""
    if kind == "moodle":
        return lesson_moodle(tasks)
    sheets = [lesson_worksheet(tasks)]
    if Path(path).suffix.lower() != ".pdf":
        return worksheet_html(sheets, paper)
    from gui.export.worksheet_pdf import worksheet_pdf

    ensure_application()
    return [worksheet_pdf(sheets, paper, lambda done: True) or b""]


def course_content(
    kind: str, path: str, sheets: Sequence[Sheet], paper: str = "a4", tick: Tick = lambda done: True
) -> Iterable[bytes]:
    """The bytes of a course file: as `engine.courses.files.course_file`, and of a worksheet as PDF.

    tick: called with the share that is done; False cancels

    Raises EngineError for an unknown kind of worksheet, Stopped when cancelled.
    """
    if kind != "worksheet" or Path(path).suffix.lower() != ".pdf":
        return course_file(kind, path, sheets, paper)
    from gui.export.worksheet_pdf import worksheet_pdf

    ensure_application()
    content = worksheet_pdf([worksheet(sheet) for sheet in sheets], paper, tick)
    if content is None:
        raise Stopped("Nothing was saved: the export was cancelled.")
    return [content]
