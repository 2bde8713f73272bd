"""The score of a person's answers by kind of question."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.base.records import Record, field
from engine.judge.questions.question import Kind

KEPT = 10  # the number of answers in `last`


class Tally(Record, eq=True):
    """The score: `right` of `answered` answers.

    kinds: (right, answered) by kind
    last: the latest answers, the newest last
    row: the number of right answers in a row
    """

    right: int = 0
    answered: int = 0
    kinds: Mapping[Kind, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    last: tuple[bool, ...] = ()
    row: int = 0

    def after(self, kind: Kind, right: bool) -> "Tally":
        """The tally after one more answer."""
        good, answered = self.kinds.get(kind, (0, 0))
        kinds = MappingProxyType({**self.kinds, kind: (good + right, answered + 1)})
        last = (*self.last, right)[-KEPT:]
        return Tally(
            self.right + right, self.answered + 1, kinds, last, self.row + 1 if right else 0
        )

    def words(self) -> str:
        """The score by kind: “points 3 of 4 · numbers 1 of 2”."""
        return " · ".join(
            f"{kind.value} {good} of {answered}" for kind, (good, answered) in self.kinds.items()
        )
