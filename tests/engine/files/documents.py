"""Documents that hypothesis builds, and one written by hand."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from engine.base.arrays import frozen
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane, lane
from engine.document.lane_run import HARD_LIMIT
from engine.protocol.step import Level
from engine.runs.start import Start
from engine.table.dataset import (
    Column,
    ColumnRole,
    Dataset,
    Feature,
    Kind,
    category_column,
    number_column,
)
from engine.table.prepare import Split, Transform
from engine.table.transforms import KINDS

numbers = st.floats(-1e150, 1e150)
texts = st.text(max_size=12)
labels = st.one_of(texts, st.integers(), st.booleans(), st.floats(allow_nan=False))
seeds = st.integers(0, 2**31 - 1)


@st.composite
def columns(draw: Any, name: str, rows: int, role: ColumnRole) -> Column:
    kind = draw(st.sampled_from(list(Kind)))
    if kind is Kind.NUMERIC:
        values = draw(st.lists(st.none() | numbers, min_size=rows, max_size=rows))
        return number_column(name, [np.nan if v is None else v for v in values], role)
    sizes = {"min_size": 2, "max_size": 2} if kind is Kind.BOOLEAN else {"max_size": 5}
    categories = tuple(draw(st.lists(labels, unique=True, **sizes)))
    codes = st.none() | st.integers(0, len(categories) - 1) if categories else st.none()
    values = draw(st.lists(codes, min_size=rows, max_size=rows))
    stored = frozen([np.nan if v is None else v for v in values], np.float64)
    return Column(Feature(name, kind, categories), stored, role)


@st.composite
def datasets(draw: Any) -> Dataset:
    names = draw(st.lists(texts, unique=True, max_size=5))
    rows = draw(st.integers(0, 6))
    single = draw(
        st.permutations(
            [
                ColumnRole.TARGET,
                ColumnRole.NAME,
                *[ColumnRole.FEATURE] * 3,
                *[ColumnRole.IGNORED] * 2,
            ]
        )
    )
    made = tuple(draw(columns(name, rows, role)) for name, role in zip(names, single, strict=False))
    return Dataset(
        made, draw(texts), draw(texts), tuple(draw(st.lists(texts, unique=True, max_size=2)))
    )


@st.composite
def starts(draw: Any, depth: int = 0) -> Start:
    """Where a perceptron's run goes on from, itself perhaps from another one."""
    made = draw(lanes(depth + 1))
    step, level = draw(st.integers(0, HARD_LIMIT - 1)), draw(st.sampled_from(Level))
    change = draw(
        st.none()
        | st.tuples(st.lists(st.integers(0, 99), min_size=1, max_size=3).map(tuple), numbers)
    )
    return Start(made.key, made.params, step, made.seed, level, made.start, change)


@st.composite
def lanes(draw: Any, depth: int = 0) -> Lane:
    params: dict[str, Any] = {
        "rule": draw(st.sampled_from(["mmds", "aima"])),
        "rate": draw(st.floats(1e-4, 10)),
        "threshold": draw(st.sampled_from(["zero", "learned"])),
        "start": draw(st.lists(numbers, max_size=3)),
        "rounds": draw(st.integers(1, 100_000)),
    }
    start = draw(st.none() | starts(depth)) if depth < 2 else None
    return replace(lane("perceptron", draw(seeds), **params), start=start)


@st.composite
def documents(draw: Any) -> Document:
    axis = st.tuples(numbers, numbers).filter(lambda ends: 0 < ends[1] - ends[0] < math.inf)
    transforms = st.builds(
        Transform, st.sampled_from(list(KINDS)), st.lists(texts, max_size=2).map(tuple)
    )
    return Document(
        data=draw(datasets()),
        lanes=tuple(draw(st.lists(lanes(), min_size=1, max_size=4))),
        transforms=tuple(draw(st.lists(transforms, max_size=2))),
        plane=tuple(draw(st.lists(texts, unique=True, max_size=2))),
        split=Split(draw(st.floats(0, 1, exclude_max=True)), draw(seeds)),
        probe=draw(st.none() | st.tuples(numbers, numbers)),
        notes=draw(st.text(max_size=30)),
        view=draw(st.none() | st.tuples(axis, axis)),
        put_away=draw(
            st.sampled_from(
                [(), (lane("svm", C=3.0),), (lane("svm", C=3.0), lane("perceptron", rate=0.25))]
            )
        ),
    )


def small_document() -> Document:
    """Three rows with a number, a word, a truth and a class; one value is missing."""
    data = Dataset(
        (
            number_column("größe", [1.5, np.nan, -0.25]),
            category_column("Patrons", ["None", "Some", None], ("None", "Some", "Full")),
            category_column("Rain", [True, False, True], (False, True)),
            category_column("y", [1, -1, 1], role=ColumnRole.TARGET),
        ),
        "three",
        "Made by hand.",
    )
    return Document(
        data, (lane("perceptron", 7, rate=0.25, start=(1.0, -2.0, 0.0)),), notes="η − ½"
    )
