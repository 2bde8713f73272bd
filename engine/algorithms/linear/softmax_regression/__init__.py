"""Softmax regression: logistic regression for any number of classes, by descent on the log loss.

AIMA 18.6.4 has two classes, this is their extension; the penalties are those of AIMA 18.4.3.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.parts import WRONG, select_rows
from engine.algorithms.linear.parts.descent import CALM, Rate, even, last_step, longer, still
from engine.algorithms.linear.parts.penalty import Kind, Penalised, Strength
from engine.authoring import (
    LINEAR_ROWS,
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    Work,
    cached_property,
    field,
    frozen,
    leap_to,
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.numerics.class_scores import softmax, winners
from engine.numerics.closeness import OF_TERMS, settled
from engine.numerics.descent import largest_square
from engine.numerics.sigmoid import log_loss_of_classes

PSEUDOCODE = """
start  round:  W ← 0, a row for each class
round  detail: repeat
look   detail:   B ← all examples, or a few
guess  detail:     P ← e^(W x) / Σ e^(W x) for B
update:            W ← W + η Σ[B] (y − P) xᵀ
until  round:  until all steps are taken
"""
MODE = (
    "all examples in each step, or one, or a mini-batch of a few; these in a new random order each"
    " round"
)
SCHEDULE = "t counts the updates made so far"
STEEPEST = 0.5  # of the second derivative of −ln P: no eigenvalue of diag(P) − P Pᵀ is larger
NOISY = 0.1  # of the safe rate for one example alone; √b times as much for b of them
BETWEEN = 256  # updates of an unrecorded round between two places where it can be cancelled
FARTHEST, LARGEST = 1e140, 1e300  # of weights, and of scores: beyond that a run stops
NO_ROWS = frozen(np.zeros(0, np.intp))


class Params(Record, eq=True):
    mode: Annotated[Literal["batch", "stochastic", "mini-batch"], Label("Mode"), Help(MODE)] = (
        "batch"
    )
    size: Annotated[
        int, Range(2, 10_000, log=True), Label("Batch size"), When("mode", ("mini-batch",))
    ] = 32
    rate: Rate = None
    schedule: Annotated[Literal["fixed", "1000/(1000+t)"], Label("Schedule"), Help(SCHEDULE)] = (
        "fixed"
    )
    penalty: Kind = "none"
    strength: Strength = 1.0
    steps: Annotated[
        int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of W in all")
    ] = 1000


class State(Record):
    """The model is `W`.

    W: (k, d + 1) the weights of each class, the bias with its feature +1 last
    before: W before this step
    current: the row looked at, or −1
    batch: (b,) the rows of a mini-batch; empty where all rows or one make the step
    errors: wrong training rows by `W`
    loss: Σ −ln P(true class) over the training rows, with the penalty
    updates: of W so far
    round: counted from 1
    """

    W: Float
    before: Float
    current: int = -1
    batch: Int = field(default_factory=lambda: NO_ROWS)
    errors: int = 0
    loss: float = 0.0
    updates: int = 0
    round: int = 0


class Setting(Penalised):
    """The rows with a feature 1 for the bias, and their classes as rows of 0 and 1."""

    @property
    def steepest(self) -> float:
        """The largest second derivative of one example's loss, for an x of length 1."""
        return STEEPEST

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.problem.classes)

    @cached_property
    def Y(self) -> Float:
        """(n, k) 1 for the class of a row, 0 for the others; 0 in a row without a class."""
        return frozen(self.problem.codes[:, None] == np.arange(self.k), np.float64)

    @cached_property
    def known(self) -> tuple[Float, Float, Int]:
        """X (m, d + 1), Y (m, k) and the codes (m,) of the labelled rows."""
        X, Y = select_rows(self.rows, self.X, self.Y)
        return X, Y, self.problem.codes[self.rows]

    @cached_property
    def sizes(self) -> Float:
        """(n, d + 1) |X|."""
        return np.abs(self.X)

    @cached_property
    def lengths(self) -> Float:
        """(m,) Σ |x| of the labelled rows."""
        return self.length(self.known[0])

    @cached_property
    def together(self) -> int:
        """How many examples make one step."""
        whole = len(self.rows)
        few = min(int(self.p.size), whole)
        return {"batch": whole, "stochastic": 1}.get(self.p.mode, few)

    @cached_property
    def base_rate(self) -> float:
        """η before any decay, as in `Descent`; for a mini-batch of b examples √b tenths of 1 / L,
        where L is b / m of the whole, or that of the largest example.
        """
        b = self.together
        if self.p.rate is not None or self.p.mode != "mini-batch":
            return float(super().base_rate)
        X, _, _ = self.known
        longest = float((X**2).sum(axis=1).max(initial=1.0))
        size = max(longest, largest_square(X) * self.share(b))
        share = min(1.0, NOISY * b**0.5)
        return float(f"{share / (self.steepest * size + self.stiffness):.0e}")

    def length(self, X: Float) -> Float:
        """(m,) Σ |x| of extended rows."""
        return np.asarray(np.abs(X).sum(axis=1))

    def near(self, W: Float, lengths: Float) -> Float:
        """(m,) how far scores of rows of these lengths may be off by rounding."""
        return np.asarray(OF_TERMS * float(np.abs(W).max()) * lengths)

    def parts(self, order: Int) -> list[Int]:
        """The rows of each step of a round in this order."""
        b = self.together
        return [order[i : i + b] for i in range(0, len(order), b)]

    def fits(self, W: Float) -> bool:
        """Whether W and every score w · x are numbers of a size that can be squared and added."""
        most = min(FARTHEST, LARGEST / (self.largest * W.shape[1]))
        return bool(np.abs(W).max() < most)

    def pull(self, W: Float, rows: Int) -> Float:
        """(k, d + 1) Σ (y − P) xᵀ over some rows, where it is not 0 but for rounding."""
        everything = len(rows) == len(self.X)
        X, Y = (self.X, self.Y) if everything else (self.X[rows], self.Y[rows])
        missing = Y - softmax(X @ W.T)
        pull = missing.T @ X
        if len(rows) == 1:
            return np.asarray(pull)
        sizes = self.sizes if everything else self.sizes[rows]
        return np.asarray(settled(pull, np.abs(missing).T @ sizes))

    def tweak(self, s: State, place: tuple[int, ...], value: float) -> State:
        """The state with one weight set by hand, judged again. place: (0, column, class), as a link
        of the network. Raises IndexError where there is no such weight.
        """
        _, j, c = place
        W = s.W.copy()
        W[c, j] = value
        W = frozen(W)
        return judged(self, replace(s, W=W, before=W, current=-1, batch=NO_ROWS))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    W = frozen(np.zeros((given.k, given.problem.d + 1)))
    s = judged(given, State(W, W))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if given.p.mode == "batch":
        yield from steps_of_all(given, at, s)
    else:
        yield from rounds_of_parts(given, at, s, rng)


