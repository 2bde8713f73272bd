"""A name of 5,000 letters, of a column, class, row or file, makes no sentence longer than four
hundred letters.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.base.errors import EngineError
from engine.files.summary import summary_lines
from engine.protocol.params import build
from engine.runs.run import Run
from engine.table.transforms import Transform

LONG = {letter: letter * 5000 for letter in "xyztabr"}
MOST = 400
NOT_ONE_NAME = 61  # letters of a name in a row that no sentence says


def table(**roles: Any) -> engine.Dataset:
    columns = {
        LONG["x"]: [0.0, 1.0, 2.0, 3.0, 1.5, 0.5],
        LONG["y"]: [1.0, 0.0, 2.5, 3.0, 1.0, 0.0],
        LONG["z"]: [f"{LONG['a']}{k % 3}" for k in range(6)],
        LONG["t"]: [LONG["a"] if k % 2 else LONG["b"] for k in range(6)],
    }
    return engine.Dataset.from_columns(columns, LONG["t"], **roles)


def short(text: str, most: int = MOST) -> None:
    assert len(text) <= most, f"{len(text)} letters: {text[:300]}"
    for letter in LONG:
        assert letter * NOT_ONE_NAME not in text, text[:300]


def file(folder: Path) -> Path:
    path = folder / "t.csv"
    rows = "".join(
        f"{k},{k % 4},{LONG['b']}{k},{LONG['a'] if k % 2 else LONG['b']}\n" for k in range(12)
    )
    path.write_text(f"{LONG['x']},{LONG['y']},{LONG['z']},{LONG['t']}\n{rows}")
    return path


FAULTS: dict[str, Callable[[Path], Any]] = {
    "a column that is missing": lambda _: table()[LONG["r"]],
    "a target that is missing": lambda _: engine.Dataset.from_columns(
        {LONG["x"]: [1, 2]}, LONG["r"]
    ),
    "no list": lambda _: engine.Dataset.from_columns({LONG["x"]: 3}),
    "two values in a cell": lambda _: engine.Dataset.from_columns({LONG["x"]: [[1, 2], [3]]}),
    "an infinite number": lambda _: engine.Dataset.from_columns({LONG["x"]: [1.0, float("inf")]}),
    "a number too large": lambda _: engine.Dataset.from_columns({LONG["x"]: [1.0, 1e200]}),
    "words to predict as values": lambda _: engine.Dataset.from_columns(
        {LONG["x"]: [1, 2], LONG["t"]: ["a", "b"]}, LONG["t"], task="regress"
    ),
    "too many classes": lambda _: engine.Dataset.from_columns(
        {LONG["x"]: range(200), LONG["t"]: [f"{LONG['a']}{k}" for k in range(200)]}, LONG["t"]
    ),
    "an algorithm": lambda _: engine.run(LONG["r"], table()),
    "a table": lambda _: engine.run("perceptron", LONG["r"]),
    "a plane of words": lambda _: engine.run(
        "nearest_neighbours", table(), plane=(LONG["z"], LONG["x"])
    ),
    "one axis twice": lambda _: engine.run(
        "nearest_neighbours", table(), plane=(LONG["x"], LONG["x"])
    ),
    "words for numbers": lambda _: engine.run("perceptron", table()),
    "a parameter": lambda _: engine.run("perceptron", table(), **{LONG["r"]: 1}),
    "a value of a parameter": lambda _: engine.run("decision_tree", table(), prune=LONG["r"]),
    "columns to predict": (
        lambda _: engine.run("decision_tree", table()).predict({LONG["x"]: [1.0]})
    ),
    "a value to predict": (
        lambda _: engine.run("decision_tree", table()).predict(
            {LONG["x"]: [1.0], LONG["y"]: [1.0], LONG["z"]: [LONG["r"]]}
        )
    ),
    "a transformation": lambda _: engine.run(
        "perceptron", table(), transforms=[Transform("scale", (LONG["r"],))]
    ),
    "a file": lambda folder: engine.open_table(folder / f"{LONG['r']}.csv"),
    "an empty file": lambda folder: engine.open_table(empty(folder / f"{'r' * 240}.csv")),
    "a target of a file": lambda folder: engine.open_table(file(folder), target=LONG["r"]),
    "a generator": lambda _: engine.generate(LONG["r"]),
}


def empty(path: Path) -> Path:
    path.write_bytes(b"")
    return path


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_said_shortly(fault: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        fault(tmp_path)
    short(str(caught.value))


def test_the_remarks_about_a_file_are_short(tmp_path: Path) -> None:
    guess = engine.open_table(file(tmp_path))
    short(guess.about)
    for notice in engine.run("decision_tree", guess, max_steps=1).problem.notices:
        short(notice)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", engine.algorithms().values(), ids=lambda a: a.key)
def test_the_words_of_a_run_are_short(algorithm: Any) -> None:
    try:
        data = table()
        numbers = engine.Dataset(tuple(c for c in data.columns if c.name != LONG["z"]), data.name)
        trace = engine.run(
            algorithm.key,
            data if algorithm.key in ("decision_tree", "naive_bayes") else numbers,
            max_steps=1,
        )
        problem = trace.problem
        run = Run(algorithm, problem, build(algorithm.params, {}), 0)
    except EngineError as sentence:
        short(str(sentence))
        return
    run.advance(max_steps=60)
    for step in run.trace:
        short(step.note.text(), 600)
        for line in step.note.lines():
            short(line, 2000)
    for line in summary_lines(run, "data"):
        short(line, 1200)
    if algorithm.explain is not None:
        explained = algorithm.explain(
            algorithm.setting(problem, run.params), run.trace[-1].state, problem.X[0]
        )
        if explained is not None:
            short(explained.note.text(), 600)
