"""Figures of the predictions for held-out rows, for each method that predicts classes: confusion
and ROC.
"""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float, Int, frozen
from engine.base.lazy import Lazy
from engine.base.notation import cut, fixed
from engine.base.tags import class_tag, class_tags
from engine.judge.confusion import Confusion, curve, leads
from engine.judge.judging import Judging
from engine.scene.figures import Figure, Matrix, Plot
from engine.scene.layers import Labels, Layer, Points, Polyline, Role
from engine.table.baseline import Baseline, baseline
from engine.table.problem import Problem

MEASURES = ("precision", "recall", "F1")
_NAMED = 12  # characters of a class beside its curve
_AIR, _TOP = 0.03, 1.13
# names of curves: how many at most, how far apart, the height of the last
_LINES, _LINE, _LOWEST = 10, 0.09, 0.13
_MARK, _TEXT = 0.42, 0.72  # x of their marks and texts


def held_out_figures(
    judging: Judging, index: int, predicted: tuple[int, Int] | None
) -> tuple[Figure, ...]:
    """The figures at step `index`; () without predictions or labelled held-out rows.

    predicted: (step, classes (m,)) from `Judging.says`
    """
    held = judging.trace.problem.held_out
    if predicted is None or held is None or not held.labelled.any():
        return ()
    at, said = predicted
    trace = judging.trace
    uses = trace.algorithm.uses_held_out
    seen = uses is not None and uses(trace.params)
    remarks = ("no test" if seen else "", "" if at == index else f"as of {judging.moment(at)}")
    matrix = confusion_matrix(held, said, ", ".join(filter(None, remarks)), baseline(trace.problem))
    if not judging.decides:
        return (matrix,)
    return matrix, roc_plot(Lazy(lambda: roc_layers(held, said, judging.scores(at))))


def confusion_matrix(
    problem: Problem, said: Int, remark: str = "", always: Baseline | None = None
) -> Matrix:
    """The confusion matrix of predictions said (n,), with the rows behind each count and the error
    rate as its heading.

    Precision, recall and F1 stand below each class.

    remark: a restriction of the figures, for the label
    always: the baseline whose accuracy the label shows too
    """
    k = len(problem.classes)
    found = Confusion(said, problem.codes, k)
    names = tuple(problem.class_text(code) for code in range(k))
    columns = k + bool(found.counts[:, k].any())
    measures = np.full((len(MEASURES), columns), np.nan)
    measures[:, :k] = found.precision, found.recall, found.f1
    values = np.concatenate([found.counts[:, :columns], measures])
    rows = np.flatnonzero(problem.labelled)
    numbers = np.asarray(problem.numbers, np.intp)[rows] if problem.numbers else rows + 1
    members = np.column_stack(
        [problem.codes[rows], np.where(said[rows] < 0, k, said[rows]), numbers]
    )
    beside = (
        f"always {always.name} {fixed(1 - always.error(problem))}" if always is not None else ""
    )
    head = ", ".join(filter(None, [f"predicted, accuracy {fixed(found.accuracy)}", beside]))
    n = int(found.counts.sum())
    wrong = n - int(found.right.sum())
    return Matrix(
        f"Confusion: held-out error {wrong:,}/{n:,} = {fixed(wrong / n)}",
        (*names, *MEASURES),
        (*names, *["no class"] * (columns - k)),
        frozen(values),
        x_label=", ".join(filter(None, [head, remark])),
        row_tags=(*class_tags(k), *[""] * len(MEASURES)),
        column_tags=(*class_tags(k), *[""] * (columns - k)),
        y_label="true class",
        measures=len(MEASURES),
        members=frozen(members),
    )


def roc_plot(layers: Sequence[Layer]) -> Plot:
    """A plot of the layers from `roc_layers`, with room above for the name of the axis."""
    ticks = tuple((k / 5, fixed(k / 5, 1)) for k in range(6))
    return Plot(
        "ROC",
        "false positive rate",
        "true positive rate",
        layers,
        x_range=(-_AIR, 1 + _AIR),
        y_range=(-_AIR, _TOP),
        x_ticks=ticks,
        y_ticks=ticks,
    )


def roc_layers(problem: Problem, said: Int, scores: Float | None) -> tuple[Layer, ...]:
    """The ROC curve of each class against the others; of two classes only the first.

    With two classes a point marks the decision of the step. said (n,), scores: see `Judging`.
    """
    layers: list[Layer] = [Polyline(np.array([[0.0, 0.0], [1.0, 1.0]]), Role.GHOST, tag="chance")]
    if scores is None:
        return tuple(layers)
    known = problem.labelled
    k = len(problem.classes)
    ahead = (leads(scores, k) if k == 2 or scores.ndim == 1 else scores)[known]
    codes = problem.codes[known]
    said = said[known]
    areas: list[tuple[int, str]] = []
    for code in range(1 if k == 2 else k):
        here = codes == code
        if here.all() or not here.any():
            continue
        found = curve(ahead[:, code], here)
        areas.append((code, f"{cut(problem.class_text(code), _NAMED)}: area {fixed(found.area)}"))
        if k > 2:
            layers.append(Polyline(found.roc, Role.PLAIN, group=code, tag=class_tag(code)))
            continue
        now = np.array([[np.mean(said[~here] == code), np.mean(said[here] == code)]])
        layers += [
            Polyline(found.roc, Role.BOUNDARY, tag=class_tag(code)),
            Points(now, np.array([code]), Role.ACTIVE, tag=class_tag(code)),
        ]
    return (*layers, *_areas(areas))


def _areas(areas: list[tuple[int, str]]) -> tuple[Layer, ...]:
    """The key of the curves, below the diagonal, with the marks of the classes.

    Empty for too many classes.
    """
    if not areas or len(areas) > _LINES:
        return ()
    codes, texts = zip(*areas, strict=True)
    heights = _LOWEST + min(_LINE, 0.6 / len(areas)) * np.arange(len(areas))[::-1]
    tags = tuple(map(class_tag, codes))
    marks = Points(
        np.column_stack([np.full(len(areas), _MARK), heights]),
        np.array(codes),
        tag="areas",
        tags=tags,
    )
    return marks, Labels(np.column_stack([np.full(len(areas), _TEXT), heights]), texts, tag="areas")
