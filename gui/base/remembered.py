"""What the settings hold, as far as it makes sense: anybody and anything may have written there."""

import json
from typing import Any

from PySide6.QtCore import QSettings

LONGEST = 4096  # letters; no path of any system is longer


def flag(settings: QSettings, key: str) -> bool:
    """Yes or no; no for everything that says neither."""
    return str(value(settings, key)).lower() in ("true", "1")


def text(settings: QSettings, key: str, usual: str = "") -> str:
    """A name or a path; the `usual` one where there is none that could be one."""
    found = value(settings, key)
    return found if found and _sensible(found) else usual


def texts(settings: QSettings, key: str) -> list[str]:
    """Several of them; Qt gives a single one without its list."""
    found = value(settings, key)
    return [
        each for each in (found if isinstance(found, list) else [found]) if each and _sensible(each)
    ]


def numbers(settings: QSettings, key: str) -> dict[str, int]:
    """Whole numbers by name, written as JSON; none where it is something else."""
    try:
        found = json.loads(text(settings, key))
    except ValueError:
        return {}
    return (
        {name: n for name, n in found.items() if type(n) is int} if isinstance(found, dict) else {}
    )


def value(settings: QSettings, key: str) -> Any:
    """Whatever it is, or None."""
    try:
        return settings.value(key)
    except Exception:  # what Qt has no Python value for
        return None


def share(settings: QSettings, key: str) -> float | None:
    """A part of a whole, between 0 and 1; None where there is no such number."""
    try:
        found = float(value(settings, key))
    except (TypeError, ValueError):
        return None
    return found if 0 < found < 1 else None


def _sensible(found: object) -> bool:
    return isinstance(found, str) and len(found) <= LONGEST and "\0" not in found
