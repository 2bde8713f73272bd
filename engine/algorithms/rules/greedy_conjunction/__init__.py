"""Greedy conjunction: of the columns that are 1 on every positive, the one that removes most
negatives joins, again and again. MIT 2.2.18-2.2.30.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.parts import Booleans, Rule, Rules, Scores, bits, disjunction
from engine.algorithms.rules.parts.covering import share_floor
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    np,
    own,
    replace,
)
from engine.numerics.boolean import NO_ROWS, Classes, ones

PSEUDOCODE = """
start  round:  h ← True; N ← negatives
until  detail: while |N| > ε · negatives:
usable detail:   U ← columns with 1 on all of P
count:           n[j] ← rows of N with x[j] = 0
fail   round:    largest n[j] < floor: fail
add    detail:   h ← h ∧ column of largest n
drop   round:    take the rows with 0 there from N
done   round:  return h
"""


class Params(Record, eq=True):
    epsilon: Annotated[
        float,
        Range(0, 1),
        Label("Noise ε"),
        Help("stop when at most this share of the negatives is left"),
    ] = 0.0
    floor: Annotated[
        int,
        Range(1, 100),
        Label("Floor of n"),
        Help(
            "a column joins only if it removes at least so many negatives; 1: any that helps, as"
            " in MIT"
        ),
    ] = 1
    stuck: Annotated[
        Literal["literal", "keep", "drop"],
        Label("When stuck"),
        Help(
            "literal: columns below the floor join too, until all usable ones are in h; keep: h as"
            " far as it came; drop: no example is positive"
        ),
    ] = "keep"


class State(Record):
    """The model is `rules`; the fields after `failed` are what this step shows.

    rules: (h,), or () once it is dropped
    P: the positive rows
    N: the negative rows that h still covers
    errors: wrong rows
    failed: the search got stuck
    scores: (d,) n[j] of the usable columns, else None
    gone: the rows that left N at this step
    chosen: the column that joins, or −1
    """

    rules: Rules
    P: Int
    N: Int
    errors: int
    failed: bool
    scores: Scores
    gone: Int
    chosen: int

    @property
    def rule(self) -> Rule | None:
        """The conjunction so far, None once it is given up."""
        return self.rules[0] if self.rules else None


class Setting(Booleans[Params]):
    """A table of 0 and 1, and the columns that a conjunction may use."""

    @cached_property
    def usable(self) -> tuple[int, ...]:
        """U, the columns with 1 on all of P."""
        everywhere = self.X[self.positives].all(axis=0)
        return tuple(np.flatnonzero(everywhere).tolist())

    @cached_property
    def allowed(self) -> int:
        """⌊ε · negatives⌋, the number of negatives that h may cover in the end."""
        return share_floor(self.p.epsilon, len(self.negatives))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(
        rules=((),),  # h ← True, the conjunction of no column
        P=given.positives,
        N=given.negatives,
        errors=len(given.negatives),
        failed=False,
        scores=(),
        gone=NO_ROWS,
        chosen=-1,
    )
    yield from at("start", s)
    while len(s.N) > given.allowed:
        s = replace(s, scores=(), gone=NO_ROWS, chosen=-1)
        yield from at("until", s)
        yield from at("usable", s)
        zeros = np.count_nonzero(given.X[s.N] == 0, axis=0).tolist()
        n = {j: zeros[j] for j in given.usable}  # rows of N with x[j] = 0
        s = replace(s, scores=tuple(n.get(j) for j in range(given.problem.d)))
        winners = may_join(given, s, n)
        if not winners:
            rules = () if given.p.stuck == "drop" else s.rules
            errors = len(s.N) if rules else len(s.P)
            s = replace(s, rules=rules, errors=errors, failed=True)
            yield from at("fail", s, "fail")
            break
        s = replace(s, chosen=at.take(winners))
        yield from at("count", s, winners=winners)
        h = (*s.rules[0], s.chosen)
        removed = given.X[s.N, s.chosen] == 0
        left = own(s.N[~removed])
        s = replace(s, rules=(h,), errors=len(left))  # h covers all of P
        yield from at("add", s)
        s = replace(s, N=left, gone=own(s.N[removed]))
        yield from at("drop", s)
    yield from at("done", replace(s, gone=NO_ROWS, scores=(), chosen=-1))


def may_join(given: Setting, s: State, n: dict[int, int]) -> tuple[int, ...]:
    """The columns of largest n; () where the search is stuck, because the largest n is below the
    floor.

    With “literal” such columns join all the same; where none of them removes a row, any new
    column.
    """
    largest = max(n.values(), default=0)
    if largest < given.p.floor and given.p.stuck != "literal":
        return ()
    best = [j for j in n if n[j] == largest]
    if largest == 0:
        best = [j for j in best if j not in s.rules[0]]
    return tuple(best)


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {"errors": s.errors, "left": len(s.N), "literals": len(s.rule or ())}


def model(s: State) -> Classes:
    """A function from values (m, d) to class codes (m,): 0 where every column of h is 1, else 1."""
    return disjunction([ones(rule) for rule in s.rules])


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class by h; −1 where a value of X (m, d) is missing."""
    return given.labels(X, model(s))


def example() -> Problem:
    """The harder set of MIT 2.2.28, on which the search gets stuck."""
    return bits("0110 1011 1110 0011 1001 0111", "011101")


ALGORITHM = Algorithm.of(
    __name__,
    title="Greedy conjunction",
    task=Task.RULES,
    source=("MIT 2.2.11-2.2.30", "MIT 2.3.15"),
    narrow=True,
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("left", "negatives left", digits=0, about=("rows",)),
        Curve("literals", "literals", digits=0, about=("rules",)),
    ),
    events=("fail",),
)
