"""FIND-S: the most specific hypothesis, grown by every positive example that it does not cover.

ML 7.3.2, 7.5.1.
"""

from engine.algorithms.rules.parts import bits
from engine.algorithms.rules.parts.boxes import Box, Boxed
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Int,
    Mapping,
    Needs,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    frozen,
    np,
    replace,
)

PSEUDOCODE = """
start  round:  S ← all literals: never holds
take   detail: for each example (x, y)
skip   detail:   y negative: leave S
keep   detail:   S holds at x: leave S
grow:            drop from S what x violates
done   round:  return S
"""


class State(Record):
    """The model is S; the fields after `errors` are what this step shows.

    S: the hypothesis
    seen: how many examples were taken
    mistakes: how many of them S got wrong when they came
    errors: how many rows of the table S gets wrong now
    before: S before this example
    current: its row, or −1
    """

    S: Box
    seen: int
    mistakes: int
    errors: int
    before: Box
    current: int


class Setting(Boxed[object]):
    """A table; a hypothesis requires of each column a value, an interval or nothing."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    d = given.problem.d
    S = Box(low=frozen(np.full(d, np.inf)), high=frozen(np.full(d, -np.inf)))  # never holds
    s = State(S, seen=0, mistakes=0, errors=given.wrong(S), before=S, current=-1)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    for i in given.stream[s.seen :].tolist():
        x = given.X[i]
        positive = given.positive(i)
        s = replace(s, before=s.S, current=i)
        yield from at("take", s)
        yield None
        covered = bool(s.S.covers(x))
        mistake = covered != positive
        s = replace(s, seen=s.seen + 1, mistakes=s.mistakes + mistake)
        if covered and not positive:
            yield from at.step("skip", s, "mistake", "contradiction", covered=True)
        elif not positive:
            yield from at("skip", s, covered=False)
        elif covered:
            yield from at("keep", s)
        else:
            # drop low ≤ x ≤ high where x violates it: numbers move the border, words ask nothing
            S = given.box(np.minimum(s.S.low, x), np.maximum(s.S.high, x))
            s = replace(s, S=S, errors=given.wrong(S))
            yield from at("grow", s, "mistake", "border")
    yield from at("done", replace(s, before=s.S, current=-1))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = {"errors": s.errors, "mistakes": s.mistakes, "asks": given.asks(s.S)}
    if given.bound is not None:
        known["bound"] = given.bound
    return known


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first class where S holds, the second elsewhere; −1 where a value is missing."""
    return given.codes(X, s.S.covers(X))


def example() -> Problem:
    """The set of MIT 2.2.13 and three more rows.

    They are a positive one that S covers, one that it does not, and a negative one that it covers
    by then.
    """
    return bits("0110 1011 1110 0011 1001 0111 1111 0101 1001", "010101110")


ALGORITHM = Algorithm.of(
    __name__,
    title="Find-S",
    task=Task.RULES,
    source=("ML 7.3.2", "ML 7.5.1", "ML Exercise 7.4", "ML Exercise 7.6"),
    needs=Needs(min_classes=2, max_classes=2),
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("mistakes", "mistakes so far", digits=0),
        Curve("asks", "columns that S asks about", digits=0, about=("S",)),
        Curve("bound", "bound n + 1 on the mistakes", bound=True, digits=0),
    ),
    events=("mistake", "border", "contradiction"),
)
