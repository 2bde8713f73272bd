"""The error of the baseline, told beside the mean error of a learner."""

from typing import Any

from engine.authoring import Fact, Operand
from engine.core.problem import Problem
from engine.core.baseline import baseline


def beside_baseline(problem: Problem, mean: float) -> tuple[str, tuple[Fact, ...], dict[str, Any]]:
    """(a sentence where `mean` is worse, the fact, their operands) of one answer to all labelled rows of the problem: the
    commonest class with its share of wrong rows, or the mean value with its mean squared error. mean: the error of a learner,
    see `mean_loss`; ("", (), {}) where there is no baseline."""
    found = baseline(problem)
    if found is None:
        return "", (), {}
    error = found.error(problem) ** 2 if problem.regress else found.error(problem)
    kind = "the mean" if problem.regress else "the commonest class"
    worse = mean > error * (1 + 1e-12)
    told = {"base": Operand(error, "baseline"), "always": found.name}
    sentence = f" That is worse than always saying {{always}}, {kind}: {{base}}." if worse else ""
    return sentence, (Fact("always saying {always}", "{base}"),), told
