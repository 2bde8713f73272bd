"""The nearest flip by one training point: for the placed probe or a chosen row, drawn at the
point, and said in words.
"""

import numpy as np
import pytest
from laboratory import Lab

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Arrows, Role
from gui.plane.probe import POINT


def document(*lanes: object) -> Document:
    data = engine.Dataset.from_columns(
        {
            "x1": [0.0, 1.0, 0.0, 4.0, 5.0],
            "x2": [0.0, 0.0, 1.0, 4.0, 5.0],
            "y": ["A", "A", "A", "B", "B"],
        },
        target="y",
    )
    return Document(data, lanes or (lane("nearest_neighbours"),), probe=(1.5, 1.0))  # type: ignore[arg-type]


def arrows(lab: Lab) -> list[Arrows]:
    return [
        layer for layer in lab.plane.layers() if isinstance(layer, Arrows) and layer.tag == POINT
    ]


def to_end(lab: Lab) -> None:
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()


def test_of_one_neighbour_it_is_exact_drawn_at_the_point_and_said(open_lab) -> None:
    """From (1.5, 1) the nearest is (1, 0), √1.25 away; B's (4, 4) is √15.25 away and comes √15.25 −
    √1.25 nearer.
    """
    lab: Lab = open_lab(document())
    to_end(lab)
    lab.window.right_dock.show_why()
    lab.until(lambda: bool(arrows(lab)))
    (arrow,) = arrows(lab)
    length = np.sqrt(15.25) - np.sqrt(1.25)
    assert arrow.role is Role.PROBE and arrow.start[0].tolist() == [4.0, 4.0]
    assert np.hypot(*(arrow.end - arrow.start)[0]) == pytest.approx(length)
    lab.until(lambda: lab.window.right_dock.why.moved.isVisible())
    words = lab.window.right_dock.why.moved.as_text()
    assert words.startswith(
        "By one training point: x₄ moved 2.79, by (−1.78, −2.14), makes it B; exact"
    ), words
    lab.session.seek(0)
    lab.settle()
    assert not arrows(lab) and not lab.window.right_dock.why.moved.isVisible()


def turns(lab: Lab, arrow: Arrows, query: tuple[float, float]) -> bool:
    """Whether a tree that is taught with the point at the arrow's end gives the query another
    label.
    """
    row = int(np.flatnonzero((lab.session.problem.xy == arrow.start[0]).all(axis=1))[0])
    before = int(lab.session.trace.codes(np.array([query]))[0])
    data = lab.session.document.data.with_values("x1", [row], [arrow.end[0, 0]]).with_values(
        "x2", [row], [arrow.end[0, 1]]
    )
    return int(engine.run("decision_tree", data).codes(np.array([query]))[0]) != before


def test_elsewhere_it_is_searched_when_nothing_else_is_to_be_done_and_holds_when_it_is_done(
    open_lab,
) -> None:
    lab: Lab = open_lab(document(lane("decision_tree")))
    to_end(lab)
    lab.window.right_dock.show_why()
    lab.until(lambda: bool(arrows(lab)), 30.0)
    (arrow,) = arrows(lab)
    assert "searched by teaching anew" in lab.window.right_dock.why.as_text()
    assert turns(lab, arrow, (1.5, 1.0))


def test_a_later_query_takes_its_place(open_lab) -> None:
    lab: Lab = open_lab(document(lane("decision_tree")))
    to_end(lab)
    lab.window.right_dock.show_why()
    lab.session.place_probe((1.6, 1.1))
    lab.settle()
    lab.until(lambda: bool(arrows(lab)), 30.0)
    (arrow,) = arrows(lab)
    assert turns(lab, arrow, (1.6, 1.1))


def test_no_search_begins_while_steps_fly(open_lab, monkeypatch) -> None:
    lab: Lab = open_lab(document())
    to_end(lab)
    monkeypatch.setattr(lab.session.player, "playing", True)
    view = lab.session.lane_views[0]
    assert view.point_flip(lab.session.problem.query) is None
    monkeypatch.undo()
    assert view.at_end
    lab.until(lambda: view.point_flip(lab.session.problem.query) is not None)
