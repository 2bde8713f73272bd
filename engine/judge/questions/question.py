"""The questions that can be asked about a step: its decision, its example or column, its numbers,
its line.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import count
from math import isfinite
from typing import Any

from engine.base.notation import number
from engine.base.records import Record
from engine.base.tags import class_tag, column_tag, names_in
from engine.judge.questions.blanks import Blank, Blanks
from engine.judge.questions.dividing import where_of
from engine.protocol.algorithm import Algorithm
from engine.protocol.step import Choice, Note, Option, Step
from engine.table.problem import Problem

MOST = 10  # candidates listed in words; the others can still be clicked


class Kind(StrEnum):
    """The kind of a question; the values are the words used in the score."""

    POINT = "points"
    COLUMN = "columns"
    SIDE = "sides"
    CELL = "cells"
    BAR = "candidates"
    NUMBER = "numbers"
    LINE = "lines"


class Candidate(Record, eq=True):
    """One possible answer.

    tags: clicking anything with one of these gives this answer
    cut: (column, threshold) of a split, or None
    worth: the value that the decision compares, as text
    """

    label: str
    value: Any = None
    right: bool = False
    tags: frozenset[str] = frozenset()
    cut: tuple[int, float] | None = None
    worth: str = ""


class Question(Record):
    """A question before `step` is shown, with candidates or with blanks.

    Several candidates may be right.

    text: the formulas or the sentence with the blanks
    context: where the decision is made
    line: the label of the pseudo-code line, "" if it would give the answer away
    options: indices of the candidates listed in words, in an order independent of the decision
    rule: how a tie is broken, "" without a tie
    """

    kind: Kind
    prompt: str
    step: Step[Any]
    candidates: tuple[Candidate, ...] = ()
    blanks: tuple[Blank, ...] = ()
    text: tuple[str, ...] = ()
    context: str = ""
    line: str = ""
    options: tuple[int, ...] = ()
    rule: str = ""

    @property
    def right(self) -> tuple[int, ...]:
        """The indices of the right candidates."""
        return tuple(k for k, candidate in enumerate(self.candidates) if candidate.right)

    @property
    def box(self) -> tuple[float, ...]:
        """The part of the plane that the decision is about, to be lit; () for none."""
        choice = self.step.choice
        return (
            choice.box
            if choice is not None and any(map(isfinite, choice.box)) and self.kind is Kind.COLUMN
            else ()
        )

    @property
    def asks_for_class(self) -> bool:
        return any(
            candidate.tags & {class_tag(candidate.value)}
            for candidate in self.candidates
            if _whole(candidate.value)
        )

    @property
    def surfaces_give_away(self) -> bool:
        """Whether a surface of the model may give the answer away.

        Surfaces show the class, the cluster and the nearest of each place, but no splits.
        """
        choice = self.step.choice
        return self.kind is not Kind.COLUMN and choice is not None and len(choice.options) > 1

    def answering(self, lit: frozenset[str]) -> int | None:
        """The index of the one candidate that has any of these tags, or None.

        Several right cuts of the same column count as one.
        """
        found = [k for k, candidate in enumerate(self.candidates) if candidate.tags & lit]
        cuts = [self.candidates[k].cut for k in found if self.candidates[k].right]
        one = len(found) == 1 or (len(cuts) == len(found) and _of_one_column(cuts))
        return found[0] if one else None


def _of_one_column(cuts: Sequence[tuple[int, float] | None]) -> bool:
    columns = {None if cut is None else cut[0] for cut in cuts}
    return len(columns) == 1 and None not in columns


def questions(
    algorithm: Algorithm[Any, Any], problem: Problem, step: Step[Any]
) -> tuple[Question, ...]:
    """All questions about a step, the most telling first; at least one, and one per kind."""
    makers: tuple[Callable[[], Question | None], ...] = (
        lambda: of_choice(problem, step),
        lambda: of_blanks(step, formulas=True),
        lambda: of_point(problem, step),
        lambda: of_column(problem, step),
        # the sentence of a decision gives the choice away
        lambda: None if of_choice(problem, step) else of_blanks(step, formulas=False),
        lambda: of_line(algorithm, step),
    )
    found: dict[Kind, Question] = {}
    for make in makers:
        question = make()
        if question is not None:
            found.setdefault(question.kind, question)
    return tuple(found.values())


def question_of(
    kind: Kind, algorithm: Algorithm[Any, Any], problem: Problem, step: Step[Any]
) -> Question | None:
    """The question of this kind about a step, without making the others; or None."""
    chosen = of_choice(problem, step) if may_choose(algorithm, step.line) else None
    if chosen is not None and chosen.kind is kind:
        return chosen
    if kind is Kind.NUMBER:
        return of_blanks(step, formulas=True) or (
            of_blanks(step, formulas=False) if chosen is None else None
        )
    if kind is Kind.LINE:
        return of_line(algorithm, step)
    other = {Kind.POINT: of_point, Kind.COLUMN: of_column}.get(kind)
    return other(problem, step) if other is not None else None


def may_choose(algorithm: Algorithm[Any, Any], line: str) -> bool:
    """Whether the words of a line may return a choice: not if annotated to return a Note alone."""
    return getattr(algorithm.words(line), "__annotations__", {}).get("return") not in (Note, "Note")


# -- decisions -------------------------------------------------------------------------------------


def of_choice(problem: Problem, step: Step[Any]) -> Question | None:
    """The question which candidate wins; all that equal the best are right. None for fewer than two
    options.
    """
    choice = step.choice
    if choice is None or len(choice.options) < 2:
        return None
    kind = kind_of(choice.options, problem, choice.prompt)
    own = _own_tags(choice.options)
    made = [
        Candidate(
            option.label,
            option.value,
            k in choice.winners,
            _tags(kind, option, problem) | own[k],
            _cut(option, problem),
            _worth(choice, option),
        )
        for k, option in enumerate(choice.options)
    ]
    candidates = tuple(sorted(made, key=_place))
    # the label of the line may name the decision
    telling = kind in (Kind.SIDE, Kind.POINT) and len(made) == 2
    return Question(
        kind,
        prompt_of(choice),
        step,
        candidates,
        line="" if telling else step.line,
        options=options_of(candidates),
        rule=choice.rule if len(choice.winners) > 1 else "",
        context=(
            ""
            if telling or kind is not Kind.COLUMN
            else where_of(problem, step.note, choice, [c.label for c in candidates])
        ),
    )


def prompt_of(choice: Choice) -> str:
    """The choice's prompt; a caption such as 'Gain' becomes a question."""
    if choice.prompt.endswith("?"):
        return choice.prompt
    return (
        f"Which has the {'least' if choice.smallest else 'largest'}"
        f" {choice.prompt[:1].lower()}{choice.prompt[1:]}?"
    )


