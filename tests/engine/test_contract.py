"""Every discovered algorithm keeps the promises of the protocol (design.md, 3 and 6).

There is no list here.
"""

import gc
import importlib
import pickle
import re
import sys
import weakref
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import engine
from engine.core.arrays import Prefix
from engine.core.grid import Grid
from engine.core.moment import At
from engine.core.params import build, params_fields, to_dict
from engine.core.records import field_names, is_record, replace
from engine.core.scene import FIGURES, LAYERS, Role
from engine.core.step import Level, Pace
from engine.data.real import real
from engine.evaluation.surface import evaluate_field
from engine.pictures.views import leads, views
from engine.timeline import run as timeline_run
from engine.timeline.run import Run
from tests.engine.digests import fewer, parts

LIMIT = 400
FEW = 60  # of the lab's digits, of which four learners learn for seconds
TWO_SIGNS = re.compile(r"[−+·×]\s*−\d")  # 3 − −2 is written 3 − (−2)
ALGORITHMS = list(engine.algorithms().values())
every = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.key)
resumable = pytest.mark.parametrize(
    "algorithm", [a for a in engine.algorithms().values() if a.resume], ids=lambda a: a.key
)


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    """The binding to Qt looks into each import for a switch of its own, and pickling a state
    imports each of its classes.
    """
    digits = real("digits").take(range(FEW))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.__import__", importlib.__import__)
        patch.setattr("engine.experiments.digit_pad.tables.real", lambda key: digits)
        yield


def record(
    algorithm: Any,
    problem: Any = None,
    seed: int = 0,
    pace: Pace = Pace(),
    most: int = LIMIT,
    **params: Any,
) -> Any:
    run = Run(
        algorithm, problem or algorithm.example(), build(algorithm.params, params), seed, pace
    )
    run.advance(max_steps=most)
    return run.trace


@cache
def shown(algorithm: Any) -> Any:
    """The trace of its example that every promise is looked up in; a trace never changes."""
    return record(algorithm)


