"""`Setting`: what stays the same while a run learns, made once from problem and parameters."""

from typing import Any, Generic, TypeVar

from engine.base.records import Record
from engine.table.problem import Problem

P = TypeVar("P")


class Setting(Record, Generic[P], dict=True):
    """What every function of an algorithm is given beside the state.

    A page derives its own class, whose `cached_property`s hold what is computed once a run: the
    rows with a threshold's column, a kernel's matrix.

    problem: the table as arrays
    p: the parameters, an object of the page's `Params`
    """

    problem: Problem
    p: P


AnySetting = Setting[Any]
