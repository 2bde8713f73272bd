"""A lane: one algorithm with its parameters and its seed, and the step of another run that it goes on from, if any."""

from typing import Any

from engine.core.algorithm import Algorithm
from engine.core.dataset import Dataset
from engine.core.params import build
from engine.core.records import dataclass
from engine.core.registry import algorithm
from engine.timeline.start import Start


@dataclass(frozen=True)
class Lane:
    """One algorithm at work on the document's data.

    params: an instance of the algorithm's declared class; start: the step of another run with whose model it begins;
    data: examples of its own, None: those of the document
    """

    key: str
    params: Any
    seed: int = 0
    start: Start | None = None
    data: Dataset | None = None

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return algorithm(self.key)


def lane(key: str, seed: int = 0, **params: Any) -> Lane:
    """A lane with checked parameters; raises EngineError."""
    return Lane(key, build(algorithm(key).params, params), seed)
