"""Weights set by hand, and runs that go on from a step: new runs from a state, beside the document."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from engine.core.scene import Network
from engine.core.step import Level
from engine.document.document import Document
from engine.document.lane import lane
from gui.figures.network import NetworkFigure
from gui.session.going_on import ANEW, LOST, MISFIT

KEY = "backpropagation"


def xor(**params):
    data = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], name="xor")
    return Document(data, (lane(KEY, **params),))


@pytest.fixture
def net(open_lab):
    lab = open_lab(xor(epochs=20))
    lab.session.seek(20)
    lab.settle()
    return lab


def weights(lab):
    return next(f for f in lab.session.scene.figures if isinstance(f, Network)).weights


def shown_figure(lab):
    figure = lab.window.right_dock.figure.body.stack.currentWidget()
    assert isinstance(figure, NetworkFigure)
    return figure


def test_a_weight_set_on_the_figure_starts_a_new_run_from_there(net):
    document, before = net.session.document, [w.copy() for w in weights(net)]
    figure = shown_figure(net)
    link = (len(before) - 1, 0, 0)
    figure.verticalScrollBar().setValue(0)
    QTest.mouseClick(figure.viewport(), Qt.MouseButton.LeftButton, pos=(figure.place(link) - figure.origin()).toPoint())
    assert figure.field is not None
    assert figure.link == link
    net.write("2.5")
    net.key(Qt.Key.Key_Return)
    net.settle()
    assert net.session.document is document
    assert not net.session.history.done
    assert net.session.cursor == 0
    start = net.session.lane_run.run.start
    assert start.weights[link[0]][0, 0] == 2.5
    others = start.weights[0].copy()
    assert np.array_equal(others, before[0]) or link[0] == 0
    assert net.said().startswith("Weight set by hand")
    assert "Undo" in net.said()
    assert net.window.action("anew").isEnabled()


def test_escape_in_the_field_leaves_the_run_alone(net):
    run, figure = net.session.lane_run, shown_figure(net)
    spot = (figure.place((0, 0, 0)) - figure.origin()).toPoint()
    QTest.mouseClick(figure.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    net.write("7")
    net.key(Qt.Key.Key_Escape)
    assert figure.field is None
    assert net.session.lane_run is run


def test_going_on_keeps_the_state_when_parameters_change(net):
    weights_then = [w.copy() for w in net.session.step.state.weights]
    net.window.action("go_on").trigger()
    net.settle()
    assert net.session.cursor == 0
    net.session.set_params(rate=0.01)
    net.settle()
    start = net.session.lane_run.run.start
    assert all(map(np.array_equal, start.weights, weights_then))
    assert net.session.trace.params.rate == 0.01
    net.session.undo()
    assert net.session.lane_run.run.start is not None


def test_starting_anew_brings_the_first_run_back(net):
    first = net.session.trace[0].state.weights
    net.session.go_on_from_here()
    net.settle()
    net.window.action("anew").trigger()
    assert net.said() == ANEW, "no longer that it goes on from somewhere"
    net.settle()
    assert net.session.lane_run.run.start is None
    assert all(map(np.array_equal, net.session.trace[0].state.weights, first))
    assert not net.window.action("anew").isEnabled()


@pytest.mark.parametrize("change", ["data", "seed", "method"])
def test_other_data_seeds_and_methods_begin_at_their_beginning(net, change):
    net.session.go_on_from_here()
    if change == "seed":
        net.session.set_seed(5)
    elif change == "method":
        net.session.choose("perceptron")
    else:
        net.session.edit(Document(engine.generate("moons"), net.session.document.lanes), "other data")
    assert net.session.lane_run.run.start is None


def test_the_probe_and_the_unit_do_not_end_it(net):
    net.session.go_on_from_here()
    start = net.session.lane_run.run.start
    net.session.place_probe((0.5, 0.5))
    assert net.session.lane_run.run.start is start
    net.session.set_unit(Level.DETAIL)
    assert net.session.lane_run.run.start is start


def test_parameters_that_do_not_fit_the_state_begin_anew_and_say_so(open_lab):
    lab = open_lab(Document(engine.generate("moons"), (lane("perceptron", threshold="learned"),)))
    lab.session.seek(5)
    lab.session.go_on_from_here()
    lab.session.set_params(threshold="zero")
    lab.settle()
    lab.until(lambda: lab.said() == MISFIT)
    assert lab.session.lane_run.run.start is None
    assert not lab.session.error
    assert len(lab.session.trace) > 1


def test_what_cannot_go_on_says_so_by_a_grey_command(open_lab):
    lab = open_lab(Document(engine.generate("moons"), (lane("nearest_neighbours"),)))
    assert not lab.window.action("go_on").isEnabled()
    lab.session.go_on_from_here()
    lab.session.tweak((0, 0, 0), 1.0)
    assert lab.session.lane_run.run.start is None
    lab.session.choose("perceptron")
    assert lab.window.action("go_on").isEnabled()


def test_an_edit_of_the_data_that_ends_such_a_run_says_so(net):
    """And does not call the run from the beginning the same one, still at its step."""
    net.window.action("go_on").trigger()
    net.settle()
    net.session.seek(7)
    net.settle()
    net.session.edit(net.session.document.with_lane(0, seed=net.session.lane.seed + 1), "take another seed")
    net.until(lambda: net.said() == LOST)
    net.settle()
    assert net.said() == LOST
    assert not net.session.going_on.went_on
    net.session.edit(net.session.document.with_lane(0, seed=net.session.lane.seed + 1), "take another seed")
    net.until(lambda: net.said().startswith("A run with another seed"))
