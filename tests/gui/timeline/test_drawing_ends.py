"""Names at the ends of curves: near them, and never on each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from gui.timeline.curves import Curves, Series
from gui.timeline.drawing import APART, apart, ends


@given(st.lists(st.floats(0, 100), min_size=1, max_size=4))
def test_names_stand_apart_in_the_order_of_their_curves(wanted) -> None:
    placed = apart(wanted, APART, 0.0, 100.0)
    order = np.argsort(wanted, kind="stable")
    assert (np.diff(np.asarray(placed)[order]) >= APART - 1e-9).all()
    assert min(placed) >= -1e-9
    assert max(placed) <= 100 + 1e-9
    if (np.diff(np.sort(wanted)) >= APART).all():
        assert placed == pytest.approx(wanted)


def test_the_value_is_the_one_at_the_right_end() -> None:
    train = Series("error", np.array([0.0, 10, 20]), np.array([9.0, 5, 1]), end="train")
    bound = Series("bound", np.array([0.0]), np.array([7.0]), dashed=True)
    curves = Curves("error", (train, bound), 0, 9)
    assert [(s.end, v) for s, v in ends(curves, 20)] == [("train", 1)]
    assert [v for _, v in ends(curves, 19)] == [5]
    assert ends(curves, -1) == []


@pytest.mark.slow
def test_train_and_test_are_named_where_rows_are_held_out(open_lab) -> None:
    """And only there; the curve leaves them room at its right."""
    document = Document(engine.generate("moons", 60, 0.3), (lane("perceptron"),))
    lab = open_lab(replace(document, split=replace(document.split, share=0.3)))
    line = lab.window.timeline
    lab.until(lambda: {s.end for s in line.curves.series} == {"train", "test"})
    line.grab()
    assert line.width() - line.paper.area.right() >= 60
    lab.session.edit(document, "no test", "split")
    lab.settle()
    assert {s.end for s in line.curves.series} == {""}
