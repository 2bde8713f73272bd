"""Every discovered algorithm keeps the promises of the protocol (docs/architecture.md).

There is no list here. An assertion says in a sentence what the page gives and what is wanted:
`main.py check FILE` prints it to a person who knows neither these tests nor the engine.
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
from engine.base.arrays import Prefix
from engine.base.grid import Grid
from engine.base.records import field_names, is_record, replace
from engine.judge.surface import evaluate_field
from engine.protocol.moment import At
from engine.protocol.params import build, params_fields, to_dict
from engine.protocol.step import Level, Pace
from engine.runs import run as timeline_run
from engine.runs.run import Run
from engine.scene.scene import FIGURES, LAYERS, Figure, Layer, Role
from engine.scene.views import leads, views
from engine.sources.real import real
from tests.engine.digests import fewer, parts

LIMIT = 400
FEW = 60  # of the lab's digits, of which four learners learn for seconds
LETTERS = 37  # of a line of pseudo-code: so many fit beside the plane
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
    assert len(run.trace), "steps() yields no step at all: yield from at(“label”, state)."
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


def place(number: int, step: Any) -> str:
    """A step, in a sentence."""
    return f"step {number} (line “{step.line}”)"


def few(trace: Any) -> list[tuple[int, Any]]:
    """The first two steps, a middle one and the last, with their numbers."""
    last = len(trace) - 1
    return [(number, trace[number]) for number in sorted({0, min(1, last), last // 2, last})]


def lines_of(note: Any, whose: str) -> list[str]:
    """The words of a note, which names only what it is given."""
    try:
        found: list[str] = note.lines()
    except (KeyError, IndexError, ValueError) as fault:
        raise AssertionError(
            f"The words of {whose} cannot be filled in: {type(fault).__name__} {fault}. note(…)"
            " takes a value for each name in braces, as note(“{count} rows”, count=3); a name from"
            " the data is such a value, never a part of the text, where its own braces would count."
        ) from fault
    return found


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
    assert algorithm.title, "The title is empty: Algorithm.of(__name__, title=“…”)."
    assert algorithm.family, "The family is empty: leave family out, or name one."
    assert algorithm.summary.endswith("."), (
        f"SUMMARY is no sentence with a full stop at its end: “{algorithm.summary}”."
    )
    assert algorithm.source or algorithm.extension, (
        "Where the method is from is not said: Algorithm.of(…, source=(“MMDS 12.2”,)), or"
        " extension=True where it is in none of the lab's books."
    )
    labels = [label for label, _ in algorithm.code_lines()]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    assert not twice, f"PSEUDOCODE has several lines with the label {twice}; each needs its own."
    for label, text in algorithm.code_lines():
        fits_the_dock(label, text)
        indent = len(text) - len(text.lstrip())
        assert indent % 2 == 0, (
            f"The line “{label}” of PSEUDOCODE begins {indent} further right than the first one:"
            " two spaces indent a text by one level."
        )
    assert engine.protocol.registry.algorithm(algorithm.key) is algorithm
    assert sys.modules[algorithm.beside.page].ALGORITHM is algorithm


def fits_the_dock(label: str, text: str) -> None:
    assert len(text) <= LETTERS, (
        f"The line “{label}” of PSEUDOCODE has {len(text)} letters: “{text}”. At most {LETTERS} fit"
        " beside the plane without scrolling sideways: say it more shortly, or in two lines."
    )


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
    assert np.random.get_state()[2] == 624, (  # noqa: NPY002
        "The run draws numbers by np.random…; draw them from rng, which steps() is given: then the"
        " same seed gives the same run."
    )
    for number, step in enumerate(run.trace):
        assert frozen_copy(step.state) == kept[number], (
            f"The state of {place(number, step)} changes after it was given to at(…): something in"
            " it is changed in place. Give the State copies, as frozen(array.copy()), and tuples in"
            " place of lists."
        )
    again = (
        "Two runs with the same seed differ at {}: chance comes from rng alone, and nothing outside"
        " steps() keeps what a run has found."
    )
    first = shown(algorithm)
    for number, (one, other) in enumerate(zip(first, run.trace, strict=False)):
        same = one.line == other.line and frozen_copy(one.state) == kept[number]
        assert same, again.format(place(number, one))
    assert len(first) == len(run.trace), again.format("their length")


@pytest.mark.slow
@every
def test_arrays_are_read_only(algorithm: Any) -> None:
    for number, step in enumerate(shown(algorithm)):
        for array in arrays(step.state):
            assert not array.flags.writeable, (
                f"An array in the state of {place(number, step)}, of shape {array.shape}, can be"
                " written to: give the State frozen(array.copy())."
            )


@pytest.mark.slow
@every
def test_lines_are_known_and_reached(algorithm: Any) -> None:
    known = {label for label, _ in algorithm.code_lines()}
    emitted: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline_run, "At", noting_lines(algorithm, emitted))
        record(algorithm)
    assert emitted <= known, (
        f"steps() yields at(…) with {sorted(emitted - known)}, which is no label of PSEUDOCODE; the"
        f" labels are {sorted(known)}."
    )
    reached = {step.line for step in shown(algorithm)}
    assert known <= reached, (
        f"The run of example() never comes to the line {sorted(known - reached)} within"
        f" {LIMIT} steps: yield from at(…) there, and choose data in example() that lead to it."
    )


def noting_lines(algorithm: Any, emitted: set[str]) -> type[At]:
    """What tells the moments, and notes the lines of this algorithm's own, also unknown ones."""

    class Noting(At):
        def __init__(self, method: Any, *given: Any, **named: Any) -> None:
            super().__init__(method, *given, **named)
            self.notes = method is algorithm  # not a learner that it runs

        def __call__(self, line: str, state: Any, /, *events: str, **details: Any) -> Any:
            if self.notes:
                emitted.add(line)
            return super().__call__(line, state, *events, **details)

    return Noting


