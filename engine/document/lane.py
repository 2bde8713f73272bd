"""A lane: one algorithm with parameters and seed, and the step of another run that it goes on
from.
"""

from typing import Any

from engine.base.notation import listed, plural
from engine.base.records import Record
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import Branches
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.runs.start import Start
from engine.table.dataset import Dataset


class Lane(Record, eq=True):
    """One algorithm at work on the document's data.

    params: an instance of the algorithm's declared class
    start: the step of another run with whose model it begins, or None
    data: its own examples, or None for the document's
    branches: the ties at which its run takes another of the equals
    """

    key: str
    params: Any
    seed: int = 0
    start: Start | None = None
    data: Dataset | None = None
    branches: Branches = ()

    @property
    def by_hand(self) -> str:
        """The ties that a person decided, in words, such as "ties 1 and 3 by hand"; "" for none."""
        numbers = [str(number + 1) for number, _ in self.branches]
        return f"{plural(len(numbers), 'tie')} {listed(numbers)} by hand" if numbers else ""

    @property
    def without_data(self) -> bool:
        """Whether it looks at no row and no column of the table."""
        rule = self.algorithm.without_data
        return rule is not None and rule(self.params)

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return algorithm(self.key)


def lane(key: str, seed: int = 0, **params: Any) -> Lane:
    """A lane with checked parameters; raises EngineError."""
    return Lane(key, build(algorithm(key).params, params), seed)
