"""Gradient descent for a linear model, batch and stochastic, watched in weight space.

AIMA 18.6.1-18.6.2, Eq 18.4.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.regression.parts.fits import LINEAR, Examples
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Int,
    Label,
    Length,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    leap,
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.core.arrays import Prefix, RowLog
from engine.numerics.descent import OVERFLOW, Rest, decayed
from engine.algorithms.regression.parts.least_squares import sum_of_squares
from engine.numerics.closeness import more

PSEUDOCODE = """
start  round:  w ← any place in weight space
round  detail: repeat
take   detail:   for all (x, y) together, or each
update:            w ← w + α Σ (y − h(x)) x
until  round:  until w stands still
"""
GROWN = 1e6  # a loss that has grown by this factor counts as divergence
MODE = "batch: all examples make one step. stochastic: every example makes a step of its own."
RATE = "empty: half of the critical rate 2/λmax (batch), a tenth of 2/max|x|² (stochastic)"
LITERAL = (
    "One after the other is the loop of AIMA 18.6.1 read literally; it is not gradient descent."
)
Update = Literal["all weights at once", "one after the other"]
Schedule = Literal["fixed", "1/(1+ct)", "1000/(1000+t)"]


class Params(Record, eq=True):
    mode: Annotated[Literal["batch", "stochastic"], Label("Mode"), Help(MODE)] = "batch"
    rate: Annotated[
        float | None, Range(1e-15, 10, log=True), Label("Rate α"), Empty("auto"), Help(RATE)
    ] = None
    schedule: Annotated[Schedule, Label("Schedule"), Help("t: steps taken")] = "fixed"
    decay: Annotated[
        float, Range(1e-4, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))
    ] = 0.1
    start: Annotated[
        tuple[float, ...],
        Label("Start w"),
        Help("w₀ and one weight per column; empty: all zero"),
        Length("columns + 1"),
    ] = ()
    steps: Annotated[
        int, Range(1, 100_000, log=True), Label("Steps"), Help("most updates of w")
    ] = 500
    order: Annotated[Literal["table", "random"], Label("Order"), When("mode", ("stochastic",))] = (
        "table"
    )
    update: Annotated[Update, Label("Update"), Help(LITERAL)] = "all weights at once"


class State(Record):
    """w (d + 1,), w₀ first; before: w before this step; current: row looked at or −1; loss: Σ (y −
    h)² over the training rows; steps: updates so far; round counts from 1; path: every w so far.
    """

    w: Float
    before: Float
    current: int
    loss: float
    steps: int
    round: int
    path: Prefix[Float]


class Setting(Examples[Params]):
    batch = property(lambda given: given.p.mode == "batch")
    in_turn = property(lambda given: given.p.update == "one after the other")
    # of A, the largest first
    spread = cached_property(lambda given: np.linalg.svd(given.A, compute_uv=False))

    @cached_property
    def critical(self) -> float:
        """The rate below which descent is safe: 2/λmax(AᵀA), or 2/max |x|² where every example
        makes its own step.
        """
        return 2.0 / float(self.spread[0] ** 2 if self.batch else (self.A**2).sum(axis=1).max())

    def alpha(self, done: Any) -> Any:
        """α of the next step, after `done` of them or each of several numbers: as set, or safe for
        these examples.
        """
        rate = self.critical * (0.5 if self.batch else 0.1) if self.p.rate is None else self.p.rate
        return decayed(rate, self.p.schedule, self.p.decay, done)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from given.foresee(at, "spread", "bowl")
    s = State(w := given.start(given.p.start), w, -1, given.loss(w), 0, 0, Prefix(RowLog([w]), 1))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    ceiling = GROWN * max(given.loss(s.path[0]), sum_of_squares(given.y - given.y.mean()), 1e-300)
    rest = Rest(given.A, given.y)
    over = False
    for _ in range(0 if given.batch or given.p.order == "table" else s.round):
        rng.permutation(given.n)  # the orders of the rounds so far
    while not over:
        begun = s = replace(s, before=s.w, current=-1, round=s.round + 1)
        yield from at("round", s)
        if given.batch:
            s = yield from one_step(given, at, s, slice(None))
        else:
            order = np.arange(given.n) if given.p.order == "table" else rng.permutation(given.n)
            s = yield from each(given, at, s, order[: max(1, given.p.steps - s.steps)])
        s = replace(s, before=s.w, current=-1)
        diverged = s.loss > ceiling or s.steps == begun.steps
        end = "diverged" if diverged else "converged" if rest(given.y - given.A.dot(s.w)) else ""
        over = bool(end) or s.steps >= given.p.steps
        if over or not given.batch:
            yield from at(
                "until",
                s,
                "round",
                *([end] if end else []),
                loss_before=begun.loss,
                end=end,
                over=over,
            )


@leap
def each(given: Setting, at: At, s: State, order: Int) -> Part[State, State]:
    for i in order.tolist():
        before = s = replace(s, before=s.w, current=int(given.rows[i]))
        s = yield from one_step(given, at, s, slice(i, i + 1))
        if s is before:  # the weights became too large to reckon with
            break
    return s


def one_step(given: Setting, at: At, s: State, rows: slice) -> Part[State, State]:
    yield from at("take", s)
    before = s
    pull, s = moved(given, s, rows)
    if s is not before:
        s = replace(s, loss=given.loss(s.w))
        tell = at.end if given.batch else at
        uphill = given.batch and more(s.loss, before.loss)
        yield from tell("update", s, *when(uphill=uphill), loss_before=before.loss, pull=pull)
    return s


def moved(given: Setting, s: State, rows: slice) -> tuple[Float, State]:
    """(Σ (y − h(x)) x, the state after w ← w + α of it, the loss still that of before): all weights
    move at once, or each before the next one's derivative is taken (Eq 18.4 read literally). The
    factor 2 of the derivative is part of α.
    """
    A = given.A[rows]
    y = given.y[rows]
    a = given.alpha(s.steps)
    path = s.path
    if not given.in_turn:
        # one by one: as in `fast`
        pull = (y - (A.dot(s.w) if given.batch else (A * s.w).cumsum(axis=1)[:, -1])) @ A
        path = path.plus(w := own(s.w + a * pull))
    else:
        pull = np.zeros(len(s.w))
        w = np.array(s.w)
        for k in range(len(w)):
            pull[k] = (y - A @ w) @ A[:, k]
            w[k] += a * pull[k]
            path = path.plus(frozen(w))
    return pull, replace(s, w=frozen(w), steps=s.steps + 1, path=path) if w.dot(w) < OVERFLOW else s


def tweak(given: Setting, s: State, place: tuple[int, ...], value: float) -> State:
    w = frozen(np.where(np.arange(len(s.w)) == place[0], value, s.w))
    return replace(s, w=w, before=w, current=-1, loss=given.loss(w), path=s.path.plus(w))


def example() -> Problem:  # four points that a few steps fit: y = 1 + x, almost
    return prepare(
        Dataset.from_columns(
            {"x": [-2.0, -1.0, 1.0, 2.0], "y": [-1.1, 0.2, 1.8, 3.1]}, "y", task="regress"
        )
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Gradient descent",
    task=Task.REGRESS,
    source=("AIMA 18.6.1", "AIMA 18.6.2", "ML 8.3.1", "LS, Linear regression"),
    **LINEAR,
    curves=(
        Curve("rmse", "root mean square error", about=("loss",)),
        Curve("loss", "Σ (y − h)²", log=True),
    ),
    events=("round", "uphill", "converged", "diverged"),
)
