"""All clauses of at most k literals, where they hold, and how many mistakes they can cost.

ML 7.3.3.2.
"""

from itertools import combinations, product
from math import comb

from engine.authoring import Bool, EngineError, Float, Int, frozen, np
from engine.base.sums import add_up

MOST = 50_000  # clauses
CELLS = 1 << 20  # truth values at a time


def all_clauses(d: int, k: int) -> Int:
    """(c, k) the numbers of their literals, short clauses first.

    2 j is column j and 2 j + 1 its negation; filled up with 2 d, which never holds. Raises
    EngineError when there are too many.
    """
    count = add_up(comb(d, size) << size for size in range(1, k + 1))
    if count > MOST:
        raise EngineError(
            f"With k = {k} the {d} columns make {count:,} clauses; at most {MOST:,} fit here."
            " Lower k."
        )
    found = []
    for size in range(1, min(k, d) + 1):
        columns = np.array([*combinations(range(d), size)])
        negated = np.array([*product((0, 1), repeat=size)])
        literals = (2 * columns[:, None] + negated).reshape(-1, size)
        found.append(np.pad(literals, ((0, 0), (0, k - size)), constant_values=2 * d))
    return frozen(np.concatenate(found), np.intp)


def true(X: Float, clauses: Int) -> Bool:
    """(m, c) where clauses (c, k) hold on rows X (m, d)."""
    literals = np.zeros((len(X), 2 * X.shape[1] + 1), dtype=bool)
    literals[:, :-1:2] = X == 1
    literals[:, 1::2] = X == 0
    return np.asarray(literals[:, clauses].any(axis=2))


def rows_where_all_hold(X: Float, clauses: Int) -> Int:
    """(r,) the rows of X (m, d) on which all clauses (c, k) hold; computed in blocks to save
    memory.
    """
    rows = np.arange(len(X))
    size = max(1, CELLS // max(1, len(X)))
    for begin in range(0, len(clauses), size):
        holds = true(X[rows], clauses[begin : begin + size]).all(axis=1)
        rows = rows[holds]
    return rows


def mistake_bound(d: int, k: int) -> int:
    """The most mistakes over d columns, while some k-CNF fits all examples.

    The first positive leaves, of every set of columns, all clauses but one; every further mistake
    costs a clause.
    """
    return 1 + add_up(comb(d, size) * ((1 << size) - 1) for size in range(1, k + 1))
