"""The parameter form, built from a declared dataclass and driven by real keys and clicks."""

from itertools import pairwise
from typing import Annotated, Literal

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QLineEdit,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.algorithms.linear import perceptron
from engine.base.records import Record
from engine.protocol.params import Help, Label, Place, Range, When, build, params_fields
from engine.protocol.registry import algorithm
from gui.forms.params_form import ParamsForm
from gui.look import style, theme
from gui.widgets.controls import Combo, ErrorLine, Segments
from gui.widgets.number_slider import NumberSlider
from gui.widgets.segments import abreast
from gui.widgets.text_field import TextField


class Sample(Record, eq=True):
    rule: Annotated[Literal["mmds", "aima"], Label("Rule"), Help("Two books, two rules.")] = "mmds"
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    start: Annotated[tuple[float, ...], Label("Start w")] = ()
    stop: Annotated[Literal["clean round", "rounds", "errors stop changing"], Label("Stop")] = (
        "clean round"
    )
    rounds: Annotated[int, Range(1, 1000), Label("Rounds"), When("stop", ("rounds",))] = 20
    twice: Annotated[bool, Label("Twice"), When("rounds", (5,))] = False
    most: Annotated[int | None, Range(1, 9), Label("Most nodes")] = None
    query: Annotated[tuple[float, ...], Label("Query"), Place()] = (0.0, 0.0)
    word: Annotated[str, Label("A label far too long for its column")] = "yes"


@pytest.fixture
def form(qtbot, qapp):
    style.apply(qapp, "light")
    window = QWidget()
    column = QVBoxLayout(window)
    made = ParamsForm()
    column.addWidget(made)
    column.addStretch(1)
    made.setFixedWidth(220)
    made.show_params(Sample, {})
    made.changes, made.settles = [], []
    made.changed.connect(lambda name, value: made.changes.append((name, value)))
    made.gesture_ended.connect(made.settles.append)
    qtbot.addWidget(window)
    window.resize(260, 600)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield made
    window.hide()


@pytest.mark.parametrize("texts", [("only",), ("no", "yes"), ("a", "b and more", "c")])
def test_segments_are_measured_before_they_are_made(form, qtbot, texts: tuple[str, ...]) -> None:
    segments = Segments(texts, parent=form)
    segments.ensurePolished()
    segments.show()
    assert segments.sizeHint().width() == abreast(texts)


def enter(qtbot, field: QLineEdit, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, key)


def control(form: ParamsForm, name: str) -> QWidget:
    return form.row(name).control


def test_each_kind_gets_its_control(form):
    kinds = {
        "rule": Segments,
        "rate": NumberSlider,
        "start": TextField,
        "stop": Combo,
        "rounds": NumberSlider,
        "twice": QCheckBox,
        "most": NumberSlider,
        "query": TextField,
        "word": TextField,
    }
    assert {name: type(control(form, name)) for name in kinds} == kinds
    assert form.values() == {field.name: field.default for field in params_fields(Sample)}


def test_rows_measure_as_in_the_pictures(form):
    tops = [
        form.row(name).mapTo(form, QPoint(0, 0)).y() for name in ("rule", "rate", "start", "stop")
    ]
    assert tops == [0, 31, 62, 93]
    assert control(form, "start").height() == 26
    assert control(form, "rule").height() == 26
    left = {
        name: control(form, name).mapTo(form, QPoint(0, 0)).x()
        for name in ("rule", "rate", "start", "stop")
    }
    assert len(set(left.values())) == 1
    assert all(control(form, name).mapTo(form, QPoint(0, 0)).x() >= 80 for name in left)
    ends = {
        control(form, name).mapTo(form, QPoint(control(form, name).width(), 0)).x()
        for name in ("start", "stop")
    }
    assert ends == {220}