def arrays(value: Any) -> Iterator[np.ndarray]:
    """Every array inside a state, a scene or a note."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list, Prefix)):
        for item in value:
            yield from arrays(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from arrays(item)
    elif is_record(value) and not isinstance(value, type):
        for name in field_names(value):
            yield from arrays(getattr(value, name))


def frozen_copy(state: Any) -> bytes:
    return pickle.dumps(state)


def whole(state: Any) -> bytes:
    """Its values to the last bit; which of its arrays are one object does not matter."""
    return b"".join(parts(state))


def test_there_are_algorithms() -> None:
    assert {"perceptron", "nearest_neighbours", "decision_tree", "adaboost"} <= set(
        engine.algorithms()
    )


@every
def test_says_what_it_is(algorithm: Any) -> None:
    assert algorithm.title and algorithm.summary.endswith(".") and algorithm.family
    assert algorithm.source or algorithm.extension
    assert len({label for label, _ in algorithm.code_lines()}) == len(algorithm.code_lines())
    for label, text in algorithm.code_lines():
        assert len(text) <= 37, f"{label}: must fit the dock without scrolling sideways"
        assert (len(text) - len(text.lstrip())) % 2 == 0
    assert engine.core.registry.algorithm(algorithm.key) is algorithm
    assert sys.modules[algorithm.beside.page].ALGORITHM is algorithm


@pytest.mark.slow
@every
def test_same_seed_same_states_which_do_not_change_after_their_yield(algorithm: Any) -> None:
    """Recorded step by step, and all at once."""
    np.random.seed(2)  # noqa: NPY002
    run = Run(algorithm, algorithm.example(), algorithm.params())
    kept = []
    while not run.finished and len(run.trace) < LIMIT:
        if run.advance(max_steps=len(run.trace) + 1):
            kept.append(frozen_copy(run.trace[-1].state))
    assert np.random.get_state()[2] == 624, "nothing draws from numpy's own stream"  # noqa: NPY002
    assert kept == [frozen_copy(step.state) for step in run.trace]
    first = shown(algorithm)
    assert [s.line for s in first] == [s.line for s in run.trace]
    assert [frozen_copy(s.state) for s in first] == kept


@pytest.mark.slow
@every
def test_arrays_are_read_only(algorithm: Any) -> None:
    for step in shown(algorithm):
        for array in arrays(step.state):
            assert not array.flags.writeable


@pytest.mark.slow
@every
def test_lines_are_known_and_reached(algorithm: Any) -> None:
    known = {label for label, _ in algorithm.code_lines()}
    reached = {step.line for step in shown(algorithm)}
    assert reached <= known, reached - known
    assert known <= reached, f"example() never reaches {known - reached}"


@pytest.mark.slow
@every
def test_events_and_curves_are_declared(algorithm: Any) -> None:
    trace = shown(algorithm)
    assert {event for events in trace.events for event in events} <= set(algorithm.events)
    for curve in algorithm.curves:
        assert curve.metric in trace.metrics
    for column in trace.metrics.values():
        assert np.isfinite(column[~np.isnan(column)]).all()


@pytest.mark.slow
@every
def test_scenes_are_finite_and_of_known_kinds_and_have_what_leads_and_their_fields(
    algorithm: Any,
) -> None:
    trace = shown(algorithm)
    names = set(algorithm.fields)
    for step in trace:
        scene = algorithm.scene(trace.given, step)
        is_whole(scene, step.line)
        there = views(scene, trace.problem)
        assert len(there) == len(scene.figures) + bool(trace.problem.plane)
        assert set(scene.leads) <= set(there), step.line
        assert len(leads(scene, trace.problem)) >= 1, step.line
        names |= {layer.name for layer in scene.layers if type(layer).__name__ == "Field"}
    grid = Grid.over((-1, 2), (-2, 1), 7)
    for name in names:
        for step in (trace[0], trace[len(trace) // 2], trace[-1]):
            values = evaluate_field(algorithm, trace.given, step.state, name, grid)
            assert values.shape == grid.shape
            assert not np.isinf(values).any()


def is_whole(scene: Any, line: str) -> None:
    assert scene.layers or scene.figures
    for layer in scene.layers:
        assert type(layer) in LAYERS
    for figure in scene.figures:
        assert type(figure) in FIGURES
    for name in ("xy", "w", "start", "end", "centre", "radius", "weight"):
        for layer in scene.layers:
            values = getattr(layer, name, None)
            if (
                isinstance(values, np.ndarray)
                and values.dtype.kind == "f"
                and type(layer).__name__ != "Polyline"
            ):
                assert np.isfinite(values).all(), (line, type(layer).__name__, name)


@pytest.mark.slow
@every
def test_class_surface_equals_predict(algorithm: Any) -> None:
    trace = shown(algorithm)
    answers = algorithm.predict or algorithm.component
    if "class" not in algorithm.fields or answers is None:
        return
    if not trace.problem.plane:
        trace = record(algorithm, zeros_and_ones())
    assert trace.problem.plane, (
        "an algorithm with a class surface must have a plane: that of its example(), or of 0 and 1"
    )
    low = trace.problem.xy.min(0) - 0.37
    high = trace.problem.xy.max(0) + 0.41
    grid = Grid.over((low[0], high[0]), (low[1], high[1]), 23)
    for step in trace[:: max(1, len(trace) // 12)]:
        surface = evaluate_field(algorithm, trace.given, step.state, "class", grid)
        points = trace.problem.from_plane(grid.points())
        codes = answers(trace.given, step.state, points)
        assert (surface.ravel() == codes).all(), step.line


@pytest.mark.slow
@every
def test_predict_is_pure_and_right_shaped(algorithm: Any) -> None:
    if algorithm.predict is None:
        return
    trace = shown(algorithm)
    X = np.array(trace.problem.X)
    for step in trace:
        before = frozen_copy(step.state)
        first = algorithm.predict(trace.given, step.state, X)
        second = algorithm.predict(trace.given, step.state, X)
        assert np.array_equal(first, second, equal_nan=True)
        assert first.shape == (trace.problem.n,)
        assert frozen_copy(step.state) == before
        if trace.problem.regress:
            assert not np.isinf(first).any()
        elif trace.problem.classes:
            assert first.min() >= -1
            assert first.max() < len(trace.problem.classes)
    assert algorithm.predict(trace.given, trace[-1].state, X[:0]).shape == (0,)


def unknowns(problem: Any) -> np.ndarray:
    """The first row without any value, and without one of its values, each in turn."""
    X = np.repeat(problem.X[:1], problem.d + 1, axis=0)
    X[0] = np.nan
    np.fill_diagonal(X[1:], np.nan)
    return X


@pytest.mark.slow
@every
def test_an_unknown_in_is_nothing_known_out(algorithm: Any) -> None:
    """−1 or NaN of a row with an unknown value, beside known rows and alone, at every step; but for
    algorithms that say that they go by the known values: they give no answer where there is none of
    them, unless they learn from such rows.
    """
    if algorithm.needs.missing:
        return
    for problem in (algorithm.example(), suitable(algorithm, 60)):
        trace = record(algorithm, problem)
        X = unknowns(problem)[: 1 if algorithm.by_known else None]
        known = problem.X[:3]
        for step in (trace[0], trace[1], trace[len(trace) // 2], trace[-1]):
            given = trace.given, step.state
            for answers, none in (
                (algorithm.predict, -1),
                (algorithm.scores, np.nan),
                (algorithm.component, -1),
            ):
                if answers is None:
                    continue
                none = np.nan if problem.regress else none
                expected = np.concatenate(
                    [
                        answers(*given, known),
                        np.full_like(answers(*given, known[:1]), none).repeat(len(X), 0),
                    ]
                )
                assert np.array_equal(
                    answers(*given, np.vstack([known, X])), expected, equal_nan=True
                )
                assert np.array_equal(answers(*given, X), expected[len(known) :], equal_nan=True)
            page = getattr(sys.modules[algorithm.steps.__module__], "predict", None)
            if page is not None and not problem.regress:
                assert (page(*given, X) == -1).all()
            elif page is not None:
                assert np.isnan(page(*given, X)).all()
            for x in X if algorithm.explain is not None and algorithm.predict is not None else ():
                said = algorithm.explain(*given, x)
                assert said.label == -1
                assert "unknown" in said.note.text()


@pytest.mark.slow
@every
def test_scores_say_what_predict_says(algorithm: Any) -> None:
    """Above 0 the first of two classes and below it the second; of several classes the largest
    wins.
    """
    if algorithm.scores is None:
        with pytest.raises(engine.EngineError, match="has no scores"):
            shown(algorithm).scores(algorithm.example().X)
        return
    problems = [algorithm.example(), suitable(algorithm, 60), engine.prepare(blobs(30, classes=4))]
    for problem in (
        problems
        if algorithm.needs.max_classes > 2 and not algorithm.needs.forecasts
        else problems[:2]
    ):
        trace = record(algorithm, problem)
        k = len(problem.classes)
        for at in (0, 1, len(trace) // 2, -1):
            scores = trace.scores(problem.X, at)
            codes = trace.codes(problem.X, at)
            assert not np.isnan(scores[codes >= 0]).any()
            if k == 2 and scores.ndim == 1:
                assert (codes[scores > 0] == 0).all()
                assert (codes[scores < 0] == 1).all()
                assert (codes[np.isnan(scores)] == -1).all()
            else:
                assert scores.shape == (problem.n, k)
                own = scores[np.arange(problem.n), codes]
                assert (own >= scores.max(axis=1) - 1e-9 * np.abs(scores).max())[codes >= 0].all()
        assert (trace.scores(problem.X) != 0).any()


@pytest.mark.slow
@every
def test_notes_and_choices_can_be_read(algorithm: Any) -> None:
    for step in shown(algorithm):
        for line in step.note.lines():
            assert line.strip()
            assert "{" not in line
            assert "nan" not in line.lower().split()
            assert not TWO_SIGNS.search(line), line
        for operand in step.note.operands.values():
            for array in arrays(operand.value):
                assert array.ndim == 1
        if step.choice is not None:
            assert 0 <= step.choice.chosen < len(step.choice.options)
            assert step.choice.chosen in step.choice.winners
            values = [option.value for option in step.choice.options]
            assert None not in values
            assert len(set(map(repr, values))) == len(values), "no two candidates are the same one"
            scores = [step.choice.options[i].score for i in step.choice.winners]
            assert np.ptp(scores) <= 1e-9 * max(1.0, *map(abs, scores))
            assert len(step.choice.winners) == 1 or step.choice.rule


@pytest.mark.slow
@every
def test_explains_every_label(algorithm: Any) -> None:
    trace = shown(algorithm)
    if algorithm.predict is None:
        return
    for step in (trace[0], trace[len(trace) // 2], trace[-1]):
        for x in trace.problem.X[:5]:
            explanation = algorithm.explain(trace.given, step.state, x)
            predicted = algorithm.predict(trace.given, step.state, x[None])[0]
            if not trace.problem.regress:
                assert explanation.label == predicted
            assert explanation.note.text()
            roles = explanation.bars.roles if explanation.bars is not None else ()
            assert roles.count(Role.GHOST) != 1 or Role.ACTIVE in roles, "one bar alone is no tie"


@every
def test_parameters_round_trip(algorithm: Any) -> None:
    defaults = algorithm.params()
    assert build(algorithm.params, to_dict(defaults)) == defaults
    for field in params_fields(algorithm.params):
        assert field.label
        for option in field.options:
            changed = build(algorithm.params, {field.name: option})
            assert build(algorithm.params, to_dict(changed)) == changed
        if field.range is not None and field.range.high < float("inf"):
            with pytest.raises(engine.EngineError, match=field.label.split()[0]):
                build(algorithm.params, {field.name: field.range.high * 10 + 1})
    with pytest.raises(engine.EngineError):
        build(algorithm.params, {"no_such_parameter": 1})


@every
def test_pseudo_code_worded_otherwise_has_the_same_lines(algorithm: Any) -> None:
    labels = [label for label, _ in algorithm.code_lines()]
    for field in params_fields(algorithm.params):
        for option in field.options:
            worded = algorithm.code_lines(build(algorithm.params, {field.name: option}))
            assert [label for label, _ in worded] == labels
            assert all(len(text) <= 37 for _, text in worded)
            if algorithm.wording:
                assert set(algorithm.wording(build(algorithm.params, {field.name: option}))) <= set(
                    labels
                )


@pytest.mark.slow
@every
def test_every_option_of_every_choice_runs(algorithm: Any) -> None:
    problem = suitable(algorithm, *some_rows(algorithm))
    for field in params_fields(algorithm.params):
        for option in field.options:
            try:
                trace = record(
                    algorithm, problem, most=200, **fewer(algorithm), **{field.name: option}
                )
            except engine.EngineError as sentence:
                assert str(sentence).endswith((".", "!"))
                continue
            assert len(trace) > 1
            page = getattr(sys.modules[algorithm.steps.__module__], "predict", None)
            # Hamming's page has NaN for a value nobody has
            predict = algorithm.predict if algorithm.by_known else page
            if predict is not None and not algorithm.needs.missing:
                nothing = predict(trace.given, trace[-1].state, np.full((1, problem.d), np.nan))
                assert np.isnan(nothing[0]) if problem.regress else nothing[0] == -1


@pytest.mark.slow
@every
def test_closing_anywhere_raises_nothing(algorithm: Any) -> None:
    for stop in (1, 2, 3, 5, 8, 13, 50):
        run = Run(algorithm, algorithm.example(), algorithm.params())
        run.advance(max_steps=stop)
        run.close()
        assert run.advance() == 0


@pytest.mark.slow
@every
def test_a_run_that_nobody_looks_at_is_freed_at_once(algorithm: Any) -> None:
    """Nothing of it knows the run or the trace: memory does not wait for Python to search for
    circles.
    """
    run = Run(algorithm, algorithm.example(), algorithm.params())
    run.advance(max_steps=30)
    kept = weakref.ref(run.trace)
    gc.disable()
    try:
        del run
        assert kept() is None
    finally:
        gc.enable()


@pytest.mark.slow
@every
def test_resumes_from_any_state(algorithm: Any) -> None:
    if algorithm.resume is None:
        return
    trace = shown(algorithm)
    for step in trace[:: max(1, len(trace) // 5)]:
        run = Run(algorithm, trace.problem, trace.params, start=step.state)
        run.advance(max_steps=20)
        assert len(run.trace) >= 1


@pytest.mark.slow
@resumable
@pytest.mark.parametrize("level", Level)
def test_going_on_with_nothing_changed_gives_the_same_steps(algorithm: Any, level: Level) -> None:
    """At the first, a middle and the last but one step; within a round, too.

    From the last step on the page may go on, or says that nothing is left to do.
    """
    problem = algorithm.example()
    pace = Pace(level)
    before = engine.run(algorithm.key, problem, seed=3, pace=pace, max_steps=120)
    last = len(before) - 1
    for place in sorted({0, last // 2, max(0, last - 1)} - {last}):
        rest = engine.run(
            algorithm.key,
            problem,
            seed=3,
            pace=pace,
            max_steps=last - place,
            go_on_from=before.start_at(place),
        )
        assert list(map(moment, rest)) == list(map(moment, before[place + 1 :])), place
    try:
        behind = engine.run(
            algorithm.key, problem, seed=3, pace=pace, max_steps=5, go_on_from=before.start_at(last)
        )
    except engine.EngineError as sentence:
        assert "nothing left to do" in str(sentence)
    else:
        assert len(behind)


def moment(step: Any) -> tuple[Any, ...]:
    """All that a step is, but for its words, which follow from it."""
    return step.line, step.level, step.events, b"".join(parts((dict(step.metrics), step.state)))


@pytest.mark.slow
@resumable
def test_a_run_goes_on_at_another_pace_than_it_was_recorded(algorithm: Any) -> None:
    """From a step of the finest pace to the rounds after it, and from a round to all that comes
    after it.
    """
    problem = algorithm.example()
    fine, coarse = (
        engine.run(algorithm.key, problem, pace=Pace(level), max_steps=120)
        for level in (Level.DETAIL, Level.ROUND)
    )
    if not fine.finished or len(coarse) < 3:
        return
    place = fine.indices(Level.ROUND)[len(coarse) // 2]
    rounds = engine.run(
        algorithm.key, problem, pace=Pace(Level.ROUND), go_on_from=fine.start_at(place), max_steps=3
    )
    wanted = [step for step in fine[place + 1 :] if step.level == Level.ROUND][:3]
    assert list(map(moment, rounds))[: len(wanted)] == list(map(moment, wanted))
    start = coarse.start_at(len(coarse) // 2)
    steps = engine.run(
        algorithm.key, problem, pace=Pace(Level.DETAIL), go_on_from=start, max_steps=3
    )
    assert list(map(moment, steps))[: last_of(fine, place)] == list(
        map(moment, fine[place + 1 : place + 4])
    )


def last_of(trace: Any, place: int) -> int:
    """How many of three steps after a place there are."""
    return min(3, len(trace) - 1 - place)


@pytest.mark.slow
@every
def test_coarse_pace_leaves_out_only_fine_steps(algorithm: Any) -> None:
    for level in (Level.STEP, Level.ROUND):
        fine = shown(algorithm)
        coarse = record(algorithm, pace=Pace(level))
        assert all(step.level >= level for step in coarse), level
        wanted = [step.line for step in fine if step.level >= level]
        # an unfinished fine run does not get as far as the coarse one
        lines = [step.line for step in coarse]
        assert (lines if fine.finished else lines[: len(wanted)]) == wanted, level
        if fine.finished and algorithm.predict is not None:
            codes = coarse.codes(fine.problem.X)
            assert np.array_equal(codes, fine.codes(fine.problem.X), equal_nan=True), level


@pytest.mark.slow
@every
def test_the_last_state_is_the_same_at_every_pace(algorithm: Any) -> None:
    """What the end alone tells, such as which start is the best, is told at any pace."""
    options = [(f.name, option) for f in params_fields(algorithm.params) for option in f.options]
    chosen = [{}, *({name: option} for name, option in options if not is_experiment(algorithm))]
    compared = 0
    for problem in (algorithm.example(), suitable(algorithm, 24)):
        for given in chosen:
            try:
                runs = [
                    record(algorithm, problem, 1, pace, 600, **(fewer(algorithm) | given))
                    for pace in (
                        Pace(Level.ROUND),
                        Pace(Level.ROUND, end=True),
                        Pace(Level.STEP),
                        Pace(),
                    )
                ]
            except engine.EngineError:
                continue
            ended = [whole(trace[-1].state) for trace in runs if trace.finished]
            assert len(set(ended)) <= 1, given
            compared += len(ended) > 1
    assert compared


@pytest.mark.slow
@every
def test_leaping_equals_stepping(algorithm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole rounds that nobody watches end in the states that the page itself comes to, to the last
    bit.
    """
    problem = suitable(algorithm, *some_rows(algorithm))
    most = 12 if is_experiment(algorithm) else 20
    options = [(f.name, option) for f in params_fields(algorithm.params) for option in f.options]
    # of an experiment only the learners that it runs may leap, and they are asked here themselves
    for chosen in [
        {},
        *({name: option} for name, option in options if not is_experiment(algorithm)),
    ]:
        given = fewer(algorithm) | chosen
        asked: list[bool] = []
        with monkeypatch.context() as patch:
            patch.setattr(timeline_run, "At", noting(asked))
            try:
                leapt = record(
                    algorithm, problem, seed=5, pace=Pace(Level.ROUND), most=most, **given
                )
            except engine.EngineError:
                continue
        if not asked:  # nothing in this run depends on it
            continue
        with monkeypatch.context() as patch:
            patch.setattr(timeline_run, "At", partial(At, leaping=False))
            stepped = record(algorithm, problem, seed=5, pace=Pace(Level.ROUND), most=most, **given)
        assert [s.line for s in leapt] == [s.line for s in stepped], given
        assert [s.events for s in leapt] == [s.events for s in stepped], given
        assert [whole(s.state) for s in leapt] == [whole(s.state) for s in stepped], given
        assert [repr(s.metrics) for s in leapt] == [repr(s.metrics) for s in stepped], given


