"""The commands on lanes: each is one edit, or a sentence that says why it is refused."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engine.base.errors import EngineError
from engine.base.notation import cut
from engine.document import lane_edits
from engine.document.lane import Lane
from engine.document.lane_edits import LETTERS, Edited
from engine.protocol.step import Step

if TYPE_CHECKING:
    from gui.session.session import Session

FORKED = (
    "Lane {lane} goes on from {place} of lane {letter}: change one thing in it now, a parameter,"
    " the seed, a weight, points of its own{restart}. Ctrl+Z takes it away."
)

TAKEN = (
    "Lane {lane} is the run of lane {letter} once more{begun}, the same up to this step, where it"
    " takes {name}, as good as {usual}. Ctrl+Z takes it away."
)
OTHER = "Take the other: {name} (tied)"
NO_TIE = (
    "This step breaks no tie that could be taken otherwise: go to one whose candidates are marked"
    " as tied."
)

OTHER_METHOD = (
    "These are values of {wanted}, and the lane you work in has {now} now: choose {wanted} there"
    " again, or close this and compare values of {now}."
)

OWN = (
    "Lane {lane} has points of its own now: what you change in it leaves those of the other lanes"
    " alone."
)
SHARED = "Lane {lane} learns from the points of all lanes again; Ctrl+Z brings its own back."


class LaneCommands:
    """Acts on the active lane. Commands that can be refused return whether they were done."""

    def __init__(self, session: "Session") -> None:
        self.session = session

    def _do(self, change: Callable[[], Edited], label: str) -> bool:
        """Make an edit of the lanes; False where it is refused, which the message line says."""
        try:
            document, active = change()
        except EngineError as refused:
            self.session.say(str(refused), "error")
            return False
        self.session.set_lanes(document, label, active)
        return True

    def add(self) -> bool:
        session = self.session
        return self._do(lambda: lane_edits.add_lane(session.document, session.active), "add a lane")

    def duplicate(self) -> bool:
        session = self.session
        return self._do(
            lambda: lane_edits.duplicate_lane(session.document, session.active), "duplicate a lane"
        )

    def fork(self) -> bool:
        """Duplicate the active lane, beginning with the model of the shown step.

        Where the method cannot go on from a step, the copy begins at its own beginning, and the
        message line says so.
        """
        session = self.session
        title = session.algorithm.title
        letter = LETTERS[session.active]
        place = session.active
        try:
            start, here = session.continuation.start_here()
            restart = session.continuation.round_note
        except EngineError as refused:
            if not self._do(
                lambda: lane_edits.fork_lane(session.document, place, None), f"fork lane {letter}"
            ):
                return False
            session.say(
                f"{refused} Lane {LETTERS[place + 1]} is the run from its beginning: change one"
                " thing in it now."
            )
            return True
        if not self._do(
            lambda: lane_edits.fork_lane(session.document, place, start), f"fork lane {letter}"
        ):
            return False
        session.say(
            FORKED.format(
                lane=LETTERS[place + 1], title=title, letter=letter, place=here, restart=restart
            )
        )
        return True

    def take_other(self, which: int | None = None) -> bool:
        """Duplicate the active lane and take another of the tied candidates at the shown step.

        Its run is made again from where it begins, so that it is exact.

        which: number among the choice's winners, None: the next one
        """
        session = self.session
        place = self.session.active
        step = self.session.step
        others = tied_others(step)
        if step is None or step.tie is None or not others:
            session.say(NO_TIE, "error")
            return False
        which = next(iter(others)) if which is None else which
        number = step.tie.number
        usual = chosen_name(step)
        name = cut(others[which])
        edited = f"take {name} in place of {usual}"
        if not self._do(
            lambda: lane_edits.take_branch(session.document, place, number, which), edited
        ):
            return False
        begun = (
            " from its beginning"
            if session.lane.start is None
            else f" from {session.lane.start.place} on"
        )
        letters = {"lane": LETTERS[place + 1], "letter": LETTERS[place]}
        session.say(TAKEN.format(**letters, begun=begun, name=name, usual=usual))
        return True

    def own_points(self) -> None:
        """Give the active lane a table of its own to edit, or that of all lanes again."""
        session = self.session
        place = self.session.active
        had = session.lane.data is not None
        label = f"{'shared' if had else 'own'} points in lane {LETTERS[place]}"
        session.set_lanes(lane_edits.own_points(session.document, place), label, place)
        session.say((SHARED if had else OWN).format(lane=LETTERS[place]))

    def remove(self) -> bool:
        session = self.session
        letter = LETTERS[session.active]
        return self._do(
            lambda: lane_edits.remove_lane(session.document, session.active),
            f"remove lane {letter}",
        )

    def swap(self, other: int) -> bool:
        """Swap the active lane with the lane at place `other`."""
        session = self.session
        return self._do(
            lambda: lane_edits.swap_lanes(session.document, session.active, other), "swap two lanes"
        )

    def swap_with_next(self) -> bool:
        """Swap the active lane with the next one, the last with the first."""
        return self.swap((self.session.active + 1) % len(self.session.lane_views))

    def keep_only(self) -> bool:
        session = self.session
        return self._do(
            lambda: lane_edits.only_lane(session.document, session.active), "keep only one lane"
        )

    def sweep(self, wanted: Lane, name: str, label: str, values: Sequence[Any]) -> None:
        """Replace all lanes by the active one with each of these values of a parameter.

        Raises EngineError where another method has taken the place of `wanted`, and for impossible
        values.

        wanted: the lane as it was when the parameter was chosen
        """
        session = self.session
        if session.lane.key != wanted.key:
            raise EngineError(
                OTHER_METHOD.format(wanted=wanted.algorithm.title, now=session.algorithm.title)
            )
        document, active = lane_edits.sweep(session.document, session.active, name, values)
        session.set_lanes(document, f"compare values of {cut(label)}", active)

    def next_lane(self) -> None:
        """Make the next lane the active one; after the last comes the first."""
        self.session.activate((self.session.active + 1) % len(self.session.lane_views))


def tied_others(step: Step[Any] | None) -> dict[int, str]:
    """The labels of the tied candidates that the step could have taken instead.

    By number among the choice's winners, the next one first.
    """
    if step is None or step.tie is None or step.choice is None:
        return {}
    names = [step.choice.options[k].label for k in step.choice.winners]
    taken = step.tie.taken
    return {k: names[k] for k in (*range(taken + 1, len(names)), *range(taken))}


def chosen_name(step: Step[Any]) -> str:
    return "" if step.choice is None else cut(step.choice.options[step.choice.chosen].label)
