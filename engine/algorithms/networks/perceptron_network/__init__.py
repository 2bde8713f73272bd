"""One layer of output units, each an independent learner of its own target. AIMA 18.7.2."""

from collections.abc import Set
from typing import Annotated, Literal

from engine.algorithms.networks.parts import ASIDE, CALM
from engine.algorithms.networks.perceptron_network.layer import Answers, Layer, start_fits
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Empty,
    Fits,
    Float,
    Help,
    Int,
    Label,
    Needs,
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
    when,
)
from engine.base.sums import add_up
from engine.numerics.class_scores import classify
from engine.numerics.linear import with_column
from engine.numerics.mistakes import RoundEnds, cleared
from engine.sources.textbook import textbook

PSEUDOCODE = """
init   round:  w[i,j] ← 0
round  detail: repeat
take   detail:   for each (x, y), with x[0] = 1
fire:              all units: h ← g(Σ w[i,j]·x[i])
update:            w[i,j] += α·(y[j] − h[j])·g′·x[i]
until  round:  until every unit is right
"""
RATE = "empty: 1; of sigmoid units less where the columns are large, so that no step overshoots"
UNITS = (
    "threshold: 1 where in ≥ 0; changes after mistakes, g′ = 1. sigmoid: logistic; every example"
    " counts."
)
TARGETS = (
    "columns aside: those that are not learnt from and hold 0 and 1, or a pair; each gets an output"
    " unit"
)
START = (
    "as set: of each unit one weight per column, then its bias. majority: w[i] = 1 and w[0] = −n/2"
    " (AIMA 18.7.2)"
)
Targets = Literal["target", "target and columns aside"]


class Params(Record, eq=True):
    unit: Annotated[Literal["threshold", "sigmoid"], Label("Units"), Help(UNITS)] = "threshold"
    rate: Annotated[
        float | None, Range(1e-15, 100, log=True), Label("Rate α"), Empty("auto"), Help(RATE)
    ] = None
    rounds: Annotated[int, Range(1, 100_000, log=True), Label("Rounds at most")] = 30
    order: Annotated[Literal["table", "random"], Label("Order")] = "table"
    targets: Annotated[Targets, Label("Outputs for"), Help(TARGETS), ASIDE] = (
        "target and columns aside"
    )
    begin: Annotated[Literal["zero", "as set", "majority"], Label("Start from"), Help(START)] = (
        "zero"
    )
    start: Annotated[
        tuple[float, ...],
        Label("Start w"),
        Help("unit after unit: one weight per column, then the bias; all zero when empty"),
        When("begin", ("as set",)),
        Fits(start_fits),
    ] = ()


class State(Record):
    """The model is `W`; `current`, `inputs` and `unit` are what this step shows.

    W: (d + 1, m), one column per output unit, the bias last
    before: W before this step
    wrong: of each unit, how many examples it gets wrong
    errors: wrong points
    round: from 1
    current: the row at hand, or −1
    inputs: (m,) in of every unit for it, () where not known yet
    unit: the one that changed now, or −1
    """

    W: Float
    before: Float
    wrong: tuple[int, ...] = ()
    errors: int = 0
    round: int = 0
    current: int = -1
    inputs: tuple[float, ...] = ()
    unit: int = -1

    @property
    def outputs(self) -> int:
        """The number of wrong outputs of all units over all examples."""
        return int(add_up(self.wrong))


