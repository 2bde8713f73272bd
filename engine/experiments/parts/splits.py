"""Which rows are learnt from and which judge: a share laid aside again and again, batches of which
each is used once, folds.
"""

from engine.authoring import EngineError, Rng, np, short
from engine.core.arrays import Int
from engine.core.given import MAX_SEED
from engine.core.notation import counted
from engine.experiments.parts.learners import Studying
from engine.experiments.parts.trials import Trial


def aside(share: float, n: int) -> int:
    """How many of n rows a test share is; raises EngineError where none are left to test on or to
    learn from.
    """
    if not 0 < share < 1:
        raise EngineError(
            "A test share lies between 0, which leaves no test rows, and 1, which leaves none to"
            f" learn from; it is {short(share)}."
        )
    m = round(share * n)
    if not 0 < m < n:
        lack = "test on: take a larger one" if m == 0 else "learn from: take a smaller one"
        raise EngineError(
            f"A test share of {short(share)} leaves none of the {counted(n, 'row')} to {lack}."
        )
    return m


def batch_size(count: float, n: int) -> int:
    """How many rows the smallest of so many batches has; raises EngineError for a number that
    cannot be halved or filled.
    """
    if count % 2 or not 2 <= count <= n:
        raise EngineError(
            f"The batches must be an even number, at most the {n} rows; it is {short(count)}."
        )
    return int(n // count)


def batched(learner: Studying, rows: Int, count: int, rng: Rng) -> list[Trial]:
    """Fresh hypotheses of the first half of the batches, the i-th tested on the i-th of the other
    half.
    """
    parts = [np.sort(part) for part in np.array_split(rng.permutation(rows), count)]
    halves = zip(parts[: count // 2], parts[count // 2 :], strict=True)
    return [Trial(learner, learn, test, int(rng.integers(MAX_SEED))) for learn, test in halves]


def folded(learner: Studying, deal: Int, k: int, rng: Rng, keep: bool) -> list[Trial]:
    """A trial for each of the folds that `dealt` gives, learnt from all others; keep: every model,
    else that of the first.
    """
    return [
        Trial(
            learner,
            np.flatnonzero((deal >= 0) & (deal != i)),
            np.flatnonzero(deal == i),
            int(rng.integers(MAX_SEED)),
            keep or not i,
        )
        for i in range(k)
    ]