@pytest.mark.slow
@pytest.mark.parametrize(
    "algorithm",
    [a for a in engine.algorithms().values() if "leap_rounds" in vars(sys.modules[a.beside.page])],
    ids=lambda a: a.key,
)
def test_who_wants_the_end_alone_has_the_end_of_the_rounds(algorithm: Any) -> None:
    problem = suitable(algorithm, 60, engine.Split(0.25))
    options = [(f.name, option) for f in params_fields(algorithm.params) for option in f.options]
    shorter = []
    for given in [{}, *({name: option} for name, option in options)]:
        alone, rounds = (
            record(algorithm, problem, 5, Pace(Level.ROUND, end), 10_000, **given)
            for end in (True, False)
        )
        shorter.append(len(alone) < len(rounds))
        one = alone[-1]
        other = rounds[-1]
        assert (one.line, one.events, repr(one.metrics)) == (
            other.line,
            other.events,
            repr(other.metrics),
        ), given
        assert whole(one.state) == whole(other.state) and one.note.lines() == other.note.lines(), (
            given
        )
    assert any(shorter)


def noting(asked: list[bool]) -> type[At]:
    """What tells the moments, and notes when a run wants to know whether it may leap."""

    class Noting(At):
        @property
        def leaps(self) -> bool:
            asked.append(True)
            return not self.pace.step

        @leaps.setter
        def leaps(self, may: bool) -> None:
            assert may is not self.pace.step

    return Noting


