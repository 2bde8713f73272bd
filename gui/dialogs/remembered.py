"""What the export dialogs remember while the window is open."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Remembered:
    """The suggestions of an export dialog.

    folder, name: return the suggested folder and name of a file
    values: what was chosen last, by name
    """

    folder: Callable[[], str]
    name: Callable[[], str]
    values: dict[str, Any] = field(default_factory=dict)
