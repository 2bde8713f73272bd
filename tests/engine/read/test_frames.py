"""Tables to and from pandas, with the kinds of their columns."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine.base.errors import EngineError
from engine.read.frames import from_frame, to_frame
from engine.table.dataset import Kind

FRAME = pd.DataFrame(
    {
        "size": [1.5, np.nan, 3.0],
        "sky": pd.Categorical(["sun", "rain", None], categories=["rain", "sun", "snow"]),
        "wet": [True, False, True],
        "word": ["b", "a", "b"],
        "y": pd.Categorical(["no", "yes", "no"], categories=["no", "yes", "perhaps"]),
    }
)


def test_each_column_keeps_its_kind() -> None:
    data = from_frame(FRAME, target="y")
    assert [column.kind for column in data.columns] == [
        Kind.NUMERIC,
        Kind.CATEGORICAL,
        Kind.BOOLEAN,
        Kind.CATEGORICAL,
        Kind.CATEGORICAL,
    ]
    assert data["sky"].categories == ("rain", "sun", "snow")
    assert data["sky"].labels() == ["sun", "rain", None]
    assert set(data["y"].categories) == {"no", "yes", "perhaps"}
    assert data.target is not None
    assert data.target.name == "y"


def test_there_and_back() -> None:
    back = to_frame(from_frame(FRAME, target="y"))
    assert list(back.columns) == list(FRAME.columns)
    assert back["wet"].tolist() == FRAME["wet"].tolist()
    assert back["sky"].cat.categories.tolist() == ["rain", "sun", "snow"]
    assert back["sky"].isna().tolist() == [False, False, True]
    np.testing.assert_array_equal(back["size"], FRAME["size"])


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(EngineError, match="pandas DataFrame"):
        from_frame([[1, 2]])
    with pytest.raises(EngineError, match="no column"):
        from_frame(FRAME, target="colour")


def test_a_trace_is_a_frame_of_its_steps() -> None:
    trace = engine.run("perceptron", engine.textbook("six_points"))
    frame = trace.frame()
    assert len(frame) == len(trace)
    assert frame["line"].tolist() == [step.line for step in trace]
    for name, column in trace.metrics.items():
        np.testing.assert_array_equal(frame[name], column)
