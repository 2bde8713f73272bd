"""Prepared changes after a run: each changes one thing, runs, and tells no outcome."""

import numpy as np
import pytest

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_edits import FULL, duplicate_lane
from engine.document.what_next import take, taken, what_ifs
from engine.files.sources import named_set
from engine.judge.outcome import came_of
from engine.protocol.step import Level
from engine.runs.run import Run
from engine.runs.trace import Trace


def run_of(document: Document, place: int = 0) -> Trace:
    one = document.lanes[place]
    run = Run(one.algorithm, document.of_lane(place).problem(), one.params, one.seed)
    run.advance(max_steps=2000)
    return run.trace


def named(data: str, key: str, **params: object) -> tuple[Document, list[str]]:
    document = Document(named_set(data), (lane(key, **params),))
    changes = what_ifs(document, 0, document.problem(), run_of(document))
    for change in changes:
        assert change.lane.key == key and change.lane.seed == 0
        of_data = change.lane.data is not None
        assert of_data == (change.lane.params == document.lanes[0].params)
        after, place = take(document, 0, change)
        assert (place, after.compared, taken(after, 0, change)) == (1, (1, 0), 1)
        assert after.lanes[0] == document.lanes[0] and taken(document, 0, change) is None
        assert len(run_of(after, 1))
    return document, [change.name for change in changes]


def test_each_kind_of_method_has_changes_of_its_data_and_of_its_parameters() -> None:
    assert named("leaning_clouds", "perceptron", rate=0.5)[1] == ["One outlier", "η × 10"]
    assert named("sine", "polynomial_fit", degree=3)[1] == ["One value far off", "Degree × 2"]
    assert named("moons", "nearest_neighbours")[1] == ["One outlier", "Neighbours k × 2"]
    assert named("blobs", "kmeans")[1] == ["One far point", "Clusters k × 2"]
    assert named("restaurant", "decision_tree")[1][0] == "One label changed"
    assert named("spam", "winnow")[1] == ["One label changed", "Factor × 2"]
    assert named("moons", "svm", C=1.0)[1] == ["One outlier", "Cost C × 10"]
    theory = named("restaurant", "majority_vote", error=0.3)[1]  # a share of 1 would say nothing
    assert theory[1] == "Error p of each ÷ 2"


def test_the_outlier_lies_among_the_other_class() -> None:
    document = Document(named_set("leaning_clouds"), (lane("perceptron"),))
    change = what_ifs(document, 0, document.problem())[0]
    problem = take(document, 0, change)[0].of_lane(1).problem()
    apart = np.linalg.norm(problem.xy[:-1] - problem.xy[-1], axis=1)
    assert problem.codes[-1] == 0 and problem.codes[:-1][apart.argmin()] == 1
    assert apart.min() > 0.1 and change.marks[0].xy.tolist() == problem.xy[-1:].tolist()


def test_a_full_document_says_why() -> None:
    document = Document(named_set("leaning_clouds"), (lane("perceptron"),))
    change = what_ifs(document, 0, document.problem())[0]
    for _ in range(3):
        document, _ = duplicate_lane(document, 0)
    with pytest.raises(engine.EngineError) as refused:
        take(document, 0, change)
    assert str(refused.value) == FULL


def test_what_came_of_it_is_counted_in_the_runs() -> None:
    corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    both, either = (engine.Dataset.from_arrays(corners, y) for y in ([0, 0, 0, 1], [0, 1, 1, 0]))
    way = lane("perceptron", rounds=100_000, threshold="learned")
    one, endless = (run_of(Document(data, (way,))) for data in (both, either))
    mistakes = len(one.when("mistake"))
    assert one.finished and not endless.finished
    steps = [sum(level >= Level.STEP for level in each.levels) - 1 for each in (one, endless)]
    words = came_of(endless, one)
    assert words.startswith(f"no end after {steps[1]:,} steps; mistakes so far ")
    assert words.endswith(f"{len(endless.when('mistake'))}, before {mistakes}")
    assert came_of(one, one) == f"the same numbers after {steps[0]} steps"
