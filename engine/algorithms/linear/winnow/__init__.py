"""Winnow: a linear classifier of 0/1 columns that multiplies its weights.

MMDS 12.2.3, with its own threshold 12.2.4.
"""

from fractions import Fraction
from typing import Annotated, Literal

from engine.algorithms.linear.parts import WRONG
from engine.algorithms.linear.winnow.scale import Scale, Visit, Visits
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
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
    leap,
    np,
    prepare,
    replace,
)

PSEUDOCODE = """
start  round:  w ← 1; θ ← d, or 1 if learned
round  detail: repeat
take   detail:   for each (x, y) in turn
test:              right: y (w · x − θ) > 0
double:            y = +1: w[i] ← 2 w[i] if x[i] = 1
halve:             y = −1: w[i] ← w[i]/2 if x[i] = 1
until  round:  until a round has no mistake
"""
THRESHOLD = (
    "d: the number of columns, for good. learned: starts at 1 and is changed the opposite way."
)
EQUALITY = "wrong for both classes, or counted as positive"
ENDINGS = ("converged", "cycle", "diverged")
LISTED = 120  # visits in the table


class Params(Record, eq=True):
    threshold: Annotated[Literal["d", "learned"], Label("Threshold θ"), Help(THRESHOLD)] = "d"
    factor: Annotated[
        float, Range(1.001, 10, log=True), Label("Factor"), Help("2 doubles and halves")
    ] = 2.0
    equality: Annotated[
        Literal["wrong", "positive"], Label("At the threshold θ"), Help(EQUALITY)
    ] = "wrong"
    rounds: Annotated[
        int, Range(1, 100_000, log=True), Label("Rounds"), Help("at most this many")
    ] = 50


class State(Record):
    """w_i = factor^powers_i, and powers[d] is θ's: exact; w (d,) and theta are the same as numbers.
    before: powers before this step; current: row or −1; errors: wrong training rows now; mistakes
    so far; visits: the last ones, of `visited`.
    """

    powers: Int
    before: Int
    w: Float
    theta: float
    current: int = -1
    errors: int = 0
    mistakes: int = 0
    round: int = 0
    visited: int = 0
    visits: Visits = Visits()


class Setting(Scale[Params]):
    column = property(lambda given: -1.0)
    fires = property(lambda given: given.p.equality == "positive")
    learned = property(lambda given: given.p.threshold == "learned")
    first = property(lambda given: 1 if given.learned else given.problem.d)
    factor = cached_property(lambda given: Fraction(str(given.p.factor)))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    powers = frozen(np.zeros(given.problem.d + 1, np.intp))
    s = judged(given, State(powers, powers, *given.weights(powers)))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    seen = {s.powers.tobytes(): s.round}
    ending = ""
    while not ending:
        begun = s = replace(s, before=s.powers, current=-1, round=s.round + 1)
        yield from at("round", s)
        s = yield from one_round(given, at, s)
        s = judged(given, replace(s, before=s.powers, current=-1))
        mistakes = s.mistakes - begun.mistakes
        again = seen.setdefault(s.powers.tobytes(), s.round)
        ending = why_end(given, s, mistakes, again)
        events = ("round", ending) if ending in ENDINGS else ("round",)
        yield from at("until", s, *events, mistakes=mistakes, ending=ending, again=again)


@leap
def one_round(given: Setting, at: At, s: State) -> Part[State, State]:
    for i in given.rows.tolist():
        s = replace(s, before=s.powers, current=i)
        yield from at("take", s)
        if not given.wrong(slice(i, i + 1), s.powers)[0]:
            yield from at("test", s := visited(s, (i, s.powers, None)))
        elif not given.run_away(s.powers):
            s = judged(given, mended(given, s))
            s = visited(s, (i, s.before, s.powers))
            yield from at("double" if given.sign[i] > 0 else "halve", s, "mistake")
    return s


def mended(given: Setting, s: State) -> State:
    """w_i · factor for a positive example, w_i / factor for a negative one, where x_i = 1; a learnt
    θ the opposite way.
    """
    on = np.append(given.problem.X[s.current] > 0, -1 if given.learned else 0).astype(np.intp)
    powers = frozen(s.powers + int(given.sign[s.current]) * on)
    w, theta = given.weights(powers)
    return replace(s, powers=powers, w=w, theta=theta, mistakes=s.mistakes + 1)


def visited(s: State, visit: Visit) -> State:
    return replace(s, visited=s.visited + 1, visits=Visits((*s.visits, visit)[-LISTED:]))


def judged(given: Setting, s: State) -> State:
    return replace(
        s, errors=int((given.wrong(slice(None), s.powers) & given.problem.labelled).sum())
    )


def why_end(given: Setting, s: State, mistakes: int, again: int) -> str:
    """Equal weights at the ends of two rounds prove an endless cycle: a round depends on them
    alone.
    """
    if mistakes == 0:
        return "converged"
    if again < s.round:
        return "cycle"
    if given.run_away(s.powers):
        return "diverged"
    return "rounds" if s.round >= given.p.rounds else ""


def example() -> Problem:  # the e-mails of MMDS Fig 12.6, as numbers so that there is a plane
    words = [
        [1, 1, 0, 1, 1],
        [0, 0, 1, 1, 0],
        [0, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 1, 0, 1],
        [1, 0, 1, 1, 0],
    ]
    names = ("and", "viagra", "the", "of", "nigeria")
    return prepare(
        Dataset.from_arrays(np.asarray(words, np.float64), [1, -1, 1, -1, 1, -1], names=names)
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Winnow",
    task=Task.CLASSIFY,
    predict=Setting.predict,
    scores=Setting.scored,
    source=(
        "MMDS 12.2.3-12.2.4",
        "MMDS Exercise 12.2.1",
        "MMDS Ex 12.5-12.6",
        "MMDS Fig 12.7",
        "MMDS Fig 12.9",
    ),
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    curves=(
        WRONG,
        Curve("mistakes", "mistakes so far", digits=0),
        Curve("theta", "threshold θ", about=("w",)),
    ),
    events=("mistake", "round", *ENDINGS),
)
