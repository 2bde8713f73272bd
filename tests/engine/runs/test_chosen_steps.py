"""Steps chosen for an export."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.protocol.step import Level
from engine.runs import chosen_steps
from engine.runs.chosen_steps import Chosen, Stretch, again, follow, read_steps
from engine.runs.run import Run

small = st.integers(0, 60)


def perceptron_run(rounds: int = 5) -> Run:
    method = engine.algorithms()["perceptron"]
    problem = engine.prepare(engine.textbook("four_points_cycle"))
    return Run(method, problem, method.params(rounds=rounds), pace=engine.Pace(Level.DETAIL))


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("0:200", [(0, 200)]),
        (" 3 ", [(3, 3)]),
        ("12:", [(12, -1)]),
        (":5", [(0, 5)]),
        (":", [(0, -1)]),
        ("-1", [(-1, -1)]),
        ("−3:−1", [(-3, -1)]),
        ("0, 5, 12:20", [(0, 0), (5, 5), (12, 20)]),
    ],
)
def test_what_a_person_writes(text: str, stretches: list[tuple[int, int]]) -> None:
    assert read_steps(text) == tuple(Stretch(*each) for each in stretches)


@pytest.mark.parametrize("text", ["", "a", "1:2:3", "3,,4", "1.5", "²", "9" * 30, "--1"])
def test_what_names_no_steps_is_answered_with_how_to_write_them(text: str) -> None:
    with pytest.raises(EngineError, match="names no steps: write 0:200"):
        read_steps(text)


@pytest.mark.parametrize("text", ["5:3", "-1:-4"])
def test_an_empty_stretch_is_reported_with_its_size(text: str) -> None:
    with pytest.raises(EngineError, match="0 steps"):
        read_steps(text)


@given(first=small, last=small, every=st.integers(1, 9), count=st.integers(1, 80))
def test_numbers_are_those_of_the_stretch_that_the_run_has(
    first: int, last: int, every: int, count: int
) -> None:
    wanted = [n for n in range(count) if first <= n <= last and (n - first) % every == 0]
    chosen = Chosen((Stretch(first, last),), every)
    if first == last and first >= count:
        wanted = []
    if wanted:
        assert chosen.numbers(count) == wanted
    else:
        with pytest.raises(EngineError):
            chosen.numbers(count)


@given(first=small, length=small, every=st.integers(1, 9))
def test_the_size_is_known_before_the_run(first: int, length: int, every: int) -> None:
    chosen = Chosen((Stretch(first, first + length), Stretch(3, 3)), every)
    assert chosen.most == len(chosen.numbers(10_000))
    assert Chosen((Stretch(first, -1),)).most is None


@pytest.mark.parametrize("unit", list(Level))
def test_a_run_is_followed_as_far_as_is_needed(
    unit: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen_steps, "BATCH", 7)
    whole = perceptron_run()
    whole.advance()
    run = perceptron_run()
    numbers, places = follow(run, Chosen(read_steps("1:3"), unit=unit))
    assert numbers == [1, 2, 3]
    assert places == list(whole.trace.indices(unit))[1:4]
    assert len(run.trace) <= places[-1] + 7
    numbers, places = follow(run, Chosen(read_steps("-1"), unit=unit))
    assert run.finished and places == [whole.trace.indices(unit)[-1]]


def test_a_step_beyond_the_end_and_a_run_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    run = perceptron_run()
    run.advance()
    last = len(run.trace.indices(Level.ROUND)) - 1
    with pytest.raises(EngineError, match=f"There is no round 99; the run has rounds 0 to {last}"):
        follow(run, Chosen(read_steps("99"), unit=Level.ROUND))
    with pytest.raises(EngineError, match="none, 0 of the run's"):
        follow(run, Chosen(read_steps("99:120"), unit=Level.ROUND))
    monkeypatch.setattr(chosen_steps, "MAX_STEPS", 20)
    with pytest.raises(EngineError, match="is followed for steps 0 to"):
        follow(perceptron_run(1000), Chosen(read_steps("5:")))


def test_following_can_be_stopped() -> None:
    run = perceptron_run(100_000)
    numbers, _ = follow(run, Chosen(read_steps("0:90000")), lambda fraction: len(run.trace) < 1000)
    assert 1000 <= len(run.trace) <= 1000 + chosen_steps.BATCH
    assert numbers[-1] < 1000 + chosen_steps.BATCH


def test_a_run_made_again_is_the_same() -> None:
    run = perceptron_run()
    run.advance()
    second = again(run.trace, Level.STEP)
    second.advance()
    assert [step.note.text() for step in second.trace] == [step.note.text() for step in run.trace]
