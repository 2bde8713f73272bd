"""A round whose moments are not recorded: between two mistakes the weights stand still."""

from engine.algorithms.linear.winnow import LISTED, Setting, State, updated
from engine.algorithms.linear.winnow.scale import Visits
from engine.authoring import Int, replace

BLOCK = 64  # rows that are judged at once after a mistake
GROWTH = 4  # times as many where none of them is wrong


def one_round(given: Setting, s: State) -> State:
    """The state after an unrecorded visit to each example in turn."""
    order = given.rows
    place = 0
    visited = s.visited
    visits = [*s.visits]
    while place < len(order):
        end = next_wrong(given, place, s.powers)
        right = order[place:end]
        visits += [(i, s.powers, None) for i in right[-LISTED:].tolist()]
        visited += len(right)
        if end < len(order) and not given.run_away(s.powers):
            before = s.powers
            i = int(order[end])
            s = updated(given, replace(s, current=i))
            visits.append((i, before, s.powers))
            visited += 1
        place = end + 1
    return replace(s, visited=visited, visits=Visits(visits[-LISTED:]))


def next_wrong(given: Setting, place: int, powers: Int) -> int:
    """The position, from `place` on, of the first example that is wrong; the number of rows for
    none.
    """
    size = BLOCK
    while place < len(given.rows):
        wrong = given.wrong_rows(given.rows[place : place + size], powers)
        if wrong.any():
            return place + int(wrong.argmax())
        place += size
        size *= GROWTH
    return len(given.rows)
