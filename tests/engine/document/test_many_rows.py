"""Tables of more rows than a method with a steep cost could take: kept whole, learnt from whole by
methods that are linear in the rows, by the others from a fair sample; pictures draw a sample of
them.
"""

import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.algorithms.regression.parts import fits
from engine.algorithms.regression.parts.least_squares import Bowl
from engine.base.errors import EngineError
from engine.base.notation import row_name
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_run import refusal
from engine.fit.learners import rows_of
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.read.formats.form import rows_kept
from engine.read.number_cells import number_of, plain_numbers
from engine.read.tables import open_table
from engine.runs.run import Run
from engine.scene.scene import Points
from engine.table.dataset import Dataset
from engine.table.needs import LINEAR_ROWS, Needs
from engine.table.prepare import Split, prepare
from engine.table.row_words import MANY, fair_rows

ROWS = MANY + 5_000


@cache
def cloud(n: int = ROWS) -> Dataset:
    """Two columns of numbers with four decimals, and the side of a line."""
    X = np.random.default_rng(3).normal(size=(n, 2)).round(4)
    return Dataset.from_arrays(X, np.where(X @ [1.0, -2.0] > 0.1, "in", "out"), name="cloud")


def of(*keys: str, data: Dataset | None = None, **more: object) -> Document:
    return Document(cloud() if data is None else data, tuple(map(lane, keys)), **more)  # type: ignore[arg-type]


def written(tmp_path: Path) -> Path:
    path = tmp_path / "cloud.csv"
    X = prepare(cloud()).X
    y = cloud()["y"].labels()
    lines = (f"{a!r},{b!r},{label}\n" for (a, b), label in zip(X.tolist(), y, strict=True))
    path.write_text("x1,x2,y\n" + "".join(lines))
    return path


# -- what is kept ----------------------------------------------------------------------------------


def test_a_table_is_kept_whole_and_the_sample_is_that_of_a_reader_that_keeps_no_more(
    tmp_path: Path,
) -> None:
    path = written(tmp_path)
    whole = open_table(path)
    assert "sample" not in whole.about
    assert [
        np.array_equal(column.values, cloud()[column.name].values) for column in whole.columns
    ] == [True] * 3
    few = open_table(path, limit=MANY)
    sampled = of("nearest_neighbours", data=whole).problem()
    assert f"A sample of {MANY:,} of its {ROWS:,} rows" in few.about
    assert np.array_equal(prepare(few).X, sampled.X)


def test_the_wider_a_table_the_fewer_of_its_rows_are_kept() -> None:
    assert [rows_kept(columns) for columns in (1, 20, 40, 5000)] == [
        LINEAR_ROWS,
        LINEAR_ROWS,
        100_000,
        MANY,
    ]


CELLS = st.sampled_from(
    [
        "1",
        "-2.50",
        "+.5",
        "3e4",
        "−1",
        "1_000",
        "1,234",
        "12 %",
        "$5",
        "nan",
        "inf",
        "",
        "x",
        "٣",
        "1e999",
    ]
)


@given(st.lists(CELLS | st.floats(allow_nan=False).map(repr), max_size=12), st.booleans())
def test_numbers_read_at_once_are_those_read_one_by_one(cells: list[str], comma: bool) -> None:
    found = plain_numbers(cells, comma)
    assert found is None or found.tolist() == [number_of(cell, comma) for cell in cells]


def test_ordinary_numbers_are_read_at_once() -> None:
    found = plain_numbers(["1", "-2.50", "3e4"])
    assert found is not None
    assert found.tolist() == [1.0, -2.5, 30_000.0]


# -- what is learnt from ---------------------------------------------------------------------------


