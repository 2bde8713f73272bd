"""Tables of small grey pictures, a column for each cell: the person's own, or the digits that come
with the lab.
"""

from math import isqrt

from engine.authoring import Problem, Split, frozen, np, prepare, replace
from engine.base.arrays import Bool
from engine.sources.real import real

TESTED = 500 / 1797  # of the lab's digits


def grey(p: Problem) -> bool:
    """Whether the rows are square pictures of three cells a side or more, in whole numbers from 0
    on or from 0 to 1, with two classes or more and a few pictures of each.
    """
    side = isqrt(p.d)
    square = side >= 3 and side**2 == p.d
    numbers = all(f.numeric for f in p.features) and bool(np.isfinite(p.X).all())
    if not square or not numbers:
        return False
    whole = np.array_equal(p.X, np.round(p.X))
    shades = p.X.min(initial=0) >= 0 and (whole or p.X.max(initial=0) <= 1)
    classes = len(np.unique(p.codes[p.labelled]))
    return bool(shades and classes >= 2 and p.labelled.sum() > 2 * classes)


def pictures(p: Problem) -> Problem:
    """The labelled pictures of a table; for a table without pictures the bundled digits, some of
    them held out.
    """
    if not grey(p):
        p = prepare(real("digits"), split=Split(TESTED))
    if not p.labelled.all():
        p = some(p, p.labelled)
    return p


def some(p: Problem, rows: Bool) -> Problem:
    """The problem of the rows where `rows` (n,) is true."""
    at = np.flatnonzero(rows)
    return replace(
        p,
        X=frozen(p.X[at]),
        y=p.y[at],
        codes=frozen(p.codes[at]),
        names=tuple(p.names[i] for i in at.tolist()),
        numbers=tuple(p.number_of(int(i)) for i in at),
        aside=(),
        held_out=None,
    )


def between(p: Problem, a: int, b: int) -> Problem:
    """The problem of the rows of classes a and b, with the codes 0 and 1."""
    at = np.flatnonzero((p.codes == a) | (p.codes == b))
    return replace(
        p,
        X=frozen(p.X[at]),
        y=p.y[at],
        codes=frozen((p.codes[at] == b).astype(np.intp)),
        classes=(p.classes[a], p.classes[b]),
        names=tuple(p.names[i] for i in at.tolist()),
        numbers=(),
    )
