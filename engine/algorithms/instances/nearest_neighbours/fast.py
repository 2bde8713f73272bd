"""A run at whose search nobody looks: every distance is measured at once."""

from engine.algorithms.instances.nearest_neighbours import Setting, State
from engine.authoring import replace


def stored(given: Setting, s: State) -> State:
    return replace(s, stored=True)


def searched(given: Setting, s: State) -> State:
    found: State = given.held(s, given.nearest(s.query))
    return found
