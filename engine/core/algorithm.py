"""What an algorithm is: one frozen record of pure functions. See design.md, 3."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.core.arrays import Bool, Float, Int
from engine.core.forecasts import strangers
from engine.core.grid import Grid
from engine.core.notation import counted, quoted
from engine.core.problem import Problem, Task
from engine.core.scene import Bars, Layer, Scene
from engine.core.step import Note, Pace, Step, note

P = TypeVar("P")
S = TypeVar("S")

FieldFunction = Callable[[Problem, Any, Any, Grid], Any]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why this label? For one place, at one step.

    label: class index, −1 unclassified; note: the reckoning with its numbers; bars: votes or contributions, if any;
    layers: what to draw on the plane for it; path: indices of tree nodes passed
    """

    label: int
    note: Note
    bars: Bars | None = None
    layers: tuple[Layer, ...] = ()
    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Needs:
    """What data an algorithm can take. `reason` is the sentence shown in the picker and raised by `run`.

    labels: a class target; values: a numeric target (set labels=False then; with both either will do);
    numeric: every column a number or a pair; binary: every column holds 0 and 1 alone, as numbers or as truth values;
    discrete: every column holds words, truth values, or 0 and 1 alone;
    forecasts: every column holds the target's labels alone
    """

    labels: bool = True
    values: bool = False
    min_classes: int = 1
    max_classes: int = 64
    numeric: bool = False
    binary: bool = False
    discrete: bool = False
    forecasts: bool = False
    missing: bool = False
    held_out: bool = False
    min_rows: int = 1
    max_rows: int = 1_000_000
    max_columns: int = 10_000

    def reason(self, problem: Problem) -> str | None:
        """Why the algorithm cannot take `problem`, with the way out; None when it can."""
        return next((why for broken, why in self._checks(problem) if broken), None)

    def _checks(self, problem: Problem) -> Iterator[tuple[bool, str]]:
        labelled = problem.codes[problem.codes >= 0]
        count = int(np.count_nonzero(np.bincount(labelled)))
        labels = self.labels and not (self.values and problem.regress)
        rows = len(labelled) if labels else problem.n
        words = [f.name for f in problem.features if not f.numeric and len(f.categories) != 2]
        yield problem.d == 0, "needs at least one column to learn from"
        yield self.values and not self.labels and not problem.regress, "needs a column of numbers as target"
        target = "a column of classes or of numbers" if self.values else "a column of classes"
        yield labels and not problem.classes, f"needs {target} as target"
        yield (
            rows < self.min_rows,
            f"needs at least {counted(self.min_rows, 'example')}, there are {rows}",
        )
        yield (
            labels and count < self.min_classes,
            f"needs {_count(self.min_classes, 'at least')}, this table has {_few(count)}",
        )
        yield (
            labels and count > self.max_classes,
            f"needs {_count(self.max_classes, 'at most')}, this table has {count}",
        )
        gone = [problem.class_text(k) for k in (0, 1) if k < len(problem.classes) and k not in labelled]
        yield (
            labels and self.max_classes == 2 and count == 2 and bool(gone),
            f"needs the first two classes of the table, {quoted(next(iter(gone), ''))} has no rows: relabel points",
        )
        yield problem.n > self.max_rows, f"takes at most {counted(self.max_rows, 'row')}, there are {problem.n:,}"
        yield (
            problem.d > self.max_columns,
            f"takes at most {counted(self.max_columns, 'column')}, there are {problem.d:,}",
        )
        yield (
            self.numeric and bool(words),
            f"needs numbers, {quoted(next(iter(words), ''))} holds words: turn on 0/1 columns",
        )
        others = next((f.name for j, f in enumerate(problem.features) if self.binary and not _zero_one(problem, j)), "")
        yield (
            bool(others),
            f"needs columns of 0 and 1, {quoted(others)} holds something else: turn words into 0/1 columns, leave other numbers out",
        )
        wide = (f.name for j, f in enumerate(problem.features) if f.numeric and not _zero_one(problem, j))
        measured = next(wide, "") if self.discrete else ""
        yield (
            bool(measured),
            f"needs columns of words or of 0 and 1, {quoted(measured)} holds other numbers: leave it out",
        )
        stranger = next(strangers(problem), "") if self.forecasts else ""
        yield bool(stranger), stranger
        gaps = not self.missing and bool(np.isnan(problem.X).any())
        yield gaps, "needs every value, some are missing: fill or drop them in the data panel"


def _zero_one(problem: Problem, column: int) -> bool:
    feature, values = problem.features[column], problem.X[:, column]
    if feature.numeric:
        return bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
    return feature.categories in ((False, True), (0, 1))


def _count(classes: int, limit: str) -> str:
    return {1: "one class", 2: "two classes"}.get(classes, f"{limit} {classes} classes")


def _few(count: int) -> str:
    return {0: "none", 1: "one"}.get(count, str(count))


@dataclass(frozen=True, slots=True)
class Curve:
    """A metric drawn over the timeline. title: 'wrong points'; of_n: the scale is the number of rows; log: of the axis;
    about: 'bound' draws it dashed, as a theory bound beside the run."""

    metric: str
    title: str
    of_n: bool = False
    log: bool = False
    bound: bool = False
    digits: int = 2


