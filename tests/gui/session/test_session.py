"""The session: what an edit, a parameter, a unit or a data set does to the run and to the moment
that is shown.
"""

import itertools
import pickle

import numpy as np
import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtTest import QTest

import engine
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.protocol.step import Level
from gui.figures.plot import PlotFigure
from gui.session import clock
from gui.setup.picker import KEY, WHY
from gui.setup.picker_catalogue import bundled_sets, load

FOUR = ("perceptron", "nearest_neighbours", "decision_tree", "adaboost")


def state(lab: Lab) -> bytes:
    return pickle.dumps(lab.session.step.state)


# -- time ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_stepping_back_is_exact(lab: Lab) -> None:
    forwards = []
    for _ in range(30):
        forwards.append(state(lab))
        lab.key(Key.Key_Right)
    for seen in reversed(forwards):
        lab.key(Key.Key_Left)
        assert state(lab) == seen


@pytest.mark.slow
def test_any_step_is_shown_as_it_was_first_seen(lab: Lab) -> None:
    count = len(lab.session.trace)
    first = {}
    for index in np.random.default_rng(1).integers(0, count, 40):
        lab.session.seek(int(index))
        assert first.setdefault(index, state(lab)) == state(lab)


@pytest.mark.slow
def test_a_step_that_is_not_there_yet_is_shown_when_it_is(endless: Lab) -> None:
    """The perceptron on XOR goes on and on; more is recorded the further one looks."""
    ahead = len(endless.session.trace) + 3_000
    endless.session.seek(ahead)
    assert endless.session.cursor < ahead
    endless.until(lambda: endless.session.cursor == ahead)
    assert not endless.session.finished


