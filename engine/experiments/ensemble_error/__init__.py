"""The error of a vote: over the number of members, over their own error, and when they err
together. AIMA 18.10, Ex 18.18.
"""

from functools import lru_cache
from typing import Annotated, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Empty,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.data.generators import generate
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs

PSEUDOCODE = """
start round:  members that err with chance p
size detail:  for K = 1, 3, 5, … members:
law detail:     Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ, i > K/2
count:          how often i > K/2 in n cases
told round:   the error over K and over p
"""
STEPS = 30  # numbers of members
SMALL = 0.01
COMMON = (
    "of any two members' errors (extension): with chance √ρ a member copies a source that all share"
)


class Params(Record, eq=True):
    error: Annotated[float, Range(0, 1), Label("Error p of each")] = 0.2
    correlation: Annotated[float, Range(0, 1), Label("Correlation ρ"), Help(COMMON)] = 0.0
    members: Annotated[int, Range(1, 301), Label("Members up to")] = 25
    cases: Annotated[
        int | None, Range(1, 10_000, log=True), Label("Cases"), Empty("rows"), Help("to be counted")
    ] = None


class Seen(NamedTuple):
    """With K members: the error of the majority by the sum, by the sum if they were independent,
    and counted.
    """

    K: int
    law: float
    alone: float
    counted: float


class State(Record):
    """seen: one for each number of members so far; K: the number that is looked at; wrong: how many
    cases had a wrong majority; counts (K + 1,): shares of the cases in which so many erred.
    """

    seen: Prefix[Seen]
    K: int = 0
    wrong: int = 0
    counts: Float | None = None


class Setting(Given[Params]):
    """sizes: odd numbers of members, so that there is a majority; cases: how many are counted."""

    cases = property(lambda given: given.p.cases or given.problem.n)
    copying = property(lambda given: float(np.sqrt(given.p.correlation)))

    @cached_property
    def sizes(self) -> Int:
        most = (self.p.members - 1) // 2
        return frozen(2 * np.unique(np.linspace(0, most, STEPS).astype(np.intp)) + 1)

    def law(self, K: int, p: float | None = None, together: bool = True) -> float:
        """The chance that more than half of K members err."""
        error = self.p.error if p is None else p
        return errs(K, error, self.copying if together else 0.0)


@lru_cache(10_000)  # the curves of every step ask for the same ones
def errs(K: int, p: float, copying: float) -> float:
    return majority_errs(counts_law(K, p, copying))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    erring = drawn(given, rng).cumsum(axis=1, dtype=np.intp)
    s = State(Prefix([], 0))
    yield from at("start", s)
    for K in given.sizes.tolist():
        s = replace(s, K=K)
        yield from at("size", s)
        law, alone = given.law(K), given.law(K, together=False)
        yield from at("law", s, law=law)
        i = erring[:, K - 1]
        wrong = int((2 * i > K).sum())
        counts = frozen(np.bincount(i, minlength=K + 1) / given.cases)
        first = law < SMALL and all(one.law >= SMALL for one in s.seen)
        s = replace(
            s,
            seen=s.seen.plus(Seen(K, law, alone, wrong / given.cases)),
            counts=counts,
            wrong=wrong,
        )
        yield from at("count", s, *["below 1 %"] * first)
        yield None
    yield from at("told", s)


def drawn(given: Setting, rng: Rng) -> Int:
    """(cases, members) 1 where a member errs: by itself, or because it copies the source that all
    share.
    """
    n = given.cases
    most = int(given.sizes[-1])
    copies = rng.random((n, most)) < given.copying
    own = rng.random((n, most)) < given.p.error
    return np.where(copies, rng.random((n, 1)) < given.p.error, own).astype(np.intp)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """In per cent."""
    if not s.seen:
        return {}
    last = s.seen[-1]
    return {"law": 100 * last.law, "counted": 100 * last.counted, "alone": 100 * last.alone}


def example() -> Problem:
    """Forty points: forty cases."""
    return prepare(generate("moons", 40, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Ensemble error",
    task=Task.THEORY,
    source=("AIMA 18.10", "AIMA Ex 18.18", "LS, Ensemble learning"),
    needs=Needs(labels=False, missing=True),
    curves=(
        Curve("law", "error of the majority, %"),
        Curve("counted", "counted, %"),
        Curve("alone", "if they were independent, %", bound=True, about=("law",)),
    ),
    events=("below 1 %",),
)
