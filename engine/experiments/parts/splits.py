"""Which rows are learnt from and which judge: a share laid aside, batches, copies, folds."""

from engine.authoring import EngineError, Rng, np, short
from engine.base.arrays import Int
from engine.base.notation import counted
from engine.base.work import Work
from engine.experiments.parts.trials import Trial, trial
from engine.fit.learners import Studying


def aside(share: float, n: int) -> int:
    """round(share · n), the number of test rows among n.

    Raises EngineError where none are left to test on or to learn from.
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
    """⌊n / count⌋, the number of rows in the smallest of `count` batches.

    Raises EngineError for an odd number of batches, or one outside 2 … n.
    """
    if count % 2 or not 2 <= count <= n:
        raise EngineError(
            f"The batches must be an even number, at most the {n} rows; it is {short(count)}."
        )
    return int(n // count)


def bootstrapped(
    learner: Studying, rows: Int, size: int, count: int, rng: Rng
) -> Work[list[Trial]]:
    """`count` bootstrap trials: each learns from `size` of the rows drawn with replacement, and is
    tested on the rows left out.
    """
    found = list[Trial]()
    for _ in range(count):
        copy = rng.choice(rows, size)
        left_out = np.setdiff1d(rows, copy)
        found.append(trial(learner, copy, left_out, rng))
        yield
    return found


def folded(learner: Studying, deal: Int, k: int, rng: Rng, keep: bool = True) -> list[Trial]:
    """A trial for each of the folds that `dealt` gives: it learns from all others and is tested on
    the fold.

    keep: the model of every fold, else that of the first one
    """
    found = list[Trial]()
    for i in range(k):
        rest = np.flatnonzero((deal >= 0) & (deal != i))
        fold = np.flatnonzero(deal == i)
        found.append(trial(learner, rest, fold, rng, keep or i == 0))
    return found