def test_the_perceptrons_form_has_the_label_column_of_the_picture(form):
    form.show_params(perceptron.Params, {"start": (-1.0, 0.5)})
    assert form.row("rule").label.width() == 80
    assert isinstance(control(form, "rule"), Segments)
    assert isinstance(control(form, "threshold"), Segments)
    assert control(form, "start").text() == "(−1, 0.5)"
    for row in ("rule", "rate", "schedule", "threshold", "start", "stop", "rounds"):
        assert form.row(row).label.text() == form.row(row).label.full_text()  # none is cut
    assert build(perceptron.Params, form.values()) == perceptron.Params(start=(-1.0, 0.5))


def test_a_label_too_long_for_its_control_stands_above(form):
    """It ended in dots, and so did a list beside a wide column of labels."""
    row = form.row("word")
    assert row.label.text() == row.label.full_text() == "A label far too long for its column"
    assert row.label.geometry().bottom() < row.control.geometry().top()
    assert row.control.x() == row.label.x()
    assert row.height() == form.row("start").height() + theme.current().line_height("body")
    for name in ("rule", "start"):
        assert form.row(name).label.geometry().right() < form.row(name).control.x()
    assert form.row("rule").label.toolTip() == "Two books, two rules."
    assert control(form, "rule").buttons()[0].toolTip() == "Two books, two rules."


def test_every_control_has_a_name(form):
    for name in form.values():
        part = control(form, name)
        assert part.accessibleName() == form.row(name).field.label


def test_choosing_a_segment(qtbot, form):
    qtbot.mouseClick(control(form, "rule").buttons()[1], Qt.MouseButton.LeftButton)
    assert form.changes == [("rule", "aima")]
    assert form.settles == ["rule"]
    qtbot.mouseClick(control(form, "rule").buttons()[1], Qt.MouseButton.LeftButton)
    assert form.changes == [("rule", "aima")]


def test_choosing_from_the_list_by_keyboard(qtbot, form):
    combo = control(form, "stop")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert form.changes == [("stop", "rounds")]
    assert form.row("rounds").isVisible()


def test_when_hides_rows_and_nothing_above_moves(qtbot, form):
    assert not form.row("rounds").isVisible()
    assert not form.row("twice").isVisible()
    above = [
        form.row(name).mapTo(form, QPoint(0, 0)).y() for name in ("rule", "rate", "start", "stop")
    ]
    combo = control(form, "stop")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    qtbot.wait(5)
    assert form.row("rounds").isVisible()
    assert [
        form.row(name).mapTo(form, QPoint(0, 0)).y() for name in ("rule", "rate", "start", "stop")
    ] == above
    enter(qtbot, control(form, "rounds").field, "5")
    assert form.row("twice").isVisible()
    qtbot.keyClick(combo, Qt.Key.Key_Up)
    assert not form.row("rounds").isVisible()
    assert not form.row("twice").isVisible()  # hidden with the row it depends on
    assert form.values()["rounds"] == 5  # the value is kept


def test_a_number_out_of_range_says_so_under_its_field(qtbot, form):
    field = control(form, "rate").field
    enter(qtbot, field, "20")
    row = form.row("rate")
    assert row.error.isVisible()
    assert row.error.text() == "Rate η must lie between 0.0001 and 10; it is 20."
    assert (
        row.error.mapTo(form, QPoint(0, 0)).y() >= field.mapTo(form, QPoint(0, field.height())).y()
    )
    assert form.changes == []
    assert form.values()["rate"] == 0.5
    assert field.text() == "20"  # still there to be mended
    enter(qtbot, field, "0.25")
    assert form.changes == [("rate", 0.25)]
    assert not row.error.isVisible()


@pytest.mark.parametrize("typed", ["(1,2,3)", "1,2,3", "0,5 m"])
def test_a_sentence_quotes_what_was_typed(qtbot, form, typed):
    """A decimal comma is read as a point, though that point was not typed."""
    enter(qtbot, control(form, "rate").field, typed)
    assert form.row("rate").error.text() == f"Rate η must be a number; it is “{typed}”."
    enter(qtbot, control(form, "rate").field, " 0,25 ")
    assert form.changes == [("rate", 0.25)]