@pytest.mark.slow
@every
def test_events_and_curves_are_declared(algorithm: Any) -> None:
    trace = shown(algorithm)
    seen = {event for events in trace.events for event in events}
    missing = sorted(seen - set(algorithm.events))
    assert not missing, (
        f"Steps have the events {missing}, which are not declared: Algorithm.of(…,"
        f" events=({', '.join(f'“{event}”' for event in sorted(seen))},))."
    )
    for curve in algorithm.curves:
        assert curve.metric in trace.metrics, (
            f"Curve(“{curve.metric}”, …) draws a number that is not recorded; recorded are"
            f" {sorted(trace.metrics)}: metrics(given, s) has to give it."
        )
    for name, column in trace.metrics.items():
        assert not np.isinf(column).any(), (
            f"The metric “{name}” is infinite at step {np.isinf(column).argmax()}; NaN says that"
            " there is no number yet."
        )


@pytest.mark.slow
@every
def test_scenes_are_finite_and_of_known_kinds_and_have_what_leads_and_their_fields(
    algorithm: Any,
) -> None:
    trace = shown(algorithm)
    names = set(algorithm.fields)
    for number, step in enumerate(trace):
        scene = algorithm.scene(trace.given, step)
        is_whole(scene, step.line)
        there = views(scene, trace.problem)
        assert len(there) == len(scene.figures) + bool(trace.problem.plane), (
            f"Two figures of the scene of {place(number, step)} have the same name; its views are"
            f" {sorted(there)}."
        )
        unknown = sorted(set(scene.leads) - set(there))
        assert not unknown, (
            f"The scene of {place(number, step)} is led by {unknown}, which it does not have; its"
            f" views are {sorted(there)}."
        )
        assert len(leads(scene, trace.problem)) >= 1, (
            f"The scene of {place(number, step)} shows nothing: without a plane it needs a figure."
        )
        names |= {layer.name for layer in scene.layers if type(layer).__name__ == "Field"}
    grid = Grid.over((-1, 2), (-2, 1), 7)
    for name in names:
        for number, step in few(trace):
            values = evaluate_field(algorithm, trace.given, step.state, name, grid)
            whose = f"The surface “{name}” in FIELDS, at {place(number, step)},"
            assert values.shape == grid.shape, (
                f"{whose} has the shape {values.shape}; grid.shape is {grid.shape}."
            )
            assert not np.isinf(values).any(), f"{whose} is infinite; NaN leaves a place blank."


