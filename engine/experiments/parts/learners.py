"""The learner under study: any algorithm of the lab that predicts, at ROUND pace, on some of the
rows.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from engine.core.algorithm import Algorithm, Explanation
from engine.core.arrays import Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.moment import At
from engine.core.notation import quoted
from engine.core.params import Help, Label, Learner, build
from engine.core.problem import Problem
from engine.core.recipe import read_recipe
from engine.core.records import Record, cached_property, replace
from engine.core.registry import algorithm
from engine.core.row_words import words_at
from engine.core.step import Level, Pace, Step, note
from engine.core.work import Work
from engine.timeline.run import Run

Studied = Annotated[
    str,
    Learner(),
    Label("Learner"),
    Help(
        "any algorithm of the lab that fits the data; auto: a decision tree, for values a"
        " regression tree"
    ),
]
MOST_ROUNDS = 1_000  # of a learner that does not end by itself


class Studying(Record, eq=True):
    """An algorithm of the lab with its parameters."""

    key: str
    params: Any

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        return algorithm(self.key)

    @property
    def name(self) -> str:
        """What it is called in sentences."""
        return self.algorithm.title


def studying(text: str, problem: Problem) -> Studying:
    """The learner that a parameter names, for this problem; raises EngineError for one that there
    is not, that does not predict, or that the data do not suit.
    """
    key, values = read_recipe(text or ("regression_tree" if problem.regress else "decision_tree"))
    chosen = algorithm(key)
    if chosen.predict is None or chosen.studies:
        raise EngineError(f"{chosen.title} does not predict: choose another learner.")
    why = chosen.needs.reason(problem)
    if why:
        raise EngineError(f"The learner {quoted(chosen.title)} {why}.")
    try:
        return Studying(key, build(chosen.params, values))
    except EngineError as sentence:
        raise EngineError(f"The learner {quoted(chosen.title)}: {sentence}") from None


def rows_of(problem: Problem, rows: Int) -> Problem:
    """The problem of these rows alone, with the classes, the plane and the numbers of the whole;
    nothing is held out.
    """
    chosen = rows.tolist()
    numbers = (
        tuple(map(problem.numbers.__getitem__, chosen))
        if problem.numbers
        else tuple(row + 1 for row in chosen)
    )
    y = frozen(problem.y[rows]) if len(problem.y) else problem.y
    X, codes = frozen(problem.X[rows]), frozen(problem.codes[rows])
    return replace(
        problem,
        X=X,
        y=y,
        codes=codes,
        names=words_at(problem.names, rows),
        numbers=numbers,
        held_out=None,
    )


def rows_relabelled(problem: Problem, codes: Int) -> Problem:
    """The same rows with other classes, (n,) indices, −1 for none."""
    return replace(problem, codes=codes, y=frozen(problem.labels(codes)), held_out=None)


class Model(Record, dict=True):
    """A learner's last step on some rows. problem: that is studied; rows (m,): of it that were
    learnt from; seed: of the learner's own chance; line, state, level, events, told: of the step;
    given: what the learner's functions are given.
    """

    learner: Studying
    problem: Problem
    rows: Int
    seed: int
    line: str
    state: Any
    level: Level
    events: tuple[str, ...]
    told: Mapping[str, Any]

    @cached_property
    def given(self) -> Any:
        return self.learner.algorithm.given(rows_of(self.problem, self.rows), self.learner.params)

    @cached_property
    def step(self) -> Step[Any]:
        teller = At(self.learner.algorithm, self.given)
        return Step(teller, self.line, self.state, self.level, self.events, self.told)

    @cached_property
    def says(self) -> NDArray[Any]:
        """(n,) of every row of the studied problem."""
        return self.answers(self.problem.X)

    def remember(self, says: NDArray[Any]) -> None:
        """Keep what it said of every row, where it was learnt in another process."""
        vars(self)["says"] = says

    def answers(self, X: Float) -> NDArray[Any]:
        """(m,) class indices, −1 where it gives none, or values."""
        assert self.learner.algorithm.predict is not None
        return np.asarray(self.learner.algorithm.predict(self.given, self.state, X))

    @cached_property
    def left_out(self) -> Float:
        """(n,) what is said of each row of the problem by a model of all others; raises EngineError
        where the learner has no short cut. AIMA 18.8.4.
        """
        known = self.learner.algorithm.left_out
        if known is None:
            raise EngineError(
                f"{self.learner.name} has no short cut: only neighbours answer without a row at no"
                " cost."
            )
        found = np.full(self.problem.n, np.nan)
        found[self.rows] = known(self.given, self.state)
        return found

    @cached_property
    def scene(self) -> Any:
        """The learner's own picture of it."""
        return self.learner.algorithm.scene(self.given, self.step)


def fitted(learner: Studying, problem: Problem, rows: Int, seed: int) -> Work[Model]:
    """The learner's model of these rows; raises EngineError where it cannot take them."""
    run = Run(
        learner.algorithm, rows_of(problem, rows), learner.params, seed, Pace(Level.ROUND, end=True)
    )
    step = yield from run.last(MOST_ROUNDS)
    rows = frozen(rows)
    model = Model(
        learner,
        problem,
        rows,
        seed,
        step.line,
        step.state,
        step.level,
        step.events,
        dict(step.told),
    )
    vars(model)["given"] = run.trace.given
    return model


def begun(learner: Studying, problem: Problem, rows: Int, seed: int) -> Work[Step[Any]]:
    """The learner's first step on these rows; raises EngineError where it cannot take them."""
    run = Run(learner.algorithm, rows_of(problem, rows), learner.params, seed)
    return (yield from run.last(1))


def answers_of(given: Any, model: Model | None, X: Float) -> NDArray[Any]:
    """(m,) what the shown model says; nothing, −1 or NaN, while there is none."""
    if model is not None:
        return model.answers(X)
    return np.full(len(X), np.nan) if given.problem.regress else np.full(len(X), -1)


def explained(given: Any, model: Model | None, x: Float) -> Explanation:
    """Why the shown model labels a place so, in its learner's own words."""
    why = None if model is None else model.learner.algorithm.explain
    if model is None or why is None:
        nothing = (
            "No model is shown at this step." if model is None else "{learner} gives no reasons."
        )
        label = -1 if model is None or given.problem.regress else int(model.answers(x[None])[0])
        return Explanation(
            label, note(nothing, learner="" if model is None else model.learner.name)
        )
    found: Explanation = why(model.given, model.state, x)
    return found
