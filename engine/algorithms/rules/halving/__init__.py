"""HALVING: the majority of all hypotheses that were never wrong. ML 7.5.2, 7.3.3.1.

A mistake of the majority costs at least half of them.
"""

from math import floor, log
from typing import Annotated

from engine.algorithms.rules.halving.spaces import Kind, Listed
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE, bits, enough
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Prefix,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    replace,
    when,
)

PSEUDOCODE = """
start  round:  V ← H
take   detail: for each example (x, y)
vote:            say + if more than half of V do
truth:           see y; if it is not said: M += 1
strike:          strike all with h(x) ≠ y from V
stop   round:    |V| ≤ 1: stop
done   round:  return V
"""


class Params(Record, eq=True):
    hypotheses: Annotated[
        Kind,
        Label("Hypotheses H"),
        Help(
            "conjunctions: of columns and negations, or rectangles where columns hold whole"
            " numbers; unbiased: every function of the columns; columns: each one for itself"
        ),
    ] = "conjunctions"


class State(Record):
    """The model is `version_space`; the fields after `trail` are what this step shows.

    version_space: (|H|,) V, the hypotheses that were never wrong
    mistakes: M, those of the vote
    trail: after each example (hypotheses left, mistakes of the vote)
    before: (|H|,) V before this example
    current: its row, or −1
    said: the class by the vote, −1 before it
    """

    version_space: Bool
    mistakes: int
    trail: Prefix[tuple[int, int]]
    before: Bool
    current: int = -1
    said: int = -1

    @property
    def seen(self) -> int:
        """The number of examples seen."""
        return len(self.trail)

    @property
    def left(self) -> Int:
        """(|V|,) the indices of the hypotheses left."""
        return np.flatnonzero(self.version_space)


class Setting(Listed[Params]):
    """The table and H, the list of all hypotheses over it."""

    @cached_property
    def bound(self) -> int:
        """⌊log₂ |H|⌋, the largest number of mistakes if some h of H is right."""
        return floor(self.H.bits)

    @cached_property
    def enough(self) -> int:
        """The number of examples that suffices for every hypothesis left in V. ML Eq 7.2."""
        return enough(self.H.bits * log(2))

    def contradictions(self, s: State) -> int:
        """The number of unseen examples that the only hypothesis left gets wrong; 0 where not
        exactly one is left.
        """
        if len(s.left) != 1:
            return 0
        rest = self.stream[s.seen :]
        holds = self.H.says(self.X[rest], s.left)[:, 0]
        positive = self.problem.codes[rest] == POSITIVE
        return int(np.count_nonzero(holds != positive))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    V = frozen(np.ones(given.H.size, dtype=bool))  # V ← H
    s = State(V, mistakes=0, trail=Prefix([], 0), before=V)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    # the mistake of an example that was not finished does not count
    s = replace(s, mistakes=s.trail[-1][1] if s.seen else 0)
    for i in given.stream[s.seen :].tolist():
        if len(s.left) <= 1:
            break
        s = yield from one_example(given, at, s, i)
    wrong = given.contradictions(s)
    if len(s.left) <= 1:
        empty = len(s.left) == 0
        contradicted = wrong > 0
        learnt = not empty and not contradicted
        events = when(empty=empty, contradicted=contradicted, learnt=learnt)
        yield from at("stop", s, *events, wrong=wrong)
    yield from at("done", replace(s, before=s.version_space, current=-1, said=-1), wrong=wrong)


def one_example(given: Setting, at: At, s: State, i: int) -> Part[State, State]:
    """The state after V votes on row i and loses the hypotheses that were wrong."""
    s = replace(s, before=s.version_space, current=i, said=-1)
    yield from at("take", s)
    yield None

    V = s.left
    holds = given.H.says(given.X[[i]], V)[0]  # (|V|,) which of them say +
    yes = int(np.count_nonzero(holds))
    tie = 2 * yes == len(V)
    said = POSITIVE if 2 * yes > len(V) else NEGATIVE  # + if more than half of V do
    if tie:
        said = at.take((POSITIVE, NEGATIVE), NEGATIVE)
    s = replace(s, said=said)
    yield from at("vote", s, *when(tie=tie), yes=yes)

    y = int(given.problem.codes[i])
    mistake = s.said != y
    s = replace(s, mistakes=s.mistakes + mistake)
    yield from at("truth", s, *when(mistake=mistake), yes=yes)

    wrong = holds != (y == POSITIVE)  # (|V|,) h(x) ≠ y
    kept = s.version_space.copy()
    kept[V[wrong]] = False
    left = len(V) - int(np.count_nonzero(wrong))
    s = replace(s, version_space=frozen(kept), trail=s.trail.plus((left, s.mistakes)))
    yield from at("strike", s)
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"mistakes": s.mistakes, "bound": given.bound, "V": len(s.left)}


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first class where more than half of V hold, the second elsewhere, also at a tie.

    −1 where V is empty or a value is missing.
    """
    V = s.left
    if not len(V):
        return np.full(len(X), -1)

    def by_vote(values: Float) -> Int:
        return np.where(2 * given.H.votes(values, V) > len(V), POSITIVE, NEGATIVE)

    return given.labels(X, by_vote)


def example() -> Problem:
    """Four rows labelled f₁ ∧ f₂: of ten conjunctions one is left after three examples."""
    return bits("11 10 01 00", "1000")


ALGORITHM = Algorithm.of(
    __name__,
    title="Halving",
    task=Task.RULES,
    source=("ML 7.5.2", "ML 7.3.3.1", "ML 7.3.2", "ML Eq 7.2", "ML Eq 7.5", "ML Exercise 7.2"),
    narrow=True,
    needs=Needs(min_classes=2, max_classes=2, binary=True, whole=True),
    curves=(
        Curve("mistakes", "mistakes of the vote", digits=0, about=("votes",)),
        Curve(
            "bound", "bound log₂ |H| on the mistakes", bound=True, digits=0, about=("hypotheses",)
        ),
        Curve("V", "hypotheses left", log=True, digits=0, about=("hypotheses", "bits")),
    ),
    events=("mistake", "tie", "learnt", "contradicted", "empty"),
)
