"""Sheets of exercises for a course: of one run, or of many runs of the same kind, so that
neighbours cannot copy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.base.arrays import frozen
from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import Record, replace
from engine.courses.exercises import Exercise, Picture, exercises, exercises_like, with_picture
from engine.files.sources import Source
from engine.judge.questions.asking import Ask
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import Branches
from engine.read.column_kinds import read_for
from engine.runs.run import Run, pace_of
from engine.runs.start import Start
from engine.runs.trace import Trace
from engine.sources.generators import generate
from engine.table.dataset import Column, ColumnRole, Dataset
from engine.table.prepare import prepare
from engine.table.problem import Problem

MOST_SHEETS, MOST_QUESTIONS = 500, 200  # in one file, on one sheet
TRIES, SAME = (
    80,
    8,
    # seeds that are tried for one more sheet; sheets in a row that were there before, after which none
    # is new
)
MANY_ROWS = 30  # of fewer rows whole rows drawn again would mostly repeat one another
ROWS_RESAMPLED, VALUES_RESAMPLED = 0.5, 0.25  # shares of a table that are drawn again

Tick = Callable[[float], bool]  # takes the share that is done; False: stop


class Stopped(EngineError):
    """Raised by `sheets` when its `tick` returns False."""


class Assignment(Record, eq=True):
    """What a course asks about: a run and which of its questions.

    ask: the steps and kinds of the questions
    questions: the largest number of questions on a sheet
    first: number of the step from which questions begin
    max_steps: the run is advanced by this many steps at most
    """

    source: Source
    algorithm: Algorithm[Any, Any]
    params: Any
    seed: int = 0
    ask: Ask = Ask()
    questions: int = MOST_QUESTIONS
    first: int = 0
    max_steps: int = 1000
    start: Start | None = None
    branches: Branches = ()

    @property
    def title(self) -> str:
        """Name of the method and name of the table, "Perceptron on Spam"."""
        return f"{self.algorithm.title} on {self.source.data.name}"


class Sheet(Record):
    """The exercises of one run. number: from 1, of `of`; trace: the run, recorded as far as its
    questions go
    """

    number: int
    of: int
    title: str
    seed: int
    trace: Trace
    exercises: tuple[Exercise, ...]

    @property
    def problem(self) -> Problem:
        return self.trace.problem

    @property
    def content(self) -> tuple[tuple[str, ...], ...]:
        """The prompt, question, labels and answer of each exercise; two sheets are equal where
        these are.
        """
        return tuple(
            (each.prompt, *each.question.text, *each.labels, each.answer) for each in self.exercises
        )


def sheets(
    wanted: Assignment,
    variants: int = 1,
    picture: Picture | None = None,
    tick: Tick = lambda done: True,
) -> list[Sheet]:
    """`variants` sheets with the same kinds of questions in the same order.

    The first is about the run itself, the others about other data of the same kind and other seeds.

    picture: draws the plane before a step, None: no pictures
    tick: called with the share that is done; False stops the work

    Raises EngineError where the run has no question, or too few different sheets can be made, and
    Stopped when `tick` returns False.
    """
    _check(wanted, variants)
    first = _sheet(wanted, 1, variants)
    if not first.exercises:
        raise EngineError(no_questions(wanted, first.trace))
    found = _different(wanted, first, variants, tick)
    if len(found) < variants and (alike := of_one_kind(wanted, first)) is not None:
        found = max(found, _different(wanted, alike, variants, tick), key=len)
    if len(found) < variants:
        raise EngineError(_too_few(wanted, len(found), variants))
    done: list[Sheet] = []
    for sheet in found:
        _go_on(tick, 0.5 + len(done) / (2 * variants))
        shown = tuple(with_picture(sheet.trace, each, picture) for each in sheet.exercises)
        done.append(replace(sheet, exercises=shown))
    return done


def _different(wanted: Assignment, first: Sheet, variants: int, tick: Tick) -> list[Sheet]:
    """The first sheet and others with the same kinds of questions, until there are so many or none
    was new for long.
    """
    found = [first]
    met = {first.content}
    attempt = 0
    in_vain = 0
    same = 0
    while len(found) < variants and in_vain < TRIES and same < SAME * len(found):
        _go_on(tick, len(found) / (2 * variants))
        attempt += 1
        another = _variant(wanted, first, len(found) + 1, variants, attempt)
        if another is not None and another.content not in met:
            found.append(another)
            met.add(another.content)
            in_vain = same = 0
        else:
            in_vain = in_vain + 1
            same = same + (another is not None)
    return found


def of_one_kind(wanted: Assignment, first: Sheet) -> Sheet | None:
    """The first sheet with as many questions that are all of the kind of its first one: other data
    may ask the different kinds in another order. None where it is so already, or where there are
    too few.
    """
    patterns = tuple(each.pattern for each in first.exercises)
    alike = patterns[:1] * len(patterns)
    if alike == patterns:
        return None
    run = _run(wanted)
    found = exercises_like(run, wanted.ask, alike, wanted.first, wanted.max_steps)
    return (
        replace(first, trace=run.trace, exercises=tuple(found))
        if len(found) == len(alike)
        else None
    )


def _check(wanted: Assignment, variants: int) -> None:
    if not 1 <= variants <= MOST_SHEETS:
        raise EngineError(f"1 to {MOST_SHEETS} sheets can be made, not {variants:,}.")
    if not 1 <= wanted.questions <= MOST_QUESTIONS:
        raise EngineError(
            f"A sheet holds 1 to {MOST_QUESTIONS} questions, not {wanted.questions:,}."
        )


def _go_on(tick: Tick, share: float) -> None:
    if not tick(share):
        raise Stopped("Nothing was saved: the export was cancelled.")


def no_questions(wanted: Assignment, trace: Trace) -> str:
    """A sentence that says why a run gives no exercise, and what to change."""
    total = len(trace.indices(wanted.ask.level))
    unit = wanted.ask.level.name.lower()
    if 0 < total <= wanted.first:
        return (
            f"There is no question from {unit} {wanted.first:,} on: the run has the {unit}s 0 to {total - 1:,}. "
            "Begin at an earlier one."
        )
    return (
        f"There is no question: {wanted.algorithm.title} has no question of this kind here. "
        "Choose another kind of question, every step, or an earlier beginning."
    )


def _too_few(wanted: Assignment, found: int, variants: int) -> str:
    if found == 1:
        return (
            f"No second sheet can be made: about other data of this kind and with other seeds {wanted.algorithm.title} asks the "
            "same, or questions of other kinds. Make one sheet, or choose fewer questions."
        )
    return (
        f"Only {counted(found, 'different sheet')} with the same kinds of questions could be made, not {variants:,}. "
        f"Ask for {found}, for fewer questions, or take data with more rows."
    )


def _run(wanted: Assignment) -> Run:
    """The run of an assignment, not yet advanced; raises EngineError."""
    source = wanted.source
    needs = wanted.algorithm.needs
    data = read_for(source.data, needs)
    problem = prepare(
        data,
        transforms=source.transforms,
        plane=source.plane,
        split=source.split,
        query=source.probe,
        most=needs.sample,
    )
    pace = pace_of(wanted.ask.unit, problem.n)
    return Run(
        wanted.algorithm,
        problem,
        wanted.params,
        wanted.seed,
        pace,
        start=wanted.start,
        branches=wanted.branches,
    )


def _sheet(wanted: Assignment, number: int, of: int) -> Sheet:
    run = _run(wanted)
    found = exercises(run, wanted.ask, wanted.questions, wanted.first, wanted.max_steps)
    return Sheet(number, of, wanted.title, wanted.seed, run.trace, tuple(found))


def _variant(wanted: Assignment, like: Sheet, number: int, of: int, attempt: int) -> Sheet | None:
    """The sheet of other data and another seed; None where the method refuses these data or asks
    too little about them.
    """
    data = data_of_the_same_kind(wanted.source.data, attempt)
    other = replace(
        wanted,
        source=replace(wanted.source, data=data),
        seed=wanted.seed + attempt,
        start=None,
        branches=(),
    )
    pattern = tuple(each.pattern for each in like.exercises)
    try:
        run = _run(other)
        found = exercises_like(run, wanted.ask, pattern, wanted.first, wanted.max_steps)
    except EngineError:
        return None
    if len(found) < len(pattern):
        return None
    return Sheet(number, of, wanted.title, other.seed, run.trace, tuple(found))


# -- data of the same kind -------------------------------------------------------------------------


def data_of_the_same_kind(data: Dataset, attempt: int) -> Dataset:
    """A table with the same columns, rows of the same names and as many rows of each class.

    Drawn again by its generator where the table is unchanged since. Else half of the rows are drawn
    again from the rows of their class, the others stay, so that there is as much to learn; of a
    small table every second attempt draws values one by one.
    """
    if data.as_drawn and data.origin is not None:
        origin = data.origin
        made = generate(
            origin.generator, origin.n, origin.noise, origin.seed + attempt, classes=origin.classes
        )
        return _in_the_roles_of(data, made)
    rng = np.random.default_rng(attempt)
    groups = _groups(data)
    rows = _resampled(groups, rng, ROWS_RESAMPLED)
    by_value = len(data) < MANY_ROWS and attempt % 2 == 0
    columns = []
    for column in data.columns:
        if column.role is ColumnRole.NAME:
            columns.append(column)
        else:
            taken = (
                _resampled(groups, rng, VALUES_RESAMPLED)
                if by_value and column.role is ColumnRole.FEATURE
                else rows
            )
            columns.append(replace(column, values=frozen(column.values[taken])))
    return replace(data, columns=tuple(columns), origin=None)


def _groups(data: Dataset) -> list[Any]:
    """The rows of each class; all rows where there are no classes."""
    target = data.target
    if target is None or target.feature.numeric:
        return [np.arange(len(data))]
    codes = np.where(np.isnan(target.values), -1, target.values)
    return [np.flatnonzero(codes == code) for code in np.unique(codes)]


def _resampled(groups: list[Any], rng: np.random.Generator, share: float) -> Any:
    """For about this share of the rows another one of the same group, drawn with return; the others
    stay.
    """
    rows = np.arange(len(np.concatenate(groups)) if groups else 0)
    for group in groups:
        rows[group] = np.where(rng.random(len(group)) < share, rng.choice(group, len(group)), group)
    return rows


def _in_the_roles_of(data: Dataset, made: Dataset) -> Dataset:
    """The generated table with the columns in the roles that a person gave them."""
    known = {column.name: column for column in data.columns}

    def like(column: Column) -> Column:
        return replace(column, role=known[column.name].role) if column.name in known else column

    return replace(made, columns=tuple(map(like, made.columns)), name=data.name, plane=data.plane)
