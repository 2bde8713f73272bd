"""The numbers of a run as CSV, against the recording."""

import csv
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.records import Record
from engine.files import numbers as module
from engine.files.numbers import Numbers, save_numbers, state_cells, state_columns, written
from engine.protocol.step import Level, note
from tests.steps import Known, known_step


def recorded(key: str = "perceptron", data: str = "spam", level: Level = Level.STEP) -> Any:
    table = engine.textbook(data) if data in engine.TEXTBOOK else engine.generate(data, 40)
    return engine.run(key, table, pace=engine.Pace(level), max_steps=300)


def saved(trace: Any, what: Numbers, path: Path, unit: Level = Level.STEP) -> list[dict[str, str]]:
    places = list(trace.indices(unit))
    save_numbers(trace, range(len(places)), places, unit, what, path)
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def read(cell: str) -> float:
    return float(cell) if cell else math.nan


@pytest.mark.parametrize("unit", list(Level))
@pytest.mark.parametrize(
    ("key", "data"), [("perceptron", "spam"), ("adaboost", "moons"), ("em_means", "blobs")]
)
def test_metrics_are_those_of_the_recording_to_the_last_digit(
    tmp_path: Path, key: str, data: str, unit: Level
) -> None:
    trace = recorded(key, data, unit)
    rows = saved(trace, Numbers.METRICS, tmp_path / "m.csv", unit)
    places = list(trace.indices(unit))
    assert [int(row[unit.name.lower()]) for row in rows] == list(range(len(places)))
    assert [row["line"] for row in rows] == [trace[i].line for i in places]
    assert [row["level"] for row in rows] == [trace[i].level.name.lower() for i in places]
    assert [tuple(row["events"].split()) for row in rows] == [trace[i].events for i in places]
    assert trace.metrics
    for name, column in trace.metrics.items():
        assert np.array_equal([read(row[name]) for row in rows], column[places], equal_nan=True)


def test_states_hold_scalars_vectors_and_tables(tmp_path: Path) -> None:
    trace = recorded("perceptron", "spam")
    rows = saved(trace, Numbers.STATES, tmp_path / "s.csv")
    for row, step in zip(rows, trace, strict=True):
        w = [read(row[f"w[{j}]"]) for j in range(len(step.state.w))]
        assert np.array_equal(w, step.state.w)
        assert int(row["errors"]) == step.state.errors
    trace = recorded("kmeans", "blobs")
    rows = saved(trace, Numbers.STATES, tmp_path / "k.csv")
    for row, step in zip(rows, trace, strict=True):
        for (i, j), value in np.ndenumerate(step.state.means):
            assert np.array_equal(read(row[f"means[{i},{j}]"]), value, equal_nan=True)


def test_the_weights_of_all_layers_of_a_network(tmp_path: Path) -> None:
    trace = recorded("backpropagation", "moons")
    rows = saved(trace, Numbers.STATES, tmp_path / "n.csv")
    for row, step in list(zip(rows, trace, strict=True))[::20]:
        for layer, weights in enumerate(step.state.weights):
            for place, value in np.ndenumerate(weights):
                assert read(row[f"weights[{','.join(map(str, (layer, *place)))}]"]) == value


def test_what_is_no_number_is_named(tmp_path: Path) -> None:
    trace = recorded("adaboost", "moons")
    places = range(len(trace))
    left_out = save_numbers(trace, places, places, Level.STEP, Numbers.STATES, tmp_path / "s.csv")
    assert left_out is not None and "learners" in left_out and "weights" not in left_out


class State(Record):
    """What a state may hold."""

    value: Any


def test_long_vectors_stay_out() -> None:
    assert list(state_cells(State(np.zeros(1_001)))) == []
    assert len(list(state_cells(State(np.zeros(1_000))))) == 1_000
    assert list(state_cells(State((np.zeros(600), np.zeros(600))))) == []
    assert list(state_cells(State(({"a": 1},)))) == []


class Pair(Record):
    """Two vectors, which grow."""

    one: Any
    other: Any


def test_the_columns_of_a_growing_vector_stay_together() -> None:
    steps = [
        known_step("until", Known(note("One more.")), Pair(np.zeros(n), np.zeros(n)))
        for n in (2, 12)
    ]
    names, left_out = state_columns(steps, range(2))  # type: ignore[arg-type]
    assert names == [f"one[{k}]" for k in range(12)] + [f"other[{k}]" for k in range(12)]
    assert left_out == ()


@given(st.floats())
def test_a_number_is_read_as_it_was(value: float) -> None:
    assert np.array_equal(read(str(written(value))), value, equal_nan=True)
    assert np.array_equal(read(str(written(np.float64(value)))), value, equal_nan=True)


def test_truth_names_and_nothing() -> None:
    assert [
        written(v) for v in (True, np.bool_(False), None, "", "word", Level.ROUND, np.int64(7))
    ] == [
        1,
        0,
        "",
        "",
        "word",
        "round",
        7,
    ]


def test_too_many_cells_are_refused_with_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 100)
    trace = recorded("perceptron", "moons")
    with pytest.raises(
        EngineError, match=f"{len(trace):,} rows of .* numbers; one file holds at most 100"
    ) as refusal:
        saved(trace, Numbers.METRICS, tmp_path / "m.csv")
    every = int(str(refusal.value).rstrip(".").rpartition(" ")[2].replace(",", ""))
    places = range(0, len(trace), every)
    assert (
        save_numbers(trace, places, places, Level.STEP, Numbers.METRICS, tmp_path / "m.csv") == ()
    )


def test_giving_up_writes_nothing(tmp_path: Path) -> None:
    trace = recorded()
    path = tmp_path / "m.csv"
    found = save_numbers(
        trace, [0, 1], [0, 1], Level.STEP, Numbers.METRICS, path, lambda fraction: False
    )
    assert found is None and os.listdir(tmp_path) == []


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"could not be saved in .*nowhere"):
        saved(recorded(), Numbers.METRICS, tmp_path / "nowhere" / "m.csv")
