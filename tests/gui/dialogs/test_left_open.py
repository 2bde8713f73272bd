"""Dialogues that stay open beside the work: when they are about something that is no longer there
they say so, and do nothing.
"""

from typing import Any

import pytest
from laboratory import Lab, four_points
from PySide6.QtWidgets import QApplication
from ready_window import opening

from gui.dialogs.sweep import Sweep
from gui.dialogs.weight import SetWeight

lab = opening(four_points)


def opened(kind: type) -> Any:
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible())


@pytest.mark.parametrize("other", ["decision_tree", "logistic_regression", "kmeans"])
def test_values_are_compared_of_the_method_that_they_were_typed_for(lab: Lab, other: str) -> None:
    """Whether the other method has a parameter of the same name or not."""
    lab.window.action("sweep").trigger()
    dialog = opened(Sweep)
    lab.session.choose(other)
    before = lab.session.document
    dialog.accept()
    assert dialog.isVisible() and lab.session.document == before
    assert (
        lab.session.algorithm.title in dialog.error.text() and "Perceptron" in dialog.error.text()
    )
    lab.session.choose("perceptron")
    dialog.accept()
    assert not dialog.isVisible() and len(lab.session.lane_views) > 1


def test_a_weight_is_set_in_the_step_that_it_was_typed_for(lab: Lab) -> None:
    lab.session.set_settings(tool="select")
    lab.session.seek(1)
    lab.window.action("set_weight").trigger()
    dialog = opened(SetWeight)
    dialog.value.setText("7")
    for leave, come_back in (
        (lambda: lab.session.choose("logistic_regression"), lab.session.undo),
        (lambda: lab.session.seek(0), lambda: lab.session.seek(1)),
    ):
        leave()
        before = lab.session.document
        dialog.accept()
        assert dialog.isVisible() and lab.session.document == before
        assert "no longer shown" in dialog.error.text()
        come_back()
    dialog.accept()
    assert not dialog.isVisible()
    assert lab.session.lane.start is not None and lab.session.lane.start.change == ((0,), 7.0)
