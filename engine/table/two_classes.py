"""Problems of two classes that are posed on a table of more: a class against the rest, or against
one other class.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from engine.base.arrays import Int, frozen
from engine.base.records import replace
from engine.table.dataset import Feature, Kind
from engine.table.problem import Problem

REST = -1  # in the place of a class: all other classes together
THE_REST = "the rest"


class Pair(NamedTuple):
    """Two sides of a problem of two classes.

    first: a class
    second: another class, or REST
    """

    first: int
    second: int = REST


def against_rest(problem: Problem) -> tuple[Pair, ...]:
    """Each class that has rows, against the rest."""
    return tuple(Pair(k) for k in np.flatnonzero(problem.counts).tolist())


def duels(problem: Problem) -> tuple[Pair, ...]:
    """Each pair of classes that have rows, in the order of the classes."""
    return tuple(Pair(*pair) for pair in combinations(np.flatnonzero(problem.counts).tolist(), 2))


def sides(problem: Problem, pair: Pair) -> tuple[str, str]:
    """The names of the two sides."""
    first = problem.class_text(pair.first)
    if pair.second != REST:
        return first, problem.class_text(pair.second)
    return first, THE_REST if first != THE_REST else "other classes"


def codes_of(pair: Pair, k: int) -> Int:
    """(k + 1,) for each of k classes, and for no class: 0 on the first side, 1 on the second, −1 on
    none.
    """
    codes = np.full(k + 1, 1 if pair.second == REST else -1)
    codes[pair.second] = 1
    codes[pair.first] = 0
    codes[k] = -1
    return frozen(codes, np.intp)


def posed(problem: Problem, pair: Pair) -> Problem:
    """The problem with two classes: the first side, and the second.

    Rows of neither side have no class; nothing is held out.
    """
    names: tuple[Any, ...] = sides(problem, pair)
    codes = codes_of(pair, len(problem.classes))[problem.codes]
    assert problem.target is not None
    changed = replace(
        problem,
        codes=frozen(codes, np.intp),
        classes=names,
        target=Feature(problem.target.name, Kind.CATEGORICAL, names),
        held_out=None,
    )
    return replace(changed, y=frozen(changed.labels(codes)))


def first_posed(problem: Problem) -> Problem | None:
    """The first class against the rest; None where the table has no class."""
    pairs = against_rest(problem) if problem.classes and problem.target is not None else ()
    return posed(problem, pairs[0]) if pairs else None
