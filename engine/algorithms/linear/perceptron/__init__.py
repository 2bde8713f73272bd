"""The perceptron with both textbook rules, fixed or learnt threshold.

MMDS 12.2.1-12.2.4, AIMA 18.6.3.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.linear.parts import QUICK_ROWS, WRONG, Rows, Start
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Length,
    MostRounds,
    Part,
    Patience,
    Problem,
    Range,
    Record,
    Rng,
    Sequence,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    leap_to,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.descent import decayed
from engine.numerics.mistakes import MOST_ROUNDS, RoundEnds, cleared
from engine.numerics.visits import Visits

PSEUDOCODE = """
start  round:  w ← start weights
round  detail: repeat
take   detail:   for each (x, y) in the round
test:              if y (w · x) ≤ 0
update:              w ← w + η y x
until  round:  until the stopping rule holds
"""
RULES = (
    "mmds: y = ±1, w·x = 0 is wrong, table order. aima: y = 0/1, fires at w·x ≥ 0, random order."
)
Stop = Literal["clean round", "rounds", "errors stop changing", "test errors stop changing"]


class Params(Record, eq=True):
    rule: Annotated[Literal["mmds", "aima"], Label("Rule"), Help(RULES)] = "mmds"
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    order: Annotated[
        Literal["by rule", "table", "random"], Label("Order"), When("rule", ("aima",))
    ] = "by rule"
    schedule: Annotated[Literal["fixed", "1/(1+ct)", "1000/(1000+t)"], Label("Schedule")] = "fixed"
    decay: Annotated[
        float, Range(1e-3, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))
    ] = 1.0
    threshold: Annotated[Literal["zero", "learned"], Label("Threshold")] = "zero"
    start: Annotated[Start, Length("columns + threshold_weights")] = ()
    stop: Annotated[Stop, Label("Stop")] = "clean round"
    rounds: Annotated[
        MostRounds, Empty("auto"), Help("at most; empty: 1000, or until w comes back")
    ] = None
    patience: Annotated[
        Patience, When("stop", ("errors stop changing", "test errors stop changing"))
    ] = 5

    @property
    def threshold_weights(self) -> int:
        """The number of weights for a learned threshold, 0 or 1."""
        return 1 if self.threshold == "learned" else 0


class State(Record):
    """The model is `w`.

    w: (d,), or (d + 1,) with the threshold (mmds, feature −1) or bias (aima, feature +1) last
    before: w before this step
    current: the row looked at, or −1
    errors: wrong training rows by `w`
    mistakes: updates so far
    round: counted from 1
    visited: examples looked at so far
    """

    w: Float
    before: Float
    current: int
    errors: int
    mistakes: int
    round: int
    visited: int


class Setting(Rows[Params]):
    """The rows with the threshold's feature, and the rule for errors."""

    @property
    def fires(self) -> bool:
        """Whether y and the answer h are 0 or 1 and w · x = 0 is the positive side (aima); else y
        is ±1 and w · x = 0 is wrong (mmds).
        """
        return self.p.rule == "aima"

    @property
    def column(self) -> float | None:
        """The constant feature of the threshold; None without a threshold."""
        if self.p.threshold == "zero":
            return None
        return 1.0 if self.fires else -1.0

    @property
    def step(self) -> float:
        """The largest change of a weight in one update, for a feature of 1."""
        return self.p.rate

    @property
    def table_order(self) -> bool:
        """Whether rounds go through the table in its order; else in one that is drawn."""
        return self.p.order == "table" or (self.p.order == "by rule" and not self.fires)

    @property
    def steady(self) -> Sequence[float] | None:
        """The start weights where every update is ± η times a row; else None."""
        return (self.p.start or (0.0,)) if self.p.schedule == "fixed" else None

    @cached_property
    def visits(self) -> Visits:
        """The rows prepared for unrecorded rounds."""
        return self.whole_rounds(self.sign)

    @property
    def repeatable(self) -> bool:
        """Whether equal weights at the ends of two rounds prove a cycle. MMDS 12.2.2."""
        return self.table_order and self.steady is not None

    def wrong(self, y: Any, score: Any) -> Any:
        """Whether y (w · x) ≤ 0 (mmds), or y ≠ h with h = [w · x ≥ 0] (aima). Elementwise for
        arrays.
        """
        return (y > 0) != (score >= 0) if self.fires else y * score <= 0

    def errors(self, w: Float) -> int:
        """The number of labelled rows that w gets wrong."""
        wrong = self.wrong(self.sign, self.score(w, self.X)) & self.problem.labelled
        return int(np.count_nonzero(wrong))

    def rate(self, s: State, later: Any = 0) -> Any:
        """The learning rate η now, or `later` visits from now; elementwise for an array.

        t counts finished rounds in η/(1 + ct) (MMDS), visits in 1000/(1000 + t) (AIMA).
        """
        t = s.round - 1 if self.p.schedule == "1/(1+ct)" else s.visited + later
        return decayed(self.p.rate, self.p.schedule, self.p.decay, t)

    def settled(self, s: State, counts: list[int]) -> bool:
        """Whether there are as many wrong rows, training or held-out, as in the rounds before.

        counts: of the rounds so far; that of this one is appended.
        """
        p = self.p
        held_out = self.problem.held_out if p.stop.startswith("test") else None
        counts.append(s.errors if held_out is None else Setting(held_out, p).errors(s.w))
        latest = counts[-p.patience :]
        alike = len(latest) == p.patience and len(set(latest)) == 1
        return p.stop.endswith("stop changing") and alike


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    if given.p.stop == "rounds" and given.p.rounds is None:
        raise EngineError("To stop after a number of rounds, say how many: set Rounds.")
    w = given.start(given.p.start)
    s = State(w, w, -1, given.errors(w), 0, 0, 0)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    rows = given.rows
    ends = RoundEnds(given.reach, s.w, s.round)
    counts = list[int]()
    if not given.table_order:
        for _ in range(s.round):
            rng.permutation(rows)  # the orders of the rounds so far
    limit = given.p.rounds
    last = limit or s.round + MOST_ROUNDS
    done = False
    while not done:
        mistakes_before = s.mistakes
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        yield from at("round", s)
        order = rows if given.table_order else rng.permutation(rows)
        s = yield from one_round(given, at, s, order)
        s = replace(s, before=s.w, current=-1, errors=given.errors(s.w))

        mistakes = s.mistakes - mistakes_before
        clean = mistakes == 0
        # an earlier round that ended with the same w: from there the rounds repeat
        earlier = ends.earlier(s.w, s.round) if given.repeatable and not clean else None
        cycle = earlier is not None
        by_rule = given.settled(s, counts) or (limit is not None and s.round >= limit)
        done = clean or by_rule or s.round >= last or (cycle and limit is None)
        events = when(round=True, cycle=cycle, converged=clean)
        yield from at(
            "until", s, *events, mistakes=mistakes, cycle=earlier, done=done, rule=by_rule
        )


