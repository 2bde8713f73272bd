"""A table of more rows than anybody could see or every method could take, in the window."""

import numpy as np
from laboratory import Lab

import engine
from engine.base.records import replace
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import read_project
from engine.judge.held_out_points import held_out
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.start import Start
from engine.scene.scene import Points, Role
from engine.table.dataset import Dataset
from engine.table.prepare import Split
from engine.table.problem import Problem
from engine.table.row_words import MANY, fair_rows
from gui.setup.picker_catalogue import algorithm_entries

ROWS = MANY + 5_000


def document(**more: object) -> Document:
    X = np.random.default_rng(3).normal(size=(ROWS, 3)).round(4)
    data = Dataset.from_arrays(X, np.where(X @ [1.0, -2.0, 0.5] > 0.1, "in", "out"), name="cloud")
    return Document(data, (lane("perceptron"),), **more)  # type: ignore[arg-type]


def chips(lab: Lab) -> list[str]:
    return lab.window.chips.texts()


def drawn(lab: Lab) -> Points:
    return next(
        each
        for each in lab.session.lane_view.scene.layers
        if isinstance(each, Points) and each.tag == "data"
    )


def test_a_method_that_cannot_take_so_many_gets_a_sample_and_the_next_one_all_again(
    open_lab: object,
) -> None:
    lab: Lab = open_lab(document(), wait=False)  # type: ignore[operator]
    session = lab.session
    whole = f"{MANY:,} of {ROWS:,} points drawn"
    lab.until(lambda: session.step is not None)
    assert (session.problem.n, len(drawn(lab).xy)) == (ROWS, MANY)
    assert whole in chips(lab)
    session.choose("nearest_neighbours")
    lab.until(lambda: session.step is not None)
    assert session.problem.n == session.trace.problem.n == MANY
    assert f"{MANY:,} of {ROWS:,} rows" in chips(lab)
    assert whole not in chips(lab)
    session.choose("logistic_regression")
    assert session.trace.problem.n == ROWS
    session.undo()
    assert session.trace.problem.n == MANY


def test_a_point_of_many_is_dragged_and_brought_back_and_the_copy_holds_them_all(
    open_lab: object,
) -> None:
    lab: Lab = open_lab(document(), wait=False)  # type: ignore[operator]
    session = lab.session
    row = fair_rows(ROWS, MANY)[[17]]
    before = session.document
    lab.until(lambda: session.step is not None)
    place = [before.data[name].values[row[0]] for name in ("x1", "x2")]
    assert drawn(lab).xy[17].tolist() == place
    session.edit(edits.move_points(before, row, np.array([[0.25, 0.5]])), "move")
    assert drawn(lab).xy[17].tolist() == [0.25, 0.5]
    assert session.problem.xy[row[0]].tolist() == [0.25, 0.5]
    assert lab.window.commands.files.secure()
    assert read_project(lab.window.commands.files.autosave.path).document == session.document
    session.undo()
    assert drawn(lab).xy[17].tolist() == place


def test_all_rows_are_marked_and_those_ringed_that_are_drawn(open_lab: object) -> None:
    lab: Lab = open_lab(document(), wait=False)  # type: ignore[operator]
    lab.until(lambda: lab.session.step is not None)
    lab.plane.select(lab.plane.shown().rows)
    assert len(lab.plane.selected) == ROWS
    rings = [
        each
        for each in lab.plane.layers()
        if isinstance(each, Points) and each.role is Role.SUPPORT
    ]
    assert [len(each.xy) for each in rings] == [MANY]


def test_held_out_points_are_a_fixed_sample_too() -> None:
    problem = document(split=Split(0.9)).problem()
    (points,) = held_out(problem)
    assert isinstance(points, Points)
    assert isinstance(problem.held_out, Problem)
    assert (problem.held_out.n, len(points.xy)) == (round(0.9 * ROWS), MANY)


def test_no_method_is_refused_for_rows_that_it_will_not_be_given() -> None:
    said = {entry.key: entry.why for entry in algorithm_entries(document().problem(), "cloud")}
    assert said["active_learning"] == ""
    assert f"takes at most 5,000 rows, there are {ROWS:,}" in said["uv_descent"]


def test_a_run_that_goes_on_restarts_with_the_sample_when_a_lane_comes_that_takes_no_more(
    open_lab: object,
) -> None:
    """The state that it goes on from was found with all rows."""
    start = Start("perceptron", algorithm("perceptron").params(), 1, level=Level.ROUND)
    whole = replace(document(), lanes=(replace(lane("perceptron"), start=start),))
    lab: Lab = open_lab(whole, wait=False)  # type: ignore[operator]
    lab.until(lambda: lab.session.step is not None)
    both = replace(whole, lanes=(*whole.lanes, lane("nearest_neighbours")))
    for wanted in (whole, both):
        if wanted is both:
            lab.session.set_lanes(both, "add a lane", 0)
        lab.until(lambda: lab.session.step is not None)
        alone = engine.run(
            "perceptron", wanted.problem(), pace=Pace(Level.STEP), max_steps=1, go_on_from=start
        )
        assert lab.session.trace[0].state.w.tolist() == alone[0].state.w.tolist()


def test_where_a_method_cannot_learn_from_so_many_they_are_a_fixed_sample_too(
    open_lab: object,
) -> None:
    lab: Lab = open_lab(document(), wait=False)  # type: ignore[operator]
    lab.session.choose("gradient_descent")
    assert "column of numbers" in lab.session.lane_view.error
    assert [len(each.xy) for each in lab.plane.layers() if isinstance(each, Points)] == [MANY]
