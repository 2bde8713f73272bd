"""Which algorithms exist: every module under engine/algorithms and engine/experiments that binds ALGORITHM."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.core.algorithm import Algorithm
from engine.core.errors import EngineError

_PLACES = ("engine.algorithms", "engine.experiments")


@cache
def algorithms() -> Mapping[str, Algorithm[Any, Any]]:
    """Every algorithm by key, ordered by family, then title."""
    found: dict[str, Algorithm[Any, Any]] = {}
    for place in _PLACES:
        try:
            package = importlib.import_module(place)
        except ModuleNotFoundError:
            continue
        for info in pkgutil.walk_packages(package.__path__, place + "."):
            module = importlib.import_module(info.name)
            algorithm = getattr(module, "ALGORITHM", None)
            if algorithm is not None:
                found[algorithm.key] = algorithm
    return dict(sorted(found.items(), key=lambda item: (item[1].family, item[1].title)))


def algorithm(key: str) -> Algorithm[Any, Any]:
    """The algorithm called `key`; raises EngineError that lists the known ones."""
    try:
        return algorithms()[key]
    except KeyError:
        raise EngineError(f"There is no algorithm “{key}”; there are {', '.join(algorithms())}.") from None
