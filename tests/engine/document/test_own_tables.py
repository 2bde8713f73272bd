"""A lane with a table of its own: what mends it, what fits it and what runs on it is found on that
table.
"""

from typing import Any

import pytest

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.fitting import as_before, fitting
from engine.document.lane import lane
from engine.document.mending import has_run, mends
from engine.table.dataset import Dataset

NUMBERS = {"x": [0.0, 1.0, 2.0, 3.0], "y": [1.0, 0.0, 1.0, 0.0]}
WAIT = ["no", "no", "yes", "yes"]


def numbers() -> Dataset:
    return Dataset.from_columns(NUMBERS | {"wait": WAIT}, target="wait")


def words() -> Dataset:
    """A perceptron cannot take the column of words."""
    return Dataset.from_columns(
        NUMBERS | {"food": ["Thai", "French", "Burger", "Thai"], "wait": WAIT}, target="wait"
    )


def one_column() -> Dataset:
    return Dataset.from_columns({"x": NUMBERS["x"], "wait": WAIT}, target="wait")


def without_y(seen: Document) -> Document:
    return replace(seen, data=one_column())


def document(shared: Dataset, own: Dataset | None, **how: Any) -> Document:
    return Document(
        shared, (lane("perceptron", **how), replace(lane("perceptron", **how), data=own))
    )


def test_what_mends_a_lane_is_found_on_its_own_table_and_changes_no_other() -> None:
    before = document(numbers(), words())
    assert has_run(before, 0) and not has_run(before, 1)
    assert not list(mends(before, 0))
    found = list(mends(before, 1))
    assert found
    for _, changed in found:
        assert has_run(changed, 1)
        assert changed.data is before.data
        assert changed.lanes[0] == before.lanes[0]


def test_a_fault_of_the_shared_table_is_none_of_a_lane_with_its_own() -> None:
    before = document(words(), numbers())
    assert has_run(before, 1) and not has_run(before, 0)
    assert not list(mends(before, 1))


@pytest.mark.parametrize("place", [0, 1])
def test_start_weights_are_emptied_where_the_table_of_their_lane_has_lost_a_column(
    place: int,
) -> None:
    before = document(numbers(), numbers(), start=(1.0, 2.0))
    after, notices = fitting(before, before.in_lane(place, without_y), Document.problem)
    assert after.lanes[place].params.start == () and notices
    assert after.lanes[1 - place].params.start == (1.0, 2.0)


def test_a_method_chosen_again_keeps_the_weights_that_fit_the_table_of_its_lane() -> None:
    before = document(one_column(), numbers())
    set_once = before.with_params(1, start=(1.0, 2.0)).with_lane(
        1, key="decision_tree", params=engine.algorithms()["decision_tree"].params()
    )
    assert as_before(set_once.of_lane(1), "perceptron").start == (1.0, 2.0)
    assert as_before(set_once.of_lane(0), "perceptron").start == ()
