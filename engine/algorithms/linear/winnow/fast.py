"""A round without a word: between two mistakes the weights stand still."""

from engine.algorithms.linear.winnow import LISTED, Setting, State, mended
from engine.algorithms.linear.winnow.scale import Visits
from engine.authoring import Int, replace


def one_round(given: Setting, s: State) -> State:
    order = given.rows
    at = 0
    visited = s.visited
    seen = [*s.visits]
    while at < len(order):
        end = next_wrong(given, at, s.powers)
        seen += [(i, s.powers, None) for i in order[at:end][-LISTED:].tolist()]
        visited += end - at
        if end < len(order) and not given.run_away(s.powers):
            before = s.powers
            i = int(order[end])
            s = mended(given, replace(s, current=i))
            seen.append((i, before, s.powers))
            visited += 1
        at = end + 1
    return replace(s, visited=visited, visits=Visits(seen[-LISTED:]))


def next_wrong(given: Setting, at: int, powers: Int) -> int:
    """Position in the order, from `at` on, of the first example that is not on its side; else its
    length.
    """
    size = 64
    while at < len(given.rows):
        wrong = given.wrong(given.rows[at : at + size], powers)
        if wrong.any():
            return at + int(wrong.argmax())
        at = at + size
        size = size * 4
    return len(given.rows)