def some_rows(algorithm: Any) -> tuple[int, engine.Split]:
    """How many rows, a quarter of them held out: few for an experiment, each step of which is a
    fit.
    """
    return 24 if is_experiment(algorithm) else 60, engine.Split(0.25)


def is_experiment(algorithm: Any) -> bool:
    return algorithm.beside.page.startswith("engine.experiments.")


def suitable(algorithm: Any, n: int, split: engine.Split = engine.Split()) -> Any:
    """A problem of about n rows that the algorithm takes: points of two classes, points on a curve,
    or yes/no rows.
    """
    for make in (blobs, curve, yes_no, experts):
        problem = prepared(make, min(n, 64) if make is yes_no else n, split)
        if algorithm.needs.reason(problem) is None:
            return problem
    raise AssertionError(f"no problem for {algorithm.key}")


@cache
def prepared(make: Any, n: int, split: engine.Split) -> Any:
    return engine.prepare(make(n), split=split)


def zeros_and_ones() -> Any:
    """Two columns of numbers that hold 0 and 1."""
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
    return engine.prepare(engine.Dataset.from_arrays(X, ["no", "no", "no", "yes", "yes"]))


def curve(n: int) -> Any:
    x = np.linspace(-3, 3, n)
    y = np.sin(x) + 0.2 * np.random.default_rng(0).normal(size=n) + 0.01
    return engine.Dataset.from_columns({"x": x, "y": y}, target="y", task="regress")


