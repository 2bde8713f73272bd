"""Error intervals: what k errors in N fresh rows say of the true error, and how often it holds.

ML Ex 7.8, Ex 7.3, 7.3.1.
"""

from math import ceil, log
from typing import Annotated, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Empty,
    EngineError,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.sums import add_up
from engine.experiments.error_interval.bounds import RULES
from engine.sources.generators import generate

PSEUDOCODE = """
start     round:  k of N fresh rows are wrong: e = k/N
hoeffding:        p = e ± √(ln(2/δ) / 2N)
chernoff:         p with e ≥ (1 − γ) p, e ≤ (1 + γ) p
normal:           p = e ± z √(e (1 − e) / N)
binomial:         p with both tails at k ≥ δ/2
pac       round:  m training rows right: error ≤ ε
draw      detail: R times: N fresh rows, true error p
hold:             which of the intervals hold p?
done      round:  how often did each?
"""
FEWEST = (
    "the true error of which the repeats are drawn; empty: k/N, as if the measured error were true"
)


class Params(Record, eq=True):
    wrong: Annotated[int, Range(0, 10_000, log=True), Label("Wrong k"), Help("fresh rows")] = 30
    rows: Annotated[int, Range(1, 10_000, log=True), Label("Fresh rows N")] = 100
    confidence: Annotated[float, Range(50, 99.9), Label("Confidence %"), Help("100 (1 − δ)")] = 95.0
    trained: Annotated[
        int,
        Range(1, 10_000, log=True),
        Label("Training rows m"),
        Help("that a conjunction of columns fits without error"),
    ] = 100
    columns: Annotated[int, Range(1, 64), Label("Columns n")] = 10
    truth: Annotated[
        float | None, Range(0, 1), Label("True error p"), Empty("k/N"), Help(FEWEST)
    ] = None
    repeats: Annotated[int, Range(0, 1000), Label("Repeats R")] = 100


class Trial(NamedTuple):
    """One repeat: so many of N rows were wrong; which of the rules' intervals hold p, in order."""

    wrong: int
    holds: tuple[bool, ...]


class State(Record):
    """What is known so far.

    intervals: (low, high) by rule
    epsilon: the error that the training rows allow by the PAC bound, NaN before
    wrong: of the repeat that is looked at, −1 before
    trials: the repeats so far
    """

    intervals: Mapping[str, tuple[float, float]]
    trials: Prefix[Trial]
    epsilon: float = float("nan")
    wrong: int = -1

    def held(self, rule: str) -> int:
        """The number of repeats in which the interval of a rule held p."""
        at = list(RULES).index(rule)
        return add_up(int(trial.holds[at]) for trial in self.trials)


class Setting(Given[Params]):
    """The counted errors, and the chance δ that may be wrong."""

    @property
    def delta(self) -> float:
        """δ, the chance with which an interval may miss p."""
        return round(1 - self.p.confidence / 100, 12)

    @property
    def N(self) -> int:
        return self.p.rows

    @cached_property
    def k(self) -> int:
        """The number of wrong rows; raises EngineError where it exceeds N."""
        if self.p.wrong > self.p.rows:
            raise EngineError(
                f"{self.p.wrong} of {self.p.rows} rows cannot be wrong: lower k or raise N."
            )
        return self.p.wrong

    @property
    def e(self) -> float:
        """The error on the fresh rows, k/N."""
        return self.k / self.N

    @property
    def truth(self) -> float:
        """The true error p of which repeats are drawn: as set, else e."""
        return self.e if self.p.truth is None else self.p.truth

    def interval(self, rule: str) -> tuple[float, float]:
        """(low, high) by a rule, after k of N."""
        low, high = RULES[rule](np.array([float(self.k)]), self.N, self.delta)
        return float(low[0]), float(high[0])

    def found(self, s: State, rule: str) -> State:
        """The state with the interval by one more rule."""
        return replace(s, intervals={**s.intervals, rule: self.interval(rule)})

    @cached_property
    def rules_of(self) -> dict[str, tuple[Float, Float]]:
        """By rule the ends (N + 1,) of its interval after 0, 1, … N wrong rows."""
        k = np.arange(self.N + 1, dtype=np.float64)
        return {name: rule(k, self.N, self.delta) for name, rule in RULES.items()}

    def holds(self, wrong: int) -> tuple[bool, ...]:
        """Whether the interval of each rule after so many wrong rows holds the true error."""
        p = self.truth
        return tuple(bool(low[wrong] <= p <= high[wrong]) for low, high in self.rules_of.values())

    def allowed(self, columns: Float | float) -> Float:
        """ε = (n ln 3 + ln 1/δ) / m: the error that a conjunction of n columns may have that fits m
        rows. ML Eq 7.2 turned round.
        """
        return np.asarray((columns * log(3) + log(1 / self.delta)) / self.p.trained)

    def fewest(self, error: float) -> int:
        """The least number of columns with which the bound allows an error."""
        least = (self.p.trained * error - log(1 / self.delta)) / log(3)
        return max(1, ceil(least - 1e-9))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    _ = given.k  # raises EngineError where more rows are wrong than there are
    s = State({}, Prefix([], 0))
    yield from at("start", s)
    s = given.found(s, "Hoeffding")
    yield from at("hoeffding", s)
    s = given.found(s, "Chernoff")
    yield from at("chernoff", s)
    s = given.found(s, "normal")
    yield from at("normal", s)
    s = given.found(s, "binomial")
    yield from at("binomial", s)
    s = replace(s, epsilon=float(given.allowed(given.p.columns)))
    yield from at("pac", s)
    for wrong in rng.binomial(given.N, given.truth, given.p.repeats).tolist():
        s = replace(s, wrong=wrong)
        yield from at("draw", s)
        trial = Trial(wrong, given.holds(wrong))
        s = replace(s, trials=s.trials.plus(trial))
        yield from at("hold", s, *when(missed=not all(trial.holds)))
        yield None
    yield from at("done", s)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """The share of the repeats in which each interval held p, in per cent; {} before the first."""
    if not s.trials:
        return {}
    return {rule.lower(): 100 * s.held(rule) / len(s.trials) for rule in RULES}


def hits(given: Setting, s: State, rule: str) -> Bool:
    """(t,) in which of the repeats the interval of a rule held p."""
    place = list(RULES).index(rule)
    return frozen([trial.holds[place] for trial in s.trials], bool)


def example() -> Problem:
    """Forty points, which the experiment does not use: it has its own count of errors."""
    return prepare(generate("moons", 40, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Error intervals",
    task=Task.THEORY,
    source=("ML Ex 7.8", "ML Ex 7.3", "ML 7.3.1"),
    needs=Needs(labels=False, missing=True),
    curves=(
        Curve("binomial", "binomial intervals that held p, %"),
        Curve("normal", "normal ones, %"),
        Curve("hoeffding", "Hoeffding's, %"),
        Curve("chernoff", "Chernoff's, %"),
    ),
    events=("missed",),
    without_data=lambda p: True,
)
