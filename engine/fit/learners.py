"""The learner that an experiment studies: any algorithm that predicts, at ROUND pace, on some of
the rows.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float, Int, frozen
from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, cached_property, replace
from engine.base.work import Work
from engine.protocol.algorithm import Algorithm, Explanation
from engine.protocol.moment import At
from engine.protocol.params import Help, Label, Learner, build
from engine.protocol.recipe import read_recipe
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace, Step, note
from engine.runs.run import Run
from engine.table.problem import Problem
from engine.table.row_words import words_at

Studied = Annotated[
    str,
    Learner(),
    Label("Learner"),
    Help(
        "any algorithm of the lab that fits the data; auto: a decision tree, for values a"
        " regression tree"
    ),
]
MOST_ROUNDS = 1_000  # the limit for a learner that does not end by itself


class Studying(Record, eq=True):
    """A learner under study: an algorithm of the lab with its parameters."""

    key: str
    params: Any

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        """The algorithm of the learner."""
        return algorithm(self.key)

    @property
    def name(self) -> str:
        """The algorithm's title, for sentences."""
        return self.algorithm.title


def studying(text: str, problem: Problem) -> Studying:
    """The learner that a parameter names; "" means a decision tree, or a regression tree for
    values.

    Raises EngineError for a learner that does not exist, does not predict, or does not suit the
    data.
    """
    usual = "regression_tree" if problem.regress else "decision_tree"
    key, values = read_recipe(text or usual)
    chosen = algorithm(key)
    if chosen.predict is None or chosen.is_experiment:
        raise EngineError(f"{chosen.title} does not predict: choose another learner.")
    why = chosen.needs.reason(problem)
    if why:
        raise EngineError(f"The learner {quoted(chosen.title)} {why}.")
    try:
        return Studying(key, build(chosen.params, values))
    except EngineError as sentence:
        raise EngineError(f"The learner {quoted(chosen.title)}: {sentence}") from None


def rows_of(problem: Problem, rows: Int) -> Problem:
    """The problem with these rows alone and nothing held out; classes, plane and row numbers
    stay.
    """
    numbers = problem.numbers or range(1, problem.n + 1)
    return replace(
        problem,
        X=frozen(problem.X[rows]),
        y=frozen(problem.y[rows]) if len(problem.y) else problem.y,
        codes=frozen(problem.codes[rows]),
        names=words_at(problem.names, rows),
        numbers=tuple(numbers[row] for row in rows.tolist()),
        held_out=None,
    )


def rows_relabelled(problem: Problem, codes: Int) -> Problem:
    """The problem with other classes: codes (n,), −1 for none; nothing is held out."""
    return replace(problem, codes=codes, y=frozen(problem.labels(codes)), held_out=None)


class Model(Record, dict=True):
    """The last step of a learner that was fitted on some rows: its hypothesis h.

    problem: the whole studied problem
    rows: (m,) the row indices that it learnt from
    seed: of the learner's random choices
    line, state, level, events, details: the fields of the step
    """

    learner: Studying
    problem: Problem
    rows: Int
    seed: int
    line: str
    state: Any
    level: Level
    events: tuple[str, ...]
    details: Mapping[str, Any]

    @cached_property
    def given(self) -> Any:
        """The learner's setting on its rows, which its functions take beside a state."""
        return self.learner.algorithm.given(rows_of(self.problem, self.rows), self.learner.params)

    @cached_property
    def step(self) -> Step[Any]:
        """The learner's last step, for its words and picture."""
        teller = At(self.learner.algorithm, self.given)
        return Step(teller, self.line, self.state, self.level, self.events, self.details)

    @cached_property
    def says(self) -> NDArray[Any]:
        """(n,) predictions for all rows of the studied problem."""
        return self.answers(self.problem.X)

    def remember(self, says: NDArray[Any]) -> None:
        """Store the predictions for all rows that another process has computed."""
        vars(self)["says"] = says

    def answers(self, X: Float) -> NDArray[Any]:
        """(m,) predictions for X (m, d): class indices, −1 for none, or values."""
        assert self.learner.algorithm.predict is not None
        return np.asarray(self.learner.algorithm.predict(self.given, self.state, X))

    @cached_property
    def left_out(self) -> Float:
        """(n,) leave-one-out predictions for the rows learnt from, NaN for others. AIMA 18.8.4.

        Raises EngineError if the learner has no shortcut for them.
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
        """The learner's picture of its last step."""
        return self.learner.algorithm.scene(self.given, self.step)


def fitted(learner: Studying, problem: Problem, rows: Int, seed: int) -> Work[Model]:
    """Fit h ← Learner(these rows of the problem); raises EngineError if the learner refuses
    them.
    """
    pace = Pace(Level.ROUND, end=True)
    run = Run(learner.algorithm, rows_of(problem, rows), learner.params, seed, pace)
    step = yield from run.last(MOST_ROUNDS)
    model = Model(
        learner,
        problem,
        frozen(rows),
        seed,
        step.line,
        step.state,
        step.level,
        step.events,
        dict(step.details),
    )
    vars(model)["given"] = run.trace.given  # reuse the run's setting
    return model


def begun(learner: Studying, problem: Problem, rows: Int, seed: int) -> Work[Step[Any]]:
    """Compute the learner's first step on these rows; raises EngineError if it refuses them."""
    run = Run(learner.algorithm, rows_of(problem, rows), learner.params, seed)
    return (yield from run.last(1))


def answers_of(given: Any, model: Model | None, X: Float) -> NDArray[Any]:
    """(m,) predictions of the shown model for X (m, d); all −1 or NaN without a model."""
    if model is not None:
        return model.answers(X)
    return np.full(len(X), np.nan if given.problem.regress else -1)


def explained(given: Any, model: Model | None, x: Float) -> Explanation:
    """Why the shown model predicts its label at x (d,), in the learner's words."""
    if model is None:
        return Explanation(-1, note("No model is shown at this step."))
    explain = model.learner.algorithm.explain
    if explain is None:
        label = -1 if given.problem.regress else int(model.answers(x[None])[0])
        return Explanation(label, note("{learner} gives no reasons.", learner=model.learner.name))
    found: Explanation = explain(model.given, model.state, x)
    return found
