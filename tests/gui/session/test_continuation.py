"""Weights set by hand, and runs that go on from a step: edits of the document, undone and saved
like all others.
"""

import pickle

import numpy as np
import pytest
from laboratory import CTRL
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ready_window import opening

import engine
from engine.base.records import replace
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import MISFIT
from engine.protocol.step import Level
from engine.runs.start import Start
from engine.scene.scene import Network
from gui.figures.network import NetworkFigure
from gui.session.continuation import ENDED, FROM_BEGINNING, INSTEAD

KEY = "backpropagation"


def xor(**params):
    data = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], name="xor")
    return Document(data, (lane(KEY, **params),))


net_begun = opening(lambda: xor(epochs=20))


@pytest.fixture
def net(net_begun):
    net_begun.session.seek(20)
    net_begun.settle()
    return net_begun


def weights(lab):
    return next(f for f in lab.session.scene.figures if isinstance(f, Network)).weights


def begun(lab):
    """The state that the shown run begins with; None at its own beginning."""
    start = lab.session.lane_run.run.start
    return None if start is None else lab.session.continuation.states[start]


def same_states(one, other):
    """Whether two recordings are the same to the last bit."""
    return [pickle.dumps(step.state) for step in one] == [
        pickle.dumps(step.state) for step in other
    ]


def shown_figure(lab):
    figure = lab.window.stage.first.widget()
    assert isinstance(figure, NetworkFigure)
    return figure


@pytest.mark.slow
def test_a_weight_set_on_the_figure_starts_a_new_run_from_there(net):
    document = net.session.document
    before = [w.copy() for w in weights(net)]
    run = net.session.trace
    figure = shown_figure(net)
    link = (len(before) - 1, 0, 0)
    figure.verticalScrollBar().setValue(0)
    QTest.mouseClick(
        figure.viewport(),
        Qt.MouseButton.LeftButton,
        pos=(figure.place(link) - figure.origin()).toPoint(),
    )
    assert figure.field is not None
    assert figure.link == link
    net.write("2.5")
    net.key(Qt.Key.Key_Return)
    net.settle()
    assert net.session.lane.start.change == (link, 2.5)
    assert [edit.label for edit in net.session.history.done] == ["set a weight by hand"]
    assert net.session.cursor == 0
    start = begun(net)
    assert start.weights[link[0]][0, 0] == 2.5
    others = start.weights[0].copy()
    assert np.array_equal(others, before[0]) or link[0] == 0
    assert net.said().startswith("Weight set by hand")
    assert net.window.action("anew").isEnabled()
    net.key(Qt.Key.Key_Z, CTRL)
    net.settle()
    assert net.session.document == document
    assert net.session.cursor == 20, "the step that the weight was set at"
    assert same_states(net.session.trace, run)


