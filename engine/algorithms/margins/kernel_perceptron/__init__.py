"""The kernelised perceptron: instead of weights it keeps how often it was wrong about each example.

AIMA 18.9, MMDS 12.2.1.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.margins.kernel_perceptron.sums import Circles, Sums
from engine.algorithms.margins.parts import Degree, Gamma, KernelName
from engine.numerics.closeness import LAST_DIGITS, settled
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
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
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.linear import signed_classes

PSEUDOCODE = """
start  round:  cᵢ ← 0 for every example
round  detail: repeat
take   detail:   for each (xᵢ, yᵢ) in the round
test:              if yᵢ Σ cⱼ yⱼ K(xⱼ, xᵢ) ≤ 0
update:              cᵢ ← cᵢ + 1
until  round:  until a round has no mistake
"""
THRESHOLD = "learned: a threshold of its own, as MMDS 12.2.4 has it; every K grows by 1"


class Params(Record, eq=True):
    kernel: KernelName = "polynomial"
    degree: Degree = 2
    gamma: Gamma = 1.0
    threshold: Annotated[Literal["zero", "learned"], Label("Threshold"), Help(THRESHOLD)] = "zero"
    rounds: Annotated[
        int, Range(1, 100_000, log=True), Label("Rounds"), Help("at most this many")
    ] = 100


class State(Record):
    """counts (n,): mistakes made about each example; scores (n,): Σ c y K(x, ·) + b of each, sizes
    (n,): how large the terms are; b = Σ c y where a threshold is learnt, else 0; errors: wrong rows
    now; mistakes: Σ c; current: row or −1.
    """

    counts: Int
    scores: Float
    sizes: Float
    b: float
    errors: int
    mistakes: int = 0
    round: int = 0
    current: int = -1
    alpha = property(lambda s: s.counts)


class Setting(Sums[Params]):
    pass


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    zero = np.zeros(given.problem.n)
    yield from at(
        "start", s := State(**given.counted(zero.astype(np.intp), zero, 0.0 * given.lengths))
    )
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = replace(s, **given.counted(s.counts, *(yield from given.sums(s.counts))), current=-1)
    yield from rounds(given, s, at, rng, Circles(given, s), s.mistakes)


def rounds(given: Setting, s: State, at: At, rng: Rng, ends: Circles, before: int) -> Steps[State]:
    """before: the mistakes at the beginning of the round; s may stand in the midst of it, where the
    current example is known.
    """
    done = False
    while not done:
        if s.current < 0:
            before = s.mistakes
            s = replace(s, round=s.round + 1)
            yield from at("round", s)
        s = replace((yield from one_round(given, at, s, ends, before)), current=-1)
        clean = s.mistakes == before
        cycle = None if clean else ends.earlier(s)
        done = clean or cycle is not None or s.round >= given.p.rounds
        events = "round", *when(cycle=cycle is not None, converged=clean)
        yield from at("until", s, *events, mistakes=s.mistakes - before, cycle=cycle, done=done)


def one_round(given: Setting, at: At, s: State, *known: Any) -> Part[State, State]:
    """known: beside the state, of those who take the run up again."""
    for i in given.rows[np.searchsorted(given.rows, s.current, "right") :].tolist():
        s = replace(s, current=i)
        yield from at("take", s)
        score = float(settled(s.scores[i], s.sizes[i], LAST_DIGITS))
        if given.sign[i] * score > 0:
            yield from at("test", s, score=score)
        else:
            before = s
            s = updated(given, s)
            yield None
            yield from at("update", s, "mistake", score=score, errors=before.errors)
        yield from at.foothold(rounds, s, lambda: known)
    return s


def updated(given: Setting, s: State) -> State:
    """c ← c + 1 of the current example."""
    K, size = given.terms(i := s.current)
    counts = s.counts + (np.arange(given.problem.n) == i)
    return replace(s, **given.counted(counts, s.scores + given.sign[i] * K, s.sizes + size))


def predict(given: Setting, s: State, X: Float) -> Int:
    """Class indices by the sign of the score; −1 exactly on the boundary."""
    return signed_classes(given.score(s, X))


def example() -> Problem:
    X = [[0.5, 0.0], [2.0, 0.5], [0.0, -2.0], [-0.5, 1.0], [-2.0, -0.5]]
    return prepare(Dataset.from_arrays(X, [1, -1, -1, 1, -1]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Kernel perceptron",
    task=Task.CLASSIFY,
    source=("AIMA 18.9", "MMDS 12.2.1"),
    needs=Needs(min_classes=2, max_classes=2, numeric=True, max_rows=50_000),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("mistakes", "mistakes so far", digits=0, about=("counts",)),
    ),
    scores=Setting.score,
    events=("mistake", "round", "converged", "cycle"),
)
