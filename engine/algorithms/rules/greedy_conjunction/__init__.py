"""Greedy conjunction: of the columns that hold 1 on every positive, take the one that removes most
negatives. MIT 2.2.18-2.2.30.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.parts import Booleans, Rule, Rules, Scores, bits
from engine.algorithms.rules.parts.covering import members, share_floor
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
from engine.numerics.boolean import NO_ROWS, Classes, covers, ones

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
    """rules: (h,), or () once it is dropped; P: positive rows; N: negative rows that h still
    covers; scores (d,): n[j] of the usable columns, else None; gone: rows that left N at this step;
    chosen: column or −1; errors: wrong rows.
    """

    rules: Rules
    P: Int
    N: Int
    scores: Scores
    gone: Int
    chosen: int
    errors: int
    failed: bool

    @property
    def rule(self) -> Rule | None:
        """The conjunction so far."""
        return self.rules[0] if self.rules else None


class Setting(Booleans[Params]):
    """usable: the columns with 1 on all positives; allowed: how many negatives h may cover in the
    end.
    """

    @cached_property
    def usable(self) -> tuple[int, ...]:
        return tuple(
            (members(P := self.positives, len(self.X)).dot(self.X) == len(P)).nonzero()[0].tolist()
        )

    @cached_property
    def allowed(self) -> int:
        return share_floor(self.p.epsilon, len(self.negatives))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    X = given.X
    p = given.p
    usable = given.usable
    left = members(given.negatives, given.problem.n)
    s = State(((),), given.positives, given.negatives, (), NO_ROWS, -1, len(given.negatives), False)
    yield from at("start", s)
    while len(s.N) > given.allowed:
        if at.tells("usable"):
            s = replace(s, gone=NO_ROWS, scores=(), chosen=-1)
            yield from at("until", s)
            yield from at("usable", s)
        ones = left.dot(X).tolist()  # a product of matrices counts six times as fast
        removed = {j: len(s.N) - int(ones[j]) for j in usable}
        scores = tuple(map(removed.get, range(X.shape[1])))
        largest = max(removed.values(), default=0)
        # h removes no more
        free = usable if largest else tuple([j for j in usable if j not in s.rules[0]])
        if not free or (largest < p.floor and p.stuck != "literal"):
            s = replace(s, scores=scores, gone=NO_ROWS, chosen=-1, failed=True)
            s = replace(s, rules=(), errors=len(s.P)) if p.stuck == "drop" else s
            yield from at("fail", s, "fail")
            break
        chosen = at.take(winners := tuple([j for j in free if removed[j] == largest]))
        before = left
        left = left * X[:, chosen]
        h = ((*s.rules[0], chosen),)
        N, gone = own(left.nonzero()[0]), own((before != left).nonzero()[0])
        if at.tells("count"):
            s = replace(s, scores=scores, gone=NO_ROWS, chosen=chosen)
            yield from at("count", s, winners=winners)
            yield from at("add", replace(s, rules=h, errors=len(N)))
        # h covers all of P
        yield from at("drop", s := State(h, s.P, N, scores, gone, chosen, len(N), False))
    yield from at("done", replace(s, gone=NO_ROWS, scores=(), chosen=-1))


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {"errors": s.errors, "left": len(s.N), "literals": len(s.rule or ())}


def model(s: State) -> Classes:
    """The first class where every column of h holds 1, the second elsewhere."""
    if (rule := s.rule) is None:
        return lambda values: np.ones(len(values), np.intp)
    return lambda values: np.where(covers(ones(rule), values), 0, 1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """The class by h; −1 where a value is missing."""
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
