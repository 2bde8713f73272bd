"""Data by one word of the command line: a file, a project, or the name of a bundled set."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, replace
from engine.files import SUFFIX
from engine.files.project import load_project
from engine.sources.generators import GENERATORS, generate
from engine.sources.real import REAL, real
from engine.sources.textbook import TEXTBOOK, textbook
from engine.table.dataset import ColumnRole, Dataset
from engine.table.prepare import Split, Transform, prepare
from engine.table.problem import Problem

N = TypeVar("N", int, float)
_LONGEST = 200  # the longest name in a sentence


class Source(Record, eq=True):
    """A table with its preparation, if it is from a project.

    notices: sentences about what was guessed, changed or left out when a table file was read
    """

    data: Dataset
    transforms: tuple[Transform, ...] = ()
    plane: tuple[str, ...] = ()
    split: Split = Split()
    probe: tuple[float, float] | None = None
    notices: tuple[str, ...] = ()

    def problem(self, most: int | None = None) -> Problem:
        """The prepared problem, with a fair sample of at most `most` rows; raises EngineError."""
        return prepare(
            self.data,
            transforms=self.transforms,
            plane=self.plane,
            split=self.split,
            query=self.probe,
            most=most,
        )


def find_source(text: str, target: str | None = None) -> Source:
    """The data that `text` names; raises EngineError.

    A file if there is one, else a textbook set, a real table or a generator ('moons:200:0.1:3' for
    rows, noise and seed, 'blobs:30:0.4:0:3' for three classes too). target: the column to predict
    instead of the set's own
    """
    path = Path(text)
    if _is_file(path):
        return _project(path, target) if path.suffix.lower() == SUFFIX else _table(path, target)
    return Source(_aim(named_set(text), target))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _project(path: Path, target: str | None) -> Source:
    document = load_project(path)
    data = _aim(document.data, target)
    return Source(data, document.transforms, document.plane, document.split, document.probe)


def _table(path: Path, target: str | None) -> Source:
    from engine.read.tables import open_noticed

    data, notices = open_noticed(path, target)
    return Source(data, notices=notices)


def _aim(data: Dataset, target: str | None) -> Dataset:
    """`data` with another target; raises EngineError if there is no such column."""
    return data if target is None else data.with_role(data[target].name, ColumnRole.TARGET)


def named_set(text: str) -> Dataset:
    name, _, numbers = text.partition(":")
    if not numbers and name in TEXTBOOK:
        return textbook(name)
    if not numbers and name in REAL:
        return real(name)
    if name in GENERATORS:
        return _generated(name, numbers)
    if numbers and (name in TEXTBOOK or name in REAL):
        raise EngineError(
            f"{quoted(name)} is a fixed table; only generators take numbers, as in moons:200:0.1:3."
        )
    raise EngineError(_unknown(text))


def _generated(name: str, numbers: str) -> Dataset:
    parts = numbers.split(":") if numbers else []
    if len(parts) > 4:
        raise EngineError(
            f"“{name}:{numbers}” has more than rows, noise, seed and classes; write it as in"
            " blobs:60:0.4:0:3."
        )
    n, noise, seed, classes = (*parts, "", "", "", "")[:4]
    seeded = _number(seed, int, "The seed")
    if seeded is not None and seeded < 0:
        raise EngineError(f"The seed must be 0 or more; it is {seed}.")
    return generate(
        name,
        _number(n, int, "The number of rows"),
        _number(noise, float, "The noise"),
        seeded or 0,
        classes=_number(classes, int, "The number of classes"),
    )


def _number(text: str, kind: Callable[[str], N], what: str) -> N | None:
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        raise EngineError(
            f"{what} must be a {'whole ' if kind is int else ''}number; it is {quoted(text)}."
        ) from None


def _unknown(text: str) -> str:
    said = quoted(text, _LONGEST)
    if os.path.isdir(text):
        return f"{said} is a folder; name a table or a project in it."
    if os.path.exists(text):  # a device or a pipe: reading it might wait for ever
        return f"{said} is no ordinary file; save the table as a file, then name that."
    if os.sep in text or Path(text).suffix:
        return f"There is no file {said}."
    from difflib import get_close_matches

    names = [*TEXTBOOK, *REAL, *GENERATORS]
    close = get_close_matches(text[:_LONGEST], names, n=3)
    hint = (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"there are {', '.join(dict.fromkeys(names))}."
    )
    return f"There is no file and no data set {said}; {hint}"


def without(source: Source, names: Sequence[str]) -> Source:
    """`source` with these columns ignored.

    Raises EngineError for an unknown column.
    """
    data = source.data
    for name in names:
        data = data.with_role(data[name].name, ColumnRole.IGNORED)
    return replace(source, data=data)


def without_target(source: Source) -> Source:
    """`source` with its target ignored, if it has one."""
    target = source.data.target
    return source if target is None else without(source, [target.name])


def with_changes(source: Source, kinds: Sequence[str]) -> Source:
    """`source` with these transformations of all columns appended; see `transforms.KINDS`."""
    return replace(source, transforms=(*source.transforms, *map(Transform, kinds)))


def with_split(source: Source, share: float | None, seed: int) -> Source:
    """`source` with `share` of its rows held out, drawn with `seed`; unchanged if share is None."""
    return source if share is None else replace(source, split=Split(share, seed))
