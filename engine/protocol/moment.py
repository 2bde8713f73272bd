"""How a page emits its steps: `yield from at("update", s, "mistake", score=score)`.

The line decides the level, the state the metrics, and the words are made on first use. A page need
not look at the pace: steps finer than the pace are dropped, and a part that has a fast path takes
it. See docs/architecture.md.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import copy
from functools import wraps
from time import perf_counter
from types import GeneratorType
from typing import Any, ParamSpec, Protocol, TypeVar

from numpy.random import Generator as Rng

from engine.base.records import Record
from engine.protocol.setting import AnySetting
from engine.protocol.step import Level, Pace, Step, Tie, Words

S = TypeVar("S")
T = TypeVar("T")
A = ParamSpec("A")

Branches = tuple[tuple[int, int], ...]  # (number of a tie, which of the equals is taken), by number
BETWEEN = 0.02  # seconds of a run between two checkpoints
PULSE = (None,)


def when(**events: bool) -> tuple[str, ...]:
    """The names of the events that happened, in the order in which they are written.

    An underscore stands for a space: `when(no_edge=error >= 0.5)` gives ("no edge",) or ().
    """
    return tuple(name.replace("_", " ") for name, happened in events.items() if happened)


class Checkpoint(Record, eq=True):
    """A place between two steps from which a run goes on as it did, to the last bit.

    go_on: (given, state, at, rng, *known) -> the steps from there on
    known: what the page knows there beside its state; copied before each use
    chance: the state of the random generator
    ties: how many ties the run has met
    seconds: `perf_counter()` at that place
    """

    go_on: Callable[..., Iterator[Any]]
    state: Any
    known: tuple[Any, ...]
    chance: Any
    ties: int
    seconds: float


Steps = Iterator[Step[S] | Checkpoint | None]  # what `steps` and `resume` give
# a part of a page: it yields steps and returns a result
Part = Generator[Step[S] | Checkpoint | None, None, T]

Recursive = Generator[Any, Any, T]  # a part that calls itself by `answer = yield part(…)`


class Method(Protocol):
    """What `At` needs of an algorithm."""

    @property
    def recorded_at(self) -> Mapping[Level, Mapping[str, Level]]: ...
    @property
    def measured(self) -> Callable[[Any, Any], Mapping[str, float]]: ...
    def words(self, line: str) -> Callable[..., Words]: ...
    def twin(self, name: str) -> Callable[..., Any] | None: ...


class At:
    """Emits the steps of one run at one pace.

    leaps: whether parts with a fast path take it when their steps are finer than the pace
    branches: ties at which another of the equals is taken than by the page's rule; such a run never
        leaps, because a fast path meets no ties
    rng: the random generator of a run whose checkpoints are wanted
    """

    __slots__ = (
        "_branches", "_due", "_given", "_levels", "_measured", "_method", "_rng", "_tie", "_ties",
        "_twins", "leaps", "pace",
    )  # fmt: skip

    def __init__(
        self,
        method: Method,
        given: AnySetting,
        pace: Pace = Pace(),
        leaping: bool = True,
        branches: Branches = (),
        rng: Rng | None = None,
    ) -> None:
        self._method, self._given, self.pace = method, given, pace
        self._rng = rng
        self._due = perf_counter() + BETWEEN
        self._branches = dict(branches)
        self._ties = 0
        self._tie: Tie | None = None  # shown by the next step
        self._twins: dict[str, Callable[..., Any] | None] = {}  # each looked up once a run
        self._levels = method.recorded_at[pace.level]
        self.leaps = leaping and not pace.step and not branches
        self._measured = method.measured

    def begin(self, branches: Branches, rng: Rng | None = None) -> None:
        """Begin a run with the next step: its ties are numbered from 0.

        branches, rng: as in `At`
        """
        self._branches = dict(branches)
        self._ties = 0
        self._tie = None
        self._rng = rng
        self.leaps = not self.pace.step and not branches

    def __call__(self, line: str, state: S, /, *events: str, **details: Any) -> tuple[Step[S], ...]:
        """(step,) at `line`; () when the line is finer than the pace.

        details: what the words of the line need beside the state; the values must never change
        """
        level = self._levels.get(line)
        if self._tie is not None:
            known, tie = self._broken(line, details)
            return () if level is None else (Step(self, line, state, level, events, known, tie),)
        return () if level is None else (Step(self, line, state, level, events, details),)

    def take(self, equals: Sequence[T], usual: T | None = None) -> T:
        """One of `equals`, the candidates as good as the best, in the order of the choice's
        winners.

        usual: the one that the page's rule takes; None: the first
        The run's `branches` may take another one. Call it right before the step that shows the
        choice. Where the page leaps, ties are not counted and the rule decides.
        """
        if len(equals) < 2 or self.leaps:
            return equals[0] if usual is None else usual
        number = self._ties
        rule = 0 if usual is None else equals.index(usual)
        taken = self._branches.get(number, rule)
        taken = taken if taken < len(equals) else rule
        self._ties = number + 1
        self._tie = Tie(number, taken, taken != rule)
        return equals[taken]

    def end(self, line: str, state: S, /, *events: str, **details: Any) -> tuple[Step[S], ...]:
        """(step,) that ends something: it is emitted at every pace."""
        return (Step(self, line, state, Level.ROUND, events, *self._broken(line, details)),)

    def step(self, line: str, state: S, /, *events: str, **details: Any) -> tuple[Step[S], ...]:
        """(step,) at a line of details, where they are so few that each is a step; () where only
        rounds are wanted.
        """
        known, tie = self._broken(line, details)
        return (Step(self, line, state, Level.STEP, events, known, tie),) if self.pace.step else ()

    def _broken(
        self, line: str, details: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], Tie | None]:
        """(details, tie): the details of a line, and the tie that its step shows or None.

        Words that name the rule take `hand`: True where the tie was broken by hand.
        """
        tie = self._tie
        self._tie = None
        hand = (
            tie is not None and tie.by_hand and "hand" in self._method.words(line).__annotations__
        )
        return {**details, "hand": True} if hand else details, tie

    def checkpoint(
        self, go_on: Callable[..., Steps[S]], state: S, known: Callable[[], tuple[Any, ...]]
    ) -> "tuple[Checkpoint | None]":
        """(Checkpoint,) where one is due; else (None,), a pulse.

        known: makes what `go_on(given, state, at, rng, *known())` needs beside the state: numbers,
            and things that `copy` copies
        """
        if self._rng is None or (now := perf_counter()) < self._due:
            return PULSE
        self._due = now + BETWEEN
        return (
            Checkpoint(
                go_on,
                state,
                tuple(map(copy, known())),
                self._rng.bit_generator.state,
                self._ties,
                now,
            ),
        )

    def take_up(self, checkpoint: Checkpoint, rng: Rng) -> Steps[Any]:
        """The steps of the run from `checkpoint` on; sets `rng` to its state there."""
        rng.bit_generator.state, self._ties = checkpoint.chance, checkpoint.ties
        return checkpoint.go_on(
            self._given, checkpoint.state, self, rng, *map(copy, checkpoint.known)
        )

    def records(self, line: str) -> bool:
        """Whether the work towards steps at `line` is needed: they are emitted, or hold a tie that
        may be taken otherwise.
        """
        return line in self._levels or bool(self._branches)

    tells = records  # its earlier name, for pages in other folders

    def measured(self, state: Any) -> Mapping[str, float]:
        """The metrics of a state."""
        return self._measured(self._given, state)

    def say(self, line: str, state: Any, details: Mapping[str, Any]) -> Words:
        """The words of a step at `line`."""
        return self._method.words(line)(self._given, state, **details)

    def twin(self, name: str, rounds: bool = False) -> Callable[..., Any] | None:
        """The function `name` in the algorithm's `fast` where it is to be used now; else None.

        rounds: the part emits whole rounds, so that only a run for its last step may leap
        """
        if not self.leaps or (rounds and not self.pace.end):
            return None
        if name not in self._twins:
            self._twins[name] = self._method.twin(name)
        return self._twins[name]


def leap(part: "Callable[A, Part[S, T]]", rounds: bool = False) -> "Callable[A, Part[S, T]]":
    """Decorator of a part (given, at, …) of a page that yields steps and returns its result.

    Where its steps are not wanted, the function of the same name in the algorithm's `fast` gives
    the result: (given, …) -> the result, or a `Work`. It returns NotImplemented where the page has
    to do it.
    """

    name = part.__name__

    @wraps(part)
    def leapt(*args: A.args, **kwargs: A.kwargs) -> Part[S, T]:
        at: Any = args[1]
        twin = at.twin(name, rounds)
        come_to: Any = twin(args[0], *args[2:], **kwargs) if twin is not None else NotImplemented
        if come_to is NotImplemented:
            return part(*args, **kwargs)
        return come_to if isinstance(come_to, GeneratorType) else _silent(come_to)

    return leapt


def leap_to(
    short: Callable[..., Any],
) -> "Callable[[Callable[A, Part[S, T]]], Callable[A, Part[S, T]]]":
    """`leap` where the fast path is one call: `short` (given, …), defined on the page or imported
    there.
    """

    def declared(part: "Callable[A, Part[S, T]]") -> "Callable[A, Part[S, T]]":
        @wraps(part)
        def leapt(*args: A.args, **kwargs: A.kwargs) -> Part[S, T]:
            at: Any = args[1]
            if not at.leaps:
                return part(*args, **kwargs)
            come_to: Any = short(args[0], *args[2:], **kwargs)
            return come_to if isinstance(come_to, GeneratorType) else _silent(come_to)

        return leapt

    return declared


def _silent(come_to: T) -> Part[Any, T]:
    """A part without steps whose result is `come_to`."""
    yield from ()
    return come_to


def leap_rounds(part: "Callable[A, Part[S, T]]") -> "Callable[A, Part[S, T]]":
    """`leap` for a part that emits whole rounds: it leaps where only the last step is wanted."""
    return leap(part, rounds=True)


def unrolled(first: Recursive[T]) -> Part[Any, T]:
    """The steps and the result of a part that calls itself by `answer = yield part(…)`.

    The calls are kept in a list, because Python's own stack ends at a thousand and a tree can be
    deeper.
    """
    calls = [first]
    answer: Any = None
    while calls:
        try:
            emitted = calls[-1].send(answer)
        except StopIteration as end:
            calls.pop()
            answer = end.value
            continue
        answer = None
        if isinstance(emitted, GeneratorType):
            calls.append(emitted)
        else:
            yield emitted
    return answer  # type: ignore[no-any-return]