def steps_of_all(given: Setting, at: At, s: State) -> Steps[State]:
    """The steps of batch gradient descent: each uses all examples."""
    loss_before = s.loss
    ending = ""
    while s.updates < given.p.steps and not ending:
        loss_before = s.loss
        s = replace(s, before=s.W, current=-1, batch=NO_ROWS, round=s.round + 1)
        yield from at("round", s)
        s, ending = yield from all_at_once(given, at, s)
    s = replace(s, before=s.W, current=-1)
    events = (ending,) if ending else ()
    yield from at("until", s, *events, ending=ending or last_step(s.loss, loss_before))


def all_at_once(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    """(the state after one step on all examples, why the run ends or "")."""
    yield from at("look", s)
    yield from at("guess", s)
    pull = own(given.pull(s.W, given.rows))  # Σ[B] (y − P) xᵀ, with P ← e^(W x) / Σ e^(W x)
    after = updated(given, s, given.rows, pull)
    if not given.fits(after.W):
        return s, "diverged"
    after = judged(given, after)
    events = when(round=True, overshoot=longer(after.loss, s.loss))
    yield from at.end("update", after, *events, loss=s.loss, pull=pull)
    if not still(after.W, s.W):  # W ≠ the W before, beyond rounding
        return after, ""
    # |Σ of the pulls| ≤ 10⁻³ Σ |pull|: they cancel
    balanced = even(given.left_over(after.W, pull), sizes_of_pulls(given, after.W))
    return after, "converged" if balanced else "tiny steps"


def sizes_of_pulls(given: Setting, W: Float) -> Float:
    """(k, d + 1) Σ |y − P| |x|, and the size of the penalty's pull."""
    X, Y, _ = given.known
    return np.abs(Y - softmax(X @ W.T)).T @ np.abs(X) + given.pulls_back(W)


def rounds_of_parts(given: Setting, at: At, s: State, rng: Rng) -> Steps[State]:
    """The steps of stochastic gradient descent: one for each example or mini-batch, in a new random
    order each round.
    """
    for _ in range(s.round):
        rng.permutation(given.rows)  # the orders of the rounds so far
    ending = ""
    while s.updates < given.p.steps and not ending:
        s = replace(s, before=s.W, current=-1, batch=NO_ROWS, round=s.round + 1)
        yield from at("round", s)
        order = frozen(rng.permutation(given.rows), np.intp)
        parts = given.parts(order)[: given.p.steps - s.updates]
        s, ending = yield from part_by_part(given, at, s, parts)
        s = replace(s, before=s.W, current=-1, batch=NO_ROWS)
        if s.updates < given.p.steps and not ending:
            yield from at("until", s, "round", ending="round")
    events = (ending,) if ending else ()
    yield from at("until", s, *events, ending=ending)


def whole_round(given: Setting, s: State, parts: list[Int]) -> Work[tuple[State, str]]:
    """(the state after an unrecorded step for each of these parts, why the run ends or "")."""
    ending = ""
    for number, rows in enumerate(parts, 1):
        after = updated(given, s, rows, given.pull(s.W, rows))
        if not given.fits(after.W):
            ending = "diverged"
            break
        s = after
        if number % BETWEEN == 0:
            yield
    return judged(given, s), ending


@leap_to(whole_round)
def part_by_part(
    given: Setting, at: At, s: State, parts: list[Int]
) -> Part[State, tuple[State, str]]:
    """(the state after a step for each of these parts, why the run ends or "")."""
    for rows in parts:
        alone = given.p.mode == "stochastic"
        current = int(rows[0]) if alone else -1
        s = replace(s, before=s.W, current=current, batch=NO_ROWS if alone else rows)
        yield from at("look", s)
        yield from at("guess", s)
        pull = own(given.pull(s.W, rows))  # Σ[B] (y − P) xᵀ, with P ← e^(W x) / Σ e^(W x)
        after = updated(given, s, rows, pull)
        if not given.fits(after.W):
            return s, "diverged"
        after = judged(given, after)
        yield from at("update", after, loss=s.loss, pull=pull)
        s = after
    return s, ""


@CALM
def updated(given: Setting, s: State, rows: Int, pull: Float) -> State:
    """The state after W ← W + η · pull, with the share of the penalty that so many rows take."""
    eta = given.rate(s.updates)
    W = own(given.stepped(s.W, eta, pull, given.share(len(rows))))
    return replace(s, W=W, updates=s.updates + 1)


@CALM
def judged(given: Setting, s: State) -> State:
    """The state with its errors and its loss."""
    X, Y, codes = given.known
    Z = (X @ s.W.T).T
    near = given.near(s.W, given.lengths)
    errors = int(np.count_nonzero(first_of_best(Z, near) != codes))
    loss = float(log_loss_of_classes(Y.T, Z).sum())  # Σ −ln P(true class)
    return replace(s, errors=errors, loss=loss + given.cost(s.W))  # + α Σ |w|^q


def first_of_best(Z: Float, near: Float) -> Int:
    """(m,) the class with the largest of the scores Z (k, m), the first of equal ones."""
    return winners(((z, near) for z in Z), Z.shape[1:], floor=-np.inf)


def all_scores(given: Setting, s: State, X: Float) -> tuple[Float, Float]:
    """(scores w · x (k, m) of rows X (m, d), (m,) the most that a row's scores may be off by
    rounding).
    """
    rows = given.X if X is given.problem.X else given.extended(X)
    return (rows @ s.W.T).T, given.near(s.W, given.length(rows))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of the largest w · x, which is that of the largest P; the first of equals."""
    return first_of_best(*all_scores(given, s, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m, k) w · x of each class; of two classes (m,) the first less the second, ln P / (1 − P)."""
    Z, near = all_scores(given, s, X)
    if given.k != 2:
        return Z.T
    return np.asarray(settled(Z[0] - Z[1], 2.0 * near, 1.0))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"errors": s.errors, "accuracy": 1 - s.errors / max(1, len(given.rows)), "loss": s.loss}


def example() -> Problem:
    """Nine points of three classes, two of each on its side and one on the opposite side, so that
    the steps end somewhere.
    """
    X = [[-2, -1], [-3, -1], [3, 1], [1, -1], [1, -2], [-1, 2], [1, 2], [2, 3], [-2, -3]]
    return prepare(Dataset.from_arrays(0.48 * np.array(X), [*"AAABBBCCC"]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Softmax regression",
    task=Task.CLASSIFY,
    tweak=Setting.tweak,
    extension=True,
    needs=Needs(min_classes=2, numeric=True, sample=LINEAR_ROWS),
    curves=(
        WRONG,
        Curve("accuracy", "share right", about=("errors",)),
        Curve("loss", "loss", digits=3),
    ),
    events=("round", "overshoot", "converged", "tiny steps", "diverged"),
)
