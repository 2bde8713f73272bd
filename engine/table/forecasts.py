"""Columns as forecasts of the target by experts: which class a stored value stands for.

AIMA 18.10.1.
"""

from collections.abc import Iterator

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.notation import label_text, listed, quoted
from engine.base.spelling import place_of
from engine.table.dataset import Feature, Label
from engine.table.problem import Problem

Known = dict[Label, int]


def forecasts(problem: Problem, X: Float) -> Int:
    """(m, d) class indices that the columns of X (m, d) forecast; −1 for gaps and other values."""
    said = np.full(X.shape, -1, np.intp)
    known = _known(problem.classes)
    for j, feature in enumerate(problem.features):
        values, which = np.unique(X[:, j], return_inverse=True)
        codes = [class_code(feature, v, problem.classes, known) for v in values.tolist()]
        said[:, j] = np.asarray(codes, np.intp)[which.ravel()]
    return said


def class_code(
    feature: Feature, value: float, classes: tuple[Label, ...], known: Known | None = None
) -> int:
    """The index of the class that a stored value stands for; −1: none.

    It is the class of the same label; 1 and 0 also stand for the first and second of two.
    """
    if value != value or not (feature.numeric or 0 <= value < len(feature.categories)):
        return -1
    label = value if feature.numeric else feature.categories[int(value)]
    known = _known(classes) if known is None else known
    if label in known:
        return known[label]
    place = place_of(label, classes)
    return -1 if place is None else place


def _known(classes: tuple[Label, ...]) -> Known:
    """Class indices by label, and by the other ways to write one."""
    known: Known = {str(c): code for code, c in enumerate(classes)}
    known |= {c: code for code, c in enumerate(classes)}
    if len(classes) == 2 and 1 not in classes[1:] and 0 not in classes[:1]:
        known.setdefault(1, 0)
        known.setdefault(0, 1)
    return known


def _ascending(x: Float) -> Iterator[float]:
    """The different values of a column, ascending.

    The least one is given before the others are searched: it often decides already.
    """
    known = x[~np.isnan(x)]
    if len(known):
        yield known.min()
        yield from np.unique(known)[1:]


def strangers(problem: Problem) -> Iterator[str]:
    """A sentence for every column that holds something other than labels of the target."""
    target = problem.target.name if problem.target else ""
    labels = listed(label_text(c) for c in problem.classes)
    known = _known(problem.classes)
    for j, feature in enumerate(problem.features):
        if problem.bits[j] and all(
            class_code(feature, v, problem.classes, known) >= 0 for v in (0.0, 1.0)
        ):
            continue
        for value in _ascending(problem.X[:, j]):
            if class_code(feature, float(value), problem.classes, known) < 0:
                yield (
                    f"needs columns that forecast {quoted(target)}: {quoted(feature.name)} holds"
                    f" {feature.text(float(value))}, which is none of {labels}; leave it out or"
                    " write the target's labels into it"
                )
                break
