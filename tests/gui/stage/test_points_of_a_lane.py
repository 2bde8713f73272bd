"""A lane with points of its own: what hands and keys do in it reads and changes its own table, and
no other.
"""

from collections.abc import Callable
from typing import TypeVar

import pytest
from laboratory import CTRL, LEFT, RIGHT, Key, Lab
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from ready_window import opening

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.sources.own_points import PointKind, empty_plane, kind_of
from engine.table.dataset import Dataset, Kind
from engine.table.transforms import Transform
from gui.dialogs.table_editor import TableEditor
from gui.plane.point_menu import PlaceForm, PointMenu
from gui.setup.class_rows import ClassName

T = TypeVar("T")

pytestmark = pytest.mark.slow

VIEW = ((-3.0, 3.0), (-3.0, 3.0))
OWN = [(-2.0, -2.0), (-2.0, 0.0), (-2.0, 2.0), (2.0, -2.0), (2.0, 0.0), (2.0, 2.0)]


def shared_table() -> Dataset:
    """Two rows of two classes."""
    return Dataset.from_arrays([[0.0, 1.5], [0.0, -1.5]], ["first", "second"], name="shared")


def own_table() -> Dataset:
    """Six rows of three classes; the last rows have no counterpart in the shared table."""
    return Dataset.from_arrays(
        OWN, ["first", "first", "second", "second", "third", "third"], name="shared"
    )


def two_lanes(shared: Dataset, own: Dataset, key: str = "nearest_neighbours") -> Document:
    """Lane A learns from the shared table, lane B from its own."""
    return Document(shared, (lane(key), replace(lane(key), data=own)), view=VIEW)


opened = opening(lambda: two_lanes(shared_table(), own_table()))


def work_in(lab: Lab, place: int) -> Lab:
    """The hands go to the plane of this lane, which becomes the active one."""
    lab.session.activate(place)
    lab.plane = lab.window.lanes.planes[place]
    lab.plane.setFocus()
    lab.settle()
    return lab


@pytest.fixture
def own(opened: Lab) -> Lab:
    """The hands are in lane B."""
    return work_in(opened, 1)


def own_data(lab: Lab) -> Dataset:
    data = lab.session.document.lanes[1].data
    assert data is not None
    return data


def labels(data: Dataset) -> list[object]:
    assert data.target is not None
    return data.target.labels()


def popup(kind: type[T]) -> T:
    found = QApplication.activePopupWidget()
    assert isinstance(found, kind)
    return found


def copied(lab: Lab) -> list[str]:
    QApplication.clipboard().clear()
    lab.key(Key.Key_C, CTRL)
    return QApplication.clipboard().text().split("\n")


def test_copying_takes_the_selected_row_of_the_own_table(own: Lab) -> None:
    own.key(Key.Key_V)
    own.click(2.0, 0.0)
    assert own.plane.selected == {4}
    lines = [line for line in copied(own) if line]
    assert len(lines) == 2 and lines[1].split("\t")[-1].strip() == "third"


def test_copying_without_a_selection_takes_all_rows_of_the_own_table(own: Lab) -> None:
    assert len([line for line in copied(own) if line]) == 1 + len(OWN)


@pytest.mark.parametrize("row", range(len(OWN)))
def test_the_point_menu_ticks_the_class_of_the_own_row(own: Lab, row: int) -> None:
    own.key(Key.Key_V)
    own.click(*OWN[row], button=RIGHT)
    menu = popup(PointMenu)
    ticked = [action.text() for action in menu.actions() if action.isChecked()]
    menu.close()
    assert ticked == [f"Class {labels(own_data(own))[row]}"]


def test_the_point_menu_of_another_lane_is_about_that_lane(own: Lab) -> None:
    """The menu key on a plane that is not the active lane's."""
    work_in(own, 0)
    own.window.lanes.planes[1].open_menu_at(5)
    menu = popup(PointMenu)
    ticked = [action.text() for action in menu.actions() if action.isChecked()]
    menu.close()
    assert ticked == ["Class third"]


