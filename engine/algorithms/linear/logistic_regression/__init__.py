"""Logistic regression by gradient descent on squared loss; log loss as an extension.

AIMA 18.6.4, Eq 18.8.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.logistic_regression.loss import pulls, stuck, total_loss
from engine.algorithms.linear.parts import QUICK_ROWS, WRONG, Start, taken
from engine.algorithms.linear.parts.descent import (
    within_numbers,
    CALM,
    Descent,
    Rate,
    even,
    last_step,
    longer,
    still,
)
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
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
    start: Start = ()
    steps: Annotated[
        int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of w in all")
    ] = 1000


class State(Record):
    """w (d + 1,), the bias with its feature +1 last; before: w before this step; current: row
    looked at or −1; errors: wrong training rows; loss: over the training rows; updates so far;
    round counts from 1.
    """

    w: Float
    before: Float
    current: int = -1
    errors: int = 0
    loss: float = 0.0
    updates: int = 0
    round: int = 0


class Setting(Descent):
    """y (n,): 1 for the positive class, 0 for the other; known: X, y and y = 1 of the m labelled
    rows.
    """

    fires = property(lambda given: True)
    steepest = property(lambda given: STEEPEST[given.p.loss])
    y = cached_property(lambda given: (given.sign + 1) / 2)
    known = cached_property(lambda given: taken(given.rows, given.X, given.y, given.y > 0.5))

    def score(self, w: Float, X: Float) -> Float:
        """w·x, the logarithm of P / (1 − P)."""
        return X @ w


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", s := judged(given, State(w := given.start("Start w", given.p.start), w)))
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    batch = given.p.mode == "batch"
    ending = ""
    loss = s.loss
    for _ in range(0 if batch else s.round):
        rng.permutation(given.rows)  # the orders of the rounds so far
    while s.updates < given.p.steps and not ending:
        loss = s.loss
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        yield from at("round", s)
        order = given.rows if batch else rng.permutation(given.rows)[: given.p.steps - s.updates]
        s, ending = yield from (
            all_at_once(given, at, s) if batch else one_by_one(given, at, s, order)
        )
        if not batch and s.updates < given.p.steps and not ending:
            yield from at("until", replace(s, before=s.w, current=-1), "round", ending="round")
    s, told = (
        replace(s, before=s.w, current=-1),
        ending or (last_step(s.loss, loss) if batch else ""),
    )
    yield from at("until", s, *[ending] * bool(ending), ending=told)


def all_at_once(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    X, y, _ = given.known
    yield from at("look", s)
    yield from at("guess", s)
    each = pulls(given.p.loss, y, logistic(X.dot(s.w)))
    pull = own(each.dot(X))
    after = judged(
        given, replace(s, w=own(s.w + given.rate(s.updates) * pull), updates=s.updates + 1)
    )
    if not after.loss < np.inf:
        return s, "diverged"
    yield from at.end(
        "update",
        after,
        "round",
        *when(overshoot=longer(after.loss, s.loss)),
        loss=s.loss,
        pull=pull,
    )
    if not still(after.w, s.w):
        return after, ""
    if stuck(given.p.loss, X, y, after.w):
        return after, "flat"
    return after, "converged" if even(pull, np.abs(each).dot(np.abs(X))) else "tiny steps"


def whole_round(given: Setting, s: State, order: Int) -> tuple[State, str]:
    """A round of single updates without a word."""

    def moved(s: State, order: Int) -> State:
        return judged(given, updated(given, s, order))

    return within_numbers(moved, s, order, "loss")


@leap_to(whole_round)
def one_by_one(given: Setting, at: At, s: State, order: Int) -> Part[State, tuple[State, str]]:
    for i in order.tolist():
        s = replace(s, before=s.w, current=i)
        yield from at("look", s)
        yield from at("guess", s)
        before = s
        s = judged(given, updated(given, s, np.asarray([i])))
        if not s.loss < np.inf:
            return before, "diverged"
        yield from at("update", s, loss=before.loss)
    return s, ""


def updated(given: Setting, s: State, order: Int) -> State:
    rates = given.rate(s.updates + np.arange(len(order)))  # one update for each example
    w = after_sigmoid(given.X[order], given.y[order], rates, s.w, given.p.loss == "squared")
    return replace(s, w=frozen(w), updates=s.updates + len(order))


@CALM
def judged(given: Setting, s: State) -> State:
    y, z = given.known[1], given.known[0].dot(s.w)  # half the price of @ where w is short
    return replace(
        s,
        errors=int(np.count_nonzero((z >= 0) != given.known[2])),
        loss=total_loss(given.p.loss, y, z),
    )


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
    predict=Setting.predict,
    scores=Setting.scored,
    tweak=lambda given, s, place, value: judged(given, given.tweak(s, place, value)),
    source=("AIMA 18.6.4", "AIMA Eq 18.8"),
    needs=QUICK_ROWS,
    curves=(
        WRONG,
        Curve("accuracy", "share right", about=("errors",)),
        Curve("loss", "loss", digits=3),
    ),
    events=("round", "overshoot", "converged", "flat", "tiny steps", "diverged"),
)
