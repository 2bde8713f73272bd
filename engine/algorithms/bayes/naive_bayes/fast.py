"""All columns counted without a word: the wrong rows are looked for once, at the end."""

from engine.algorithms.bayes.naive_bayes import Setting, State, shares, wrong
from engine.algorithms.bayes.naive_bayes.products import Column, Products
from engine.authoring import Work, replace
from engine.core.arrays import Prefix


def counted(given: Setting, s: State, rows: Products) -> Work[State]:
    R = list[Column]()
    for j in range(given.problem.d):
        yield
        R.append(Column(zip(shares(given, j, given.P), shares(given, j, given.N), strict=True)))
    return replace(s, R=Prefix(R, len(R)), errors=wrong(given, rows.times(*R)))
