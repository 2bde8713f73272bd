"""A lane: one algorithm with its parameters and its seed."""

from dataclasses import dataclass
from typing import Any

from engine.core.algorithm import Algorithm
from engine.core.params import build
from engine.core.registry import algorithm


@dataclass(frozen=True)
class Lane:
    """One algorithm at work on the document's data. params: an instance of the algorithm's declared class."""

    key: str
    params: Any
    seed: int = 0

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return algorithm(self.key)


def lane(key: str, seed: int = 0, **params: Any) -> Lane:
    """A lane with checked parameters; raises EngineError."""
    return Lane(key, build(algorithm(key).params, params), seed)
