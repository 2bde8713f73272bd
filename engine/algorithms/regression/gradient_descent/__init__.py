"""Gradient descent for a linear model, batch and stochastic, watched in weight space.

AIMA 18.6.1-18.6.2, Eq 18.4; the absolute loss of AIMA 18.4.2.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.gradient_descent.absolute import creased
from engine.algorithms.regression.parts.fits import LINEAR, Examples
from engine.algorithms.regression.parts.least_squares import (
    Bowl,
    loss_bowl,
    root_mean_square,
)
from engine.authoring import (
    Algorithm,
    At,
    Callable,
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
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Prefix, RowLog
from engine.numerics.closeness import more
from engine.numerics.descent import OVERFLOW, Rest, decayed

PSEUDOCODE = """
start  round:  w ← any place in weight space
round  detail: repeat
take   detail:   for all (x, y) together, or each
update:            w ← w − α ∂Loss/∂w
until  round:  until w stands still
"""
GROWN = 1e6  # a loss that has grown by this factor counts as divergence
MODE = "batch: all examples make one step. stochastic: every example makes a step of its own."
RATE = (
    "empty: half of the critical rate 2/λmax (batch), a tenth of 2/max|x|² (stochastic); of the"
    " absolute loss: no step moves a value farther than the values spread"
)
LOSS = (
    "squared: L₂, Σ (y − h)², an example pulls by its error; absolute: L₁, Σ |y − h|, it pulls by"
    " the sign of its error"
)
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
    loss: Annotated[Literal["squared", "absolute"], Label("Loss"), Help(LOSS)] = "squared"


class State(Record):
    """The model is `w`; `before` and `current` are what a moment looks at.

    w: (d + 1,) the weights, w₀ first
    loss: Σ (y − h)² or Σ |y − h| over the rows with a value
    steps: updates so far
    round: counts from 1
    path: every w so far
    before: (d + 1,) w before this step
    current: the row looked at, or −1
    """

    w: Float
    loss: float
    steps: int
    round: int
    path: Prefix[Float]
    before: Float
    current: int


class Setting(Examples[Params]):
    """A (n, d + 1): the rows x with x₀ = 1, so that h(x) = w · x; y (n,)."""

    @property
    def batch(self) -> bool:
        """Whether all examples make one step together."""
        return self.p.mode == "batch"

    @property
    def in_turn(self) -> bool:
        """Whether each weight is updated before the derivative for the next one is computed."""
        return self.p.update == "one after the other"

    @property
    def absolute(self) -> bool:
        """Whether the loss is Σ |y − h|, not Σ (y − h)²."""
        return self.p.loss == "absolute"

    def loss(self, w: Float) -> float:
        """Σ (y − h)² or Σ |y − h| of the weights w (d + 1,)."""
        return float(np.abs(self.y - self.A @ w).sum()) if self.absolute else super().loss(w)

    def pull(self, errors: Float, x: Float) -> Float:
        """(…) −∂Loss/∂w, by examples x (m, …) with the errors y − h (m,): Σ (y − h) x, where the
        factor 2 is part of α, or Σ sign(y − h) x.
        """
        return np.asarray((np.sign(errors) if self.absolute else errors) @ x)

    @cached_property
    def bowl(self) -> Bowl:
        """The loss as a function of w (d + 1,)."""
        if not self.absolute:
            return loss_bowl(self.X, self.y, self.A)
        return creased(self.A, self.y)

    @cached_property
    def rest(self) -> Callable[[Float], bool]:
        """Whether w stands still, from the errors (n,) y − h.

        Of squares: no w could make them much smaller; what of them lies in the span of the columns
        is at most 10⁻⁶ |y − ȳ|. Of absolute errors: the signs cancel in every column.
        """
        if self.absolute:
            return lambda errors: not self.pull(errors, self.A).any()
        return Rest(self.A, self.y)

    @cached_property
    def spread(self) -> Float:
        """(min(n, d + 1),) the singular values of A, the largest first."""
        return np.asarray(np.linalg.svd(self.A, compute_uv=False), np.float64)

    @cached_property
    def critical(self) -> float:
        """The upper limit of a stable learning rate: 2/λmax(AᵀA), or 2/max |x|² where every example
        makes its own step.
        """
        if self.batch:
            return 2.0 / float(self.spread[0] ** 2)
        return 2.0 / float((self.A**2).sum(axis=1).max())

    def alpha(self, done: int) -> float:
        """α of the next step, after `done` steps: as set, or stable for these examples."""
        rate = self.p.rate
        if rate is None and self.absolute:
            largest = np.linalg.norm(self.A, axis=1)
            moved = largest.sum() if self.batch else largest.max()
            rate = float(self.y.std() or 1.0) / (largest.max() * moved)
        elif rate is None:
            rate = self.critical * (0.5 if self.batch else 0.1)
        return decayed(rate, self.p.schedule, self.p.decay, done)

    def order(self, rng: Rng) -> Int:
        """(n,) the examples in the order of the next round."""
        if self.p.order == "table":
            return np.arange(self.n)
        return rng.permutation(self.n)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from given.precompute(at, "spread", "bowl")
    w = given.start(given.p.start)
    path = Prefix(RowLog([w]), 1)
    s = State(w=w, loss=given.loss(w), steps=0, round=0, path=path, before=w, current=-1)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    mean = np.zeros(given.problem.d + 1)
    mean[0] = given.y.mean()
    flat = given.loss(mean)  # of the mean alone
    ceiling = GROWN * max(given.loss(s.path[0]), flat, 1e-300)
    if not given.batch:
        for _ in range(s.round):
            given.order(rng)  # of the rounds so far
    over = False
    while not over:
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        begun = s
        yield from at("round", s)
        if given.batch:
            s = yield from one_step(given, at, s, slice(None))
        else:
            order = given.order(rng)[: max(1, given.p.steps - s.steps)]
            s = yield from one_by_one(given, at, s, order)
        s = replace(s, before=s.w, current=-1)
        ending = ""
        if s.loss > ceiling or s.steps == begun.steps:
            ending = "diverged"
        elif given.rest(given.y - given.A @ s.w):
            ending = "converged"
        over = bool(ending) or s.steps >= given.p.steps
        if over or not given.batch:
            events = (ending,) if ending else ()
            yield from at(
                "until", s, "round", *events, loss_before=begun.loss, end=ending, over=over
            )


def one_by_one(given: Setting, at: At, s: State, order: Int) -> Part[State, State]:
    """The state after a step for each of these examples, or earlier where w becomes too large."""
    for i in order.tolist():
        yield None  # of very many examples a round takes long
        before = replace(s, before=s.w, current=int(given.rows[i]))
        s = yield from one_step(given, at, before, slice(i, i + 1))
        if s is before:
            break
    return replace(s, loss=given.loss(s.w))


def one_step(given: Setting, at: At, s: State, rows: slice) -> Part[State, State]:
    """The state after an update of w by these rows; the same state where w becomes too large.

    AIMA Eq 18.4, 18.6.
    """
    yield from at("take", s)
    x = given.A[rows]  # (m, d + 1)
    y = given.y[rows]  # (m,)
    alpha = given.alpha(s.steps)
    if given.in_turn:
        pull, places = weight_by_weight(given, s.w, x, y, alpha)
    else:
        pull = given.pull(y - x @ s.w, x)  # Σ (y − h(x)) x
        places = [own(s.w + alpha * pull)]  # w + α Σ (y − h(x)) x
    w = places[-1]
    if not w @ w < OVERFLOW:
        return s
    after = replace(s, w=w, steps=s.steps + 1, path=s.path.plus(*places))
    if given.batch or at.records("update"):
        after = replace(after, loss=given.loss(w))
    emit = at.end if given.batch else at
    uphill = given.batch and more(after.loss, s.loss)
    yield from emit("update", after, *when(uphill=uphill), loss_before=s.loss, pull=pull)
    return after


def weight_by_weight(
    given: Setting, w: Float, x: Float, y: Float, alpha: float
) -> tuple[Float, list[Float]]:
    """(derivatives (d + 1,), w after the step (d + 1,)), where w₀ moves before the derivative for
    w₁ is computed.

    That is AIMA 18.6.1 read literally.
    """
    w = np.array(w)
    pull = np.zeros(len(w))
    places = []
    for j in range(len(w)):
        pull[j] = given.pull(y - x @ w, x[:, j])
        w[j] += alpha * pull[j]
        places.append(own(w.copy()))
    return pull, places


def metrics(given: Setting, s: State) -> dict[str, float]:
    """The RMSE and the loss that is made small."""
    squares = Examples.loss(given, s.w) if given.absolute else s.loss
    return {"rmse": root_mean_square(squares, given.n), "loss": s.loss}


def tweak(given: Setting, s: State, place: tuple[int, ...], value: float) -> State:
    """The state with weight number `place[0]` set by hand."""
    w = np.array(s.w)
    w[place[0]] = value
    w = own(w)
    return replace(s, w=w, loss=given.loss(w), path=s.path.plus(w), before=w, current=-1)


def example() -> Problem:
    """Four points close to y = 1 + x, which a few steps fit."""
    columns = {"x": [-2.0, -1.0, 1.0, 2.0], "y": [-1.1, 0.2, 1.8, 3.1]}
    return prepare(Dataset.from_columns(columns, "y", task="regress"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Gradient descent",
    task=Task.REGRESS,
    source=("AIMA 18.6.1", "AIMA 18.6.2", "AIMA 18.4.2", "ML 8.3.1", "LS, Linear regression"),
    **{**LINEAR, "metrics": metrics},
    curves=(
        Curve("rmse", "root mean square error", about=("loss",)),
        Curve("loss", "loss", log=True),
    ),
    events=("round", "uphill", "converged", "diverged"),
)
