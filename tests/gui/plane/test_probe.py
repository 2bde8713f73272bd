"""“Why?” on the plane: what the answer draws for the place under the pointer, the placed probe and
a chosen example.
"""

import numpy as np
import pytest
from laboratory import CTRL, LEFT, NONE, Key, Lab, four_points
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtTest import QTest
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Bars, Boxes, Circles, Points, Polygons, Role, Segments, Table
from gui.figures.table import TableFigure
from gui.plane.probe import example_of, is_examples
from gui.widgets.controls import ClassMarker


def four_places() -> Document:
    """Three nearest among four points: A at (0, 0), (1, 0), (0, 1) and B at (4, 4)."""
    data = engine.Dataset.from_columns(
        {"x1": [0.0, 1.0, 0.0, 4.0], "x2": [0.0, 0.0, 1.0, 4.0], "y": ["A", "A", "A", "B"]},
        target="y",
    )
    return Document(data, (lane("nearest_neighbours", k=3),))


begun = opening(four_places)


@pytest.fixture
def neighbours(begun: Lab) -> Lab:
    """At their last step."""
    begun.session.seek(len(begun.session.trace) - 1)
    begun.settle()
    return begun


def answer(lab: Lab) -> list:
    """What stands on the plane beside the step's own picture and the data."""
    scene = lab.session.scene.layers
    return [layer for layer in lab.plane.layers() if not any(layer is own for own in scene)]


def rings(layers: list) -> list[tuple[float, float, float]]:
    return [
        (*(round(v, 2) for v in centre), round(float(radius), 2))
        for layer in layers
        if isinstance(layer, Circles)
        for centre, radius in zip(layer.centre.tolist(), layer.radius, strict=True)
    ]


@pytest.mark.slow
def test_the_ball_of_the_pointed_place_is_drawn(neighbours: Lab) -> None:
    """From (3, 3) the third nearest is one of (1, 0) and (0, 1), √13 away."""
    neighbours.session.set_settings(tool="probe")
    neighbours.move(3, 3)
    (x, y, radius), *others = rings(answer(neighbours))
    assert (x, y) == pytest.approx((3, 3), abs=0.03)
    assert radius == pytest.approx(np.sqrt(13), abs=0.05)
    assert others == []
    lines = [layer for layer in answer(neighbours) if isinstance(layer, Segments)]
    assert sum(len(layer.ends) for layer in lines) == 3
    neighbours.move(0.2, 0.2)
    assert rings(answer(neighbours))[0][:2] == pytest.approx((0.2, 0.2), abs=0.03)
    neighbours.plane.leaveEvent(QEvent(QEvent.Type.Leave))
    assert rings(answer(neighbours)) == []


@pytest.mark.slow
def test_with_another_tool_in_hand_pointing_asks_nothing(neighbours: Lab) -> None:
    neighbours.session.set_settings(tool="select")
    neighbours.move(3, 3)
    assert rings(answer(neighbours)) == []


@pytest.mark.slow
def test_a_placed_probe_keeps_its_answer_on_the_plane(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("decision_tree"),)))
    lab.session.seek(len(lab.session.trace) - 1)
    lab.session.set_settings(tool="probe")
    lab.click(0.5, 0.3)
    lab.settle()
    lab.session.seek(len(lab.session.trace) - 1)
    lab.session.set_settings(tool="add")
    lab.plane.leaveEvent(QEvent(QEvent.Type.Leave))
    leaf = [layer for layer in answer(lab) if isinstance(layer, Boxes)]
    assert len(leaf) == 1
    x0, y0, x1, y1 = leaf[0].bounds[0]
    assert x0 <= 0.5 <= x1
    assert y0 <= 0.3 <= y1
    assert leaf[0].role is Role.PROBE  # amber belongs to the step
    kinds = [type(layer) for layer in lab.plane.layers()]
    assert kinds.index(Boxes) < kinds.index(Points), "the frame cuts no example"
    assert any(isinstance(layer, Points) and layer.role is Role.PROBE for layer in answer(lab))