def test_the_value_of_the_own_row_is_shown_in_its_form(open_lab: Callable[..., Lab]) -> None:
    places = [[-2.0, -2.0], [0.0, 0.0], [2.0, 2.0]]
    shared = Dataset.from_arrays(places[:1], [0.25], name="values")
    own = Dataset.from_arrays(places, [1.5, 2.5, 3.5], name="values")
    axes = tuple(column.name for column in own.features)
    lab = work_in(open_lab(replace(two_lanes(shared, own, "linear_regression"), plane=axes)), 1)
    lab.key(Key.Key_V)
    lab.click(2.0, 2.0, button=RIGHT)
    menu = popup(PointMenu)
    action = next(action for action in menu.actions() if action.text().startswith("Coordinates"))
    menu.close()
    assert action.text() == "Coordinates and value…"
    action.trigger()
    form = popup(PlaceForm)
    shown = [field.text() for field in form.fields.values()]
    form.close()
    assert shown[-1] == "3.5"


def test_the_relabel_brush_changes_the_own_row(own: Lab) -> None:
    before = own.session.document.data
    own.key(Key.Key_R)
    own.key(Key.Key_3)
    own.drag((-2.0, -2.0), (-2.0, -1.95))
    own.settle()
    assert labels(own_data(own)) == ["third", "first", "second", "second", "third", "third"]
    assert own.session.document.data is before


def test_every_class_of_the_own_table_can_be_chosen_and_clicked(own: Lab) -> None:
    own.key(Key.Key_A)
    own.key(Key.Key_3)
    assert own.session.current_class == 2
    own.click(0.0, 0.0)
    own.settle()
    assert labels(own_data(own))[-1] == "third" and len(own_data(own)) == 7
    assert len(own.session.document.data) == 2


def test_a_class_of_the_own_table_is_renamed_there(own: Lab) -> None:
    own.key(Key.Key_3)
    own.window.action("rename_class").trigger()
    form = popup(ClassName)
    assert form.field.text() == "third"
    form.field.setText("perhaps")
    QTest.keyClick(form.field, Key.Key_Return)
    own.settle()
    assert own_data(own).classes == ("first", "second", "perhaps")
    assert own.session.document.data.classes == ("first", "second")


def test_pasted_rows_come_behind_the_own_table(own: Lab) -> None:
    x1, x2, y = own_data(own).columns
    QApplication.clipboard().setText(f"{x1.name}\t{x2.name}\t{y.name}\n1\t1\tthird\n")
    own.key(Key.Key_V, CTRL)
    own.settle()
    assert labels(own_data(own)) == [
        "first",
        "first",
        "second",
        "second",
        "third",
        "third",
        "third",
    ]
    assert len(own.session.document.data) == 2


def test_removing_all_points_leaves_the_shared_table(own: Lab) -> None:
    own.window.action("clear").trigger()
    own.settle()
    assert len(own_data(own)) == 0
    assert len(own.session.document.data) == 2


def hand_drawn(places: list[tuple[float, float]]) -> Dataset:
    data = empty_plane(PointKind.CLASSES)
    x, y, target = (column.name for column in data.columns)
    return data.with_rows([{x: a, y: b, target: float(k % 2)} for k, (a, b) in enumerate(places)])


def test_the_switch_of_a_plane_changes_the_points_of_its_lane(open_lab: Callable[..., Lab]) -> None:
    lab = work_in(open_lab(two_lanes(hand_drawn(OWN[:2]), hand_drawn(OWN))), 1)
    switch = lab.plane.kind_switch
    QTest.mouseClick(switch.buttons()[list(PointKind).index(PointKind.VALUES)], LEFT)
    lab.settle()
    assert kind_of(own_data(lab)) is PointKind.VALUES and len(own_data(lab)) == len(OWN)
    assert kind_of(lab.session.document.data) is PointKind.CLASSES
    assert switch.value() is PointKind.VALUES
    assert lab.window.lanes.planes[0].kind_switch.value() is PointKind.CLASSES


