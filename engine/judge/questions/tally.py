"""The score: how often a person was right, by kind of question."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.base.records import Record, field
from engine.judge.questions.question import Kind

KEPT = 10  # answers that are shown one by one


class Tally(Record, eq=True):
    """right of asked; kinds: (right, asked) of each; last: the latest answers, the newest at the
    end; row: right ones in a row
    """

    right: int = 0
    asked: int = 0
    kinds: Mapping[Kind, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    last: tuple[bool, ...] = ()
    row: int = 0

    def after(self, kind: Kind, right: bool) -> "Tally":
        """With one answer more."""
        good, asked = self.kinds.get(kind, (0, 0))
        kinds = MappingProxyType({**self.kinds, kind: (good + right, asked + 1)})
        last = (*self.last, right)[-KEPT:]
        return Tally(self.right + right, self.asked + 1, kinds, last, self.row + 1 if right else 0)

    def words(self) -> str:
        """“points 3 of 4 · numbers 1 of 2”."""
        return " · ".join(
            f"{kind.value} {good} of {asked}" for kind, (good, asked) in self.kinds.items()
        )
