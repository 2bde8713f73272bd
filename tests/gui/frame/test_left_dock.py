"""The left dock and the search: data, algorithm, parameters, axes, changes of columns."""

from itertools import pairwise

import pytest
from laboratory import CTRL, LEFT, Key, Lab, four_points
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

import engine
from engine.base.records import field_names, replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import save_project
from engine.protocol.params import to_dict
from engine.protocol.registry import algorithms
from engine.read.tables import parse_table
from engine.table.prepare import Transform
from gui.look import theme
from gui.setup.data_section import TRANSFORMS
from gui.setup.picker import KEY
from gui.setup.picker_catalogue import bundled_sets
from gui.widgets.controls import Combo


def pick(lab: Lab, title: str) -> None:
    """From the list of data sets, with the mouse."""
    picker = lab.window.left_dock.data.picker
    QTest.mouseClick(picker.field, LEFT)
    item = next(
        picker.model.item(k)
        for k in range(picker.model.rowCount())
        if picker.model.item(k).text() == title
    )
    picker.list.scrollTo(item.index())
    QTest.mouseClick(
        picker.list.viewport(), LEFT, pos=picker.list.visualRect(item.index()).center()
    )


def headings(picker) -> list[str]:
    items = [picker.model.item(k) for k in range(picker.model.rowCount())]
    return [item.text() for item in items if item.data(KEY) is None]


def row(lab: Lab, key: str):
    model = lab.window.left_dock.picker.model
    return next(model.item(k) for k in range(model.rowCount()) if model.item(k).data(KEY) == key)


# -- data ------------------------------------------------------------------------------------------


def test_every_data_set_is_offered_once_by_a_name_of_its_own() -> None:
    titles = [title for _, _, title in bundled_sets()]
    assert len(titles) > 40
    assert len(set(titles)) == len(titles), sorted(t for t in titles if titles.count(t) > 1)


@pytest.mark.slow
def test_choosing_a_generator_shows_its_sliders_and_they_draw(lab: Lab) -> None:
    pick(lab, next(title for _, name, title in bundled_sets() if name == "moons"))
    section = lab.window.left_dock.data
    assert lab.data.name == section.picker.field.title
    assert section.form.isVisible()
    slider = section.form.sliders["n"].slider
    QTest.mouseClick(slider, LEFT, pos=slider.rect().center())
    lab.until(lambda: len(lab.data) == section.form.sliders["n"].value())
    assert len(lab.data) != 200


def with_gaps(rows: int, gaps: dict[int, str]) -> Document:
    """A table of height, weight and class; `gaps` says which of the two a row lacks."""
    cells = []
    for k in range(rows):
        height = "" if "x" in gaps.get(k, "") else k
        weight = "" if "y" in gaps.get(k, "") else 2 * k
        cells.append(f"{height},{weight},{'pq'[k % 2]}")
    return Document(
        parse_table("\n".join(["height,weight,kind", *cells])), (lane("decision_tree"),)
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 620), (1280, 800)])
def test_rows_that_have_no_place_on_the_plane_are_counted(open_lab, size: tuple[int, int]) -> None:
    lab = open_lab(with_gaps(10, {1: "x", 4: "y", 7: "y"}), size=size)
    lab.window.room.reveal(lab.window.left_dock)
    lab.settle_drawing()
    caption = lab.window.left_dock.data.caption
    assert caption.text() == caption.full_text() == "10 points, 3 not drawn", "none of it is cut"
    assert "3 rows lack a number for one of the axes." in caption.toolTip()
    section = lab.window.left_dock.data
    assert section.rect().contains(caption.mapTo(section, caption.rect().bottomRight()))
    held = replace(lab.session.document, split=replace(lab.session.document.split, share=0.5))
    lab.session.edit(held, "hold out rows")
    lab.settle()
    assert caption.full_text() == "10 points, 3 not drawn", "with and without those held out"


