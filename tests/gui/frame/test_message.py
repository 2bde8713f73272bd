"""Messages: notices go, errors stay until they are dismissed or mended, and the plane never moves
for them.
"""

import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtCore import QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.registry import algorithms
from gui.frame.message import SHOWN_MS
from gui.look import theme
from gui.session.changes import Change

LONG = (
    "“house.csv” holds no table: its first line has one cell, the second seventeen. Choose another"
    " separator in the open dialog, or open the file in a spreadsheet first."
)


def test_the_plane_stands_still(lab: Lab) -> None:
    place = lab.window.stage.geometry()
    for kind in ("info", "error", "fault"):
        lab.session.say(LONG, kind)
        QApplication.processEvents()
        assert lab.window.stage.geometry() == place
    lab.session.offer(LONG, "Mend it", lambda: None)
    QApplication.processEvents()
    assert lab.window.stage.geometry() == place


def in_window(lab: Lab, widget: QWidget, rect: QRect) -> QRect:
    return QRect(widget.mapTo(lab.window, rect.topLeft()), rect.size())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "size"),
    [("light", (1280, 800)), ("dark", (800, 600)), ("projector", (1280, 800))],
)
def test_no_card_covers_a_picture(open_lab, look: str, size: tuple[int, int]) -> None:
    """Neither the plane with its axes nor what stands around it, and nothing moves for a card."""
    lab = open_lab(None, size)
    lab.window.use_theme(look)
    lab.settle()
    message, timeline = lab.window.message, lab.window.timeline
    place = in_window(lab, lab.window.stage, lab.window.stage.rect())
    for say in (
        lambda: lab.session.say("Points snap to the grid."),
        lambda: lab.session.say(LONG),
        lambda: lab.session.say(LONG, "error"),
        lambda: lab.session.offer(LONG, "Mend it", lambda: None),
    ):
        say()
        QTest.qWait(20)
        assert in_window(lab, lab.window.stage, lab.window.stage.rect()) == place
        cards = [card for card in message.cards if card.isVisible()]
        for card in cards:
            assert message.rect().contains(card.geometry())
            assert card.label.heightForWidth(
                card.label.width()
            ) <= card.label.height() + theme.current().line_height("body")
        covered = in_window(lab, message, message.rect())
        assert cards and lab.window.rect().contains(covered) and not covered.intersects(place)
        if timeline.isVisible():
            assert not covered.intersects(in_window(lab, timeline, timeline.rect()))
    assert message.offer.isVisible(), "what was said last, where not all have room"


def test_a_notice_goes_and_an_error_stays(lab: Lab) -> None:
    message = lab.window.message
    lab.session.say("That did not work.", "error")
    lab.session.say("Enter jumps to step 26.")
    assert message.text() == "Enter jumps to step 26."
    assert message.timer.interval() == SHOWN_MS
    lab.session.say("It is read at the pace of a slow reader. " * 5)
    assert message.timer.interval() > 2 * SHOWN_MS
    message.timer.timeout.emit()
    assert message.text() == "That did not work."
    assert message.isVisible()


def test_a_remark_stays_until_something_is_changed_or_it_is_dismissed(lab: Lab) -> None:
    """A run may take longer to draw than a notice stays."""
    message = lab.window.message
    for end in (
        lambda: lab.session.edit(edits.delete_rows(lab.session.document, [0]), "erase"),
        lambda: lab.key(Key.Key_Escape),
    ):
        lab.session.say(LONG, "remark")
        lab.session.say("Points snap to the grid.")
        message.timer.timeout.emit()
        lab.key(Key.Key_Right)
        lab.settle()
        assert message.remark.isVisible() and message.text() == LONG
        end()
        assert not message.remark.isVisible() and message.text() != LONG


@pytest.mark.slow
def test_a_remark_covers_nothing_on_the_projector(open_lab) -> None:
    lab = open_lab(None, (1280, 800))
    window = lab.window
    for look in ("projector", "light", "projector"):
        window.use_theme(look)
        lab.session.say(f"{LONG} {LONG}", "remark")
        lab.settle()
        remark = window.message.remark
        card = in_window(lab, remark, remark.rect())
        assert remark.isVisible() and window.rect().contains(card)
        others = [window.stage, window.timeline]
        if look == "projector":
            others += [window.title_row, window.caption_band]
        for other in others:
            place = in_window(lab, other, other.rect())
            assert not other.isVisible() or not card.intersects(place)


