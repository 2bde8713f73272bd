"""Frozen records declared, made and changed quickly: a start declares two hundred, and runs of
small steps do little else.

A frozen dataclass sets each field past its own ban, which takes longer than all else. Here a record
is filled as an object of an open class of the same layout and closed by being given its own class;
nobody sees it before. The functions that do so are written out for each class, as `dataclasses`
does; what they need of their own has names that no field has.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import cache, update_wrapper
from itertools import count
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

R = TypeVar("R")
_CHANGERS: dict[type[Any], Any] = {}
_NOT_GIVEN = object()
MANY = 500  # changes of one kind of record

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from functools import cached_property as cached_property
else:

    class cached_property:
        """What `functools.cached_property` does from Python 3.12 on: before, whoever reckoned one
        held up all who wanted that of another object. Should two threads reckon the same at once,
        both are given what the first one found.
        """

        def __init__(self, func):
            self.func = func
            self.__doc__ = func.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, record, owner=None):
            return self if record is None else vars(record).setdefault(self.name, self.func(record))

    def dataclass(kind=None, /, **how):
        """What `dataclasses.dataclass` does, several times as fast for a frozen one: of its methods
        only `__init__` is written out and compiled, the others are the same functions for every
        class.
        """
        if kind is None:
            return lambda kind: dataclass(kind, **how)
        alone = not any(dataclasses.is_dataclass(base) for base in kind.__bases__)
        plain = (
            how.keys() <= {"frozen", "eq", "slots"}
            and not {"__setattr__", "__delattr__"} & vars(kind).keys()
        )
        if not (how.get("frozen") and plain and alone):
            return dataclasses.dataclass(kind, **how)
        kind.__doc__ = kind.__doc__ or kind.__name__  # else its signature is looked for
        slots, eq = how.get("slots", False), how.get("eq", True)
        made = dataclasses.dataclass(kind, init=False, repr=False, eq=False, slots=slots)
        made.__dataclass_params__ = _like(slots, eq)
        given = fields(made)
        own = {"__init__": _init_of(given, hasattr(made, "__post_init__")), "__repr__": _repr}
        own |= _bans(made, frozenset(f.name for f in given))
        own |= _comparison(given) if eq else {}
        own |= {"__getstate__": _getstate, "__setstate__": _setstate} if slots else {}
        for name, method in own.items():
            if vars(made).get(name) is None:
                setattr(made, name, method)
        return made


@cache
def _like(slots: bool, eq: bool) -> Any:
    """What heirs are told of a class: that it is frozen."""
    return dataclasses.dataclass(frozen=True, slots=slots, eq=eq)(
        type("_Frozen", (), {})
    ).__dataclass_params__  # type: ignore[attr-defined]


def _init_of(given: "tuple[Field[Any], ...]", checked: bool) -> Any:
    known: dict[str, Any] = {"_put": object.__setattr__, "_NONE": _NOT_GIVEN}
    placed = [_parameter(field, known) for field in given if field.init and not field.kw_only]
    named = [_parameter(field, known) for field in given if field.init and field.kw_only]
    lines = []
    for f in given:
        if not f.init and f.default_factory is MISSING:
            continue
        known |= {f"_make_{f.name}": f.default_factory} if not f.init else {}
        made = f"_make_{f.name}()" if not f.init else f.name
        made = (
            f"_make_{f.name}() if {f.name} is _NONE else {f.name}" if f.init and _made(f) else made
        )
        lines.append(f"_put(_self, '{f.name}', {made})")
    lines += ["_self.__post_init__()"] if checked else []
    head = ", ".join(["_self", *placed, *(["*", *named] if named else [])])
    return _function(f"__init__({head})", lines or ["pass"], known)


def _bans(kind: type[Any], names: frozenset[str]) -> dict[str, Any]:
    def put(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return {"__setattr__": put, "__delattr__": delete}


def _comparison(given: "tuple[Field[Any], ...]") -> dict[str, Any]:
    compared = _values([f.name for f in given if f.compare])
    hashed = _values([f.name for f in given if (f.compare if f.hash is None else f.hash)])

    def same(self: Any, other: Any) -> Any:
        return (
            compared(self) == compared(other)
            if other.__class__ is self.__class__
            else NotImplemented
        )

    return {"__eq__": same, "__hash__": lambda self: hash(hashed(self))}


def _values(names: list[str]) -> Callable[[Any], Any]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


def quick(kind: type[R]) -> type[R]:
    """Class decorator for a frozen dataclass without `__post_init__`: the same, made several times
    as fast.

    Raises TypeError for fields that `__init__` does not take, or only by name. Classes derived from
    it are made as usual.
    """
    parts = _fields(kind)
    odd = next((field.name for field in parts if field.kw_only or not field.init), None)
    if odd is not None:
        raise TypeError(f"{odd} of {kind.__name__} is not given by its place: it cannot be quick")
    usual = kind.__init__
    known = {
        "_put": object.__setattr__,
        "_opened": _opened(kind),
        "_kind": kind,
        "_usual": usual,
        "_NONE": _NOT_GIVEN,
    }
    lines = [
        f"{f.name} = _make_{f.name}() if {f.name} is _NONE else {f.name}" for f in parts if _made(f)
    ]
    names = ", ".join(field.name for field in parts)
    lines += ["if _self.__class__ is not _kind:", f"    return _usual(_self, {names})"]
    lines += [
        "_put(_self, '__class__', _opened)",
        *(f"_self.{field.name} = {field.name}" for field in parts),
    ]
    head = f"_init(_self, {', '.join(_parameter(field, known) for field in parts)})"
    method = _function(head, [*lines, "_self.__class__ = _kind"], known)
    kind.__init__ = update_wrapper(method, usual)  # type: ignore[method-assign]
    return kind


def replace(record: R, /, **changes: Any) -> R:
    """What `dataclasses.replace` does, several times as fast: the fields are copied, `__init__` is
    not called.

    For frozen dataclasses without `__post_init__`. Raises TypeError for a field that the record
    does not have.
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
    """How to change a record: at first field by field, because to write a function out takes longer
    than many such changes.
    """
    names = [field.name for field in _fields(kind)]
    put = object.__setattr__
    before = count(1)

    def change(record: Any, /, **changes: Any) -> Any:
        if next(before) == MANY:
            _CHANGERS[kind] = _changer(kind, names)
        made = object.__new__(kind)
        for name in names:
            put(made, name, changes.pop(name) if name in changes else getattr(record, name))
        if changes:
            raise TypeError
        return made

    return _CHANGERS.setdefault(kind, change)


def _changer(kind: type[Any], names: list[str]) -> Any:
    known = {"_new": object.__new__, "_opened": _opened(kind), "_kind": kind, "_SAME": _NOT_GIVEN}
    lines = [f"_made.{name} = _record.{name} if {name} is _SAME else {name}" for name in names]
    return _function(
        "_change(_record, /,"
        f" {', '.join(['*', *(f'{name}=_SAME' for name in names)]) if names else ''})",
        ["_made = _new(_opened)", *lines, "_made.__class__ = _kind", "return _made"],
        known,
    )


def _fields(kind: type[Any]) -> "tuple[Field[Any], ...]":
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} wants its __post_init__: use dataclasses.replace")
    found = fields(kind)
    if any(field.name.startswith("_") for field in found):
        raise TypeError(f"{kind.__name__} has a field whose name begins with _")
    return found


def _opened(kind: type[Any]) -> type[Any]:
    """A class of the same layout that lets its attributes be set.

    Python keeps the slow way of setting for a class one of whose bases forbids to delete.
    """
    body = {
        name: vars(kind)[name] for name in ("__slots__", "__orig_bases__") if name in vars(kind)
    }
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
