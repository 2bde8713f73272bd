"""“Do this step yourself”, typed with real keys: by hand what the texts reckon, and what numpy
finds; and the box of the question.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from laboratory import LEFT, NONE, SHIFT, Key, Lab
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge.questions import Every, Kind
from engine.judge.questions.blanks import read
from engine.judge.questions.dividing import sides
from engine.scene.layers import Boxes, Role

MOONS = engine.generate("moons", 40, noise=0.2, seed=3)


def by_key(lab: Lab, every: Every, only: Kind | None) -> Any:
    """Predict from the first step, with these questions."""
    predicting = lab.session.predicting
    lab.session.seek(0)
    predicting.want(every, only)
    lab.plane.setFocus()
    lab.key(Key.Key_Question, SHIFT)
    QApplication.processEvents()
    return predicting


def until_line(predicting: Any, *lines: str) -> Any:
    for _ in range(80):
        if predicting.question is None or predicting.question.step.line in lines:
            break
        predicting.skip()
    assert predicting.question is not None, predicting.said
    QApplication.processEvents()
    return predicting.question


def type_in(lab: Lab, texts: list[str]) -> None:
    """Into the blank that has the focus, Return, into the next …"""
    for text in texts:
        QApplication.processEvents()
        lab.write(f"{read(text):.12g}")  # as fingers write it
        lab.key(Key.Key_Return)


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        "perceptron",
        "decision_tree",
        "kd_tree",
        "kmeans",
        "adaboost",
        "naive_bayes",
        "logistic_regression",
        "gradient_descent",
    ],
)
@pytest.mark.parametrize("right", [True, False])
def test_a_step_is_done_by_hand(open_lab: Callable[..., Lab], key: str, right: bool) -> None:
    """Perceptron update, tree split, k-d split, centroid, AdaBoost's error and weight, the product
    of naive Bayes, a gradient step.
    """
    data = engine.textbook("restaurant") if key == "naive_bayes" else MOONS
    data = engine.generate("sine", 10, seed=1) if key == "gradient_descent" else data
    lab = open_lab(Document(data, (lane(key),)))
    predicting = by_key(lab, Every.STEP, Kind.NUMBER)
    panel = lab.window.predict.panel
    done = 0
    while done < 3 and predicting.question is not None:
        question = predicting.question
        form = panel.question.form
        QApplication.processEvents()
        assert len(form.fields) == len(question.blanks) and form.fields[0].hasFocus()
        assert all(blank.mark in "\n".join(question.text) for blank in question.blanks)
        type_in(lab, [blank.shown if right else "98765" for blank in question.blanks])
        assert predicting.verdict is not None and predicting.verdict.right == right
        assert panel.verdict.step.lead.as_text() == lab.session.step.note.text()
        done += 1
        lab.key(Key.Key_Return)
    assert predicting.tally.words() == f"numbers {done if right else 0} of {done}" and done


def test_the_centroid_is_the_mean_of_its_examples(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(Document(MOONS, (lane("kmeans"),)))
    predicting = by_key(lab, Every.STEP, Kind.NUMBER)
    question = until_line(predicting, "move")
    state = predicting.lane.trace[predicting.fence].state
    problem = predicting.lane.problem
    means = [
        problem.X[np.asarray(state.cluster) == k].mean(axis=0) for k in range(len(state.means))
    ]
    values = [blank.value for blank in question.blanks]
    assert min(np.abs(np.asarray(values)[:2] - mean).max() for mean in means) < 1e-9


@pytest.mark.parametrize("key", ["decision_tree", "regression_tree"])
def test_the_box_of_the_question_is_lit(open_lab: Callable[..., Lab], key: str) -> None:
    """Not the leaf of the step before; its lines end at its sides, and the examples in it are
    counted.
    """
    data = MOONS if key == "decision_tree" else engine.generate("sine", 20, seed=1)
    lab = open_lab(Document(data, (lane(key),)))
    predicting = by_key(lab, Every.CHOICE, None)
    while predicting.question is not None and not predicting.question.box:
        predicting.skip()
    if key == "regression_tree" and predicting.question is None:
        assert all(not step.choice or len(step.choice.options) < 2 for step in lab.session.trace[:])
        return
    lab.settle_drawing()
    question = predicting.question
    problem = lab.session.problem
    lit = [
        layer
        for layer in lab.plane.layers()
        if isinstance(layer, Boxes) and layer.role is Role.ACTIVE
    ]
    assert [layer.bounds.tolist() for layer in lit] == [[list(question.box)]]
    x0, y0, x1, y1 = question.box
    inside = [i for i, (x, y) in enumerate(problem.X) if x0 < x <= x1 and y0 < y <= y1]
    assert tuple(inside) == question.step.choice.rows
    of = [sum(problem.codes[i] == k for i in inside) for k in range(2)]
    assert question.context == f"The lit box holds {of[0]} A and {of[1]} B."
    k = question.options[0]
    column, at = question.candidates[k].cut
    counted = sides(problem, question.step.choice, question.candidates[k].cut)
    low = [i for i in inside if problem.X[i, column] <= at]
    assert counted[0] == tuple(sum(problem.codes[i] == c for i in low) for c in range(2))
    assert tuple(np.add(*counted)) == tuple(of)


def test_a_line_counts_within_its_box_only(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(Document(MOONS, (lane("decision_tree"),)))
    predicting = by_key(lab, Every.CHOICE, None)
    while not np.isfinite(predicting.question.box).any():
        predicting.skip()
    question = predicting.question
    view = lab.plane.view()
    lines = [(k, question.candidates[k].cut) for k in question.options]
    k, (column, at) = next(
        (k, cut) for k, cut in lines if np.isfinite(question.box[1 - cut[0] :: 2]).any()
    )
    other = 1 - column
    seen = (view.x, view.y)[other]
    low, high = question.box[other::2]
    low = max(low, seen[0])
    high = min(high, seen[1])
    margin = 0.01 * np.ptp(seen)
    beyond = next(place for place in (seen[0] + margin, seen[1] - margin) if not low < place < high)
    for where, expected in ((beyond, False), (low + 0.47 * (high - low), True)):
        place = [at, where] if column == 0 else [where, at]
        lab.move(*place)
        assert (predicting.pointed == k) == expected
    lab.click(*place)
    assert predicting.verdict is not None


def test_the_button_that_is_pointed_at_counts_both_sides(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(Document(MOONS, (lane("decision_tree"),)))
    predicting = by_key(lab, Every.CHOICE, None)
    lab.settle_drawing()
    button = lab.window.predict.panel.question.answers.buttons[0]
    before = button.grab().toImage()
    predicting.show_pointed(button.candidate)
    lab.settle_drawing()
    pointed = button.grab().toImage()
    assert pointed != before
    predicting.show_pointed(None)
    assert button.grab().toImage() == before
    QTest.mouseClick(button, LEFT, NONE, QPoint(20, 12))
    assert predicting.verdict is not None


def test_no_border_between_classes_shows_the_vote(open_lab: Callable[..., Lab]) -> None:
    """The query lies on one side of the thick edges between the cells of nearest neighbours."""
    data = engine.generate("blobs", 20, classes=2, seed=2)
    lab = open_lab(Document(data, (lane("nearest_neighbours"),)))
    predicting = by_key(lab, Every.CHOICE, Kind.SIDE)
    tags = {layer.tag for layer in lab.session.scene.layers}
    assert (
        predicting.question.asks_for_class
        and "boundary" not in tags
        and "cells" not in tags
        and "point" not in tags
    )
    predicting.show_answer()
    assert "boundary" in {layer.tag for layer in lab.session.scene.layers}
