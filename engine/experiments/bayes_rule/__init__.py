"""Bayes' rule: what positive tests say about a rare illness, one after the other.

ML Ex 6.1.
"""

from typing import Annotated

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Help,
    Label,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    prepare,
    replace,
    when,
)
from engine.authoring import Setting as Given

PSEUDOCODE = """
start round:  P(ill) ← prior
test  detail: for each positive test:
ill:            a ← P(+|ill) P(ill)
well:           b ← P(+|well) P(well)
bayes:          P(ill) ← a / (a + b)
end   round:  the likelier of ill and well
"""
PEOPLE = 10_000  # among whom the picture counts


class Params(Record, eq=True):
    prior: Annotated[
        float,
        Range(0, 1),
        Label("Prior chance"),
        Help("P(ill): the share of the ill before any test"),
    ] = 0.008
    sensitivity: Annotated[
        float, Range(0, 1), Label("Sensitivity"), Help("P(+|ill): positive tests among the ill")
    ] = 0.98
    specificity: Annotated[
        float, Range(0, 1), Label("Specificity"), Help("P(−|well): negative tests among the well")
    ] = 0.97
    tests: Annotated[
        int,
        Range(1, 20),
        Label("Positive tests"),
        Help("one after the other; given ill or well, none depends on the others"),
    ] = 2


class State(Record):
    """What is known is `chances`; `a` and `b` are the joint chances of the test that is looked at.

    chances: P(ill) before any test, after one, after two, …
    test: number of the test that is looked at, or 0
    a: P(+|ill) P(ill)
    b: P(+|well) P(well)
    """

    chances: Prefix[float]
    test: int = 0
    a: float = 0.0
    b: float = 0.0

    @property
    def chance(self) -> float:
        """P(ill) after the tests so far."""
        return self.chances[-1]

    @property
    def before(self) -> float:
        """P(ill) before the test that is looked at."""
        return self.chances[max(self.test - 1, 0)]


class Setting(Given[Params]):
    """How often a test is positive."""

    @property
    def hit(self) -> float:
        """P(+|ill)."""
        return self.p.sensitivity

    @property
    def false_alarm(self) -> float:
        """P(+|well) = 1 − P(−|well), without the noise of the subtraction."""
        return round(1 - self.p.specificity, 12)

    def after(self, tests: int, prior: float) -> list[float]:
        """P(ill) after 0, 1, … so many positive tests; it stays where no test can be positive."""
        found = [prior]
        for _ in range(tests):
            a = self.hit * found[-1]
            b = self.false_alarm * (1 - found[-1])
            found.append(a / (a + b) if a + b else found[-1])
        return found


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(Prefix([given.p.prior], 1))
    yield from at("start", s)
    for k in range(1, given.p.tests + 1):
        P = s.chance
        s = replace(s, test=k, a=0.0, b=0.0)
        yield from at("test", s)
        a = given.hit * P
        s = replace(s, a=a)
        yield from at("ill", s)
        b = given.false_alarm * (1 - P)
        s = replace(s, b=b)
        yield from at("well", s)
        if a + b == 0:
            yield from at("end", s, "impossible")
            return
        s = replace(s, chances=s.chances.plus(a / (a + b)))
        yield from at("bayes", s, *when(turned=P <= 0.5 < s.chance))
    yield from at("end", s)


def example() -> Problem:
    """A problem of four rows; the rule needs none of them."""
    return prepare(Dataset.from_columns({"age": [20.0, 40, 60, 80]}))


ALGORITHM = Algorithm.of(
    __name__,
    title="Bayes’ rule",
    task=Task.THEORY,
    source=("ML Ex 6.1",),
    needs=Needs(labels=False, missing=True),
    curves=(Curve("chance", "P(ill) after the tests so far", digits=3, about=("after",)),),
    events=("turned", "impossible"),
    without_data=lambda p: True,
)
