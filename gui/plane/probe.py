"""The place or row that “Why?” explains, and the layers of its explanation on the plane."""

from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from engine.base.notation import number
from engine.base.records import Record, replace
from engine.scene.scene import (
    Arrows,
    Boxes,
    Layer,
    Points,
    Polygons,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
)
from engine.table.problem import Problem
from gui.session.lane_view import LaneView

POINT = "point flip"  # tag of the arrow
PLACE, PROBE, QUERY = "This place", "The probe", "“?”"
AT_REST = 0.01  # share of the extent of the data; nearer than this is on the probe


class Question(Record):
    """The query that “Why?” explains.

    x: a row (d,), None for nothing; name: its name; row: index of a chosen example, else −1;
    own: whether the step is about it, so that the scene shows it already.
    """

    x: Any = None
    name: str = ""
    row: int = -1
    own: bool = False

    @property
    def by_hand(self) -> bool:
        """Whether a person made the query, with the probe or by choosing a row."""
        return self.x is not None and (not self.own or self.name == PROBE)

    @property
    def rests(self) -> bool:
        """Whether it stays in place: the placed probe, or a chosen row."""
        return self.x is not None and (self.name == PROBE or self.row >= 0)


class Asking:
    """Finds the query of a lane, by precedence: the place under the probe tool, a chosen
    example, the placed probe, the query of the method, the example of the step.
    """

    def __init__(self, lane_view: LaneView) -> None:
        self.lane_view = lane_view
        self._row = -1
        self._row_of = lane_view.data

    @property
    def row(self) -> int:
        """The chosen example; −1 for none, and after the table changed."""
        return self._row if self._row_of is self.lane_view.data else -1

    def choose(self, row: int) -> None:
        """Choose an example by its row; −1 for none."""
        self._row, self._row_of = row, self.lane_view.data

    def question(self) -> Question:
        """The current question; an empty one without a query."""
        lane_view = self.lane_view
        problem = self.lane_view.problem
        step = self.lane_view.step
        if problem is None or step is None:
            return Question()
        if (
            lane_view.pointer.tool == "probe"
            and lane_view.pointer.place is not None
            and problem.plane
        ):
            if problem.query is not None and self._at_probe(lane_view.pointer.place, problem):
                return Question(
                    problem.query,
                    PROBE,
                    own=is_marked(lane_view.scene.layers, problem, problem.query),
                )
            return Question(problem.from_plane(np.array([lane_view.pointer.place]))[0], PLACE)
        if 0 <= self.row < problem.n:
            return Question(problem.X[self.row], problem.names[self.row], self.row)
        if problem.query is not None and problem.plane:
            return Question(
                problem.query, PROBE, own=is_marked(lane_view.scene.layers, problem, problem.query)
            )
        if (query := query_of(lane_view.scene, problem, step.state)) is not None:
            return Question(query, PLACE if problem.regress else QUERY, own=True)
        row = example_of(lane_view.scene, problem)
        return Question(problem.X[row], problem.names[row], own=True) if row >= 0 else Question()

    def _at_probe(self, place: tuple[float, float], problem: Problem) -> bool:
        """Whether the pointer still rests on the placed probe."""
        probe = self.lane_view.document.probe
        if probe is None:
            return False
        reach = AT_REST * (np.ptp(problem.xy, axis=0) if problem.n else np.zeros(2))
        return bool((np.abs(np.subtract(place, probe)) <= reach).all())


def is_examples(figure: Any, problem: Problem | None) -> TypeGuard[Table]:
    """Whether the figure is the table of the examples, whose rows can be queries."""
    if type(figure) is not Table or problem is None or figure.names != problem.names:
        return False
    return any(
        column.feature == feature for column in figure.columns for feature in problem.features
    )


def query_of(scene: Scene, problem: Problem, state: Any) -> Any:
    """The query (d,) of this step, or None. It is the `query` of the state, where the scene marks
    it; without a plane, where the table of the examples has rows in play.
    """
    query = getattr(state, "query", ())
    if query is None or len(query) != problem.d or not problem.d:
        return None
    if problem.plane:
        return query if is_marked(scene.layers, problem, query) else None
    return (
        query
        if any(is_examples(f, problem) and f.active is not None for f in scene.figures)
        else None
    )


