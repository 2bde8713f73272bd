"""Greedy DNF: rules without negation, each grown by the best ratio of positives to negatives.

MIT 2.2.31-2.2.43, 2.3.15-2.3.25.
"""

from fractions import Fraction
from typing import Annotated, Literal

from engine.algorithms.rules.parts import Booleans, Rule, Rules, Scores, bits, disjunction
from engine.algorithms.rules.parts.covering import best, share_floor
from engine.authoring import (
    Algorithm,
    At,
    Bool,
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
from engine.numerics.boolean import NO_ROWS, Classes, ones

PSEUDOCODE = """
start  round:  h ← False; P ← positives
outer  detail: while |P| > ε · positives:
rule:            r ← True; N ← all negatives
inner  detail:   while |N| > ε · negatives:
stuck:             no column shrinks N: leave
score:             v[j] ← n⁺ / max(n⁻, floor)
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
    """The model is `rules`; the fields after `failed` are what this step shows.

    rules: h, the finished rules
    rule: r, the one that is built, or None
    P: the positive rows that h does not cover
    N: the negative rows that r covers
    errors: wrong rows under h
    failed: the search gave up
    scores: (d,) v of the columns that may join, else None
    gone: the rows that left P or N at this step
    chosen: the column that joins, or −1
    """

    rules: Rules
    rule: Rule | None
    P: Int
    N: Int
    errors: int
    failed: bool
    scores: Scores
    gone: Int
    chosen: int


class Counts(Record):
    """The rows left if rule r also required each column.

    plus: (d,) n⁺, positives of P that r would cover
    minus: (d,) n⁻, negatives of N that r would cover
    """

    plus: Int
    minus: Int


class Setting(Booleans[Params]):
    """A table of 0 and 1, and the score of a column."""

    @cached_property
    def floor(self) -> Fraction:
        """Instead of n⁻ where that is less.

        “zero wins” makes it 1 / (positives + 1): with n⁻ ≥ 1 v = n⁺/n⁻ is at most the number of
        positives; with n⁻ = 0 and n⁺ ≥ 1 it is larger.
        """
        if self.p.floor == "zero wins":
            return Fraction(1, len(self.positives) + 1)
        return Fraction(self.p.floor)

    def enough(self, left: Int, whole: Int) -> bool:
        """Whether at most the share ε of the rows `whole` is left."""
        return len(left) <= share_floor(self.p.epsilon, len(whole))

    def covered(self, rule: Rule, rows: Int) -> Bool:
        """(m,) which of these rows have 1 in all columns of a rule."""
        return np.asarray(self.X[rows][:, list(rule)].all(axis=1))

    def counts(self, P: Int, N: Int) -> Counts:
        """How many rows of P and of N have 1 in each column."""
        plus = np.count_nonzero(self.X[P], axis=0)
        minus = np.count_nonzero(self.X[N], axis=0)
        return Counts(plus, minus)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    positives = given.positives
    s = State(
        rules=(),  # h ← False, the disjunction of no rule
        rule=None,
        P=positives,
        N=given.negatives,
        errors=len(positives),
        failed=False,
        scores=(),
        gone=NO_ROWS,
        chosen=-1,
    )
    yield from at("start", s)
    wrong = NO_ROWS  # the negatives that h covers
    while not given.enough(s.P, positives):
        s = replace(s, rule=None, N=given.negatives, scores=(), gone=NO_ROWS, chosen=-1)
        yield from at("outer", s)
        s = replace(s, rule=())  # r ← True
        yield from at("rule", s)
        s, r = yield from one_rule(given, at, s)
        dropped = r is None
        covered = given.covered(r or (), s.P)
        if r is None or not covered.any():
            s = replace(s, failed=True, chosen=-1)
            yield from at("fail", s, "fail", dropped=dropped)
            break
        wrong = np.union1d(wrong, s.N)
        errors = int(np.count_nonzero(~covered)) + len(wrong)
        s = replace(s, rules=(*s.rules, r), errors=errors, scores=(), gone=NO_ROWS, chosen=-1)
        yield from at("keep", s)
        s = replace(s, P=frozen(s.P[~covered]), gone=frozen(s.P[covered]))
        yield from at("cover", s, "rule")
    yield from at("done", replace(s, rule=None, scores=(), gone=NO_ROWS, chosen=-1))


def one_rule(given: Setting, at: At, s: State) -> Part[State, tuple[State, Rule | None]]:
    """(the state with the new rule, the rule or None where it is discarded)."""
    r: Rule = ()
    P = s.P  # the positives that r covers
    while not given.enough(s.N, given.negatives):
        s = replace(s, scores=(), gone=NO_ROWS, chosen=-1)
        yield from at("inner", s)
        n = given.counts(P, s.N)
        allowed = may_join(given, r, n)
        if all(n.minus[j] == len(s.N) for j in allowed):  # no column shrinks N
            yield from at("stuck", s, "stuck")
            return s, None if given.p.stuck == "drop" else r
        v = tuple(value(given, n, j) if j in allowed else None for j in range(given.problem.d))
        winners = best(v)
        s = replace(s, scores=v, chosen=at.take(winners))
        yield from at("score", s, found=n, winners=winners)
        r = (*r, s.chosen)
        s = replace(s, rule=r)
        yield from at("add", s)
        P = P[given.X[P, s.chosen] == 1]
        stays = given.X[s.N, s.chosen] == 1
        s = replace(s, N=frozen(s.N[stays]), gone=frozen(s.N[~stays]))
        yield from at("drop", s)
    return s, r


def may_join(given: Setting, r: Rule, n: Counts) -> list[int]:
    """The columns that rule r may still require; without “literal” only those that leave it a
    positive.
    """
    others = [j for j in range(given.problem.d) if j not in r]
    if given.p.stuck == "literal":
        return others
    return [j for j in others if n.plus[j] > 0]


def value(given: Setting, n: Counts, j: int) -> Fraction:
    """v[j] = n⁺ / max(n⁻, floor), the score of column j."""
    return Fraction(int(n.plus[j])) / max(Fraction(int(n.minus[j])), given.floor)


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {
        "errors": s.errors,
        "uncovered": len(s.P),
        "literals": sum(len(rule) for rule in s.rules),
    }


def model(s: State) -> Classes:
    """A function from values (m, d) to class codes (m,): 0 where a finished rule holds, else 1."""
    return disjunction([ones(rule) for rule in s.rules])


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class by h; −1 where a value of X (m, d) is missing."""
    return given.labels(X, model(s))


def example() -> Problem:
    """The harder set of MIT 2.2.28 with two equal rows of different class, on which the search
    fails.
    """
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
