"""The tool that answers a question on the plane, by a click on an example, a splitting line or
another mark of a candidate.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.base.tags import row_tag
from engine.scene.scene import Boxes, Layer, Points, Role, Segments
from gui.plane.tool import Place, Tool, ToolPlane
from gui.session.lane_view import LaneView
from gui.session.session import Session

if TYPE_CHECKING:
    from engine.judge.questions import Question

REACH = 8.0  # pixels from the pointer to a line


class AnswerTool(Tool):
    """In use while a question is open, in place of the chosen tool, so that a click
    adds no point.
    """

    key = "answer"
    title = "Answer"
    makes = False

    def __init__(self, session: Session, plane: ToolPlane, lane_view: LaneView) -> None:
        super().__init__(session, plane)
        self.lane_view = lane_view

    def refusal(self) -> str:
        return ""

    def press(self, place: Place) -> None:
        predicting = self.session.predicting
        lit = self.lane_view.pointer.pointed
        row = self.plane.point_at(place)
        if self.lane_view is not predicting.lane:
            return
        near = self._line_at(place)
        if near is not None:
            predicting.answer(near)
        elif not (row is not None and predicting.point_at(frozenset((row_tag(row + 1),)))):
            predicting.point_at(lit)

    def release(self, place: Place) -> None:
        """Nothing to end: `press` edits nothing."""

    def hover(self, place: Place | None) -> None:
        self.session.predicting.show_pointed(self._line_at(place) if place is not None else None)

    def _question(self) -> "Question | None":
        """The open question of this lane; None where there is none."""
        predicting = self.session.predicting
        return (
            predicting.question if predicting.open and self.lane_view is predicting.lane else None
        )

    def _line_at(self, place: Place) -> int | None:
        """The candidate whose line is within `REACH` pixels of `place`; None where
        there is none.
        """
        question = self._question()
        problem = self.lane_view.problem
        view = self.plane.view()
        if question is None or problem is None:
            return None
        apart = {}
        for k, (axis, at) in _with_lines(question, self.lane_view):
            pixel = view.to_pixels(np.array([at, at]))[axis]
            x, y = view.to_plane(place.px, place.py)
            if (
                question.box
                and not question.box[1 - axis] <= (x, y)[1 - axis] <= question.box[3 - axis]
            ):
                continue
            apart[k] = abs(float(pixel) - (place.px, place.py)[axis])
        nearest = min(apart, key=lambda k: apart[k], default=None)
        return nearest if nearest is not None and apart[nearest] <= REACH else None

    def layers(self) -> tuple[Layer, ...]:
        """The candidates' lines with their letters, and the examples that the question names."""
        question = self._question()
        problem = self.lane_view.problem
        if question is None or problem is None or not problem.plane:
            return ()
        box = (
            (Boxes(np.array([question.box]), np.array([-1]), Role.ACTIVE, tag="asked"),)
            if question.box
            else ()
        )
        return (
            *box,
            *cut_lines(question, self.lane_view, self.session.predicting.pointed),
            *_named(question, self.lane_view),
        )


def _with_lines(question: "Question", lane_view: LaneView) -> list[tuple[int, tuple[int, float]]]:
    """The candidates that are a line on the plane, as (candidate, (axis, place on the axis))."""
    problem = lane_view.problem
    if problem is None or len(problem.plane) != 2:
        return []
    axes = {column: axis for axis, column in enumerate(problem.plane)}
    cuts = [(k, question.candidates[k].cut) for k in question.options]
    return [
        (k, (axes[cut[0]], _on_plane(lane_view, cut)))
        for k, cut in cuts
        if cut is not None and cut[0] in axes
    ]


def _on_plane(lane_view: LaneView, cut: tuple[int, float]) -> float:
    """The place on its axis of a cut, (column, threshold)."""
    problem = lane_view.problem
    assert problem is not None
    row = np.zeros((1, problem.d))
    row[0, cut[0]] = cut[1]
    return float(problem.to_plane(row)[0, problem.plane.index(cut[0])])


def cut_lines(question: "Question", lane_view: LaneView, pointed: int | None) -> tuple[Layer, ...]:
    """Each candidate's line across the plane, or across the box in question; the one under the
    pointer solid.
    """
    made: list[Layer] = []
    for k, (axis, at) in _with_lines(question, lane_view):
        ends = np.full((1, 2, 2), at)
        ends[0, :, 1 - axis] = question.box[1 - axis :: 2] if question.box else (-np.inf, np.inf)
        made.append(Segments(ends, Role.CANDIDATE, (letter(question, k),), tag=f"answer {k}"))
        if k == pointed:
            made.insert(0, Segments(ends, Role.ACCEPTED))
    return tuple(made)


def letter(question: "Question", candidate: int) -> str:
    """The letter of a candidate; "" where the list does not show it."""
    return (
        chr(ord("A") + question.options.index(candidate)) if candidate in question.options else ""
    )


def _named(question: "Question", lane_view: LaneView) -> tuple[Layer, ...]:
    """Rings around the examples that the question names, and around the candidate examples, where
    the list shows every candidate and they are only some of the examples.
    """
    from engine.judge.questions import Kind

    problem = lane_view.problem
    assert problem is not None
    words = question.prompt.replace("?", " ").split()
    spoken = [i for i, name in enumerate(problem.names) if name in words]
    listed = len(question.options) == len(question.candidates)
    points = question.kind is Kind.POINT and listed and len(question.candidates) < problem.n
    candidates = [int(candidate.value) for candidate in question.candidates] if points else []
    return tuple(
        Points(
            problem.xy[rows], problem.codes[rows], role, label=tuple(problem.names[i] for i in rows)
        )
        for rows, role in ((spoken, Role.SUPPORT), (candidates, Role.CANDIDATE))
        if rows
    )
