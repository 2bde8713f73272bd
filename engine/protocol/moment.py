"""How a page tells its moments: `yield from at("update", s, "mistake", score=score)`.

See docs/architecture.md.

The line decides the level, the state decides the metrics, and the words are made when somebody
looks. A page says nothing of the pace: a moment that is finer than the pace is not told, and a part
that has a fast twin leaps.
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
BETWEEN = 0.02  # seconds of a run from one checkpoint to the next
PULSE = (None,)


def when(**events: bool) -> tuple[str, ...]:
    """The names of the events that happened, in the order in which they are written.

    An underscore stands for a space: `when(no_edge=error >= 0.5)` gives ("no edge",) or ().
    """
    return tuple(name.replace("_", " ") for name, happened in events.items() if happened)


class Checkpoint(Record, eq=True):
    """A place between two steps from which a run goes on as it did, to the last bit.

    go_on: (given, state, at, rng, *known) -> its steps from there; known: what the page knows there
    beside its state, which is copied before it is used; chance: the state of the random numbers;
    ties: how many the run had met; seconds: when it was there
    """

    go_on: Callable[..., Iterator[Any]]
    state: Any
    known: tuple[Any, ...]
    chance: Any
    ties: int
    seconds: float


Steps = Iterator[Step[S] | Checkpoint | None]  # what `steps` and `resume` give
# a part of a page: its moments, and what it comes to
Part = Generator[Step[S] | Checkpoint | None, None, T]

Recursive = Generator[Any, Any, T]  # a part that calls itself by `answer = yield part(…)`


class Method(Protocol):
    """What a run's moments need of an algorithm."""

    @property
    def recorded_at(self) -> Mapping[Level, Mapping[str, Level]]: ...
    @property
    def measured(self) -> Callable[[Any, Any], Mapping[str, float]]: ...
    def words(self, line: str) -> Callable[..., Words]: ...
    def twin(self, name: str) -> Callable[..., Any] | None: ...


class At:
    """Tells the moments of one run at one pace.

    leaps: whether parts with a fast twin leap when their moments are finer than the pace; branches:
    ties in which another of the equals is taken than by the rule of the page; a run with such never
    leaps, which no tie would survive; rng: the random numbers of a run whose checkpoints are wanted
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
        self._tie: Tie | None = None  # of the moment that comes next
        self._twins: dict[str, Callable[..., Any] | None] = {}  # asked for once a run
        self._levels = method.recorded_at[pace.level]
        self.leaps = leaping and not pace.step and not branches
        self._measured = method.measured

    def begin(self, branches: Branches, rng: Rng | None = None) -> None:
        """A run begins here, with the next moment: its ties are numbered from 0. branches, rng: as
        in `At`.
        """
        self._branches = dict(branches)
        self._ties = 0
        self._tie = None
        self._rng = rng
        self.leaps = not self.pace.step and not branches

    def __call__(self, line: str, state: S, /, *events: str, **told: Any) -> tuple[Step[S], ...]:
        """The moment at `line`, or nothing when the line is finer than the pace.

        told: what the words of the line need beside the state, of values that never change
        """
        level = self._levels.get(line)
        if self._tie is not None:
            known, tie = self._broken(line, told)
            return () if level is None else (Step(self, line, state, level, events, known, tie),)
        return () if level is None else (Step(self, line, state, level, events, told),)

    def take(self, equals: Sequence[T], usual: T | None = None) -> T:
        """One of the candidates that are as good as the best, in the order of the choice's winners:
        `usual`, by the rule of the page, None: the first, unless the run was told to take the other
        branch of this tie. Stands right before the moment that shows the choice. Where the page
        leaps nobody counts ties, and none can be taken otherwise.
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

    def end(self, line: str, state: S, /, *events: str, **told: Any) -> tuple[Step[S], ...]:
        """A moment that ends something: nobody may miss it, at whatever pace."""
        return (Step(self, line, state, Level.ROUND, events, *self._broken(line, told)),)

    def step(self, line: str, state: S, /, *events: str, **told: Any) -> tuple[Step[S], ...]:
        """A moment of a line of details, where there are so few of them that each is a step."""
        known, tie = self._broken(line, told)
        return (Step(self, line, state, Level.STEP, events, known, tie),) if self.pace.step else ()

    def _broken(self, line: str, told: Mapping[str, Any]) -> tuple[Mapping[str, Any], Tie | None]:
        """With the tie that the moment shows, if there is one; words that name the rule are told
        that the hand broke it.
        """
        tie = self._tie
        self._tie = None
        hand = (
            tie is not None and tie.by_hand and "hand" in self._method.words(line).__annotations__
        )
        return {**told, "hand": True} if hand else told, tie

    def checkpoint(
        self, go_on: Callable[..., Steps[S]], state: S, known: Callable[[], tuple[Any, ...]]
    ) -> "tuple[Checkpoint | None]":
        """A pulse; where one is due, with all that `go_on(given, state, at, rng, *known())` needs
        to go on as the run does: numbers, and things that `copy` copies.
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
        """The steps of the run from there on; rng: whose numbers go on too."""
        rng.bit_generator.state, self._ties = checkpoint.chance, checkpoint.ties
        return checkpoint.go_on(
            self._given, checkpoint.state, self, rng, *map(copy, checkpoint.known)
        )

    def tells(self, line: str) -> bool:
        """Whether moments at `line` are told, or hold a tie that may be taken otherwise: the way to
        them can be long.
        """
        return line in self._levels or bool(self._branches)

    def measured(self, state: Any) -> Mapping[str, float]:
        """The metrics of a state."""
        return self._measured(self._given, state)

    def say(self, line: str, state: Any, told: Mapping[str, Any]) -> Words:
        return self._method.words(line)(self._given, state, **told)

    def twin(self, name: str, rounds: bool = False) -> Callable[..., Any] | None:
        """The function of this name in the algorithm's `fast`, when it is to be taken now. rounds:
        the part tells some.
        """
        if not self.leaps or (rounds and not self.pace.end):
            return None
        if name not in self._twins:
            self._twins[name] = self._method.twin(name)
        return self._twins[name]


def leap(part: "Callable[A, Part[S, T]]", rounds: bool = False) -> "Callable[A, Part[S, T]]":
    """Decorator of a part (given, at, …) of a page that yields moments and returns what it came to:
    where nobody watches them, the function of the same name in the algorithm's `fast` answers
    (given, …) at once, or as a `Work` in parts; what it leaves to the page it answers with
    NotImplemented.
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
    """The same where the short form is one call: `short` (given, …) stands on the page, or is
    imported there.
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
    """A part without a moment."""
    yield from ()
    return come_to


def leap_rounds(part: "Callable[A, Part[S, T]]") -> "Callable[A, Part[S, T]]":
    """The same of a part that tells whole rounds: its twin answers where the last step alone is
    wanted.
    """
    return leap(part, rounds=True)


def unrolled(first: Recursive[T]) -> Part[Any, T]:
    """The moments of a part that calls itself, `answer = yield part(…)`, and what it comes to.

    The calls wait in a list: Python's own stack ends at a thousand of them, and a tree can be
    deeper.
    """
    calls = [first]
    answer: Any = None
    while calls:
        try:
            told = calls[-1].send(answer)
        except StopIteration as end:
            calls.pop()
            answer = end.value
            continue
        answer = None
        if isinstance(told, GeneratorType):
            calls.append(told)
        else:
            yield told
    return answer  # type: ignore[no-any-return]