def example_of(scene: Scene, problem: Problem) -> int:
    """The row of the one example that the step is about, or −1: the current row of the table of the
    examples, else the one ringed point. The state cannot say: its `current` may be a node of a
    tree.
    """
    for table in (figure for figure in scene.figures if is_examples(figure, problem)):
        if not table.current and table.active is None:
            return -1
        rows = table.current or np.flatnonzero(np.asarray(table.active))
        return int(rows[0]) if len(rows) == 1 else -1
    ringed = [
        layer for layer in scene.layers if isinstance(layer, Points) and layer.role is Role.ACTIVE
    ]
    if len(ringed) != 1 or len(ringed[0].xy) != 1 or not problem.plane:
        return -1
    there = np.flatnonzero((problem.xy == ringed[0].xy[0]).all(axis=1))
    named = [
        int(k)
        for k in there
        if ringed[0].label and ringed[0].label[0].split(" ")[0] == problem.names[int(k)]
    ]
    return next(iter([*named, *there.tolist()]), -1)


def is_marked(layers: Sequence[Layer], problem: Problem, x: Any) -> bool:
    """Whether a layer marks the row x (d,) on the plane as a query."""
    columns = len(problem.plane)  # with one, the mark stands at the foot of the plane
    place = problem.to_plane(x[None])[0, :columns]
    marks = [layer for layer in layers if isinstance(layer, Points) and layer.role is Role.QUERY]
    return any(np.allclose(layer.xy[:, :columns], place) for layer in marks)


def _quiet(layer: Layer) -> Layer:
    """The layer with ink in place of amber, which belongs to the step."""
    if isinstance(layer, (Boxes, Polygons, Polyline, Segments)) and layer.role is Role.ACTIVE:
        return replace(layer, role=Role.PROBE)
    if isinstance(layer, (Points, Segments)) and layer.role in (Role.ACTIVE, Role.NEAREST):
        return replace(layer, role=Role.ACCEPTED)
    return layer


def probe_layers(lane_view: LaneView, question: Question) -> tuple[Layer, ...]:
    """The layers of the explanation, unless the scene shows them; the arrows to the nearest flips;
    a ring around a chosen example; the placed probe.
    """
    problem = lane_view.problem
    if problem is None or not problem.plane:
        return ()
    layers: list[Layer] = []
    if question.x is not None and not question.own:
        explained = lane_view.explanation(question.x)
        layers += map(_quiet, explained.layers) if explained is not None else ()
    if question.by_hand and (flip := lane_view.flip(question.x)) is not None:
        layers.append(
            Arrows(
                np.array([flip.start]),
                np.array([flip.end]),
                Role.PROBE,
                (number(flip.length, 2),),
                "flip",
            )
        )
    if question.rests and (point := lane_view.point_flip(question.x)) is not None:
        said = (number(point.length, 2),)
        layers.append(
            Arrows(np.array([point.start]), np.array([point.end]), Role.PROBE, said, POINT)
        )
    if question.row >= 0:
        here = [question.row]
        layers.append(
            Points(
                problem.xy[here],
                problem.codes[here],
                Role.ACCEPTED,
                label=(question.name,),
                tag="asked",
            )
        )
    if problem.query is not None and not is_marked(
        (*lane_view.scene.layers, *layers), problem, problem.query
    ):
        place = problem.to_plane(problem.query[None])
        layers.append(Points(place, np.array([-1]), Role.PROBE, tag="probe"))
    return tuple(layers)


def with_answer(marks: tuple[Layer, ...], answer: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The marks of the plane with the answer above them, but its boxes and polygons below the
    points, which they would cut.
    """
    frames = tuple(layer for layer in answer if isinstance(layer, (Boxes, Polygons)))
    if not frames:
        return (*marks, *answer)
    place = next((k for k, layer in enumerate(marks) if isinstance(layer, Points)), len(marks))
    others = (layer for layer in answer if not isinstance(layer, (Boxes, Polygons)))
    return (*marks[:place], *frames, *marks[place:], *others)
