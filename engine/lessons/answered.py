"""An answer of a hand-in at the step that it is about: what is right, what was answered, and
where both lie in the picture.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.records import Record
from engine.document.document import Document
from engine.judge.conditions import Moment
from engine.judge.questions.blanks import read
from engine.lessons import SUFFIX
from engine.lessons.digest import lesson_hash
from engine.lessons.lesson import Lesson
from engine.lessons.library import FOLDER
from engine.lessons.package import open_lesson
from engine.lessons.progress import Answer, Progress
from engine.lessons.setting import Files
from engine.lessons.states import state_of
from engine.lessons.steps import MOST_STEPS, run_lanes, stand
from engine.lessons.tasks import Asked, asked
from engine.numerics.closeness import equal
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.scene.layers import Arrows, Layer, Line, Points
from engine.scene.roles import Role
from engine.scene.scene import Scene

RIGHT, ANSWERED = "right", "answered"
ELSEWHERE = (
    "This version of the lesson is not here: put its file beside the hand-ins, or open it once, and"
    " read them again."
)
MOST_FILES = 60  # that are looked through for a lesson
Stop = Callable[[], bool]


class Known(Record):
    """A lesson whose answers are looked at, with the runs of its lanes that were made so far.

    path: of its file
    """

    lesson: Lesson
    files: Files
    traces: dict[int, Trace]
    path: Path | None = None


class Looked(Record):
    """What is shown of an answer.

    lanes: the runs at the step that the answer is about, or as the student left the lab
    marks: what is drawn over the plane of the first lane: the right answer and the given one
    right, given: both in words, '' without one
    says: what the lesson replies to the given one, '' without a reply
    own: whether the lanes are those that the student left
    """

    lanes: tuple[Moment, ...]
    marks: tuple[Layer, ...] = ()
    right: str = ""
    given: str = ""
    says: str = ""
    own: bool = False


def known_lesson(progress: Progress, others: Iterable[Path] = ()) -> Known | None:
    """The lesson of these answers, in the very version in which they were given; None where it is
    not found.

    others: files and folders that are looked through after the lessons of the program
    """
    own = (
        path
        for path in sorted(FOLDER.glob("*/*.toml"))
        if progress.title in path.read_text(encoding="utf-8")  # few are read as lessons
    )
    for path in (*own, *lesson_files(others)):
        found = open_lesson(path)
        if found.lesson is not None and lesson_hash(found.lesson) == progress.digest:
            return Known(found.lesson, found.files, {}, path)
    return None


def lesson_files(places: Iterable[Path]) -> list[Path]:
    """The lessons among these files and in these folders, each once, at most MOST_FILES."""
    found: dict[Path, None] = {}
    for place in places:
        inside = sorted(place.iterdir()) if place.is_dir() else [place]
        found |= dict.fromkeys(each for each in inside if each.suffix.lower() in (SUFFIX, ".toml"))
    return list(found)[:MOST_FILES]


def first_wrong(answer: Answer) -> str:
    """The first wrong answer to a task, '' without one."""
    wrong = answer.tries[:-1] if answer.right else answer.tries
    return wrong[0] if wrong else ""


def looked_at(known: Known | None, page: int, answer: Answer, stop: Stop = lambda: False) -> Looked:
    """An answer to page `page`, from 0, at its step; raises EngineError where there is none.

    known: its lesson; without it only a state that the student left can be shown
    """
    if answer.state:
        return Looked(_as_left(answer.state, stop), own=True)
    if known is None:
        raise EngineError(ELSEWHERE)
    task = known.lesson.pages[page].task
    traces = _traces(known, page, stop)
    lanes = stand(known.lesson.pages[page], traces, known.lesson.view.unit).asked
    if task is None:
        return Looked(lanes)
    question = asked(task, lanes)
    given = first_wrong(answer)
    marks = tuple(_marks(question, lanes[0], given))
    return Looked(lanes, marks, "; ".join(question.right), given, _reply(question, given))


def _traces(known: Known, page: int, stop: Stop) -> tuple[Trace, ...]:
    """The runs of a page; those that were not stopped are kept."""
    made = dict(known.traces)
    found = run_lanes(known.lesson, page, known.files, made, stop)
    if not stop():
        known.traces.update(made)
    return found


def replies(known: Known, wrong: Sequence[tuple[int, str]], stop: Stop) -> dict[int, str]:
    """What the lesson replies to a wrong answer, by page, for pairs (page, answer)."""
    found: dict[int, str] = {}
    for page, given in wrong:
        try:
            found[page] = looked_at(known, page, Answer(tries=(given,)), stop).says
        except EngineError:
            continue
    return found


def _reply(question: Asked, given: str) -> str:
    try:
        return question.reply(_parts(question, given)).says if given else ""
    except EngineError:
        return ""


def _parts(question: Asked, given: str) -> tuple[str, ...]:
    return tuple(given.split("; ")) if question.blanks else (given,)


def _as_left(state: str, stop: Stop) -> tuple[Moment, ...]:
    """The lanes of a student's lab at the step that was shown; raises EngineError."""
    project = state_of(state)
    cursor = project.cursor or 0
    return tuple(
        _moment(project.document, place, cursor, project.level, stop)
        for place in range(len(project.document.lanes))
    )


