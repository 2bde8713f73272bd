"""The error of the baseline, told beside the mean error of a learner."""

from typing import Any

from engine.authoring import Fact, Operand
from engine.core.problem import Problem
from engine.core.baseline import baseline
from engine.numerics.closeness import more

ROUGH = 10  # rows to test on, with fewer of which an error is a rough number


def beside_baseline(
    problem: Problem, mean: float, tested: Problem | None = None
) -> tuple[str, tuple[Fact, ...], dict[str, Any]]:
    """(a sentence where `mean` is worse, the fact, their operands) of one answer to all labelled
    rows, the commonest class of the problem with its share of wrong rows, or the mean value with
    its mean squared error.

    mean: the error of a learner, see `mean_loss`; tested: the rows that both are tested on, None:
    those of the problem. ("", (), {}) where there is no baseline.
    """
    found = baseline(problem)
    if found is None:
        return "", (), {}
    rows = problem if tested is None else tested
    error = found.error(rows) ** 2 if problem.regress else found.error(rows)
    kind = "the mean" if problem.regress else "the commonest class"
    worse = more(mean, error)
    told = {"base": Operand(error, "baseline"), "always": found.name}
    sentence = f" That is worse than always saying {{always}}, {kind}: {{base}}." if worse else ""
    return sentence, (Fact("always saying {always}", "{base}"),), told