@pytest.mark.slow
def test_a_chosen_row_is_ringed_and_answered_on_the_plane(neighbours: Lab) -> None:
    panel = neighbours.window.right_dock.figure
    neighbours.window.resize(1280, 1400)  # with room for a figure in the dock
    neighbours.settle()
    panel.choose(next(k for k, (_, title) in enumerate(panel.pages()) if title == "Examples"))
    neighbours.settle()
    table = next(t for t in panel.findChildren(TableFigure) if t.isVisible())
    QTest.mouseClick(
        table.viewport(), LEFT, pos=table.visualRect(table.model_.index(3, 1)).center()
    )
    ringed = [
        layer for layer in answer(neighbours) if isinstance(layer, Points) and layer.tag == "asked"
    ]
    assert [layer.xy.tolist() for layer in ringed] == [[[4.0, 4.0]]]
    assert ringed[0].label == (neighbours.session.problem.names[3],)
    # itself, then (1, 0) and (0, 1), both 5 away
    assert rings(answer(neighbours)) == [(4.0, 4.0, 5.0)]
    QTest.mouseClick(
        table.viewport(), LEFT, pos=table.visualRect(table.model_.index(3, 1)).center()
    )
    assert rings(answer(neighbours)) == []


@pytest.mark.slow
def test_an_answer_in_numbers_shows_its_window_and_value(open_lab) -> None:
    """k = 3: the three nearest along x, and their mean."""
    lab = open_lab(
        Document(engine.textbook("regression_points"), (lane("neighbour_regression", k=3),))
    )
    lab.session.seek(len(lab.session.trace) - 1)
    lab.session.set_settings(tool="probe")
    lab.move(7.0, 5.0)
    points = [layer for layer in answer(lab) if isinstance(layer, Points)]
    near = next(layer for layer in points if layer.role is Role.NEIGHBOUR)
    xy = lab.session.problem.xy
    nearest = xy[np.argsort(np.abs(xy[:, 0] - 7.0))[:3]]
    assert sorted(near.xy.tolist()) == sorted(nearest.tolist())
    value = next(layer for layer in points if layer.role is Role.ACCEPTED)
    assert value.xy[0, 1] == pytest.approx(near.xy[:, 1].mean())
    assert value.xy[0, 0] == pytest.approx(7.0, abs=0.05)


@pytest.mark.slow
def test_no_node_of_a_tree_is_taken_for_an_example(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("decision_tree"),)))
    lab.session.set_settings(tool="probe")
    problem = lab.session.problem
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        tables = [
            f for f in lab.session.scene.figures if isinstance(f, Table) and is_examples(f, problem)
        ]
        example = example_of(lab.session.scene, problem)
        lit = tables[0].current or np.flatnonzero(
            tables[0].active if tables[0].active is not None else ()
        )
        assert example == (lit[0] if len(lit) == 1 else -1)
        assert [layer for layer in answer(lab) if isinstance(layer, Boxes | Polygons)] == []


def test_the_example_of_a_step_is_the_ringed_one_where_no_table_names_it(open_lab) -> None:
    lab = open_lab(Document(engine.generate("blobs", 12, 0.6), (lane("perceptron"),)))
    problem = lab.session.problem
    rows = set()
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        scene = lab.session.scene
        ringed = [
            p
            for p in scene.layers
            if isinstance(p, Points) and p.role is Role.ACTIVE and len(p.xy) == 1
        ]
        row = example_of(type(scene)(scene.layers), problem)
        if ringed:
            assert problem.xy[row].tolist() == ringed[0].xy[0].tolist()
            rows.add(row)
    assert len(rows) > 1


