"""Course files that need painting: worksheets as PDF and pictures of the plane beside questions."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from engine.courses.exercises import Exercise
from engine.courses.files import course_file
from engine.courses.sheets import Sheet, Stopped, Tick
from engine.courses.worksheet import worksheet
from engine.judge.questions.covering import covered
from engine.runs.trace import Trace
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
    ensure_application()
    before = exercise.index - 1
    question = exercise.question
    scene = covered(algorithm.scene(trace.given, trace[before]), question)
    veiled = question.surfaces_give_away or question.asks_for_class
    draw = partial(
        paint,
        trace=trace,
        index=before,
        scene=scene,
        theme=THEMES["light"],
        view=None,
        hatch=False,
        surfaces=not veiled,
    )
    return png_bytes(SIZE, partial(scaled, draw=draw, scale=SCALE))


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