@pytest.mark.slow
def test_nothing_is_said_of_the_plane_when_every_row_is_drawn(open_lab) -> None:
    lab = open_lab(with_gaps(10, {1: "xy"}))
    caption = lab.window.left_dock.data.caption
    assert caption.full_text() == "10 points, 1 not drawn"
    assert "1 row lacks a number for one of the axes." in caption.toolTip()
    lab.session.edit(replace(lab.session.document, transforms=(Transform("fill_missing"),)), "fill")
    lab.settle()
    assert caption.full_text() == "10 points"
    assert caption.toolTip() == ""
    lab.session.undo()
    lab.settle()
    assert caption.full_text() == "10 points, 1 not drawn"


def test_a_table_that_shows_no_plane_says_nothing_of_it(open_lab) -> None:
    lab = open_lab(
        Document(parse_table("food,kind\na,p\n,q\nb,p\n", target="kind"), (lane("decision_tree"),))
    )
    assert lab.window.left_dock.data.caption.full_text() == "3 rows"


@pytest.mark.slow
def test_choosing_what_is_chosen_throws_nothing_away(lab: Lab) -> None:
    lab.window.action("new").trigger()
    lab.click(0, 0)
    pick(lab, "my points")
    assert len(lab.data) == 1


@pytest.mark.slow
def test_every_change_of_columns_works_or_says_why_not(open_lab) -> None:
    lab = open_lab(Document(engine.generate("circles"), (lane("perceptron"),)), wait=False)
    section = lab.window.left_dock.data

    def entry(kind: str) -> QAction:
        section.menu.aboutToShow.emit()
        return next(a for a in section.menu.actions() if a.text() == TRANSFORMS[kind])

    for kind in sorted(TRANSFORMS):
        before = lab.session.document
        lab.session.say("")
        entry(kind).trigger()
        if lab.session.document is before:
            assert lab.said().endswith(".")
            continue
        problem = lab.session.problem
        assert problem is not None
        assert (
            any(text in lab.window.chips.texts() for text in problem.notices) or not problem.notices
        )
        assert entry(kind).isChecked()
        entry(kind).trigger()
        assert lab.session.document.transforms == ()


@pytest.mark.slow
def test_counts_follow_the_clicks(lab: Lab) -> None:
    section = lab.window.left_dock.data
    n = len(lab.data)
    lab.click(*lab.free_place())
    assert section.caption.full_text() == f"{n + 1} points, changed by hand"


# -- algorithm -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_click_in_the_list_chooses_an_algorithm(lab: Lab) -> None:
    picker = lab.window.left_dock.picker
    for key in ("decision_tree", "nearest_neighbours", "adaboost", "perceptron"):
        QTest.mouseClick(picker.field, LEFT)
        index = picker.model.indexFromItem(row(lab, key))
        picker.list.scrollTo(index)
        QTest.mouseClick(picker.list.viewport(), LEFT, pos=picker.list.visualRect(index).center())
        assert lab.session.lane.key == key
        assert set(lab.window.left_dock.form.values()) == set(field_names(lab.session.lane.params))
        assert lab.window.right_dock.code.isVisible()


@pytest.mark.slow
def test_a_grey_algorithm_says_why_and_offers_data_that_suit(lab: Lab) -> None:
    lab.session.choose("decision_tree")
    lab.window.commands.use_data(engine.generate("three_fields"))
    picker = lab.window.left_dock.picker
    QTest.mouseClick(picker.field, LEFT)
    index = picker.model.indexFromItem(row(lab, "perceptron"))
    picker.list.scrollTo(index)
    QTest.mouseClick(picker.list.viewport(), LEFT, pos=picker.list.visualRect(index).center())
    assert lab.session.lane.key == "decision_tree"
    assert "two classes" in picker.sentence.text()
    assert {"Textbook", "Generators"} <= set(
        headings(picker)
    ) and "generate:moons" in picker.listed()
    assert not any(key.endswith(":three_fields") for key in picker.listed())


def test_an_algorithm_chosen_again_has_the_parameters_that_it_had(lab: Lab) -> None:
    session = lab.session
    form = lab.window.left_dock.form
    session.choose("svm")
    session.set_params(C=3.0)
    session.choose("adaboost")
    session.choose("svm")
    assert session.lane.params.C == form.values()["C"] == 3.0
    session.undo()
    assert session.lane.key == "adaboost"
    session.undo(), session.undo(), session.undo()
    assert session.document.put_away == ()


