"""All that the page of an algorithm needs, in one import: `from engine.authoring import …`.

See README, “Write a new algorithm in ten minutes”.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator as Rng

from engine.core import scene as _scene
from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Bool, Float, Int, Prefix, frozen, own
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.late import Late
from engine.core.moment import At, Part, Recursive, Steps, leap, leap_rounds, unrolled, when
from engine.core.needs import LINEAR_ROWS
from engine.core.notation import number, plural, short
from engine.core.params import Empty, Help, Label, MostRounds, Patience, Place, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import Record, cached_property, field, replace
from engine.core.scene import *  # noqa: F403
from engine.core.setting import Setting
from engine.core.step import (
    Choice,
    Fact,
    Formula,
    Level,
    Note,
    Operand,
    Option,
    Pace,
    Said,
    Step,
    note,
)
from engine.core.work import Work
from engine.data.prepare import Split, prepare

VERSION = 2  # 1: State and Params were dataclasses

# what pages of earlier versions import, and what they write now
GONE = {
    "dataclass": "in version 2 a class of values is a record, “class State(Record):”",
    "quick": "in version 2 every record is made quickly, “class State(Record):”",
}

__all__ = [
    "LINEAR_ROWS",
    "Algorithm",
    "At",
    "Bool",
    "Callable",
    "Choice",
    "Curve",
    "Dataset",
    "Empty",
    "EngineError",
    "Explanation",
    "Fact",
    "Float",
    "Formula",
    "Generator",
    "Grid",
    "Help",
    "Int",
    "Iterator",
    "Label",
    "Late",
    "Level",
    "Mapping",
    "MostRounds",
    "Needs",
    "Note",
    "Operand",
    "Option",
    "Pace",
    "Part",
    "Patience",
    "Place",
    "Prefix",
    "Problem",
    "Range",
    "Record",
    "Recursive",
    "Rng",
    "Said",
    "Sequence",
    "Setting",
    "Split",
    "Step",
    "Steps",
    "Task",
    "When",
    "Work",
    "cached_property",
    "field",
    "frozen",
    "leap",
    "leap_rounds",
    "note",
    "np",
    "number",
    "own",
    "plural",
    "prepare",
    "replace",
    "short",
    "unrolled",
    "when",
]  # fmt: skip
__all__ += _scene.__all__  # the vocabulary of pictures


def __getattr__(name: str) -> Any:
    """Raises ImportError that says what has taken the place of a name, and AttributeError for one
    that never was.
    """
    if name in GONE:
        raise ImportError(f"engine.authoring has no “{name}” any more: {GONE[name]}")
    raise AttributeError(f"module {__name__} has no attribute {name!r}")