def kind_of(options: Sequence[Option], problem: Problem, prompt: str = "") -> Kind:
    """The kind of question that the values of the options make.

    A number may be a row, a column or a class, so the label has to match that one's name. If rows
    and columns share names, the lit tags or the prompt decide.
    """
    values = [option.value for option in options]
    if any(isinstance(value, bool) for value in values):
        return Kind.SIDE
    columns = all(
        _column_of(option, problem) is not None or option.value == -1 for option in options
    )
    if columns and any(_speaks_of_column(option.about) for option in options):
        return Kind.COLUMN
    if all(_is_row(option, problem) for option in options) and not (columns and "column" in prompt):
        return Kind.POINT
    if columns:
        return Kind.COLUMN
    if problem.classes and all(
        _is_class(option, problem) or option.value == -1 for option in options
    ):
        return Kind.SIDE
    return Kind.CELL if all(_own_tags(options)) else Kind.BAR


def _speaks_of_column(about: str) -> bool:
    return any(name.startswith(column_tag("")) for name in names_in(about))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_row(option: Option, problem: Problem) -> bool:
    return (
        _whole(option.value)
        and 0 <= option.value < problem.n
        and problem.names[option.value] == option.label
    )


def _is_class(option: Option, problem: Problem) -> bool:
    return (
        _whole(option.value)
        and 0 <= option.value < len(problem.classes)
        and problem.class_text(option.value) == option.label
    )


def _column_of(option: Option, problem: Problem) -> int | None:
    """The index of the column that the option chooses, alone or with a threshold; or None."""
    value = option.value
    if (
        isinstance(value, tuple)
        and len(value) == 2
        and _whole(value[0])
        and isinstance(value[1], float)
    ):
        return value[0] if 0 <= value[0] < problem.d else None
    if not _whole(value) or not 0 <= value < problem.d:
        return None
    return (
        value
        if option.label in (problem.features[value].title, problem.features[value].name)
        else None
    )


def _cut(option: Option, problem: Problem) -> tuple[int, float] | None:
    """(column, threshold) of a split of a numeric column, or None."""
    column = _column_of(option, problem)
    if column is None or not isinstance(option.value, tuple) or option.value[1] != option.value[1]:
        return None
    return (column, option.value[1]) if problem.features[column].numeric else None


def _tags(kind: Kind, option: Option, problem: Problem) -> frozenset[str]:
    """The tags of whatever shows this option."""
    if kind is Kind.POINT:
        return frozenset(names_in(problem.row_tags[option.value]))
    if kind is Kind.COLUMN and (column := _column_of(option, problem)) is not None:
        return frozenset((column_tag(problem.features[column].name),))
    if kind is Kind.SIDE and _is_class(option, problem):
        return frozenset((class_tag(option.value),))
    return frozenset()