def test_an_error_is_dismissed_by_its_cross_and_by_escape(lab: Lab) -> None:
    message = lab.window.message
    lab.session.say("That did not work.", "error")
    QTest.mouseClick(message.error.cross, LEFT)
    assert not message.isVisible()
    lab.session.say("That did not work.", "error")
    lab.key(Key.Key_Escape)
    assert not message.isVisible()


def test_escape_leaves_the_selection_while_it_dismisses(lab: Lab) -> None:
    lab.plane.select([1, 2])
    lab.session.say("That did not work.", "error")
    lab.key(Key.Key_Escape)
    assert lab.plane.selected == {1, 2}
    lab.key(Key.Key_Escape)
    assert not lab.plane.selected


def test_the_next_change_takes_an_error_away_but_not_a_fault(lab: Lab) -> None:
    lab.session.say("That did not work.", "error")
    lab.click(*lab.free_place())
    assert not lab.window.message.error.isVisible()
    lab.session.say("The disk is full.", "fault")
    lab.click(*lab.free_place())
    assert lab.window.message.error.text() == "The disk is full."
    lab.session.say("", "fault")
    assert not lab.window.message.error.isVisible()


def test_what_is_taken_back_is_only_a_fault(lab: Lab) -> None:
    lab.session.say("That did not work.", "error")
    lab.session.say("", "fault")
    assert lab.window.message.error.text() == "That did not work."


@pytest.mark.slow
def test_why_there_is_no_run_stays_and_its_button_undoes(lab: Lab) -> None:
    message = lab.window.message
    before = lab.session.document
    lab.key(Key.Key_3)
    lab.click(*lab.free_place())
    lab.session.say("Points snap to the grid.")
    message.timer.timeout.emit()
    assert "two classes" in message.text()
    assert message.standing.action.text() == "Undo"
    lab.key(Key.Key_Escape)
    assert message.standing.isVisible(), "it holds as long as it is true"
    QTest.mouseClick(message.standing.action, LEFT)
    assert lab.session.document is before
    assert not message.standing.isVisible()


@pytest.mark.slow
def test_where_undo_does_not_mend_it_a_method_that_fits_is_offered(lab: Lab) -> None:
    """Points erased from a table that does not fit: taking that back would leave the error as it
    is.
    """
    standing = lab.window.message.standing
    algorithms()
    lab.key(Key.Key_3)
    lab.click(*lab.free_place())
    assert standing.action.text() == "Undo"
    lab.session.edit(edits.delete_rows(lab.session.document, [0]), "erase")
    assert "two classes" in standing.text()
    assert standing.action.text() == "Use Several classes with it"
    lab.key(Key.Key_Z, CTRL)
    assert standing.action.text() == "Undo", "now it would mend it again"
    lab.key(Key.Key_Y, CTRL)
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.lane.key == "several_classes"
    assert lab.session.lane.params.learner == "perceptron(start=(-1.0 0.5))"
    assert lab.session.trace is not None and not standing.isVisible()


@pytest.mark.slow
def test_a_table_that_was_just_opened_is_not_taken_back(lab: Lab) -> None:
    standing = lab.window.message.standing
    algorithms()
    lab.window.commands.use_data(engine.generate("three_fields"))
    assert standing.action.text() == "Use Several classes with it"
    lab.window.commands.use_data(engine.textbook("restaurant"))
    assert standing.action.text() == "Use 0/1 columns"
    gaps = {"a": ["p", None, "q", "q"], "b": [1.0, None, 3.0, 4.0], "y": ["no", "yes", "no", "yes"]}
    lab.window.commands.use_data(engine.Dataset.from_columns(gaps, target="y", name="gaps"))
    assert standing.text().endswith("fill or drop them in the data panel.")
    assert standing.action.text() == "Fill missing values"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and len(lab.data) == 4


