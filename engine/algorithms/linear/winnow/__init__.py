"""Winnow: a linear classifier of 0/1 columns that multiplies its weights.

MMDS 12.2.3, with its own threshold 12.2.4.
"""

from fractions import Fraction
from typing import Annotated, Any, Literal

from engine.algorithms.linear.parts import WRONG
from engine.algorithms.linear.winnow.scale import Scale, Visit, Visits
from engine.authoring import (
    Algorithm,
    At,
    Bool,
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
    """The model is w and θ, as whole powers of the factor; what comes behind `visited` is what a
    moment looks at.

    powers: (d + 1,) w_i = factor^powers_i; the last is that of θ = its start · factor^power
    w: (d,) the weights as numbers
    theta: θ as a number
    errors: training rows that they get wrong
    mistakes: updates so far
    round: counted from 1
    visited: examples looked at so far
    before: powers before this step
    current: the row looked at, or −1
    visits: the last ones, of `visited`
    """

    powers: Int
    w: Float
    theta: float
    before: Int
    errors: int = 0
    mistakes: int = 0
    round: int = 0
    visited: int = 0
    current: int = -1
    visits: Visits = Visits()


class Setting(Scale[Params]):
    """The rows of 0 and 1, and the rule for errors."""

    @property
    def learned(self) -> bool:
        """Whether θ is changed as the weights are, the opposite way. MMDS 12.2.4."""
        return bool(self.p.threshold == "learned")

    @property
    def first(self) -> int:
        """The initial θ: 1 where it is learned, else d."""
        return 1 if self.learned else self.problem.d

    @cached_property
    def factor(self) -> Fraction:
        """The factor by which weights are multiplied or divided."""
        return Fraction(str(self.p.factor))

    @property
    def fires(self) -> bool:
        """Whether w · x = θ is the positive side; else it is wrong for both classes."""
        return bool(self.p.equality == "positive")

    def wrong(self, y: Any, gap: Any) -> Any:
        """Whether y (w · x − θ) ≤ 0; where equality counts as positive, y ≠ [w · x ≥ θ].
        Elementwise. gap: w · x − θ
        """
        return (y > 0) != (gap >= 0) if self.fires else y * gap <= 0

    def wrong_rows(self, rows: Int | slice, powers: Int) -> Bool:
        """(m,) which of these rows are wrong by w and θ of these powers."""
        gaps = self.gaps(self.problem.X[rows], powers)  # w · x − θ
        return np.asarray(self.wrong(self.sign[rows], gaps))

    def errors(self, powers: Int) -> int:
        """The number of labelled rows that weights with these powers get wrong. powers: (d + 1,)"""
        wrong = self.wrong_rows(slice(None), powers) & self.problem.labelled
        return int(np.count_nonzero(wrong))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    powers = frozen(np.zeros(given.problem.d + 1, np.intp))  # w ← 1
    w, theta = given.weights(powers)
    s = State(powers, w, theta, before=powers, errors=given.errors(powers))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    round_of = {s.powers.tobytes(): s.round}  # the first round that ended with these weights
    ending = ""
    while not ending:
        mistakes_before = s.mistakes
        s = replace(s, before=s.powers, current=-1, round=s.round + 1)
        yield from at("round", s)
        s = yield from one_round(given, at, s)
        s = replace(s, before=s.powers, current=-1, errors=given.errors(s.powers))
        mistakes = s.mistakes - mistakes_before
        again = round_of.setdefault(s.powers.tobytes(), s.round)
        ending = why_end(given, s, mistakes, again)
        events = ("round", ending) if ending in ENDINGS else ("round",)
        yield from at("until", s, *events, mistakes=mistakes, ending=ending, again=again)


@leap
def one_round(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after a recorded visit to each example in turn. MMDS 12.2.3."""
    for i in given.rows.tolist():
        s = replace(s, before=s.powers, current=i)
        yield from at("take", s)
        y = int(given.sign[i])
        (gap,) = given.gaps(given.problem.X[[i]], s.powers)  # w · x − θ
        if not given.wrong(y, gap):
            s = with_visit(s, (i, s.powers, None))
            yield from at("test", s)
        elif not given.run_away(s.powers):
            s = updated(given, s)
            s = replace(s, errors=given.errors(s.powers))
            s = with_visit(s, (i, s.before, s.powers))
            yield from at("double" if y > 0 else "halve", s, "mistake")
    return s


def updated(given: Setting, s: State) -> State:
    """The state after an error: where x_i = 1, w_i · factor for y = +1 and w_i / factor for y = −1;
    a learned θ moves the other way.
    """
    x = given.problem.X[s.current] > 0
    y = int(given.sign[s.current])  # +1: one factor more, −1: one less
    change_of_theta = -y if given.learned else 0
    powers = frozen(s.powers + np.append(y * x, change_of_theta))
    w, theta = given.weights(powers)
    return replace(s, powers=powers, w=w, theta=theta, mistakes=s.mistakes + 1)


def with_visit(s: State, visit: Visit) -> State:
    """The state with one more visit; only the last ones are kept."""
    return replace(s, visited=s.visited + 1, visits=Visits((*s.visits, visit)[-LISTED:]))


def why_end(given: Setting, s: State, mistakes: int, again: int) -> str:
    """The name of the ending, "" while the run goes on.

    again: the first round that ended with these weights; since a round depends on its weights
        alone,
    this proves an endless cycle
    """
    if mistakes == 0:
        return "converged"
    if again < s.round:
        return "cycle"
    if given.run_away(s.powers):
        return "diverged"
    if s.round >= given.p.rounds:
        return "rounds"
    return ""


def example() -> Problem:
    """The e-mails of MMDS Fig 12.6, as numbers, so that there is a plane."""
    words = [
        [1, 1, 0, 1, 1],
        [0, 0, 1, 1, 0],
        [0, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 1, 0, 1],
        [1, 0, 1, 1, 0],
    ]
    names = ("and", "viagra", "the", "of", "nigeria")
    spam = [1, -1, 1, -1, 1, -1]
    return prepare(Dataset.from_arrays(np.asarray(words, np.float64), spam, names=names))


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
