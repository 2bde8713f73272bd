"""From a table to a problem: declared transformations, the train/test split, the plane. Nothing is changed silently."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Column, Dataset
from engine.core.errors import EngineError
from engine.core.problem import Problem


@dataclass(frozen=True, slots=True)
class Split:
    """share of the rows held out for testing, drawn with `seed`; at least one row stays on each side."""

    share: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Transform:
    """One declared change of the columns; `columns` empty = all it applies to.

    kind: standardise, unit_range, polar, quadratic, one_hot, drop_missing, fill_missing
    """

    kind: str
    columns: tuple[str, ...] = ()


def prepare(
    data: Dataset,
    *,
    transforms: Sequence[Transform] = (),
    plane: Sequence[str] = (),
    split: Split = Split(),
    query: Sequence[float] | None = None,
) -> Problem:
    """The problem that `data` poses. plane: names of one or two features, () = the first two numeric ones;
    query: the probe as plane coordinates (x, y).

    Raises EngineError when a transformation does not fit or a plane column does not exist.
    """
    if len(data) == 0:
        raise EngineError("There are no examples yet: click some onto the plane or open a table.")
    train, test = split_rows(data, split)
    problem = _problem(train, plane, query)
    if len(test):
        problem = replace(problem, held_out=_problem(test, plane, query))
    return problem


def split_rows(data: Dataset, split: Split) -> tuple[Dataset, Dataset]:
    """(train, test): a random part of the rows is set aside, both in table order."""
    n = len(data)
    held = min(round(split.share * n), n - 1)
    if held <= 0:
        return data, data.take([])
    chosen = np.random.default_rng(split.seed).permutation(n)[:held]
    mask = np.zeros(n, dtype=bool)
    mask[chosen] = True
    return data.take(~mask), data.take(mask)


def _problem(data: Dataset, plane: Sequence[str], query: Sequence[float] | None) -> Problem:
    columns = data.features
    X = np.column_stack([c.values for c in columns]) if columns else np.zeros((len(data), 0))
    X = frozen(np.ascontiguousarray(X))
    axes = _plane(columns, plane)
    codes, y = _target(data)
    problem = Problem(
        X, y, codes, tuple(c.feature for c in columns), data.classes,
        data.target.feature if data.target else None, axes, _anchor(columns), data.row_names(),
    )  # fmt: skip
    if query is None:
        return problem
    return replace(problem, query=frozen(problem.from_plane(np.asarray([query], np.float64))[0]))


def _plane(columns: Sequence[Column], wanted: Sequence[str]) -> tuple[int, ...]:
    names = [c.name for c in columns]
    numeric = [j for j, c in enumerate(columns) if c.feature.numeric]
    if not wanted:
        return tuple(numeric[:2])
    for name in wanted:
        if name not in names or names.index(name) not in numeric:
            raise EngineError(f"The plane needs numeric columns; “{name}” is none of {', '.join(names)}.")
    return tuple(names.index(name) for name in wanted)


def _anchor(columns: Sequence[Column]) -> Float:
    """Hidden columns are held at their mean, or their most frequent category."""
    middle = []
    for c in columns:
        present = c.values[~np.isnan(c.values)]
        if not len(present):
            middle.append(0.0)
        elif c.feature.numeric:
            middle.append(float(present.mean()))
        else:
            middle.append(float(np.bincount(present.astype(int)).argmax()))
    return frozen(middle, np.float64)


def _target(data: Dataset) -> tuple[Int, Any]:
    target = data.target
    if target is None or target.feature.numeric:
        none = frozen(np.full(len(data), -1), np.intp)
        return none, frozen([]) if target is None else target.values
    codes = frozen(np.where(np.isnan(target.values), -1, np.nan_to_num(target.values)), np.intp)
    labels: Any = np.asarray(target.categories)
    if (codes < 0).any():
        labels = np.asarray((*target.categories, None), dtype=object)
    return codes, frozen(labels[codes])
