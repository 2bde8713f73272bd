"""Logistic regression by gradient descent on squared loss; log loss and penalties as extensions.

AIMA 18.6.4, Eq 18.8, 18.4.3.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.logistic_regression.loss import stuck, total_loss
from engine.algorithms.linear.parts import QUICK_ROWS, WRONG, Start, select_rows
from engine.algorithms.linear.parts.descent import (
    CALM,
    Rate,
    even,
    last_step,
    longer,
    still,
    within_numbers,
)
from engine.algorithms.linear.parts.penalty import Kind, Penalised, Strength
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
    Length,
    Mapping,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    leap_to,
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.numerics.activations import logistic
from engine.numerics.sigmoid import after_sigmoid

PSEUDOCODE = """
start  round:  w ← start weights
round  detail: repeat
look   detail:   B ← all examples, or one by one
guess  detail:     h ← 1/(1 + e^(−w·x)) for B
update:            w ← w + η Σ[B] (y−h) h (1−h) x
until  round:  until all steps are taken
"""
LOSS = (
    "squared: Σ (y − h)², as in the text. log: Σ −log P(true class), without the factor h (1 − h);"
    " extension."
)
MODE = "all examples in each step, or one, in random order"
STEEPEST = {"squared": 1 / 12, "log": 1 / 4}  # of h (1 − h) (y − h), at most 0.077, and of h
SCHEDULE = "t counts the updates made so far"


class Params(Record, eq=True):
    loss: Annotated[Literal["squared", "log"], Label("Loss"), Help(LOSS)] = "squared"
    mode: Annotated[Literal["batch", "stochastic"], Label("Mode"), Help(MODE)] = "batch"
    rate: Rate = None
    schedule: Annotated[Literal["fixed", "1000/(1000+t)"], Label("Schedule"), Help(SCHEDULE)] = (
        "fixed"
    )
    start: Annotated[Start, Length("columns + 1")] = ()
    steps: Annotated[
        int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of w in all")
    ] = 1000
    penalty: Kind = "none"
    strength: Strength = 1.0


class State(Record):
    """The model is `w`.

    w: (d + 1,), the bias with its feature +1 last
    before: w before this step
    current: the row looked at, or −1
    errors: wrong training rows by `w`
    loss: over the training rows, with the penalty
    updates: of w so far
    round: counted from 1
    """

    w: Float
    before: Float
    current: int = -1
    errors: int = 0
    loss: float = 0.0
    updates: int = 0
    round: int = 0


class Setting(Penalised):
    """The rows with a feature 1 for the bias, and their classes as 0 and 1."""

    @property
    def fires(self) -> bool:
        """True: a row with w · x = 0 is on the positive side."""
        return True

    @property
    def steepest(self) -> float:
        """The largest second derivative of one example's loss, for an x of length 1."""
        return STEEPEST[self.p.loss]

    @cached_property
    def y(self) -> Float:
        """(n,) 1 for the positive class, 0 for the other."""
        return np.asarray((self.sign + 1) / 2)

    @cached_property
    def known(self) -> tuple[Float, Float, Bool]:
        """X (m, d + 1), y (m,) and y = 1 of the m labelled rows."""
        X, y = select_rows(self.rows, self.X, self.y)
        return X, y, y > 0.5

    def pulls(self, y: Float, h: Float) -> Float:
        """(n,) the factor of x in each example's part of the gradient."""
        error = y - h
        return error * h * (1.0 - h) if self.p.loss == "squared" else error

    def score(self, w: Float, X: Float) -> Float:
        """(m,) w·x, which is ln P / (1 − P)."""
        return X @ w


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.start(given.p.start)
    s = with_metrics(given, State(w, w))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if given.p.mode == "batch":
        yield from steps_of_all(given, at, s)
    else:
        yield from rounds_of_single_steps(given, at, s, rng)


def steps_of_all(given: Setting, at: At, s: State) -> Steps[State]:
    """The steps of batch gradient descent: each uses all examples."""
    loss_before = s.loss
    ending = ""
    while s.updates < given.p.steps and not ending:
        loss_before = s.loss
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        yield from at("round", s)
        s, ending = yield from all_at_once(given, at, s)
    s = replace(s, before=s.w, current=-1)
    events = (ending,) if ending else ()
    yield from at("until", s, *events, ending=ending or last_step(s.loss, loss_before))


