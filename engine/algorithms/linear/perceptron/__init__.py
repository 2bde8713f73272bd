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
    MostRounds,
    Part,
    Patience,
    Problem,
    Range,
    Record,
    Rng,
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
    start: Start = ()
    stop: Annotated[Stop, Label("Stop")] = "clean round"
    rounds: Annotated[
        MostRounds, Empty("auto"), Help("at most; empty: 1000, or until w comes back")
    ] = None
    patience: Annotated[
        Patience, When("stop", ("errors stop changing", "test errors stop changing"))
    ] = 5


class State(Record):
    """w (d,) or (d+1,), the threshold (mmds, feature −1) or bias (aima, feature +1) last; before: w
    before this step; current: row looked at or −1; errors: wrong training rows now; mistakes:
    updates so far; round counts from 1.
    """

    w: Float
    before: Float
    current: int
    errors: int
    mistakes: int
    round: int
    visited: int


class Setting(Rows[Params]):
    """fires: y and the answer h are 0 or 1, and w · x = 0 is the positive side (aima); else y = ±1
    and 0 is wrong (mmds).
    """

    fires = property(lambda given: given.p.rule == "aima")
    column = property(
        lambda given: None if given.p.threshold == "zero" else 1.0 if given.fires else -1.0
    )
    step = property(lambda given: given.p.rate)
    table_order = property(
        lambda given: given.p.order == "table" or (given.p.order == "by rule" and not given.fires)
    )
    steady = property(
        lambda given: (given.p.start or (0.0,)) if given.p.schedule == "fixed" else None
    )
    visits = cached_property(lambda given: given.whole_rounds(given.sign))
    # equal w: a cycle, 12.2.2
    repeatable = property(lambda given: given.table_order and given.steady is not None)

    def wrong(self, y: Any, score: Any) -> Any:
        """y (w · x) ≤ 0 (mmds); y ≠ h, h = [w · x ≥ 0] (aima)."""
        return (y > 0) != (score >= 0) if self.fires else y * score <= 0

    def errors(self, w: Float) -> int:
        return int(
            np.count_nonzero(self.wrong(self.sign, self.score(w, self.X)) & self.problem.labelled)
        )

    def rate(self, s: State, later: Any = 0) -> Any:
        """η now, or some visits `later`: t counts finished rounds in η/(1+ct) (MMDS), visits in
        1000/(1000+t) (AIMA).
        """
        p = self.p
        t = s.round - 1 if self.p.schedule == "1/(1+ct)" else s.visited + later
        return decayed(p.rate, p.schedule, p.decay, t)

    def settled(self, s: State, counts: list[int]) -> bool:
        """Whether the wrong rows, of the training or the held-out set, are as many as in the rounds
        before.
        """
        p = self.p
        held_out = self.problem.held_out if self.p.stop.startswith("test") else None
        counts.append(s.errors if held_out is None else Setting(held_out, p).errors(s.w))
        return (
            p.stop.endswith("stop changing")
            and len(counts) >= p.patience
            and len(set(counts[-p.patience :])) == 1
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    if given.p.stop == "rounds" and given.p.rounds is None:
        raise EngineError("To stop after a number of rounds, say how many: set Rounds.")
    yield from at(
        "start",
        s := State(w := given.start("Start w", given.p.start), w, -1, given.errors(w), 0, 0, 0),
    )
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    rows = given.rows
    ends = RoundEnds(given.reach, s.w, s.round)
    counts = list[int]()
    for _ in range(0 if given.table_order else s.round):
        rng.permutation(rows)  # the orders of the rounds so far
    done = False
    most = given.p.rounds
    last = given.p.rounds or s.round + MOST_ROUNDS
    while not done:
        begun = s = replace(s, before=s.w, current=-1, round=s.round + 1)
        yield from at("round", s)
        s = yield from one_round(given, at, s, rows if given.table_order else rng.permutation(rows))
        s = replace(s, before=s.w, current=-1, errors=given.errors(s.w))
        mistakes = s.mistakes - begun.mistakes
        cycle = ends.earlier(s.w, s.round) if mistakes and given.repeatable else None
        rule = given.settled(s, counts) or (most is not None and s.round >= most)
        done = mistakes == 0 or rule or s.round >= last or (most is None and cycle is not None)
        events = "round", *when(cycle=cycle is not None, converged=mistakes == 0)
        yield from at("until", s, *events, mistakes=mistakes, cycle=cycle, done=done, rule=rule)


def whole_round(given: Setting, s: State, order: Int) -> State:
    """A round without a word."""
    rates = given.rate(s, np.arange(1, len(order) + 1))
    w, made = given.visits.whole_round(order, s.w, rates)
    return replace(s, w=frozen(w), mistakes=s.mistakes + made, visited=s.visited + len(order))


@leap_to(whole_round)
def one_round(given: Setting, at: At, s: State, order: Int) -> Part[State, State]:
    for i in order.tolist():
        s = replace(s, before=s.w, current=i, visited=s.visited + 1)
        yield from at("take", s)
        score = given.score(s.w, given.X[i])
        if given.wrong(given.sign[i], score):
            before = s
            s = updated(given, s, score)
            yield from at("update", s, "mistake", score=score, errors=before.errors)
        else:
            yield from at("test", s, score=score)
    return s


def updated(given: Setting, s: State, score: float) -> State:
    """w ← w + η y x (mmds), w ← w + η (y − h) x (aima)."""
    x = given.X[s.current]
    y = given.sign[s.current]
    error = (y + 1) / 2 - (score >= 0) if given.fires else y
    w = frozen(cleared(s.w + given.rate(s) * error * x, given.reach))
    return replace(s, w=w, errors=given.errors(w), mistakes=s.mistakes + 1)


def example() -> Problem:
    return prepare(
        Dataset.from_arrays([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [-1.0, -2.0]], [1, -1, 1, -1])
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Perceptron",
    task=Task.CLASSIFY,
    predict=Setting.predict,
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
