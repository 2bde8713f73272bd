"""The list of data sets and the list of algorithms: groups, search, own tables, and what does not
suit.
"""

from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.registry import algorithms
from engine.table.prepare import Split
from gui.dialogs import open_table
from gui.look import style, theme
from gui.setup.picker import KEY, LEAST, NOTE, WHY, WIDEST, Picker
from gui.setup.picker_catalogue import bundled_sets, data_names, load

SIZES = [(960, 620), (1280, 800), (1920, 1080)]


def rows(picker: Picker) -> list[tuple[str | None, str, str, str]]:
    """(key, title, what stands at the right, why not) of every line; a heading has no key."""
    items = [picker.model.item(k) for k in range(picker.model.rowCount())]
    return [(item.data(KEY), item.text(), item.data(NOTE), item.data(WHY) or "") for item in items]


def groups(picker: Picker) -> dict[str, list[str]]:
    """The titles below each heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for key, title, _, _ in rows(picker):
        if key is None:
            heading = title
            assert heading not in found, "a group stands once"
        found.setdefault(heading, []).extend([] if key is None else [title])
    return found


def opened(lab: Lab, which: str) -> Picker:
    dock = lab.window.left_dock
    picker = dock.data.picker if which == "data" else dock.picker
    QTest.mouseClick(picker.field, LEFT)
    assert picker.popup.isVisible() and picker.search.hasFocus()
    return picker


def click(picker: Picker, title: str) -> None:
    items = [picker.model.item(k) for k in range(picker.model.rowCount())]
    item = next(item for item in items if item.text() == title and item.data(KEY) is not None)
    picker.list.scrollTo(item.index())
    QTest.mouseClick(
        picker.list.viewport(), LEFT, pos=picker.list.visualRect(item.index()).center()
    )


def houses() -> engine.Dataset:
    columns = {
        "price": [310.0, 245.0, 520.0, 365.0],
        "district": ["Harbour", "North", "Harbour", "Mill"],
    }
    return engine.Dataset.from_columns(
        {**columns, "sold": ["yes", "no", "yes", "no"]}, target="sold", name="houses.csv"
    )


# -- where it stands -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_it_opens_under_its_field_within_the_window_and_cuts_nothing(open_lab, size: Any) -> None:
    lab = open_lab(size=size)
    for look in ("light", "projector"):
        lab.window.use_theme(look)
        if look == "projector":
            lab.window.room.unfold(lab.window.left_dock)
        QTest.qWait(30)
        for which in ("data", "algorithm"):
            picker = opened(lab, which)
            place = picker.popup.geometry()
            field = picker.field
            here = theme.current()
            assert lab.window.rect().contains(place)
            assert place.top() >= field.mapTo(lab.window, field.rect().bottomLeft()).y()
            assert (
                style.scale(here, LEAST)
                <= place.width()
                <= max(style.scale(here, WIDEST), field.width() + 16)
            )
            floor = lab.window.left_dock.mapTo(
                lab.window, lab.window.left_dock.rect().bottomLeft()
            ).y()
            if size != (960, 620):  # there the list would have three lines
                assert place.bottom() <= floor - 7
            names, notes = (
                QFontMetrics(here.font("body", weight=600)),
                QFontMetrics(here.font("caption")),
            )
            for key, title, note, _ in rows(picker):
                if key is not None:
                    wide = names.horizontalAdvance(title) + notes.horizontalAdvance(note) + 12
                    assert wide <= picker.list.viewport().width() - 18, (title, note)
            picker.fold()


@pytest.mark.slow
def test_a_click_on_the_field_closes_the_list_and_opens_it(lab: Lab) -> None:
    picker = opened(lab, "data")
    QTest.mouseClick(picker.field, LEFT)
    assert not picker.popup.isVisible()
    opened(lab, "data")
    QTest.mouseClick(
        lab.window.timeline, LEFT, pos=lab.window.timeline.rect().topRight() - QPoint(8, -8)
    )
    assert not picker.popup.isVisible()


def test_what_there_is_more_is_seen_by_a_narrow_bar(lab: Lab) -> None:
    picker = opened(lab, "data")
    bar = picker.list.verticalScrollBar()
    assert bar.isVisible() and bar.width() == 4
    lab.write("iris")
    assert not bar.isVisible()


# -- groups ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_data_stand_in_groups_with_counts_and_sizes(lab: Lab) -> None:
    lab.session.choose("decision_tree")
    picker = opened(lab, "data")
    found = groups(picker)
    assert list(found) == ["Textbook", "Real", "Generators", "Not for Decision tree"]
    counts = {title: note for key, title, note, _ in rows(picker) if key is None}
    assert counts == {heading: str(len(titles)) for heading, titles in found.items()}
    assert sum(map(len, found.values())) == len(bundled_sets()), "each stands once"
    notes = {title: note for key, title, note, _ in rows(picker) if key is not None}
    assert (
        notes["Restaurant"] == "12 × 11"
        and notes["Iris"] == "150 × 5"
        and notes["Digits, 8 × 8"] == "1,797 × 65"
    )
    assert notes["Moons"] == "2 classes" and notes["Votes 1984"] == "435 × 17"
    assert notes["Sine"] == "target is a number"
    assert "Sine" in found["Not for Decision tree"]
    assert picker.list.currentIndex().data() == "Leaning clouds", "what is in force is marked"


@pytest.mark.slow
def test_what_stands_among_the_unsuitable_is_what_the_algorithm_refuses(lab: Lab) -> None:
    for key in ("perceptron", "linear_regression", "weighted_majority"):
        lab.session.choose(key)
        picker = lab.window.left_dock.data.picker
        picker.open()
        for found, title, note, why in rows(picker):
            kind, _, name = (found or "").partition(":")
            if found is None or kind == "own":
                continue
            reason = algorithms()[key].needs.reason(engine.prepare(load(kind, name)))
            assert why == (reason or ""), title
            assert not why or 0 < len(note) < 24, "a few words say it"
        picker.fold()


@pytest.mark.slow
def test_the_algorithms_stand_by_family_the_unsuitable_ones_last(lab: Lab) -> None:
    lab.window.commands.use_data(engine.generate("sine"))
    picker = opened(lab, "algorithm")
    found = groups(picker)
    assert list(found)[-1] == "Not for Sine"
    assert "Perceptron" in found["Not for Sine"] and "Linear regression" in found["Regression"]
    suits = [
        (a.family.capitalize(), a.title)
        for a in algorithms().values()
        if not a.needs.reason(lab.session.problem)
    ]
    assert {g: titles for g, titles in found.items() if g != "Not for Sine"} == {
        family: [title for _, title in each]
        for family, each in groupby(suits, key=lambda pair: pair[0])
    }


# -- the search ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_enter_takes_the_first_hit_of_names_columns_and_sources(lab: Lab) -> None:
    for which, words, key in [
        ("data", "restau", "textbook:restaurant"),
        ("data", "moons", "generate:moons"),
        ("data", "petal", "real:iris"),
        ("data", "fisher", "real:iris"),
        ("data", "18.3", "textbook:restaurant"),
        ("algorithm", "tree", "decision_tree"),
        ("algorithm", "ada", "adaboost"),
        ("algorithm", "k-d", "kd_tree"),
    ]:
        lab.window.commands.use_data(engine.generate("circles"))
        lab.session.choose("nearest_neighbours")
        picker = opened(lab, which)
        lab.write(words)
        assert picker.listed()[0] == key
        assert picker.list.currentIndex().data(KEY) == key
        lab.key(Key.Key_Return)
        lab.settle()
        assert not picker.popup.isVisible()
        assert (picker.here() if which == "data" else lab.session.lane.key) == key


@pytest.mark.slow
def test_the_search_of_the_window_ranks_alike(lab: Lab) -> None:
    found = lab.window.search.results("tree")
    assert (found[0].text, found[0].kind) == ("Decision tree", "algorithm")
    assert lab.window.search.results("restau")[0].text == "Restaurant"
    lab.key(Key.Key_K, CTRL)
    lab.write("restau")
    lab.key(Key.Key_Return)
    assert (lab.data.name, len(lab.data)) == ("Restaurant", 12)


@pytest.mark.slow
def test_arrows_and_pages_go_through_the_list(lab: Lab) -> None:
    picker = opened(lab, "data")
    lab.write("four")
    keys = picker.listed()
    lab.key(Key.Key_Down)
    assert picker.list.currentIndex().data(KEY) == keys[1]
    lab.key(Key.Key_Up)
    lab.key(Key.Key_Up)
    assert picker.list.currentIndex().data(KEY) == keys[-1], "round about"
    lab.key(Key.Key_PageUp)
    assert picker.list.currentIndex().data(KEY) == keys[max(0, len(keys) - 11)], "ten rows up"
    for _ in range(max(0, len(keys) - 11)):
        lab.key(Key.Key_Up)
    lab.key(Key.Key_PageDown)
    assert picker.list.currentIndex().data(KEY) == keys[min(10, len(keys) - 1)]


# -- what does not suit ----------------------------------------------------------------------------


@pytest.mark.slow
def test_enter_on_unsuitable_data_offers_the_algorithms_that_suit(lab: Lab) -> None:
    before = lab.session.document
    picker = opened(lab, "data")
    lab.write("restau")
    lab.key(Key.Key_Return)
    assert lab.session.document is before and picker.popup.isVisible()
    assert (
        picker.sentence.text()
        == "Perceptron needs numbers, “Patrons” holds words: turn on 0/1 columns."
    )
    problem = engine.prepare(engine.textbook("restaurant"))
    assert groups(picker) == {
        "Perceptron with Restaurant": ["Use 0/1 columns"],
        "For Restaurant": [a.title for a in algorithms().values() if not a.needs.reason(problem)],
    }
    lab.write("tree")
    lab.key(Key.Key_Return)
    lab.settle()
    assert (lab.session.lane.key, lab.data.name) == ("decision_tree", "Restaurant")
    assert lab.session.trace is not None and lab.session.cursor == 0
    lab.key(Key.Key_Z, CTRL)
    assert lab.session.document is before, "one edit"


@pytest.mark.slow
def test_the_algorithm_can_stay_where_a_change_of_the_columns_is_enough(lab: Lab) -> None:
    picker = opened(lab, "data")
    lab.write("restau")
    lab.key(Key.Key_Return)
    lab.key(Key.Key_Return)
    lab.settle()
    assert (lab.session.lane.key, lab.data.name) == ("perceptron", "Restaurant")
    assert lab.session.trace is not None and [t.kind for t in lab.session.document.transforms] == [
        "one_hot"
    ]
    assert picker.field.title == "Restaurant"


@pytest.mark.slow
def test_escape_leads_back_to_the_whole_list_and_then_out(lab: Lab) -> None:
    before = lab.session.document
    picker = opened(lab, "data")
    whole = picker.listed()
    click(picker, "Sine")
    assert picker.sentence.text() == "Perceptron needs a column of classes as target."
    assert "linear_regression" in picker.listed() and "perceptron" not in picker.listed()
    lab.key(Key.Key_Escape)
    assert picker.listed() == whole and not picker.sentence.isVisible()
    lab.key(Key.Key_Escape)
    assert not picker.popup.isVisible() and lab.session.document is before


@pytest.mark.slow
def test_an_unsuitable_algorithm_offers_data_that_suit(lab: Lab) -> None:
    picker = opened(lab, "algorithm")
    lab.write("linear regr")
    lab.key(Key.Key_Return)
    assert lab.session.lane.key == "perceptron" and picker.popup.isVisible()
    assert picker.sentence.text() == "Linear regression needs a column of numbers as target."
    assert next(iter(groups(picker).values())) == ["Predict x2", "Predict x1"]
    assert "generate:sine" in picker.listed() and "generate:spirals" not in picker.listed()
    lab.write("sine")
    lab.key(Key.Key_Return)
    lab.settle()
    assert (lab.session.lane.key, lab.data.name) == ("linear_regression", "Sine")
    assert lab.session.trace is not None


# -- own tables ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_was_drawn_pasted_and_opened_stays_at_hand(
    lab: Lab, tmp_path: Path, monkeypatch: Any
) -> None:
    assert "My own" not in groups(opened(lab, "data"))
    lab.key(Key.Key_Escape)
    lab.window.action("new").trigger()
    for x, key in ((-1.0, Key.Key_1), (1.0, Key.Key_2)):
        lab.key(key)
        lab.click(x, 0.0)
    QApplication.clipboard().setText("a\tb\ty\n1\t2\tp\n3\t4\tq\n5\t6\tp\n")
    lab.key(Key.Key_V, CTRL)
    monkeypatch.setattr(open_table, "ask_table", lambda *_: houses())
    lab.window.commands.open_path(str(tmp_path / "houses.csv"))
    lab.session.choose("nearest_neighbours")
    picker = opened(lab, "data")
    own = [(title, note) for key, title, note, _ in rows(picker) if (key or "").startswith("own:")]
    assert own == [("my points", "2 × 3"), ("pasted cells", "3 × 3"), ("houses.csv", "4 × 3")]
    assert picker.list.currentIndex().data() == "houses.csv"
    click(picker, "my points")
    lab.settle()
    assert lab.data.name == "my points" and lab.classes() == [1, -1]
    lab.key(Key.Key_Z, CTRL)
    assert lab.data.name == "houses.csv"
    assert "my points" in groups(opened(lab, "data"))["My own"]


@pytest.mark.slow
def test_an_own_table_comes_back_as_it_was_left(lab: Lab) -> None:
    lab.session.choose("decision_tree")
    lab.window.commands.use_data(houses())
    lab.session.edit(engine.document.edits.delete_rows(lab.session.document, [0]), "delete a row")
    left = lab.data
    click(opened(lab, "data"), "Moons")
    click(opened(lab, "data"), "houses.csv")
    assert lab.data is left and len(left) == 3
    for _ in range(3):
        lab.session.undo()
    assert lab.data == houses(), "the edit before can still be taken back"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["list", "search"])
def test_a_textbook_set_opens_as_its_book_has_it_and_the_own_table_comes_back_as_it_was(
    lab: Lab, way: str
) -> None:
    lab.session.choose("decision_tree", stop="depth", depth=1)
    lab.window.commands.use_data(houses())
    lab.session.edit(replace(lab.session.document, split=Split(0.5, 1)), "hold out rows")
    left = lab.session.document
    if way == "list":
        click(opened(lab, "data"), "Restaurant")
    else:
        lab.key(Key.Key_K, CTRL)
        lab.write("restaurant")
        lab.key(Key.Key_Return)
    assert lab.data == engine.textbook("restaurant")
    assert lab.session.document.split == Split()
    assert lab.session.lane == lane("decision_tree")
    click(opened(lab, "data"), "houses.csv")
    assert (lab.session.document.split, lab.session.lane) == (left.split, left.lanes[0])
    for _ in range(2):
        lab.session.undo()
    assert lab.session.document == left


@pytest.mark.slow
def test_a_set_of_the_lab_that_was_changed_by_hand_is_ones_own_too(lab: Lab) -> None:
    n = len(lab.data)
    lab.click(*lab.free_place())
    click(opened(lab, "data"), "Moons")
    picker = opened(lab, "data")
    assert groups(picker)["My own"] == ["Leaning clouds, changed"]
    assert "Leaning clouds" in groups(picker)["Generators"]
    click(picker, "Leaning clouds")
    assert len(lab.data) == n
    click(opened(lab, "data"), "Leaning clouds, changed")
    assert len(lab.data) == n + 1


@pytest.mark.slow
def test_another_empty_plane_takes_nothing_from_the_points_drawn_before(lab: Lab) -> None:
    lab.window.action("new").trigger()
    lab.key(Key.Key_1)
    lab.click(0.0, 0.0)
    lab.window.action("new").trigger()
    lab.click(0.5, 0.5)
    lab.click(-0.5, 0.5)
    lab.session.choose("nearest_neighbours")
    picker = opened(lab, "data")
    own = [(title, note) for key, title, note, _ in rows(picker) if (key or "").startswith("own:")]
    assert own == [("my points", "1 × 3"), ("my points (2)", "2 × 3")]
    click(picker, "my points")
    assert len(lab.data) == 1
    for _ in range(2):
        lab.session.undo()
    assert len(lab.data) == 2, "choosing is one edit, the algorithm another"


@pytest.mark.slow
def test_own_tables_are_searched_with_their_columns_also_in_the_search_of_the_window(
    lab: Lab,
) -> None:
    lab.session.choose("decision_tree")
    lab.window.commands.use_data(houses())
    lab.window.commands.use_data(engine.generate("moons"))
    opened(lab, "data")
    lab.write("district")
    lab.key(Key.Key_Return)
    assert lab.data.name == "houses.csv"
    lab.window.commands.use_data(engine.generate("moons"))
    lab.key(Key.Key_K, CTRL)
    lab.write("houses.csv")
    lab.key(Key.Key_Return)
    assert lab.data.name == "houses.csv"


@pytest.mark.slow
def test_an_own_table_that_does_not_suit_says_why(open_lab) -> None:
    lab = open_lab(Document(houses(), (lane("decision_tree"),)))
    lab.session.choose("perceptron")
    picker = opened(lab, "data")
    (entry,) = [row for row in rows(picker) if row[1] == "houses.csv"]
    assert entry[2:] == (
        "holds words",
        "needs numbers, “district” holds words: turn on 0/1 columns",
    )
    assert (
        picker.model.item(picker.list.currentIndex().row())
        .data(Qt.ItemDataRole.AccessibleTextRole)
        .startswith("houses.csv, needs numbers")
    )


@pytest.mark.slow
def test_every_set_of_the_lab_has_a_name_of_its_own(lab: Lab) -> None:
    titles = [
        entry.title for entry in data_names([], lab.window.commands.data_commands.tables.here)
    ]
    assert len(set(titles)) == len(titles) > 40
