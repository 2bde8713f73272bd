"""The error of a vote: over the number of members, over their own error, and when they err
together. AIMA 18.10, Ex 18.18.
"""

from functools import lru_cache
from math import comb
from typing import Annotated, NamedTuple

from engine.algorithms.ensembles.parts.majority import counts_law
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
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.authoring import (
    Setting as Given,
)
from engine.sources.generators import generate

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
    """The error of the majority of K members.

    K: members
    law: by the sum
    alone: by the sum, if they were independent
    counted: the share of the cases in which the majority was wrong
    """

    K: int
    law: float
    alone: float
    counted: float


class State(Record):
    """What was found is `seen`; the rest is what a moment looks at.

    seen: one for each number of members so far
    K: the number that is looked at
    wrong: in how many cases the majority was wrong
    counts: (K + 1,) shares of the cases in which so many erred, None before
    """

    seen: Prefix[Seen]
    K: int = 0
    wrong: int = 0
    counts: Float | None = None


class Setting(Given[Params]):
    """The members of the committee, their error and the number of cases."""

    @property
    def cases(self) -> int:
        """The number of cases that are drawn: as set, else one for each row of the table."""
        return self.p.cases or self.problem.n

    @property
    def copying(self) -> float:
        """√ρ, the chance that a member copies a source common to all, which gives two members the
        correlation ρ.
        """
        return float(np.sqrt(self.p.correlation))

    @cached_property
    def sizes(self) -> Int:
        """The odd numbers of members to visit, ascending; odd, so that there is always a
        majority.
        """
        most = (self.p.members - 1) // 2
        halves = np.unique(np.linspace(0, most, STEPS).astype(np.intp))
        return frozen(2 * halves + 1)

    def law(self, K: int, p: float | None = None, together: bool = True) -> float:
        """The chance that more than half of K members err, each with chance p.

        p: the parameter's, if none is given; together: whether they copy as they do.
        """
        error = self.p.error if p is None else p
        return majority_errs(K, error, self.copying if together else 0.0)


@lru_cache(10_000)  # the curves of every step want the same ones
def majority_errs(K: int, p: float, copying: float) -> float:
    """Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ over i > K/2, the chance that more than half of K members err. AIMA Ex
    18.18.

    For members that copy with chance `copying`, the same sum of their law.
    """
    i = np.arange(K + 1)
    law = np.array([comb(K, i) * p**i * (1 - p) ** (K - i) for i in range(K + 1)])
    if copying:
        law = counts_law(K, p, copying)
    return float(law[i > K / 2].sum())


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    errs = draw_errors(given, rng)
    erring = errs.cumsum(axis=1, dtype=np.intp)  # (cases, members) of the first 1, 2, … members
    s = State(Prefix([], 0))
    yield from at("start", s)
    for K in given.sizes.tolist():
        s = replace(s, K=K)
        yield from at("size", s)
        law = given.law(K)
        yield from at("law", s, law=law)
        i = erring[:, K - 1]  # (cases,) how many of the K err
        wrong = int(np.count_nonzero(i > K / 2))
        seen = Seen(K, law, given.law(K, together=False), wrong / given.cases)
        first = law < SMALL and all(one.law >= SMALL for one in s.seen)
        counts = frozen(np.bincount(i, minlength=K + 1) / given.cases)
        s = replace(s, seen=s.seen.plus(seen), counts=counts, wrong=wrong)
        events = ("below 1 %",) if first else ()
        yield from at("count", s, *events)
        yield None
    yield from at("told", s)


def draw_errors(given: Setting, rng: Rng) -> Int:
    """(cases, members) 1 where a member errs, by itself or by copying the common source, else 0."""
    n = given.cases
    most = int(given.sizes[-1])
    copies = rng.random((n, most)) < given.copying
    own = rng.random((n, most)) < given.p.error
    source = rng.random((n, 1)) < given.p.error
    return np.where(copies, source, own).astype(np.intp)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """The counted errors of the present number of members, in per cent; {} before the first."""
    if not s.seen:
        return {}
    last = s.seen[-1]
    return {"law": 100 * last.law, "counted": 100 * last.counted, "alone": 100 * last.alone}


def example() -> Problem:
    """Forty points, of which only the number counts: forty cases."""
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
    without_data=lambda p: p.cases is not None,
)
