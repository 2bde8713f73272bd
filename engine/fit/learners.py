"""The learner under study: any algorithm of the lab that predicts, at ROUND pace, on some of the
rows.
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
MOST_ROUNDS = 1_000  # of a learner that does not end by itself


class Studying(Record, eq=True):
    """An algorithm of the lab with its parameters."""

    key: str
    params: Any

    @property
    def algorithm(self) -> Algorithm[Any, Any]:
        """The algorithm itself."""
        return algorithm(self.key)

    @property
    def name(self) -> str:
        """What it is called in sentences."""
        return self.algorithm.title


def studying(text: str, problem: Problem) -> Studying:
    """The learner that a parameter names, for this problem; "": a decision or regression tree.

    Raises EngineError for one that there is not, that does not predict, or that the data do not
    suit.
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
    """The problem of these rows alone, with the classes, the plane and the numbers of the whole;
    nothing is held out.
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
    """The same rows with other classes, (n,) indices, −1 for none."""
    return replace(problem, codes=codes, y=frozen(problem.labels(codes)), held_out=None)


class Model(Record, dict=True):
    """A learner's last step on some rows: its hypothesis h.

    problem: that is studied
    rows: (m,) of it that were learnt from
    seed: of the learner's own chance
    line, state, level, events, told: of the step
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
        """The learner's setting: what its functions are given beside a state."""
        return self.learner.algorithm.given(rows_of(self.problem, self.rows), self.learner.params)

    @cached_property
    def step(self) -> Step[Any]:
        """The learner's last step, of which it has words and a picture."""
        teller = At(self.learner.algorithm, self.given)
        return Step(teller, self.line, self.state, self.level, self.events, self.told)

    @cached_property
    def says(self) -> NDArray[Any]:
        """(n,) the answers to all rows of the studied problem."""
        return self.answers(self.problem.X)

    def remember(self, says: NDArray[Any]) -> None:
        """Keep its answers to all rows, which another process has found."""
        vars(self)["says"] = says

    def answers(self, X: Float) -> NDArray[Any]:
        """(m,) class indices, −1 where it gives none, or values."""
        assert self.learner.algorithm.predict is not None
        return np.asarray(self.learner.algorithm.predict(self.given, self.state, X))

    @cached_property
    def left_out(self) -> Float:
        """(n,) what a model of all other rows says of each row of the problem. AIMA 18.8.4.

        Raises EngineError where the learner has no short cut.
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
    """h ← Learner(these rows of the problem); raises EngineError where it cannot take them."""
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
        dict(step.told),
    )
    vars(model)["given"] = run.trace.given  # which would be made again, else
    return model


def begun(learner: Studying, problem: Problem, rows: Int, seed: int) -> Work[Step[Any]]:
    """The learner's first step on these rows; raises EngineError where it cannot take them."""
    run = Run(learner.algorithm, rows_of(problem, rows), learner.params, seed)
    return (yield from run.last(1))


def answers_of(given: Any, model: Model | None, X: Float) -> NDArray[Any]:
    """(m,) what the shown model says of rows X (m, d); nothing, −1 or NaN, while there is none."""
    if model is not None:
        return model.answers(X)
    return np.full(len(X), np.nan if given.problem.regress else -1)


def explained(given: Any, model: Model | None, x: Float) -> Explanation:
    """Why the shown model labels a place x (d,) so, in its learner's own words."""
    if model is None:
        return Explanation(-1, note("No model is shown at this step."))
    explain = model.learner.algorithm.explain
    if explain is None:
        label = -1 if given.problem.regress else int(model.answers(x[None])[0])
        return Explanation(label, note("{learner} gives no reasons.", learner=model.learner.name))
    found: Explanation = explain(model.given, model.state, x)
    return found
