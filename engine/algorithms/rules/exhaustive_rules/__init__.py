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
    literals_of,
)
from engine.algorithms.rules.parts import POSITIVE, Booleans, bits, disjunction
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
    Sequence,
    Steps,
    Task,
    cached_property,
    frozen,
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
PULSE = 500  # hypotheses between two places where the run can be stopped


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
    """The model is `rules`, the best so far; the fields after `count` are what this step shows.

    rules: best, () holds nowhere
    P: the positive rows that it misses
    N: the negative rows that it covers
    cost: its E + α c, None before the first
    found: the best of each size
    count: how many hypotheses were scored
    tried: h, what is scored now, or None
    wrong: E, the rows that h gets wrong
    """

    rules: Rules
    P: Int
    N: Int
    cost: Fraction | None
    found: tuple[Found, ...]
    count: int
    tried: Rules | None
    wrong: int

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The fewest errors of each size, None for a size without hypotheses."""
        return tuple(found.errors for found in self.found)

    @property
    def errors(self) -> int:
        """The number of errors of the best hypothesis."""
        return len(self.P) + len(self.N)


class Setting(Booleans[Params]):
    """A table of 0 and 1, and all hypotheses over its columns."""

    @cached_property
    def space(self) -> Hypotheses:
        """All hypotheses over the labelled rows. Raises EngineError where they are too many."""
        p = self.p
        X = self.X[self.problem.labelled]
        return Hypotheses(X, p.literals, p.hypotheses == "dnf", p.negated)

    @cached_property
    def truth(self) -> int:
        """The labelled rows that are positive, as a bit mask."""
        return bits_of(self.problem.codes[self.problem.labelled] == POSITIVE)

    @cached_property
    def alpha(self) -> Fraction:
        """α, the price of a literal in errors, as an exact fraction."""
        return Fraction(str(self.p.alpha))

    def best(self, s: State, rules: Rules, cost: Fraction) -> State:
        """The state with these rules as the best so far. cost: theirs"""
        covered = any_covers(rules, self.X)
        P = self.positives[~covered[self.positives]]
        N = self.negatives[covered[self.negatives]]
        return replace(s, rules=rules, P=frozen(P), N=frozen(N), cost=cost)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(
        rules=(),
        P=given.positives,
        N=NO_ROWS,
        cost=None,
        found=(),
        count=0,
        tried=None,
        wrong=0,
    )
    yield from at("start", s)
    for c in range(given.p.literals + 1):
        s = yield from one_size(given, at, s, c)
        yield from at("size", s, "size")
    yield from at("breaks", s, found=tuple(envelope(s.scores)))
    yield from at("done", s)


def one_size(given: Setting, at: At, s: State, c: int) -> Part[State, State]:
    """The state after every hypothesis h of c literals is scored."""
    found = Found()
    smaller = s.found
    each_is_shown = at.records("score")
    count = s.count
    # each choice of c columns, each to be 1 (negated: or 0): h, and the rows it covers, as bits; a
    # dnf shares its c literals out among several such rules
    for h, rows in given.space.of_size(c):
        count += 1
        E = (rows ^ given.truth).bit_count()  # the rows that h gets wrong
        cost = E + given.alpha * c
        if found.errors is None or found.errors > E:
            found = Found(E, h, ties=1)  # the best of c literals
        elif found.errors == E:
            found = replace(found, ties=found.ties + 1)
        better = s.cost is None or cost < s.cost
        if each_is_shown or better:
            s = replace(s, found=(*smaller, found), count=count, tried=h, wrong=E)
            yield from at("score", s, cost=cost)
        if better:
            old = s.cost
            s = given.best(s, h, cost)
            yield from at("better", s, "better", old=old)
        elif count % PULSE == 0:
            yield None
    return replace(s, found=(*smaller, found), count=count, tried=None, wrong=s.errors)


def envelope(least: Sequence[int | None]) -> list[tuple[int, Fraction]]:
    """[(size, α)] of the sizes that are best for some α, larger ones first, each with the least
    such α.

    At a break point the smaller size wins. least[c]: the fewest errors of hypotheses of c
    literals
    """
    known = {c: e for c, e in enumerate(least) if e is not None}
    if not known:
        return []
    fewest = min(known.values())
    size = min(c for c, e in known.items() if e == fewest)
    found = [(size, Fraction(0))]
    while any(c < size for c in known):
        # c literals cost the same at α = (E[c] − E[size]) / (size − c)
        meet = [(Fraction(e - known[size], size - c), c) for c, e in known.items() if c < size]
        alpha, size = min(meet)
        found.append((size, alpha))
    return found


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = {"errors": s.errors, "literals": literals_of(s.rules), "count": s.count}
    return known if s.cost is None else {**known, "cost": float(s.cost)}


def model(s: State) -> Classes:
    """A function from values (m, d) to class codes (m,): 0 where a rule of the best holds, else
    1.
    """
    return disjunction(s.rules)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class by the best so far; −1 where a value of X (m, d) is missing."""
    return given.labels(X, model(s))


def example() -> Problem:
    """Six rows labelled f₁ ∧ f₂, one of them wrongly."""
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
