"""The kernelised perceptron: instead of weights it keeps how often it was wrong about each example.

AIMA 18.9, MMDS 12.2.1.
"""

from typing import Annotated, Any, Literal

from engine.algorithms.margins.kernel_perceptron.sums import Circles, Sums
from engine.algorithms.margins.parts import Degree, Gamma, KernelName
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
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.closeness import LAST_DIGITS, settled
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
    """The model is `counts` and `b`.

    counts: (n,) c, the mistakes made about each example
    scores: (n,) Σ c y K(x, ·) + b of each
    sizes: (n,) how large the terms of these sums are
    b: Σ c y where a threshold is learnt, else 0
    errors: wrong rows now
    mistakes: Σ c
    round: from 1
    current: the row looked at, or −1
    """

    counts: Int
    scores: Float
    sizes: Float
    b: float
    errors: int
    mistakes: int = 0
    round: int = 0
    current: int = -1

    @property
    def alpha(self) -> Int:
        """(n,) the counts, which are the multipliers of the sum of kernels."""
        return self.counts


class Setting(Sums[Params]):
    """X (n, d) and sign (n,), which is y, ±1; the kernel and its sums over counted mistakes.

    K(x, z) is x·z (linear), (x·z)² (quadratic), (x·z + 1)^degree (polynomial) or e^(−γ |x − z|²)
    (rbf); 1 more where a threshold is learned.
    """

    def counted(self, counts: Int, scores: Float, sizes: Float) -> dict[str, Any]:
        """The fields of a State that follow from its counts (n,), their scores and the sizes."""
        return {
            "counts": frozen(counts),
            "scores": frozen(scores),
            "sizes": frozen(sizes),
            "mistakes": int(counts.sum()),
            "b": self.learned * float(self.sign @ counts),  # Σ c y, or 0 without a threshold
            "errors": int(self.wrong(scores, sizes).sum()),  # y Σ c y K ≤ 0
        }


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    none = np.zeros(given.problem.n, np.intp)
    sizes = 0.0 * given.lengths  # raises EngineError where a K is too large for a number
    s = State(**given.counted(none, np.zeros(given.problem.n), sizes))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    scores, sizes = yield from given.sums(s.counts)
    s = replace(s, **given.counted(s.counts, scores, sizes), current=-1)
    yield from rounds(given, s, at, rng, Circles(given, s), s.mistakes)


def rounds(given: Setting, s: State, at: At, rng: Rng, ends: Circles, before: int) -> Steps[State]:
    """Rounds until one has no mistake, or all scores are those of an earlier one.

    before: the mistakes at the beginning of the round; s may stand in the midst of it, after its
    current example.
    """
    done = False
    while not done:
        if s.current < 0:
            before = s.mistakes
            s = replace(s, round=s.round + 1)
            yield from at("round", s)
        s = yield from one_round(given, at, s, ends, before)
        s = replace(s, current=-1)
        mistakes = s.mistakes - before
        clean = mistakes == 0
        cycle = None if clean else ends.earlier(s)
        done = clean or cycle is not None or s.round >= given.p.rounds
        events = when(round=True, cycle=cycle is not None, converged=clean)
        yield from at("until", s, *events, mistakes=mistakes, cycle=cycle, done=done)


def one_round(given: Setting, at: At, s: State, ends: Circles, before: int) -> Part[State, State]:
    """The state after the examples that follow the current one in this round.

    ends, before: what the round already knows, where a run goes on in the middle of it
    """
    next_one = np.searchsorted(given.rows, s.current, "right")
    for i in given.rows[next_one:].tolist():
        s = replace(s, current=i)
        yield from at("take", s)
        # Σ cⱼ yⱼ K(xⱼ, xᵢ) + b, which `updated` keeps; 0 where only rounding keeps it from that
        score = float(settled(s.scores[i], s.sizes[i], LAST_DIGITS))
        if given.sign[i] * score > 0:
            yield from at("test", s, score=score)
        else:
            errors = s.errors
            s = updated(given, s)
            yield None
            yield from at("update", s, "mistake", score=score, errors=errors)
        yield from at.checkpoint(rounds, s, lambda: (ends, before))
    return s


def updated(given: Setting, s: State) -> State:
    """The state after cᵢ ← cᵢ + 1 of the current example i: every score grows by yᵢ K(xᵢ, ·)."""
    i = s.current
    counts = s.counts.copy()
    counts[i] += 1
    K, size = given.kernel_row(i)  # (n,) K(xᵢ, ·), with the 1 of a threshold
    scores = s.scores + given.sign[i] * K
    return replace(s, **given.counted(counts, scores, s.sizes + size))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class codes by the sign of Σ c y K(x, ·) + b; −1 exactly on the boundary."""
    score = given.score(s, X)  # Σ c y K(x, ·) + b
    return signed_classes(score)


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
