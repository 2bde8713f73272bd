"""Confusion, its measures and the ROC, against scikit-learn and by hand."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    classification_report,
    confusion_matrix,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from engine.judge.confusion import Confusion, curve, leads

CALLS = st.integers(1, 5).flatmap(
    lambda k: st.tuples(
        st.just(k), st.lists(st.tuples(st.integers(-1, k - 1), st.integers(0, k - 1)), min_size=1)
    )
)
SCORED = st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=2).filter(
    lambda rows: len({positive for _, positive in rows}) == 2
)


@given(CALLS)
@settings(deadline=None)
def test_counts_and_measures_are_those_of_scikit_learn(
    drawn: tuple[int, list[tuple[int, int]]],
) -> None:
    """−1 is a label of its own there, that no row truly has."""
    k, rows = drawn
    said, codes = np.array(rows).T
    ours = Confusion(said, codes, k)
    theirs = confusion_matrix(codes, np.where(said < 0, k, said), labels=range(k + 1))
    assert np.array_equal(ours.counts, theirs[:k])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        report = classification_report(
            codes, said, labels=range(k), output_dict=True, zero_division=np.nan
        )
    for code in range(k):
        want = report[str(code)]
        assert ours.counts[code].sum() == want["support"]
        assert ours.precision[code] == pytest.approx(want["precision"], nan_ok=True)
        assert ours.recall[code] == pytest.approx(want["recall"], nan_ok=True)
        assert ours.f1[code] == pytest.approx(want["f1-score"], nan_ok=True)
    assert ours.accuracy == pytest.approx(np.mean(said == codes))


def test_rows_without_a_true_class_are_not_counted() -> None:
    found = Confusion(np.array([0, 1, -1, 1]), np.array([0, -1, 1, 1]), 2)
    assert found.counts.tolist() == [[1, 0, 0], [0, 1, 1]]
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.recall.tolist() == [1.0, 0.5]
    assert found.precision.tolist() == [1.0, 1.0]
    assert np.isnan(Confusion(np.zeros(0, np.intp), np.zeros(0, np.intp), 2).accuracy)


@given(SCORED)
@settings(deadline=None)
def test_curves_and_areas_are_those_of_scikit_learn(rows: list[tuple[int, bool]]) -> None:
    score, positive = np.array([s for s, _ in rows], np.float64), np.array([p for _, p in rows])
    found = curve(score, positive)
    alarms, hits, thresholds = roc_curve(positive, score, drop_intermediate=False)
    assert found.threshold.tolist() == thresholds.tolist()
    assert found.roc == pytest.approx(np.column_stack([alarms, hits]))
    assert found.area == pytest.approx(roc_auc_score(positive, score))
    precision, recall, _ = precision_recall_curve(positive, score)
    assert found.precision_recall[::-1] == pytest.approx(np.column_stack([recall, precision])[:-1])


def test_a_row_without_a_score_is_never_called_so() -> None:
    """Of two rows of the class one scores above both others, the other not at all: two of four
    pairs are in order.
    """
    found = curve(np.array([3.0, np.nan, 2.0, 1.0]), np.array([True, True, False, False]))
    assert found.threshold.tolist() == [np.inf, 3.0, 2.0, 1.0, -np.inf]
    assert (found.hits.tolist(), found.alarms.tolist()) == ([0, 1, 1, 1, 2], [0, 0, 1, 2, 2])
    assert found.area == 0.5
    blank = curve(np.full(4, np.nan), np.array([True, True, False, False]))
    assert blank.roc.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert blank.area == 0.5


def test_the_lead_is_over_the_best_other() -> None:
    assert leads(np.array([2.0, -1.0])).tolist() == [[2.0, -2.0], [-1.0, 1.0]]
    assert leads(np.array([2.0, -1.0]), 3).tolist() == [[2.0, -2.0, -np.inf], [-1.0, 1.0, -np.inf]]
    assert leads(np.array([[5.0, 3.0, 1.0], [2.0, 2.0, 0.0]])).tolist() == [
        [2.0, -2.0, -4.0],
        [0.0, 0.0, -2.0],
    ]