def is_whole(scene: Any, line: str) -> None:
    whose = f"The scene of a step of the line “{line}”"
    assert scene.layers or scene.figures, (
        f"{whose} is empty: Scene((Field(“class”), data_points(given.problem))) is one."
    )
    for layer in scene.layers:
        assert isinstance(layer, Layer), (
            f"{whose} has a {type(layer).__name__} among its layers; layers are"
            f" {', '.join(kind.__name__ for kind in LAYERS)}."
        )
    for figure in scene.figures:
        assert isinstance(figure, Figure), (
            f"{whose} has a {type(figure).__name__} among its figures; figures are"
            f" {', '.join(kind.__name__ for kind in FIGURES)}."
        )
    for name in ("xy", "w", "start", "end", "centre", "radius", "weight"):
        for layer in scene.layers:
            values = getattr(layer, name, None)
            if (
                isinstance(values, np.ndarray)
                and values.dtype.kind == "f"
                and type(layer).__name__ != "Polyline"
            ):
                assert np.isfinite(values).all(), (
                    f"{whose} has numbers in {type(layer).__name__}.{name} that are infinite or"
                    " unknown: draw only what is known."
                )


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
        differing = int((surface.ravel() != codes).sum())
        assert not differing, (
            f"The surface “class” in FIELDS gives another class than predict at {differing} of"
            f" {len(codes)} places, at a step of the line “{step.line}”. Both must say the same;"
            " without FIELDS the surface is made of predict."
        )


