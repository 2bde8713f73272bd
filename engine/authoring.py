"""All that the page of an algorithm needs, in one import: `from engine.authoring import …`.

See docs/write-an-algorithm.md. VERSION is the version of what is promised here.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator as Rng

from engine.base.arrays import Bool, Float, Int, Prefix, frozen, own
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.lazy import Lazy
from engine.base.notation import number, plural, short
from engine.base.records import Record, cached_property, field, replace
from engine.base.work import Work
from engine.protocol.algorithm import Algorithm, Curve, Explanation, Needs
from engine.protocol.edition import REPLACED, VERSION
from engine.protocol.moment import (
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
from engine.protocol.params import (
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
from engine.protocol.setting import Setting
from engine.protocol.step import (
    Choice,
    Fact,
    Formula,
    Level,
    Note,
    Operand,
    Option,
    Pace,
    Step,
    Words,
    note,
)
from engine.scene import scene as _scene
from engine.scene.scene import *  # noqa: F403
from engine.table.dataset import Dataset
from engine.table.needs import LINEAR_ROWS
from engine.table.prepare import Split, prepare
from engine.table.problem import Problem, Task

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
    "Lazy",
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
    "Sequence",
    "Setting",
    "Split",
    "Step",
    "Steps",
    "Task",
    "When",
    "Words",
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
        if name in REPLACED:
            raise ImportError(f"“{name}” of engine.authoring {REPLACED[name]}.", name=__name__)
        raise AttributeError(f"engine.authoring has no “{name}”")
