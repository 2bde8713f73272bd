"""What goes with the data, and what a key or a click leaves."""

from collections.abc import Callable

import numpy as np
import pytest
from laboratory import Key, Lab
from PySide6.QtCore import QPointF

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.read.tables import parse_table
from engine.table.prepare import Transform, prepare
from gui.figures.tree import TreeFigure
from gui.stage.stage import PLANE

pytestmark = pytest.mark.slow


def tree_lab(open_lab: Callable[..., Lab]) -> Lab:
    lab = open_lab(Document(engine.generate("moons", 40, 0.3), (lane("decision_tree"),)))
    lab.session.seek(1 << 60)
    lab.settle()
    return lab


def tree_of(lab: Lab) -> TreeFigure:
    stage = lab.window.lanes.stage
    if "Tree" not in stage.arrangement.names:
        stage.choose("Tree")
    lab.settle()
    return next(one for one in stage.findChildren(TreeFigure) if one.isVisible())


@pytest.mark.usefixtures("less_ahead")
@pytest.mark.parametrize(
    "transforms", [(Transform("standardise"),), (Transform("unit_range"),), (Transform("polar"),)]
)
def test_a_transformation_fits_the_view_and_so_does_taking_it_away(
    open_lab: Callable[..., Lab], transforms
) -> None:
    text = "width,length,class\n" + "".join(
        f"{500 + 10 * k},{1000 + 3 * k * k},{'ab'[k % 2]}\n" for k in range(12)
    )
    lab = open_lab(Document(parse_table(text), (lane("perceptron"),)))
    for chosen in (transforms, ()):
        lab.session.edit(replace(lab.session.document, transforms=chosen), "transform")
        lab.settle()
        low, high = np.transpose(lab.window.plane.view_box.viewRange())
        xy = lab.session.problem.xy
        assert ((xy >= low) & (xy <= high)).all()
        assert (np.ptp(xy, axis=0) / (high - low)).max() > 0.5


def axes(text: str) -> list[str]:
    problem = prepare(parse_table(text))
    return [problem.features[j].name for j in problem.plane]


def test_columns_of_0_and_1_are_axes_only_where_no_others_are() -> None:
    rows = [(k % 2, k // 2 % 2, 1.5 * k, k * k % 7 + 0.5, "ab"[k % 3 % 2]) for k in range(12)]
    text = "\n".join(["p,q,x,y,class", *(",".join(map(str, row)) for row in rows)])
    assert axes(text) == ["x", "y"]
    assert axes("\n".join(["p,x,q,class", *(f"{p},{x},{q},{c}" for p, q, x, _, c in rows)])) == [
        "p",
        "x",
    ]
    assert axes("\n".join(["p,q,class", *(f"{p},{q},{c}" for p, q, _, _, c in rows)])) == ["p", "q"]
    assert axes("\n".join(["p,x,target", *(f"{p},{x},{y}.25" for p, q, x, y, _ in rows)])) in (
        ["x"],
        ["p", "x"],
    )


def test_the_zoom_of_a_tree_goes_with_the_data_and_f_resets_it(
    open_lab: Callable[..., Lab],
) -> None:
    lab = tree_lab(open_lab)
    tree = tree_of(lab)
    tree.zoom(2.0, QPointF(20, 20))
    assert tree.by_hand
    lab.window.commands.use_data(engine.generate("blobs", 40))
    lab.settle()
    assert not tree_of(lab).by_hand
    tree = tree_of(lab)
    tree.zoom(2.0, QPointF(20, 20))
    lab.window.action("fit").trigger()
    assert not tree.by_hand


def test_a_zoomed_tree_stays_zoomed_while_points_are_edited(open_lab: Callable[..., Lab]) -> None:
    lab = tree_lab(open_lab)
    tree = tree_of(lab)
    tree.zoom(1.5, QPointF(20, 20))
    lab.session.set_params(depth=3)
    lab.settle()
    assert tree_of(lab).by_hand


def test_escape_takes_the_probe_of_a_row_away(lab: Lab) -> None:
    lab.session.seek(3)
    lab.settle()
    lab.window.right_dock.ask(2)
    assert lab.window.plane.asking.row == 2
    lab.key(Key.Key_Escape)
    assert lab.window.plane.asking.row == -1


def test_a_new_plane_comes_with_the_tool_that_adds(lab: Lab) -> None:
    lab.session.tool = "select"
    lab.window.commands.new()
    lab.settle()
    assert lab.session.tool == "add"


def test_a_click_on_the_name_of_a_view_shows_it_whatever_is_shown(
    open_lab: Callable[..., Lab],
) -> None:
    lab = tree_lab(open_lab)
    stage = lab.window.lanes.stage
    stage.choose(PLANE)
    for name in (PLANE, "Tree", "Tree", PLANE, "Tree"):
        stage.switcher.picked.emit(name, False)
        lab.settle()
        assert stage.arrangement.names == (name,)
    stage.switcher.picked.emit(PLANE, True)
    lab.settle()
    assert set(stage.arrangement.names) == {PLANE, "Tree"}
    stage.switcher.picked.emit(PLANE, True)
    lab.settle()
    assert set(stage.arrangement.names) == {PLANE, "Tree"}
    stage.switcher.picked.emit(PLANE, False)
    lab.settle()
    assert stage.arrangement.names == (PLANE,)
