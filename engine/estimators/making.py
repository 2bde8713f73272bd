"""A class for each method that predicts: its parameters are the constructor's arguments."""

from collections.abc import Mapping
from functools import cache
from inspect import Parameter, Signature
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.estimators.base import Classifier, Clusterer, Regressor
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import Field, params_fields
from engine.protocol.registry import algorithm, algorithms

HOME = "learnscope.sklearn"  # where pickles find the classes by their names
TASKS = ("classify", "regress")
HELD_OUT = 0.25
REGRESSOR = "Regressor"


def estimator(key: str, task: str | None = None) -> type[Any]:
    """The scikit-learn class of the method `key`: a classifier, a regressor or a clusterer.

    task: "classify" or "regress", for methods that do both; None: the first that it does

    Raises EngineError for an unknown key, for a method that makes no predictions, and for a task
    that the method does not do.
    """
    chosen = algorithm(key)
    if not predicts(chosen):
        them = ", ".join(each.key for each in algorithms().values() if predicts(each))
        raise EngineError(f"{chosen.title} makes no predictions; these do: {them}.")
    kinds = _kinds(chosen)
    if task is None:
        return _made(chosen, kinds[0])
    if task not in TASKS:
        raise EngineError(
            f"The task is “classify” or “regress”, or None; {quoted(str(task))} is neither."
        )
    wanted = Classifier if task == "classify" else Regressor
    if wanted not in kinds:
        does = {Classifier: "classes", Regressor: "values", Clusterer: "groups"}[kinds[0]]
        raise EngineError(f"{chosen.title} predicts {does} only.")
    return _made(chosen, wanted)


def estimators() -> Mapping[str, type[Any]]:
    """The classes of all methods that predict, by name."""
    made = (
        _made(each, kind)
        for each in algorithms().values()
        if predicts(each)
        for kind in _kinds(each)
    )
    return {each.__name__: each for each in made}


def predicts(method: Algorithm[Any, Any]) -> bool:
    """Whether a method learns a model that answers for new rows; experiments do not."""
    return not method.is_experiment and (method.predict is not None or method.component is not None)


def _kinds(method: Algorithm[Any, Any]) -> tuple[Any, ...]:
    """What a method can be, the usual one first."""
    if method.component is not None:
        return (Clusterer,)
    needs = method.needs
    if not needs.values:
        return (Classifier,)
    return (Classifier, Regressor) if needs.labels else (Regressor,)


@cache
def _made(method: Algorithm[Any, Any], kind: Any) -> type[Any]:
    """The class of a method as one of its kinds.

    A parameter that is called as a method of the class is, as `fit_method`, another argument.
    """
    name = "".join(part[:1].upper() + part[1:] for part in method.key.split("_"))
    name += REGRESSOR if kind is not _kinds(method)[0] else ""
    taken = {
        f"{field.name}_method" if hasattr(kind, field.name) else field.name: field
        for field in params_fields(method.params)
    }
    defaults = {here: field.default for here, field in taken.items()}
    if method.uses_held_out is not None:
        defaults["validation_fraction"] = HELD_OUT
    defaults["random_state"] = None
    parts = {
        "__module__": HOME,
        "__doc__": _described(method, taken, kind),
        "__init__": _constructor(defaults),
        "method": method,
        "parameters": {here: field.name for here, field in taken.items()},
    }
    return type(name, (kind,), parts)


def _constructor(defaults: Mapping[str, Any]) -> Any:
    """An `__init__` that keeps its arguments as they are, with the signature that scikit-learn
    reads.
    """
    one = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    others = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
    ]
    signature = Signature([one, *others])

    def __init__(self: Any, /, *args: Any, **given: Any) -> None:
        try:
            bound = signature.bind(self, *args, **given)
        except TypeError as fault:
            raise TypeError(f"{type(self).__name__}() {fault}") from None
        for name, default in defaults.items():
            setattr(self, name, bound.arguments.get(name, default))

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def _described(method: Algorithm[Any, Any], taken: Mapping[str, Field], kind: Any) -> str:
    """The docstring: what the method does, and what each argument means."""
    lines = [
        f"{method.title}. {method.summary}",
        "",
        (kind.__doc__ or "").strip(),
        "",
        "Parameters",
    ]
    for name, field in taken.items():
        about = f"{field.label}: {field.help}" if field.help else field.label
        choices = f" One of {', '.join(map(repr, field.options))}." if field.options else ""
        lines.append(f"    {name}={field.default!r}: {about}.{choices}")
    if method.uses_held_out is not None:
        lines.append(
            f"    validation_fraction={HELD_OUT}: Share of the rows held out, where the method"
            " judges itself by them."
        )
    lines.append("    random_state=None: Whole number, the seed of the run; None draws one.")
    return "\n".join(lines)
