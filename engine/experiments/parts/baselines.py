"""The error of the baseline, beside the mean error of a learner."""

from typing import Any

from engine.authoring import Fact, Operand
from engine.numerics.closeness import more
from engine.table.baseline import baseline
from engine.table.problem import Problem

ROUGH = 10  # rows to test on, with fewer of which an error is a rough number


def beside_baseline(
    problem: Problem, mean: float, tested: Problem | None = None
) -> tuple[str, tuple[Fact, ...], dict[str, Any]]:
    """(a sentence where `mean` is worse, the fact, their operands) of the baseline.

    It gives one answer to all labelled rows: the commonest class of the problem, with its share of
    wrong rows, or the mean value, with its mean squared error. ("", (), {}) where there is none.

    mean: the error of a learner, see `mean_loss`
    tested: the rows that both are tested on, None: those of the problem
    """
    found = baseline(problem)
    if found is None:
        return "", (), {}
    error = found.error(problem if tested is None else tested)
    if problem.regress:
        error = error**2
    operands = {"base": Operand(error, "baseline"), "always": found.name}
    sentence = f" That is worse than always saying {{always}}, {found.kind}: {{base}}."
    fact = Fact("always saying {always}", "{base}")
    return sentence if more(mean, error) else "", (fact,), operands


def baseline_level(problem: Problem, right: bool = False) -> tuple[tuple[float, str], ...]:
    """(error, name) of the baseline, for a line across a picture; () where there is none.

    right: the share right instead
    """
    found = baseline(problem)
    if found is None:
        return ()
    error = found.error(problem)
    level = error**2 if problem.regress else 1 - error if right else error
    return ((level, f"always {found.name}: {level:.2f}"),)
