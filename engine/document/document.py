"""The document: what a person works on. Frozen; every edit makes a new one, and undo swaps them."""

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
    """data, how it is prepared and shown, how it is split, one to four lanes, the probe and the
    person's notes.

    plane: names of the columns on the axes, () = the first two numeric ones; probe: (x, y) on the
    plane or None; view: ((x0, x1), (y0, y1)) the declared ranges of the plane, or None to fit the
    data; put_away: methods that were in a lane, set otherwise than usual, each as it was last set
    compared: (lane, other lane) whose difference is shown, in the first of them, or None; ghost:
    with the other's boundary
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
        """How many rows of its table are learnt from.

        Methods side by side learn from the same examples, else nobody could compare them: as many
        as the one takes that takes the fewest.
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
        """As lane `index` sees it: with the examples of its own, if it has some."""
        own = self.lanes[index].data
        return self if own is None else replace(self, data=own)

    def in_lane(self, index: int, change: Callable[["Document"], "Document"]) -> "Document":
        """An edit of the examples that lane `index` learns from: of its own, if it has some."""
        if self.lanes[index].data is None:
            return change(self)
        changed = change(self.of_lane(index))
        return replace(changed, data=self.data).with_lane(index, data=changed.data)

    def with_lane(self, index: int, **changes: Any) -> "Document":
        """Lane `index` with other key, params, seed or start; another algorithm begins at its own
        beginning, and how the one before was set is remembered.
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
        """Remembers how the methods of these lanes are set."""
        known = {each.key: Lane(each.key, each.params) for each in (*self.put_away, *lanes)}
        kept = tuple(each for each in known.values() if each.params != each.algorithm.params())
        return self if kept == self.put_away else replace(self, put_away=kept)

    def with_params(self, index: int, **values: Any) -> "Document":
        """Lane `index` with some parameters changed and checked; raises EngineError."""
        old = self.lanes[index]
        return self.with_lane(
            index, params=build(old.algorithm.params, to_dict(old.params) | values)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and all(
            getattr(self, name) == getattr(other, name) for name in field_names(self)
        )

    __hash__ = None  # type: ignore[assignment]
