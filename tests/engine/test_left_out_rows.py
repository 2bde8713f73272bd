"""What a method does not look at it names: columns by name, rows by count, at the start of every
run over a table larger than it takes.
"""

import hashlib
from functools import cache
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.read.column_kinds import read_for
from engine.runs.run import Run
from engine.runs.trace import Trace
from tests.engine.digests import fewer, parts

# more than any experiment takes; rows at the end that are changed
ROWS, COLUMNS, LAST = 1_100, 12, 100
STEPS = 8
LOOKED_AT = (0, 5, 11)  # columns: those that are left out lie behind those that are used
EXPERIMENTS = sorted(key for key, each in engine.algorithms().items() if each.is_experiment)
NAMES = [f"column{chr(ord('a') + j)}" for j in range(COLUMNS)]
# The defaults on both sorts of table, each class of hypotheses on the sort that it is made for.
VARIANTS: list[tuple[str, dict[str, Any], str]] = [
    *(
        (key, {}, kind)
        for kind in ("bits", "numbers")
        for key in EXPERIMENTS
        # it tries every column; to its learner one turned round or stretched is the same
        if key != "feature_selection"
    ),
    ("mistake_bounds", {"concepts": "functions"}, "bits"),
    ("mistake_bounds", {"concepts": "trees"}, "bits"),
    ("mistake_bounds", {"concepts": "intervals"}, "numbers"),
    ("mistake_bounds", {"concepts": "singletons"}, "bits"),
    ("mistake_bounds", {"concepts": "columns"}, "bits"),
    ("version_space_exhaustion", {"hypotheses": "intervals"}, "numbers"),
    ("version_space_exhaustion", {"hypotheses": "rectangles"}, "numbers"),
    ("version_space_exhaustion", {"hypotheses": "functions"}, "bits"),
    ("pac_bounds", {"hypotheses": "intervals", "repeats": 5}, "numbers"),
    ("pac_bounds", {"hypotheses": "conjunctions", "repeats": 5}, "bits"),
    ("pac_bounds", {"hypotheses": "all conjunctions", "repeats": 5}, "bits"),
    ("shattering", {"hypotheses": "intervals"}, "numbers"),
    ("shattering", {"hypotheses": "half-spaces"}, "numbers"),
    ("shattering", {"hypotheses": "conjunctions"}, "bits"),
]


@cache
def tables() -> dict[str, tuple[Any, Any]]:
    """(X, y) of bits, where the class is what most columns say, and of numbers, where it is the
    sign of their sum.
    """
    rng = np.random.default_rng(3)
    bits = (rng.random((ROWS, COLUMNS)) < 0.5).astype(float)
    numbers = rng.normal(size=(ROWS, COLUMNS)).round(3)
    return {
        "bits": (bits, bits.sum(axis=1) > COLUMNS / 2),
        "numbers": (numbers, numbers.sum(axis=1) > 0),
    }


def begun(key: str, X: Any, y: Any, params: Any) -> Run:
    """A run over the table of these columns, before its first step."""
    columns = dict(zip(NAMES, X.T.tolist(), strict=True))
    data = engine.Dataset.from_columns({**columns, "y": ["yes" if v else "no" for v in y]}, "y")
    algorithm = engine.algorithms()[key]
    problem = engine.prepare(read_for(data, algorithm.needs), split=engine.Split())
    chosen = build(algorithm.params, fewer(algorithm) | params)
    return Run(algorithm, problem, chosen, 1, Pace(Level.STEP))


def ran(key: str, X: Any, y: Any, params: Any) -> Trace:
    """The first steps of such a run."""
    run = begun(key, X, y, params)
    run.advance(max_steps=STEPS)
    return run.trace


def digest(step: Any) -> str:
    """Of all that a step finds, without its words."""
    found = hashlib.md5(usedforsecurity=False)
    for part in parts((step.line, step.events, tuple(sorted(step.metrics.items())), step.state)):
        found.update(part)
    return found.hexdigest()


def changed(X: Any, columns: Any = slice(None), rows: Any = slice(None)) -> Any:
    """X with other values at these places, of the same kind: other bits, or other and larger
    numbers.
    """
    own = X.copy()
    rng = np.random.default_rng(11)
    other = (
        (rng.random(X.shape) < 0.3)
        if set(np.unique(X)) <= {0.0, 1.0}
        else rng.normal(size=X.shape).round(3) + 1
    )
    own[rows, columns] = other[rows, columns]
    return own


def same(key: str, X: Any, y: Any, params: Any, before: list[str]) -> bool:
    """Whether each step has its digest of `before`; the run ends at the first that has another."""
    try:
        run = begun(key, X, y, params)
        for number, expected in enumerate(before):
            if not run.advance(max_steps=number + 1) or digest(run.trace[number]) != expected:
                return False
        return not run.advance(max_steps=STEPS)
    except EngineError:
        return False