def all_at_once(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    """(the state after one step on all examples, why the run ends or "")."""
    X, y, _ = given.known
    yield from at("look", s)
    h = logistic(X.dot(s.w))  # 1/(1 + e^(−w·x))
    yield from at("guess", s)
    each = given.pulls(y, h)  # (y − h) h (1 − h); for the log loss y − h
    pull = own(each.dot(X))  # Σ[B] (y − h) h (1 − h) x
    w = own(given.stepped(s.w, given.rate(s.updates), pull))
    after = with_metrics(given, replace(s, w=w, updates=s.updates + 1))
    if not after.loss < np.inf:
        return s, "diverged"
    events = when(round=True, overshoot=longer(after.loss, s.loss))
    yield from at.end("update", after, *events, loss=s.loss, pull=pull)
    if not still(after.w, s.w):  # w ≠ the w before, beyond rounding
        return after, ""
    if stuck(given.p.loss, X, y, after.w):  # a wrong example has h (1 − h) < 10⁻⁹
        return after, "flat"
    sizes = np.abs(each).dot(np.abs(X)) + given.pulls_back(after.w)
    # |Σ of the pulls| ≤ 10⁻³ Σ |pull|: they cancel
    balanced = even(given.left_over(after.w, pull), sizes)
    return after, "converged" if balanced else "tiny steps"


def rounds_of_single_steps(given: Setting, at: At, s: State, rng: Rng) -> Steps[State]:
    """The steps of stochastic gradient descent: one for each example, in a new random order each
    round.
    """
    for _ in range(s.round):
        rng.permutation(given.rows)  # the orders of the rounds so far
    ending = ""
    while s.updates < given.p.steps and not ending:
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        yield from at("round", s)
        order = rng.permutation(given.rows)[: given.p.steps - s.updates]
        s, ending = yield from one_by_one(given, at, s, order)
        if s.updates < given.p.steps and not ending:
            yield from at("until", replace(s, before=s.w, current=-1), "round", ending="round")
    s = replace(s, before=s.w, current=-1)
    events = (ending,) if ending else ()
    yield from at("until", s, *events, ending=ending)


def whole_round(given: Setting, s: State, order: Int) -> tuple[State, str]:
    """(the state after an unrecorded step for each of these rows, why the run ends or "")."""

    def moved(s: State, order: Int) -> State:
        return with_metrics(given, updated(given, s, order))

    # where the loss leaves all numbers: the last state before
    return within_numbers(moved, s, order, "loss")


@leap_to(whole_round)
def one_by_one(given: Setting, at: At, s: State, order: Int) -> Part[State, tuple[State, str]]:
    """(the state after a step for each of these rows, why the run ends or "")."""
    for i in order.tolist():
        s = replace(s, before=s.w, current=i)
        yield from at("look", s)
        # h ← 1/(1 + e^(−w·x)) of example i: the words show it, `updated` computes it again
        yield from at("guess", s)
        after = with_metrics(given, updated(given, s, np.asarray([i])))
        if not after.loss < np.inf:
            return s, "diverged"
        yield from at("update", after, loss=s.loss)
        s = after
    return s, ""


def updated(given: Setting, s: State, order: Int) -> State:
    """The state after a step for each of these rows in turn."""
    rates = given.rate(s.updates + np.arange(len(order)))
    squared = given.p.loss == "squared"
    # for each row: h ← 1/(1 + e^(−w·x)), w ← w + η (y − h) h (1 − h) x; log loss: η (y − h) x
    alone = given.share(1)  # each example takes its part of the penalty
    penalty = given.ridge * alone, given.lasso * alone
    w = after_sigmoid(given.X[order], given.y[order], rates, s.w, squared, *penalty)
    return replace(s, w=frozen(w), updates=s.updates + len(order))


@CALM
def with_metrics(given: Setting, s: State) -> State:
    """The state with its errors and its loss."""
    X, y, positive = given.known
    z = X.dot(s.w)
    errors = int(np.count_nonzero((z >= 0) != positive))
    loss = total_loss(given.p.loss, y, z)  # Σ (y − h)²; log loss: Σ −ln P(true class)
    return replace(s, errors=errors, loss=loss + given.cost(s.w))  # + α Σ |w|^q


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first class where w·x ≥ 0, that is h ≥ ½, else the second."""
    score = given.scored(s, X)  # w·x
    return np.asarray(given.class_codes(score), np.intp)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"errors": s.errors, "accuracy": 1 - s.errors / max(1, len(given.rows)), "loss": s.loss}


# two of three pairs fit a line through the middle, the third makes the steps end somewhere
def example() -> Problem:
    X = np.array([[6.0, 12.0], [12.0, 6.0], [-6.0, -6.0]])
    return prepare(Dataset.from_arrays(np.concatenate([X, -X]), [1, 1, 1, -1, -1, -1]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Logistic regression",
    task=Task.CLASSIFY,
    scores=Setting.scored,
    tweak=lambda given, s, place, value: with_metrics(given, given.tweak(s, place, value)),
    source=("AIMA 18.6.4", "AIMA Eq 18.8"),
    needs=QUICK_ROWS,
    curves=(
        WRONG,
        Curve("accuracy", "share right", about=("errors",)),
        Curve("loss", "loss", digits=3),
    ),
    events=("round", "overshoot", "converged", "flat", "tiny steps", "diverged"),
)