@pytest.mark.slow
def test_the_pickers_search(lab: Lab) -> None:
    picker = lab.window.left_dock.picker
    QTest.mouseClick(picker.field, LEFT)
    lab.write("tree")
    listed = picker.listed()
    assert "decision_tree" in listed
    assert "perceptron" not in listed
    while picker.list.currentIndex().data(KEY) != "decision_tree":
        lab.key(Key.Key_Down)
    lab.key(Key.Key_Return)
    assert lab.session.lane.key == "decision_tree"
    assert not picker.popup.isVisible()
    QTest.mouseClick(picker.field, LEFT)
    assert len(picker.listed()) == len(engine.algorithms())
    lab.write("qqqq")
    assert picker.listed() == []
    lab.key(Key.Key_Return)
    lab.key(Key.Key_Escape)
    assert picker.popup.isVisible()
    assert len(picker.listed()) == len(engine.algorithms())
    lab.key(Key.Key_Escape)
    assert not picker.popup.isVisible()
    assert lab.session.lane.key == "decision_tree"


@pytest.mark.slow
def test_the_best_name_is_marked_and_return_takes_it(lab: Lab) -> None:
    picker = lab.window.left_dock.picker
    QTest.mouseClick(picker.field, LEFT)
    assert picker.list.currentIndex().data(KEY) == "perceptron"
    lab.write("ada")
    lab.key(Key.Key_Return)
    assert lab.session.lane.key == "adaboost"


@pytest.mark.slow
def test_a_click_beside_the_list_closes_it_and_changes_nothing(lab: Lab) -> None:
    picker = lab.window.left_dock.picker
    before = lab.session.document
    QTest.mouseClick(picker.field, LEFT)
    QTest.mouseClick(
        lab.window.timeline, LEFT, pos=lab.window.timeline.rect().topRight() - QPoint(8, -8)
    )
    assert not picker.popup.isVisible()
    assert lab.session.document is before


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 620), (1280, 800), (1920, 1080)])
def test_the_list_stays_in_the_window_and_cuts_no_name(open_lab, size: tuple[int, int]) -> None:
    lab = open_lab(size=size)
    picker = lab.window.left_dock.picker
    QTest.mouseClick(picker.field, LEFT)
    assert lab.window.rect().contains(picker.popup.geometry())
    wide = QFontMetrics(theme.current().font("body", weight=600))
    longest = max(wide.horizontalAdvance(a.title) for a in engine.algorithms().values())
    assert longest < picker.list.viewport().width() - 20


@pytest.mark.slow
def test_data_algorithm_and_parameters_show_without_scrolling(lab: Lab) -> None:
    """At 1280 × 800 the dock of the first document is whole down to the test split, also with rows
    held out; what the marks mean may need the scroll bar.
    """
    dock = lab.window.left_dock
    room = dock.viewport().height()
    assert dock.split.geometry().bottom() < room
    dock.split.slider.field.setText("30")
    dock.split.slider.field.setModified(True)
    dock.split.slider.field.commit()
    lab.settle()
    assert lab.session.problem.held_out is not None
    assert dock.split.geometry().bottom() < room
    last = list(dock.shown.rows.values())[-1].box
    dock.ensureWidgetVisible(last)
    assert last.mapTo(dock.viewport(), last.rect().bottomLeft()).y() < room


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 620), (1280, 800), (1920, 1080)])
def test_the_sentence_below_a_field_shows_whole(open_lab, size: tuple[int, int]) -> None:
    lab = open_lab(four_points(), size=size)
    lab.window.room.reveal(lab.window.left_dock)
    lab.settle_drawing()
    form = lab.window.left_dock.form
    others = [form.row(name) for name in ("rule", "threshold", "rounds")]
    before = [row.height() for row in others]
    field, error = form.row("start").control, form.row("start").error
    for text in ("1 x", "one and two and three and four and five and six and seven", "2 x"):
        field.setFocus()
        field.selectAll()
        lab.write(text)
        lab.key(Key.Key_Return)
        lab.settle()
        assert text in error.text()
        assert "Start w must be numbers separated by commas" in error.text()
        lab.until(lambda: error.label.height() >= error.label.heightForWidth(error.label.width()))
        assert error.rect().contains(error.label.geometry())
        assert form.row("start").rect().contains(error.geometry())
        assert [row.height() for row in others] == before