def test_each_method_learns_from_as_many_rows_as_it_can() -> None:
    whole, few, both = (
        of("perceptron"),
        of("nearest_neighbours"),
        of("perceptron", "nearest_neighbours"),
    )
    assert (whole.problem().n, whole.problem().notices) == (ROWS, ())
    assert (few.problem().n, few.problem().notices) == (MANY, (f"{MANY:,} of {ROWS:,} rows",))
    assert np.array_equal(both.problem().X, few.problem().X)


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 300))
def test_samples_lie_in_one_another_and_are_in_table_order(n: int, a: int, b: int) -> None:
    less, more = (fair_rows(n, most).tolist() for most in sorted((a, b)))
    assert len(less) == min(n, a, b)
    assert set(less) <= set(more) <= set(range(n))
    assert less == sorted(less)


def test_a_sample_is_fair() -> None:
    tenths = np.bincount(fair_rows(200_000, MANY) // 20_000)
    assert np.abs(tenths - 2000).max() < 200  # 42 is the standard deviation


def test_a_row_is_held_out_of_every_sample_or_of_none() -> None:
    split = Split(0.3, 5)
    whole, few = (of(key, split=split).problem() for key in ("perceptron", "nearest_neighbours"))
    assert set(few.table_rows.tolist()) <= set(whole.table_rows.tolist())
    assert set(few.held_out.table_rows.tolist()) <= set(whole.held_out.table_rows.tolist())  # type: ignore[union-attr]
    assert few.n + few.held_out.n == MANY  # type: ignore[union-attr]
    assert abs(few.held_out.n / MANY - 0.3) < 0.02  # type: ignore[union-attr]
    gone = of("nearest_neighbours", split=Split(rows=tuple((fair_rows(ROWS, MANY) + 1).tolist())))
    with pytest.raises(EngineError, match="20,000 rows that this method takes"):
        gone.problem()


def test_two_hundred_thousand_rows_are_all_learnt_from() -> None:
    """Against the normal equations of all rows; a hundred rows in a row would change the second
    decimal.
    """
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(LINEAR_ROWS, 2)), rng.normal(size=LINEAR_ROWS)
    y = X @ [2.0, -1.0] + 0.5 + noise + np.linspace(0, 3, LINEAR_ROWS) ** 3
    document = of("linear_regression", data=Dataset.from_arrays(X, y, task="regress"))
    problem = document.problem()
    assert problem.n == LINEAR_ROWS
    trace = engine.run("linear_regression", problem, pace=Pace(Level.ROUND))
    A = np.column_stack([np.ones(LINEAR_ROWS), X])
    wanted = np.linalg.solve(A.T @ A, A.T @ y)
    assert trace[-1].state.w == pytest.approx(wanted, abs=1e-9)


def test_a_row_limit_does_not_refuse_tables_of_which_a_sample_is_taken() -> None:
    needs = Needs(max_rows=MANY)
    problem = prepare(cloud())
    assert needs.reason(problem, sampled=True) is None
    assert needs.reason(problem) == f"takes at most {MANY:,} rows, there are {ROWS:,}"
    assert (
        Needs(max_rows=500).reason(problem, sampled=True)
        == f"takes at most 500 rows, there are {ROWS:,}"
    )


# -- names, pictures, edits ------------------------------------------------------------------------


def test_names_and_tags_of_many_rows_are_made_on_access() -> None:
    problem = prepare(cloud())
    few = of("nearest_neighbours").problem()
    assert problem.names[ROWS - 1] == row_name(ROWS - 1)
    assert [few.names[k] for k in (0, -1)] == [row_name(int(few.table_rows[k])) for k in (0, -1)]
    assert problem.row_tags[41] == "row 42"
    assert len(few.row_tags) == MANY
    # twenty thousand of them took a tenth of what another method takes
    assert not isinstance(few.row_tags, tuple)
    assert few.row_tags[-1] == f"row {few.table_rows[-1] + 1}"
    assert problem.names[3:5][1] == row_name(4)
    assert pickle.loads(pickle.dumps(problem.row_tags)) == problem.row_tags != problem.names