def test_an_emptied_number_is_said_to_be_missing(qtbot, form):
    field = control(form, "rate").field
    enter(qtbot, field, "")
    assert form.row("rate").error.text() == "Rate η needs a value."
    assert form.changes == []
    assert form.values()["rate"] == 0.5
    enter(qtbot, field, "0.5")
    assert form.row("rate").error.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "typed", ["1 2", " 1  2 ", "1;2", "1 , 2", "1, 2", "(1 2)", "[1; 2]", "1,2,"]
)
@pytest.mark.parametrize("name", ["start", "query"])
def test_blanks_commas_and_semicolons_separate_numbers(qtbot, form, name, typed):
    enter(qtbot, control(form, name), typed)
    assert form.changes == [(name, (1.0, 2.0))]
    assert control(form, name).text() == "(1, 2)"
    assert not form.row(name).error.isVisible()


@pytest.mark.parametrize("typed", ["1 x", "1 - 2", "1 2 (3"])
def test_a_sentence_about_numbers_quotes_them_as_they_were_typed(qtbot, form, typed):
    enter(qtbot, control(form, "start"), typed)
    assert (
        form.row("start").error.text()
        == f"Start w must be numbers separated by commas or blanks; it is “{typed}”."
    )
    enter(qtbot, control(form, "start"), "1 nan")
    assert form.row("start").error.text() == "Start w must be finite numbers."
    assert form.changes == []


def test_leaving_a_field_reads_it(qtbot, form):
    enter(qtbot, control(form, "rate").field, "2", key=Qt.Key.Key_Tab)
    assert form.changes == [("rate", 2.0)]


def test_numbers_are_checked_and_the_last_ones_stay(qtbot, form):
    field = control(form, "start")
    enter(qtbot, field, "1, -0.5")
    assert form.changes == [("start", (1.0, -0.5))]
    assert field.text() == "(1, −0.5)"
    enter(qtbot, field, "1, x")
    assert "“1, x”" in form.row("start").error.text()
    assert form.values()["start"] == (1.0, -0.5)
    assert len(form.changes) == 1
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "(1, −0.5)"
    assert not form.row("start").error.isVisible()
    enter(qtbot, field, "")
    assert form.changes[-1] == ("start", ())


def test_bad_text_survives_an_update_of_other_values(qtbot, form):
    field = control(form, "start")
    enter(qtbot, field, "1, x", key=Qt.Key.Key_Tab)
    form.set_values({**form.values(), "rule": "aima"})
    assert field.text() == "1, x"
    assert form.row("start").error.isVisible()
    form.set_values({"start": (3.0,)})
    assert field.text() == "(3)"
    assert not form.row("start").error.isVisible()


def test_an_optional_number_can_be_none(qtbot, form):
    field = control(form, "most").field
    assert field.text() == ""
    assert field.placeholderText() == "none"
    enter(qtbot, field, "4")
    enter(qtbot, field, "")
    assert form.changes == [("most", 4), ("most", None)]


def test_an_empty_number_says_what_it_means(qtbot, form):
    form.show_params(algorithm("gradient_descent").params, {})
    assert control(form, "rate").field.placeholderText() == "auto"
    form.show_params(algorithm("perceptron").params, {})
    assert control(form, "rounds").field.placeholderText() == "auto"
    form.show_params(algorithm("em_means").params, {})
    assert control(form, "rounds").field.placeholderText() == "∞"
    field = control(form, "rounds").field
    enter(qtbot, field, "7")
    field.selectAll()
    field.insert("∞")  # no key of the test's keyboard writes it
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert form.changes[-2:] == [("rounds", 7), ("rounds", None)]
    assert not form.row("rounds").error.isVisible()


