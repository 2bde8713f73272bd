"""All columns counted without a word: the wrong rows are looked for once, at the end."""

from engine.algorithms.bayes.naive_bayes import Setting, State, shares, wrong
from engine.algorithms.bayes.naive_bayes.products import Column, Products
from engine.authoring import Work, np, replace
from engine.core.arrays import Prefix

AT_ONCE = 64  # columns


def counted(given: Setting, s: State, rows: Products) -> Work[State]:
    R = list[Column]()
    most = max(given.sizes)
    for first in range(0, given.problem.d, AT_ONCE):
        begins = most * np.arange(len(given.sizes[first : first + AT_ONCE]))
        places = [(C[:, first : first + AT_ONCE] + begins).ravel("K") for C in (given.P, given.N)]
        counts = [
            np.bincount(at, minlength=most * len(begins)).reshape(-1, most).tolist()
            for at in places
        ]
        for size, p, n in zip(given.sizes[first:], *counts, strict=False):
            yield
            first_class, second = (
                shares(given, p[:size], len(given.P)),
                shares(given, n[:size], len(given.N)),
            )
            R.append(Column(zip(first_class, second, strict=True)))
    return replace(s, R=Prefix(R, len(R)), errors=wrong(given, rows.times(*R)))
