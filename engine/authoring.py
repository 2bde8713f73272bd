"""All that the page of an algorithm needs, in one import: `from engine.authoring import …`.

See docs/write-an-algorithm.md. VERSION is the version of what is promised here.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator as Rng

from engine.core import scene as _scene
from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Bool, Float, Int, Prefix, frozen, own
from engine.core.dataset import Dataset
from engine.core.edition import GONE, VERSION
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.late import Late
from engine.core.moment import (
    At,
    Part,
    Recursive,
    Steps,
    leap,
    leap_rounds,
    leap_to,
    unrolled,
    when,
)
from engine.core.needs import LINEAR_ROWS
from engine.core.notation import number, plural, short
from engine.core.params import (
    Empty,
    Fits,
    Help,
    Label,
    Length,
    MostRounds,
    Patience,
    Place,
    Range,
    When,
)
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

__all__ = [
    "LINEAR_ROWS",
    "VERSION",
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
    "Fits",
    "Float",
    "Formula",
    "Generator",
    "Grid",
    "Help",
    "Int",
    "Iterator",
    "Label",
    "Late",
    "Length",
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
    "leap_to",
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

if not TYPE_CHECKING:  # else every misspelt name would pass for one of any type

    def __getattr__(name: str) -> Any:
        """Names that earlier versions had: raises ImportError that says what became of them."""
        if name in GONE:
            raise ImportError(f"“{name}” of engine.authoring {GONE[name]}.", name=__name__)
        raise AttributeError(f"engine.authoring has no “{name}”")