@pytest.mark.slow
def test_where_the_probe_was_just_put_down_the_step_alone_speaks(neighbours: Lab) -> None:
    """No second ball over the step's own one, and no border glows only because the pointer rests on
    it.
    """
    neighbours.session.set_settings(tool="probe")
    neighbours.click(2, 2)
    neighbours.settle()
    neighbours.session.seek(len(neighbours.session.trace) - 1)
    neighbours.move(2, 2)
    assert rings(answer(neighbours)) == []
    assert neighbours.session.pointer.lit == frozenset()
    neighbours.move(3, 3)
    assert rings(answer(neighbours)) != [], "elsewhere it asks again"
    assert neighbours.session.pointer.lit == frozenset()


@pytest.mark.slow
@pytest.mark.parametrize("by_keys", [False, True])
def test_a_click_with_the_probe_opens_the_answer_for_every_method(lab: Lab, by_keys: bool) -> None:
    """The probe stays in hand, and at its place."""
    dock = lab.window.right_dock

    def ask() -> None:
        lab.click(0.5, 1.5)
        if by_keys:
            for key, keys in ((Key.Key_Left, CTRL), (Key.Key_Return, NONE)):
                lab.key(key, keys)
        lab.settle()

    lab.key(Key.Key_I)
    ask()
    assert why(lab).startswith("The probe ")
    for method in ("decision_tree", "nearest_neighbours", "adaboost", "perceptron"):
        lab.session.choose(method)
        lab.settle()
        ask()
        assert why(lab).startswith("The probe "), method
        top = dock.why.mapTo(dock.page.viewport(), QPoint(0, 0)).y()
        assert (
            top >= 0 and top + min(dock.why.height(), dock.page.height()) <= dock.page.height() + 1
        ), method


def why(lab: Lab) -> str:
    return lab.window.right_dock.why.as_text()


@pytest.mark.slow
def test_the_question_of_nearest_neighbours_is_explained_and_not_a_neighbour(open_lab) -> None:
    """The default query is the middle of the data, (2, 3): its nearest is x₃ = (0, 5), √8 away."""
    data = engine.Dataset.from_columns(
        {"x1": [0.0, 4.0, 0.0, 4.0], "x2": [0.0, 0.0, 5.0, 7.0], "y": ["A", "A", "B", "B"]},
        target="y",
    )
    lab = open_lab(Document(data, (lane("nearest_neighbours"),)), size=(1280, 1200))
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        lab.settle()
        question = lab.window.right_dock.asking.question()
        if any(
            isinstance(layer, Points) and layer.role is Role.QUERY
            for layer in lab.session.scene.layers
        ):
            assert question.x.tolist() == [2.0, 3.0]
            assert why(lab).startswith("“?” is now called B: its nearest example is x₃.")
            assert "2.83" in why(lab)  # √(2² + 2²)
    assert question.name == "“?”"
    assert rings(answer(lab)) == [], "the step shows it itself"


def test_without_a_plane_the_question_is_explained_too(open_lab) -> None:
    lab = open_lab(
        Document(engine.textbook("restaurant"), (lane("nearest_neighbours", metric="hamming"),))
    )
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    assert lab.session.step.note.lines()[0].startswith("“?” is No")
    assert why(lab).startswith("“?” is now called No")


@pytest.mark.slow
def test_a_step_about_several_examples_picks_none_of_them(open_lab) -> None:
    """“h₁ is wrong on …”: which of them is a matter for the person, who may click a row or take the
    probe.
    """
    lab = open_lab(Document(engine.generate("blobs", 60, 1.2), (lane("adaboost"),)))
    problem = lab.session.problem
    sentences = set()
    for at in range(min(20, len(lab.session.trace))):
        lab.session.seek(at)
        table = next(
            f for f in lab.session.scene.figures if isinstance(f, Table) and is_examples(f, problem)
        )
        if len(table.current) > 1:
            assert lab.window.right_dock.asking.question().x is None
            sentences.add(why(lab))
    assert sentences == {"Take the probe and point at the plane, or click to put it down."}


