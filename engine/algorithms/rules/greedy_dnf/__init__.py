"""Greedy DNF: rules without negation, each grown by the best ratio of positives to negatives.

MIT 2.2.31-2.2.43, 2.3.15-2.3.25.
"""

from fractions import Fraction
from typing import Annotated, Literal

from engine.algorithms.rules.parts import Booleans, Rule, Rules, Scores, bits
from engine.algorithms.rules.parts.covering import best, counts, scores, share_floor
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Help,
    Int,
    Label,
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
from engine.numerics.boolean import NO_ROWS, Classes, any_covers, ones

PSEUDOCODE = """
start  round:  h ← False; P ← positives
outer  detail: while |P| > ε · positives:
rule:            r ← True; N ← all negatives
score:           while |N| > ε · negatives:
stuck:             no column shrinks N: leave
add    detail:     r ← r ∧ column of largest v
drop:              take the rows with 0 from N
fail   round:    r covers none of P: fail
keep   detail:   h ← h ∨ r
cover  round:    take what r covers from P
done   round:  return h
"""


class Params(Record, eq=True):
    epsilon: Annotated[
        float,
        Range(0, 1),
        Label("Noise ε"),
        Help(
            "share of the positives that may stay uncovered, and of the negatives that each rule"
            " may cover"
        ),
    ] = 0.0
    floor: Annotated[
        Literal["0.001", "0.000001", "zero wins"],
        Label("Floor of n⁻"),
        Help(
            "the slide says 0.001, the lecturer a millionth; zero wins: no negatives always beats"
            " some"
        ),
    ] = "0.001"
    stuck: Annotated[
        Literal["literal", "keep", "drop"],
        Label("Stuck rule"),
        Help(
            "literal: columns with n⁺ = 0 may join; keep: the unfinished rule stays; drop: it goes,"
            " the search stops"
        ),
    ] = "literal"


class State(Record):
    """rules: h, finished; rule: the one being built, or None; P: positives not covered yet; N:
    negatives that the rule still covers; scores (d,): v of the candidates, else None; gone: rows
    that left P or N at this step; chosen: column or −1; errors: wrong rows under h; failed: the
    search gave up.
    """

    rules: Rules
    rule: Rule | None
    P: Int
    N: Int
    scores: Scores
    gone: Int
    chosen: int
    errors: int
    failed: bool


class Setting(Booleans[Params]):
    @cached_property
    # “zero wins” is one below 1/positives: n⁺/floor is larger than every n⁺/n⁻
    def floor(self) -> Fraction:
        return (
            Fraction(1, len(self.positives) + 1)
            if self.p.floor == "zero wins"
            else Fraction(self.p.floor)
        )

    def enough(self, rows: Int, whole: Int) -> bool:  # no more than the share ε of them is left
        return len(rows) <= share_floor(self.p.epsilon, len(whole))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    X, positives = given.X, given.positives
    s = State((), None, positives, given.negatives, (), NO_ROWS, -1, len(positives), False)
    struck = np.zeros(given.problem.n, bool)  # negatives that h covers
    yield from at("start", s)
    while not given.enough(s.P, positives):
        s = replace(s, rule=(), N=given.negatives, scores=(), gone=NO_ROWS, chosen=-1)
        yield from at("outer", replace(s, rule=None))
        yield from at("rule", s)
        s, dropped = yield from one_rule(given, at, s)
        covered = X[s.P][:, s.rule or ()].all(1)
        if dropped or not covered.any():
            s = replace(s, failed=True, chosen=-1)
            yield from at("fail", s, "fail", dropped=dropped)
            break
        struck[s.N] = True
        s = replace(s, rules=(*s.rules, s.rule or ()), errors=int((~covered).sum() + struck.sum()))
        s = replace(s, scores=(), gone=NO_ROWS, chosen=-1)
        yield from at("keep", s)
        s = replace(s, P=frozen(s.P[~covered]), gone=frozen(s.P[covered]))
        yield from at("cover", s, "rule")
    yield from at("done", replace(s, rule=None, scores=(), gone=NO_ROWS, chosen=-1))


def one_rule(given: Setting, at: At, s: State) -> Part[State, tuple[State, bool]]:
    """Returns the state with the rule, and whether the rule was discarded."""
    X = given.X
    literal = given.p.stuck == "literal"
    covered = s.P
    while not given.enough(s.N, given.negatives):
        rule = s.rule or ()
        found = counts(X, covered, s.N)
        allowed = [
            j for j in range(given.problem.d) if j not in rule and (literal or found.plus[j])
        ]
        s = replace(s, scores=scores(found, allowed, given.floor), gone=NO_ROWS, chosen=-1)
        if all(found.minus[j] == len(s.N) for j in allowed):
            s = replace(s, scores=())
            yield from at("stuck", s, "stuck")
            return s, given.p.stuck == "drop"
        s = replace(s, chosen=at.take(winners := best(s.scores)))
        yield from at("score", s, found=found, winners=winners)
        s = replace(s, rule=(*rule, s.chosen))
        yield from at("add", s)
        covered = covered[X[covered, s.chosen] == 1]
        stays = X[s.N, s.chosen] == 1
        s = replace(s, N=frozen(s.N[stays]), gone=frozen(s.N[~stays]))
        yield from at("drop", s)
    return s, False


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {
        "errors": s.errors,
        "uncovered": len(s.P),
        "literals": sum(len(rule) for rule in s.rules),
    }


def model(s: State) -> Classes:
    """The first class where a finished rule holds, the second elsewhere."""
    rules = [ones(rule) for rule in s.rules]
    return lambda values: np.where(any_covers(rules, values), 0, 1)


def predict(given: Setting, s: State, X: Float) -> Int:
    return given.labels(X, model(s))


# the harder set of MIT 2.2.28 with two equal rows of different class: stuck, and fails
def example() -> Problem:
    return bits("0110 1011 1110 0011 1001 0111 1111 1111 0000", "011101101")


ALGORITHM = Algorithm.of(
    __name__,
    title="Greedy rules (DNF)",
    task=Task.RULES,
    source=("MIT 2.2.31-2.2.43", "MIT 2.3.15-2.3.25"),
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("uncovered", "positives not covered", digits=0, about=("rows",)),
        Curve("literals", "literals", digits=0, about=("rules",)),
    ),
    events=("rule", "stuck", "fail"),
)