def left_out(trace: Any) -> set[str]:
    """The columns that the start says are left out."""
    operands = trace[0].note.operands
    names = (
        f"{operands['names_out'].text()}, {operands['names_same'].text()}"
        if "names_out" in operands
        else ""
    )
    return {name for name in NAMES if name in names}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("key", "params", "kind"),
    VARIANTS,
    ids=lambda v: v if isinstance(v, str) else "".join(map(str, v.values())),
)
def test_a_method_that_leaves_out_columns_or_rows_says_which(
    key: str, params: dict[str, Any], kind: str
) -> None:
    X, y = tables()[kind]
    try:
        trace = ran(key, X, y, params)
    except EngineError as sentence:
        assert str(sentence).endswith((".", "?")), (
            "a table that a method does not take is refused in a sentence"
        )
        return
    before = [digest(step) for step in trace]
    said = words(trace)
    out = left_out(trace)
    anything = not same(key, changed(X), y, params, before)
    if anything and not out:
        silent = [
            NAMES[j]
            for j in LOOKED_AT
            if NAMES[j] not in said and same(key, changed(X, [j]), y, params, before)
        ]
        assert silent == [], "a column that changes nothing is named"
    queries = [
        j
        for j, name in enumerate(NAMES)
        if name in out and name not in trace[0].note.operands["names_same"].text()
    ]
    assert same(key, changed(X, queries), y, params, before), (
        "what is said to be left out changes nothing"
    )
    if anything and same(key, changed(X, rows=slice(-LAST, None)), y, params, before):
        assert LAST <= trace[0].note["rows_out"] < ROWS == trace[0].note["all_rows"]
        assert "rows are left out" in trace[0].note.text()


@pytest.mark.parametrize(
    ("key", "params", "kind", "used", "rows"),
    [
        ("mdl_conjunction", {}, "bits", 8, 0),
        ("mdl_conjunction", {"columns": 3}, "bits", 3, 0),
        ("pac_bounds", {}, "bits", 5, 100),
        ("pac_bounds", {"hypotheses": "functions"}, "bits", 3, 100),
        ("pac_bounds", {}, "numbers", 2, 100),
        ("version_space_exhaustion", {}, "bits", 5, 100),
        ("version_space_exhaustion", {"hypotheses": "functions"}, "numbers", 3, 100),
        ("version_space_exhaustion", {"hypotheses": "intervals"}, "numbers", 1, 100),
        ("mistake_bounds", {}, "numbers", 2, 0),
        ("mistake_bounds", {"concepts": "functions", "columns": 3}, "bits", 3, 0),
        ("mistake_bounds", {"concepts": "intervals", "points": 4}, "numbers", 1, None),
        ("mistake_bounds", {"concepts": "columns"}, "bits", 5, None),
        ("shattering", {"hypotheses": "half-spaces"}, "numbers", 12, 1095),
        ("shattering", {"hypotheses": "boxes"}, "numbers", 2, 1095),
        ("shattering", {"hypotheses": "intervals"}, "numbers", 1, 1095),
        ("distance_balls", {}, "numbers", 2, 0),
        ("entropy", {}, "numbers", 1, 0),
        ("curse_of_dimensionality", {}, "numbers", 10, 800),
    ],
)
def test_the_first_columns_are_used_and_the_others_named(
    key: str, params: Any, kind: str, used: int, rows: int | None
) -> None:
    X, y = tables()[kind]
    trace = ran(key, X, y, params)
    same_as = (
        trace[0].note.operands["names_same"].text()
        if "names_same" in trace[0].note.operands
        else ""
    )
    assert left_out(trace) - set(same_as.split(", ")) == set(NAMES[used:])
    text = trace[0].note.text()
    assert ("left out" in text) == (used < COLUMNS or rows != 0)
    if rows:
        assert f"{rows} of the {ROWS} rows are left out" in text
    elif rows is None:
        assert "rows are left out" in text


def test_rows_beyond_the_inputs_of_a_game_are_counted() -> None:
    """Intervals over the 3 least of the values 1 1 2 3 4 5 5: three rows lie beyond; of 16 inputs
    of bits the 8 first.
    """
    data = engine.Dataset.from_columns(
        {"x": [1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.0], "w": ["u", "v", "u", "v", "u", "v", "u"]}
    )
    note = engine.run("mistake_bounds", data, concepts="intervals", points=3)[0].note
    assert (note["rows_out"], note["all_rows"], note.operands["names_out"].text()) == (3, 7, "w")
    rows = [[i >> k & 1 for k in range(4)] for i in range(16)] * 2
    note = engine.run(
        "mistake_bounds", engine.Dataset.from_arrays(np.array(rows, float)), concepts="columns"
    )[0].note
    assert (note["rows_out"], note["all_rows"]) == (16, 32)


def test_a_column_that_cannot_be_distinguished_is_named() -> None:
    data = engine.Dataset.from_columns({"p": [0, 1, 1], "q": [0, 1, 1], "r": [1, 0, 1]})
    note = engine.run("mistake_bounds", data, concepts="columns")[0].note
    assert note["all"] == 2
    assert "The column q says the same here as an earlier column and is left out." in note.text()


def test_edges_that_are_thinned_out_are_counted() -> None:
    """Five values have six edges: the four half-way between them and one beyond each end."""
    data = engine.Dataset.from_columns({"x": [1.0, 2.0, 3.0, 4.0, 5.0]})
    note = engine.run(
        "version_space_exhaustion", data, hypotheses="intervals", edges=4, examples=2, repeats=1
    )[0].note
    assert "4 of 6 along x" in note.text()
    note = engine.run(
        "version_space_exhaustion", data, hypotheses="intervals", edges=6, examples=2, repeats=1
    )[0].note
    assert "left out" not in note.text() and "thinned" not in note.text()


def words(trace: Any) -> str:
    return " ".join(line for step in trace for line in step.note.lines())
