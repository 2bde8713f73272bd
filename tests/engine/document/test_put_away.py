"""A method that is chosen again in the same document is set as it was, whatever took it out of its
lane.
"""

from collections.abc import Callable

import pytest

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.fitting import as_before, with_data
from engine.document.lane import Lane, lane
from engine.document.lane_edits import Edited, only_lane, remove_lane

SVM, OTHER = lane("svm", kernel="rbf", C=3.0), lane("perceptron")


def document(*lanes: Lane) -> Document:
    return Document(engine.generate("moons", 30), lanes or (SVM,))


def test_a_method_that_another_one_replaces_is_remembered() -> None:
    after = document().with_lane(0, key="adaboost", params=lane("adaboost").params)
    assert as_before(after, "svm") == SVM.params
    assert as_before(after, "perceptron") == OTHER.params, "it never was there"


def test_the_last_settings_count_also_when_they_are_the_usual_ones() -> None:
    away = document().with_lane(0, key="perceptron", params=OTHER.params)
    usual = away.with_lane(0, key="svm", params=lane("svm").params)
    again = usual.with_lane(0, key="perceptron", params=OTHER.params)
    assert as_before(again, "svm") == lane("svm").params
    assert again.put_away == ()


@pytest.mark.parametrize("remove", [lambda d: remove_lane(d, 0), lambda d: only_lane(d, 1)])
def test_a_lane_that_is_removed_is_remembered(remove: Callable[[Document], Edited]) -> None:
    after, _ = remove(document(SVM, OTHER))
    assert [each.key for each in after.lanes] == ["perceptron"]
    assert as_before(after, "svm") == SVM.params


def test_another_parameter_or_seed_puts_nothing_away() -> None:
    assert document().with_params(0, C=5.0).with_lane(0, seed=4).put_away == ()


def test_start_weights_that_were_written_for_other_columns_do_not_come_back_with_the_rest() -> None:
    begun = lane("perceptron", rate=0.25, start=(-1.0, 0.5))
    away = document(begun).with_lane(0, key="svm", params=SVM.params)
    assert as_before(away, "perceptron") == begun.params
    iris = with_data(away, engine.real("iris"))
    assert as_before(iris, "perceptron") == replace(begun.params, start=())
