"""HALVING: the majority of all hypotheses that were never wrong; a mistake costs at least half of
them. ML 7.5.2, 7.3.3.1.
"""

from math import floor, log
from typing import Annotated

from engine.algorithms.rules.halving.spaces import Kind, Listed
from engine.algorithms.rules.parts import bits, enough
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
            "conjunctions of columns and negations, of whole numbers rectangles; unbiased: every"
            " function of the columns; columns: each one for itself"
        ),
    ] = "conjunctions"


class State(Record):
    """version_space (|H|,): who was never wrong; before: the same before this example; current: its
    row or −1; said: the class by the vote, −1 before; trail: after each example (hypotheses left,
    mistakes of the vote).
    """

    version_space: Bool
    before: Bool
    current: int
    said: int
    mistakes: int
    trail: Prefix[tuple[int, int]]

    @property
    def seen(self) -> int:
        """How many examples were taken."""
        return len(self.trail)

    @property
    def left(self) -> Int:
        """The numbers of the hypotheses left."""
        return np.flatnonzero(self.version_space)


class Setting(Listed[Params]):
    """H: all hypotheses; bound: on the mistakes, while one of H is right; enough: so many examples
    are, for whoever stays in V.
    """

    @cached_property
    def bound(self) -> int:
        return floor(self.H.bits)

    @cached_property
    def enough(self) -> int:
        return enough(self.H.bits * log(2))

    def contradictions(self, s: State) -> int:
        """How many of the examples not yet taken have another class than the one hypothesis left; 0
        where more or none are left.
        """
        if len(s.left) != 1:
            return 0
        rest = self.stream[s.seen :]
        holds = self.H.says(self.X[rest], s.left)[:, 0]
        return int((holds == (self.problem.codes[rest] == 1)).sum())


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    V = frozen(np.ones(given.H.size, dtype=bool))
    s = State(V, V, -1, -1, 0, Prefix([], 0))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    # of a vote without its end nothing is counted
    s = replace(s, mistakes=s.trail[-1][1] if s.seen else 0)
    for i in given.stream[s.seen :].tolist() if len(s.left) > 1 else ():
        left = s.left
        y = int(given.problem.codes[i])
        s = replace(s, before=s.version_space, current=i, said=-1)
        yield from at("take", s)
        yield None
        holds = given.H.says(given.X[[i]], left)[0]
        yes = int(holds.sum())
        s = replace(
            s, said=at.take((0, 1), 1) if 2 * yes == len(left) else int(2 * yes < len(left))
        )
        yield from at("vote", s, *when(tie=2 * yes == len(left)), yes=yes)
        s = replace(s, mistakes=s.mistakes + (s.said != y))
        yield from at("truth", s, *when(mistake=s.said != y), yes=yes)
        V = s.version_space.copy()
        V[left[holds == (y == 1)]] = False
        s = replace(s, version_space=frozen(V), trail=s.trail.plus((int(V.sum()), s.mistakes)))
        yield from at("strike", s)
        if len(s.left) <= 1:
            break
    wrong = given.contradictions(s)
    if len(s.left) <= 1:
        event = "empty" if not len(s.left) else "contradicted" if wrong else "learnt"
        yield from at("stop", s, event, wrong=wrong)
    yield from at("done", replace(s, before=s.version_space, current=-1, said=-1), wrong=wrong)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"mistakes": s.mistakes, "bound": given.bound, "V": len(s.left)}


def predict(given: Setting, s: State, X: Float) -> Int:
    """The first class where more than half of V hold, the second where not, also at a tie; −1 where
    V is empty or a value is missing.
    """
    left = s.left
    return given.labels(
        X,
        lambda values: np.where(
            2 * given.H.votes(values, left) > len(left), 0, 1 if len(left) else -1
        ),
    )


def example() -> Problem:
    """f₁ ∧ f₂, that is: of ten conjunctions one is left after three examples."""
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
