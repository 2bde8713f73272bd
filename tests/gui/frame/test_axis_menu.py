"""A test of a tree puts its column on an axis of the plane, which then stands on the stage."""

import pytest
from laboratory import Lab
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.edits import put_on_axis
from engine.document.lane import lane
from gui.figures.tree import TreeFigure
from gui.frame.axis_menu import AxisMenu
from gui.look.swatches import ClassMarker
from gui.setup.class_rows import ClassRow


def place_of(tree: TreeFigure, node: int) -> QPoint | None:
    """A place in the widget where this node is; None where it is out of sight."""
    places = (QPoint(x, y) for y in range(0, tree.height(), 5) for x in range(0, tree.width(), 5))
    return next((at for at in places if tree.node_at(QPointF(at)) == node), None)


def ask(
    tree: TreeFigure, node: int, reason: QContextMenuEvent.Reason = QContextMenuEvent.Reason.Mouse
) -> AxisMenu | None:
    spot = place_of(tree, node)
    QApplication.sendEvent(tree, QContextMenuEvent(reason, spot, tree.mapToGlobal(spot)))
    found = QApplication.activePopupWidget()
    return found if isinstance(found, AxisMenu) else None


def axes(lab: Lab) -> list[str]:
    problem = lab.session.problem
    return [problem.features[j].name for j in problem.plane]


@pytest.mark.slow
def test_a_split_column_goes_onto_an_axis_by_its_menu(open_lab) -> None:
    lab = open_lab(
        Document(
            engine.real("iris"), (lane("decision_tree"),), plane=("sepal length", "sepal width")
        )
    )
    lab.session.seek(10**6)
    lab.settle()
    assert lab.window.stage.arrangement.names == ("Tree", "Examples")
    assert axes(lab) == ["sepal length", "sepal width"]
    tree = lab.window.stage.findChild(TreeFigure)
    step = lab.session.cursor
    column = tree.nodes[0].column
    assert column in {"petal length", "petal width"}
    menu = ask(tree, 0)
    assert [a.text() for a in menu.actions()] == [
        f"Put {column} on the horizontal axis",
        f"Put {column} on the vertical axis",
    ]
    menu.actions()[1].trigger()
    menu.close()
    lab.settle()
    assert axes(lab) == ["sepal length", column]
    assert lab.session.cursor == step
    assert set(lab.window.stage.arrangement.names) == {"Tree", "Plane"}
    menu = ask(lab.window.stage.findChild(TreeFigure), 0, QContextMenuEvent.Reason.Keyboard)
    assert [a.isEnabled() for a in menu.actions()] == [True, False], "it stands there already"
    menu.close()
    leaf = next(k for k, node in enumerate(tree.nodes) if node.kind == "leaf" and place_of(tree, k))
    assert ask(tree, leaf) is None, "a leaf asks about no column"


def test_the_other_column_stays_and_two_change_places() -> None:
    document = Document(
        engine.real("iris"), (lane("decision_tree"),), view=((0.0, 1.0), (0.0, 1.0))
    )
    for axis, column, wanted in (
        (0, "c", ("c", "b")),
        (1, "c", ("a", "c")),
        (0, "b", ("b", "a")),
        (1, "a", ("b", "a")),
    ):
        changed = put_on_axis(document, ("a", "b"), column, axis)
        assert (changed.plane, changed.view) == (wanted, None)
    assert put_on_axis(document, ("a",), "c", 0).plane == ("c", "a")


@pytest.mark.slow
def test_the_legend_has_the_boxes_of_the_tree_where_there_is_no_plane(open_lab) -> None:
    """Light and dark in the dock and in the tree, and said once; marks where there is a plane, and
    there the tree says the rest.
    """
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)))
    rows = lab.window.left_dock.data.findChildren(ClassRow)
    assert [row.findChild(ClassMarker).box for row in rows] == [True, True]
    tree = lab.window.stage.findChild(TreeFigure)
    assert tree.legend is False
    assert tree.legend_spot().isEmpty()
    pictures = {row.code: row.findChild(ClassMarker).grab().toImage() for row in rows}
    middle = {
        code: picture.pixelColor(picture.rect().center()).lightness()
        for code, picture in pictures.items()
    }
    assert middle[0] - middle[1] > 150, "the first is light, the second dark"
    plane = open_lab(Document(engine.generate("moons", 20, 0.1), (lane("decision_tree"),)))
    rows = plane.window.left_dock.data.findChildren(ClassRow)
    assert not any(row.findChild(ClassMarker).box for row in rows)
    assert plane.window.stage.findChild(TreeFigure).legend is True