def test_a_method_chosen_for_an_empty_own_plane_leaves_the_shared_points(
    open_lab: Callable[..., Lab],
) -> None:
    lab = work_in(open_lab(two_lanes(hand_drawn(OWN[:2]), empty_plane(PointKind.CLASSES))), 1)
    lab.session.choose("linear_regression")
    lab.settle()
    assert kind_of(own_data(lab)) is PointKind.VALUES
    assert kind_of(lab.session.document.data) is PointKind.CLASSES


# -- which lane the hands are in -------------------------------------------------------------------


def test_a_selection_beyond_the_other_table_ends_with_the_lane(own: Lab) -> None:
    own.key(Key.Key_V)
    own.click(*OWN[5])
    assert own.plane.selected == {5}
    own.window.action("next_lane").trigger()
    own.settle()
    assert own.session.active == 0 and own.session.pointer.selected == frozenset()
    own.window.action("delete").trigger()
    own.settle()
    assert len(own.session.document.data) == 2 and len(own_data(own)) == len(OWN)


def test_the_same_points_stay_selected_in_another_lane_though_their_rows_differ(
    opened: Lab,
) -> None:
    """Lane B got the shared points as its own, and lost the first of them."""
    lab = work_in(opened, 0)
    lab.session.open(
        Document(own_table(), (lane("nearest_neighbours"), lane("nearest_neighbours")), view=VIEW)
    )
    work_in(lab, 1)
    lab.window.action("own_points").trigger()
    lab.key(Key.Key_V)
    lab.click(*OWN[0])
    lab.key(Key.Key_Delete)
    lab.settle()
    assert len(own_data(lab)) == 5
    lab.click(*OWN[4])
    first, second = lab.window.lanes.planes
    assert (first.selected, second.selected) == ({4}, {3})
    work_in(lab, 0)
    assert lab.session.pointer.selected == {4} and second.selected == {3}
    lab.key(Key.Key_Delete)
    lab.settle()
    assert labels(lab.session.document.data) == ["first", "first", "second", "second", "third"]
    assert len(own_data(lab)) == 5


def test_an_edit_in_a_lane_keeps_what_is_selected_there(own: Lab) -> None:
    own.key(Key.Key_V)
    own.click(*OWN[5])
    own.key(Key.Key_A)
    own.click(0.0, 0.0)
    own.settle()
    assert own.session.pointer.selected == {5}


def test_the_classes_beside_the_tools_and_below_the_data_are_those_of_the_active_lane(
    own: Lab,
) -> None:
    strip = own.window.tool_strip
    section = own.window.left_dock.data
    assert strip.classes.count() == 3 and section.caption.text().startswith("6 points")
    own.key(Key.Key_3)
    own.window.action("next_lane").trigger()
    own.settle()
    assert section.caption.text().startswith("2 points")
    assert own.session.current_class <= 2 and strip.classes.count() == own.session.current_class + 1
    own.window.action("next_lane").trigger()
    own.settle()
    assert strip.classes.count() == 3 and section.caption.text().startswith("6 points")


# -- the window with the table ---------------------------------------------------------------------


def table_of(lab: Lab) -> TableEditor:
    lab.window.action("table").trigger()
    lab.settle()
    return next(found for found in lab.window.findChildren(TableEditor) if found.isVisible())


def cell(editor: TableEditor, row: int, column: int) -> str:
    return str(editor.cells.data(editor.cells.index(row, column)))


def test_the_table_is_that_of_the_active_lane_whichever_it_becomes(own: Lab) -> None:
    editor = table_of(own)
    assert (editor.cells.rowCount(), cell(editor, 5, 2)) == (6, "third")
    assert editor.windowTitle().endswith("points of lane B")
    own.window.action("next_lane").trigger()
    assert (editor.cells.rowCount(), cell(editor, 1, 2)) == (2, "second")
    assert "lane" not in editor.windowTitle()
    own.window.action("next_lane").trigger()
    assert (editor.cells.rowCount(), cell(editor, 5, 2)) == (6, "third")
    editor.close()


