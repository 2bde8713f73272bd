"""Predict: a person answers before the step is shown, by mouse and keys: wrongly, rightly and with
a tie. Nothing leaks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from laboratory import CTRL, LEFT, NONE, SHIFT, Key, Lab, point_at
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from ready_window import opening

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge.questions import Every, Kind
from engine.protocol.step import Level
from gui.session.predicting import UNCOVERED

STEP = Level.STEP


def tree(lanes: int = 1) -> Document:
    data = engine.generate("moons", 60, noise=0.2, seed=3)
    return Document(data, (lane("decision_tree"),) * lanes)


lab = opening(tree)


def twins() -> Document:
    """Both columns say the same: every split is a tie."""
    x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    data = engine.Dataset.from_arrays(np.column_stack([x, x]), [0, 0, 1, 1, 0, 0], name="twins")
    return Document(data, (lane("decision_tree"),))


def begin(lab: Lab) -> Any:
    lab.settle()
    lab.key(Key.Key_Question, SHIFT)
    QApplication.processEvents()
    return lab.session.predicting


def letter(predicting: Any, right: bool) -> Any:
    """The key of a listed answer that is right, or wrong."""
    question = predicting.question
    k = next(i for i, c in enumerate(question.options) if question.candidates[c].right == right)
    return Key(Key.Key_A + k)


def click(button: QPushButton) -> None:
    QTest.mouseClick(button, LEFT, NONE, button.rect().center())


# -- answering -------------------------------------------------------------------------------------


def test_one_key_asks_and_escape_leaves(lab: Lab) -> None:
    predicting = begin(lab)
    panel = lab.window.predict.panel
    assert predicting.on and panel.isVisible() and lab.window.predict.button.isChecked()
    assert panel.question.prompt.text() == "Which has the largest gain?"
    assert [button.text()[0] for button in panel.question.answers.buttons] == ["A", "B"]
    assert panel.geometry() == lab.window.right_dock.rect()
    lab.key(Key.Key_Escape)
    assert not predicting.on and panel.isHidden() and predicting.fence == UNCOVERED
    assert not lab.window.predict.button.isChecked()
    lab.key(Key.Key_Right)
    assert lab.session.cursor > 0


def test_no_sentence_names_a_plane_that_is_not_there(open_lab: Callable[..., Lab]) -> None:
    """The restaurant's columns are words: there is only the table to click."""
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)))
    begin(lab)
    hint = lab.window.predict.panel.question.hint.text()
    assert "table" in hint and "plane" not in hint


def test_a_wrong_answer_is_reported_with_the_numbers_and_then_the_step_is_shown(lab: Lab) -> None:
    predicting = begin(lab)
    at = predicting.at
    before = lab.session.cursor
    assert before < at
    lab.key(letter(predicting, right=False))
    verdict = lab.window.predict.panel.verdict
    assert predicting.tally.answered == 1 and predicting.tally.right == 0
    assert lab.session.cursor == at and verdict.isVisible()
    best = predicting.question.candidates[predicting.question.right[0]]
    assert verdict.said.text().startswith("✕ Not ") and best.label in verdict.said.text()
    assert any(best.worth in row for row in predicting.verdict.why) and best.worth.endswith("bits")
    assert verdict.step.lead.as_text() == lab.session.step.note.text()


def test_a_right_answer_counts_and_enter_goes_on(lab: Lab) -> None:
    predicting = begin(lab)
    first = predicting.at
    lab.key(letter(predicting, right=True))
    score = lab.window.predict.panel.score
    assert (score.right.text(), score.of.text()) == ("1", "of 1 right")
    assert score.kinds.text() == "columns 1 of 1"
    lab.key(Key.Key_Return)
    assert predicting.verdict is None and predicting.at > first
    assert lab.window.predict.panel.question.number.text() == "question 2"


