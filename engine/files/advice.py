"""What a command line can add so that a refused run works: the options that its sentence advises,
tried before they are told.

Sentences of refusal name what can be done in the window; here each of these has an option of the
same effect.
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
from engine.protocol.step import Pace
from engine.read.column_kinds import read_for
from engine.runs.run import Run
from engine.table.dataset import ColumnRole
from engine.table.prepare import Split
from engine.table.transforms import Transform

TOGETHER = 3  # options that are combined
TOLD = 3  # combinations that a sentence names, the shortest ones
MOST_TRIED = 24  # first steps of runs
A_MOMENT = 0.2  # seconds of a run that is tried
HELD_OUT = 0.3


class Setup(NamedTuple):
    """A run that a command line asks for: an algorithm with parameters, a seed, and data as they
    were read.
    """

    source: Source
    algorithm: Algorithm[Any, Any]
    params: Any
    seed: int = 0

    def read(self) -> Source:
        """The data with their target read as the algorithm needs it."""
        return replace(self.source, data=read_for(self.source.data, self.algorithm.needs))

    def trouble(self) -> str:
        """The sentence of a run that is refused within its first moment; "" of one that works."""
        try:
            problem = self.read().problem(self.algorithm.needs.sample)
            Run(self.algorithm, problem, self.params, self.seed).advance(A_MOMENT)
        except EngineError as sentence:
            return str(sentence)
        return ""


Way = tuple[tuple[str, ...], Setup]  # words of the command line, and what they make of a run


@contextmanager
def advised_run(setup: Setup, pace: Callable[[int], Pace]) -> Iterator[Run]:
    """The run, not yet advanced; what is refused in making or advancing it tells the options that
    mend it.

    pace: of a problem with so many rows
    """
    try:
        problem = setup.read().problem(setup.algorithm.needs.sample)
        yield Run(setup.algorithm, problem, setup.params, setup.seed, pace(problem.n))
    except EngineError as sentence:
        raise EngineError(advised(str(sentence), setup)) from None


def advised(sentence: str, setup: Setup) -> str:
    """The sentence with the options after which the run works, if it is the run that was refused
    and there are some.
    """
    if setup.trouble() != sentence:
        return sentence
    left = iter(range(MOST_TRIED))
    shortest = sorted((words for words, _ in _ways(setup, sentence, TOGETHER, left)), key=len)
    found = ", or ".join(map(shlex.join, shortest[:TOLD]))
    return f"{sentence} On the command line: {found}." if found else sentence


def _ways(setup: Setup, sentence: str, most: int, left: Iterator[int]) -> Iterator[Way]:
    """Ways that work, each of at most so many options; a fault behind a fault is mended with it.
    left: trials.
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
    """What the sentence advises, whether or not it is enough.

    What cannot be done to these data is left out.
    """
    for pattern, change in _ADVICE:
        if re.search(pattern, sentence):
            with suppress(EngineError):
                yield from change(setup, sentence)


def _transformed(option: str, kind: str) -> Callable[[Setup, str], Iterator[Way]]:
    """The change that turns a transformation on."""

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
    """Words as 0/1 columns; missing words are filled before, so that each row has one of them."""
    if (
        setup.read().problem(setup.algorithm.needs.sample).has_gaps
        and not setup.algorithm.needs.missing
    ):
        for filled, changed in _filled(setup, sentence):
            for words, mended in _one_hot(changed, sentence):
                yield (*filled, *words), mended
    yield from _one_hot(setup, sentence)


def _target(setup: Setup, sentence: str) -> Iterator[Way]:
    """Other columns as the target, from the last on; the former one is set aside, because it may
    tell the answer.
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
    """The columns that are in the way, together; without a list of them those that the sentence
    names.
    """
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


def _parameters(setup: Setup, sentence: str) -> Iterator[Way]:
    """Parameters with the options that the sentence names."""
    now = to_dict(setup.params)
    for field in params_fields(type(setup.params)):
        for value in _values(field, sentence):
            if value != now[field.name]:
                params = build(type(setup.params), {**now, field.name: value})
                yield ("--set", f"{field.name}={value}"), setup._replace(params=params)


def _values(field: Field, sentence: str) -> list[Any]:
    """Values of a parameter that a sentence speaks of."""
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
)
