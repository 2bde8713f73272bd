"""The last words of a run are shown with the judgement that belongs to its end."""

import numpy as np
from laboratory import Lab

import engine
from engine.document.document import Document
from engine.document.lane import lane


def test_the_window_shows_at_the_end_that_one_answer_would_do_better(open_lab) -> None:
    data = engine.Dataset.from_arrays(np.array([[1.0], [2.0], [3.0], [4.0]]), ["A", "B", "B", "B"])
    lab: Lab = open_lab(
        Document(data, (lane("logistic_regression", start=(0.0, 1.0), rate=1e-6, steps=3),))
    )
    lab.until(lambda: lab.session.finished)
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    shown = lab.window.right_dock.step.lead.note
    assert shown is lab.session.trace[-1].note
    assert "does worse than always saying “B”" in shown.text()
