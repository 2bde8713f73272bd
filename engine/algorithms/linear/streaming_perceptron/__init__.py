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
    """w (d,) or (d + 1,), the threshold last; before: w before this step; current: the row that has
    come, or −1; log: of each arrival its row, its class as it came (±1) and whether it was got
    wrong; missed: share of the last m.
    """

    w: Float
    before: Float
    log: Prefix[tuple[int, float, bool]]
    current: int = -1
    missed: float = np.nan
    mistakes: int = 0
    seen = property(lambda s: len(s.log))


class Setting(Rows[Params]):
    """truth: what tells the classes, None where the table does."""

    column = property(lambda given: None if given.p.threshold == "zero" else -1.0)
    step = property(lambda given: given.p.rate)
    steady = property(lambda given: (0.0,) if given.p.memory == "all" else None)

    @cached_property
    def truth(self) -> Truth | None:
        return (
            None
            if self.p.drift == "none"
            else Truth.of(self.problem, self.p, self.column is not None)
        )

    def arrival(self, t: int, rng: Rng) -> tuple[int, float]:
        """The row that comes after t others, and its class."""
        row = int(self.rows[t])
        if self.truth is None:
            return row, float(self.sign[row])
        return row, self.truth.label(self.problem.X[row], t) * (
            -1.0 if rng.random() < self.p.noise else 1.0
        )

    def last(self, s: State) -> tuple[tuple[int, float, bool], ...]:
        """The last m arrivals, the oldest first."""
        return s.log[max(0, s.seen - self.p.window) :]

    def wrong(self, s: State) -> int:
        """How many of them were got wrong when they came."""
        return [wrong for _, _, wrong in self.last(s)].count(True)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", s := State(w := given.start(()), w, Prefix([], 0)), truth=given.truth)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if len(s.w) != given.X.shape[1] or s.seen > len(given.rows):
        raise EngineError(
            "These weights belong to other columns, other examples or another threshold: start"
            " again."
        )
    # a mistake that nothing was learnt from yet
    if s.current >= 0 and s.log[-1][2] and np.array_equal(s.w, s.before):
        s = replace(s, log=Prefix(s.log.items, s.seen - 1), mistakes=s.mistakes - s.log[-1][2])
    rng.random(0 if given.truth is None else s.seen)  # the noise of the arrivals so far
    for t in range(s.seen, n := len(given.rows)):
        s = yield from one_arrival(given, at, s, t, rng)
        if s.seen % given.p.window == 0 or s.seen == n:
            yield from at("tally", replace(s, before=s.w, current=-1), "round")
        yield None
    yield from at("end", replace(s, before=s.w, current=-1))


def one_arrival(given: Setting, at: At, s: State, t: int, rng: Rng) -> Part[State, State]:
    """It is tested before it is learnt: that is what the error counts."""
    row, y = given.arrival(t, rng)
    score = given.score(s.w, given.X[row])
    wrong = bool(y * score <= 0)
    s = replace(
        s, before=s.w, current=row, log=s.log.plus((row, y, wrong)), mistakes=s.mistakes + wrong
    )
    s = replace(s, missed=given.wrong(s) / min(s.seen, given.p.window))
    yield from at("arrive", s)
    if not wrong:
        yield from at("test", s, score=float(score))
        return s
    raw = frozen(cleared(s.w + given.p.rate * y * given.X[row], given.reach))
    s = replace(
        s, w=raw if given.p.memory == "all" else frozen(raw / (float(np.linalg.norm(raw)) or 1.0))
    )
    yield from at("update", s, "mistake", score=float(score), raw=raw)
    return s


def example() -> Problem:
    """Points in the order in which they come."""
    X = [
        [2.0, 1.0],
        [-1.0, -2.0],
        [1.0, 2.0],
        [2.0, -1.0],
        [-2.0, 1.0],
        [-1.0, 1.5],
        [1.5, -2.0],
        [0.5, 1.5],
    ]
    return prepare(Dataset.from_arrays(X, [1, -1, 1, 1, -1, -1, 1, 1]))


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
