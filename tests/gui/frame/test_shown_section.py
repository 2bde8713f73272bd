"""“Shown” in the left dock: what the marks of the plane mean, and check boxes that take
them away.
"""

from itertools import product

import numpy as np
import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.layers import Points, Role
from engine.scene.legend import COUNTED, ORDER, WORDS, WRONG, legend
from engine.table.prepare import Split
from gui.frame.shown_section import NOT_NOW, ShownSection
from gui.look import theme
from gui.painters.mark_picture import mark_pixmap

FREE, BOUNDED = "free, 0 < α < C", "bounded, α = C"


svm_begun = opening(lambda: Document(engine.generate("moons", 60, 0.3, 3), (lane("svm"),)))


@pytest.fixture
def svm(svm_begun: Lab) -> Lab:
    svm_begun.session.seek(1 << 60)
    svm_begun.settle()
    return svm_begun


def section(lab: Lab) -> ShownSection:
    return lab.window.left_dock.shown


def numbers(lab: Lab) -> dict[str, str]:
    return {words: row.number.text() for words, row in section(lab).rows.items()}


def click(lab: Lab, words: str) -> None:
    """On the words themselves, scrolled into sight as a person does it."""
    box = section(lab).rows[words].box
    lab.window.left_dock.ensureWidgetVisible(box)
    QTest.mouseClick(box, LEFT, pos=QPoint(70, box.height() // 2))


def drawn(lab: Lab, role: Role) -> int:
    return sum(
        len(layer.xy)
        for layer in lab.plane.layers()
        if isinstance(layer, Points) and layer.role is role
    )


def test_rows_say_what_the_rings_mean_and_how_many_there_are(svm: Lab) -> None:
    alpha = svm.session.step.state.alpha
    most = svm.session.lane.params.C
    at_c = alpha >= most * (1 - 1e-9)
    shown = numbers(svm)
    assert (shown[FREE], shown[BOUNDED]) == (str(((alpha > 0) & ~at_c).sum()), str(at_c.sum()))
    problem = svm.session.problem
    codes = svm.session.trace.codes(problem.X, at=svm.session.cursor)
    assert shown[WRONG] == str((codes != problem.codes).sum())
    assert section(svm).isVisible()


@pytest.mark.slow
def test_a_click_takes_the_rings_away_and_another_brings_them_back(svm: Lab) -> None:
    rings = drawn(svm, Role.SUPPORT)
    before = svm.session.document
    assert rings
    click(svm, FREE)
    assert drawn(svm, Role.SUPPORT) == 0 and drawn(svm, Role.BOUNDED) > 0
    assert not section(svm).rows[FREE].box.isChecked()
    assert section(svm).caption.full_text() == "1 hidden"
    assert numbers(svm)[FREE] == str(rings)  # what is there is still counted
    click(svm, FREE)
    assert drawn(svm, Role.SUPPORT) == rings and section(svm).caption.full_text() == ""
    # a setting of the view, no edit
    assert svm.session.document is before and not svm.session.history.done


@pytest.mark.slow
def test_the_plane_is_painted_without_them_at_once(svm: Lab) -> None:
    svm.settle()  # a finer surface would be another picture
    svm.settle_drawing()
    with_rings = svm.plane.grab().toImage()
    click(svm, BOUNDED)
    svm.settle_drawing()
    assert svm.plane.grab().toImage() != with_rings
    click(svm, BOUNDED)
    svm.settle_drawing()
    svm.until(lambda: svm.plane.size() == with_rings.size())  # a message may take room meanwhile
    assert svm.plane.grab().toImage() == with_rings


@pytest.mark.slow
def test_hidden_crosses_leave_the_points(svm: Lab) -> None:
    click(svm, WRONG)
    (data,) = (
        layer
        for layer in svm.plane.layers()
        if isinstance(layer, Points) and layer.role is Role.POINT
    )
    assert len(data.xy) == 60 and np.array_equal(data.shown, data.group)


@pytest.mark.slow
def test_the_keyboard_reaches_and_toggles_a_row(svm: Lab) -> None:
    box = section(svm).rows[FREE].box
    svm.window.left_dock.split.slider.field.setFocus()
    for _ in range(10):
        if QApplication.focusWidget() is box:
            break
        svm.key(Key.Key_Tab)
    assert QApplication.focusWidget() is box
    dock = svm.window.left_dock
    corner = box.mapTo(dock.viewport(), QPoint(0, 0))
    assert dock.viewport().rect().intersects(QRect(corner, box.size()))  # the dock scrolls to it
    svm.key(Key.Key_Space)
    assert drawn(svm, Role.SUPPORT) == 0


@pytest.mark.slow
def test_a_screen_reader_hears_words_and_number(svm: Lab) -> None:
    row = section(svm).rows[FREE]
    assert row.box.accessibleName() == f"Show: {FREE}"
    assert row.box.accessibleDescription() == row.number.text()
    assert "support vector" in row.box.toolTip()


@pytest.mark.slow
def test_what_is_hidden_stays_hidden_for_its_algorithm_only(svm: Lab) -> None:
    click(svm, WRONG)
    svm.session.choose("perceptron")
    svm.session.seek(30)
    svm.settle()
    assert section(svm).rows[WRONG].box.isChecked()
    svm.session.undo()
    svm.session.seek(1 << 60)
    svm.settle()
    assert not section(svm).rows[WRONG].box.isChecked()
    svm.session.previous()
    assert WRONG in svm.session.lane_view.marks.hidden


@pytest.mark.slow
def test_rows_stay_while_the_steps_change(svm: Lab) -> None:
    kept = set(section(svm).rows)
    svm.session.seek(0)
    assert kept <= set(section(svm).rows)
    assert numbers(svm)[BOUNDED] == NOT_NOW
    assert section(svm).rows[BOUNDED].box.accessibleDescription() == "none in this step"


def fly(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps follow one another from now on as in fast playback; the test is the clock."""
    monkeypatch.setattr(lab.session.player, "playing", True)
    lab.session.set_settings(speed=30.0)


def test_while_steps_fly_new_rows_come_with_those_whose_words_are_read(
    svm_begun: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lays out the dock, which took as long as two frames."""
    session = svm_begun.session
    shown = section(svm_begun)
    fly(svm_begun, monkeypatch)
    last = len(session.trace) - 1
    session.seek(2)
    kept = set(shown.rows)
    for at in range(last - 12, last + 1):
        session.seek(at)
        assert set(shown.rows) == kept
    session.lane_view.playback_budget.land()
    assert set(shown.rows) == kept | {BOUNDED}


def test_of_the_runs_under_a_dragging_hand_every_second_one_is_counted(
    svm: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the numbers are shown; the first of them, and one of another method, at once."""
    calls = []
    marks = svm.session.lane_view.marks
    legend = marks.legend
    monkeypatch.setattr(marks, "legend", lambda: (calls.append(1), legend())[1])
    fly(svm, monkeypatch)
    counts = []
    for tenths in range(1, 12):
        svm.session.set_params("C", C=tenths / 10)
        counts.append(len(calls))
    assert counts == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    svm.session.choose("perceptron")
    assert len(calls) == 7


def test_without_marks_or_plane_there_is_no_section(open_lab) -> None:
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)))
    assert not section(lab).isVisible() and not section(lab).rows


@pytest.mark.slow
def test_held_out_points_can_be_hidden(open_lab) -> None:
    data = engine.generate("moons", 60, 0.3, 3)
    lab = open_lab(Document(data, (lane("perceptron"),), split=Split(0.25)))
    assert numbers(lab)["held out for the test"] == "15" and drawn(lab, Role.HELD_OUT) == 15
    click(lab, "held out for the test")
    assert drawn(lab, Role.HELD_OUT) == 0


def held_layer(lab: Lab) -> Points:
    return next(
        each
        for each in lab.plane.layers()
        if isinstance(each, Points) and each.role is Role.HELD_OUT
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", ["perceptron", "decision_tree", "nearest_neighbours", "adaboost", "svm"]
)
def test_wrong_held_out_points_are_crossed_at_every_step(open_lab, key: str) -> None:
    data = engine.generate("moons", 80, 0.4, 3)
    lab = open_lab(Document(data, (lane(key),), split=Split(0.3)))
    trace = lab.session.trace
    held = lab.session.problem.held_out
    for cursor in (0, len(trace) // 2, len(trace) - 1):
        lab.session.seek(cursor)
        layer = held_layer(lab)
        says = trace.codes(held.X, cursor)
        crossed = (layer.shown >= 0) & (layer.shown != layer.group)
        assert np.array_equal(crossed, (says >= 0) & trace.wrong(held, cursor))
    assert 0 < crossed.sum() < held.n
    lab.session.lane_view.marks.show(WRONG, False)
    layer = held_layer(lab)
    assert not ((layer.shown >= 0) & (layer.shown != layer.group)).any()


@pytest.mark.slow
def test_clusters_and_values_cross_no_held_out_point(open_lab) -> None:
    blobs, sine = engine.generate("blobs", 60), engine.generate("sine")
    for data, key in ((blobs, "gaussian_mixture"), (sine, "linear_regression")):
        lab = open_lab(Document(data, (lane(key),), split=Split(0.3)))
        layer = held_layer(lab)
        assert layer.shown is None


@pytest.mark.slow
def test_the_exported_picture_goes_without_them_too(svm: Lab, tmp_path) -> None:
    pictures = []
    for name in ("all", "without"):
        svm.window.commands.exports.picture_to(str(tmp_path / f"{name}.png"))
        svm.window.commands.exports.picture_to(str(tmp_path / f"{name}.svg"))
        pictures.append(
            (QImage(str(tmp_path / f"{name}.png")), (tmp_path / f"{name}.svg").stat().st_size)
        )
        click(svm, BOUNDED)
    assert pictures[0][0] != pictures[1][0]
    assert pictures[0][1] > pictures[1][1]


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(engine.algorithms()))
def test_every_mark_has_a_picture_in_its_box(qapp: QApplication, key: str) -> None:
    """Nothing of a mark is cut off: the outermost pixels stay free where the mark is no line from
    side to side.
    """
    algorithm = engine.algorithms()[key]
    run = engine.Run(algorithm, algorithm.example(), algorithm.params())
    run.advance(max_steps=40)
    before = theme.current().name
    steps = [run.trace[round(share * (len(run.trace) - 1))] for share in (0, 0.5, 1)]
    scenes = [algorithm.scene(run.trace.given, step) for step in steps]
    marks = {mark.words: mark for scene in scenes for mark in legend(scene.layers)}
    try:
        for name, mark in product(theme.THEMES, marks.values()):
            theme.use(name)
            image = mark_pixmap(mark, 2.0).toImage().convertToFormat(QImage.Format.Format_RGBA8888)
            pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
            rows = np.flatnonzero((pixels[:, 3 : 4 * image.width() : 4] > 60).any(axis=1))
            assert len(rows) and rows[0] > 0 and rows[-1] < image.height() - 1, (name, mark.words)
    finally:
        theme.use(before)


@pytest.mark.slow
def test_the_colours_follow_the_theme(svm: Lab) -> None:
    box = section(svm).rows[BOUNDED].box
    light = box.icon().pixmap(box.iconSize()).toImage()
    svm.window.use_theme("dark")
    assert box.icon().pixmap(box.iconSize()).toImage() != light
    svm.window.use_theme("light")
    assert box.icon().pixmap(box.iconSize()).toImage() == light


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "projector"])
def test_words_are_never_cut(svm: Lab, name: str) -> None:
    """In the width of the dock, also with a number of three digits behind those that
    are counted.
    """
    svm.window.use_theme(name)
    svm.window.left_dock.show()
    svm.settle()
    row = section(svm).rows[BOUNDED]
    letters, digits = row.box.fontMetrics(), row.number.fontMetrics()
    beside = row.box.sizeHint().width() - letters.horizontalAdvance(row.box.text())
    gap = row.width() - row.box.width() - row.number.width()
    counted = {words for _, role, _, words in WORDS if role in COUNTED} | {WRONG}
    room = {
        words: row.width() - gap - digits.horizontalAdvance("888" if words in counted else "8")
        for words in ORDER
    }
    wide = {words: beside + letters.horizontalAdvance(words) for words in ORDER}
    assert {words: wide[words] for words in ORDER if wide[words] > room[words]} == {}
    svm.window.use_theme("light")


@pytest.mark.slow
def test_words_fold_in_a_narrow_dock(svm: Lab) -> None:
    """They were cut where a rail had opened the dock."""
    row = section(svm).rows[FREE]
    one = row.box.sizeHint().height()
    row.setFixedWidth(130)
    svm.settle()
    lines = row.box.text().split("\n")
    assert len(lines) == 2 and " ".join(lines) == FREE
    assert row.box.sizeHint().width() <= row.width() - row.number.width()
    assert row.box.height() > one
    row.setFixedWidth(300)
    svm.settle()
    assert row.box.text() == FREE
