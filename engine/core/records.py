"""Frozen records made and changed quickly: runs of small steps do little else.

A frozen dataclass sets each field past its own ban, which takes longer than all else. Here a record is filled as an object of
an open class of the same layout and closed by being given its own class; nobody sees it before.
"""

from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

R = TypeVar("R")
_CHANGERS: dict[type[Any], Any] = {}
_NOT_GIVEN = object()


def quick(kind: type[R]) -> type[R]:
    """Class decorator for a frozen dataclass without `__post_init__`: the same, made several times as fast."""
    _check(kind)
    known: dict[str, Any] = {"put": object.__setattr__, "opened": _opened(kind), "kind": kind, "NOT_GIVEN": _NOT_GIVEN}
    given, lines = [], ["put(self, '__class__', opened)"]
    for field in fields(kind):  # type: ignore[arg-type]
        parameter, value = _parameter(field, known)
        given.append(parameter)
        lines.append(f"self.{field.name} = {value}")
    method = _function(f"__init__(self, {', '.join(given)})", [*lines, "self.__class__ = kind"], known)
    method.__qualname__ = f"{kind.__qualname__}.__init__"
    kind.__init__ = method  # type: ignore[method-assign]
    return kind


def replace(record: R, /, **changes: Any) -> R:
    """What `dataclasses.replace` does, several times as fast: the fields are copied, `__init__` is not called.

    For frozen dataclasses without `__post_init__`. Raises TypeError for a field that the record does not have.
    """
    kind = type(record)
    change = _CHANGERS.get(kind) or _learn(kind)
    try:
        return change(record, **changes)  # type: ignore[no-any-return]
    except TypeError:
        unknown = changes.keys() - {field.name for field in fields(kind)}  # type: ignore[arg-type]
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}") from None


def _learn(kind: type[Any]) -> Any:
    _check(kind)
    names = [field.name for field in fields(kind)]
    known: dict[str, Any] = {"new": object.__new__, "opened": _opened(kind), "kind": kind, "SAME": _NOT_GIVEN}
    lines = [f"made.{name} = record.{name} if {name} is SAME else {name}" for name in names]
    _CHANGERS[kind] = _function(
        f"change(record, /, *, {', '.join(f'{name}=SAME' for name in names)})",
        ["made = new(opened)", *lines, "made.__class__ = kind", "return made"],
        known,
    )
    return _CHANGERS[kind]


def _check(kind: type[Any]) -> None:
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} wants its __post_init__: use dataclasses.replace")


def _opened(kind: type[Any]) -> type[Any]:
    """A class of the same layout that lets its attributes be set."""
    body = {name: vars(kind)[name] for name in ("__slots__", "__orig_bases__") if name in vars(kind)}
    return type(kind.__name__, kind.__bases__, body | {"__setattr__": object.__setattr__})


def _parameter(field: "Field[Any]", known: dict[str, Any]) -> tuple[str, str]:
    """(parameter of `__init__` for a field, what is put into the field); `known` gets what these need."""
    name = field.name
    if field.default_factory is not MISSING:
        known[f"make_{name}"] = field.default_factory
        return f"{name}=NOT_GIVEN", f"make_{name}() if {name} is NOT_GIVEN else {name}"
    if field.default is MISSING:
        return name, name
    known[f"default_{name}"] = field.default
    return f"{name}=default_{name}", name


def _function(head: str, lines: list[str], known: dict[str, Any]) -> Any:
    """The function with this head and these lines; `known`: its globals."""
    exec("\n    ".join([f"def {head}:", *lines]), known)
    return known[head.partition("(")[0]]
