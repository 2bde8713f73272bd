"""Gradient descent on the soft-margin loss: all examples at once, one by one, or shared among
parts. MMDS 12.3.3-12.3.6.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.hinge_descent.loss import AWAY, SoftMargin
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
    prepare,
    replace,
)
from engine.core.arrays import Prefix

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
PENALISE = "on: ½ b² belongs to f, as in Eq 12.6. off: b is free, as in Eq 12.4."
Mode = Literal["batch", "stochastic", "average-of-changes", "sum-of-parts"]
IN_PARTS, AVERAGED = (
    When("mode", ("average-of-changes", "sum-of-parts")),
    When("mode", ("average-of-changes",)),
)


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
        tuple[float, ...], Label("Start w, b"), Help("one per column, then b; all zero when empty")
    ] = ()
    steps: Annotated[
        int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of w in all")
    ] = 120


class State(Record):
    """weights (d + 1,): w, then b; before: those before this step; bad (n,) for weights; slope (d +
    1,) last reckoned; f, errors (wrong rows) for weights; drafts: where each part has come to;
    current: row or −1; lines: weights, bad and slope of each step so far, as Fig 12.20 lists them.
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
    w = property(lambda s: s.weights[:-1])
    b = property(lambda s: float(s.weights[-1]))


class Setting(SoftMargin):
    decay = property(lambda given: given.p.decay)  # c of η


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = given.start("Start w, b", given.p.start)
    s = State(before=w, slope=frozen(0 * w), lines=Prefix([], 0), **given.judged(w))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = replace(
        s,
        lines=s.lines if len(s.bad) == given.problem.n else Prefix([], 0),
        **given.judged(s.weights),
    )
    single = given.p.mode == "stochastic"
    worst = AWAY * max(s.f, 1.0)
    ending = ""
    f = s.f
    for _ in range(s.round if single else 0):
        rng.permutation(given.rows)  # the orders of the rounds so far
    while s.updates < given.p.steps and not ending:
        f = s.f
        s = replace(s, before=s.weights, round=s.round + 1, drafts=())
        order = rng.permutation(given.rows)[: given.p.steps - s.updates] if single else given.rows
        s, ending = yield from (
            one_by_one(given, at, s, order) if single else together(given, at, s)
        )
        s, ending = (
            replace(s, before=s.weights, current=-1, drafts=()),
            ending if s.f < worst else "diverged",
        )
        if single and s.updates < given.p.steps and not ending:
            yield from at("until", s, "round", ending="round")
    yield from at(
        "until", s, *[ending] * bool(ending), ending=ending or ("" if single else last_step(s.f, f))
    )


@leap
def one_by_one(given: Setting, at: At, s: State, order: Int) -> Part[State, tuple[State, str]]:
    for i in order.tolist():
        s = replace(s, before=s.weights, current=i)
        yield from at("bad", s)
        yield from at("slope", s := replace(s, slope=given.slope_of_one(s.weights, i)))
        before = s
        s = moved(given, s)
        if not np.isfinite(s.f):
            return before, "diverged"
        yield from at("update", s, rose=longer(s.f, before.f))
    return s, ""


def together(given: Setting, at: At, s: State) -> Part[State, tuple[State, str]]:
    """Each part adds its bad examples to one slope; or goes steps of its own, and the mean of them
    is taken: MMDS 12.3.6.
    """
    yield from at.step("bad", s)
    eta = given.rate(s.round - 1)
    slope = given.shrunk(s.weights)
    for part, rows in enumerate(given.shares):
        if given.p.mode == "average-of-changes":
            s = replace(s, drafts=(*s.drafts, given.local(s.weights, rows, eta)))
        else:
            s = replace(s, slope=(slope := frozen(slope + given.push(s.bad[rows], rows))))
        if all(np.isfinite(draft).all() for draft in s.drafts):
            yield from at.step("slope", s, part=part)
    if not np.isfinite((after := moved(given, s)).f):
        return replace(s, slope=frozen(0 * s.weights)), "diverged"
    after = replace(after, lines=s.lines.plus((s.weights, s.bad, after.slope)))
    yield from at.end(
        "update", after, "round", *["overshoot"] * (rose := longer(after.f, s.f)), rose=rose
    )
    if not still(after.weights, s.weights):
        return after, ""
    return after, (
        "converged" if even(after.slope, given.both_ways(s.weights, s.bad)) else "tiny steps"
    )


@CALM
def moved(given: Setting, s: State) -> State:
    """(w, b) ← (w, b) − η · slope, or the mean of where the parts have come to."""
    eta = given.rate(s.round - 1)
    w = np.mean(s.drafts, axis=0) if s.drafts else s.weights - eta * s.slope
    after = replace(s, updates=s.updates + 1, **given.judged(w))
    return replace(after, slope=frozen((s.weights - w) / eta)) if s.drafts else after


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
    predict=Setting.predict,
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
        WRONG,
        Curve("bad", "bad points", digits=0, about=("penalty",)),
        Curve("f", "f = ½ |w|² + C Σ penalty", digits=3, about=("penalty",)),
    ),
    events=("round", "overshoot", "converged", "tiny steps", "diverged"),
)
