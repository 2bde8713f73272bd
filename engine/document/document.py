"""The document: the frozen record that a person works on. Every edit makes a new one."""

from collections.abc import Callable
from typing import Any

from engine.base.records import Record, field, field_names, replace
from engine.document.lane import Lane
from engine.protocol.params import build, to_dict
from engine.table.dataset import Dataset
from engine.table.prepare import Split, Transform, prepare
from engine.table.problem import Problem
from engine.table.row_words import MANY

MAX_LANES = 4


class Document(Record):
    """The data, how they are prepared, split and shown, one to four lanes, the probe and notes.

    plane: the names of the columns on the axes; () for the first two numeric ones
    probe: (x, y) on the plane, or None
    view: ((x0, x1), (y0, y1)), the declared ranges of the plane, or None to fit the data
    put_away: methods that left their lanes with parameters other than the defaults
    compared: (lane, other lane) whose difference the first of them shows, or None
    ghost: whether that difference shows the other lane's boundary too
    """

    data: Dataset
    lanes: tuple[Lane, ...]
    transforms: tuple[Transform, ...] = ()
    plane: tuple[str, ...] = ()
    split: Split = field(default_factory=Split)
    probe: tuple[float, float] | None = None
    notes: str = ""
    view: tuple[tuple[float, float], tuple[float, float]] | None = None
    put_away: tuple[Lane, ...] = ()
    compared: tuple[int, int] | None = None
    ghost: bool = False

    @property
    def most(self) -> int:
        """The largest number of rows that the lanes learn from.

        The lanes share their examples, so the lane that takes the fewest decides.
        """
        return min((each.algorithm.needs.sample for each in self.lanes), default=MANY)

    def problem(self) -> Problem:
        """The prepared problem that every lane shares; raises EngineError."""
        return prepare(
            self.data,
            transforms=self.transforms,
            plane=self.plane,
            split=self.split,
            query=self.probe,
            most=self.most,
        )

    def of_lane(self, index: int) -> "Document":
        """The document with lane `index`'s own examples as its data, if the lane has some."""
        own = self.lanes[index].data
        return self if own is None else replace(self, data=own)

    def in_lane(self, index: int, change: Callable[["Document"], "Document"]) -> "Document":
        """Apply `change` to the examples of lane `index`: its own, or else the document's."""
        if self.lanes[index].data is None:
            return change(self)
        changed = change(self.of_lane(index))
        return replace(changed, data=self.data).with_lane(index, data=changed.data)

    def with_lane(self, index: int, **changes: Any) -> "Document":
        """The document with other fields of lane `index`, such as key, params, seed or start.

        Another algorithm starts from the beginning without branches; `put_away` keeps the
        parameters of the old one.
        """
        old = self.lanes[index]
        if changes.get("key", old.key) != old.key:
            return self.putting_away(old)._with(
                index, replace(old, **({"start": None, "branches": ()} | changes))
            )
        return self._with(index, replace(old, **changes))

    def _with(self, index: int, lane: Lane) -> "Document":
        return replace(self, lanes=(*self.lanes[:index], lane, *self.lanes[index + 1 :]))

    def putting_away(self, *lanes: Lane) -> "Document":
        """The document with the parameters of these lanes in `put_away`, unless they are the
        defaults.
        """
        known = {each.key: Lane(each.key, each.params) for each in (*self.put_away, *lanes)}
        kept = tuple(each for each in known.values() if each.params != each.algorithm.params())
        return self if kept == self.put_away else replace(self, put_away=kept)

    def with_params(self, index: int, **values: Any) -> "Document":
        """The document with checked changes of lane `index`'s parameters; raises EngineError."""
        old = self.lanes[index]
        return self.with_lane(
            index, params=build(old.algorithm.params, to_dict(old.params) | values)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and all(
            getattr(self, name) == getattr(other, name) for name in field_names(self)
        )

    __hash__ = None  # type: ignore[assignment]
