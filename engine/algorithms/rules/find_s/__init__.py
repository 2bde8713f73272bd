"""FIND-S: the most specific hypothesis, grown by every positive example that it does not cover.

ML 7.3.2, 7.5.1.
"""

from engine.algorithms.rules.parts import bits
from engine.algorithms.rules.parts.boxes import Box, Boxed, empty_box
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Int,
    Mapping,
    Needs,
    Part,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
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
    """S: the hypothesis; before: S before this example; current: its row or −1; seen: how many
    examples were taken; mistakes: how many of them S got wrong when they came; errors: how many
    rows of the table it gets wrong now.
    """

    S: Box
    before: Box
    current: int
    seen: int
    mistakes: int
    errors: int


class Setting(Boxed[object]):
    """What find_s reckons with, see Boxed."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    S = empty_box(given.problem.d)
    s = State(S, S, -1, 0, 0, given.wrong(S))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = yield from examples(given, at, s)
    yield from at("done", replace(s, before=s.S, current=-1))


def examples(given: Setting, at: At, s: State) -> Part[State, State]:
    """Those that are not seen yet."""
    for i in given.stream[s.seen :].tolist():
        x = given.X[i]
        positive = given.positive(i)
        s = replace(s, before=s.S, current=i)
        yield from at("take", s)
        yield None
        held = bool(s.S.covers(x))
        s = replace(s, seen=s.seen + 1, mistakes=s.mistakes + (held != positive))
        if held and not positive:
            yield from at.step("skip", s, "mistake", "contradiction", held=True)
        elif not positive:
            yield from at("skip", s, held=False)
        elif held:
            yield from at("keep", s)
        else:
            S = given.joined(s.S, x)
            s = replace(s, S=S, errors=given.wrong(S))
            yield from at("grow", s, "mistake", "border")
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    bound = {} if given.bound is None else {"bound": float(given.bound)}
    return {"errors": s.errors, "mistakes": s.mistakes, "asks": given.asks(s.S), **bound}


def predict(given: Setting, s: State, X: Float) -> Int:
    """The first class where S holds, the second elsewhere; −1 where a value is missing."""
    return given.codes(X, s.S.covers(X))


def example() -> Problem:
    """The set of MIT 2.2.13; then a positive row that S covers, one that it does not, and a
    negative that it does by then.
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
