"""Majority vote: K members, each wrong with chance p; how often more than half of them err.

AIMA 18.10, Ex 18.18.
"""

from math import comb
from typing import Annotated

from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Empty,
    EngineError,
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
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.notation import counted

PSEUDOCODE = """
start round:  error = Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ, i > K/2
case detail:  for each case, of class c
ask:            each h[k] errs with chance p
vote:           i err; wrong if i > K/2
tally round:  counted beside the sum
"""
PARTS = 10  # of a run, after each of which the counts are shown
COMMON = (
    "of any two members' errors (extension): with chance √ρ a member copies a source that all share"
)


class Params(Record, eq=True):
    members: Annotated[int, Range(1, 31), Label("Members K")] = 5
    error: Annotated[float, Range(0, 1), Label("Error p of each")] = 0.1
    correlation: Annotated[float, Range(0, 1), Label("Correlation ρ"), Help(COMMON)] = 0.0
    cases: Annotated[
        int | None,
        Range(1, 10_000, log=True),
        Label("Cases"),
        Empty("rows"),
        Help("row after row, again and again"),
    ] = None


class State(Record):
    """What was counted is `votes` and `counts`; the fields after them are what this step shows.

    votes: (K,) of each case so far, what the members say, as classes
    counts: (K + 1,) cases in which i members erred
    current: row of the case that this step shows, or −1
    copied: (K,) which members copy the common source in this case
    """

    votes: Prefix[Int]
    counts: Int
    current: int = -1
    copied: Bool | None = None

    @property
    def tallied(self) -> int:
        """The number of cases counted."""
        return int(self.counts.sum())

    @property
    def errors(self) -> int:
        """The number of cases in which more than half of the members erred."""
        return int(majority_errs(self.counts))


class Setting(Given[Params]):
    """The cases, which are the labelled rows in turn, and the error chances of K members."""

    @cached_property
    def rows(self) -> Int:
        """(m,) the indices of the labelled rows."""
        return np.flatnonzero(self.problem.labelled)

    @property
    def cases(self) -> int:
        """The number of cases: as set, else that of the labelled rows."""
        return self.p.cases or len(self.rows)

    @property
    def copying(self) -> float:
        """The chance √ρ that a member copies the common source."""
        return float(np.sqrt(self.p.correlation))

    @cached_property
    def law(self) -> Float:
        """(K + 1,) the chance that i of K members err: C(K,i) pⁱ (1−p)ᴷ⁻ⁱ, if none copies."""
        K = self.p.members
        p = self.p.error
        if self.copying:
            return counts_law(K, p, self.copying)
        return np.array([comb(K, i) * p**i * (1 - p) ** (K - i) for i in range(K + 1)])

    @cached_property
    def errs(self) -> float:
        """The chance that the majority errs, the sum of the law over i > K/2."""
        i = np.arange(len(self.law))
        return float(self.law[i > self.p.members / 2].sum())

    def row(self, case: int) -> int:
        """The index of the row of a case, counted from 0."""
        return int(self.rows[case % len(self.rows)])

    def draw_errors(self, rng: Rng) -> tuple[Bool, Bool]:
        """((K,) which members err, (K,) which copy the source) in the next case.

        A member errs with chance p; one that copies errs where the source does, with chance p too.
        """
        K = self.p.members
        chance = rng.random(2 * K + 1)
        copied = chance[:K] < self.copying
        alone = chance[K:-1] < self.p.error
        source = chance[-1] < self.p.error
        return np.where(copied, source, alone), copied

    def skip(self, rng: Rng, cases: int) -> None:
        """Draw and discard the random numbers of so many cases."""
        rng.random((cases, 2 * self.p.members + 1))

    def is_tallied(self, case: int) -> bool:
        """Whether the counts are shown after this many cases: after each tenth, and at the end."""
        return case % max(1, self.cases // PARTS) == 0 or case == self.cases

    def wrong(self, s: State) -> int:
        """The number of members that erred in the last case."""
        return int(np.count_nonzero(s.votes[-1] != self.problem.codes[s.current]))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    nothing = frozen(np.zeros(given.p.members + 1, np.intp))
    s = State(votes=Prefix([], 0), counts=nothing)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    K = given.p.members
    s = whole_cases(given, s)
    given.skip(rng, s.tallied)
    for case in range(s.tallied, given.cases):
        s = replace(s, current=given.row(case), copied=None)
        yield from at("case", s)
        errs, copied = given.draw_errors(rng)
        c = given.problem.codes[s.current]
        votes = np.where(errs, 1 - c, c)
        s = replace(s, votes=s.votes.plus(frozen(votes)), copied=frozen(copied))
        yield from at("ask", s)
        i = int(np.count_nonzero(errs))
        counts = s.counts.copy()
        counts[i] += 1
        s = replace(s, counts=frozen(counts))
        yield from at("vote", s, *when(wrong=i > K / 2, tie=i == K / 2))
        if given.is_tallied(s.tallied):
            yield from at("tally", replace(s, current=-1, copied=None), "round")


def whole_cases(given: Setting, s: State) -> State:
    """The state from which a run can go on; an uncounted case begins again.

    Raises EngineError where the number of members differs.
    """
    K = given.p.members
    before = len(s.counts) - 1
    if before != K:
        raise EngineError(f"{counted(before, 'member')} voted so far, not {K}: start again.")
    return replace(s, votes=Prefix(s.votes.items, s.tallied))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """Errors in per cent: of the majority by the formula and as counted, and of single members."""
    formula = 100 * given.errs
    if not s.tallied:
        return {"formula": formula}
    K = given.p.members
    wrong_answers = float(np.arange(K + 1) @ s.counts)
    return {
        "formula": formula,
        "errors": 100 * s.errors / s.tallied,
        "member": 100 * wrong_answers / (s.tallied * K),
    }


def example() -> Problem:
    """Eight points of two classes, of which only the number matters."""
    X = [
        [1.0, 1.0],
        [2.0, 1.5],
        [1.5, 2.5],
        [2.5, 2.0],
        [4.0, 3.0],
        [5.0, 3.5],
        [4.5, 4.5],
        [5.5, 4.0],
    ]
    return prepare(Dataset.from_arrays(np.array(X), ["A"] * 4 + ["B"] * 4))


ALGORITHM = Algorithm.of(
    __name__,
    title="Majority vote",
    task=Task.THEORY,
    source=("AIMA 18.10", "AIMA Ex 18.18", "LS, Ensemble learning"),
    needs=Needs(min_classes=2, max_classes=2, missing=True),
    curves=(
        Curve("errors", "cases that the majority gets wrong, %", digits=1, about=("counts",)),
        Curve("formula", "by the sum, %", bound=True, digits=2),
        Curve("member", "answers that are wrong, %", digits=1),
    ),
    events=("round", "wrong", "tie"),
)