@pytest.mark.parametrize("key", [Key.Key_A, Key.Key_B])
def test_of_a_tie_each_is_right(open_lab: Callable[..., Lab], key: Any) -> None:
    lab = open_lab(twins())
    predicting = begin(lab)
    rights = [predicting.question.candidates[k].cut for k in predicting.question.right]
    assert rights == [(0, 1.5), (0, 3.5), (1, 1.5), (1, 3.5)]
    lab.key(key)
    assert predicting.verdict.right and "; as good: " in predicting.verdict.said
    assert lab.window.predict.panel.verdict.rule.text().startswith("A tie, ")


@pytest.mark.parametrize("right", [True, False])
def test_a_line_on_the_plane_is_clicked(lab: Lab, right: bool) -> None:
    predicting = begin(lab)
    question = predicting.question
    k = next(k for k in question.options if question.candidates[k].right == right)
    axis, at = question.candidates[k].cut
    view = lab.plane.view()
    place = [np.mean(view.x) + 0.31 * np.ptp(view.x), np.mean(view.y) - 0.37 * np.ptp(view.y)]
    place[axis] = at
    lab.move(*place)
    assert predicting.pointed == k
    rows = len(lab.data)
    lab.click(*place)
    assert predicting.verdict is not None and predicting.verdict.right == right
    assert len(lab.data) == rows, "a click that answers makes no point"


def test_a_click_on_nothing_is_no_answer_and_makes_no_point(lab: Lab) -> None:
    predicting = begin(lab)
    assert lab.session.tool == "add"
    view = lab.plane.view()
    rows = len(lab.data)
    lab.click(view.x[0] + 0.02 * np.ptp(view.x), view.y[0] + 0.02 * np.ptp(view.y))
    assert predicting.verdict is None and predicting.tally.answered == 0 and len(lab.data) == rows


def test_the_example_that_is_taken_next_is_clicked(square: Lab) -> None:
    predicting = begin(square)
    predicting.want(Every.STEP, Kind.POINT)
    for right in (False, True):
        question = predicting.question
        assert question.kind is Kind.POINT
        row = next(k for k, c in enumerate(question.candidates) if c.right == right)
        x, y = square.points()[row]
        square.move(x + 0.3, y + 0.3)
        square.click(x, y)
        assert predicting.verdict is not None and predicting.verdict.right == right
        square.key(Key.Key_Right)
    assert predicting.tally.words() == "points 1 of 2"


def test_a_row_of_the_table_is_clicked(square: Lab) -> None:
    square.window.stage.choose("Examples", beside=True)
    predicting = begin(square)
    predicting.want(Every.STEP, Kind.POINT)
    table = next(
        p.figures.stack.currentWidget() for n, p in square.window.stage.panes() if n == "Examples"
    )
    row = predicting.question.right[0]
    rect = table.visualRect(table.model().index(row, 1))
    QTest.mouseMove(table.viewport(), rect.center() + QPoint(1, 0))
    QTest.mouseMove(table.viewport(), rect.center())
    QTest.mouseClick(table.viewport(), LEFT, NONE, rect.center())
    assert predicting.verdict is not None and predicting.verdict.right


def test_numbers_are_typed_and_their_tolerance_is_shown(square: Lab) -> None:
    """w ← (0, 0, 0) + η y x, by hand."""
    predicting = begin(square)
    predicting.want(Every.STEP, Kind.NUMBER)
    form = square.window.predict.panel.question.form
    QApplication.processEvents()
    assert len(form.fields) == len(predicting.question.blanks) > 1
    assert form.fields[0].hasFocus() and "□₁" in form.text.text()
    assert all(
        b.tolerance in (t.toolTip() + t.accessibleDescription() + b.tolerance)
        for b, t in zip(predicting.question.blanks, form.fields, strict=True)
    )
    square.write("nonsense")
    for field in form.fields[1:]:
        square.key(Key.Key_Return)
        assert field.hasFocus()
        square.write("77")
    square.key(Key.Key_Return)
    assert predicting.verdict is None and "is no number" in form.error.label.text()
    form.fields[0].setFocus()
    form.fields[0].selectAll()
    square.write("77")
    square.key(Key.Key_Return)
    assert predicting.verdict is not None and not predicting.verdict.right
    assert (
        f"{predicting.question.blanks[0].mark} is {predicting.question.blanks[0].shown}"
        in predicting.verdict.said
    )
    square.key(Key.Key_Return)
    assert predicting.verdict is None and predicting.tally.answered == 1
    QApplication.processEvents()
    for blank in predicting.question.blanks:
        square.write(blank.shown)
        square.key(Key.Key_Return)
    assert predicting.verdict is not None and predicting.verdict.right
    assert predicting.tally.words() == "numbers 1 of 2"


