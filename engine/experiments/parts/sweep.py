"""A number of the learner that is moved, from simple models to complex ones.

The size of AIMA 18.4.1, the ε of MIT 2.3.21.
"""

from typing import Annotated, Any

import numpy as np

from engine.core.errors import EngineError
from engine.core.notation import listed, quoted
from engine.core.params import Empty, Field, Help, Label, Range, check, params_fields
from engine.core.problem import Problem
from engine.core.records import Record, replace
from engine.experiments.parts.learners import Model, Studying

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
    "nodes", "degree", "width", "k", "epsilon", "rounds", "members", "depth", "strength", "C",
    "hidden", "epochs", "steps",
)  # fmt: skip
USUAL = {
    "epsilon": (0, 1), "rounds": (1, 100), "members": (1, 50), "epochs": (1, 1000), "steps": (1,
    1000), "hidden": (1, 12),
    "C": (0.01, 1000), "gamma": (0.01, 100), "strength": (0.001, 1000), "penalty": (1e-6, 10),
    "alpha": (0.001, 10),
}  # fmt: skip
COMPLEX = (
    *SUITABLE,
    "gamma",
    "parents",
    "literals",
    "significance",
    "units",
    "features",
)  # the larger, the more complex
SMOOTHING = (
    "epsilon",
    "width",
    "penalty",
    "strength",
    "min_leaf",
    "alpha",
    "rounding",
    "least_gain",
)  # the larger, the simpler
ALSO = (
    "nearest_neighbours k",
    "neighbour_regression k",
    "locally_weighted_regression k",
    "decision_tree size",
    "decision_tree entropy",
    "backpropagation decay",
)
POWERS = 30  # between the ends, from which values lie in powers


class Sweep(Record, eq=True):
    """learner: as it stands; field: its number that is moved; values: ascending; powers: they lie
    so; smoothing: the larger, the simpler.
    """

    learner: Studying
    field: Field
    values: tuple[float, ...]
    powers: bool
    smoothing: bool

    @property
    def axis(self) -> str:
        """What the axis of the values is called."""
        way = "complex → simple" if self.smoothing else "simple → complex"
        return f"{self.field.label}: {way}" if self.ordered else self.field.label

    @property
    def ordered(self) -> bool:
        """Whether one end is known to make simple models and the other complex ones; a rate, say,
        does neither.
        """
        return self.smoothing or self.field.name in COMPLEX

    @property
    def simplest_first(self) -> tuple[float, ...]:
        return self.values[::-1] if self.smoothing else self.values

    def at(self, value: float) -> Studying:
        """The learner with this value, and with the choice that makes it matter."""
        known: dict[str, Any] = {
            self.field.name: (float(value),) if self.field.kind == "numbers" else value
        }
        when = self.field.when
        if when is not None and not self.field.matters(self.learner.params):
            known |= {when.name: when.values[0]}
        return Studying(self.learner.key, replace(self.learner.params, **known))


def swept(learner: Studying, p: Any, problem: Problem) -> Sweep:
    """At most p.values values of the number p.parameter, '' for the first suitable one, best one
    that matters as the learner stands; raises EngineError where there is none so called, or no room
    between p.low and p.high.
    """
    fields = {
        f.name: f
        for f in params_fields(type(learner.params))
        if f.kind in ("int", "float") or f.name == "hidden"
    }
    if not fields:
        raise EngineError(
            f"{learner.name} has no number that could be moved: choose another learner."
        )
    if p.parameter and p.parameter not in fields:
        raise EngineError(
            f"{learner.name} has no number {quoted(p.parameter)}: choose {listed(fields)}."
        )
    suitable = [fields[known] for known in SUITABLE if known in fields] or [*fields.values()]
    field = (
        fields[p.parameter]
        if p.parameter
        else next((f for f in suitable if f.matters(learner.params)), suitable[0])
    )
    ends = zip(_ends(field, problem), (p.low, p.high), strict=True)
    bottom, top = (end if value is None else _checked(field, value) for end, value in ends)
    if bottom >= top:
        raise EngineError(f"There is no room to move {field.name} from {bottom:g} to {top:g}.")
    powers = bool(field.range and field.range.log and bottom > 0 and top / bottom > POWERS)
    values = np.geomspace(bottom, top, p.values) if powers else np.linspace(bottom, top, p.values)
    whole = field.kind != "float"
    found = [round(v) if whole else float(f"{v:.4g}") for v in values.tolist()]
    smoothing = field.name in SMOOTHING or f"{learner.key} {field.name}" in ALSO
    return Sweep(learner, field, tuple(sorted(set(found))), powers, smoothing)


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
    low, high = (field.range.low, field.range.high) if field.range else (0.0, np.inf)
    wide = (
        float(np.ptp(problem.X, axis=0).mean())
        if problem.X.size and np.isfinite(problem.X).all()
        else 1.0
    ) or 1.0
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


def model_size(model: Model) -> tuple[int, str] | None:
    """How large a model is and in what: literals of its rules, nodes of its tree; None
    of others.
    """
    rules, nodes = getattr(model.state, "rules", None), getattr(model.state, "nodes", None)
    if rules is not None:
        return sum(len(rule) for rule in rules), "literals"
    return None if nodes is None else (len(nodes), "nodes")