# -- the search of the window ----------------------------------------------------------------------


def search(lab: Lab, words: str) -> None:
    lab.key(Key.Key_K, CTRL)
    lab.window.search.setText(words)
    lab.key(Key.Key_Return)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["adaboost", "boost ADA"])
def test_search_finds_an_algorithm(lab: Lab, words: str) -> None:
    search(lab, words)
    assert lab.session.lane.key == "adaboost"
    assert not lab.window.search.popup.isVisible()


@pytest.mark.slow
def test_search_finds_data_and_commands(lab: Lab) -> None:
    search(lab, "moons")
    assert "moons" in lab.data.name.casefold()
    search(lab, "snap to grid")
    assert lab.plane.snap
    search(lab, "dark theme")
    assert theme.current().name == "dark"
    search(lab, "light theme")


@pytest.mark.slow
def test_search_that_finds_nothing(lab: Lab) -> None:
    before = lab.session.document
    box = lab.window.search
    search(lab, " qqqqqq")
    assert box.found == []
    assert lab.session.document is before
    assert box.hasFocus() and box.popup.isVisible() and box.text() == " qqqqqq", "Enter did nothing"
    assert [box.list.item(k).text() for k in range(box.list.count())] == [
        "Nothing is called “qqqqqq”."
    ]
    lab.key(Key.Key_Down)
    assert box.list.selectedItems() == []
    line = box.list.visualItemRect(box.list.item(0))
    assert box.list.viewport().rect().contains(line)
    QTest.mouseClick(box.list.viewport(), LEFT, pos=line.center())
    assert lab.session.document is before
    assert box.popup.isVisible()
    box.setText("xor")
    assert box.found and box.list.currentRow() == 0
    assert not any("Nothing" in box.list.item(k).text() for k in range(box.list.count()))
    lab.key(Key.Key_Escape)
    lab.key(Key.Key_Escape)
    assert not box.popup.isVisible()


@pytest.mark.slow
def test_the_sentence_that_nothing_is_found_fits_its_line(lab: Lab) -> None:
    box = lab.window.search
    lab.key(Key.Key_K, CTRL)
    box.setText("W" * 300)
    words = box.list.item(0).text()
    assert words.startswith("Nothing is called “WWW") and words.endswith("…”.")
    assert (
        QFontMetrics(theme.current().font("body")).horizontalAdvance(words)
        < box.list.viewport().width() - 18
    )


@pytest.mark.slow
def test_search_by_arrows(lab: Lab) -> None:
    lab.key(Key.Key_K, CTRL)
    lab.write("xor")
    found = lab.window.search.found
    assert len(found) > 1
    lab.key(Key.Key_Down)
    assert lab.window.search.list.currentRow() == 1
    lab.key(Key.Key_Up)
    lab.key(Key.Key_Up)
    assert lab.window.search.list.currentRow() == len(found) - 1


@pytest.mark.slow
def test_search_offers_the_changes_that_the_picker_offers(open_lab) -> None:
    """A table of words and gaps: Enter on k-means does not end at its refusal."""
    table = parse_table("kind,n,class\na,1,x\nb,,y\nc,3,x\na,4,y\n", target="class")
    lab: Lab = open_lab(Document(table, (lane("decision_tree"),)))
    search = lab.window.search
    wanted = [entry.title for entry in lab.window.commands.data_commands.mends("", "kmeans")]
    assert "Use 0/1 columns, fill missing values" in wanted
    lab.key(Key.Key_K, CTRL)
    lab.write("k-means")
    at = next(k for k, line in enumerate(search.found) if line.key == "kmeans")
    for _ in range(at):
        lab.key(Key.Key_Down)
    lab.key(Key.Key_Return)
    assert "k-means needs numbers" in lab.said()
    assert lab.session.lane.key == "decision_tree"
    assert [line.text for line in search.found] == wanted
    assert search.popup.isVisible()
    lab.key(Key.Key_Return)
    lab.settle()
    assert lab.session.lane.key == "kmeans"
    assert {t.kind for t in lab.session.document.transforms} == {"one_hot", "fill_missing"}
    assert not lab.session.error
    lab.session.undo()
    assert (lab.session.lane.key, lab.session.document.transforms) == ("decision_tree", ())