def yes_no(n: int) -> Any:
    rng = np.random.default_rng(1)
    X = rng.random((n, 4)) < 0.5
    columns = {f"f{j + 1}": X[:, j] for j in range(4)}
    return engine.Dataset.from_columns({**columns, "y": (X[:, 0] & X[:, 1]) | X[:, 2]}, target="y")


def experts(n: int) -> Any:
    """Forecasts of four experts and what happened, day by day."""
    rng = np.random.default_rng(2)
    y = rng.random(n) < 0.5
    columns = {f"expert {j + 1}": np.where(rng.random(n) < 0.1 + 0.1 * j, ~y, y) for j in range(4)}
    return engine.Dataset.from_columns({**columns, "up": y}, target="up")


def blobs(n: int, classes: int = 2, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.normal(size=(n, 2)) + 3.0 * np.column_stack([np.cos(2.1 * y), np.sin(2.1 * y)])
    return engine.Dataset.from_arrays(X, y if classes > 2 else np.where(y == 0, 1, -1))


@pytest.mark.slow
@every
def test_steps_are_small(algorithm: Any) -> None:
    trace = record(algorithm, suitable(algorithm, 500))
    assert trace.bytes / len(trace) < 26_000


DEGENERATE = {
    "one point": ([[1.0, 2.0]], [1]),
    "one point each": ([[1.0, 2.0], [2.0, 1.0]], [1, -1]),
    "all equal": ([[1.0, 1.0]] * 6, [1, -1, 1, -1, 1, 1]),
    "one class": ([[0.0, 1.0], [1.0, 2.0], [2.0, 0.0]], [1, 1, 1]),
    "constant column": ([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], [1, 1, -1, -1]),
    "collinear": ([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]], [1, -1, 1, -1, 1]),
    "duplicates": ([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]], [1, -1, -1, 1]),
    "three classes": ([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [0, 1, 2, 2]),
    "missing": ([[0.0, np.nan], [1.0, 0.0], [np.nan, 1.0], [1.0, 1.0]], [1, -1, 1, -1]),
    "huge": ([[1e150, -1e150], [-1e150, 1e150], [1e149, 0.0]], [1, -1, 1]),
    "tiny": ([[1e-150, 0.0], [-1e-150, 1e-160], [0.0, 1e-155]], [1, -1, 1]),
    "one column": ([[0.0], [1.0], [2.0], [3.0]], [1, -1, -1, 1]),
}


