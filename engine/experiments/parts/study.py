"""What the settings of experiments with one learner under study have in common."""

from typing import Any, TypeVar

from engine.base.arrays import Int, Prefix
from engine.base.records import cached_property
from engine.experiments.parts.folds import labelled_rows
from engine.fit.learners import Studying, studying
from engine.protocol.setting import Setting

P = TypeVar("P")


class StudySetting(Setting[P]):
    """The setting of an experiment with one learner under study, named by the parameter
    `learner`.
    """

    @cached_property
    def learner(self) -> Studying:
        """The learner under study; raises EngineError where the data do not suit it."""
        parameters: Any = self.p
        return studying(parameters.learner, self.problem)

    @cached_property
    def rows(self) -> Int:
        """(m,) the rows with a label: they are learnt from and tested on."""
        return labelled_rows(self.problem)


def empty_log() -> Prefix[Any]:
    """An empty log for a State; `plus` adds to it."""
    return Prefix([], 0)


def known(**metrics: float) -> dict[str, float]:
    """The metrics that are known: those that are not NaN."""
    return {name: value for name, value in metrics.items() if value == value}