@pytest.mark.slow
def test_escape_in_the_field_leaves_the_run_alone(net):
    run = net.session.lane_run
    figure = shown_figure(net)
    spot = (figure.place((0, 0, 0)) - figure.origin()).toPoint()
    QTest.mouseClick(figure.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    net.write("7")
    net.key(Qt.Key.Key_Escape)
    assert figure.field is None
    assert net.session.lane_run is run


@pytest.mark.slow
def test_going_on_keeps_the_state_when_parameters_change(net):
    weights_then = [w.copy() for w in net.session.step.state.weights]
    net.window.action("go_on").trigger()
    net.settle()
    assert net.session.cursor == 0
    assert "on from round 4" in net.window.chips.texts()
    net.session.set_params(rate=0.01)
    net.settle()
    assert all(map(np.array_equal, begun(net).weights, weights_then))
    assert net.session.trace.params.rate == 0.01
    net.session.undo()
    assert begun(net) is not None


@pytest.mark.slow
def test_starting_again_brings_the_first_run_back(net):
    first = net.session.trace[0].state.weights
    net.session.continuation.from_here()
    net.settle()
    net.window.action("anew").trigger()
    assert net.said() == FROM_BEGINNING, "no longer that it goes on from somewhere"
    net.settle()
    assert net.session.lane_run.run.start is None
    assert all(map(np.array_equal, net.session.trace[0].state.weights, first))
    assert not net.window.action("anew").isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize("change", ["data", "method", "new"])
def test_other_data_and_methods_begin_at_their_beginning(net, change):
    net.session.continuation.from_here()
    if change == "method":
        net.session.choose("perceptron")
    elif change == "new":
        net.window.commands.new()
    else:
        net.window.commands.use_data(engine.generate("moons"))
    assert net.session.lane.start is None
    assert net.session.lane_run is None or net.session.lane_run.run.start is None
    net.session.undo()
    net.settle()
    assert begun(net) is not None


@pytest.mark.slow
def test_the_probe_the_unit_and_the_seed_do_not_end_it(net):
    net.session.continuation.from_here()
    start = net.session.lane_run.run.start
    net.session.place_probe((0.5, 0.5))
    assert net.session.lane_run.run.start is start
    net.session.set_unit(Level.DETAIL)
    assert net.session.lane_run.run.start is start
    net.session.set_seed(5)
    assert net.session.lane_run.run.start == start


@pytest.mark.slow
def test_parameters_that_do_not_fit_the_state_begin_again_and_say_so(open_lab):
    lab = open_lab(Document(engine.generate("moons"), (lane("perceptron", threshold="learned"),)))
    lab.session.seek(5)
    lab.session.continuation.from_here()
    lab.session.set_params(threshold="zero")
    lab.settle()
    lab.until(lambda: lab.said() == f"{MISFIT} {INSTEAD}")
    assert lab.session.lane_run.run.start is None
    assert not lab.session.error
    assert len(lab.session.trace) > 1
    lab.session.set_params(threshold="learned")
    lab.settle()
    assert begun(lab) is not None, "with parameters that fit it goes on again"


@pytest.mark.slow
def test_what_cannot_go_on_says_so_by_a_grey_command(open_lab):
    lab = open_lab(Document(engine.generate("moons"), (lane("nearest_neighbours"),)))
    assert not lab.window.action("go_on").isEnabled()
    lab.session.continuation.from_here()
    lab.session.continuation.tweak((0, 0, 0), 1.0)
    assert lab.session.lane_run.run.start is None
    lab.session.choose("perceptron")
    assert lab.window.action("go_on").isEnabled()


@pytest.mark.slow
def test_another_table_that_ends_such_a_run_says_so(net):
    """And does not call the run from the beginning the same one, still at its step."""
    net.window.action("go_on").trigger()
    net.settle()
    net.session.seek(7)
    net.settle()
    heard = []
    net.session.said.connect(lambda sentence, kind: heard.append(sentence))
    net.window.commands.use_data(engine.generate("moons"))
    net.settle()
    assert [sentence for sentence in heard if sentence] == [ENDED]
    assert not net.session.continuation.went_on


@pytest.mark.slow
def test_going_on_is_undone_and_done_again_with_the_steps_that_were_shown(net):
    first = list(net.session.trace)
    there = net.session.cursor
    net.window.action("go_on").trigger()
    net.settle()
    second = list(net.session.trace)
    net.session.seek(9)
    net.key(Qt.Key.Key_Z, CTRL)
    net.settle()
    assert net.said() == "Undone: go on from this step."
    assert (net.session.cursor, net.session.lane.start) == (there, None)
    assert same_states(net.session.trace, first)
    net.session.redo()
    net.settle()
    assert net.session.cursor == 9
    assert same_states(net.session.trace, second)


@pytest.mark.slow
def test_starting_again_is_undone_too(net):
    net.session.continuation.from_here()
    net.settle()
    second = list(net.session.trace)
    net.session.seek(3)
    net.window.action("anew").trigger()
    net.settle()
    net.session.undo()
    net.settle()
    assert net.session.cursor == 3
    assert same_states(net.session.trace, second)


@pytest.mark.slow
def test_a_moved_point_moves_the_run_before_too(open_lab):
    """The model to go on from is that of the same step, learnt from the points as they are now."""
    lab = open_lab(Document(engine.generate("moons"), (lane("perceptron", rounds=5),)))
    lab.session.seek(12)
    lab.session.continuation.from_here()
    lab.session.edit(
        edits.move_points(lab.session.document, np.array([0]), np.array([[3.0, 3.0]])),
        "move a point",
    )
    lab.settle()
    before = engine.run(
        "perceptron", lab.session.document.data, rounds=5, pace=engine.Pace(Level.STEP)
    )
    after = engine.run(
        "perceptron",
        lab.session.document.data,
        rounds=5,
        pace=engine.Pace(Level.STEP),
        go_on_from=before.start_at(12),
    )
    assert same_states(lab.session.trace, after)


@pytest.mark.slow
def test_where_the_run_before_is_too_short_now_the_run_begins_at_its_beginning_and_says_why(
    open_lab,
):
    lab = open_lab(Document(xor().data, (lane("perceptron", threshold="learned", rounds=50),)))
    lab.session.seek(lab.session.trace.indices(Level.ROUND)[30])
    lab.session.continuation.from_here()
    lab.settle()
    second = list(lab.session.trace)
    codes = lab.session.problem.codes
    # a line parts them now
    lab.session.edit(edits.relabel(lab.session.document, np.array([0]), codes[1]), "relabel")
    lab.settle()
    lab.until(lambda: lab.said().endswith(INSTEAD))
    assert lab.said().startswith("The run to go on from has no round 30 now: it ends after ")
    assert lab.session.lane_run.run.start is None
    assert lab.session.lane.start is not None, "the document still says so"
    assert len(lab.session.trace) > 1 and not lab.session.error
    lab.session.undo()
    lab.settle()
    assert same_states(lab.session.trace, second)


@pytest.mark.slow
def test_while_a_long_run_is_followed_to_its_step_the_window_says_so(open_lab):
    """And the run that goes on from there is shown as soon as it begins."""
    long = lane("backpropagation", epochs=100)
    start = Start(long.key, long.params, 20, level=Level.ROUND)
    lab = open_lab(
        Document(engine.generate("moons", 300), (replace(long, start=start),)), wait=False
    )
    assert len(lab.session.trace) == 0
    lab.until(
        lambda: (
            lab.said() == "The run before is followed to its round 20 first: there this one begins."
        )
    )
    lab.until(lambda: len(lab.session.trace) > 0, 60.0)
    assert lab.session.trace[0].state.epoch == 21


@pytest.mark.slow
def test_a_saved_project_opens_at_the_same_step_of_the_same_run(net, tmp_path, open_lab):
    net.window.action("go_on").trigger()
    net.session.set_params(rate=0.3)
    net.settle()
    net.session.seek(4)
    net.session.continuation.tweak((0, 1, 0), -1.5)
    net.settle()
    net.session.seek(6)
    net.settle()
    path = str(tmp_path / "on.learnscope")
    assert net.window.commands.save_to(path)
    lab = open_lab(xor())
    lab.window.commands.open_path(path)
    lab.settle()
    assert lab.session.document == net.session.document
    assert lab.session.lane.start.start is not None
    assert lab.session.cursor == 6
    assert same_states(lab.session.trace, net.session.trace)


def test_a_fold_is_opened_as_a_run_and_undo_brings_the_experiment_back(open_lab) -> None:
    document = Document(engine.generate("moons", 40, seed=3), (lane("cross_validation", k=4),))
    lab = open_lab(document)
    session = lab.session
    action = lab.window.actions_.all["open_run"]
    session.seek(0)
    assert not action.isEnabled()
    session.seek(next(i for i, step in enumerate(session.trace) if step.line == "test"))
    assert action.isEnabled()
    fold = session.step.state.deal == 0
    model = session.step.state.model
    lab.key(Qt.Key.Key_Return, CTRL)
    lab.settle()
    assert session.lane.key == "decision_tree"
    assert session.lane.seed == model.seed
    assert session.problem.held_out.n == fold.sum()
    assert lab.window.left_dock.split.slider.value() == 25
    session.undo()
    lab.settle()
    assert session.lane.key == "cross_validation"
    assert session.problem.held_out is None


def test_a_learner_of_two_classes_is_opened_on_its_own_problem(open_lab) -> None:
    """The table has the classes that it learnt; undo brings those of the table back."""
    document = Document(engine.real("iris"), (lane("several_classes", learner="svm"),))
    lab = open_lab(document)
    session = lab.session
    session.seek(next(i for i, step in enumerate(session.trace) if step.line == "learn"))
    lab.key(Qt.Key.Key_Return, CTRL)
    lab.settle()
    assert session.lane.key == "svm"
    assert session.problem.classes == ("setosa", "the rest")
    assert session.data.name == "Iris: setosa against the rest"
    assert not session.error
    session.undo()
    lab.settle()
    assert session.lane.key == "several_classes"
    assert len(session.problem.classes) == 3


def test_the_learners_of_the_wrapper_are_those_of_two_classes(open_lab) -> None:
    lab = open_lab(Document(engine.real("iris"), (lane("several_classes"),)))
    choice = lab.window.left_dock.form.row("learner").choices[0]
    choice.combo.opening.emit()
    offered = [choice.combo.itemData(i) for i in range(choice.combo.count())]
    assert {"", "svm", "perceptron", "hinge_descent"} <= {*offered}
    assert not {"several_classes", "naive_bayes", "linear_regression"} & {*offered}