@pytest.mark.slow
def test_search_says_why_an_algorithm_does_not_fit(lab: Lab) -> None:
    lab.session.choose("decision_tree")
    lab.window.commands.use_data(engine.generate("three_fields"))
    found = lab.window.search.results("perceptron")
    next(line for line in found if line.text == "Perceptron").effect()
    assert lab.session.lane.key == "decision_tree"
    assert "two classes" in lab.said()


@pytest.mark.slow
def test_methods_that_cannot_run_come_after_those_that_can_and_are_grey(lab: Lab) -> None:
    lab.key(Key.Key_K, CTRL)
    lab.write("neighb")
    found = lab.window.search.found
    whys = [
        bool(line.why)
        for line in found
        if line.kind == "algorithm" and "neighb" in line.text.casefold()
    ]
    assert whys == sorted(whys) and set(whys) == {False, True}
    place = next(k for k, line in enumerate(found) if line.text == "Neighbour regression")
    item = lab.window.search.list.item(place)
    assert item.toolTip() == "Neighbour regression needs a column of numbers as target."
    assert "needs a column of numbers" in item.data(Qt.ItemDataRole.AccessibleTextRole)
    other = next(k for k, line in enumerate(found) if line.kind == "data set")
    assert _darkest(lab, place) > _darkest(lab, other) + 40, "its letters are grey"
    lab.key(Key.Key_Return)
    lab.settle()
    assert lab.session.lane.key == "nearest_neighbours"
    assert lab.said() == ""


def _darkest(lab: Lab, row: int) -> int:
    """Lightness of the darkest pixel in a line of the results."""
    lines = lab.window.search.list
    image = lines.viewport().grab(lines.visualItemRect(lines.item(row))).toImage()
    return min(
        image.pixelColor(x, y).lightness()
        for x in range(image.width())
        for y in range(image.height())
    )


# -- chips -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_chips_lead_to_what_they_speak_of(lab: Lab) -> None:
    chips = [
        lab.window.chips.chips.itemAt(k).widget() for k in range(lab.window.chips.chips.count())
    ]
    QTest.mouseClick(chips[0], LEFT)
    assert lab.window.left_dock.picker.search.hasFocus()
    lab.plane.setFocus()
    seed = lab.session.lane.seed
    QTest.mouseClick(lab.window.chips.chips.itemAt(1).widget(), LEFT)
    assert lab.session.lane.seed == seed + 1


# -- many classes, long texts ----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 620), (1280, 800), (1920, 1080)])
def test_class_buttons_never_lie_on_each_other(open_lab, size: tuple[int, int]) -> None:
    lab = open_lab(
        Document(engine.real("digits"), (lane("gaussian_bayes"),)), size=size, wait=False
    )
    strip = lab.window.tool_strip
    for chosen in (0, 5, 8):
        lab.session.set_settings(current_class=chosen)
        lab.settle_drawing()
        buttons = [strip.classes.itemAt(k).widget() for k in range(strip.classes.count())]
        shown = [b for b in buttons if b.isVisible()]
        assert buttons[chosen] in shown
        tops = [b.y() for b in shown]
        assert all(b - a >= 20 for a, b in pairwise(tops))
        assert tops[-1] + 20 <= strip.height()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 620), (1000, 640)])
@pytest.mark.parametrize("classes", [2, 4])
def test_four_classes_are_at_hand_in_a_low_window(
    open_lab, size: tuple[int, int], classes: int
) -> None:
    lab = open_lab(
        Document(engine.generate("blobs", 60, classes=classes), (lane("decision_tree"),)), size=size
    )
    strip = lab.window.tool_strip
    for code in reversed(range(classes)):
        button = strip.classes.itemAt(code).widget()
        assert button.isVisible()
        assert button.geometry().bottom() <= strip.height()
        QTest.mouseClick(button, LEFT)
        assert lab.session.current_class == code
        lab.settle_drawing()
    heights = [button.height() for button in strip.buttons.values()]
    assert min(heights) >= theme.LOW_TOOL
    lab.window.resize(1280, 800)
    lab.settle_drawing()
    assert [button.height() for button in strip.buttons.values()] == [theme.TOOL_BUTTON] * len(
        heights
    )


