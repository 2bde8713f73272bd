"""One layer of output units, each an independent learner of its own target. AIMA 18.7.2."""

from collections.abc import Set
from typing import Annotated, Literal

from engine.algorithms.networks.parts import ASIDE
from engine.algorithms.networks.perceptron_network.layer import Answers, Layer
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Empty,
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
    frozen,
    leap,
    np,
    prepare,
    replace,
    when,
)
from engine.core.sums import add_up
from engine.data.textbook import textbook
from engine.numerics.mistakes import RoundEnds

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


class State(Record):
    """W (d + 1, m), one column per output unit, the bias last; before: W before this step; wrong:
    of each unit, the examples it gets wrong; errors: wrong points; round from 1. current: row
    looked at or −1, inputs (m,) the in of every unit for it; unit: the one that changed now, or −1.
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
        return int(add_up(self.wrong))


class Setting(Layer[Params]): ...


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    W = frozen(np.zeros((given.problem.d + 1, len(given.told.names))))
    yield from at("init", s := given.judged(State(W, W)))
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """Goes on from the weights of `s`; after the last round, for as many rounds again."""
    p = given.p
    n = given.problem.n
    ends = [RoundEnds(given.reach, w, s.round) for w in s.W.T]
    last = p.rounds if s.round < p.rounds else s.round + p.rounds
    for _ in range(s.round if p.order == "random" else 0):
        rng.permutation(n)  # the orders of the rounds so far
    while s.round < last:
        begun = s = State(s.W, s.W, s.wrong, s.errors, s.round + 1)
        yield from at("round", s)
        changed = set[int]()
        for rows in given.parts(rng.permutation(n)) if p.order == "random" else given.table:
            W, those = yield from visit(given, at, s, rows)
            if W is None:
                yield from at.end("update", begun, "diverged", broken=True)
                return
            s = replace(s, W=W)
            changed = changed | those
            yield None
        s = given.judged(replace(s, before=s.W))
        done = given.threshold and not changed
        learnt = [j for j, count in enumerate(s.wrong) if count == 0 < begun.wrong[j]]
        again = {
            j: end.earlier(s.W[:, j], s.round) for j, end in enumerate(ends)
        }  # its rounds depend on its weights alone
        same = {j: earlier for j, earlier in again.items() if j in changed and earlier is not None}
        cycles = same if given.threshold and p.order == "table" else {}
        events = ("round", *when(learnt=bool(learnt), cycle=bool(cycles), converged=done))
        yield from at("until", s, *events, learnt=learnt, cycles=cycles, done=done)
        if done:
            return


@leap
def visit(
    given: Setting, at: At, s: State, rows: Int
) -> Part[State, tuple[Float | None, Set[int]]]:
    """Some examples of a round: all units answer, then those that learn from it change, one by one.

    No unit looks at another. The weights, None where they left all bounds, and who has changed.
    """
    answers = Answers(given, s.W)
    changed = set[int]()
    s = replace(s, wrong=answers.wrong, errors=answers.errors)
    for i in rows.tolist():
        s = replace(s, before=s.W, current=i, unit=-1, inputs=())
        yield from at("take", s)
        s = replace(s, inputs=tuple((inputs := answers.of(i)).tolist()))
        yield from at("fire", s)
        if not (learners := given.learners(i, inputs)):
            continue
        learnt = given.learnt(s.W, i, inputs)  # w + α (y − h) g′ x
        if not np.isfinite(learnt[:, learners]).all():
            return None, changed
        for j in learners:
            answers.change(j, learnt[:, j])
            s = replace(
                s,
                before=s.W,
                W=frozen(answers.W.copy()),
                unit=j,
                wrong=answers.wrong,
                errors=answers.errors,
            )
            yield from at("update", s, *when(mistake=given.errs(s, j)))
        changed.update(learners)
    return s.W, changed


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
    predict=Setting.predict,
    scores=Setting.scores,
    tweak=Setting.tweak,
)