class Setting(Layer[Params]):
    """X (n, d + 1) ends with a column of 1, the book's x[0]; targets.Y (n, m) is y."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    W = given.start
    s = given.with_metrics(State(W, W))
    yield from at("init", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """The steps from the weights of `s` on; after the last round, of as many rounds again."""
    p = given.p
    table = np.arange(given.problem.n)
    shuffled = p.order == "random"
    if shuffled:
        for _ in range(s.round):
            rng.permutation(table)  # the orders of the rounds so far
    ends = [RoundEnds(given.reach, w, s.round) for w in s.W.T]
    last = p.rounds if s.round < p.rounds else s.round + p.rounds
    done = False
    while s.round < last and not done:
        s = replace(s, before=s.W, round=s.round + 1, current=-1, inputs=(), unit=-1)
        begun = s
        yield from at("round", s)
        changed = set[int]()
        for rows in given.parts(rng.permutation(table) if shuffled else table):
            W, learners = yield from visit(given, at, s, rows)
            if W is None:
                yield from at.end("update", begun, "diverged", broken=True)
                return
            s = replace(s, W=W)
            changed |= learners
            yield None
        s = given.with_metrics(replace(s, before=s.W))

        learnt = [j for j, count in enumerate(s.wrong) if count == 0 < begun.wrong[j]]
        # of each unit: an earlier round that ended with the same w
        earlier = [end.earlier(w, s.round) for end, w in zip(ends, s.W.T, strict=True)]
        cycles = {j: k for j, k in enumerate(earlier) if j in changed and k is not None}
        if shuffled or not given.threshold:  # a unit's rounds depend on more than its weights
            cycles = {}
        done = given.threshold and not changed
        events = when(round=True, learnt=bool(learnt), cycle=bool(cycles), converged=done)
        yield from at("until", s, *events, learnt=learnt, cycles=cycles, done=done)


@leap
def visit(
    given: Setting, at: At, s: State, rows: Int
) -> Part[State, tuple[Float | None, Set[int]]]:
    """Some examples of a round: all units answer, then those that learn from it change, one by one.

    No unit looks at another. Returns the weights, None where they left all bounds, and which units
    changed.
    """
    answers = Answers(given, s.W)
    changed = set[int]()
    s = replace(s, wrong=answers.wrong, errors=answers.errors)
    for i in rows.tolist():
        s = replace(s, before=s.W, current=i, unit=-1, inputs=())
        yield from at("take", s)
        inputs = answers.of(i)  # in[j] = Σ w[i,j]·x[i]
        s = replace(s, inputs=tuple(inputs.tolist()))
        yield from at("fire", s)
        h = given.g(inputs)  # 1 where in ≥ 0, else 0; of sigmoid units 1/(1 + e^−in)
        learners = given.learners(i, h)  # the units with h ≠ y; of sigmoid units all
        if not learners:
            continue
        W = updated(given, s.W, i, h)
        if not np.isfinite(W[:, learners]).all():
            return None, changed
        for j in learners:
            answers.change(j, W[:, j])
            now = frozen(answers.W.copy())
            s = replace(s, before=s.W, W=now, unit=j, wrong=answers.wrong, errors=answers.errors)
            yield from at("update", s, *when(mistake=given.errs(s, j)))
        changed.update(learners)
    return s.W, changed


@CALM
def updated(given: Setting, W: Float, i: int, h: Float) -> Float:
    """(d + 1, m) w[i,j] + α·(y[j] − h[j])·g′·x[i] of every unit, from its answer to example i."""
    alpha = given.rate
    x = given.X[i][:, None]
    y = given.targets.Y[i]
    if given.threshold:  # as if g′ = 1
        return cleared(W + alpha * (y - h) * x, given.reach[:, None])
    return np.asarray(W + x * (alpha * (y - h) * h * (1.0 - h)))  # g′ = h (1 − h)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first of two classes where its unit has in ≥ 0; of several the class whose unit has
    the largest in.
    """
    inputs = with_column(X, 1.0) @ given.own(s)  # Σ w[i,j]·x[i]
    return classify(inputs)


def example() -> Problem:
    """The two-bit adder: carry is AND, sum is XOR."""
    return prepare(textbook("two_bit_adder"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Perceptron network",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.1", "AIMA 18.7.2", "AIMA Eq 18.7", "AIMA Eq 18.8"),
    needs=Needs(min_classes=2, numeric=True),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("outputs", "wrong answers of all units", digits=0, about=("errors",)),
    ),
    events=("round", "mistake", "learnt", "cycle", "converged", "diverged"),
    scores=Setting.scores,
    tweak=Setting.tweak,
)