def _moment(document: Document, place: int, cursor: int, level: Level, stop: Stop) -> Moment:
    lane = document.lanes[place]
    problem = document.of_lane(place).problem()
    run = Run(lane.algorithm, problem, lane.params, lane.seed, Pace(level), lane.start)
    run.advance(stop=stop, max_steps=min(cursor + 1, MOST_STEPS))
    if not len(run.trace):
        raise EngineError("The run of this state has no step.")
    return Moment(run.trace, min(cursor, len(run.trace) - 1))


# -- on the plane ----------------------------------------------------------------------------------


def _marks(question: Asked, lane: Moment, given: str) -> Iterator[Layer]:
    """The right answer and the given one as layers, where they have a place on the plane."""
    problem = lane.trace.problem
    if len(problem.plane) != 2:
        return
    if question.blanks:
        yield from _arrows(question, lane, _parts(question, given))
        return
    candidates = question.question.candidates if question.question is not None else ()
    rows = {tag: k for k, tag in enumerate(problem.row_tags)}
    for words, labels, role in ((RIGHT, question.right, Role.ACCEPTED), (ANSWERED, (given,), None)):
        tags = {tag for each in candidates if each.label in labels for tag in each.tags}
        places = sorted(rows[tag] for tag in tags & rows.keys())
        if places and len(tags & rows.keys()) == len(tags):
            yield from _ringed(problem.xy[places], words, role)


def _ringed(where: Float, words: str, role: Role | None) -> tuple[Layer, ...]:
    nothing = np.full(len(where), -1)
    ring = Points(where, nothing, role or Role.CANDIDATE)
    return ring, Points(where, nothing, Role.DIFFERENCE, label=(words,) * len(where))


def _arrows(question: Asked, lane: Moment, given: Sequence[str]) -> Iterator[Layer]:
    """The answered vector, dashed, beside an arrow of the picture that is the right one; and the
    line that it would be the weights of.
    """
    numbers = [_number(text) for text in given]
    if len(numbers) != len(question.blanks) or None in numbers:
        return
    right = np.array([blank.value for blank in question.blanks])
    answered = np.array(numbers, np.float64)
    layers = scene_of(lane).layers
    for arrow in (each for each in layers if isinstance(each, Arrows) and each.role != Role.ACTIVE):
        vectors = arrow.end - arrow.start
        for k in range(len(right) - 1):
            pair, theirs = right[k : k + 2], answered[k : k + 2]
            for foot, vector in zip(arrow.start, vectors, strict=True):
                times = _times(vector, pair)
                if times is not None and not np.allclose(pair, theirs):
                    tip = (foot + times * theirs)[None]
                    yield Arrows(foot[None], tip, Role.CANDIDATE, (ANSWERED,))
                    yield from _lines(layers, pair, theirs)
                    return


def _times(vector: Float, right: Float) -> float | None:
    """The factor by which a vector of the picture is the right one, None where it is another."""
    size = float(right @ right)
    times = float(vector @ right) / size if size else 0.0
    return times if times > 0 and all(map(equal, vector, times * right)) else None


def _lines(layers: Sequence[Layer], right: Float, answered: Float) -> Iterator[Layer]:
    lines = (each for each in layers if isinstance(each, Line) and each.role is Role.BOUNDARY)
    if any(line.b == 0 and _times(line.w, right) is not None for line in lines):
        yield Line(answered, 0.0, Role.CANDIDATE)


def _number(text: str) -> float | None:
    try:
        return read(text)
    except EngineError:
        return None


def scene_of(lane: Moment) -> Scene:
    """The picture of a step."""
    return lane.trace.algorithm.scene(lane.trace.given, lane.trace[lane.cursor])
