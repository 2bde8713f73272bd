"""The splits of a column: thresholds of numbers, values of words, or counts that a person typed."""

from itertools import pairwise
from typing import NamedTuple

from engine.authoring import EngineError, Float, Int, Problem, frozen, np


class Split(NamedTuple):
    """The rows of each class in each branch.

    at: the threshold, NaN of words
    branches: (b,) their names
    counts: (b, k) rows of each class in each
    column: of the table, −1 by hand
    """

    at: float
    branches: tuple[str, ...]
    counts: Float
    column: int = -1


def splits_of(problem: Problem, column: int, threshold: float | None, single: bool) -> list[Split]:
    """The splits of a column, by its rows that have both class and value.

    threshold: the only one of numbers, else all; single: of words also each value against the
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
        names = tuple(feature.text(code) for code in range(len(feature.categories)))
        found = by_words(x, codes, k, names, single)
    return [split._replace(column=column) for split in found]


def thresholds(x: Float, codes: Int, k: int, only: float | None) -> list[Split]:
    """The splits x ≤ t of a numeric column x (n,), with t half-way between neighbouring values.

    codes: (n,) classes; k: their number; only: use these thresholds instead
    """
    values = np.unique(x)
    middles = [a + (b - a) / 2 for a, b in pairwise(values.tolist())]
    below = np.zeros((len(values) + 1, k))
    np.add.at(below, (np.searchsorted(values, x) + 1, codes), 1)
    below = below.cumsum(axis=0)
    at = middles or values.tolist() or [0.0]
    if only is not None:
        at = [only]
    low = below[np.searchsorted(values, at, "right")]
    counts = frozen(np.stack([low, below[-1] - low], axis=1))
    return [Split(t, ("≤", ">"), rows) for t, rows in zip(at, counts, strict=True)]


def by_words(x: Float, codes: Int, k: int, names: tuple[str, ...], single: bool) -> list[Split]:
    """The split of a column of words into all its values; with `single` also each value against the
    rest.

    x: (n,) indices into `names`; codes: (n,) classes; k: their number
    """
    counts = np.zeros((len(names), k))
    np.add.at(counts, (x.astype(np.intp), codes), 1)
    found = [Split(np.nan, names, frozen(counts))]
    if single and len(names) > 2:
        rest = counts.sum(axis=0)
        for own, name in zip(counts, names, strict=True):
            found.append(Split(np.nan, (name, "others"), frozen([own, rest - own])))
    return found


def by_hand(words: tuple[float | str, ...]) -> list[Split]:
    """The split that a person typed as counts: '7 1 / 2 9' is two branches of two classes.

    Raises EngineError for anything else.
    """
    ends = [-1, *(i for i, word in enumerate(words) if word == "/"), len(words)]
    rows = [list(words[a + 1 : b]) for a, b in pairwise(ends)]
    numbers = [[n for n in row if isinstance(n, float | int) and 0 <= n < 1e12] for row in rows]
    even = len({len(row) for row in rows}) == 1
    if numbers != rows or not even or not np.sum(numbers):
        raise EngineError(
            "Counts are numbers from 0 on, as many in each branch, with / between branches: 7 1 /"
            " 2 9."
        )
    names = tuple(f"branch {k + 1}" for k in range(len(rows)))
    return [Split(np.nan, names, frozen(numbers, np.float64))]
