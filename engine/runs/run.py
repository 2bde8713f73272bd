"""Running an algorithm: pull steps for a slice of time, record them, stop anywhere."""

import copyreg
import pickle
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.pickled import packed
from engine.base.records import cached_property
from engine.base.work import Work
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import At, Branches, Checkpoint, Steps
from engine.protocol.params import build
from engine.protocol.registry import algorithm as find
from engine.protocol.step import Level, Pace, Step
from engine.runs.replaying import nothing
from engine.runs.start import Start, changed, check_resumes
from engine.runs.trace import BUDGET, Trace
from engine.table.given import check_seed, check_steps, check_type
from engine.table.problem import Problem

MAX_STEPS = 100_000
PULSE = 0.02  # seconds between two yields of `Run.last`, at which it can be stopped
MANY_ROWS = 2_000  # with more rows the steps between two rounds are not recorded


def pace_of(unit: Level, rows: int) -> Pace:
    """The pace for a run whose timeline counts in `unit`.

    Up to `MANY_ROWS` rows steps are recorded even where rounds are counted: a round refers to them.
    """
    return Pace(unit if unit is Level.DETAIL or rows > MANY_ROWS else Level.STEP)


class Run:
    """One algorithm at work on one problem. `advance` records more steps; `close` ends it at once.

    start: where to go on from, for algorithms that can `resume`: a state, or a `Start`, whose state
        is found by replaying its run before the first step
    states: known states of starts on these problems; those found are added
    shared: the problem of earlier runs that have no examples of their own; None: the same problem
    branches: ties at which another of the equals is taken, see `At.take`; up to the first of them
        it is the same as the run without them
    Raises EngineError at once, with the picker's sentence, when the algorithm cannot take the
    problem.
    """

    def __init__(
        self,
        algorithm: Algorithm[Any, Any],
        problem: Problem,
        params: Any,
        seed: int = 0,
        pace: Pace = Pace(),
        start: Any = None,
        budget: int = BUDGET,
        states: dict[Start, Any] | None = None,
        shared: Problem | None = None,
        branches: Branches = (),
    ) -> None:
        why = algorithm.needs.reason(problem)
        if why:
            raise EngineError(f"{algorithm.title} {why}.")
        if (
            problem.held_out is None
            and algorithm.uses_held_out is not None
            and algorithm.uses_held_out(params)
        ):
            raise EngineError(
                f"{algorithm.title} learns from held-out rows here: hold out some, move the test"
                " split above 0 %."
            )
        check_seed(seed)
        check_type("The pace", pace, Pace, "Pace(Level.STEP)")
        check_type("The level of a pace", pace.level, Level, "Level.STEP")
        self.algorithm, self.problem, self.params, self.seed, self.pace = (
            algorithm,
            problem,
            params,
            seed,
            pace,
        )
        self.start, self.branches = start, branches
        if isinstance(start, Start):
            start.check(algorithm)
        elif start is not None:
            check_resumes(algorithm)
        self.trace = Trace(algorithm, problem, params, seed, start, branches, pace, shared)
        self.trace.budget = budget
        known = {} if states is None else states
        learnt_from = (problem, problem if shared is None else shared)
        recipe = partial(
            _begun, algorithm, self.trace.given, learnt_from, seed, pace, start, known, branches
        )
        # the trace does not refer to its run: without a reference cycle an unused one is freed at
        # once
        self.trace.replay.recipe = recipe
        self._steps: Steps[Any] = recipe(None, checkpoints=True)

    @property
    def finished(self) -> bool:
        return self.trace.finished

    def advance(
        self,
        seconds: float = float("inf"),
        stop: Callable[[], bool] = lambda: False,
        max_steps: int = MAX_STEPS,
    ) -> int:
        """Record steps until `seconds` have passed, `stop()` is true, the trace has `max_steps`, or
        the end.

        Returns how many were added; 0 is possible where the time was over, or `stop()` true, within
        a long step (see `engine.base.work`), which goes on at the next call.
        """
        trace = self.trace
        clock = time.perf_counter
        before = count = len(trace)
        if trace.finished or count >= max_steps:
            return 0
        deadline = clock() + seconds
        for step in self._steps:
            if isinstance(step, Step):
                trace.append(step)
                count += 1
            elif isinstance(step, Checkpoint):
                trace.add_checkpoint(step)
            if count >= max_steps or clock() >= deadline or stop():
                break
        else:
            trace.finish()
        return count - before

    def last(self, most: int = MAX_STEPS) -> Work[Step[Any]]:
        """The last of at most `most` steps, as a `Work`; no step is recorded.

        Yields every `PULSE` seconds and once at the end.
        """
        clock = time.perf_counter
        found = None
        count = 0
        pulse = clock() + PULSE
        for step in self._steps:
            if isinstance(step, Step):
                found = step
                count = count + 1
                if count == most:
                    break
            if clock() >= pulse:
                yield
                pulse = clock() + PULSE
        assert found is not None, "a run has at least one step"
        yield  # so that a caller can stop between many short runs
        return found

    def close(self) -> None:
        """End the run; what is recorded stays."""
        close = getattr(self._steps, "close", None)
        if close is not None:
            close()
        self._steps = iter(())