def test_letters_in_a_blank_are_letters(square: Lab) -> None:
    predicting = begin(square)
    predicting.want(Every.STEP, Kind.NUMBER)
    QApplication.processEvents()
    square.write("a?f")
    assert square.window.predict.panel.question.form.fields[0].text() == "a?f" and predicting.on
    square.key(Key.Key_Escape)
    assert not predicting.on


def test_the_answer_can_be_shown_and_a_question_skipped(lab: Lab) -> None:
    predicting = begin(lab)
    view = lab.window.predict.panel.question
    click(view.show_answer)
    assert predicting.tally.answered == 1 and not predicting.verdict.right
    assert predicting.verdict.said.startswith("The answer: ")
    click(lab.window.predict.panel.verdict.go_on)
    at = predicting.at
    click(view.skip)
    assert predicting.tally.answered == 1 and predicting.at > at and predicting.fence >= at


def test_every_round_and_every_step(square: Lab) -> None:
    predicting = begin(square)
    wishes = square.window.predict.panel.wishes
    click(wishes.every.buttons()[2])
    assert predicting.ask.every is Every.ROUND
    assert predicting.at in square.session.trace.indices(Level.ROUND)
    click(wishes.every.buttons()[1])
    assert (
        predicting.ask.every is Every.STEP
        and predicting.at > predicting.fence == square.session.cursor
    )


def test_the_run_ends_and_says_so(square: Lab) -> None:
    predicting = begin(square)
    predicting.want(Every.STEP)
    for _ in range(200):
        if predicting.question is None:
            break
        predicting.skip()
    assert square.session.cursor == len(square.session.trace) - 1
    assert (
        square.window.predict.panel.question.prompt.text()
        == "The run is over: nothing is left to predict."
    )


# -- nothing leaks ---------------------------------------------------------------------------------


