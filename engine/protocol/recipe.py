"""Learners as text, the value of a parameter: `nearest_neighbours(k=3, weights=1/d)`; several are
separated by semicolons.
"""

from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import Field, params_fields, split_outside, to_dict
from engine.protocol.registry import algorithms
from engine.table.needs import Fault
from engine.table.problem import Problem
from engine.table.two_classes import first_posed


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


def recipe_title(text: str) -> str:
    """A learner as people read it: 'Nearest neighbours (k=3)'; "auto" where the data choose one,
    `text` itself if no learner of the lab is called so.
    """
    key, bracket, inside = text.strip().partition("(")
    method = algorithms().get(key.strip())
    return f"{method.title} {bracket}{inside}".strip() if method is not None else text or "auto"


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


def two_class_learners(problem: Problem | None) -> tuple[Algorithm[Any, Any], ...]:
    """The algorithms that can learn to tell the first class of a problem from the rest.

    Without those that are wrappers of such algorithms themselves; () without a problem or classes.
    """
    posed = None if problem is None else first_posed(problem)
    return tuple(each for each in learners(posed) if not each.wraps)


def wrapped(
    method: Algorithm[Any, Any], params: Any, problem: Problem
) -> tuple[str, dict[str, Any]] | None:
    """(key, {parameter: value}) of a wrapper with which a method for two classes takes a table of
    more.

    None for a method that takes them itself, or that is no learner of two classes.
    """
    learns = method.predict is not None and not method.is_experiment
    if not learns or method.needs.max_classes != 2 or problem.target is None:
        return None
    refusal = method.needs.refusal(problem)
    if refusal is None or refusal.fault is not Fault.TOO_MUCH or len(problem.classes) <= 2:
        return None
    for each in algorithms().values():
        for field in params_fields(each.params):
            if field.two_classes:
                return each.key, {field.name: recipe_text(method.key, params)}
    return None
