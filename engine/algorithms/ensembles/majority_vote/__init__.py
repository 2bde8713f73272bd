"""Majority vote: K members, each wrong with chance p; how often more than half of them err.

AIMA 18.10, Ex 18.18.
"""

from typing import Annotated

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
    Setting as Given,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs
from engine.core.notation import counted, plural

PSEUDOCODE = """
start round:  error = Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ, i > K/2
case detail:  for each case, of class c
ask:            each h[k] errs with chance p
vote:           i err; wrong if i > K/2
tally round:  counted beside the sum
"""
PARTS = 10  # of a run, after each of which is counted
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
    """votes: what the members (K,) say of each case so far, as classes; counts (K + 1,): cases in
    which so many erred. current: row of the case looked at, or −1; copied (K,): which members copy
    the common source in it.
    """

    votes: Prefix[Int]
    counts: Int
    current: int = -1
    copied: Bool | None = None

    asked = property(lambda s: int(np.add.reduce(s.counts)))

    @property
    def errors(self) -> int:
        """Cases in which more than half erred."""
        return int(majority_errs(self.counts))


class Setting(Given[Params]):
    """rows: labelled ones; cases: to be asked; copying: chance that a member copies the common
    source; errs: that most err.
    """

    rows = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    cases = property(lambda given: given.p.cases or len(given.rows))
    copying = property(lambda given: float(np.sqrt(given.p.correlation)))
    errs = cached_property(lambda given: majority_errs(given.law))

    @cached_property
    def law(self) -> Float:
        """(K + 1,) the chance that so many err."""
        return counts_law(self.p.members, self.p.error, self.copying)

    def row(self, case: int) -> int:
        return int(self.rows[case % len(self.rows)])

    def wrong(self, s: State) -> int:
        """How many erred in the last case."""
        return int(np.count_nonzero(s.votes[-1] != self.problem.codes[s.current]))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at(
        "start", s := State(Prefix([], 0), frozen(np.zeros(given.p.members + 1, np.intp)))
    )
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    K = given.p.members
    p = given.p.error
    codes = given.problem.codes
    if len(s.counts) != K + 1:
        asked = len(s.counts) - 1
        raise EngineError(
            f"{counted(asked, 'member')} {plural(asked, 'was', 'were')} asked so far, not {K}:"
            " start again."
        )
    # a case whose votes were not counted begins again
    s = replace(s, votes=Prefix(s.votes.items, s.asked))
    rng.random((s.asked, 2 * K + 1))  # the chances of the cases that were
    for case in range(s.asked, given.cases):
        s = replace(s, current=given.row(case), copied=None)
        yield from at("case", s)
        chance = rng.random(2 * K + 1)
        copied = chance[:K] < given.copying
        own = chance[K:-1] < p
        source = chance[-1] < p
        errs = np.where(copied, source, own)
        truth = codes[s.current]
        s = replace(
            s, votes=s.votes.plus(frozen(np.where(errs, 1 - truth, truth))), copied=frozen(copied)
        )
        yield from at("ask", s)
        i = int(errs.sum())
        s = replace(s, counts=frozen(s.counts + (np.arange(K + 1) == i)))
        yield from at("vote", s, *when(wrong=2 * i > K, tie=2 * i == K))
        if (case + 1) % max(1, given.cases // PARTS) == 0 or case + 1 == given.cases:
            yield from at("tally", replace(s, current=-1, copied=None), "round")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """In per cent."""
    told = {"formula": 100 * given.errs}
    asked = s.asked
    K = given.p.members
    if asked:
        erred = 100 * float(np.arange(K + 1).dot(s.counts))
        told |= {"errors": 100 * s.errors / asked, "member": erred / (asked * K)}
    return told


def example() -> Problem:
    """Eight points of two classes: what they are does not matter, only how many there are."""
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
