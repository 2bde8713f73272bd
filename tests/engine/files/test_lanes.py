"""Lanes that go on from another run, in a project file: they come back, run alike, and nonsense is
refused in words.
"""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from documents import lanes, small_document
from hypothesis import given, settings

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane, lane
from engine.document.lane_run import HARD_LIMIT, LaneRun
from engine.files.lanes import lane_to_plain, read_lane
from engine.files.plain import Part, parse, pieces
from engine.files.project import from_plain, load_project, read_project, save_project, to_plain
from engine.protocol.step import Level
from engine.runs.start import MAX_STARTS, Start

XOR = engine.Dataset.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


def chain() -> Document:
    """A network that went on twice, the second time with a weight set by hand."""
    first = engine.run("backpropagation", XOR, 3, epochs=5)
    second = engine.run(
        "backpropagation", XOR, 3, epochs=9, rate=0.5, go_on_from=first.start_at(11)
    )
    start = second.start_at(17, ((0, 1, 0), -1.5))
    return Document(XOR, (replace(lane("backpropagation", 4, epochs=12), start=start),))


def states(document: Document) -> list[bytes]:
    run = LaneRun(document.lanes[0], document.problem(), engine.Pace())
    run.advance(60.0, 1000)
    assert run.error == ""
    return [pickle.dumps(step.state) for step in run.trace]


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(made=lanes())
def test_any_lane_comes_back(made: Lane) -> None:
    text = b"".join(pieces(lane_to_plain(made))).decode()
    assert read_lane(Part(parse(text), "lane")) == made


def test_a_reopened_lane_runs_the_same_to_the_last_bit(tmp_path: Path) -> None:
    document = chain()
    path = tmp_path / "on.learnscope"
    save_project(document, path, 13)
    project = read_project(path)
    assert project.document == document
    assert project.cursor == 13
    assert states(project.document) == states(document)


def test_only_files_that_need_it_are_of_the_later_format(tmp_path: Path) -> None:
    assert to_plain(small_document())["version"] == 1
    plain = to_plain(chain())
    assert plain["version"] == 2
    start = plain["lanes"][0]["start"]
    assert (start["key"], start["step"], start["level"]) == ("backpropagation", 17, "detail")
    assert start["change"] == {"place": [0, 1, 0], "value": -1.5}
    assert start["start"]["step"] == 11
    assert "start" not in start["start"]
    away = small_document().with_lane(0, key="svm", params=lane("svm").params)
    plain = to_plain(away)
    assert plain["version"] == 4
    assert [(each["key"], each["params"]["rate"]) for each in plain["put_away"]] == [
        ("perceptron", 0.25)
    ]
    with pytest.raises(EngineError, match="put_away names a method twice"):
        from_plain(plain | {"put_away": 2 * plain["put_away"]})


def test_what_is_left_out_of_a_start_has_a_default() -> None:
    plain = {"key": "perceptron", "start": {"key": "perceptron", "step": 4}}
    start = read_lane(Part(plain, "lane")).start
    assert start == Start(
        "perceptron", engine.algorithms()["perceptron"].params(), 4, 0, Level.STEP
    )


def nested(depth: int) -> Any:
    start: Any = None
    for _ in range(depth):
        start = {"key": "backpropagation", "step": 1} | ({} if start is None else {"start": start})
    return start


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"key": "perceptron"},
            "start.key must be backpropagation as that of the lane; it is “perceptron”",
        ),
        ({"step": -1}, "lanes[0].start.step must be a whole number from 0 to 999999; it is -1"),
        ({"step": HARD_LIMIT}, "start.step must be a whole number from 0 to 999999; it is 1000000"),
        ({"step": True}, "start.step must be a whole number from 0 to 999999; it is true"),
        ({"level": "epoch"}, "start.level must be one of detail, step, round; it is “epoch”"),
        ({"level": 1}, "start.level must be one of detail, step, round; it is 1"),
        ({"seed": -4}, "start.seed must be a whole number from 0"),
        ({"params": {"rate": "fast"}}, "start.params.rate must be a finite number; it is “fast”"),
        ({"params": {"rate": 1e9}}, "lanes[0].start.params: "),
        ({"params": {"speed": 1}}, "start.params holds “speed”, which means nothing there"),
        ({"change": []}, "start.change must be an object in braces; it is a list"),
        (
            {"change": {"place": [], "value": 1}},
            "start.change.place must have 1 to 8 entries; it has 0",
        ),
        (
            {"change": {"place": [0, -1], "value": 1}},
            "start.change.place[1] must be a whole number from 0",
        ),
        (
            {"change": {"place": [0], "value": "x"}},
            "start.change.value must be a finite number; it is “x”",
        ),
        ({"change": {"place": [0]}}, "start.change has no “value”"),
        ({"start": {"key": "backpropagation"}}, "lanes[0].start.start has no “step”"),
        ({"start": nested(MAX_STARTS)}, "go on from one another more than 100 times"),
        ({"colour": "blue"}, "start holds “colour”, which means nothing there"),
    ],
)
def test_hand_edited_nonsense(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    plain = to_plain(chain())
    plain["lanes"][0]["start"].update(change)
    path = tmp_path / "edited.learnscope"
    path.write_text(json.dumps(plain), "utf-8")
    with pytest.raises(EngineError) as refused:
        load_project(path)
    assert words in str(refused.value)
    assert str(refused.value).endswith(".")


def test_the_deepest_chain_is_saved_and_opened(tmp_path: Path) -> None:
    plain = to_plain(chain())
    plain["lanes"][0]["start"] = nested(MAX_STARTS)
    document = from_plain(plain).document
    start = document.lanes[0].start
    assert start is not None and start.depth == MAX_STARTS
    save_project(document, tmp_path / "deep.learnscope")
    assert load_project(tmp_path / "deep.learnscope") == document


def test_no_method_that_cannot_go_on_is_made_to() -> None:
    plain = {"key": "decision_tree", "start": {"key": "decision_tree", "step": 4}}
    with pytest.raises(
        EngineError, match=r"lane\.start: Decision tree cannot go on from a state; it starts again"
    ):
        read_lane(Part(plain, "lane"))


def test_a_place_that_is_not_there_is_reported_when_the_lane_runs() -> None:
    document = chain()
    start = document.lanes[0].start
    assert start is not None
    away = document.with_lane(0, start=replace(start, change=((7, 0, 0), 1.0)))
    run = LaneRun(away.lanes[0], away.problem(), engine.Pace())
    run.advance(60.0, 10)
    assert run.lost
    assert run.error == "Back-propagation has no number to set by hand at the place (7, 0, 0)."