def test_a_table_that_came_with_the_wrong_method_has_a_way_out(open_lab) -> None:
    lab = open_lab(Document(engine.generate("sine"), (lane("svm"),)))
    standing = lab.window.message.standing
    assert standing.action.text().startswith("Use ")
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.lane.key != "svm" and lab.session.algorithm.needs.values
    assert lab.session.trace is not None and not standing.isVisible()


def words() -> engine.Dataset:
    columns = {
        "a": [1.0, 2.0, 3.0, 4.0],
        "b": [1.0, 2.5, 3.0, 1.0],
        "c": ["red", "green", "blue", "red"],
    }
    return engine.Dataset.from_columns({**columns, "y": ["p", "q", "p", "q"]}, target="y")


@pytest.mark.slow
@pytest.mark.parametrize("opened", [False, True])
def test_the_switch_that_the_sentence_names_is_at_hand(open_lab, opened: bool) -> None:
    lab = open_lab(Document(words(), (lane("perceptron"),)) if opened else None)
    if not opened:
        lab.window.commands.use_data(words())
    standing = lab.window.message.standing
    assert standing.text() == "Perceptron needs numbers, “c” holds words: turn on 0/1 columns."
    assert standing.action.text() == "Use 0/1 columns"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and not standing.isVisible()
    assert lab.session.lane.key == "perceptron"
    assert [feature.name for feature in lab.session.problem.features][:2] == ["a", "b"]
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert standing.action.text() == "Use 0/1 columns"


def test_one_button_does_all_that_the_sentence_says(open_lab) -> None:
    """Winnow wants 0 and 1 everywhere: words become columns, the numbers of a and b are
    left out.
    """
    lab = open_lab(Document(words(), (lane("winnow"),)))
    standing = lab.window.message.standing
    assert standing.text().endswith(
        "turn words into 0/1 columns, leave out the 2 columns of other numbers."
    )
    assert standing.action.text() == "Use 0/1 columns, leave out 2 columns"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and lab.session.lane.key == "winnow"
    assert [f.name for f in lab.session.problem.features] == ["c = blue", "c = green", "c = red"]
    lab.key(Key.Key_Z, CTRL)
    assert [c.role.value for c in lab.data.columns] == [
        "feature",
        "feature",
        "feature",
        "target",
    ], "one edit"


