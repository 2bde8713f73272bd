"""Which algorithms exist: every module under engine/algorithms and engine/experiments that binds ALGORITHM."""

import importlib
import pkgutil
import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from engine.core.algorithm import Algorithm
from engine.core.errors import EngineError
from engine.core.given import seen
from engine.core.notation import quoted

_ALIKE = 0.6  # of the letters of a name that somebody misspelt
_THE_SAME = 0.9
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
    """The algorithm called `key`; raises EngineError that names the most similar ones."""
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
        close = " or ".join(map(quoted, meant(key)))
        hint = f"did you mean {close}?" if close else "“main.py list” shows all there are."
        raise EngineError(f"There is no algorithm {quoted(key)}; {hint}") from None


def meant(key: str) -> list[str]:
    """Up to three keys that somebody who writes `key` may mean: the one that is spelt so but for a letter, else those that
    share most words with it in their key, title or family, else the one spelt most like it."""
    wanted = _words(key)
    shared, spelt = {}, {}
    for name, known in algorithms().items():
        own, family = _words(f"{name} {known.title}"), _words(known.family)
        shared[name] = len(wanted & own) + len(wanted & family) / 2
        spelt[name] = max(SequenceMatcher(None, key[:60].lower(), way.lower()).ratio() for way in (name, known.title))
    best = sorted(spelt, key=lambda name: -spelt[name])[:1]
    if spelt[best[0]] >= _THE_SAME:
        return best
    most = max(int(value) for value in shared.values())
    if most or max(shared.values()):
        return sorted((name for name, value in shared.items() if value and value >= most), key=lambda n: -shared[n])[:3]
    return [name for name in best if spelt[name] >= _ALIKE]


def _words(text: str) -> set[str]:
    """The words of a name without the s of several, and without single letters: decision_trees has decision and tree."""
    return {word.rstrip("s") for word in re.split(r"[\W_]+", text.lower()) if len(word) > 1}