@dataclass(frozen=True, kw_only=True)
class Algorithm(Generic[P, S]):
    """The whole of an algorithm. Its module binds one to the name ALGORITHM and is found by the registry.

    key: stable id, saved in files; family: folder under engine/algorithms; source: () plus extension=True when in none
    of the texts; pseudocode: 'label: text' lines, indentation kept; steps: generator that reads like that pseudo-code, with a
    None at least every 50 ms of long work (see `core.work`);
    predict: (problem, params, state, X (m, d)) -> (m,) class indices (−1 = no class) or values, at ANY step;
    scores: the same, what `predict` decides by: (m,) for two classes, positive means the first, or (m, k) one for each
    class, of which the largest wins; component: for a mixture that knows no classes, (m,) which of its components owns the
    row, −1 where none is ahead; by_known: `predict` itself says what it can of a row with unknown values, as also those do
    that learn from such rows (`needs.missing`); all others give no answer there, −1 or NaN, and neither do scores;
    fields: surfaces over a Grid, 'class' first; resume: goes on from a state, EngineError when the parameters do not
    fit it; errata: what a source prints wrongly and the correct form, shown beside the pseudo-code; events: every event
    `steps` can yield; chips: what the parameters mean for the picture, in a few words; wording: lines of the pseudo-code,
    by label, that read otherwise with these parameters; uses_held_out: whether learning with them looks at the held-out
    rows, whose errors are no test then; tweak: the state with one number changed by hand (a weight in a Network), from
    which `resume` goes on
    """

    key: str
    title: str
    family: str
    task: Task
    source: tuple[str, ...]
    params: type[P]
    pseudocode: str
    steps: Callable[[Problem, P, Generator, Pace], Iterator[Step[S] | None]]
    scene: Callable[[Problem, P, Step[S]], Scene]
    predict: Callable[[Problem, P, S, Float], NDArray[Any]] | None
    example: Callable[[], Problem]
    summary: str
    needs: Needs = Needs()
    fields: Mapping[str, FieldFunction] = field(default_factory=dict)
    explain: Callable[[Problem, P, S, Float], Explanation] | None = None
    resume: Callable[[Problem, P, S, Generator, Pace], Iterator[Step[S] | None]] | None = None
    curves: tuple[Curve, ...] = ()
    events: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    extension: bool = False
    chips: Callable[[P], tuple[str, ...]] | None = None
    wording: Callable[[P], Mapping[str, str]] | None = None
    uses_held_out: Callable[[P], bool] | None = None
    tweak: Callable[[Problem, P, S, tuple[int, ...], float], S] | None = None
    scores: Callable[[Problem, P, S, Float], Float] | None = None
    component: Callable[[Problem, P, S, Float], Int] | None = None
    by_known: bool = False

    def __post_init__(self) -> None:
        """An unknown in, nothing known out: no page has to think of it."""
        if self.needs.missing:
            return
        for name, none in (("predict", -1), ("scores", np.nan), ("component", -1)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, partial(_of_known, getattr(self, name), none, self.by_known))
        if self.explain is not None:
            object.__setattr__(self, "explain", partial(_explained, self.explain, self.by_known))

    def code_lines(self, params: P | None = None) -> tuple[tuple[str, str], ...]:
        """The pseudo-code as (label, text with indentation), as it reads with `params`."""
        other = self.wording(params) if self.wording is not None and params is not None else {}
        rows = [row for row in self.pseudocode.strip("\n").splitlines() if row.strip()]
        split = [row.split(":", 1) for row in rows]
        return tuple((label.strip(), other.get(label.strip(), text.removeprefix(" "))) for label, text in split)


def _unknown(X: Float, by_known: bool) -> Bool:
    """(m,) the rows that nothing can be said of: those with an unknown value, or, `by_known`, without any other."""
    gaps = np.isnan(X)
    return np.asarray(gaps.all(axis=1) if by_known else gaps.any(axis=1))


def _of_known(
    answer: Callable[[Problem, Any, Any, Float], NDArray[Any]], none: float, by_known: bool,
    problem: Problem, params: Any, state: Any, X: Float,
) -> NDArray[Any]:  # fmt: skip
    """`answer` of the rows that something can be said of; of the others `none`, or NaN where values are told."""
    unknown = _unknown(X, by_known)
    if not unknown.any():
        return answer(problem, params, state, X)
    known = answer(problem, params, state, X[~unknown])
    found = np.full((len(X), *known.shape[1:]), np.nan if problem.regress else none, known.dtype)
    found[~unknown] = known
    return found


def _explained(
    explain: Callable[[Problem, Any, Any, Float], Explanation], by_known: bool, problem: Problem, params: Any, state: Any,
    x: Float,
) -> Explanation:  # fmt: skip
    return nothing_said(problem, x) if _unknown(x[None], by_known)[0] else explain(problem, params, state, x)


def nothing_said(problem: Problem, x: Float) -> Explanation:
    """Of a row x (d,) with unknown values."""
    names = [feature.name for feature, gap in zip(problem.features, np.isnan(x), strict=True) if gap]
    return Explanation(-1, note("{names} unknown: nothing can be said of this row.", names=_listed(names)))


def _listed(names: list[str]) -> str:
    """“a” is, “a” and “b” are, “a” and 3 more columns are."""
    if len(names) > 2:
        return f"{quoted(names[0])} and {len(names) - 1} more columns are"
    return " and ".join(map(quoted, names)) + (" are" if len(names) > 1 else " is")
