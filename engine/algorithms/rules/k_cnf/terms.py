"""The k-CNF turned back: the k-term DNF that holds for the same inputs, where there is one.

ML 7.3.3.2: every k-term DNF is a k-CNF, not every k-CNF a k-term DNF.
"""

from itertools import combinations, product

from engine.algorithms.rules.k_cnf.clauses import rows_where_all_hold
from engine.authoring import Bool, Float, Int, np

COLUMNS = 5  # at most: 32 inputs and 243 terms are looked through
ANY = 2  # a term does not ask for the column

Term = tuple[tuple[int, float], ...]


def as_terms(clauses: Int, d: int, k: int) -> tuple[Term, ...] | None:
    """The fewest terms, at most k, that together hold where all clauses (c, ·) do; () where that is
    nowhere, None where there are no such terms, or too many columns to look.

    A term is its literals (column, value); the one without literals always holds.
    """
    if d > COLUMNS:
        return None
    inputs = np.array(list(product((0.0, 1.0), repeat=d)))
    wanted = np.zeros(len(inputs), bool)
    wanted[rows_where_all_hold(inputs, clauses)] = True
    if not wanted.any():
        return ()
    terms = widest(wanted, inputs)
    for count in range(1, k + 1):
        for chosen in combinations(terms, count):
            holds = np.any([where for _, where in chosen], axis=0)
            if (holds == wanted).all():
                return tuple(term for term, _ in chosen)
    return None


def widest(wanted: Bool, inputs: Float) -> list[tuple[Term, Bool]]:
    """The terms that hold only where it is wanted, and the inputs where each does; of two of which
    one holds wherever the other does, only the wider.
    """
    d = inputs.shape[1]
    found: list[tuple[Term, Bool]] = []
    # with few literals first: a term that is wider than another has fewer
    for values in sorted(product((0, 1, ANY), repeat=d), key=literals):
        where = np.all([(v == ANY) | (inputs[:, j] == v) for j, v in enumerate(values)], axis=0)
        inside = not (where & ~wanted).any()
        if inside and not any((where <= wider).all() for _, wider in found):
            term = tuple((j, float(v)) for j, v in enumerate(values) if v != ANY)
            found.append((term, where))
    return found


def literals(values: tuple[int, ...]) -> int:
    """The number of literals of a term; values: 0, 1 or ANY for each column."""
    return len(values) - values.count(ANY)
