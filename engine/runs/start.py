"""Where a run begins that goes on from a step of another one, named alike on every machine."""

from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import counted, subscript
from engine.base.records import Record
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import Branches
from engine.protocol.step import Level

# most runs before a run, each replayed within the next; most ties of a run taken otherwise
MAX_STARTS, MAX_BRANCHES = 100, 1000
Change = tuple[tuple[int, ...], float]  # (place, value): a number of a state set by hand


class Start(Record, eq=True):
    """The state of one step of another run, of the same algorithm on the same data.

    key, params, seed, start: the recipe of that run
    step: the number of its step among those of `level` or coarser, from 0
    change: a number of that state set by hand, see `Algorithm.tweak`; None: the state as it was
    own: whether that run learnt from the lane's own examples, where the lane has some
    branches: the ties at which that run took another of the equals
    """

    key: str
    params: Any
    step: int
    seed: int = 0
    level: Level = Level.STEP
    start: "Start | None" = None
    change: Change | None = None
    own: bool = False
    branches: Branches = ()

    @property
    def depth(self) -> int:
        """The number of runs before the one that begins here."""
        return 1 + (self.start.depth if self.start is not None else 0)

    @property
    def place(self) -> str:
        """The step in words: 'round 10'."""
        return f"{self.level.name.lower()} {self.step:,}"

    def missing(self, count: int) -> str:
        """The sentence for a run that has only `count` steps of the level."""
        ends = counted(count, self.level.name.lower())
        return (
            f"The run to go on from has no {self.place} now: it ends after {ends}, numbered from 0."
        )

    def check(self, algorithm: Algorithm[Any, Any]) -> None:
        """Raises EngineError when `algorithm` cannot begin here."""
        check_resumes(algorithm)
        if self.key != algorithm.key or not isinstance(self.params, algorithm.params):
            raise EngineError(
                f"{algorithm.title} can only go on from a run of its own; this is one of"
                f" {self.key}."
            )
        if self.depth > MAX_STARTS:
            raise EngineError(
                f"A run can go on from another one {MAX_STARTS} times, no more: start anew."
            )


def check_resumes(algorithm: Algorithm[Any, Any]) -> None:
    """Raises EngineError when `algorithm` cannot go on from a state."""
    if algorithm.resume is None:
        raise EngineError(f"{algorithm.title} cannot go on from a state; it starts again.")


def weights_by_hand(
    algorithm: Algorithm[Any, Any], given: Any, state: Any
) -> tuple[tuple[str, float], ...]:
    """(name, value) of each weight that can be set by hand; number k is at the place (k,).

    () where the algorithm cannot tweak and resume, or the state has no single row of weights; those
    of a network are set on its links.
    """
    w: Any = getattr(state, "w", None)
    if algorithm.tweak is None or algorithm.resume is None or getattr(w, "ndim", 0) != 1:
        return ()
    known = getattr(given, "names", ())
    names = known if len(known) == len(w) else [f"w{subscript(k)}" for k in range(len(w))]
    return tuple(zip(names, map(float, w), strict=True))


def changed(algorithm: Algorithm[Any, Any], given: Any, state: Any, change: Change | None) -> Any:
    """`state` with `change` applied; the state itself where `change` is None.

    Raises EngineError where there is no such number.
    """
    if change is None:
        return state
    if algorithm.tweak is None:
        raise EngineError(f"{algorithm.title} has no numbers to set by hand.")
    place, value = change
    try:
        return algorithm.tweak(given, state, place, value)
    except (IndexError, TypeError, ValueError) as odd:
        if isinstance(odd, EngineError):
            raise
        where = ", ".join(map(str, place))
        raise EngineError(
            f"{algorithm.title} has no number to set by hand at the place ({where})."
        ) from None
