"""A fold's run stands by itself: the same model, tested on the rows that it has not seen."""

import numpy as np

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.opening import opened, shown_model
from engine.files.project import from_plain, to_plain
from engine.runs.run import run_problem
from engine.table.prepare import Split, prepare

MOONS = engine.generate("moons", 40, seed=3)


def test_the_opened_run_says_what_the_fold_said() -> None:
    document = Document(MOONS, (lane("cross_validation", k=4, learner="nearest_neighbours(k=3)"),))
    problem = document.problem()
    trace = run_problem("cross_validation", problem, k=4, learner="nearest_neighbours(k=3)")
    s = [step.state for step in trace if step.line == "test"][1]
    alone = opened(document, 0, problem, shown_model(s))
    assert alone.lanes[0].key == "nearest_neighbours"
    assert alone.lanes[0].params.k == 3
    test = np.flatnonzero(s.deal == 1)
    assert alone.split.rows == tuple((test + 1).tolist())
    own = run_problem("nearest_neighbours", alone.problem(), k=3)
    assert own.codes(alone.problem().held_out.X).tolist() == s.answers[1].tolist()


def test_the_first_step_shows_no_run() -> None:
    trace = engine.run("cross_validation", MOONS)
    assert shown_model(trace[0].state) is None
    assert shown_model(engine.run("decision_tree", MOONS)[0].state) is None


def test_rows_held_out_by_number_are_kept_in_the_project_file() -> None:
    document = Document(MOONS, (lane("decision_tree"),), split=Split(rows=(7, 3)))
    problem = document.problem()
    assert problem.held_out.numbers == (3, 7)
    assert problem.n == 38
    plain = to_plain(document)
    assert plain["version"] == 3
    assert from_plain(plain).document.split == document.split
    assert to_plain(Document(MOONS, (lane("decision_tree"),)))["version"] == 1


def test_one_row_stays_to_learn_from() -> None:
    assert prepare(MOONS, split=Split(rows=tuple(range(1, 41)))).n == 1
