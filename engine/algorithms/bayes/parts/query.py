"""The query: the values that a person typed, by their words or their places."""

from typing import Any

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import counted, label_text, quoted
from engine.base.spelling import listed, place_of
from engine.numerics.boolean import domain, to_values
from engine.table.dataset import Feature
from engine.table.problem import Problem


def query_row(problem: Problem, words: tuple[float | str, ...]) -> Float:
    """(d,) the values of the query: as typed, the probe, or the first row.

    Raises EngineError where there are too few or too many, or one is no value of its column.
    """
    if not words:
        place = problem.X[0] if problem.query is None else problem.query
        return frozen(to_values(problem.features, place[None])[0])
    if len(words) != problem.d:
        needed = f"one number for each of the {counted(problem.d, 'column')}, or its word"
        raise EngineError(f"Query needs {needed}; it has {len(words)}.")
    pairs = zip(problem.features, words, strict=True)
    return frozen([query_value(feature, word) for feature, word in pairs], np.float64)


def query_value(feature: Feature, word: float | str) -> float:
    """The stored value that a word of the query means; where categories are no numbers, a number
    counts as a place among them.

    Raises EngineError for a word that is neither.
    """
    options = feature.categories or domain(feature)
    by_place = not any(is_number(option) for option in feature.categories)
    place = place_of(word, options)
    if place is None and by_place and word in range(len(options)):
        place = int(word)
    if place is None:
        places = ""
        if feature.categories and by_place:
            places = f", or its place among them, 0 to {len(options) - 1}"
        wanted = f"Query: {quoted(feature.name)} must be one of {listed(options)}{places}"
        raise EngineError(f"{wanted}; it is “{label_text(word)}”.")
    return domain(feature)[place]


def is_number(value: object) -> bool:
    """Whether a category is a number; True and False are words."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def query_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.query` does not give one value of each column."""
    query_row(problem, p.query)
