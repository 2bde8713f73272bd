"""Learners as text, the value of a parameter: `nearest_neighbours(k=3, weights=1/d)`; several are
separated by semicolons.
"""

from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import Field, params_fields, split_outside, to_dict
from engine.protocol.registry import algorithms
from engine.table.problem import Problem


def read_recipe(text: str) -> tuple[str, dict[str, str]]:
    """(key, {parameter: value as text}) of 'key' or 'key(name=value, …)'.

    Raises EngineError for any other text.
    """
    key, bracket, inside = text.strip().partition("(")
    if bracket and not inside.rstrip().endswith(")"):
        raise EngineError(
            f"A learner is written as key(name=value, …); {quoted(text)} lacks its closing bracket."
        )
    values = {}
    for part in split_outside(inside.rstrip()[:-1], ",") if bracket else ():
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise EngineError(
                f"A learner is written as key(name=value, …); {quoted(part.strip())} is no"
                " name=value."
            )
        values[name.strip()] = value.strip()
    return key.strip(), values


def recipe_text(key: str, params: Any) -> str:
    """'key(name=value, …)' with the parameters that differ from their default, or 'key' if none
    does.
    """
    fields = params_fields(type(params))
    values = to_dict(params)
    changed = [
        f"{f.name}={value_text(f, values[f.name])}"
        for f in fields
        if getattr(params, f.name) != f.default
    ]
    return f"{key}({', '.join(changed)})" if changed else key


def value_text(field: Field, value: Any) -> str:
    """A stored value as text that `check` reads back."""
    if value is None:
        return field.empty
    if isinstance(value, list | tuple):
        return (
            f"({' '.join(map(str, value))})"
            if field.kind == "numbers"
            else f"({'; '.join(map(str, value))})"
        )
    return str(value)


def learners(problem: Problem | None) -> tuple[Algorithm[Any, Any], ...]:
    """The algorithms that can be studied on a problem: they predict, can take it, and are no
    experiments.

    () without a problem.
    """
    return tuple(
        each
        for each in algorithms().values()
        if each.predict is not None
        and not each.is_experiment
        and problem is not None
        and each.needs.refusal(problem) is None
    )
