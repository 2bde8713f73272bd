"""Two learners on the same rows: what luck there is in a draw strikes both, so their differences
are compared, trial by trial.
"""

from math import nan, sqrt
from typing import NamedTuple

from engine.experiments.parts.tally import Tally


class Paired(NamedTuple):
    """mean, deviation: of the differences of so many trials; t: Student's quantile; half: of the
    interval about the mean, NaN of fewer than two trials.
    """

    mean: float = nan
    deviation: float = nan
    trials: int = 0
    t: float = nan
    half: float = nan

    @property
    def apart(self) -> bool:
        """0 does not lie within the interval."""
        return abs(self.mean) > self.half


def paired(errors: Tally, others: Tally, confidence: float) -> Paired:
    """errors − others over the trials that have both, with t · sd / √k on both sides of
    the mean.
    """
    differences = Tally()
    for error, other in zip(errors, others, strict=True):
        differences = differences.plus(error - other)
    k = differences.count
    t = student(k - 1, confidence) if k > 1 else nan
    return Paired(
        differences.mean, differences.deviation, k, t, t * differences.deviation / sqrt(max(k, 1))
    )


def student(freedom: int, confidence: float) -> float:
    """t with the share `confidence` of Student's law between −t and t."""
    from scipy.special import stdtrit  # the quantile

    return float(stdtrit(freedom, (1 + confidence) / 2))