def _own_tags(options: Sequence[Option]) -> list[frozenset[str]]:
    """The tags in each option's `about`, if all have some and none overlap; else empty sets.

    A tag on the winner alone would give the answer away.
    """
    own = [frozenset(names_in(option.about)) for option in options]
    clear = all(own) and all(not own[i] & own[j] for i in range(len(own)) for j in range(i))
    return own if clear else [frozenset()] * len(own)


def _worth(choice: Choice, option: Option) -> str:
    if option.score != option.score:
        return option.detail or "out of the race"
    return f"{number(option.score, choice.digits)} {choice.unit}".strip()


def _place(candidate: Candidate) -> tuple[Any, ...]:
    """A sort key independent of the decision: by value, yes before no, else by label."""
    value = candidate.value
    if isinstance(value, bool):
        return 0, not value, 0.0, candidate.label
    if isinstance(value, (int, float)):
        return 0, value, 0.0, candidate.label
    if isinstance(value, tuple) and value and isinstance(value[0], (int, float)):
        point = candidate.cut[1] if candidate.cut is not None else 0.0
        return 0, value[0], point, repr(value[1:]), candidate.label
    return 1, 0, 0.0, candidate.label


def options_of(candidates: Sequence[Candidate]) -> tuple[int, ...]:
    """The indices of at most MOST candidates: right ones, and the others spread evenly."""
    if len(candidates) <= MOST:
        return tuple(range(len(candidates)))
    right = [k for k, candidate in enumerate(candidates) if candidate.right]
    kept = right[: MOST // 2]
    others = [k for k in range(len(candidates)) if k not in right]
    free = MOST - len(kept)
    spread = (
        others if len(others) <= free else [others[k * len(others) // free] for k in range(free)]
    )
    return tuple(sorted({*kept, *spread}))


# -- what the note speaks of -----------------------------------------------------------------------


def of_point(problem: Problem, step: Step[Any]) -> Question | None:
    """The question which example comes next, if an operand of the note is the name of one; else
    None.
    """
    rows = _named(step.note, problem.names, problem.titles, columns=False)
    if rows is None or problem.n < 2:
        return None
    tags = problem.row_tags
    made = tuple(
        Candidate(name, i, i in rows, frozenset(names_in(tags[i])))
        for i, name in enumerate(problem.names)
    )
    return Question(
        Kind.POINT, "Which example is the next step about?", step, made, options=options_of(made)
    )


def of_column(problem: Problem, step: Step[Any]) -> Question | None:
    """The question which column comes next, if an operand of the note is the title of one; else
    None.
    """
    columns = _named(step.note, problem.titles, problem.names, columns=True)
    if columns is None or problem.d < 2:
        return None
    made = tuple(
        Candidate(title, j, j in columns, frozenset((column_tag(problem.features[j].name),)))
        for j, title in enumerate(problem.titles)
    )
    return Question(
        Kind.COLUMN, "Which column is the next step about?", step, made, options=options_of(made)
    )


def _named(
    note: Note, names: Sequence[str], others: Sequence[str], columns: bool
) -> list[int] | None:
    """The indices of the first operand's text among `names`, or None.

    If `others` holds the text too, as with x₁ for a row and a column, it is a column if the operand
    lights one.
    """
    places: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        places.setdefault(name, []).append(k)
    for operand in note.operands.values():
        text = operand.value
        if (
            isinstance(text, str)
            and text in places
            and (text not in others or _speaks_of_column(operand.about) == columns)
        ):
            return places[text]
    return None


def of_blanks(step: Step[Any], formulas: bool) -> Question | None:
    """The numbers of the step as blanks: the results of its formulas, or those of its sentence.

    None without numbers.
    """
    blanks = Blanks(step.note, count(1))
    text = blanks.of_formulas() if formulas else blanks.of_sentence()
    if not blanks.found:
        return None
    prompt = "Do this step yourself." if formulas else "Which numbers?"
    return Question(
        Kind.NUMBER,
        prompt,
        step,
        blanks=tuple(blanks.found),
        text=text,
        line=step.line if formulas else "",
    )


def of_line(algorithm: Algorithm[Any, Any], step: Step[Any]) -> Question:
    """The question which line of the pseudo-code comes next."""
    lines = [(label, text.strip()) for label, text in algorithm.code_lines() if label]
    made = tuple(Candidate(text or label, label, label == step.line) for label, text in lines)
    return Question(Kind.LINE, "Which line comes next?", step, made, options=options_of(made))