@pytest.mark.parametrize(
    "key", ["perceptron", "logistic_regression", "kmeans", "multiclass_perceptron"]
)
def test_a_picture_draws_a_fixed_sample_of_many_points(key: str) -> None:
    problem = of(key).problem()
    trace = engine.run(key, problem, pace=Pace(Level.ROUND), max_steps=3)
    assert trace.problem.n == ROWS
    for step in trace:
        points = [
            layer
            for layer in trace.algorithm.scene(trace.given, step).layers
            if isinstance(layer, Points)
        ]
        assert points
        assert max(len(layer.xy) for layer in points) == MANY
        data = next(layer for layer in points if len(layer.xy) == MANY)
        assert np.array_equal(data.xy, problem.xy[fair_rows(ROWS, MANY)])


def test_the_point_under_the_hand_is_its_row_of_the_table() -> None:
    document = of("nearest_neighbours", split=Split(0.2))
    shown = edits.shown(document, document.problem())
    for place in (0, 7, -1):
        row = shown.rows[[place]]
        assert shown.xy[place].tolist() == [
            cloud()["x1"].values[row[0]],
            cloud()["x2"].values[row[0]],
        ]
        moved = edits.move_points(document, row, np.array([[9.0, 8.0]])).data
        assert np.flatnonzero(moved["x1"].values == 9.0).tolist() == row.tolist()


def test_of_very_many_marked_rows_those_are_ringed_that_are_drawn() -> None:
    document = of("perceptron")
    shown = edits.shown(document, document.problem())
    assert shown.seen(range(ROWS)).tolist() == fair_rows(ROWS, MANY).tolist()
    assert shown.seen(range(10)).tolist() == list(range(10))


def line(n: int) -> Dataset:
    x = np.random.default_rng(4).normal(size=n)
    return Dataset.from_columns({"x": x, "y": 2 * x + 1}, "y", task="regress")


@pytest.mark.parametrize("key", ["gradient_descent", "linear_regression"])
def test_what_the_first_picture_of_many_values_needs_is_there_before_it(
    key: str, monkeypatch
) -> None:
    computed = []
    for name in ("bowl", "spread", "other"):
        made = getattr(algorithm(key).setting, name, None)
        if made is not None:
            monkeypatch.setattr(
                made,
                "func",
                lambda given, of=made.func, name=name: [computed.append(name), of(given)][1],
            )
    run = Run(algorithm(key), prepare(line(ROWS)), algorithm(key).params(), pace=Pace(Level.STEP))
    run.advance(max_steps=3)
    before = list(computed)
    step = run.trace[len(run.trace) - 1]
    assert step.note and algorithm(key).scene(run.trace.given, step)
    assert "bowl" in before and computed == before, "the picture and its words find all of it"


def test_the_first_step_of_many_values_comes_in_parts() -> None:
    chosen = algorithm("gradient_descent")
    many, few = (
        Run(chosen, prepare(line(n)), chosen.params(), pace=Pace(Level.STEP)) for n in (ROWS, 50)
    )
    assert [few.advance(0.0), many.advance(0.0), many.advance(0.0), many.advance(0.0)] == [
        1,
        0,
        0,
        1,
    ]


def test_whether_a_method_takes_many_rows_is_found_out_without_its_long_work(monkeypatch) -> None:
    """The button that offers another method would else wait for the fit of it."""

    def fails(*_: object) -> Bowl:
        raise AssertionError("the bowl was reckoned")

    monkeypatch.setattr(fits, "loss_bowl", fails)
    assert refusal(lane("gradient_descent"), prepare(line(ROWS))) == ""


def test_the_copies_of_many_rows_have_the_names_of_their_rows() -> None:
    copy = rows_of(prepare(cloud()), np.array([7, 7, ROWS - 1]))
    assert list(copy.names) == [row_name(7), row_name(7), row_name(ROWS - 1)]
    assert copy.numbers == (8, 8, ROWS)