def whole_round(given: Setting, s: State, order: Int) -> State:
    """The state after an unrecorded round over these rows."""
    rates = given.rate(s, np.arange(1, len(order) + 1))
    w, made = given.visits.whole_round(order, s.w, rates)
    return replace(s, w=frozen(w), mistakes=s.mistakes + made, visited=s.visited + len(order))


@leap_to(whole_round)
def one_round(given: Setting, at: At, s: State, order: Int) -> Part[State, State]:
    """The state after a recorded round over these rows, example by example."""
    for i in order.tolist():
        s = replace(s, before=s.w, current=i, visited=s.visited + 1)
        yield from at("take", s)
        score = given.score(s.w, given.X[i])  # w · x
        if given.wrong(given.sign[i], score):
            errors_before = s.errors
            s = updated(given, s, score)
            yield from at("update", s, "mistake", score=score, errors=errors_before)
        else:
            yield from at("test", s, score=score)
    return s


def updated(given: Setting, s: State, score: float) -> State:
    """The state after w ← w + η y x (mmds) or w ← w + η (y − h) x (aima)."""
    x = given.X[s.current]
    y = given.sign[s.current]
    if given.fires:
        y = (y + 1) / 2 - (score >= 0)  # y − h
    w = frozen(cleared(s.w + given.rate(s) * y * x, given.reach))
    return replace(s, w=w, errors=given.errors(w), mistakes=s.mistakes + 1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of each row: the first where w · x > 0, the second where w · x < 0; on the
    line none, −1 (mmds), or the first (aima).
    """
    score = given.scored(s, X)  # w · x
    return np.asarray(given.class_codes(score), np.intp)


def example() -> Problem:
    """Four points that a line through the origin separates."""
    return prepare(
        Dataset.from_arrays([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [-1.0, -2.0]], [1, -1, 1, -1])
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Perceptron",
    task=Task.CLASSIFY,
    scores=Setting.scored,
    tweak=Setting.tweak,
    source=(
        "MMDS 12.2.1-12.2.2",
        "MMDS 12.2.4",
        "MMDS 12.2.6-12.2.7",
        "MMDS Exercise 12.2.1-12.2.3",
        "AIMA 18.6.3",
    ),
    needs=QUICK_ROWS,
    curves=(WRONG, Curve("mistakes", "mistakes so far", digits=0)),
    events=("mistake", "round", "converged", "cycle"),
    uses_held_out=lambda p: p.stop.startswith("test"),
)