@pytest.mark.slow
@every
def test_predict_is_pure_and_right_shaped(algorithm: Any) -> None:
    if algorithm.predict is None:
        return
    trace = shown(algorithm)
    X = np.array(trace.problem.X)
    n, k = trace.problem.n, len(trace.problem.classes)
    for number, step in enumerate(trace):
        before = frozen_copy(step.state)
        first = algorithm.predict(trace.given, step.state, X)
        second = algorithm.predict(trace.given, step.state, X)
        whose = f"predict, at {place(number, step)},"
        assert np.shape(first) == (n,), (
            f"{whose} gives an array of the shape {np.shape(first)} for {n} rows: it must give one"
            f" answer for each row, in the shape ({n},)."
        )
        assert np.array_equal(first, second, equal_nan=True), (
            f"{whose} gives two answers for the same rows: it may depend on the state alone."
        )
        assert frozen_copy(step.state) == before, f"{whose} changes the state; work on a copy."
        if trace.problem.regress:
            assert not np.isinf(first).any(), f"{whose} gives infinite values; NaN says unknown."
        elif trace.problem.classes:
            assert -1 <= first.min() <= first.max() < k, (
                f"{whose} gives numbers from {first.min()} to {first.max()}: a class is its number"
                f" from 0 to {k - 1}, and −1 is no class."
            )
    nothing = algorithm.predict(trace.given, trace[-1].state, X[:0])
    assert nothing.shape == (0,), (
        f"predict gives the shape {nothing.shape} for no rows at all; it must be (0,)."
    )


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
        for number, step in few(trace):
            given = trace.given, step.state
            for name, none in (("predict", -1), ("scores", np.nan), ("component", -1)):
                answers = getattr(algorithm, name)
                if answers is None:
                    continue
                none = np.nan if problem.regress else none
                expected = np.concatenate(
                    [
                        answers(*given, known),
                        np.full_like(answers(*given, known[:1]), none).repeat(len(X), 0),
                    ]
                )
                beside, alone = answers(*given, np.vstack([known, X])), answers(*given, X)
                right = np.array_equal(beside, expected, equal_nan=True) and np.array_equal(
                    alone, expected[len(known) :], equal_nan=True
                )
                assert right, (
                    f"{name}, at {place(number, step)}, gives a row another answer when other rows"
                    f" stand beside it, or one to a row with an unknown value, where {none} is"
                    " wanted: the answer to a row depends on that row and the state alone."
                )
            for x in X if algorithm.explain is not None and algorithm.predict is not None else ():
                said = algorithm.explain(*given, x)
                assert said.label == -1 and "unknown" in said.note.text(), (
                    f"explain, at {place(number, step)}, gives the label {said.label} to a place"
                    " with an unknown value; −1 is wanted, and words that say what is unknown."
                )


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
        if algorithm.needs.max_classes > 2 and algorithm.needs.reason(problems[2]) is None
        else problems[:2]
    ):
        trace = record(algorithm, problem)
        k = len(problem.classes)
        for at in (0, 1, len(trace) // 2, -1):
            at = min(at, len(trace) - 1)
            agree(trace.scores(problem.X, at), trace.codes(problem.X, at), k)
        assert (trace.scores(problem.X) != 0).any(), (
            f"scores gives 0 for every row of a table of {problem.n} rows at the end of the run."
        )


def agree(scores: np.ndarray, codes: np.ndarray, k: int) -> None:
    """The scores of some rows say the classes that predict says."""
    n = len(codes)
    assert scores.shape in ((n, k), (n,) if k == 2 else (n, k)), (
        f"scores gives the shape {scores.shape} for {n} rows of {k} classes: ({n}, {k}), one number"
        f" for each class, is wanted, or ({n},) for two classes."
    )
    assert not np.isnan(scores[codes >= 0]).any(), (
        "scores gives NaN for rows to which predict gives a class."
    )
    if scores.ndim == 1:
        wanted = np.select([scores > 0, scores < 0, np.isnan(scores)], [0, 1, -1], codes)
        assert (codes == wanted).all(), (
            f"scores says otherwise than predict for {int((codes != wanted).sum())} of {n} rows:"
            " above 0 is the first class, below it the second, NaN is none."
        )
    else:
        own = scores[np.arange(n), codes]
        largest = own >= scores.max(axis=1) - 1e-9 * np.abs(scores).max()
        assert largest[codes >= 0].all(), (
            "scores says otherwise than predict: the class with the largest score is to be the"
            " answer."
        )


@pytest.mark.slow
@every
def test_notes_and_choices_can_be_read(algorithm: Any) -> None:
    for number, step in enumerate(shown(algorithm)):
        whose = place(number, step)
        for line in lines_of(step.note, whose):
            assert line.strip(), f"The words of {whose} have an empty line."
            assert "{" not in line, (
                f"The words of {whose} still have a name in braces: “{line}”. note(…) takes a value"
                " for each of them, as note(“{count} rows”, count=3)."
            )
            assert "nan" not in line.lower().split(), (
                f"The words of {whose} say “nan”: “{line}”. Say in words that a number is unknown."
            )
            assert not TWO_SIGNS.search(line), (
                f"Two signs meet in the words of {whose}: “{line}”. A number behind an operator"
                " belongs into the body of a Formula, where a negative one gets its brackets."
            )
        for name, operand in step.note.operands.items():
            for array in arrays(operand.value):
                assert array.ndim == 1, (
                    f"The value of {{{name}}} in the words of {whose} has {array.ndim} axes: a"
                    " number or a vector can be written, a table belongs into a figure."
                )
        if step.choice is not None:
            can_be_read(step.choice, whose)


def can_be_read(choice: Any, whose: str) -> None:
    """A choice says what its candidates are, and how a tie is broken."""
    k = len(choice.options)
    assert 0 <= choice.chosen < k, (
        f"The choice of {whose} takes option {choice.chosen} of {k}; they are counted from 0."
    )
    assert choice.chosen in choice.winners, (
        f"The choice of {whose} takes option {choice.chosen}, which is not among its winners"
        f" {choice.winners}."
    )
    values = [option.value for option in choice.options]
    assert None not in values, (
        f"An option of the choice of {whose} has no value. Option(…, value=…) says what is chosen:"
        " the number of a row, of a column or of a class, or a threshold. The mode “Predict” asks"
        " for it."
    )
    assert len(set(map(repr, values))) == len(values), (
        f"Two options of the choice of {whose} have the same value; {values} are to be different."
    )
    scores = [choice.options[i].score for i in choice.winners]
    assert np.ptp(scores) <= 1e-9 * max(1.0, *map(abs, scores)), (
        f"The winners of the choice of {whose} have different scores, {scores}: winners are all"
        " options that are as good as the best."
    )
    assert len(choice.winners) == 1 or choice.rule, (
        f"Several options of the choice of {whose} are equally good, and it does not say how the"
        " tie is broken: Choice(…, rule=“equal: the first one”)."
    )


@pytest.mark.slow
@every
def test_explains_every_label(algorithm: Any) -> None:
    trace = shown(algorithm)
    if algorithm.predict is None:
        return
    assert algorithm.explain is not None, (
        "The page has predict, and no explain(given, s, x): why does the place x have its label?"
    )
    for number, step in few(trace):
        for x in trace.problem.X[:5]:
            explanation = algorithm.explain(trace.given, step.state, x)
            predicted = algorithm.predict(trace.given, step.state, x[None])[0]
            whose = f"explain, at {place(number, step)},"
            assert trace.problem.regress or explanation.label == predicted, (
                f"{whose} gives a place the label {explanation.label}, and predict gives it"
                f" {predicted}: both must be the same."
            )
            assert explanation.note.text(), f"{whose} has no words."
            roles = explanation.bars.roles if explanation.bars is not None else ()
            assert roles.count(Role.GHOST) != 1 or Role.ACTIVE in roles, (
                f"{whose} has one bar as GHOST and none as ACTIVE: one bar alone is no tie."
            )


@every
def test_parameters_round_trip(algorithm: Any) -> None:
    defaults = algorithm.params()
    assert build(algorithm.params, to_dict(defaults)) == defaults, (
        "Params does not come back as it was from a file: its fields are to be numbers, truth"
        " values, texts or tuples of them."
    )
    for field in params_fields(algorithm.params):
        assert field.label, (
            f"The parameter {field.name} has no label for the form: {field.name}:"
            " Annotated[int, Label(“…”)]."
        )
        for option in field.options:
            changed = build(algorithm.params, {field.name: option})
            assert build(algorithm.params, to_dict(changed)) == changed
        if field.range is not None and field.range.high < float("inf"):
            with pytest.raises(engine.EngineError, match=re.escape(field.label.split()[0])):
                build(algorithm.params, {field.name: field.range.high * 10 + 1})
    with pytest.raises(engine.EngineError):
        build(algorithm.params, {"no_such_parameter": 1})


@every
def test_pseudo_code_worded_otherwise_has_the_same_lines(algorithm: Any) -> None:
    labels = [label for label, _ in algorithm.code_lines()]
    for field in params_fields(algorithm.params):
        for option in field.options:
            params = build(algorithm.params, {field.name: option})
            for label, text in algorithm.code_lines(params):
                fits_the_dock(label, text)
            if algorithm.wording:
                others = sorted(set(algorithm.wording(params)) - set(labels))
                assert not others, (
                    f"wording(p) words the lines {others}, which PSEUDOCODE does not have; it has"
                    f" {labels}."
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
                assert str(sentence).endswith((".", "!")), (
                    f"With {field.name}={option} the page refuses by “{sentence}”: that is to be a"
                    " sentence with a full stop, which tells a person what to change."
                )
                continue
            if algorithm.predict is not None and not algorithm.needs.missing:
                unknown = np.full((1, problem.d), np.nan)
                (answer,) = algorithm.predict(trace.given, trace[-1].state, unknown)
                assert np.isnan(answer) if problem.regress else answer == -1, (
                    f"With {field.name}={option} predict answers {answer} where nothing is known"
                    f" of a row; {'NaN' if problem.regress else '−1'} is wanted."
                )


@pytest.mark.slow
@every
def test_closing_anywhere_raises_nothing(algorithm: Any) -> None:
    for stop in (1, 2, 3, 5, 8, 13, 50):
        run = Run(algorithm, algorithm.example(), algorithm.params())
        run.advance(max_steps=stop)
        run.close()
        assert run.advance() == 0, f"A run that is closed after {stop} steps goes on."


@pytest.mark.slow
@every
def test_a_run_that_is_not_shown_is_freed_at_once(algorithm: Any) -> None:
    """Nothing of it knows the run or the trace: memory does not wait for Python to search for
    circles.
    """
    run = Run(algorithm, algorithm.example(), algorithm.params())
    run.advance(max_steps=30)
    kept = weakref.ref(run.trace)
    gc.disable()
    try:
        del run
        assert kept() is None, (
            "A run that is over stays in memory: something on the page keeps its state, as a list"
            " outside steps(), or a state that refers to the run."
        )
    finally:
        gc.enable()


@pytest.mark.slow
@every
def test_resumes_from_any_state(algorithm: Any) -> None:
    if algorithm.resume is None:
        return
    trace = shown(algorithm)
    for step in trace[:: max(1, len(trace) // 5)]:
        try:
            run = Run(algorithm, trace.problem, trace.params, start=step.state)
            run.advance(max_steps=20)
        except engine.EngineError as sentence:
            assert "nothing left to do" in str(sentence), refused(sentence)
        else:
            assert len(run.trace) >= 1, NOTHING_RESUMED.format(step.line)


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
            max_steps=min(last - place, 40),
            go_on_from=before.start_at(place),
        )
        assert list(map(moment, rest)) == list(map(moment, before[place + 1 : place + 41])), (
            f"resume from step {place} gives other steps than the run had after it: all that the"
            " way on depends on belongs into the State."
        )
    try:
        behind = engine.run(
            algorithm.key, problem, seed=3, pace=pace, max_steps=5, go_on_from=before.start_at(last)
        )
    except engine.EngineError as sentence:
        assert "nothing left to do" in str(sentence), refused(sentence)
    else:
        assert len(behind), NOTHING_RESUMED.format(before[last].line)


NOTHING_RESUMED = (
    "resume yields nothing from a state of the line “{}”: it yields the steps that are left, or"
    " raises EngineError with a sentence that says that there is nothing left to do."
)


def refused(sentence: Exception) -> str:
    return (
        f"resume refuses a state of the run by “{sentence}”; the only reason not to go on is that"
        " there is nothing left to do, in these words."
    )


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
    other_pace = (
        "resume at another pace than the run's gives other steps: what steps() does must not depend"
        " on what is shown."
    )
    assert list(map(moment, rounds))[: len(wanted)] == list(map(moment, wanted)), other_pace
    start = coarse.start_at(len(coarse) // 2)
    steps = engine.run(
        algorithm.key, problem, pace=Pace(Level.DETAIL), go_on_from=start, max_steps=3
    )
    assert list(map(moment, steps))[: last_of(fine, place)] == list(
        map(moment, fine[place + 1 : place + 4])
    ), other_pace


def last_of(trace: Any, place: int) -> int:
    """How many of three steps after a place there are."""
    return min(3, len(trace) - 1 - place)


@pytest.mark.slow
@every
def test_coarse_pace_leaves_out_only_fine_steps(algorithm: Any) -> None:
    for level in (Level.STEP, Level.ROUND):
        fine = shown(algorithm)
        coarse = record(algorithm, pace=Pace(level))
        pace = f"At the pace of a {level.name.lower()}"
        assert all(step.level >= level for step in coarse), f"{pace} finer steps are shown."
        wanted = [step.line for step in fine if step.level >= level]
        # an unfinished fine run does not get as far as the coarse one
        lines = [step.line for step in coarse]
        assert (lines if fine.finished else lines[: len(wanted)]) == wanted, (
            f"{pace} the run has other lines than those of its level in the full run: steps() must"
            " do the same whatever is shown."
        )
        if fine.finished and algorithm.predict is not None:
            codes = coarse.codes(fine.problem.X)
            assert np.array_equal(codes, fine.codes(fine.problem.X), equal_nan=True), (
                f"{pace} the end of the run predicts otherwise than in the full run: the model must"
                " be complete at the last line of the level `round`."
            )


@pytest.mark.slow
@every
def test_the_last_state_is_the_same_at_every_pace(algorithm: Any) -> None:
    """What the end alone tells, such as which start is the best, is said at any pace; of networks
    after so few epochs that the run of all steps ends too.
    """
    few = fewer(algorithm)
    few |= {"epochs": 20} if "epochs" in few else {}
    options = [(f.name, option) for f in params_fields(algorithm.params) for option in f.options]
    chosen = [{name: option} for name, option in options if not is_experiment(algorithm)]
    small = suitable(algorithm, 24)
    compared = 0
    for problem, ways in ((algorithm.example(), [{}]), (small, [{}, *chosen])):
        for given in ways:
            try:
                runs = [
                    record(algorithm, problem, 1, pace, 600, **(few | given))
                    for pace in (Pace(Level.ROUND), Pace(Level.ROUND, end=True), Pace())
                ]
            except engine.EngineError:
                continue
            ended = [whole(trace[-1].state) for trace in runs if trace.finished]
            assert len(set(ended)) <= 1, (
                f"The last state is another one when only rounds are shown, with the parameters"
                f" {given or 'as they are'}: the last line of the run has to be of the level"
                " `round`, as “done round: …”, and steps() must do the same whatever is shown."
            )
            compared += len(ended) > 1
    assert compared, "No run of the example, or of a small table, ends within 600 steps."


@pytest.mark.slow
@every
def test_leaping_equals_stepping(algorithm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole rounds that are not watched end in the states that the page itself comes to, to the
    last bit.
    """
    problem = suitable(algorithm, *some_rows(algorithm))
    most = 12 if is_experiment(algorithm) else 20
    options = [(f.name, option) for f in params_fields(algorithm.params) for option in f.options]
    # of an experiment only the learners that it runs may leap, and they are tested here themselves
    for chosen in [
        {},
        *({name: option} for name, option in options if not is_experiment(algorithm)),
    ]:
        given = fewer(algorithm) | chosen
        noted: list[bool] = []
        with monkeypatch.context() as patch:
            patch.setattr(timeline_run, "At", noting(noted))
            try:
                leapt = record(
                    algorithm, problem, seed=5, pace=Pace(Level.ROUND), most=most, **given
                )
            except engine.EngineError:
                continue
        if not noted:  # nothing in this run depends on it
            continue
        with monkeypatch.context() as patch:
            patch.setattr(timeline_run, "At", partial(At, leaping=False))
            stepped = record(algorithm, problem, seed=5, pace=Pace(Level.ROUND), most=most, **given)
        odd = (
            f"The fast form of a round differs from the page, with the parameters"
            f" {given or 'as they are'}: it has to end in the same state, to the last bit."
        )
        assert [s.line for s in leapt] == [s.line for s in stepped], odd
        assert [s.events for s in leapt] == [s.events for s in stepped], odd
        assert [whole(s.state) for s in leapt] == [whole(s.state) for s in stepped], odd
        assert [repr(s.metrics) for s in leapt] == [repr(s.metrics) for s in stepped], odd


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
        odd = (
            "The leap to the end ends otherwise than the rounds, with the parameters"
            f" {given or 'as they are'}."
        )
        assert (one.line, one.events) == (other.line, other.events), odd
        assert repr(one.metrics) == repr(other.metrics), odd
        assert whole(one.state) == whole(other.state), odd
        assert one.note.lines() == other.note.lines(), odd
    assert any(shorter), "The leap to the end leaves out no round: leap_rounds is of no use here."


def noting(noted: list[bool]) -> type[At]:
    """What tells the moments, and notes when a run wants to know whether it may leap."""

    class Noting(At):
        @property
        def leaps(self) -> bool:
            noted.append(True)
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
    raise AssertionError(
        f"None of the tables that the checks make suits the page's {algorithm.needs}. They have two"
        " columns of numbers and two classes, one column and values to predict, four columns of"
        " truth values, or forecasts of four experts."
    )


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
    each = trace.bytes / len(trace)
    assert each < 26_000, (
        f"A step takes {each:,.0f} bytes on average with 500 rows; 26,000 are the limit, since all"
        " steps of a run are kept. Keep in the State what the model is, and no more."
    )


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
        assert len(str(sentence)) > 20, (
            f"The page refuses a table by “{sentence}”: a sentence is to tell what to change."
        )
        return
    assert len(run.trace) > 0, "steps() yields no step at all."
    for step in (run.trace[0], run.trace[-1]):
        algorithm.scene(algorithm.setting(problem, run.params), step)
        lines_of(step.note, f"a step of the line “{step.line}”")
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
        with pytest.raises(engine.EngineError, match=re.escape(str(why))):
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
        texts += lines_of(step.note, f"a step of the line “{step.line}”")
        if algorithm.explain is not None and step.state is not None:
            explained = algorithm.explain(trace.given, step.state, trace.problem.X[0])
            if explained is not None:
                texts += lines_of(explained.note, "an explanation")
    doubled = [text for text in texts if "{{" in text]
    assert not doubled, f"A brace in a name from the data is written twice: “{doubled[0]}”."
