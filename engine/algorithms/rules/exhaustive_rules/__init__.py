"""Exhaustive search: every rule is scored by its errors and its length, and the cheapest is kept.

MIT 2.2.8-2.2.17.
"""

from fractions import Fraction
from typing import Annotated, Literal

from engine.algorithms.rules.exhaustive_rules.space import (
    Found,
    Hypotheses,
    Rules,
    bits_of,
    envelope,
    sized,
)
from engine.algorithms.rules.parts import Booleans, bits
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
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
from engine.numerics.boolean import NO_ROWS, Classes, any_covers

PSEUDOCODE = """
start  round:  best ← none
size   round:  for size c = 0, 1, … most:
score  detail:   for each h of c literals:
better:            E + α c is less: best ← h
breaks round:  where would α change best?
done   round:  return best
"""
PULSE = 500  # hypotheses between two looks at stop


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal["conjunctions", "dnf"],
        Label("Hypotheses"),
        Help("conjunctions: one rule; dnf: several, of which one has to hold"),
    ] = "conjunctions"
    alpha: Annotated[
        float, Range(1e-3, 1e3, log=True), Label("Price α"), Help("of a literal, in wrong examples")
    ] = 0.1
    literals: Annotated[int, Range(0, 16), Label("Literals"), Help("of a hypothesis, at most")] = 4
    negated: Annotated[bool, Label("Negations"), Help("rules may ask a column to be 0")] = False


class State(Record):
    """rules: the best so far, () holds nowhere; P, N: positive rows that it misses, negative ones
    that it covers; cost: E + α c, None before the first; tried: what is scored now, or None; wrong:
    rows that it gets wrong; found: the best of each size; count: hypotheses scored.
    """

    rules: Rules
    P: Int
    N: Int
    cost: Fraction | None
    tried: Rules | None
    wrong: int
    found: tuple[Found, ...]
    count: int

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The fewest errors of each size."""
        return tuple(found.errors for found in self.found)

    @property
    def errors(self) -> int:
        """Wrong rows under the best."""
        return len(self.P) + len(self.N)


class Setting(Booleans[Params]):
    """space: all hypotheses over the labelled rows; truth: the positive ones of these, one bit
    each; alpha: without rounding.
    """

    @cached_property
    def space(self) -> Hypotheses:
        p = self.p
        return Hypotheses(
            self.X[self.problem.labelled], p.literals, p.hypotheses == "dnf", p.negated
        )

    @cached_property
    def truth(self) -> int:
        return bits_of(self.problem.codes[self.problem.labelled] == 0)

    @cached_property
    def alpha(self) -> Fraction:
        return Fraction(str(self.p.alpha))

    def best(self, s: State, rules: Rules, cost: Fraction) -> State:
        covered = any_covers(rules, self.X)
        P = self.positives[~covered[self.positives]]
        N = self.negatives[covered[self.negatives]]
        return replace(s, rules=rules, P=frozen(P), N=frozen(N), cost=cost)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State((), given.positives, NO_ROWS, None, None, 0, (), 0)
    yield from at("start", s)
    for c in range(given.p.literals + 1):
        s = yield from one_size(given, at, s, c)
        yield from at("size", s, "size")
    yield from at("breaks", s, found=tuple(envelope(s.scores)))
    yield from at("done", s)


def one_size(given: Setting, at: At, s: State, c: int) -> Part[State, State]:
    """Every hypothesis of c literals is scored."""
    found = Found()
    before = s.found
    told = at.tells("score")
    last = s.count
    for count, (rules, rows) in enumerate(given.space.of_size(c), s.count + 1):
        wrong = (rows ^ given.truth).bit_count()
        found = found.and_then(rules, wrong)
        cost = wrong + given.alpha * c
        better = s.cost is None or cost < s.cost
        if told or better:
            s = replace(s, tried=rules, wrong=wrong, found=(*before, found), count=count)
            yield from at("score", s, cost=cost)
        if better:
            old = s.cost
            s = given.best(s, rules, cost)
            yield from at("better", s, "better", old=old)
        elif count % PULSE == 0:
            yield None
        last = count
    return replace(s, tried=None, wrong=s.errors, found=(*before, found), count=last)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    cost = {} if s.cost is None else {"cost": float(s.cost)}
    return {"errors": s.errors, "literals": sized(s.rules), "count": s.count, **cost}


def model(s: State) -> Classes:
    """The first class where a rule of the best holds, the second elsewhere."""
    return lambda values: np.where(any_covers(s.rules, values), 0, 1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """The class by the best so far; −1 where a value is missing."""
    return given.labels(X, model(s))


def example() -> Problem:
    """f₁ ∧ f₂ with a row that says otherwise."""
    return bits("110 111 100 011 001 111", "110000")


ALGORITHM = Algorithm.of(
    __name__,
    title="Exhaustive search",
    task=Task.RULES,
    source=("MIT 2.2.8", "MIT 2.2.17"),
    narrow=True,
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    curves=(
        Curve("cost", "cost of the best, E + α c"),
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("literals", "literals", digits=0, about=("rules",)),
        Curve("count", "hypotheses scored", digits=0),
    ),
    events=("better", "size"),
)