def test_a_cell_typed_in_changes_the_table_that_is_shown(own: Lab) -> None:
    editor = table_of(own)
    before = own.session.document.data
    assert editor.cells.setData(editor.cells.index(5, 2), "first")
    assert labels(own_data(own))[5] == "first" and own.session.document.data is before
    mine = own_data(own)
    own.window.action("next_lane").trigger()
    assert editor.cells.setData(editor.cells.index(1, 2), "first")
    assert labels(own.session.document.data) == ["first", "first"] and own_data(own) is mine
    editor.close()


def test_rows_and_cells_of_the_own_table_are_added_copied_and_deleted_there(own: Lab) -> None:
    editor = table_of(own)
    editor.view.go(5, 2)
    editor.copy()
    assert QApplication.clipboard().text().strip() == "third"
    editor.add_row()
    assert (len(own_data(own)), len(own.session.document.data)) == (7, 2)
    editor.view.go(6, 2)
    editor.paste()
    assert labels(own_data(own))[6] == "third"
    editor.delete_rows()
    assert (len(own_data(own)), len(own.session.document.data)) == (6, 2)
    editor.add_column(Kind.NUMERIC)
    assert (len(own_data(own).columns), len(own.session.document.data.columns)) == (4, 3)
    editor.close()


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("place", [0, 1])
def test_a_column_renamed_in_a_lane_leaves_the_others_with_their_run(
    opened: Lab, named: bool, place: int
) -> None:
    """named: the document names the columns on the axes, for all lanes."""
    x, y = (column.name for column in shared_table().features)
    opened.session.open(replace(opened.session.document, plane=(y, x) if named else ()))
    lab = work_in(opened, place)
    editor = table_of(lab)
    editor.rename_column(x, "height")
    lab.settle()
    tables = [view.data for view in lab.session.lane_views]
    assert tables[place].features[0].name == "height" and tables[1 - place].features[0].name == x
    assert [view.error for view in lab.session.lane_views] == ["", ""]
    editor.close()


def test_a_column_that_a_change_of_all_lanes_names_is_not_renamed_in_one(own: Lab) -> None:
    columns = tuple(column.name for column in own_data(own).features)
    own.session.open(replace(own.session.document, transforms=(Transform("polar", columns),)))
    work_in(own, 1)
    editor = table_of(own)
    before = own.session.document
    editor.rename_column(columns[0], "height")
    assert own.session.document is before
    assert editor.error.text().startswith(
        f"A change of the columns that all lanes share names “{columns[0]}”"
    )
    editor.close()


def test_a_cell_that_is_being_typed_into_is_left_with_its_lane(own: Lab) -> None:
    editor = table_of(own)
    before = own.session.document
    editor.view.go(1, 0)
    editor.view.edit(editor.view.currentIndex())
    assert editor.view.findChildren(QLineEdit)
    own.window.action("next_lane").trigger()
    own.settle_drawing()
    assert not [field for field in editor.view.findChildren(QLineEdit) if field.isVisible()]
    assert own.session.document is before
    editor.close()


# -- the data dock ---------------------------------------------------------------------------------


def test_another_draw_of_a_generator_is_for_the_active_lane_with_points_of_its_own(
    open_lab: Callable[..., Lab],
) -> None:
    moons = engine.generate("moons", n=30)
    lab = work_in(open_lab(two_lanes(moons, engine.generate("moons", n=30))), 1)
    section, before = lab.window.left_dock.data, lab.session.document.data
    slider = section.form.sliders["n"]
    QTest.mouseClick(slider.slider, LEFT, pos=slider.slider.rect().center())
    lab.until(lambda: len(own_data(lab)) == slider.value() != 30)
    lab.settle()
    assert lab.session.document.data is before