class _Chance:
    """The random generator of a run, created on first use.

    Many methods never use it, and seeding can take as long as a fit of few rows.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __getattr__(self, name: str) -> Any:
        found = vars(self)[name] = getattr(self._made, name)  # found as an attribute from now on
        return found

    @cached_property
    def _made(self) -> Generator:
        return np.random.default_rng(self._seed)


def _begun(
    algorithm: Algorithm[Any, Any],
    given: Any,
    problems: tuple[Problem, Problem],
    seed: int,
    pace: Pace,
    start: Any,
    states: dict[Start, Any],
    branches: Branches,
    begin: Checkpoint | None,
    checkpoints: bool = False,
) -> Steps[Any]:
    """The steps and pulses of a run from the checkpoint `begin` on; None: from the first step on.

    checkpoints: whether checkpoints are yielded too
    """
    rng: Any = _Chance(seed)
    where_checkpoints = rng if checkpoints else None
    if begin is not None:
        return At(algorithm, given, pace, branches=branches, rng=where_checkpoints).take_up(
            begin, rng
        )
    if not isinstance(start, Start) or not _goes_on_unchanged(start, given, seed, problems):
        at = At(algorithm, given, pace, branches=branches, rng=where_checkpoints)
        return _first(algorithm, given, at, rng, start, problems, states)
    at = At(algorithm, given, Pace(_finest(start, pace, given, seed, problems)))
    steps = _rest(
        algorithm, given, at, rng, start, problems, states, seed, branches, where_checkpoints
    )
    return (step for step in steps if not isinstance(step, Step) or step.level >= pace.level)


def _first(
    algorithm: Algorithm[Any, Any],
    given: Any,
    at: At,
    rng: Any,
    start: Any,
    problems: tuple[Problem, Problem],
    states: dict[Start, Any],
) -> Steps[Any]:
    """The steps of a run from its first one on, or from the state of `start` on."""
    if start is None or algorithm.resume is None:
        return algorithm.steps(given, at, rng)
    if not isinstance(start, Start):
        return algorithm.resume(given, start, at, rng)
    return _resumed(algorithm, given, at, rng, start, _found(start, algorithm, problems, states))


def _resumed(
    algorithm: Algorithm[Any, Any], given: Any, at: At, rng: Any, start: Start, found: Work[Any]
) -> Steps[Any]:
    """The steps of `resume` from the found state on.

    Raises EngineError where the page has nothing left to do there.
    """
    assert algorithm.resume is not None
    empty = True
    for step in algorithm.resume(given, (yield from found), at, rng):
        empty = empty and not isinstance(step, Step)
        yield step
    if empty:
        raise EngineError(
            f"{algorithm.title} has nothing left to do after {start.place}: it was the last one."
        )


def _goes_on_unchanged(
    start: Start, given: Any, seed: int, problems: tuple[Problem, Problem]
) -> bool:
    """Whether a run has the parameters, seed and examples of the run it goes on from, and no number
    set by hand.
    """
    own, shared = problems
    same_examples = start.own or own is shared
    return bool(
        start.change is None and start.params == given.p and start.seed == seed and same_examples
    )


def _finest(
    start: Start | None, pace: Pace, given: Any, seed: int, problems: tuple[Problem, Problem]
) -> Level:
    """The finest level at which steps are counted, by this run or an unchanged one before it."""
    level = pace.level
    while start is not None and _goes_on_unchanged(start, given, seed, problems):
        level = min(level, start.level)
        start = start.start
    return level


def _rest(
    algorithm: Algorithm[Any, Any],
    given: Any,
    at: At,
    rng: Any,
    start: Start,
    problems: tuple[Problem, Problem],
    states: dict[Start, Any],
    seed: int,
    branches: Branches,
    where_checkpoints: Any = None,
) -> Steps[Any]:
    """The steps after `start` in its own run; where there are none, those of `resume` from its
    state.

    With nothing changed they are the steps of the run that goes on, also within a round, which
    `resume` would begin again.

    where_checkpoints: the random generator of checkpoints; None: no checkpoints
    Raises EngineError where its run ends before `start`.
    """
    earlier = start.start
    if earlier is not None and _goes_on_unchanged(earlier, given, seed, problems):
        steps = _rest(algorithm, given, at, rng, earlier, problems, states, seed, start.branches)
    else:
        at.begin(start.branches)
        steps = _first(algorithm, given, at, rng, earlier, problems, states)
    found = None
    count = 0
    for step in steps:
        if isinstance(step, Step) and step.level >= start.level:
            if count == start.step:
                found = step
                break
            count += 1
        yield None
    if found is None:
        raise EngineError(start.missing(count))
    states[start] = found.state  # reused by the same start with other parameters
    at.begin(branches, where_checkpoints)
    ended = True
    for step in steps:
        ended = ended and not isinstance(step, Step)
        yield step
    if ended:
        yield from _resumed(
            algorithm, given, at, rng, start, _found(start, algorithm, problems, states)
        )


def _found(
    start: Start,
    algorithm: Algorithm[Any, Any],
    problems: tuple[Problem, Problem],
    states: dict[Start, Any],
) -> Work[Any]:
    """The state of `start`, as a `Work`: a known one, or found by a replay that yields at each
    step.

    problems: with the lane's own examples, and with those shared by all lanes
    Raises EngineError where the run ends before `start`.
    """
    if start not in states:
        own, shared = problems
        problem = own if start.own else shared
        pace = Pace(start.level)
        run = Run(
            algorithm,
            problem,
            start.params,
            start.seed,
            pace,
            start.start,
            states=states,
            shared=shared,
            branches=start.branches,
        )
        count = 0
        for step in run._steps:
            if isinstance(step, Step):
                if count == start.step:
                    states[start] = changed(algorithm, run.trace.given, step.state, start.change)
                    break
                count += 1
            yield
        else:
            raise EngineError(start.missing(count))
    return states[start]


def run_problem(
    key: str,
    problem: Problem,
    seed: int = 0,
    *,
    pace: Pace = Pace(),
    max_steps: int = MAX_STEPS,
    go_on_from: Start | None = None,
    branches: Branches = (),
    **params: Any,
) -> Trace:
    """The trace of algorithm `key` on a prepared problem, run to its end or to `max_steps`.

    Raises EngineError for what the user can mend.
    """
    check_steps(max_steps)
    if go_on_from is not None:
        check_type("What to go on from", go_on_from, Start, "trace.start_at(40)")
    chosen = find(key)
    run = Run(
        chosen, problem, build(chosen.params, params), seed, pace, go_on_from, branches=branches
    )
    run.advance(max_steps=max_steps)
    return run.trace


def _recipe(trace: Trace) -> tuple[Any, ...]:
    """What pickle stores of a trace: what its run was made of, and how many steps it has.

    Raises EngineError for a recording without a run.
    """
    if trace.replay.recipe is nothing:
        raise EngineError(
            "This recording was made without a run: it cannot be pickled, for nothing makes its"
            " steps again."
        )
    given = packed(
        (
            trace.problem,
            trace.params,
            trace.seed,
            trace.pace,
            trace.start,
            trace.branches,
            trace.shared,
        )
    )
    return _made_again, (trace.algorithm.key, given, trace.budget, len(trace), trace.finished)


def _made_again(key: str, given: bytes, budget: int, length: int, finished: bool) -> Trace:
    """The trace of a recipe, recorded again.

    Raises EngineError where this version of the program makes fewer steps.
    """
    chosen = find(key)
    problem, params, seed, pace, start, branches, shared = pickle.loads(given)
    run = Run(chosen, problem, params, seed, pace, start, budget, shared=shared, branches=branches)
    run.advance(max_steps=length)
    trace = run.trace
    if len(trace) < length:
        raise EngineError(
            f"This recording of {chosen.title} cannot be made again: it had"
            f" {counted(length, 'step')}, and here the run ends after {len(trace):,}. It was made"
            " by another version of the program."
        )
    if finished:
        trace.finish()
    return trace


copyreg.pickle(Trace, _recipe)
