"""Numbers written for other columns are emptied where they do not fit any more."""

import numpy as np
import pytest

import engine
from engine.document.document import Document
from engine.document.fitting import fitting, with_data
from engine.document.lane import lane
from engine.table.prepare import Transform


def test_start_weights_of_two_columns_are_no_start_for_three() -> None:
    two = engine.generate("blobs")
    three = engine.Dataset.from_arrays(np.eye(6)[:, :3], [0, 1] * 3)
    document = Document(
        two, (lane("perceptron", start=(-1.0, 0.5), rate=0.2),), plane=("x1",), probe=(0.0, 0.0)
    )
    moved = with_data(document, three)
    assert moved.lanes[0].params.start == ()
    assert moved.lanes[0].params.rate == 0.2
    assert (moved.plane, moved.probe) == ((), None)
    trace = engine.run("perceptron", moved.data, start=moved.lanes[0].params.start, rounds=1)
    assert len(trace[-1].state.w) == 3


def test_they_stay_where_the_columns_are_as_many() -> None:
    document = Document(engine.generate("blobs"), (lane("perceptron", start=(-1.0, 0.5)),))
    assert with_data(document, engine.generate("moons")).lanes[0].params.start == (-1.0, 0.5)


def test_what_is_no_list_about_columns_stays() -> None:
    document = Document(engine.generate("blobs"), (lane("backpropagation", hidden=(3.0, 2.0)),))
    other = engine.Dataset.from_arrays(np.eye(6)[:, :3], [0, 1] * 3)
    assert with_data(document, other).lanes[0].params.hidden == (3.0, 2.0)


def test_an_edit_after_which_nothing_runs_is_judged_too() -> None:
    """One class is not two; that says nothing of start weights, whose columns are five now."""
    data = engine.Dataset.from_arrays(np.eye(2), ["a", "b"])
    one = engine.Dataset.from_arrays(np.eye(2), ["a", "a"])
    before = Document(data, (lane("perceptron", start=(1.0, 2.0)),))
    after = Document(one, before.lanes, transforms=(Transform("quadratic", ()),))
    fitted, why = fitting(before, after, Document.problem)
    assert fitted.lanes[0].params.start == ()
    assert why == (
        "Start w needs 5 numbers (columns: 5); it has 2. Start w is empty now;"
        " Ctrl+Z brings it back."
    )


def test_a_dragged_point_prepares_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes neither columns nor words, so that every value fits as before."""
    before = Document(
        engine.generate("blobs", 20, seed=1), (lane("perceptron", start=(-1.0, 0.5)),)
    )
    after = Document(engine.generate("blobs", 20, seed=2), before.lanes)

    def prepared(_: Document) -> None:
        raise AssertionError("an edit of values needs no preparation")

    monkeypatch.setattr(Document, "problem", prepared)
    assert fitting(before, after, Document.problem) == (after, "")


def test_one_more_class_is_another_shape() -> None:
    """A table of costs has a row for each class."""
    two = engine.Dataset.from_arrays(np.eye(4)[:, :2], ["a", "b"] * 2)
    three = engine.Dataset.from_arrays(np.eye(4)[:, :2], ["a", "b", "c", "a"])
    before = Document(two, (lane("cost_matrix", costs="0 1; 5 0"),))
    fitted, why = fitting(before, Document(three, before.lanes), Document.problem)
    assert fitted.lanes[0].params.costs == ""
    assert why.endswith("Costs is empty now; Ctrl+Z brings it back.")
