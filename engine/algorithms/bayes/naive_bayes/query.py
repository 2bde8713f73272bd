"""What is asked for: the values that a person typed, by their words or their places."""

from typing import Any

import numpy as np

from engine.core.arrays import Float, frozen
from engine.core.dataset import Feature
from engine.core.errors import EngineError
from engine.core.notation import counted, label_text, quoted
from engine.core.problem import Problem
from engine.core.spelling import listed, place_of
from engine.numerics.boolean import domain, to_values


def asked(problem: Problem, words: tuple[float | str, ...]) -> Float:
    """(d,) the stored values of the query: as typed, the probe, or the first row.

    Raises EngineError for what is no value.
    """
    if not words:
        place = problem.X[0] if problem.query is None else problem.query
        return frozen(to_values(problem.features, place[None])[0])
    if len(words) != problem.d:
        needed = f"one number for each of the {counted(problem.d, 'column')}, or its word"
        raise EngineError(f"Query needs {needed}; it has {len(words)}.")
    return frozen(
        [value_asked(*pair) for pair in zip(problem.features, words, strict=True)], np.float64
    )


def value_asked(feature: Feature, word: float | str) -> float:
    """The stored value of a word of the column, or of its place among them where the words are no
    numbers.
    """
    options = feature.categories or domain(feature)
    counted = all(
        isinstance(o, bool) or not isinstance(o, (int, float)) for o in feature.categories
    )
    place = place_of(word, options)
    if place is None and not (counted and word in range(len(options))):
        places = (
            f", or its place among them, 0 to {len(options) - 1}"
            if feature.categories and counted
            else ""
        )
        wanted = f"Query: {quoted(feature.name)} must be one of {listed(options)}{places}"
        raise EngineError(f"{wanted}; it is “{label_text(word)}”.")
    return domain(feature)[int(word) if place is None else place]


def query_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.query` does not give one value of each column."""
    asked(problem, p.query)