def test_a_text_too_long_for_a_drop_down_ends_in_dots(qtbot) -> None:
    combo = Combo("Split points")
    qtbot.addWidget(combo)
    combo.addItems(["class changes", "all"])
    combo.resize(90, 28)
    combo.show()
    cut = combo.grab().toImage()
    combo.setItemText(0, "class chang and other words")
    combo.repaint()
    right = cut.rect().adjusted(cut.width() - 26, 0, 0, 0)
    assert combo.grab().toImage().copy(right) == cut.copy(right), "no letter reaches the arrow"


@pytest.mark.slow
@pytest.mark.parametrize("look", ["light", "dark", "projector"])
def test_nothing_in_the_left_dock_is_cut_at_its_side(lab: Lab, look: str) -> None:
    lab.window.use_theme(look)
    lab.window.left_dock.show()
    QTest.qWait(50)
    dock = lab.window.left_dock
    parts = [
        part
        for part in dock.widget().findChildren(QWidget)
        if part.isVisible() and not part.children()
    ]
    ends = [
        (type(p).__name__, p.mapTo(dock.viewport(), p.rect().topRight()).x())
        for p in parts
        if p.height() > 1
    ]
    assert len(parts) > 20
    assert [part for part in ends if part[1] >= dock.viewport().width()] == []


@pytest.mark.slow
def test_the_menus_say_that_space_plays(lab: Lab) -> None:
    assert lab.window.action("play").text().endswith("\tSpace")
    found = lab.window.search.results("play or pause")
    assert found[0].text == "Play or pause"


def test_search_looks_for_beginnings_of_words_in_descriptions(lab: Lab) -> None:
    titles = [found.text for found in lab.window.search.results("wi")]
    assert titles[0] == "Winnow"
    assert lab.window.search.results("inkov") == []


@pytest.mark.slow
def test_enter_takes_the_method_that_was_written(lab: Lab) -> None:
    for algorithm in algorithms().values():
        for text in (algorithm.title, algorithm.title.upper()):
            found = lab.window.search.results(text)[0]
            assert (found.text, found.kind) == (
                algorithm.title,
                "experiment" if algorithm.is_experiment else "algorithm",
            )


# -- the left dock as a whole ----------------------------------------------------------------------


@pytest.mark.slow
def test_the_tab_key_goes_down_the_left_dock(lab: Lab) -> None:
    """Also after another algorithm brought other rows."""
    lab.session.choose("svm")
    lab.settle()
    dock = lab.window.left_dock
    dock.picker.field.setFocus()
    heights = []
    while dock.isAncestorOf(QApplication.focusWidget()):
        part = QApplication.focusWidget()
        heights.append(part.mapTo(dock.widget(), part.rect().center()).y())
        assert len(heights) < 60
        lab.key(Key.Key_Tab)
    assert len(heights) > 8
    assert all(b >= a - 4 for a, b in pairwise(heights))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["decision_tree", "svm", "adaboost", "perceptron"])
def test_the_test_split_is_in_sight_at_1280_by_800(open_lab, key: str) -> None:
    # a run of 2,000 steps has an overview
    short = {"rounds": 20, "stop": "rounds"} if key == "perceptron" else {}
    lab = open_lab(Document(engine.generate("moons", 60, 0.3), (lane(key, **short),)))
    dock = lab.window.left_dock
    bottom = dock.split.mapTo(dock.viewport(), dock.split.rect().bottomLeft()).y()
    assert dock.verticalScrollBar().value() == 0 and bottom <= dock.viewport().height()


@pytest.mark.slow
def test_a_scroll_bar_moves_no_control_of_the_dock(open_lab) -> None:
    edges = []
    for size in ((1280, 800), (1280, 1400)):
        lab = open_lab(
            Document(engine.generate("moons", 60, 0.3), (lane("decision_tree"),)), size=size
        )
        dock = lab.window.left_dock
        edges.append(
            dock.data.picker.field.mapTo(dock, dock.data.picker.field.rect().topRight()).x()
        )
    assert edges[0] == edges[1] == theme.LEFT_DOCK - theme.PAD_X - 1