def test_numbers_alone_are_nothing_for_zero_and_one_and_no_column_is_left_out(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons"), (lane("winnow"),)))
    algorithms()
    lab.session.lane_view.announce(Change.RUN)
    standing = lab.window.message.standing
    assert (
        standing.text()
        == "Winnow needs columns of 0 and 1, “x1” holds something else: choose other data."
    )
    assert standing.action.text().startswith("Use ") and "0/1" not in standing.action.text()


def test_one_column_that_is_in_the_way_is_left_out_by_name(open_lab) -> None:
    columns = {
        "size": [1.5, 2.0, 3.0, 4.0],
        "red": ["no", "yes", "no", "yes"],
        "y": ["p", "q", "p", "q"],
    }
    lab = open_lab(
        Document(engine.Dataset.from_columns(columns, target="y"), (lane("decision_list"),))
    )
    standing = lab.window.message.standing
    assert standing.text().endswith("“size” holds other numbers: leave it out.")
    assert standing.action.text() == "Leave out size"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and [f.name for f in lab.session.problem.features] == [
        "red"
    ]


@pytest.mark.slow
def test_a_second_class_is_clicked_where_one_lacks(lab: Lab) -> None:
    """The button takes the tool and the class that the sentence names; the click then makes the
    run.
    """
    lab.window.action("new").trigger()
    lab.session.set_settings(tool="add")
    lab.key(Key.Key_1)
    lab.click(-1.0, -1.0)
    lab.click(-1.0, 1.0)
    lab.session.set_settings(tool="select")
    standing = lab.window.message.standing
    assert (
        standing.text()
        == "Perceptron needs two classes, this table has one. Press 2 and click a point of"
        " class −1."
    )
    assert standing.action.text() == "Click class −1"
    QTest.mouseClick(standing.action, LEFT)
    assert (lab.session.tool, lab.session.current_class) == ("add", 1)
    lab.click(1.0, 1.0)
    lab.settle()
    assert lab.session.trace is not None and not standing.isVisible()
    assert lab.classes() == [1, 1, -1]


def test_a_column_of_numbers_can_be_predicted_where_the_target_is_words(open_lab) -> None:
    columns = {"a": [1.0, 2.0, 3.5, 4.0], "b": [1.0, 2.5, 3.0, 1.0], "y": ["p", "q", "p", "q"]}
    lab = open_lab(
        Document(engine.Dataset.from_columns(columns, target="y"), (lane("linear_regression"),))
    )
    standing = lab.window.message.standing
    assert standing.text().endswith("needs a column of numbers as target.")
    assert standing.action.text() == "Predict b"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and lab.session.problem.target.name == "b"
    assert [f.name for f in lab.session.problem.features] == ["a"]


@pytest.mark.slow
def test_parameters_that_do_not_fit_have_a_way_out_too(lab: Lab) -> None:
    """The data are not to blame: no other method is offered."""
    standing = lab.window.message.standing
    lab.session.set_params(start=(1.0, 2.0, 3.0, 4.0, 5.0))
    lab.settle()
    assert standing.isVisible() and standing.action.text() == "Undo"
    lab.session.set_params(start=(1.0, 2.0, 3.0, 4.0))
    lab.settle()
    assert standing.isVisible() and standing.action.text() == "Use the default parameters"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and not standing.isVisible()


def test_an_offer_does_its_effect_once(lab: Lab) -> None:
    done: list[int] = []
    lab.session.offer("Your work was kept.", "Bring it back", lambda: done.append(1))
    card = lab.window.message.offer
    assert card.action.accessibleName() == "Bring it back"
    QTest.mouseClick(card.action, LEFT)
    assert done == [1]
    assert not card.isVisible()


def test_a_notice_lets_clicks_through_to_what_it_floats_over(lab: Lab) -> None:
    lab.window.use_theme("projector")
    lab.session.say("Points snap to the grid.")
    QApplication.processEvents()
    message = lab.window.message
    middle = message.mapTo(lab.window, message.rect().center())
    assert lab.window.childAt(middle) is lab.window.title_row
    lab.session.say("That did not work.", "error")
    QApplication.processEvents()
    middle = message.mapTo(lab.window, message.rect().center())
    assert message.isAncestorOf(lab.window.childAt(middle))


def test_the_buttons_are_reached_with_the_keyboard(lab: Lab) -> None:
    lab.session.offer("Your work was kept.", "Bring it back", lambda: None)
    reached = set()
    widget = lab.window.message.offer.action
    for _ in range(1000):
        widget = widget.nextInFocusChain()
        reached.add(widget)
    assert lab.window.message.offer.action in reached
    assert lab.window.message.offer.cross in reached
    assert lab.window.message.offer.accessibleName() == "Your work was kept."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "kind"), [("linear_regression", "numbers"), ("perceptron", "classes")]
)
def test_whole_numbers_are_read_the_other_way_by_a_button(open_lab, key: str, kind: str) -> None:
    task = "classify" if kind == "numbers" else "regress"
    lab = open_lab(
        Document(
            engine.Dataset.from_columns({"x": [0.0, 1.0, 2.0], "y": [3, 5, 3]}, "y", task=task),
            (lane(key),),
        )
    )
    standing = lab.window.message.standing
    assert standing.text().endswith(f"needs a column of {kind} as target.")
    assert standing.action.text() == f"Read the target as {kind}"
    QTest.mouseClick(standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and not standing.isVisible()
    assert lab.session.problem.regress == (kind == "numbers")
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert lab.session.problem.regress != (kind == "numbers")


def test_where_no_method_of_the_family_learns_values_one_is_offered_that_learns_no_experiment(
    open_lab,
) -> None:
    lab = open_lab(Document(engine.generate("sine"), (lane("svm"),)))
    algorithms()
    lab.session.lane_view.announce(Change.RUN)
    QTest.mouseClick(lab.window.message.standing.action, LEFT)
    lab.settle()
    assert lab.session.trace is not None and not lab.session.algorithm.is_experiment