@pytest.mark.slow
@pytest.mark.parametrize(
    "keys", [("overfitting_curve",), ("perceptron", "overfitting_curve")], ids=len
)
def test_a_first_step_that_takes_its_time_is_shown_when_it_is_there(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    """The moment in which small runs follow a drag ends before there is one."""
    advance = LaneRun.advance
    monkeypatch.setattr(clock, "AT_ONCE", 0.0)
    monkeypatch.setattr(
        LaneRun,
        "advance",
        lambda run, seconds, *given, **more: (
            advance(run, seconds, *given, **more) if seconds else None
        ),
    )
    lab.session.open(Document(engine.generate("moons", 40), tuple(lane(key) for key in keys)))
    lab.session.activate(len(keys) - 1)
    lab.until(lambda: all(view.step for view in lab.session.lane_views))
    lab.settle()
    assert lab.session.cursor == 0
    assert lab.window.right_dock.step.lead.note is lab.session.step.note
    assert [figure for figure in lab.window.findChildren(PlotFigure) if figure.isVisible()]


@pytest.mark.slow
def test_the_end_of_an_endless_run_is_what_is_recorded(endless: Lab) -> None:
    before = len(endless.session.trace)
    endless.key(Key.Key_End)
    endless.until(lambda: len(endless.session.trace) > before + 1_000)
    endless.until(lambda: endless.session.cursor > before)
    endless.key(Key.Key_Home)
    assert endless.session.cursor == 0
    assert endless.session.wanted == 0


@pytest.mark.slow
@pytest.mark.parametrize("unit", list(Level))
def test_a_unit_keeps_the_moment(lab: Lab, unit: Level) -> None:
    lab.session.seek(17)
    counted = {
        u: int(np.searchsorted(lab.session.trace.indices(Level.STEP), 17, side="right"))
        for u in [unit]
    }
    moment = state(lab)
    lab.session.set_unit(unit)
    assert state(lab) == moment
    lab.session.set_unit(Level.DETAIL)
    lab.settle()
    passed = int(
        np.searchsorted(lab.session.trace.indices(Level.STEP), lab.session.cursor, side="right")
    )
    assert passed == counted[unit]
    lab.session.set_unit(Level.STEP)
    assert lab.session.cursor == 17
    assert state(lab) == moment


@pytest.mark.slow
def test_units_with_the_mouse(lab: Lab) -> None:
    for button, unit in zip(lab.window.transport.units.buttons(), Level, strict=True):
        QTest.mouseClick(button, LEFT)
        assert lab.session.unit == unit


@pytest.mark.slow
def test_rounds_of_a_large_table_are_counted_without_their_steps(open_lab) -> None:
    rng = np.random.default_rng(0)
    data = engine.Dataset.from_arrays(rng.normal(size=(2_500, 2)), rng.integers(0, 2, 2_500))
    lab = open_lab(Document(data, (lane("perceptron", rounds=3),)))
    lab.session.set_unit(Level.ROUND)
    lab.settle()
    rounds = len(lab.session.trace)
    lab.session.seek(2)
    moment = state(lab)
    lab.session.set_unit(Level.STEP)
    lab.settle()
    assert len(lab.session.trace) > 100 * rounds
    assert state(lab) == moment
    lab.session.set_unit(Level.ROUND)
    lab.settle()
    assert lab.session.cursor == 2
    assert state(lab) == moment


# -- parameters ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_parameter_restarts_the_run_and_keeps_the_place(lab: Lab) -> None:
    lab.session.seek(9)
    run = lab.session.lane_run
    lab.session.set_params(rate=0.125)
    assert lab.session.lane_run is not run
    assert lab.session.lane.params.rate == 0.125
    assert lab.session.cursor == 9


@pytest.mark.slow
def test_a_bad_parameter_is_a_sentence_and_the_run_goes_on(lab: Lab) -> None:
    lab.session.seek(9)
    run, before = lab.session.lane_run, lab.session.document
    row = lab.window.left_dock.form.row("rate")
    field = row.control.field
    for text in ("abc", "−1", "1e99", ""):
        field.setFocus()
        field.selectAll()
        lab.key(Key.Key_Delete)
        lab.write(text.replace("−", "-"))
        lab.key(Key.Key_Return)
        assert row.error.text().endswith("."), text
        assert row.error.isVisible()
        assert lab.session.document is before
        assert lab.session.lane_run is run
        assert lab.session.cursor == 9
    field.selectAll()
    lab.write("0.25")
    lab.key(Key.Key_Return)
    assert not row.error.isVisible()
    assert lab.session.lane.params.rate == 0.25


@pytest.mark.slow
def test_start_weights_of_the_wrong_length_are_a_sentence(lab: Lab) -> None:
    field = lab.window.left_dock.form.row("start").control
    field.setFocus()
    field.selectAll()
    lab.write("1, 2, 3, 4, 5")
    lab.key(Key.Key_Return)
    said = lab.window.left_dock.form.row("start").error.text() or lab.said()
    assert said.endswith("."), "five start weights for two columns need a word"
    lab.window.action("undo").trigger()
    assert lab.session.trace is not None


@pytest.mark.slow
def test_another_seed_is_another_run(lab: Lab) -> None:
    lab.session.set_params(rule="aima")
    lab.settle()
    lab.session.seek(20)
    first = state(lab)
    lab.window.action("seed").trigger()
    assert lab.session.cursor == 20
    assert state(lab) != first
    lab.window.action("undo").trigger()
    assert state(lab) == first


# -- data and algorithms ---------------------------------------------------------------------------


@pytest.mark.slow
def test_data_that_the_algorithm_cannot_take_are_a_sentence_and_a_grey_row(lab: Lab) -> None:
    lab.window.commands.use_data(engine.generate("three_fields"))
    assert lab.session.trace is None
    assert lab.said() == "Perceptron needs two classes, this table has 3."
    picker = lab.window.left_dock.picker
    picker.open()
    model = picker.model
    why = {model.item(k).data(KEY): model.item(k).data(WHY) for k in range(model.rowCount())}
    assert why["perceptron"] == "needs two classes, this table has 3"
    assert not why["decision_tree"]
    lab.key(Key.Key_Escape)
    lab.key(Key.Key_Space)
    lab.key(Key.Key_Right)
    lab.key(Key.Key_End)
    assert not lab.session.player.playing
    assert lab.said() == "Perceptron needs two classes, this table has 3."
    lab.session.choose("decision_tree")
    assert lab.session.trace is not None
    assert lab.said() == ""


@pytest.mark.sweep
def test_every_data_set_with_every_algorithm_runs_or_says_why_not(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of four algorithms with every table; of the others one with every third."""
    # the window does not wait for the worker here
    monkeypatch.setattr("gui.session.clock.AHEAD", 50)
    others = itertools.cycle([key for key in engine.algorithms() if key not in FOUR])
    usual = itertools.cycle(FOUR)
    for k, (kind, name, _) in enumerate(bundled_sets()):
        try:
            data = load(kind, name)
        except engine.EngineError:
            continue  # some sets do not come with the lab; test_docks looks at the sentence
        for n, key in enumerate((next(usual), next(others)) if k % 3 == 0 else (next(usual),)):
            if n == 0:
                lab.session.choose(key, with_data(lab.session.document, data))
            else:
                lab.session.choose(key)
            lab.session.seek(4)
            lab.settle_drawing()
            lab.until(
                lambda: lab.session.step is not None or bool(lab.session.error)
            )  # an experiment learns before it tells
            if lab.session.step is None:
                assert lab.session.error.endswith("."), (name, key)
                assert lab.said() == lab.session.error, (name, key)
            else:
                assert lab.session.step.note.text(), (name, key)


@pytest.mark.slow
def test_an_empty_plane_and_then_points_begin_a_run(lab: Lab) -> None:
    lab.window.action("new").trigger()
    assert len(lab.data) == 0
    assert lab.said().startswith("There are no examples yet")
    lab.key(Key.Key_1)
    lab.click(-1, -1)
    lab.key(Key.Key_2)
    lab.click(1, 1)
    assert lab.session.trace is not None
    assert lab.said() == ""
    lab.settle()
    lab.key(Key.Key_End)
    assert lab.session.finished
    assert lab.session.trace.predict([[-1.0, -1.0], [1.0, 1.0]]).tolist() == [1, -1]


# -- held-out rows ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_held_out_rows_have_numbers_and_a_dashed_curve(open_lab) -> None:
    lab = open_lab(Document(engine.generate("moons", noise=0.3), (lane("decision_tree"),)))
    slider = lab.window.left_dock.split.slider
    slider.field.setFocus()
    slider.field.selectAll()
    lab.write("30")
    lab.key(Key.Key_Return)
    lab.settle()
    problem = lab.session.problem
    assert problem.held_out.n == round(0.3 * len(lab.data))
    lab.window.action("last").trigger()
    caption = lab.window.left_dock.split.caption.full_text()
    wrong = 100 * lab.session.trace.wrong(problem.held_out).mean()
    assert f"test {wrong:.0f} % wrong" in caption
    assert caption.startswith("train ")
    lab.until(lambda: _dashed_end(lab) == pytest.approx(wrong))
    lab.window.action("undo").trigger()
    assert lab.session.problem.held_out is None


def _dashed_end(lab: Lab) -> float:
    """The last value of the dashed curve of the held-out rows; −1 while there is none."""
    series = [s for s in lab.window.timeline.curves.series if s.name == "held out" and s.dashed]
    return float(series[0].y[-1]) if series else -1.0


@pytest.mark.slow
def test_a_fault_of_an_algorithm_is_a_sentence(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self, seconds, until, *more, wait=-1.0):
        self.error = "This went wrong, and your data are safe."

    monkeypatch.setattr(LaneRun, "advance", fail)
    lab.session.set_params(rate=0.3)
    lab.settle_drawing()
    assert lab.said() == "This went wrong, and your data are safe."
