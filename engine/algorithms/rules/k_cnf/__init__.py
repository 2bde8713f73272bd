"""k-CNF: every clause of at most k literals becomes a new column, and FIND-S runs on these.

ML 7.3.3.2, Eq 7.6.
"""

from math import log
from typing import Annotated

from engine.algorithms.rules.k_cnf.clauses import all_clauses, mistake_bound, true
from engine.algorithms.rules.parts import Booleans, bits, enough
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
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.numerics.boolean import Classes

PSEUDOCODE = """
make   round:  Z ← clauses of ≤ k literals
start  round:  S ← all of Z: never holds
take   detail: for each example (x, y)
skip   detail:   y negative: leave S
keep   detail:   all of S hold at x: leave S
drop:            drop from S what is 0 at x
done   round:  return the clauses of S, all ∧
"""


class Params(Record, eq=True):
    k: Annotated[
        int,
        Range(1, 4),
        Label("Literals k"),
        Help("a clause is true where one of at most so many literals is"),
    ] = 2


class State(Record):
    """S (c,): which clauses are left; before: before this example; current: its row or −1; seen:
    how many examples were taken; mistakes: how many of them S got wrong when they came; errors: how
    many rows of the table it gets wrong now.
    """

    S: Bool
    before: Bool
    current: int
    seen: int
    mistakes: int
    errors: int


class Setting(Booleans[Params]):
    """clauses (c, k), see all_clauses; bound: on the mistakes; enough: so many examples are, to
    learn k-term DNF (Eq 7.6).
    """

    @cached_property
    def clauses(self) -> Int:
        return all_clauses(self.problem.d, self.p.k)

    @cached_property
    def bound(self) -> int:
        return mistake_bound(self.problem.d, self.p.k)

    @cached_property
    def enough(self) -> int:
        return enough(self.problem.d * self.p.k * log(3))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    S = frozen(np.ones(len(given.clauses), dtype=bool))
    s = State(S, S, -1, 0, 0, len(given.positives))
    yield from at("make", s)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    for i in given.stream[s.seen :].tolist():
        positive = given.problem.codes[i] == 0
        kept = np.flatnonzero(s.S)
        s = replace(s, before=s.S, current=i)
        yield from at("take", s)
        yield None
        z = true(given.X[[i]], given.clauses[kept])[0]
        held = bool(z.all())
        s = replace(s, seen=s.seen + 1, mistakes=s.mistakes + int(held != positive))
        if held and not positive:
            yield from at.step("skip", s, "mistake", "contradiction", held=True)
        elif not positive:
            yield from at("skip", s, held=False)
        elif held:
            yield from at("keep", s)
        else:
            S = s.S.copy()
            S[kept[~z]] = False
            s = replace(s, S=frozen(S))
            s = given.judged(s, model(given, s))
            yield from at("drop", s, "mistake")
    yield from at("done", replace(s, before=s.S, current=-1))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {
        "errors": s.errors,
        "mistakes": s.mistakes,
        "clauses": int(s.S.sum()),
        "bound": given.bound,
    }


def model(given: Setting, s: State) -> Classes:
    """The first class where every clause of S holds, the second elsewhere; shorter clauses are
    asked first.
    """

    def classes(values: Float) -> Int:
        left = np.arange(len(values))
        kept = given.clauses[s.S]
        size = max(1, (1 << 20) // max(1, len(values)))
        for at in range(0, len(kept), size):
            left = left[true(values[left], kept[at : at + size]).all(axis=1)]
        codes = np.ones(len(values), np.intp)
        codes[left] = 0
        return codes

    return classes


def predict(given: Setting, s: State, X: Float) -> Int:
    """The first class where every clause of S holds, the second elsewhere; −1 where a value is
    missing.
    """
    return given.labels(X, model(given, s))


def example() -> Problem:
    """f₁ ∨ f₂ and ¬f₃ is the target; the last row says otherwise."""
    return bits("100 000 010 111 110 100 101 110", "10101100")


ALGORITHM = Algorithm.of(
    __name__,
    title="k-CNF",
    task=Task.RULES,
    source=("ML 7.3.3.2", "ML Eq 7.6", "ML 7.3.2"),
    narrow=True,
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("mistakes", "mistakes so far", digits=0),
        Curve("clauses", "clauses in S", digits=0, about=("S",)),
        Curve("bound", "bound on the mistakes", bound=True, digits=0),
    ),
    events=("mistake", "contradiction"),
)
