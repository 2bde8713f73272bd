"""Steps whose words are known beforehand, for tests of what shows or keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.protocol.step import Choice, Level, Note, Step


@dataclass
class Known:
    """Says to every step the same."""

    note: Note
    choice: Choice | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)

    def say(self, line: str, state: Any, details: Mapping[str, Any]) -> tuple[Note, Choice | None]:
        return self.note, self.choice

    def measured(self, state: Any) -> Mapping[str, float]:
        return self.metrics


def known_step(line: str, says: Known, state: Any = None, level: Level = Level.STEP) -> Step[Any]:
    return Step(says, line, state, level, (), {})