def test_dragging_a_slider_changes_live_and_settles_once(qtbot, form):
    bar = control(form, "rate").findChild(QSlider)
    qtbot.mousePress(
        bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, bar.height() // 2)
    )
    for x in range(1, 15):
        qtbot.mouseMove(bar, QPoint(bar.width() // 2 + x, bar.height() // 2))
    live = len(form.changes)
    assert live > 3
    assert form.settles == []
    qtbot.mouseRelease(
        bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2 + 14, bar.height() // 2)
    )
    assert form.settles == ["rate"]
    assert {name for name, _ in form.changes} == {"rate"}
    assert form.values()["rate"] == form.changes[-1][1]


def test_a_switch(qtbot, form):
    form.set_values({"stop": "rounds", "rounds": 5})
    box = control(form, "twice")
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert form.changes == [("twice", True)]
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert form.changes[-1] == ("twice", False)


def test_updating_from_outside_is_silent(form):
    form.set_values(
        {
            "rule": "aima",
            "rate": 3.0,
            "start": [1.0, 2.0],
            "stop": "rounds",
            "rounds": 7,
            "most": 3,
            "word": "no",
        }
    )
    assert form.changes == []
    assert form.settles == []
    assert form.values()["start"] == (1.0, 2.0)
    assert control(form, "rule").value() == "aima"
    assert control(form, "stop").currentText() == "rounds"
    assert control(form, "rounds").field.text() == "7"


def test_showing_the_same_class_again_keeps_the_widgets(form):
    before = control(form, "rate")
    form.show_params(Sample, {"rate": 2.0})
    assert control(form, "rate") is before
    form.show_params(perceptron.Params, {})
    assert set(form.values()) == {field.name for field in params_fields(perceptron.Params)}


def test_reset_of_one_row_and_of_all(qtbot, form):
    form.set_values({"rate": 3.0, "rule": "aima", "start": (1.0,)})
    menu = form.row("rate").menu()
    action = menu.actions()[0]
    assert action.text() == "Reset to 0.5"
    action.trigger()
    assert form.changes == [("rate", 0.5)]
    assert control(form, "rate").field.text() == "0.5"
    assert not form.row("rate").menu().actions()[0].isEnabled()
    enter(qtbot, control(form, "start"), "x")
    form.reset_all()
    assert form.changes[1:] == [("rule", "mmds"), ("start", ())]
    assert control(form, "start").text() == ""
    assert not form.row("start").error.isVisible()


def test_a_place_can_be_put_with_the_probe(qtbot, form):
    wanted = []
    form.place_wanted.connect(wanted.append)
    button = form.row("query").findChild(QToolButton)
    assert button.toolTip() == "Put Query with the probe"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wanted == ["query"]
    form.set_values({"query": (1.25, -2.0)})
    assert control(form, "query").text() == "(1.25, −2)"
    assert form.row("start").findChild(QToolButton) is None


def test_what_the_algorithm_refuses_stands_under_its_row(form):
    form.show_error("start", "Start w needs 2 numbers, one per column; it has 1.")
    assert form.row("start").error.isVisible()
    form.show_error("start", "")
    assert not form.row("start").error.isVisible()


def test_the_tab_key_walks_the_rows_in_order(qtbot, form):
    control(form, "rule").buttons()[0].setFocus()
    reached = []
    for _ in range(6):
        qtbot.keyClick(form.window().focusWidget(), Qt.Key.Key_Tab)
        at = form.window().focusWidget()
        reached.append(next(name for name in form.values() if form.row(name).isAncestorOf(at)))
    assert reached == ["rate", "rate", "start", "stop", "most", "most"]


@pytest.mark.parametrize("name", theme.THEMES)
def test_rows_keep_their_proportions_in_every_theme(qtbot, qapp, form, name):
    look = style.apply(qapp, name)
    qapp.processEvents()
    row = style.scale(look, theme.CONTROL_ROW)
    form.setFixedWidth(style.scale(look, 220))
    qapp.processEvents()
    assert form.row("rate").height() == row
    assert control(form, "rate").height() == style.control_height(look)
    segments = control(form, "rule")
    assert segments.width() == segments.sizeHint().width()
    assert segments.mapTo(form, QPoint(segments.width(), 0)).x() <= form.width()
    style.apply(qapp, "light")


# -- ranges without an upper end -------------------------------------------------------------------


@pytest.fixture
def endless(qtbot):
    control = NumberSlider(1e-4, float("inf"), 10.0, log_steps=True, accessible="Cost C")
    qtbot.addWidget(control)
    control.resize(220, 30)
    control.show()
    return control


def test_a_range_without_an_end_has_a_slider_that_ends_at_infinity(qtbot, endless):
    assert endless.slider.isVisible()
    with qtbot.waitSignal(endless.changed) as said:
        endless.slider.setValue(endless.slider.maximum())
    assert said.args == [float("inf")]
    assert endless.field.text() == "∞"
    endless.slider.setValue(0)
    assert endless.value() == 1e-4


def test_the_slider_of_an_endless_range_moves_in_powers(endless):
    places = endless.slider.maximum()
    values = [endless.scale.value(place) for place in range(places + 1)]
    assert values == sorted(values)
    assert {1e-4, 1e4, float("inf")} <= set(values)
    assert [endless.scale.place(v) for v in (1e-4, 1.0, 1e4, float("inf"))] == [0, 475, 950, 1000]


@pytest.mark.parametrize(
    ("text", "value"), [("inf", float("inf")), ("∞", float("inf")), ("1e6", 1e6), ("0,5", 0.5)]
)
def test_more_than_the_slider_shows_can_be_typed(qtbot, endless, text, value):
    endless.field.setText(text)
    endless.field.setModified(True)
    qtbot.keyClick(endless.field, Qt.Key.Key_Return)
    assert endless.value() == value


def test_the_arrow_keys_reach_infinity_and_come_back(qtbot, endless):
    endless.set_value(1e4)
    qtbot.keyClick(endless.slider, Qt.Key.Key_Right)
    assert endless.value() == float("inf")
    qtbot.keyClick(endless.slider, Qt.Key.Key_Right)
    assert endless.value() == float("inf")
    qtbot.keyClick(endless.slider, Qt.Key.Key_Left)
    assert endless.value() == 1e4


def test_many_rows_stand_closer_and_their_controls_do_not_touch(qtbot, qapp):
    """The eight rows of the decision tree; the picture's pitch is for up to seven."""
    style.apply(qapp, "light")
    form = ParamsForm()
    qtbot.addWidget(form)
    form.setFixedWidth(220)
    tree = engine.algorithms()["decision_tree"].params
    assert form.show_params(tree, {}) and not form.show_params(tree, {})
    form.show()
    rows = [form.row(name) for name in form.values() if form.row(name).isVisible()]
    assert len(rows) == 8 and {row.height() for row in rows} == {theme.CONTROL_ROW_TIGHT}
    spans = [(row.control.mapTo(form, QPoint(0, 0)).y(), row.control.height()) for row in rows]
    assert all(below - (top + height) >= 3 for (top, height), (below, _) in pairwise(spans))


@pytest.mark.parametrize(
    ("key", "name"), [("backpropagation", "outputs"), ("perceptron_network", "targets")]
)
def test_the_outputs_of_a_network_can_be_read_whole(qtbot, form, key: str, name: str) -> None:
    """“target and …” stood in the drop-down; the parameter keeps its words."""
    form.show_params(algorithm(key).params, {})
    chosen = control(form, name)
    options = next(f.options for f in params_fields(algorithm(key).params) if f.name == name)
    if isinstance(chosen, Combo):
        texts = [chosen.itemText(k) for k in range(chosen.count())]
        assert (
            max(map(chosen.fontMetrics().horizontalAdvance, texts)) + theme.CONTROL
            <= chosen.width()
        )
        chosen.setFocus()
        qtbot.keyClick(chosen, Qt.Key.Key_End)
    else:
        texts = [button.text() for button in chosen.findChildren(QAbstractButton)]
        qtbot.mouseClick(chosen.findChildren(QAbstractButton)[-1], Qt.MouseButton.LeftButton)
    assert texts == [*options[:-1], "+ aside"]
    assert form.values()[name] == options[-1] == "target and columns aside"


@pytest.mark.slow
def test_an_emptied_number_of_the_generator_says_that_it_is_empty(lab) -> None:
    data = lab.window.left_dock.data
    field = data.findChildren(NumberSlider)[0].field
    field.setFocus()
    field.clear()
    QTest.keyClick(field, Qt.Key.Key_Return)
    lab.settle()
    assert [line.text() for line in data.findChildren(ErrorLine) if line.isVisible()] == [
        "This needs a number."
    ]