def test_no_key_and_no_scrubbing_gets_past_the_question(lab: Lab) -> None:
    predicting = begin(lab)
    fence = predicting.fence
    timeline = lab.window.timeline
    for key, keys in (
        (Key.Key_Right, NONE),
        (Key.Key_Right, SHIFT),
        (Key.Key_End, NONE),
        (Key.Key_PageDown, NONE),
        (Key.Key_Space, NONE),
    ):
        lab.key(key, keys)
        QTest.qWait(40)
        assert lab.session.cursor == fence and not lab.session.player.playing, key
    lab.write("12")
    lab.key(Key.Key_Return)
    assert lab.session.cursor == fence
    for x in (timeline.width() - 30, timeline.width() // 2):
        QTest.mouseClick(timeline, LEFT, NONE, QPoint(x, timeline.height() - 20))
        assert lab.session.cursor == fence
    assert predicting.open and predicting.tally.answered == 0


def test_the_curve_its_axis_and_its_marks_end_at_the_cursor(lab: Lab) -> None:
    predicting = begin(lab)
    timeline = lab.window.timeline
    timeline.grab()
    assert all(
        series.x.max(initial=0) <= predicting.fence and not series.end
        for series in timeline.paper.curves.series
    )
    assert timeline.paper.until == predicting.fence
    right = timeline.grab().toImage()
    lab.key(Key.Key_Escape)
    timeline.grab()
    assert max(series.x.max() for series in timeline.paper.curves.series) > predicting.at
    assert timeline.grab().toImage() != right


def test_what_is_covered_looks_the_same_whatever_comes(open_lab: Callable[..., Lab]) -> None:
    """Two runs with the same first step and another future look the same right of the cursor."""
    pictures = []
    for labels in ([0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 0, 1]):
        x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
        data = engine.Dataset.from_arrays(np.column_stack([x, x[::-1]]), labels, name="six")
        lab = open_lab(Document(data, (lane("decision_tree"),)))
        lab.session.seek(0)
        begin(lab)
        timeline = lab.window.timeline
        picture = timeline.grab().toImage()
        area = timeline.paper.area.toRect().adjusted(
            round(float(timeline.x_of(timeline.view.cursor))) + 8, 0, 0, 0
        )
        pictures.append(
            [
                picture.pixel(x, y)
                for x in range(area.left() + 400, area.right(), 7)
                for y in range(area.top(), area.bottom(), 3)
            ]
        )
    assert pictures[0] == pictures[1]


def test_why_is_silent_while_it_is_predicted(lab: Lab) -> None:
    x = lab.session.problem.X[0]
    assert lab.session.lane_view.explanation(x) is not None
    begin(lab)
    assert lab.session.lane_view.explanation(x) is None
    assert lab.session.lane_view.explanation(x) is None
    dock = lab.window.right_dock
    assert not dock.why.isVisible() and not dock.figure.isVisible()
    lab.session.set_settings(tool="probe")
    lab.move(*lab.free_place())
    lab.key(Key.Key_Escape)
    assert lab.session.lane_view.explanation(x) is not None


def test_other_lanes_are_covered_too(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(tree(lanes=2))
    predicting = begin(lab)
    assert all(view.veiled for view in lab.session.lane_views)
    assert all(view.cursor <= predicting.fence for view in lab.session.lane_views)
    lab.session.activate(1)
    lab.key(Key.Key_End)
    QTest.qWait(30)
    assert all(view.cursor <= predicting.fence for view in lab.session.lane_views)
    lab.key(Key.Key_Escape)
    assert not any(view.veiled for view in lab.session.lane_views)


def test_looking_back_asks_again_at_its_place(lab: Lab) -> None:
    predicting = begin(lab)
    predicting.show_answer()
    predicting.go_on()
    question, fence = predicting.question, predicting.fence
    lab.key(Key.Key_Home)
    assert lab.session.cursor == 0 and not predicting.open
    panel = lab.window.predict.panel.question
    assert panel.prompt.text() == "You look back." and panel.answers.isHidden()
    lab.key(letter(predicting, right=True))
    assert predicting.tally.answered == 1, "no answer where the question is not seen"
    click(panel.back)
    assert lab.session.cursor == fence and predicting.question is question and predicting.open


def test_an_edit_makes_a_new_question_and_undo_too(lab: Lab) -> None:
    predicting = begin(lab)
    question = predicting.question
    lab.session.set_params(importance="ratio")
    lab.settle()
    assert predicting.on and predicting.question is not None and predicting.question is not question
    assert lab.session.cursor <= predicting.fence < predicting.at
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert predicting.open and lab.session.cursor == predicting.fence


def test_another_algorithm_asks_about_itself(lab: Lab) -> None:
    predicting = begin(lab)
    lab.session.choose("perceptron")
    lab.settle()
    assert predicting.on and predicting.open
    assert predicting.question.step is lab.session.trace[predicting.at]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(860, 620), (1000, 700), (1280, 800), (1920, 1080)])
