"""Moments that a page may tell as steps, and lines to which it need not go."""

from collections.abc import Iterator

import pytest

import engine
from engine.protocol.moment import At, Recursive, leap, unrolled
from engine.protocol.step import Level, Pace


@pytest.mark.parametrize(
    ("pace", "recorded"), [(Level.DETAIL, True), (Level.STEP, False), (Level.ROUND, False)]
)
def test_a_line_of_details_is_recorded_at_the_pace_of_details_alone(
    pace: Level, recorded: bool
) -> None:
    algorithm = engine.algorithms()["nearest_neighbours"]
    at = At(algorithm, algorithm.setting(algorithm.example(), algorithm.params()), Pace(pace))
    assert at.records("look") == recorded == bool(at("look", None))
    assert at.records("answer")


@pytest.mark.parametrize(
    ("pace", "levels"),
    [(Level.DETAIL, [Level.STEP]), (Level.STEP, [Level.STEP]), (Level.ROUND, [])],
)
def test_a_detail_recorded_as_a_step_is_a_step_at_every_pace(
    pace: Level, levels: list[Level]
) -> None:
    algorithm = engine.algorithms()["nearest_neighbours"]
    at = At(algorithm, algorithm.setting(algorithm.example(), algorithm.params()), Pace(pace))
    assert [step.level for step in at.step("look", None)] == levels


def test_few_examples_are_looked_at_step_by_step_and_many_in_details() -> None:
    """50 examples are few (catalogue: each is a step), 51 are many."""
    for n, level in ((50, Level.STEP), (51, Level.DETAIL)):
        data = engine.Dataset.from_columns(
            {"x": [float(i) for i in range(n)], "kind": ["a", "b", *"a" * (n - 2)]}, "kind"
        )
        trace = engine.run("nearest_neighbours", data, query=(-1.0, 0.0))
        assert {step.level for step in trace if step.line == "look"} == {level}


def test_what_a_twin_leaves_to_the_page_the_page_does() -> None:
    def part(given: int, at: At, more: int) -> Iterator[int]:
        yield given
        return more

    class Recorder:
        def __init__(self, answer: object) -> None:
            self.answer = answer

        def twin(self, name: str, rounds: bool) -> object:
            return lambda given, more: self.answer

    def run(answer: object) -> list[object]:
        """What the part yields, and what it comes to."""
        emitted: list[object] = []
        steps = leap(part)(1, Recorder(answer), 5)
        try:
            while True:
                emitted.append(next(steps))
        except StopIteration as end:
            return [*emitted, end.value]

    assert run(7) == [7]
    assert run(NotImplemented) == [1, 5]


def test_a_part_calls_itself_deeper_than_the_stack_of_python() -> None:
    def down(n: int) -> Recursive[int]:
        yield n
        below = (yield down(n - 1)) if n else 0
        yield None
        return below + n

    def come_to() -> Iterator[object]:
        found.append((yield from unrolled(down(3_000))))

    found: list[int] = []
    emitted = list(come_to())
    assert emitted[:3001] == list(range(3000, -1, -1))
    assert emitted[3001:] == [None] * 3001
    assert found == [4_501_500]
