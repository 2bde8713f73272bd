"""Where a script comes from: Python, the command line; what stands in it, and what happens where it
cannot be written.
"""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
import main
from engine.base.errors import EngineError
from engine.scripts import script_of
from engine.table.prepare import Transform
from tests.engine.scripts.running import equal_share, executed, grid


@pytest.fixture
def spam():
    return engine.run("perceptron", engine.textbook("spam"))


def test_a_script_runs_in_a_python_of_its_own(tmp_path, spam):
    file = tmp_path / "spam.py"
    assert spam.script(file) == file.read_text(encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-I", str(file)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "wrong training rows: 0 of 6" in ended.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spam.py"]


def test_a_large_table_is_a_file_beside_the_script(tmp_path):
    data = engine.generate("moons", 400, seed=2)
    trace = engine.run("nearest_neighbours", data, k=3)
    text = trace.script(tmp_path / "moons.py")
    assert len(text) < 5000
    with open(tmp_path / "moons.csv", encoding="utf-8", newline="") as lines:
        head, *rows = csv.reader(lines)
    assert head == ["x1", "x2", "y"] and len(rows) == 400
    assert [float(row[0]) for row in rows] == data["x1"].values.tolist()
    space = executed(text, tmp_path / "moons.py")
    assert equal_share(trace, space, grid(trace.problem)) > 0.99
    assert len(trace.script()) > 20_000  # without a file the rows stand in it


