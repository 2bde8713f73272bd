"""Finds options of the command line with which a refused run works; each is tried before it is
advised.

The sentence of a refusal names remedies in the window; each has an option with the same effect.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import replace
from engine.files.sources import Source, without
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import Field, build, params_fields, to_dict
from engine.protocol.recipe import wrapped
from engine.protocol.registry import algorithm
from engine.protocol.step import Pace
from engine.read.column_kinds import read_for
from engine.runs.run import Run
from engine.table.dataset import ColumnRole
from engine.table.prepare import Split
from engine.table.transforms import Transform

TOGETHER = 3  # the most options in a combination
NAMED = 3  # the shortest combinations, which the sentence names
MOST_TRIED = 24  # the most trial runs
A_MOMENT = 0.2  # seconds of a trial run
HELD_OUT = 0.3


class Setup(NamedTuple):
    """A run as a command line requests it: data as read, an algorithm, its parameters and a
    seed.
    """

    source: Source
    algorithm: Algorithm[Any, Any]
    params: Any
    seed: int = 0

    def read(self) -> Source:
        """The data, with the target read as the kind that the algorithm needs."""
        return replace(self.source, data=read_for(self.source.data, self.algorithm.needs))

    def trouble(self) -> str:
        """The error of the run within its first moment; "" if it works."""
        try:
            problem = self.read().problem(self.algorithm.needs.sample)
            Run(self.algorithm, problem, self.params, self.seed).advance(A_MOMENT)
        except EngineError as sentence:
            return str(sentence)
        return ""


Way = tuple[tuple[str, ...], Setup]  # words of the command line, and the run that they make


@contextmanager
def advised_run(setup: Setup, pace: Callable[[int], Pace]) -> Iterator[Run]:
    """The run, not yet advanced; an EngineError raised within the context gets advice appended.

    pace: a function of the number of rows
    """
    try:
        problem = setup.read().problem(setup.algorithm.needs.sample)
        yield Run(setup.algorithm, problem, setup.params, setup.seed, pace(problem.n))
    except EngineError as sentence:
        raise EngineError(advised(str(sentence), setup)) from None


def advised(sentence: str, setup: Setup) -> str:
    """The sentence with options that make the run work appended, if there are any.

    Unchanged if the sentence is not the error of this run.
    """
    if setup.trouble() != sentence:
        return sentence
    left = iter(range(MOST_TRIED))
    shortest = sorted((words for words, _ in _ways(setup, sentence, TOGETHER, left)), key=len)
    found = ", or ".join(map(shlex.join, shortest[:NAMED]))
    return f"{sentence} On the command line: {found}." if found else sentence


def _ways(setup: Setup, sentence: str, most: int, left: Iterator[int]) -> Iterator[Way]:
    """Combinations of at most `most` options with which the run works; successive faults are
    repaired too.

    left: the remaining trials
    """
    for words, changed in _changes(setup, sentence):
        if next(left, None) is None:
            return
        trouble = changed.trouble()
        if not trouble:
            yield words, changed
        elif most > 1 and trouble != sentence:
            for more, mended in _ways(changed, trouble, most - 1, left):
                yield (*words, *more), mended


def _changes(setup: Setup, sentence: str) -> Iterator[Way]:
    """The changes that the sentence advises, whether or not they suffice.

    Those that these data do not allow are left out.
    """
    for pattern, change in _ADVICE:
        if re.search(pattern, sentence):
            with suppress(EngineError):
                yield from change(setup, sentence)


def _transformed(option: str, kind: str) -> Callable[[Setup, str], Iterator[Way]]:
    """A function that yields the setup with a transformation added."""

    def change(setup: Setup, sentence: str) -> Iterator[Way]:
        source = setup.source
        made = Transform(kind)
        if made not in source.transforms:
            changed = replace(source, transforms=(*source.transforms, made))
            yield (option,), setup._replace(source=changed)

    return change


_one_hot = _transformed("--one-hot", "one_hot")
_filled = _transformed("--fill", "fill_missing")


def _indicators(setup: Setup, sentence: str) -> Iterator[Way]:
    """Turn words into 0/1 columns; gaps are filled first, so that each row has one of them."""
    if (
        setup.read().problem(setup.algorithm.needs.sample).has_gaps
        and not setup.algorithm.needs.missing
    ):
        for filled, changed in _filled(setup, sentence):
            for words, mended in _one_hot(changed, sentence):
                yield (*filled, *words), mended
    yield from _one_hot(setup, sentence)


def _target(setup: Setup, sentence: str) -> Iterator[Way]:
    """Use other columns as the target, from the last on.

    The old target is ignored, because it may give the answer away.
    """
    data = setup.source.data
    for column in reversed(data.features):
        with suppress(EngineError):  # more classes than can be shown
            aimed = data.with_role(column.name, ColumnRole.TARGET)
            words: tuple[str, ...] = ("--target", column.name)
            if data.target is not None:
                aimed = aimed.with_role(data.target.name, ColumnRole.IGNORED)
                words = (*words, "--leave-out", data.target.name)
            yield words, setup._replace(source=replace(setup.source, data=aimed))


def _left_out(setup: Setup, sentence: str) -> Iterator[Way]:
    """Ignore the columns that the refusal lists, else those that the sentence names."""
    source = setup.source
    refusal = setup.algorithm.needs.refusal(setup.read().problem(setup.algorithm.needs.sample))
    named = [c.name for c in source.data.features if quoted(c.name) in sentence]
    own = [
        c.name for c in source.data.features if refusal is not None and c.name in refusal.columns
    ] or named
    if 0 < len(own) < len(source.data.features):
        words = tuple(word for name in own for word in ("--leave-out", name))
        yield words, setup._replace(source=without(source, own))


def _held_out(setup: Setup, sentence: str) -> Iterator[Way]:
    source = replace(setup.source, split=Split(HELD_OUT, setup.seed))
    yield ("--split", str(HELD_OUT)), setup._replace(source=source)


def _wrapped(setup: Setup, sentence: str) -> Iterator[Way]:
    """Learn several classes with the method, which learns two."""
    problem = setup.read().problem(setup.algorithm.needs.sample)
    found = wrapped(setup.algorithm, setup.params, problem)
    if found is not None:
        key, values = found
        wrapper = algorithm(key)
        words = [key]
        for name, value in values.items():
            words += ["--set", f"{name}={value}"]
        params = build(wrapper.params, values)
        yield tuple(words), setup._replace(algorithm=wrapper, params=params)


def _parameters(setup: Setup, sentence: str) -> Iterator[Way]:
    """Set parameters to values that the sentence names."""
    now = to_dict(setup.params)
    for field in params_fields(type(setup.params)):
        for value in _values(field, sentence):
            if value != now[field.name]:
                params = build(type(setup.params), {**now, field.name: value})
                yield ("--set", f"{field.name}={value}"), setup._replace(params=params)


def _values(field: Field, sentence: str) -> list[Any]:
    """The values of a parameter that a sentence names."""
    if field.kind == "bool":
        return [True] if quoted(field.label) in sentence else []
    advice = sentence.casefold().rpartition("choose")[2]
    return [
        each
        for each in field.options
        if re.search(rf"\b{re.escape(str(each).casefold())}(s|\b)", advice)
    ]


_ADVICE: tuple[tuple[str, Callable[[Setup, str], Iterator[Way]]], ...] = (
    ("0/1 columns", _indicators),
    ("[Ff]ill|missing|gaps", _filled),
    ("[Dd]rop|missing|gaps", _transformed("--drop-missing", "drop_missing")),
    ("[Ss]tandardise|rescale", _transformed("--standardise", "standardise")),
    ("[Hh]old out", _held_out),
    ("[Ll]eave", _left_out),
    ("[Cc]hoose|[Tt]urn on", _parameters),
    ("as target", _target),
    ("needs two classes", _wrapped),
)
