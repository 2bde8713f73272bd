"""The questions about one run as exercises of a course: each with its step, its answers in words
and its working.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from engine.base.notation import cut
from engine.base.records import Record, replace
from engine.judge.questions.asking import FAR, Ask, next_question
from engine.judge.questions.judging import given_up
from engine.judge.questions.question import Kind, Question, question_of
from engine.protocol.step import Level, Step
from engine.runs.run import Run
from engine.runs.trace import Trace

LONGEST = 400  # letters of what the step before said
BATCH = 50  # steps that a run makes between two looks at `stop`

# of each exercise: kind, line of the pseudo-code, number of blanks
Pattern = tuple[tuple[Kind, str, int], ...]


class Exercise(Record):
    """One question about one step.

    index: of the step in its trace; place: its number in the unit in which a person counts; unit:
    'step'; before: what the step before said, "" at the beginning; labels: the options in
    words, all different, () where numbers are wanted; right: which of the labels are right;
    picture: the plane before the step as PNG, b"" without one
    """

    index: int
    place: int
    unit: str
    question: Question
    before: str = ""
    labels: tuple[str, ...] = ()
    right: tuple[bool, ...] = ()
    picture: bytes = b""

    @property
    def name(self) -> str:
        """The unit and its number as text, "step 3", with thousands separated."""
        return f"{self.unit} {self.place:,}"

    @property
    def prompt(self) -> str:
        """The question in words, with the step that it is about."""
        return f"{self.question.context} {self.question.prompt}".strip()

    @property
    def working(self) -> tuple[str, ...]:
        """The lines that work out the answer, as giving up shows them."""
        return given_up(self.question).why

    @property
    def answer(self) -> str:
        """The right answer in one line: "w = 0.5 (tolerance), …" for numbers, else the right labels
        joined with "or".
        """
        if self.question.kind is Kind.NUMBER:
            return ", ".join(
                f"{blank.mark} = {blank.shown} ({blank.tolerance})"
                for blank in self.question.blanks
            )
        return " or ".join(
            label for label, right in zip(self.labels, self.right, strict=True) if right
        )

    @property
    def pattern(self) -> tuple[Kind, str, int]:
        """(kind of question, line of the pseudo-code, number of blanks): an exercise of another run
        can replace this one where all three agree.
        """
        return self.question.kind, self.question.step.line, len(self.question.blanks)


def exercises(
    run: Run, ask: Ask, most: int, first: int = 0, max_steps: int = 1000
) -> list[Exercise]:
    """At most `most` exercises about the steps of a run from number `first` on; the run is advanced
    as far as that takes.
    """
    found: list[Exercise] = []
    cursor = _cursor(run, ask.level, first, max_steps)
    while len(found) <= most:  # one more than wanted, which takes the place of a start
        _record_ahead(run, ask.level, cursor, max_steps)
        question = next_question(run.trace, cursor, ask)
        if question is None:
            break
        cursor = question[0]
        found.append(exercise(run.trace, cursor, question[1], ask.level))
    if len(found) > 1 and first <= 0 and _is_start(found[0]):
        found = found[1:]
    return found[:most]


def _is_start(found: Exercise) -> bool:
    """Whether it asks about the first step of a run, which only sets out from given numbers: there
    is nothing to work out.
    """
    return (
        found.index == 0
        and found.question.kind in (Kind.NUMBER, Kind.LINE)
        and not found.question.step.note.formulas
    )


def exercises_like(
    run: Run, ask: Ask, pattern: Pattern, first: int = 0, max_steps: int = 1000
) -> list[Exercise]:
    """Exercises of the same kinds at the same lines, in the same order; fewer where the run has no
    more of them.
    """
    found: list[Exercise] = []
    cursor = _cursor(run, ask.level, first, max_steps)
    for kind, line, blanks in pattern:
        at = _next_like(run, ask.level, cursor, (kind, line, blanks), max_steps)
        if at is None:
            break
        cursor, question = at
        found.append(exercise(run.trace, cursor, question, ask.level))
    return found


def _next_like(
    run: Run, level: Level, cursor: int, wanted: tuple[Kind, str, int], max_steps: int
) -> tuple[int, Question] | None:
    """(step, question) of the next step at the line that has a question of the kind: the first of
    those with as many blanks, or the first at all where there is none.
    """
    kind, line, blanks = wanted
    _record_ahead(run, level, cursor, max_steps)
    trace = run.trace
    places = trace.indices(level)
    here = bisect_right(places, cursor)
    other: tuple[int, Question] | None = None
    for at in places[here : here + FAR]:
        step: Step[object] = trace[at]
        if step.line != line:
            continue
        question = question_of(kind, trace.algorithm, trace.problem, step)
        if question is not None and len(question.blanks) == blanks:
            return at, question
        if question is not None and other is None:
            other = at, question
    return other


def _cursor(run: Run, level: Level, first: int, max_steps: int) -> int:
    """The step before number `first` of a level, −1 for the beginning; the last one where there are
    fewer.
    """
    if first <= 0:
        return -1
    places = run.trace.indices(level)  # grows with the run
    while len(places) < first and run.advance(max_steps=min(max_steps, len(run.trace) + BATCH)):
        pass
    return places[first - 1] if len(places) >= first else len(run.trace) - 1


def _record_ahead(run: Run, level: Level, cursor: int, max_steps: int) -> None:
    """Record as many steps behind the cursor as `next_question` looks through, or all there are."""
    places = run.trace.indices(level)
    wanted = bisect_right(places, cursor) + FAR + 1
    while len(places) < wanted and run.advance(max_steps=min(max_steps, len(run.trace) + BATCH)):
        pass


def exercise(trace: Trace, index: int, question: Question, level: Level) -> Exercise:
    """The exercise that asks this question about step `index`."""
    places = trace.indices(level)
    place = bisect_right(places, index) - 1
    before = cut(trace[places[place - 1]].note.text(), LONGEST) if place else ""
    offered = [question.candidates[k] for k in question.options]
    labels = tuple(
        _different([" ".join(candidate.label.split()) or "(empty)" for candidate in offered])
    )
    right = tuple(candidate.right for candidate in offered)
    return Exercise(index, place, level.name.lower(), question, before, labels, right)


def _different(labels: Sequence[str]) -> Iterator[str]:
    """The labels, those that are there before with a number: two lines of a pseudo-code may read
    the same.
    """
    seen: dict[str, int] = {}
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        yield label if seen[label] == 1 else f"{label} ({seen[label]})"


Picture = Callable[[Trace, Exercise], bytes]


def with_picture(trace: Trace, found: Exercise, picture: Picture | None) -> Exercise:
    """The exercise with the PNG of the plane before its step added.

    Questions about a number or a line are returned without one, as are all where `picture` is
    None.
    """
    if picture is None or found.question.kind in (Kind.NUMBER, Kind.LINE):
        return found
    return replace(found, picture=picture(trace, found))