@pytest.mark.slow
@every
def test_degenerate_problems_give_a_result_or_a_sentence(algorithm: Any) -> None:
    for name, (X, y) in DEGENERATE.items():
        try:
            gives_a_result_or_a_sentence(algorithm, np.array(X), np.array(y))
        except Exception as fault:
            fault.add_note(f"data: {name}")
            raise


def gives_a_result_or_a_sentence(algorithm: Any, X: np.ndarray, y: np.ndarray) -> None:
    try:
        problem = engine.prepare(engine.Dataset.from_arrays(X, y))
        run = Run(algorithm, problem, build(algorithm.params, fewer(algorithm)))
        run.advance(max_steps=120)
    except engine.EngineError as sentence:
        assert len(str(sentence)) > 20
        return
    assert len(run.trace) > 0
    for step in (run.trace[0], run.trace[-1]):
        algorithm.scene(algorithm.setting(problem, run.params), step)
        step.note.lines()
        if algorithm.predict is not None:
            algorithm.predict(algorithm.setting(problem, run.params), step.state, problem.X)


@every
def test_refusals_are_the_pickers_sentences(algorithm: Any) -> None:
    empty = engine.Dataset.from_arrays(np.zeros((0, 2)), np.zeros(0, dtype=int))
    with pytest.raises(engine.EngineError):
        engine.run(algorithm.key, empty)
    if algorithm.needs.max_classes < 5:
        problem = engine.prepare(blobs(50, classes=5))
        why = algorithm.needs.reason(problem)
        with pytest.raises(engine.EngineError, match=str(why)):
            Run(algorithm, problem, algorithm.params())


def braced(problem: Any) -> Any:
    """The problem with braces in every name that the data may give."""

    def odd(text: Any) -> str:
        return "{0}" + str(text) + "}"

    def feature(f: Any) -> Any:
        return replace(
            f,
            name=odd(f.name),
            categories=tuple(odd(c) if isinstance(c, str) else c for c in f.categories),
        )

    return replace(
        problem,
        features=tuple(map(feature, problem.features)),
        classes=tuple(map(odd, problem.classes)),
        target=feature(problem.target) if problem.target is not None else None,
        names=tuple(map(odd, problem.names)),
    )


@pytest.mark.slow
@every
def test_names_from_the_data_may_have_braces(algorithm: Any) -> None:
    """Notes are templates, in which braces mark places."""
    trace = record(algorithm, braced(algorithm.example()), most=150)
    texts = []
    for step in trace:
        texts += step.note.lines()
        if algorithm.explain is not None and step.state is not None:
            explained = algorithm.explain(trace.given, step.state, trace.problem.X[0])
            texts += explained.note.lines() if explained is not None else []
    assert not [text for text in texts if "{{" in text]
