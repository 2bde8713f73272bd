"""The splits of a column: thresholds of numbers, values of words, or counts that a person typed."""

from itertools import pairwise
from typing import NamedTuple

from engine.authoring import EngineError, Float, Int, Problem, frozen, np


class Split(NamedTuple):
    """at: the threshold, NaN of words; column: −1 by hand; branches: their names; counts (b, k):
    rows of each class in each.
    """

    at: float
    branches: tuple[str, ...]
    counts: Float
    column: int = -1


def splits_of(problem: Problem, column: int, threshold: float | None, single: bool) -> list[Split]:
    """Of the rows that have both class and value; single: of words also each value against the
    others.
    """
    rows = problem.labelled & ~np.isnan(problem.X[:, column])
    feature = problem.features[column]
    x = problem.X[rows, column]
    codes = problem.codes[rows]
    k = len(problem.classes)
    if feature.numeric:
        found = thresholds(x, codes, k, threshold)
    else:
        found = by_words(
            x, codes, k, tuple(map(feature.text, range(len(feature.categories)))), single
        )
    return [split._replace(column=column) for split in found]


def thresholds(x: Float, codes: Int, k: int, only: float | None) -> list[Split]:
    """x ≤ t for t half-way between any two neighbours; of equal values at that value; or one t that
    is asked for.
    """
    values = np.unique(x)
    middles = [a + (b - a) / 2 for a, b in pairwise(values.tolist())] or values.tolist() or [0.0]
    below = np.zeros((len(values) + 1, k))
    np.add.at(below, (np.searchsorted(values, x) + 1, codes), 1)
    below = below.cumsum(axis=0)
    at = middles if only is None else [only]
    low = below[np.searchsorted(values, at, "right")]
    counts = frozen(np.stack([low, below[-1] - low], axis=1))
    return [Split(t, ("≤", ">"), rows) for t, rows in zip(at, counts, strict=True)]


def by_words(x: Float, codes: Int, k: int, names: tuple[str, ...], single: bool) -> list[Split]:
    """All values at once; single: then each against the others."""
    counts = np.zeros((len(names), k))
    np.add.at(counts, (x.astype(np.intp), codes), 1)
    whole = Split(np.nan, names, frozen(counts))
    alone = range(len(names) if single and len(names) > 2 else 0)
    rest = counts.sum(axis=0)
    return [
        whole,
        *(
            Split(np.nan, (names[v], "others"), frozen([counts[v], rest - counts[v]]))
            for v in alone
        ),
    ]


def by_hand(words: tuple[float | str, ...]) -> list[Split]:
    """'7 1 / 2 9' is two branches of two classes."""
    ends = [-1, *(i for i, word in enumerate(words) if word == "/"), len(words)]
    rows = [words[a + 1 : b] for a, b in pairwise(ends)]
    numbers = [[n for n in row if isinstance(n, float | int) and 0 <= n < 1e12] for row in rows]
    if (
        numbers != [list(row) for row in rows]
        or len({len(row) for row in rows}) > 1
        or not np.sum(numbers)
    ):
        raise EngineError(
            "Counts are numbers from 0 on, as many in each branch, with / between branches: 7 1 /"
            " 2 9."
        )
    return [
        Split(
            np.nan, tuple(f"branch {k + 1}" for k in range(len(rows))), frozen(numbers, np.float64)
        )
    ]
