"""Gradient descent on the soft-margin loss: all examples at once, one by one, or shared among
parts. MMDS 12.3.3-12.3.6.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.linear.hinge_descent.loss import ALL, AWAY, Rows, SoftMargin
from engine.algorithms.linear.parts import TWO_CLASSES, WRONG
from engine.algorithms.linear.parts.descent import CALM, Rate, even, last_step, longer, still
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
    When,
    frozen,
    leap,
    np,
    own,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Prefix

PSEUDOCODE = """
start  round:  (w, b) ← start
bad    detail: repeat: bad ← y (w·x+b) < 1
slope  detail:   slope ← w − C Σ[bad] y x
update:          (w, b) ← (w, b) − η · slope
until  round:  until all steps are taken
"""
COST = "what a unit of penalty costs, summed over the examples"
MODE = (
    "stochastic: one example, with n·C. average: parts go steps of their own. sum: parts add up one"
    " slope."
)
FEW = "1: stochastic. A few: a mini-batch, whose slope stands for all n examples (MMDS 12.3.5)"
PENALISE = "on: ½ b² belongs to f, as in Eq 12.6. off: b is free, as in Eq 12.4."
Mode = Literal["batch", "stochastic", "average-of-changes", "sum-of-parts"]
IN_PARTS = When("mode", ("average-of-changes", "sum-of-parts"))
AVERAGED = When("mode", ("average-of-changes",))


class Params(Record, eq=True):
    C: Annotated[float, Range(1e-3, 1e4, log=True), Label("Cost C"), Help(COST)] = 1.0
    rate: Rate = None
    mode: Annotated[Mode, Label("Mode"), Help(MODE)] = "batch"
    schedule: Annotated[
        Literal["fixed", "1/(1+ct)"], Label("Schedule"), Help("t counts finished rounds")
    ] = "fixed"
    decay: Annotated[
        float, Range(1e-3, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))
    ] = 0.1
    parts: Annotated[int, Range(2, 16), Label("Parts"), IN_PARTS] = 3
    local: Annotated[
        int, Range(1, 50), Label("Own steps"), Help("of each part in a round"), AVERAGED
    ] = 5
    penalise_b: Annotated[bool, Label("Penalise b"), Help(PENALISE)] = True
    start: Annotated[
        tuple[float, ...],
        Label("Start w, b"),
        Help("one per column, then b; all zero when empty"),
        Length("columns + 1"),
    ] = ()
    steps: Annotated[
        int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of w in all")
    ] = 120
    size: Annotated[
        int,
        Range(1, 10_000, log=True),
        Label("Examples of a step"),
        Help(FEW),
        When("mode", ("stochastic",)),
    ] = 1


class State(Record):
    """The model is `weights`; the fields after `round` are what this step shows.

    weights: (d + 1,) w, then b
    bad: (n,) the examples with y (w·x + b) < 1
    slope: (d + 1,) of f, as computed last
    f: the loss at `weights`
    errors: rows on the wrong side
    updates: steps taken so far
    before: (d + 1,) the weights before this step
    current: the row of a stochastic step, or −1
    drafts: where each part of the table has come to by steps of its own (MMDS 12.3.6)
    lines: weights, bad and slope of each step so far, as Fig 12.20 lists them
    """

    weights: Float
    before: Float
    bad: Bool
    slope: Float
    lines: Prefix[tuple[Float, Bool, Float]]
    f: float = 0.0
    errors: int = 0
    updates: int = 0
    round: int = 0
    current: int = -1
    drafts: tuple[Float, ...] = ()

    @property
    def w(self) -> Float:
        """(d,) the weights of the columns."""
        return self.weights[:-1]

    @property
    def b(self) -> float:
        """b, the bias of the line."""
        return float(self.weights[-1])


class Setting(SoftMargin):
    """X (n, d + 1) ends with a column of 1, so that w · x stands for w·x + b; sign (n,) is y,
    ±1.
    """

    @property
    def decay(self) -> float:
        """c of the schedule η / (1 + c t)."""
        return float(self.p.decay)

    @CALM
    def metrics_of(self, w: Float) -> dict[str, Any]:
        """The fields of a State that follow from its weights: the bad examples, f, the errors."""
        z = self.sign * self.score(w, self.X)  # y (w·x + b)
        bad = self.bad(w, z)  # z < 1, up to rounding
        f = self.value(w, z, bad)  # ½ |w|² + C Σ max(0, 1 − z)
        wrong = (z <= 0) & self.problem.labelled
        return {
            "weights": frozen(w),
            "bad": own(bad),
            "f": f if np.isfinite(z).all() else float("nan"),
            "errors": int(np.count_nonzero(wrong)),
        }

    @CALM
    def pulled(self, bad: Bool, rows: Rows = ALL) -> Float:
        """(d + 1,) C Σ[bad] y x over these rows: how hard the bad examples pull the line."""
        y = self.sign[rows] * bad
        return np.asarray(self.p.C * (y @ self.X[rows]))

    @CALM
    def slope_of_one(self, w: Float, i: int) -> Float:
        """(d + 1,) the gradient that example i alone suggests, scaled to all n: w − n C [bad] y
        x.
        """
        slope = self.shrunk(w)  # w, the slope of ½ |w|²; 0 for b where b is free
        if self.is_bad(w, i):
            n_C = len(self.rows) * self.p.C
            slope = slope - n_C * self.sign[i] * self.X[i]
        return frozen(slope)

    @CALM
    def slope_of_few(self, w: Float, rows: Int) -> Float:
        """(d + 1,) the gradient that a few examples suggest, scaled to all n: w − (n/m) C Σ[bad] y
        x over the m rows.
        """
        bad = self.bad(w, self.z(w, rows), rows)
        share = len(self.rows) / len(rows)
        return frozen(self.shrunk(w) - share * self.pulled(bad, rows))

    @CALM
    def own_steps(self, w: Float, rows: Int, eta: float) -> Float:
        """The weights (d + 1,) after `local` steps on one part of the examples, scaled to all
        parts. MMDS 12.3.6.
        """
        for _ in range(self.p.local):
            bad = self.bad(w, self.z(w, rows), rows)  # y (w·x + b) < 1
            pull = self.p.parts * self.pulled(bad, rows)  # parts · C Σ[bad] y x
            slope = self.shrunk(w) - pull
            w = w - eta * slope
        return frozen(w)

    @CALM
    def stepped(self, s: State) -> State:
        """(w, b) ← (w, b) − η · slope; or the mean of where the parts have come to."""
        eta = self.rate(s.round - 1)
        if s.drafts:
            w = np.mean(s.drafts, axis=0)
            slope = frozen((s.weights - w) / eta)
        else:
            w = s.weights - eta * s.slope
            slope = s.slope
        return replace(s, slope=slope, updates=s.updates + 1, **self.metrics_of(w))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.start(given.p.start)
    s = State(before=w, slope=frozen(0 * w), lines=Prefix([], 0), **given.metrics_of(w))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    lines = s.lines if len(s.bad) == given.problem.n else Prefix([], 0)
    s = replace(s, lines=lines, **given.metrics_of(s.weights))
    if given.p.mode == "stochastic":
        yield from rounds_of_single_steps(given, at, s, rng)
    else:
        yield from steps_of_all(given, at, s)


def steps_of_all(given: Setting, at: At, s: State) -> Steps[State]:
    """The steps of batch gradient descent: each uses all examples. MMDS 12.3.4."""
    far_away = AWAY * max(s.f, 1.0)
    f_before = s.f
    ending = ""
    while s.updates < given.p.steps and not ending:
        f_before = s.f
        s = replace(s, before=s.weights, round=s.round + 1, drafts=())
        s, ending = yield from together(given, at, s)
        s = replace(s, before=s.weights, drafts=())
        if not s.f < far_away:
            ending = "diverged"
    events = (ending,) if ending else ()
    yield from at("until", s, *events, ending=ending or last_step(s.f, f_before))


def together(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    """(the state after one step, why the run ends or "").

    Each part of the table adds its bad examples to one gradient, or makes steps of its own, whose
    results are averaged: MMDS 12.3.6. Usually the whole table is one part.
    """
    yield from at.step("bad", s)
    slope = given.shrunk(s.weights)  # w, the slope of ½ |w|²; 0 for b where b is free
    for part, rows in enumerate(given.shares):
        if given.p.mode == "average-of-changes":
            draft = given.own_steps(s.weights, rows, given.rate(s.round - 1))
            s = replace(s, drafts=(*s.drafts, draft))
        else:
            slope = frozen(slope - given.pulled(s.bad[rows], rows))  # − C Σ[bad] y x
            s = replace(s, slope=slope)
        if all(np.isfinite(draft).all() for draft in s.drafts):
            yield from at.step("slope", s, part=part)
    after = given.stepped(s)
    if not np.isfinite(after.f):
        return replace(s, slope=frozen(0 * s.weights)), "diverged"
    after = replace(after, lines=s.lines.plus((s.weights, s.bad, after.slope)))
    rose = longer(after.f, s.f)
    yield from at.end("update", after, *when(round=True, overshoot=rose), rose=rose)
    if not still(after.weights, s.weights):  # w ≠ the w before, beyond rounding
        return after, ""
    pulls = given.sizes_of_pulls(s.weights, s.bad)  # |w| + C Σ[bad] |x|
    balanced = even(after.slope, pulls)  # |slope| ≤ 10⁻³ of the pulls: they cancel
    return after, "converged" if balanced else "tiny steps"


def rounds_of_single_steps(given: Setting, at: At, s: State, rng: Rng) -> Steps[State]:
    """The steps of stochastic gradient descent: one for each example, in a new random order each
    round.
    """
    for _ in range(s.round):
        rng.permutation(given.rows)  # the orders of the rounds so far
    far_away = AWAY * max(s.f, 1.0)
    ending = ""
    while s.updates < given.p.steps and not ending:
        s = replace(s, before=s.weights, round=s.round + 1)
        order = rng.permutation(given.rows)
        left = given.p.steps - s.updates
        if given.p.size == 1:
            s, ending = yield from one_by_one(given, at, s, order[:left])
        else:
            s, ending = yield from few_by_few(given, at, s, order, left)
        s = replace(s, before=s.weights, current=-1)
        if not s.f < far_away:
            ending = "diverged"
        if s.updates < given.p.steps and not ending:
            yield from at("until", s, "round", ending="round")
    events = (ending,) if ending else ()
    yield from at("until", s, *events, ending=ending)


@leap
def one_by_one(given: Setting, at: At, s: State, order: Int) -> Part[State, tuple[State, str]]:
    """(the state after a step for each of these rows, why the run ends or ""). MMDS 12.3.5."""
    for i in order.tolist():
        s = replace(s, before=s.weights, current=i)
        yield from at("bad", s)
        s = replace(s, slope=given.slope_of_one(s.weights, i))
        yield from at("slope", s)
        after = given.stepped(s)
        if not np.isfinite(after.f):
            return s, "diverged"
        yield from at("update", after, rose=longer(after.f, s.f))
        s = after
    return s, ""


def few_by_few(
    given: Setting, at: At, s: State, order: Int, most: int
) -> Part[State, tuple[State, str]]:
    """(the state after a step for each mini-batch of these rows, why the run ends or "").

    At most so many steps; the last batch of a round may be smaller. MMDS 12.3.5.
    """
    batches = np.split(order, range(given.p.size, len(order), given.p.size))
    for rows in batches[:most]:
        s = replace(s, before=s.weights)
        yield from at("bad", s, few=frozen(rows))
        s = replace(s, slope=given.slope_of_few(s.weights, rows))
        yield from at("slope", s, few=frozen(rows))
        after = given.stepped(s)
        if not np.isfinite(after.f):
            return s, "diverged"
        yield from at("update", after, rose=longer(after.f, s.f), few=frozen(rows))
        s = after
        yield None
    return s, ""


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of each row: the first where w·x + b > 0, the second where it is < 0, −1 on
    the line.
    """
    score = given.scored(s, X)  # w·x + b
    return np.asarray(given.class_codes(score), np.intp)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"errors": s.errors, "f": s.f, "bad": int(np.count_nonzero(s.bad))}


def example() -> Problem:  # the six points of MMDS Fig 12.18
    return prepare(
        Dataset.from_arrays([[1, 4], [2, 2], [3, 4], [1, 1], [2, 1], [3, 1]], [1, 1, 1, -1, -1, -1])
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Soft margin by gradient descent",
    task=Task.CLASSIFY,
    scores=Setting.scored,
    source=(
        "MMDS 12.3.3",
        "MMDS 12.3.4",
        "MMDS 12.3.5",
        "MMDS 12.3.6",
        "MMDS Exercise 12.3.1-12.3.3",
    ),
    needs=TWO_CLASSES,
    curves=(
        Curve("f", "f = ½ size² + C Σ penalty", digits=3, about=("penalty",)),
        Curve("bad", "bad points", digits=0, about=("penalty",)),
        WRONG,
    ),
    events=("round", "overshoot", "converged", "tiny steps", "diverged"),
)