def test_words_gaps_and_the_split_come_back_from_the_file(tmp_path):
    n = 400
    rng = np.random.default_rng(0)
    words = [
        None if i % 50 == 7 else str(word)
        for i, word in enumerate(rng.choice(["sun", 'rain, "hail"', "1"], n))
    ]
    numbers = [None if i % 40 == 3 else float(value) for i, value in enumerate(rng.normal(size=n))]
    columns = {
        "sky": words,
        "warm": numbers,
        "walk": [str(word) for word in rng.choice(["yes", "no"], n)],
    }
    data = engine.Dataset.from_columns(columns, "walk")
    changes = (Transform("fill_missing"), Transform("one_hot"), Transform("standardise"))
    trace = engine.run("logistic_regression", data, transforms=changes, split=engine.Split(0.3, 5))
    space = executed(trace.script(tmp_path / "w.py"), tmp_path / "w.py")
    assert np.allclose(space["X"], trace.problem.X, rtol=1e-12, atol=1e-12)
    assert np.allclose(space["X_test"], trace.problem.held_out.X, rtol=1e-12, atol=1e-12)
    assert space["y_test"].tolist() == trace.problem.held_out.codes.tolist()
    raw = np.array(
        [[space["number"](j, cell) for j, cell in enumerate(row[:2])] for row in space["TABLE"]]
    )
    assert np.allclose(
        space["prepare"](raw)[~space["held_out"]], trace.problem.X, rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("kind", ["standardise", "unit_range", "polar", "quadratic"])
def test_each_change_of_numbers(kind):
    trace = engine.run(
        "perceptron", engine.generate("moons", 60, seed=1), transforms=(Transform(kind),), rounds=5
    )
    space = executed(trace.script())
    assert np.allclose(space["X"], trace.problem.X, rtol=1e-12, atol=1e-12)
    assert equal_share(trace, space, trace.problem.X) == 1


def test_columns_in_another_order():
    data = engine.generate("ten_coordinates", 60, seed=1)
    trace = engine.run("perceptron", data, transforms=(Transform("permute"),), rounds=5)
    space = executed(trace.script())
    assert np.array_equal(space["X"], trace.problem.X)
    assert equal_share(trace, space, trace.problem.X) == 1


@pytest.mark.parametrize("kind", ["fill_missing", "drop_missing"])
def test_each_change_of_gaps(kind):
    X = [[1.0, np.nan], [2.0, 5.0], [np.nan, 1.0], [4.0, 1.5], [1.5, 4.0], [5.0, 0.0]]
    data = engine.Dataset.from_arrays(X, ["a", "a", "b", "b", "a", "b"])
    trace = engine.run("perceptron", data, transforms=(Transform(kind),), rounds=9)
    space = executed(trace.script())
    assert np.array_equal(space["X"], trace.problem.X)
    assert space["y"].tolist() == trace.problem.codes.tolist()


def test_rows_held_out_by_number_and_rows_without_a_class():
    data = engine.Dataset.from_columns(
        {"x": [1.0, 2.0, 3.0, 4.0, 5.0], "y": ["a", None, "b", "b", "a"]}, "y"
    )
    trace = engine.run(
        "perceptron", data, split=engine.Split(rows=(3, 5)), rounds=3, threshold="learned"
    )
    space = executed(trace.script())
    assert space["X"].tolist() == [[1.0], [4.0]] and space["X_test"].tolist() == [[3.0], [5.0]]


def test_a_problem_of_unknown_origin_and_one_from_a_pickle():
    import pickle

    trace = engine.run(
        "perceptron", engine.textbook("six_points"), transforms=(Transform("standardise"),)
    )
    again = pickle.loads(pickle.dumps(trace))
    space = executed(again.script())
    assert np.array_equal(space["X"], trace.problem.X)
    assert equal_share(trace, space, trace.problem.X) == 1


HOSTILE = 'x"""\nimport os; os.abort()\\'


def test_names_from_files_are_no_code():
    columns = {
        HOSTILE: [1.0, 2.0, 3.0],
        "it's": ["a\n", '"""', "b\\"],
        "y'\"": ["+\n", "'''", "+\n"],
    }
    data = engine.Dataset.from_columns(columns, "y'\"", name=HOSTILE)
    trace = engine.run("decision_tree", data)
    space = executed(trace.script())
    assert space["predict"](space["X"]).tolist() == trace.predict(trace.problem.X).tolist()


def test_no_half_file_and_a_sentence_where_it_cannot_be_written(tmp_path, spam):
    with pytest.raises(EngineError, match="could not be saved"):
        spam.script(tmp_path / "no" / "spam.py")
    with pytest.raises(EngineError, match=r"\.py file"):
        spam.script(tmp_path / "spam.csv")
    full = Path("/dev/full")
    if full.exists():
        with pytest.raises(EngineError, match="could not be saved"):
            spam.script(full)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("before", [None, "old,table\n"])
def test_a_script_that_cannot_be_written_leaves_the_table_as_it_was(tmp_path, before):
    trace = engine.run("nearest_neighbours", engine.generate("moons", 400, seed=2), k=3)
    (tmp_path / "moons.py").mkdir()  # no file can take the place of a folder
    if before is not None:
        (tmp_path / "moons.csv").write_text(before)
    with pytest.raises(EngineError, match="could not be saved"):
        trace.script(tmp_path / "moons.py")
    left = {file.name: file.read_text() for file in tmp_path.iterdir() if file.is_file()}
    assert left == ({} if before is None else {"moons.csv": before})


def test_a_run_that_goes_on_from_another_has_none(spam):
    later = engine.run("perceptron", engine.textbook("spam"), go_on_from=spam.start_at(1))
    with pytest.raises(EngineError, match="goes on from a step of another"):
        later.script()


def test_a_run_that_was_cut_says_so():
    trace = engine.run("perceptron", engine.textbook("spam"), max_steps=3)
    assert "was stopped after 3 steps" in trace.script()


def test_the_command_line(tmp_path, capfd):
    assert main.main(["script", "kmeans", "--data", "blobs:40", "--set", "k=2"]) == 0
    assert executed(capfd.readouterr().out)["K"] == 2
    out = tmp_path / "k.py"
    assert main.main(["script", "kmeans", "--data", "blobs:400", "--out", str(out)]) == 0
    assert "k.py" in capfd.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.csv", "k.py"]
    assert main.main(["script", "kmeans", "--data", "blobs", "--out", str(tmp_path / "k.txt")]) == 2
    assert "must be a .py file" in capfd.readouterr().err


def test_the_table_of_a_sample_is_what_was_learnt_from():
    data = engine.generate("moons", 300, seed=1)
    problem = engine.prepare(data, split=engine.Split(0.5), most=120)
    trace = engine.run("perceptron", problem, rounds=3)
    space = executed(script_of(trace).text)
    assert np.array_equal(space["X"], problem.X) and np.array_equal(
        space["X_test"], problem.held_out.X
    )
