"""Which algorithms exist: every module under engine/algorithms and engine/experiments that binds ALGORITHM."""

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from engine.core.algorithm import Algorithm
from engine.core.errors import EngineError
from engine.core.given import seen
from engine.core.notation import quoted

_PLACES = ("engine.algorithms", "engine.experiments")


@cache
def _modules() -> tuple[str, ...]:
    """Names of all modules in the places; their packages are imported, they are not."""
    found: list[str] = []
    for place in _PLACES:
        try:
            package = importlib.import_module(place)
        except ModuleNotFoundError:
            continue
        found += [info.name for info in pkgutil.walk_packages(package.__path__, place + ".")]
    return tuple(found)


def _algorithm_in(module: str) -> Algorithm[Any, Any] | None:
    return getattr(importlib.import_module(module), "ALGORITHM", None)


@cache
def algorithms() -> Mapping[str, Algorithm[Any, Any]]:
    """Every algorithm by key, ordered by family, then title. The first call imports them all."""
    found = [algorithm for algorithm in map(_algorithm_in, _modules()) if algorithm is not None]
    return {a.key: a for a in sorted(found, key=lambda a: (a.family, a.title))}


def loaded() -> bool:
    """Whether `algorithms()` answers at once."""
    return algorithms.cache_info().currsize > 0


def algorithm(key: str) -> Algorithm[Any, Any]:
    """The algorithm called `key`; raises EngineError that names the most similar one."""
    if not isinstance(key, str):
        raise EngineError(f"There is no algorithm {seen(key)}; “main.py list” shows all there are.")
    for module in _modules():
        if module.rpartition(".")[2] == key:  # a file called as its key: the others need not be imported
            found = _algorithm_in(module)
            if found is not None and found.key == key:
                return found
    try:
        return algorithms()[key]
    except KeyError:
        close = get_close_matches(key.lower(), algorithms(), n=1)
        hint = f"did you mean {quoted(close[0])}?" if close else "“main.py list” shows all there are."
        raise EngineError(f"There is no algorithm {quoted(key)}; {hint}") from None
