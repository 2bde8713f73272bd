"""Frozen records made and changed quickly: runs of small steps do little else.

A frozen dataclass sets each field past its own ban, which takes longer than all else. Here a record is filled as an object of
an open class of the same layout and closed by being given its own class; nobody sees it before. The functions that do so are
written out for each class, as `dataclasses` does; what they need of their own has names that no field has.
"""

from dataclasses import MISSING, Field, fields
from functools import update_wrapper
from typing import Any, TypeVar

R = TypeVar("R")
_CHANGERS: dict[type[Any], Any] = {}
_NOT_GIVEN = object()


def quick(kind: type[R]) -> type[R]:
    """Class decorator for a frozen dataclass without `__post_init__`: the same, made several times as fast.

    Raises TypeError for fields that `__init__` does not take, or only by name. Classes derived from it are made as usual.
    """
    parts = _fields(kind)
    odd = next((field.name for field in parts if field.kw_only or not field.init), None)
    if odd is not None:
        raise TypeError(f"{odd} of {kind.__name__} is not given by its place: it cannot be quick")
    usual = kind.__init__
    known = {"_put": object.__setattr__, "_opened": _opened(kind), "_kind": kind, "_usual": usual, "_NONE": _NOT_GIVEN}
    lines = [f"{f.name} = _make_{f.name}() if {f.name} is _NONE else {f.name}" for f in parts if _made(f)]
    names = ", ".join(field.name for field in parts)
    lines += ["if _self.__class__ is not _kind:", f"    return _usual(_self, {names})"]
    lines += ["_put(_self, '__class__', _opened)", *(f"_self.{field.name} = {field.name}" for field in parts)]
    head = f"_init(_self, {', '.join(_parameter(field, known) for field in parts)})"
    method = _function(head, [*lines, "_self.__class__ = _kind"], known)
    kind.__init__ = update_wrapper(method, usual)  # type: ignore[method-assign]
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
        unknown = changes.keys() - {field.name for field in _fields(kind)}
        if not unknown:
            raise
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}") from None


def _learn(kind: type[Any]) -> Any:
    names = [field.name for field in _fields(kind)]
    known = {"_new": object.__new__, "_opened": _opened(kind), "_kind": kind, "_SAME": _NOT_GIVEN}
    lines = [f"_made.{name} = _record.{name} if {name} is _SAME else {name}" for name in names]
    _CHANGERS[kind] = _function(
        f"_change(_record, /, {', '.join(['*', *(f'{name}=_SAME' for name in names)]) if names else ''})",
        ["_made = _new(_opened)", *lines, "_made.__class__ = _kind", "return _made"],
        known,
    )
    return _CHANGERS[kind]


def _fields(kind: type[Any]) -> "tuple[Field[Any], ...]":
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} wants its __post_init__: use dataclasses.replace")
    found = fields(kind)
    if any(field.name.startswith("_") for field in found):
        raise TypeError(f"{kind.__name__} has a field whose name begins with _")
    return found


def _opened(kind: type[Any]) -> type[Any]:
    """A class of the same layout that lets its attributes be set. Python keeps the slow way of setting for a class one of
    whose bases forbids to delete."""
    body = {name: vars(kind)[name] for name in ("__slots__", "__orig_bases__") if name in vars(kind)}
    own = {name: getattr(object, name) for name in ("__setattr__", "__delattr__")}
    return type(kind.__name__, kind.__bases__, body | own)


def _made(field: "Field[Any]") -> bool:
    return field.default_factory is not MISSING


def _parameter(field: "Field[Any]", known: dict[str, Any]) -> str:
    """The parameter of `__init__` for a field; `known` gets its default or what makes it."""
    if field.default_factory is not MISSING:
        known[f"_make_{field.name}"] = field.default_factory
        return f"{field.name}=_NONE"
    if field.default is MISSING:
        return field.name
    known[f"_default_{field.name}"] = field.default
    return f"{field.name}=_default_{field.name}"


def _function(head: str, lines: list[str], known: dict[str, Any]) -> Any:
    """The function with this head and these lines; `known`: its globals."""
    exec("\n    ".join([f"def {head}:", *lines]), known)
    return known[head.partition("(")[0]]
