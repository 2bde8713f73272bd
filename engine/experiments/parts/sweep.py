"""A number of the learner that is moved, from simple models to complex ones.

The size of AIMA 18.4.1, the ε of MIT 2.3.21.
"""

from typing import Annotated, Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted, short
from engine.base.records import Record, replace
from engine.fit.learners import Model, Studying
from engine.protocol.params import Empty, Field, Help, Label, Range, check, params_fields
from engine.table.problem import Problem

Moved = Annotated[
    str,
    Label("Moved"),
    Help(
        "a number of the learner, by its name in scripts: nodes, degree, k, width, epsilon, rounds;"
        " empty: the first of these that it has"
    ),
]
Low = Annotated[float | None, Label("From"), Empty("auto")]
High = Annotated[float | None, Label("To"), Empty("auto")]
Values = Annotated[int, Range(2, 200), Label("Values"), Help("at most so many")]
SUITABLE = (
    "nodes",
    "degree",
    "width",
    "k",
    "epsilon",
    "rounds",
    "members",
    "depth",
    "strength",
    "C",
    "hidden",
    "epochs",
    "steps",
)
USUAL = {  # between which values a number usually matters
    "epsilon": (0, 1),
    "rounds": (1, 100),
    "members": (1, 50),
    "epochs": (1, 1000),
    "steps": (1, 1000),
    "hidden": (1, 12),
    "C": (0.01, 1000),
    "gamma": (0.01, 100),
    "strength": (0.001, 1000),
    "penalty": (1e-6, 10),
    "alpha": (0.001, 10),
}
COMPLEX = (  # the larger, the more complex
    *SUITABLE,
    "gamma",
    "parents",
    "literals",
    "significance",
    "units",
    "features",
)
SMOOTHING = (  # the larger, the simpler
    "epsilon",
    "width",
    "penalty",
    "strength",
    "min_leaf",
    "alpha",
    "rounding",
    "least_gain",
)
ALSO = (  # the larger, the simpler, of these learners
    "nearest_neighbours k",
    "neighbour_regression k",
    "locally_weighted_regression k",
    "decision_tree size",
    "decision_tree entropy",
    "backpropagation decay",
)
POWERS = 30  # between the ends, from which values lie in powers


class Sweep(Record):
    """The values of one parameter of a learner that an experiment varies.

    learner: with its own value
    field: the parameter that is varied
    values: ascending
    powers: whether they are spaced in powers, else evenly
    smoothing: whether a larger value makes a simpler model
    """

    learner: Studying
    field: Field
    values: tuple[float, ...]
    powers: bool
    smoothing: bool

    @property
    def axis(self) -> str:
        """The label of the axis of values, with the direction of complexity where it is known."""
        if not self.ordered:
            return self.field.label
        way = "complex → simple" if self.smoothing else "simple → complex"
        return f"{self.field.label}: {way}"

    @property
    def ordered(self) -> bool:
        """Whether one end is known to make simple models and the other complex ones; a rate, say,
        does neither.
        """
        return self.smoothing or self.field.name in COMPLEX

    @property
    def simplest_first(self) -> tuple[float, ...]:
        """The values from the simplest model to the most complex; ascending where the order is not
        known.
        """
        return self.values[::-1] if self.smoothing else self.values

    def named(self, value: float) -> str:
        """The parameter with a value, as text: "nodes = 3"."""
        return f"{self.field.name} = {short(value)}"

    def at(self, value: float) -> Studying:
        """The learner with this value, and with the option that makes the parameter count."""
        known: dict[str, Any] = {self.field.name: value}
        if self.field.kind == "numbers":
            known[self.field.name] = (float(value),)
        when = self.field.when
        if when is not None and not self.field.matters(self.learner.params):
            known[when.name] = when.values[0]
        return Studying(self.learner.key, replace(self.learner.params, **known))


def swept(learner: Studying, p: Any, problem: Problem) -> Sweep:
    """At most p.values values of the number p.parameter of the learner, from p.low to p.high.

    Raises EngineError where there is no number so called, or no room between the ends.
    """
    field = _moved(learner, p.parameter)
    low, high = _ends(field, problem)
    if p.low is not None:
        low = _checked(field, p.low)
    if p.high is not None:
        high = _checked(field, p.high)
    if low >= high:
        raise EngineError(f"There is no room to move {field.name} from {low:g} to {high:g}.")
    powers = bool(field.range and field.range.log and low > 0 and high / low > POWERS)
    space = np.geomspace if powers else np.linspace
    values = {_rounded(field, value) for value in space(low, high, p.values).tolist()}
    smoothing = field.name in SMOOTHING or f"{learner.key} {field.name}" in ALSO
    return Sweep(learner, field, tuple(sorted(values)), powers, smoothing)


def _moved(learner: Studying, name: str) -> Field:
    """The number of the learner with this name; for "" the first suitable one, best one that
    matters as the learner stands.
    """
    fields = {
        field.name: field
        for field in params_fields(type(learner.params))
        if field.kind in ("int", "float") or field.name == "hidden"
    }
    if not fields:
        raise EngineError(
            f"{learner.name} has no number that could be moved: choose another learner."
        )
    if name in fields:
        return fields[name]
    if name:
        raise EngineError(f"{learner.name} has no number {quoted(name)}: choose {listed(fields)}.")
    suitable = [fields[known] for known in SUITABLE if known in fields] or list(fields.values())
    return next((field for field in suitable if field.matters(learner.params)), suitable[0])


def _rounded(field: Field, value: float) -> float:
    """A whole number, or one of four digits."""
    return float(f"{value:.4g}") if field.kind == "float" else round(value)


def _checked(field: Field, value: float) -> float:
    """An end that a person gives; raises EngineError outside the bounds of the parameter."""
    if field.kind != "numbers":
        return float(check(field, value))
    if value < 1 or value != round(value):
        raise EngineError(f"{field.label} are moved over whole numbers from 1; it is {value:g}.")
    return value


def _ends(field: Field, problem: Problem) -> tuple[float, float]:
    """Within the bounds of the parameter, as far as it usually matters for so many rows."""
    n = problem.n
    low = 0.0
    high = np.inf
    if field.range:
        low = field.range.low
        high = field.range.high
    wide = _mean_range(problem)
    usual: dict[str, tuple[float, float]] = {
        **USUAL,
        "depth": (0, max(2, min(10, n // 2))),
        "nodes": (1, max(3, min(21, n - 1))),
        "degree": (0, max(2, min(12, n - 1))),
        "k": (1, max(3, min(41, n // 2))),
        "min_leaf": (1, max(2, n // 2)),
        "width": (0.01 * wide, wide),
        "rounding": (0, wide),
    }
    near = usual.get(field.name, (low, high))
    return max(low, near[0]), min(high, near[1], 1e6)


def _mean_range(problem: Problem) -> float:
    """The mean of the ranges of the columns; 1 where that is 0 or not known."""
    if not problem.X.size or not np.isfinite(problem.X).all():
        return 1.0
    return float(np.ptp(problem.X, axis=0).mean()) or 1.0


def model_size(model: Model) -> tuple[int, str] | None:
    """(size of a model, its unit): literals of its rules, tests and leaves of its tree, whose
    parameter “nodes” counts tests alone; None for other models.
    """
    rules = getattr(model.state, "rules", None)
    if rules is not None:
        return sum(len(rule) for rule in rules), "literals"
    nodes = getattr(model.state, "nodes", None)
    return None if nodes is None else (len(nodes), "tests and leaves")
