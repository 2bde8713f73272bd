"""A run as JSON: every step with its words and numbers, and nothing that JSON cannot hold."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import engine
from engine.base.notation import Share
from engine.files.plain import pieces
from engine.files.steps_json import header_to_plain, plain, recorded, step_to_plain
from engine.protocol.registry import algorithm
from engine.protocol.step import Choice, Operand, Option, note
from tests.steps import Known, known_step

# MMDS Fig 12.6; with η = ½ the first e-mail changes w from 0 to (½, ½, 0, ½, ½)
SPAM = (
    [
        [1, 1, 0, 1, 1],
        [0, 0, 1, 1, 0],
        [0, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 1, 0, 1],
        [1, 0, 1, 1, 0],
    ],
    [1, -1, 1, -1, 1, -1],
)


def spam_run() -> engine.Run:
    chosen = algorithm("perceptron")
    data = engine.Dataset.from_arrays(np.asarray(SPAM[0], float), SPAM[1])
    return engine.Run(chosen, engine.prepare(data), chosen.params(), 0, engine.Pace())


def test_every_step_with_its_operands() -> None:
    steps = list(recorded(spam_run(), 10_000))
    assert [step["step"] for step in steps] == list(range(len(steps)))
    update = next(step for step in steps if step["line"] == "update")
    assert update["operands"]["after"]["value"] == [0.5, 0.5, 0, 0.5, 0.5]
    eta = update["operands"]["eta"]
    assert eta == {"value": 0.5, "text": eta["text"], "symbol": "η", "about": ""}
    assert float(eta["text"]) == 0.5
    assert update["level"] == "step"
    assert update["events"] == ["mistake"]
    assert update["metrics"]["mistakes"] == 1
    assert update["choice"] is None
    assert update["working"][0] == "w ← w + η · y · x"
    assert steps[-1]["events"] == ["round", "converged"]


def test_it_is_the_run_of_the_front_door_whatever_the_batches(monkeypatch: object) -> None:
    trace = engine.run("perceptron", (np.asarray(SPAM[0], float), SPAM[1]))
    steps = list(recorded(spam_run(), 10_000))
    assert steps == [step_to_plain(step, i) for i, step in enumerate(trace)]
    assert list(recorded(spam_run(), 7)) == steps[:7]


@pytest.mark.slow
def test_long_runs_are_cut_and_thinned_steps_are_whole() -> None:
    chosen = algorithm("perceptron")
    data = engine.Dataset.from_arrays(
        [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
    )
    run = engine.Run(
        chosen, engine.prepare(data), chosen.params(rounds=1000), 0, engine.Pace(), budget=120_000
    )
    steps = list(recorded(run, 1_500))
    assert run.trace.thinned
    assert [step["step"] for step in steps] == list(range(1_500))
    whole = engine.run("perceptron", data, max_steps=1_500, rounds=1000)
    assert steps == [step_to_plain(step, i) for i, step in enumerate(whole)]


def test_a_choice_keeps_all_candidates_and_all_winners() -> None:
    options = (
        Option("Patrons", 0.541),
        Option("Type", 0.0, detail="no gain"),
        Option("broken", -math.inf),
    )
    choice = Choice("Which attribute?", options, (0,), 0, "the first", "bits")
    step = known_step("choose", Known(note("Take {a}.", a="Patrons"), choice, {"errors": math.nan}))
    found = step_to_plain(step, 4)
    assert found["choice"]["options"][2] == {"label": "broken", "score": "-inf", "detail": ""}
    assert found["choice"]["winners"] == [0]
    assert found["choice"]["chosen"] == 0
    assert found["metrics"] == {"errors": None}
    json.loads(b"".join(pieces(found)))


def test_operands_become_plain_values() -> None:
    assert plain(Fraction(1, 4)) == 0.25
    assert plain(Share((2, 6))) == 2 / 6
    assert plain(np.float64(0.5)) == 0.5
    assert plain(np.bool_(True)) is True
    assert plain(np.array([1.0, np.nan, np.inf])) == [1.0, None, "inf"]
    assert plain((1, "a", None, {"b": np.int64(2)})) == [1, "a", None, {"b": 2}]
    found = step_to_plain(known_step("l", Known(note("{p}", p=Operand(Share((2, 6)), "P")))), 0)
    assert found["operands"]["p"] == {"value": 2 / 6, "text": "2/6", "symbol": "P", "about": ""}


def test_the_header_says_what_was_run() -> None:
    header = header_to_plain(spam_run())
    assert header["algorithm"] == "perceptron"
    assert header["params"]["rate"] == 0.5
    assert header["rows"] == 6
    assert header["columns"] == ["x1", "x2", "x3", "x4", "x5"]
    assert header["classes"] == [1, -1]


def test_a_run_that_goes_on_from_another_one_says_from_which() -> None:
    first = engine.run("perceptron", engine.generate("moons"), rounds=2)
    start = first.start_at(40)
    assert "start" not in header_to_plain(engine.Run(first.algorithm, first.problem, first.params))
    header = header_to_plain(engine.Run(first.algorithm, first.problem, first.params, start=start))
    assert (header["start"]["step"], header["start"]["level"]) == (40, "detail")
    assert header["start"]["params"] == header["params"]
