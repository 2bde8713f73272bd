"""The perceptron on a stream: each example comes once and is forgotten; the truth may move
meanwhile. MMDS 12.1.4, 12.2.9.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.parts import TWO_CLASSES, Rows
from engine.algorithms.linear.streaming_perceptron.truth import Truth
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Label,
    Part,
    Prefix,
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
    np,
    prepare,
    replace,
)
from engine.numerics.mistakes import cleared

PSEUDOCODE = """
start  round:  w ← 0
arrive detail: whenever an (x, y) arrives
test:            if y (w · x) ≤ 0
update:            w ← w + η y x
tally  round:    every m arrivals: the error
end    round:  the stream is over
"""
DRIFT = (
    "none: the table's classes. turning, shifting (extensions): told by a moving line, held-out"
    " rows excepted"
)
MEMORY = (
    "all: every mistake counts the same for ever. fading: w is kept at length 1, so old mistakes"
    " fade"
)
SPEED = "a turn, or the way there and back, takes 360° of arrivals"
DRIFTS = When("drift", ("turning", "shifting"))
Arrival = tuple[int, float, bool]  # row, class as it came, whether it was got wrong


class Params(Record, eq=True):
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    threshold: Annotated[Literal["zero", "learned"], Label("Threshold")] = "zero"
    drift: Annotated[Literal["none", "turning", "shifting"], Label("Drift"), Help(DRIFT)] = "none"
    speed: Annotated[
        float, Range(0.01, 90, log=True), Label("Degrees each"), Help(SPEED), DRIFTS
    ] = 3.0
    noise: Annotated[
        float, Range(0, 0.5), Label("Label noise"), Help("arrivals of the wrong class"), DRIFTS
    ] = 0.0
    memory: Annotated[Literal["all", "fading"], Label("Memory"), Help(MEMORY)] = "all"
    window: Annotated[
        int, Range(2, 10_000, log=True), Label("Window m"), Help("arrivals shown and counted")
    ] = 20


class State(Record):
    """The model is `w`; `before` and `current` are what a moment looks at.

    w: (d,), or (d + 1,) with the threshold (feature −1) last
    log: (row, its class as it came, ±1, whether it was got wrong) of each arrival
    missed: share of the last m arrivals that were got wrong when they came
    mistakes: updates so far
    before: w before this step
    current: the row that has come, or −1
    """

    w: Float
    log: Prefix[Arrival]
    before: Float
    missed: float = np.nan
    mistakes: int = 0
    current: int = -1

    @property
    def seen(self) -> int:
        """The number of examples that have arrived."""
        return len(self.log)


class Setting(Rows[Params]):
    """The rows in the order of their arrival, and the source of their classes."""

    @property
    def column(self) -> float | None:
        """The constant feature of the threshold, −1; None without a threshold."""
        return None if self.p.threshold == "zero" else -1.0

    @property
    def step(self) -> float:
        """The largest change of a weight in one update, for a feature of 1."""
        return self.p.rate

    @property
    def steady(self) -> Sequence[float] | None:
        """The start weights where every update is ± η times a row; else None."""
        return (0.0,) if self.p.memory == "all" else None

    @cached_property
    def truth(self) -> Truth | None:
        """The moving line that decides the classes; None where the table does."""
        if self.p.drift == "none":
            return None
        return Truth.of(self.problem, self.p, self.column is not None)

    def arrival(self, t: int, rng: Rng) -> tuple[int, float]:
        """(row that arrives after t others, its class ±1)."""
        row = int(self.rows[t])
        if self.truth is None:
            return row, float(self.sign[row])
        y = self.truth.label(self.problem.X[row], t)
        noisy = rng.random() < self.p.noise
        return row, -y if noisy else y

    def kept(self, w: Float) -> Float:
        """w after an update; scaled to length 1 where the memory fades."""
        if self.p.memory == "all":
            return w
        length = float(np.linalg.norm(w)) or 1.0
        return frozen(w / length)

    def last(self, s: State) -> tuple[Arrival, ...]:
        """The last m arrivals, the oldest first."""
        return s.log[max(0, s.seen - self.p.window) :]

    def wrong_of_last(self, s: State) -> int:
        """The number of errors among the last m arrivals, each judged when it came."""
        return [wrong for _, _, wrong in self.last(s)].count(True)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.start(())
    s = State(w, Prefix([], 0), before=w)
    yield from at("start", s, truth=given.truth)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    n = len(given.rows)
    if len(s.w) != given.X.shape[1] or s.seen > n:
        raise EngineError(
            "These weights belong to other columns, other examples or another threshold: start"
            " again."
        )
    s = without_unlearnt(s)
    if given.truth is not None:
        rng.random(s.seen)  # the noise of the arrivals so far
    while s.seen < n:
        s = yield from one_arrival(given, at, s, rng)
        if s.seen % given.p.window == 0 or s.seen == n:
            yield from at("tally", replace(s, before=s.w, current=-1), "round")
        yield None
    yield from at("end", replace(s, before=s.w, current=-1))


def without_unlearnt(s: State) -> State:
    """The state before the last arrival where that is an error not yet learnt from; it arrives
    again.
    """
    if s.current < 0:
        return s
    _, _, wrong = s.log[-1]
    if not wrong or not np.array_equal(s.w, s.before):
        return s
    return replace(s, log=Prefix(s.log.items, s.seen - 1), mistakes=s.mistakes - 1)


def one_arrival(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """The state after the next example, which is tested before it is learnt from; the error counts
    these tests. MMDS 12.2.9.
    """
    row, y = given.arrival(s.seen, rng)
    score = given.score(s.w, given.X[row])  # w · x
    wrong = bool(y * score <= 0)
    log = s.log.plus((row, y, wrong))
    s = replace(s, before=s.w, current=row, log=log, mistakes=s.mistakes + wrong)
    s = replace(s, missed=given.wrong_of_last(s) / min(s.seen, given.p.window))
    yield from at("arrive", s)
    if not wrong:
        yield from at("test", s, score=float(score))
        return s
    w = frozen(cleared(s.w + given.p.rate * y * given.X[row], given.reach))  # w + η y x
    s = replace(s, w=given.kept(w))
    yield from at("update", s, "mistake", score=float(score), raw=w)
    return s


def example() -> Problem:
    """Eight points in the order of their arrival."""
    x1 = [2.0, -1.0, 1.0, 2.0, -2.0, -1.0, 1.5, 0.5]
    x2 = [1.0, -2.0, 2.0, -1.0, 1.0, 1.5, -2.0, 1.5]
    y = [1, -1, 1, 1, -1, -1, 1, 1]
    return prepare(Dataset.from_arrays(np.column_stack([x1, x2]), y))


ALGORITHM = Algorithm.of(
    __name__,
    title="Streaming perceptron",
    task=Task.CLASSIFY,
    predict=Setting.predict,
    scores=Setting.scored,
    source=("MMDS 12.1.4", "MMDS 12.2.9"),
    needs=TWO_CLASSES,
    curves=(
        Curve("missed", "error of the last m arrivals", about=("recent",)),
        Curve("mistakes", "mistakes so far", digits=0),
    ),
    events=("mistake", "round"),
)
