"""What all methods share that are asked by a moving query: their parameters, their model at any step, their curves."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import numpy as np

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float
from engine.core.dataset import Dataset
from engine.core.notation import number
from engine.core.params import Empty, Help, Label, Range, When
from engine.core.problem import Problem
from engine.core.records import replace
from engine.core.step import Pace, Step
from engine.core.unknown import nothing_said
from engine.data.prepare import prepare
from engine.numerics.sweep import State, Sweep, asked
from engine.pictures.smoothing_words import Teller, explain_place

Kernel = Annotated[
    Literal["quadratic", "gaussian", "1/d²"],
    Label("Kernel"),
    Help("quadratic: max(0, 1 − (2d/width)²); gaussian: e^(−d²/width²); 1/d²: exact at every example"),
]
Width = Annotated[
    float | None,
    Range(1e-6, 1e6, log=True),
    Label("Width"),
    Empty("auto"),
    Help(
        "quadratic: 0 beyond half of it on either side; gaussian: σ in e^(−d²/σ²). Empty: half or an eighth of the reach "
        "of the examples"
    ),
    When("kernel", ("quadratic", "gaussian")),
]
SHARES = {"quadratic": 1 / 2, "gaussian": 1 / 8, "1/d²": 1.0}  # of the reach, for a width left open
SweepOf = Callable[[Problem, Any], Sweep]  # problem, params -> the sweep of this method
NEEDS = Needs(labels=False, values=True, numeric=True)
ALL_WEIGH = replace(NEEDS, max_rows=200_000)  # every query weighs every example, and its step keeps all these weights
CURVES = (
    Curve("rmse", "root mean square error"),
    Curve("loo", "error of those passed, left out"),
    Curve("value", "h(q)"),
)


def swept(
    problem: Problem, sweep: Sweep, pace: Pace, weigh: Callable[[Teller, State], Iterator[Step[State]]]
) -> Iterator[Step[State] | None]:
    """Store all examples, then answer for every place q from left to right; `weigh`: how the method comes to an answer."""
    tell = Teller(problem, sweep)
    yield tell.start()
    s = State(stored=True)
    yield from sweep.foresee(pictures=pace.step)
    yield tell.store(s)
    for q in sweep.stops if pace.step else ():
        s = asked(s, q, sweep.model.ask(q))
        if pace.detail:
            yield tell.query(s)
            yield from weigh(tell, s)
        s = replace(s, answered=True)
        yield tell.answer(s)
    yield tell.end()


def predictor(sweep_of: SweepOf) -> Callable[[Problem, Any, State, Float], Float]:
    """Values at any step; 0 everywhere before anything is stored."""

    def predict(problem: Problem, p: Any, s: State, X: Float) -> Float:
        model = sweep_of(problem, p).model
        return model.values(X) if s.stored else np.where(np.isnan(X[:, model.column]), np.nan, 0.0)

    return predict


def explainer(sweep_of: SweepOf) -> Callable[[Problem, Any, State, Float], Explanation]:
    """Why this value, at any place."""

    def explain(problem: Problem, p: Any, s: State, x: Float) -> Explanation:
        sweep = sweep_of(problem, p)
        return (
            Explanation(-1, nothing_said(problem, x))
            if np.isnan(x[sweep.model.column])
            else explain_place(problem, sweep, s, x)
        )

    return explain


def the_peak() -> Problem:
    """Seven points that rise and fall. MMDS Ex 12.12, 12.13."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "y": [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0]}
    return prepare(Dataset.from_columns(columns, "y", task="regress"))


def width_of(problem: Problem, kernel: str, width: float | None) -> float:
    """The given width, or one in proportion to the widest column: a window that shows the shape of most curves."""
    if width is not None:
        return width
    reach = float(np.ptp(problem.X, axis=0).max(initial=0.0)) if problem.n else 0.0
    return SHARES[kernel] * reach if reach > 0 else 1.0


def width_chip(kernel: str, width: float | None) -> tuple[str, ...]:
    if kernel == "1/d²":
        return ()
    return ("width automatic",) if width is None else (f"width {number(width)}",)
