"""k-CNF: every clause of at most k literals becomes a new column, and FIND-S runs on these.

ML 7.3.3.2, Eq 7.6.
"""

from math import log
from typing import Annotated

from engine.algorithms.rules.k_cnf.clauses import (
    all_clauses,
    mistake_bound,
    rows_where_all_hold,
    true,
)
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE, Booleans, bits, enough
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
    """The model is S; the fields after `errors` are what this step shows.

    S: (c,) which clauses are left
    seen: how many examples were taken
    mistakes: how many of them S got wrong when they came
    errors: how many rows of the table S gets wrong now
    before: (c,) S before this example
    current: its row, or −1
    """

    S: Bool
    seen: int
    mistakes: int
    errors: int
    before: Bool
    current: int


class Setting(Booleans[Params]):
    """A table of 0 and 1, and all clauses of up to k literals."""

    @cached_property
    def clauses(self) -> Int:
        """Z, (c, k) the literals of each clause: any 1 to k columns, each with or without ¬."""
        return all_clauses(self.problem.d, self.p.k)

    @cached_property
    def bound(self) -> int:
        """The largest number of mistakes if some k-CNF fits all examples."""
        return mistake_bound(self.problem.d, self.p.k)

    @cached_property
    def enough(self) -> int:
        """The number of examples that suffices for k-term DNF, of which there are 3^(n k). ML Eq
        7.6.
        """
        return enough(self.problem.d * self.p.k * log(3))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    Z = given.clauses  # (c, k)
    S = frozen(np.ones(len(Z), dtype=bool))  # all of Z
    s = State(S, seen=0, mistakes=0, errors=len(given.positives), before=S, current=-1)
    yield from at("make", s)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    for i in given.stream[s.seen :].tolist():
        positive = given.positive(i)
        s = replace(s, before=s.S, current=i)
        yield from at("take", s)
        yield None
        kept = np.flatnonzero(s.S)
        # (|S|,) the clauses of S at x: 1 where a literal is, xⱼ = 1, or of ¬ columns xⱼ = 0
        z = true(given.X[[i]], given.clauses[kept])[0]
        covered = bool(z.all())
        mistake = covered != positive
        s = replace(s, seen=s.seen + 1, mistakes=s.mistakes + mistake)
        if covered and not positive:
            yield from at.step("skip", s, "mistake", "contradiction", covered=True)
        elif not positive:
            yield from at("skip", s, covered=False)
        elif covered:
            yield from at("keep", s)
        else:
            S = s.S.copy()
            S[kept[~z]] = False  # drop from S what is 0 at x
            s = replace(s, S=frozen(S))
            s = given.with_metrics(s, model(given, s))
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
    """A function from values (m, d) to class codes (m,): 0 where every clause of S holds, else
    1.
    """

    def classes(values: Float) -> Int:
        codes = np.full(len(values), NEGATIVE)
        codes[rows_where_all_hold(values, given.clauses[s.S])] = POSITIVE
        return codes

    return classes


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class by S; −1 where a value of X (m, d) is missing."""
    return given.labels(X, model(given, s))


def example() -> Problem:
    """Eight rows labelled (f₁ ∨ f₂) ∧ ¬f₃, the last one wrongly."""
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