@pytest.mark.slow
@pytest.mark.parametrize("key", ["voronoi_diagram", "kd_tree", "kd_search"])
def test_methods_without_labels_say_so_instead_of_asking_for_the_probe(open_lab, key: str) -> None:
    lab = open_lab(Document(engine.generate("blobs", 30, 1.2), (lane(key),)))
    lab.key(Key.Key_I)
    lab.click(*lab.free_place())
    lab.settle()
    lab.key(Key.Key_End)
    lab.settle()
    assert lab.window.right_dock.why.isVisible()
    assert why(lab) == "This method gives no labels to explain."


@pytest.mark.slow
def test_without_a_run_why_says_what_is_missing(lab: Lab) -> None:
    lab.key(Key.Key_N, CTRL)
    lab.key(Key.Key_I)
    assert lab.session.step is None
    assert lab.session.error
    assert why(lab) == lab.session.error
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert why(lab) != lab.session.error


@pytest.mark.slow
def test_only_taking_or_using_the_probe_scrolls_to_why(open_lab) -> None:
    """In a low window it lies below what is seen of the words."""
    lab = open_lab(Document(engine.generate("blobs", 60, 1.2), (lane("svm"),)), size=(1280, 620))
    lab.session.seek(len(lab.session.trace) // 2)
    lab.settle()
    dock = lab.window.right_dock
    bar = dock.page.verticalScrollBar()
    assert bar.maximum() > 0

    def seen() -> bool:
        return (
            dock.why.mapTo(dock.page.viewport(), dock.why.heading.geometry().bottomLeft()).y()
            < dock.page.height()
        )

    bar.setValue(0)
    assert not seen()
    lab.key(Key.Key_I)
    assert seen()
    bar.setValue(0)
    for key in (Key.Key_BracketRight, Key.Key_BracketLeft, Key.Key_B, Key.Key_2):
        lab.key(key)
        lab.settle()
        assert bar.value() == 0, key
    lab.move(0.5, 1.0)
    assert bar.value() == 0, "pointing alone scrolls nothing"
    lab.click(0.5, 1.0)
    assert seen()


@pytest.mark.slow
def test_a_class_has_one_name_in_the_answer_and_everywhere(open_lab) -> None:
    """Spam has the classes +1 and −1: its tree says “⇒ y = +1”, and the answer the same."""
    lab = open_lab(Document(engine.textbook("spam"), (lane("decision_tree"),)), size=(1280, 1000))
    texts = set()
    for at in range(len(lab.session.trace)):
        lab.session.seek(at)
        for row in range(lab.session.problem.n):
            lab.window.right_dock.ask(row)
            texts.add(why(lab))
    assert any("is now called +1." in text for text in texts)
    assert not any("is now called 1." in text for text in texts)


def test_the_classes_of_an_empty_table_are_called_as_with_points(square: Lab) -> None:
    before = class_names(square)
    assert before == ["class +1", "class −1"]
    square.key(Key.Key_N, CTRL)
    square.settle()
    assert class_names(square) == before
    square.click(0.5, 0.5)
    square.settle()
    assert class_names(square) == before


def class_names(lab: Lab) -> list[str]:
    """As the data panel counts them."""
    lab.settle_drawing()
    return [
        marker.accessibleName() for marker in lab.window.left_dock.data.findChildren(ClassMarker)
    ]


def test_the_learnt_threshold_has_one_name(open_lab) -> None:
    """The bars of the weights call it θ: so does the reckoning of the answer, and says what it is
    multiplied by.
    """
    lab = open_lab(Document(four_points().data, (lane("perceptron", threshold="learned"),)))
    lab.session.seek(len(lab.session.trace) - 1)
    lab.key(Key.Key_I)
    lab.click(0.5, 0.2)
    lab.settle()
    bars = next(f for f in lab.session.scene.figures if isinstance(f, Bars))
    assert bars.labels[-1] == "θ"
    assert "w · x = w1 · x1 + w2 · x2 + θ · (−1)" in lab.window.right_dock.why.as_text()
