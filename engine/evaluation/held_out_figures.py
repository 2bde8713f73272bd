"""What the shown step says to the rows held out, as figures for every method that predicts classes: confusion, ROC."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.figures import Figure, Matrix, Plot
from engine.core.layers import NO_GROUP, Labels, Layer, Points, Polyline, Role
from engine.core.notation import cut, fixed
from engine.core.problem import Problem
from engine.core.tags import class_tag, class_tags
from engine.evaluation.confusion import Confusion, curve, leads
from engine.evaluation.judging import Judging

MEASURES = ("precision", "recall", "F1")
_NAMED = 12  # characters of a class beside its curve
_AIR, _LINES = 0.03, 10


class Late(Sequence[Layer]):
    """Layers that are made when somebody looks: most figures of a step are never seen."""

    def __init__(self, make: Callable[[], tuple[Layer, ...]]) -> None:
        self._make = make

    @cached_property
    def made(self) -> tuple[Layer, ...]:
        return self._make()

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.made)

    @overload
    def __getitem__(self, at: int) -> Layer: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Layer]: ...
    def __getitem__(self, at: int | slice) -> Layer | Sequence[Layer]:
        return self.made[at]


def held_out_figures(judging: Judging, index: int, told: tuple[int, Int] | None) -> tuple[Figure, ...]:
    """Of step `index`, for which the classes `told` are known (see `Judging.says`); () where nothing is."""
    held = judging.trace.problem.held_out
    if told is None or held is None or not held.labelled.any():
        return ()
    at, said = told
    matrix = confusion_matrix(held, said, "" if at == index else f"as of {judging.moment(at)}")
    if judging.trace.algorithm.scores is None or not judging.quick:
        return (matrix,)
    return matrix, roc_plot(Late(lambda: roc_layers(held, said, judging.scores(index))))


def confusion_matrix(problem: Problem, said: Int, moment: str = "") -> Matrix:
    """Rows by their class and by what is said (n,) of them, the rows themselves behind each count; below each class its
    measures. moment: which the step is, if it is not the one shown."""
    k = len(problem.classes)
    found = Confusion(said, problem.codes, k)
    names = tuple(problem.class_text(code) for code in range(k))
    told = k + bool(found.counts[:, k].any())
    measures = np.full((len(MEASURES), told), np.nan)
    measures[:, :k] = found.precision, found.recall, found.f1
    values = np.concatenate([found.counts[:, :told], measures])
    rows = np.flatnonzero(problem.labelled)
    numbers = np.asarray(problem.numbers, np.intp)[rows] if problem.numbers else rows + 1
    members = np.column_stack([problem.codes[rows], np.where(said[rows] < 0, k, said[rows]), numbers])
    head = f"predicted, accuracy {fixed(found.accuracy)}"
    return Matrix(
        "Confusion", (*names, *MEASURES), (*names, *["no class"] * (told - k)), frozen(values), x_label=", ".join(filter(None, [head, moment])),
        row_tags=(*class_tags(k), *[""] * len(MEASURES)), column_tags=(*class_tags(k), *[""] * (told - k)),
        y_label="true class", measures=len(MEASURES), members=frozen(members),
    )  # fmt: skip


def roc_plot(layers: Sequence[Layer]) -> Plot:
    around = (-_AIR, 1 + _AIR)
    return Plot(
        "ROC", "false positives, share of the others", "true positives, share of the class", layers, x_range=around,
        y_range=around,
    )  # fmt: skip


def roc_layers(problem: Problem, said: Int, scores: Float | None) -> tuple[Layer, ...]:
    """The curve of each class against the others, of two classes of the first; on it what the step decides."""
    layers: list[Layer] = [Polyline(np.array([[0.0, 0.0], [1.0, 1.0]]), Role.GHOST, tag="chance")]
    if scores is None:
        return tuple(layers)
    known, k = problem.labelled, len(problem.classes)
    ahead, codes, said = leads(scores[known]), problem.codes[known], said[known]
    texts: list[str] = []
    for code in range(1 if k == 2 else k):
        here = codes == code
        if here.all() or not here.any():
            continue
        found, group = curve(ahead[:, code], here), NO_GROUP if k == 2 else code
        layers.append(Polyline(found.roc, Role.BOUNDARY if k == 2 else Role.PLAIN, group=group, tag=class_tag(code)))
        now = np.array([[np.mean(said[~here] == code), np.mean(said[here] == code)]])
        layers.append(Points(now, np.array([code]), Role.ACTIVE if k == 2 else Role.POINT, tag=class_tag(code)))
        texts.append(f"{cut(problem.class_text(code), _NAMED)}: area {fixed(found.area)}")
    texts = texts if len(texts) <= _LINES else []
    lines = np.column_stack([np.full(len(texts), 0.5), 0.08 + 0.08 * np.arange(len(texts))[::-1]])
    return (*layers, Labels(lines, tuple(texts), tag="areas"))
