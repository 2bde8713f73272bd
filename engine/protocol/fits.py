"""Checks that the values of parameters fit the table, without a run of the learner."""

from collections.abc import Callable
from math import prod
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.sums import add_up
from engine.protocol.params import Field, Fits, Length, params_fields
from engine.table.problem import Problem

SIZES: dict[str, Callable[[Problem], int]] = {
    "columns": lambda problem: problem.d,
    "classes": lambda problem: len(problem.classes),
}


def check_fits(params: Any, problem: Problem) -> None:
    """Raises EngineError, a sentence, for the first value that does not fit the table."""
    for field in params_fields(type(params)):
        check_fit(field, params, problem)


def check_fit(field: Field, params: Any, problem: Problem) -> None:
    """Raises EngineError where the value of one parameter does not fit the table.

    The default fits every table, and so does a value that does not matter with these parameters.
    """
    value = getattr(params, field.name)
    if field.fits is None or value == field.default or not field.matters(params):
        return
    if isinstance(field.fits, Fits):
        field.fits.check(params, problem)
    else:
        _check_length(field, field.fits, params, problem)


def misfit(field: Field, params: Any, problem: Problem) -> str:
    """The sentence of the error that `check_fit` raises; "" where the value fits."""
    try:
        check_fit(field, params, problem)
    except EngineError as why:
        return str(why)
    return ""


def _check_length(field: Field, length: Length, params: Any, problem: Problem) -> None:
    sizes = {name: _size(name, params, problem) for name in length.names}
    terms = (
        prod(sizes[factor] if factor in sizes else int(factor) for factor in term)
        for term in length.terms
    )
    wanted = int(add_up(terms))
    given = len(getattr(params, field.name))
    if given == wanted or (length.multiple and given % wanted == 0):
        return
    many = counted(wanted, "number")
    many = f"a multiple of {many}" if length.multiple else many
    because = ", ".join(f"{name.replace('_', ' ')}: {n}" for name, n in sizes.items() if n)
    because = f" ({because})" if because else ""
    raise EngineError(f"{field.label} needs {many}{because}; it has {given}.")


def _size(name: str, params: Any, problem: Problem) -> int:
    """The number called `name`: a size of the table, else an attribute of the parameters."""
    return SIZES[name](problem) if name in SIZES else int(getattr(params, name))