# -- how points were drawn -------------------------------------------------------------------------


def form_values(lab: Lab) -> dict[str, float]:
    return {key: slider.value() for key, slider in lab.window.left_dock.data.form.sliders.items()}


def test_the_form_shows_how_the_points_in_force_were_drawn(open_lab) -> None:
    data = engine.generate("blobs", 40, 0.6, 7, classes=3)
    lab = open_lab(Document(data, (lane("nearest_neighbours"),)))
    assert form_values(lab) == {"n": 40, "noise": 0.6, "seed": 7, "classes": 3}
    assert lab.window.left_dock.data.form.sliders["n"].field.text() == "40"


@pytest.mark.slow
def test_the_form_of_a_saved_project_is_true_too(lab: Lab, tmp_path) -> None:
    path = str(tmp_path / "few.learnscope")
    save_project(Document(engine.generate("moons", 30, 0.4, 123), (lane("perceptron"),)), path)
    lab.window.commands.open_path(path)
    assert form_values(lab) == {"n": 30, "noise": 0.4, "seed": 123}


def test_no_form_where_the_origin_of_the_points_is_unknown(open_lab) -> None:
    data = replace(engine.generate("blobs", 40, 0.6), origin=None)
    section = open_lab(Document(data, (lane("perceptron"),))).window.left_dock.data
    assert not section.form.isVisible()
    assert section.picker.field.title == "Blobs"


@pytest.mark.slow
def test_points_changed_by_hand_are_said_to_be(lab: Lab) -> None:
    section = lab.window.left_dock.data
    n = len(lab.data)
    values = form_values(lab)
    lab.click(*lab.free_place())
    assert (
        section.caption.full_text() == f"{n + 1} points, changed by hand"
        and form_values(lab) == values
    )
    lab.session.undo()
    assert section.caption.full_text() == f"{n} points"


# -- widths ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("key", ["svm", "perceptron", "backpropagation"])
def test_nothing_is_cut_at_any_width_of_the_dock(open_lab, key: str) -> None:
    """From the least to the most: buttons have their words, choices side by side fit or become
    lists.
    """
    lab = open_lab(Document(engine.generate("moons", 60, 0.3), (lane(key),)), size=(1400, 800))
    dock = lab.window.left_dock
    for wide in (208, 252, 360):
        lab.window.room.drag("left", wide)
        lab.settle_drawing()
        assert dock.width() == wide
        for button in dock.findChildren(QPushButton):
            if button.isVisible() and button.text():
                words = button.fontMetrics().horizontalAdvance(button.text())
                arrow = 12 if button.menu() is not None else 0
                assert button.width() >= words + arrow + 2, button.text()
                assert button.mapTo(dock, button.rect().topRight()).x() <= wide - theme.PAD_X


@pytest.mark.slow
def test_a_wider_dock_has_more_room_for_names(open_lab) -> None:
    lab = open_lab(
        Document(engine.generate("moons", 60, 0.3), (lane("backpropagation"),)), size=(1920, 1080)
    )
    label = lab.window.left_dock.form.row("activation").label
    assert label.text() == "Hidden activation g"


def current_params(lab: Lab) -> dict[str, object]:
    """Of the method in force; lists of numbers as a form gives them."""
    values = to_dict(lab.session.lane.params)
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }


def test_rows_of_another_method_are_made_when_the_dock_is_shown_again(lab: Lab) -> None:
    """A projector hides the dock, and each method of a lecture would cost its rows."""
    form = lab.window.left_dock.form
    window = lab.window
    window.use_theme("projector")
    before = form.values()
    lab.session.choose("decision_tree")
    assert form.values() == before
    window.room.unfold(window.left_dock)
    assert form.values() == current_params(lab)
    lab.session.choose("perceptron")
    assert form.values() == current_params(lab), "it is seen"
    window.room.unfold(window.left_dock)
    lab.session.choose("kmeans")
    lab.session.undo()
    window.use_theme("light")
    assert form.values() == current_params(lab)
