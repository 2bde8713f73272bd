"""Records: classes of named fields whose objects are never changed."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, dataclass_transform

import msgspec
from msgspec import field as field
from msgspec.structs import replace as replace


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(msgspec.Struct, frozen=True, eq=False):
    """A frozen record: `class Params(Record): rate: float = 0.5`.

    `replace(record, rate=1.0)` makes a changed one. Options stand behind the bases of a class, as
    msgspec names them: `eq=True` compares and hashes by the fields, else each record equals only
    itself; `dict=True` has room for what a `cached_property` keeps; `weakref=True` lets others
    refer to a record weakly. Setting a field raises AttributeError.
    """


def is_record(of: Any) -> bool:
    """Whether it is a record or a class of records.

    Python's dataclasses count too: the state of a user's page may hold some.
    """
    return hasattr(of, "__struct_fields__") or is_dataclass(of)


def field_names(of: Any) -> tuple[str, ...]:
    """The field names of a record or a class of records, in order; () for anything else."""
    if is_dataclass(of):
        return tuple(field.name for field in fields(of))
    return getattr(of, "__struct_fields__", ())


if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property:
        """`functools.cached_property` as it is from Python 3.12 on, without its lock.

        Before, computing one blocked every thread that wanted the same property of another object.
        When two threads compute one at once, both get the first value.
        """

        def __init__(self, func):
            self.func = func
            self.__doc__ = func.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, record, owner=None):
            return self if record is None else vars(record).setdefault(self.name, self.func(record))
