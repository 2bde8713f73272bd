"""A line that all examples move at once: in amber, with an arrow from where it was."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.algorithms.linear.parts.picture import way_of_line
from engine.base.notation import fixed
from engine.scene.scene import Arrows, Line, Role

X = np.array([[4.0, 2.0], [6.0, 3.0], [5.0, 6.0], [7.0, 5.0]])
PROBLEM = engine.prepare(engine.Dataset.from_arrays(X, [1, 1, -1, -1]))
ANGLES = st.floats(-np.pi, np.pi)


def line(angle: float, away: float) -> Line:
    """A line of this normal, so far from the middle of the points."""
    w = np.array([np.cos(angle), np.sin(angle)])
    return Line(w, -float(w @ X.mean(0)) + away)


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@given(ANGLES, ANGLES, st.floats(-1, 1), st.floats(-1, 1))
def test_the_arrow_goes_straight_from_the_old_line_to_the_new_one(
    angle: float, other: float, away: float, further: float
) -> None:
    old, new = line(angle, away), line(other, further)
    for arrow in way_of_line(PROBLEM, old, new):
        (start,), (end,) = arrow.start, arrow.end
        assert old.w @ start + old.b == pytest.approx(0, abs=1e-9)
        assert (start >= X.min(0)).all() and (start <= X.max(0)).all()
        scale = (
            float(arrow.label[0].split("× ")[1].replace("·10", "e").translate(RAISED))
            if arrow.label
            else 1.0
        )
        if np.isfinite(scale) and scale < 1e5:
            foot = start + (end - start) / scale
            assert new.w @ foot + new.b == pytest.approx(0, abs=1e-6)


def test_a_tiny_move_is_drawn_longer_and_says_how_much() -> None:
    (arrow,) = way_of_line(PROBLEM, line(0.3, 0.0), line(0.3, 1e-3))
    assert arrow.label == ("step × 500",)  # half of the extent is 2: up to 0.6 long
    assert np.linalg.norm(arrow.end - arrow.start) == pytest.approx(0.5)


def test_a_line_that_stays_has_no_arrow() -> None:
    assert not list(way_of_line(PROBLEM, line(0.3, 0.1), line(0.3, 0.1)))


@pytest.mark.parametrize("key", ["hinge_descent", "logistic_regression"])
def test_at_an_update_the_line_is_in_amber_and_the_one_before_is_dashed(key: str) -> None:
    trace = engine.run(key, engine.generate("moons", 24, 0.2, seed=1))
    moves = 0
    for step in trace[:40]:
        layers = trace.algorithm.scene(trace.given, step).layers
        roles = {k.role for k in layers if isinstance(k, Line)}
        moved = step.line == "update"
        assert (Role.ACTIVE in roles) == moved == (Role.GHOST in roles), step.line
        arrows = [k for k in layers if isinstance(k, Arrows) and k.tag == "change"]
        assert len(arrows) <= moved
        moves += len(arrows)
    assert moves >= 2  # weights of 0 are no line to move from


DESCENTS = ("logistic_regression", "softmax_regression", "hinge_descent")


@pytest.mark.parametrize("key", DESCENTS)
def test_the_heading_of_a_step_down_has_the_numbers_of_its_words(key: str) -> None:
    trace = engine.run(key, engine.generate("blobs", 20, seed=1), steps=4)
    for step in trace:
        heading = trace.algorithm.scene(trace.given, step).plane
        name = "f" if key == "hinge_descent" else "loss_after"
        if step.line in ("update", "until"):
            assert fixed(step.note[name], 3) in heading
        if step.line == "update":
            assert heading.startswith(f"Step {step.state.updates}: ")
            assert "→" in heading
    assert "steps are taken" in heading or "moves no more" in heading