def test_nothing_in_the_panel_is_cut(open_lab: Callable[..., Lab], size: tuple[int, int]) -> None:
    lab = open_lab(tree(), size=size)
    predicting = begin(lab)
    QTest.qWait(30)
    panel = lab.window.predict.panel
    search = lab.window.search
    button = lab.window.predict.button
    assert search.geometry().right() < button.geometry().left()
    for _ in range(2):
        for part in (panel.question, panel.verdict, panel.score, panel.wishes):
            assert part.isHidden() or part.height() >= part.layout().totalHeightForWidth(
                part.width()
            )
        assert panel.page.width() == panel.viewport().width()
        predicting.show_answer()
        QTest.qWait(30)


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_it_works_in_every_theme(lab: Lab, theme: str) -> None:
    if theme == "projector":
        lab.window.toggle_projector()
    else:
        lab.window.use_theme(theme)
    predicting = begin(lab)
    QApplication.processEvents()
    panel = lab.window.predict.panel
    assert panel.isVisible() and panel.geometry() == lab.window.right_dock.rect()
    marks = lab.window.caption_band.marks()
    assert marks is not None and marks.index.max(initial=0) <= predicting.fence
    lab.key(letter(predicting, right=True))
    assert predicting.verdict.right and panel.verdict.isVisible()


def test_no_region_says_the_class_of_the_answer(open_lab: Callable[..., Lab]) -> None:
    """The surface of nearest neighbours knows the vote before it is counted."""
    data = engine.generate("blobs", 20, classes=2, seed=2)
    lab = open_lab(Document(data, (lane("nearest_neighbours"),)))
    predicting = begin(lab)
    view = lab.session.lane_view
    ranges = lab.plane.view()
    predicting.want(Every.CHOICE, Kind.SIDE)
    assert (
        predicting.question.surfaces_give_away
        and predicting.question.prompt == "Which class has the most votes?"
    )
    assert view.raster("class", ranges.x, ranges.y) is None
    x, y = next(
        (candidate, k)
        for k, candidate in enumerate(predicting.question.candidates)
        if candidate.right
    )
    lab.key(Key(Key.Key_A + y))
    assert predicting.verdict.right and x.label in predicting.verdict.said
    assert not view.regions_veiled
    lab.key(Key.Key_Escape)
    lab.settle()
    assert view.raster("class", ranges.x, ranges.y) is not None


def test_a_link_of_the_network_is_clicked(open_lab: Callable[..., Lab]) -> None:
    """Which link matters least? The link itself answers, in the picture of the network."""
    data = engine.generate("xor", 40, seed=1)
    lab = open_lab(Document(data, (lane("optimal_brain_damage", epochs=20, retrain=5),)))
    predicting = begin(lab)
    question = predicting.question
    assert question.kind is Kind.CELL
    k = question.right[0]
    lab.session.pointer.light(question.candidates[k].tags)
    pane = next(p for n, p in lab.window.stage.panes() if n == "Network")
    widget = pane.figures.stack.currentWidget()
    lit = lab.session.pointer.lit
    assert question.answering(lit) == k
    target = widget.viewport() if hasattr(widget, "viewport") else widget
    found = None
    for px in range(4, target.width(), 6):
        for py in range(4, target.height(), 6):
            if (
                found is None
                and question.answering(
                    frozenset(filter(None, widget.tag_at(QPointF(px, py)).split("\x1f")))
                )
                == k
            ):
                found = QPoint(px, py)
    assert found is not None
    point_at(target, found, lambda: question.answering(lab.session.pointer.lit) == k)
    QTest.mouseClick(target, LEFT, NONE, found)
    assert predicting.verdict is not None and predicting.verdict.right


@pytest.mark.slow
def test_all_listed_points_of_a_question_are_ringed_on_the_plane(open_lab) -> None:
    lab = open_lab(Document(engine.generate("leaning_clouds"), (lane("svm"),)))
    lab.settle()
    lab.session.predicting.begin()
    lab.session.predicting.want(only=Kind.POINT)
    lab.settle()
    question = lab.session.predicting.question
    assert question.kind is Kind.POINT and 4 < len(question.candidates) == len(question.options)
    ringed = {
        name
        for layer in lab.window.plane.answering.layers()
        for name in getattr(layer, "label", ())
    }
    assert {candidate.label for candidate in question.candidates} <= ringed
