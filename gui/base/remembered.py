"""Values from the settings, checked: other programs or people may have changed the file."""

import json
from typing import Any

from PySide6.QtCore import QSettings

LONGEST = 4096  # letters; no path of any system is longer


def flag(settings: QSettings, key: str) -> bool:
    """The setting as a bool; False for everything that is neither yes nor no."""
    return str(value(settings, key)).lower() in ("true", "1")


def text(settings: QSettings, key: str, usual: str = "") -> str:
    """A name or path from the settings; `usual` where it is missing or no sensible text."""
    found = value(settings, key)
    return found if found and _sensible(found) else usual


def texts(settings: QSettings, key: str) -> list[str]:
    """A list of texts from the settings; Qt returns a single one without its list."""
    found = value(settings, key)
    return [
        each for each in (found if isinstance(found, list) else [found]) if each and _sensible(each)
    ]


def numbers(settings: QSettings, key: str) -> dict[str, int]:
    """Integers by name, stored as JSON; empty where the setting is something else."""
    try:
        found = json.loads(text(settings, key))
    except ValueError:
        return {}
    return (
        {name: n for name, n in found.items() if type(n) is int} if isinstance(found, dict) else {}
    )


def value(settings: QSettings, key: str) -> Any:
    """The setting as Qt stores it, or None."""
    try:
        return settings.value(key)
    except Exception:  # a type that Qt cannot convert to Python
        return None


def share(settings: QSettings, key: str) -> float | None:
    """A number between 0 and 1, both excluded; None where there is no such number."""
    try:
        found = float(value(settings, key))
    except (TypeError, ValueError):
        return None
    return found if 0 < found < 1 else None


def _sensible(found: object) -> bool:
    return isinstance(found, str) and len(found) <= LONGEST and "\0" not in found
