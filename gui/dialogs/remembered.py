"""What the dialogues for exports remember of each other while the window is open."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Remembered:
    """folder, name: give those that are suggested for a file; values: what was chosen
    last, by name
    """

    folder: Callable[[], str]
    name: Callable[[], str]
    values: dict[str, Any] = field(default_factory=dict)
