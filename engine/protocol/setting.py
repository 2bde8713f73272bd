"""What does not change while a run learns, made once from the problem and the parameters."""

from typing import Any, Generic, TypeVar

from engine.base.records import Record
from engine.table.problem import Problem

P = TypeVar("P")


class Setting(Record, Generic[P], dict=True):
    """What every function of an algorithm is given beside the state.

    A page derives a class of its own from it, whose `cached_property`s hold what is reckoned once a
    run: the rows with a threshold's column, a kernel's matrix.

    problem: the table; p: the parameters, an object of the page's `Params`
    """

    problem: Problem
    p: P


AnySetting = Setting[Any]
