"""A run at whose search nobody looks: every distance is measured at once."""

from engine.algorithms.instances.nearest_neighbours import Setting, State
from engine.authoring import Float, replace


def stored(given: Setting, s: State) -> State:
    return replace(s, stored=True)


def searched(given: Setting, s: State) -> State:
    found: State = given.with_neighbours(s, given.nearest(s.query))
    return found


def left_out(given: Setting, s: State) -> Float:
    """What would be said of each example had it not been stored."""
    return given.left_out()
